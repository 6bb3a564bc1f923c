//! What is remembered of the use of skills: what counts as what, that no count is lost, that it steers only
//! where it was asked to, and that it is never in the way.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    process::Stdio,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

use insta::assert_snapshot;
use serde_json::Value;

use crate::{
    context::{TestContext, add_skill, write},
    masks::masks,
    online::Online,
    servers::{collection::skill_text, repository::Repository},
};

const GUIDE: &str = "skill://skillflux/using-skillflux/SKILL.md";

fn usage(context: &TestContext) -> Value {
    context.run(["usage", "--all", "--json"]).json()
}

/// The record of the skill of this name; null when there is none.
fn of(document: &Value, name: &str) -> Value {
    let skills = document["skills"].as_array().unwrap();
    skills.iter().find(|skill| skill["name"] == name).cloned().unwrap_or(Value::Null)
}

fn file(context: &TestContext) -> std::path::PathBuf {
    context.home().join("skillflux/state/usage.json")
}

/// A repository with two skills, one of them with a resource.
fn tides() -> (Online, Repository) {
    let repository = Repository::new("quarry-works/sea");
    repository.file("skills/tide/SKILL.md", skill_text("tide", "Forecasts the tides of a harbour."));
    repository.file("skills/tide/references/moon.md", "# Moon\n");
    repository.file("skills/log/SKILL.md", skill_text("log", "Keeps the log of a ship."));
    repository.commit("skills");
    (Online::new(vec![repository.clone()], Vec::new()), repository)
}

fn mount(online: &Online, reference: &str) {
    let ran = online.run(["mount", "--yes", reference]);
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn each_command_counts_what_it_does() {
    let (online, repository) = tides();
    let context = &online.context;
    add_skill(&context.user_root(), "mine", "A skill of my own.");
    mount(&online, "quarry-works/sea//skills/tide");
    for arguments in [["load", "tide"], ["load", "tide"], ["load", GUIDE], ["load", "mine"], ["show", "mine"]]
    {
        assert_eq!(context.run(arguments).code, 0, "{arguments:?}");
    }
    assert_eq!(context.run(["load", "mine", "--json"]).code, 0);
    assert_eq!(context.run(["read", "tide", "references/moon.md"]).code, 0);
    assert_eq!(context.run(["catalog", "forecast the tides"]).code, 0);
    assert_eq!(context.run(["load", "nothing"]).code, 1);
    assert_eq!(context.run(["read", "tide", "nothing"]).code, 1);
    let document = usage(context);
    assert_eq!(document["skills"].as_array().unwrap().len(), 3, "{document}");
    let tide = of(&document, "tide");
    assert_eq!((&tide["uses"], &tide["mounts"]), (&2.into(), &1.into()));
    assert_eq!((&tide["origin"], &tide["place"]), (&"cache".into(), &"quarry-works/sea//skills/tide".into()));
    let tokens = tide["body_tokens"].as_u64().unwrap();
    let body = context.run(["load", "tide", "--json"]).json()["body"].as_str().unwrap().len() as u64;
    assert_eq!((tokens, tide["loaded_tokens"].as_u64().unwrap()), (body.div_ceil(3), 2 * tokens));
    let mine = of(&document, "mine");
    assert_eq!((&mine["uses"], &mine["mounts"], &mine["origin"]), (&2.into(), &0.into(), &"local".into()));
    assert_eq!(of(&document, "using-skillflux")["place"], GUIDE);
    // Another commit is the same skill, and so is the folder that a mount made of it.
    repository.file("skills/tide/SKILL.md", skill_text("tide", "Forecasts otherwise.")).commit("changed");
    mount(&online, "quarry-works/sea//skills/tide");
    let folder = context.home().join("skillflux/cache/v1/mounts/test/tide");
    assert_eq!(context.run(["load", folder.to_str().unwrap()]).code, 0);
    let tide = of(&usage(context), "tide");
    assert_eq!((&tide["uses"], &tide["mounts"]), (&4.into(), &2.into()), "{tide}");
}

#[test]
fn a_read_refreshes_and_does_not_count() {
    let (online, _) = tides();
    let context = &online.context;
    mount(&online, "quarry-works/sea//skills/tide");
    assert_eq!(of(&usage(context), "tide")["last_used"], Value::Null);
    assert_eq!(context.run(["read", "tide", "references/moon.md"]).code, 0);
    let tide = of(&usage(context), "tide");
    assert!(tide["last_used"].is_string() && tide["uses"] == 0, "{tide}");
    let written = fs::read(file(context)).unwrap();
    assert_eq!(context.run(["read", "tide", "references/moon.md"]).code, 0);
    assert_eq!(fs::read(file(context)).unwrap(), written, "nothing is written again within a minute");
}

#[test]
fn a_person_sees_and_clears_what_is_remembered() {
    let context = TestContext::new();
    assert_snapshot!(context.run(["usage"]).snapshot(), @"
    exit code 0
    --- stdout
    no skill was used yet
    --- stderr
    ");
    assert!(!file(&context).exists());
    for (root, name) in
        [(context.user_root(), "one"), (context.user_root(), "two"), (context.project_root(), "two")]
    {
        add_skill(&root, name, "A skill.");
        let folder = root.join(name);
        assert_eq!(context.run(["load", folder.to_str().unwrap()]).code, 0);
    }
    assert_eq!(context.run(["load", "one"]).code, 0);
    let shown = context.run(["usage"]);
    assert!(shown.stdout.contains("one") && shown.stdout.contains("two"), "{shown:?}");
    assert_eq!(shown.stdout.lines().count(), 4);
    let ambiguous = context.run(["usage", "clear", "two"]);
    assert_eq!(ambiguous.code, 1);
    assert!(ambiguous.stderr.contains("`two` names 2 skills"), "{ambiguous:?}");
    assert_snapshot!(context.run(["usage", "clear", "three"]).snapshot(), @"
    exit code 1
    --- stdout
    --- stderr
    error: no use of `three` is remembered

    hint: run `skillflux usage --all` for every skill that was used
    ");
    assert_snapshot!(context.run(["usage", "clear", "one"]).snapshot(), @"
    exit code 0
    --- stdout
    forgot 2 uses of one [HOME]/.claude/skills/one
    --- stderr
    ");
    let place = context.project_root().join("two");
    assert_eq!(context.run(["usage", "clear", place.to_str().unwrap()]).code, 0);
    assert_eq!(usage(&context)["skills"].as_array().unwrap().len(), 1);
    assert_eq!(context.run(["usage", "clear", "--all", "--json"]).json()["cleared"][0]["name"], "two");
    assert_eq!(usage(&context)["skills"], serde_json::json!([]));
    assert_eq!(context.run(["usage", "clear"]).code, 2);
}

#[test]
fn the_table_is_aligned() {
    let (online, _) = tides();
    let _masked = masks(&online);
    mount(&online, "quarry-works/sea//skills/log");
    for name in ["log", GUIDE] {
        assert_eq!(online.run(["load", name]).code, 0);
    }
    assert_snapshot!(online.run(["usage"]).stdout, @"
    uses mounts  last used               tokens   loaded  name
       1      1  [TIME]         8        8  log                          quarry-works/sea//skills/log
       1      0  [TIME]      1938     1938  using-skillflux              skill://skillflux/using-skillflux/SKILL.md
    ");
}

#[test]
fn nothing_is_written_when_it_is_switched_off() {
    let context = TestContext::new();
    let run = |arguments: &[&str]| {
        let mut command = context.command();
        command.env("SKILLFLUX_USAGE_TRACKING", "false").args(arguments);
        command.output().unwrap()
    };
    assert!(run(&["load", GUIDE]).status.success());
    assert!(run(&["read", GUIDE, "references/commands.md"]).status.success());
    assert!(!file(&context).exists() && !context.home().join("skillflux/state").exists());
    let shown = String::from_utf8(run(&["usage"]).stdout).unwrap();
    assert!(shown.contains("`usageTracking` is off"), "{shown}");
}

#[test]
fn a_record_that_cannot_be_written_is_in_nobodys_way() {
    let context = TestContext::new();
    let state = context.home().join("skillflux/state");
    // A folder by the name of the file: nothing can be read or replaced there.
    fs::create_dir_all(state.join("usage.json")).unwrap();
    let ran = context.run(["load", GUIDE]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    let ran = context.run(["-v", "load", GUIDE]);
    assert!(ran.code == 0 && ran.stderr.contains("is not recorded"), "{ran:?}");
    fs::remove_dir(state.join("usage.json")).unwrap();
    // A newer release's file stays as it is.
    write(&state.join("usage.json"), r#"{"version":7}"#);
    let ran = context.run(["load", GUIDE]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
    assert_eq!(fs::read_to_string(state.join("usage.json")).unwrap(), r#"{"version":7}"#);
    let shown = context.run(["usage"]);
    assert!(shown.stderr.contains("of a newer release"), "{shown:?}");
    // One that nobody wrote is put aside.
    write(&state.join("usage.json"), "]");
    assert_eq!(context.run(["load", GUIDE]).code, 0);
    assert_eq!(fs::read_to_string(state.join("usage.json.broken")).unwrap(), "]");
    assert_eq!(of(&usage(&context), "using-skillflux")["uses"], 1);
}

#[test]
fn a_home_that_cannot_be_written_is_read_in_silence() {
    let context = TestContext::new();
    let state = context.home().join("skillflux/state");
    fs::create_dir_all(&state).unwrap();
    fs::set_permissions(&state, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(state.join("try"), "").is_ok() {
        println!("skipped: permissions do not bind this user");
        fs::remove_file(state.join("try")).unwrap();
        return;
    }
    let ran = context.run(["-v", "load", GUIDE]);
    fs::set_permissions(&state, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(ran.code, 0);
    assert!(!ran.stderr.contains("WARN"), "{ran:?}");
}

#[test]
fn past_use_orders_equals_where_it_was_asked_to() {
    let context = TestContext::new();
    for name in ["alpha-charts", "omega-charts"] {
        add_skill(&context.user_root(), name, "Draws charts of figures.");
    }
    let explain = |adaptive: &str| -> Value {
        let mut command = context.command();
        // Here equal skills have equal points.
        command.env("SKILLFLUX_ADAPTIVE_ROUTING", adaptive).env("SKILLFLUX_ROUTER_MODE", "lexical");
        let output =
            command.args(["explain", "--json", "--max", "1", "draw charts of figures"]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let name =
        |document: &Value, place: usize| document["candidates"][place]["name"].as_str().unwrap().to_owned();
    let (better, other) = (name(&explain("true"), 0), name(&explain("true"), 1));
    assert_eq!(context.run(["load", &other]).code, 0);
    assert_eq!(name(&explain("true"), 0), better, "one use is too few");
    assert_eq!(context.run(["load", &other]).code, 0);
    let explained = explain("true");
    assert_eq!(name(&explained, 0), other);
    assert_eq!(explained["candidates"][0]["boost"], 2);
    assert_eq!(name(&explain("false"), 0), better);
    // A file that cannot be read boosts nothing, and says so.
    write(&file(&context), "]");
    let mut command = context.command();
    command.env("SKILLFLUX_ADAPTIVE_ROUTING", "true").args(["catalog", "draw charts of figures"]);
    let output = command.output().unwrap();
    assert!(output.status.success() && String::from_utf8(output.stdout).unwrap().contains("alpha-charts"));
    assert!(String::from_utf8(output.stderr).unwrap().contains("past use is not counted"));
}

#[test]
fn what_is_used_is_pruned_last() {
    let (online, _) = tides();
    let context = &online.context;
    mount(&online, "quarry-works/sea//skills/tide");
    mount(&online, "quarry-works/sea//skills/log");
    assert_eq!(online.run(["unmount"]).code, 0);
    let prune = || -> Value {
        let mut command = context.command();
        command.env("SKILLFLUX_CACHE_MAX_ENTRIES", "1");
        let output = command.args(["cache", "prune", "--dry-run", "--json"]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let gone = |document: &Value| document["removed"][0]["name"].as_str().unwrap().to_owned();
    assert_eq!(context.run(["load", "tide"]).code, 0);
    assert_eq!(gone(&prune()), "log");
    for _ in 0..2 {
        assert_eq!(context.run(["load", "log"]).code, 0);
    }
    assert_eq!(gone(&prune()), "tide", "a load counts as a use");
}

/// Many processes load one skill at once; what they counted.
fn storm(workers: u64, loads: u64) -> Value {
    let context = TestContext::new();
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                for _ in 0..loads {
                    let mut command = context.command();
                    command.args(["load", GUIDE]).stdout(Stdio::null());
                    assert!(command.status().unwrap().success());
                }
            });
        }
    });
    of(&usage(&context), "using-skillflux")["uses"].clone()
}

#[test]
fn no_use_of_many_processes_is_lost() {
    assert_eq!(storm(10, 20), 200);
}

#[test]
#[ignore = "the long form: 10,000 processes, 100 of them at once"]
fn no_use_of_ten_thousand_processes_is_lost() {
    let start = std::time::Instant::now();
    assert_eq!(storm(100, 100), 10_000);
    println!("T13: 100 x 100 loads counted as 10,000 in {} s", start.elapsed().as_secs());
}

/// Many processes load one skill, and every other one is killed at some moment: uses that were acknowledged,
/// that were tried, and that are remembered.
fn killed_storm(workers: u64, loads: u64) -> (u64, u64, u64) {
    let context = TestContext::new();
    let (acknowledged, tried) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for worker in 0..workers {
            let (context, acknowledged, tried) = (&context, &acknowledged, &tried);
            scope.spawn(move || {
                for load in 0..loads {
                    let mut command = context.command();
                    let mut child = command.args(["load", GUIDE]).stdout(Stdio::null()).spawn().unwrap();
                    tried.fetch_add(1, Ordering::Relaxed);
                    if (worker + load) % 2 == 0 {
                        // Spread over the few milliseconds that a run takes.
                        thread::sleep(Duration::from_micros((worker * 7919 + load * 1301) % 9_000));
                        child.kill().unwrap();
                    }
                    acknowledged.fetch_add(u64::from(child.wait().unwrap().success()), Ordering::Relaxed);
                }
            });
        }
    });
    let shown = context.run(["usage", "--all", "--json"]);
    assert_eq!(shown.stderr, "", "the file can always be read");
    assert!(!file(&context).with_extension("json.broken").exists());
    let remembered = of(&shown.json(), "using-skillflux")["uses"].as_u64().unwrap_or(0);
    (acknowledged.into_inner(), tried.into_inner(), remembered)
}

#[test]
fn a_killed_process_costs_no_count_of_others() {
    let (acknowledged, tried, remembered) = killed_storm(10, 20);
    assert!(acknowledged <= remembered && remembered <= tried, "{acknowledged} <= {remembered} <= {tried}");
}

#[test]
#[ignore = "the long form: 10,000 processes, half of them killed"]
fn five_thousand_killed_processes_cost_no_count_of_others() {
    let (acknowledged, tried, remembered) = killed_storm(100, 100);
    println!("T13 with kills: {acknowledged} acknowledged, {tried} tried, {remembered} remembered");
    assert!(acknowledged <= remembered && remembered <= tried, "{acknowledged} <= {remembered} <= {tried}");
}
