//! The servers of the other tests do what they promise: ids are true, limits are counted, faults are played.
//!
//! Clients here are a raw socket and `git` itself; nothing of skillflux takes part.

mod faults;
mod git_http;
mod wire;

use std::{io::Read as _, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::read::GzDecoder;
use serde_json::{Value, json};

use crate::servers::{
    client::{get, send},
    collection::{SKILLS, big_collection, skill_text},
    github::{AddedEntry, Canned, GithubServer, Options, Refusal, now_seconds},
    hostile::worst_entries,
    objects::run,
    repository::{Repository, fsck},
    skills_sh::{Listing, Mood, SkillsShServer},
    wire::Answer,
};

const BEARER: (&str, &str) = ("authorization", "Bearer test-token");
const RAW: (&str, &str) = ("accept", "application/vnd.github.raw+json");

fn parsed(answer: &Answer) -> Value {
    let text = String::from_utf8_lossy(&answer.body);
    serde_json::from_slice(&answer.body).unwrap_or_else(|error| panic!("{error}: {} {text}", answer.status))
}

/// The JSON of an answer without a token that has this status.
fn json_of(server: &GithubServer, path: &str, status: u16) -> Value {
    let answer = get(&format!("{}{path}", server.url()), &[]).unwrap();
    assert_eq!(answer.status, status, "{path}: {}", String::from_utf8_lossy(&answer.body));
    parsed(&answer)
}

fn small() -> Repository {
    let repository = Repository::new("tide-works/field-skills");
    repository
        .file("skills/tide-report/SKILL.md", skill_text("tide-report", "Reports tides. Use for tide tables."))
        .executable("skills/tide-report/scripts/round.sh", "#!/bin/sh\n")
        .symlink("skills/tide-report/link.md", "SKILL.md")
        .submodule("vendor", "1f2e3d4c5b6a79880123456789abcdef01234567")
        .file("skills/old/SKILL.md", skill_text("old", "Goes away."))
        .file("data.bin", (0..=255_u8).collect::<Vec<u8>>());
    repository.commit("first");
    repository.remove("skills/old/SKILL.md").commit("second");
    repository
}

fn served(repository: &Repository) -> GithubServer {
    GithubServer::start(vec![repository.clone()], Options::default())
}

#[test]
fn the_large_collection_is_a_sound_repository_with_true_ids() {
    let repository = big_collection();
    let (sound, complaint) = fsck(&repository.bare_path());
    assert!(sound, "{complaint}");
    let server =
        GithubServer::start(vec![repository.clone()], Options { truncate_over: 500, ..Options::default() });
    let tree = repository.tree_of(&repository.head());
    let path = format!("/repos/quarry-works/big-collection/git/trees/{tree}");
    let cut = json_of(&server, &format!("{path}?recursive=1"), 200);
    assert_eq!((cut["truncated"].as_bool(), cut["tree"].as_array().map(Vec::len)), (Some(true), Some(500)));
    let whole = GithubServer::start(vec![repository.clone()], Options::default());
    let listed = json_of(&whole, &format!("{path}?recursive=0"), 200);
    let entries = listed["tree"].as_array().unwrap();
    let named =
        |name: &str| entries.iter().filter(|entry| entry["path"].as_str().unwrap().ends_with(name)).count();
    assert_eq!(
        (named("SKILL.md"), named("skill.md"), listed["truncated"].as_bool()),
        (SKILLS, 1, Some(false))
    );
    let of_git = run(&repository.bare_path(), &["ls-tree", "-r", "-t", "-l", "-z", &tree], b"");
    let of_git: Vec<&str> = std::str::from_utf8(&of_git).unwrap().split_terminator('\0').collect();
    assert_eq!(of_git.len(), entries.len());
    for (line, entry) in of_git.iter().zip(entries) {
        let size = entry["size"].as_u64().map_or("-".to_owned(), |size| size.to_string());
        let word = |field: &str| entry[field].as_str().unwrap();
        let told = format!("{} {} {} {size:>7}\t{}", word("mode"), word("type"), word("sha"), word("path"));
        assert_eq!(told, **line);
    }
    let duplicates: Vec<&str> = entries
        .iter()
        .filter(|entry| {
            entry["type"] == "tree" && entry["path"].as_str().unwrap().ends_with("/changelog-writer")
        })
        .map(|entry| entry["sha"].as_str().unwrap())
        .collect();
    assert_eq!(duplicates.len(), 3);
    assert_eq!(duplicates[0], duplicates[2], "community/ and skills/ hold the same bytes");
}

#[test]
fn blobs_are_what_git_has_raw_and_encoded() {
    let repository = small();
    let server = served(&repository);
    let sha = repository.entry(&repository.head(), "data.bin").unwrap().sha;
    let url = format!("{}/repos/tide-works/field-skills/git/blobs/{sha}", server.url());
    let raw = get(&url, &[RAW]).unwrap();
    assert_eq!(raw.header("content-type"), "application/vnd.github.raw+json; charset=utf-8");
    assert_eq!(raw.body, repository.blob("data.bin"));
    assert_eq!(raw.body, repository.object(&sha).unwrap().bytes);
    let encoded = parsed(&get(&url, &[]).unwrap());
    let text = encoded["content"].as_str().unwrap();
    assert!(text.ends_with('\n') && text.lines().all(|line| line.len() <= 60), "{text}");
    assert_eq!(STANDARD.decode(text.replace('\n', "")).unwrap(), raw.body);
    assert_eq!(encoded["size"], 256);
    json_of(&server, "/repos/tide-works/field-skills/git/blobs/zz", 422);
    json_of(&server, &format!("/repos/tide-works/field-skills/git/blobs/{}", "9".repeat(40)), 404);
}

#[test]
fn references_lead_to_commits_and_unknown_ones_do_not() {
    let repository = small();
    let main = repository.head();
    let tag = repository.tag("v1.0");
    repository.light_tag("plain").branch("feature/x").file("new.md", "new");
    let feature = repository.commit("on a branch");
    repository.branch("main");
    assert_eq!(repository.head(), main);
    let server = served(&repository);
    let base = "/repos/Tide-Works/field-skills";
    for (reference, commit) in [
        ("HEAD", &main),
        ("v1.0", &main),
        ("tags/plain", &main),
        ("feature/x", &feature),
        ("feature%2Fx", &feature),
        ("heads/feature/x", &feature),
        (feature.as_str(), &feature),
        (&main[..8], &main),
    ] {
        let told = json_of(&server, &format!("{base}/commits/{reference}"), 200);
        assert_eq!(told["sha"], **commit, "{reference}");
        assert_eq!(told["commit"]["tree"]["sha"], repository.tree_of(commit));
    }
    let unknown = json_of(&server, &format!("{base}/commits/nowhere"), 422);
    assert_eq!(unknown["message"], "No commit found for SHA: nowhere");
    let annotated = json_of(&server, &format!("{base}/git/ref/tags/v1.0"), 200);
    assert_eq!(
        annotated["object"],
        json!({
            "sha": tag, "type": "tag", "url": format!("{}/repos/tide-works/field-skills/git/tags/{tag}", server.url()),
        })
    );
    assert_eq!(json_of(&server, &format!("{base}/git/tags/{tag}"), 200)["object"]["sha"], main);
    assert_eq!(json_of(&server, &format!("{base}/git/ref/heads/feature/x"), 200)["object"]["sha"], feature);
    json_of(&server, &format!("{base}/git/ref/heads/feature"), 404);
    let matching = json_of(&server, &format!("{base}/git/matching-refs/heads/feature"), 200);
    assert_eq!(
        (matching.as_array().unwrap().len(), &matching[0]["ref"]),
        (1, &json!("refs/heads/feature/x"))
    );
    let later = repository.file("later.md", "later").commit("while the server runs");
    assert_eq!(json_of(&server, &format!("{base}/commits/HEAD"), 200)["sha"], later);
    json_of(&server, &format!("{base}/git/trees/{}", repository.tree_of(&later)), 200);
    let heads = json_of(&server, &format!("{base}/commits/{feature}/branches-where-head"), 200);
    assert_eq!(heads[0]["name"], "feature/x");
    let plain =
        get(&format!("{}{base}/commits/main", server.url()), &[("accept", "application/vnd.github.sha")]);
    assert_eq!(plain.unwrap().body, later.as_bytes());
}

#[test]
fn a_commit_of_no_branch_resolves_and_compares_as_diverged() {
    let repository = small();
    let first = repository.git_line(&["rev-parse", "HEAD~1"]).unwrap();
    let impostor = repository.file("skills/tide-report/SKILL.md", "hostile").detached_commit("impostor");
    let main = repository.file("more.md", "more").commit("third");
    let server = served(&repository);
    let base = "/repos/tide-works/field-skills";
    assert_eq!(json_of(&server, &format!("{base}/commits/{impostor}"), 200)["sha"], impostor);
    for (head, status, ahead, behind) in
        [(&main, "identical", 0, 0), (&first, "behind", 0, 2), (&impostor, "diverged", 1, 1)]
    {
        let told = json_of(&server, &format!("{base}/compare/main...{head}?per_page=1"), 200);
        assert_eq!(
            (&told["status"], &told["ahead_by"], &told["behind_by"]),
            (&json!(status), &json!(ahead), &json!(behind))
        );
    }
    assert_eq!(json_of(&server, &format!("{base}/compare/{first}...main"), 200)["status"], "ahead");
    json_of(&server, &format!("{base}/compare/main...nowhere"), 404);
    assert!(fsck(&repository.bare_path()).0);
}

#[test]
fn names_move_hide_end_and_are_blocked() {
    let private = Repository::new("tide-works/hidden");
    private.set(|facts| facts.private = true).file("a", "a").commit("only");
    let (moved, taken, empty) =
        (small(), Repository::new("tide-works/taken"), Repository::new("tide-works/empty"));
    taken.file("a", "a").commit("only");
    let id = moved.facts().id;
    let server = GithubServer::start(vec![private, moved, taken, empty], Options::default());
    server.rename("tide-works/field-skills", "new-owner/new-name");
    server.block("tide-works/taken", "dmca");
    let answer =
        get(&format!("{}/repos/tide-works/field-skills/commits/main?x=1", server.url()), &[]).unwrap();
    let target = format!("{}/repositories/{id}/commits/main?x=1", server.url());
    assert_eq!((answer.status, answer.header("location")), (301, target.as_str()));
    assert_eq!(get(&target, &[]).unwrap().status, 200);
    let told = json_of(&server, &format!("/repositories/{id}"), 200);
    assert_eq!(told["full_name"], "new-owner/new-name");
    assert_eq!(json_of(&server, "/repos/New-Owner/new-name", 200)["id"], id);
    assert_eq!(json_of(&server, "/repos/tide-works/taken", 451)["block"]["reason"], "dmca");
    json_of(&server, "/repos/tide-works/hidden", 404);
    assert_eq!(get(&format!("{}/repos/tide-works/hidden", server.url()), &[BEARER]).unwrap().status, 200);
    json_of(&server, "/repos/tide-works/no-such", 404);
    assert_eq!(
        json_of(&server, "/repos/tide-works/empty/commits/HEAD", 409)["message"],
        "Git Repository is empty."
    );
    server.make_empty("new-owner/new-name");
    json_of(&server, "/repos/new-owner/new-name/commits/HEAD", 409);
}

#[test]
fn limits_are_counted_as_github_counts_them() {
    let server = served(&small());
    let url = format!("{}/repos/tide-works/field-skills", server.url());
    let first = get(&url, &[]).unwrap();
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with("W/\""), "{tag}");
    assert_eq!(first.header("x-ratelimit-remaining"), "59");
    let known = get(&url, &[("if-none-match", &tag)]).unwrap();
    assert_eq!((known.status, known.body.len(), known.header("etag")), (304, 0, tag.as_str()));
    assert_eq!((known.header("x-ratelimit-remaining"), server.metered()), ("58", 2), "anonymous 304s count");
    let with_token = get(&url, &[BEARER, ("if-none-match", &tag)]).unwrap();
    assert_eq!((with_token.status, with_token.header("x-ratelimit-remaining")), (200, "4999"));
    let own_tag = with_token.header("etag");
    let known = get(&url, &[BEARER, ("if-none-match", own_tag)]).unwrap();
    assert_eq!((known.status, known.header("x-ratelimit-remaining"), server.metered()), (304, "4999", 3));
    let refused = get(&url, &[("authorization", "Bearer wrong")]).unwrap();
    assert_eq!((refused.status, &parsed(&refused)["message"]), (401, &json!("Bad credentials")));
    assert_eq!(json_of(&server, "/rate_limit", 200)["resources"]["core"]["remaining"], 57);
    server.set_remaining(1);
    assert_eq!(get(&url, &[]).unwrap().status, 200);
    let over = get(&url, &[]).unwrap();
    let reset: i64 = over.header("x-ratelimit-reset").parse().unwrap();
    assert_eq!((over.status, over.header("x-ratelimit-remaining")), (403, "0"));
    assert!((3500..=3700).contains(&(reset - now_seconds())), "{reset}");
    let packed = get(&url, &[BEARER, ("accept-encoding", "gzip, br")]).unwrap();
    assert_eq!(packed.header("content-encoding"), "gzip");
    let mut text = String::new();
    GzDecoder::new(packed.body.as_slice()).read_to_string(&mut text).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["stargazers_count"], 40);
    let seen = server.requests();
    assert_eq!((seen[1].headers["if-none-match"].as_str(), seen[1].status), (tag.as_str(), 304));
    assert_eq!(
        (seen[0].method.as_str(), seen[0].path_and_query.as_str()),
        ("GET", "/repos/tide-works/field-skills")
    );
}

#[test]
fn rounds_are_groups_of_requests_that_overlap() {
    let delay = Duration::from_millis(100);
    let server = GithubServer::start(vec![small()], Options { delay, ..Options::default() });
    let url = format!("{}/repos/tide-works/field-skills", server.url());
    for wave in 1..=2 {
        let asking: Vec<_> = (0..3)
            .map(|_| {
                let url = url.clone();
                std::thread::spawn(move || get(&url, &[]).unwrap().status)
            })
            .collect();
        assert!(asking.into_iter().all(|thread| thread.join().unwrap() == 200));
        assert_eq!(server.rounds(), wave);
    }
    assert_eq!(server.max_concurrent(), 3);
}

#[test]
fn every_refusal_can_be_put_in_front() {
    let server = served(&small());
    let url = format!("{}/repos/tide-works/field-skills", server.url());
    for &refusal in Refusal::ALL {
        server.override_path("GET", "/repos/tide-works", refusal.canned(now_seconds()).times(1));
        let answer = get(&url, &[]).unwrap();
        assert_eq!(answer.status, refusal.status(), "{refusal:?}");
        assert!(!answer.body.is_empty() && !answer.header("content-type").is_empty(), "{refusal:?}");
        assert_eq!(get(&url, &[]).unwrap().status, 200, "once only: {refusal:?}");
    }
    server.override_path("GET", "/repos", Canned::json(200, &json!({ "id": "odd" })));
    assert_eq!(json_of(&server, "/repos/a/b", 200)["id"], "odd");
    server.clear_overrides();
    json_of(&server, "/repos/a/b", 404);
    assert_eq!(get(&url, &[("user-agent", "")]).unwrap().status, 403);
}

#[test]
fn trees_and_blobs_can_lie() {
    let repository = small();
    let server = served(&repository);
    let sha = |path: &str| repository.entry(&repository.head(), path).unwrap().sha;
    let (skill, data) = (sha("skills/tide-report/SKILL.md"), sha("data.bin"));
    let blob = |sha: &str| {
        get(&format!("{}/repos/tide-works/field-skills/git/blobs/{sha}", server.url()), &[RAW]).unwrap().body
    };
    server.swap_blobs(&skill, &data);
    assert_eq!(
        (blob(&data), blob(&skill)),
        (repository.object(&skill).unwrap().bytes, repository.blob("data.bin"))
    );
    server.tamper_blob(&skill, "other bytes");
    assert_eq!(blob(&skill), b"other bytes");
    server.tamper_blob_size("data.bin", -1);
    server.set_tree_field("skills/tide-report/link.md", "mode", json!("100664"));
    server.drop_tree_entry("skills/tide-report/scripts");
    let odd = AddedEntry {
        path: "../odd".to_owned(),
        mode: "100644".to_owned(),
        kind: "blob".to_owned(),
        sha: "0".repeat(40),
        size: Some(10),
    };
    server.add_tree_entry(odd);
    let tree = json_of(&server, "/repos/tide-works/field-skills/git/trees/main?recursive=1", 200);
    let entry = |path: &str| tree["tree"].as_array().unwrap().iter().find(|entry| entry["path"] == path);
    assert_eq!(entry("data.bin").unwrap()["size"], -1);
    assert_eq!(entry("skills/tide-report/link.md").unwrap()["mode"], "100664");
    assert_eq!(entry("skills/tide-report/scripts"), None);
    assert_eq!(entry("skills/tide-report/scripts/round.sh"), None);
    assert_eq!(entry("../odd").unwrap()["size"], 10);
    assert_eq!(entry("vendor").unwrap()["type"], "commit");
}

#[test]
fn hostile_trees_have_true_ids() {
    let entries = worst_entries();
    let repository = Repository::new("mallory/hostile");
    let commit = repository.hostile_tree(&entries);
    let server = served(&repository);
    let tree = json_of(
        &server,
        &format!("/repos/mallory/hostile/git/trees/{}?recursive=1", repository.tree_of(&commit)),
        200,
    );
    let listed = tree["tree"].as_array().unwrap();
    for wanted in &entries {
        let path = String::from_utf8_lossy(&wanted.path);
        let found = listed.iter().find(|entry| entry["path"] == *path && entry["mode"] == wanted.mode);
        let sha = found.unwrap_or_else(|| panic!("`{path}` is not in {tree}"))["sha"].as_str().unwrap();
        assert_eq!(repository.object(sha).unwrap().bytes, wanted.bytes);
    }
    assert_eq!(listed.iter().filter(|entry| entry["path"] == "skills/x/twin.md").count(), 2);
    let (sound, complaint) = fsck(&repository.bare_path());
    assert!(!sound && !complaint.contains("hash mismatch"), "{complaint}");
}

#[test]
fn code_search_wants_a_token_and_a_word() {
    let repositories = vec![big_collection(), small()];
    let server = GithubServer::start(repositories, Options::default());
    json_of(&server, "/search/code?q=tide+filename%3ASKILL.md", 401);
    let search = |query: &str, accept: &str| {
        get(&format!("{}/search/code?{query}", server.url()), &[BEARER, ("accept", accept)]).unwrap()
    };
    let found =
        search("q=filename%3ASKILL.md+tide+tables&per_page=5", "application/vnd.github.text-match+json");
    assert_eq!(found.header("x-ratelimit-resource"), "code_search");
    let found = parsed(&found);
    assert_eq!((&found["total_count"], &found["incomplete_results"]), (&json!(1), &json!(false)));
    let item = &found["items"][0];
    assert_eq!(item["path"], "skills/tide-report/SKILL.md");
    assert!(item["repository"]["stargazers_count"].is_null() && item["text_matches"].is_array());
    let pages = parsed(&search("q=filename%3ASKILL.md+tide&per_page=5&page=2", ""));
    assert!(
        pages["total_count"].as_u64().unwrap() > 10 && pages["items"].as_array().unwrap().len() == 5,
        "{pages}"
    );
    let folder = parsed(&search("q=filename%3Askill.md+path%3Aledger-audit+user%3Aquarry-works", ""));
    assert_eq!(folder["total_count"], 1);
    for query in ["q=", "q=filename%3ASKILL.md", "q=x+repo%3Anope%2Fnope"] {
        assert_eq!(search(query, "").status, 422, "{query}");
    }
}

#[test]
fn graphql_answers_many_repositories_at_once() {
    let server = GithubServer::start(vec![small(), big_collection()], Options::default());
    server.rename("tide-works/field-skills", "tide-works/renamed");
    let fields = "databaseId nameWithOwner stargazerCount forkCount pushedAt isArchived isDisabled isPrivate \
        owner{__typename ... on User{databaseId} ... on Organization{id: databaseId}} licenseInfo{spdxId} \
        defaultBranchRef{name target{oid}}";
    let blob = "... on Blob{oid byteSize isBinary isTruncated text}";
    let query = format!(
        "query Facts($o0:String!,$n0:String!,$e0:String!){{ # a comment\n r0:repository(owner:$o0,name:$n0){{{fields} \
         b0:object(expression:$e0){{{blob}}} b1:object(expression:\"HEAD:no/where\"){{{blob}}}\n\
         b2:object(expression:\"HEAD:data.bin\"){{{blob}}}}}, r1:repository(owner:\"quarry-works\",name:\"big-collection\"){{{fields}}} \
         r2:repository(owner:\"no\",name:\"such\"){{databaseId}} rateLimit{{remaining}}}}"
    );
    let ask = |body: &Value, headers: &[(&str, &str)]| {
        send("POST", &format!("{}/graphql", server.url()), headers, body.to_string().as_bytes()).unwrap()
    };
    let variables =
        json!({ "o0": "tide-works", "n0": "field-skills", "e0": "HEAD:skills/tide-report/SKILL.md" });
    let body = json!({ "query": query, "variables": variables });
    assert_eq!(ask(&body, &[]).status, 401);
    let told = parsed(&ask(&body, &[BEARER]));
    let first = &told["data"]["r0"];
    assert_eq!(first["nameWithOwner"], "tide-works/renamed", "{told}");
    assert_eq!(first["b0"]["text"], skill_text("tide-report", "Reports tides. Use for tide tables."));
    assert_eq!(
        (&first["b1"], &first["b2"]["isBinary"], &first["b2"]["text"]),
        (&Value::Null, &json!(true), &Value::Null)
    );
    assert_eq!(first["owner"]["__typename"], "User");
    assert!(first["owner"]["databaseId"].is_u64() && first["owner"]["id"].is_null());
    assert!(told["data"]["r1"]["owner"]["id"].is_u64());
    assert_eq!(told["data"]["r1"]["licenseInfo"]["spdxId"], "MIT");
    assert_eq!(first["defaultBranchRef"]["target"]["oid"].as_str().map(str::len), Some(40));
    assert_eq!(told["data"]["r2"], Value::Null);
    assert_eq!(
        (&told["errors"][0]["type"], &told["errors"][0]["path"]),
        (&json!("NOT_FOUND"), &json!(["r2"]))
    );
    for wrong in
        ["query{repository(owner:\"a\"){id}}", "query($a:String!){x}", "{repository(", "query{nothing}"]
    {
        let told = parsed(&ask(&json!({ "query": wrong }), &[BEARER]));
        assert!(told["data"].is_null() && told["errors"][0]["message"].is_string(), "{wrong}: {told}");
    }
}

#[test]
fn skills_sh_finds_what_is_listed_in_every_mood() {
    let listings = vec![
        Listing::new("tide-works/field-skills", "tide-report", 120),
        Listing { name: "Tide Tables".to_owned(), ..Listing::new("other/repo", "tables", 4) },
        Listing::new("", "unrelated", 9),
    ];
    let server = SkillsShServer::start(listings, Duration::ZERO);
    let search = |query: &str| get(&format!("{}/api/search?{query}", server.url()), &[]).unwrap();
    let found = parsed(&search("q=tide+sheets&limit=10"));
    assert_eq!((&found["count"], &found["searchType"]), (&json!(2), &json!("semantic")));
    assert_eq!(
        found["skills"][0],
        json!({
            "id": "tide-works/field-skills/tide-report", "skillId": "tide-report", "name": "tide-report",
            "installs": 120, "source": "tide-works/field-skills",
        })
    );
    assert_eq!(parsed(&search("q=tide&limit=1"))["count"], 1);
    assert_eq!(parsed(&search("q=tide&owner=Other"))["skills"][0]["skillId"], "tables");
    for &mood in Mood::ALL {
        server.set(mood);
        let answer = search("q=tide");
        let expected = if mood == Mood::ServerError { 500 } else { 200 };
        assert_eq!(answer.status, expected, "{mood:?}");
        assert_eq!(serde_json::from_slice::<Value>(&answer.body).is_ok(), mood != Mood::Html, "{mood:?}");
    }
    assert_eq!(server.requests().len(), 3 + Mood::ALL.len());
    assert_eq!(get(&server.url(), &[]).unwrap().status, 404);
}
