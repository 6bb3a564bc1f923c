//! Colours by meaning. [`super::Output`] takes them out again where they are not wanted.

use std::fmt::{self, Display};

use owo_colors::OwoColorize;

/// What a piece of text means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A heading.
    Heading,
    /// A skill's name.
    Name,
    /// What is less important.
    Dim,
    /// Something odd.
    Warning,
    /// Something wrong.
    Error,
    /// Advice.
    Hint,
    /// Something good.
    Good,
}

impl Style {
    /// `text` in the colour of this meaning.
    pub fn paint<T: Display>(self, text: T) -> Painted<T> {
        Painted { style: self, text }
    }
}

/// Text with a meaning.
#[derive(Debug)]
pub struct Painted<T> {
    style: Style,
    text: T,
}

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        match self.style {
            Style::Heading => write!(formatter, "{}", text.bold()),
            Style::Name => write!(formatter, "{}", text.cyan()),
            Style::Dim => write!(formatter, "{}", text.dimmed()),
            Style::Warning => write!(formatter, "{}", text.yellow()),
            Style::Error => write!(formatter, "{}", text.red().bold()),
            Style::Hint => write!(formatter, "{}", text.cyan().bold()),
            Style::Good => write!(formatter, "{}", text.green()),
        }
    }
}
