//! What a person can type: clap types and help texts, and nothing else.
//!
//! The completion scripts, the man pages and the command reference are generated from here.

use std::{io, path::PathBuf};

use crate::skill::text::TermText;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum, ValueHint, error::ErrorKind};

mod complete;
mod eval;
mod model;
mod remote;
mod usage;

pub use complete::{Candidates, answer_shell};
pub use eval::{
    BlendArgs, CorpusArgs, EvalArgs, EvalCommand, EvalFormat, EvalFrame, EvalSuite, RetrievalArgs,
    RetrievalFormat, RetrievalMode, RetrievalPart, TrainArgs, TriggersArgs,
};
pub use model::{ModelAddArgs, ModelArgs, ModelCommand};
pub use remote::{
    CacheArgs, CacheCommand, CleanArgs, ConsentArgs, DiscoveryCacheArgs, DiscoveryCacheCommand, IndexArgs,
    IndexCommand, MountArgs, PruneArgs, SearchArgs, SearchSource, UnmountArgs, VerifyArgs,
};
pub use usage::{ExecArgs, UsageArgs, UsageClearArgs, UsageCommand};

/// Finds the few Agent Skills that fit a task and prints a catalog of them for a coding agent
#[derive(Debug, Parser)]
#[command(
    name = "skillflux",
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Examples:\n  \
        skillflux catalog \"extract the tables of this PDF\"\n  \
        skillflux search \"extract tables from PDF\"\n  \
        skillflux mount anthropics/skills//skills/pdf\n  \
        skillflux load pdf\n\n\
        `skillflux help COMMAND` has examples for each command.",
    after_long_help = "Examples:\n  \
        skillflux catalog \"extract the tables of this PDF\"\n  \
        skillflux search \"extract tables from PDF\"\n  \
        skillflux mount anthropics/skills//skills/pdf\n  \
        skillflux load pdf\n\n\
        Settings, each above the one before:\n  \
        defaults, config.yaml (`skillflux config path`), the `config:` section of a project's\n  \
        skillflux.yaml (which may narrow trust and limits, never widen them), SKILLFLUX_<KEY> in the\n  \
        environment (SKILLFLUX_MAX_ACTIVE_SKILLS=5), options.\n\n\
        Environment:\n  \
        SKILLFLUX_HOME    puts configuration, cache and state under one folder\n  \
        SKILLFLUX_CONFIG  the configuration file, in place of the usual one\n  \
        SKILLFLUX_SESSION what mounts belong to, in place of this terminal\n  \
        GITHUB_TOKEN, GH_TOKEN  the token for GitHub; sent to its API and git server, nowhere else\n  \
        GITHUB_API_URL, GITHUB_SERVER_URL, SKILLS_API_URL  other hosts, such as a company's own GitHub\n  \
        NO_COLOR          no colours\n\n\
        Exit codes:\n  \
        0 done, also when a catalog is empty   1 nothing found, or a check failed\n  \
        2 wrong arguments or settings          3 the network left no result\n  \
        4 bytes are not what they should be    5 refused by policy or a limit, or not approved\n  \
        6 offline and nothing stored           7 a rate limit is used up\n  \
        8 a token is missing or wrong          70 a defect in skillflux\n  \
        74 the disk or its permissions refused 130 interrupted"
)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: GlobalArgs,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalArgs {
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Read this configuration file instead of the person's own
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorWhen::Auto)]
    pub color: ColorWhen,
    /// Print no warnings
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say what is being done on standard error
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Send nothing; use what is stored
    #[arg(long, global = true)]
    pub offline: bool,
    /// Append the log to this file
    #[arg(long, global = true, value_name = "FILE")]
    pub log_file: Option<PathBuf>,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the catalog of the few skills that fit a task
    #[command(
        after_help = "Prints nothing when nothing fits (with --json, an empty list); the exit code is 0 \
        either way.\n\nExamples:\n  \
        skillflux catalog \"extract the tables of this PDF\"\n  \
        skillflux catalog --format markdown --max 2 \"review my SQL migration\"\n  \
        skillflux catalog --discover \"review my SQL migration\"\n  \
        echo \"$PROMPT\" | skillflux catalog --budget-tokens 400 -"
    )]
    Catalog(CatalogArgs),
    /// List every skill on this machine, with problems and shadowing
    #[command(after_help = "Examples:\n  skillflux list\n  skillflux list --agent claude-code\n  \
        skillflux list --json | jq '.problems'")]
    List(ListArgs),
    /// Show one skill: header, files, digest, and what a strict reader would object to
    #[command(after_help = "Examples:\n  skillflux show pdf-reader\n  skillflux show ./my-skill --json")]
    Show(SkillArgs),
    /// Print a skill's instructions and the list of its resources
    #[command(after_help = "Examples:\n  skillflux load pdf-reader\n  \
        skillflux load skill://skillflux/using-skillflux/SKILL.md")]
    Load(LoadArgs),
    /// Print one file of a skill
    #[command(
        after_help = "With --json the answer holds provenance, digest and MIME type, and is cut to 64 KiB.\n\n\
        Examples:\n  skillflux read prepare-decision references/decision-brief-template.md\n  \
        skillflux read pdf-reader scripts/extract.py --json"
    )]
    Read(ReadArgs),
    /// Say why each skill was or was not chosen for a task
    #[command(after_help = "Examples:\n  skillflux explain \"write release notes\"\n  \
        skillflux explain --all --json \"write release notes\"")]
    Explain(ExplainArgs),
    /// Search this machine, skills.sh and GitHub for skills
    #[command(
        after_help = "Every result has an id that `skillflux mount` takes. At most 128 characters of the \
        query are sent, without words that look like secrets.\n\nExamples:\n  \
        skillflux search \"extract tables from PDF\"\n  \
        skillflux search pdf --limit 10 --json\n  \
        skillflux search --dry-run \"review SQL\""
    )]
    Search(SearchArgs),
    /// Fetch skills of one commit, verify every byte, and make a folder of each for an agent
    #[command(
        after_help = "Prints the folder and the pin. Asks first on a terminal; elsewhere it needs --yes or \
        `approvalPolicy: automatic`. A yes is remembered for exactly those files of that commit. Only the skill's own files are fetched, and nothing is run.\n\n\
        Examples:\n  skillflux mount 4f1c0a9be2d37c5588a1e0f2\n  \
        skillflux mount anthropics/skills//skills/pdf --to ~/.claude/skills\n  \
        skillflux mount --yes anthropics/skills//skills/pdf@main obra/superpowers@brainstorming"
    )]
    Mount(MountArgs),
    /// Remove the folders that `mount` made and release what they held
    #[command(
        after_help = "Files that were changed or added since are kept and named, unless --force. The store keeps \
        what was fetched, and catalogs go on choosing from it, until `cache prune` or `cache clean`.\n\n\
        Examples:\n  skillflux unmount pdf\n  skillflux unmount --session ci-42"
    )]
    Unmount(UnmountArgs),
    /// Run a command while the store keeps the skills that it needs
    #[command(
        after_help = "The command gets SKILLFLUX_SESSION and, in SKILLFLUX_MOUNTS, the folder that holds the \
        mounted skills. The store keeps them until it ends; its exit code is that of the command.\n\n\
        Examples:\n  skillflux exec --mount anthropics/skills//skills/pdf -- ./agent.sh\n  \
        skillflux exec --yes --session ci-42 --mount pdf -- sh -c 'ls $SKILLFLUX_MOUNTS'"
    )]
    Exec(ExecArgs),
    /// Show how often skills were used, or forget it; alone, show
    #[command(
        after_help = "Counted on this machine only: loads, mounts, and the estimated tokens of loaded \
        bodies. `usageTracking: false` counts nothing.\n\nExamples:\n  skillflux usage\n  \
        skillflux usage --all --json | jq '.skills[] | select(.uses == 0)'\n  skillflux usage clear pdf"
    )]
    Usage(UsageArgs),
    /// List, verify, prune and clean the store of fetched skills; alone, list it
    Cache(CacheArgs),
    /// Show or remove stored search results; alone, show
    DiscoveryCache(DiscoveryCacheArgs),
    /// Add, list and remove local models that compare skills by meaning; alone, list
    #[command(
        after_help = "A model is used with `embeddingProvider: local`, by `semanticBlend` in `routerMode: fulltext` and by \
        `routerMode: hybrid`. It is copied, hashed, and never run: it is a table of numbers.\n\nExamples:\n  \
        skillflux model add ./potion-base-8M\n  skillflux model list --verify\n  \
        skillflux config set embeddingProvider local"
    )]
    Model(ModelArgs),
    /// Show or rebuild the search index of `routerMode: fulltext`; alone, show
    #[command(
        after_help = "The index keeps itself up to date: each catalog compares the stamps of folders and files \
        and reads what has changed.\n\n\
        Examples:\n  skillflux index\n  skillflux index rebuild"
    )]
    Index(IndexArgs),
    /// Show where skills are read from, how the store and the sources fare, and which settings are in force
    Status,
    /// Read and change the configuration; alone, list it
    Config(ConfigArgs),
    /// Run the evaluation corpora and print how well skills are chosen
    #[command(
        after_help = "Exits with 1 when a metric is below its recorded baseline or a case of a given corpus \
        fails.\n\nExamples:\n  skillflux eval\n  skillflux eval routing --format markdown\n  \
        skillflux eval --corpus ./corpus --frame upstream"
    )]
    Eval(EvalArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "The script completes commands and options. With --dynamic it asks skillflux itself, \
        so that skill names and keys are completed too (not for nushell).\n\nExamples:\n  \
        skillflux completions bash > ~/.local/share/bash-completion/completions/skillflux\n  \
        skillflux completions zsh --dynamic >> ~/.zshrc"
    )]
    Completions(CompletionsArgs),
    /// Print the manual page of skillflux or of one command
    #[command(
        after_help = "Examples:\n  skillflux man | man -l -\n  skillflux man catalog > skillflux-catalog.1"
    )]
    Man(ManArgs),
}

/// Arguments of `catalog`.
#[derive(Debug, Args)]
pub struct CatalogArgs {
    /// The task, as the person put it; `-` reads it from standard input
    pub task: String,
    /// The form of the catalog
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = CatalogFormat::Xml)]
    pub format: CatalogFormat,
    /// Search remote sources for what the skills on this machine leave open, and add what they offer
    #[arg(long)]
    pub discover: bool,
    /// What the offers belong to [default: this terminal]
    #[arg(long, value_name = "ID", value_hint = ValueHint::Other)]
    pub session: Option<String>,
    /// What stands above the configuration.
    #[command(flatten)]
    pub bounds: BoundArgs,
}

/// How large a catalog may become.
#[derive(Debug, Args)]
pub struct BoundArgs {
    /// The most skills in it [default: maxActiveSkills of the configuration]
    #[arg(long, value_name = "N")]
    pub max: Option<String>,
    /// The most estimated tokens it may cost, 0 for no limit [default: catalogTokenBudget]
    #[arg(long, value_name = "N")]
    pub budget_tokens: Option<String>,
}

/// The form of a catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CatalogFormat {
    /// The `available_skills` element of the Agent Skills reference library.
    Xml,
    /// One JSON document.
    Json,
    /// A Markdown list.
    Markdown,
    /// A line a skill: name, description, location.
    Lines,
    /// The prompt of Cloudflare's skills runtime.
    Cloudflare,
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only the folders that this agent reads (its id, for instance claude-code)
    #[arg(long, value_name = "ID", value_hint = ValueHint::Other)]
    pub agent: Option<String>,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct SkillArgs {
    /// A name, a folder, or a location that a catalog printed
    #[arg(value_name = "SKILL", value_hint = ValueHint::Other)]
    pub skill: String,
}

/// Arguments of `load`.
#[derive(Debug, Args)]
pub struct LoadArgs {
    /// A name, a folder, a location or id that a catalog printed, or what `mount` takes
    #[arg(value_name = "SKILL", value_hint = ValueHint::Other)]
    pub skill: String,
    /// Consent and session, for a skill that a catalog offered and that is not stored yet.
    #[command(flatten)]
    pub consent: ConsentArgs,
}

/// Arguments of `read`.
#[derive(Debug, Args)]
pub struct ReadArgs {
    /// A name, a folder, or a location that a catalog printed
    #[arg(value_name = "SKILL", value_hint = ValueHint::Other)]
    pub skill: String,
    /// The file's path inside the skill
    #[arg(value_hint = ValueHint::Other)]
    pub path: String,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The task, as the person put it; `-` reads it from standard input
    pub task: String,
    /// The catalog's form, whose cost is counted [default: what `catalog` would print: xml, or json with --json]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<CatalogFormat>,
    /// What stands above the configuration.
    #[command(flatten)]
    pub bounds: BoundArgs,
    /// Name every skill, also those far below the threshold or without a shared word
    #[arg(long)]
    pub all: bool,
}

/// Arguments of `config`.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// The command; `list` when there is none.
    #[command(subcommand)]
    pub command: Option<ConfigCommand>,
}

/// A command of `config`.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// List every key with its value and where the value comes from
    List,
    /// Print one value
    #[command(after_help = "Example:\n  skillflux config get maxActiveSkills")]
    Get {
        /// The key
        #[arg(value_hint = ValueHint::Other)]
        key: String,
    },
    /// Set a key in the person's configuration file
    #[command(after_help = "Examples:\n  skillflux config set maxActiveSkills 5\n  \
        skillflux config set customRoots '[~/work/skills]'")]
    Set {
        /// The key
        #[arg(value_hint = ValueHint::Other)]
        key: String,
        /// The value, as it would stand in the file
        #[arg(value_hint = ValueHint::Other)]
        value: String,
    },
    /// Take a key out of the person's configuration file
    Unset {
        /// The key
        #[arg(value_hint = ValueHint::Other)]
        key: String,
    },
    /// Print the path of the configuration file
    Path,
    /// Print the JSON Schema of the configuration file
    Schema,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
    /// Print the lines that make the shell ask skillflux itself
    #[arg(long)]
    pub dynamic: bool,
}

/// A shell with completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// GNU Bash.
    Bash,
    /// Z shell.
    Zsh,
    /// fish.
    Fish,
    /// PowerShell.
    Powershell,
    /// Elvish.
    Elvish,
    /// Nushell.
    Nushell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The command, for instance `catalog` or `config set` [default: skillflux itself]
    #[arg(value_hint = ValueHint::Other)]
    pub command: Vec<String>,
}

/// The whole command line, for the generators of scripts and pages.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Why there is no command to run.
#[derive(Debug)]
pub enum ParseError {
    /// Help or the version was printed.
    Printed,
    /// Help or the version could not be printed.
    NotPrinted(io::Error),
    /// The arguments are wrong.
    Usage {
        /// What is wrong with them, which may repeat them.
        message: String,
        /// The command that they are for, for instance `config set`; empty for none.
        command: String,
        /// Whether `--json` is among them.
        json: bool,
    },
}

/// Parses the process's arguments.
pub fn parse() -> Result<Cli, ParseError> {
    Cli::try_parse().map_err(|error| {
        let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
        if error.use_stderr() && !is_help {
            // The message repeats the arguments, so it is made once more from arguments that are safe
            // to show: what they hold must not be able to end a line of it.
            let shown =
                || std::env::args_os().map(|argument| TermText::new(&argument.to_string_lossy()).to_string());
            let message = Cli::try_parse_from(shown()).err().unwrap_or(error).render().to_string();
            return ParseError::Usage {
                message,
                command: command_of(shown().skip(1)),
                json: shown().any(|argument| argument == "--json"),
            };
        }
        match error.print() {
            // Help that nobody reads because the pipe is closed is no failure.
            Err(failure) if failure.kind() != io::ErrorKind::BrokenPipe => ParseError::NotPrinted(failure),
            _ => ParseError::Printed,
        }
    })
}

/// The words among `arguments` that name a command.
fn command_of(arguments: impl Iterator<Item = String>) -> String {
    let mut command = command();
    let mut words: Vec<String> = Vec::new();
    for argument in arguments {
        let Some(found) = command.find_subcommand(&argument) else { continue };
        command = found.clone();
        words.push(argument);
    }
    words.join(" ")
}
