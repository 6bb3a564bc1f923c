//! Why a request gave nothing: the full list, each with the host it is about.
//!
//! Texts from a host are cut and freed of control characters before they get here, and no variant holds a
//! token or the query of an address. What a person can do about it is said elsewhere.

use std::fmt;

use thiserror::Error;

use super::Token;

/// What took too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Making the connection.
    Connect,
    /// Waiting for the first bytes of the answer.
    Headers,
    /// The request as a whole.
    Request,
    /// Everything the command does.
    Command,
}

impl fmt::Display for Phase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Connect => "the connection to",
            Self::Headers => "the first bytes from",
            Self::Request => "the whole answer of",
            Self::Command => "what the command asks of",
        })
    }
}

/// Which limit was hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateScope {
    /// So many requests in a period.
    Primary,
    /// Too many at once.
    Secondary,
}

impl fmt::Display for RateScope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Primary => "no request is left in the rate limit",
            Self::Secondary => "too many requests at once for the secondary rate limit",
        })
    }
}

/// Why a host forbids what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forbidden {
    /// The organisation wants single sign-on for the token.
    SingleSignOn,
    /// The host blocked it for its terms of service.
    Terms,
    /// The thing is too large for this way of asking.
    TooLarge,
    /// Any other reason.
    Other,
}

/// Why a redirect is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectProblem {
    /// It leads to another host or port.
    OtherHost,
    /// It leads from https to http.
    Downgrade,
    /// It leads to an address that is neither https nor http, or that holds credentials.
    Scheme,
    /// It is one more than are followed.
    TooMany,
    /// It leads to an address that was already asked.
    Loop,
    /// The request was no GET.
    NotGet,
}

impl fmt::Display for RedirectProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::OtherHost => "another host",
            Self::Downgrade => "a connection without encryption",
            Self::Scheme => "an address of another kind",
            Self::TooMany => "too many redirects",
            Self::Loop => "a redirect in a circle",
            Self::NotGet => "a redirect of a request that is no GET",
        })
    }
}

/// The innermost cause of a failure of the network, in the words of the system.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct Cause(pub(super) String);

/// Why a request gave nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HttpError {
    /// An address that is not asked: neither https nor http on a loopback address, or malformed.
    #[error("`{address}` is no address that can be asked: {reason}")]
    BadAddress {
        /// The address as it was given, without credentials and query.
        address: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The trust store of the platform or the proxies of the environment cannot be used.
    #[error("the network client cannot be set up")]
    Setup {
        /// What the system says.
        source: Cause,
    },
    /// Nothing may be sent.
    #[error("`{host}` was not asked, because skillflux is offline")]
    Offline {
        /// The host.
        host: String,
    },
    /// No connection.
    #[error("no connection to `{host}`")]
    Connect {
        /// The host.
        host: String,
        /// What the system says.
        source: Cause,
    },
    /// No connection that can be trusted.
    #[error("no trustworthy connection to `{host}`")]
    Tls {
        /// The host.
        host: String,
        /// What is wrong with the certificate or the handshake.
        source: rustls::Error,
    },
    /// Something took too long.
    #[error("{phase} `{host}` took too long")]
    Timeout {
        /// The host.
        host: String,
        /// What took too long.
        phase: Phase,
    },
    /// The connection was closed before an answer began.
    #[error("`{host}` closed the connection without an answer")]
    Interrupted {
        /// The host.
        host: String,
        /// What the system says.
        source: Cause,
    },
    /// The answer ends before it is complete.
    #[error("the answer of `{host}` ends too early")]
    Truncated {
        /// The host.
        host: String,
    },
    /// The answer is larger than is read.
    #[error("the answer of `{host}` is larger than {limit} bytes")]
    TooLarge {
        /// The host.
        host: String,
        /// The limit, in bytes.
        limit: u64,
    },
    /// The answer breaks the rules of HTTP or of its compression.
    #[error("`{host}` does not answer in HTTP as it should")]
    Protocol {
        /// The host.
        host: String,
        /// What is wrong.
        source: Cause,
    },
    /// The answer is of another type than JSON.
    #[error("`{host}` answered with {found} instead of JSON")]
    NotJson {
        /// The host.
        host: String,
        /// What it is: `HTML`, `plain text`, a media type.
        found: String,
    },
    /// The answer is malformed JSON, or JSON of another shape.
    #[error("the JSON of `{host}` cannot be read")]
    Json {
        /// The host.
        host: String,
        /// What is wrong, and where; no value of the answer is repeated.
        source: Cause,
    },
    /// A redirect that is not followed.
    #[error("`{host}` redirects to `{to}`, which is not followed: {why}")]
    Redirect {
        /// The host.
        host: String,
        /// The origin it leads to, without path and query.
        to: String,
        /// Why it is not followed.
        why: RedirectProblem,
    },
    /// The host says that nothing changed since an answer that is not kept here.
    #[error("`{host}` refers to an earlier answer that is not kept")]
    MissingCached304 {
        /// The host.
        host: String,
    },
    /// The sink of a streamed body failed.
    #[error("the answer of `{host}` cannot be written")]
    Sink {
        /// The host.
        host: String,
        /// Why.
        source: std::io::Error,
    },
    /// The host limits requests.
    #[error("{scope} of `{host}`")]
    RateLimited {
        /// The host.
        host: String,
        /// Which limit.
        scope: RateScope,
        /// Whether a token was sent.
        authenticated: bool,
        /// When to ask again, in milliseconds since 1970.
        retry_at_ms: i64,
    },
    /// 401.
    #[error("`{host}` refuses the request without a valid token")]
    Unauthorised {
        /// The host.
        host: String,
        /// Whether a token was sent.
        token_sent: bool,
    },
    /// 403 that is no rate limit.
    #[error("`{host}` forbids this: {message}")]
    Forbidden {
        /// The host.
        host: String,
        /// Why.
        reason: Forbidden,
        /// What the host says, at most 200 characters.
        message: String,
    },
    /// 404.
    #[error("`{host}` has no `{path}`")]
    NotFound {
        /// The host.
        host: String,
        /// The path that was asked.
        path: String,
    },
    /// 409 (GitHub: the repository is empty).
    #[error("`{host}`: {message}")]
    Conflict {
        /// The host.
        host: String,
        /// What the host says.
        message: String,
    },
    /// 422.
    #[error("`{host}` cannot process this: {message}")]
    Unprocessable {
        /// The host.
        host: String,
        /// What the host says.
        message: String,
    },
    /// 451, or 403 with a block.
    #[error("`{host}` blocks this: {reason}")]
    Blocked {
        /// The host.
        host: String,
        /// Why, in the host's word.
        reason: String,
    },
    /// 500 to 599.
    #[error("`{host}` failed with status {status}")]
    Server {
        /// The host.
        host: String,
        /// The status.
        status: u16,
    },
    /// Any other status that is no success.
    #[error("`{host}` answered with status {status}")]
    Status {
        /// The host.
        host: String,
        /// The status.
        status: u16,
    },
}

impl HttpError {
    /// The failure without `token`, which a host may have sent back in what it is quoted with.
    pub(super) fn without(mut self, token: &Token) -> Self {
        match &mut self {
            Self::Redirect { to: text, .. }
            | Self::NotJson { found: text, .. }
            | Self::Connect { source: Cause(text), .. }
            | Self::Interrupted { source: Cause(text), .. }
            | Self::Protocol { source: Cause(text), .. } => *text = token.redact(text),
            _ => {}
        }
        self
    }

    /// The code used in JSON and diagnostics.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadAddress { .. } => "http_address",
            Self::Setup { .. } => "http_setup",
            Self::Offline { .. } => "offline",
            Self::Connect { .. } => "http_connect",
            Self::Tls { .. } => "http_tls",
            Self::Timeout { .. } => "http_timeout",
            Self::Interrupted { .. } => "http_interrupted",
            Self::Truncated { .. } => "http_truncated",
            Self::TooLarge { .. } => "http_too_large",
            Self::Protocol { .. } => "http_protocol",
            Self::NotJson { .. } => "http_not_json",
            Self::Json { .. } => "http_json",
            Self::Redirect { .. } => "http_redirect",
            Self::MissingCached304 { .. } => "http_not_kept",
            Self::Sink { .. } => "io",
            Self::RateLimited { scope: RateScope::Primary, .. } => "rate_limit_primary",
            Self::RateLimited { scope: RateScope::Secondary, .. } => "rate_limit_secondary",
            Self::Unauthorised { .. } => "unauthorised",
            Self::Forbidden { reason: Forbidden::SingleSignOn, .. } => "single_sign_on",
            Self::Forbidden { reason: Forbidden::Terms, .. } | Self::Blocked { .. } => "source_blocked",
            Self::Forbidden { reason: Forbidden::TooLarge, .. } => "host_too_large",
            Self::Forbidden { reason: Forbidden::Other, .. } => "forbidden",
            Self::NotFound { .. } => "not_found",
            Self::Conflict { .. } => "conflict",
            Self::Unprocessable { .. } => "unprocessable",
            Self::Server { .. } => "host_failed",
            Self::Status { .. } => "http_status",
        }
    }

    /// The host (`host[:port]`) that the failure is about; none for what fails before a host is known.
    pub fn host(&self) -> Option<&str> {
        match self {
            Self::BadAddress { .. } | Self::Setup { .. } => None,
            Self::Offline { host }
            | Self::Connect { host, .. }
            | Self::Tls { host, .. }
            | Self::Timeout { host, .. }
            | Self::Interrupted { host, .. }
            | Self::Truncated { host }
            | Self::TooLarge { host, .. }
            | Self::Protocol { host, .. }
            | Self::NotJson { host, .. }
            | Self::Json { host, .. }
            | Self::Redirect { host, .. }
            | Self::MissingCached304 { host }
            | Self::Sink { host, .. }
            | Self::RateLimited { host, .. }
            | Self::Unauthorised { host, .. }
            | Self::Forbidden { host, .. }
            | Self::NotFound { host, .. }
            | Self::Conflict { host, .. }
            | Self::Unprocessable { host, .. }
            | Self::Blocked { host, .. }
            | Self::Server { host, .. }
            | Self::Status { host, .. } => Some(host),
        }
    }
}
