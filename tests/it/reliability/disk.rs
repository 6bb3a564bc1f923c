//! Disks that are full or read-only: one clear line and exit code 74 from who must write, answers from who only
//! reads, and a home that works as soon as there is room.

use std::{
    path::Path,
    process::{Command, Output},
};

use super::{GUST, TIDE, has, in_home, is_root, layout, mount, online, remove_tree, scratch};
use crate::online::Online;

/// Runs the program in a mount namespace of its own, after `prepare`, a script of the shell in which `$HOME` is
/// the home.
fn apart(online: &Online, home: &Path, script: &str) -> Output {
    let command = in_home(online, home);
    let mut shell = Command::new("unshare");
    shell.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.env("SKILLFLUX", command.get_program()).current_dir(online.context.project());
    shell.args(["-m", "sh", "-c", script]).output().unwrap()
}

#[test]
fn a_full_disk_is_said_in_one_line_and_needs_no_repair() {
    mount_on_a_full_disk("api", 120);
}

#[test]
fn a_disk_that_is_full_for_git_is_no_failure_of_the_host() {
    if has("git") {
        mount_on_a_full_disk("git", 180);
    }
}

/// Mounts by one way on a disk with more and more room, in KiB, and again where there is enough.
fn mount_on_a_full_disk(transport: &str, most: usize) {
    if !is_root() || !has("unshare") {
        return;
    }
    let online = online();
    let folder = scratch();
    let home = folder.path().canonicalize().unwrap();
    let mut full = 0;
    for room in (0..=most).step_by(12) {
        // Fills a disk of one mebibyte but for so many KiB, mounts, makes room, mounts again.
        let script = format!(
            "mount -t tmpfs -o size=1m tmpfs \"$HOME\" || exit 99
             head -c $((1024 * 1024 - {room} * 1024)) /dev/zero > \"$HOME/filler\"
             told=/dev/shm/skillflux-full.$$
             \"$SKILLFLUX\" mount --yes --transport {transport} {TIDE} 2> $told
             echo \"first $?\"
             grep -c '^error: ' $told
             grep -c \"^error: .*$HOME/\" $told
             grep -i -c 'no space left' $told
             grep -c '^hint: free some space' $told
             rm $told
             \"$SKILLFLUX\" cache verify > /dev/null; echo \"verify $?\"
             rm \"$HOME/filler\"
             \"$SKILLFLUX\" mount --yes --transport {transport} {TIDE} > /dev/null; echo \"second $?\"
             \"$SKILLFLUX\" cache verify > /dev/null; echo \"verify $?\"
             \"$SKILLFLUX\" cache prune > /dev/null; echo \"prune $?\"
             ls \"$HOME/skillflux/cache/v1/staging\" \"$HOME/skillflux/cache/v1/trash\" 2> /dev/null | grep -v :"
        );
        let output = apart(&online, &home, &script);
        if output.status.code() == Some(99) {
            println!("skipped: file systems cannot be mounted here");
            return;
        }
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<&str> = told.lines().filter(|line| !line.starts_with([' ', '/'])).collect();
        let expected: &[&str] = match lines.first() {
            Some(&"first 74") => {
                full += 1;
                &["first 74", "1", "1", "1", "1"]
            }
            _ => &["first 0", "0", "0", "0", "0"],
        };
        let rest = ["verify 0", "second 0", "verify 0", "prune 0"];
        let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines, [expected, &rest].concat(), "{room} KiB: {told} {output:?}");
    }
    assert!(full >= 3, "the disk was full {full} times");
}

/// What only reads, and has an answer.
const READERS: &[&[&str]] = &[
    &["catalog", "report the tides"],
    &["list"],
    &["load", "tide-report"],
    &["read", "tide-report", "references/units.md"],
    &["show", "tide-report"],
    &["cache", "list"],
    &["cache", "verify"],
    &["cache", "prune", "--dry-run"],
    &["status"],
    &["explain", "report the tides"],
];
/// What must write.
const WRITERS: &[&[&str]] =
    &[&["mount", "--yes", GUST], &["unmount"], &["cache", "prune"], &["cache", "clean", "--all"]];

/// Readers answer and writers say in one line why they cannot.
#[track_caller]
pub(super) fn assert_read_only(mut run: impl FnMut(&[&str]) -> Output) {
    for arguments in READERS {
        let output = run(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {stderr}");
        assert_eq!(stderr, "", "{arguments:?}");
        assert!(!output.stdout.is_empty(), "{arguments:?}");
    }
    for arguments in WRITERS {
        let output = run(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(74), "{arguments:?}: {stderr}");
        assert_eq!(stderr.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{stderr}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
    }
}

#[test]
fn a_read_only_home_can_be_read() {
    if !is_root() || !has("unshare") {
        return;
    }
    let online = online();
    let folder = scratch();
    let home = folder.path().canonicalize().unwrap();
    mount(&online, &home, TIDE);
    let probe =
        apart(&online, &home, "mount --bind \"$HOME\" \"$HOME\" && mount -o remount,ro,bind \"$HOME\"");
    if !probe.status.success() {
        println!("skipped: file systems cannot be mounted here");
        return;
    }
    assert_read_only(|arguments| {
        let words = format!("'{}'", arguments.join("' '"));
        let mounts = "mount --bind \"$HOME\" \"$HOME\" && mount -o remount,ro,bind \"$HOME\"";
        apart(&online, &home, &format!("{mounts} && exec \"$SKILLFLUX\" {words}"))
    });
    remove_tree(&layout(&home));
}
