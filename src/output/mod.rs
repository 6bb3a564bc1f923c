//! The only writer to standard output and standard error.
//!
//! Standard output is data, standard error is talk. Logic decides elsewhere; this module only prints
//! what a command put into a wire struct ([`wire`]), as JSON ([`json`]) or as text ([`human`]). A
//! reader that closed the pipe is no error.

mod ask;
pub mod human;
pub mod json;
pub mod plot;
mod style;
pub mod wire;
pub mod wire_cache;
pub mod wire_eval;
pub mod wire_fulltext;
pub mod wire_index;
pub mod wire_model;
pub mod wire_remote;
pub mod wire_retrieval;
pub mod wire_triggers;
pub mod wire_usage;

use std::io::{self, IsTerminal, Write};

use anstream::{
    AutoStream, ColorChoice,
    adapter::strip_str,
    stream::{AsLockedWrite, RawStream},
};
use serde::Serialize;

pub use ask::{Progress, read_answer};
pub use style::Style;

use crate::skill::text::TermText;

/// Standard output and standard error with the person's wishes on colour and quiet.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    color: ColorChoice,
    quiet: bool,
}

impl Output {
    /// An output; `color` of `Auto` means on terminals only and not when `NO_COLOR` is set.
    pub fn new(color: ColorChoice, quiet: bool) -> Self {
        Self { color, quiet }
    }

    /// Writes data to standard output, byte for byte.
    pub fn data(self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        quiet_when_closed(stdout.write_all(bytes).and_then(|()| stdout.flush()))
    }

    /// Writes a document as JSON to standard output.
    pub fn json<T: Serialize>(self, document: &T) -> io::Result<()> {
        self.data(json::render(document)?.as_bytes())
    }

    /// Writes text that may hold our own colours to standard output.
    pub fn text(self, text: &str) -> io::Result<()> {
        quiet_when_closed(self.write(text, io::stdout().lock()))
    }

    /// Writes a file's text to standard output: byte for byte, but on a terminal with every control
    /// character made visible.
    pub fn document(self, text: &str) -> io::Result<()> {
        if self.is_terminal() {
            self.data(TermText::block(text).as_str().as_bytes())
        } else {
            self.data(text.as_bytes())
        }
    }

    /// Writes a warning to standard error, unless quiet was asked for.
    pub fn warning(self, text: &str) {
        if !self.quiet {
            let text = TermText::with_width(text, human::MESSAGE_WIDTH);
            self.talk(&format!("{} {text}\n", Style::Warning.paint("warning:")));
        }
    }

    /// Writes an error to standard error.
    pub fn error(self, report: &human::ErrorReport) {
        self.talk(&report.to_string());
    }

    /// Whether standard output is a terminal.
    pub fn is_terminal(self) -> bool {
        io::stdout().is_terminal()
    }

    /// The terminal's width in columns. What goes into a file or a pipe is not cut to a width.
    pub fn width(self) -> usize {
        if self.is_terminal() { terminal_width().unwrap_or(100) } else { usize::MAX }
    }

    /// Writes `text` with its colours, or without them where `stream` is not to have any.
    fn write(self, text: &str, mut stream: impl RawStream + AsLockedWrite) -> io::Result<()> {
        let choice = match self.color {
            ColorChoice::Auto => AutoStream::choice(&stream),
            choice => choice,
        };
        if choice == ColorChoice::Never {
            // Taken out here and not by the stream, which would write a long text bit by bit.
            stream.write_all(strip_str(text).to_string().as_bytes())?;
            return stream.flush();
        }
        let mut stream = AutoStream::new(stream, choice);
        stream.write_all(text.as_bytes())?;
        stream.flush()
    }

    fn talk(self, text: &str) {
        // A closed standard error leaves nowhere to report that it is closed.
        let _closed = self.write(text, io::stderr().lock());
    }
}

/// A reader that went away is no error; what else standard output refuses is said with its name.
fn quiet_when_closed(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0).max(40))
}
