//! Answers that a test puts in front of the server: each way in which GitHub refuses or fails.

use serde_json::{Value, json};

use super::Answer;

/// An answer given whole.
#[derive(Debug, Clone)]
pub(crate) struct Canned {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// How often it is given; without a number, always.
    pub(crate) times: Option<usize>,
}

impl Canned {
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::from(Answer::json(status, body))
    }

    /// Gives this answer only so often.
    pub(crate) fn times(mut self, times: usize) -> Self {
        self.times = Some(times);
        self
    }

    pub(crate) fn answer(self) -> Answer {
        Answer { status: self.status, headers: self.headers, body: self.body }
    }
}

impl From<Answer> for Canned {
    fn from(answer: Answer) -> Self {
        Self { status: answer.status, headers: answer.headers, body: answer.body, times: None }
    }
}

/// The ways in which GitHub refuses or fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    BadCredentials,
    NotAccessible,
    NoUserAgent,
    PrimaryLimitAnonymous,
    PrimaryLimitToken,
    PrimaryLimit429,
    SecondaryLimit,
    SecondaryLimitWithoutTime,
    SecondaryLimit429,
    SingleSignOn,
    TermsOfService,
    TakenDown,
    TooLarge,
    NotFound,
    EmptyRepository,
    NoSuchCommit,
    Validation,
    ServerError,
    BadGatewayHtml,
    SearchUnavailable,
}

impl Refusal {
    pub(crate) const ALL: &[Self] = &[
        Self::BadCredentials,
        Self::NotAccessible,
        Self::NoUserAgent,
        Self::PrimaryLimitAnonymous,
        Self::PrimaryLimitToken,
        Self::PrimaryLimit429,
        Self::SecondaryLimit,
        Self::SecondaryLimitWithoutTime,
        Self::SecondaryLimit429,
        Self::SingleSignOn,
        Self::TermsOfService,
        Self::TakenDown,
        Self::TooLarge,
        Self::NotFound,
        Self::EmptyRepository,
        Self::NoSuchCommit,
        Self::Validation,
        Self::ServerError,
        Self::BadGatewayHtml,
        Self::SearchUnavailable,
    ];

    pub(crate) fn status(self) -> u16 {
        match self {
            Self::BadCredentials => 401,
            Self::NotAccessible
            | Self::NoUserAgent
            | Self::PrimaryLimitAnonymous
            | Self::PrimaryLimitToken
            | Self::SecondaryLimit
            | Self::SecondaryLimitWithoutTime
            | Self::SingleSignOn
            | Self::TermsOfService
            | Self::TooLarge => 403,
            Self::NotFound => 404,
            Self::EmptyRepository => 409,
            Self::NoSuchCommit | Self::Validation => 422,
            Self::PrimaryLimit429 | Self::SecondaryLimit429 => 429,
            Self::TakenDown => 451,
            Self::ServerError => 500,
            Self::BadGatewayHtml => 502,
            Self::SearchUnavailable => 503,
        }
    }

    /// The whole answer at `now` (seconds since 1970). Limits begin anew an hour later.
    pub(crate) fn canned(self, now: i64) -> Canned {
        let answer = match self {
            Self::NoUserAgent => Answer::new(
                403,
                "text/plain",
                "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.\n",
            ),
            Self::BadGatewayHtml => Answer::new(
                502,
                "text/html; charset=utf-8",
                "<!DOCTYPE html>\n<html><head><title>Oh no</title></head><body><p>Too slow.</p></body></html>\n",
            ),
            _ => Answer::json(self.status(), &self.body()),
        };
        let (limit, remaining) = match self {
            Self::NoUserAgent | Self::BadGatewayHtml => return answer.with("server", "github.com").into(),
            Self::PrimaryLimitAnonymous | Self::PrimaryLimit429 => (60, 0),
            Self::PrimaryLimitToken => (5000, 0),
            _ => (5000, 4211),
        };
        let answer = answer
            .with("x-github-request-id", "A1B2:3C4D5E:0000001:ABCDEF0:69123456")
            .with("x-ratelimit-limit", limit)
            .with("x-ratelimit-remaining", remaining)
            .with("x-ratelimit-used", limit - remaining)
            .with("x-ratelimit-reset", now + 3600)
            .with("x-ratelimit-resource", "core")
            .with("server", "github.com");
        let answer = match self {
            Self::SecondaryLimit => answer.with("retry-after", 60),
            Self::SecondaryLimit429 => answer.with("retry-after", 120),
            Self::SingleSignOn => answer.with(
                "x-github-sso",
                "required; url=https://github.com/orgs/quarry-works/sso?authorization_request=AX",
            ),
            _ => answer,
        };
        answer.into()
    }

    fn body(self) -> Value {
        let status = self.status().to_string();
        let about = |page: &str| format!("https://docs.github.com/rest/{page}");
        let plain = |message: &str, page: &str| json!({ "message": message, "documentation_url": about(page), "status": status });
        match self {
            Self::BadCredentials => plain("Bad credentials", ""),
            Self::NotAccessible => {
                plain("Resource not accessible by personal access token", "repos/contents")
            }
            Self::PrimaryLimitAnonymous | Self::PrimaryLimit429 => json!({
                "message": "API rate limit exceeded for 192.0.2.44. (But here's the good news: Authenticated \
                    requests get a higher rate limit. Check out the documentation for more details.)",
                "documentation_url": about("overview/resources-in-the-rest-api#rate-limiting"),
            }),
            Self::PrimaryLimitToken => {
                plain("API rate limit exceeded for user ID 77001122.", "using-the-rest-api")
            }
            Self::SecondaryLimit | Self::SecondaryLimitWithoutTime | Self::SecondaryLimit429 => plain(
                "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
                "overview/rate-limits-for-the-rest-api#about-secondary-rate-limits",
            ),
            Self::SingleSignOn => plain(
                "Resource protected by organization SAML enforcement. You must grant your Personal Access token \
                 access to this organization.",
                "articles/single-sign-on",
            ),
            Self::TermsOfService => blocked("tos"),
            Self::TakenDown => blocked("dmca"),
            Self::TooLarge => {
                let mut body = plain(
                    "This API returns blobs up to 100 MB in size. The requested blob is too large to fetch.",
                    "git/blobs#get-a-blob",
                );
                body["errors"] = json!([{ "resource": "Blob", "field": "data", "code": "too_large" }]);
                body
            }
            Self::NotFound => plain("Not Found", "repos/repos#get-a-repository"),
            Self::EmptyRepository => plain("Git Repository is empty.", "commits/commits#get-a-commit"),
            Self::NoSuchCommit => plain("No commit found for SHA: nowhere", "commits/commits#get-a-commit"),
            Self::Validation => {
                let mut body = plain("Validation Failed", "commits/commits#list-commits");
                body["errors"] = json!([{ "resource": "Commit", "field": "per_page", "code": "invalid" }]);
                body
            }
            Self::ServerError => plain("Server Error", ""),
            Self::SearchUnavailable => {
                json!({ "code": "503", "message": "Service unavailable", "documentation_url": about("search/search") })
            }
            Self::NoUserAgent | Self::BadGatewayHtml => unreachable!("these have no JSON body"),
        }
    }
}

/// The body of a repository that is blocked.
pub(super) fn blocked(reason: &str) -> Value {
    let page = if reason == "tos" { "https://github.com/tos" } else { "https://github.com/github/dmca" };
    let block = json!({ "reason": reason, "created_at": "2026-05-04T10:20:30Z", "html_url": page });
    json!({ "message": "Repository access blocked", "block": block })
}
