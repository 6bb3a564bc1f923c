//! `index` for a person.

use std::fmt::Write;

use super::{TermText, bytes, count, line};
use crate::output::{style::Style, wire_index};

/// How the index stands.
pub fn index_status(document: &wire_index::IndexStatus) -> String {
    let mut text = String::new();
    line!(text, "{}", index_line(document));
    line!(text, "  {}", Style::Dim.paint(TermText::new(&document.folder)));
    if document.unreadable > 0 {
        let what = format!("{}, made again when needed", count(document.unreadable, "file"));
        line!(text, "  {} {what}", Style::Warning.paint("not readable:"));
    }
    text
}

/// The index in one line.
pub(super) fn index_line(document: &wire_index::IndexStatus) -> String {
    if document.files == 0 && document.folder_sets == 0 {
        return "none yet: made by the first catalog in `routerMode: fulltext`".to_owned();
    }
    let current = if document.current { "up to date" } else { "brought up to date by the next catalog" };
    format!(
        "{} of {} in {}, {}: {current}",
        count(document.documents, "skill"),
        count(document.folder_sets, "set") + " of folders",
        count(document.files, "file"),
        bytes(document.bytes)
    )
}

/// What was built.
pub fn index_rebuild(document: &wire_index::IndexRebuild) -> String {
    let mut text = String::new();
    line!(
        text,
        "{} {} in {} ms, {} in {}",
        Style::Good.paint("read"),
        count(document.skills, "skill"),
        document.milliseconds,
        bytes(document.bytes),
        TermText::new(&document.folder)
    );
    if document.unread > 0 {
        line!(text, "{} {}", Style::Warning.paint("not read:"), count(document.unread, "skill"));
    }
    text
}
