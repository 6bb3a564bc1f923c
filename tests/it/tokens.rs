//! A token reaches the one host it is for, and nothing else: no output, no log, no file, no other host.

use std::{fs, path::PathBuf};

use base64::{Engine, engine::general_purpose::STANDARD};

use crate::{
    context::{Ran, TestContext},
    online::Online,
    proof::{bounded, names_below},
    servers::{
        collection::skill_text,
        faults::{Fault, FaultProxy, Pace},
        git_http::GitHttpServer,
        github::{GithubServer, Options, Refusal, now_seconds},
        repository::Repository,
        skills_sh::{Listing, Mood, SkillsShServer},
        traffic::Seen,
    },
};

const NAME: &str = "quarry-works/tides";
const SKILL: &str = "quarry-works/tides//skills/tide";
/// Made of parts, so that nothing that reads this file takes it for a real one.
const SECRET: &str = concat!("ghp_", "Wq7rT2yU9iO4pA6sD1fG8hJ3kL5zX0cV2bN7");

fn tides() -> Repository {
    let repository = Repository::new(NAME);
    repository.file("skills/tide/SKILL.md", skill_text("tide", "Tells high from low water."));
    repository.file("skills/tide/references/units.md", "metres\n");
    repository.commit("tides");
    repository
}

fn online() -> Online {
    let repositories = vec![tides()];
    let options = Options { token: SECRET.to_owned(), ..Options::default() };
    Online {
        context: TestContext::new(),
        git: GitHttpServer::start(repositories.clone()),
        github: GithubServer::start(repositories, options),
        skills: SkillsShServer::start(vec![Listing::new(NAME, "tide", 300)], std::time::Duration::ZERO),
    }
}

/// Every form in which a token travels: itself, and as git sends it.
fn forms() -> Vec<String> {
    let pair = STANDARD.encode(format!("x-access-token:{SECRET}"));
    // The beginning would give it away as well.
    vec![SECRET[..20].to_owned(), pair[20..60].to_owned()]
}

/// Asserts that neither what the program said nor any file of the home holds the token.
fn assert_secret(online: &Online, ran: &Ran, what: &str) {
    for form in forms() {
        assert!(!ran.stdout.contains(&form) && !ran.stderr.contains(&form), "{what}: {ran:?}");
        let home = online.context.home();
        for name in names_below(&home) {
            let path: PathBuf = home.join(&name);
            assert!(!name.contains(&form), "{what}: {name}");
            if fs::symlink_metadata(&path).unwrap().is_file() {
                let bytes = fs::read(&path).unwrap();
                let found = bytes.windows(form.len()).any(|part| part == form.as_bytes());
                assert!(!found, "{what}: `{name}` holds the token");
            }
        }
    }
}

fn authorised(requests: &[Seen]) -> usize {
    requests.iter().filter(|seen| seen.headers.contains_key("authorization")).count()
}

/// Runs with the token, every detail of the log on standard error, and again with the log in a file.
fn run(online: &Online, variable: &str, arguments: &[&str]) -> [Ran; 2] {
    let log = online.context.home().join("skillflux.log");
    let logs: [&[&str]; 2] = [&["-vvv"], &["-vvv", "--log-file", log.to_str().unwrap()]];
    logs.map(|flags| {
        let mut command = online.anonymous();
        command.env(variable, SECRET).args(flags).args(arguments);
        bounded(&online.context, &mut command).0
    })
}

#[test]
fn no_output_no_log_and_no_file_holds_a_token() {
    for variable in ["GITHUB_TOKEN", "GH_TOKEN"] {
        let online = online();
        for arguments in [
            &["search", "tide"][..],
            &["search", "--json", "--refresh", "tide"],
            &["search", "--dry-run", "tide"],
            &["search", "--dry-run", "--json", "tide"],
            &["mount", "--yes", SKILL],
            &["mount", "--yes", "--json", "--transport", "git", SKILL],
            &["load", "tide"],
            &["cache", "list", "--json"],
            &["discovery-cache"],
            &["status", "--json"],
            &["config", "list"],
            &["mount", "--yes", "quarry-works/none//x"],
            &["mount", "--yes", "--transport", "git", "quarry-works/none//x"],
        ] {
            for ran in run(&online, variable, arguments) {
                assert!(matches!(ran.code, 0 | 1), "{arguments:?}: {ran:?}");
                assert_secret(&online, &ran, &format!("{arguments:?}"));
            }
        }
        let log = fs::read_to_string(online.context.home().join("skillflux.log")).unwrap();
        assert!(log.lines().count() > 10, "the log says something: {log}");
        // It was used, where it belongs.
        let asked = online.github.requests();
        assert!(!asked.is_empty() && authorised(&asked) == asked.len(), "{asked:#?}");
        let git = online.git.requests();
        assert!(!git.is_empty() && authorised(&git) == git.len(), "{git:#?}");
        assert_eq!(authorised(&online.skills.requests()), 0);
    }
}

#[test]
fn what_fails_keeps_the_secret_too() {
    let refused = |refusal: Refusal| {
        let online = online();
        online.github.override_path("GET", "/repos", refusal.canned(now_seconds()));
        online.github.override_path("GET", "/search", refusal.canned(now_seconds()));
        online.skills.set(Mood::Html);
        online
    };
    for refusal in [Refusal::BadCredentials, Refusal::NotAccessible, Refusal::PrimaryLimitToken] {
        let online = refused(refusal);
        for arguments in [&["mount", "--yes", "--transport", "api", SKILL][..], &["search", "tide"]] {
            for ran in run(&online, "GITHUB_TOKEN", arguments) {
                assert_ne!(ran.code, 0, "{ran:?}");
                assert_secret(&online, &ran, &format!("{refusal:?}"));
            }
        }
    }
    // A host that sends back what it got.
    let online = online();
    let echo = serde_json::json!({ "message": format!("{SECRET} is not welcome"), "status": "403" });
    online.github.override_path("GET", "/repos", crate::servers::github::Canned::json(403, &echo));
    for ran in run(&online, "GITHUB_TOKEN", &["mount", "--yes", "--transport", "api", SKILL]) {
        assert_eq!(ran.code, 5, "{ran:?}");
        assert_secret(&online, &ran, "an echo");
    }
}

#[test]
fn no_other_host_gets_a_token() {
    let online = online();
    // Redirected requests would arrive here.
    let elsewhere = SkillsShServer::start(Vec::new(), std::time::Duration::ZERO);
    let pace = Pace { other_host: format!("{}/repos/{NAME}", elsewhere.url()), ..Pace::default() };
    for (path, arguments) in [
        ("/repos", &["mount", "--yes", "--transport", "api", SKILL][..]),
        ("/search/code", &["search", "--source", "github", "tide"]),
        ("/graphql", &["search", "--source", "github", "--refresh", "tide"]),
    ] {
        let proxy =
            FaultProxy::start_with(&online.github.url(), Fault::RedirectOtherHost, path, pace.clone());
        let mut command = online.anonymous();
        command.env("GITHUB_TOKEN", SECRET).env("GITHUB_API_URL", proxy.url()).args(arguments);
        let (ran, _) = bounded(&online.context, &mut command);
        assert_secret(&online, &ran, path);
        assert!(authorised(&proxy.requests()) > 0, "{path}: {ran:?}");
    }
    let proxy = FaultProxy::start_with(&online.git.url(), Fault::RedirectOtherHost, "/", pace);
    let mut command = online.anonymous();
    command.env("GITHUB_TOKEN", SECRET).env("GITHUB_SERVER_URL", proxy.url()).args([
        "mount",
        "--yes",
        "--transport",
        "git",
        SKILL,
    ]);
    let (ran, _) = bounded(&online.context, &mut command);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert_secret(&online, &ran, "git");
    assert!(elsewhere.requests().is_empty(), "{:?}", elsewhere.requests());
}

#[test]
fn an_empty_token_is_none_and_hides_no_other() {
    let online = online();
    let mut command = online.anonymous();
    command.env("GITHUB_TOKEN", "").env("GH_TOKEN", SECRET).args(["mount", "--yes", SKILL]);
    assert_eq!(bounded(&online.context, &mut command).0.code, 0);
    let asked = online.github.requests();
    assert_eq!(authorised(&asked), asked.len());
    let before = asked.len();
    let mut command = online.anonymous();
    command.env("GITHUB_TOKEN", "").env("GH_TOKEN", "").args(["mount", "--yes", SKILL]);
    assert_eq!(bounded(&online.context, &mut command).0.code, 0);
    assert_eq!(authorised(&online.github.requests()[before..]), 0);
}
