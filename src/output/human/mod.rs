//! Wire documents as text for a person.
//!
//! Every piece of outside text passes [`TermText`]; the layout depends on nothing but the document
//! and the width.

mod cache;
mod config;
mod eval;
mod explain;
mod index;
mod list;
mod model;
mod mount;
mod retrieval;
mod search;
mod show;
mod status;
mod triggers;
mod usage;

use std::fmt::{self, Write};

pub use cache::{cache_clean, cache_list, cache_prune, cache_verify, discovery_clean, discovery_status};
pub use config::{config_change, config_list, config_value};
pub use eval::{eval, eval_markdown};
pub use explain::explain;
pub use index::{index_rebuild, index_status};
pub use list::list;
pub use model::{model_add, model_remove, models};
pub use mount::{Question, QuestionFile, mounts, question, unmounts};
pub use retrieval::{retrieval, retrieval_markdown};
pub use search::{search, search_plan};
pub use show::show;
pub use status::status;
pub use triggers::triggers;
pub use usage::{usage, usage_clear};

use super::{style::Style, wire};
use crate::skill::text::TermText;

/// The longest line of a message, in columns.
pub(super) const MESSAGE_WIDTH: usize = 2000;

/// An error as it is printed: what went wrong, its causes, and what to do.
#[derive(Debug)]
pub struct ErrorReport {
    /// What went wrong.
    pub error: String,
    /// The causes, outermost first.
    pub causes: Vec<String>,
    /// What the error is about, one by one, where it is about several things.
    pub details: Vec<String>,
    /// What to do.
    pub hint: Option<String>,
}

impl fmt::Display for ErrorReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Outside text in a message must not be able to add a line that looks like one of ours.
        let line = |text: &str| TermText::with_width(text, MESSAGE_WIDTH);
        writeln!(formatter, "{} {}", Style::Error.paint("error:"), line(&self.error))?;
        for detail in &self.details {
            writeln!(formatter, "  {}", line(detail))?;
        }
        for cause in &self.causes {
            writeln!(formatter, "  {} {}", Style::Dim.paint("caused by:"), line(cause))?;
        }
        if let Some(hint) = &self.hint {
            writeln!(formatter, "\n{} {}", Style::Hint.paint("hint:"), line(hint))?;
        }
        Ok(())
    }
}

/// Appends a line; writing to a string cannot fail.
macro_rules! line {
    ($text:expr) => { $text.push('\n') };
    ($text:expr, $($argument:tt)*) => {{
        let _infallible = writeln!($text, $($argument)*);
    }};
}
use line;

/// `1 skill`, `2 skills`.
fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A diagnostic's codes on one line, with positions.
fn codes(diagnostics: &[wire::Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&TermText::new(&diagnostic.code).to_string());
        if let Some(line) = diagnostic.line {
            let _infallible = write!(text, " (line {line})");
        }
    }
    text
}

/// A number of bytes, in the unit that a person reads best.
fn bytes(number: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    let Some((unit, size)) = UNITS.into_iter().find(|(_, size)| number >= *size) else {
        return count(usize::try_from(number).unwrap_or(usize::MAX), "byte");
    };
    // Whole tenths, so that no rounding depends on the machine.
    let tenths = u128::from(number) * 10 / u128::from(size);
    format!("{}.{} {unit}", tenths / 10, tenths % 10)
}

/// A pin on one line, with the first digits of its commit.
fn pin(pin: &super::wire_remote::Pin) -> String {
    let commit = pin.commit.get(..12).unwrap_or(&pin.commit);
    match pin.path.as_deref() {
        None | Some("") => format!("{} at {commit}", pin.repository),
        Some(path) => format!("{}//{path} at {commit}", pin.repository),
    }
}

/// `text` with blanks up to `width` columns, cut where it is longer.
fn cell(text: &str, width: usize) -> String {
    let mut cell = TermText::with_width(text, width).to_string();
    let columns = unicode_width::UnicodeWidthStr::width(cell.as_str());
    cell.extend(std::iter::repeat_n(' ', width.saturating_sub(columns)));
    cell
}
