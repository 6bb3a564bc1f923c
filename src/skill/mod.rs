//! The leaf vocabulary: what a skill is.
//!
//! Everything here is pure: bytes and text come in as arguments, no file, clock, environment or
//! network is touched. What a harness would read, show or refuse is decided from these types.

pub mod agents;
pub mod bundled;
pub mod diagnostic;
pub mod frontmatter;
pub mod git;
pub mod id;
pub mod lint;
pub mod name;
pub mod path;
pub mod resource;
pub mod text;
pub mod time;
pub mod tree;
pub mod unicode;

/// The documented bounds on one skill.
///
/// The defaults are those that a census of 127,750 public skills supports: the largest header seen
/// has 8,748 characters, and one file in the whole set is larger than 256 KiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest frontmatter block, in bytes.
    pub header_bytes: usize,
    /// The largest `SKILL.md`, in bytes.
    pub skill_file_bytes: u64,
    /// The most files in one skill folder.
    pub files: usize,
    /// The most bytes in one skill folder.
    pub skill_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            header_bytes: 16 * 1024,
            skill_file_bytes: 512 * 1024,
            files: 1000,
            skill_bytes: 10 * 1024 * 1024,
        }
    }
}
