//! What is kept of remote skills and of searches for them, and for how long.
//!
//! The parts here are decisions: ages, sizes and uses come in as arguments, and what shall be kept comes
//! out. Nothing opens a file or reads a clock, so that a decision can be shown before anything is removed.

pub mod discovery;
pub mod prune;
