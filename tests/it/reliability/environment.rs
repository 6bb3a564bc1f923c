//! Other users, other masks and locales, homes behind links, formats of the future, and what strangers plant.

use std::{
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::Path,
    process::Command,
};

use super::{
    GUST, TIDE, disk::assert_read_only, has, in_home, is_root, json, layout, mount, names, online,
    remove_tree, replay::state_of, scratch,
};
use crate::online::Online;

const NOBODY: u32 = 65534;

/// The program as another user, from a place that this user can reach.
fn as_nobody(online: &Online, home: &Path, program: &Path) -> Command {
    let command = in_home(online, home);
    let mut other = Command::new("setpriv");
    let user = NOBODY.to_string();
    other.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    other.args(["--reuid", &user, "--regid", &user, "--clear-groups"]).arg(program).current_dir(home);
    other
}

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn another_user_reads_and_does_not_write() {
    if !is_root() || !has("setpriv") {
        return;
    }
    let online = online();
    let folder = scratch();
    let root = folder.path().canonicalize().unwrap();
    mode(&root, 0o755);
    let program = root.join("skillflux");
    std::fs::copy(env!("CARGO_BIN_EXE_skillflux"), &program).unwrap();
    let (theirs, own, closed) = (root.join("theirs"), root.join("own"), root.join("closed"));
    for home in [&theirs, &own, &closed] {
        std::fs::create_dir(home).unwrap();
    }
    mount(&online, &theirs, TIDE);
    // What is readable for everybody, and no more.
    let opened = Command::new("chmod").args(["-R", "a+rX"]).arg(&theirs).status().unwrap();
    assert!(opened.success());
    let before = state_of(&theirs);
    assert_read_only(|arguments| as_nobody(&online, &theirs, &program).args(arguments).output().unwrap());
    assert_eq!(state_of(&theirs), before);
    mode(&closed, 0o700);
    for arguments in [&["cache", "list"][..], &["mount", "--yes", TIDE], &["cache", "verify"]] {
        let mut command = as_nobody(&online, &closed, &program);
        let output = command.args(arguments).current_dir("/").output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(74), "{arguments:?}: {stderr}");
        assert_eq!(stderr.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{stderr}");
    }
    std::os::unix::fs::chown(&own, Some(NOBODY), Some(NOBODY)).unwrap();
    let run = |arguments: &[&str]| json(as_nobody(&online, &own, &program).args(arguments));
    run(&["mount", "--yes", TIDE]);
    run(&["cache", "verify"]);
    run(&["load", "tide-report"]);
    run(&["unmount"]);
    run(&["cache", "clean", "--all"]);
    assert_eq!(names(&layout(&own).join("store")), Vec::<String>::new());
    remove_tree(&layout(&theirs));
}

#[test]
fn digests_catalogs_and_permissions_do_not_depend_on_mask_zone_or_locale() {
    let online = online();
    let folder = scratch();
    let mut seen = Vec::new();
    for (mask, zone, locale) in [
        ("022", "UTC", "C"),
        ("077", "Asia/Kathmandu", "cs_CZ.UTF-8"),
        ("000", "America/Caracas", "tr_TR.UTF-8"),
    ] {
        let home = folder.path().canonicalize().unwrap().join(mask);
        std::fs::create_dir(&home).unwrap();
        let run = |arguments: &[&str]| {
            let command = in_home(&online, &home);
            let mut shell = Command::new("sh");
            shell.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
            shell.env("TZ", zone).env("LC_ALL", locale).env("LANG", locale);
            shell.current_dir(online.context.project());
            shell.args(["-c", &format!("umask {mask}; exec \"$0\" \"$@\"")]).arg(command.get_program());
            let output = shell.args(arguments).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap().replace(home.to_str().unwrap(), "[HOME]")
        };
        let mounted: serde_json::Value =
            serde_json::from_str(&run(&["mount", "--yes", "--json", TIDE])).unwrap();
        let digest = mounted["mounts"][0]["digest"].as_str().unwrap().to_owned();
        let stored = layout(&home).join("store").join(&digest[7..9]).join(&digest[7..]).join("tree");
        let bits = |path: &str| std::fs::metadata(stored.join(path)).unwrap().mode() & 0o777;
        let modes = ["", "scripts", "SKILL.md", "scripts/round.py"].map(bits);
        let catalog = run(&["catalog", "report the tides"]);
        let body = run(&["load", "tide-report"]);
        seen.push((digest, modes, catalog, body));
        remove_tree(&home);
    }
    assert!(seen.iter().all(|other| *other == seen[0]), "{seen:?}");
    assert_eq!(seen[0].1, [0o555, 0o555, 0o444, 0o444]);
}

#[test]
fn newer_formats_and_foreign_files_stay_and_links_lead_nowhere() {
    let online = online();
    let folder = scratch();
    let root = folder.path().canonicalize().unwrap();
    let (real, home, canary) = (root.join("real"), root.join("home"), root.join("canary"));
    std::fs::create_dir(&real).unwrap();
    std::fs::create_dir(&canary).unwrap();
    std::fs::write(canary.join("precious"), "precious").unwrap();
    // The home is itself a link.
    symlink(&real, &home).unwrap();
    mount(&online, &home, TIDE);
    let cache = layout(&home);
    let digest = format!("{}.{}", "ab".repeat(32), "x".repeat(16));
    let foreign = [
        cache.with_file_name("v9").join("store/of/the/future"),
        cache.join("store/notes.txt"),
        cache.join("store/ab/a name\nwith a line end"),
        cache.join("trash/somebody.else"),
        cache.join("leases/notes"),
        cache.join("staging/mine/notes"),
        cache.join("pins/notes.json"),
        home.join("skillflux/state/of-the-future.json"),
    ];
    for file in &foreign {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "mine").unwrap();
    }
    let newer = [
        (cache.join(format!("pins/{}.json", "cd".repeat(32))), r#"{"version":2,"for":"another release"}"#),
        (cache.join(format!("store/ab/{}/manifest.json", "ab".repeat(32))), r#"{"version":7}"#),
    ];
    for (file, content) in &newer {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, content).unwrap();
    }
    for place in ["trash", "leases", "staging", "store"] {
        symlink(&canary, cache.join(place).join(&digest)).unwrap();
        symlink(&canary, cache.join(place).join("link")).unwrap();
    }
    symlink(&canary, cache.join("store/ee")).unwrap();
    symlink(&canary, cache.join("store/ab").join("ab".repeat(31) + "ff")).unwrap();
    json(in_home(&online, &home).args(["unmount"]));
    json(in_home(&online, &home).args(["cache", "prune"]));
    json(in_home(&online, &home).args(["cache", "clean", "--all"]));
    mount(&online, &home, GUST);
    json(in_home(&online, &home).args(["unmount"]));
    json(in_home(&online, &home).args(["cache", "clean", "--all"]));
    for file in &foreign {
        assert_eq!(std::fs::read_to_string(file).unwrap(), "mine", "{}", file.display());
    }
    for (file, content) in &newer {
        assert_eq!(std::fs::read_to_string(file).unwrap(), *content, "{}", file.display());
    }
    assert_eq!(std::fs::read_to_string(canary.join("precious")).unwrap(), "precious");
    assert_eq!(names(&canary), ["precious"]);
}
