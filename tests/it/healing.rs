//! Damaged and missing entries of the store: noticed before their bytes reach anybody, brought back from their
//! pins where the network may be used, and never replaced by anything else.

use std::{
    fs,
    io::Write as _,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
};

use insta::assert_snapshot;
use serde_json::Value;

use crate::{
    context::Ran,
    masks::masks,
    online::Online,
    proof::{assert_nothing_staged, names_below, store},
    servers::{collection::skill_text, github::Canned, repository::Repository},
};

const TIDE: &str = "quarry-works/sea//skills/tide";

fn sea() -> (Online, Repository) {
    let repository = Repository::new("quarry-works/sea");
    repository.file("skills/tide/SKILL.md", skill_text("tide", "Forecasts the tides of a harbour."));
    repository.file("skills/tide/references/moon.md", "# Moon\n");
    repository
        .file("skills/log/SKILL.md", skill_text("log", "Forecasts nothing, keeps the log of a harbour."));
    repository.symlink("skills/log/link.md", "SKILL.md");
    repository.commit("skills");
    let online = Online::new(vec![repository.clone()], Vec::new());
    (online, repository)
}

fn mounted(arguments: &[&str]) -> (Online, Repository) {
    let (online, repository) = sea();
    let ran = online.run([&["mount", "--yes"], arguments].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    (online, repository)
}

/// The folder of the only entry of the store.
fn entry(online: &Online) -> PathBuf {
    let below = |folder: PathBuf| {
        let mut entries: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(entries.len(), 1, "{entries:?}");
        entries.pop().unwrap()
    };
    below(below(store(online).join("store")))
}

/// Makes a folder and all in it writable, as somebody who damages it would.
fn open_up(folder: &Path) {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if fs::symlink_metadata(&path).unwrap().is_dir() {
            open_up(&path);
        } else {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        }
    }
}

/// Something that happens to an entry, in its folder.
type Damage = fn(&Path);

/// What can happen to an entry.
const DAMAGES: &[(&str, Damage)] = &[
    ("a changed body", |entry| {
        let file = entry.join("tree/SKILL.md");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(file, text.replace("Steps", "Other")).unwrap();
    }),
    ("another description", |entry| {
        let file = entry.join("tree/SKILL.md");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(file, text.replace("Forecasts", "Predicts forecasts of")).unwrap();
    }),
    ("another name", |entry| {
        let file = entry.join("tree/SKILL.md");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(file, text.replace("name: tide", "name: tine")).unwrap();
    }),
    ("a missing resource", |entry| fs::remove_file(entry.join("tree/references/moon.md")).unwrap()),
    ("a missing skill file", |entry| fs::remove_file(entry.join("tree/SKILL.md")).unwrap()),
    ("an added file", |entry| fs::write(entry.join("tree/more.md"), "more").unwrap()),
    ("no manifest", |entry| fs::remove_file(entry.join("manifest.json")).unwrap()),
    ("no entry", |entry| fs::remove_dir_all(entry).unwrap()),
];

fn damage(online: &Online, how: Damage) {
    let entry = entry(online);
    open_up(&entry);
    how(&entry);
}

fn requests(online: &Online) -> usize {
    online.github.requests().len()
}

#[test]
fn every_use_heals_what_is_damaged() {
    let uses: [&[&str]; 4] =
        [&["load", "tide"], &["read", "tide", "references/moon.md"], &["mount", "tide"], &["mount", TIDE]];
    for (name, how) in DAMAGES {
        let (online, repository) = mounted(&[TIDE]);
        // Another session's view would have to be made again.
        for arguments in uses {
            assert_eq!(online.run(["unmount"]).code, 0);
            let reference = format!("{TIDE}@{}", repository.head());
            let arguments: Vec<&str> =
                arguments.iter().map(|&word| if word == TIDE { reference.as_str() } else { word }).collect();
            damage(&online, *how);
            assert_eq!(online.run(["cache", "verify"]).code, 4, "{name}");
            let ran = online.run(&arguments);
            assert_eq!(ran.code, 0, "{name}, {arguments:?}: {ran:?}");
            assert!(ran.stderr.contains("fetched again"), "{name}, {arguments:?}: {ran:?}");
            assert_eq!(online.run(["cache", "verify"]).code, 0, "{name}, {arguments:?}");
            assert_nothing_staged(&online, name);
        }
        let loaded = online.run(["load", "tide", "--json"]).json();
        assert!(loaded["body"].as_str().unwrap().contains("Steps for tide"), "{name}");
    }
}

#[test]
fn nothing_is_healed_offline_and_nothing_damaged_is_handed_out() {
    for (name, how) in DAMAGES {
        let (online, _) = mounted(&[TIDE]);
        damage(&online, *how);
        let before = requests(&online);
        for arguments in [["load", "tide"].as_slice(), &["read", "tide", "SKILL.md"], &["mount", "tide"]] {
            let ran = online.run([&["--offline"], arguments].concat());
            assert!(ran.code == 4 || ran.code == 1, "{name}, {arguments:?}: {ran:?}");
            assert_eq!(ran.stdout, "", "{name}, {arguments:?}");
        }
        let shown = online.run(["show", "tide"]);
        assert_ne!(shown.code, 0, "{name}: {shown:?}");
        assert_eq!(requests(&online), before, "{name}");
    }
}

#[test]
fn what_cannot_be_healed_stays_and_is_reported() {
    let (online, repository) = mounted(&[TIDE]);
    damage(&online, DAMAGES[0].1);
    let blob = repository.entry(&repository.head(), "skills/tide/SKILL.md").unwrap().sha;
    online.github.tamper_blob(&blob, "other bytes");
    let before = fs::read(entry(&online).join("tree/SKILL.md")).unwrap();
    let ran = online.run(["load", "tide"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""), "{ran:?}");
    assert_eq!(fs::read(entry(&online).join("tree/SKILL.md")).unwrap(), before);
    assert_nothing_staged(&online, "a lie");
    let _masked = masks(&online);
    let repaired = online.run(["cache", "verify", "--repair"]);
    assert_eq!(repaired.code, 4);
    assert_snapshot!(repaired.stdout, @"
    damaged: sha256:[SHORT] (tide) SKILL.md: changed
      not repaired: `SKILL.md` has 11 bytes instead of 91
    1 problem, 1 entry, 2 files, 98 bytes read
    ");
    online.github.override_path("GET", "/repos", Canned::json(500, &serde_json::json!({})));
    let ran = online.run(["load", "tide"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{ran:?}");
}

#[test]
fn a_person_is_not_asked_again_and_policy_holds() {
    // What was left out with a person's leave is left out again.
    let (online, _) = mounted(&["--allow", "tree_symlink", "quarry-works/sea//skills/log"]);
    assert_eq!(online.run(["unmount"]).code, 0);
    damage(&online, |entry| fs::remove_file(entry.join("tree/SKILL.md")).unwrap());
    let ran = online.run(["load", "log"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(online.run(["cache", "verify"]).code, 0);
    // An owner who was blocked since is not asked for anything.
    damage(&online, |entry| fs::remove_file(entry.join("tree/SKILL.md")).unwrap());
    let before = requests(&online);
    let mut command = online.command();
    command.env("SKILLFLUX_REMOTE_BLOCKED_OWNERS", "quarry-works").args(["load", "log"]);
    assert_ne!(online.ran(&mut command).code, 0);
    let mut command = online.command();
    command.env("SKILLFLUX_REMOTE_BLOCKED_OWNERS", "quarry-works").args(["cache", "verify", "--repair"]);
    assert_eq!(online.ran(&mut command).code, 4);
    assert_eq!(requests(&online), before);
}

#[test]
fn a_catalog_shows_nothing_that_is_damaged() {
    let (online, _) = mounted(&[TIDE, "--allow", "tree_symlink", "quarry-works/sea//skills/log"]);
    let catalog = |arguments: &[&str]| {
        online.run([&["--offline", "catalog", "--json", "--max", "1"], arguments].concat())
    };
    let names = |ran: &Ran| {
        ran.json()["skills"].as_array().unwrap().iter().map(|skill| skill["name"].clone()).collect::<Vec<_>>()
    };
    let task = "forecasts the tide, keeps nothing for a harbour";
    assert_eq!(names(&catalog(&[task])), ["tide"]);
    let tide = online.run(["cache", "list", "--json"]).json();
    let tide = tide["skills"].as_array().unwrap().iter().find(|skill| skill["name"] == "tide").unwrap();
    let digest = tide["digest"].as_str().unwrap().trim_start_matches("sha256:");
    let folder = store(&online).join("store").join(&digest[..2]).join(digest);
    open_up(&folder);
    fs::write(folder.join("tree/references/moon.md"), "# Other\n").unwrap();
    let ran = catalog(&[task]);
    assert_eq!(names(&ran), ["log"], "the next one takes its place");
    assert!(ran.stderr.contains("`tide` is left out"), "{ran:?}");
    let explained: Value = online.run(["explain", "--json", "--max", "1", task]).json();
    let outcome = |name: &str| {
        let found = explained["candidates"].as_array().unwrap().iter().find(|it| it["name"] == name);
        found.unwrap()["outcome"].as_str().unwrap().to_owned()
    };
    assert_eq!((outcome("tide").as_str(), outcome("log").as_str()), ("damaged", "chosen"));
}

#[test]
fn a_repair_says_what_it_did() {
    let (online, _) = mounted(&[TIDE]);
    let _masked = masks(&online);
    damage(&online, DAMAGES[3].1);
    let before = requests(&online);
    let found = online.run(["cache", "verify"]);
    assert_eq!((found.code, requests(&online)), (4, before));
    let offline = online.run(["cache", "verify", "--repair", "--offline"]);
    assert_eq!((offline.code, requests(&online)), (4, before));
    assert_snapshot!(offline.stdout, @"
    damaged: sha256:[SHORT] (tide) references/moon.md: missing
      not repaired: `quarry-works/sea//skills/tide@[COMMIT]` is not stored, and skillflux is offline
    1 problem, 1 entry, 2 files, 98 bytes read
    ");
    let repaired = online.run(["cache", "verify", "--repair"]);
    assert_eq!(repaired.code, 0);
    assert_snapshot!(repaired.stdout, @"
    repaired: tide  quarry-works/sea//skills/tide at [SHORT]
    intact: 1 entry, 2 files, 98 bytes read
    ");
    let again = online.run(["cache", "verify", "--repair", "--json"]);
    assert!(!again.stdout.contains("repaired"), "{again:?}");
    assert_eq!(online.run(["load", "tide"]).code, 0);
}

/// A program that holds what it mounts, once it has said so.
fn hold(online: &Online, arguments: &[&str]) -> (Child, ChildStdout) {
    let mut command: Command = online.command();
    let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut first = [0];
    std::io::Read::read_exact(&mut stdout, &mut first).unwrap();
    (child, stdout)
}

fn in_use(online: &Online) -> bool {
    online.run(["cache", "list", "--json"]).json()["skills"][0]["in_use"].as_bool().unwrap()
}

#[test]
fn a_held_mount_lasts_as_long_as_its_process() {
    let (online, _) = sea();
    let (mut child, _stdout) = hold(&online, &["mount", "--yes", "--hold", TIDE]);
    assert!(in_use(&online));
    assert_eq!(online.run(["cache", "clean", "--all"]).code, 0);
    assert_eq!(online.run(["cache", "verify"]).code, 0);
    assert!(in_use(&online), "what is held stays");
    child.stdin.take().unwrap().flush().unwrap();
    assert!(child.wait().unwrap().success(), "it ends with its input");
    assert!(!in_use(&online));
    let (mut child, _stdout) = hold(&online, &["mount", "--yes", "--hold", TIDE]);
    assert!(in_use(&online));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!in_use(&online), "a killed process holds nothing");
    let (mut child, _stdout) = hold(&online, &["mount", "--yes", "--hold", TIDE]);
    // Waiting closes the input that a child still has, which ends it too.
    let _input = child.stdin.take();
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!in_use(&online));
    assert_eq!(online.run(["cache", "clean", "--all"]).code, 0);
    assert_eq!(names_below(&store(&online).join("leases")), Vec::<String>::new());
}

#[test]
fn a_command_has_its_skills_and_its_own_exit_code() {
    let (online, _) = sea();
    let exec = ["exec", "--yes", "--mount", TIDE, "--"];
    let script = "cat \"$SKILLFLUX_MOUNTS/tide/references/moon.md\"; echo \"$SKILLFLUX_SESSION\"; exit 7";
    let ran = online.run([exec.as_slice(), &["sh", "-c", script]].concat());
    assert_eq!((ran.code, ran.stdout.as_str()), (7, "# Moon\ntest\n"), "{ran:?}");
    assert!(!in_use(&online));
    // The lease belongs to the command itself, so that the end of its parents changes nothing.
    let script = "echo; read line; exit 3";
    let (mut child, _stdout) = hold(&online, &[exec.as_slice(), &["sh", "-c", script]].concat());
    assert!(in_use(&online));
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(!in_use(&online));
    let ran = online.run(["exec", "--mount", "quarry-works/sea//skills/nothing", "--", "echo", "ran"]);
    assert!(ran.code != 0 && ran.stdout.is_empty(), "{ran:?}");
    let ran = online.run(["exec", "--", "/nowhere/nothing"]);
    assert_eq!(ran.code, 74);
    assert!(ran.stderr.contains("`/nowhere/nothing` cannot be run"), "{ran:?}");
}
