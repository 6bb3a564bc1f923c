//! Answers that are kept: asked for again with their `ETag`, used offline, never mixed between tokens.

use std::path::Path;

use super::{
    super::*,
    NOW_MS, client, get, json,
    server::{Server, answer},
    settings, soon, with_token,
};

const MINUTE: Freshness = Freshness::MaxAge(Duration::from_secs(60));
const ASK_AGAIN: Freshness = Freshness::MaxAge(Duration::ZERO);

fn keeping(home: &Path) -> Settings {
    Settings { cache_folder: Some(home.join("http")), ..settings() }
}

/// Gives every answer the same label, and says 304 to who has it.
fn labelled() -> Server {
    Server::answering(|number, request| match request.header("if-none-match") {
        Some("W/\"label\"") => answer(304, &[("etag", "W/\"label\"")], ""),
        _ => answer(200, &[("etag", "W/\"label\"")], format!("{{\"number\": {number}}}")),
    })
}

#[tokio::test]
async fn an_answer_is_kept_and_asked_for_again() {
    let home = tempfile::tempdir().unwrap();
    let server = labelled();
    let request = |freshness| Request { freshness, ..get(&server, "/x") };
    let first = json(&client(keeping(home.path())), &request(MINUTE)).await.unwrap();
    assert!(!first.from_cache && server.received().len() == 1);
    // Young enough: not asked.
    let second = json(&client(keeping(home.path())), &request(MINUTE)).await.unwrap();
    assert!(second.from_cache && second.body == first.body && server.received().len() == 1);
    // Too old: asked with the label, still holds, and is young again.
    let later = || Settings { now_ms: NOW_MS + 120_000, ..keeping(home.path()) };
    for requests in [2, 2] {
        let third = json(&client(later()), &request(MINUTE)).await.unwrap();
        assert!(third.from_cache && third.body == first.body);
        assert_eq!((third.status, server.received().len()), (200, requests));
    }
    assert_eq!(server.received()[1].header("if-none-match"), Some("W/\"label\""));
    // Neither taken nor changed.
    let fresh = json(&client(later()), &request(Freshness::NoStore)).await.unwrap();
    assert!(!fresh.from_cache && fresh.body["number"] == 2);
    assert_eq!(json(&client(later()), &request(MINUTE)).await.unwrap().body, first.body);
}

#[tokio::test]
async fn tokens_do_not_share_answers() {
    let home = tempfile::tempdir().unwrap();
    let server = labelled();
    let request = Request { freshness: ASK_AGAIN, ..get(&server, "/x") };
    for token in ["one", "two"] {
        let client = client(with_token(&server, token, keeping(home.path())));
        assert!(!json(&client, &request).await.unwrap().from_cache);
    }
    assert!(!json(&client(keeping(home.path())), &request).await.unwrap().from_cache);
    assert!(server.received().iter().all(|request| request.header("if-none-match").is_none()));
    let offline = with_token(&server, "three", Settings { offline: true, ..keeping(home.path()) });
    assert!(matches!(json(&client(offline), &request).await, Err(HttpError::Offline { .. })));
}

#[tokio::test]
async fn everything_kept_is_used_offline() {
    let home = tempfile::tempdir().unwrap();
    let server = labelled();
    let request = Request { freshness: ASK_AGAIN, ..get(&server, "/x") };
    json(&client(keeping(home.path())), &request).await.unwrap();
    let offline = client(Settings { offline: true, now_ms: NOW_MS + 9_000_000_000, ..keeping(home.path()) });
    let reply = json(&offline, &request).await.unwrap();
    assert!(reply.from_cache && reply.body["number"] == 0);
    assert!(matches!(json(&offline, &get(&server, "/x")).await, Err(HttpError::Offline { .. })));
    let other = Request { freshness: ASK_AGAIN, ..get(&server, "/other") };
    assert!(matches!(json(&offline, &other).await, Err(HttpError::Offline { .. })));
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn what_never_changes_is_asked_once_and_can_be_streamed() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::json("{\"tree\": []}");
    let request = Request { freshness: Freshness::Immutable, ..get(&server, "/tree") };
    assert!(!json(&client(keeping(home.path())), &request).await.unwrap().from_cache);
    let later = client(Settings { now_ms: NOW_MS + 9_000_000_000, ..keeping(home.path()) });
    assert!(json(&later, &request).await.unwrap().from_cache);
    assert_eq!(later.bytes(&request, soon()).await.unwrap().body, b"{\"tree\": []}");
    let mut body = Vec::new();
    let mut sink = |piece: &[u8]| {
        body.extend_from_slice(piece);
        Ok(())
    };
    assert!(later.stream(&request, soon(), &mut sink).await.unwrap().from_cache);
    assert_eq!(body, b"{\"tree\": []}");
    assert_eq!(server.received().len(), 1);
    // A smaller limit holds for what is kept, too.
    let narrow = Request { body_limit: 5, ..request };
    assert!(matches!(later.bytes(&narrow, soon()).await, Err(HttpError::TooLarge { limit: 5, .. })));
}

#[tokio::test]
async fn an_unchanged_answer_that_is_not_kept_is_a_failure() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::answering(|_, _| answer(304, &[("etag", "\"x\"")], ""));
    for freshness in [Freshness::NoStore, MINUTE, Freshness::Immutable] {
        let request = Request { freshness, ..get(&server, "/x") };
        let failed = json(&client(keeping(home.path())), &request).await.unwrap_err();
        assert!(matches!(failed, HttpError::MissingCached304 { .. }), "{failed:?}");
    }
    let post = Request { method: Method::Post(serde_json::json!({})), ..get(&server, "/x") };
    let failed = json(&client(keeping(home.path())), &post).await.unwrap_err();
    assert!(matches!(failed, HttpError::Status { status: 304, .. }), "{failed:?}");
}

#[tokio::test]
async fn only_what_was_of_use_is_kept() {
    for (headers, body) in [
        (vec![("etag", "\"1\""), ("content-type", "text/html")], "<html>"),
        (vec![("etag", "\"1\"")], "{"),
        (vec![("etag", "\"1\""), ("cache-control", "private, No-Store")], "{}"),
        (vec![("content-type", "application/json")], "{}"),
    ] {
        let home = tempfile::tempdir().unwrap();
        let server = Server::answering(move |_, _| answer(200, &headers, body));
        let request = Request { freshness: MINUTE, ..get(&server, "/x") };
        let client = client(keeping(home.path()));
        for requests in 1..3 {
            drop(json(&client, &request).await);
            assert_eq!(server.received().len(), requests, "{body}");
        }
        let post = Request { method: Method::Post(serde_json::json!({})), ..request };
        drop(json(&client, &post).await);
        assert!(!home.path().join("http").exists());
    }
}

#[tokio::test]
async fn what_is_kept_but_of_no_use_any_more_is_asked_for_again() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::answering(|number, _| match number {
        0 => answer(200, &[], "[1, 2]"),
        _ => answer(200, &[], "{\"a\": \"b\"}"),
    });
    let request = Request { freshness: Freshness::Immutable, ..get(&server, "/x") };
    let client = client(keeping(home.path()));
    json(&client, &request).await.unwrap();
    let offline = Client::new(Settings { offline: true, ..keeping(home.path()) }).unwrap();
    let read = offline.json::<BTreeMap<String, String>>(&request, soon()).await;
    assert!(matches!(read, Err(HttpError::Json { .. })));
    for requests in [2, 2] {
        let reply = client.json::<BTreeMap<String, String>>(&request, soon()).await.unwrap();
        assert_eq!((reply.body["a"].as_str(), server.received().len()), ("b", requests));
    }
}

#[tokio::test]
async fn an_answer_that_moved_is_kept_under_what_was_asked() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::answering(|_, request| match (request.path(), request.header("if-none-match")) {
        ("/old", _) => answer(301, &[("location", "/new")], ""),
        (_, Some("\"1\"")) => answer(304, &[], ""),
        _ => answer(200, &[("etag", "\"1\"")], "{}"),
    });
    for (freshness, requests) in [(MINUTE, 2), (MINUTE, 2), (ASK_AGAIN, 4)] {
        let request = Request { freshness, ..get(&server, "/old") };
        json(&client(keeping(home.path())), &request).await.unwrap();
        assert_eq!(server.received().len(), requests);
    }
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_hinders_nothing() {
    let server = labelled();
    let request = Request { freshness: MINUTE, ..get(&server, "/x") };
    let client = client(Settings { cache_folder: Some("/dev/null/http".into()), ..settings() });
    for requests in 1..3 {
        assert!(!json(&client, &request).await.unwrap().from_cache);
        assert_eq!(server.received().len(), requests);
    }
}
