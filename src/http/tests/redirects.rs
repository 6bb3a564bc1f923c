//! Redirects: followed on one origin, refused everywhere else, and where the token goes.

use super::{
    super::*,
    client, get, json,
    server::{Server, answer},
    settings, with_token,
};

fn moved(status: u16, location: &str) -> Vec<u8> {
    answer(status, &[("location", location)], "{\"message\": \"Moved Permanently\"}")
}

#[tokio::test]
async fn a_renamed_repository_is_followed_with_the_token() {
    let server = Server::answering(|_, request| match request.path() {
        "/repositories/1" => answer(200, &[], "{\"id\": 1}"),
        _ => moved(301, "/repositories/1"),
    });
    let client = client(with_token(&server, "s3cret", settings()));
    let reply = json(&client, &get(&server, "/repos/old/name")).await.unwrap();
    assert_eq!(reply.body["id"], 1);
    let received = server.received();
    assert_eq!(received.len(), 2);
    assert!(received.iter().all(|request| request.header("authorization") == Some("Bearer s3cret")));
}

#[tokio::test]
async fn redirects_that_keep_the_method_are_followed() {
    for status in [301, 302, 307, 308] {
        let server = Server::answering(move |number, _| match number {
            0 => moved(status, "/there"),
            _ => answer(200, &[], "{}"),
        });
        assert!(json(&client(settings()), &get(&server, "/here")).await.is_ok(), "{status}");
        assert_eq!(server.received()[1].path(), "/there");
    }
    for status in [300, 303, 305] {
        let server = Server::answering(move |_, _| moved(status, "/there"));
        let failed = json(&client(settings()), &get(&server, "/here")).await.unwrap_err();
        assert!(matches!(failed, HttpError::Status { status: found, .. } if found == status));
        assert_eq!(server.received().len(), 1);
    }
}

#[tokio::test]
async fn a_redirect_never_leaves_its_origin() {
    let other = Server::json("{}");
    for (location, why) in [
        (other.base().join(&["x"]), RedirectProblem::OtherHost),
        ("http://127.0.0.1:1/x".to_owned(), RedirectProblem::OtherHost),
        ("https://127.0.0.1/x".to_owned(), RedirectProblem::OtherHost),
        ("http://example.com/x?token=secret".to_owned(), RedirectProblem::OtherHost),
        ("file:///etc/passwd".to_owned(), RedirectProblem::Scheme),
        ("data:application/json,{}".to_owned(), RedirectProblem::Scheme),
    ] {
        let server = {
            let location = location.clone();
            Server::answering(move |_, _| moved(302, &location))
        };
        let client = client(with_token(&server, "s3cret", settings()));
        let failed = json(&client, &get(&server, "/x")).await.unwrap_err();
        assert!(
            matches!(failed, HttpError::Redirect { why: found, .. } if found == why),
            "{location} {failed:?}"
        );
        assert!(!failed.to_string().contains("secret") && !failed.to_string().contains("passwd"));
        assert_eq!(server.received().len(), 1, "{location}");
    }
    assert!(other.received().is_empty());
}

#[tokio::test]
async fn circles_and_long_chains_are_refused() {
    let circle = Server::answering(|number, _| moved(302, if number % 2 == 0 { "/b" } else { "/a" }));
    let failed = json(&client(settings()), &get(&circle, "/a")).await.unwrap_err();
    assert!(matches!(failed, HttpError::Redirect { why: RedirectProblem::Loop, .. }));
    assert_eq!(circle.received().len(), 2);
    let chain = |hops: usize| {
        Server::answering(move |number, _| match number {
            number if number < hops => moved(307, &format!("/{number}")),
            _ => answer(200, &[], "{}"),
        })
    };
    assert!(json(&client(settings()), &get(&chain(3), "/x")).await.is_ok());
    let long = chain(11);
    let failed = json(&client(settings()), &get(&long, "/x")).await.unwrap_err();
    assert!(matches!(failed, HttpError::Redirect { why: RedirectProblem::TooMany, .. }));
    assert_eq!(long.received().len(), 4);
}

#[tokio::test]
async fn a_post_is_not_redirected() {
    let server = Server::answering(|_, _| moved(308, "/there"));
    let post = Request { method: Method::Post(serde_json::json!({})), ..get(&server, "/here") };
    let failed = json(&client(settings()), &post).await.unwrap_err();
    assert!(matches!(failed, HttpError::Redirect { why: RedirectProblem::NotGet, .. }));
    assert_eq!(server.received().len(), 1);
}
