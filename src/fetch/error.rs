//! Why a skill could not be pinned or fetched.
//!
//! Each error has a code for programs and a [`FailureClass`] that commands map to an exit code. What is
//! wrong with bytes is told apart from what is refused by a rule, and both from what is not there.

use std::{io, path::PathBuf};

use thiserror::Error;

use super::tree::TreeError;
use crate::{
    http::HttpError,
    skill::{
        diagnostic::Diagnostic,
        id::{BlobSha, RepoSlug},
    },
};

/// What kind of failure an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureClass {
    /// Nothing of that name, or several.
    NotFound,
    /// What a person typed cannot be meant.
    Usage,
    /// A rule or a limit forbids it.
    Refused,
    /// Bytes are not what their id or length says.
    Integrity,
    /// The host was asked and gave nothing; [`FetchError::Http`] says more in its source.
    Network,
    /// The host wants a token, or refuses the one it got.
    Unauthorised,
    /// The local machine refused.
    LocalIo,
}

/// Why a skill could not be pinned or fetched.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The host did not answer as needed.
    #[error("the host gave no usable answer")]
    Http(#[from] HttpError),
    /// The host has no such repository, or does not show it.
    #[error("`{host}` has no repository `{repository}`")]
    RepositoryNotFound {
        /// The host.
        host: String,
        /// The repository.
        repository: RepoSlug,
    },
    /// The host switched the repository off.
    #[error("`{repository}` is disabled by its host")]
    RepositoryDisabled {
        /// The repository.
        repository: RepoSlug,
    },
    /// The repository has no commit.
    #[error("`{repository}` is empty")]
    EmptyRepository {
        /// The repository.
        repository: RepoSlug,
    },
    /// The host blocks the repository, for instance after a legal notice.
    #[error("`{repository}` is blocked by its host: {reason}")]
    Blocked {
        /// The repository.
        repository: RepoSlug,
        /// Why, in the host's word.
        reason: String,
    },
    /// No branch, tag or commit has that name.
    #[error("`{repository}` has no branch, tag or commit `{reference}`")]
    RefNotFound {
        /// The repository.
        repository: RepoSlug,
        /// What was asked for.
        reference: String,
    },
    /// Git allows no such name.
    #[error("`{reference}` cannot be the name of a branch, tag or commit")]
    BadReference {
        /// What was asked for.
        reference: String,
    },
    /// A branch and a tag have that name.
    #[error(
        "`{reference}` is a branch and a tag of `{repository}`: write `heads/{reference}` or \
         `tags/{reference}`"
    )]
    AmbiguousRef {
        /// The repository.
        repository: RepoSlug,
        /// The name of both.
        reference: String,
    },
    /// The commit is on no branch of this repository; it may come from a fork.
    #[error("commit `{commit}` is not on the default branch of `{repository}` and may come from a fork")]
    Unreachable {
        /// The repository.
        repository: RepoSlug,
        /// The commit.
        commit: String,
    },
    /// Another repository or owner now has the name.
    #[error("`{repository}` is not the same {what} as before: it was number {expected} and is {found}")]
    IdentityChanged {
        /// The repository.
        repository: RepoSlug,
        /// `repository` or `owner`.
        what: &'static str,
        /// The number that was seen before.
        expected: u64,
        /// The number that the host tells now.
        found: u64,
    },
    /// The repository has no such skill.
    #[error("`{repository}` has no skill `{wanted}`")]
    SkillNotFound {
        /// The repository.
        repository: RepoSlug,
        /// The path or name that was asked for.
        wanted: String,
        /// Folders with skills of similar names, at most five.
        similar: Vec<String>,
    },
    /// Several different skills have that name.
    #[error("`{name}` names {} skills", .places.len())]
    Ambiguous {
        /// The name.
        name: String,
        /// Each as a reference that can be pasted.
        places: Vec<String>,
    },
    /// No folder has the name, and there are too many headers to look for it in them.
    #[error(
        "no folder of `{repository}` is called `{name}`, and it has too many skills ({skills}) to read all \
         headers"
    )]
    TooManyHeaders {
        /// The repository.
        repository: RepoSlug,
        /// The name.
        name: String,
        /// How many skills it has.
        skills: usize,
    },
    /// The tree is too large to look for a name in it.
    #[error("`{repository}` is too large to look for a skill by its name: give its path")]
    NameNeedsPath {
        /// The repository.
        repository: RepoSlug,
    },
    /// The tree is too large to be read.
    #[error("`{repository}` holds more files than can be listed")]
    TreeTooLarge {
        /// The repository.
        repository: RepoSlug,
    },
    /// A tree is not what its id says.
    #[error("the list of files cannot be trusted")]
    Tree(#[source] TreeError),
    /// An answer contradicts what was asked.
    #[error("the host answered `{found}` when asked for `{asked}`")]
    WrongObject {
        /// The id that was asked for.
        asked: String,
        /// The id in the answer.
        found: String,
    },
    /// The repository names objects by SHA-256.
    #[error("`{repository}` names its objects by SHA-256, which cannot be verified yet")]
    ObjectFormat {
        /// The repository.
        repository: RepoSlug,
    },
    /// A file that may not be part of a skill, or whose name keeps the whole tree from being verified.
    #[error("`{path}` is refused: {} ({code})", in_words(code))]
    Refused {
        /// Its path in the skill, or in the tree that was listed.
        path: String,
        /// Why, for instance `tree_symlink`.
        code: &'static str,
    },
    /// A `SKILL.md` that no harness could read.
    #[error("`SKILL.md`{} is not that of a skill: {}", position(diagnostic), diagnostic.label())]
    NotASkill {
        /// What is wrong with it.
        diagnostic: Diagnostic,
    },
    /// More files than the limit.
    #[error("the skill has more than {limit} files")]
    TooManyFiles {
        /// The limit.
        limit: usize,
    },
    /// More bytes than the limit.
    #[error("the skill has more than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// A file has another length than its tree says.
    #[error("`{path}` has {found} bytes instead of {expected}")]
    BlobSize {
        /// Its path in the skill.
        path: String,
        /// The length that was told.
        expected: u64,
        /// The bytes that came, or so many that more would be too many.
        found: u64,
    },
    /// A file's bytes are not those of its id.
    #[error("`{path}` has not the bytes of `{blob}`")]
    BlobBytes {
        /// Its path in the skill.
        path: String,
        /// The id.
        blob: BlobSha,
    },
    /// A file bears the marks of a SHA-1 collision.
    #[error("`{path}` bears the marks of a SHA-1 collision")]
    Collision {
        /// Its path in the skill.
        path: String,
    },
    /// `git` failed.
    #[error("`git {command}` failed: {message}")]
    Git {
        /// Its subcommand.
        command: &'static str,
        /// What it said, cleaned and cut.
        message: String,
    },
    /// `git` found fault with an object that the server sent, and took nothing.
    #[error("git refuses object `{object}` of the repository: {fault}")]
    BadObject {
        /// The object's id.
        object: String,
        /// What git says of it.
        fault: String,
        /// The code of the check that fails.
        code: &'static str,
    },
    /// The server wants credentials, or refuses those it got.
    #[error("`{host}` has no repository `{repository}`, or wants other credentials for it")]
    GitUnauthorised {
        /// The host.
        host: String,
        /// The repository.
        repository: RepoSlug,
    },
    /// The server shows a certificate that `git` does not trust.
    #[error("no trustworthy connection to `{host}`: {message}")]
    GitTls {
        /// The host.
        host: String,
        /// What git said, cleaned and cut.
        message: String,
    },
    /// The server leads elsewhere: the repository has another name now.
    #[error("`{repository}` has moved, and git is not sent after it")]
    GitMoved {
        /// The repository.
        repository: RepoSlug,
    },
    /// `git` cannot be started.
    #[error("`{}` cannot be started", .program.display())]
    GitMissing {
        /// The program.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// `git` did not end in time.
    #[error("`git {command}` waited too long for `{host}`")]
    GitTimeout {
        /// The host.
        host: String,
        /// Its subcommand.
        command: &'static str,
    },
    /// `git` answered in a form that it never uses.
    #[error("`git {command}` answered in an unknown form")]
    GitAnswer {
        /// Its subcommand.
        command: &'static str,
    },
    /// A file or folder cannot be written.
    #[error("`{}` cannot be written", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Where in a file a diagnostic points, as it is added to the file's path.
fn position(diagnostic: &Diagnostic) -> String {
    match (diagnostic.line, diagnostic.column) {
        (0, _) => String::new(),
        (line, column) => format!(" line {line}, column {column}"),
    }
}

/// What the code of a refused file means.
fn in_words(code: &str) -> &'static str {
    match code {
        "tree_symlink" => "it is a symbolic link",
        "tree_submodule" => "it is another repository",
        "lfs_pointer" => "its content lies in Git LFS",
        "skill_file_case" => "the file must be called `SKILL.md`",
        "file_too_large" => "it is larger than such a file may be",
        "path_collision" => "it differs from another path in case or form only",
        "path_encoding" => "its path is not valid UTF-8",
        "path_too_long" | "path_segment_too_long" => "its path is too long",
        "path_too_deep" => "it lies too many folders deep",
        "path_not_relative" => "its path is not plain and relative",
        "path_character" => "its path holds a backslash, a control or an invisible character",
        "path_reserved" => "its path holds a character or an ending that some file systems forbid",
        "path_device_name" => "its path holds a device name of Windows",
        "path_git_folder" => "it lies in a `.git` folder",
        _ => "it may not be part of a skill",
    }
}

impl From<TreeError> for FetchError {
    /// A name that is no text is the repository's doing, not the host's: hosts cannot write it in a list.
    fn from(error: TreeError) -> Self {
        match error {
            TreeError::Path { path, code: code @ "path_encoding" } => Self::Refused { path, code },
            error => Self::Tree(error),
        }
    }
}

impl FetchError {
    /// The code used in JSON and diagnostics.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Http(error) => error.code(),
            Self::RepositoryNotFound { .. } => "repository_not_found",
            Self::RepositoryDisabled { .. } => "repository_disabled",
            Self::EmptyRepository { .. } => "repository_empty",
            Self::Blocked { .. } => "source_blocked",
            Self::RefNotFound { .. } => "ref_not_found",
            Self::BadReference { .. } => "ref_invalid",
            Self::AmbiguousRef { .. } => "ref_ambiguous",
            Self::Unreachable { .. } => "commit_not_on_default_branch",
            Self::IdentityChanged { .. } => "source_identity_changed",
            Self::SkillNotFound { .. } | Self::TooManyHeaders { .. } => "skill_not_found",
            Self::Ambiguous { .. } => "skill_ambiguous",
            Self::NameNeedsPath { .. } => "tree_truncated",
            Self::TreeTooLarge { .. } => "tree_too_large",
            Self::Tree(error) => error.code(),
            Self::WrongObject { .. } => "wrong_object",
            Self::ObjectFormat { .. } => "object_format",
            Self::Refused { code, .. } | Self::BadObject { code, .. } => code,
            Self::NotASkill { diagnostic } => diagnostic.code.as_str(),
            Self::TooManyFiles { .. } => "too_many_files",
            Self::TooLarge { .. } => "skill_too_large",
            Self::BlobSize { .. } => "blob_wrong_size",
            Self::BlobBytes { .. } => "blob_wrong_bytes",
            Self::Collision { .. } => "sha1_collision",
            Self::Git { .. } => "git_failed",
            Self::GitUnauthorised { .. } => "git_unauthorised",
            Self::GitTls { .. } => "git_tls",
            Self::GitMoved { .. } => "git_moved",
            Self::GitMissing { .. } => "git_missing",
            Self::GitTimeout { .. } => "git_timeout",
            Self::GitAnswer { .. } => "git_answer",
            Self::Io { .. } => "io",
        }
    }

    /// What kind of failure it is. For [`Self::Http`] the error below it decides.
    pub fn class(&self) -> FailureClass {
        match self {
            Self::RepositoryNotFound { .. }
            | Self::EmptyRepository { .. }
            | Self::RefNotFound { .. }
            | Self::GitMoved { .. }
            | Self::SkillNotFound { .. }
            | Self::TooManyHeaders { .. } => FailureClass::NotFound,
            Self::BadReference { .. }
            | Self::AmbiguousRef { .. }
            | Self::Ambiguous { .. }
            | Self::NameNeedsPath { .. } => FailureClass::Usage,
            // The same name in the list of a tree is refused by a rule too.
            Self::BadObject { code: "path_git_folder", .. }
            // The host may have told the truth; it is too much of it.
            | Self::Tree(TreeError::TooMany)
            | Self::RepositoryDisabled { .. }
            | Self::Blocked { .. }
            | Self::Unreachable { .. }
            | Self::IdentityChanged { .. }
            | Self::TreeTooLarge { .. }
            | Self::ObjectFormat { .. }
            | Self::Refused { .. }
            | Self::NotASkill { .. }
            | Self::TooManyFiles { .. }
            | Self::TooLarge { .. } => FailureClass::Refused,
            Self::Tree(_)
            | Self::WrongObject { .. }
            | Self::BadObject { .. }
            | Self::BlobSize { .. }
            | Self::BlobBytes { .. }
            | Self::Collision { .. } => FailureClass::Integrity,
            Self::Http(_)
            | Self::Git { .. }
            | Self::GitTls { .. }
            | Self::GitTimeout { .. }
            | Self::GitAnswer { .. } => FailureClass::Network,
            Self::GitUnauthorised { .. } => FailureClass::Unauthorised,
            Self::GitMissing { .. } | Self::Io { .. } => FailureClass::LocalIo,
        }
    }
}
