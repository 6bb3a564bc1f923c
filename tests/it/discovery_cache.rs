//! Stored search results: when they spare the network, when they stand in for it, and who loses nothing.
//!
//! Time passes by setting back the moment at which a result was stored.

use std::{fs, path::PathBuf, process::Command, thread};

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    context::Ran,
    masks::{lively, masks},
    online::Online,
    servers::{
        collection::skill_text,
        github::now_seconds,
        skills_sh::{Listing, Mood},
    },
};

const MINUTE: i64 = 60_000;
/// Nobody listens here.
const NOWHERE: &str = "http://127.0.0.1:1";

fn harbour() -> Online {
    let mut repositories = Vec::new();
    for owner in ["quarry-works", "small-works"] {
        let repository = lively(&format!("{owner}/sea"));
        repository.file("skills/tide/SKILL.md", skill_text("tide", &format!("Tides by {owner}.")));
        repository.commit("a skill");
        repositories.push(repository);
    }
    Online::new(repositories, vec![Listing::new("quarry-works/sea", "tide", 900)])
}

impl Online {
    fn requests(&self) -> usize {
        self.github.requests().len() + self.skills.requests().len()
    }

    fn discovery_file(&self) -> PathBuf {
        self.context.home().join("skillflux/cache/v1/discovery.json")
    }

    fn stored(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.discovery_file()).unwrap()).unwrap()
    }

    fn stored_entries(&self) -> usize {
        self.stored()["content"]["entries"].as_array().unwrap().len()
    }

    /// Lets so many milliseconds pass for every stored result.
    fn age_by(&self, milliseconds: i64) {
        let mut stored = self.stored();
        for entry in stored["content"]["entries"].as_array_mut().unwrap() {
            let at = entry["stored_ms"].as_i64().unwrap();
            entry["stored_ms"] = json!(at - milliseconds);
        }
        fs::write(self.discovery_file(), stored.to_string()).unwrap();
    }

    fn search(&self, arguments: &[&str]) -> Value {
        document(&self.ran(self.command().args(["search", "tide", "--json"]).args(arguments)))
    }

    fn search_down(&self) -> Ran {
        let mut command = self.command();
        command.env("SKILLS_API_URL", self.skills.url());
        self.ran(self.down(&mut command).args(["search", "tide", "--json"]))
    }

    /// The servers fail each request, at the addresses that they always had.
    fn down<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        self.skills.set(Mood::ServerError);
        let refused = crate::servers::github::Refusal::ServerError.canned(now_seconds());
        self.github.override_path("GET", "/", refused.clone());
        self.github.override_path("POST", "/", refused);
        command
    }
}

fn document(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

fn owners(document: &Value) -> Vec<&str> {
    let results = document["results"].as_array().unwrap();
    results.iter().map(|result| result["source"].as_str().unwrap().split('/').next().unwrap()).collect()
}

fn statuses(document: &Value) -> Vec<(&str, &str)> {
    let sources = document["sources"].as_array().unwrap();
    let pair = |source: &'_ Value| {
        let (name, status) = (&source["source"], &source["status"]);
        (name.as_str().unwrap().to_owned(), status.as_str().unwrap().to_owned())
    };
    let known = ["results", "skills.sh", "github", "repositories", "stored", "ok", "failed", "skipped"];
    let word = |text: String| known.into_iter().find(|known| *known == text).unwrap_or("another");
    sources.iter().map(pair).map(|(name, status)| (word(name), word(status))).collect()
}

#[test]
fn an_identical_second_search_asks_nobody() {
    let online = harbour();
    let first = online.search(&[]);
    let asked = online.requests();
    assert!(asked > 0);
    let second = online.search(&[]);
    assert_eq!(online.requests(), asked);
    assert_eq!((&second["results"], &second["status"]), (&first["results"], &json!("ok")));
    assert_eq!(statuses(&second), [("results", "stored")]);
    // White space and the order of options are no other search; other words and limits are.
    assert_eq!(online.run(["search", " tide  ", "--json"]).json()["results"], first["results"]);
    assert_eq!(online.requests(), asked);
    online.search(&["--limit", "3"]);
    assert!(online.requests() > asked);
    let asked = online.requests();
    online.search(&["--refresh"]);
    assert!(online.requests() > asked, "a person wants to know what is new");
}

#[test]
fn fresh_then_stale_then_expired() {
    let online = harbour();
    let first = online.search(&[]);
    let asked = online.requests();
    online.age_by(4 * MINUTE);
    online.search(&[]);
    assert_eq!(online.requests(), asked, "4 of 5 minutes are fresh");
    online.age_by(2 * MINUTE);
    assert_eq!(statuses(&online.search(&[])), [("skills.sh", "ok"), ("github", "ok")]);
    let asked_again = online.requests();
    assert!(asked_again > asked, "what is stale is asked for again");
    // The new result replaced the old one.
    online.search(&[]);
    assert_eq!(online.requests(), asked_again);
    online.age_by(6 * MINUTE);
    let stale = online.search_down();
    assert_eq!(stale.code, 0, "{stale:?}");
    let stale = document(&stale);
    assert_eq!((&stale["results"], &stale["authoritative"]), (&first["results"], &json!(false)));
    assert_eq!(stale["status"], "partial");
    assert_eq!(statuses(&stale), [("results", "stored"), ("skills.sh", "failed"), ("github", "failed")]);
    online.age_by(48 * 60 * MINUTE);
    let expired = online.search_down();
    assert_eq!(expired.code, 3, "{expired:?}");
    assert_eq!(document(&expired)["status"], "failed");
}

#[test]
fn what_is_stale_can_be_read_offline_and_is_not_whole() {
    let online = harbour();
    let first = online.search(&[]);
    let asked = online.requests();
    let fresh = online.search(&["--offline"]);
    assert_eq!((&fresh["status"], &fresh["results"]), (&json!("ok"), &first["results"]));
    online.age_by(6 * MINUTE);
    let stale = online.search(&["--offline"]);
    assert_eq!(stale["results"], first["results"]);
    assert_eq!((&stale["status"], &stale["authoritative"]), (&json!("partial"), &json!(false)), "{stale:#}");
    online.age_by(48 * 60 * MINUTE);
    let expired = online.ran(online.command().args(["search", "tide", "--offline", "--json"]));
    assert_eq!((expired.code, &document(&expired)["status"]), (6, &json!("offline")));
    assert_eq!(online.requests(), asked);
}

#[test]
fn lifetimes_are_settings() {
    let online = harbour();
    let search = |variable: &str, value: &str| {
        let mut command = online.command();
        document(&online.ran(command.env(variable, value).args(["search", "tide", "--json"])))
    };
    search("SKILLFLUX_REMOTE_CACHE_TTL_MS", "0");
    assert!(!online.discovery_file().exists(), "0 keeps nothing");
    online.search(&[]);
    let asked = online.requests();
    search("SKILLFLUX_REMOTE_CACHE_TTL_MS", "0");
    assert!(online.requests() > asked, "0 uses nothing");
    online.age_by(6 * MINUTE);
    let mut command = online.command();
    let down = online.down(&mut command);
    let ran = online
        .ran(down.env("SKILLFLUX_REMOTE_CACHE_STALE_IF_ERROR_MS", "0").args(["search", "tide", "--json"]));
    assert_eq!((ran.code, &document(&ran)["status"]), (3, &json!("failed")), "{ran:?}");
}

#[test]
fn that_nothing_fits_is_kept_too() {
    let online = harbour();
    let search = || online.ran(online.command().args(["search", "zeppelin", "--json"]));
    let first = search();
    assert_eq!((first.code, &document(&first)["status"]), (1, &json!("empty")));
    let asked = online.requests();
    let second = search();
    assert_eq!((second.code, &document(&second)["status"]), (1, &json!("empty")));
    assert_eq!(online.requests(), asked);
}

#[test]
fn a_partial_result_is_kept_only_where_there_is_none() {
    let online = harbour();
    online.skills.set(Mood::ServerError);
    let partial = online.search(&[]);
    assert_eq!((&partial["status"], owners(&partial).len()), (&json!("partial"), 2));
    let asked = online.requests();
    online.age_by(30_000);
    let again = online.search(&[]);
    assert_eq!((&again["status"], &again["authoritative"]), (&json!("partial"), &json!(false)));
    assert_eq!((online.requests(), owners(&again).len()), (asked, 2));
    online.age_by(31_000);
    online.search(&[]);
    assert!(online.requests() > asked, "who did not answer is asked again after a minute");
    online.skills.set(Mood::Well);
    let whole = online.search(&["--refresh"]);
    assert_eq!(whole["status"], "ok");
    online.skills.set(Mood::ServerError);
    assert_eq!(online.search(&["--refresh"])["status"], "partial");
    assert_eq!(online.search(&[])["status"], "ok", "the whole result stays");
}

#[test]
fn a_source_that_fails_often_is_left_alone_and_a_person_is_told() {
    let online = harbour();
    let _masks = masks(&online);
    online.skills.set(Mood::ServerError);
    for _ in 0..3 {
        let document = online.search(&["--refresh"]);
        assert_eq!(statuses(&document), [("skills.sh", "failed"), ("github", "ok")]);
    }
    let asked = online.skills.requests().len();
    let ran = online.run(["search", "tide", "--refresh"]);
    assert_eq!(online.skills.requests().len(), asked);
    assert_eq!(ran.code, 0);
    assert_snapshot!(ran.stdout, @"
     78  tide  quarry-works/sea
         Tides by quarry-works.
         community, 40 stars, pushed [DAY]
         skillflux mount [ID]  quarry-works/sea//skills/tide at [SHORT]
     78  tide  small-works/sea
         Tides by small-works.
         community, 40 stars, pushed [DAY]
         skillflux mount [ID]  small-works/sea//skills/tide at [SHORT]
    incomplete: skills.sh skipped: it failed several times and is asked again at [TIME]
    ");
    assert_snapshot!(online.run(["discovery-cache"]).stdout, @"
    stored searches  1 fresh (1.2 KiB in [HOME]/skillflux/cache/v1/discovery.json)
    skills.sh        3 failures in a row, left alone until [TIME], last: failed
    github           well
    ");
    assert_snapshot!(online.run(["discovery-cache", "status", "--json"]).stdout, @r#"
    {
      "schema": "skillflux.discovery-cache/1",
      "file": "[HOME]/skillflux/cache/v1/discovery.json",
      "searches": {
        "fresh": 1
      },
      "bytes": 1319,
      "sources": [
        {
          "source": "skills.sh",
          "failures": 3,
          "left_alone_until": "[TIME]",
          "last_error": "failed"
        },
        {
          "source": "github",
          "failures": 0
        }
      ]
    }
    "#);
    // What was kept goes, and so does the memory of failures.
    online.skills.set(Mood::Well);
    assert_snapshot!(online.run(["discovery-cache", "clean"]).stdout, @"removed 1 stored search and 0 kept answers");
    assert_eq!(statuses(&online.search(&[])), [("skills.sh", "ok"), ("github", "ok")]);
    assert_snapshot!(online.run(["discovery-cache", "clean", "--json"]).stdout, @r#"
    {
      "schema": "skillflux.discovery-cache-clean/1",
      "searches": 1,
      "answers": 0
    }
    "#);
    assert_snapshot!(online.run(["discovery-cache"]).stdout, @"stored searches  none (0 bytes in [HOME]/skillflux/cache/v1/discovery.json)");
}

#[test]
fn eight_processes_at_once_lose_no_result() {
    let online = harbour();
    let words = ["tide", "sea", "works", "quarry", "small", "by", "steps", "tides"];
    thread::scope(|scope| {
        for word in words {
            let online = &online;
            scope.spawn(move || {
                let ran = online.run(["search", word, "--json"]);
                assert!(ran.code == 0 || ran.code == 1, "{word}: {ran:?}");
            });
        }
    });
    assert_eq!(online.stored_entries(), words.len());
}

#[test]
fn a_spoilt_file_never_breaks_a_search() {
    let online = harbour();
    online.search(&[]);
    let good = online.stored();
    let mut odd_entry = good.clone();
    odd_entry["content"]["entries"][0]["candidates"][0]["candidate"]["repository"] = json!("../..");
    let mut hostile = good.clone();
    hostile["content"]["entries"][0]["candidates"][0]["candidate"]["name"] = json!("\u{1b}[31mred");
    let spoilt = [
        String::new(),
        "{".to_owned(),
        "[]".to_owned(),
        r#"{"version":1}"#.to_owned(),
        r#"{"version":0,"content":{"entries":[]}}"#.to_owned(),
        r#"{"version":1,"content":{"entries":[1,{},{"key":1}]}}"#.to_owned(),
        odd_entry.to_string(),
        hostile.to_string(),
        "[".repeat(100_000),
    ];
    for text in spoilt {
        fs::write(online.discovery_file(), &text).unwrap();
        for arguments in [&["search", "tide"][..], &["discovery-cache", "status"]] {
            let ran = online.run(arguments);
            assert_eq!(ran.code, 0, "{arguments:?} {ran:?} {:?}", text.get(..200));
            assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "{ran:?}");
        }
    }
}

#[test]
fn the_file_of_a_newer_release_is_left_alone() {
    let online = harbour();
    online.search(&[]);
    let newer = r#"{"version":2,"content":{"entries":"of another kind"}}"#;
    fs::write(online.discovery_file(), newer).unwrap();
    for arguments in [&["search", "tide"][..], &["search", "tide"], &["discovery-cache"]] {
        let ran = online.run(arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    assert_eq!(fs::read_to_string(online.discovery_file()).unwrap(), newer);
}

#[test]
fn trust_that_changes_acts_on_what_is_stored() {
    let online = harbour();
    let first = online.search(&[]);
    assert_eq!(owners(&first).len(), 2);
    let asked = online.requests();
    let search = |variable: &str, value: &str| {
        let mut command = online.command();
        document(&online.ran(command.env(variable, value).args(["search", "tide", "--json"])))
    };
    let strict = search("SKILLFLUX_REMOTE_TRUST_POLICY", "corroborated");
    assert_eq!(owners(&strict), ["quarry-works"]);
    assert_eq!(strict["rejected"], json!({ "below remoteTrustPolicy": 1 }));
    let trusted = search("SKILLFLUX_REMOTE_TRUSTED_OWNERS", "small-works");
    let level =
        |document: &Value| {
            document["results"].as_array().unwrap().iter().find_map(|result| {
                (result["source"] == "small-works/sea").then(|| result["evidence"].clone())
            })
        };
    assert_eq!(level(&trusted), Some(json!("trusted")));
    assert_eq!(level(&first), Some(json!("community")));
    assert_eq!(online.requests(), asked, "the stored result is judged anew");
    let blocked = search("SKILLFLUX_REMOTE_BLOCKED_OWNERS", "small-works");
    assert_eq!(owners(&blocked), ["quarry-works"]);
}

#[test]
fn another_host_has_results_of_its_own() {
    let online = harbour();
    online.search(&[]);
    let mut command = online.command();
    command.env("SKILLS_API_URL", NOWHERE).env("GITHUB_API_URL", NOWHERE);
    let ran = online.ran(command.args(["search", "tide", "--json"]));
    assert_eq!(ran.code, 3, "{ran:?}");
}
