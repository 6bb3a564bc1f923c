//! Skill names as written, and the slug that may stand in a path, a URL or a command.
//!
//! A name in a frontmatter is untrusted text and only a label. A [`Slug`] is what skillflux itself
//! puts into folder names and what a person types: `^[a-z0-9]+(-[a-z0-9]+)*$`, at most 64 characters.

use std::fmt;

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

/// The longest conforming name, in characters (the Agent Skills specification).
pub const MAX_NAME_CHARS: usize = 64;

/// A name that is safe in a path, a URL and a command line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slug(String);

impl Slug {
    /// Parses text that already has the form of a slug.
    pub fn parse(text: &str) -> Option<Self> {
        is_conforming(text).then(|| Self(text.to_owned()))
    }

    /// Derives the slug of `name`: NFKC, lower case, every run of other characters becomes one
    /// hyphen, trimmed, cut to 64. When nothing is left the folder's slug is taken, and when that is
    /// empty too, `skill-` and the first 8 hex digits of the name's SHA-256.
    pub fn derive(name: &str, folder: &str) -> Self {
        [name, folder].into_iter().find_map(squeeze).unwrap_or_else(|| {
            let digest = Sha256::digest(name.as_bytes());
            Self(format!("skill-{:02x}{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2], digest[3]))
        })
    }

    /// The slug as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Whether `name` follows the specification's rule for names.
pub fn is_conforming(name: &str) -> bool {
    name.len() <= MAX_NAME_CHARS
        && !name.is_empty()
        && name.split('-').all(|part| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        })
}

fn squeeze(text: &str) -> Option<Slug> {
    if is_conforming(text) {
        return Some(Slug(text.to_owned()));
    }
    let mut slug = String::new();
    for character in text.nfkc().flat_map(char::to_lowercase) {
        if character.is_ascii_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() > MAX_NAME_CHARS {
            break;
        }
    }
    slug.truncate(MAX_NAME_CHARS);
    let slug = slug.trim_end_matches('-');
    (!slug.is_empty()).then(|| Slug(slug.to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn slugs_by_example() {
        for (name, folder, expected) in [
            ("pdf-reader", "x", "pdf-reader"),
            ("CI/CD Pipeline", "x", "ci-cd-pipeline"),
            ("../../.ssh/config", "x", "ssh-config"),
            ("ＰＤＦ Reader", "x", "pdf-reader"),
            ("合同审查", "contract-review", "contract-review"),
            ("合同审查", "审查", "skill-a3ea4d5c"),
        ] {
            let slug = Slug::derive(name, folder);
            if expected.starts_with("skill-") {
                assert!(slug.as_str().starts_with("skill-") && slug.as_str().len() == 14, "{slug}");
            } else {
                assert_eq!(slug.as_str(), expected);
            }
        }
    }

    #[test]
    fn a_cut_never_leaves_a_hyphen_at_the_end() {
        let name = format!("{}-tail", "a".repeat(63));
        assert_eq!(Slug::derive(&name, "x").as_str(), "a".repeat(63));
    }

    proptest! {
        #[test]
        fn every_slug_conforms(name in ".{0,200}", folder in ".{0,40}") {
            let slug = Slug::derive(&name, &folder);
            prop_assert!(is_conforming(slug.as_str()), "{slug:?}");
            prop_assert_eq!(Slug::derive(slug.as_str(), &folder), slug);
        }
    }
}
