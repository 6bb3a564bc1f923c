//! Pins and blobs through the system's `git`, where the API has no requests left or there is none.
//!
//! A pin fetches one commit and its trees without any blob; staging fetches the skill's own blobs by their
//! ids. Nothing is checked out, no hook, filter, helper or configuration of the machine takes part, and
//! what git delivers is verified here in the same way as what the API delivers. Plain git tells no numbers
//! of repositories and owners, and no lengths of files before they are fetched.

mod command;
mod family;
mod objects;
mod refs;

use std::{collections::BTreeSet, ffi::OsString, path::PathBuf, sync::Arc};

use self::{
    command::{Room, Session},
    objects::Batch,
    refs::Refs,
};
use super::{
    error::FetchError,
    pin::{self, Pinned, Place, Resolved, Rules, Step, Wanted},
    reference::Reference,
    select::SkillFile,
    sink::{Target, Written},
    tree::{Depth, Item, Sizes, TreeError, TreeListing},
};
use crate::{
    http::{BaseUrl, Deadline, Token},
    skill::id::{CommitSha, RepoSlug, TreeSha},
};

/// The longest list of a tree, in bytes.
const LIST_BYTES: usize = 64 * 1024 * 1024;
/// The longest commit object and the longest list of references, in bytes.
const ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// The system's `git` and the server it talks to.
#[derive(Debug, Clone)]
pub struct Git {
    /// The server, for instance `https://github.com`.
    pub server: BaseUrl,
    /// The host that a person would open, for instance `github.com`.
    pub host: String,
    /// A token for the server.
    pub token: Option<Token>,
    /// The program, for instance `git`.
    pub program: PathBuf,
    /// A folder for temporary repositories.
    pub scratch: PathBuf,
    /// Variables of the environment; only the search path, proxies, certificates and what the system needs
    /// to start programs are passed on.
    pub environment: Vec<(OsString, OsString)>,
}

impl Git {
    /// Whether the program can be started and is of release 2.31 or later.
    pub async fn is_there(&self, deadline: Deadline) -> bool {
        command::is_there(self, deadline).await
    }
}

/// Pins over git, see [`pin::pin`].
pub(super) async fn pin(
    git: &Git,
    wanted: &Wanted,
    rules: &Rules,
    deadline: Deadline,
) -> Result<Pinned, FetchError> {
    let session = Session::open(git, &wanted.repository, &git.scratch, Room::Trees, deadline).await?;
    let (commit, place) = resolve(&session, wanted).await?;
    if commit.as_str().len() != 40 {
        return Err(FetchError::ObjectFormat { repository: wanted.repository.clone() });
    }
    if pin::is_typed_commit(wanted) && !rules.allow_unreachable {
        check_reachable(git, wanted, &commit, deadline).await?;
    }
    session.fetch_commit(&commit).await?;
    let (root, listing) = list(&session, &wanted.repository, &commit).await?;
    let resolved = Resolved {
        host: git.host.clone(),
        repository: wanted.repository.clone(),
        renamed_from: None,
        repository_id: None,
        owner_id: None,
        archived: false,
        commit,
        root,
        place,
        suffix: pin::suffix(wanted),
    };
    let folder = match pin::find(&resolved, &listing, rules)? {
        Step::Folder(folder) => folder,
        Step::Headers(files) => {
            let headers = headers(&session, &files, rules).await?;
            pin::find_by_header(&resolved, files, &headers, rules)?
        }
    };
    let path = folder.path.clone();
    resolved.pinned(folder, &listing, &path, rules)
}

/// The commit that is wanted, and the place once it is known where the reference ends.
async fn resolve(session: &Session<'_>, wanted: &Wanted) -> Result<(CommitSha, Place), FetchError> {
    let (reference, place) = pin::start(wanted)?;
    if let Reference::Commit(commit) = reference {
        return Ok((commit, place));
    }
    let patterns = refs::patterns(&reference, &place);
    let mut arguments = vec!["ls-remote", "--quiet", session.url()];
    arguments.extend(patterns.iter().map(String::as_str));
    let answer = session.run("ls-remote", &arguments, b"", ANSWER_BYTES).await?;
    Refs::parse(&answer)?.resolve(&wanted.repository, &reference, place)
}

/// Whether a commit belongs to the repository: a branch or tag is there, or it lies on the default branch.
/// Its mere presence says nothing, since servers hand out commits of forks too.
async fn check_reachable(
    git: &Git,
    wanted: &Wanted,
    commit: &CommitSha,
    deadline: Deadline,
) -> Result<(), FetchError> {
    let session = Session::open(git, &wanted.repository, &git.scratch, Room::History, deadline).await?;
    let answer =
        session.run("ls-remote", &["ls-remote", "--quiet", session.url()], b"", ANSWER_BYTES).await?;
    if Refs::parse(&answer)?.any_is(commit) {
        return Ok(());
    }
    session.fetch_history().await?;
    let arguments = ["rev-list", command::DEFAULT_BRANCH];
    let is_there = session.run_with("rev-list", &arguments, b"", async |output| {
        objects::has_line(output, commit.as_str()).await
    });
    if is_there.await? {
        return Ok(());
    }
    Err(FetchError::Unreachable { repository: wanted.repository.clone(), commit: commit.to_string() })
}

/// The tree of a fetched commit and its verified list.
async fn list(
    session: &Session<'_>,
    repository: &RepoSlug,
    commit: &CommitSha,
) -> Result<(TreeSha, TreeListing), FetchError> {
    let name = commit.as_str();
    let body = session.run("cat-file", &["cat-file", "commit", name], b"", ANSWER_BYTES).await?;
    let root = objects::tree_of(&body, commit)?;
    let arguments = ["ls-tree", "-r", "-t", "-z", "--full-tree", name];
    let answer = session.run("ls-tree", &arguments, b"", LIST_BYTES).await?;
    let items = objects::parse_list(&answer)?;
    let listing = verified(repository, &root, items)?;
    Ok((root, listing))
}

/// The list of a tree; one with too many entries is as long as the repository makes it.
fn verified(repository: &RepoSlug, root: &TreeSha, items: Vec<Item>) -> Result<TreeListing, FetchError> {
    match TreeListing::verify(root, items, Depth::Recursive, Sizes::Unknown) {
        Err(TreeError::TooMany) => Err(FetchError::TreeTooLarge { repository: repository.clone() }),
        result => Ok(result?),
    }
}

/// The bytes of some `SKILL.md` files; of one that is too large, nothing.
async fn headers(
    session: &Session<'_>,
    files: &[SkillFile],
    rules: &Rules,
) -> Result<Vec<Vec<u8>>, FetchError> {
    let blobs: BTreeSet<&str> = files.iter().map(|file| file.blob.as_str()).collect();
    session.fetch_blobs(&blobs).await?;
    let input = command::lines(files.iter().map(|file| file.blob.as_str()));
    session
        .run_with("cat-file", &["cat-file", "--batch"], input.as_bytes(), async |output| {
            let mut batch = Batch::new(output);
            let mut headers = Vec::new();
            for file in files {
                let size = batch.next(file.blob.as_str()).await?;
                let is_small = size <= rules.limits.skill_file_bytes;
                let mut bytes = Vec::new();
                let mut keep = |piece: &[u8]| {
                    if is_small {
                        bytes.extend_from_slice(piece);
                    }
                    Ok(())
                };
                batch.body(size, &mut keep).await?;
                if is_small {
                    file.check(&bytes)?;
                }
                headers.push(bytes);
            }
            Ok(headers)
        })
        .await
}

/// Fetches the blobs of a pin and writes them below `target`, see [`super::stage::stage`].
pub(super) async fn download(
    git: &Git,
    pinned: &Pinned,
    target: &Arc<Target>,
    rules: &Rules,
    deadline: Deadline,
    done: &mut dyn FnMut(&Written),
) -> Result<Vec<Written>, FetchError> {
    let room = Room::Skill(rules.limits.skill_bytes);
    let session = Session::open(git, &pinned.repository, &git.scratch, room, deadline).await?;
    let blobs: BTreeSet<&str> = pinned.files.iter().map(|file| file.blob.as_str()).collect();
    session.fetch_blobs(&blobs).await?;
    let input = command::lines(pinned.files.iter().map(|file| file.blob.as_str()));
    session
        .run_with("cat-file", &["cat-file", "--batch"], input.as_bytes(), async |output| {
            let mut batch = Batch::new(output);
            let mut written = Vec::new();
            for file in &pinned.files {
                let mut sink = target.file(file)?;
                let size = batch.next(file.blob.as_str()).await?;
                sink.announce(size)?;
                let body = batch.body(size, &mut |bytes| sink.take(bytes)).await;
                if let Some(problem) = sink.problem() {
                    return Err(problem);
                }
                body?;
                let file = sink.finish()?;
                done(&file);
                written.push(file);
            }
            Ok(written)
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::{error::FailureClass, tree::MAX_ENTRIES};

    #[test]
    fn a_list_that_is_too_long_is_refused() {
        let id = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        let item = |number: usize| Item {
            path: format!("f{number}"),
            mode: "100644".to_owned(),
            kind: "blob".to_owned(),
            sha: id.to_owned(),
            size: None,
        };
        let (repository, root) = (RepoSlug::parse("owner/repo").unwrap(), TreeSha::parse(id).unwrap());
        for (count, expected) in [
            (MAX_ENTRIES, ("tree_wrong_id", FailureClass::Integrity)),
            (MAX_ENTRIES + 1, ("tree_too_large", FailureClass::Refused)),
        ] {
            let error = verified(&repository, &root, (0..count).map(item).collect()).unwrap_err();
            assert_eq!((error.code(), error.class()), expected, "{count}");
        }
    }
}
