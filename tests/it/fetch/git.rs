//! The system's git gives the same pins and the same bytes as the API.

use std::collections::BTreeSet;

use skillflux::{
    fetch::{
        Transport,
        pin::{Pinned, Rules, Wanted, pin},
    },
    http::Token,
    skill::Limits,
};

use super::{
    NAME, api, at, commit, deadline, found, git, linked, named, on, pinned, run, serve, small, staged,
    staged_by,
};
use crate::servers::{
    collection::skill_text,
    git_http::GitHttpServer,
    repository::{HostileEntry, Repository},
};

fn without_what_git_does_not_tell(mut pinned: Pinned) -> Pinned {
    pinned.repository_id = None;
    pinned.owner_id = None;
    for file in &mut pinned.files {
        file.size = None;
    }
    pinned
}

#[test]
fn either_transport_pins_and_stages_what_the_other_does() {
    let repository = small();
    let (github, server) = (serve(&repository), GitHttpServer::start(vec![repository.clone()]));
    let (api, (git, scratch)) = (api(&github), git(&server));
    let by_api = pinned(&api, &at("skills/tide-report")).unwrap();
    let by_git = pinned(&git, &at("skills/tide-report")).unwrap();
    assert_eq!(by_git, without_what_git_does_not_tell(by_api.clone()));
    let (_one, reference) = staged(&api, by_api.clone());
    for (transport, pin) in [(&git, &by_git), (&git, &by_api), (&api, &by_git)] {
        let (folder, staged) = staged(transport, pin.clone());
        assert_eq!(staged.digest(), reference.digest());
        assert_eq!(staged.files(), reference.files());
        assert!(staged.pinned().files.iter().all(|file| file.size.is_some()));
        let files = staged.files().iter().map(|file| file.file.path.as_str().split('/').next().unwrap());
        let there = folder.path().read_dir().unwrap().count();
        assert_eq!(there, files.collect::<BTreeSet<_>>().len(), "nothing but the files is left");
    }
    assert_eq!(scratch.path().read_dir().unwrap().count(), 0);
}

#[test]
fn references_and_names_mean_the_same() {
    let repository = small();
    let first = repository.head();
    repository.tag("v1");
    repository.branch("both").file("skills/new/SKILL.md", skill_text("new", "Is new.")).commit("second");
    repository.tag("both");
    repository.branch("feature/x").branch("main");
    let server = GitHttpServer::start(vec![repository.clone()]);
    let (git, _scratch) = git(&server);
    for (wanted, expected) in [
        (on("v1", at("skills/tide-report")), Ok("skills/tide-report")),
        (on("feature/x", named("new")), Ok("skills/new")),
        (on("both", named("new")), Err("ref_ambiguous")),
        (on("tags/both", named("new")), Ok("skills/new")),
        (named("wind-log"), Ok("skills/gust-log")),
        (named("nothing"), Err("skill_not_found")),
        (on("v2", named("new")), Err("ref_not_found")),
        (on("--upload-pack=x", named("new")), Err("ref_invalid")),
        (linked("feature/x/skills/new"), Ok("skills/new")),
        (linked("none/skills/new"), Err("ref_not_found")),
        (on(&first, at("skills/gust-log")), Ok("skills/gust-log")),
        (Wanted { commit: Some(commit(&first)), ..at("skills/gust-log") }, Ok("skills/gust-log")),
        (on(&"1".repeat(40), at("skills/gust-log")), Err("commit_not_on_default_branch")),
        (
            Wanted { repository: skillflux::skill::id::RepoSlug::parse("a/b").unwrap(), ..at("x") },
            Err("repository_not_found"),
        ),
    ] {
        assert_eq!(found(&git, &wanted).as_deref().map_err(|code| *code), expected, "{wanted:?}");
    }
}

#[test]
fn a_commit_that_is_typed_must_lie_in_the_repository() {
    let repository = small();
    let first = repository.head();
    let impostor =
        repository.file("skills/x/SKILL.md", skill_text("x", "Is from a fork.")).detached_commit("x");
    repository.file("README.md", "later\n").commit("second");
    repository.branch("side").file("README.md", "aside\n").commit("aside");
    let side = repository.head();
    repository.branch("main");
    let server = GitHttpServer::start(vec![repository.clone()]);
    let (git, _scratch) = git(&server);
    let ask = |sha: &str| found(&git, &on(sha, at("skills/gust-log"))).map(drop);
    assert_eq!(ask(&first), Ok(()));
    assert_eq!(ask(&side), Ok(()));
    assert_eq!(ask(&impostor), Err("commit_not_on_default_branch"));
    let rules = Rules { allow_unreachable: true, ..Rules::default() };
    assert!(run(pin(&git, &on(&impostor, at("skills/x")), &rules, deadline())).is_ok());
}

#[test]
fn limits_hold_though_sizes_are_not_known_before() {
    let repository = small();
    let server = GitHttpServer::start(vec![repository]);
    let (git, _scratch) = git(&server);
    let whole = pinned(&git, &at("skills/tide-report")).unwrap();
    for (limits, code) in [
        (Limits { skill_bytes: 100, ..Limits::default() }, "skill_too_large"),
        (Limits { skill_file_bytes: 10, ..Limits::default() }, "file_too_large"),
    ] {
        let rules = Rules { limits, ..Rules::default() };
        let (_folder, staged, _) = staged_by(&git, whole.clone(), &rules);
        assert_eq!(staged.unwrap_err().code(), code);
    }
}

#[test]
fn a_hostile_tree_is_refused() {
    let entry = |path: &[u8]| HostileEntry { mode: "100644", path: path.to_vec(), bytes: b"x".to_vec() };
    // Git itself refuses what its own check finds, and only that; what it says becomes the same codes.
    for (path, expected) in [
        (&b"skills/x/../../.bashrc"[..], "path_not_relative"),
        (b"skills/x/name\xff", "path_encoding"),
        (b"skills/x/CON", "path_device_name"),
        (b"skills/x/skill.md", "path_collision"),
    ] {
        let repository = Repository::new(NAME);
        repository.hostile_tree(&[entry(b"skills/x/SKILL.md"), entry(path)]);
        let server = GitHttpServer::start(vec![repository]);
        let (git, scratch) = git(&server);
        assert_eq!(found(&git, &at("skills/x")), Err(expected));
        assert_eq!(scratch.path().read_dir().unwrap().count(), 0);
    }
}

#[test]
fn nothing_of_the_machine_takes_part_and_a_token_goes_by_header() {
    let repository = small();
    let server = GitHttpServer::start(vec![repository]);
    let (transport, scratch) = git(&server);
    let Transport::Git(mut git) = transport else { panic!() };
    let home = tempfile::TempDir::new().unwrap();
    let (trace, config) = (home.path().join("trace"), home.path().join(".gitconfig"));
    std::fs::write(&config, "[http]\n\textraHeader = X-Machine: yes\n").unwrap();
    git.environment.extend([
        ("GIT_TRACE".into(), trace.clone().into()),
        ("HOME".into(), home.path().into()),
        ("GIT_CONFIG_GLOBAL".into(), config.into()),
        ("XDG_CONFIG_HOME".into(), home.path().into()),
    ]);
    git.token = Token::new("secret-token");
    assert!(found(&Transport::Git(git.clone()), &at("skills/gust-log")).is_ok());
    assert!(!trace.exists());
    let requests = server.requests();
    assert!(!requests.is_empty());
    for seen in requests {
        assert_eq!(seen.headers.get("x-machine"), None);
        let expected = "Basic eC1hY2Nlc3MtdG9rZW46c2VjcmV0LXRva2Vu";
        assert_eq!(seen.headers.get("authorization").map(String::as_str), Some(expected));
    }
    git.program = "no-such-git".into();
    assert!(!run(git.is_there(deadline())));
    assert_eq!(found(&Transport::Git(git), &at("skills/gust-log")), Err("git_missing"));
    assert_eq!(scratch.path().read_dir().unwrap().count(), 0);
}
