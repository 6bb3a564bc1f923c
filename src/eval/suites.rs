//! The corpora of the suites: how a file is read, what it must keep, and how each case is run.
//!
//! A case runs the code that serves real prompts; nothing is written again here. A file whose cases
//! contradict themselves is refused as a whole, because a wrong expectation that can never hold, or
//! can never fail, would look like a result.

pub(crate) mod budget;
pub(crate) mod cache_governance;
mod remote;
pub(crate) mod remote_cache;
pub(crate) mod remote_fallback;
pub(crate) mod remote_governance;
pub(crate) mod remote_quality;
pub mod retrieval;
pub(crate) mod routing;
pub(crate) mod semantic_routing;

use std::collections::BTreeSet;

use serde::{Deserialize, de::DeserializeOwned};

use super::{Suite, retrieval::corpus::CorpusError};

/// Why a corpus cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// The text is no JSON, or not of the suite's format.
    #[error("the corpus has not the format of suite `{suite}`")]
    Format {
        /// The suite.
        suite: Suite,
        /// Where and why.
        #[source]
        source: serde_json::Error,
    },
    /// A version that this release does not read.
    #[error("the corpus of suite `{suite}` has version `{version}`, only `{known}` is known")]
    Version {
        /// The suite.
        suite: Suite,
        /// The version found.
        version: u64,
        /// The version that is read.
        known: u64,
    },
    /// A key or id stands twice.
    #[error("the {kind} `{key}` stands twice")]
    Twice {
        /// `candidate` or `case`.
        kind: &'static str,
        /// The key.
        key: String,
    },
    /// A candidate cannot be used.
    #[error("candidate `{key}` {problem}")]
    Candidate {
        /// The candidate.
        key: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A case contradicts itself.
    #[error("case `{id}` {problem}")]
    Case {
        /// The case.
        id: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// More work than a run is meant for.
    #[error("the cases of the corpus score more than {most} candidates in all")]
    TooMuch {
        /// The most candidates that all cases together may score.
        most: usize,
    },
    /// A file of the retrieval corpus cannot be used.
    #[error("the corpus of suite `retrieval` cannot be used")]
    Retrieval(#[from] CorpusError),
    /// The routing corpus cannot tell choosing from choosing everything or nothing.
    #[error("the routing corpus has no case that expects {missing}")]
    OneSided {
        /// `a skill` or `nothing`.
        missing: &'static str,
    },
}

#[derive(Deserialize)]
struct Versioned {
    version: u64,
}

/// A corpus that is a list of cases and nothing else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile<C> {
    #[serde(rename = "version")]
    _version: u64,
    #[serde(rename = "description")]
    _description: Option<String>,
    cases: Vec<C>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Contract {
    KnownWeak,
}

/// Reads the version first: a later one may have fields that this one knows nothing of.
fn parse<T: DeserializeOwned>(suite: Suite, corpus: &str) -> Result<T, EvalError> {
    parse_version(suite, corpus, 1)
}

fn parse_version<T: DeserializeOwned>(suite: Suite, corpus: &str, known: u64) -> Result<T, EvalError> {
    let format = |source| EvalError::Format { suite, source };
    let Versioned { version } = serde_json::from_str(corpus).map_err(format)?;
    if version != known {
        return Err(EvalError::Version { suite, version, known });
    }
    serde_json::from_str(corpus).map_err(format)
}

/// Reads a corpus that is a bare list of cases, without a version.
fn parse_list<T: DeserializeOwned>(suite: Suite, corpus: &str) -> Result<Vec<T>, EvalError> {
    serde_json::from_str(corpus).map_err(|source| EvalError::Format { suite, source })
}

fn check_unique<'a>(ids: impl Iterator<Item = &'a str>) -> Result<(), EvalError> {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            return Err(EvalError::Twice { kind: "case", key: id.to_owned() });
        }
    }
    Ok(())
}
