//! What a repository can be besides there: renamed, replaced, blocked, archived, empty, private, or without
//! the commit that was asked for; each told apart by code, exit code and hint.

use serde_json::Value;

use crate::{
    online::{Online, TIDE, TIDES, tides},
    proof::{assert_mounted, assert_nothing_kept, steady},
    servers::{
        collection::skill_text,
        github::{GithubServer, Refusal, now_seconds},
        repository::Repository,
        skills_sh::Listing,
    },
};

fn online(repository: &Repository) -> Online {
    Online::new(vec![repository.clone()], vec![Listing::new(TIDES, "tide", 300)])
}

/// The code, the exit code and the steady text of a mount that must fail and leave nothing.
fn refusal(online: &Online, arguments: &[&str]) -> (String, i32, String) {
    let ran = online.run([&["mount", "--yes", "--json"], arguments].concat());
    let document: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    assert_eq!(document["exit_code"].as_i64(), Some(i64::from(ran.code)), "{ran:?}");
    assert_nothing_kept(online, &ran.stderr);
    (document["code"].as_str().unwrap_or_default().to_owned(), ran.code, steady(&ran.stderr))
}

fn state(change: impl Fn(&GithubServer, &Repository), reference: &str) -> String {
    let repository = tides();
    let online = online(&repository);
    change(&online.github, &repository);
    let (code, exit, text) = refusal(&online, &[reference]);
    format!("{code}, exit code {exit}\n{text}")
}

#[test]
fn states_of_a_repository_are_told_apart() {
    let tos = |server: &GithubServer, _: &Repository| {
        let canned = Refusal::TermsOfService.canned(now_seconds());
        server.override_path("GET", &format!("/repos/{TIDES}"), canned);
    };
    let states = [
        state(|server, _| server.block(TIDES, "dmca"), TIDE),
        state(tos, TIDE),
        state(
            |_, tides| {
                tides.set(|facts| facts.disabled = true);
            },
            TIDE,
        ),
        state(|server, _| server.make_empty(TIDES), TIDE),
        state(|_, _| {}, "quarry-works/none//skills/tide"),
        state(|_, _| {}, "quarry-works/tides//skills/none"),
        state(|_, _| {}, "quarry-works/tides//skills"),
        state(|_, _| {}, "quarry-works/tides//skills/tide@nowhere"),
        state(|_, _| {}, &format!("{TIDE}@{}", "1".repeat(40))),
        state(|_, _| {}, &format!("{TIDE}@a..b")),
    ];
    insta::assert_snapshot!(states.join("\n"), @r#"
    source_blocked, exit code 5
    error: `quarry-works/tides` is blocked by its host: dmca

    hint: the host decides this; a copy that is stored stays usable

    source_blocked, exit code 5
    error: `quarry-works/tides` is blocked by its host: tos

    hint: the host decides this; a copy that is stored stays usable

    repository_disabled, exit code 5
    error: `quarry-works/tides` is disabled by its host

    hint: the host decides this; a copy that is stored stays usable

    repository_empty, exit code 1
    error: `quarry-works/tides` is empty

    hint: there is nothing to mount until somebody commits

    repository_not_found, exit code 1
    error: `[HOST]` has no repository `quarry-works/none`

    hint: check the spelling; a private repository needs a token in GITHUB_TOKEN

    skill_not_found, exit code 1
    error: `quarry-works/tides` has no skill `skills/none`

    hint: search for it: skillflux search tides

    skill_not_found, exit code 1
    error: `quarry-works/tides` has no skill `skills`
      skills/tide

    hint: search for it: skillflux search tides

    ref_not_found, exit code 1
    error: `quarry-works/tides` has no branch, tag or commit `nowhere`

    hint: leave out the part after `@` for the default branch

    ref_not_found, exit code 1
    error: `quarry-works/tides` has no branch, tag or commit `[ID]`

    hint: leave out the part after `@` for the default branch

    ref_invalid, exit code 2
    error: `a..b` cannot be the name of a branch, tag or commit

    hint: leave out the part after `@` for the default branch
    "#);
}

#[test]
fn an_empty_repository_is_empty_over_git_too() {
    let empty = Repository::new("quarry-works/empty");
    let online = Online::new(vec![empty], Vec::new());
    for way in ["api", "git"] {
        let (code, exit, text) = refusal(&online, &["--transport", way, "quarry-works/empty//x"]);
        assert_eq!((code.as_str(), exit), ("repository_empty", 1), "{way}: {text}");
    }
    for way in ["api", "git"] {
        let (code, exit, text) = refusal(&online, &["--transport", way, "quarry-works/none//x"]);
        assert_eq!((code.as_str(), exit), ("repository_not_found", 1), "{way}: {text}");
    }
}

#[test]
fn a_private_repository_is_there_with_a_token_alone() {
    let repository = tides();
    repository.set(|facts| facts.private = true);
    let online = online(&repository);
    let ran = online.ran(online.anonymous().args(["mount", "--yes", TIDE]));
    insta::assert_snapshot!(steady(&ran.snapshot()), @r#"
    exit code 1
    --- stdout
    --- stderr
    error: `[HOST]` has no repository `quarry-works/tides`

    hint: check the spelling; a private repository needs a token in GITHUB_TOKEN
    "#);
    assert_nothing_kept(&online, "private");
    let document = online.run(["mount", "--yes", "--json", TIDE]).json();
    assert_mounted(&online, &document["mounts"][0], &repository, &repository.head(), "skills/tide");
}

#[test]
fn a_branch_and_a_tag_of_one_name_are_not_chosen_between() {
    let repository = tides();
    repository.branch("both");
    repository.light_tag("both");
    let online = online(&repository);
    let url = format!("{}/{TIDES}/tree/both/skills/tide", online.git.url().replace("http:", "https:"));
    for way in ["api", "git"] {
        for reference in [format!("{TIDE}@both"), url.clone()] {
            let (code, exit, text) = refusal(&online, &["--transport", way, &reference]);
            assert_eq!((code.as_str(), exit), ("ref_ambiguous", 2), "{text}");
            insta::allow_duplicates! { insta::assert_snapshot!(text, @r#"
            error: `both` is a branch and a tag of `quarry-works/tides`: write `heads/both` or `tags/both`

            hint: put `heads/` or `tags/` before the name after `@`
            "#) };
        }
    }
}

#[test]
fn a_commit_of_a_fork_is_refused_unless_it_is_known() {
    let repository = tides();
    repository.file("skills/tide/SKILL.md", skill_text("tide", "Comes from a fork."));
    let impostor = repository.detached_commit("of a fork");
    let online = online(&repository);
    let reference = format!("{TIDE}@{impostor}");
    for way in ["api", "git"] {
        let (code, exit, text) = refusal(&online, &["--transport", way, &reference]);
        assert_eq!((code.as_str(), exit), ("commit_not_on_default_branch", 5), "{text}");
        insta::allow_duplicates! { insta::assert_snapshot!(text, @r#"
        error: commit `[ID]` is not on the default branch of `quarry-works/tides` and may come from a fork

        hint: name a branch or tag instead, or add --allow-unreachable if you know the commit
        "#) };
    }
    for way in ["api", "git"] {
        let arguments = ["mount", "--yes", "--json", "--allow-unreachable", "--transport", way, &reference];
        let document = online.run(arguments).json();
        assert_mounted(&online, &document["mounts"][0], &repository, &impostor, "skills/tide");
    }
}

#[test]
fn a_rename_is_followed_and_noted() {
    let repository = tides();
    let online = online(&repository);
    online.github.rename(TIDES, "harbour-works/tides-two");
    let ran = online.run(["mount", "--yes", "--json", TIDE]);
    let document = ran.json();
    let mount = &document["mounts"][0];
    assert_eq!(mount["renamed_from"].as_str(), Some(TIDES));
    assert_eq!(mount["pin"]["repository"].as_str(), Some("harbour-works/tides-two"));
    assert_eq!(ran.stderr, "warning: `quarry-works/tides` is called `harbour-works/tides-two` now\n");
    assert_mounted(&online, mount, &repository, &repository.head(), "skills/tide");
}

#[test]
fn an_archived_repository_is_mounted_with_a_warning() {
    let repository = tides();
    repository.set(|facts| facts.archived = true);
    let online = online(&repository);
    let ran = online.run(["mount", "--yes", TIDE]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.stderr, "warning: `quarry-works/tides` is archived: nobody maintains it\n");
}

#[test]
fn another_repository_or_owner_of_the_name_is_noticed_after_a_search() {
    for (what, change) in [
        ("repository", (|facts| facts.id = 7) as fn(&mut crate::servers::repository::Facts)),
        ("owner", |facts| facts.owner_id = 7),
    ] {
        let repository = tides();
        let online = online(&repository);
        let found = online.run(["search", "--json", "tide"]).json();
        let id = found["results"][0]["id"].as_str().unwrap().to_owned();
        let before = repository.facts();
        repository.set(change);
        let (code, exit, text) = refusal(&online, &[&id]);
        let was = if what == "owner" { before.owner_id } else { before.id };
        assert_eq!((code.as_str(), exit), ("source_identity_changed", 5), "{text}");
        assert_eq!(
            text,
            format!(
                "error: `{TIDES}` is not the same {what} as before: it was number {was} and is 7\n\n\
                 hint: somebody else may have taken the name. If you trust who has it now, search again, and \
                 remove what is stored of the old one: skillflux cache list\n"
            )
        );
    }
}

#[test]
fn what_no_harness_could_read_is_not_stored() {
    let mut all = String::new();
    for (what, text) in [
        ("no header", "# Tides\n".to_owned()),
        ("no description", "---\nname: tide\n---\n\nTides.\n".to_owned()),
        ("a header without an end", "---\nname: tide\ndescription: Tides.\n".to_owned()),
        ("empty", String::new()),
        ("too large", skill_text("tide", "Tides.") + &"tide\n".repeat(110_000)),
    ] {
        let repository = Repository::new(TIDES);
        repository.file("skills/tide/SKILL.md", text);
        repository.commit(what);
        let online = online(&repository);
        for way in ["api", "git"] {
            let (code, exit, text) = refusal(&online, &["--transport", way, TIDE]);
            let told = format!("# {what}: {code}, exit code {exit}\n{text}\n");
            if way == "api" {
                all += &told;
            } else {
                assert!(all.ends_with(&told), "git says otherwise: {told}");
            }
        }
    }
    insta::assert_snapshot!(all, @r#"
    # no header: no_frontmatter, exit code 5
    error: `SKILL.md` line 1, column 1 is not that of a skill: no_frontmatter

    hint: nothing was stored; the skill's author should start the file with a frontmatter block between two `---` lines

    # no description: description_missing, exit code 5
    error: `SKILL.md` is not that of a skill: description_missing

    hint: nothing was stored; the skill's author should add a description that says what the skill does and when to use it

    # a header without an end: unclosed_frontmatter, exit code 5
    error: `SKILL.md` line 1, column 1 is not that of a skill: unclosed_frontmatter

    hint: nothing was stored; the skill's author should close the frontmatter with a `---` line

    # empty: no_frontmatter, exit code 5
    error: `SKILL.md` is not that of a skill: no_frontmatter

    hint: nothing was stored; the skill's author should start the file with a frontmatter block between two `---` lines

    # too large: file_too_large, exit code 5
    error: `SKILL.md` is refused: it is larger than such a file may be (file_too_large)

    hint: nothing was written; the skill's author should move long parts into other files
    "#);
}
