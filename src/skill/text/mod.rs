//! Outside text made safe to show: the only way for it to reach a prompt or a terminal.
//!
//! A function that prints into a prompt takes [`CatalogText`], one that prints to a terminal takes
//! [`TermText`]. Both are made only here, from raw text, and neither can be changed, deserialised or
//! built from parts afterwards, so a value of either type is clean wherever it turns up.
//!
//! The two differ in what they owe the reader. A prompt gets text without anything hidden in it; a
//! terminal gets everything, with whatever could act or hide written out as a visible escape.
//! Escaping for XML or Markdown is the business of the catalog's formats, not of this module; the
//! escapes of JSON are here, because catalogs and every other document share them.

mod catalog;
mod json;
mod term;

pub use catalog::CatalogText;
pub use json::{json_escaped, json_escaped_len};
pub use term::TermText;

/// Whether `text` has only printable ASCII, which neither cleaning nor escaping changes.
fn is_printable_ascii(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}
