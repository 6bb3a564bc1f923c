//! `cache` and its commands over a store that `mount` filled: what is listed, what is noticed, what goes.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use insta::assert_snapshot;

use crate::{
    context::{Ran, write},
    masks::{lively, masks},
    online::Online,
    servers::collection::skill_text,
};

fn place(skill: &str) -> String {
    format!("quarry-works/sea//skills/{skill}")
}

/// A repository with three skills, the first of them with more files.
fn harbour() -> Online {
    let repository = lively("quarry-works/sea");
    repository
        .file("skills/tide/SKILL.md", skill_text("tide", "Forecasts tides."))
        .file("skills/tide/references/ports.md", "# Ports\n")
        .executable("skills/tide/scripts/forecast.sh", "#!/bin/sh\necho high\n")
        .file("skills/log/SKILL.md", skill_text("log", "Writes logs."))
        .file("skills/map/SKILL.md", skill_text("map", "Draws maps."));
    repository.commit("three skills");
    Online::new(vec![repository], Vec::new())
}

/// The harbour with these skills stored and none in use.
fn stored(skills: &[&str]) -> Online {
    let online = harbour();
    for skill in skills {
        mount(&online, &[&place(skill)]);
    }
    assert_eq!(online.run(["unmount"]).code, 0);
    online
}

fn mount(online: &Online, arguments: &[&str]) -> Ran {
    let ran = online.run([&["mount", "--yes"], arguments].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    ran
}

fn digest(online: &Online, skill: &str) -> String {
    let list = online.run(["cache", "list", "--json"]).json();
    let skills = list["skills"].as_array().unwrap();
    let found = skills.iter().find(|one| one["name"] == skill).unwrap_or_else(|| panic!("{skill}: {list:#}"));
    found["digest"].as_str().unwrap().trim_start_matches("sha256:").to_owned()
}

fn tree(online: &Online, skill: &str) -> PathBuf {
    let digest = digest(online, skill);
    online.context.home().join("skillflux/cache/v1/store").join(&digest[..2]).join(digest).join("tree")
}

/// Writes into a stored file as somebody who may.
fn damage(path: &Path, text: &str) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn list_and_dir() {
    let online = stored(&["tide"]);
    let _masks = masks(&online);
    mount(&online, &[&place("log")]);
    assert_snapshot!(online.run(["cache"]).snapshot(), @"
    exit code 0
    --- stdout
    [ID]  log  quarry-works/sea//skills/log at [SHORT]
      community, 1 file, 67 bytes, fetched [TIME], in use
    [ID]  tide  quarry-works/sea//skills/tide at [SHORT]
      community, 3 files, 102 bytes, fetched [TIME]
    2 skills, 169 bytes in [HOME]/skillflux/cache/v1
    --- stderr
    ");
    let mut list = online.run(["cache", "list", "--json"]).json();
    list["skills"].as_array_mut().unwrap().truncate(1);
    assert_snapshot!(serde_json::to_string_pretty(&list).unwrap(), @r#"
    {
      "bytes": 169,
      "folder": "[HOME]/skillflux/cache/v1",
      "invalid": [],
      "schema": "skillflux.cache/1",
      "skills": [
        {
          "bytes": 67,
          "digest": "sha256:[DIGEST]",
          "evidence": "community",
          "files": 1,
          "id": "[ID]",
          "in_use": true,
          "installed_at": "[TIME]",
          "name": "log",
          "pin": {
            "commit": "[COMMIT]",
            "host": "[GIT]",
            "path": "skills/log",
            "repository": "quarry-works/sea",
            "repository_id": 553520354
          }
        }
      ]
    }
    "#);
    assert_snapshot!(online.run(["cache", "dir"]).stdout, @"[HOME]/skillflux/cache/v1");
    assert_snapshot!(online.run(["cache", "dir", "--json"]).stdout, @r#"
    {
      "path": "[HOME]/skillflux/cache/v1",
      "schema": "skillflux.cache-dir/1"
    }
    "#);
    let empty = harbour();
    assert_snapshot!(empty.run(["cache", "list"]).stdout, @"0 skills, 0 bytes in [HOME]/skillflux/cache/v1");
}

#[test]
fn verify_names_what_is_damaged_and_changes_nothing() {
    let online = stored(&["tide", "log", "map"]);
    let _masks = masks(&online);
    assert_snapshot!(online.run(["cache", "verify"]).snapshot(), @"
    exit code 0
    --- stdout
    intact: 3 entries, 5 files, 235 bytes read
    --- stderr
    ");
    let tide = tree(&online, "tide");
    damage(&tide.join("references/ports.md"), "# Forts\n");
    let log = tree(&online, "log");
    fs::set_permissions(&log, fs::Permissions::from_mode(0o755)).unwrap();
    fs::remove_file(log.join("SKILL.md")).unwrap();
    let map = tree(&online, "map");
    fs::set_permissions(&map, fs::Permissions::from_mode(0o755)).unwrap();
    write(&map.join("extra.md"), "more");
    let ran = online.run(["cache", "verify"]);
    assert_eq!(ran.code, 4);
    let mut problems: Vec<&str> = ran.stdout.lines().collect();
    problems.sort_unstable();
    assert_snapshot!(problems.join("\n"), @"
    3 problems, 3 entries, 5 files, 235 bytes read
    damaged: sha256:[SHORT] (tide) references/ports.md: changed
    damaged: sha256:[SHORT] (map) extra.md: extra
    damaged: sha256:[SHORT] (log) SKILL.md: missing
    ");
    let document: serde_json::Value =
        serde_json::from_str(&online.run(["cache", "verify", "--json"]).stdout).unwrap();
    let mut files: Vec<String> = document["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| format!("{} {}", problem["file"], problem["problem"]))
        .collect();
    files.sort_unstable();
    assert_snapshot!(files.join("\n"), @r#"
    "SKILL.md" "missing"
    "extra.md" "extra"
    "references/ports.md" "changed"
    "#);
    assert_eq!(fs::read_to_string(tide.join("references/ports.md")).unwrap(), "# Forts\n");
}

#[test]
fn a_damaged_skill_reaches_nobody_and_is_healed_by_a_mount() {
    let online = stored(&["tide"]);
    let _masks = masks(&online);
    damage(&tree(&online, "tide").join("SKILL.md"), "---\nname: tide\ndescription: x\n---\nOther steps.\n");
    for arguments in [
        &["read", "tide", "SKILL.md", "--offline"][..],
        &["show", "tide"],
        &["mount", "tide", "--offline"],
        &["mount", &place("tide"), "--offline"],
        &["load", "tide", "--offline"],
    ] {
        let ran = online.run(arguments);
        assert_eq!(ran.code, 4, "{arguments:?}: {ran:?}");
        assert!(!ran.stdout.contains("Other steps"), "{ran:?}");
    }
    assert_snapshot!(online.run(["load", "tide", "--offline"]).snapshot(), @"
    exit code 4
    --- stdout
    --- stderr
    error: `SKILL.md` of entry `[DIGEST]` is changed

    hint: fetch it again: skillflux load sha256:[SHORT] (or remove it: skillflux cache clean sha256:[SHORT])
    ");
    let healed = online.run(["mount", "tide"]);
    assert_snapshot!(healed.snapshot(), @"
    exit code 0
    --- stdout
    [HOME]/skillflux/cache/v1/mounts/test/tide
      tide  quarry-works/sea//skills/tide@[COMMIT]  3 files, 102 bytes  community
      sha256:[DIGEST]
    --- stderr
    warning: `SKILL.md` of `tide` is changed; it is fetched again
    ");
    assert_eq!(online.run(["cache", "verify"]).code, 0);
    damage(&tree(&online, "tide").join("SKILL.md"), "---\nname: tide\ndescription: x\n---\nOther steps.\n");
    let loaded = online.run(["load", "tide"]);
    assert!(loaded.code == 0 && loaded.stdout.contains("Steps for tide."), "{loaded:?}");
    assert_eq!(online.run(["cache", "verify"]).code, 0);
}

#[test]
fn prune_says_why_and_keeps_what_a_mount_holds() {
    let online = stored(&["tide", "log", "map"]);
    let _masks = masks(&online);
    mount(&online, &[&place("map")]);
    let prune = |arguments: &[&str], entries: &str| {
        let mut command = online.command();
        command.env("SKILLFLUX_CACHE_MAX_ENTRIES", entries).args(["cache", "prune"]).args(arguments);
        online.ran(&mut command)
    };
    assert_snapshot!(prune(&["--dry-run"], "2").snapshot(), @"
    exit code 0
    --- stdout
    would remove [ID]  tide  entry-limit, 102 bytes
    1 skill kept, because a mount holds it
    3 skills, 235 bytes before, 2 skills, 133 bytes after
    --- stderr
    ");
    assert_snapshot!(prune(&["--dry-run", "--json"], "1").stdout, @r#"
    {
      "schema": "skillflux.cache-prune/1",
      "dry_run": true,
      "removed": [
        {
          "id": "[ID]",
          "name": "tide",
          "reason": "entry-limit",
          "bytes": 102
        },
        {
          "id": "[ID]",
          "name": "log",
          "reason": "entry-limit",
          "bytes": 67
        }
      ],
      "in_use": [
        "sha256:[DIGEST]"
      ],
      "invalid": 0,
      "before": {
        "entries": 3,
        "bytes": 235
      },
      "after": {
        "entries": 1,
        "bytes": 66
      },
      "within_limits": true
    }
    "#);
    assert_eq!(online.run(["cache", "list", "--json"]).json()["skills"].as_array().unwrap().len(), 3);
    let pruned = prune(&["--json"], "1").json();
    assert_eq!(pruned["removed"].as_array().unwrap().len(), 2);
    let names: Vec<_> = pruned["removed"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect();
    assert!(!names.contains(&serde_json::json!("map")), "a mount holds it");
    assert_snapshot!(prune(&[], "1").stdout, @"
    nothing to remove
    1 skill kept, because a mount holds it
    1 skill, 66 bytes before, 1 skill, 66 bytes after
    ");
    let mut command = online.command();
    command.env("SKILLFLUX_CACHE_MAX_TOTAL_BYTES", "1").args(["cache", "prune"]);
    assert_snapshot!(online.ran(&mut command).stdout, @"
    nothing to remove
    1 skill kept, because a mount holds it
    1 skill, 66 bytes before, 1 skill, 66 bytes after
    over: the limits do not hold, because mounts hold too much
    ");
    let view = online.context.home().join("skillflux/cache/v1/mounts/test/map/SKILL.md");
    assert!(view.exists());
}

#[test]
fn clean_by_id_by_digest_and_all() {
    let online = stored(&["tide", "log", "map"]);
    let _masks = masks(&online);
    let list = online.run(["cache", "list", "--json"]).json();
    let id =
        list["skills"].as_array().unwrap().iter().find(|one| one["name"] == "tide").unwrap()["id"].clone();
    assert_snapshot!(online.run(["cache", "clean", id.as_str().unwrap()]).snapshot(), @"
    exit code 0
    --- stdout
    removed 1 stored skill
    --- stderr
    ");
    let again = online.run(["cache", "clean", id.as_str().unwrap()]);
    assert_snapshot!(again.snapshot(), @"
    exit code 1
    --- stdout
    --- stderr
    error: nothing in the cache is called `[ID]`

    hint: run `skillflux cache list` for what is stored
    ");
    let prefix = format!("sha256:{}", &digest(&online, "log")[..10]);
    assert_eq!(online.run(["cache", "clean", &prefix]).code, 0);
    mount(&online, &[&place("map")]);
    let map = format!("sha256:{}", digest(&online, "map"));
    let refused = online.run(["cache", "clean", &map]);
    assert_snapshot!(refused.snapshot(), @"
    exit code 5
    --- stdout
    removed 0 stored skills
    kept: sha256:[DIGEST] is in use; unmount it first
    --- stderr
    ");
    let all = online.run(["cache", "clean", "--all", "--json"]);
    assert_snapshot!(all.stdout, @r#"
    {
      "schema": "skillflux.cache-clean/1",
      "removed": [],
      "in_use": [
        "sha256:[DIGEST]"
      ],
      "invalid_pins": 0,
      "newer": 0
    }
    "#);
    assert_eq!(online.run(["unmount"]).code, 0);
    assert_snapshot!(online.run(["cache", "clean", "--all"]).stdout, @"removed 1 stored skill");
    assert_eq!(online.run(["cache", "clean"]).code, 2, "nothing was named");
}

#[test]
fn an_entry_that_cannot_be_read_is_counted_and_goes_with_all() {
    let online = stored(&["tide", "log"]);
    let _masks = masks(&online);
    let manifest = tree(&online, "tide").parent().unwrap().join("manifest.json");
    damage(&manifest, "{}");
    let mut command = online.command();
    command.env("SKILLFLUX_CACHE_MAX_ENTRIES", "1").args(["cache", "prune"]);
    assert_snapshot!(online.ran(&mut command).stdout, @"
    nothing to remove
    kept: 1 item that cannot be read; `skillflux cache clean --all` removes such too
    1 skill, 67 bytes before, 1 skill, 67 bytes after
    ");
    assert!(manifest.exists(), "it is never pruned by itself");
    assert_eq!(online.run(["cache", "verify"]).code, 4);
    let status = online.run(["status"]);
    assert!(status.stdout.contains("1 not readable"), "{status:?}");
    assert_eq!(online.run(["cache", "clean", "--all"]).code, 0);
    assert!(!manifest.exists());
    assert_eq!(online.run(["cache", "verify"]).code, 0);
}

/// Everything of a home that nobody may write to still works, as far as it only reads.
#[test]
fn a_home_that_is_read_only_still_serves() {
    let online = stored(&["tide"]);
    let home = online.context.home();
    let set = |mode: &str| {
        let status = std::process::Command::new("chmod").args(["-R", mode]).arg(&home).status();
        assert!(status.unwrap().success());
    };
    let program = home.join("skillflux-copy");
    fs::copy(env!("CARGO_BIN_EXE_skillflux"), &program).unwrap();
    fs::set_permissions(home.parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
    set("a+rX,a-w");
    for (arguments, part) in [
        (&["list"][..], "tide"),
        (&["catalog", "use the tide skill"], "tide"),
        (&["load", "tide"], "Steps for tide."),
        (&["read", "tide", "references/ports.md"], "# Ports"),
        (&["show", "tide"], "quarry-works/sea"),
        (&["cache", "list"], "tide"),
        (&["cache", "verify"], "intact"),
        (&["status"], "skill"),
        (&["search", "tide"], "tide"),
    ] {
        let mut command = std::process::Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&program).env_clear();
        if rustix::process::geteuid().as_raw() != 0 {
            command = std::process::Command::new(&program);
            command.env_clear();
        }
        for (name, value) in online.command().get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        let ran = online.ran(command.current_dir(&home).args(arguments));
        assert_eq!(ran.code, 0, "{arguments:?}: {ran:?}");
        assert!(ran.stdout.contains(part), "{arguments:?}: {ran:?}");
    }
    set("u+w");
}
