//! A host that lies about bytes, sizes and trees: each lie has a code of its own and ends before anything is
//! published, and a list that was cut is walked instead of believed.

use serde_json::{Value, json};

use crate::{
    online::Online,
    proof::{assert_mounted, assert_nothing_kept, steady, surroundings},
    servers::{
        collection::skill_text,
        github::{AddedEntry, GithubServer, Options},
        repository::Repository,
    },
};

const SKILL: &str = "quarry-works/tides//skills/tide";

fn tides() -> Repository {
    let repository = Repository::new("quarry-works/tides");
    repository
        .file("README.md", "# Tides\n")
        .file("skills/tide/SKILL.md", skill_text("tide", "Tells high from low water."))
        .file("skills/tide/references/one.md", "one\n")
        .file("skills/tide/references/two.md", "two\n")
        .executable("skills/tide/scripts/run.sh", "#!/bin/sh\necho tide\n")
        .file("skills/other/SKILL.md", skill_text("other", "Another."));
    repository.commit("tides");
    repository
}

fn blob(repository: &Repository, path: &str) -> String {
    repository.entry(&repository.head(), path).unwrap().sha
}

fn added(path: &str) -> AddedEntry {
    AddedEntry {
        path: path.to_owned(),
        mode: "100644".to_owned(),
        kind: "blob".to_owned(),
        sha: "ce013625030ba8dba906f756967f9e9ca394464a".to_owned(),
        size: Some(6),
    }
}

/// How a lie is set up.
type Told = Box<dyn Fn(&GithubServer, &Repository)>;

/// A lie, with the exit code, the code and the texts that it must lead to.
struct Lie {
    told: Told,
    expected: (i32, &'static str, &'static str),
}

fn lie(
    expected: (i32, &'static str, &'static str),
    told: impl Fn(&GithubServer, &Repository) + 'static,
) -> Lie {
    Lie { told: Box::new(told), expected }
}

fn field(
    expected: (i32, &'static str, &'static str),
    path: &'static str,
    name: &'static str,
    value: Value,
) -> Lie {
    lie(expected, move |server, _| server.set_tree_field(path, name, value.clone()))
}

/// Asserts that a mount fails as told and leaves nothing behind.
fn assert_noticed(lies: &[Lie]) {
    for Lie { told, expected: (exit, code, text) } in lies {
        let repository = tides();
        let online = Online::new(vec![repository.clone()], Vec::new());
        told(&online.github, &repository);
        let before = surroundings(&online);
        let ran = online.run(["mount", "--yes", "--json", SKILL]);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((ran.code, document["code"].as_str()), (*exit, Some(*code)), "{text}: {ran:?}");
        let told = steady(&ran.stderr);
        assert!(told.contains(text), "{text}: {told}");
        assert!(document["hint"].is_string(), "{document}");
        assert_nothing_kept(&online, text);
        assert_eq!(surroundings(&online), before);
    }
}

#[test]
fn bytes_are_those_of_their_ids() {
    const ONE: &str = "skills/tide/references/one.md";
    const TWO: &str = "skills/tide/references/two.md";
    assert_noticed(&[
        lie((4, "blob_wrong_bytes", "`references/one.md` has not the bytes of `[ID]`"), |server, tides| {
            server.tamper_blob(&blob(tides, ONE), "0ne\n");
        }),
        lie((4, "blob_wrong_bytes", "`SKILL.md` has not the bytes"), |server, tides| {
            let forged = skill_text("tide", "Tells high from low wafer.");
            server.tamper_blob(&blob(tides, "skills/tide/SKILL.md"), forged);
        }),
        lie((4, "blob_wrong_size", "`references/one.md` has 3 bytes instead of 4"), |server, tides| {
            server.tamper_blob(&blob(tides, ONE), "one");
        }),
        lie((4, "blob_wrong_size", "`references/one.md` has 5 bytes instead of 4"), |server, tides| {
            server.tamper_blob(&blob(tides, ONE), "one\n\n");
        }),
        lie((4, "blob_wrong_size", "`references/one.md` has 0 bytes instead of 4"), |server, tides| {
            server.tamper_blob(&blob(tides, ONE), "");
        }),
        lie((4, "blob_wrong_bytes", "has not the bytes of"), |server, tides| {
            server.swap_blobs(&blob(tides, ONE), &blob(tides, TWO));
        }),
        lie((4, "blob_wrong_size", " bytes instead of "), |server, tides| {
            server.swap_blobs(&blob(tides, ONE), &blob(tides, "skills/tide/scripts/run.sh"));
        }),
        lie((4, "blob_wrong_size", "`references/one.md` has 4 bytes instead of 3"), |server, _| {
            server.tamper_blob_size(ONE, 3);
        }),
        lie((4, "blob_wrong_size", "`references/one.md` has 4 bytes instead of 5"), |server, _| {
            server.tamper_blob_size(ONE, 5);
        }),
        lie((5, "skill_too_large", "the skill has more than 10485760 bytes"), |server, _| {
            server.tamper_blob_size(ONE, i64::MAX);
        }),
        lie((4, "tree_entry_size", "`skills/tide/references/one.md` has no valid size"), |server, _| {
            server.tamper_blob_size(ONE, -1);
        }),
    ]);
}

#[test]
fn trees_are_those_of_their_ids() {
    const FILE: &str = "skills/tide/references/one.md";
    let wrong = |text| (4, "tree_wrong_id", text);
    let here = "the entries of `skills/tide/references` do not give its id `[ID]`";
    assert_noticed(&[
        lie(wrong(here), |server, _| server.drop_tree_entry(FILE)),
        lie(wrong("the entries of `` do not give"), |server, _| server.drop_tree_entry("README.md")),
        lie(wrong(here), |server, _| server.add_tree_entry(added("skills/tide/references/more.md"))),
        lie(wrong("the entries of `skills/other`"), |server, _| {
            server.add_tree_entry(added("skills/other/b"));
        }),
        lie((4, "path_not_relative", "`skills/tide/../../x` cannot be a path"), |server, _| {
            server.add_tree_entry(added("skills/tide/../../x"));
        }),
        lie((4, "tree_orphan", "`nowhere/file` lies in a folder that is not listed"), |server, _| {
            server.add_tree_entry(added("nowhere/file"));
        }),
        lie((4, "tree_clash", "`README.md/file` lies below something that is no folder"), |server, _| {
            server.add_tree_entry(added("README.md/file"));
        }),
        lie((4, "tree_duplicate", "is listed twice"), |server, _| server.add_tree_entry(added(FILE))),
        field(wrong(here), FILE, "mode", json!("100755")),
        field(wrong(here), FILE, "sha", json!("ce013625030ba8dba906f756967f9e9ca394464a")),
        field(wrong(here), FILE, "path", json!("skills/tide/references/0ne.md")),
        field((4, "tree_entry_id", "has no valid object id"), FILE, "sha", json!("0".repeat(40))),
        field((4, "tree_entry_id", "has no valid object id"), FILE, "sha", json!("CE0136".repeat(7))),
        field((4, "tree_mode", "has the unknown mode `100777`"), FILE, "mode", json!("100777")),
        field(
            (4, "tree_type", "a mode and a type that contradict each other"),
            FILE,
            "type",
            json!("commit"),
        ),
        field((4, "tree_entry_size", "has no valid size"), FILE, "size", json!(null)),
    ]);
}

#[test]
fn another_tree_or_commit_than_the_one_asked_for_is_noticed() {
    let repository = tides();
    let (tree, head) = (repository.tree_of(&repository.head()), repository.head());
    let sha = "ce013625030ba8dba906f756967f9e9ca394464a";
    for (path, body, code) in [
        (format!("git/trees/{tree}"), json!({ "sha": sha, "tree": [], "truncated": false }), "tree_other"),
        (
            format!("git/trees/{tree}"),
            json!({ "sha": tree, "tree": [], "truncated": false }),
            "tree_wrong_id",
        ),
        (
            format!("commits/{head}"),
            json!({ "sha": sha, "commit": { "tree": { "sha": tree } } }),
            "wrong_object",
        ),
        (
            "commits/HEAD".to_owned(),
            json!({ "sha": "x", "commit": { "tree": { "sha": tree } } }),
            "wrong_object",
        ),
    ] {
        let online = Online::new(vec![repository.clone()], Vec::new());
        let canned = crate::servers::github::Canned::json(200, &body);
        online.github.override_path("GET", &format!("/repos/quarry-works/tides/{path}"), canned);
        let reference = if path.ends_with(&head) { format!("{SKILL}@{head}") } else { SKILL.to_owned() };
        let ran = online.run(["mount", "--yes", "--json", &reference]);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((ran.code, document["code"].as_str()), (4, Some(code)), "{path}: {ran:?}");
        assert_nothing_kept(&online, &path);
    }
}

#[test]
fn a_list_that_was_cut_is_walked() {
    let repository = tides();
    for number in 0..30 {
        repository.file(&format!("docs/{number}/SKILL.md"), "x");
    }
    repository.commit("more");
    let cut = |reference: &str| {
        let options = Options { truncate_over: 12, ..Options::default() };
        let online = Online::with(vec![repository.clone()], Vec::new(), options);
        let ran = online.run(["mount", "--yes", "--json", reference]);
        (online, ran)
    };
    let (online, ran) = cut(SKILL);
    assert_mounted(&online, &ran.json()["mounts"][0], &repository, &repository.head(), "skills/tide");
    for (reference, exit, code) in [
        ("quarry-works/tides//docs", 5, "tree_too_large"),
        ("quarry-works/tides//", 5, "tree_too_large"),
        ("quarry-works/tides@tide", 2, "tree_truncated"),
        ("quarry-works/tides//skills/none", 1, "skill_not_found"),
    ] {
        let (online, ran) = cut(reference);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((ran.code, document["code"].as_str()), (exit, Some(code)), "{reference}: {ran:?}");
        assert_nothing_kept(&online, reference);
    }
    // Git needs no list of everything.
    let arguments = ["mount", "--yes", "--json", "--transport", "git", "quarry-works/tides//skills/tide"];
    let document = online.run(arguments).json();
    assert_mounted(&online, &document["mounts"][0], &repository, &repository.head(), "skills/tide");
    // What a walk finds is verified as well.
    let options = Options { truncate_over: 12, ..Options::default() };
    let online = Online::with(vec![repository.clone()], Vec::new(), options);
    online.github.drop_tree_entry("references/one.md");
    let ran = online.run(["mount", "--yes", SKILL]);
    assert_eq!(ran.code, 4, "{ran:?}");
    assert!(ran.stderr.contains("the entries of `references` do not give its id"), "{ran:?}");
    assert_nothing_kept(&online, "walked");
}
