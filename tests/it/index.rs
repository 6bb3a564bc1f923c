//! The search index of the built program: what a catalog prints with a kept index is what it prints without one,
//! after every kind of change, on homes that cannot be written, beside other processes and after kills.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use insta::assert_snapshot;
use serde_json::Value;

use crate::{
    context::{Ran, TestContext, add_skill, write},
    online::Online,
    servers::{collection::skill_text, repository::Repository},
};

const TASK: &str = "measure the salt of sea water in the harbour";

/// A home with a few skills, of which some fit [`TASK`].
fn harbour() -> TestContext {
    let context = TestContext::new();
    for (name, about) in [
        ("salt-meter", "Measures the salt of sea water."),
        ("harbour-log", "Writes the log of a harbour."),
        ("tide-table", "Prints tables of tides."),
        ("water-colour", "Paints with water."),
    ] {
        add_skill(&context.user_root(), name, about);
    }
    context
}

fn fulltext(mut command: Command) -> Command {
    command.env("SKILLFLUX_ROUTER_MODE", "fulltext").env("SKILLFLUX_MIN_ROUTE_SCORE", "1");
    command
}

fn run(context: &TestContext, arguments: &[&str]) -> Ran {
    Ran::new(context, &fulltext(context.command()).args(arguments).output().unwrap())
}

fn explain(context: &TestContext, cache: Option<&Path>) -> Ran {
    let mut command = fulltext(context.command());
    if let Some(cache) = cache {
        command.env("SKILLFLUX_CACHE_DIR", cache);
    }
    let ran = Ran::new(context, &command.args(["explain", "--all", "--json", TASK]).output().unwrap());
    assert_eq!((ran.code, &ran.stderr[..]), (0, ""), "{ran:?}");
    ran
}

/// What a run prints, which must be what one without an index prints.
#[track_caller]
fn same(context: &TestContext) -> String {
    let kept = explain(context, None).stdout;
    let empty = context.home().join("empty");
    let fresh = explain(context, Some(&empty)).stdout;
    fs::remove_dir_all(empty).unwrap_or_default();
    assert_eq!(kept, fresh);
    kept
}

/// The skills that full-text search came up with, best first.
fn found(printed: &str) -> Vec<String> {
    let document: Value = serde_json::from_str(printed).unwrap();
    let all = document["candidates"].as_array().unwrap().iter().filter(|one| one["fulltext"].is_object());
    all.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

fn index(context: &TestContext) -> PathBuf {
    context.home().join("skillflux/cache/v1/index")
}

fn files(context: &TestContext, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(index(context)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_str().unwrap().ends_with(ending));
    files.sort();
    files
}

fn status(context: &TestContext) -> Value {
    run(context, &["index", "status", "--json"]).json()
}

#[test]
fn every_kind_of_change_is_in_the_next_catalog() {
    let context = harbour();
    let root = context.user_root();
    assert_eq!(found(&same(&context))[0], "salt-meter");
    let text = |name: &str, about: &str| format!("---\nname: {name}\ndescription: {about}\n---\n");
    let has = |name: &str| found(&same(&context)).iter().any(|one| one == name);
    // Edited, as often as the clock of the file system allows and more.
    for round in 0..6 {
        let about = if round % 2 == 0 { "Grinds the wafer." } else { "Grinds the water." };
        write(&root.join("mill/SKILL.md"), text("mill", about));
        assert_eq!(has("mill"), round % 2 == 1, "round {round}");
    }
    add_skill(&root.join("group/deep"), "salt-pan", "Makes salt of sea water.");
    assert!(has("salt-pan"), "added in a group");
    fs::rename(root.join("group"), root.join("other")).unwrap();
    assert!(has("salt-pan"), "its group is called otherwise");
    fs::rename(root.join("other/deep/salt-pan/SKILL.md"), root.join("other/deep/salt-pan/skill.md")).unwrap();
    assert!(has("salt-pan"), "in another spelling");
    fs::remove_file(root.join("other/deep/salt-pan/skill.md")).unwrap();
    assert!(!has("salt-pan"), "removed");
    let elsewhere = context.home().join("elsewhere");
    add_skill(&elsewhere, "brine-lake", "Measures the salt of lakes and sea water.");
    symlink(&elsewhere, root.join("link")).unwrap();
    assert!(has("brine-lake"), "behind a link");
    fs::remove_file(root.join("link")).unwrap();
    symlink(context.home().join("nowhere"), root.join("link")).unwrap();
    assert!(!has("brine-lake"), "the link leads elsewhere");
    fs::rename(&elsewhere, context.home().join("nowhere")).unwrap();
    assert!(has("brine-lake"), "what it leads to appears");
    add_skill(&context.project_root(), "brine-lake", "Draws maps.");
    assert!(!has("brine-lake"), "another of the name stands before it");
    fs::remove_dir_all(context.project_root()).unwrap();
    assert!(has("brine-lake"), "and goes");
    fs::rename(&root, context.home().join("aside")).unwrap();
    assert!(!has("salt-meter"), "the root is gone");
}

/// Something that happens to a file.
type Spoil = fn(&Path);

#[test]
fn a_damaged_index_is_made_again() {
    let context = harbour();
    let whole = same(&context);
    let spoil: [(&str, Spoil); 7] = [
        (".segment", |path| fs::write(path, "").unwrap()),
        (".segment", |path| fs::remove_file(path).unwrap()),
        (".segment", |path| {
            // The version.
            let mut bytes = fs::read(path).unwrap();
            bytes[8] += 1;
            fs::write(path, bytes).unwrap();
        }),
        (".segment", |path| {
            // Every block of terms, which is read in the middle of a search.
            let mut bytes = fs::read(path).unwrap();
            let length = bytes.len();
            bytes[length / 8..].iter_mut().for_each(|byte| *byte ^= 0x55);
            fs::write(path, bytes).unwrap();
        }),
        (".view", |path| fs::write(path, "no view").unwrap()),
        (".view", |path| {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        }),
        (".lock", |path| fs::write(path, "locked?").unwrap()),
    ];
    for (ending, spoil) in spoil {
        for path in files(&context, ending) {
            spoil(&path);
        }
        assert_eq!(same(&context), whole, "{ending}");
    }
    // What others put there is neither read nor removed.
    for name in ["notes.txt", "0123456789abcdef.view", "0123456789abcdef.segment"] {
        write(&index(&context).join(name), "x");
    }
    fs::create_dir(index(&context).join("fedcba9876543210.segment")).unwrap();
    assert_eq!(same(&context), whole);
    assert!(index(&context).join("notes.txt").exists());
    // A file in the place of the folder, or a link that leads out of the cache.
    fs::remove_dir_all(index(&context)).unwrap();
    write(&index(&context), "x");
    assert_eq!(same(&context), whole);
    fs::remove_file(index(&context)).unwrap();
    let elsewhere = context.home().join("precious");
    write(&elsewhere.join("0123456789abcdef.segment"), "precious");
    symlink(&elsewhere, index(&context)).unwrap();
    assert_eq!(same(&context), whole);
    assert_eq!(fs::read_dir(elsewhere).unwrap().count(), 1);
}

#[test]
fn a_home_that_cannot_be_written_is_searched() {
    let context = harbour();
    let whole = same(&context);
    let is_root = rustix::process::geteuid().is_root();
    let program = context.home().join("program");
    // Copied by another process, since a file that is open here to be written cannot be run.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_skillflux")).arg(&program).status().unwrap();
    assert!(copied.success());
    let open = |path: &Path, mode: &str| {
        assert!(Command::new("chmod").args(["-R", mode]).arg(path).status().unwrap().success());
    };
    open(context.home().parent().unwrap(), "a+rX");
    let other = |arguments: &[&str]| {
        let built = fulltext(context.command());
        let mut command = Command::new(if is_root { "setpriv" } else { program.to_str().unwrap() });
        if is_root {
            command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&program);
        }
        command.env_clear().envs(built.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.current_dir(context.project()).args(arguments);
        Ran::new(&context, &command.output().unwrap())
    };
    let cache = context.home().join("skillflux");
    let explained = || other(&["explain", "--all", "--json", TASK]);
    open(&cache, "a-w");
    for what in ["an index", "a damaged one", "none"] {
        if what == "a damaged one" {
            open(&cache, "u+w");
            for path in files(&context, ".segment") {
                fs::write(path, "x").unwrap();
            }
            open(&cache, "a-w");
        } else if what == "none" {
            open(&cache, "u+w");
            fs::remove_dir_all(index(&context)).unwrap();
            open(&cache, "a-w");
        }
        let ran = explained();
        assert_eq!((ran.code, &ran.stderr[..]), (0, ""), "{what}: {ran:?}");
        assert_eq!(ran.stdout, whole, "{what}");
        assert_eq!(other(&["index", "status"]).code, 0, "{what}");
        let rebuilt = other(&["index", "rebuild"]);
        assert_eq!((rebuilt.code, &rebuilt.stdout[..]), (74, ""), "{what}: {rebuilt:?}");
        assert!(rebuilt.stderr.starts_with("error: "), "{rebuilt:?}");
    }
    // What changes is found all the same.
    add_skill(&context.user_root(), "salt-pan", "Makes salt of sea water.");
    open(&context.user_root(), "a+rX");
    assert!(found(&explained().stdout).contains(&"salt-pan".to_owned()));
    open(&cache, "u+w");
}

#[test]
fn twenty_processes_that_find_no_index_print_the_same() {
    let context = harbour();
    for number in 0..60 {
        add_skill(
            &context.user_root(),
            &format!("net-{number}"),
            &format!("Mends net {number} of the harbour."),
        );
    }
    let start = || {
        let mut command = fulltext(context.command());
        command.args(["catalog", "--format", "lines", TASK]).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let all: Vec<_> = (0..20).map(|_| start()).collect();
    let all: Vec<Ran> =
        all.into_iter().map(|child| Ran::new(&context, &child.wait_with_output().unwrap())).collect();
    assert!(all[0].stdout.starts_with("- salt-meter"), "{:?}", all[0]);
    assert!(
        all.iter().all(|ran| (ran.code, &ran.stdout, &ran.stderr[..]) == (0, &all[0].stdout, "")),
        "{all:?}"
    );
    same(&context);
    assert_eq!(status(&context)["unreadable"], 0);
}

#[test]
fn whoever_is_killed_leaves_nothing_that_is_wrong() {
    let context = harbour();
    let filler = "The harbour has nets, ropes, charts and boats of all kinds. ".repeat(30);
    for number in 0..300 {
        let text =
            format!("---\nname: net-{number}\ndescription: Mends net {number}.\n---\n# {number}\n{filler}");
        write(&context.user_root().join(format!("net-{number}/SKILL.md")), text);
    }
    let whole = same(&context);
    let took = {
        fs::remove_dir_all(index(&context)).unwrap();
        let began = Instant::now();
        explain(&context, None);
        began.elapsed()
    };
    for part in 1..=12 {
        fs::remove_dir_all(index(&context)).unwrap_or_default();
        let mut command = fulltext(context.command());
        let mut child =
            command.args(["catalog", TASK]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (began, until) = (Instant::now(), took * part / 12);
        while began.elapsed() < until.saturating_sub(Duration::from_millis(1)) {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(explain(&context, None).stdout, whole, "killed after {until:?}");
        assert_eq!(files(&context, ".tmp"), Vec::<PathBuf>::new(), "killed after {until:?}");
    }
}

#[test]
fn many_updates_are_merged_and_nothing_is_lost() {
    let context = harbour();
    for round in 0..12 {
        add_skill(&context.user_root(), "salt-pan", &format!("Makes {round} grains of salt of sea water."));
        assert!(found(&explain(&context, None).stdout).contains(&"salt-pan".to_owned()), "round {round}");
    }
    same(&context);
    let status = status(&context);
    assert!(status["files"].as_u64().unwrap() <= 9 && status["unreadable"] == 0, "{status}");
}

#[test]
fn two_projects_share_one_home() {
    let context = harbour();
    let other = context.home().join("other");
    fs::create_dir_all(other.join(".git")).unwrap();
    add_skill(&context.project_root(), "salt-here", "Measures the salt of sea water here.");
    add_skill(&other.join(".claude/skills"), "salt-there", "Measures the salt of sea water there.");
    let in_other = || {
        let mut command = fulltext(context.command());
        command.current_dir(&other).args(["explain", "--all", "--json", TASK]);
        found(&Ran::new(&context, &command.output().unwrap()).stdout)
    };
    for _ in 0..2 {
        let (here, there) = (found(&same(&context)), in_other());
        assert!(here.contains(&"salt-here".to_owned()) && !here.contains(&"salt-there".to_owned()));
        assert!(there.contains(&"salt-there".to_owned()) && !there.contains(&"salt-here".to_owned()));
    }
    // The skills of the home are in it once: four, two of projects, and those of the release.
    let documents = status(&context)["documents"].as_u64().unwrap();
    let bundled = run(&context, &["list", "--json"]).json();
    let bundled =
        bundled["skills"].as_array().unwrap().iter().filter(|skill| skill["root"] == "bundled").count();
    assert_eq!(documents, 6 + bundled as u64);
}

/// A repository with two versions of a skill and one that stands on its own.
fn sea() -> (Online, [String; 2]) {
    let repository = Repository::new("quarry-works/sea");
    repository.file("skills/salt/SKILL.md", skill_text("salt", "Measures the salt of sea water, first."));
    let first = repository.commit("first");
    repository.file("skills/salt/SKILL.md", skill_text("salt", "Measures the salt of sea water, second."));
    let second = repository.commit("second");
    (Online::new(vec![repository], Vec::new()), [first, second])
}

fn explained(online: &Online) -> (Vec<(String, String)>, String) {
    let ran = online.ran(fulltext(online.command()).args(["explain", "--all", "--json", TASK]));
    let document = ran.json();
    let all = document["candidates"].as_array().unwrap().iter().filter(|one| one["name"] == "salt");
    let word = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    (all.map(|one| (word(one, "outcome"), word(one, "root"))).collect(), ran.stderr)
}

#[test]
fn a_stored_skill_comes_and_goes() {
    let (online, _) = sea();
    let is_there = || explained(&online).0.iter().any(|(outcome, _)| outcome == "chosen");
    assert!(!is_there());
    let mount = |online: &Online| {
        assert_eq!(online.run(["mount", "--yes", "quarry-works/sea//skills/salt"]).code, 0);
    };
    mount(&online);
    assert!(is_there() && is_there());
    assert_eq!(online.run(["unmount"]).code, 0);
    assert!(is_there(), "it is still stored");
    assert_eq!(online.run(["cache", "clean", "--all"]).code, 0);
    assert!(!is_there());
    mount(&online);
    assert!(is_there());
    // The person does not trust the owner any more.
    let config = online.context.home().join("skillflux/config/config.yaml");
    write(&config, "remoteBlockedOwners: [quarry-works]\n");
    assert!(!is_there());
    fs::remove_file(config).unwrap();
    assert!(is_there());
}

#[test]
fn a_damaged_stored_skill_is_left_out_and_what_it_shadowed_comes_in() {
    let (online, versions) = sea();
    for version in &versions {
        let reference = format!("quarry-works/sea//skills/salt@{version}");
        let ran = online.run(["mount", "--yes", "--to", "out", &reference]);
        assert_eq!(ran.code, 0, "{ran:?}");
        fs::remove_dir_all(online.context.project().join("out")).unwrap();
    }
    let catalog = || {
        let ran = online.ran(fulltext(online.command()).args(["catalog", "--format", "lines", TASK]));
        assert_eq!(ran.code, 0, "{ran:?}");
        (
            ran.stdout.lines().find(|line| line.starts_with("- salt")).unwrap_or_default().to_owned(),
            ran.stderr,
        )
    };
    let (whole, _) = catalog();
    let newest = if whole.contains("second") { "second" } else { "first" };
    let other = if newest == "second" { "first" } else { "second" };
    let store = online.context.home().join("skillflux/cache/v1/store");
    let find = |text: &str| {
        let found = Command::new("grep").args(["-rl", text]).arg(&store).output().unwrap();
        let found = String::from_utf8(found.stdout).unwrap();
        PathBuf::from(found.lines().find(|line| line.ends_with("SKILL.md")).unwrap())
    };
    let file = find(newest);
    let sound = fs::read(&file).unwrap();
    let change = |content: &[u8]| {
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        fs::write(&file, content).unwrap();
    };
    change(&[&sound[..], b"changed\n"].concat());
    // With the index of before, with one that is made now, and once more.
    for round in 0..3 {
        let (line, stderr) = catalog();
        assert!(line.contains(other) && !line.contains(newest), "{round}: {line}");
        assert_eq!(stderr.contains("is left out"), round == 0, "{stderr}");
        if round == 0 {
            assert!(explained(&online).0.iter().any(|(outcome, _)| outcome == "damaged"));
            fs::remove_dir_all(index(&online.context)).unwrap();
        }
    }
    change(&sound);
    assert_eq!(catalog(), (whole.clone(), String::new()), "healed, nothing of the damage stays in the index");
    let entry = file.parent().and_then(Path::parent).unwrap();
    assert!(Command::new("chmod").args(["-R", "u+w"]).arg(entry).status().unwrap().success());
    fs::rename(entry, online.context.home().join("aside")).unwrap();
    assert!(catalog().0.contains(other), "its files are gone");
    fs::rename(online.context.home().join("aside"), entry).unwrap();
    assert_eq!(catalog().0, whole);
}

#[test]
fn status_and_rebuild() {
    let context = harbour();
    let masked = |ran: Ran| {
        let text = ran.snapshot();
        let mut words: Vec<String> = text.split_inclusive([' ', '\n']).map(str::to_owned).collect();
        for place in 1..words.len() {
            if ["ms,", "KiB,", "KiB", "KiB:"].contains(&words[place].trim_end())
                || words[place].starts_with("KiB")
            {
                words[place - 1] = "[N] ".to_owned();
            }
        }
        // What is younger than two seconds is looked at again.
        words
            .concat()
            .replace("brought up to date by the next catalog", "[STATE]")
            .replace("up to date", "[STATE]")
    };
    assert_snapshot!(masked(run(&context, &["index"])), @"
    exit code 0
    --- stdout
    none yet: made by the first catalog in `routerMode: fulltext`
      [HOME]/skillflux/cache/v1/index
    --- stderr
    ");
    assert_snapshot!(masked(run(&context, &["index", "rebuild"])), @"
    exit code 0
    --- stdout
    read 7 skills in [N] ms, [N] KiB in [HOME]/skillflux/cache/v1/index
    --- stderr
    ");
    assert_snapshot!(masked(run(&context, &["index", "status"])), @"
    exit code 0
    --- stdout
    7 skills of 2 sets of folders in 1 file, [N] KiB: [STATE]
      [HOME]/skillflux/cache/v1/index
    --- stderr
    ");
    let rebuilt = run(&context, &["index", "rebuild", "--json"]).json();
    assert_eq!((&rebuilt["schema"], &rebuilt["unread"]), (&"skillflux.index-rebuild/1".into(), &0.into()));
    assert!(rebuilt["removed_bytes"].as_u64().unwrap() > 0 && rebuilt["milliseconds"].is_u64());
    let shown = status(&context);
    assert_eq!((&shown["documents"], &shown["bytes"]), (&rebuilt["skills"], &rebuilt["bytes"]));
    let about = run(&context, &["status"]).stdout;
    assert!(
        about.lines().any(|line| line.starts_with("index ") && line.contains("sets of folders")),
        "{about}"
    );
    assert!(run(&context, &["status", "--json"]).json()["index"]["documents"].is_u64());
    write(&files(&context, ".segment")[0], "x");
    assert_eq!((&status(&context)["unreadable"], &status(&context)["current"]), (&1.into(), &false.into()));
    assert!(run(&context, &["index"]).stdout.contains("not readable: 1 file"));
}

#[test]
fn a_terminal_keeps_only_the_result_of_a_rebuild() {
    let context = harbour();
    let mut command = fulltext(context.command());
    command.args(["index", "rebuild"]);
    let left = crate::terminal::Terminal::start(&command).end();
    assert_eq!((left.code, left.screen.lines().count()), (Some(0), 1), "{left:?}");
    assert!(left.screen.starts_with("read 7 skills in "), "{left:?}");
}
