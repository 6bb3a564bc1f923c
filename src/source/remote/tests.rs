//! Whole searches against a server on this machine that answers as skills.sh and GitHub do.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};

use super::*;
use crate::{
    candidate::remote::tests::{hit, listing},
    http::{self, HttpError, Timeouts, Token},
    skill::git::blob_id,
};

const HEAD: &str = "3033aee909cb162d9b2dc13b67e73d486910b869";

/// What is answered to one request.
enum Answer {
    Json(Value),
    Status(u16, &'static str),
    /// Nothing, while the connection stays open.
    Silence,
}

/// A server for both services. It forgets nothing: `GET /path` or `POST /path body` for each request.
struct Server {
    base: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (answer, log) = (Arc::new(answer), Arc::clone(&seen));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (answer, log) = (Arc::clone(&answer), Arc::clone(&log));
                std::thread::spawn(move || serve(&stream, &*answer, &log));
            }
        });
        Self { base, seen }
    }

    fn hosts(&self) -> Hosts {
        let base = BaseUrl::parse(&self.base).unwrap();
        Hosts { skills: base.clone(), github_api: base, github_host: "github.com".to_owned() }
    }

    /// What was asked, sorted, without what follows the path.
    fn paths(&self) -> Vec<String> {
        let seen = self.seen.lock().unwrap();
        let mut paths: Vec<String> =
            seen.iter().map(|line| line.split(['?', ' ']).nth(1).unwrap().to_owned()).collect();
        paths.sort();
        paths
    }
}

fn serve(stream: &TcpStream, answer: &dyn Fn(&str) -> Answer, log: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    if reader.read_line(&mut line).is_err() || line.is_empty() {
        return;
    }
    let mut request = line.rsplit_once(' ').unwrap().0.to_owned();
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if header.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    if length > 0 {
        request = format!("{request} {}", String::from_utf8(body).unwrap());
    }
    log.lock().unwrap().push(request.clone());
    let (status, body) = match answer(&request) {
        Answer::Json(body) => (200, body.to_string()),
        Answer::Status(status, body) => (status, body.to_owned()),
        Answer::Silence => {
            // The client goes away when its time is over.
            let _gone = reader.read(&mut [0]);
            return;
        }
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nETag: W/\"1\"\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    let mut writer = stream;
    // The client may be gone already.
    let _sent = writer.write_all(head.as_bytes()).and_then(|()| writer.write_all(body.as_bytes()));
}

fn client(server: &Server, has_token: bool) -> Client {
    let tokens = has_token.then(|| (server.base.clone(), Token::new("t0").unwrap()));
    let timeouts = Timeouts { backoff: Duration::from_millis(1), ..Timeouts::default() };
    let settings =
        http::Settings { tokens: tokens.into_iter().collect(), timeouts, ..http::Settings::default() };
    Client::new(settings).unwrap()
}

fn settings() -> Settings<'static> {
    Settings {
        providers: &SourceKind::ALL,
        limit: 5,
        deadline: Deadline::after(Duration::from_secs(20)),
        skipped: BTreeMap::new(),
        admits: &|_| true,
    }
}

fn run(server: &Server, has_token: bool, settings: &Settings<'_>) -> Discovered {
    run_with(&client(server, has_token), server, settings)
}

fn run_with(client: &Client, server: &Server, settings: &Settings<'_>) -> Discovered {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let query = Query::from_search("pdf reader").unwrap();
    runtime.block_on(discover(client, &server.hosts(), &query, settings))
}

fn listings() -> Value {
    json!({"skills": [
        {"id": "a/one/pdf-reader", "skillId": "pdf-reader", "name": "pdf-reader", "installs": 40, "source": "a/one"},
        {"id": "b/two/pdf", "skillId": "pdf", "name": "PDF", "installs": 2, "source": "B/two"},
    ]})
}

fn found() -> Value {
    json!({"incomplete_results": false, "items": [
        {"path": "skills/pdf/SKILL.md", "repository": {"full_name": "b/two", "private": false}},
        {"path": "gone/SKILL.md", "repository": {"full_name": "b/two", "private": false}},
    ]})
}

/// Answers the one GraphQL request: `a/one` has a skill at a usual place, `b/two` where it was found.
fn graphql_answer(request: &str) -> Value {
    let body: Value =
        serde_json::from_str(request.split_once(' ').unwrap().1.split_once(' ').unwrap().1).unwrap();
    let variables = body["variables"].as_object().unwrap();
    let mut data = serde_json::Map::new();
    for index in 0.. {
        let Some(owner) = variables.get(&format!("o{index}")) else { break };
        let name =
            format!("{}/{}", owner.as_str().unwrap(), variables[&format!("n{index}")].as_str().unwrap());
        let mut repository = json!({
            "databaseId": index + 1, "nameWithOwner": name, "stargazerCount": 9,
            "defaultBranchRef": {"target": {"oid": HEAD}},
        });
        for place in 0.. {
            let Some(path) = variables.get(&format!("e{index}_{place}")) else { break };
            let is_there =
                ["HEAD:pdf-reader/SKILL.md", "HEAD:skills/pdf/SKILL.md"].contains(&path.as_str().unwrap());
            let folder = path.as_str().unwrap().rsplit('/').nth(1).unwrap_or_default();
            let text = format!("---\nname: {folder}\ndescription: Reads PDF files.\n---\n");
            let oid = blob_id(text.as_bytes()).unwrap().to_string();
            let blob = json!({"oid": oid, "byteSize": text.len(), "isBinary": false, "isTruncated": false, "text": text});
            repository[format!("b{place}")] = if is_there { blob } else { Value::Null };
        }
        data.insert(format!("r{index}"), repository);
    }
    json!({ "data": data })
}

fn healthy(request: &str) -> Answer {
    let path = request.split_once(' ').unwrap().1;
    if path.starts_with("/api/search") {
        Answer::Json(listings())
    } else if path.starts_with("/search/code") {
        Answer::Json(found())
    } else if path.starts_with("/graphql") {
        Answer::Json(graphql_answer(request))
    } else if path == "/repos/a/one" {
        let owner = json!({"id": 5, "type": "Organization"});
        Answer::Json(json!({"id": 1, "full_name": "a/one", "owner": owner, "stargazers_count": 9}))
    } else if path == "/repos/b/two" {
        Answer::Json(json!({"id": 2, "full_name": "b/renamed", "license": {"spdx_id": "MIT"}}))
    } else if path.ends_with("/commits/HEAD") {
        Answer::Json(json!({ "sha": HEAD }))
    } else {
        Answer::Status(404, r#"{"message":"Not Found"}"#)
    }
}

/// One line a candidate: address, path, sources, whether it can be mounted.
fn lines(discovered: &Discovered) -> Vec<String> {
    let line = |candidate: &RemoteCandidate| {
        let sources = candidate.sources.iter().map(|source| source.as_str()).collect::<Vec<_>>().join("+");
        let path = candidate.path.as_deref().unwrap_or("-");
        let mountable = if candidate.is_mountable() { "mountable" } else { "unknown" };
        format!("{} {path} {sources} {mountable}", candidate.address)
    };
    discovered.candidates.iter().map(line).collect()
}

#[test]
fn with_a_token_a_search_is_four_requests() {
    let server = Server::start(healthy);
    let discovered = run(&server, true, &settings());
    assert_eq!(
        lines(&discovered),
        ["a/one pdf-reader skills.sh mountable", "b/two skills/pdf skills.sh+github mountable"]
    );
    assert_eq!(server.paths(), ["/api/search", "/graphql", "/search/code", "/search/code"]);
    assert!(discovered.is_complete());
    assert_eq!(discovered.candidates[0].description, "Reads PDF files.");
    assert_eq!(discovered.candidates[1].installs, Some(2));
}

#[test]
fn the_plan_is_what_is_sent() {
    let server = Server::start(healthy);
    let query = Query::from_search("pdf reader").unwrap();
    for has_token in [true, false] {
        server.seen.lock().unwrap().clear();
        run(&server, has_token, &settings());
        let plan = plan(&query, &server.hosts(), &SourceKind::ALL, 5, has_token);
        let seen = server.seen.lock().unwrap().clone();
        for planned in &plan.first {
            let line = format!("GET {}", planned.request.url.strip_prefix(&server.base).unwrap());
            assert!(seen.contains(&line), "{line} is not in {seen:?}");
        }
        let rest = seen.len() - plan.first.len();
        assert!(rest > 0 && rest <= plan.then.at_most);
        assert!(plan.then.addresses.iter().all(|address| address.starts_with(&server.base)));
    }
    let github_alone = plan(&query, &server.hosts(), &[SourceKind::Github], 5, false);
    assert!(github_alone.first.is_empty());
}

#[test]
fn without_a_token_two_requests_a_repository_are_kept() {
    let server = Server::start(healthy);
    let folder = tempfile::tempdir().unwrap();
    let cache_folder = Some(folder.path().to_owned());
    let client = Client::new(http::Settings { cache_folder, ..http::Settings::default() }).unwrap();
    let first = run_with(&client, &server, &settings());
    assert_eq!(lines(&first), ["a/one - skills.sh mountable", "b/renamed - skills.sh mountable"]);
    let facts = first.candidates[1].facts.as_ref().unwrap();
    assert_eq!(facts.renamed_from, Some(RepoSlug::parse("b/two").unwrap()));
    assert!(first.candidates[0].facts.as_ref().unwrap().organisation_owned);
    assert!(matches!(first.observations[1].problem, Some(SourceProblem::Skipped(Skip::NoToken))));
    assert!(first.is_complete());
    let asked = [
        "/api/search",
        "/repos/a/one",
        "/repos/a/one/commits/HEAD",
        "/repos/b/two",
        "/repos/b/two/commits/HEAD",
    ];
    assert_eq!(server.paths(), asked);
    run_with(&client, &server, &settings());
    assert_eq!(server.paths().len(), asked.len() + 1);
}

#[test]
fn a_source_that_hangs_costs_only_itself() {
    let server =
        Server::start(
            |request| {
                if request.contains("/api/search") { Answer::Silence } else { healthy(request) }
            },
        );
    let deadline = Deadline::after(Duration::from_millis(900));
    let discovered = run(&server, true, &Settings { deadline, ..settings() });
    assert_eq!(lines(&discovered), ["b/two skills/pdf github mountable"]);
    let [skills, github] = &discovered.observations[..] else { panic!("two sources") };
    assert!(matches!(skills.problem, Some(SourceProblem::Http(HttpError::Timeout { .. }))));
    assert!(github.problem.is_none() && !discovered.is_complete());
}

#[test]
fn a_source_that_fails_costs_only_itself() {
    for (failing, left) in [
        ("/api/search", vec!["b/two skills/pdf github mountable"]),
        (
            "/search/code",
            vec!["a/one pdf-reader skills.sh mountable", "B/two skills/pdf skills.sh mountable"],
        ),
    ] {
        for answer in [(500, "{}"), (401, "{}"), (200, "<html>"), (200, r#"{"skills":7,"items":7}"#)] {
            let server = Server::start(move |request| {
                if request.contains(failing) { Answer::Status(answer.0, answer.1) } else { healthy(request) }
            });
            let discovered = run(&server, true, &settings());
            let lines = lines(&discovered);
            let lines: Vec<String> = lines.iter().map(|line| line.to_lowercase()).collect();
            let left: Vec<String> = left.iter().map(|line| line.to_lowercase()).collect();
            assert_eq!(lines, left, "{failing} {answer:?}");
            assert_eq!(discovered.observations.iter().filter(|one| one.problem.is_some()).count(), 1);
        }
    }
}

#[test]
fn listings_stay_when_nothing_is_known_of_their_repositories() {
    let server = Server::start(|request| {
        if request.contains("/graphql") || request.contains("/repos/") {
            Answer::Status(403, r#"{"message":"Resource not accessible"}"#)
        } else {
            healthy(request)
        }
    });
    for has_token in [true, false] {
        let discovered = run(&server, has_token, &settings());
        assert!(discovered.facts_problem.is_some() && !discovered.is_complete());
        assert!(lines(&discovered).iter().all(|line| line.ends_with("unknown")));
        assert!(discovered.candidates.len() >= 2);
    }
}

#[test]
fn repositories_that_do_not_exist_are_left_out() {
    let server = Server::start(|request| {
        if request.contains("/repos/a/one") {
            Answer::Status(404, r#"{"message":"Not Found"}"#)
        } else {
            healthy(request)
        }
    });
    let discovered = run(&server, false, &settings());
    assert_eq!(lines(&discovered), ["b/renamed - skills.sh mountable"]);
    assert!(discovered.facts_problem.is_none() && discovered.is_complete());
}

#[test]
fn blocked_owners_and_skipped_sources_are_not_asked() {
    let server = Server::start(healthy);
    let admits = |repository: &RepoSlug| !repository.owner().eq_ignore_ascii_case("b");
    let skipped = BTreeMap::from([(SourceKind::Github, Skip::Cooldown { until_ms: 9 })]);
    let discovered = run(&server, true, &Settings { skipped, admits: &admits, ..settings() });
    assert_eq!(lines(&discovered), ["a/one pdf-reader skills.sh mountable"]);
    assert_eq!(server.paths(), ["/api/search", "/graphql"]);
    assert!(!discovered.is_complete());
    let asked =
        server.seen.lock().unwrap().iter().any(|line| line.starts_with("POST") && line.contains("two"));
    assert!(!asked);
    let providers = &[SourceKind::Github];
    let alone = run(&server, false, &Settings { providers, ..settings() });
    assert!(alone.candidates.is_empty() && alone.observations.len() == 1);
}

#[test]
fn the_best_placed_repositories_are_asked_about() {
    let sightings = (0..30).map(|at| listing(&format!("o/r{at:02}"), "pdf", at)).collect();
    let observation = |source, sightings| Observation { source, sightings, unusable: 0, problem: None };
    let observations = [
        observation(SourceKind::SkillsSh, sightings),
        observation(SourceKind::Github, vec![hit("O/r29", "pdf", 0), hit("z/z", "pdf", 1)]),
    ];
    let (asked, left_out) = choose(&observations);
    let names: Vec<String> = asked.iter().map(ToString::to_string).collect();
    assert_eq!(names[..4], ["o/r00", "o/r29", "o/r01", "z/z"]);
    assert_eq!((asked.len(), left_out.len()), (MAX_REPOSITORIES, 11));
}

#[test]
fn a_public_listing_is_never_looked_up_on_another_server() {
    for (skills, github_host, expected) in [
        ("https://skills.sh", "github.com", true),
        ("https://skills.sh", "git.example.com", false),
        ("https://skills.example.com", "git.example.com", true),
    ] {
        let skills = BaseUrl::parse(skills).unwrap();
        let hosts = Hosts { github_api: skills.clone(), skills, github_host: github_host.to_owned() };
        assert_eq!(lists_mountable(&hosts), expected, "{hosts:?}");
    }
}

#[test]
fn pools_by_limit() {
    for (limit, with_token, without) in [(1, 2, 1), (5, 10, 5), (10, 20, 10), (25, 20, 25)] {
        assert_eq!((pool(limit, true), pool(limit, false)), (with_token, without));
    }
}
