//! What programs that skillflux starts get into their hands: `git` no open file of the home, least of all a
//! lock; the command of `exec` the locks of its leases, and nothing else of the home.
//!
//! A lock lasts as long as anybody has its file open. One that slipped into a long-lived child would keep
//! others waiting; one that the command of `exec` did not get would let its skills be taken away.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{GUST, TIDE, has, in_home, json, layout, names, online, remove_tree, scratch, signals::until};
use crate::online::Online;

/// A script of the shell that prints what lies behind each open file of a process, after a word.
fn list_files(word: &str, process: &str) -> String {
    format!("for fd in /proc/{process}/fd/*; do echo \"{word} $(readlink \"$fd\")\"; done")
}

/// The files below `home` that were listed after a word.
fn listed(text: &str, word: &str, home: &Path) -> Vec<PathBuf> {
    let paths = text.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
    paths.map(PathBuf::from).filter(|path| path.starts_with(home)).collect()
}

#[test]
fn git_inherits_no_file_of_the_home() {
    if !has("git") {
        return;
    }
    let online = online();
    let folder = scratch();
    let root = folder.path().canonicalize().unwrap();
    let (home, programs, log) = (root.join("home"), root.join("programs"), root.join("log"));
    fs::create_dir(&home).unwrap();
    fs::create_dir(&programs).unwrap();
    let path = std::env::var("PATH").unwrap();
    let git =
        std::env::split_paths(&path).map(|folder| folder.join("git")).find(|git| git.is_file()).unwrap();
    let script = format!(
        "#!/bin/sh\n{{ echo \"git $1\"; {}; {}; }} >> '{}'\nexec '{}' \"$@\"\n",
        list_files("git has", "$$"),
        list_files("skillflux has", "$PPID"),
        log.display(),
        git.display()
    );
    fs::write(programs.join("git"), script).unwrap();
    fs::set_permissions(programs.join("git"), PermissionsExt::from_mode(0o755)).unwrap();
    let mut mount = in_home(&online, &home);
    mount.env("PATH", format!("{}:{path}", programs.display()));
    json(mount.args(["mount", "--yes", "--transport", "git", TIDE]));
    let text = fs::read_to_string(&log).unwrap();
    // A repository is made, trees are fetched and read, another is made, blobs are fetched and read.
    assert!(text.lines().filter(|line| line.starts_with("git -c")).count() >= 6, "{text}");
    let is_lock = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "lk");
    assert!(listed(&text, "skillflux has", &home).iter().any(is_lock), "it holds a lock meanwhile: {text}");
    assert_eq!(listed(&text, "git has", &home), Vec::<PathBuf>::new(), "{text}");
    remove_tree(&layout(&home));
}

/// `exec` with both skills and this script of the shell.
fn exec(online: &Online, home: &Path, script: &str) -> Command {
    let mut command = in_home(online, home);
    command.args(["exec", "--yes", "--mount", TIDE, "--mount", GUST, "--", "sh", "-c", script]);
    command
}

#[test]
fn a_command_inherits_the_leases_of_its_skills_and_nothing_else() {
    let online = online();
    let folder = scratch();
    let home = folder.path().canonicalize().unwrap();
    let output = exec(&online, &home, &list_files("has", "$$")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut inherited: Vec<String> = Vec::new();
    for path in listed(&text, "has", &home) {
        assert_eq!(path.parent(), Some(layout(&home).join("leases").as_path()), "{text}");
        inherited.push(path.file_name().unwrap().to_str().unwrap().split('.').next().unwrap().to_owned());
    }
    inherited.sort();
    let stored = json(in_home(&online, &home).args(["cache", "list"]));
    let stored = stored["skills"].as_array().unwrap().iter();
    let mut digests: Vec<String> = stored
        .map(|skill| skill["digest"].as_str().unwrap().trim_start_matches("sha256:").to_owned())
        .collect();
    digests.sort();
    assert_eq!(digests.len(), 2);
    assert_eq!(inherited, digests, "{text}");
    remove_tree(&layout(&home));
}

/// How many stored skills are in use.
fn in_use(online: &Online, home: &Path) -> usize {
    let stored = json(in_home(online, home).args(["cache", "list"]));
    stored["skills"].as_array().unwrap().iter().filter(|skill| skill["in_use"] == true).count()
}

#[test]
fn a_lease_outlives_the_kill_of_who_took_it_while_the_work_goes_on() {
    let online = online();
    let folder = scratch();
    let home = folder.path().canonicalize().unwrap();
    // The shell is the process that was skillflux; what it starts goes on until the input ends.
    let script = "exec 3<&0; cat <&3 & exec 3<&-; echo $!; wait";
    let mut child =
        exec(&online, &home, script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    // Waiting closes the input that a child still has.
    let input = child.stdin.take();
    json(in_home(&online, &home).args(["unmount"]));
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    assert!(Path::new("/proc").join(line.trim()).is_dir(), "the work goes on");
    assert_eq!(in_use(&online, &home), 2);
    json(in_home(&online, &home).args(["cache", "clean", "--all"]));
    assert_eq!(json(in_home(&online, &home).args(["cache", "verify"]))["entries"], 2);
    drop(input);
    assert_eq!(stdout.read_to_end(&mut Vec::new()).unwrap(), 0);
    // Its files are closed one after another.
    until("the leases end with the last who has them", || in_use(&online, &home) == 0);
    json(in_home(&online, &home).args(["cache", "clean", "--all"]));
    for place in ["store", "leases", "trash"] {
        assert_eq!(names(&layout(&home).join(place)), Vec::<String>::new(), "{place}");
    }
    remove_tree(&layout(&home));
}
