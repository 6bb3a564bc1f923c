//! One request from the first try to the last: limits before it, time around it, meaning and memory after it.
//!
//! Everything happens within the deadline, a body that drips included. All tries share one count.

use std::time::{Duration, Instant};

use reqwest::{
    Url,
    header::{CACHE_CONTROL, ETAG, HeaderMap},
};

use super::{
    Deadline, HttpError, Phase, Request, Settings, Token, address, classify,
    classify::Refusal,
    limits::{Asker, Limits},
    retry,
    transport::{self, Sink, Transport},
};

/// How long another process may hold the file of limits.
const LOCK_PATIENCE: Duration = Duration::from_secs(1);

/// What kind of body is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// Whatever comes.
    Bytes,
    /// A body whose type is JSON.
    Json,
}

/// What one request needs from the client.
pub(super) struct Exchange<'a> {
    pub(super) settings: &'a Settings,
    pub(super) transport: &'a Transport,
    pub(super) limits: &'a Limits,
    pub(super) request: &'a Request,
    pub(super) url: &'a Url,
    pub(super) asker: Asker,
    pub(super) token: Option<&'a Token>,
    /// The `ETag` of the answer that is kept.
    pub(super) etag: Option<&'a str>,
    pub(super) wanted: Body,
    pub(super) deadline: Deadline,
    /// Tells the present, in milliseconds since 1970.
    pub(super) now_ms: &'a (dyn Fn() -> i64 + Sync),
    /// Gives a number for the length of a wait.
    pub(super) random: &'a (dyn Fn() -> u64 + Sync),
}

/// What is known once the body was handed on.
#[derive(Debug)]
pub(super) struct Answered {
    /// 304 when the kept answer still holds; no body was handed on then.
    pub(super) status: u16,
    pub(super) etag: Option<String>,
    /// Whether the host allows the answer to be kept.
    pub(super) may_be_kept: bool,
}

impl Exchange<'_> {
    /// Asks until an answer comes, a failure is final, the tries are used up or the deadline passes.
    pub(super) async fn run(&self, sink: Sink<'_>) -> Result<Answered, HttpError> {
        let mut tries = 0;
        loop {
            let error = match self.bounded(sink).await {
                Ok(answered) => return Ok(answered),
                Err(error) => error,
            };
            if !self.request.is_get() || tries >= self.settings.retries {
                return Err(error);
            }
            let (backoff, left) = (self.settings.timeouts.backoff, self.deadline.left());
            let Some(wait) = retry::wait(&error, tries, backoff, (self.random)(), (self.now_ms)(), left)
            else {
                return Err(error);
            };
            tracing::debug!(host = self.asker.host, %error, wait_ms = wait.as_millis(), "asked again");
            tokio::time::sleep(wait).await;
            tries += 1;
            sink(&[]).map_err(|source| HttpError::Sink { host: self.asker.host.clone(), source })?;
        }
    }

    /// One try within its time.
    async fn bounded(&self, sink: Sink<'_>) -> Result<Answered, HttpError> {
        self.limits.check(&self.asker, (self.now_ms)())?;
        let left = self.deadline.left();
        let whole = self.settings.timeouts.request;
        let phase = if left < whole { Phase::Command } else { Phase::Request };
        let late = || HttpError::Timeout { host: self.asker.host.clone(), phase };
        if left.is_zero() {
            return Err(late());
        }
        let result = tokio::time::timeout(left.min(whole), self.once(sink)).await.map_err(|_| late())?;
        result.map_err(|error| match self.token {
            Some(token) => error.without(token),
            None => error,
        })
    }

    async fn once(&self, sink: Sink<'_>) -> Result<Answered, HttpError> {
        let began = Instant::now();
        let response = self.transport.open(self.request, self.url, self.token, self.etag).await?;
        let status = response.status().as_u16();
        tracing::debug!(host = self.asker.host, status, ms = began.elapsed().as_millis(), "answered");
        let headers = response.headers().clone();
        let is_unchanged = status == 304 && self.request.is_get();
        if !is_unchanged && !response.status().is_success() {
            let body = self.transport.error_body(response).await;
            return Err(self.refused(status, &headers, &body).await);
        }
        self.note(&headers, None).await;
        if is_unchanged {
            if self.etag.is_none() {
                return Err(HttpError::MissingCached304 { host: self.asker.host.clone() });
            }
        } else {
            if self.wanted == Body::Json {
                self.expect_json(&headers)?;
            }
            transport::read(response, self.url, self.request.body_limit, sink).await?;
        }
        let text =
            |name| headers.get(name).and_then(|value: &reqwest::header::HeaderValue| value.to_str().ok());
        let may_be_kept =
            !text(CACHE_CONTROL).is_some_and(|value| value.to_ascii_lowercase().contains("no-store"));
        // What is stored must not hold a token that the host sends back.
        let is_clean = |text: &String| !self.token.is_some_and(|token| token.is_in(text));
        let etag = text(ETAG).map(str::to_owned).filter(is_clean);
        Ok(Answered { status, etag, may_be_kept })
    }

    async fn refused(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> HttpError {
        let refusal = Refusal {
            host: &self.asker.host,
            path: self.url.path(),
            status,
            headers,
            body,
            token: self.token,
        };
        let error = refusal.classify((self.now_ms)());
        self.note(headers, Some(&error)).await;
        error
    }

    async fn note(&self, headers: &HeaderMap, error: Option<&HttpError>) {
        let now_ms = (self.now_ms)();
        if self.limits.note(&self.asker, headers, error, now_ms) {
            self.limits.share(now_ms, LOCK_PATIENCE.min(self.deadline.left())).await;
        }
    }

    fn expect_json(&self, headers: &HeaderMap) -> Result<(), HttpError> {
        let media = classify::media_type(headers).unwrap_or_default();
        if media == "application/json" || media.ends_with("+json") {
            return Ok(());
        }
        let found = match media.as_str() {
            "" => "a body without a type".to_owned(),
            "text/html" | "application/xhtml+xml" => "HTML".to_owned(),
            "text/plain" => "plain text".to_owned(),
            "text/xml" | "application/xml" => "XML".to_owned(),
            other => {
                let shown = self.token.map_or_else(|| other.to_owned(), |token| token.redact(other));
                format!("`{}`", shown.chars().take(60).collect::<String>())
            }
        };
        Err(HttpError::NotJson { host: address::host(self.url), found })
    }
}
