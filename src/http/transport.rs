//! One exchange on the wire: the connection, redirects followed by hand, and the body read to its bound.
//!
//! Knows addresses, certificates and bytes, but not what a status means. A token is given to it for one
//! request and is sent to that request's origin only, because redirects never leave it. Requests to this
//! machine never go through a proxy, on which the loopback address would be another machine.

use std::{error::Error as StdError, io, sync::OnceLock, time::Duration};

use reqwest::{
    Response, StatusCode, Url,
    header::{ACCEPT_ENCODING, AUTHORIZATION, CONTENT_LENGTH, HeaderValue, IF_NONE_MATCH, LOCATION},
    redirect,
};

use super::{
    Accept, HttpError, Method, Phase, RedirectProblem, Request, Timeouts, Token, address, error::Cause,
};

/// How many redirects are followed.
const MOST_REDIRECTS: usize = 3;

/// How much of the body of a failure is read, in bytes.
const MOST_ERROR_BODY: usize = 64 * 1024;

/// Takes the body piece by piece; an empty piece says that it begins anew.
pub(super) type Sink<'a> = &'a mut (dyn FnMut(&[u8]) -> io::Result<()> + Send);

/// The connections.
#[derive(Debug)]
pub(super) struct Transport {
    timeouts: Timeouts,
    routed: OnceLock<reqwest::Client>,
    direct: OnceLock<reqwest::Client>,
}

impl Transport {
    /// Nothing is read or opened before the first request.
    pub(super) fn new(timeouts: Timeouts) -> Self {
        Self { timeouts, routed: OnceLock::new(), direct: OnceLock::new() }
    }

    fn client(&self, url: &Url) -> Result<&reqwest::Client, HttpError> {
        let is_local = address::is_loopback(url);
        let cell = if is_local { &self.direct } else { &self.routed };
        if let Some(client) = cell.get() {
            return Ok(client);
        }
        install_provider();
        let builder = reqwest::Client::builder()
            .redirect(redirect::Policy::none())
            .referer(false)
            .connect_timeout(self.timeouts.connect);
        let builder = if is_local { builder.no_proxy() } else { builder };
        let client =
            builder.build().map_err(|error| HttpError::Setup { source: Cause(innermost(&error)) })?;
        Ok(cell.get_or_init(|| client))
    }

    /// Sends the request and follows redirects on the same origin, to the headers of the last answer.
    pub(super) async fn open(
        &self,
        request: &Request,
        url: &Url,
        token: Option<&Token>,
        etag: Option<&str>,
    ) -> Result<Response, HttpError> {
        let mut asked = vec![url.clone()];
        loop {
            let url = asked.last().expect("the list begins with one address");
            let response = self.send(request, url, token, etag).await?;
            let status = response.status();
            if !is_redirect(status) {
                return Ok(response);
            }
            let to = address::redirected(url, response.headers().get(LOCATION).map(HeaderValue::as_bytes))?;
            let problem = if !request.is_get() {
                Some(RedirectProblem::NotGet)
            } else if asked.contains(&to) {
                Some(RedirectProblem::Loop)
            } else if asked.len() > MOST_REDIRECTS {
                Some(RedirectProblem::TooMany)
            } else {
                None
            };
            if let Some(why) = problem {
                return Err(address::refused(url, &to, why));
            }
            asked.push(to);
        }
    }

    async fn send(
        &self,
        request: &Request,
        url: &Url,
        token: Option<&Token>,
        etag: Option<&str>,
    ) -> Result<Response, HttpError> {
        let client = self.client(url)?;
        let mut builder = match &request.method {
            Method::Get => client.get(url.clone()),
            Method::Post(body) => client.post(url.clone()).body(body.to_string()),
        };
        for (name, value) in request.headers() {
            builder = builder.header(name, value);
        }
        if request.accept == Accept::GithubRaw {
            // Bytes that are hashed come as they are; without this the library asks for gzip.
            builder = builder.header(ACCEPT_ENCODING, "identity");
        }
        if let Some(etag) = etag {
            builder = builder.header(IF_NONE_MATCH, etag);
        }
        if let Some(token) = token {
            builder = builder.header(AUTHORIZATION, token.header());
        }
        match tokio::time::timeout(self.timeouts.headers, builder.send()).await {
            Ok(sent) => sent.map_err(|error| failure(&error, url)),
            Err(_) => Err(HttpError::Timeout { host: address::host(url), phase: Phase::Headers }),
        }
    }

    /// The first bytes of the body of a failure; what does not come in time is left out, because the status
    /// says the most.
    pub(super) async fn error_body(&self, mut response: Response) -> Vec<u8> {
        let mut body = Vec::new();
        let patience = self.timeouts.headers.min(Duration::from_secs(2));
        let reading = async {
            while let Ok(Some(piece)) = response.chunk().await {
                body.extend_from_slice(&piece);
                if body.len() >= MOST_ERROR_BODY {
                    break;
                }
            }
        };
        if tokio::time::timeout(patience, reading).await.is_err() {
            tracing::debug!("the body of a failure did not come in time");
        }
        body.truncate(MOST_ERROR_BODY);
        body
    }
}

/// Hands the body to `sink`, at most `limit` bytes of it.
pub(super) async fn read(
    mut response: Response,
    url: &Url,
    limit: u64,
    sink: Sink<'_>,
) -> Result<(), HttpError> {
    let host = || address::host(url);
    let declared =
        response.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > limit) {
        return Err(HttpError::TooLarge { host: host(), limit });
    }
    let mut left = limit;
    while let Some(piece) = response.chunk().await.map_err(|error| body_failure(&error, url))? {
        left = left
            .checked_sub(piece.len() as u64)
            .ok_or_else(|| HttpError::TooLarge { host: host(), limit })?;
        if !piece.is_empty() {
            sink(&piece).map_err(|source| HttpError::Sink { host: host(), source })?;
        }
    }
    Ok(())
}

/// Makes ring the provider of cryptography; reqwest panics when there is none.
fn install_provider() {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        // A provider that is there already is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
    });
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 307 | 308)
}

/// Every error that `error` comes from, from the outside in.
fn chain<'a>(error: &'a (dyn StdError + 'static)) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&error| {
        // An `io::Error` hides the error that it wraps and names that one's source instead.
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        wrapped.map_or_else(|| error.source(), |wrapped| Some(wrapped as &(dyn StdError + 'static)))
    })
}

/// What lies at the bottom, which names no address.
fn innermost(error: &reqwest::Error) -> String {
    chain(error).last().map(ToString::to_string).unwrap_or_default()
}

fn failure(error: &reqwest::Error, url: &Url) -> HttpError {
    let host = address::host(url);
    if let Some(source) = chain(error).find_map(|error| error.downcast_ref::<rustls::Error>()) {
        return HttpError::Tls { host, source: source.clone() };
    }
    let source = Cause(innermost(error));
    if error.is_connect() && error.is_timeout() {
        HttpError::Timeout { host, phase: Phase::Connect }
    } else if error.is_connect() {
        HttpError::Connect { host, source }
    } else if error.is_builder() {
        HttpError::Setup { source }
    } else if is_interruption(error) {
        HttpError::Interrupted { host, source }
    } else {
        HttpError::Protocol { host, source }
    }
}

/// Whether the connection ended; everything else that fails after connecting is an answer that cannot be
/// read. The library tells a clean end from a malformed answer in words only.
fn is_interruption(error: &reqwest::Error) -> bool {
    chain(error).any(|error| error.is::<io::Error>() || error.to_string().starts_with("connection "))
}

/// A body that cannot be unpacked or is malformed is no better the next time; any other end came too early.
fn body_failure(error: &reqwest::Error, url: &Url) -> HttpError {
    let host = address::host(url);
    let is_malformed = chain(error)
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(|error| matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput));
    if is_malformed {
        HttpError::Protocol { host, source: Cause(innermost(error)) }
    } else {
        HttpError::Truncated { host }
    }
}
