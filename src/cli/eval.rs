//! The arguments of `eval`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

/// Arguments of `eval`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct EvalArgs {
    /// What to do with files of skills and prompts.
    #[command(subcommand)]
    pub command: Option<EvalCommand>,
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

/// A command below `eval`.
#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// Measure how well prompts with known answers find their skills
    #[command(
        after_help = "The files are plain JSON lines (unpack .xz first): skills {id, name, description, when?, body, \
        lang?}, queries and searches {id?, query, gold: [ID], gold_mode?: any|all, kind?, lang?}, negatives {query, \
        not_gold: [ID], or \"*\" where nothing fits}. Figures are measured on the order before it is cut, with 95% \
        intervals that draw whole skills.\n\nExamples:\n  \
        skillflux eval retrieval --skills skills.jsonl --queries queries.jsonl --negatives negatives.jsonl\n  \
        skillflux eval retrieval --skills skills.jsonl --queries queries.jsonl --mode bm25f --json > bm25f.json\n  \
        skillflux eval retrieval --skills skills.jsonl --queries queries.jsonl --compare bm25f.json\n  \
        skillflux eval retrieval --skills skills.jsonl --queries queries.jsonl --pool 200 --without body\n  \
        skillflux eval retrieval --skills skills.jsonl --queries queries.jsonl --blend 0.2 --model wordllama"
    )]
    Retrieval(RetrievalArgs),
    /// Make the table of weights that orders the best candidates
    #[command(
        after_help = "The same files give the same table. With --folds nothing is written: the prompts of each part \
        of the skills are measured with weights that were learned from the other parts.\n\nExamples:\n  \
        skillflux eval train --skills skills.jsonl --queries queries.jsonl --negatives negatives.jsonl --out weights.tsv\n  \
        skillflux eval train --skills skills.jsonl --queries queries.jsonl --negatives negatives.jsonl --folds 5"
    )]
    Train(TrainArgs),
    /// Try a skill with the prompts that its author wrote beside it
    #[command(
        after_help = "Reads evals/trigger-eval.json and the other names and forms that are in use: lists of {query or \
        prompt, should_trigger}, lists below should_trigger and should_not_trigger, JSON, JSON lines, CSV and YAML. A \
        skill fires when a catalog with the default settings of `routerMode: fulltext` has it, or when the prompt \
        calls it as /NAME. What is advised was tried by scoring the skill again. Exits with 1 when it does not fire \
        as it should, or an entry cannot be tried.\n\nExamples:\n  \
        skillflux eval triggers ./my-skill\n  \
        skillflux eval triggers ./my-skill --pool ./skills --json\n  \
        skillflux eval triggers ./my-skill --file prompts.csv --pool skills.jsonl"
    )]
    Triggers(TriggersArgs),
}

/// The files of a retrieval corpus.
#[derive(Debug, Args)]
pub struct CorpusArgs {
    /// The skills [default: the project's own corpus, with its prompts]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub skills: Option<PathBuf>,
    /// Prompts with their right skills
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "skills")]
    pub queries: Option<PathBuf>,
    /// Searches of a few words with their right skills
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "skills")]
    pub searches: Option<PathBuf>,
    /// Prompts with skills that are wrong for them
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "skills")]
    pub negatives: Option<PathBuf>,
    /// Prompts, each with a skill that was made to win it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "skills")]
    pub attacks: Option<PathBuf>,
}

/// Likeness of meaning in the order of `fulltext`.
#[derive(Debug, Args)]
pub struct BlendArgs {
    /// The share of likeness of meaning in the order, 0 to 0.5, as `semanticBlend` has it
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub blend: Option<f64>,
    /// The local model that compares [default: the only one]
    #[arg(long, value_name = "NAME", requires = "blend")]
    pub model: Option<String>,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=0.5).contains(share));
    share.ok_or_else(|| "it is no number from 0 to 0.5".to_owned())
}

/// Arguments of `eval retrieval`.
#[derive(Debug, Args)]
pub struct RetrievalArgs {
    /// The files.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// The way to order
    #[arg(long, value_enum, value_name = "MODE", default_value_t = RetrievalMode::Fulltext)]
    pub mode: RetrievalMode,
    /// Parts to do without, to see what each is worth
    #[arg(long, value_enum, value_name = "PART", value_delimiter = ',')]
    pub without: Vec<RetrievalPart>,
    /// Search pools of this many skills, drawn by chance, that hold what their prompts name
    #[arg(long, value_name = "N")]
    pub pool: Option<usize>,
    /// What the draw begins from
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Likeness of meaning.
    #[command(flatten)]
    pub blend: BlendArgs,
    /// A table of weights in place of this release's, as `eval train` writes it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub weights: Option<PathBuf>,
    /// A run that was recorded with --json, to be compared with by a paired test
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub compare: Option<PathBuf>,
    /// The form of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = RetrievalFormat::Text)]
    pub format: RetrievalFormat,
}

/// A way to order skills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RetrievalMode {
    /// BM25F, then the order of the best by their features.
    Fulltext,
    /// BM25F alone.
    Bm25f,
    /// The lexical contract.
    Lexical,
}

/// A part of the ranking that a run can do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RetrievalPart {
    /// The list of words that say nothing.
    StopWords,
    /// One term for all forms of a word.
    Stems,
    /// English words for Chinese ones.
    Translations,
    /// The order of the best by their features.
    Rescorer,
    /// The bodies of skills.
    Body,
    /// The headings of bodies.
    Headings,
    /// The prose of bodies.
    Prose,
    /// The code of bodies.
    Code,
    /// What skills say that they are not for.
    Refusals,
    /// One place for all copies of a skill.
    Copies,
}

/// The form of a retrieval report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RetrievalFormat {
    /// Aligned text.
    Text,
    /// One JSON document.
    Json,
    /// A Markdown table.
    Markdown,
    /// A plot: the measures, and what each threshold costs and saves.
    Svg,
}

/// Arguments of `eval train`.
#[derive(Debug, Args)]
pub struct TrainArgs {
    /// The files.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Learn from the project's own corpus too
    #[arg(long)]
    pub own: bool,
    /// Where to write the table
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present_any = ["folds", "common"])]
    pub out: Option<PathBuf>,
    /// Where to write how many of 1,000 skills have each common word
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub common: Option<PathBuf>,
    /// Measure instead, in this many parts
    #[arg(long, value_name = "N", conflicts_with = "out", value_parser = clap::value_parser!(u8).range(2..=20))]
    pub folds: Option<u8>,
    /// Likeness of meaning, in what is measured.
    #[command(flatten)]
    pub blend: BlendArgs,
    /// The form of what is measured
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = RetrievalFormat::Text)]
    pub format: RetrievalFormat,
}

/// Arguments of `eval triggers`.
#[derive(Debug, Args)]
pub struct TriggersArgs {
    /// The folder of the skill
    #[arg(value_name = "SKILL_DIR", value_hint = ValueHint::DirPath)]
    pub skill: String,
    /// A trigger file in place of those of the skill; may be given more than once
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Vec<PathBuf>,
    /// A folder of skills, or a file as `eval retrieval --skills` takes it; may be given more than once [default: the
    /// skills that `catalog` chooses from]
    #[arg(long, value_name = "DIR|FILE", value_hint = ValueHint::AnyPath)]
    pub pool: Vec<PathBuf>,
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
    /// Where right skills stand in the order of `fulltext`, and what is printed.
    Retrieval,
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
