//! The arguments of `eval`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub struct EvalArgs {
    /// Suites to run [default: all]
    #[arg(value_enum, value_name = "SUITE")]
    pub suites: Vec<EvalSuite>,
    /// Read the corpora from this folder instead of those that come with skillflux
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// The fixed text that the catalog-budget suite prices
    #[arg(long, value_enum, value_name = "FRAME", default_value_t = EvalFrame::Xml)]
    pub frame: EvalFrame,
    /// The form of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = EvalFormat::Text)]
    pub format: EvalFormat,
}

/// A suite of the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EvalSuite {
    /// Which skills are chosen.
    Routing,
    /// What fits into a token budget.
    CatalogBudget,
    /// Which of two remote candidates has the higher quality score.
    RemoteQuality,
    /// What is known of a candidate's origin, and which policies admit it.
    RemoteGovernance,
    /// How long a search result may be used.
    RemoteCache,
    /// Which of several offers of one name are tried.
    RemoteFallback,
    /// Which stored skills are removed first.
    CacheGovernance,
    /// What similarity of meaning adds to what words chose.
    SemanticRouting,
}

/// The text around the skills that the catalog-budget suite prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EvalFrame {
    /// The catalog as skillflux prints it, as xml.
    Xml,
    /// As json.
    Json,
    /// As markdown.
    Markdown,
    /// As lines.
    Lines,
    /// As cloudflare.
    Cloudflare,
    /// The 366 bytes of the original plugin's message.
    Upstream,
}

/// The form of the evaluation's report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EvalFormat {
    /// Aligned text.
    Text,
    /// One JSON document.
    Json,
    /// A Markdown table.
    Markdown,
}
