//! `search` when a source fails: what a person is told, and that nothing of the others is hidden.

use insta::assert_snapshot;
use serde_json::json;

use crate::{
    masks::masks,
    online::Online,
    search::{document, harbour, names, result},
    servers::{
        github::{Canned, Refusal, now_seconds},
        skills_sh::{Listing, Mood},
    },
};

#[test]
fn offline_empty_limited_and_unauthorised_are_told_apart() {
    let mut told = String::new();
    let mut texts = std::collections::BTreeSet::new();
    for (code, state, play) in [
        (6, "offline", "offline"),
        (1, "empty", "empty"),
        (7, "rate-limited", "limit"),
        (8, "unauthorised", "token"),
        (3, "failed", "down"),
    ] {
        let online = Online::new(Vec::new(), vec![Listing::new("a/b", "tide", 1)]);
        online.skills.set(Mood::Empty);
        let mut command = online.command();
        command.args(["search", "tide", "forecast"]);
        match play {
            "offline" => drop(command.arg("--offline")),
            "limit" => online.github.set_remaining(0),
            "token" => drop(command.env("GITHUB_TOKEN", "gone")),
            "down" => {
                command
                    .env("SKILLS_API_URL", "http://127.0.0.1:1")
                    .env("GITHUB_API_URL", "http://127.0.0.1:1");
            }
            _ => {}
        }
        let ran = online.ran(&mut command);
        assert_eq!(ran.code, code, "{play}: {ran:?}");
        assert!(texts.insert(ran.stdout.clone()));
        let _masks = masks(&online);
        told.push_str(&format!("{state}:\n{}\n", ran.snapshot()));
        let as_json = online.ran(command.arg("--json"));
        assert_eq!(as_json.code, code, "{as_json:?}");
        let document = document(&as_json);
        assert_eq!(document["status"], state, "{document:#}");
        assert_eq!(document["authoritative"], state == "empty");
    }
    insta::with_settings!({filters => vec![(r"20\d\d-\d\d-\d\dT[0-9:.]+Z", "[TIME]"), (r"127\.0\.0\.1:\d+", "[HOST]")]}, {
        assert_snapshot!(told, @"
        offline:
        exit code 6
        --- stdout
        nothing on this machine fits, and skillflux is offline
        incomplete: skills.sh offline
        incomplete: github offline
        --- stderr

        empty:
        exit code 1
        --- stdout
        no skill fits
        --- stderr

        rate-limited:
        exit code 7
        --- stdout
        nothing on this machine fits, and the sources limit requests
        incomplete: github rate-limited: no request is left in the rate limit of `[HOST]`; try again at [TIME]
        --- stderr

        unauthorised:
        exit code 8
        --- stdout
        nothing on this machine fits, and a source wants a valid token
        incomplete: github unauthorised: `[HOST]` refuses the request without a valid token; the token in GITHUB_TOKEN or GH_TOKEN is refused; renew it, or unset it
        --- stderr

        failed:
        exit code 3
        --- stdout
        nothing on this machine fits, and no source answered
        incomplete: skills.sh failed: no connection to `[HOST]`: Connection refused (os error 111)
        incomplete: github failed: no connection to `[HOST]`: Connection refused (os error 111)
        --- stderr
        ");
    });
}

#[test]
fn one_broken_source_hides_nothing_of_the_others() {
    for mood in Mood::ALL.iter().copied().filter(|mood| *mood != Mood::Well) {
        let online = harbour();
        online.skills.set(mood);
        let ran = online.run(["search", "tide", "forecast", "--json"]);
        let document = ran.json();
        assert!(names(&document).contains(&"tide-forecast"), "{mood:?}: {document:#}");
        // Every field of a listing may be missing.
        let is_whole = matches!(mood, Mood::Empty | Mood::MissingFields);
        assert_eq!(document["status"], if is_whole { "ok" } else { "partial" }, "{mood:?}: {document:#}");
        assert_eq!(document["authoritative"], is_whole, "{mood:?}");
    }
    for refusal in Refusal::ALL {
        let online = harbour();
        online.github.override_path("GET", "/search/code", refusal.canned(now_seconds()));
        let document = online.run(["search", "tide", "forecast", "--json"]).json();
        assert!(names(&document).contains(&"tide-forecast"), "{refusal:?}: {document:#}");
        assert_eq!(document["status"], "partial", "{refusal:?}");
    }
}

#[test]
fn what_github_does_not_say_leaves_the_listings_and_says_why() {
    let online = harbour();
    let _masks = masks(&online);
    let nonsense = Canned::json(200, &json!({ "data": 7 }));
    online.github.override_path("POST", "/graphql", nonsense);
    let found = online.run(["search", "tide", "forecast", "--json"]).json();
    let unknown = result(&found, "tide-forecast");
    assert_eq!((&unknown["mountable"], &unknown["obstacle"]), (&json!(false), &json!("repository-unknown")));
    assert_eq!(result(&found, "tide-watch")["obstacle"], "not-on-github");
    let ran = online.run(["mount", "--yes", unknown["id"].as_str().unwrap()]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.stderr.contains("skillflux mount quarry-works/sea@tide-forecast"), "{ran:?}");
    let ran = online.run(["search", "tide", "forecast", "--refresh"]);
    assert_snapshot!(ran.snapshot(), @"
    exit code 0
    --- stdout
     71  tide-forecast  quarry-works/sea
         unverified, 900 installs
         mind: content-not-previewed, activity-unknown, license-missing
         cannot be mounted now: nothing is known of its repository
     28  tide-watch  tides.example.com
         unverified, 12 installs
         mind: content-not-previewed, activity-unknown, license-missing
         cannot be mounted: its source is not a repository on GitHub
    incomplete: repositories failed: the JSON of `[API]` cannot be read: another shape than expected at line 1 column 9
    --- stderr
    ");
}
