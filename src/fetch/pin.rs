//! From a reference to a pin: one commit, one folder, the list of its files, all traced to the commit's tree.
//!
//! A pin is made without a byte of the skill itself (but for the headers that must be read when no folder
//! has the wanted name), and every check that the list of files allows is made here, so that nothing is
//! downloaded of a skill that would be refused. What a transport must say about a repository and a commit
//! is a [`Resolved`]; the rest is the same for both.

use std::collections::BTreeSet;

use super::{
    Transport,
    contents::{self, Contents},
    error::FetchError,
    reference::Reference,
    select::{self, Folder, Named},
    tree::TreeListing,
};
use crate::{
    http::Deadline,
    skill::{
        Limits, frontmatter,
        id::{BlobSha, CommitSha, RepoSlug, TreeSha},
        path::SkillPath,
    },
};

/// Which folder of a repository is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The folder at this path, empty for the root.
    Path(String),
    /// The one skill of this name: the folder's name, else the name in its header.
    Name(String),
    /// The segments of a web address after `tree`: the ref, then the path; only the host can say where the
    /// one ends.
    Segments(Vec<String>),
}

/// What is to be pinned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The repository.
    pub repository: RepoSlug,
    /// A branch, a tag or a commit that a person named; the default branch without one.
    pub reference: Option<String>,
    /// The commit that a search showed, which lies on the default branch. Stands before `reference`.
    pub commit: Option<CommitSha>,
    /// The number that the repository had when it was last seen.
    pub repository_id: Option<u64>,
    /// The owner's number then.
    pub owner_id: Option<u64>,
    /// The folder.
    pub place: Place,
}

/// What is allowed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    /// The bounds on a skill.
    pub limits: Limits,
    /// Codes of files that a person allowed to leave out, for instance `tree_symlink`.
    pub allow: BTreeSet<String>,
    /// Whether a commit may lie on no branch of its repository.
    pub allow_unreachable: bool,
}

/// A file of a pinned skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedFile {
    /// Its path in the skill.
    pub path: SkillPath,
    /// The id of its content.
    pub blob: BlobSha,
    /// Its length in bytes; unknown to plain git until it is fetched.
    pub size: Option<u64>,
    /// Whether it is marked executable.
    pub executable: bool,
}

/// A file that is no part of the pinned skill because a person allowed to leave it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omitted {
    /// Its path in the skill, as the tree has it.
    pub path: String,
    /// The code of the refusal that was allowed, for instance `tree_symlink`.
    pub code: &'static str,
}

/// One commit, one folder and its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pinned {
    /// The host that a person would open, for instance `github.com`.
    pub host: String,
    /// The repository under the name it has now.
    pub repository: RepoSlug,
    /// The name it was asked by, when that was an older one.
    pub renamed_from: Option<RepoSlug>,
    /// The number that the host gave it; unknown to plain git.
    pub repository_id: Option<u64>,
    /// The number of its owner.
    pub owner_id: Option<u64>,
    /// Whether its host says that it is read-only for good; plain git does not tell.
    pub archived: bool,
    /// The commit.
    pub commit: CommitSha,
    /// The commit's tree.
    pub root_tree: TreeSha,
    /// The tree of the skill's folder.
    pub tree: TreeSha,
    /// The folder, empty for the root.
    pub path: String,
    /// Its files, `SKILL.md` among them, in byte order of their paths.
    pub files: Vec<PinnedFile>,
    /// What was left out with a person's leave.
    pub omitted: Vec<Omitted>,
}

/// Resolves what is wanted to one commit, finds the skill's folder in it and checks the list of its files.
///
/// # Errors
///
/// When there is no such repository, reference or skill, when several could be meant, when a rule refuses
/// a file or a limit is exceeded, and when the host answers wrongly or not at all.
pub async fn pin(
    transport: &Transport,
    wanted: &Wanted,
    rules: &Rules,
    deadline: Deadline,
) -> Result<Pinned, FetchError> {
    match transport {
        Transport::Api(api) => super::github::pin(api, wanted, rules, deadline).await,
        Transport::Git(git) => super::git::pin(git, wanted, rules, deadline).await,
    }
}

/// Whether a person typed the commit's id, so that nothing says yet that it belongs to the repository.
pub(super) fn is_typed_commit(wanted: &Wanted) -> bool {
    wanted.commit.is_none() && matches!(start(wanted), Ok((Reference::Commit(_), _)))
}

/// What stands after `@` in a reference to what was asked for.
pub(super) fn suffix(wanted: &Wanted) -> Option<String> {
    wanted.reference.clone().or_else(|| wanted.commit.as_ref().map(ToString::to_string))
}

/// What to ask the host for first. The place stays [`Place::Segments`] only when the host must say where
/// the reference ends; then it holds at least one segment.
pub(super) fn start(wanted: &Wanted) -> Result<(Reference, Place), FetchError> {
    let known = wanted.commit.clone().map(Reference::Commit);
    let place = match (&wanted.place, &known) {
        (Place::Segments(segments), None) => match segments.split_first() {
            None => return Ok((Reference::Head, Place::Path(String::new()))),
            Some((first, rest)) => match CommitSha::parse(first) {
                Ok(commit) => return Ok((Reference::Commit(commit), Place::Path(rest.join("/")))),
                Err(_) => return Ok((Reference::Head, wanted.place.clone())),
            },
        },
        (Place::Segments(segments), Some(_)) => Place::Path(segments.get(1..).unwrap_or_default().join("/")),
        (place, _) => place.clone(),
    };
    let reference = match known {
        Some(commit) => commit,
        None => Reference::parse(wanted.reference.as_deref())?,
    };
    Ok((reference, place))
}

/// What a transport found out about a repository and a commit.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) host: String,
    pub(super) repository: RepoSlug,
    pub(super) renamed_from: Option<RepoSlug>,
    pub(super) repository_id: Option<u64>,
    pub(super) owner_id: Option<u64>,
    pub(super) archived: bool,
    pub(super) commit: CommitSha,
    pub(super) root: TreeSha,
    /// The folder, without [`Place::Segments`].
    pub(super) place: Place,
    /// What stands after `@` in the references that an ambiguity lists.
    pub(super) suffix: Option<String>,
}

impl Resolved {
    /// A reference that can be pasted, for the folder at `path`.
    pub(super) fn reference_to(&self, path: &str) -> String {
        let suffix = self.suffix.as_ref().map_or_else(String::new, |name| format!("@{name}"));
        format!("{}//{path}{suffix}", self.repository)
    }

    /// The pin of `folder`, whose files are those below `at` in `listing`.
    pub(super) fn pinned(
        self,
        folder: Folder,
        listing: &TreeListing,
        at: &str,
        rules: &Rules,
    ) -> Result<Pinned, FetchError> {
        let Contents { files, omitted } = contents::check(listing, at, rules)?;
        Ok(Pinned {
            host: self.host,
            repository: self.repository,
            renamed_from: self.renamed_from,
            repository_id: self.repository_id,
            owner_id: self.owner_id,
            archived: self.archived,
            commit: self.commit,
            root_tree: self.root,
            tree: folder.tree,
            path: folder.path,
            files,
            omitted,
        })
    }
}

/// What is still needed to know the folder.
#[derive(Debug)]
pub(super) enum Step {
    /// Nothing.
    Folder(Folder),
    /// The headers of these `SKILL.md` files, since no folder has the wanted name.
    Headers(Vec<select::SkillFile>),
}

/// Finds the wanted folder in a list of the whole commit.
pub(super) fn find(resolved: &Resolved, listing: &TreeListing, rules: &Rules) -> Result<Step, FetchError> {
    match &resolved.place {
        Place::Path(path) => select::by_path(listing, &resolved.repository, path).map(Step::Folder),
        Place::Segments(segments) => {
            select::by_path(listing, &resolved.repository, &segments.join("/")).map(Step::Folder)
        }
        Place::Name(name) => {
            let found = select::by_name(listing, &resolved.repository, name, rules, &|path| {
                resolved.reference_to(path)
            })?;
            Ok(match found {
                Named::Folder(folder) => Step::Folder(folder),
                Named::Headers(files) => Step::Headers(files),
            })
        }
    }
}

/// Finds the folder whose header has the wanted name; `headers` are the files asked for, in that order.
pub(super) fn find_by_header(
    resolved: &Resolved,
    files: Vec<select::SkillFile>,
    headers: &[Vec<u8>],
    rules: &Rules,
) -> Result<Folder, FetchError> {
    let Place::Name(name) = &resolved.place else {
        return Err(select::not_found(&resolved.repository, "", Vec::new()));
    };
    let named = files.into_iter().zip(headers).filter_map(|(file, bytes)| {
        let folder = file.folder.path.rsplit('/').next().unwrap_or_default();
        let header = frontmatter::parse(bytes, folder, &rules.limits).outcome.ok()?;
        Some((file, header.name))
    });
    select::by_header(named.collect(), &resolved.repository, name, &|path| resolved.reference_to(path))
}
