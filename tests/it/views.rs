//! The folders that `mount` makes and `unmount` removes: what is theirs goes, what a person did stays.

use std::fs;

use insta::assert_snapshot;

use crate::{
    context::{Ran, add_skill, write},
    masks::{lively, masks},
    online::Online,
    servers::{collection::skill_text, repository::Repository},
};

const TIDE: &str = "quarry-works/sea//skills/tide";

fn sea() -> Repository {
    let repository = lively("quarry-works/sea");
    repository
        .file("skills/tide/SKILL.md", skill_text("tide", "Forecasts tides."))
        .file("skills/tide/references/ports.md", "# Ports\n");
    repository.commit("a skill");
    repository
}

fn harbour() -> Online {
    Online::new(vec![sea()], Vec::new())
}

fn mount(online: &Online, arguments: &[&str]) -> Ran {
    online.run([&["mount", "--yes", TIDE], arguments].concat())
}

#[test]
fn unmount_keeps_what_a_person_changed_or_added() {
    let online = harbour();
    let _masks = masks(&online);
    assert_eq!(mount(&online, &["--to", "skills"]).code, 0);
    let folder = online.context.project().join("skills/tide");
    fs::write(folder.join("references/ports.md"), "# My ports\n").unwrap();
    write(&folder.join("notes/own.md"), "mine");
    let ran = online.run(["unmount", "tide"]);
    assert_snapshot!(ran.snapshot(), @"
    exit code 5
    --- stdout
    emptied [PROJECT]/skills/tide
      kept, because it was changed or added: [PROJECT]/skills/tide/notes
      kept, because it was changed or added: [PROJECT]/skills/tide/references/ports.md
    --- stderr
    ");
    assert!(!folder.join("SKILL.md").exists());
    assert_eq!(fs::read_to_string(folder.join("references/ports.md")).unwrap(), "# My ports\n");
    assert_eq!(fs::read_to_string(folder.join("notes/own.md")).unwrap(), "mine");
}

#[test]
fn unmount_with_force_removes_everything() {
    let online = harbour();
    let _masks = masks(&online);
    assert_eq!(mount(&online, &["--to", "skills"]).code, 0);
    let folder = online.context.project().join("skills/tide");
    write(&folder.join("notes/own.md"), "mine");
    let ran = online.run(["unmount", "tide", "--force", "--json"]);
    assert_snapshot!(ran.stdout, @r#"
    {
      "schema": "skillflux.unmount/1",
      "session": "test",
      "unmounted": [
        {
          "name": "tide",
          "folder": "[PROJECT]/skills/tide",
          "removed": true,
          "kept": []
        }
      ]
    }
    "#);
    assert!(!folder.exists());
    assert_snapshot!(online.run(["unmount"]).stdout, @"nothing is mounted for `test`");
}

#[test]
fn a_view_that_was_changed_is_not_mounted_over() {
    let online = harbour();
    let _masks = masks(&online);
    assert_eq!(mount(&online, &["--to", "skills"]).code, 0);
    assert_eq!(mount(&online, &["--to", "skills"]).code, 0, "the same again changes nothing");
    let folder = online.context.project().join("skills/tide");
    write(&folder.join("own.md"), "mine");
    assert_eq!(mount(&online, &["--to", "skills"]).code, 0, "additions harm nobody");
    write(&folder.join("SKILL.md"), "mine");
    assert_snapshot!(mount(&online, &["--to", "skills"]).snapshot(), @"
    exit code 5
    --- stdout
    --- stderr
    error: `[PROJECT]/skills/tide` was changed since skillflux made it
      SKILL.md
      own.md

    hint: keep your changes elsewhere, then: skillflux unmount --force [PROJECT]/skills/tide
    ");
    for name in ["own.md", "SKILL.md"] {
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), "mine");
    }
}

#[test]
fn a_folder_of_somebody_else_is_left_alone() {
    let online = harbour();
    let _masks = masks(&online);
    let project = online.context.project();
    add_skill(&project.join("skills"), "tide", "My own tide.");
    let before = fs::read(project.join("skills/tide/SKILL.md")).unwrap();
    assert_snapshot!(mount(&online, &["--to", "skills"]).snapshot(), @"
    exit code 5
    --- stdout
    --- stderr
    error: `[PROJECT]/skills/tide` exists already

    hint: remove `[PROJECT]/skills/tide`, or mount elsewhere with --to DIR
    ");
    assert_eq!(fs::read(project.join("skills/tide/SKILL.md")).unwrap(), before);
    write(&project.join("file"), "a file");
    let ran = mount(&online, &["--to", "file"]);
    assert!([5, 74].contains(&ran.code), "{ran:?}");
    assert_eq!(fs::read_to_string(project.join("file")).unwrap(), "a file");
    let outside = online.context.home().join("outside");
    fs::create_dir_all(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, project.join("skills-link")).unwrap();
    fs::create_dir_all(project.join("linked")).unwrap();
    std::os::unix::fs::symlink(&outside, project.join("linked/tide")).unwrap();
    let ran = mount(&online, &["--to", "linked"]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0, "no link is followed out of the folder");
}

#[test]
fn times_and_sessions_that_are_none_are_refused() {
    let online = harbour();
    let _masks = masks(&online);
    for ttl in ["", "12", "h", "-1h", "1.5h", "0x1h", "99999999999999999999d"] {
        let ran = mount(&online, &["--ttl", ttl]);
        assert_eq!(ran.code, 2, "{ttl}: {ran:?}");
    }
    assert_snapshot!(mount(&online, &["--ttl", "soon"]).snapshot(), @"
    exit code 2
    --- stdout
    --- stderr
    error: `soon` is no duration

    hint: write a number and a unit: 90s, 15m, 12h or 2d
    ");
    for session in ["", "..", "a/b", "-x", "with space", &"x".repeat(65)] {
        let ran = mount(&online, &[&format!("--session={session}")]);
        assert_eq!(ran.code, 2, "{session}: {ran:?}");
    }
    assert_snapshot!(online.run(["unmount", "tide", "--session", "nobody-knows"]).snapshot(), @"
    exit code 1
    --- stdout
    --- stderr
    error: session `nobody-knows` has not mounted `tide`

    hint: `skillflux status` lists mounts by session; name one with --session ID
    ");
    assert!(online.github.requests().is_empty());
    assert_eq!(mount(&online, &["--ttl", "90m"]).code, 0);
}

#[test]
fn a_stored_skill_is_known_to_every_command() {
    let online = harbour();
    let _masks = masks(&online);
    assert_snapshot!(mount(&online, &["--json"]).stdout, @r#"
    {
      "schema": "skillflux.mount/1",
      "session": "test",
      "mounts": [
        {
          "asked": "quarry-works/sea//skills/tide",
          "name": "tide",
          "folder": "[HOME]/skillflux/cache/v1/mounts/test/tide",
          "location": "[HOME]/skillflux/cache/v1/mounts/test/tide/SKILL.md",
          "digest": "sha256:[DIGEST]",
          "pin": {
            "host": "[GIT]",
            "repository": "quarry-works/sea",
            "repository_id": 553520354,
            "commit": "[COMMIT]",
            "path": "skills/tide"
          },
          "reference": "quarry-works/sea//skills/tide@[COMMIT]",
          "evidence": "community",
          "files": 2,
          "bytes": 82,
          "stored_before": false
        }
      ],
      "failures": []
    }
    "#);
    let offline = |arguments: &[&str]| {
        let ran = online.run([arguments, &["--offline", "--json"]].concat());
        serde_json::to_string_pretty(&ran.json()).unwrap()
    };
    for arguments in [&["list"][..], &["show", "tide"], &["load", "tide"], &["search", "tide"]] {
        let text = offline(arguments);
        assert!(text.contains("quarry-works/sea"), "{arguments:?}: {text}");
        assert!(text.contains(&sea().head()), "{arguments:?} tells no commit: {text}");
    }
    assert!(offline(&["explain", "use the tide skill"]).contains("quarry-works/sea"));
    assert!(offline(&["catalog", "use the tide skill"]).contains("Forecasts tides."));
    assert!(offline(&["status"]).contains("\"cache\""));
    let read = online.run(["read", "tide", "references/ports.md", "--offline"]);
    assert_eq!((read.code, read.stdout.as_str()), (0, "# Ports\n"), "{read:?}");
    assert_snapshot!(online.run(["show", "tide", "--offline"]).stdout, @"
    tide
    Forecasts tides.

    location       [HOME]/skillflux/cache/v1/store/ac/[DIGEST]/tree/SKILL.md
    root           cache
    standing       active
    called by      the model and the user
    digest         sha256:[DIGEST]
    pin            quarry-works/sea//skills/tide@[COMMIT]
    host           [GIT]

    files
             74  file       SKILL.md
              8  reference  references/ports.md
    ");
}
