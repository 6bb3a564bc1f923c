//! A host that sends the token back: nothing that is shown or stored holds it.

use serde::Deserialize;

use super::{
    super::*,
    client, get, json,
    server::{Server, answer},
    settings, soon, with_token,
};

const TOKEN: &str = "ghp_S3cret";

#[derive(Debug, Deserialize)]
struct Numbered {
    #[serde(rename = "number")]
    _number: u64,
}

fn shown(error: &HttpError) -> String {
    let source = std::error::Error::source(error).map(ToString::to_string);
    format!("{error} {} {error:?}", source.unwrap_or_default())
}

#[tokio::test]
async fn no_failure_repeats_a_token() {
    let html = format!("application/{TOKEN}");
    let answers = [
        answer(200, &[("content-type", &html)], "{}"),
        answer(302, &[("location", &format!("https://{TOKEN}.example/"))], ""),
        answer(200, &[], format!("{{\"number\": \"{TOKEN}\"}}")),
        answer(403, &[], format!("{{\"message\": \"no {}\"}}", TOKEN.to_uppercase())),
        answer(451, &[], format!("{{\"block\": {{\"reason\": \"{TOKEN}\"}}}}")),
    ];
    for bytes in answers {
        let server = Server::answering(move |_, _| bytes.clone());
        let client = client(with_token(&server, TOKEN, settings()));
        let failed = client.json::<Numbered>(&get(&server, "/x"), soon()).await.unwrap_err();
        let shown = shown(&failed);
        assert!(!shown.to_lowercase().contains(&TOKEN.to_lowercase()), "{shown}");
    }
}

#[tokio::test]
async fn nothing_that_is_kept_holds_a_token() {
    let label = format!("\"{TOKEN}\"");
    let answers = [
        answer(200, &[("etag", &label)], "{}"),
        answer(200, &[("etag", "\"1\"")], format!("{{\"name\": \"{TOKEN}\"}}")),
        answer(200, &[("etag", "\"1\"")], "{}"),
    ];
    for (number, bytes) in answers.into_iter().enumerate() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("http");
        let server = Server::answering(move |_, _| bytes.clone());
        let settings = Settings { cache_folder: Some(folder.clone()), ..settings() };
        let client = client(with_token(&server, TOKEN, settings));
        let request = Request { freshness: Freshness::MaxAge(Duration::from_secs(60)), ..get(&server, "/x") };
        json(&client, &request).await.unwrap();
        assert_eq!(folder.exists(), number == 2, "{number}");
    }
}
