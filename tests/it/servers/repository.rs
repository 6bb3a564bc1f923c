//! Real git repositories, built by the test that serves them.
//!
//! Files are collected and written by a commit. Author and dates are fixed, so that the same steps give the
//! same ids. A `Repository` is a handle: clones share one repository, and a test may go on committing while a
//! server answers from it.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use tempfile::TempDir;

use super::objects::{Object, ObjectReader, TreeEntry, git, run, tree_entries, try_line};

/// What GitHub knows about a repository besides its objects.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    pub(crate) id: u64,
    pub(crate) owner_id: u64,
    /// `User` or `Organization`.
    pub(crate) owner_type: &'static str,
    pub(crate) stars: u64,
    pub(crate) forks: u64,
    pub(crate) pushed_at: String,
    /// An SPDX id.
    pub(crate) licence: Option<String>,
    pub(crate) fork: bool,
    pub(crate) archived: bool,
    pub(crate) disabled: bool,
    pub(crate) private: bool,
    pub(crate) default_branch: String,
}

/// A reference and what it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    /// `refs/heads/main`.
    pub(crate) name: String,
    pub(crate) sha: String,
    /// `commit` or `tag`.
    pub(crate) kind: String,
    /// The commit at its end.
    pub(crate) commit: String,
}

/// One entry of a tree that git would not write.
#[derive(Debug, Clone)]
pub(crate) struct HostileEntry {
    pub(crate) mode: &'static str,
    /// Each `/` parts trees from one another, also beside nothing, `.` or `..`.
    pub(crate) path: Vec<u8>,
    pub(crate) bytes: Vec<u8>,
}

enum Change {
    Write { mode: &'static str, path: String, bytes: Vec<u8> },
    Submodule { path: String, commit: String },
    Remove { path: String },
}

struct State {
    facts: Facts,
    branch: String,
    changes: Vec<Change>,
    commits: u64,
}

struct Inner {
    folder: TempDir,
    name: String,
    state: Mutex<State>,
    reader: Mutex<Option<ObjectReader>>,
}

/// A repository named `owner/name`.
#[derive(Clone)]
pub(crate) struct Repository(Arc<Inner>);

impl Repository {
    /// An empty repository. Its ids follow from its name.
    pub(crate) fn new(name: &str) -> Self {
        let (owner, _) = name.split_once('/').unwrap_or_else(|| panic!("`{name}` is not `owner/name`"));
        let facts = Facts {
            id: number(name),
            owner_id: number(owner),
            owner_type: "User",
            stars: 40,
            forks: 4,
            pushed_at: "2026-10-02T09:15:41Z".to_owned(),
            licence: Some("MIT".to_owned()),
            fork: false,
            archived: false,
            disabled: false,
            private: false,
            default_branch: "main".to_owned(),
        };
        let state = State { facts, branch: "main".to_owned(), changes: Vec::new(), commits: 0 };
        let repository = Self(Arc::new(Inner {
            folder: TempDir::new().unwrap(),
            name: name.to_owned(),
            state: Mutex::new(state),
            reader: Mutex::default(),
        }));
        let path = repository.bare_path();
        std::fs::create_dir_all(&path).unwrap();
        run(&path, &["init", "--bare", "--quiet", "--template=", "--initial-branch=main"], b"");
        let config = std::fs::read_to_string(path.join("config")).unwrap();
        let serves = "[uploadpack]\nallowFilter = true\nallowAnySHA1InWant = true\n";
        std::fs::write(path.join("config"), config + serves).unwrap();
        repository
    }

    /// `owner/name`.
    pub(crate) fn name(&self) -> &str {
        &self.0.name
    }

    pub(crate) fn bare_path(&self) -> PathBuf {
        let (_, name) = self.0.name.split_once('/').expect("checked when it was made");
        self.0.folder.path().join(format!("{name}.git"))
    }

    pub(crate) fn facts(&self) -> Facts {
        self.0.state.lock().unwrap().facts.clone()
    }

    pub(crate) fn set(&self, change: impl FnOnce(&mut Facts)) -> &Self {
        change(&mut self.0.state.lock().unwrap().facts);
        self
    }

    pub(crate) fn file(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        self.write("100644", path, bytes.as_ref())
    }

    pub(crate) fn executable(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        self.write("100755", path, bytes.as_ref())
    }

    pub(crate) fn symlink(&self, path: &str, target: &str) -> &Self {
        self.write("120000", path, target.as_bytes())
    }

    pub(crate) fn submodule(&self, path: &str, commit: &str) -> &Self {
        self.change(Change::Submodule { path: path.to_owned(), commit: commit.to_owned() })
    }

    pub(crate) fn remove(&self, path: &str) -> &Self {
        self.change(Change::Remove { path: path.to_owned() })
    }

    fn write(&self, mode: &'static str, path: &str, bytes: &[u8]) -> &Self {
        self.change(Change::Write { mode, path: path.to_owned(), bytes: bytes.to_owned() })
    }

    fn change(&self, change: Change) -> &Self {
        self.0.state.lock().unwrap().changes.push(change);
        self
    }

    /// Writes what was collected to the current branch and returns the commit.
    pub(crate) fn commit(&self, message: &str) -> String {
        let branch = format!("refs/heads/{}", self.0.state.lock().unwrap().branch);
        let parent = self.reference(&branch).map(|found| found.commit);
        self.import(&branch, parent.as_deref(), message)
    }

    /// Commits what was collected where no branch and no tag leads, on top of the current branch: what a
    /// fork's commit looks like under the name of its parent.
    pub(crate) fn detached_commit(&self, message: &str) -> String {
        let branch = format!("refs/heads/{}", self.0.state.lock().unwrap().branch);
        let parent = self.reference(&branch).map(|found| found.commit);
        let commit = self.import("refs/hidden/detached", parent.as_deref(), message);
        run(&self.bare_path(), &["update-ref", "-d", "refs/hidden/detached"], b"");
        commit
    }

    /// Starts a branch at the current one, or goes back to it when it exists already; commits follow it.
    pub(crate) fn branch(&self, name: &str) -> &Self {
        let full_name = format!("refs/heads/{name}");
        if self.reference(&full_name).is_none() {
            run(&self.bare_path(), &["update-ref", &full_name, &self.head()], b"");
        }
        name.clone_into(&mut self.0.state.lock().unwrap().branch);
        self
    }

    /// Tags the head of the current branch with an annotation and returns the id of the tag.
    pub(crate) fn tag(&self, name: &str) -> String {
        run(&self.bare_path(), &["tag", "-a", "-m", name, name, &self.head()], b"");
        let tagged = self.reference(&format!("refs/tags/{name}"));
        tagged.unwrap_or_else(|| panic!("`{name}` was tagged just now")).sha
    }

    /// Tags the head of the current branch without an annotation.
    pub(crate) fn light_tag(&self, name: &str) -> &Self {
        run(&self.bare_path(), &["tag", name, &self.head()], b"");
        self
    }

    /// The commit at the head of the current branch.
    pub(crate) fn head(&self) -> String {
        let branch = format!("refs/heads/{}", self.0.state.lock().unwrap().branch);
        let found = self.reference(&branch);
        found.unwrap_or_else(|| panic!("`{branch}` of {} has no commit", self.name())).commit
    }

    /// Commits a tree of these entries alone to the current branch and returns the commit. Ids are true;
    /// names, twins and modes are as bad as the test wants them.
    pub(crate) fn hostile_tree(&self, entries: &[HostileEntry]) -> String {
        let tree = super::hostile::write(&self.bare_path(), entries);
        let arguments = ["commit-tree", "-m", "hostile", &tree];
        let commit = String::from_utf8(run(&self.bare_path(), &arguments, b"")).unwrap().trim().to_owned();
        let branch = format!("refs/heads/{}", self.0.state.lock().unwrap().branch);
        run(&self.bare_path(), &["update-ref", &branch, &commit], b"");
        commit
    }

    /// The object with this id.
    pub(crate) fn object(&self, sha: &str) -> Option<Object> {
        let mut reader = self.0.reader.lock().unwrap();
        reader.get_or_insert_with(|| ObjectReader::start(&self.bare_path())).object(sha)
    }

    /// Kind and size of the object with this id.
    pub(crate) fn info(&self, sha: &str) -> Option<(String, usize)> {
        let mut reader = self.0.reader.lock().unwrap();
        reader.get_or_insert_with(|| ObjectReader::start(&self.bare_path())).info(sha)
    }

    /// The entries of the tree with this id.
    pub(crate) fn tree(&self, sha: &str) -> Option<Vec<TreeEntry>> {
        let object = self.object(sha).filter(|object| object.kind == "tree")?;
        Some(tree_entries(&object.bytes))
    }

    /// The tree of a commit.
    pub(crate) fn tree_of(&self, commit: &str) -> String {
        let object = self.object(commit).unwrap_or_else(|| panic!("{} has no `{commit}`", self.name()));
        let text = String::from_utf8_lossy(&object.bytes).into_owned();
        let tree = text.strip_prefix("tree ").and_then(|rest| rest.get(..40));
        tree.unwrap_or_else(|| panic!("`{commit}` is no commit")).to_owned()
    }

    /// The entry at `path` below the tree of a commit.
    pub(crate) fn entry(&self, commit: &str, path: &str) -> Option<TreeEntry> {
        let mut tree = self.tree_of(commit);
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            let entry = self.tree(&tree)?.into_iter().find(|entry| entry.name == part.as_bytes())?;
            if parts.peek().is_none() {
                return Some(entry);
            }
            tree = entry.sha;
        }
        None
    }

    /// The bytes at `path` on the current branch, as git has them.
    pub(crate) fn blob(&self, path: &str) -> Vec<u8> {
        run(&self.bare_path(), &["cat-file", "blob", &format!("{}:{path}", self.head())], b"")
    }

    /// All branches and tags, by name.
    pub(crate) fn references(&self) -> Vec<Reference> {
        let format = "--format=%(refname) %(objectname) %(objecttype) %(*objectname)";
        let lines = run(&self.bare_path(), &["for-each-ref", format], b"");
        let lines = String::from_utf8(lines).unwrap();
        let parse = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            let commit = words.get(3).filter(|peeled| !peeled.is_empty()).unwrap_or(&words[1]);
            Reference {
                name: words[0].to_owned(),
                sha: words[1].to_owned(),
                kind: words[2].to_owned(),
                commit: (*commit).to_owned(),
            }
        };
        lines.lines().map(parse).collect()
    }

    pub(crate) fn reference(&self, name: &str) -> Option<Reference> {
        self.references().into_iter().find(|reference| reference.name == name)
    }

    /// The commit that `HEAD`, a branch, a tag or an id (also a short one) means.
    pub(crate) fn resolve(&self, reference: &str) -> Option<String> {
        let references = self.references();
        let named = |name: String| references.iter().find(|known| known.name == name);
        let branch = if reference == "HEAD" { self.facts().default_branch } else { reference.to_owned() };
        let found = named(format!("refs/heads/{branch}"))
            .or_else(|| named(format!("refs/tags/{branch}")))
            .or_else(|| named(format!("refs/{branch}")))
            .or_else(|| named(branch.clone()));
        if let Some(found) = found {
            return Some(found.commit.clone());
        }
        let is_id = branch.len() >= 7 && branch.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id.then(|| self.git_line(&["rev-parse", "--verify", &format!("{branch}^{{commit}}")]))?
    }

    /// One line that git says about this repository, or nothing when it fails.
    pub(crate) fn git_line(&self, arguments: &[&str]) -> Option<String> {
        try_line(&self.bare_path(), arguments)
    }

    fn import(&self, reference: &str, parent: Option<&str>, message: &str) -> String {
        let mut state = self.0.state.lock().unwrap();
        let changes = std::mem::take(&mut state.changes);
        let date = 1_760_000_000 + 60 * state.commits;
        state.commits += 1;
        let mut stream = format!(
            "feature done\ncommit {reference}\nmark :1\n\
             committer Test Author <author@example.test> {date} +0000\ndata {}\n{message}\n",
            message.len()
        )
        .into_bytes();
        if let Some(parent) = parent {
            stream.extend(format!("from {parent}\n").bytes());
        }
        for change in &changes {
            match change {
                Change::Write { mode, path, bytes } => {
                    stream
                        .extend(format!("M {mode} inline {}\ndata {}\n", quoted(path), bytes.len()).bytes());
                    stream.extend_from_slice(bytes);
                    stream.push(b'\n');
                }
                Change::Submodule { path, commit } => {
                    stream.extend(format!("M 160000 {commit} {}\n", quoted(path)).bytes());
                }
                Change::Remove { path } => stream.extend(format!("D {}\n", quoted(path)).bytes()),
            }
        }
        stream.extend_from_slice(b"\nget-mark :1\ndone\n");
        let output = run(&self.bare_path(), &["fast-import", "--quiet", "--force"], &stream);
        String::from_utf8(output).unwrap().trim().to_owned()
    }
}

/// A path as the stream of fast-import wants it.
fn quoted(path: &str) -> String {
    let escaped = path.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

/// A number of nine digits that follows from a name.
fn number(name: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    100_000_000 + name.bytes().fold(0xcbf2_9ce4_8422_2325, mix) % 900_000_000
}

/// Whether git finds no fault in a repository, with what it says.
pub(crate) fn fsck(path: &Path) -> (bool, String) {
    let mut command = git(path);
    command.args(["fsck", "--full", "--no-dangling"]);
    let (succeeded, output, complaint) = super::objects::pipe(command, b"");
    (succeeded, String::from_utf8_lossy(&output).into_owned() + &complaint)
}
