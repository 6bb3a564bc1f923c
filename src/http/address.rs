//! Addresses: which may be asked, how a path is put below a base, and where a redirect may lead.
//!
//! Only https is asked, or http on a loopback address; never an address with credentials. A token belongs to
//! an origin (scheme, host and port), and a redirect never leaves it.

use std::{fmt::Write as _, net::IpAddr};

use reqwest::Url;

use super::{
    HttpError,
    error::{Cause, RedirectProblem},
};

/// The address below which a service answers: https, or http on a loopback address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl {
    url: String,
    origin: String,
    host: String,
    is_loopback: bool,
}

impl BaseUrl {
    /// Parses an address without credentials, query and fragment; a slash at its end does not matter.
    ///
    /// # Errors
    ///
    /// [`HttpError::BadAddress`] for everything else.
    pub fn parse(text: &str) -> Result<Self, HttpError> {
        let url = checked(text)?;
        if url.query().is_some() {
            return Err(bad(text, "it has a query"));
        }
        Ok(Self {
            url: url.as_str().trim_end_matches('/').to_owned(),
            origin: origin(&url),
            host: host(&url),
            is_loopback: is_loopback(&url),
        })
    }

    /// The origin of an address that may have a path and a query.
    ///
    /// # Errors
    ///
    /// [`HttpError::BadAddress`] for an address that would not be asked.
    pub fn origin_of(address: &str) -> Result<Self, HttpError> {
        Self::parse(&origin(&checked(address)?))
    }

    /// Whether it is on this machine.
    pub fn is_loopback(&self) -> bool {
        self.is_loopback
    }

    /// `https://host[:port]`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// `host[:port]`.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The address of a path below this one; each segment is percent-encoded, also its slashes.
    ///
    /// No address can have a segment that is `.` or `..`: their dots are encoded twice, so that such an
    /// address names nothing instead of another place.
    pub fn join(&self, segments: &[&str]) -> String {
        let mut address = self.url.clone();
        for segment in segments {
            address.push('/');
            if matches!(*segment, "." | "..") {
                address.push_str(&"%252E".repeat(segment.len()));
            } else {
                push_encoded(&mut address, segment);
            }
        }
        address
    }

    /// The same with a query of these names, which stand as they are, and values, which are encoded.
    pub fn join_with(&self, segments: &[&str], parameters: &[(&str, &str)]) -> String {
        let mut address = self.join(segments);
        for (index, (name, value)) in parameters.iter().enumerate() {
            address.push(if index == 0 { '?' } else { '&' });
            address.push_str(name);
            address.push('=');
            push_encoded(&mut address, value);
        }
        address
    }
}

/// Adds a text in which everything but letters, digits and `-._~` is percent-encoded (RFC 3986, 2.3).
fn push_encoded(address: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            address.push(char::from(byte));
        } else {
            write!(address, "%{byte:02X}").expect("writing to a string cannot fail");
        }
    }
}

/// Parses an address that may be asked.
pub(super) fn checked(text: &str) -> Result<Url, HttpError> {
    let url = Url::parse(text).map_err(|_| bad(text, "it is malformed"))?;
    let is_open = url.scheme() == "http";
    if url.scheme() != "https" && !is_open {
        return Err(bad(text, "it is not https"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad(text, "it holds credentials"));
    }
    if url.fragment().is_some() {
        return Err(bad(text, "it has a fragment"));
    }
    if is_open && !is_loopback(&url) {
        return Err(bad(text, "it is not https"));
    }
    Ok(url)
}

fn bad(text: &str, reason: &'static str) -> HttpError {
    // Whatever stands before an `@` may be a password, and a query may hold one.
    let shown = text.split(['?', '#']).next().unwrap_or_default();
    let shown = shown.rsplit('@').next().unwrap_or_default();
    let address = shown.chars().filter(|character| !character.is_control()).take(200).collect();
    HttpError::BadAddress { address, reason }
}

/// Whether the address is one of this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// `scheme://host[:port]`.
pub(super) fn origin(url: &Url) -> String {
    format!("{}://{}", url.scheme(), host(url))
}

/// `host[:port]`; the port is left out when it is the one of the scheme.
pub(super) fn host(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"))
}

/// Where a redirect leads, when it stays on the origin of `from`.
pub(super) fn redirected(from: &Url, location: Option<&[u8]>) -> Result<Url, HttpError> {
    let malformed = || HttpError::Protocol {
        host: host(from),
        source: Cause("a redirect without a readable address".to_owned()),
    };
    let location = location.and_then(|bytes| std::str::from_utf8(bytes).ok()).ok_or_else(malformed)?;
    let mut to = from.join(location).map_err(|_| malformed())?;
    to.set_fragment(None);
    let why =
        if !matches!(to.scheme(), "https" | "http") || !to.username().is_empty() || to.password().is_some() {
            RedirectProblem::Scheme
        } else if from.scheme() == "https" && to.scheme() == "http" {
            RedirectProblem::Downgrade
        } else if origin(from) != origin(&to) {
            RedirectProblem::OtherHost
        } else {
            return Ok(to);
        };
    Err(refused(from, &to, why))
}

/// The refusal of a redirect.
pub(super) fn refused(from: &Url, to: &Url, why: RedirectProblem) -> HttpError {
    let to = if to.has_host() { origin(to) } else { format!("{}:", to.scheme()) };
    HttpError::Redirect { host: host(from), to, why }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_https_and_loopback_are_asked() {
        for (text, origin, host) in [
            ("https://api.github.com", "https://api.github.com", "api.github.com"),
            ("https://API.github.com:443/", "https://api.github.com", "api.github.com"),
            ("https://ghe.example:8443/api/v3/", "https://ghe.example:8443", "ghe.example:8443"),
            ("http://127.0.0.1:80/x", "http://127.0.0.1", "127.0.0.1"),
            ("http://127.9.8.7:81", "http://127.9.8.7:81", "127.9.8.7:81"),
            ("http://[::1]:8080", "http://[::1]:8080", "[::1]:8080"),
            ("http://localhost:1", "http://localhost:1", "localhost:1"),
        ] {
            let base = BaseUrl::parse(text).unwrap();
            assert_eq!((base.origin(), base.host()), (origin, host), "{text}");
        }
        for (text, reason) in [
            ("", "it is malformed"),
            ("api.github.com", "it is malformed"),
            ("http://api.github.com", "it is not https"),
            ("http://127.0.0.1.example.com", "it is not https"),
            ("http://localhost.example.com", "it is not https"),
            ("http://0.0.0.0", "it is not https"),
            ("http://[::ffff:10.0.0.1]/", "it is not https"),
            ("ftp://example.com", "it is not https"),
            ("file:///etc/passwd", "it is not https"),
            ("https://user:secret@example.com", "it holds credentials"),
            ("https://token@example.com", "it holds credentials"),
            ("https://example.com/?q=secret", "it has a query"),
            ("https://example.com/#x", "it has a fragment"),
        ] {
            let error = BaseUrl::parse(text).unwrap_err();
            assert!(
                matches!(&error, HttpError::BadAddress { reason: found, .. } if *found == reason),
                "{text}"
            );
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }

    #[test]
    fn the_origin_of_an_address_knows_whether_it_is_here() {
        for (address, expected, is_here) in [
            ("https://api.example/v1/embeddings?version=1", "https://api.example", false),
            ("http://127.0.0.1:11434/api/embed", "http://127.0.0.1:11434", true),
            ("http://localhost/x", "http://localhost", true),
        ] {
            let base = BaseUrl::origin_of(address).unwrap();
            assert_eq!((base.origin(), base.is_loopback()), (expected, is_here), "{address}");
        }
        assert!(BaseUrl::origin_of("http://10.0.0.1/api/embed").is_err());
    }

    #[test]
    fn segments_are_encoded() {
        let base = BaseUrl::parse("https://ghe.example/api/v3/").unwrap();
        assert_eq!(
            base.join(&["repos", "a b", "feature/x%2F?#é"]),
            "https://ghe.example/api/v3/repos/a%20b/feature%2Fx%252F%3F%23%C3%A9"
        );
        assert_eq!(base.join(&["a", "..", "."]), "https://ghe.example/api/v3/a/%252E%252E/%252E");
        assert_eq!(base.join(&[]), "https://ghe.example/api/v3");
        let url = base.join_with(&["y"], &[("q", "a b&c=é"), ("n", "1-._~")]);
        assert_eq!(url, "https://ghe.example/api/v3/y?q=a%20b%26c%3D%C3%A9&n=1-._~");
    }

    #[test]
    fn redirects_stay_on_their_origin() {
        let from = Url::parse("https://api.github.com/repos/a/b?x=1").unwrap();
        let to = redirected(&from, Some(b"/repositories/1#top")).unwrap();
        assert_eq!(to.as_str(), "https://api.github.com/repositories/1");
        let to = redirected(&from, Some(b"https://api.github.com:443/repositories/1")).unwrap();
        assert_eq!(to.as_str(), "https://api.github.com/repositories/1");
        for (location, shown, why) in [
            ("https://evil.example/?secret", "https://evil.example", RedirectProblem::OtherHost),
            ("https://api.github.com:8443/", "https://api.github.com:8443", RedirectProblem::OtherHost),
            ("//evil.example/", "https://evil.example", RedirectProblem::OtherHost),
            ("http://api.github.com/", "http://api.github.com", RedirectProblem::Downgrade),
            ("file:///etc/passwd", "file:", RedirectProblem::Scheme),
            ("javascript:alert(1)", "javascript:", RedirectProblem::Scheme),
            ("https://u:secret@api.github.com/", "https://api.github.com", RedirectProblem::Scheme),
        ] {
            let HttpError::Redirect { host, to, why: found } =
                redirected(&from, Some(location.as_bytes())).unwrap_err()
            else {
                panic!("{location}");
            };
            assert_eq!((host.as_str(), to.as_str(), found), ("api.github.com", shown, why), "{location}");
        }
        for location in [None, Some(b"https://[".as_slice()), Some(b"\xff".as_slice())] {
            assert!(matches!(redirected(&from, location), Err(HttpError::Protocol { .. })));
        }
    }

    proptest! {
        #[test]
        fn a_segment_never_leaves_its_place(segment in "\\PC{1,20}") {
            let base = BaseUrl::parse("https://host.example/api").unwrap();
            let url = checked(&base.join(&["a", &segment, "b"])).unwrap();
            let parts: Vec<&str> = url.path().split('/').collect();
            prop_assert_eq!(parts.len(), 5);
            prop_assert_eq!((parts[1], parts[2], parts[4]), ("api", "a", "b"));
            prop_assert!(url.query().is_none());
        }

        #[test]
        fn parsing_never_panics(text in "\\PC{0,60}") {
            if let Ok(base) = BaseUrl::parse(&text) {
                prop_assert!(base.origin().starts_with("http"));
            }
        }
    }
}
