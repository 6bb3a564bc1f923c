//! [`SkillPath`]: a file's path inside a skill, safe to create on every file system.
//!
//! The checks are those that a client must do itself, because git and its hosts accept far more:
//! lengths, forms, characters that some system forbids, device names, disguised `.git` folders. A
//! [`PathSet`] finds paths that collide where case or Unicode form does not count. Nothing here
//! touches a disk, and a path is never joined to another before it has passed.

use std::{collections::BTreeMap, fmt};

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use super::unicode::{self, Class};

/// The longest path, in characters.
pub const MAX_PATH_CHARS: usize = 240;
/// The longest segment, in characters.
pub const MAX_SEGMENT_CHARS: usize = 100;
/// The most segments.
pub const MAX_DEPTH: usize = 16;

/// A relative path with `/` between its segments.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillPath(String);

/// Why a path was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SkillPathError {
    /// Not UTF-8, or it holds U+FFFD.
    #[error("the path is not valid UTF-8")]
    Encoding,
    /// Longer than [`MAX_PATH_CHARS`].
    #[error("the path is longer than {MAX_PATH_CHARS} characters")]
    TooLong,
    /// A segment longer than [`MAX_SEGMENT_CHARS`].
    #[error("a segment of the path is longer than {MAX_SEGMENT_CHARS} characters")]
    SegmentTooLong,
    /// More than [`MAX_DEPTH`] segments.
    #[error("the path is more than {MAX_DEPTH} folders deep")]
    TooDeep,
    /// Absolute, empty, or with an empty, `.` or `..` segment.
    #[error("the path is not a plain relative path")]
    NotRelative,
    /// A backslash, a control or an invisible character.
    #[error("the path holds a backslash, a control or an invisible character")]
    Character,
    /// A character or an ending that some file system forbids.
    #[error("the path holds a character or an ending that some file systems forbid")]
    Reserved,
    /// A device name such as `CON` or `LPT1`.
    #[error("the path holds a device name of Windows")]
    DeviceName,
    /// A `.git` folder, also in disguise.
    #[error("the path leads into a `.git` folder")]
    GitFolder,
}

impl SkillPathError {
    /// The code used in diagnostics and JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::Encoding => "path_encoding",
            Self::TooLong => "path_too_long",
            Self::SegmentTooLong => "path_segment_too_long",
            Self::TooDeep => "path_too_deep",
            Self::NotRelative => "path_not_relative",
            Self::Character => "path_character",
            Self::Reserved => "path_reserved",
            Self::DeviceName => "path_device_name",
            Self::GitFolder => "path_git_folder",
        }
    }
}

impl SkillPath {
    /// Parses `text`, refusing whatever could name a file outside the skill or could not be created
    /// everywhere.
    pub fn parse(text: &str) -> Result<Self, SkillPathError> {
        if text.contains('\u{fffd}') {
            return Err(SkillPathError::Encoding);
        }
        if text.chars().count() > MAX_PATH_CHARS {
            return Err(SkillPathError::TooLong);
        }
        let segments = || text.split('/');
        if segments().count() > MAX_DEPTH {
            return Err(SkillPathError::TooDeep);
        }
        if segments().any(|segment| matches!(segment, "" | "." | "..")) {
            return Err(SkillPathError::NotRelative);
        }
        segments().try_for_each(check_segment)?;
        Ok(Self(text.to_owned()))
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last segment.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The first folder, when the file is not at the root.
    pub fn first_folder(&self) -> Option<&str> {
        self.0.split_once('/').map(|(first, _)| first)
    }
}

impl fmt::Display for SkillPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn check_segment(segment: &str) -> Result<(), SkillPathError> {
    if segment.chars().count() > MAX_SEGMENT_CHARS {
        return Err(SkillPathError::SegmentTooLong);
    }
    let hidden = |character| {
        !matches!(unicode::class(character), Class::Plain | Class::Space)
            && !matches!(unicode::class(character), Class::Variation | Class::Joiner)
    };
    if segment.contains('\\') || segment.chars().any(|character| character == '\t' || hidden(character)) {
        return Err(SkillPathError::Character);
    }
    if is_git_folder(segment) {
        return Err(SkillPathError::GitFolder);
    }
    if segment.ends_with(['.', ' '])
        || segment.starts_with(' ')
        || segment.contains([':', '*', '?', '"', '<', '>', '|'])
        || segment == "~"
    {
        return Err(SkillPathError::Reserved);
    }
    if is_device_name(segment) {
        return Err(SkillPathError::DeviceName);
    }
    Ok(())
}

/// Whether the part before the first dot names a device; superscript digits count as digits there.
fn is_device_name(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or(segment).trim_end_matches(' ').to_uppercase();
    if matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$") {
        return true;
    }
    let digit = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    digit.is_some_and(|rest| {
        let mut characters = rest.chars();
        matches!(characters.next(), Some('0'..='9' | '¹' | '²' | '³')) && characters.next().is_none()
    })
}

/// Whether some file system would take `segment` for `.git`: compared without case, compatibility
/// forms, ignorable characters and the endings that Windows drops, and as the short name `git~1`.
fn is_git_folder(segment: &str) -> bool {
    let plain: String = segment
        .nfkc()
        .flat_map(char::to_lowercase)
        .filter(|character| !unicode::is_invisible(*character))
        .collect();
    let plain = plain.split(':').next().unwrap_or(&plain).trim_end_matches(['.', ' ']);
    plain == ".git"
        || plain
            .strip_prefix("git~")
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|byte| matches!(byte, b'1'..=b'9')))
}

/// Finds paths that are one and the same where case and Unicode form do not count.
#[derive(Debug, Default)]
pub struct PathSet {
    /// Folded key of every file and ancestor folder: whether it is a file, and the path as written.
    seen: BTreeMap<String, (bool, String)>,
}

impl PathSet {
    /// Adds a file; the path that it collides with, when there is one.
    pub fn insert(&mut self, path: &SkillPath) -> Result<(), String> {
        for (end, _) in path.as_str().match_indices('/') {
            self.place(&path.as_str()[..end], false)?;
        }
        self.place(path.as_str(), true)
    }

    fn place(&mut self, path: &str, is_file: bool) -> Result<(), String> {
        match self.seen.get(&fold(path)) {
            Some((file, written)) if *file || is_file || written != path => Err(written.clone()),
            Some(_) => Ok(()),
            None => {
                self.seen.insert(fold(path), (is_file, path.to_owned()));
                Ok(())
            }
        }
    }
}

/// Upper case first expands what full case folding expands (`ß` to `ss`); lower case then folds.
fn fold(path: &str) -> String {
    path.to_uppercase().to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_by_example() {
        for good in [
            "SKILL.md",
            "references/a b.md",
            ".hidden/x",
            "-dash",
            "资料/说明.md",
            "a/b/c.tar.gz",
            "console.md",
            "COM10",
        ] {
            assert!(SkillPath::parse(good).is_ok(), "{good}");
        }
        for (bad, error) in [
            ("", SkillPathError::NotRelative),
            ("/etc/passwd", SkillPathError::NotRelative),
            ("a//b", SkillPathError::NotRelative),
            ("a/../b", SkillPathError::NotRelative),
            ("./a", SkillPathError::NotRelative),
            ("a\\..\\b", SkillPathError::Character),
            ("a\u{1b}[31m", SkillPathError::Character),
            ("a\0", SkillPathError::Character),
            ("a\u{202e}b", SkillPathError::Character),
            ("a.", SkillPathError::Reserved),
            ("a /b ", SkillPathError::Reserved),
            ("SKILL.md:x", SkillPathError::Reserved),
            ("~", SkillPathError::Reserved),
            ("CON.txt", SkillPathError::DeviceName),
            ("x/com¹", SkillPathError::DeviceName),
            ("nul", SkillPathError::DeviceName),
            (".git/config", SkillPathError::GitFolder),
            (".GIT", SkillPathError::GitFolder),
            ("git~1/x", SkillPathError::GitFolder),
            (".git::$INDEX_ALLOCATION", SkillPathError::GitFolder),
            (".git. /x", SkillPathError::GitFolder),
            ("a\u{fffd}", SkillPathError::Encoding),
        ] {
            assert_eq!(SkillPath::parse(bad), Err(error), "{bad:?}");
        }
        assert_eq!(SkillPath::parse(&"a/".repeat(17)), Err(SkillPathError::TooDeep));
        assert_eq!(SkillPath::parse(&"a".repeat(101)), Err(SkillPathError::SegmentTooLong));
        assert_eq!(SkillPath::parse(&"a".repeat(241)), Err(SkillPathError::TooLong));
    }

    #[test]
    fn collisions_are_found() {
        for (first, second) in [
            ("README.md", "readme.md"),
            ("straße", "STRASSE"),
            ("caf\u{e9}", "cafe\u{301}"),
            ("a/b", "a"),
            ("a", "a/b"),
            ("A/x", "a/y"),
        ] {
            let mut set = PathSet::default();
            set.insert(&SkillPath::parse(first).unwrap()).unwrap();
            assert!(set.insert(&SkillPath::parse(second).unwrap()).is_err(), "{first} and {second}");
        }
        let mut set = PathSet::default();
        for path in ["a/x", "a/y", "b", "c/d/e"] {
            set.insert(&SkillPath::parse(path).unwrap()).unwrap();
        }
    }

    proptest! {
        #[test]
        fn a_path_never_leaves_its_folder(text in "[a./\\\\~:]{0,12}|.{0,40}") {
            if let Ok(path) = SkillPath::parse(&text) {
                let joined = std::path::Path::new("/skill").join(path.as_str());
                prop_assert!(joined.starts_with("/skill"));
                prop_assert!(joined.components().all(|part| part != std::path::Component::ParentDir));
                prop_assert_eq!(SkillPath::parse(path.as_str()), Ok(path.clone()));
            }
        }
    }
}
