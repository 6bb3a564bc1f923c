//! What is asked, as a value that can be shown before it is sent.
//!
//! The headers are made here only, so that what is shown is what is sent; the token itself is put in by the
//! transport and is never part of this value.

use std::time::Duration;

use serde_json::Value;

/// How skillflux calls itself.
pub(super) const USER_AGENT: &str = concat!("skillflux/", env!("CARGO_PKG_VERSION"));

/// How something is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// GET.
    Get,
    /// POST of a JSON document.
    Post(Value),
}

/// The media type that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// `application/json`.
    Json,
    /// `application/vnd.github+json`, with the API version 2022-11-28.
    GithubJson,
    /// `application/vnd.github.raw+json`: bytes as they are.
    GithubRaw,
}

impl Accept {
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::GithubJson => "application/vnd.github+json",
            Self::GithubRaw => "application/vnd.github.raw+json",
        }
    }
}

/// The rate limit that a request counts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bucket {
    /// GitHub's REST API.
    Core,
    /// GitHub's code search.
    CodeSearch,
    /// GitHub's GraphQL API.
    Graphql,
    /// A service without a documented limit.
    Other,
}

impl Bucket {
    /// The word that GitHub has for it in `x-ratelimit-resource`.
    pub(super) fn resource(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::CodeSearch => "code_search",
            Self::Graphql => "graphql",
            Self::Other => "other",
        }
    }
}

/// How old a kept answer may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// The answer is neither kept nor taken from what is kept.
    NoStore,
    /// A kept answer is asked for again, unless it is younger than this.
    MaxAge(Duration),
    /// The answer never changes (its address holds the id of an object).
    Immutable,
}

/// One request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// GET or POST.
    pub method: Method,
    /// The whole address.
    pub url: String,
    /// The media type that is asked for.
    pub accept: Accept,
    /// The rate limit it counts against.
    pub bucket: Bucket,
    /// How old a kept answer may be.
    pub freshness: Freshness,
    /// The largest body that is read, in bytes after decompression.
    pub body_limit: u64,
    /// Whether a token of the host is sent along.
    pub with_token: bool,
}

/// A request as it is shown to a person before it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Described {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The whole address.
    pub url: String,
    /// The headers in the order in which they are sent; a token is `[redacted]`.
    pub headers: Vec<(&'static str, String)>,
    /// The document that is posted.
    pub body: Option<Value>,
}

impl Request {
    /// The request as it is shown; `token` says whether the client has one for the host, which is then
    /// listed as redacted ([`super::Client::describe`] knows).
    pub fn describe(&self, token: bool) -> Described {
        let mut headers: Vec<_> =
            self.headers().into_iter().map(|(name, value)| (name, value.to_owned())).collect();
        if token && self.with_token {
            headers.push(("authorization", "[redacted]".to_owned()));
        }
        let (method, body) = match &self.method {
            Method::Get => ("GET", None),
            Method::Post(body) => ("POST", Some(body.clone())),
        };
        Described { method, url: self.url.clone(), headers, body }
    }

    /// Every header but those that only the transport knows (length, compression, token).
    pub(super) fn headers(&self) -> Vec<(&'static str, &'static str)> {
        let mut headers = vec![("accept", self.accept.media_type()), ("user-agent", USER_AGENT)];
        if self.accept != Accept::Json {
            headers.push(("x-github-api-version", "2022-11-28"));
        }
        if matches!(self.method, Method::Post(_)) {
            headers.push(("content-type", "application/json"));
        }
        headers
    }

    pub(super) fn is_get(&self) -> bool {
        self.method == Method::Get
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_has_everything_but_the_token() {
        let request = Request {
            method: Method::Post(serde_json::json!({"query": "{ viewer }"})),
            url: "https://api.github.com/graphql".to_owned(),
            accept: Accept::GithubJson,
            bucket: Bucket::Graphql,
            freshness: Freshness::NoStore,
            body_limit: 1,
            with_token: true,
        };
        let described = request.describe(true);
        assert_eq!(described.method, "POST");
        assert_eq!(
            described.headers,
            [
                ("accept", "application/vnd.github+json"),
                ("user-agent", USER_AGENT),
                ("x-github-api-version", "2022-11-28"),
                ("content-type", "application/json"),
                ("authorization", "[redacted]"),
            ]
            .map(|(name, value)| (name, value.to_owned()))
        );
        assert_eq!(described.body, Some(serde_json::json!({"query": "{ viewer }"})));
        assert_eq!(request.describe(false).headers.len(), 4);
        let open = Request { with_token: false, accept: Accept::Json, method: Method::Get, ..request };
        let described = open.describe(true);
        assert_eq!((described.headers.len(), described.body), (2, None));
    }
}
