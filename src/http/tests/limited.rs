//! Rate limits over the wire: what is refused, what is waited out, what other clients learn.

use fs_err as fs;

use super::{
    super::*,
    NOW_MS, client, get, json,
    server::{Server, answer},
    settings, with_token,
};

fn limited(status: u16, headers: &[(&str, &str)]) -> Server {
    let headers: Vec<(String, String)> =
        headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Server::answering(move |_, _| {
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        answer(status, &headers, "{\"message\": \"API rate limit exceeded\"}")
    })
}

const IN_TEN_MINUTES: &str = "1787530200";

const USED_UP: [(&str, &str); 4] = [
    ("x-ratelimit-limit", "60"),
    ("x-ratelimit-remaining", "0"),
    ("x-ratelimit-reset", IN_TEN_MINUTES),
    ("x-ratelimit-resource", "core"),
];

#[tokio::test]
async fn a_limit_that_is_used_up_is_not_asked_again() {
    let server = limited(403, &USED_UP);
    let client = client(settings());
    for _ in 0..3 {
        let failed = json(&client, &get(&server, "/x")).await.unwrap_err();
        let HttpError::RateLimited { scope: RateScope::Primary, authenticated: false, retry_at_ms, .. } =
            failed
        else {
            panic!("{failed:?}");
        };
        assert_eq!(retry_at_ms, NOW_MS + 600_000);
    }
    assert_eq!(server.received().len(), 1);
    let quota = client.quota(&server.base(), Bucket::Core).unwrap();
    assert_eq!(quota, Quota { limit: 60, remaining: 0, reset_ms: NOW_MS + 600_000 });
    // Another resource has a limit of its own.
    let search = Request { bucket: Bucket::CodeSearch, ..get(&server, "/search") };
    assert!(json(&client, &search).await.is_err());
    assert_eq!(server.received().len(), 2);
}

#[tokio::test]
async fn the_last_allowed_answer_is_used_and_the_next_is_not_asked_for() {
    let server = limited(200, &USED_UP);
    let client = client(settings());
    assert!(json(&client, &get(&server, "/x")).await.is_ok());
    assert!(matches!(json(&client, &get(&server, "/x")).await, Err(HttpError::RateLimited { .. })));
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn clients_share_limits_through_the_file_but_not_between_tokens() {
    let home = tempfile::tempdir().unwrap();
    let shared = || Settings { limits_file: Some(home.path().join("limits.json")), ..settings() };
    let server = limited(403, &USED_UP);
    assert!(json(&client(shared()), &get(&server, "/x")).await.is_err());
    let second = client(shared());
    assert_eq!(second.quota(&server.base(), Bucket::Core).unwrap().remaining, 0);
    assert!(matches!(json(&second, &get(&server, "/x")).await, Err(HttpError::RateLimited { .. })));
    assert_eq!(server.received().len(), 1);
    let third = client(with_token(&server, "s3cret", shared()));
    assert_eq!(third.quota(&server.base(), Bucket::Core), None);
    let failed = json(&third, &get(&server, "/x")).await.unwrap_err();
    assert!(matches!(failed, HttpError::RateLimited { authenticated: true, .. }));
    assert_eq!(server.received().len(), 2);
    let written = fs::read_to_string(home.path().join("limits.json")).unwrap();
    assert!(!written.contains("s3cret") && written.contains("token-"));
}

#[tokio::test]
async fn a_pause_is_kept_by_every_client() {
    let home = tempfile::tempdir().unwrap();
    let shared = || Settings { limits_file: Some(home.path().join("limits.json")), ..settings() };
    let server = limited(429, &[("retry-after", "120")]);
    for settings in [shared(), with_token(&server, "s3cret", shared())] {
        let failed = json(&client(settings), &get(&server, "/x")).await;
        let Err(HttpError::RateLimited { scope: RateScope::Secondary, retry_at_ms, .. }) = failed else {
            panic!("{failed:?}");
        };
        assert!((120_000..130_000).contains(&(retry_at_ms - NOW_MS)), "{retry_at_ms}");
    }
    let search = Request { bucket: Bucket::CodeSearch, ..get(&server, "/x") };
    assert!(json(&client(shared()), &search).await.is_err());
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn a_short_pause_is_waited_out_within_the_deadline() {
    let server = Server::answering(|number, _| match number % 2 {
        0 => answer(429, &[("retry-after", "1")], "{}"),
        _ => answer(200, &[], "{}"),
    });
    let began = Instant::now();
    assert!(json(&client(settings()), &get(&server, "/x")).await.is_ok());
    assert!(began.elapsed() >= Duration::from_millis(900));
    assert_eq!(server.received().len(), 2);
    let short = Deadline::after(Duration::from_millis(900));
    let failed = client(settings()).bytes(&get(&server, "/x"), short).await.unwrap_err();
    assert!(matches!(failed, HttpError::RateLimited { .. }), "{failed:?}");
    assert_eq!(server.received().len(), 3);
}
