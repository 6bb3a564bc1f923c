//! The evaluation: corpora of small cases, run against the code that serves real prompts.
//!
//! A corpus is JSON text that the caller read; this module opens no file. It knows the formats of the
//! original plugin's corpora and runs those that this release has the code for; the others are told
//! apart by name, so that none is skipped in silence. The project's own corpora are compiled in.
//!
//! A full score is a gate against regressions. It is no evidence of ranking quality.

pub mod metrics;
pub mod report;
pub mod retrieval;
pub mod suites;
pub mod triggers;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::{
    rank::{evidence::Thresholds, lexical::Weights, quality},
    route::formats::Format,
    store::{discovery, prune::Criterion},
};
use report::{Baseline, Report};
pub use suites::EvalError;

/// A kind of corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suite {
    /// Prompts against pools of candidates: which are chosen, in which order.
    Routing,
    /// Pools against token budgets: which still fit.
    CatalogBudget,
    /// Pairs of remote candidates: which has the higher quality score.
    RemoteQuality,
    /// Remote candidates: the evidence of their origin, and the policies that admit them.
    RemoteGovernance,
    /// Ages of stored search results: whether they may still be used.
    RemoteCache,
    /// Offers of one name: which are published, which are tried, and which succeeds.
    RemoteFallback,
    /// Stored skills against a policy: which go, in which order and why.
    CacheGovernance,
    /// Prompts and candidates with given vectors: what similarity of meaning adds.
    SemanticRouting,
    /// Prompts against a pool of skills: where the right ones stand, and what a catalog would print.
    Retrieval,
}

impl Suite {
    /// Every suite of this release, in the order in which they are run.
    pub const ALL: [Self; 9] = [
        Self::Routing,
        Self::CatalogBudget,
        Self::RemoteQuality,
        Self::RemoteGovernance,
        Self::RemoteCache,
        Self::RemoteFallback,
        Self::CacheGovernance,
        Self::SemanticRouting,
        Self::Retrieval,
    ];

    /// The name that a person types.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Routing => "routing",
            Self::CatalogBudget => "catalog-budget",
            Self::RemoteQuality => "remote-quality",
            Self::RemoteGovernance => "remote-governance",
            Self::RemoteCache => "remote-cache",
            Self::RemoteFallback => "remote-fallback",
            Self::CacheGovernance => "cache-governance",
            Self::SemanticRouting => "semantic-routing",
            Self::Retrieval => "retrieval",
        }
    }

    /// The name of its file in a corpus folder; that of retrieval is a folder.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Routing => "routing-cases.json",
            Self::CatalogBudget => "catalog-budget-cases.json",
            Self::RemoteQuality => "remote-quality-cases.json",
            Self::RemoteGovernance => "remote-governance-cases.json",
            Self::RemoteCache => "remote-cache-cases.json",
            Self::RemoteFallback => "remote-fallback-cases.json",
            Self::CacheGovernance => "cache-governance-cases.json",
            Self::SemanticRouting => "semantic-routing-cases.json",
            Self::Retrieval => "retrieval",
        }
    }

    /// The project's own corpus; that of retrieval has several files, and this is the one of its prompts.
    pub fn own_corpus(self) -> &'static str {
        match self {
            Self::Routing => include_str!("../../eval/routing-cases.json"),
            Self::CatalogBudget => include_str!("../../eval/catalog-budget-cases.json"),
            Self::RemoteQuality => include_str!("../../eval/remote-quality-cases.json"),
            Self::RemoteGovernance => include_str!("../../eval/remote-governance-cases.json"),
            Self::RemoteCache => include_str!("../../eval/remote-cache-cases.json"),
            Self::RemoteFallback => include_str!("../../eval/remote-fallback-cases.json"),
            Self::CacheGovernance => include_str!("../../eval/cache-governance-cases.json"),
            Self::SemanticRouting => include_str!("../../eval/semantic-routing-cases.json"),
            Self::Retrieval => suites::retrieval::Texts::OWN.queries,
        }
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// What a file of a corpus folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// The cases of a suite.
    Suite(Suite),
    /// Cases that this release has no code for: the report names them as not run.
    NotInThisRelease,
    /// No cases.
    Other,
}

/// Tells what the file of this name is. Every `*-cases.json` is either run or named as not run.
pub fn recognise(file_name: &str) -> FileKind {
    match Suite::ALL.into_iter().find(|suite| suite.file_name() == file_name) {
        Some(suite) => FileKind::Suite(suite),
        None if file_name.ends_with("-cases.json") => FileKind::NotInThisRelease,
        None => FileKind::Other,
    }
}

/// The text that a budget pays for around and between the skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// What skillflux prints in this format.
    Own(Format),
    /// What the original plugin publishes.
    Upstream,
}

impl Frame {
    /// The frame of this name: `upstream` or a format.
    pub fn parse(name: &str) -> Option<Self> {
        if name == Self::Upstream.as_str() {
            Some(Self::Upstream)
        } else {
            Format::parse(name).map(Self::Own)
        }
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Own(format) => format.as_str(),
            Self::Upstream => "upstream",
        }
    }
}

/// How to run a suite.
#[derive(Debug, Clone)]
pub struct Options {
    /// The frame of budget cases that name none themselves.
    pub frame: Frame,
    /// The values that must be reached.
    pub baseline: Baseline,
}

impl Default for Options {
    fn default() -> Self {
        Self { frame: Frame::Own(Format::Xml), baseline: Baseline::recorded() }
    }
}

/// Runs the cases of `corpus`, the JSON text of a file of this suite.
///
/// # Errors
///
/// When the text is no JSON of the suite's format, or a case contradicts itself. A case whose outcome
/// is not the expected one is no error; the report carries it.
pub fn run(suite: Suite, corpus: &str, options: &Options) -> Result<Report, EvalError> {
    let results = match suite {
        Suite::Routing => suites::routing::run(corpus, Weights::CONTRACT)?,
        Suite::CatalogBudget => suites::budget::run(corpus, options.frame)?,
        Suite::RemoteQuality => suites::remote_quality::run(corpus, quality::Weights::CONTRACT)?,
        Suite::RemoteGovernance => suites::remote_governance::run(corpus, Thresholds::CONTRACT)?,
        Suite::RemoteCache => suites::remote_cache::run(corpus, discovery::state)?,
        Suite::RemoteFallback => suites::remote_fallback::run(corpus)?,
        Suite::CacheGovernance => suites::cache_governance::run(corpus, &Criterion::ORDER)?,
        Suite::SemanticRouting => {
            suites::semantic_routing::run(corpus, suites::semantic_routing::Stage::CONTRACT)?
        }
        Suite::Retrieval => {
            let texts = suites::retrieval::Texts { queries: corpus, ..suites::retrieval::Texts::OWN };
            suites::retrieval::run(&texts.corpus()?)
        }
    };
    Ok(Report::new(suite, &results, &options.baseline))
}

/// Runs the retrieval suite on the texts of a folder.
///
/// # Errors
///
/// When one of them is not of its format.
pub fn run_retrieval(texts: &suites::retrieval::Texts<'_>, options: &Options) -> Result<Report, EvalError> {
    let results = suites::retrieval::run(&texts.corpus()?);
    Ok(Report::new(Suite::Retrieval, &results, &options.baseline))
}
