//! Servers on loopback sockets that answer in the real shapes, over real git repositories.
//!
//! Each server listens on a port of its own, records what it was asked, and stops when it is dropped. Nothing
//! here knows skillflux: what a server says comes from git itself, so that an id that a test compares was not
//! made by the code under test.

pub(crate) mod client;
pub(crate) mod collection;
pub(crate) mod embeddings;
pub(crate) mod faults;
pub(crate) mod git_http;
pub(crate) mod github;
pub(crate) mod graphql;
pub(crate) mod hostile;
pub(crate) mod objects;
pub(crate) mod repository;
pub(crate) mod skills_sh;
pub(crate) mod tls;
pub(crate) mod traffic;
pub(crate) mod wire;
