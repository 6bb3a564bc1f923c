//! What `search` sends: the requests that `--dry-run` prints and no others, and no source waits for another.

use std::{collections::BTreeSet, process::Command, time::Instant};

use insta::assert_snapshot;
use serde_json::Value;

use crate::{
    context::write,
    masks::{lively, masks},
    online::{Online, TOKEN},
    servers::{
        collection::skill_text,
        faults::{Fault, FaultProxy},
        skills_sh::Listing,
        traffic::Seen,
    },
};

fn harbour() -> Online {
    let repository = lively("quarry-works/sea");
    repository.file("skills/tide/SKILL.md", skill_text("tide", "Forecasts tides & currents."));
    repository.file("skills/tide-log/SKILL.md", skill_text("tide-log", "Writes the log of a tide."));
    repository.commit("two skills");
    Online::new(vec![repository], vec![Listing::new("quarry-works/sea", "tide", 900)])
}

/// Method, address and the headers that the plan names of a request that a server saw.
fn told(seen: &Seen, base: &str, planned: &Value) -> String {
    let mut told = format!("{} {base}{}\n", seen.method, seen.path_and_query);
    for (name, _) in planned["headers"].as_object().unwrap() {
        let value = seen
            .headers
            .get(name)
            .map_or("", String::as_str)
            .replace(&format!("Bearer {TOKEN}"), "[redacted]");
        told.push_str(&format!("{name}: {value}\n"));
    }
    told
}

fn planned_lines(planned: &Value) -> String {
    let mut told = format!("{} {}\n", planned["method"].as_str().unwrap(), planned["url"].as_str().unwrap());
    for (name, value) in planned["headers"].as_object().unwrap() {
        told.push_str(&format!("{name}: {}\n", value.as_str().unwrap()));
    }
    told
}

/// Compares the plan of a search with what the same search then sends.
fn plan_and_search(online: &Online, command: impl Fn() -> Command) {
    let plan = online.ran(command().args(["--dry-run", "--json"])).json();
    assert!(online.github.requests().is_empty() && online.skills.requests().is_empty());
    assert!(!online.context.home().join("skillflux/cache").exists(), "a plan writes nothing");
    assert_eq!(online.ran(command().arg("--json")).code, 0);
    let requests = plan["requests"].as_array().unwrap();
    let (first, then): (Vec<_>, Vec<_>) = requests.iter().partition(|one| one["source"] != "repositories");
    let (api, skills) = (online.github.url(), online.skills.url());
    let seen_by_both = online.skills.requests().into_iter().map(|seen| (skills.clone(), seen));
    let seen_by_both: Vec<_> =
        seen_by_both.chain(online.github.requests().into_iter().map(|seen| (api.clone(), seen))).collect();
    let mut unplanned = Vec::new();
    let mut missing: Vec<&Value> = first;
    for (base, seen) in seen_by_both {
        match missing.iter().position(|planned| planned_lines(planned) == told(&seen, &base, planned)) {
            Some(index) => drop(missing.remove(index)),
            None => unplanned.push(format!("{} {base}{}", seen.method, seen.path_and_query)),
        }
    }
    assert!(missing.is_empty(), "planned and not sent: {missing:#?}, sent instead: {unplanned:?}");
    let follow_ups: BTreeSet<String> = then
        .iter()
        .map(|planned| {
            format!("{} {}", planned["method"].as_str().unwrap(), planned["url"].as_str().unwrap())
        })
        .map(|line| line.replace("OWNER", "quarry-works").replace("REPO", "sea"))
        .collect();
    assert!(unplanned.iter().all(|line| follow_ups.contains(line)), "{unplanned:?} of {follow_ups:?}");
    assert_eq!(unplanned.len(), follow_ups.len());
}

#[test]
fn a_plan_names_what_is_sent_and_sends_nothing() {
    let online = harbour();
    plan_and_search(&online, || {
        let mut command = online.command();
        command.args(["search", "tide", "ghp_Zx9Qw3Er7Ty1Ui5Op2As"]);
        command
    });
    let online = harbour();
    plan_and_search(&online, || {
        let mut command = online.anonymous();
        command.args(["search", "tide & more", "--limit", "7"]);
        command
    });
    let online = harbour();
    plan_and_search(&online, || {
        let mut command = online.command();
        command.args(["search", "tide", "--source", "github"]);
        command
    });
}

#[test]
fn a_plan_for_a_person() {
    let online = harbour();
    let _masks = masks(&online);
    let ran = online.run(["search", "tide", "log", "ghp_Zx9Qw3Er7Ty1Ui5Op2As", "--dry-run"]);
    assert_snapshot!(ran.snapshot(), @"
    exit code 0
    --- stdout
    query tide log
    1 word is not sent, because it looks like a secret

    skills.sh listings of skills.sh, with their installations
    GET [SKILLS]/api/search?q=tide%20log&limit=10
      accept: application/json
      user-agent: skillflux/[VERSION]

    github `SKILL.md` files that GitHub's code search finds
    GET [API]/search/code?q=filename%3ASKILL.md%20tide%20log&per_page=10
      accept: application/vnd.github+json
      authorization: [redacted]
      user-agent: skillflux/[VERSION]
      x-github-api-version: [DAY]

    github `SKILL.md` files that GitHub's code search finds
    GET [API]/search/code?q=filename%3ASKILL.md%20path%3Atide-log&per_page=10
      accept: application/vnd.github+json
      authorization: [redacted]
      user-agent: skillflux/[VERSION]
      x-github-api-version: [DAY]

    repositories then, at most 1: stars, licence, owner and newest commit of every repository found, and the `SKILL.md` of each skill found; only names of repositories and paths are sent
    POST [API]/graphql
    --- stderr
    ");
    let ran = online.run(["search", "ghp_Zx9Qw3Er7Ty1Ui5Op2As", "--dry-run"]);
    assert_snapshot!(ran.snapshot(), @"
    exit code 0
    --- stdout
    nothing would be sent: no word of the query is left
    --- stderr
    ");
    let ran = online.ran(online.anonymous().args(["search", "tide", "--dry-run", "--source", "github"]));
    assert_snapshot!(ran.snapshot(), @"
    exit code 0
    --- stdout
    query tide
    nothing would be sent: no remote source can be asked
    --- stderr
    ");
    assert!(online.github.requests().is_empty() && online.skills.requests().is_empty());
}

#[test]
fn a_source_that_hangs_delays_the_others_until_its_own_deadline_only() {
    let online = harbour();
    for stalled in ["SKILLS_API_URL", "GITHUB_API_URL"] {
        let (upstream, path) = match stalled {
            "SKILLS_API_URL" => (online.skills.url(), "/api/search"),
            _ => (online.github.url(), "/search/code"),
        };
        let proxy = FaultProxy::start(&upstream, Fault::StallHeaders, path);
        let mut command = online.command();
        command.env(stalled, proxy.url()).env("SKILLFLUX_REMOTE_SEARCH_TIMEOUT_MS", "1500");
        let begun = Instant::now();
        let document = online.ran(command.args(["search", "tide", "--json"])).json();
        assert!(begun.elapsed().as_millis() < 2500, "{:?}", begun.elapsed());
        assert_eq!(document["status"], "partial", "{document:#}");
        let results = document["results"].as_array().unwrap();
        assert!(results.iter().any(|one| one["name"] == "tide" && one["mountable"] == true), "{document:#}");
    }
}

#[test]
fn what_skills_are_here_is_listed_although_nothing_answers() {
    let online = harbour();
    let root = online.context.user_root();
    write(&root.join("tide-log/SKILL.md"), skill_text("tide-log", "Writes the log of a tide."));
    let mut command = online.command();
    command.env("SKILLS_API_URL", "http://127.0.0.1:1").env("GITHUB_API_URL", "http://127.0.0.1:1");
    let ran = online.ran(command.args(["search", "tide"]));
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("tide-log") && ran.stdout.contains("incomplete: github failed"), "{ran:?}");
    let offline = online.run(["search", "tide", "--offline"]);
    assert!(offline.code == 0 && offline.stdout.contains("tide-log"), "{offline:?}");
}
