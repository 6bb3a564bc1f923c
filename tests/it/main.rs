//! Behaviour of the built program, in one crate.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test that cannot go on says where")]
#![expect(clippy::print_stdout, reason = "a test that is skipped says so")]
#![expect(clippy::format_push_string, reason = "snapshots are put together where they are read")]

mod context;

mod bad_input;
mod catalog;
mod completions;
mod config;
mod determinism;
mod documents;
mod eval;
mod generated;
mod hostile_text;
mod list;
mod load_and_read;
mod tidy;
