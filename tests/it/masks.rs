//! Words in place of what differs from run to run or from machine to machine: ports, ids, digests, times.

use insta::{Settings, internals::SettingsBindDropGuard};

use crate::{
    online::Online,
    servers::{github::now_seconds, repository::Repository},
};

const PATTERNS: [(&str, &str); 8] = [
    (r"\b[0-9a-f]{64}\b", "[DIGEST]"),
    (r"sha256:[0-9a-f]{12}\b", "sha256:[SHORT]"),
    (r"\b[0-9a-f]{40}\b", "[COMMIT]"),
    (r"\b[0-9a-f]{24}\b", "[ID]"),
    (r"\b(at |of |@|: |id )[0-9a-f]{12}\b", "$1[SHORT]"),
    (r"\b20\d\d-\d\d-\d\dT[0-9:.]+Z", "[TIME]"),
    (r"\b20\d\d-\d\d-\d\d\b", "[DAY]"),
    (r"skillflux/\d+\.\d+\.\d+", "skillflux/[VERSION]"),
];

/// Masks what differs, for as long as the guard is kept.
pub(crate) fn masks(online: &Online) -> SettingsBindDropGuard {
    let mut settings = Settings::clone_current();
    for (url, word) in
        [(online.github.url(), "[API]"), (online.git.url(), "[GIT]"), (online.skills.url(), "[SKILLS]")]
    {
        settings.add_filter(&url, word);
        settings.add_filter(url.trim_start_matches("http://"), word);
    }
    for (pattern, word) in PATTERNS {
        settings.add_filter(pattern, word);
    }
    settings.bind_to_scope()
}

/// A repository that was pushed to three days ago, so that its score does not change as the years go by.
pub(crate) fn lively(name: &str) -> Repository {
    let repository = Repository::new(name);
    let pushed = jiff::Timestamp::from_second(now_seconds() - 3 * 86_400).expect("it is near the present");
    repository.set(|facts| facts.pushed_at = pushed.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
    repository
}
