//! What can go wrong with settings.
//!
//! Every variant carries what a hint needs: the file and line, the key, what is allowed and, where
//! one is near, the word that was probably meant. Text that comes out of a file is passed through
//! [`shown`] before it lands here, so a message never carries a control character or a whole file.
//! Exit codes and hints are not decided here.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::Origin;
use crate::skill::text::TermText;

/// The most columns of foreign text that a message repeats.
const SHOWN_COLUMNS: usize = 80;

/// A setting that cannot be read, understood, accepted or written.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The folder that the process works in cannot be found.
    #[error("could not find the working folder")]
    WorkingFolder {
        /// What the system said.
        source: io::Error,
    },
    /// Neither a home folder nor `SKILLFLUX_HOME` is known.
    #[error("no home folder is known, and `SKILLFLUX_HOME` is not set")]
    NoHome,
    /// A folder under `~/` was named, and no home folder is known.
    #[error("`{folder}` means nothing, because no home folder is known")]
    NoHomeFor {
        /// The folder as written.
        folder: String,
    },
    /// A file or folder cannot be read.
    #[error("could not read `{}`", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("could not write `{}`", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file that `--config` or `SKILLFLUX_CONFIG` names does not exist.
    #[error("config file `{}` does not exist", file.display())]
    Missing {
        /// The file.
        file: PathBuf,
    },
    /// A folder, device or pipe stands where a config file should.
    #[error("config file `{}` is not a regular file", file.display())]
    NotAFile {
        /// The file.
        file: PathBuf,
    },
    /// A project's file is a link out of the project, whose words must not come back in messages.
    #[error("`{}` is a link out of the project", file.display())]
    LinkedOutside {
        /// The project's file.
        file: PathBuf,
    },
    /// A config file is larger than [`super::MAX_FILE_BYTES`].
    #[error("config file `{}` is larger than {limit} bytes", file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// The largest size, in bytes.
        limit: u64,
    },
    /// A config file or an environment variable is not UTF-8 text.
    #[error("{origin} is not UTF-8 text")]
    NotText {
        /// The file and its first line that is not, or the variable.
        origin: Box<Origin>,
    },
    /// A config file is not YAML, or not the mapping that it should be.
    #[error("`{}` line {line}, column {column}: {reason}", file.display())]
    Yaml {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column, from 1.
        column: u64,
        /// What is wrong there.
        reason: String,
    },
    /// A key that does not exist.
    #[error("unknown key `{key}`{}", at(origin.as_deref()))]
    UnknownKey {
        /// The key as written.
        key: String,
        /// Where it was written; nothing when it was typed on the command line.
        origin: Option<Box<Origin>>,
        /// The known key that is nearest, if one is near.
        suggestion: Option<String>,
    },
    /// A key stands beside the `config:` section of a project file instead of inside it.
    #[error("`{key}` stands outside the `config:` section in `{}` line {line}", file.display())]
    Misplaced {
        /// The key.
        key: &'static str,
        /// The project file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
    },
    /// A value of the wrong type or outside the allowed range.
    #[error("`{key}`{} is {found}, allowed: {allowed}", at(origin.as_deref()))]
    Invalid {
        /// The key.
        key: &'static str,
        /// Where it was written; nothing when it was typed on the command line.
        origin: Option<Box<Origin>>,
        /// What was found, ready to be shown.
        found: String,
        /// What is allowed, in words.
        allowed: String,
        /// The allowed word that is nearest, if one is near.
        suggestion: Option<String>,
    },
    /// Two values that exclude each other.
    #[error("`{key}` ({origin}) and `{other}` ({other_origin}) exclude each other: {reason}")]
    Conflict {
        /// One key.
        key: &'static str,
        /// Where it was set.
        origin: Box<Origin>,
        /// The other key.
        other: &'static str,
        /// Where the other was set.
        other_origin: Box<Origin>,
        /// Why both cannot hold.
        reason: String,
    },
    /// A project file asks for more trust than the person gave, or sets what only the person may.
    #[error("`{key}`{} is {found}, {reason}", at(Some(origin)))]
    Widening {
        /// The key.
        key: &'static str,
        /// Where the project set it.
        origin: Box<Origin>,
        /// The project's value.
        found: String,
        /// The clause that names the value or bound which a project may only narrow, or not change.
        reason: String,
    },
    /// A file whose layout does not allow an edit of this one key.
    #[error("cannot edit `{key}` in `{}` without touching other keys", file.display())]
    NotEditable {
        /// The key.
        key: &'static str,
        /// The file.
        file: PathBuf,
    },
}

fn at(origin: Option<&Origin>) -> String {
    origin.map(|origin| format!(" ({origin})")).unwrap_or_default()
}

/// Foreign text made fit for a message.
pub(super) fn shown(text: &str) -> String {
    TermText::with_width(text, SHOWN_COLUMNS).to_string()
}

/// As [`shown`], in backticks.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", shown(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_cannot_steer_a_terminal_or_flood_it() {
        assert_eq!(quoted("lexcial"), "`lexcial`");
        assert_eq!(shown("a\u{1b}[2J\n"), "a\\u{1b}[2J\\u{a}");
        assert_eq!(shown("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(shown(&format!("e{}", "\u{301}".repeat(1000))).chars().count(), 5);
        assert_eq!(shown(&"x".repeat(1000)).chars().count(), SHOWN_COLUMNS);
    }
}
