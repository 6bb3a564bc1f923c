//! What a status that is no success means; pure.
//!
//! Headers are believed first, then `errors[].code`, then the words of the message, because words change most
//! often. Absent headers say nothing: they are not a limit that is used up. The shapes are those of GitHub's
//! REST API, and every other host is read by the same rules.

use jiff::fmt::rfc2822;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde::Deserialize;

use super::{Forbidden, HttpError, RateScope, Token};

/// The longest text of a host that is repeated, in characters.
const MESSAGE_LIMIT: usize = 200;

/// How long to stay away when a host limits requests and says no usable time, in milliseconds.
const DEFAULT_PAUSE_MS: i64 = 60_000;

/// The longest `retry-after` that is believed, in milliseconds.
pub(super) const LONGEST_PAUSE_MS: i64 = 900_000;

/// The longest time until a reset that is believed, in milliseconds: a day.
pub(super) const LONGEST_RESET_MS: i64 = 86_400_000;

/// An answer that is no success.
pub(super) struct Refusal<'a> {
    pub(super) host: &'a str,
    pub(super) path: &'a str,
    pub(super) status: u16,
    pub(super) headers: &'a HeaderMap,
    /// The first bytes of the body.
    pub(super) body: &'a [u8],
    /// The token that was sent: a host may send it back, and must not get it shown.
    pub(super) token: Option<&'a Token>,
}

#[derive(Debug, Default, Deserialize)]
struct Body {
    message: Option<String>,
    #[serde(default)]
    errors: Vec<Detail>,
    block: Option<Block>,
}

#[derive(Debug, Deserialize)]
struct Detail {
    code: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Block {
    reason: Option<String>,
}

impl Refusal<'_> {
    /// The failure that this answer means at `now_ms`.
    pub(super) fn classify(&self, now_ms: i64) -> HttpError {
        let body = self.parsed();
        let host = self.host.to_owned();
        let message = || self.clean(body.message.as_deref().unwrap_or_default());
        match self.status {
            401 => HttpError::Unauthorised { host, token_sent: self.token.is_some() },
            403 | 429 => self.rate_limit(&body, now_ms).unwrap_or_else(|| self.forbidden(&body)),
            404 => HttpError::NotFound { host, path: self.clean(self.path) },
            409 => HttpError::Conflict { host, message: message() },
            422 => HttpError::Unprocessable { host, message: message() },
            451 => HttpError::Blocked { host, reason: self.block(&body) },
            500..=599 => HttpError::Server { host, status: self.status },
            status => HttpError::Status { host, status },
        }
    }

    /// The JSON of the body; a plain text is its own message, and anything else says nothing.
    fn parsed(&self) -> Body {
        if let Ok(body) = serde_json::from_slice::<Body>(self.body) {
            return with_message(body, self.status);
        }
        let is_text = media_type(self.headers).is_some_and(|media| media == "text/plain");
        let text = is_text.then(|| String::from_utf8_lossy(self.body).into_owned());
        with_message(Body { message: text, ..Body::default() }, self.status)
    }

    fn rate_limit(&self, body: &Body, now_ms: i64) -> Option<HttpError> {
        let is_used_up = number(self.headers, "x-ratelimit-remaining") == Some(0);
        let retry_after = retry_after(self.headers, now_ms);
        let words = body.message.as_deref().unwrap_or_default().to_lowercase();
        let names_secondary = words.contains("secondary rate limit") || words.contains("abuse detection");
        let at_reset = || reset(self.headers, now_ms).unwrap_or(now_ms + DEFAULT_PAUSE_MS);
        let (scope, retry_at_ms) = if is_used_up && !names_secondary {
            (RateScope::Primary, at_reset())
        } else if let Some(at) = retry_after {
            (RateScope::Secondary, at)
        } else if names_secondary && is_used_up {
            (RateScope::Secondary, at_reset())
        } else if names_secondary || self.status == 429 {
            (RateScope::Secondary, now_ms + DEFAULT_PAUSE_MS)
        } else {
            return None;
        };
        Some(HttpError::RateLimited {
            host: self.host.to_owned(),
            scope,
            authenticated: self.token.is_some(),
            retry_at_ms,
        })
    }

    fn forbidden(&self, body: &Body) -> HttpError {
        let words = body.message.as_deref().unwrap_or_default().to_lowercase();
        let has_code = |code: &str| body.errors.iter().any(|error| error.code.as_deref() == Some(code));
        let reason = if self.headers.contains_key("x-github-sso") {
            Forbidden::SingleSignOn
        } else if body.block.is_some() {
            return HttpError::Blocked { host: self.host.to_owned(), reason: self.block(body) };
        } else if has_code("too_large") || words.contains("too large") {
            Forbidden::TooLarge
        } else if words.contains("saml") || words.contains("single sign-on") {
            Forbidden::SingleSignOn
        } else if words.contains("terms of service") {
            Forbidden::Terms
        } else {
            Forbidden::Other
        };
        let message = self.clean(body.message.as_deref().unwrap_or_default());
        HttpError::Forbidden { host: self.host.to_owned(), reason, message }
    }

    fn block(&self, body: &Body) -> String {
        let reason = body.block.as_ref().and_then(|block| block.reason.as_deref());
        self.clean(reason.or(body.message.as_deref()).unwrap_or_default())
    }

    /// A host's text in one line of at most 200 characters, without the token.
    fn clean(&self, text: &str) -> String {
        let text = self.token.map_or_else(|| text.to_owned(), |token| token.redact(text));
        one_line(&text, MESSAGE_LIMIT)
    }
}

fn with_message(body: Body, status: u16) -> Body {
    let message = body.message.filter(|message| !message.trim().is_empty());
    Body { message: Some(message.unwrap_or_else(|| format!("status {status}, without a reason"))), ..body }
}

/// What somebody else said as one line of at most `most` characters: controls and whitespace are a space.
pub fn one_line(text: &str, most: usize) -> String {
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(most).collect()
}

/// The media type of a body, in lower case and without parameters.
pub(super) fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get("content-type")?.to_str().ok()?;
    Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}

/// A header that is a number that is not negative.
pub(super) fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

/// `x-ratelimit-reset` in milliseconds; a minute from now when it lies in the past, at most a day.
fn reset(headers: &HeaderMap, now_ms: i64) -> Option<i64> {
    let reset_ms = reset_ms(headers)?;
    Some(if reset_ms <= now_ms { now_ms + DEFAULT_PAUSE_MS } else { reset_ms.min(now_ms + LONGEST_RESET_MS) })
}

/// `x-ratelimit-reset` in milliseconds as it stands.
pub(super) fn reset_ms(headers: &HeaderMap) -> Option<i64> {
    let seconds = i64::try_from(number(headers, "x-ratelimit-reset")?).ok()?;
    Some(seconds.saturating_mul(1_000))
}

/// `retry-after` as a moment: whole seconds or a date, from 1 to 900 seconds ahead (RFC 9110, 10.2.3).
fn retry_after(headers: &HeaderMap, now_ms: i64) -> Option<i64> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait_ms = if value.bytes().all(|byte| byte.is_ascii_digit()) && !value.is_empty() {
        value.parse::<i64>().unwrap_or(i64::MAX).saturating_mul(1_000)
    } else {
        let date = rfc2822::DateTimeParser::new().parse_timestamp(value).ok()?;
        date.as_millisecond().saturating_sub(now_ms)
    };
    Some(now_ms + wait_ms.clamp(1_000, LONGEST_PAUSE_MS))
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    const NOW_MS: i64 = 1_787_529_600_000;

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&str, &str)| {
            (HeaderName::try_from(*name).unwrap(), HeaderValue::try_from(*value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    fn classify(status: u16, pairs: &[(&str, &str)], body: &str) -> HttpError {
        let headers = headers(pairs);
        let (host, path) = ("api.github.com", "/repos/a/b");
        let token = Token::new("s3cret").unwrap();
        Refusal { host, path, status, headers: &headers, body: body.as_bytes(), token: Some(&token) }
            .classify(NOW_MS)
    }

    /// The scope, and how many milliseconds ahead to ask again.
    fn limit(status: u16, pairs: &[(&str, &str)], body: &str) -> Option<(RateScope, i64)> {
        match classify(status, pairs, body) {
            HttpError::RateLimited { scope, retry_at_ms, authenticated: true, .. } => {
                Some((scope, retry_at_ms - NOW_MS))
            }
            _ => None,
        }
    }

    #[test]
    fn rate_limits_are_told_from_other_refusals() {
        let used_up = ("x-ratelimit-remaining", "0");
        let left = ("x-ratelimit-remaining", "41");
        let in_ten_minutes = ("x-ratelimit-reset", "1787530200");
        let long_ago = ("x-ratelimit-reset", "1700000000");
        let in_a_year = ("x-ratelimit-reset", "1819065600");
        let primary = r#"{"message": "API rate limit exceeded for user ID 1."}"#;
        let secondary = r#"{"message": "You have exceeded a secondary rate limit."}"#;
        let (first, second) = (RateScope::Primary, RateScope::Secondary);
        for (status, pairs, body, expected) in [
            (403, vec![used_up, in_ten_minutes], primary, Some((first, 600_000))),
            (429, vec![used_up, in_ten_minutes], primary, Some((first, 600_000))),
            (403, vec![used_up, long_ago], primary, Some((first, 60_000))),
            (403, vec![used_up, in_a_year], primary, Some((first, 86_400_000))),
            (403, vec![used_up], primary, Some((first, 60_000))),
            (429, vec![used_up, in_ten_minutes, ("retry-after", "7")], "", Some((first, 600_000))),
            (403, vec![left, ("retry-after", "60")], secondary, Some((second, 60_000))),
            (429, vec![left, ("retry-after", "120")], secondary, Some((second, 120_000))),
            (403, vec![left, in_ten_minutes], secondary, Some((second, 60_000))),
            (403, vec![used_up, in_ten_minutes], secondary, Some((second, 600_000))),
            (403, vec![used_up, in_ten_minutes, ("retry-after", "9")], secondary, Some((second, 9_000))),
            (429, vec![], "", Some((second, 60_000))),
            (429, vec![("retry-after", "3")], "slow down", Some((second, 3_000))),
            (403, vec![left, in_ten_minutes], r#"{"message": "Resource not accessible"}"#, None),
            (403, vec![], "", None),
            (500, vec![used_up, in_ten_minutes], primary, None),
        ] {
            assert_eq!(limit(status, &pairs, body), expected, "{status} {pairs:?} {body}");
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date_and_never_absurd() {
        for (value, expected_ms) in [
            ("5", 5_000),
            ("0", 1_000),
            (" 30 ", 30_000),
            ("86400000", 900_000),
            ("99999999999999999999", 900_000),
            ("Mon, 24 Aug 2026 00:02:00 GMT", 120_000),
            ("Tue, 25 Aug 2026 00:00:00 GMT", 900_000),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 1_000),
            // What cannot be read counts as absent.
            ("-5", 60_000),
            ("1.5", 60_000),
            ("soon", 60_000),
            ("", 60_000),
        ] {
            let found = limit(429, &[("retry-after", value)], "").map(|(_, ahead_ms)| ahead_ms);
            assert_eq!(found, Some(expected_ms), "{value}");
        }
    }

    #[test]
    fn refusals_say_why() {
        let forbidden = |pairs: &[(&str, &str)], body: &str| match classify(403, pairs, body) {
            HttpError::Forbidden { reason, message, .. } => (reason, message),
            other => panic!("{other:?}"),
        };
        let sso = [("x-github-sso", "required; url=https://github.com/orgs/o/sso")];
        assert_eq!(
            forbidden(&sso, r#"{"message": "Protected."}"#),
            (Forbidden::SingleSignOn, "Protected.".to_owned())
        );
        for (body, reason) in [
            (r#"{"message": "x", "errors": [{"code": "too_large"}]}"#, Forbidden::TooLarge),
            (r#"{"message": "The blob is too large to fetch"}"#, Forbidden::TooLarge),
            (r#"{"message": "protected by organization SAML enforcement"}"#, Forbidden::SingleSignOn),
            (r#"{"message": "This breaks our Terms of Service"}"#, Forbidden::Terms),
            (r#"{"message": "Resource not accessible"}"#, Forbidden::Other),
            ("<html>", Forbidden::Other),
        ] {
            assert_eq!(forbidden(&[], body).0, reason, "{body}");
        }
        let text = [("content-type", "text/plain; charset=utf-8")];
        assert_eq!(forbidden(&text, "Send a\r\nUser-Agent\u{1b}[31m\n").1, "Send a User-Agent [31m");
        assert_eq!(forbidden(&[], "<html>").1, "status 403, without a reason");
        assert_eq!(forbidden(&[], r#"{"message": "not \u00733cret"}"#).1, "not [redacted]");
        assert_eq!(forbidden(&[], r#"{"message": "S3CRET"}"#).1, "[redacted]");
        let long = format!(r#"{{"message": "{}"}}"#, "é".repeat(500));
        assert_eq!(forbidden(&[], &long).1.chars().count(), 200);
    }

    #[test]
    fn what_others_say_becomes_one_short_line() {
        assert_eq!(one_line("fatal: a\x1b[31m\r\nb\n\n", 500), "fatal: a [31m b");
        assert_eq!(one_line(" \u{85}\u{2028}é é", 2), "é ");
        assert_eq!(one_line("\u{7}", 9), "");
    }

    #[test]
    fn each_status_has_its_failure() {
        let body = r#"{"message": "Git Repository is empty.", "status": "409"}"#;
        assert!(matches!(classify(401, &[], body), HttpError::Unauthorised { token_sent: true, .. }));
        assert!(matches!(classify(404, &[], body), HttpError::NotFound { path, .. } if path == "/repos/a/b"));
        assert!(
            matches!(classify(409, &[], body), HttpError::Conflict { message, .. } if message == "Git Repository is empty.")
        );
        assert!(matches!(classify(422, &[], body), HttpError::Unprocessable { .. }));
        let blocked = r#"{"message": "Repository access blocked", "block": {"reason": "dmca"}}"#;
        for status in [451, 403] {
            assert!(
                matches!(classify(status, &[], blocked), HttpError::Blocked { reason, .. } if reason == "dmca")
            );
        }
        assert!(
            matches!(classify(451, &[], ""), HttpError::Blocked { reason, .. } if reason.contains("451"))
        );
        assert!(matches!(classify(502, &[], "<html>"), HttpError::Server { status: 502, .. }));
        for status in [300, 303, 400, 410, 418] {
            assert!(
                matches!(classify(status, &[], body), HttpError::Status { status: found, .. } if found == status)
            );
        }
    }
}
