//! GitHub as a source: its code search, and what it says about repositories.
//!
//! With a token, code search finds files and one GraphQL request tells about all repositories; without one,
//! two REST requests a repository tell the same, and their answers are kept for an hour. What GitHub sends is
//! checked item by item: one that is odd is left out, never a reason to drop the others.

pub(super) mod graphql;
pub(super) mod rest;
pub(super) mod search;
