//! What `git ls-remote` says, and which commit a reference is.
//!
//! Only branches, tags and `HEAD` count; of an annotated tag, the commit that it leads to. A name that is a
//! branch and a tag is never decided here, and a line that git does not write refuses the whole answer.

use std::collections::BTreeMap;

use crate::{
    fetch::{
        error::FetchError,
        pin::Place,
        reference::{self, Reference},
    },
    skill::id::{CommitSha, RepoSlug},
};

/// References by their full names; a tag's commit stands under its name and `^{}`.
#[derive(Debug)]
pub(super) struct Refs(BTreeMap<String, CommitSha>);

/// The names to ask for.
pub(super) fn patterns(reference: &Reference, place: &Place) -> Vec<String> {
    let branch = |name: &str| format!("refs/heads/{name}");
    let tags = |name: &str| [format!("refs/tags/{name}"), format!("refs/tags/{name}^{{}}")];
    let both = |name: &str| [vec![branch(name)], tags(name).to_vec()].concat();
    match (reference, place) {
        (_, Place::Segments(segments)) => (1..=segments.len())
            .map(|count| segments[..count].join("/"))
            .filter(|name| reference::is_ref_name(name))
            .flat_map(|name| both(&name))
            .collect(),
        (Reference::Head | Reference::Commit(_), _) => vec!["HEAD".to_owned()],
        (Reference::Branch(name), _) => vec![branch(name)],
        (Reference::Tag(name), _) => tags(name).to_vec(),
        (Reference::Name(name), _) => both(name),
    }
}

impl Refs {
    /// Reads lines of an id, a tab and a name.
    pub(super) fn parse(answer: &[u8]) -> Result<Self, FetchError> {
        let unknown = || FetchError::GitAnswer { command: "ls-remote" };
        let mut refs = BTreeMap::new();
        for line in answer.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            // Names that are no text cannot be asked for either.
            let Ok(line) = std::str::from_utf8(line) else { continue };
            let (id, name) = line.split_once('\t').ok_or_else(unknown)?;
            refs.insert(name.to_owned(), CommitSha::parse(id).map_err(|_| unknown())?);
        }
        Ok(Self(refs))
    }

    /// Whether a branch or tag is at `commit`.
    pub(super) fn any_is(&self, commit: &CommitSha) -> bool {
        let is_own = |name: &str| name.starts_with("refs/heads/") || name.starts_with("refs/tags/");
        self.0.iter().any(|(name, id)| id == commit && is_own(name))
    }

    /// The commit of `reference`, and the place once it is known where the reference ends.
    pub(super) fn resolve(
        &self,
        repository: &RepoSlug,
        reference: &Reference,
        place: Place,
    ) -> Result<(CommitSha, Place), FetchError> {
        let no_ref = |name: &str| FetchError::RefNotFound {
            repository: repository.clone(),
            reference: name.to_owned(),
        };
        if let Place::Segments(segments) = &place {
            let names = self.names();
            let Some((found, count)) = reference::longest(segments, &names) else {
                return Err(no_ref(segments.first().map_or("", String::as_str)));
            };
            let name = segments[..count].join("/");
            let [found] = found[..] else { return Err(ambiguous(repository, &name)) };
            let commit = self.commit(found).ok_or_else(|| no_ref(&name))?;
            return Ok((commit, Place::Path(segments[count..].join("/"))));
        }
        let commit = match reference {
            Reference::Name(name) => {
                let branch = self.commit(&Reference::Branch(name.clone()));
                let tag = self.commit(&Reference::Tag(name.clone()));
                if branch.is_some() && tag.is_some() {
                    return Err(ambiguous(repository, name));
                }
                branch.or(tag)
            }
            reference => self.commit(reference),
        };
        let commit = commit.ok_or_else(|| match reference {
            Reference::Head => FetchError::EmptyRepository { repository: repository.clone() },
            Reference::Commit(commit) => no_ref(commit.as_str()),
            Reference::Branch(name) => no_ref(&format!("heads/{name}")),
            Reference::Tag(name) => no_ref(&format!("tags/{name}")),
            Reference::Name(name) => no_ref(name),
        })?;
        Ok((commit, place))
    }

    fn commit(&self, reference: &Reference) -> Option<CommitSha> {
        let of = |name: &str| self.0.get(name).cloned();
        match reference {
            Reference::Head => of("HEAD"),
            Reference::Commit(commit) => Some(commit.clone()),
            Reference::Branch(name) => of(&format!("refs/heads/{name}")),
            Reference::Tag(name) => {
                of(&format!("refs/tags/{name}^{{}}")).or_else(|| of(&format!("refs/tags/{name}")))
            }
            Reference::Name(_) => None,
        }
    }

    fn names(&self) -> Vec<Reference> {
        let reference = |name: &String| {
            let branch = name.strip_prefix("refs/heads/").map(|name| Reference::Branch(name.to_owned()));
            let tag = name.strip_prefix("refs/tags/").filter(|name| !name.ends_with("^{}"));
            branch.or_else(|| tag.map(|name| Reference::Tag(name.to_owned())))
        };
        self.0.keys().filter_map(reference).collect()
    }
}

fn ambiguous(repository: &RepoSlug, name: &str) -> FetchError {
    FetchError::AmbiguousRef { repository: repository.clone(), reference: name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(digit: char) -> String {
        digit.to_string().repeat(40)
    }

    fn refs() -> Refs {
        let lines = [
            ('1', "HEAD"),
            ('1', "refs/heads/main"),
            ('2', "refs/heads/feature/x"),
            ('3', "refs/heads/v1"),
            ('4', "refs/tags/v1"),
            ('5', "refs/tags/v1^{}"),
            ('6', "refs/tags/feature"),
            ('7', "refs/tags/v2"),
            ('8', "refs/tags/v2^{}"),
            ('9', "refs/pull/1/head"),
        ];
        let lines: Vec<String> =
            lines.iter().map(|(digit, name)| format!("{}\t{name}", id(*digit))).collect();
        Refs::parse(lines.join("\n").as_bytes()).unwrap()
    }

    fn resolve(reference: Option<&str>, place: Place) -> Result<(String, Place), &'static str> {
        let repository = RepoSlug::parse("owner/repo").unwrap();
        let reference = Reference::parse(reference).unwrap();
        let resolved = refs().resolve(&repository, &reference, place);
        resolved.map(|(commit, place)| (commit.to_string(), place)).map_err(|error| error.code())
    }

    #[test]
    fn references_by_example() {
        for (reference, expected) in [
            (None, Ok('1')),
            (Some("main"), Ok('1')),
            (Some("feature/x"), Ok('2')),
            (Some("v1"), Err("ref_ambiguous")),
            (Some("heads/v1"), Ok('3')),
            (Some("tags/v1"), Ok('5')),
            (Some("feature"), Ok('6')),
            (Some("v2"), Ok('8')),
            (Some("v3"), Err("ref_not_found")),
            (Some("tags/main"), Err("ref_not_found")),
            (Some("refs/pull/1/head"), Err("ref_not_found")),
        ] {
            let found = resolve(reference, Place::Name("x".into())).map(|(commit, _)| commit);
            assert_eq!(found, expected.map(id), "{reference:?}");
        }
        let empty = Refs::parse(b"").unwrap();
        let repository = RepoSlug::parse("owner/repo").unwrap();
        let error = empty.resolve(&repository, &Reference::Head, Place::Name("x".into())).unwrap_err();
        assert_eq!(error.code(), "repository_empty");
    }

    #[test]
    fn a_web_address_names_the_longest_reference() {
        let segments = |text: &str| Place::Segments(text.split('/').map(str::to_owned).collect());
        let path = |text: &str| Place::Path(text.to_owned());
        for (text, expected) in [
            ("main/skills/pdf", Ok((id('1'), path("skills/pdf")))),
            ("feature/x/skills", Ok((id('2'), path("skills")))),
            ("feature/y", Ok((id('6'), path("y")))),
            ("v2", Ok((id('8'), path("")))),
            ("v1/x", Err("ref_ambiguous")),
            ("nothing/x", Err("ref_not_found")),
        ] {
            assert_eq!(resolve(None, segments(text)), expected, "{text}");
        }
        let asked = patterns(&Reference::Head, &segments("a/b..c"));
        assert_eq!(asked, ["refs/heads/a", "refs/tags/a", "refs/tags/a^{}"]);
    }

    #[test]
    fn only_branches_and_tags_speak_for_a_commit() {
        let refs = refs();
        for (digit, expected) in [('2', true), ('8', true), ('9', false), ('a', false)] {
            assert_eq!(refs.any_is(&CommitSha::parse(&id(digit)).unwrap()), expected, "{digit}");
        }
    }

    #[test]
    fn other_answers_are_not_understood() {
        for bad in ["x", "abc\tHEAD", "ref: refs/heads/main\tHEAD"] {
            assert_eq!(Refs::parse(bad.as_bytes()).unwrap_err().code(), "git_answer", "{bad}");
        }
    }
}
