//! skillflux: the few Agent Skills that fit a task, chosen, explained and printed for a coding agent.
//!
//! The map of the house; data flows down this list, and a module imports only what stands above it
//! (`ARCHITECTURE.md` has the table, `tests/it/tidy.rs` holds it):
//!
//! - [`error`]: kinds of failure and their exit codes
//! - [`skill`]: what a skill is: frontmatter, names, paths, ids, digests, text made safe to show
//! - [`candidate`]: what a source says about one skill, what may be sent to ask, and the rules a person wrote
//! - [`rank`]: pure scores, evidence and trust
//! - [`model`]: static embedding models: tokens, rows and their mean
//! - [`route`]: pure choice of a shortlist, and the catalog that is printed
//! - [`http`]: one client with deadlines, retries, rate limits and a cache
//! - [`config`]: settings, each with its range and origin
//! - [`source`]: where candidates come from: folders of this machine, skills.sh, GitHub
//! - [`fetch`]: from a reference to verified bytes in a staging folder
//! - [`store`]: what is kept of remote skills and searches, by whom it is used, and for how long
//! - [`eval`]: the evaluation corpora and their metrics
//! - [`output`]: the only writer to the terminal
//! - [`cli`]: what a person can type
//! - [`commands`]: one file a command

pub mod candidate;
pub mod cli;
pub mod commands;
pub mod config;
pub mod error;
pub mod eval;
pub mod fetch;
pub mod http;
pub mod model;
pub mod output;
pub mod rank;
pub mod route;
pub mod skill;
pub mod source;
pub mod store;
