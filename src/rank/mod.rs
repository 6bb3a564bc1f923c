//! Pure scores: a prompt and candidates in, numbers with their reasons out.
//!
//! Nothing here reads a file, a clock or the environment; usage, configuration values and the time
//! arrive as arguments, so that the same inputs give the same numbers everywhere. What is chosen from
//! the scores is decided in [`crate::route`].

pub mod copies;
pub mod evidence;
pub mod features;
pub mod fulltext;
pub mod fuse;
pub mod lexical;
pub mod quality;
pub mod remote;
pub mod semantic;
pub mod text;
pub mod trust;
