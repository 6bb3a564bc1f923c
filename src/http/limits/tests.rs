//! What is remembered of rate limits, and what processes tell each other through the file.

use std::path::Path;

use fs_err as fs;
use proptest::prelude::*;
use reqwest::header::HeaderValue;

use super::*;

const NOW_MS: i64 = 1_787_529_600_000;
const PATIENCE: Duration = Duration::from_secs(5);

fn asker(class: &str, bucket: Bucket) -> Asker {
    Asker {
        origin: "https://api.github.com".to_owned(),
        host: "api.github.com".to_owned(),
        class: class.to_owned(),
        bucket,
        authenticated: class != "anonymous",
    }
}

fn headers(remaining: u64, reset_s: i64, resource: Option<&'static str>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("x-ratelimit-limit", HeaderValue::from(60));
    headers.insert("x-ratelimit-remaining", HeaderValue::from(remaining));
    headers.insert("x-ratelimit-reset", HeaderValue::from(NOW_MS / 1_000 + reset_s));
    if let Some(resource) = resource {
        headers.insert("x-ratelimit-resource", HeaderValue::from_static(resource));
    }
    headers
}

fn limited(scope: RateScope, ahead_ms: i64) -> HttpError {
    HttpError::RateLimited {
        host: "api.github.com".to_owned(),
        scope,
        authenticated: false,
        retry_at_ms: NOW_MS + ahead_ms,
    }
}

fn refused_until(limits: &Limits, asker: &Asker, now_ms: i64) -> Option<(RateScope, i64)> {
    match limits.check(asker, now_ms) {
        Ok(()) => None,
        Err(HttpError::RateLimited { scope, retry_at_ms, .. }) => Some((scope, retry_at_ms - NOW_MS)),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn a_limit_holds_for_its_token_and_its_resource_until_its_reset() {
    let limits = Limits::open(None, NOW_MS);
    let core = asker("anonymous", Bucket::Core);
    assert!(!limits.note(&core, &headers(57, 600, Some("core")), None, NOW_MS));
    assert_eq!(limits.quota(&core), Some(Quota { limit: 60, remaining: 57, reset_ms: NOW_MS + 600_000 }));
    assert!(limits.check(&core, NOW_MS).is_ok());
    assert!(limits.note(&core, &headers(0, 600, Some("core")), None, NOW_MS));
    assert_eq!(refused_until(&limits, &core, NOW_MS), Some((RateScope::Primary, 600_000)));
    assert_eq!(refused_until(&limits, &core, NOW_MS + 600_000), None);
    assert_eq!(refused_until(&limits, &asker("token-1", Bucket::Core), NOW_MS), None);
    assert_eq!(refused_until(&limits, &asker("anonymous", Bucket::CodeSearch), NOW_MS), None);
}

#[test]
fn the_header_names_the_resource_and_odd_names_are_ignored() {
    let limits = Limits::open(None, NOW_MS);
    let core = asker("token-1", Bucket::Core);
    limits.note(&core, &headers(0, 600, Some("code_search")), None, NOW_MS);
    assert!(limits.check(&core, NOW_MS).is_ok());
    assert!(limits.check(&asker("token-1", Bucket::CodeSearch), NOW_MS).is_err());
    limits.note(&core, &headers(0, 600, Some("ghp_0123456789")), None, NOW_MS);
    assert!(limits.check(&core, NOW_MS).is_err());
}

#[test]
fn absent_headers_are_no_limit() {
    let limits = Limits::open(None, NOW_MS);
    let core = asker("anonymous", Bucket::Core);
    let mut partial = headers(0, 600, None);
    partial.remove("x-ratelimit-reset");
    for headers in [HeaderMap::new(), partial] {
        assert!(!limits.note(&core, &headers, None, NOW_MS));
        assert_eq!((limits.quota(&core), refused_until(&limits, &core, NOW_MS)), (None, None));
    }
}

#[test]
fn a_refusal_outweighs_a_reset_in_the_past() {
    let limits = Limits::open(None, NOW_MS);
    let core = asker("anonymous", Bucket::Core);
    limits.note(&core, &headers(0, -600, Some("core")), None, NOW_MS);
    assert_eq!(refused_until(&limits, &core, NOW_MS), None);
    limits.note(&core, &headers(0, -600, Some("core")), Some(&limited(RateScope::Primary, 60_000)), NOW_MS);
    assert_eq!(refused_until(&limits, &core, NOW_MS), Some((RateScope::Primary, 60_000)));
}

#[test]
fn a_pause_holds_for_the_whole_origin() {
    let limits = Limits::open(None, NOW_MS);
    let error = limited(RateScope::Secondary, 90_000);
    assert!(limits.note(&asker("token-1", Bucket::CodeSearch), &HeaderMap::new(), Some(&error), NOW_MS));
    for class in ["anonymous", "token-1", "token-2"] {
        let core = asker(class, Bucket::Core);
        assert_eq!(refused_until(&limits, &core, NOW_MS), Some((RateScope::Secondary, 90_000)));
        assert_eq!(refused_until(&limits, &core, NOW_MS + 90_000), None);
    }
    let elsewhere = Asker { origin: "https://ghe.example".to_owned(), ..asker("token-1", Bucket::Core) };
    assert!(limits.check(&elsewhere, NOW_MS).is_ok());
    // A shorter pause does not end a longer one.
    let core = asker("anonymous", Bucket::Core);
    limits.note(&core, &HeaderMap::new(), Some(&limited(RateScope::Secondary, 1_000)), NOW_MS);
    assert_eq!(refused_until(&limits, &core, NOW_MS), Some((RateScope::Secondary, 90_000)));
}

#[tokio::test]
async fn processes_learn_from_each_other_and_lose_nothing() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("state/limits.json");
    let (first, second) =
        (Limits::open(Some(file.clone()), NOW_MS), Limits::open(Some(file.clone()), NOW_MS));
    let core = asker("anonymous", Bucket::Core);
    let search = asker("token-1", Bucket::CodeSearch);
    first.note(&core, &headers(0, 600, None), None, NOW_MS);
    first.share(NOW_MS, PATIENCE).await;
    second.note(&search, &headers(3, 60, None), None, NOW_MS);
    second.note(&search, &HeaderMap::new(), Some(&limited(RateScope::Secondary, 5_000)), NOW_MS);
    second.share(NOW_MS, PATIENCE).await;
    let third = Limits::open(Some(file), NOW_MS + 6_000);
    assert_eq!(refused_until(&third, &core, NOW_MS + 6_000), Some((RateScope::Primary, 600_000)));
    assert_eq!(third.quota(&search).unwrap().remaining, 3);
    assert_eq!(refused_until(&third, &search, NOW_MS + 4_000), None, "what was over is not read");
}

#[tokio::test]
async fn a_newer_file_is_left_alone_and_a_broken_one_is_begun_anew() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("limits.json");
    let core = asker("anonymous", Bucket::Core);
    let used_up = || {
        let limits = Limits::open(Some(file.clone()), NOW_MS);
        assert_eq!(limits.quota(&core), None);
        limits.note(&core, &headers(0, 600, None), None, NOW_MS);
        limits
    };
    let newer = r#"{"version": 2, "limits": {}}"#;
    fs::write(&file, newer).unwrap();
    used_up().share(NOW_MS, PATIENCE).await;
    assert_eq!(fs::read_to_string(&file).unwrap(), newer);
    for broken in ["", "{", "[]", r#"{"version": 0}"#, r#"{"version": 1, "quotas": 3}"#] {
        fs::write(&file, broken).unwrap();
        used_up().share(NOW_MS, PATIENCE).await;
        assert!(Limits::open(Some(file.clone()), NOW_MS).check(&core, NOW_MS).is_err(), "{broken}");
    }
}

#[tokio::test]
async fn the_file_is_bounded_and_written_only_with_news() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("limits.json");
    let limits = Limits::open(Some(file.clone()), NOW_MS);
    for number in 0..100 {
        let asker =
            Asker { origin: format!("https://host-{number:03}.example"), ..asker("anonymous", Bucket::Core) };
        limits.note(&asker, &headers(0, 600, None), None, NOW_MS + number);
        limits.note(&asker, &HeaderMap::new(), Some(&limited(RateScope::Secondary, 1_000 + number)), NOW_MS);
    }
    limits.share(NOW_MS, PATIENCE).await;
    let text = fs::read_to_string(&file).unwrap();
    let count = |word: &str| text.matches(word).count();
    assert_eq!((count("\"remaining\""), count("\"untilMs\"")), (64, 64));
    assert!(text.contains("host-099") && !text.contains("host-035.") && text.contains("host-036"));
    let written = fs::File::open(&file).unwrap().metadata().unwrap().modified().unwrap();
    let again = Limits::open(Some(file.clone()), NOW_MS);
    again.share(NOW_MS, PATIENCE).await;
    assert_eq!(fs::File::open(&file).unwrap().metadata().unwrap().modified().unwrap(), written);
}

#[tokio::test]
async fn a_held_lock_or_a_missing_folder_hinders_nothing() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("limits.json");
    let lock = fs::File::create(home.path().join("limits.json.lock")).unwrap();
    lock.lock().unwrap();
    let core = asker("anonymous", Bucket::Core);
    let limits = Limits::open(Some(file.clone()), NOW_MS);
    limits.note(&core, &headers(0, 600, None), None, NOW_MS);
    limits.share(NOW_MS, Duration::from_millis(20)).await;
    assert!(!file.exists());
    assert!(limits.check(&core, NOW_MS).is_err());
    let nowhere = Limits::open(Some(Path::new("/dev/null/limits.json").to_owned()), NOW_MS);
    nowhere.note(&core, &headers(0, 600, None), None, NOW_MS);
    nowhere.share(NOW_MS, PATIENCE).await;
    assert!(nowhere.check(&core, NOW_MS).is_err());
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_or_a_link_in_place_of_a_file_hinders_nothing() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    for name in ["limits.json", "limits.json.lock"] {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(name);
        for is_pipe in [true, false] {
            if is_pipe {
                mknodat(CWD, &path, FileType::Fifo, Mode::RWXU, 0).unwrap();
            } else {
                fs::write(home.path().join("letter"), "dear").unwrap();
                std::os::unix::fs::symlink("letter", &path).unwrap();
            }
            let limits = Limits::open(Some(home.path().join("limits.json")), NOW_MS);
            let core = asker("anonymous", Bucket::Core);
            limits.note(&core, &headers(0, 600, None), None, NOW_MS);
            limits.share(NOW_MS, PATIENCE).await;
            assert!(!fs::symlink_metadata(&path).unwrap().is_file());
            fs::remove_file(&path).unwrap();
        }
        assert_eq!(fs::read_to_string(home.path().join("letter")).unwrap(), "dear");
    }
}

#[test]
fn a_wrong_clock_blocks_nothing_for_long() {
    let limits = Limits::open(None, NOW_MS);
    let core = asker("anonymous", Bucket::Core);
    limits.note(&core, &headers(0, 1_000_000_000, None), None, NOW_MS);
    assert_eq!(refused_until(&limits, &core, NOW_MS), Some((RateScope::Primary, classify::LONGEST_RESET_MS)));
    let mut state = limits.state().clone();
    state.pause("https://api.github.com".to_owned(), NOW_MS + 800_000);
    state.forget(NOW_MS - 1_000_000_000);
    assert_eq!(state, State::default());
}

proptest! {
    #[test]
    fn the_order_of_answers_of_one_period_does_not_matter(mut rests in prop::collection::vec(0_u64..60, 1..8)) {
        let learn = |rests: &[u64]| {
            let limits = Limits::open(None, NOW_MS);
            for rest in rests {
                limits.note(&asker("anonymous", Bucket::Core), &headers(*rest, 600, None), None, NOW_MS);
            }
            limits.quota(&asker("anonymous", Bucket::Core)).unwrap().remaining
        };
        let found = learn(&rests);
        rests.sort_unstable();
        prop_assert_eq!(found, rests[0]);
        prop_assert_eq!(learn(&rests), rests[0]);
    }
}
