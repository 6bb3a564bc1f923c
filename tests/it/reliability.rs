//! What the program promises about crashes, kills, errors of the system, full disks and other users, tried on
//! the built program. Each test has a short form, which runs with all others, and where it says more a long
//! form: `cargo test --test it reliability -- --ignored --nocapture` prints the figures of docs/reliability.md.
//! What the machine has no means for is said to be skipped, never passed over.

mod crash;
mod disk;
mod environment;
#[cfg(target_os = "linux")]
mod inherited;
mod races;
mod replay;
mod signals;
mod syscalls;
mod trace;

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    online::Online,
    servers::{collection::skill_text, repository::Repository},
};

const REPOSITORY: &str = "tide-works/field-skills";
/// A skill of five files in three folders.
const TIDE: &str = "tide-works/field-skills//skills/tide-report";
const GUST: &str = "tide-works/field-skills//skills/gust-log";

fn field_skills() -> Repository {
    let repository = Repository::new(REPOSITORY);
    repository
        .file("skills/tide-report/SKILL.md", skill_text("tide-report", "Reports tides. Use for tides."))
        .file("skills/tide-report/references/units.md", "metres\r\nfeet\r\n")
        .file("skills/tide-report/assets/chart.bin", (0..=255).collect::<Vec<u8>>())
        .file("skills/tide-report/assets/empty", "")
        .executable("skills/tide-report/scripts/round.py", "print(1)\n")
        .file("skills/gust-log/SKILL.md", skill_text("gust-log", "Logs gusts. Use for gusts."));
    repository.commit("first");
    repository
}

/// A home without anything, and the hosts that have [`TIDE`] and [`GUST`].
fn online() -> Online {
    Online::new(vec![field_skills()], Vec::new())
}

/// The same program with another home.
fn in_home(online: &Online, home: &Path) -> Command {
    let mut command = online.command();
    command.env("HOME", home).env("SKILLFLUX_HOME", home.join("skillflux"));
    command
}

/// Where the program keeps what it stores.
fn layout(home: &Path) -> PathBuf {
    home.join("skillflux/cache/v1")
}

/// Runs and expects exit code 0; the document that it printed.
#[track_caller]
fn json(command: &mut Command) -> Value {
    let output = command.arg("--json").output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The digest of what `mount` says that it mounted.
#[track_caller]
fn mount(online: &Online, home: &Path, skill: &str) -> String {
    let document = json(in_home(online, home).args(["mount", "--yes", skill]));
    document["mounts"][0]["digest"].as_str().unwrap().to_owned()
}

/// The names in a folder, none when there is no such folder.
fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Whether a program can be started at all; says so when it cannot.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: {program} is not installed");
    }
    found
}

/// Whether this is the root user, who alone may mount file systems and become others.
fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    let is_root = output.stdout == b"0\n";
    if !is_root {
        println!("skipped: only root can do this");
    }
    is_root
}

/// A folder for what is written and looked at once, in memory where there is such a place.
fn scratch() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { TempDir::new_in(memory).unwrap() } else { TempDir::new().unwrap() }
}

/// Copies a folder with everything in it.
fn copy_tree(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(status.success());
}

/// Removes a folder in which some folders are read-only.
fn remove_tree(folder: &Path) {
    let chmod = Command::new("chmod").args(["-R", "u+w"]).arg(folder).status().unwrap();
    assert!(chmod.success());
    std::fs::remove_dir_all(folder).unwrap();
}
