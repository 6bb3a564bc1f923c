//! Forms of single texts: logins, labels, folders, variable names and URLs.
//!
//! Each function is one grammar and answers yes or no. What is reported when the answer is no is
//! `check`'s concern.

/// A GitHub login: 1 to 39 ASCII letters and digits, with hyphens between them.
pub(super) fn is_login(text: &str) -> bool {
    (1..=39).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// A label that a host gave an MCP server.
pub(super) fn is_label(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|character: char| character.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// A folder as a person writes it; `~name/` is refused because only `~/` is understood.
pub(super) fn is_path(text: &str) -> bool {
    !text.trim().is_empty()
        && !text.chars().any(char::is_control)
        && (!text.starts_with('~') || text == "~" || text.starts_with("~/"))
}

/// The name of an environment variable.
pub(super) fn is_variable_name(text: &str) -> bool {
    text.starts_with(|character: char| character.is_ascii_alphabetic() || character == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// An absolute http or https URL without credentials and fragment, in ASCII.
pub(super) fn is_url(url: &str) -> bool {
    let graphic = |character: char| character.is_ascii_graphic() && !r#"#\<>"^`{|}"#.contains(character);
    url.chars().all(graphic) && authority(url).is_some_and(|authority| is_authority(&authority))
}

fn authority(url: &str) -> Option<String> {
    let lower = url.to_ascii_lowercase();
    let rest = lower.strip_prefix("http://").or_else(|| lower.strip_prefix("https://"))?;
    rest.split(['/', '?', '#', '\\']).next().map(str::to_owned)
}

/// A host name, an IPv4 address or a bracketed IPv6 address, with an optional port.
fn is_authority(authority: &str) -> bool {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((host, port)) if host.parse::<std::net::Ipv6Addr>().is_ok() => ("v6", port),
            _ => return false,
        },
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let port_fits = port.is_empty()
        || port.strip_prefix(':').is_some_and(|port| {
            port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0)
        });
    port_fits
        && host.len() <= 253
        && host.split('.').all(|part| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins_by_example() {
        for (text, expected) in [
            ("a", true),
            ("Octo-Cat9", true),
            ("a--b", true),
            (&"a".repeat(39), true),
            (&"a".repeat(40), false),
            ("", false),
            ("-a", false),
            ("a-", false),
            ("a_b", false),
            ("a.b", false),
            ("owner/repo", false),
            ("ämter", false),
        ] {
            assert_eq!(is_login(text), expected, "{text}");
        }
    }

    #[test]
    fn labels_by_example() {
        for (text, expected) in [
            ("a", true),
            ("Files.v2_x-1", true),
            (&"a".repeat(64), true),
            (&"a".repeat(65), false),
            ("", false),
            (".a", false),
            ("a b", false),
            ("a:b", false),
        ] {
            assert_eq!(is_label(text), expected, "{text}");
        }
    }

    #[test]
    fn folders_and_variables_by_example() {
        for (text, expected) in [
            ("~", true),
            ("~/x", true),
            ("/a b/c", true),
            ("../x", true),
            ("~me/x", false),
            (" ", false),
            ("a\0", false),
        ] {
            assert_eq!(is_path(text), expected, "{text}");
        }
        for (text, expected) in
            [("A_1", true), ("_x", true), ("1A", false), ("A-B", false), ("", false), ("A=B", false)]
        {
            assert_eq!(is_variable_name(text), expected, "{text}");
        }
    }

    #[test]
    fn urls_by_example() {
        for (url, expected) in [
            ("http://127.0.0.1:11434/api/embed", true),
            ("HTTPS://Example.com", true),
            ("https://example.com/a?b=c%20d", true),
            ("http://[::1]:8080/x", true),
            ("http://localhost", true),
            ("https://user@example.com/", false),
            ("https://user:secret@example.com/", false),
            ("https://example.com/#part", false),
            ("https://", false),
            ("https:///x", false),
            ("https://example.com:0/", false),
            ("https://example.com:65536/", false),
            ("https://example.com:8a/", false),
            ("https://exa mple.com/", false),
            ("https://a..b/", false),
            ("http://[::1/", false),
            ("ftp://example.com/", false),
            ("//example.com/", false),
            ("/api/embed", false),
            ("https://example.com\\@evil.example/", false),
            ("https://bücher.example/", false),
        ] {
            assert_eq!(is_url(url), expected, "{url}");
        }
    }
}
