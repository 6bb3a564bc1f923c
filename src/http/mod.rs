//! One client for every request: deadlines, retries, rate limits, a cache, tokens bound to hosts.
//!
//! A request is a value ([`Request`]); a [`Client`] answers it from what is kept, or asks. Whatever a host
//! does, an answer or an [`HttpError`] is there by the [`Deadline`]. Redirects are followed by hand and never
//! leave their origin, so that a token, which belongs to an origin, cannot either. What an answer means is
//! for the callers to say.

mod address;
mod cache;
mod classify;
mod client;
mod error;
mod exchange;
mod limits;
pub mod parallel;
mod request;
mod retry;
mod transport;

pub use address::BaseUrl;
pub use cache::remove_kept;
pub use classify::one_line;
pub use client::Client;
pub use error::{Cause, Forbidden, HttpError, Phase, RateScope, RedirectProblem};
pub use request::{Accept, Bucket, Described, Freshness, Method, Request};

use std::{
    collections::BTreeMap,
    path::PathBuf,
    time::{Duration, Instant},
};

use reqwest::header::HeaderValue;

/// A moment after which nothing is waited for, on the clock that no one sets back.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(Instant);

impl Deadline {
    /// The moment that lies `time` ahead, at most a day.
    pub fn after(time: Duration) -> Self {
        Self(Instant::now() + time.min(Duration::from_secs(24 * 60 * 60)))
    }

    /// The earlier of the two.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    /// The time that is left; zero when the moment has passed.
    pub fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

/// A token for one host. Its text is never printed.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Wraps the text; `None` for text that cannot stand in a header.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())).then(|| Self(text.to_owned()))
    }

    /// The text itself, for a program that is handed it in its environment.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// Whether `text` holds the token, in whatever case.
    fn is_in(&self, text: &str) -> bool {
        text.to_ascii_lowercase().contains(&self.0.to_ascii_lowercase())
    }

    /// `text` with `[redacted]` in place of the token, in whatever case it stands there.
    fn redact(&self, text: &str) -> String {
        let (token, lower) = (self.0.to_ascii_lowercase(), text.to_ascii_lowercase());
        let mut shown = String::with_capacity(text.len());
        let mut end = 0;
        for (start, _) in lower.match_indices(&token) {
            shown.push_str(&text[end..start]);
            shown.push_str("[redacted]");
            end = start + token.len();
        }
        shown.push_str(&text[end..]);
        shown
    }

    /// The value of the `Authorization` header, which no log shows.
    fn header(&self) -> HeaderValue {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.0))
            .expect("a token is made of graphic ASCII characters only");
        value.set_sensitive(true);
        value
    }

    /// A name for the token that does not give it away.
    fn class(&self) -> String {
        format!("token-{}", &cache::digest(self.0.as_bytes())[..16])
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Token([redacted])")
    }
}

/// How long each part of a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Making a connection, encryption included: 5 s.
    pub connect: Duration,
    /// Until the headers of an answer are there, the connection included: 15 s.
    pub headers: Duration,
    /// One try as a whole, redirects and the body included: 30 s.
    pub request: Duration,
    /// The longest wait before the second try, doubled for each further one, at most sixteenfold: 0.5 s.
    pub backoff: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            headers: Duration::from_secs(15),
            request: Duration::from_secs(30),
            backoff: Duration::from_millis(500),
        }
    }
}

/// What a client is made of.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether nothing may be sent.
    pub offline: bool,
    /// Tokens by origin (`https://api.github.com`), see [`BaseUrl::origin`].
    pub tokens: BTreeMap<String, Token>,
    /// Where answers with an `ETag` are kept; nothing is kept without a folder.
    pub cache_folder: Option<PathBuf>,
    /// Where rate limits are remembered for other processes; only in memory without a file.
    pub limits_file: Option<PathBuf>,
    /// The present, in milliseconds since 1970; it runs on from the making of the client.
    pub now_ms: i64,
    /// How long each part of a request may take.
    pub timeouts: Timeouts,
    /// How often a GET that failed in passing is tried again.
    pub retries: u32,
}

impl Default for Settings {
    /// Online, without tokens, and nothing is kept; 3 retries.
    fn default() -> Self {
        Self {
            offline: false,
            tokens: BTreeMap::new(),
            cache_folder: None,
            limits_file: None,
            now_ms: 0,
            timeouts: Timeouts::default(),
            retries: 3,
        }
    }
}

/// What a host told about a rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// How many requests are allowed in one period.
    pub limit: u64,
    /// How many are left.
    pub remaining: u64,
    /// When all are allowed again, in milliseconds since 1970.
    pub reset_ms: i64,
}

/// An answer.
#[derive(Debug)]
pub struct Reply<T> {
    /// The body.
    pub body: T,
    /// The status; the one that was kept with it for what came from the cache.
    pub status: u16,
    /// Whether the body came from the cache, asked for again or not.
    pub from_cache: bool,
}

#[cfg(test)]
mod tests;
