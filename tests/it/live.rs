//! The real hosts, asked only where somebody wants that: `cargo test --test it live -- --ignored --nocapture`.
//!
//! `SKILLFLUX_DISCOVERY_QUERY` is what is searched, `SKILLFLUX_TRUSTED_OWNERS` and `SKILLFLUX_BLOCKED_OWNERS`
//! (comma-separated) and `SKILLFLUX_TRUST_POLICY` steer who is admitted, `SKILLFLUX_REQUIRE_GITHUB=1` wants an
//! answer of GitHub's code search, which takes a token.

use std::process::Command;

use crate::context::{Ran, TestContext};

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// The program on the real hosts, with the wishes of the environment.
fn command(context: &TestContext) -> Command {
    let mut command = context.command();
    for name in ["PATH", "GITHUB_TOKEN", "GH_TOKEN", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE"] {
        command.envs(variable(name).map(|value| (name, value)));
    }
    command.env("SKILLFLUX_SESSION", "live");
    let list = |value: String| format!("[{value}]");
    let settings = [
        ("SKILLFLUX_REMOTE_TRUSTED_OWNERS", variable("SKILLFLUX_TRUSTED_OWNERS").map(list)),
        ("SKILLFLUX_REMOTE_BLOCKED_OWNERS", variable("SKILLFLUX_BLOCKED_OWNERS").map(list)),
        ("SKILLFLUX_REMOTE_TRUST_POLICY", variable("SKILLFLUX_TRUST_POLICY")),
    ];
    command.envs(settings.into_iter().filter_map(|(name, value)| Some((name, value?))));
    command
}

#[test]
#[ignore = "it asks the real hosts"]
fn a_search_a_mount_and_a_load_on_the_real_hosts() {
    let context = TestContext::new();
    let query = variable("SKILLFLUX_DISCOVERY_QUERY").unwrap_or_else(|| "pdf".to_owned());
    let run = |arguments: &[&str]| {
        let ran = Ran::new(&context, &command(&context).args(arguments).output().unwrap());
        println!("skillflux {}: exit code {}\n{}", arguments.join(" "), ran.code, ran.stderr);
        ran
    };
    let first = run(&["search", "--json", &query]).json();
    let source =
        |name: &str| first["sources"].as_array().unwrap().iter().find(|source| source["source"] == name);
    if variable("SKILLFLUX_REQUIRE_GITHUB").as_deref() == Some("1") {
        assert_eq!(source("github").unwrap()["status"], "ok", "{first:#}");
    }
    let again = run(&["search", "--json", &query]).json();
    assert_eq!(
        again["sources"][0]["status"], "stored",
        "the second search is answered from the cache: {again:#}"
    );
    assert_eq!(first["results"].as_array().unwrap().len(), again["results"].as_array().unwrap().len());
    let results = first["results"].as_array().unwrap();
    let mountable = results.iter().find(|result| result["origin"] == "remote" && result["mountable"] == true);
    let id = mountable.unwrap_or_else(|| panic!("nothing can be mounted: {first:#}"))["id"].as_str().unwrap();
    let mounted = run(&["mount", "--yes", "--json", id]).json();
    assert_eq!(mounted["mounts"].as_array().unwrap().len(), 1, "{mounted:#}");
    assert_eq!(run(&["load", "--offline", id]).code, 0);
    assert_eq!(run(&["cache", "verify"]).code, 0);
}
