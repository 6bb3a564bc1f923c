//! Consent to what is mounted: what a person is shown, what each answer covers, and that nothing else is
//! ever installed under it.

use std::{fs, path::Path};

use insta::assert_snapshot;

use crate::{
    context::Ran,
    masks::{lively, masks},
    online::Online,
    servers::{collection::skill_text, repository::Repository, skills_sh::Listing},
    terminal::Terminal,
};

const TIDE: &str = "quarry-works/sea//skills/tide";

fn sea() -> Repository {
    let repository = lively("quarry-works/sea");
    repository
        .file("skills/tide/SKILL.md", skill_text("tide", "Forecasts tides."))
        .file("skills/tide/references/ports.md", "# Ports\n")
        .executable("skills/tide/scripts/forecast.sh", "#!/bin/sh\necho high\n")
        .file("skills/log/SKILL.md", skill_text("log", "Writes logs."));
    repository.commit("two skills");
    repository
}

fn harbour() -> (Online, Repository) {
    let repository = sea();
    let online = Online::new(vec![repository.clone()], vec![Listing::new("quarry-works/sea", "tide", 9)]);
    (online, repository)
}

impl Online {
    fn mount(&self, arguments: &[&str]) -> Ran {
        self.ran(self.command().arg("mount").args(arguments))
    }

    /// Mounts under a policy and in a session.
    fn mount_as(&self, policy: &str, session: Option<&str>, arguments: &[&str]) -> Ran {
        let mut command = self.command();
        command.env("SKILLFLUX_APPROVAL_POLICY", policy).env_remove("SKILLFLUX_SESSION");
        command.arg("mount").args(arguments);
        if let Some(session) = session {
            command.args(["--session", session]);
        }
        self.ran(&mut command)
    }

    fn blobs_fetched(&self) -> usize {
        self.github.requests().iter().filter(|seen| seen.path_and_query.contains("/git/blobs/")).count()
    }

    fn files_below(&self, folder: &str) -> Vec<String> {
        fn walk(folder: &Path, files: &mut Vec<String>) {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, files);
                } else {
                    files.push(path.display().to_string());
                }
            }
        }
        let mut files = Vec::new();
        walk(&self.context.home().join("skillflux").join(folder), &mut files);
        files
    }

    fn stored_skills(&self) -> usize {
        self.run(["cache", "list", "--json"]).json()["skills"].as_array().unwrap().len()
    }

    fn on_terminal(&self, arguments: &[&str]) -> Terminal {
        let mut command = self.command();
        command.args(arguments);
        Terminal::start(&command)
    }
}

#[test]
fn without_a_terminal_nothing_is_mounted_unasked() {
    let (online, _) = harbour();
    let _masks = masks(&online);
    let ran = online.mount(&[TIDE]);
    assert_snapshot!(ran.snapshot(), @"
    exit code 5
    --- stdout
    --- stderr
    error: `tide` was not mounted, because nobody could be asked to approve it
      [GIT]/quarry-works/sea//skills/tide at [COMMIT]
      3 files; scripts: scripts/forecast.sh
      evidence: community

    hint: if you agree: skillflux mount --yes quarry-works/sea//skills/tide@[COMMIT]
    ");
    assert_eq!(online.blobs_fetched(), 0, "nothing is fetched beyond the pin");
    for folder in ["cache/v1/store", "cache/v1/staging", "cache/v1/pins", "cache/v1/mounts"] {
        assert_eq!(online.files_below(folder), Vec::<String>::new(), "{folder}");
    }
    let ran = online.mount(&[TIDE, "--json"]);
    assert_snapshot!(ran.stdout, @r#"
    {
      "schema": "skillflux.error/1",
      "error": "`tide` was not mounted, because nobody could be asked to approve it",
      "causes": [],
      "details": [
        "[GIT]/quarry-works/sea//skills/tide at [COMMIT]",
        "3 files; scripts: scripts/forecast.sh",
        "evidence: community"
      ],
      "hint": "if you agree: skillflux mount --yes quarry-works/sea//skills/tide@[COMMIT]",
      "exit_code": 5
    }
    "#);
}

#[test]
fn always_covers_one_pin_and_its_files() {
    let (online, repository) = harbour();
    let first = repository.head();
    assert_eq!(online.mount(&[TIDE, "--yes"]).code, 0);
    assert_eq!(online.run(["unmount"]).code, 0);
    let again = online.mount(&[&format!("{TIDE}@{first}")]);
    assert_eq!(again.code, 0, "what was agreed to once holds for the same pin: {again:?}");
    assert_eq!(online.mount(&["quarry-works/sea//skills/log"]).code, 5, "another folder of the repository");
    repository.file("skills/tide/SKILL.md", skill_text("tide", "Forecasts otherwise.")).commit("changed");
    let changed = online.mount(&[TIDE]);
    assert_eq!(changed.code, 5, "another commit: {changed:?}");
    repository.file("README.md", "# Sea\n").commit("beside it");
    assert_eq!(online.mount(&[TIDE]).code, 5, "another commit with the same files is another pin");
    // The pin that was agreed to can be fetched again.
    assert_eq!(online.run(["unmount"]).code, 0);
    assert_eq!(online.run(["cache", "clean", "--all"]).code, 0);
    let again = online.mount(&[&format!("{TIDE}@{first}")]);
    assert_eq!(again.code, 0, "{again:?}");
    // Less than was agreed to is something else.
    repository.symlink("skills/log/link.md", "SKILL.md").commit("a link");
    let place = format!("quarry-works/sea//skills/log@{}", repository.head());
    assert_eq!(online.mount(&["--allow", "tree_symlink", "--yes", &place]).code, 0);
    assert_eq!(online.mount(&["--allow", "tree_symlink", &place]).code, 0);
    assert_eq!(online.mount(&[&place]).code, 5, "the link is refused");
}

#[test]
fn session_covers_one_repository_of_one_named_session() {
    let other = Repository::new("small-works/sea");
    other.file("skills/tide/SKILL.md", skill_text("tide", "Tides.")).commit("a skill");
    let repository = sea();
    let online = Online::new(vec![repository.clone(), other], Vec::new());
    let mount = |session, arguments: &[&str]| online.mount_as("session", session, arguments).code;
    assert_eq!(mount(Some("one"), &[TIDE]), 5);
    assert_eq!(mount(Some("one"), &[TIDE, "--yes"]), 0);
    assert_eq!(mount(Some("one"), &["quarry-works/sea//skills/log"]), 0, "the same repository");
    repository.file("skills/tide/SKILL.md", skill_text("tide", "Forecasts otherwise.")).commit("changed");
    assert_eq!(mount(Some("one"), &[TIDE]), 0, "another commit of it");
    assert_eq!(mount(Some("one"), &["small-works/sea//skills/tide"]), 5, "another repository");
    assert_eq!(mount(Some("two"), &["quarry-works/sea//skills/log"]), 5, "another session");
    assert_eq!(mount(None, &["quarry-works/sea//skills/log"]), 5, "no session");
    assert_eq!(mount(None, &["quarry-works/sea//skills/log", "--yes"]), 0, "this command alone");
    assert_eq!(
        mount(None, &["quarry-works/sea//skills/log"]),
        5,
        "a session without a name remembers nothing"
    );
    let ended = online.ran(online.command().args(["unmount", "--session", "one"]));
    assert_eq!(ended.code, 0);
    assert_eq!(mount(Some("one"), &[TIDE]), 5, "the session is over, and so is what was agreed to");
}

#[test]
fn automatic_asks_nobody_and_leaves_no_consent_behind() {
    let (online, _) = harbour();
    assert_eq!(online.mount_as("automatic", Some("one"), &[TIDE]).code, 0);
    assert_eq!(online.mount_as("always", Some("one"), &[TIDE]).code, 5);
    assert_eq!(online.mount_as("session", Some("one"), &[TIDE]).code, 5);
}

#[test]
fn a_blocked_owner_and_a_policy_stand_above_every_consent() {
    let (online, _) = harbour();
    let _masks = masks(&online);
    let mount = |variable: &str, value: &str| {
        let mut command = online.command();
        command.env(variable, value).env("SKILLFLUX_APPROVAL_POLICY", "automatic");
        online.ran(command.args(["mount", "--yes", TIDE]))
    };
    let blocked = mount("SKILLFLUX_REMOTE_BLOCKED_OWNERS", "quarry-works");
    assert_snapshot!(blocked.snapshot(), @"
    exit code 5
    --- stdout
    --- stderr
    error: `tide` is refused: its owner is blocked

    hint: see who is blocked: skillflux config get remoteBlockedOwners
    ");
    assert!(online.github.requests().is_empty(), "nobody is asked about a blocked owner");
    let corroborated = mount("SKILLFLUX_REMOTE_TRUST_POLICY", "corroborated");
    assert_snapshot!(corroborated.snapshot(), @"
    exit code 5
    --- stdout
    --- stderr
    error: `tide` is refused: its evidence is `community`, and the policy `corroborated` wants more

    hint: see the policy: skillflux config get remoteTrustPolicy
    ");
    assert_eq!(mount("SKILLFLUX_REMOTE_TRUST_POLICY", "trusted").code, 5);
    assert_eq!((online.blobs_fetched(), online.stored_skills()), (0, 0));
    // What was stored before is refused too, and usable again when the rule goes.
    assert_eq!(mount("SKILLFLUX_REMOTE_TRUST_POLICY", "open").code, 0);
    assert_eq!(mount("SKILLFLUX_REMOTE_BLOCKED_OWNERS", "Quarry-Works").code, 5);
    assert_eq!(mount("SKILLFLUX_REMOTE_TRUST_POLICY", "trusted").code, 5);
    let mut command = online.command();
    command
        .env("SKILLFLUX_REMOTE_TRUST_POLICY", "trusted")
        .env("SKILLFLUX_REMOTE_TRUSTED_OWNERS", "quarry-works");
    assert_eq!(online.ran(command.args(["mount", "--yes", TIDE])).code, 0);
}

#[test]
fn a_person_is_shown_what_it_is_and_says_yes() {
    let (online, _) = harbour();
    let _masks = masks(&online);
    let mut terminal = online.on_terminal(&["-q", "mount", TIDE]);
    terminal.wait_for("[y/N]");
    assert_snapshot!(terminal.shown(), @"
    mount tide?
      repository  [GIT]/quarry-works/sea
      commit      [COMMIT]
      folder      skills/tide
      evidence    community
      files       3 files, 102 bytes
        SKILL.md
        references/ports.md
      scripts     1 script; none is run by skillflux
        scripts/forecast.sh
      yes covers exactly these files of this commit
    mount it? [y/N]
    ");
    assert_eq!(online.blobs_fetched(), 0);
    terminal.press(b"y\n");
    let left = terminal.end();
    assert_eq!(left.code, Some(0), "{left:?}");
    assert_eq!(online.stored_skills(), 1);
    assert_eq!(online.mount(&[TIDE]).code, 0, "the answer is remembered");
}

#[test]
fn changes_against_the_stored_version_are_shown() {
    let (online, repository) = harbour();
    let _masks = masks(&online);
    assert_eq!(online.mount(&[TIDE, "--yes"]).code, 0);
    repository
        .file("skills/tide/SKILL.md", skill_text("tide", "Forecasts otherwise."))
        .file("skills/tide/scripts/new.py", "print('high')\n")
        .remove("skills/tide/references/ports.md");
    repository.commit("changes");
    let mut terminal = online.on_terminal(&["-q", "mount", TIDE, "--to", "skills"]);
    terminal.wait_for("[y/N]");
    assert_snapshot!(terminal.shown(), @"
    mount tide?
      repository  [GIT]/quarry-works/sea
      commit      [COMMIT]
      folder      skills/tide
      evidence    community
      files       3 files, 112 bytes
        SKILL.md
      scripts     2 scripts; none is run by skillflux
        scripts/forecast.sh
        scripts/new.py
      against the stored version of [SHORT]
        ~ SKILL.md
        + scripts/new.py
        - references/ports.md
      yes covers exactly these files of this commit
    mount it? [y/N]
    ");
    terminal.press(b"yes\n");
    assert_eq!(terminal.end().code, Some(0));
    assert!(online.context.project().join("skills/tide/scripts/new.py").exists());
}

#[test]
fn no_an_empty_line_and_the_end_of_input_all_decline() {
    let (online, _) = harbour();
    for keys in [&b"n\n"[..], b"\n", b"\x04", b"yess\n", b"Y e s\n"] {
        let mut terminal = online.on_terminal(&["-q", "mount", TIDE]);
        terminal.wait_for("[y/N]");
        terminal.press(keys);
        let left = terminal.end();
        assert_eq!(left.code, Some(5), "{keys:?}: {left:?}");
        assert!(left.screen.contains("you declined"), "{left:?}");
    }
    assert_eq!((online.blobs_fetched(), online.stored_skills()), (0, 0));
}

#[test]
fn ctrl_c_at_the_question_ends_the_command() {
    let (online, _) = harbour();
    let mut terminal = online.on_terminal(&["-q", "mount", TIDE]);
    terminal.wait_for("[y/N]");
    terminal.press(b"\x03");
    let left = terminal.end();
    assert_eq!(left.code, Some(130), "{left:?}");
    assert!(left.screen.contains("error: interrupted"), "{left:?}");
    assert_eq!((online.blobs_fetched(), online.stored_skills()), (0, 0));
    assert_eq!(online.files_below("cache/v1/staging"), Vec::<String>::new());
}

#[test]
fn the_session_policy_says_what_a_yes_covers() {
    let (online, _) = harbour();
    for (session, covers) in [
        (Some("night-shift"), "yes covers this repository for session `night-shift`"),
        (None, "yes covers this command alone; --session ID covers more"),
    ] {
        let mut command = online.command();
        command.env("SKILLFLUX_APPROVAL_POLICY", "session").env_remove("SKILLFLUX_SESSION");
        command.args(["-q", "mount", TIDE]);
        if let Some(session) = session {
            command.args(["--session", session]);
        }
        let mut terminal = Terminal::start(&command);
        terminal.wait_for("[y/N]");
        assert!(terminal.shown().contains(covers), "{}", terminal.shown());
        terminal.press(b"y\n");
        assert_eq!(terminal.end().code, Some(0));
        let mut later = online.command();
        later.env("SKILLFLUX_APPROVAL_POLICY", "session").env_remove("SKILLFLUX_SESSION");
        later.args(["mount", "quarry-works/sea//skills/log", "--session", "night-shift"]);
        assert_eq!(online.ran(&mut later).code, 0);
    }
}

#[test]
fn no_name_from_outside_draws_on_the_terminal() {
    let repository = lively("quarry-works/sea");
    repository
        .file("skills/tide/SKILL.md", skill_text("tide", "A tide."))
        .file("skills/tide/notes; rm -rf ~ $(reboot) [y].md", "# Notes\n")
        .file("skills/tide/r\u{e9}sum\u{e9} hint.md", "# Notes\n");
    repository.commit("odd names");
    let hostile = "\u{1b}]0;owned\u{7}\u{1b}[2Jtide\u{202e}\nmount it? [y/N] y\n\u{9b}31m";
    let listing = Listing { name: hostile.to_owned(), ..Listing::new("quarry-works/sea", "tide", 100_000) };
    let online = Online::new(vec![repository], vec![listing]);
    let found = online.ran(online.anonymous().args(["search", "tide", "--json"])).json();
    let id = found["results"][0]["id"].as_str().unwrap();
    for arguments in [&["-q", "mount", id][..], &["-q", "search", "tide"], &["-q", "load", id]] {
        let mut command = online.anonymous();
        command.args(arguments);
        let mut terminal = Terminal::start(&command);
        if arguments[1] != "search" {
            terminal.wait_for("\nmount it? [y/N]");
            terminal.press(b"n\n");
        }
        let left = terminal.end();
        let written = String::from_utf8(left.bytes.clone()).unwrap();
        let is_safe = |character: char| {
            matches!(character, '\n' | '\r') || !(character.is_control() || character == '\u{202e}')
        };
        assert!(written.chars().all(is_safe), "{arguments:?}: {written:?}");
        let questions = left.screen.lines().filter(|line| line.starts_with("mount it?")).count();
        assert_eq!(questions, usize::from(arguments[1] != "search"), "{}", left.screen);
        assert!(left.screen.contains("tide"), "{}", left.screen);
    }
}
