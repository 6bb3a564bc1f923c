//! The query that is sent, and answers as GitHub gives them.

use serde_json::json;

use super::*;
use crate::{
    candidate::remote::{
        Sighting,
        tests::{hit, listing},
    },
    http::{HttpError, Quota},
    skill::git::blob_id,
};

const HEAD: &str = "3033aee909cb162d9b2dc13b67e73d486910b869";

fn hosts() -> Hosts {
    Hosts {
        skills: BaseUrl::parse("https://skills.sh").unwrap(),
        github_api: BaseUrl::parse("https://api.github.com").unwrap(),
        github_host: "github.com".to_owned(),
    }
}

fn asked(repository: &str, folders: &[&str]) -> Asked {
    let folders = folders.iter().map(|&folder| folder.to_owned()).collect();
    Asked { repository: RepoSlug::parse(repository).unwrap(), folders }
}

fn repository(name: &str) -> Value {
    json!({
        "databaseId": 912, "nameWithOwner": name, "stargazerCount": 137, "forkCount": 9,
        "pushedAt": "2026-10-02T09:15:41Z", "isArchived": false, "isDisabled": false, "isPrivate": false,
        "owner": {"__typename": "Organization", "databaseId": 201}, "licenseInfo": {"spdxId": "MIT"},
        "defaultBranchRef": {"target": {"oid": HEAD}},
    })
}

fn blob(text: &str) -> Value {
    let oid = blob_id(text.as_bytes()).unwrap().to_string();
    json!({"oid": oid, "byteSize": text.len(), "isBinary": false, "isTruncated": false, "text": text})
}

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Reads things.\nwhen_to_use: Often.\n---\nBody\n")
}

fn answer(reply: Value, asked: &[Asked]) -> Answers {
    answer::read(serde_json::from_value(reply).unwrap(), asked, &hosts(), None)
}

#[test]
fn nothing_from_outside_stands_in_the_query() {
    let asked = [asked("o/r", &["", "skills/a\"b"]), asked("p/q", &[])];
    let document = document(&asked);
    let fields = REPOSITORY_FIELDS;
    let blob = format!("object(expression:$e0_0){{{BLOB_FIELDS}}}");
    let expected = format!(
        "query($o0:String!,$n0:String!,$e0_0:String!,$e0_1:String!,$o1:String!,$n1:String!)\
         {{r0:repository(owner:$o0,name:$n0){{{fields} b0:{blob} b1:{}}} \
         r1:repository(owner:$o1,name:$n1){{{fields}}}}}",
        blob.replace("$e0_0", "$e0_1")
    );
    assert_eq!(document["query"], expected);
    let variables = json!({
        "o0": "o", "n0": "r", "e0_0": "HEAD:SKILL.md", "e0_1": "HEAD:skills/a\"b/SKILL.md",
        "o1": "p", "n1": "q",
    });
    assert_eq!(document["variables"], variables);
}

#[test]
fn enterprise_servers_have_another_address() {
    for (api, expected) in [
        ("https://api.github.com", "https://api.github.com/graphql"),
        ("https://git.example.com/api/v3/", "https://git.example.com/api/graphql"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/graphql"),
    ] {
        assert_eq!(address(&BaseUrl::parse(api).unwrap()), expected);
    }
}

#[test]
fn each_repository_is_asked_for_what_was_seen_in_it() {
    let observation = |sightings| Observation {
        source: crate::candidate::remote::SourceKind::Github,
        sightings,
        unusable: 0,
        problem: None,
    };
    let observations = [
        observation(vec![hit("O/r", "x/pdf", 0), hit("p/q", "y", 1)]),
        observation(vec![listing("o/R", "pdf", 0), listing("elsewhere.example", "csv", 1)]),
    ];
    let wanted = wanted(&RepoSlug::parse("o/r").unwrap(), &observations);
    assert_eq!(wanted, asked("o/r", &["", ".claude/skills/pdf", "pdf", "skills/pdf", "x/pdf"]));
}

#[test]
fn facts_and_files_by_example() {
    let mut found = repository("o/renamed");
    found["b0"] = blob(&skill("pdf"));
    found["b1"] = Value::Null;
    let asked = [asked("o/r", &["a/pdf", "b/pdf"])];
    let answers = answer(json!({"data": {"r0": found}}), &asked);
    let key = RepoSlug::parse("o/r").unwrap();
    let facts = &answers.facts[&key];
    assert_eq!((facts.id, facts.owner_id, facts.stars, facts.forks), (912, Some(201), 137, 9));
    assert_eq!(facts.renamed_from, Some(key.clone()));
    assert_eq!(facts.pushed_at.unwrap().0, 1_790_932_541_000);
    assert!(facts.organisation_owned && facts.licence.as_deref() == Some("MIT"));
    let preview = &answers.seen[&(key.clone(), "a/pdf".to_owned())];
    assert_eq!((preview.name.as_str(), preview.when_to_use.as_deref()), ("pdf", Some("Often.")));
    assert!(answers.gone.contains(&(key, "b/pdf".to_owned())));
    assert!(answers.problem.is_none());
}

#[test]
fn a_file_that_is_not_what_it_says_is_not_seen() {
    let text = skill("pdf");
    let spoilt = |field: &str, value: Value| {
        let mut spoilt = blob(&text);
        spoilt[field] = value;
        spoilt
    };
    let long = format!("---\nname: x\ndescription: {}\n---\n", "y ".repeat(2100));
    let huge = format!("{text}{}", "z".repeat(262_144));
    for (about, odd) in [
        ("other id", spoilt("oid", json!("4".repeat(40)))),
        ("other text", spoilt("text", json!(text.replace("Reads", "Steal")))),
        ("other size", spoilt("byteSize", json!(3))),
        ("binary", spoilt("isBinary", json!(true))),
        ("cut", spoilt("isTruncated", json!(true))),
        ("no text", spoilt("text", Value::Null)),
        ("no skill", blob("# Readme\n")),
        ("long description", blob(&long)),
        ("huge", blob(&huge)),
        ("a folder", json!({})),
    ] {
        let mut found = repository("o/r");
        found["b0"] = odd;
        let answers = answer(json!({"data": {"r0": found}}), &[asked("o/r", &["pdf"])]);
        assert!(answers.seen.is_empty() && answers.gone.is_empty(), "{about}");
        assert_eq!(answers.facts.len(), 1, "{about}");
    }
}

#[test]
fn repositories_fail_one_by_one() {
    let mut empty = repository("c/empty");
    empty["defaultBranchRef"] = Value::Null;
    let reply = json!({
        "data": {"r0": null, "r1": repository("b/fine"), "r2": empty, "r3": null},
        "errors": [
            {"type": "NOT_FOUND", "path": ["r0"], "message": "Could not resolve"},
            {"type": "FORBIDDEN", "path": ["r3"], "message": "SAML\u{1b}[31m"},
        ],
    });
    let asked = [asked("a/gone", &[]), asked("b/fine", &[]), asked("c/empty", &[]), asked("d/saml", &[])];
    let answers = answer(reply, &asked);
    let names = |slugs: Vec<&RepoSlug>| slugs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    assert_eq!(names(answers.missing.iter().collect()), "a/gone c/empty");
    assert_eq!(names(answers.facts.keys().collect()), "b/fine");
    let problem = answers.problem.unwrap();
    assert_eq!(problem.to_string(), "`api.github.com` answered with `FORBIDDEN`: SAML [31m");
}

#[test]
fn a_whole_refusal_denies_no_repository() {
    let reply = || json!({"data": null, "errors": [{"type": "RATE_LIMITED", "message": "API rate limit"}]});
    let asked = [asked("a/a", &[]), asked("b/b", &[])];
    let answers = answer(reply(), &asked);
    assert!(answers.missing.is_empty() && answers.facts.is_empty());
    assert!(matches!(answers.problem, Some(SourceProblem::Refused { code, .. }) if code == "RATE_LIMITED"));
    let quota = Some(Quota { limit: 5000, remaining: 0, reset_ms: 77 });
    let answers = answer::read(serde_json::from_value(reply()).unwrap(), &asked, &hosts(), quota);
    let limited = matches!(
        answers.problem,
        Some(SourceProblem::Http(HttpError::RateLimited { retry_at_ms: 77, authenticated: true, .. }))
    );
    assert!(limited);
    let silent = answer(json!({}), &asked).problem.unwrap();
    assert_eq!(silent.to_string(), "`api.github.com` answered with `NO_DATA`: the answer holds no data");
}

#[test]
fn only_aliases_of_the_query_are_kept() {
    let name = "o/r";
    let mut found = repository(name);
    for alias in ["b1", "b00", "b+0", "b99999999999999999999", "bb", "b", "other"] {
        found[alias] = json!([{"x": [1, 2]}]);
    }
    found["b0"] = Value::Null;
    let reply =
        json!({"data": {"r0": found, "r00": 1, "r9999": {}, "x": [[]]}, "errors": [3, {"path": 4}, null]});
    let answers = answer(reply, &[asked(name, &["pdf", "csv"])]);
    assert_eq!((answers.facts.len(), answers.gone.len(), answers.seen.len()), (1, 1, 0));
    for shapeless in [json!([]), json!({"data": 7}), json!({"data": []}), json!({"errors": {}})] {
        assert!(serde_json::from_value::<Reply>(shapeless).is_err());
    }
}

#[test]
fn a_guess_counts_only_for_its_own_skill() {
    let seen_at = |folder: &str, name: &str, skill_id: &str| {
        let mut found = repository("o/r");
        found["b0"] = blob(&skill(name));
        let answers = answer(json!({"data": {"r0": found}}), &[asked("o/r", &[folder])]);
        let Sighting { path, preview, .. } = complete(listing("O/R", skill_id, 0), &answers.seen);
        assert_eq!(path.is_some(), preview.is_some());
        path
    };
    assert_eq!(seen_at("skills/pdf", "Anything", "pdf").as_deref(), Some("skills/pdf"));
    assert_eq!(seen_at("", "PDF Reader", "pdf-reader").as_deref(), Some(""));
    assert_eq!(seen_at("", "other", "pdf"), None);
    assert_eq!(seen_at("elsewhere/pdf", "pdf", "pdf"), None);
    let nothing = complete(listing("host.example", "pdf", 0), &std::collections::BTreeMap::new());
    assert_eq!(nothing, listing("host.example", "pdf", 0));
}
