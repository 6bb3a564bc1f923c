//! `search` against loopback servers: one list of local, stored and remote skills, what a failing source
//! changes, and what a person is told.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    context::{Ran, add_skill},
    masks::{lively, masks},
    online::Online,
    servers::{collection::skill_text, repository::Repository, skills_sh::Listing},
};

pub(crate) const DESCRIPTION: &str = "Forecasts tides for harbours. Use when a tide table is needed.";

/// A repository with one skill.
pub(crate) fn with_skill(repository: &str, skill: &str, description: &str) -> Repository {
    let repository = lively(repository);
    repository.file(&format!("skills/{skill}/SKILL.md"), skill_text(skill, description)).commit("a skill");
    repository
}

/// Two repositories on GitHub, of which skills.sh lists one, and a listing elsewhere.
pub(crate) fn harbour() -> Online {
    let popular = with_skill("quarry-works/sea", "tide-forecast", DESCRIPTION);
    popular.set(|facts| {
        facts.owner_type = "Organization";
        facts.stars = 1200;
    });
    let fresh = with_skill("nobody/tides", "tide", "Anything about a tide.");
    fresh.set(|facts| {
        (facts.stars, facts.forks, facts.licence) = (0, 0, None);
    });
    let listings = vec![
        Listing::new("quarry-works/sea", "tide-forecast", 900),
        Listing::new("tides.example.com", "tide-watch", 12),
    ];
    Online::new(vec![popular, fresh], listings)
}

pub(crate) fn names(document: &Value) -> Vec<&str> {
    let results = document["results"].as_array().unwrap();
    results.iter().map(|result| result["name"].as_str().unwrap()).collect()
}

pub(crate) fn result<'a>(document: &'a Value, name: &str) -> &'a Value {
    let results = document["results"].as_array().unwrap();
    let found = results.iter().find(|result| result["name"] == name);
    found.unwrap_or_else(|| panic!("`{name}` is not in {document:#}"))
}

/// Standard output as JSON, whatever the exit code.
pub(crate) fn document(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[test]
fn local_stored_and_remote_skills_stand_in_one_list() {
    let online = harbour();
    let _masks = masks(&online);
    add_skill(&online.context.user_root(), "tide-log", "Writes a log of the tide.");
    let mounted = online.run(["mount", "--yes", "nobody/tides//skills/tide"]);
    assert_eq!(mounted.code, 0, "{mounted:?}");
    assert_snapshot!(online.run(["search", "tide", "forecast"]).snapshot(), @"
    exit code 0
    --- stdout
    100  tide-forecast  quarry-works/sea
         Forecasts tides for harbours. Use when a tide table is needed.
         corroborated, 900 installs, 1200 stars, pushed [DAY]
         skillflux mount [ID]  quarry-works/sea//skills/tide-forecast at [SHORT]
     91  tide  nobody/tides
         Anything about a tide.
         community
         stored: [HOME]/skillflux/cache/v1/store/45/[DIGEST]/tree/SKILL.md
     55  tide-log  ~/.claude/skills
         Writes a log of the tide.
         on this machine: [HOME]/.claude/skills/tide-log/SKILL.md
     30  tide-watch  tides.example.com
         unverified, 12 installs
         mind: content-not-previewed, activity-unknown, license-missing
         cannot be mounted: its source is not a repository on GitHub
    --- stderr
    ");
}

#[test]
#[expect(clippy::too_many_lines, reason = "the snapshot is the test")]
fn the_document_of_a_search() {
    let online = harbour();
    let _masks = masks(&online);
    let ran = online.run(["search", "tide", "forecast", "--limit", "2", "--json"]);
    assert_snapshot!(ran.stdout, @r#"
    {
      "schema": "skillflux.search/1",
      "query": "tide forecast",
      "withheld": 0,
      "status": "ok",
      "authoritative": true,
      "results": [
        {
          "id": "[ID]",
          "name": "tide-forecast",
          "description": "Forecasts tides for harbours. Use when a tide table is needed.",
          "origin": "remote",
          "source": "quarry-works/sea",
          "score": 100,
          "relevance": 100,
          "quality": {
            "relevance": 55,
            "adoption": 12,
            "repository": 13,
            "freshness": 10,
            "trust": 5,
            "provenance": 8
          },
          "evidence": "corroborated",
          "signals": [
            "cross-source",
            "content-pinned",
            "recent-activity",
            "declared-license",
            "organization-owned",
            "market-adoption",
            "repository-adoption"
          ],
          "warnings": [],
          "mountable": true,
          "stored": false,
          "pin": {
            "host": "[GIT]",
            "repository": "quarry-works/sea",
            "repository_id": 553520354,
            "commit": "[COMMIT]",
            "path": "skills/tide-forecast"
          },
          "offered_by": [
            "skills.sh",
            "github"
          ],
          "installs": 900,
          "stars": 1200,
          "pushed": "[DAY]",
          "folded": false
        },
        {
          "id": "[ID]",
          "name": "tide-watch",
          "description": "tide-watch",
          "origin": "remote",
          "source": "tides.example.com",
          "score": 30,
          "relevance": 13,
          "quality": {
            "relevance": 26,
            "adoption": 4,
            "repository": 0,
            "freshness": 0,
            "trust": 0,
            "provenance": 0
          },
          "evidence": "unverified",
          "signals": [
            "market-adoption"
          ],
          "warnings": [
            "single-source",
            "content-not-previewed",
            "activity-unknown",
            "license-missing"
          ],
          "mountable": false,
          "obstacle": "not-on-github",
          "stored": false,
          "offered_by": [
            "skills.sh"
          ],
          "installs": 12,
          "folded": false
        }
      ],
      "sources": [
        {
          "source": "skills.sh",
          "status": "ok",
          "found": 2
        },
        {
          "source": "github",
          "status": "ok",
          "found": 1
        }
      ],
      "rejected": {}
    }
    "#);
}

#[test]
fn a_common_word_for_a_name_is_warned_of() {
    let online = harbour();
    let document = online.run(["search", "tide", "--json"]).json();
    let squatter = result(&document, "tide");
    let warnings = squatter["warnings"].as_array().unwrap();
    assert!(warnings.contains(&json!("bare-name-match")), "{squatter:#}");
    let popular = result(&document, "tide-forecast");
    assert!(!popular["warnings"].as_array().unwrap().contains(&json!("bare-name-match")), "{popular:#}");
}

#[test]
fn a_listing_outside_github_is_shown_and_cannot_be_mounted() {
    let online = harbour();
    let _masks = masks(&online);
    let document = online.run(["search", "tide", "--json"]).json();
    let elsewhere = result(&document, "tide-watch");
    assert_eq!((&elsewhere["mountable"], &elsewhere["source"]), (&json!(false), &json!("tides.example.com")));
    assert_eq!(names(&document).last(), Some(&"tide-watch"), "what can be mounted comes first");
    let before = online.github.requests().len();
    let ran = online.run(["mount", "--yes", elsewhere["id"].as_str().unwrap()]);
    assert_snapshot!(ran.snapshot(), @"
    exit code 5
    --- stdout
    --- stderr
    error: `tide-watch` of `tides.example.com` cannot be mounted: it is no repository on GitHub

    hint: only skills of repositories can be pinned and verified
    ");
    assert_eq!(online.github.requests().len(), before);
}

#[test]
fn copies_are_counted_and_an_owner_has_three_places() {
    let mut repositories: Vec<Repository> = (1..=5)
        .map(|number| {
            let description = format!("Tide tables, part {number}.");
            with_skill(&format!("tide-corp/part-{number}"), &format!("tide-part-{number}"), &description)
        })
        .collect();
    for owner in ["first", "second", "third"] {
        repositories.push(with_skill(&format!("{owner}-copier/skills"), "tide-copy", "A copied tide."));
    }
    let online = Online::new(repositories, Vec::new());
    let _masks = masks(&online);
    let search = ["search", "tide", "--limit", "10"];
    let document = online.run(search.iter().chain(&["--json"])).json();
    let copy = result(&document, "tide-copy");
    assert_eq!(copy["copies"].as_array().map(Vec::len), Some(2), "{copy:#}");
    let folded: Vec<bool> =
        document["results"].as_array().unwrap().iter().map(|one| one["folded"] == true).collect();
    assert_eq!(folded, [false, false, false, false, true, true], "{document:#}");
    assert_snapshot!(online.run(search).stdout, @"
     71  tide-copy  first-copier/skills
         A copied tide.
         community, 40 stars, pushed [DAY], 2 copies elsewhere
         skillflux mount [ID]  first-copier/skills//skills/tide-copy at [SHORT]
     71  tide-part-1  tide-corp/part-1
         Tide tables, part 1.
         community, 40 stars, pushed [DAY]
         skillflux mount [ID]  tide-corp/part-1//skills/tide-part-1 at [SHORT]
     71  tide-part-2  tide-corp/part-2
         Tide tables, part 2.
         community, 40 stars, pushed [DAY]
         skillflux mount [ID]  tide-corp/part-2//skills/tide-part-2 at [SHORT]
     71  tide-part-3  tide-corp/part-3
         Tide tables, part 3.
         community, 40 stars, pushed [DAY]
         skillflux mount [ID]  tide-corp/part-3//skills/tide-part-3 at [SHORT]
    2 further results of the same owners; --all lists them
    results from the store: of [TIME]
    ");
    let all = online.run(search.iter().chain(&["--all", "--json"])).json();
    let results = all["results"].as_array().unwrap();
    assert!(results.len() == 6 && results.iter().all(|one| one["folded"] == false), "{all:#}");
}

#[test]
fn what_is_not_listed_is_counted_by_its_reason() {
    let archived = with_skill("old-works/tides", "tide-old", "An old tide.");
    archived.set(|facts| facts.archived = true);
    let unknown = with_skill("small-works/tides", "tide-small", "A small tide.");
    unknown.set(|facts| facts.stars = 3);
    let repositories = vec![archived, unknown, with_skill("quarry-works/sea", "tide-forecast", DESCRIPTION)];
    let online = Online::new(repositories, vec![Listing::new("bad-works/tides", "tide-bad", 5)]);
    let mut command = online.command();
    command.env("SKILLFLUX_REMOTE_MIN_STARS", "10").args(["search", "tide"]);
    let _masks = masks(&online);
    assert_snapshot!(online.ran(&mut command).snapshot(), @"
    exit code 0
    --- stdout
     71  tide-forecast  quarry-works/sea
         Forecasts tides for harbours. Use when a tide table is needed.
         community, 40 stars, pushed [DAY]
         skillflux mount [ID]  quarry-works/sea//skills/tide-forecast at [SHORT]
    not listed: 1 archived, 1 too few stars
    --- stderr
    ");
    let document = online.ran(command.arg("--json")).json();
    assert_eq!(document["rejected"], json!({ "archived": 1, "too few stars": 1 }));
}

#[test]
fn trusted_and_blocked_owners_and_every_policy() {
    let online = harbour();
    let search = |variables: &[(&str, &str)]| {
        let mut command = online.command();
        command.envs(variables.iter().copied()).args(["search", "tide", "--json"]);
        document(&online.ran(&mut command))
    };
    let policy = |word: &'static str| search(&[("SKILLFLUX_REMOTE_TRUST_POLICY", word)]);
    let open = policy("open");
    assert_eq!(names(&open), ["tide-forecast", "tide", "tide-watch"]);
    assert_eq!(result(&open, "tide-forecast")["evidence"], "corroborated");
    assert_eq!(result(&open, "tide")["evidence"], "community");
    assert_eq!(names(&policy("community")), ["tide-forecast", "tide", "tide-watch"]);
    let corroborated = policy("corroborated");
    assert_eq!(names(&corroborated), ["tide-forecast", "tide-watch"]);
    assert_eq!(corroborated["rejected"], json!({ "below remoteTrustPolicy": 1 }));
    assert_eq!(names(&policy("trusted")), ["tide-watch"]);
    let trusting = search(&[
        ("SKILLFLUX_REMOTE_TRUST_POLICY", "trusted"),
        ("SKILLFLUX_REMOTE_TRUSTED_OWNERS", "nobody"),
    ]);
    assert_eq!(result(&trusting, "tide")["evidence"], "trusted");
    assert_eq!(names(&trusting), ["tide", "tide-watch"]);
    let before = online.github.requests().len();
    let blocking = search(&[("SKILLFLUX_REMOTE_BLOCKED_OWNERS", "Nobody")]);
    assert!(!names(&blocking).contains(&"tide"), "{blocking:#}");
    let asked = &online.github.requests()[before..];
    assert!(asked.iter().all(|seen| !seen.path_and_query.contains("nobody")), "{asked:?}");
}

#[test]
fn a_secret_in_the_query_reaches_no_server() {
    let long = "Zx9Qw3Er7Ty1Ui5Op2As";
    let secrets = [
        format!("ghp_{long}{long}"),
        format!("github_pat_11{long}_{long}"),
        format!("sk-proj-{long}"),
        format!("xoxb-{long}"),
        format!("AKIA{}", "ABCDEFGHIJKL2345"),
        format!("AIza{long}{long}"),
        format!("eyJhbGciOi{long}.eyJzdWIi{long}.{long}"),
        format!("https://user:{long}@host.example/x"),
        format!("(see:ghp_{long})"),
        format!("潮汐ghp_{long}表"),
        format!("password={long}"),
        "d41d8cd98f00b204e9800998ecf8427e".to_owned(),
    ];
    let online = harbour();
    for secret in &secrets {
        let ran = online.run(["search", "tide", secret, "forecast", "--json"]);
        let document = ran.json();
        assert_eq!(document["withheld"], 1, "{secret}: {document:#}");
        assert!(!ran.stdout.contains(long) && !ran.stderr.contains(long), "{secret}: {ran:?}");
    }
    let seen = online.skills.requests().into_iter().chain(online.github.requests());
    let sent: Vec<String> = seen.map(|seen| format!("{} {:?}", seen.path_and_query, seen.headers)).collect();
    let sent = sent.join("\n");
    assert!(sent.contains("tide") && !sent.contains(long) && !sent.contains("d41d8cd98f"), "{sent}");
    assert!(!sent.contains("ABCDEFGHIJKL2345"), "{sent}");
    let file = online.context.home().join("skillflux/cache/v1/discovery.json");
    let kept = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert!(!kept.contains(long));
}

#[test]
fn a_query_of_secrets_alone_sends_nothing() {
    let online = harbour();
    let ran = online.run(["search", "ghp_Zx9Qw3Er7Ty1Ui5Op2As"]);
    assert_snapshot!(ran.snapshot(), @"
    exit code 2
    --- stdout
    --- stderr
    error: nothing of the query is left to search for

    hint: words that look like secrets are never sent; leave them out
    ");
    assert!(online.skills.requests().is_empty() && online.github.requests().is_empty());
}

#[test]
fn discovery_that_is_off_asks_nobody() {
    let online = harbour();
    add_skill(&online.context.user_root(), "tide-log", "Writes a log of the tide.");
    let mut command = online.command();
    command.env("SKILLFLUX_REMOTE_DISCOVERY", "off").args(["search", "tide", "--json"]);
    let document = online.ran(&mut command).json();
    assert_eq!(names(&document), ["tide-log"]);
    assert!(online.skills.requests().is_empty() && online.github.requests().is_empty());
}
