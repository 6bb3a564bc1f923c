//! Questions to a person at a terminal, and the bar that shows long work.
//!
//! Both go to standard error, and only where standard error is a terminal. A question also needs a
//! terminal to read the answer from.

use std::{
    io::{self, BufRead, IsTerminal},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Output;

impl Output {
    /// Whether a person can be asked: both standard input and standard error are terminals.
    pub fn can_ask(self) -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Puts a question; [`read_answer`] gets the answer.
    pub fn ask(self, question: &str) {
        self.talk(question);
    }

    /// Ends the line of a question that nobody answered.
    pub fn leave_question(self) {
        self.talk("\n");
    }

    /// A bar over `bytes` bytes, or a spinner where their number is unknown. It is not drawn where standard
    /// error is no terminal or quiet was asked for.
    pub fn progress(self, label: &str, bytes: Option<u64>) -> Progress {
        if self.quiet || !io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let bar = match bytes {
            Some(bytes) => ProgressBar::new(bytes)
                .with_style(style("{msg} {wide_bar} {bytes}/{total_bytes}"))
                .with_message(label.to_owned()),
            None => {
                ProgressBar::new_spinner().with_style(style("{spinner} {msg}")).with_message(label.to_owned())
            }
        };
        Progress::drawn(bar)
    }

    /// A bar over `of` things, drawn as [`Self::progress`] is.
    pub fn count(self, label: &str, of: u64) -> Progress {
        if self.quiet || !io::stderr().is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(of).with_style(style("{msg} {wide_bar} {pos}/{len}"));
        let progress = Progress::drawn(bar.with_message(label.to_owned()));
        progress.0.tick();
        progress
    }
}

/// Reads one line from standard input; only `y` and `yes` agree.
pub fn read_answer() -> io::Result<bool> {
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates are constant and well formed")
}

/// A bar that disappears when it is dropped.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    fn drawn(bar: ProgressBar) -> Self {
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Shows that so many bytes or things are there.
    pub fn at(&self, reached: u64) {
        self.0.set_position(reached);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
