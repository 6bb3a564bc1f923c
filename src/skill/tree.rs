//! The tree digest: one SHA-256 over every file of a skill.
//!
//! The hash covers `"skillflux-tree-v1\0"` and then, for each file in byte order of its path, the
//! path's length (u64, little endian), the path, one byte for the executable bit, the content's
//! length and the content's SHA-256. Lengths are framed, so that no two trees give the same input.

use sha2::{Digest, Sha256};

use super::{id::TreeDigest, path::SkillPath};

/// One file of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// Where it lies in the skill.
    pub path: SkillPath,
    /// Whether its owner may execute it.
    pub executable: bool,
    /// Its length in bytes.
    pub size: u64,
    /// The SHA-256 of its content.
    pub sha256: [u8; 32],
}

/// The digest of `files`, in whichever order they come.
pub fn digest(files: &[TreeFile]) -> TreeDigest {
    let mut sorted: Vec<&TreeFile> = files.iter().collect();
    sorted.sort_by(|left, right| left.path.as_str().as_bytes().cmp(right.path.as_str().as_bytes()));
    let mut hash = Sha256::new();
    hash.update(b"skillflux-tree-v1\0");
    for file in sorted {
        let path = file.path.as_str().as_bytes();
        hash.update((path.len() as u64).to_le_bytes());
        hash.update(path);
        hash.update([u8::from(file.executable)]);
        hash.update(file.size.to_le_bytes());
        hash.update(file.sha256);
    }
    TreeDigest::from_bytes(hash.finalize().into())
}

/// The SHA-256 of one file's content.
pub fn content_sha256(content: &[u8]) -> [u8; 32] {
    Sha256::digest(content).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, content: &[u8], executable: bool) -> TreeFile {
        TreeFile {
            path: SkillPath::parse(path).unwrap(),
            executable,
            size: content.len() as u64,
            sha256: content_sha256(content),
        }
    }

    #[test]
    fn the_digest_is_the_documented_one() {
        let files = [file("b", b"two", true), file("a", b"", false)];
        let mut input = b"skillflux-tree-v1\0".to_vec();
        for (path, content, bit) in [("a", &b""[..], 0u8), ("b", b"two", 1)] {
            input.extend((path.len() as u64).to_le_bytes());
            input.extend(path.as_bytes());
            input.push(bit);
            input.extend((content.len() as u64).to_le_bytes());
            input.extend(content_sha256(content));
        }
        assert_eq!(digest(&files), TreeDigest::from_bytes(content_sha256(&input)));
    }

    #[test]
    fn every_part_counts() {
        let base = digest(&[file("a", b"x", false)]);
        for other in [
            digest(&[file("b", b"x", false)]),
            digest(&[file("a", b"y", false)]),
            digest(&[file("a", b"x", true)]),
            digest(&[]),
            digest(&[file("a", b"x", false), file("b", b"", false)]),
        ] {
            assert_ne!(base, other);
        }
    }
}
