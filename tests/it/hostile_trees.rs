//! Trees with true ids that must not end up on a disk, each alone in the folder of a skill, by both ways in
//! which files are fetched: every one has a code and a hint of its own, and nothing is written.

use std::path::Path;

use serde_json::Value;

use crate::{
    context::{TestContext, write},
    online::Online,
    proof::{assert_mounted, assert_nothing_kept, in_git, surroundings},
    servers::{
        collection::skill_text,
        hostile::worst_entries,
        repository::{HostileEntry, Repository},
    },
};

const SKILL: &str = "quarry-works/hostile//skills/x";
const RENAME: &str = "nothing was written; ask the skill's author to rename the file";
const OWNER: &str = "nothing was stored; try again, and tell the repository's owner if it happens again";
const OBJECT: &str = "nothing was stored; tell the repository's owner what git finds wrong with it";
const LINK: &str = "to mount without such files, add: --allow tree_symlink";
const MODULE: &str = "to mount without such files, add: --allow tree_submodule";
const CONNECTION: &str = "check the connection, and try again; --offline uses what is stored";

/// What is expected of an entry: its path, then over the API and over git the exit code, the code and the hint.
type Row = (&'static str, (i32, &'static str, &'static str), (i32, &'static str, &'static str));

/// The entries of [`worst_entries`] in their order; those that need a second one for their fault stand for
/// the pair. Where a server's own git dies of a tree, the way of git ends as any broken answer does.
const ROWS: &[Row] = &[
    ("skills/x/../../.profile", (4, "path_not_relative", OWNER), (4, "path_not_relative", OBJECT)),
    ("/etc/cron.d/job", (4, "path_not_relative", OWNER), (3, "git_failed", CONNECTION)),
    ("skills/x/..\\..\\up.md", (5, "path_character", RENAME), (5, "path_character", RENAME)),
    ("skills/x/C:up.md", (5, "path_reserved", RENAME), (5, "path_reserved", RENAME)),
    ("skills/x/SKILL.md:stream", (5, "path_reserved", RENAME), (5, "path_reserved", RENAME)),
    ("skills/x/CON.txt", (5, "path_device_name", RENAME), (5, "path_device_name", RENAME)),
    ("skills/x/nul", (5, "path_device_name", RENAME), (5, "path_device_name", RENAME)),
    ("skills/x/LPT\u{b2}.md", (5, "path_device_name", RENAME), (5, "path_device_name", RENAME)),
    ("skills/x/dot.", (5, "path_reserved", RENAME), (5, "path_reserved", RENAME)),
    ("skills/x/space ", (5, "path_reserved", RENAME), (5, "path_reserved", RENAME)),
    ("skills/x/.git/hooks/post-merge", (5, "path_git_folder", RENAME), (5, "path_git_folder", OBJECT)),
    ("skills/x/GIT~1/config", (5, "path_git_folder", RENAME), (5, "path_git_folder", OBJECT)),
    ("skills/x/.gi\u{200d}t/config", (5, "path_git_folder", RENAME), (5, "path_git_folder", OBJECT)),
    ("skills/x/NOTES.md", (5, "path_collision", RENAME), (5, "path_collision", RENAME)),
    ("skills/x/r\u{e9}sum\u{e9}.md", (5, "path_collision", RENAME), (5, "path_collision", RENAME)),
    ("skills/x/gr\u{f6}\u{df}e.md", (5, "path_collision", RENAME), (5, "path_collision", RENAME)),
    ("skills/x/a\x1b[31mb.md", (5, "path_character", RENAME), (5, "path_character", RENAME)),
    ("skills/x/a\nb.md", (5, "path_character", RENAME), (5, "path_character", RENAME)),
    ("skills/x/\u{202e}fdp.exe", (5, "path_character", RENAME), (5, "path_character", RENAME)),
    ("skills/x/not-utf8-\u{fffd}.md", (5, "path_encoding", RENAME), (5, "path_encoding", RENAME)),
    ("skills/x//empty.md", (4, "path_not_relative", OWNER), (3, "git_failed", CONNECTION)),
    ("skills/x/./here.md", (4, "path_not_relative", OWNER), (4, "path_not_relative", OBJECT)),
    ("", (4, "path_not_relative", OWNER), (3, "git_failed", CONNECTION)),
    ("skills/x/both", (4, "tree_duplicate", OWNER), (4, "tree_duplicate", OBJECT)),
    ("skills/x/twin.md", (4, "tree_duplicate", OWNER), (4, "tree_duplicate", OBJECT)),
    ("skills/x/group-writable.md", (4, "tree_mode", OWNER), (4, "tree_wrong_id", OWNER)),
    ("skills/x/all-writable.md", (4, "tree_mode", OWNER), (4, "tree_wrong_id", OWNER)),
    ("skills/x/link", (5, "tree_symlink", LINK), (5, "tree_symlink", LINK)),
    ("skills/x/module", (5, "tree_submodule", MODULE), (5, "tree_submodule", MODULE)),
    ("skills/x/-rf", (0, "", ""), (0, "", "")),
    ("skills/x/~", (5, "path_reserved", RENAME), (5, "path_reserved", RENAME)),
    ("skills/x/$HOME.md", (0, "", ""), (0, "", "")),
    ("skills/x/LONG", (5, "path_too_long", RENAME), (5, "path_too_long", RENAME)),
    ("skills/x/DEEP", (5, "path_too_deep", RENAME), (5, "path_too_deep", RENAME)),
];

/// [`worst_entries`] without the two good ones, each with what it needs for its fault.
fn entries() -> Vec<Vec<HostileEntry>> {
    let seconds = ["notes.md", "re\u{301}sume\u{301}.md", "GR\u{d6}SSE.md", "both/inside.md"];
    let mut rows: Vec<Vec<HostileEntry>> = Vec::new();
    for entry in worst_entries().into_iter().skip(2) {
        let path = String::from_utf8_lossy(&entry.path).into_owned();
        let is_second = seconds.iter().any(|second| path == format!("skills/x/{second}"))
            || rows.last().is_some_and(|row| row[0].path == entry.path);
        match rows.last_mut().filter(|_| is_second) {
            Some(row) => row.push(entry),
            None => rows.push(vec![entry]),
        }
    }
    rows
}

fn hostile(row: &[HostileEntry]) -> Repository {
    let repository = Repository::new("quarry-works/hostile");
    let skill = HostileEntry {
        mode: "100644",
        path: b"skills/x/SKILL.md".to_vec(),
        bytes: skill_text("x", "Looks harmless.").into_bytes(),
    };
    repository.hostile_tree(&[vec![skill], row.to_vec()].concat());
    repository
}

/// Plays one row over both ways.
fn play(row: &[HostileEntry], path: &str, expected: [(i32, &str, &str); 2]) {
    let repository = hostile(row);
    let mut online = Online::new(vec![repository.clone()], Vec::new());
    for (way, (exit, code, hint)) in ["api", "git"].into_iter().zip(expected) {
        online.context = TestContext::new();
        // What a path that climbs would hit.
        for near in ["skillflux/canary/file", ".profile", "skillflux/SKILL.md"] {
            write(&online.context.home().join(near), "untouched");
        }
        let before = surroundings(&online);
        let ran = online.run(["mount", "--yes", "--json", "--transport", way, SKILL]);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        let what = format!("{path:?} over {way}: {ran:?}");
        assert_eq!(surroundings(&online), before, "{what}");
        assert_eq!(ran.code, exit, "{what}");
        assert!(!ran.stderr.trim_end().contains(|sign: char| sign.is_control() && sign != '\n'), "{what}");
        if exit == 0 {
            assert_mounted(&online, &document["mounts"][0], &repository, &repository.head(), "skills/x");
            continue;
        }
        assert_eq!(
            (document["code"].as_str(), document["hint"].as_str()),
            (Some(code), Some(hint)),
            "{what}"
        );
        assert!(ran.stderr.ends_with(&format!("\n\nhint: {hint}\n")), "{what}");
        assert_nothing_kept(&online, &what);
        assert!(!Path::new("/etc/cron.d/job").exists());
    }
}

#[test]
fn every_row_of_the_table_is_an_entry() {
    let entries = entries();
    assert_eq!(entries.len(), ROWS.len());
    for (row, (path, ..)) in entries.iter().zip(ROWS) {
        let found = String::from_utf8_lossy(&row[0].path).into_owned();
        let is_named = found == *path
            || *path == "skills/x/LONG" && found.len() > 300
            || *path == "skills/x/DEEP" && found.starts_with("skills/x/d/d/");
        assert!(is_named, "{found:?} {path:?}");
    }
}

/// Plays every fourth row, so that the harness can play them side by side.
fn play_quarter(quarter: usize) {
    let quarter = entries().into_iter().zip(ROWS).skip(quarter).step_by(4);
    quarter.for_each(|(row, (path, api, git))| play(&row, path, [*api, *git]));
}

#[test]
fn nothing_of_a_hostile_tree_is_written_first_quarter() {
    play_quarter(0);
}

#[test]
fn nothing_of_a_hostile_tree_is_written_second_quarter() {
    play_quarter(1);
}

#[test]
fn nothing_of_a_hostile_tree_is_written_third_quarter() {
    play_quarter(2);
}

#[test]
fn nothing_of_a_hostile_tree_is_written_last_quarter() {
    play_quarter(3);
}

#[test]
fn a_hostile_neighbour_is_no_fault_of_a_skill() {
    // What lies elsewhere is not written, so only what breaks the list itself stands in the way.
    let neighbour = |path: &str, mode| HostileEntry { mode, path: path.into(), bytes: b"elsewhere".to_vec() };
    let row = [
        neighbour("skills/y/CON.txt", "100644"),
        neighbour("skills/y/link", "120000"),
        neighbour("skills/y/a\x1b[31mb.md", "100644"),
    ];
    let repository = hostile(&row);
    assert_eq!(in_git(&repository, &repository.head(), "skills").len(), 4);
    let online = Online::new(vec![repository.clone()], Vec::new());
    for way in ["api", "git"] {
        let document = online.run(["mount", "--yes", "--json", "--transport", way, SKILL]).json();
        assert_mounted(&online, &document["mounts"][0], &repository, &repository.head(), "skills/x");
    }
}
