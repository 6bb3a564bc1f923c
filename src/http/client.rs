//! The client: answers a request from what is kept, or asks, and keeps what may be kept.
//!
//! Only an answer that was of use is kept: one whose JSON could be read, where JSON was asked for. Tokens are
//! looked up by the origin of the address that is asked, so a request cannot take one elsewhere.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use reqwest::Url;
use serde::de::DeserializeOwned;

use super::{
    BaseUrl, Bucket, Deadline, Described, Freshness, HttpError, Quota, Reply, Request, Settings, Token,
    address,
    cache::{Cache, Head, Kept, Key},
    error::Cause,
    exchange::{Answered, Body, Exchange},
    limits::{Asker, Limits},
    retry,
    transport::{Sink, Transport},
};

/// The client. A clone shares its connections and what it remembers.
#[derive(Debug, Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    settings: Settings,
    made: Instant,
    transport: Transport,
    limits: Limits,
    cache: Option<Cache>,
    waits: AtomicU64,
}

/// An answer with its body, and under which key to keep it when it proves usable.
struct Obtained {
    reply: Reply<Vec<u8>>,
    keep: Option<(Key, Head)>,
}

impl Client {
    /// A client. No connection is made yet, and the trust store of the platform and the proxies of the
    /// environment are read with the first request.
    ///
    /// # Errors
    ///
    /// [`HttpError::BadAddress`] when a token is not listed under an origin: it would never be sent.
    pub fn new(settings: Settings) -> Result<Self, HttpError> {
        for origin in settings.tokens.keys() {
            if BaseUrl::parse(origin)?.origin() != origin {
                return Err(HttpError::BadAddress { address: origin.clone(), reason: "it is no origin" });
            }
        }
        let inner = Inner {
            made: Instant::now(),
            transport: Transport::new(settings.timeouts),
            limits: Limits::open(settings.limits_file.clone(), settings.now_ms),
            cache: settings.cache_folder.clone().map(Cache::new),
            waits: AtomicU64::new(0),
            settings,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Whether requests below `base` carry a token.
    pub fn has_token(&self, base: &BaseUrl) -> bool {
        self.inner.settings.tokens.contains_key(base.origin())
    }

    /// Whether `text` holds one of the tokens, which a host may have sent back.
    pub fn gives_away(&self, text: &str) -> bool {
        self.inner.settings.tokens.values().any(|token| token.is_in(text))
    }

    /// `text` with `[redacted]` in place of each of the tokens.
    pub fn redact(&self, text: &str) -> String {
        let tokens = self.inner.settings.tokens.values();
        tokens.fold(text.to_owned(), |text, token| token.redact(&text))
    }

    /// What is left of a rate limit, as the host last told this or another process.
    pub fn quota(&self, base: &BaseUrl, bucket: Bucket) -> Option<Quota> {
        let token = self.inner.settings.tokens.get(base.origin());
        let (origin, host) = (base.origin().to_owned(), base.host().to_owned());
        self.inner.limits.quota(&asker(origin, host, bucket, token))
    }

    /// The request as it is shown to a person: what would be sent, with a token redacted.
    ///
    /// # Errors
    ///
    /// [`HttpError::BadAddress`] when it would not be sent at all.
    pub fn describe(&self, request: &Request) -> Result<Described, HttpError> {
        let url = address::checked(&request.url)?;
        Ok(request.describe(self.inner.settings.tokens.contains_key(&address::origin(&url))))
    }

    /// The body as it is, at most [`Request::body_limit`] bytes.
    ///
    /// # Errors
    ///
    /// Every [`HttpError`] but those about JSON.
    pub async fn bytes(&self, request: &Request, deadline: Deadline) -> Result<Reply<Vec<u8>>, HttpError> {
        let url = address::checked(&request.url)?;
        let Obtained { reply, keep } = self.obtain(request, &url, deadline, Body::Bytes).await?;
        self.keep(request, keep, &reply.body);
        Ok(reply)
    }

    /// The body as JSON.
    ///
    /// # Errors
    ///
    /// Every [`HttpError`].
    pub async fn json<T: DeserializeOwned>(
        &self,
        request: &Request,
        deadline: Deadline,
    ) -> Result<Reply<T>, HttpError> {
        let url = address::checked(&request.url)?;
        let mut obtained = self.obtain(request, &url, deadline, Body::Json).await?;
        let mut parsed = parse(&obtained.reply.body);
        if parsed.is_err() && obtained.reply.from_cache && !self.inner.settings.offline {
            // What another version of skillflux could use need not serve this one.
            if let (Some(cache), Some(key)) = (&self.inner.cache, self.key(request, &url)) {
                cache.forget(&key);
            }
            obtained = self.obtain(request, &url, deadline, Body::Json).await?;
            parsed = parse(&obtained.reply.body);
        }
        let body = parsed.map_err(|source| HttpError::Json { host: address::host(&url), source })?;
        let Obtained { reply, keep } = obtained;
        self.keep(request, keep, &reply.body);
        Ok(Reply { body, status: reply.status, from_cache: reply.from_cache })
    }

    /// Hands the body to `sink` piece by piece as it arrives. `sink` is called with an empty slice before a
    /// retry begins anew. What is streamed is taken from what is kept, but never kept.
    ///
    /// # Errors
    ///
    /// Every [`HttpError`] but those about JSON; [`HttpError::Sink`] when `sink` fails.
    pub async fn stream(
        &self,
        request: &Request,
        deadline: Deadline,
        sink: &mut (dyn FnMut(&[u8]) -> std::io::Result<()> + Send),
    ) -> Result<Reply<()>, HttpError> {
        let url = address::checked(&request.url)?;
        if let Some(kept) = self.kept(request, &url).filter(|kept| self.is_usable(request, kept)) {
            sink(&kept.body).map_err(|source| HttpError::Sink { host: address::host(&url), source })?;
            return Ok(Reply { body: (), status: kept.head.status, from_cache: true });
        }
        let answered = self.ask(request, &url, deadline, None, Body::Bytes, sink).await?;
        Ok(Reply { body: (), status: answered.status, from_cache: false })
    }

    /// The answer, kept or asked for.
    async fn obtain(
        &self,
        request: &Request,
        url: &Url,
        deadline: Deadline,
        wanted: Body,
    ) -> Result<Obtained, HttpError> {
        let kept = self.kept(request, url);
        if let Some(kept) = kept.as_ref().filter(|kept| self.is_usable(request, kept)) {
            return Ok(Obtained { reply: reply_of(kept.clone()), keep: None });
        }
        let mut body = Vec::new();
        let mut sink = |piece: &[u8]| {
            if piece.is_empty() {
                body.clear();
            }
            body.extend_from_slice(piece);
            Ok(())
        };
        let etag = kept.as_ref().and_then(|kept| kept.head.etag.as_deref());
        let answered = self.ask(request, url, deadline, etag, wanted, &mut sink).await?;
        let Answered { status, etag, may_be_kept } = answered;
        let stored_ms = self.now_ms();
        let (reply, head) = if let Some(kept) = kept.filter(|_| status == 304) {
            let head = Head { stored_ms, ..kept.head };
            (reply_of(Kept { head: head.clone(), body: kept.body }), head)
        } else {
            let head = Head { etag, status, stored_ms };
            (Reply { body, status, from_cache: false }, head)
        };
        let keep = self.key(request, url).filter(|_| may_be_kept).map(|key| (key, head));
        Ok(Obtained { reply, keep })
    }

    /// Asks the host.
    async fn ask(
        &self,
        request: &Request,
        url: &Url,
        deadline: Deadline,
        etag: Option<&str>,
        wanted: Body,
        sink: Sink<'_>,
    ) -> Result<Answered, HttpError> {
        let inner = &*self.inner;
        if inner.settings.offline {
            return Err(HttpError::Offline { host: address::host(url) });
        }
        let token = self.token(request, url);
        let asker = asker(address::origin(url), address::host(url), request.bucket, token);
        let exchange = Exchange {
            settings: &inner.settings,
            transport: &inner.transport,
            limits: &inner.limits,
            request,
            url,
            asker,
            token,
            etag,
            wanted,
            deadline,
            now_ms: &|| self.now_ms(),
            random: &|| retry::scramble(self.now_ms(), inner.waits.fetch_add(1, Ordering::Relaxed)),
        };
        exchange.run(sink).await
    }

    fn now_ms(&self) -> i64 {
        let ran = i64::try_from(self.inner.made.elapsed().as_millis()).unwrap_or(i64::MAX);
        self.inner.settings.now_ms.saturating_add(ran)
    }

    fn token(&self, request: &Request, url: &Url) -> Option<&Token> {
        self.inner.settings.tokens.get(&address::origin(url)).filter(|_| request.with_token)
    }

    /// Under which name the answer is kept, when it is kept at all.
    fn key(&self, request: &Request, url: &Url) -> Option<Key> {
        let is_kept =
            self.inner.cache.is_some() && request.is_get() && request.freshness != Freshness::NoStore;
        is_kept.then(|| Key::new(url.as_str(), request.accept, &class(self.token(request, url))))
    }

    fn kept(&self, request: &Request, url: &Url) -> Option<Kept> {
        let kept = self.inner.cache.as_ref()?.read(&self.key(request, url)?)?;
        (kept.body.len() as u64 <= request.body_limit).then_some(kept)
    }

    /// Whether a kept answer is taken without asking the host.
    fn is_usable(&self, request: &Request, kept: &Kept) -> bool {
        self.inner.settings.offline || kept.head.is_fresh(request.freshness, self.now_ms())
    }

    fn keep(&self, request: &Request, keep: Option<(Key, Head)>, body: &[u8]) {
        if let (Some(cache), Some((key, head))) = (&self.inner.cache, keep)
            && head.is_worth_keeping(request.freshness, body.len() as u64)
            && !self.gives_away(&String::from_utf8_lossy(body))
        {
            cache.keep(&key, &head, body);
        }
    }
}

/// Reads JSON; text that is no UTF-8 is refused also where nothing reads it.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Cause> {
    let text = std::str::from_utf8(body).map_err(|error| Cause(error.to_string()))?;
    serde_json::from_str(text).map_err(|error| Cause(told(&error)))
}

/// What is wrong with JSON. Values of another kind are not repeated: a host could send a token back in one.
fn told(error: &serde_json::Error) -> String {
    if error.is_data() {
        format!("another shape than expected at line {} column {}", error.line(), error.column())
    } else {
        error.to_string()
    }
}

fn class(token: Option<&Token>) -> String {
    token.map_or_else(|| "anonymous".to_owned(), Token::class)
}

fn asker(origin: String, host: String, bucket: Bucket, token: Option<&Token>) -> Asker {
    Asker { origin, host, class: class(token), bucket, authenticated: token.is_some() }
}

fn reply_of(kept: Kept) -> Reply<Vec<u8>> {
    Reply { body: kept.body, status: kept.head.status, from_cache: true }
}
