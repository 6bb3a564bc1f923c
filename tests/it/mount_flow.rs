//! From a search to a catalog: skills of every kind of a large repository, mounted by the built program over
//! real sockets and compared with what git has, byte for byte.

use std::{collections::BTreeSet, time::Duration};

use serde_json::Value;

use crate::{
    context::TestContext,
    online::Online,
    proof::{assert_mounted, assert_nothing_kept, assert_nothing_staged, in_git, steady},
    servers::{
        collection::{big_collection, skill_text},
        github::Options,
        repository::Repository,
        skills_sh::Listing,
    },
};

const COLLECTION: &str = "quarry-works/big-collection";

fn collection() -> (Online, Repository) {
    let repository = big_collection();
    let listings = vec![
        Listing::new(COLLECTION, "asset-pack", 900),
        Listing::new(COLLECTION, "changelog-writer", 500),
        Listing::new(COLLECTION, "outer-box", 20),
    ];
    (Online::new(vec![repository.clone()], listings), repository)
}

/// Mounts with consent, and gives the one mount.
fn mount(online: &Online, arguments: &[&str]) -> Value {
    let mut document = online.run([&["mount", "--yes", "--json"], arguments].concat()).json();
    assert_eq!(document["failures"], serde_json::json!([]), "{document}");
    assert_eq!(document["mounts"].as_array().unwrap().len(), 1, "{document}");
    document["mounts"][0].take()
}

/// The ids of blobs that the API was asked for.
fn asked_blobs(online: &Online) -> Vec<String> {
    let requests = online.github.requests();
    let ids = requests.iter().filter_map(|seen| seen.path_and_query.split_once("/git/blobs/"));
    ids.map(|(_, id)| id.to_owned()).collect()
}

/// The ids of the files of a folder, in their order.
fn blobs_of(repository: &Repository, folder: &str) -> Vec<String> {
    let head = repository.head();
    let files = in_git(repository, &head, folder).into_keys();
    let id = |path: String| {
        let path = if folder.is_empty() { path } else { format!("{folder}/{path}") };
        repository.entry(&head, &path).unwrap().sha
    };
    let ids: BTreeSet<String> = files.map(id).collect();
    ids.into_iter().collect()
}

#[test]
fn a_search_leads_to_a_mount_to_a_body_and_to_a_catalog() {
    let (online, repository) = collection();
    let found = online.run(["search", "--json", "asset", "pack"]).json();
    let result = found["results"].as_array().unwrap().iter().find(|result| result["name"] == "asset-pack");
    let id = result.unwrap()["id"].as_str().unwrap();
    let mounted = mount(&online, &[id]);
    assert_eq!(mounted["pin"]["commit"].as_str(), Some(repository.head().as_str()));
    assert_mounted(&online, &mounted, &repository, &repository.head(), "skills/asset-pack");
    let loaded = online.run(["load", "--json", "asset-pack"]).json();
    assert_eq!(loaded["body"], "\n# asset-pack\n\nSteps for asset-pack.\n");
    assert_eq!(loaded["digest"], mounted["digest"]);
    assert_eq!(loaded["resources"].as_array().unwrap().len(), 29);
    let before = online.github.requests().len();
    let catalog = online.run(["catalog", "--json", "I need pictures for my reports, an asset pack"]).json();
    assert_eq!(catalog["skills"][0]["name"], "asset-pack", "{catalog}");
    assert_eq!(online.github.requests().len(), before, "a stored skill is read without asking");
}

#[test]
fn each_kind_of_skill_has_the_bytes_of_git_and_no_more_is_asked_for() {
    let (online, repository) = collection();
    for (folder, way) in [
        ("skills/asset-pack", "api"),
        ("skills/outer-box", "api"),
        ("skills/outer-box/inner-box", "api"),
        ("skills/other-folder", "api"),
        ("plugins/ledger-kit/skills/ledger-summary", "api"),
        ("skills/changelog-writer", "api"),
        ("skills/asset-pack", "git"),
        ("plugins/ledger-kit/skills/ledger-summary", "git"),
    ] {
        let (before, asked_before) = (online.github.requests().len(), asked_blobs(&online).len());
        let mounted = mount(&online, &[&format!("{COLLECTION}//{folder}"), "--transport", way]);
        assert_mounted(&online, &mounted, &repository, &repository.head(), folder);
        assert_nothing_staged(&online, folder);
        if way == "git" {
            assert_eq!(online.github.requests().len(), before, "{folder}");
            assert_eq!(mounted["stored_before"], false, "{folder}");
        } else {
            let mut asked = asked_blobs(&online).split_off(asked_before);
            asked.sort();
            assert_eq!(asked, blobs_of(&repository, folder), "{folder}");
        }
    }
}

#[test]
fn the_root_of_the_repository_is_a_skill() {
    let small = Repository::new("quarry-works/one-skill");
    small.file("SKILL.md", skill_text("one-skill", "Is all there is.")).file("docs/a.md", "a\n");
    small.executable("run.sh", "#!/bin/sh\n").commit("a skill");
    let online = Online::new(vec![small.clone()], Vec::new());
    let head = small.head();
    for (reference, way) in [("//", "api"), ("//SKILL.md", "api"), ("@one-skill", "api"), ("//", "git")] {
        let mounted = mount(&online, &[&format!("quarry-works/one-skill{reference}"), "--transport", way]);
        assert_mounted(&online, &mounted, &small, &head, "");
        assert_eq!(mounted["name"], "one-skill");
    }
    assert_eq!(asked_blobs(&online).len(), 3);

    // The root of the collection holds links, submodules and pointers of all its skills.
    let (online, repository) = collection();
    let whole = format!("{COLLECTION}//");
    let refused = online.run(["mount", "--yes", &whole]);
    assert_eq!(refused.code, 5, "{refused:?}");
    let mut arguments = vec![whole.as_str(), "--transport", "git"];
    for code in ["tree_symlink", "tree_submodule", "lfs_pointer"] {
        arguments.extend(["--allow", code]);
    }
    let mounted = mount(&online, &arguments);
    assert_eq!(mounted["omitted"].as_array().unwrap().len(), 3, "{mounted}");
    assert_mounted(&online, &mounted, &repository, &repository.head(), "");
}

#[test]
fn what_is_no_plain_file_is_refused_and_left_out_only_when_allowed() {
    let (mut online, repository) = collection();
    for (name, way, expected) in [
        ("linked-notes", "api", "notes.md: tree_symlink"),
        ("linked-notes", "git", "notes.md: tree_symlink"),
        ("vendored-parser", "api", "vendor: tree_submodule"),
        ("vendored-parser", "git", "vendor: tree_submodule"),
        ("large-model", "api", "model.bin: lfs_pointer"),
        ("large-model", "git", "model.bin: lfs_pointer"),
    ] {
        online.context = TestContext::new();
        let reference = format!("{COLLECTION}//skills/{name}");
        let refused = online.run(["mount", "--yes", "--transport", way, &reference]);
        let (path, code) = expected.split_once(": ").unwrap();
        let words = match code {
            "tree_symlink" => "it is a symbolic link",
            "tree_submodule" => "it is another repository",
            _ => "its content lies in Git LFS",
        };
        assert_eq!(refused.code, 5, "{refused:?}");
        assert_eq!(
            refused.stderr,
            format!(
                "error: `{path}` is refused: {words} ({code})\n\nhint: to mount without such files, add: --allow {code}\n"
            )
        );
        assert_nothing_kept(&online, name);
        let as_json = online.run(["mount", "--yes", "--json", "--transport", way, &reference]);
        let document: Value = serde_json::from_str(&as_json.stdout).unwrap();
        assert_eq!((document["code"].as_str(), document["exit_code"].as_u64()), (Some(code), Some(5)));

        let mounted = mount(&online, &["--transport", way, "--allow", code, &reference]);
        assert_mounted(&online, &mounted, &repository, &repository.head(), &format!("skills/{name}"));
        assert_eq!(mounted["omitted"], serde_json::json!([{ "path": path, "code": code }]));
        // Without the leave the incomplete entry is not taken for the skill.
        assert_eq!(online.run(["mount", "--yes", "--transport", way, &reference]).code, 5);
        let told = online.run(["mount", "--yes", "--transport", way, "--allow", code, &reference]);
        assert!(told.stdout.contains(&format!("left out: {path} ({code})")), "{told:?}");
    }
    let refused = online.run(["mount", "--yes", &format!("{COLLECTION}//skills/lower-case")]);
    insta::assert_snapshot!(refused.snapshot(), @r#"
    exit code 5
    --- stdout
    --- stderr
    error: `skill.md` is refused: the file must be called `SKILL.md` (skill_file_case)

    hint: nothing was written; ask the skill's author to rename the file
    "#);
}

#[test]
fn a_mount_asks_in_three_rounds_and_only_once() {
    let repository = Repository::new("quarry-works/twelve");
    repository.file("skills/twelve/SKILL.md", skill_text("twelve", "Twelve files."));
    for number in 1..12 {
        repository.file(&format!("skills/twelve/references/{number}.md"), format!("{number}\n"));
    }
    repository.file("skills/other/SKILL.md", skill_text("other", "Another.")).commit("skills");
    let options = Options { delay: Duration::from_millis(60), ..Options::default() };
    let online = Online::with(vec![repository.clone()], Vec::new(), options);
    let mounted = mount(&online, &["quarry-works/twelve//skills/twelve"]);
    assert_mounted(&online, &mounted, &repository, &repository.head(), "skills/twelve");
    assert_eq!((online.github.rounds(), online.github.requests().len()), (3, 15));
    let mut asked: Vec<String> =
        online.github.requests().iter().take(4).map(|seen| steady(&seen.path_and_query)).collect();
    // The first two are sent at once.
    asked[..2].sort();
    insta::assert_snapshot!(asked.join("\n"), @r#"
    /repos/quarry-works/twelve
    /repos/quarry-works/twelve/commits/HEAD?per_page=1
    /repos/quarry-works/twelve/git/trees/[ID]?recursive=1
    /repos/quarry-works/twelve/git/blobs/[ID]
    "#);

    // By its commit it needs no answer at all.
    let pinned = mounted["reference"].as_str().unwrap();
    let again = mount(&online, &[pinned]);
    assert_eq!((again["stored_before"].as_bool(), online.github.requests().len()), (Some(true), 15));
    // By its folder the head is asked for, and nothing is downloaded twice.
    let again = mount(&online, &["quarry-works/twelve//skills/twelve"]);
    assert_eq!(again["stored_before"], true);
    assert_eq!(asked_blobs(&online).len(), 12);
    assert_eq!(again["digest"], mounted["digest"]);
}

#[test]
fn skills_of_one_name_are_listed_with_references_that_work() {
    let (online, repository) = collection();
    for way in ["api", "git"] {
        let several =
            online.run(["mount", "--yes", "--transport", way, &format!("{COLLECTION}@changelog-writer")]);
        insta::allow_duplicates! {
            insta::assert_snapshot!(several.snapshot(), @r#"
            exit code 2
            --- stdout
            --- stderr
            error: `changelog-writer` names 2 skills
              quarry-works/big-collection//community/changelog-writer
              quarry-works/big-collection//plugins/release-kit/skills/changelog-writer

            hint: give one of these instead of the name
            "#);
        }
        let folders = ["community/changelog-writer", "plugins/release-kit/skills/changelog-writer"];
        let session = format!("paste-{way}");
        for folder in folders {
            let line = several.stderr.lines().map(str::trim).find(|line| line.ends_with(folder));
            let mounted = mount(&online, &["--session", &session, "--to", folder, line.unwrap()]);
            assert_mounted(&online, &mounted, &repository, &repository.head(), folder);
        }
    }
}

/// One skill that says something else on each branch and tag.
fn versions() -> (Repository, Vec<(String, String)>) {
    let repository = Repository::new("quarry-works/versions");
    let write = |version: &str| {
        repository.file("skills/tide/SKILL.md", skill_text("tide", &format!("Version {version}.")));
        repository.commit(version)
    };
    let first = write("first");
    repository.tag("v1");
    write("second");
    repository.light_tag("v2").branch("feature/high-water");
    write("feature");
    repository.branch("both");
    write("branch of both");
    repository.branch("main");
    write("tag of both");
    repository.light_tag("both");
    write("main");
    let cases = [
        ("quarry-works/versions//skills/tide", "main"),
        ("quarry-works/versions//skills/tide/SKILL.md", "main"),
        ("quarry-works/versions//skills/tide@main", "main"),
        ("quarry-works/versions//skills/tide@heads/main", "main"),
        ("quarry-works/versions//skills/tide@refs/heads/main", "main"),
        ("quarry-works/versions//skills/tide@v1", "first"),
        ("quarry-works/versions//skills/tide@tags/v2", "second"),
        ("quarry-works/versions//skills/tide@feature/high-water", "feature"),
        ("quarry-works/versions//skills/tide@heads/both", "branch of both"),
        ("quarry-works/versions//skills/tide@tags/both", "tag of both"),
        ("quarry-works/versions@tide", "main"),
        ("URL/quarry-works/versions/tree/main/skills/tide", "main"),
        ("URL/quarry-works/versions/tree/v2/skills/tide?plain=1#top", "second"),
        ("URL/quarry-works/versions/tree/feature/high-water/skills/tide", "feature"),
        ("URL/quarry-works/versions/tree/feature%2Fhigh-water/skills/tide", "feature"),
        ("URL/quarry-works/versions/blob/feature/high-water/skills/tide/SKILL.md", "feature"),
        ("URL/quarry-works/versions.git/tree/main/skills/tide/", "main"),
    ];
    let mut cases: Vec<(String, String)> =
        cases.map(|(reference, version)| (reference.to_owned(), version.to_owned())).to_vec();
    cases.push((format!("quarry-works/versions//skills/tide@{first}"), "first".to_owned()));
    cases.push((format!("URL/quarry-works/versions/tree/{first}/skills/tide"), "first".to_owned()));
    (repository, cases)
}

#[test]
fn every_form_of_a_reference_leads_to_its_version() {
    for way in ["api", "git"] {
        let (repository, cases) = versions();
        let online = Online::new(vec![repository], Vec::new());
        let host = online.git.url().replace("http://", "https://");
        for (reference, version) in &cases {
            let reference = reference.replace("URL", &host);
            let mounted = mount(&online, &["--transport", way, &reference]);
            let loaded = online.run(["show", "--json", mounted["digest"].as_str().unwrap()]).json();
            assert_eq!(
                loaded["skill"]["description"],
                format!("Version {version}."),
                "{way} {reference}: {loaded}"
            );
        }
    }
}

#[test]
fn what_a_search_showed_is_mounted_although_the_branch_moved_on() {
    for with_token in [true, false] {
        let (repository, _) = versions();
        let listing = Listing::new("quarry-works/versions", "tide", 30);
        let online = Online::new(vec![repository.clone()], vec![listing]);
        let command = || if with_token { online.command() } else { online.anonymous() };
        let shown = repository.head();
        let found = online.ran(command().args(["search", "--json", "tide"])).json();
        assert_eq!(found["results"][0]["pin"]["commit"], shown.as_str(), "{found}");
        repository.file("skills/tide/SKILL.md", skill_text("tide", "Came later.")).commit("later");
        let id = found["results"][0]["id"].as_str().unwrap();
        let document = online.ran(command().args(["mount", "--yes", "--json", id])).json();
        assert_mounted(&online, &document["mounts"][0], &repository, &shown, "skills/tide");
        // Who asks for the branch gets what it holds now, and both versions are kept.
        let later = mount(&online, &["quarry-works/versions//skills/tide"]);
        assert_mounted(&online, &later, &repository, &repository.head(), "skills/tide");
        let listed = online.run(["cache", "list", "--json"]).json();
        assert_eq!(listed["skills"].as_array().map(Vec::len), Some(2), "{listed}");
    }
}

#[test]
fn a_candidate_whose_name_is_not_enough_is_not_guessed() {
    let (online, repository) = collection();
    // Without a token nobody says in which folder the listed skill lies.
    let found = online.ran(online.anonymous().args(["search", "--json", "changelog", "writer"])).json();
    let id = found["results"][0]["id"].as_str().unwrap();
    let several = online.ran(online.anonymous().args(["mount", "--yes", id]));
    insta::assert_snapshot!(steady(&several.snapshot()), @r#"
    exit code 2
    --- stdout
    --- stderr
    error: `changelog-writer` names 2 skills
      quarry-works/big-collection//community/changelog-writer@[ID]
      quarry-works/big-collection//plugins/release-kit/skills/changelog-writer@[ID]

    hint: give one of these instead of the name
    "#);
    let line = several.stderr.lines().map(str::trim).find(|line| line.contains("//plugins/release-kit"));
    let mounted = mount(&online, &[line.unwrap()]);
    let folder = "plugins/release-kit/skills/changelog-writer";
    assert_mounted(&online, &mounted, &repository, &repository.head(), folder);
}

#[test]
fn many_programs_mount_one_skill_at_once() {
    let (online, repository) = collection();
    let reference = format!("{COLLECTION}//skills/asset-pack");
    std::thread::scope(|scope| {
        let running: Vec<_> =
            (0..6).map(|_| scope.spawn(|| online.run(["mount", "--yes", "--json", &reference]))).collect();
        for ended in running {
            let ran = ended.join().unwrap();
            let document = ran.json();
            assert_mounted(
                &online,
                &document["mounts"][0],
                &repository,
                &repository.head(),
                "skills/asset-pack",
            );
        }
    });
    assert_nothing_staged(&online, "six at once");
    let listed = online.run(["cache", "list", "--json"]).json();
    assert_eq!(listed["skills"].as_array().map(Vec::len), Some(1), "{listed}");
}

#[test]
fn many_programs_replace_one_another_s_version() {
    let (repository, _) = versions();
    let online = Online::new(vec![repository.clone()], Vec::new());
    let tags = ["v1", "v2", "main"];
    std::thread::scope(|scope| {
        let run = |tag: &str| {
            let reference = format!("quarry-works/versions//skills/tide@{tag}");
            online.run(["mount", "--yes", "--json", &reference])
        };
        let running: Vec<_> = tags.iter().cycle().take(6).map(|tag| scope.spawn(move || run(tag))).collect();
        for ended in running {
            let ran = ended.join().unwrap();
            assert_eq!(ran.code, 0, "{ran:?}");
        }
    });
    // Whoever was last has the folder, and it is whole.
    let last = mount(&online, &["quarry-works/versions//skills/tide"]);
    assert_mounted(&online, &last, &repository, &repository.head(), "skills/tide");
    assert_nothing_staged(&online, "three versions at once");
}
