//! GitHub as a source: its code search, and what it says about repositories.
//!
//! With a token, code search finds files and one GraphQL request tells about all repositories; without one,
//! two REST requests a repository tell the same, and their answers are kept for an hour. What GitHub sends is
//! checked item by item: one that is odd is left out, never a reason to drop the others.

pub(super) mod graphql;
pub(super) mod rest;
pub(super) mod search;

use crate::{candidate::remote::RepositoryFacts, http::Client};

/// Whether what a host says of a repository holds no token, so that it can be stored and shown.
fn is_clean(client: &Client, facts: &RepositoryFacts) -> bool {
    !client.gives_away(&facts.repository.to_string())
        && !facts.licence.as_ref().is_some_and(|licence| client.gives_away(licence))
}
