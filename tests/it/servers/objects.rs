//! Runs `git` apart from the machine's configuration, and reads objects through one `git cat-file` a
//! repository.
//!
//! Trees are read from their raw bytes: what git would refuse to list (empty names, `..`, twins) is listed
//! here as it stands.

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// The `git` command with a fixed author and nothing of the caller's environment but `PATH`.
pub(crate) fn git(repository: &Path) -> Command {
    let mut command = Command::new("git");
    command.env_clear();
    for kept in ["PATH", "SystemRoot", "TMPDIR", "TEMP"] {
        if let Some(value) = std::env::var_os(kept) {
            command.env(kept, value);
        }
    }
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_DIR", repository);
    for role in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{role}_NAME"), "Test Author")
            .env(format!("GIT_{role}_EMAIL"), "author@example.test")
            .env(format!("GIT_{role}_DATE"), "1760000000 +0000");
    }
    command
}

/// Runs git with `input` and returns what it wrote; panics with its complaint when it fails.
pub(crate) fn run(repository: &Path, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut command = git(repository);
    command.args(arguments);
    let (succeeded, output, complaint) = pipe(command, input);
    assert!(succeeded, "`git {}` failed: {complaint}", arguments.join(" "));
    output
}

/// The words of one line that git wrote, or nothing when it failed.
pub(crate) fn try_line(repository: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = git(repository);
    command.args(arguments);
    let (succeeded, output, _) = pipe(command, b"");
    succeeded.then(|| String::from_utf8(output).unwrap().trim().to_owned())
}

/// Runs a command, feeding it while its output is read.
pub(crate) fn pipe(mut command: Command, input: &[u8]) -> (bool, Vec<u8>, String) {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_owned();
    let feeding = std::thread::spawn(move || {
        // A program that has read enough closes its end early.
        drop(stdin.write_all(&input));
    });
    let output = child.wait_with_output().unwrap();
    feeding.join().expect("feeding does not panic");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.success(), output.stdout, complaint)
}

/// An object of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Object {
    /// `blob`, `tree`, `commit` or `tag`.
    pub(crate) kind: String,
    pub(crate) bytes: Vec<u8>,
}

/// An entry of a tree, as its bytes say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeEntry {
    /// Six digits.
    pub(crate) mode: String,
    pub(crate) name: Vec<u8>,
    pub(crate) sha: String,
}

impl TreeEntry {
    /// `blob`, `tree` or `commit`, after the mode.
    pub(crate) fn kind(&self) -> &'static str {
        match self.mode.as_str() {
            "040000" => "tree",
            "160000" => "commit",
            _ => "blob",
        }
    }
}

/// The entries of a raw tree.
pub(crate) fn tree_entries(mut bytes: &[u8]) -> Vec<TreeEntry> {
    let mut entries = Vec::new();
    while !bytes.is_empty() {
        let space = bytes.iter().position(|&byte| byte == b' ').expect("a mode ends in a space");
        let end = bytes.iter().position(|&byte| byte == 0).expect("a name ends in a zero");
        let mode = String::from_utf8(bytes[..space].to_vec()).unwrap();
        entries.push(TreeEntry {
            mode: format!("{mode:0>6}"),
            name: bytes[space + 1..end].to_vec(),
            sha: hex(&bytes[end + 1..end + 21]),
        });
        bytes = &bytes[end + 21..];
    }
    entries
}

fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).expect("half a byte is one digit");
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// One running `git cat-file`.
pub(crate) struct ObjectReader {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl ObjectReader {
    pub(crate) fn start(repository: &Path) -> Self {
        let mut child = git(repository)
            .args(["cat-file", "--batch-command"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let questions = child.stdin.take().expect("it is piped");
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, questions, answers }
    }

    pub(crate) fn object(&mut self, sha: &str) -> Option<Object> {
        let (kind, size) = self.ask("contents", sha)?;
        let mut bytes = vec![0; size + 1];
        self.answers.read_exact(&mut bytes).unwrap();
        bytes.pop();
        Some(Object { kind, bytes })
    }

    /// Kind and size in bytes.
    pub(crate) fn info(&mut self, sha: &str) -> Option<(String, usize)> {
        self.ask("info", sha)
    }

    fn ask(&mut self, command: &str, sha: &str) -> Option<(String, usize)> {
        assert!(!sha.contains(char::is_whitespace), "`{sha}` is no object id");
        writeln!(self.questions, "{command} {sha}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let mut words = line.trim_end().rsplitn(3, ' ');
        let size = words.next().and_then(|size| size.parse().ok())?;
        Some((words.next()?.to_owned(), size))
    }
}

impl Drop for ObjectReader {
    fn drop(&mut self) {
        self.child.kill().expect("git can be ended");
        self.child.wait().expect("git can be waited for");
    }
}
