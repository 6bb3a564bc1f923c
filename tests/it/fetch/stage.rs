//! What is staged is what was pinned, or nothing is.

use std::{fs::read, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;
use skillflux::{
    fetch::{pin::Rules, pin::pin, stage::Progress, stage::Proof},
    http::Timeouts,
    skill::{Limits, tree},
};

use super::{
    NAME, allowing, api, api_with, api_with_token, at, deadline, pinned, run, serve, small, staged, staged_by,
};
use crate::servers::{
    collection::skill_text,
    faults::{Fault, FaultProxy},
    github::Canned,
    repository::Repository,
};

/// The id of a file of the skill that is fetched here.
fn blob(repository: &Repository, path: &str) -> String {
    repository.entry(&repository.head(), &format!("skills/tide-report/{path}")).unwrap().sha
}

#[test]
fn staged_bytes_are_those_of_git() {
    let repository = small();
    let server = serve(&repository);
    let api = api(&server);
    let pinned = pinned(&api, &at("skills/tide-report")).unwrap();
    let (folder, staged, progress) = staged_by(&api, pinned.clone(), &Rules::default());
    let staged = staged.unwrap();
    assert_eq!(staged.pinned(), &pinned);
    assert_eq!(staged.proof(), &Proof::GitTree { root: pinned.root_tree.clone() });
    assert_eq!(staged.frontmatter().name, "tide-report");
    assert_eq!(staged.dir(), folder.path());
    assert_eq!(staged.files().len(), 5);
    let mut total = 0;
    for file in staged.files() {
        let bytes = read(staged.dir().join(file.file.path.as_str())).unwrap();
        assert_eq!(bytes, repository.blob(&format!("skills/tide-report/{}", file.file.path)));
        assert_eq!(file.file.sha256, tree::content_sha256(&bytes));
        assert_eq!(file.file.executable, file.file.path.as_str() == "scripts/round.py");
        total += bytes.len() as u64;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = staged.dir().join(file.file.path.as_str()).metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777 & !0o600, 0, "nobody else reads it and nobody executes it");
        }
    }
    let files: Vec<_> = staged.files().iter().map(|file| file.file.clone()).collect();
    assert_eq!(staged.digest(), tree::digest(&files));
    assert_eq!(progress.len(), 5);
    assert_eq!(progress.last(), Some(&Progress { files: 5, bytes: total }));
    assert!(server.max_concurrent() <= 4);
}

#[test]
fn a_token_lets_more_be_asked_at_once_and_goes_to_its_host_only() {
    let repository = small();
    for index in 0..30 {
        repository.file(&format!("skills/tide-report/many/{index}"), format!("{index}"));
    }
    repository.commit("many");
    let delay = Duration::from_millis(20);
    for (with_token, most) in [(false, 4), (true, 16)] {
        let options = crate::servers::github::Options { delay, ..Default::default() };
        let server = crate::servers::github::GithubServer::start(vec![repository.clone()], options);
        let api = if with_token { api_with_token(&server) } else { api(&server) };
        let pinned = pinned(&api, &at("skills/tide-report")).unwrap();
        let (_folder, staged) = staged(&api, pinned);
        assert_eq!(staged.files().len(), 35);
        assert_eq!(server.max_concurrent(), most);
    }
}

#[test]
fn every_changed_byte_is_noticed() {
    let repository = small();
    let units = blob(&repository, "references/units.md");
    let chart = blob(&repository, "assets/chart.bin");
    let right = repository.blob("skills/tide-report/references/units.md");
    let mut flipped = right.clone();
    flipped[3] ^= 1;
    let longer = [&right[..], b"x"].concat();
    let much_longer = vec![b'x'; 4 << 20];
    for (bytes, code) in [
        (&flipped[..], "blob_wrong_bytes"),
        (&right[1..], "blob_wrong_size"),
        (b"", "blob_wrong_size"),
        (&longer, "blob_wrong_size"),
        (&much_longer, "blob_wrong_size"),
        (b"{\"content\":\"\",\"encoding\":\"base64\"}", "blob_wrong_size"),
    ] {
        let server = serve(&repository);
        let api = api(&server);
        let pinned = pinned(&api, &at("skills/tide-report")).unwrap();
        server.tamper_blob(&units, bytes);
        let (_folder, staged, _) = staged_by(&api, pinned, &Rules::default());
        assert_eq!(staged.unwrap_err().code(), code, "{} bytes", bytes.len());
    }
    let server = serve(&repository);
    let api = api(&server);
    let pinned = pinned(&api, &at("skills/tide-report")).unwrap();
    server.swap_blobs(&units, &chart);
    let (_folder, staged, _) = staged_by(&api, pinned, &Rules::default());
    assert_eq!(staged.unwrap_err().code(), "blob_wrong_size");
}

#[test]
fn an_old_server_may_wrap_blobs_in_json() {
    let repository = small();
    let units = blob(&repository, "references/units.md");
    let right = repository.blob("skills/tide-report/references/units.md");
    let text = String::from_utf8(right.clone()).unwrap();
    let lines = format!("{}\n", STANDARD.encode(&right));
    let changed = STANDARD.encode(text.replace('m', "n"));
    for (body, expected) in [
        (json!({ "sha": units, "size": right.len(), "content": lines, "encoding": "base64" }), None),
        (json!({ "content": text, "encoding": "utf-8" }), None),
        (json!({ "content": changed, "encoding": "base64" }), Some("blob_wrong_bytes")),
        (json!({ "content": "", "encoding": "base64" }), Some("blob_wrong_size")),
        (json!({ "content": "", "encoding": "none" }), Some("blob_wrong_size")),
        (json!({ "message": "no" }), Some("blob_wrong_size")),
    ] {
        let server = serve(&repository);
        let api = api(&server);
        let pinned = pinned(&api, &at("skills/tide-report")).unwrap();
        let path = format!("/repos/{NAME}/git/blobs/{units}");
        server.override_path("GET", &path, Canned::json(200, &body));
        let (_folder, staged, _) = staged_by(&api, pinned, &Rules::default());
        assert_eq!(staged.map(drop).map_err(|error| error.code()).err(), expected, "{body}");
    }
}

#[test]
fn pointers_are_refused_or_left_out() {
    let repository = small();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n";
    repository.file("skills/tide-report/big/model.bin", pointer).commit("pointer");
    let server = serve(&repository);
    let api = api(&server);
    let pinned = pinned(&api, &at("skills/tide-report")).unwrap();
    let (_folder, refused, _) = staged_by(&api, pinned.clone(), &Rules::default());
    assert_eq!(refused.unwrap_err().code(), "lfs_pointer");
    let (_folder, staged, _) = staged_by(&api, pinned, &allowing(&["lfs_pointer"]));
    let staged = staged.unwrap();
    assert_eq!(staged.files().len(), 5);
    assert_eq!(staged.pinned().files.len(), 5);
    assert_eq!(staged.pinned().omitted[0].path, "big/model.bin");
    assert!(!staged.dir().join("big").exists());
}

#[test]
fn a_header_that_cannot_be_used_is_refused() {
    for (text, code) in [
        ("no header\n", "no_frontmatter"),
        ("---\nname: x\n---\n", "description_missing"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n", "lfs_pointer"),
    ] {
        let repository = Repository::new(NAME);
        repository.file("skills/x/SKILL.md", text).commit("odd");
        let server = serve(&repository);
        let api = api(&server);
        let pinned = pinned(&api, &at("skills/x")).unwrap();
        let (_folder, staged, _) = staged_by(&api, pinned, &allowing(&["lfs_pointer"]));
        assert_eq!(staged.unwrap_err().code(), code);
    }
}

#[test]
fn limits_are_checked_before_anything_is_asked() {
    let repository = small();
    let server = serve(&repository);
    let api = api(&server);
    let limited = |limits: Limits| Rules { limits, ..Rules::default() };
    for (limits, code) in [
        (Limits { files: 4, ..Limits::default() }, "too_many_files"),
        (Limits { skill_bytes: 100, ..Limits::default() }, "skill_too_large"),
        (Limits { skill_file_bytes: 10, ..Limits::default() }, "file_too_large"),
    ] {
        let rules = limited(limits);
        let error = run(pin(&api, &at("skills/tide-report"), &rules, deadline())).unwrap_err();
        assert_eq!(error.code(), code);
    }
    let whole = pinned(&api, &at("skills/tide-report")).unwrap();
    let asked = server.requests().len();
    for (limits, code) in [
        (Limits { files: 4, ..Limits::default() }, "too_many_files"),
        (Limits { skill_bytes: 100, ..Limits::default() }, "skill_too_large"),
    ] {
        let (folder, staged, _) = staged_by(&api, whole.clone(), &limited(limits));
        assert_eq!(staged.unwrap_err().code(), code);
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }
    assert_eq!(server.requests().len(), asked);
}

#[test]
fn a_broken_download_gives_nothing() {
    let repository = Repository::new(NAME);
    repository.file("SKILL.md", skill_text("field-skills", "Is broken on the way.")).commit("one");
    let server = serve(&repository);
    let whole = pinned(&api(&server), &at("")).unwrap();
    for fault in Fault::ALL.iter().copied() {
        let proxy = FaultProxy::start(&server.url(), fault, &format!("/repos/{NAME}/git/blobs"));
        let timeouts = Timeouts { request: Duration::from_millis(400), ..Timeouts::default() };
        let api = api_with(&proxy.url(), |settings, _| settings.timeouts = timeouts);
        let (_folder, staged, progress) = staged_by(&api, whole.clone(), &Rules::default());
        // A date is nothing that bytes depend on.
        let is_harmless = fault.name() == "date_header_far_future";
        assert_eq!(staged.is_ok(), is_harmless, "{}", fault.name());
        assert_eq!(progress.is_empty(), !is_harmless);
    }
}
