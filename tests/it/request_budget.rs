//! What searches and mounts cost in requests and in rounds of them, counted by the server, and what happens
//! when the allowance does not reach.

use std::time::Duration;

use serde_json::Value;

use crate::{
    online::Online,
    proof::{assert_mounted, assert_nothing_kept},
    servers::{collection::skill_text, github::Options, repository::Repository, skills_sh::Listing},
};

const TRADES: [&str; 10] =
    ["ledger", "tide", "harbour", "garden", "weather", "recipe", "orchard", "railway", "museum", "pottery"];

/// Ten repositories, each with two skills of three files.
fn trades() -> (Vec<Repository>, Vec<Listing>) {
    let mut listings = Vec::new();
    let repositories = TRADES.map(|trade| {
        let name = format!("{trade}-works/{trade}-kit");
        let repository = Repository::new(&name);
        for task in ["report", "audit"] {
            let skill = format!("{trade}-{task}");
            let text = skill_text(&skill, &format!("Writes the {task} of a {trade}."));
            repository
                .file(&format!("skills/{skill}/SKILL.md"), text)
                .file(&format!("skills/{skill}/references/{trade}.md"), format!("{trade}\n"))
                .file(&format!("skills/{skill}/references/{task}.md"), format!("{task} of {trade}\n"));
            listings.push(Listing::new(&name, &skill, 100));
        }
        repository.commit("skills");
        repository
    });
    (repositories.to_vec(), listings)
}

fn twelve() -> Repository {
    let repository = Repository::new("quarry-works/twelve");
    repository.file("skills/twelve/SKILL.md", skill_text("twelve", "Twelve files of a quarry."));
    for number in 1..12 {
        repository.file(&format!("skills/twelve/references/{number}.md"), format!("{number}\n"));
    }
    repository.commit("twelve files");
    repository
}

fn slow() -> Options {
    Options { delay: Duration::from_millis(60), ..Options::default() }
}

/// Asserts that the skill of twelve files was mounted.
fn assert_twelve(online: &Online, document: &Value, repository: &Repository) {
    assert_mounted(online, &document["mounts"][0], repository, &repository.head(), "skills/twelve");
}

fn asked(online: &Online, part: &str) -> usize {
    online.github.requests().iter().filter(|seen| seen.path_and_query.contains(part)).count()
}

#[test]
fn sixty_requests_without_a_token_last_for_twenty_searches_and_five_mounts() {
    let (repositories, listings) = trades();
    let online = Online::new(repositories.clone(), listings);
    let mut ids = Vec::new();
    for (index, trade) in TRADES.iter().enumerate() {
        for query in [(*trade).to_owned(), format!("{trade} audit")] {
            let ran = online.ran(online.anonymous().args(["search", "--json", "--limit", "10", &query]));
            let found = ran.json();
            assert_eq!(found["status"], "partial", "GitHub's code search wants a token: {found}");
            let wanted = |result: &&Value| result["name"].as_str().unwrap().starts_with(trade);
            let best = found["results"].as_array().unwrap().iter().find(wanted);
            let best = best.unwrap_or_else(|| panic!("no {trade}: {found}"));
            assert!(best["pin"]["commit"].is_string(), "{best}");
            if index.is_multiple_of(2) {
                ids.push(best["id"].as_str().unwrap().to_owned());
            }
        }
    }
    let searched = online.github.metered();
    for (index, id) in ids.iter().step_by(2).enumerate() {
        let ran = online.ran(online.anonymous().args(["mount", "--yes", "--json", id]));
        let document = ran.json();
        let mount = &document["mounts"][0];
        let (repository, name) = (&repositories[2 * index], mount["name"].as_str().unwrap());
        assert_mounted(&online, mount, repository, &repository.head(), &format!("skills/{name}"));
    }
    let metered = online.github.metered();
    println!("20 searches cost {searched} requests, 5 mounts {}", metered - searched);
    assert!(metered <= 60, "20 searches cost {searched} requests, 5 mounts {}", metered - searched);
    assert_eq!(online.git.requests().len(), 0);
}

#[test]
fn a_search_with_a_token_takes_two_rounds_and_four_requests() {
    let (repositories, mut listings) = trades();
    listings.retain(|listing| listing.skill_id.ends_with("-report"));
    listings.truncate(5);
    let online = Online::with(repositories, listings, slow());
    let found = online.run(["search", "--json", "--limit", "5", "report"]).json();
    assert_eq!(found["status"], "ok", "{found}");
    let results = found["results"].as_array().unwrap().iter();
    let results: Vec<&Value> = results.filter(|result| result["origin"] == "remote").collect();
    assert_eq!(results.len(), 5, "{found}");
    assert!(results.iter().all(|result| result["pin"]["commit"].is_string()), "{found}");
    let requests = online.github.requests();
    assert!(online.github.rounds() <= 2, "{requests:#?}");
    assert!(requests.len() + online.skills.requests().len() <= 4, "{requests:#?}");
    // The same search again asks nobody.
    let again = online.run(["search", "--json", "--limit", "5", "report"]).json();
    assert_eq!(again["results"], found["results"]);
    assert_eq!(online.github.requests().len(), requests.len());
}

#[test]
fn a_mount_of_twelve_files_takes_three_rounds() {
    let repository = twelve();
    for with_token in [true, false] {
        let listings = vec![Listing::new("quarry-works/twelve", "twelve", 10)];
        let online = Online::with(vec![repository.clone()], listings, slow());
        let command = || if with_token { online.command() } else { online.anonymous() };
        let found = online.ran(command().args(["search", "--json", "twelve"])).json();
        let id = found["results"][0]["id"].as_str().unwrap();
        let before = (online.github.rounds(), online.github.requests().len());
        let document = online.ran(command().args(["mount", "--yes", "--json", id])).json();
        assert_twelve(&online, &document, &repository);
        let rounds = online.github.rounds() - before.0;
        let requests = online.github.requests().len() - before.1;
        // Without a token no more than four are in flight, which is still one round.
        assert!(rounds <= 3 && requests <= 15, "{rounds} rounds, {requests} requests");
        assert!(online.github.max_concurrent() <= if with_token { 16 } else { 4 });
    }
}

#[test]
fn git_steps_in_where_the_allowance_does_not_reach() {
    let repository = twelve();
    let reference = "quarry-works/twelve//skills/twelve";
    for (left, blobs, trees) in [(0, 0, 0), (2, 0, 0), (10, 0, 1), (15, 12, 1)] {
        let online = Online::new(vec![repository.clone()], Vec::new());
        online.github.set_remaining(left);
        let document = online.run(["mount", "--yes", "--json", reference]).json();
        assert_twelve(&online, &document, &repository);
        assert_eq!(asked(&online, "/git/blobs/"), blobs, "{left} left");
        assert_eq!(online.git.requests().is_empty(), blobs > 0, "{left} left");
        assert!(asked(&online, "/git/trees/") >= trees, "{left} left");
        // Only a failed attempt may have been refused; nothing was asked for in vain after that.
        let refused = online.github.requests().iter().filter(|seen| seen.status == 403).count();
        assert!(refused <= 2, "{left} left: {refused} requests were refused");
    }
}

#[test]
fn without_git_or_with_the_api_alone_the_limit_is_the_end() {
    let repository = twelve();
    let reference = "quarry-works/twelve//skills/twelve";
    let without_git = tempfile::TempDir::new().unwrap();
    for way in ["auto", "api"] {
        let online = Online::new(vec![repository.clone()], Vec::new());
        online.github.set_remaining(0);
        let mut command = online.command();
        command.args(["mount", "--yes", "--json", "--transport", way, reference]);
        if way == "auto" {
            command.env("PATH", without_git.path());
        }
        let ran = online.ran(&mut command);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((ran.code, document["code"].as_str()), (7, Some("rate_limit_primary")), "{way}: {ran:?}");
        assert_nothing_kept(&online, way);
        // What the host said is remembered: the next run asks nothing.
        let asked = online.github.requests().len();
        assert_eq!(online.ran(&mut command).code, 7);
        assert_eq!(online.github.requests().len(), asked);
    }
}
