//! Pure choice: a task and candidates in, a shortlist and the text of a catalog out.
//!
//! Configuration, use and time come in as arguments; nothing here reads a file or a clock.

pub mod activation;
pub mod adaptive;
pub mod budget;
pub mod catalog;
pub mod excerpt;
pub mod formats;
pub mod offer_block;
pub mod offers;
pub mod relevance;
pub mod rules;
pub mod select;
