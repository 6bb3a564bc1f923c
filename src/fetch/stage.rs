//! From a pin to verified bytes in a staging folder. The only maker of [`Staged`].
//!
//! The files are written into the folder that the caller gives, and to nowhere else. Each has the
//! length and the git id that the pin says, or nothing is staged; the executable bit is recorded and never
//! set, and bytes are kept as they are. What is left behind by a failure is for the owner of the folder to
//! remove.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    Transport,
    error::FetchError,
    github::Api,
    pin::{Omitted, Pinned, PinnedFile, Rules},
    sink::{Target, Written},
    wrapped,
};
use crate::{
    http::{Deadline, HttpError, parallel},
    skill::{
        frontmatter::{self, Frontmatter},
        id::{BlobSha, RepoSlug, TreeDigest, TreeSha},
        path::SkillPath,
        tree::{self, TreeFile},
    },
};

/// The code of a file that only points to one that Git LFS keeps.
const POINTER: &str = "lfs_pointer";

/// How far a download has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Files that are complete.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// What held for every byte of a staged skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// Each file's blob id, and each tree's id up to the tree of the commit, was made again.
    GitTree {
        /// The tree of the commit.
        root: TreeSha,
    },
}

/// A complete, verified skill in a folder of its own that nobody else knows.
#[derive(Debug)]
pub struct Staged {
    dir: PathBuf,
    files: Vec<StagedFile>,
    digest: TreeDigest,
    proof: Proof,
    pinned: Pinned,
    frontmatter: Box<Frontmatter>,
}

/// A file of a staged skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagedFile {
    /// Path, length, executable bit and SHA-256.
    pub file: TreeFile,
    /// The id of its content in git.
    pub blob: BlobSha,
}

impl Staged {
    /// The folder that holds the files.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The files in byte order of their paths.
    pub fn files(&self) -> &[StagedFile] {
        &self.files
    }

    /// The digest of the files.
    pub fn digest(&self) -> TreeDigest {
        self.digest
    }

    /// What held for every byte. Nothing is staged without a proof; this tells which one it was to whoever
    /// has to choose or record one, and there is one kind so far.
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    /// Where the bytes come from.
    pub fn pinned(&self) -> &Pinned {
        &self.pinned
    }

    /// The header of its `SKILL.md`.
    pub fn frontmatter(&self) -> &Frontmatter {
        &self.frontmatter
    }
}

/// Downloads the files of `pinned` into `folder`, which is empty and known to nobody else, verifies each, and
/// reads the header of `SKILL.md`.
///
/// # Errors
///
/// When a byte is not what the pin says, a file is refused or a limit exceeded, when the header cannot be
/// used, and when the host or the disk fails.
pub async fn stage(
    transport: &Transport,
    pinned: Pinned,
    folder: &Path,
    rules: &Rules,
    deadline: Deadline,
    progress: &mut dyn FnMut(Progress),
) -> Result<Staged, FetchError> {
    let limits = &rules.limits;
    if pinned.files.len() > limits.files {
        return Err(FetchError::TooManyFiles { limit: limits.files });
    }
    let sum = pinned.files.iter().try_fold(0_u64, |sum, file| sum.checked_add(file.size.unwrap_or(0)));
    if sum.is_none_or(|sum| sum > limits.skill_bytes) {
        return Err(FetchError::TooLarge { limit: limits.skill_bytes });
    }
    let target = Target::open(folder, limits.skill_bytes)?;
    let mut reached = Progress::default();
    let mut done = |written: &Written| {
        reached.files += 1;
        reached.bytes += written.size;
        progress(reached);
    };
    let written = match transport {
        Transport::Api(api) => download(api, &pinned, &target, deadline, &mut done).await?,
        Transport::Git(git) => {
            super::git::download(git, &pinned, &target, rules, deadline, &mut done).await?
        }
    };
    finish(pinned, &written, &target, rules)
}

/// Blob by blob over the API.
async fn download(
    api: &Api,
    pinned: &Pinned,
    target: &Arc<Target>,
    deadline: Deadline,
    done: &mut dyn FnMut(&Written),
) -> Result<Vec<Written>, FetchError> {
    let tasks = pinned
        .files
        .iter()
        .map(|file| one(api.clone(), pinned.repository.clone(), file.clone(), Arc::clone(target), deadline));
    parallel::run(api.parallel(), tasks, done).await
}

async fn one(
    api: Api,
    repository: RepoSlug,
    file: PinnedFile,
    target: Arc<Target>,
    deadline: Deadline,
) -> Result<Written, FetchError> {
    let mut sink = target.file(&file)?;
    let most = wrapped::longest(file.size.unwrap_or(target.limit()));
    sink.allow_wrapped(most);
    let request = api.blob_request(&repository, &file.blob, most);
    let mut take = |bytes: &[u8]| if bytes.is_empty() { sink.restart() } else { sink.take(bytes) };
    let reply = api.client.stream(&request, deadline, &mut take).await;
    if let Some(problem) = sink.problem() {
        return Err(problem);
    }
    match (reply, file.size) {
        (Ok(_), _) => {}
        (Err(HttpError::TooLarge { limit, .. }), Some(expected)) => {
            let path = file.path.as_str().to_owned();
            return Err(FetchError::BlobSize { path, expected, found: limit });
        }
        (Err(error), _) => return Err(error.into()),
    }
    let error = match sink.finish() {
        Ok(written) => return Ok(written),
        Err(error) => error,
    };
    let Some(bytes) = sink.wrapped()?.and_then(|answer| wrapped::unwrap(&answer)) else {
        return Err(error);
    };
    let taken = sink.restart().and_then(|()| sink.take_unwrapped(&bytes));
    match (sink.problem(), taken) {
        (Some(problem), _) => Err(problem),
        (None, Err(source)) => Err(FetchError::Io { path: target.path().join(file.path.as_str()), source }),
        (None, Ok(())) => sink.finish(),
    }
}

/// Makes the staged skill of files that are all verified.
fn finish(
    mut pinned: Pinned,
    written: &[Written],
    target: &Target,
    rules: &Rules,
) -> Result<Staged, FetchError> {
    let mut files = Vec::new();
    let mut kept = Vec::new();
    let mut pointers: Vec<SkillPath> = Vec::new();
    for (mut pinned_file, written) in pinned.files.drain(..).zip(written) {
        if written.is_pointer {
            let path = pinned_file.path;
            if path.as_str() == "SKILL.md" || !rules.allow.contains(POINTER) {
                return Err(FetchError::Refused { path: path.as_str().to_owned(), code: POINTER });
            }
            pinned.omitted.push(Omitted { path: path.as_str().to_owned(), code: POINTER });
            pointers.push(path);
            continue;
        }
        let file = TreeFile {
            path: pinned_file.path.clone(),
            executable: pinned_file.executable,
            size: written.size,
            sha256: written.sha256,
        };
        files.push(StagedFile { file, blob: pinned_file.blob.clone() });
        pinned_file.size = Some(written.size);
        kept.push(pinned_file);
    }
    target.remove(&pointers.iter().collect::<BTreeSet<_>>())?;
    pinned.files = kept;
    pinned.omitted.sort_by(|left, right| left.path.cmp(&right.path));
    let frontmatter = Box::new(header(&pinned, &files, target, rules)?);
    let tree_files: Vec<TreeFile> = files.iter().map(|file| file.file.clone()).collect();
    Ok(Staged {
        dir: target.path().to_owned(),
        digest: tree::digest(&tree_files),
        files,
        proof: Proof::GitTree { root: pinned.root_tree.clone() },
        pinned,
        frontmatter,
    })
}

fn header(
    pinned: &Pinned,
    files: &[StagedFile],
    target: &Target,
    rules: &Rules,
) -> Result<Frontmatter, FetchError> {
    let refused = |code| FetchError::Refused { path: "SKILL.md".to_owned(), code };
    let folder = pinned.path.rsplit('/').next().unwrap_or_default();
    match files.iter().find(|file| file.file.path.as_str() == "SKILL.md") {
        None => return Err(super::select::not_found(&pinned.repository, &pinned.path, Vec::new())),
        Some(file) if file.file.size > rules.limits.skill_file_bytes => {
            return Err(refused("file_too_large"));
        }
        Some(_) => {}
    }
    let path = target.path().join("SKILL.md");
    let bytes = fs_err::read(&path).map_err(|source| FetchError::Io { path, source })?;
    let parsed = frontmatter::parse(&bytes, folder, &rules.limits);
    parsed.outcome.map_err(|diagnostic| FetchError::NotASkill { diagnostic })
}

#[cfg(test)]
pub(crate) mod testing {
    //! A skill that counts as staged without a host, for the tests of what comes after.

    use std::path::Path;

    use super::{Pinned, Proof, Staged, StagedFile};
    use crate::skill::{
        Limits,
        frontmatter::{self, Frontmatter},
        git,
        id::{CommitSha, RepoSlug, TreeSha},
        path::SkillPath,
        tree::{self, TreeFile},
    };

    /// Writes `files` into `folder`, which exists.
    pub(crate) fn staged(folder: &Path, files: &[(&str, &[u8])]) -> Staged {
        let mut staged: Vec<StagedFile> = files
            .iter()
            .map(|(path, content)| {
                let target = folder.join(path);
                fs_err::create_dir_all(target.parent().unwrap()).unwrap();
                fs_err::write(&target, content).unwrap();
                let file = TreeFile {
                    path: SkillPath::parse(path).unwrap(),
                    executable: path.starts_with("scripts/run"),
                    size: content.len() as u64,
                    sha256: tree::content_sha256(content),
                };
                StagedFile { file, blob: git::blob_id(content).unwrap() }
            })
            .collect();
        staged.sort_by(|left, right| left.file.path.cmp(&right.file.path));
        let digest = tree::digest(&staged.iter().map(|file| file.file.clone()).collect::<Vec<_>>());
        let root = TreeSha::parse(&"7".repeat(40)).unwrap();
        let pinned = Pinned {
            host: "github.com".to_owned(),
            repository: RepoSlug::parse("owner/repo").unwrap(),
            renamed_from: None,
            repository_id: Some(1),
            owner_id: Some(2),
            commit: CommitSha::parse(&"4".repeat(40)).unwrap(),
            root_tree: root.clone(),
            tree: root.clone(),
            path: "skills/one".to_owned(),
            files: Vec::new(),
            omitted: Vec::new(),
            archived: false,
        };
        let proof = Proof::GitTree { root };
        let frontmatter = Box::new(header());
        Staged { dir: folder.to_owned(), files: staged, digest, proof, pinned, frontmatter }
    }

    fn header() -> Frontmatter {
        let parsed =
            frontmatter::parse(b"---\nname: one\ndescription: One.\n---\n", "one", &Limits::default());
        parsed.outcome.unwrap()
    }
}
