//! Names of branches, tags and commits as a person gives them.
//!
//! `heads/x`, `tags/x` and their long forms say what they mean, 40 lower-case digits are a commit, and any
//! other name may be a branch or a tag, which the host is asked apart: a name is never left to a host's
//! own guess, and a shortened commit id is no name. Git's rules for names hold before anything is asked.

use super::error::FetchError;
use crate::skill::id::CommitSha;

/// What a reference names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reference {
    /// The head of the default branch.
    Head,
    /// A commit by its whole id.
    Commit(CommitSha),
    /// A branch.
    Branch(String),
    /// A tag.
    Tag(String),
    /// A branch or a tag, whichever there is.
    Name(String),
}

impl Reference {
    /// Reads what a person gave; the default branch without anything.
    pub(super) fn parse(text: Option<&str>) -> Result<Self, FetchError> {
        let Some(text) = text else { return Ok(Self::Head) };
        if text == "HEAD" {
            return Ok(Self::Head);
        }
        if let Ok(commit) = CommitSha::parse(text) {
            return Ok(Self::Commit(commit));
        }
        let short = text.strip_prefix("refs/").unwrap_or(text);
        let (name, reference): (&str, fn(String) -> Self) =
            match (short.strip_prefix("heads/"), short.strip_prefix("tags/")) {
                (Some(name), _) => (name, Self::Branch),
                (_, Some(name)) => (name, Self::Tag),
                _ => (text, Self::Name),
            };
        if is_ref_name(name) {
            Ok(reference(name.to_owned()))
        } else {
            Err(FetchError::BadReference { reference: text.to_owned() })
        }
    }
}

/// The rules of `git check-ref-format`, and no leading hyphen, as for branches.
pub(super) fn is_ref_name(name: &str) -> bool {
    let bad = |character: char| character.is_control() || " ~^:?*[\\".contains(character);
    !name.is_empty()
        && name.len() <= 255
        && name != "@"
        && !name.starts_with('-')
        && !name.ends_with('.')
        && !name.contains("..")
        && !name.contains("@{")
        && !name.contains(bad)
        && name
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.') && part.strip_suffix(".lock").is_none())
}

/// The name among `names` that covers the most of `segments`, and how many of them it covers. `names` may
/// hold a branch and a tag of one name.
pub(super) fn longest<'a>(
    segments: &[String],
    names: &'a [Reference],
) -> Option<(Vec<&'a Reference>, usize)> {
    (1..=segments.len()).rev().find_map(|count| {
        let joined = segments[..count].join("/");
        let found: Vec<&Reference> = names
            .iter()
            .filter(|name| match name {
                Reference::Branch(name) | Reference::Tag(name) => *name == joined,
                _ => false,
            })
            .collect();
        (!found.is_empty()).then_some((found, count))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn references_by_example() {
        let commit = "3033aee909cb162d9b2dc13b67e73d486910b869";
        for (text, expected) in [
            (None, Reference::Head),
            (Some("HEAD"), Reference::Head),
            (Some(commit), Reference::Commit(CommitSha::parse(commit).unwrap())),
            (Some("main"), Reference::Name("main".into())),
            (Some("feature/x"), Reference::Name("feature/x".into())),
            (Some("heads/v1"), Reference::Branch("v1".into())),
            (Some("tags/v1"), Reference::Tag("v1".into())),
            (Some("refs/heads/a/b"), Reference::Branch("a/b".into())),
            (Some("refs/tags/v1"), Reference::Tag("v1".into())),
            (Some("refs/pull/1/head"), Reference::Name("refs/pull/1/head".into())),
            (Some("3033aee"), Reference::Name("3033aee".into())),
        ] {
            assert_eq!(Reference::parse(text).unwrap(), expected, "{text:?}");
        }
        for bad in [
            "",
            " ",
            "-x",
            "--upload-pack=x",
            "a..b",
            "../x",
            "a//b",
            "/a",
            "a/",
            "a.lock",
            "a/.b",
            "a b",
            "a~1",
            "a^",
            "a:b",
            "a?",
            "a*",
            "a[",
            "a\\b",
            "a\u{1b}",
            "@",
            "a@{1}",
            "heads/",
            "refs/tags/-x",
            "a.",
        ] {
            assert!(matches!(Reference::parse(Some(bad)), Err(FetchError::BadReference { .. })), "{bad:?}");
        }
    }

    #[test]
    fn the_longest_name_wins() {
        let segments: Vec<String> = ["feature", "x", "skills", "pdf"].map(str::to_owned).to_vec();
        let branch = |name: &str| Reference::Branch(name.to_owned());
        let tag = |name: &str| Reference::Tag(name.to_owned());
        let names = [tag("feature"), branch("feature/x"), branch("feature/xy"), branch("feature/x/other")];
        assert_eq!(longest(&segments, &names), Some((vec![&branch("feature/x")], 2)));
        let twice = [tag("feature"), branch("feature")];
        assert_eq!(longest(&segments, &twice), Some((vec![&tag("feature"), &branch("feature")], 1)));
        assert_eq!(longest(&segments, &[branch("main")]), None);
        assert_eq!(longest(&[], &names), None);
    }

    proptest! {
        #[test]
        fn a_name_is_never_an_option_or_a_way_out(text in "[a./@{~:-]{0,12}|.{0,40}") {
            if let Ok(Reference::Name(name) | Reference::Branch(name) | Reference::Tag(name)) =
                Reference::parse(Some(&text))
            {
                prop_assert!(!name.starts_with('-'));
                prop_assert!(!name.split('/').any(|part| matches!(part, "" | "." | "..")));
            }
        }
    }
}
