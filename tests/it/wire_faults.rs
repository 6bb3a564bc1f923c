//! Each fault of the wire on each request of a mount and of a search: the program ends in time, says which
//! host failed and why, publishes nothing and leaves nothing in staging.

use std::{process::Command, thread, time::Duration};

use serde_json::Value;

use crate::{
    context::Ran,
    online::Online,
    proof::{assert_mounted, assert_nothing_kept, bounded, steady, surroundings},
    servers::{
        collection::skill_text,
        faults::{Fault, FaultProxy, Pace},
        repository::Repository,
        skills_sh::Listing,
    },
};

const NAME: &str = "quarry-works/tides";
const SKILL: &str = "quarry-works/tides//skills/tide";
/// How many programs run side by side: they mostly wait.
const AT_ONCE: usize = 7;
/// How long a fetch or a search may take that could only wait, in milliseconds.
const LIMIT: &str = "900";
/// How long a program may take to end once its time is over, on a busy machine.
const LONGEST: Duration = Duration::from_secs(15);

fn tides() -> Repository {
    let repository = Repository::new(NAME);
    repository.file("skills/tide/SKILL.md", skill_text("tide", "Tells high from low water."));
    repository.file("skills/tide/references/units.md", "metres\n".repeat(40));
    repository.commit("tides");
    repository
}

/// Exit code, code, and a part of the text that a fault leads to.
type Outcome = (i32, &'static str, &'static str);

/// What becomes of a fault on an answer in JSON.
fn on_json(fault: Fault) -> Outcome {
    let truncated = (3, "http_truncated", "the answer of `[HOST]` ends too early");
    let late = (3, "http_timeout", "what the command asks of `[HOST]` took too long");
    let json = |why| (3, "http_json", why);
    let paused =
        (7, "rate_limit_secondary", "too many requests at once for the secondary rate limit of `[HOST]`");
    match fault {
        Fault::CloseBeforeHeaders => {
            (3, "http_interrupted", "`[HOST]` closed the connection without an answer")
        }
        Fault::CloseAfterHeaders
        | Fault::TruncateBody
        | Fault::ContentLengthTooLong
        | Fault::GzipTruncated => truncated,
        Fault::StallHeaders | Fault::DripBody => late,
        Fault::GzipBomb => (3, "http_too_large", "the answer of `[HOST]` is larger than "),
        Fault::ContentLengthTooShort => json("EOF while parsing"),
        Fault::InvalidJson => json("EOF while parsing a value at line 1 column 18"),
        Fault::JsonDepth | Fault::JsonDuplicateKeys => {
            json("caused by: another shape than expected at line ")
        }
        Fault::InvalidUtf8 => json("invalid utf-8 sequence"),
        Fault::BomPrefix => json("expected value at line 1 column 1"),
        Fault::RedirectLoop => (3, "http_redirect", "which is not followed: a redirect in a circle"),
        Fault::RedirectChain => (3, "http_redirect", "which is not followed: too many redirects"),
        Fault::RedirectOtherHost | Fault::RedirectSchemeDowngrade => {
            (3, "http_redirect", "which is not followed: another host")
        }
        Fault::RedirectFileScheme => (
            3,
            "http_redirect",
            "`[HOST]` redirects to `file:`, which is not followed: an address of another kind",
        ),
        Fault::HeaderFlood => (3, "http_protocol", "message head is too large"),
        Fault::DateHeaderFarFuture => (0, "", ""),
        Fault::RatelimitResetInPast
        | Fault::RetryAfterHttpDate
        | Fault::RetryAfterNegative
        | Fault::RetryAfterHuge => paused,
        Fault::EtagMismatch => (3, "http_not_kept", "`[HOST]` refers to an earlier answer that is not kept"),
    }
}

/// Faults after which a request is tried again; on a busy machine its time may be over in the middle of that.
const RETRIED: &[Fault] = &[
    Fault::CloseBeforeHeaders,
    Fault::CloseAfterHeaders,
    Fault::TruncateBody,
    Fault::ContentLengthTooLong,
    Fault::GzipTruncated,
];

/// The outcome that is expected, or that of a fault whose retries took too long.
fn expected(fault: Fault, outcome: Outcome, told: &str) -> Outcome {
    let late = on_json(Fault::StallHeaders);
    if RETRIED.contains(&fault) && told.contains(late.2) { late } else { outcome }
}

/// What becomes of a fault on the bytes of a file: what can be read is compared with the tree.
fn on_bytes(fault: Fault) -> Outcome {
    match fault {
        Fault::GzipBomb
        | Fault::ContentLengthTooShort
        | Fault::InvalidJson
        | Fault::JsonDepth
        | Fault::JsonDuplicateKeys
        | Fault::InvalidUtf8
        | Fault::BomPrefix => (4, "blob_wrong_size", " bytes instead of "),
        other => on_json(other),
    }
}

/// Whether the program waits or tries again after a fault.
fn waits(fault: Fault) -> bool {
    RETRIED.contains(&fault) || matches!(fault, Fault::StallHeaders | Fault::DripBody)
}

/// Sets a short limit where the program would wait or try again until its usual one is over.
fn limit(command: &mut Command, fault: Fault) {
    if waits(fault) {
        command.env("SKILLFLUX_INSTALL_TIMEOUT_MS", LIMIT).env("SKILLFLUX_REMOTE_SEARCH_TIMEOUT_MS", LIMIT);
    }
}

fn pace() -> Pace {
    Pace { drip: Duration::from_millis(30), ..Pace::default() }
}

/// Runs `play` for every fault, some side by side.
fn each_fault(play: impl Fn(Fault) + Sync) {
    let mut faults = Fault::ALL.to_vec();
    faults.sort_by_key(|fault| !waits(*fault));
    for chunk in faults.chunks(AT_ONCE) {
        thread::scope(|scope| {
            let running: Vec<_> = chunk.iter().map(|fault| scope.spawn(|| play(*fault))).collect();
            for play in running {
                play.join().unwrap();
            }
        });
    }
}

/// Mounts with every fault on requests that begin with `path`.
fn mount_with_faults(path: &str, outcome: impl Fn(Fault) -> Outcome + Sync) {
    let (repository, prefix) = (tides(), format!("/repos/{NAME}{path}"));
    each_fault(|fault| {
        let online = Online::new(vec![repository.clone()], Vec::new());
        let proxy = FaultProxy::start_with(&online.github.url(), fault, &prefix, pace());
        let before = surroundings(&online);
        let mut command = online.command();
        command.env("GITHUB_API_URL", proxy.url()).args([
            "mount",
            "--yes",
            "--json",
            "--transport",
            "api",
            SKILL,
        ]);
        limit(&mut command, fault);
        let (ran, took) = bounded(&online.context, &mut command);
        let what = format!("{} on `{path}` after {took:?}: {ran:?}", fault.name());
        let told = steady(&ran.stderr);
        let (exit, code, text) = expected(fault, outcome(fault), &told);
        assert_eq!(ran.code, exit, "{what}");
        assert!(took < LONGEST, "{what}");
        assert_eq!(surroundings(&online), before, "{what}");
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        if exit == 0 {
            assert_mounted(&online, &document["mounts"][0], &repository, &repository.head(), "skills/tide");
            return;
        }
        assert_eq!(document["code"].as_str(), Some(code), "{what}");
        assert!(told.contains(text), "{what}");
        assert!(exit == 4 || ran.stderr.contains("`127.0.0.1:"), "{what}");
        assert!(ran.stderr.contains("\n\nhint: "), "{what}");
        assert_nothing_kept(&online, &what);
    });
}

#[test]
fn faults_on_the_facts_of_a_repository_end_a_mount() {
    mount_with_faults("", on_json);
}

#[test]
fn faults_on_a_commit_end_a_mount() {
    mount_with_faults("/commits", on_json);
}

#[test]
fn faults_on_a_tree_end_a_mount() {
    mount_with_faults("/git/trees", on_json);
}

#[test]
fn faults_on_a_file_end_a_mount() {
    mount_with_faults("/git/blobs", on_bytes);
}

#[test]
fn one_fault_that_passes_is_survived() {
    // Only what may pass by itself is tried again: the connection, the framing, the server's own failures.
    let repository = tides();
    let passing =
        [Fault::CloseBeforeHeaders, Fault::CloseAfterHeaders, Fault::TruncateBody, Fault::GzipTruncated];
    thread::scope(|scope| {
        for (index, fault) in passing.into_iter().enumerate() {
            let path = ["", "/commits", "/git/trees", "/git/blobs"][index];
            let repository = repository.clone();
            scope.spawn(move || {
                let online = Online::new(vec![repository.clone()], Vec::new());
                let once = Pace { times: Some(1), ..pace() };
                let prefix = format!("/repos/{NAME}{path}");
                let proxy = FaultProxy::start_with(&online.github.url(), fault, &prefix, once);
                let mut command = online.command();
                command.env("GITHUB_API_URL", proxy.url()).args(["mount", "--yes", "--json", SKILL]);
                let (ran, _) = bounded(&online.context, &mut command);
                let document = ran.json();
                let head = repository.head();
                assert_mounted(&online, &document["mounts"][0], &repository, &head, "skills/tide");
            });
        }
    });
}

/// Searches with every fault on requests to one host that begin with `path`, and hands over what the program
/// did, its document and the source that is hit.
fn search_with_faults(
    (path, hit, source): (&str, Hit, &str),
    check: impl Fn(Fault, &Ran, &Value, &Value) + Sync,
) {
    let repository = tides();
    each_fault(|fault| {
        let online = Online::new(vec![repository.clone()], vec![Listing::new(NAME, "tide", 300)]);
        let upstream = if hit == Hit::Skills { online.skills.url() } else { online.github.url() };
        let proxy = FaultProxy::start_with(&upstream, fault, path, pace());
        let mut command = if hit == Hit::Anonymous { online.anonymous() } else { online.command() };
        let variable = if hit == Hit::Skills { "SKILLS_API_URL" } else { "GITHUB_API_URL" };
        command.env(variable, proxy.url()).args(["search", "--json", "tide"]);
        limit(&mut command, fault);
        let before = surroundings(&online);
        let (ran, took) = bounded(&online.context, &mut command);
        assert!(took < LONGEST, "{} on `{path}` after {took:?}: {ran:?}", fault.name());
        assert_eq!(surroundings(&online), before);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        let reports = document["sources"].as_array().unwrap();
        let report = reports.iter().find(|report| report["source"] == source).unwrap_or(&Value::Null);
        check(fault, &ran, &document, report);
    });
}

/// Whose requests are hit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hit {
    Skills,
    Github,
    Anonymous,
}

/// What a report on a source must say of a fault.
fn assert_reported(fault: Fault, ran: &Ran, report: &Value) {
    let detail = steady(report["detail"].as_str().unwrap_or_default());
    let (exit, _, text) = expected(fault, on_json(fault), &detail);
    let what = format!("{}: {ran:?}", fault.name());
    let status = match exit {
        0 => return assert!(report.is_null() || report["status"] == "ok", "{what}"),
        7 => "rate-limited",
        _ => "failed",
    };
    assert_eq!(report["status"], status, "{what}");
    assert!(detail.contains("`[HOST]`"), "{what}");
    // What was expected in place of arrays, and of redirects of what is no GET, differs with the request.
    let differs = [
        Fault::JsonDepth,
        Fault::JsonDuplicateKeys,
        Fault::EtagMismatch,
        Fault::RedirectLoop,
        Fault::RedirectChain,
    ];
    assert!(differs.contains(&fault) || detail.contains(text.trim_start_matches("caused by: ")), "{what}");
}

#[test]
fn faults_of_one_source_hide_no_other() {
    for (path, hit, source, other) in [
        ("/api/search", Hit::Skills, "skills.sh", "github"),
        ("/search/code", Hit::Github, "github", "skills.sh"),
    ] {
        search_with_faults((path, hit, source), |fault, ran, document, report| {
            assert_reported(fault, ran, report);
            let is_well = on_json(fault).0 == 0;
            assert_eq!(ran.code, 0, "{ran:?}");
            assert_eq!(document["status"], if is_well { "ok" } else { "partial" }, "{ran:?}");
            assert_eq!(document["authoritative"], is_well, "{ran:?}");
            assert_eq!(document["results"][0]["name"], "tide", "{ran:?}");
            assert!(
                document["results"][0]["offered_by"].as_array().unwrap().contains(&other.into()),
                "{ran:?}"
            );
        });
    }
}

#[test]
fn faults_on_the_facts_of_repositories_hide_no_result() {
    for (path, hit) in [("/graphql", Hit::Github), ("/repos", Hit::Anonymous)] {
        search_with_faults((path, hit, "repositories"), |fault, ran, document, report| {
            assert_reported(fault, ran, report);
            // Without a token GitHub itself is not searched.
            let is_well = on_json(fault).0 == 0 && matches!(hit, Hit::Github);
            let status = if is_well { "ok" } else { "partial" };
            assert_eq!((ran.code, document["status"].as_str()), (0, Some(status)), "{ran:?}");
            assert_eq!(document["results"][0]["name"], "tide", "{ran:?}");
        });
    }
}

#[test]
fn faults_of_the_only_source_are_the_end_of_a_search() {
    let repository = tides();
    each_fault(|fault| {
        let online = Online::new(vec![repository.clone()], vec![Listing::new(NAME, "tide", 300)]);
        let proxy = FaultProxy::start_with(&online.skills.url(), fault, "/api/search", pace());
        let search = |arguments: &[&str]| {
            let mut command = online.command();
            command
                .env("SKILLS_API_URL", proxy.url())
                .args(["search", "--source", "skills.sh", "tide"])
                .args(arguments);
            limit(&mut command, fault);
            bounded(&online.context, &mut command).0
        };
        let (exit, ..) = on_json(fault);
        let ran = search(&["--json"]);
        assert_eq!(ran.code, exit, "{}: {ran:?}", fault.name());
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        let status = match exit {
            0 => "ok",
            7 => "rate-limited",
            _ => "failed",
        };
        assert_eq!(document["status"], status, "{ran:?}");
        // A person reads the cause too.
        let detail = document["sources"][0]["detail"].as_str().unwrap_or_default().to_owned();
        let told = search(&[]);
        let late = on_json(Fault::StallHeaders).2;
        let is_late = [&detail, &told.stdout].iter().any(|text| steady(text).contains(late));
        let is_told = told.stdout.contains(&detail) || waits(fault) && is_late;
        assert!(exit == 7 || is_told, "{detail}: {told:?}");
    });
}

#[test]
fn faults_of_a_git_server_end_a_mount() {
    let repository = tides();
    let faults = [
        (Fault::CloseBeforeHeaders, "git_failed"),
        (Fault::TruncateBody, "git_failed"),
        (Fault::GzipTruncated, "git_failed"),
        (Fault::StallHeaders, "git_timeout"),
        (Fault::DripBody, "git_timeout"),
        (Fault::RedirectOtherHost, "git_moved"),
    ];
    for path in ["/quarry-works/tides.git/info", "/quarry-works/tides.git/git-upload-pack"] {
        thread::scope(|scope| {
            for (fault, code) in faults {
                let repository = repository.clone();
                scope.spawn(move || {
                    let online = Online::new(vec![repository], Vec::new());
                    let proxy = FaultProxy::start_with(&online.git.url(), fault, path, pace());
                    let mut command = online.command();
                    command.env("GITHUB_SERVER_URL", proxy.url()).args([
                        "mount",
                        "--yes",
                        "--json",
                        "--transport",
                        "git",
                        SKILL,
                    ]);
                    limit(&mut command, fault);
                    let (ran, took) = bounded(&online.context, &mut command);
                    let what = format!("{} on {path} after {took:?}: {ran:?}", fault.name());
                    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
                    assert_eq!(document["code"].as_str(), Some(code), "{what}");
                    assert!(took < LONGEST, "{what}");
                    assert_nothing_kept(&online, &what);
                    // The proxy still holds the connection open, so nobody ends by himself.
                    let authority = proxy.url().replace("http://", "");
                    assert!((0..200).any(|_| !is_named_by_a_process(&authority)), "{what}: git is left");
                });
            }
        });
    }
}

/// Whether the command line of any process holds `text`.
fn is_named_by_a_process(text: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.into_iter().any(|line| String::from_utf8_lossy(&line).contains(text))
}
