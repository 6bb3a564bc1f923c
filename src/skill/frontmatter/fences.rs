//! Where the frontmatter of a file starts and ends.
//!
//! Works on the stored bytes, line by line, with any of the three line ends, and never looks past the
//! header limit for a fence. What stands between the fences is not interpreted here; it is only made
//! sure that it holds no control character.

use std::ops::Range;

use super::super::diagnostic::{Code, Diagnostic};

const BOM: &str = "\u{feff}";
const LFS_POINTER: &str = "version https://git-lfs.github.com/spec/";

/// A file cut at its fences.
#[derive(Debug)]
pub(super) struct Fenced<'a> {
    /// The text between the fences.
    pub(super) header: &'a str,
    /// The number of the header's first line in the file.
    pub(super) first_line: u32,
    /// The bytes after the closing fence's line.
    pub(super) body: Range<usize>,
}

/// One line of a text: where it starts, where its content ends, and where the next one starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: usize,
}

impl Line {
    /// The line that starts at `start`, or nothing at the end of the text.
    pub(super) fn at(text: &str, start: usize) -> Option<Self> {
        let rest = text.as_bytes().get(start..).filter(|rest| !rest.is_empty())?;
        let Some(length) = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r') else {
            return Some(Self { start, end: text.len(), next: text.len() });
        };
        let ending = if rest[length..].starts_with(b"\r\n") { 2 } else { 1 };
        Some(Self { start, end: start + length, next: start + length + ending })
    }
}

/// Cuts `bytes` at the fences; tolerated oddities go to `warnings`.
pub(super) fn cut<'a>(
    bytes: &'a [u8],
    limit: usize,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Fenced<'a>, Diagnostic> {
    let text = str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
    let start = if text.starts_with(BOM) {
        warnings.push(Diagnostic::at(Code::Bom, 1, 1));
        BOM.len()
    } else {
        0
    };
    if text[start..].starts_with(LFS_POINTER) {
        return Err(Diagnostic::at(Code::LfsPointer, 1, 1));
    }
    let (opening, line) = open(text, start, warnings)?;
    let (closing, header) = close(text, opening, line, limit, warnings)?;
    let region = &text[start..closing.next];
    if let Some(position) = region.bytes().position(|byte| byte == b'\r') {
        let (line, column) = position_of(region, position);
        warnings.push(Diagnostic::at(Code::CrNewlines, line, column));
    }
    let header = &text[header];
    let is_control = |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
    if let Some(position) = header.bytes().position(is_control) {
        let (lines, column) = position_of(header, position);
        return Err(Diagnostic::at(Code::ControlChar, line + lines, column));
    }
    Ok(Fenced { header, first_line: line + 1, body: closing.next..text.len() })
}

fn not_utf8(bytes: &[u8], valid: usize) -> Diagnostic {
    let valid = str::from_utf8(&bytes[..valid]).expect("the part before the first error is valid");
    let (line, column) = position_of(valid.strip_prefix(BOM).unwrap_or(valid), valid.len());
    Diagnostic::at(Code::NotUtf8, line, column)
}

/// Finds the opening fence; returns its line and the line's number.
fn open(text: &str, start: usize, warnings: &mut Vec<Diagnostic>) -> Result<(Line, u32), Diagnostic> {
    let mut number = 1;
    let mut next = start;
    while let Some(line) = Line::at(text, next) {
        let content = &text[line.start..line.end];
        if content.trim().is_empty() {
            number += 1;
            next = line.next;
            continue;
        }
        let Some(rest) = content.strip_prefix("---").filter(|rest| !rest.starts_with('-')) else {
            return Err(Diagnostic::at(Code::NoFrontmatter, number, 1));
        };
        if !rest.trim().is_empty() {
            return Err(Diagnostic::at(Code::FenceLanguage, number, 4));
        }
        if number > 1 {
            warnings.push(Diagnostic::at(Code::LeadingBlank, 1, 1));
        }
        if !rest.is_empty() {
            warnings.push(Diagnostic::at(Code::FenceTrailingSpace, number, 4));
        }
        return Ok((line, number));
    }
    Err(Diagnostic::new(Code::NoFrontmatter))
}

/// Finds the closing fence; returns its line and the header before it.
fn close(
    text: &str,
    opening: Line,
    opening_number: u32,
    limit: usize,
    warnings: &mut Vec<Diagnostic>,
) -> Result<(Line, Range<usize>), Diagnostic> {
    let start = opening.next;
    let mut number = opening_number + 1;
    let mut next = start;
    while let Some(line) = Line::at(text, next) {
        if line.start - start > limit {
            break;
        }
        let content = &text[line.start..line.end];
        let rest = content.strip_prefix("---").or_else(|| content.strip_prefix("..."));
        if let Some(rest) = rest.filter(|rest| rest.trim().is_empty()) {
            if !rest.is_empty() {
                warnings.push(Diagnostic::at(Code::FenceTrailingSpace, number, 4));
            }
            return Ok((line, start..line.start));
        }
        number += 1;
        next = line.next;
    }
    let code = if text.len() - start > limit { Code::HeaderTooLarge } else { Code::UnclosedFrontmatter };
    Err(Diagnostic::at(code, opening_number, 1))
}

/// Line and column, from 1, of the character at byte `position` of `text`.
pub(super) fn position_of(text: &str, position: usize) -> (u32, u32) {
    let mut number = 1;
    let mut line_start = 0;
    while let Some(line) = Line::at(text, line_start) {
        if line.next > position {
            break;
        }
        // Text that ends without a line end has no line after it.
        if line.next == line.end {
            break;
        }
        line_start = line.next;
        number += 1;
    }
    let before = text.get(line_start..position.min(text.len())).unwrap_or_default();
    (number, column_after(before))
}

/// The column, from 1, of what follows `before` on its line.
pub(super) fn column_after(before: &str) -> u32 {
    u32::try_from(before.chars().count()).map_or(u32::MAX, |count| count.saturating_add(1))
}
