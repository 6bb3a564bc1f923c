//! What a pin finds, what it costs, and what it refuses.

use skillflux::fetch::{
    error::FetchError,
    pin::{Pinned, Rules, Wanted, pin},
};

use super::{
    NAME, allowing, api, api_with, api_with_token, at, commit, deadline, found, linked, named, on, pinned,
    run, serve, small,
};
use crate::servers::{
    collection::{big_collection, skill_text},
    github::{AddedEntry, GithubServer, Options},
    repository::{HostileEntry, Repository},
};

fn paths(pinned: &Pinned) -> Vec<&str> {
    pinned.files.iter().map(|file| file.path.as_str()).collect()
}

#[test]
fn a_pin_says_which_bytes_they_are() {
    let repository = small();
    let server = serve(&repository);
    let pinned = pinned(&api(&server), &at("skills/tide-report")).unwrap();
    let facts = repository.facts();
    assert_eq!(pinned.host, "github.com");
    assert_eq!(pinned.repository.to_string(), NAME);
    assert_eq!((pinned.repository_id, pinned.owner_id), (Some(facts.id), Some(facts.owner_id)));
    assert_eq!((pinned.renamed_from.as_ref(), pinned.archived), (None, false));
    assert_eq!(pinned.commit.as_str(), repository.head());
    assert_eq!(pinned.root_tree.as_str(), repository.tree_of(&repository.head()));
    assert_eq!(pinned.tree.as_str(), repository.entry(&repository.head(), "skills/tide-report").unwrap().sha);
    let expected =
        ["SKILL.md", "assets/chart.bin", "assets/empty", "references/units.md", "scripts/round.py"];
    assert_eq!(paths(&pinned), expected);
    for file in &pinned.files {
        let entry =
            repository.entry(&repository.head(), &format!("skills/tide-report/{}", file.path)).unwrap();
        assert_eq!(file.blob.as_str(), entry.sha);
        assert_eq!(file.size, Some(repository.object(&entry.sha).unwrap().bytes.len() as u64));
        assert_eq!(file.executable, file.path.as_str() == "scripts/round.py");
    }
}

#[test]
fn a_pin_takes_two_rounds_and_few_requests() {
    let repository = small();
    repository.branch("feature/x").branch("main");
    for (wanted, rounds, requests) in [
        (at("skills/tide-report"), 2, 3),
        (on("main", at("skills/tide-report")), 2, 4),
        (on("heads/main", at("skills/tide-report")), 2, 3),
        (on(&repository.head(), at("skills/tide-report")), 2, 4),
        (Wanted { commit: Some(commit(&repository.head())), ..at("skills/tide-report") }, 2, 3),
        (linked("main/skills/tide-report"), 2, 5),
        (linked("feature/x/skills/tide-report"), 3, 6),
    ] {
        let delay = std::time::Duration::from_millis(100);
        let options = Options { delay, ..Options::default() };
        let server = GithubServer::start(vec![repository.clone()], options);
        assert_eq!(found(&api(&server), &wanted).as_deref(), Ok("skills/tide-report"), "{wanted:?}");
        assert_eq!(server.requests().len(), requests, "{wanted:?}");
        // One that is late may still be under way when the next round begins.
        assert!(server.rounds() <= rounds, "{} rounds for {wanted:?}", server.rounds());
    }
}

#[test]
fn places_by_path_name_and_header() {
    let repository = small();
    let server = serve(&repository);
    let api = api(&server);
    for (wanted, expected) in [
        (at("skills/tide-report/"), Ok("skills/tide-report")),
        (at("skills/tide-report/SKILL.md"), Ok("skills/tide-report")),
        (at(""), Err("skill_not_found")),
        (at("skills"), Err("skill_not_found")),
        (named("tide-report"), Ok("skills/tide-report")),
        (named("Tide Report"), Ok("skills/tide-report")),
        (named("wind-log"), Ok("skills/gust-log")),
        (named("Wind Log"), Ok("skills/gust-log")),
        (named("gust-log"), Ok("skills/gust-log")),
        (named("nothing"), Err("skill_not_found")),
    ] {
        assert_eq!(found(&api, &wanted).as_deref().map_err(|code| *code), expected, "{wanted:?}");
    }
}

#[test]
fn a_large_collection_has_twins_and_oddities() {
    let repository = big_collection();
    let server = serve(&repository);
    let api = api_with_token(&server);
    let in_it = |wanted: Wanted| Wanted {
        repository: skillflux::skill::id::RepoSlug::parse("quarry-works/big-collection").unwrap(),
        ..wanted
    };
    for (wanted, expected) in [
        (at(""), Err("tree_symlink")),
        (named("big-collection"), Err("tree_symlink")),
        (named("inner-box"), Ok("skills/outer-box/inner-box")),
        (at("skills/linked-notes"), Err("tree_symlink")),
        (at("skills/vendored-parser"), Err("tree_submodule")),
        (at("skills/lower-case"), Err("skill_file_case")),
        (at("skills/asset-pack"), Ok("skills/asset-pack")),
        (named("report-composer"), Err("skill_not_found")),
        (named("changelog-writer"), Err("skill_ambiguous")),
    ] {
        let found = found(&api, &in_it(wanted.clone()));
        assert_eq!(found.as_deref().map_err(|code| *code), expected, "{wanted:?}");
    }
    let outer = pinned(&api, &in_it(at("skills/outer-box"))).unwrap();
    assert_eq!(paths(&outer), ["SKILL.md", "inner-box/SKILL.md"]);
    let rules = allowing(&["tree_symlink"]);
    let linked = run(pin(&api, &in_it(at("skills/linked-notes")), &rules, deadline())).unwrap();
    assert_eq!(paths(&linked), ["SKILL.md"]);
    assert_eq!((linked.omitted[0].path.as_str(), linked.omitted[0].code), ("notes.md", "tree_symlink"));
    match pinned(&api, &in_it(named("changelog-writer"))).unwrap_err() {
        FetchError::Ambiguous { places, .. } => {
            let folders = ["community", "plugins/release-kit/skills"];
            let expected =
                folders.map(|folder| format!("quarry-works/big-collection//{folder}/changelog-writer"));
            assert_eq!(places, expected);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn references_mean_what_they_say() {
    let repository = small();
    let first = repository.head();
    repository.tag("v1");
    repository.branch("both").file("skills/new/SKILL.md", skill_text("new", "Is new.")).commit("second");
    let second = repository.head();
    repository.tag("both");
    repository.branch("feature/x").branch("main");
    let server = serve(&repository);
    let api = api_with_token(&server);
    let at_commit = |wanted: &Wanted| {
        let pinned = pinned(&api, wanted).map_err(|error| error.code())?;
        Ok((pinned.commit.as_str().to_owned(), pinned.path))
    };
    for (wanted, expected) in [
        (on("main", at("skills/tide-report")), Ok((&first, "skills/tide-report"))),
        (on("v1", at("skills/tide-report")), Ok((&first, "skills/tide-report"))),
        (on("refs/tags/v1", at("skills/tide-report")), Ok((&first, "skills/tide-report"))),
        (on("feature/x", at("skills/new")), Ok((&second, "skills/new"))),
        (on("heads/feature/x", at("skills/new")), Ok((&second, "skills/new"))),
        (on("both", at("skills/new")), Err("ref_ambiguous")),
        (on("heads/both", at("skills/new")), Ok((&second, "skills/new"))),
        (on("tags/both", at("skills/new")), Ok((&second, "skills/new"))),
        (on("heads/v1", at("skills/new")), Err("ref_not_found")),
        (on("v2", at("skills/new")), Err("ref_not_found")),
        (on(&first[..12], at("skills/new")), Err("ref_not_found")),
        (on(&"1".repeat(40), at("skills/new")), Err("ref_not_found")),
        (on("main..x", at("skills/new")), Err("ref_invalid")),
        (linked("main/skills/tide-report"), Ok((&first, "skills/tide-report"))),
        (linked("feature/x/skills/new/SKILL.md"), Ok((&second, "skills/new"))),
        (linked("feature%2Fx/skills/new"), Ok((&second, "skills/new"))),
        (linked("v1/skills/tide-report"), Ok((&first, "skills/tide-report"))),
        (linked("both/skills/new"), Err("ref_ambiguous")),
        (linked("none/skills/new"), Err("ref_not_found")),
        (linked(&format!("{first}/skills/tide-report")), Ok((&first, "skills/tide-report"))),
    ] {
        let expected = expected.map(|(commit, path)| (commit.clone(), path.to_owned()));
        assert_eq!(at_commit(&wanted), expected, "{wanted:?}");
    }
}

#[test]
fn a_commit_that_is_typed_must_lie_in_the_repository() {
    let repository = small();
    let first = repository.head();
    let impostor =
        repository.file("skills/x/SKILL.md", skill_text("x", "Is from a fork.")).detached_commit("x");
    repository.file("README.md", "later\n").commit("second");
    repository.branch("side").file("README.md", "aside\n").commit("aside");
    let side = repository.head();
    repository.branch("main");
    let server = serve(&repository);
    let api = api(&server);
    let ask =
        |sha: &str| pinned(&api, &on(sha, at("skills/gust-log"))).map(drop).map_err(|error| error.code());
    assert_eq!(ask(&first), Ok(()));
    assert_eq!(ask(&repository.head()), Ok(()));
    assert_eq!(ask(&side), Ok(()));
    assert_eq!(ask(&impostor), Err("commit_not_on_default_branch"));
    let linked = linked(&format!("{impostor}/skills/gust-log"));
    assert_eq!(found(&api, &linked), Err("commit_not_on_default_branch"));
    let rules = Rules { allow_unreachable: true, ..Rules::default() };
    assert!(run(pin(&api, &on(&impostor, at("skills/x")), &rules, deadline())).is_ok());
}

#[test]
fn another_repository_under_the_name_is_noticed() {
    let repository = small();
    let server = serve(&repository);
    let facts = repository.facts();
    let seen = Wanted {
        repository_id: Some(facts.id),
        owner_id: Some(facts.owner_id),
        commit: Some(commit(&repository.head())),
        ..at("skills/gust-log")
    };
    assert!(found(&api(&server), &seen).is_ok());
    let other = Wanted { repository_id: Some(facts.id + 1), ..seen.clone() };
    assert_eq!(found(&api(&server), &other), Err("source_identity_changed"));
    let other = Wanted { owner_id: Some(facts.owner_id + 1), ..seen.clone() };
    assert_eq!(found(&api(&server), &other), Err("source_identity_changed"));
    server.rename(NAME, "tide-works/coast-skills");
    let pinned = pinned(&api(&server), &seen).unwrap();
    assert_eq!(pinned.repository.to_string(), "tide-works/coast-skills");
    assert_eq!(pinned.renamed_from.unwrap().to_string(), NAME);
}

#[test]
fn states_of_a_repository_have_a_name() {
    let repository = small();
    let wanted = at("skills/gust-log");
    let with = |change: &dyn Fn(&GithubServer)| {
        let server = serve(&repository);
        change(&server);
        found(&api(&server), &wanted)
    };
    assert_eq!(with(&|server| server.block(NAME, "dmca")), Err("source_blocked"));
    assert_eq!(with(&|server| server.make_empty(NAME)), Err("repository_empty"));
    repository.set(|facts| facts.archived = true);
    assert!(pinned(&api(&serve(&repository)), &wanted).unwrap().archived);
    repository.set(|facts| facts.disabled = true);
    assert_eq!(with(&|_| {}), Err("repository_disabled"));
    repository.set(|facts| facts.private = true);
    assert_eq!(with(&|_| {}), Err("repository_not_found"));
    assert_eq!(with(&|server| server.set_remaining(0)), Err("rate_limit_primary"));
}

#[test]
fn a_cut_list_is_walked_and_never_believed() {
    let repository = small();
    for index in 0..20 {
        repository.file(&format!("docs/{index}.md"), "x");
    }
    repository.commit("many");
    let options = Options { truncate_over: 12, ..Options::default() };
    let server = GithubServer::start(vec![repository.clone()], options);
    let api = api(&server);
    let walked = pinned(&api, &at("skills/tide-report")).unwrap();
    let whole = pinned(&super::api(&serve(&repository)), &at("skills/tide-report")).unwrap();
    assert_eq!(walked, whole);
    assert_eq!(found(&api, &at("skills/none")), Err("skill_not_found"));
    assert_eq!(found(&api, &at("skills")), Err("skill_not_found"));
    assert_eq!(found(&api, &named("tide-report")), Err("tree_truncated"));
    assert_eq!(found(&api, &at("docs")), Err("tree_too_large"));
    assert_eq!(found(&api, &at("")), Err("tree_too_large"));
}

#[test]
fn every_lie_about_a_tree_is_noticed() {
    let repository = small();
    let wanted = at("skills/gust-log");
    let with = |change: &dyn Fn(&GithubServer)| {
        let server = serve(&repository);
        change(&server);
        found(&api(&server), &wanted)
    };
    let field = |path: &str, field: &str, value: &str| {
        with(&|server| server.set_tree_field(path, field, value.into()))
    };
    let sha = "1".repeat(40);
    assert_eq!(with(&|server| server.drop_tree_entry("README.md")), Err("tree_wrong_id"));
    assert_eq!(with(&|server| server.drop_tree_entry("skills/tide-report")), Err("tree_wrong_id"));
    assert_eq!(field("README.md", "sha", &sha), Err("tree_wrong_id"));
    assert_eq!(field("README.md", "path", "READYOU.md"), Err("tree_wrong_id"));
    assert_eq!(field("README.md", "mode", "100755"), Err("tree_wrong_id"));
    assert_eq!(field("README.md", "type", "tree"), Err("tree_type"));
    assert_eq!(field("skills/gust-log", "sha", &sha), Err("tree_wrong_id"));
    assert_eq!(with(&|server| server.tamper_blob_size("README.md", -1)), Err("tree_entry_size"));
    let added = AddedEntry {
        path: "skills/gust-log/extra.md".to_owned(),
        mode: "100644".to_owned(),
        kind: "blob".to_owned(),
        sha: sha.clone(),
        size: Some(1),
    };
    assert_eq!(with(&|server| server.add_tree_entry(added.clone())), Err("tree_wrong_id"));
}

#[test]
fn hostile_trees_with_true_ids_stop_only_what_they_are_in() {
    let entry = |mode, path: &str, bytes: &[u8]| HostileEntry {
        mode,
        path: path.as_bytes().to_vec(),
        bytes: bytes.into(),
    };
    let skill = skill_text("x", "Is here.");
    for (path, expected, elsewhere) in [
        ("skills/x/CON.md", "path_device_name", Ok("skills/y")),
        ("skills/x/..\\..\\evil.md", "path_character", Ok("skills/y")),
        ("skills/x/a\u{1b}[2J", "path_character", Ok("skills/y")),
        ("skills/x/.git/hooks/post-checkout", "path_git_folder", Ok("skills/y")),
        ("skills/x/skill.MD", "path_collision", Ok("skills/y")),
        ("skills/x/../up.md", "path_not_relative", Err("path_not_relative")),
        ("skills/x/./dot.md", "path_not_relative", Err("path_not_relative")),
    ] {
        let repository = Repository::new(NAME);
        repository.hostile_tree(&[
            entry("100644", "skills/x/SKILL.md", skill.as_bytes()),
            entry("100644", "skills/y/SKILL.md", skill.as_bytes()),
            entry("100644", path, b"0123456789"),
        ]);
        let server = serve(&repository);
        let api = api(&server);
        assert_eq!(found(&api, &at("skills/x")), Err(expected), "{path:?}");
        let other = found(&api, &at("skills/y"));
        assert_eq!(other.as_deref().map_err(|code| *code), elsewhere, "{path:?}");
    }
}

#[test]
fn a_wrong_list_that_was_kept_is_asked_for_again() {
    let repository = small();
    let server = serve(&repository);
    let cache = tempfile::TempDir::new().unwrap();
    let api = api_with(&server.url(), |settings, _| settings.cache_folder = Some(cache.path().to_owned()));
    let wanted = at("skills/gust-log");
    assert!(found(&api, &wanted).is_ok());
    let asked = server.requests().len();
    assert!(found(&api, &wanted).is_ok());
    assert_eq!(server.requests().len(), asked + 2, "the tree is kept");
    let tree = format!("/repos/{NAME}/git/trees/");
    assert!(server.requests()[..asked].iter().any(|seen| seen.path_and_query.starts_with(&tree)));

    let honest = serve(&repository);
    let cache = tempfile::TempDir::new().unwrap();
    let api = api_with(&honest.url(), |settings, _| settings.cache_folder = Some(cache.path().to_owned()));
    let root = repository.tree_of(&repository.head());
    let body = serde_json::json!({ "sha": root, "tree": [], "truncated": false });
    honest.override_path("GET", &tree, crate::servers::github::Canned::json(200, &body));
    assert_eq!(found(&api, &wanted), Err("tree_wrong_id"));
    honest.clear_overrides();
    assert!(found(&api, &wanted).is_ok());
}
