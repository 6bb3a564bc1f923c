//! The warnings of one file as they gather, and the one way from source text to shown text.
//!
//! Each kind of changed character is reported once a file, at the first place where it stands.

use super::super::diagnostic::{Code, Diagnostic};
use super::clean::{Changes, Spaces, clean, locate};
use super::tree::{Node, Position};

/// Collects warnings about one header.
#[derive(Debug)]
pub(crate) struct Report<'h> {
    header: &'h str,
    first_line: u32,
    warnings: Vec<Diagnostic>,
    seen: Changes,
}

impl<'h> Report<'h> {
    /// Goes on from the warnings that were found before the header was read.
    pub(super) fn new(header: &'h str, first_line: u32, warnings: Vec<Diagnostic>) -> Self {
        Self { header, first_line, warnings, seen: Changes::default() }
    }

    /// A warning at a place.
    pub(super) fn warn(&mut self, code: Code, at: Position) {
        self.warnings.push(Diagnostic::at(code, at.line, at.column));
    }

    /// A warning about a field at a place.
    pub(super) fn warn_field(&mut self, code: Code, at: Position, field: &str) {
        self.warnings.push(Diagnostic::at(code, at.line, at.column).of(field));
    }

    /// The list of warnings, for code that has no tree yet.
    pub(super) fn warnings(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.warnings
    }

    /// All warnings.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        self.warnings
    }

    /// Notes what was changed so that the header could be cut into pieces.
    pub(super) fn note_levelled(&mut self, changes: Changes) {
        self.note(changes, Position { line: self.first_line, column: 1 });
    }

    /// `text`, which came from `node`, as it is shown.
    pub(super) fn show(&mut self, text: &str, node: &Node<'_>, spaces: Spaces) -> String {
        let (shown, changes) = clean(text, spaces);
        self.note(changes, node.at);
        shown
    }

    fn note(&mut self, changes: Changes, at: Position) {
        for code in changes.without(self.seen).codes() {
            // A character that an escape in quotes made is nowhere in the source.
            let place = locate(self.header, self.first_line, code).unwrap_or(at);
            self.warn(code, place);
        }
        self.seen.add(changes);
    }
}
