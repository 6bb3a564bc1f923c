//! Identifiers, each with its own type, and the grammar of references typed by a person.
//!
//! Parsing never panics and never guesses: text that fits no form is an error that says so.

use std::fmt;

use thiserror::Error;

/// Why text is not an identifier.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IdError {
    /// Not 40 or 64 lower-case hexadecimal digits, or all zeros.
    #[error("`{0}` is not a git object id")]
    ObjectId(String),
    /// Not 64 lower-case hexadecimal digits.
    #[error("`{0}` is not a SHA-256 digest")]
    Digest(String),
    /// Not `owner/repo`.
    #[error("`{0}` is not a repository of the form `owner/repo`")]
    Repository(String),
    /// No form of a reference.
    #[error("`{0}` is not a skill reference")]
    Reference(String),
}

macro_rules! object_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Parses 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits that are not all zero.
            pub fn parse(text: &str) -> Result<Self, IdError> {
                let well_formed = matches!(text.len(), 40 | 64) && is_lower_hex(text);
                if well_formed && text.bytes().any(|byte| byte != b'0') {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(IdError::ObjectId(text.to_owned()))
                }
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

object_id! {
    /// The id of a git commit.
    CommitSha
}
object_id! {
    /// The id of a git blob.
    BlobSha
}
object_id! {
    /// The id of a git tree.
    TreeSha
}

/// A SHA-256 digest of a skill's files (see [`super::tree`]) or of one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeDigest([u8; 32]);

impl TreeDigest {
    /// Wraps the 32 bytes that a hash function gave.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub fn bytes(self) -> [u8; 32] {
        self.0
    }

    /// Parses 64 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        let error = || IdError::Digest(text.to_owned());
        if text.len() != 64 || !is_lower_hex(text) {
            return Err(error());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digits = std::str::from_utf8(pair).map_err(|_| error())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| error())?;
        }
        Ok(Self(bytes))
    }
}

impl fmt::Display for TreeDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [0; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        }
        formatter.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for TreeDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "TreeDigest({self})")
    }
}

/// A repository by owner and name, as GitHub writes it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoSlug {
    owner: String,
    name: String,
}

impl RepoSlug {
    /// Parses `owner/repo`; both parts hold letters, digits, `_`, `.` and `-`.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        let part = |part: &str| {
            !part.is_empty()
                && part.len() <= 100
                && !matches!(part, "." | "..")
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
        };
        match text.split_once('/') {
            Some((owner, name)) if part(owner) && part(name) && owner.len() <= 39 => {
                Ok(Self { owner: owner.to_owned(), name: name.to_owned() })
            }
            _ => Err(IdError::Repository(text.to_owned())),
        }
    }
}

impl RepoSlug {
    /// The login of its owner.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Its name without the owner.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for RepoSlug {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.owner, self.name)
    }
}

/// How a person names one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkillRef {
    /// `pdf-reader`: a name.
    Name(String),
    /// `owner/repo//path@ref`: a folder of a repository; no `@ref` means its default branch.
    Repository {
        /// The repository.
        repository: RepoSlug,
        /// The skill's folder, empty for the repository's root.
        path: String,
        /// A branch, tag or commit.
        reference: Option<String>,
    },
    /// `owner/repo@name`: a skill of a repository by its name.
    RepositoryName {
        /// The repository.
        repository: RepoSlug,
        /// The skill's name.
        name: String,
    },
    /// `https://github.com/owner/repo/tree/ref/path`: where the ref ends only the host can say.
    Url {
        /// The host.
        host: String,
        /// The repository.
        repository: RepoSlug,
        /// Decoded segments after `tree`: the ref, then the path.
        segments: Vec<String>,
    },
    /// 24 hexadecimal digits: a candidate that a search printed.
    CandidateId(String),
    /// `sha256:<prefix>`: an entry of the store.
    Digest(String),
    /// A folder or `SKILL.md` on this machine.
    Local(String),
    /// `skill://skillflux/<name>/SKILL.md`: a skill that comes with the release.
    Bundled(String),
}

impl SkillRef {
    /// Parses what a person typed.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        let error = || IdError::Reference(text.to_owned());
        if text.trim().is_empty() || text.contains('\0') {
            return Err(error());
        }
        if let Some(rest) = text.strip_prefix("skill://skillflux/") {
            let name = rest.strip_suffix("/SKILL.md").unwrap_or(rest);
            return if name.contains('/') { Err(error()) } else { Ok(Self::Bundled(name.to_owned())) };
        }
        if text.contains("://") && !text.starts_with("https://") {
            return Err(error());
        }
        if let Some(prefix) = text.strip_prefix("sha256:") {
            let well_formed = (4..=64).contains(&prefix.len()) && is_lower_hex(prefix);
            return if well_formed { Ok(Self::Digest(prefix.to_owned())) } else { Err(error()) };
        }
        if let Some(rest) = text.strip_prefix("https://") {
            return parse_url(rest).ok_or_else(error);
        }
        if is_local(text) {
            return Ok(Self::Local(text.to_owned()));
        }
        if let Some((repository, rest)) = text.split_once("//") {
            let (path, reference) = match rest.rsplit_once('@') {
                Some((path, reference)) if !reference.is_empty() => (path, Some(reference.to_owned())),
                Some(_) => return Err(error()),
                None => (rest, None),
            };
            let path = path.trim_matches('/').to_owned();
            return Ok(Self::Repository { repository: RepoSlug::parse(repository)?, path, reference });
        }
        if let Some((repository, name)) = text.split_once('@')
            && let Ok(repository) = RepoSlug::parse(repository)
        {
            return if name.is_empty() {
                Err(error())
            } else {
                Ok(Self::RepositoryName { repository, name: name.to_owned() })
            };
        }
        if text.len() == 24 && is_lower_hex(text) {
            return Ok(Self::CandidateId(text.to_owned()));
        }
        Ok(Self::Name(text.to_owned()))
    }
}

fn is_local(text: &str) -> bool {
    matches!(text, "." | ".." | "~")
        || text.starts_with(['/', '\\'])
        || ["./", "../", "~/", ".\\", "..\\"].iter().any(|prefix| text.starts_with(prefix))
        || text.as_bytes().get(1) == Some(&b':') && text.as_bytes()[0].is_ascii_alphabetic()
}

fn parse_url(rest: &str) -> Option<SkillRef> {
    let rest = rest.split(['?', '#']).next()?;
    let mut parts = rest.trim_end_matches('/').split('/');
    let host = parts.next().filter(|host| !host.is_empty() && !host.contains('@'))?.to_ascii_lowercase();
    let (owner, name) = (parts.next()?, parts.next()?);
    let name = name.strip_suffix(".git").unwrap_or(name);
    let repository = RepoSlug::parse(&format!("{owner}/{name}")).ok()?;
    let segments = match parts.next() {
        None => Vec::new(),
        Some("tree" | "blob") => parts.map(percent_decode).collect::<Option<_>>()?,
        Some(_) => return None,
    };
    Some(SkillRef::Url { host, repository, segments })
}

/// Decodes `%2F` and the like; `None` when a sequence is broken or the result is not UTF-8.
pub fn percent_decode(segment: &str) -> Option<String> {
    String::from_utf8(percent_decode_bytes(segment)?).ok()
}

/// Decodes `%2F` and the like to bytes; `None` when a sequence is broken.
pub fn percent_decode_bytes(segment: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    Some(bytes)
}

fn is_lower_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn references_by_example() {
        let repository = || RepoSlug::parse("owner/repo").unwrap();
        for (text, expected) in [
            ("pdf-reader", SkillRef::Name("pdf-reader".into())),
            (
                "owner/repo//skills/pdf@v1",
                SkillRef::Repository {
                    repository: repository(),
                    path: "skills/pdf".into(),
                    reference: Some("v1".into()),
                },
            ),
            (
                "owner/repo//",
                SkillRef::Repository { repository: repository(), path: String::new(), reference: None },
            ),
            ("owner/repo@pdf", SkillRef::RepositoryName { repository: repository(), name: "pdf".into() }),
            (
                "https://github.com/owner/repo/tree/feature%2Fx/skills/pdf?tab=1",
                SkillRef::Url {
                    host: "github.com".into(),
                    repository: repository(),
                    segments: vec!["feature/x".into(), "skills".into(), "pdf".into()],
                },
            ),
            ("592084a4cb41c5b42811a537", SkillRef::CandidateId("592084a4cb41c5b42811a537".into())),
            ("sha256:00ff", SkillRef::Digest("00ff".into())),
            ("./x", SkillRef::Local("./x".into())),
            ("~/x", SkillRef::Local("~/x".into())),
            ("C:\\x", SkillRef::Local("C:\\x".into())),
            ("skill://skillflux/prepare-decision/SKILL.md", SkillRef::Bundled("prepare-decision".into())),
        ] {
            assert_eq!(SkillRef::parse(text), Ok(expected), "{text}");
        }
        for bad in [
            "",
            " ",
            "sha256:zz",
            "https://github.com/owner",
            "https://u@h/o/r",
            "skill://foo/bar/SKILL.md",
            "owner/repo@",
            "a/b/c//x",
        ] {
            assert!(SkillRef::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn object_ids_and_digests() {
        assert!(CommitSha::parse(&"a".repeat(40)).is_ok());
        for bad in ["", "abc", &"0".repeat(40), &"A".repeat(40), &"g".repeat(40), &"a".repeat(41)] {
            assert!(CommitSha::parse(bad).is_err(), "{bad}");
            assert!(BlobSha::parse(bad).is_err(), "{bad}");
        }
        let digest = TreeDigest::parse(&"0f".repeat(32)).unwrap();
        assert_eq!(digest.to_string(), "0f".repeat(32));
        assert!(TreeDigest::parse("0f").is_err());
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in ".{0,60}") {
            let _reference = SkillRef::parse(&text);
            let _repository = RepoSlug::parse(&text);
            let _digest = TreeDigest::parse(&text);
        }
    }
}
