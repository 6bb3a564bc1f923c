//! The client against a server on this machine that answers well, badly, late or not at all.
//!
//! What every test here needs: requests, settings and clients, with a clock that stands and waits cut short.

mod encrypted;
mod faults;
mod kept;
mod limited;
mod redirects;
mod reflected;
mod server;

use serde_json::Value;

use super::*;
use server::Server;

const NOW_MS: i64 = 1_787_529_600_000;

/// Long enough for a loaded machine.
fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(20))
}

fn settings() -> Settings {
    let timeouts = Timeouts { backoff: Duration::from_millis(1), ..Timeouts::default() };
    Settings { now_ms: NOW_MS, timeouts, ..Settings::default() }
}

fn client(settings: Settings) -> Client {
    Client::new(settings).unwrap()
}

fn with_token(server: &Server, token: &str, settings: Settings) -> Settings {
    let tokens = [(server.base().origin().to_owned(), Token::new(token).unwrap())].into();
    Settings { tokens, ..settings }
}

fn get(server: &Server, path: &str) -> Request {
    Request {
        method: Method::Get,
        url: format!("{}{path}", server.base().origin()),
        accept: Accept::GithubJson,
        bucket: Bucket::Core,
        freshness: Freshness::NoStore,
        body_limit: 64 * 1024,
        with_token: true,
    }
}

async fn json(client: &Client, request: &Request) -> Result<Reply<Value>, HttpError> {
    client.json(request, soon()).await
}

#[tokio::test]
async fn a_request_says_who_asks_for_what() {
    let server = Server::json("{\"ok\": true}");
    let client = client(with_token(&server, "s3cret", settings()));
    assert!(client.has_token(&server.base()));
    let request = get(&server, "/repos/a%2Fb?per_page=1");
    let reply = json(&client, &request).await.unwrap();
    assert_eq!((reply.body, reply.status), (serde_json::json!({"ok": true}), 200));
    assert!(!reply.from_cache);
    let received = server.received();
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].line, "GET /repos/a%2Fb?per_page=1 HTTP/1.1");
    for (name, value) in [
        ("accept", "application/vnd.github+json"),
        ("x-github-api-version", "2022-11-28"),
        ("user-agent", request::USER_AGENT),
        ("authorization", "Bearer s3cret"),
        ("accept-encoding", "gzip"),
    ] {
        assert_eq!(received[0].header(name), Some(value), "{name}");
    }
    let described = client.describe(&request).unwrap();
    for (name, value) in described.headers {
        let sent = received[0].header(name).unwrap();
        assert!(sent == value || (name, value.as_str()) == ("authorization", "[redacted]"), "{name}: {sent}");
    }
}

#[tokio::test]
async fn bytes_are_asked_for_as_they_are_and_a_token_only_when_wanted() {
    let server = Server::json("\u{0}bytes");
    let client = client(with_token(&server, "s3cret", settings()));
    let raw = Request { accept: Accept::GithubRaw, with_token: false, ..get(&server, "/blob") };
    assert_eq!(client.bytes(&raw, soon()).await.unwrap().body, b"\x00bytes");
    let received = server.received();
    assert_eq!(received[0].header("accept-encoding"), Some("identity"));
    assert_eq!(received[0].header("authorization"), None);
}

#[tokio::test]
async fn a_post_carries_its_document_and_is_never_sent_twice() {
    let server = Server::answering(|number, _| match number {
        0 => server::answer(200, &[], "{\"data\": 1}"),
        _ => server::answer(503, &[], "{}"),
    });
    let client = client(settings());
    let document = serde_json::json!({"query": "{ a }"});
    let post = Request {
        method: Method::Post(document.clone()),
        bucket: Bucket::Graphql,
        ..get(&server, "/graphql")
    };
    assert_eq!(json(&client, &post).await.unwrap().body["data"], 1);
    assert!(matches!(json(&client, &post).await, Err(HttpError::Server { status: 503, .. })));
    let received = server.received();
    assert_eq!(received.len(), 2);
    assert_eq!(received[0].line, "POST /graphql HTTP/1.1");
    assert_eq!(received[0].header("content-type"), Some("application/json"));
    assert_eq!(serde_json::from_slice::<Value>(&received[0].body).unwrap(), document);
}

#[tokio::test]
async fn what_passes_by_itself_is_tried_again_and_a_stream_begins_anew() {
    let server = Server::answering(|number, _| match number {
        0 => server::answer(502, &[("content-type", "text/html")], "<html>"),
        1 => server::raw("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"),
        2 => Vec::new(),
        _ => server::answer(200, &[], "whole"),
    });
    let client = client(settings());
    let mut pieces = Vec::new();
    let mut sink = |piece: &[u8]| {
        pieces.push(String::from_utf8(piece.to_vec()).unwrap());
        Ok(())
    };
    let reply = client.stream(&get(&server, "/blob"), soon(), &mut sink).await.unwrap();
    assert_eq!((reply.status, reply.from_cache), (200, false));
    assert_eq!(pieces, ["", "half", "", "", "whole"]);
    let server = Server::answering(|_, _| server::answer(500, &[], "{}"));
    let failed = json(&client, &get(&server, "/x")).await.unwrap_err();
    assert!(matches!(failed, HttpError::Server { status: 500, .. }));
    assert_eq!(failed.host(), Some(server.base().host()));
    assert_eq!(server.received().len(), 4);
    let server = Server::answering(|_, _| server::answer(501, &[], "{}"));
    assert!(json(&client, &get(&server, "/x")).await.is_err());
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn a_sink_that_fails_ends_the_request() {
    let server = Server::json("{}");
    let mut sink = |_: &[u8]| Err(std::io::Error::from(std::io::ErrorKind::StorageFull));
    let failed = client(settings()).stream(&get(&server, "/x"), soon(), &mut sink).await.unwrap_err();
    assert!(
        matches!(failed, HttpError::Sink { source, .. } if source.kind() == std::io::ErrorKind::StorageFull)
    );
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn nothing_is_sent_offline_or_to_an_address_that_may_not_be_asked() {
    let server = Server::json("{}");
    let offline = client(Settings { offline: true, ..settings() });
    assert!(matches!(json(&offline, &get(&server, "/x")).await, Err(HttpError::Offline { .. })));
    assert!(server.received().is_empty());
    let online = client(settings());
    for url in ["http://example.com/", "https://u:p@example.com/", "file:///etc/passwd", "x"] {
        let request = Request { url: url.to_owned(), ..get(&server, "/x") };
        let failed = json(&online, &request).await.unwrap_err();
        assert!(matches!(failed, HttpError::BadAddress { .. }) && failed.host().is_none(), "{url}");
        assert!(online.describe(&request).is_err());
    }
}

#[tokio::test]
async fn a_port_where_no_one_listens_is_no_connection() {
    let base = Server::json("{}").base();
    let request = Request { url: base.join(&["x"]), ..get(&Server::json("{}"), "/x") };
    let failed = json(&client(settings()), &request).await.unwrap_err();
    assert!(matches!(failed, HttpError::Connect { .. }), "{failed:?}");
    assert_eq!(failed.to_string(), format!("no connection to `{}`", base.host()));
}

#[test]
fn tokens_belong_to_origins_and_are_never_shown() {
    for (origin, is_fine) in [
        ("https://api.github.com", true),
        ("http://127.0.0.1:8080", true),
        ("https://api.github.com/", false),
        ("https://api.github.com/api", false),
        ("https://API.github.com", false),
        ("api.github.com", false),
    ] {
        let tokens = [(origin.to_owned(), Token::new("s3cret").unwrap())].into();
        let made = Client::new(Settings { tokens, ..settings() });
        assert_eq!(made.is_ok(), is_fine, "{origin}");
        assert!(!format!("{made:?}").contains("s3cret"));
    }
    for text in ["", "  ", "a b", "a\nb", "é"] {
        assert!(Token::new(text).is_none());
    }
    let (one, other) = (Token::new(" one\n").unwrap(), Token::new("other").unwrap());
    assert_eq!(one.class(), Token::new("one").unwrap().class());
    assert!(one.class() != other.class() && !one.class().contains("one"));
}

#[test]
fn futures_can_be_spawned_and_errors_sent() {
    fn is_send<T: Send>(_: &T) {}
    let server = Server::json("{}");
    let (client, request) = (client(settings()), get(&server, "/x"));
    is_send(&client.bytes(&request, soon()));
    is_send(&client.json::<Value>(&request, soon()));
    is_send(&HttpError::Offline { host: String::new() });
}
