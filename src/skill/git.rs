//! Git object ids, recomputed: what a blob or a tree is called follows from its bytes.
//!
//! SHA-1 is hashed with detection of manufactured collisions; bytes that show signs of one have no id.
//! A tree's id is made from the ids of its entries, so that from all entries below a commit's tree the
//! id of that tree can be made again (git's own format: `<mode> <name>\0<20 bytes>`, names ordered as if
//! folders ended in `/`).

use thiserror::Error;

use super::id::{BlobSha, CommitSha, TreeSha};

/// The bytes bear the marks of a SHA-1 collision attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the content bears the marks of a SHA-1 collision")]
pub struct Collision;

/// The id of a blob whose bytes arrive in pieces.
pub struct BlobHasher(sha1dc::Hasher);

impl BlobHasher {
    /// A hasher for a blob of `size` bytes.
    pub fn new(size: u64) -> Self {
        let mut hasher = sha1dc::Hasher::new();
        hasher.update(format!("blob {size}\0").as_bytes());
        Self(hasher)
    }

    /// Takes the next piece.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The id.
    ///
    /// # Errors
    ///
    /// When a collision was manufactured.
    pub fn finish(self) -> Result<BlobSha, Collision> {
        let digest = self.0.finalize().map_err(|_| Collision)?;
        Ok(BlobSha::parse(&digest.to_string()).expect("a digest has 40 digits that are not all zero"))
    }
}

/// The id of the blob with these bytes.
///
/// # Errors
///
/// When a collision was manufactured.
pub fn blob_id(bytes: &[u8]) -> Result<BlobSha, Collision> {
    let mut hasher = BlobHasher::new(bytes.len() as u64);
    hasher.update(bytes);
    hasher.finish()
}

/// The id of the commit with these bytes.
///
/// # Errors
///
/// When a collision was manufactured.
pub fn commit_id(bytes: &[u8]) -> Result<CommitSha, Collision> {
    let mut hasher = sha1dc::Hasher::new();
    hasher.update(format!("commit {}\0", bytes.len()).as_bytes());
    hasher.update(bytes);
    let digest = hasher.finalize().map_err(|_| Collision)?;
    Ok(CommitSha::parse(&digest.to_string()).expect("a digest has 40 digits that are not all zero"))
}

/// What an entry of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// `100644`.
    File,
    /// `100755`.
    Executable,
    /// `120000`: a symbolic link, whose blob is its target.
    Link,
    /// `160000`: a submodule, whose id is a commit of another repository.
    Submodule,
    /// `40000`.
    Tree,
}

impl Mode {
    /// Reads the mode as git and its hosts write it; `None` for any other, such as `100664`.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "100644" => Self::File,
            "100755" => Self::Executable,
            "120000" => Self::Link,
            "160000" => Self::Submodule,
            "040000" | "40000" => Self::Tree,
            _ => return None,
        })
    }

    fn as_git(self) -> &'static str {
        match self {
            Self::File => "100644",
            Self::Executable => "100755",
            Self::Link => "120000",
            Self::Submodule => "160000",
            Self::Tree => "40000",
        }
    }
}

/// One entry of a tree object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry<'a> {
    /// Its name, one segment.
    pub name: &'a str,
    /// What it is.
    pub mode: Mode,
    /// 40 hexadecimal digits: the id of a blob, tree or commit.
    pub id: &'a str,
}

/// The id of the tree with these entries, in whichever order they come; `None` when an id is no SHA-1.
///
/// # Errors
///
/// When a collision was manufactured.
pub fn tree_id(entries: &[TreeEntry<'_>]) -> Result<Option<TreeSha>, Collision> {
    let mut sorted: Vec<(Vec<u8>, &TreeEntry<'_>)> =
        entries.iter().map(|entry| (sort_key(entry), entry)).collect();
    sorted.sort_by(|left, right| left.0.cmp(&right.0));
    let mut body = Vec::new();
    for (_, entry) in sorted {
        let Some(id) = sha1_bytes(entry.id) else { return Ok(None) };
        body.extend_from_slice(entry.mode.as_git().as_bytes());
        body.push(b' ');
        body.extend_from_slice(entry.name.as_bytes());
        body.push(0);
        body.extend_from_slice(&id);
    }
    let mut hasher = sha1dc::Hasher::new();
    hasher.update(format!("tree {}\0", body.len()).as_bytes());
    hasher.update(&body);
    let digest = hasher.finalize().map_err(|_| Collision)?;
    Ok(TreeSha::parse(&digest.to_string()).ok())
}

/// Git orders a folder as if its name ended in `/`.
fn sort_key(entry: &TreeEntry<'_>) -> Vec<u8> {
    let mut key = entry.name.as_bytes().to_vec();
    if entry.mode == Mode::Tree {
        key.push(b'/');
    }
    key
}

fn sha1_bytes(id: &str) -> Option<[u8; 20]> {
    let mut bytes = [0; 20];
    if id.len() != 40 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(id.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_ids() {
        assert_eq!(blob_id(b"").unwrap().as_str(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(blob_id(b"hello\n").unwrap().as_str(), "ce013625030ba8dba906f756967f9e9ca394464a");
        let empty = tree_id(&[]).unwrap().unwrap();
        assert_eq!(empty.as_str(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    }

    #[test]
    fn folders_are_ordered_as_if_they_ended_in_a_slash() {
        let blob = "ce013625030ba8dba906f756967f9e9ca394464a";
        let tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        let entry = |name, mode, id| TreeEntry { name, mode, id };
        let entries = [
            entry("a", Mode::Tree, tree),
            entry("a-b", Mode::File, blob),
            entry("a.b", Mode::Executable, blob),
        ];
        let mut reversed = entries.clone();
        reversed.reverse();
        assert_eq!(tree_id(&entries), tree_id(&reversed));
        // From `git mktree` of the same three entries.
        assert_eq!(tree_id(&entries).unwrap().unwrap().as_str(), "d1226b696ec02932ac4ce05037a9d8afc3f18171");
    }
}
