//! Everything that a connection or a body can do wrong, and the failure that each is.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};
use serde::Deserialize;

use super::{
    super::*,
    client, get, json,
    server::{self, Server, answer},
    settings, soon,
};

/// The failure when every request is answered with these bytes and then the end of the connection.
async fn fault(bytes: impl Into<Vec<u8>>) -> HttpError {
    let bytes = bytes.into();
    let server = Server::answering(move |_, _| bytes.clone());
    let settings = Settings { retries: 0, ..settings() };
    let failed = json(&client(settings), &get(&server, "/x")).await.unwrap_err();
    assert_eq!(failed.host(), Some(server.base().host()));
    failed
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zipped(body: &[u8]) -> Vec<u8> {
    answer(200, &[("content-encoding", "gzip")], body)
}

/// What a server that is late is given.
const SHORT: Duration = Duration::from_millis(300);

/// A client that gives up early and for good.
fn impatient(headers: Duration, request: Duration) -> Client {
    let timeouts = Timeouts { headers, request, ..settings().timeouts };
    client(Settings { timeouts, retries: 0, ..settings() })
}

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

#[tokio::test]
async fn connections_that_end_too_early() {
    let failed = fault("").await;
    assert!(matches!(failed, HttpError::Interrupted { .. }), "{failed:?}");
    let failed = fault("HTTP/1.1 200 OK\r\ncontent-ty").await;
    assert!(matches!(failed, HttpError::Interrupted { .. }), "{failed:?}");
    for rest in [
        "content-length: 20\r\n\r\n",
        "content-length: 20\r\n\r\n{\"a\": 1,",
        "content-length: 30\r\n\r\n{\"a\": 1, \"b\": [1, 2]}",
        "transfer-encoding: chunked\r\n\r\n",
        "transfer-encoding: chunked\r\n\r\n8\r\n{\"a\": 1}\r\n",
        "transfer-encoding: chunked\r\n\r\n80\r\n{\"a\": 1}\r\n",
    ] {
        let failed = fault(format!("{HEAD}{rest}")).await;
        assert!(matches!(failed, HttpError::Truncated { .. }), "{rest} {failed:?}");
    }
    let failed = fault(format!("{HEAD}content-length: 5\r\n\r\n{{\"a\": 1}}")).await;
    assert!(matches!(failed, HttpError::Json { .. }), "{failed:?}");
}

#[tokio::test]
async fn answers_that_are_no_http() {
    let many = "x-one-of-many: 1\r\n".repeat(10_000);
    let long = format!("x-long: {}\r\n", "y".repeat(2_000_000));
    for bytes in [
        "SSH-2.0-OpenSSH_9.9\r\n\r\n".to_owned(),
        format!("{HEAD}{many}\r\n{{}}"),
        format!("{HEAD}{long}\r\n{{}}"),
        "HTTP/1.1 200 OK\r\nbad header\u{0}\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}".to_owned(),
        "HTTP/1.1 301 Moved\r\ncontent-length: 0\r\n\r\n".to_owned(),
    ] {
        let failed = fault(bytes.as_str()).await;
        assert!(matches!(failed, HttpError::Protocol { .. }), "{} {failed:?}", &bytes[..40]);
    }
}

#[tokio::test]
async fn compression_is_undone_within_the_limit() {
    let server = Server::answering(|_, _| zipped(&gzip(b"{\"a\": 1}")));
    assert_eq!(json(&client(settings()), &get(&server, "/x")).await.unwrap().body["a"], 1);
    let bomb = gzip(&vec![b' '; 32 * 1024 * 1024]);
    assert!(bomb.len() < 200_000);
    let server = Server::answering(move |_, _| zipped(&bomb));
    let request = Request { body_limit: 1024 * 1024, ..get(&server, "/x") };
    let mut most = 0;
    let mut sink = |piece: &[u8]| {
        most += piece.len();
        Ok(())
    };
    let failed = client(settings()).stream(&request, soon(), &mut sink).await.unwrap_err();
    assert!(matches!(failed, HttpError::TooLarge { limit: 1_048_576, .. }), "{failed:?}");
    assert!(most <= 1024 * 1024);
    assert_eq!(server.received().len(), 1);
    let whole = gzip(&b"{\"some\": \"text that does not repeat itself\"}".repeat(50));
    let failed = fault(zipped(&whole[..whole.len() / 2])).await;
    assert!(matches!(failed, HttpError::Truncated { .. }), "{failed:?}");
    let failed = fault(format!("{HEAD}transfer-encoding: chunked\r\n\r\nnot-hex\r\n{{}}")).await;
    assert!(matches!(failed, HttpError::Protocol { .. }), "{failed:?}");
    let failed = fault(zipped(b"no gzip at all, but long enough to look")).await;
    assert!(matches!(failed, HttpError::Protocol { .. }), "{failed:?}");
}

#[tokio::test]
async fn bodies_stop_at_their_limit() {
    let settings = || Settings { retries: 0, ..settings() };
    for (head, size, is_fine) in [
        ("content-length: 100\r\n", 100, true),
        ("content-length: 101\r\n", 0, false),
        ("content-length: 99999999999\r\n", 0, false),
        ("", 100, true),
        ("", 101, false),
    ] {
        let body = format!("{HEAD}{head}\r\n{}", "x".repeat(size));
        let server = Server::answering(move |_, _| server::raw(&body));
        let request = Request { body_limit: 100, ..get(&server, "/x") };
        match client(settings()).bytes(&request, soon()).await {
            Ok(reply) => assert!(is_fine && reply.body.len() == size, "{head} {size}"),
            Err(error) => {
                assert!(!is_fine && matches!(error, HttpError::TooLarge { limit: 100, .. }), "{error:?}");
            }
        }
    }
}

#[tokio::test]
async fn servers_that_say_nothing_or_little_are_given_up() {
    let silent = Server::playing(|_, _, stream| server::hold(stream));
    let dripping = Server::playing(|_, _, stream| {
        stream.write_all(format!("{HEAD}content-length: 60000\r\n\r\n").as_bytes())?;
        server::drip(stream)
    });
    let dripping_headers = Server::playing(|_, _, stream| {
        stream.write_all(HEAD.as_bytes())?;
        stream.write_all(b"x-drip:")?;
        server::drip(stream)
    });
    let began = Instant::now();
    let slow = Duration::from_secs(20);
    for (server, phase, headers, request) in [
        (&silent, Phase::Headers, SHORT, slow),
        (&dripping_headers, Phase::Headers, SHORT, slow),
        (&dripping, Phase::Request, slow, SHORT),
    ] {
        let failed = json(&impatient(headers, request), &get(server, "/x")).await.unwrap_err();
        assert!(matches!(failed, HttpError::Timeout { phase: found, .. } if found == phase), "{failed:?}");
        // The deadline of the command holds when it comes first, whatever is read in the meantime.
        let short = Deadline::after(Duration::from_millis(150));
        let failed = client(settings()).bytes(&get(server, "/x"), short).await.unwrap_err();
        assert!(matches!(failed, HttpError::Timeout { phase: Phase::Command, .. }), "{failed:?}");
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let unasked = Server::json("{}");
    let failed =
        client(settings()).bytes(&get(&unasked, "/x"), Deadline::after(Duration::ZERO)).await.unwrap_err();
    assert!(matches!(failed, HttpError::Timeout { phase: Phase::Command, .. }), "{failed:?}");
    assert!(unasked.received().is_empty());
}

#[tokio::test]
async fn a_silent_server_is_asked_again() {
    let server = Server::playing(|number, _, stream| match number {
        0 => server::hold(stream),
        _ => stream.write_all(&answer(200, &[], "{}")),
    });
    let timeouts = Timeouts { headers: Duration::from_secs(1), ..settings().timeouts };
    let client = client(Settings { timeouts, ..settings() });
    assert!(json(&client, &get(&server, "/x")).await.is_ok());
}

#[tokio::test]
async fn the_body_of_a_failure_is_not_waited_for() {
    let server = Server::playing(|_, _, stream| {
        stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 1000000\r\n\r\n{\"message\"")?;
        server::drip(stream)
    });
    let failed = json(
        &impatient(Duration::from_secs(1), Duration::from_secs(20)),
        &get(&server, "/repos/a/b?q=secret"),
    )
    .await
    .unwrap_err();
    assert!(matches!(&failed, HttpError::NotFound { path, .. } if path == "/repos/a/b"), "{failed:?}");
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only its shape matters")]
struct Shape {
    a: u32,
}

#[tokio::test]
async fn json_is_read_strictly() {
    let deep = format!("{{\"a\": 1, \"b\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let bodies: [(&[u8], bool); 10] = [
        (b"{\"a\": 1}", true),
        (b"{\"a\": 1, \"other\": []}\n", true),
        (b"{\"a\": 1", false),
        (b"", false),
        (b"{\"a\": 1} {}", false),
        (b"{\"a\": 1, \"a\": 2}", false),
        (b"{\"a\": 1, \"b\": \"\xff\"}", false),
        (b"\xef\xbb\xbf{\"a\": 1}", false),
        (b"{\"a\": \"text\"}", false),
        (b"{\"a\": -1}", false),
    ];
    for (body, is_fine) in bodies {
        let bytes = answer(200, &[], body);
        let server = Server::answering(move |_, _| bytes.clone());
        let found = client(settings()).json::<Shape>(&get(&server, "/x"), soon()).await;
        assert_eq!(found.is_ok(), is_fine, "{body:?}");
        assert!(matches!(found, Ok(_) | Err(HttpError::Json { .. })), "{body:?}");
        assert_eq!(server.received().len(), 1);
    }
    let bytes = answer(200, &[], deep);
    let server = Server::answering(move |_, _| bytes.clone());
    let request = Request { body_limit: 1024 * 1024, ..get(&server, "/x") };
    assert!(matches!(json(&client(settings()), &request).await, Err(HttpError::Json { .. })));
}

#[tokio::test]
async fn what_is_not_json_is_named() {
    for (media, expected) in [
        ("text/html; charset=utf-8", Some("HTML")),
        ("Text/HTML", Some("HTML")),
        ("text/plain", Some("plain text")),
        ("application/xml", Some("XML")),
        ("application/octet-stream", Some("`application/octet-stream`")),
        ("", Some("a body without a type")),
        ("application/json", None),
        ("application/problem+json; x=y", None),
    ] {
        let bytes = answer(200, &[("content-type", media)], "{}");
        let server = Server::answering(move |_, _| bytes.clone());
        let found = match json(&client(settings()), &get(&server, "/x")).await {
            Ok(_) => None,
            Err(HttpError::NotJson { found, .. }) => Some(found),
            Err(other) => panic!("{other:?}"),
        };
        assert_eq!(found.as_deref(), expected, "{media}");
        assert_eq!(server.received().len(), 1);
    }
}
