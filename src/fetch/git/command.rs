//! Running `git` with nothing of the machine's own configuration.
//!
//! Every command works in a bare repository of its own that is removed afterwards. The environment is
//! cleared but for a short list; the token is given through the environment, where other users of the
//! machine cannot read it. Output is bounded, the repository's size is watched, and a command that is no
//! longer wanted is killed.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    io::{self, Write},
    path::Path,
    process::Stdio,
    time::Duration,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use tempfile::TempDir;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdout, Command},
    time,
};

use super::{Git, family::Family};
use crate::{
    fetch::error::FetchError,
    http::{Deadline, one_line},
    skill::id::{CommitSha, RepoSlug},
};

/// The oldest release that takes settings from the environment: 2.31.
const OLDEST: (u32, u32) = (2, 31);
/// The most bytes that a commit and its trees may take on disk.
const TREES_BYTES: u64 = 256 * 1024 * 1024;
/// The most bytes that a history of commits may take on disk.
const HISTORY_BYTES: u64 = 1024 * 1024 * 1024;
/// What may be fetched beyond the bytes of a skill: packs have headers, and small files do not shrink.
const PACK_OVERHEAD: u64 = 16 * 1024 * 1024;
/// Where the default branch of a history is kept.
pub(super) const DEFAULT_BRANCH: &str = "refs/heads/default";
/// The most that is shown of what git says, in characters.
const MAX_MESSAGE: usize = 500;
/// The most that is read of what git says, in bytes.
const MAX_TALK: usize = 64 * 1024;
/// What a disk takes that is not full. Where git failed because of it, some pages may be free again: git writes
/// in pieces, and clears away a little when it fails.
const PROBE_BYTES: usize = 64 * 1024;
/// How often the size of a repository is measured.
const WATCH: Duration = Duration::from_millis(100);
/// Variables that are passed on: the search path, proxies, certificates, and what Windows needs.
const PASSED: &[&str] = &[
    "PATH",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "SYSTEMROOT",
    "SystemRoot",
    "PATHEXT",
    "COMSPEC",
    "TEMP",
    "TMP",
    "TMPDIR",
];
/// Settings that hold whatever the machine says. Redirects are not followed, because git would send the
/// token along.
const SETTINGS: &[(&str, &str)] = &[
    ("protocol.version", "2"),
    ("protocol.allow", "never"),
    ("protocol.https.allow", "always"),
    ("http.followRedirects", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("credential.helper", ""),
    ("filter.lfs.smudge", ""),
    ("filter.lfs.process", ""),
    ("fetch.fsckObjects", "true"),
    ("fetch.negotiationAlgorithm", "noop"),
    ("fetch.writeCommitGraph", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
];

/// What a repository is for, which says how large it may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// A commit and its trees.
    Trees,
    /// The commits of a branch.
    History,
    /// A skill of at most so many bytes.
    Skill(u64),
}

impl Room {
    fn bytes(self) -> u64 {
        match self {
            Self::Trees => TREES_BYTES,
            Self::History => HISTORY_BYTES,
            Self::Skill(limit) => limit.saturating_add(PACK_OVERHEAD),
        }
    }
}

/// A bare repository for a few commands.
#[derive(Debug)]
pub(super) struct Session<'a> {
    git: &'a Git,
    repository: &'a RepoSlug,
    folder: TempDir,
    url: String,
    room: Room,
    deadline: Deadline,
}

impl<'a> Session<'a> {
    /// Makes a repository in a new folder below `scratch`.
    pub(super) async fn open(
        git: &'a Git,
        repository: &'a RepoSlug,
        scratch: &Path,
        room: Room,
        deadline: Deadline,
    ) -> Result<Self, FetchError> {
        let failed = |source| FetchError::Io { path: scratch.to_owned(), source };
        let folder = tempfile::Builder::new().prefix("git-").tempdir_in(scratch).map_err(failed)?;
        let url = git.server.join(&[repository.owner(), &format!("{}.git", repository.name())]);
        let session = Self { git, repository, folder, url, room, deadline };
        session.run("init", &["init", "--quiet", "--bare", "--template=", "."], b"", MAX_TALK).await?;
        Ok(session)
    }

    /// The address of the repository on its server.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Fetches a commit and its trees.
    pub(super) async fn fetch_commit(&self, commit: &CommitSha) -> Result<(), FetchError> {
        let arguments = ["--depth=1", "--filter=blob:none", &self.url, commit.as_str()];
        self.fetch(&arguments, b"").await
    }

    /// Fetches every commit of the default branch, and nothing but commits.
    pub(super) async fn fetch_history(&self) -> Result<(), FetchError> {
        let branch = format!("+HEAD:{DEFAULT_BRANCH}");
        self.fetch(&["--filter=tree:0", &self.url, &branch], b"").await
    }

    /// Fetches blobs by their ids.
    pub(super) async fn fetch_blobs(&self, blobs: &BTreeSet<&str>) -> Result<(), FetchError> {
        let input = lines(blobs.iter().copied());
        self.fetch(&["--filter=blob:none", "--stdin", &self.url], input.as_bytes()).await
    }

    async fn fetch(&self, arguments: &[&str], input: &[u8]) -> Result<(), FetchError> {
        let mut all =
            vec!["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no"];
        all.extend(arguments);
        self.run("fetch", &all, input, MAX_TALK).await.map(drop)
    }

    /// Runs a command and gives its output, which is at most `most` bytes long.
    pub(super) async fn run(
        &self,
        command: &'static str,
        arguments: &[&str],
        input: &[u8],
        most: usize,
    ) -> Result<Vec<u8>, FetchError> {
        let consume = async |output: ChildStdout| match read(output, most).await {
            Some((bytes, true)) => Ok(bytes),
            Some((_, false)) => Err(FetchError::TreeTooLarge { repository: self.repository.clone() }),
            None => Err(FetchError::GitAnswer { command }),
        };
        self.run_with(command, arguments, input, consume).await
    }

    /// Runs a command and hands its output to `consume`.
    pub(super) async fn run_with<T>(
        &self,
        command: &'static str,
        arguments: &[&str],
        input: &[u8],
        consume: impl AsyncFnOnce(ChildStdout) -> Result<T, FetchError>,
    ) -> Result<T, FetchError> {
        let mut child = self.spawn(arguments)?;
        let mut family = Family::of(&child);
        let work = async {
            let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
            let (Some(mut stdin), Some(stdout), Some(stderr)) = streams else {
                return Err(FetchError::GitAnswer { command });
            };
            let write = async move {
                // Git may end before it has read everything; its exit code says why.
                let _ended = stdin.write_all(input).await;
                drop(stdin);
            };
            let ((), result, said) = tokio::join!(write, consume(stdout), read(stderr, MAX_TALK));
            let status = child.wait().await;
            family.disband();
            match (result, status) {
                (Err(error), _) if !matches!(error, FetchError::GitAnswer { .. }) => Err(error),
                (result, Ok(status)) if status.success() => result,
                (_, _) => {
                    let said = String::from_utf8_lossy(&said.unwrap_or_default().0).into_owned();
                    let message = one_line(&said, MAX_MESSAGE);
                    match meaning(command, message, &self.git.host, self.repository) {
                        failure @ FetchError::Git { .. } => Err(self.disk_failure().unwrap_or(failure)),
                        failure => Err(failure),
                    }
                }
            }
        };
        tokio::select! {
            result = time::timeout(self.deadline.left(), work) => match result {
                Ok(result) => result,
                Err(_) => Err(FetchError::GitTimeout { host: self.git.host.clone(), command }),
            },
            () = self.outgrown() => Err(match self.room {
                Room::Skill(limit) => FetchError::TooLarge { limit },
                Room::Trees | Room::History => {
                    FetchError::TreeTooLarge { repository: self.repository.clone() }
                }
            }),
        }
    }

    /// That the disk takes nothing more, if it does not. It is asked itself: git tells it in words only, which
    /// differ between releases and systems, and stand beside words of the server.
    fn disk_failure(&self) -> Option<FetchError> {
        let folder = self.folder.path();
        let probe = || -> io::Result<()> { tempfile::tempfile_in(folder)?.write_all(&vec![0; PROBE_BYTES]) };
        probe().err().map(|source| FetchError::Io { path: folder.to_owned(), source })
    }

    fn spawn(&self, arguments: &[&str]) -> Result<Child, FetchError> {
        let folder = self.folder.path();
        let mut command = bare(self.git);
        command.current_dir(folder).env("GIT_DIR", folder).env("HOME", folder);
        for (key, value) in SETTINGS {
            command.args(["-c", &format!("{key}={value}")]);
        }
        let origin = self.git.server.origin();
        // An address without TLS is only ever one of this machine.
        if origin.starts_with("http://") {
            command.args(["-c", "protocol.http.allow=always"]);
        }
        if let Some(token) = &self.git.token {
            let credentials = STANDARD.encode(format!("x-access-token:{}", token.expose()));
            command
                .env("GIT_CONFIG_COUNT", "1")
                .env("GIT_CONFIG_KEY_0", format!("http.{origin}/.extraHeader"))
                .env("GIT_CONFIG_VALUE_0", format!("Authorization: Basic {credentials}"));
        }
        start(command.args(arguments), self.git)
    }

    /// Ends when the repository has grown beyond its bound.
    async fn outgrown(&self) {
        let mut ticks = time::interval(WATCH);
        loop {
            ticks.tick().await;
            if bytes_below(self.folder.path()) > self.room.bytes() {
                return;
            }
        }
    }
}

/// What a failure means, as far as git's words tell.
fn meaning(command: &'static str, message: String, host: &str, repository: &RepoSlug) -> FetchError {
    let (host, repository) = (host.to_owned(), repository.clone());
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if says(&["Authentication failed", "could not read Username", "error: 401", "error: 403"]) {
        FetchError::GitUnauthorised { host, repository }
    } else if says(&["error: 301", "error: 302", "error: 307", "error: 308"]) {
        FetchError::GitMoved { repository }
    } else if says(&["error: 404", "repository not found", "Repository not found", "' not found"]) {
        FetchError::RepositoryNotFound { host, repository }
    } else if says(&[
        "certificate problem",
        "certificate verification failed",
        "SSL: no alternative certificate",
    ]) {
        FetchError::GitTls { host, message }
    } else if let Some((_, rest)) = message.split_once("not our ref ") {
        let reference = rest.split_whitespace().next().unwrap_or_default().to_owned();
        FetchError::RefNotFound { repository, reference }
    } else {
        bad_object(&message).unwrap_or(FetchError::Git { command, message })
    }
}

/// What git's own check says of an object: `error: object <id>: <word>: <what is wrong>`. The words are those
/// of git-fsck's documentation.
fn bad_object(message: &str) -> Option<FetchError> {
    let (_, rest) = message.split_once("error: object ")?;
    let (object, rest) = rest.split_once(": ")?;
    let fault = rest.split_once(" fatal: fsck error")?.0;
    let code = match fault.split_once(':').map_or(fault, |(word, _)| word) {
        "hasDot" | "hasDotdot" | "emptyName" | "fullPathname" => "path_not_relative",
        "hasDotgit" => "path_git_folder",
        "duplicateEntries" => "tree_duplicate",
        "badFilemode" | "zeroPaddedFilemode" => "tree_mode",
        "nullSha1" => "tree_entry_id",
        _ => "git_fsck",
    };
    Some(FetchError::BadObject { object: object.to_owned(), fault: fault.to_owned(), code })
}

/// Whether `git version` can be run and says one that is new enough.
pub(super) async fn is_there(git: &Git, deadline: Deadline) -> bool {
    let mut command = bare(git);
    command.arg("version");
    let Ok(child) = start(&mut command, git) else { return false };
    match time::timeout(deadline.left(), child.wait_with_output()).await {
        Ok(Ok(output)) => version(&output.stdout).is_some_and(|version| version >= OLDEST),
        _ => false,
    }
}

/// The first two numbers in `git version 2.47.3`.
fn version(said: &[u8]) -> Option<(u32, u32)> {
    let said = std::str::from_utf8(said).ok()?;
    let mut numbers = said.strip_prefix("git version ")?.split(['.', ' ', '\n']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// The program without anything of the machine's own.
fn bare(git: &Git) -> Command {
    let mut command = Command::new(&git.program);
    command.env_clear();
    let passed = |name: &OsStr| name.to_str().is_some_and(|name| PASSED.contains(&name));
    command.envs(git.environment.iter().filter(|(name, _)| passed(name)).map(|(name, value)| (name, value)));
    // Not every build of git reads the variables that name the certificates to trust for everything else.
    for (usual, own) in [("SSL_CERT_FILE", "GIT_SSL_CAINFO"), ("SSL_CERT_DIR", "GIT_SSL_CAPATH")] {
        let value =
            |wanted: &str| git.environment.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
        if let (Some(file), None) = (value(usual), value(own)) {
            command.env(own, file);
        }
    }
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", if cfg!(windows) { "NUL" } else { "/dev/null" })
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_ASKPASS", "true")
        .env("GIT_LFS_SKIP_SMUDGE", "1")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("LC_ALL", "C");
    command
}

fn start(command: &mut Command, git: &Git) -> Result<Child, FetchError> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Family::found(command);
    command.spawn().map_err(|source| FetchError::GitMissing { program: git.program.clone(), source })
}

/// The first `most` bytes of a stream, and whether that was all; `None` when it cannot be read. The rest is
/// read too, so that whoever writes it can end.
async fn read(mut stream: impl AsyncRead + Unpin, most: usize) -> Option<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    (&mut stream).take(most as u64).read_to_end(&mut bytes).await.ok()?;
    let more = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await.ok()?;
    Some((bytes, more == 0))
}

/// Ids as git reads them: one on each line.
pub(super) fn lines<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    ids.flat_map(|id| [id, "\n"]).collect()
}

/// The bytes of all files below a folder. What vanishes meanwhile does not count.
fn bytes_below(folder: &Path) -> u64 {
    let Ok(entries) = fs_err::read_dir(folder) else { return 0 };
    let of = |entry: fs_err::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_below(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.filter_map(Result::ok).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_by_example() {
        for (said, expected) in [
            ("git version 2.47.3\n", Some((2, 47))),
            ("git version 2.39.5 (Apple Git-154)\n", Some((2, 39))),
            ("git version 3.0\n", Some((3, 0))),
            ("git version x\n", None),
            ("hub version 2.40\n", None),
        ] {
            assert_eq!(version(said.as_bytes()), expected, "{said}");
        }
    }

    #[test]
    fn everything_below_a_folder_counts() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::create_dir_all(folder.path().join("a/b")).unwrap();
        fs_err::write(folder.path().join("a/b/c"), [0; 100]).unwrap();
        fs_err::write(folder.path().join("d"), [0; 11]).unwrap();
        assert_eq!(bytes_below(folder.path()), 111);
        assert_eq!(bytes_below(&folder.path().join("none")), 0);
    }

    #[test]
    fn failures_mean_something() {
        for (said, code) in [
            ("fatal: Authentication failed for 'https://h/a/b.git/'", "git_unauthorised"),
            ("fatal: could not read Username for 'https://h': terminal prompts disabled", "git_unauthorised"),
            (
                "fatal: unable to access 'https://h/a/b.git/': The requested URL returned error: 301",
                "git_moved",
            ),
            ("fatal: repository 'https://h/a/b.git/' not found", "repository_not_found"),
            ("fatal: remote error: upload-pack: not our ref 1234", "ref_not_found"),
            (
                "fatal: unable to access 'https://h/': SSL certificate problem: unable to get issuer",
                "git_tls",
            ),
            ("fatal: 'https://h/': server certificate verification failed. CAfile: none", "git_tls"),
            ("fatal: unable to access 'https://h/': Could not resolve host: h", "git_failed"),
            (
                "error: object 12ab: hasDotgit: contains '.git' fatal: fsck error in packed object",
                "path_git_folder",
            ),
            ("error: object 12ab: nullSha1: x fatal: fsck error in packed object", "tree_entry_id"),
            ("error: object 12ab: gitmodulesUrl: bad fatal: fsck error in packed object", "git_fsck"),
            ("error: object 12ab is a tree, not a blob", "git_failed"),
        ] {
            let repository = RepoSlug::parse("a/b").unwrap();
            assert_eq!(meaning("fetch", said.to_owned(), "h", &repository).code(), code, "{said}");
        }
    }
}
