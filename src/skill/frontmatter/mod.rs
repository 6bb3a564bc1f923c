//! The lenient but safe reader of `SKILL.md` headers.
//!
//! It reads what people really write (a colon in an unquoted description, a byte order mark, JSON in
//! `metadata`) and says what it had to forgive; it never guesses where parsers disagree about meaning,
//! never honours the parts of YAML that only attackers need, and never opens a skill that its author
//! closed. A file that cannot be used costs itself alone: the answer is a [`Diagnostic`], not a panic
//! and not an error of the run.
//!
//! One pass: `fences` cuts the bytes, `tree` turns the header into source text with positions,
//! `repair` reads a broken header piece by piece, `fields` and `metadata` take the values, and
//! `clean` makes them fit to show. Time is linear in the file and nothing recurses deeper than the
//! tree's depth limit. Stored bytes are never changed.

mod clean;
mod fences;
mod fields;
mod keys;
mod metadata;
mod plain;
mod repair;
mod report;
mod tree;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use self::fences::Fenced;
pub(super) use self::fields::{MAX_DESCRIPTION_CHARS, check_name, read as read_fields};
pub(super) use self::keys::Key;
use self::report::Report;
pub(super) use self::tree::{Kind, Node, Tree};
use super::Limits;
use super::diagnostic::{Code, Diagnostic};
use super::name::Slug;

/// What a skill says about itself, cleaned for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frontmatter {
    /// The name as written, or the folder's name when none is written. Only a label.
    pub name: String,
    /// The name that may reach a path, a URL or a command.
    pub slug: Slug,
    /// What the skill does and when to use it; never empty, in full length.
    pub description: String,
    /// When to use the skill, where that is written apart.
    pub when_to_use: Option<String>,
    /// When not to use it.
    pub when_not_to_use: Option<String>,
    /// The licence as written.
    pub license: Option<String>,
    /// What the skill needs to run.
    pub compatibility: Option<String>,
    /// Further facts; lists and maps are compact JSON. The first entry of a key counts.
    pub metadata: Vec<(String, String)>,
    /// Tools that the skill asks for. Recorded for display; it grants nothing.
    pub allowed_tools: Vec<String>,
    /// What to type after the skill's name.
    pub argument_hint: Option<String>,
    /// Whether a model may choose the skill.
    pub model_invocable: bool,
    /// Whether a person may invoke the skill.
    pub user_invocable: bool,
    /// Keys that skillflux does not know, in the order of the file.
    pub extra_keys: Vec<String>,
}

impl Frontmatter {
    /// The version that the author wrote under `metadata`.
    pub fn version(&self) -> Option<&str> {
        self.metadata.iter().find(|(key, _)| key == "version").map(|(_, value)| value.as_str())
    }
}

/// What was read from one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The frontmatter, or why the skill cannot be used.
    pub outcome: Result<Frontmatter, Diagnostic>,
    /// What was forgiven on the way.
    pub warnings: Vec<Diagnostic>,
    /// The bytes after the closing fence's line; the whole input when there is no such line.
    pub body: Range<usize>,
}

/// Reads the frontmatter of the file `bytes` in the folder named `folder`.
///
/// An empty `folder` stands for a folder whose name says nothing, such as a repository's root.
pub fn parse(bytes: &[u8], folder: &str, limits: &Limits) -> Parsed {
    let (outcome, warnings, body) =
        read_header(bytes, limits, |tree, report| fields::read(tree, folder, report));
    Parsed { outcome, warnings, body }
}

/// Cuts the file, builds the header's tree and hands it to `interpret`; answers with the result, the
/// warnings and the body's range.
pub(super) fn read_header<T>(
    bytes: &[u8],
    limits: &Limits,
    interpret: impl FnOnce(&Tree<'_>, &mut Report<'_>) -> Result<T, Diagnostic>,
) -> (Result<T, Diagnostic>, Vec<Diagnostic>, Range<usize>) {
    let mut warnings = Vec::new();
    let Fenced { header, first_line, body } = match fences::cut(bytes, limits.header_bytes, &mut warnings) {
        Ok(fenced) => fenced,
        Err(error) => return (Err(error), warnings, 0..bytes.len()),
    };
    let levelled: Cow<'_, str>;
    let mut tree = Tree::default();
    let mut report = Report::new(header, first_line, warnings);
    if let Err(at) = tree.append(header, first_line) {
        report.warn(Code::YamlRepaired, at);
        let changes;
        (levelled, changes) = clean::level(header);
        report.note_levelled(changes);
        repair::repair(&levelled, first_line, &mut tree, report.warnings());
    }
    let outcome = interpret(&tree, &mut report);
    (outcome, report.finish(), body)
}
