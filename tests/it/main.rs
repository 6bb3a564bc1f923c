//! Behaviour of the built program, in one crate.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test that cannot go on says where")]
#![expect(clippy::print_stdout, reason = "a test that is skipped says so")]
#![expect(clippy::format_push_string, reason = "snapshots are put together where they are read")]

mod context;

#[cfg(unix)]
mod approval;
mod bad_input;
mod blend;
#[cfg(unix)]
mod cache_commands;
mod catalog;
mod completions;
mod config;
mod determinism;
mod discovery_cache;
mod documents;
mod encrypted;
mod eval;
mod false_answers;
mod fetch;
mod fuzzing;
mod generated;
#[cfg(unix)]
mod healing;
mod hostile_text;
mod hostile_trees;
#[cfg(unix)]
mod index;
#[cfg(unix)]
mod lazy_offers;
mod list;
mod live;
mod load_and_read;
mod masks;
mod mount_flow;
mod offer_formats;
mod online;
mod proof;
mod random;
mod refusals;
mod reliability;
mod repository_states;
mod request_budget;
mod retrieval;
mod search;
mod search_failures;
mod search_requests;
#[cfg(unix)]
mod semantic;
mod serve;
mod servers;
mod servers_selftest;
mod static_model;
#[cfg(unix)]
mod terminal;
mod tidy;
mod tokens;
mod triggers;
#[cfg(unix)]
mod usage;
#[cfg(unix)]
mod views;
mod wire_faults;
