//! The arguments of the commands that search, fetch and store.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

/// Arguments of `search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// Words to look for, or a skill's name
    #[arg(value_name = "QUERY", required = true, num_args = 1..)]
    pub query: Vec<String>,
    /// The most remote results [default: remoteSearchLimit of the configuration]
    #[arg(long, value_name = "N")]
    pub limit: Option<String>,
    /// Ask only this source (may be repeated)
    #[arg(long, value_name = "SOURCE", value_enum)]
    pub source: Vec<SearchSource>,
    /// List every result of an owner instead of at most three first
    #[arg(long)]
    pub all: bool,
    /// Ask the sources again although a stored result is fresh
    #[arg(long)]
    pub refresh: bool,
    /// Print the requests that would be sent, and send nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Where `search` looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SearchSource {
    /// The skills on this machine.
    Local,
    /// The directory at skills.sh.
    #[value(name = "skills.sh")]
    SkillsSh,
    /// GitHub's code search (needs a token).
    Github,
}

/// Who is asked for, and what a mount belongs to.
#[derive(Debug, Args)]
pub struct ConsentArgs {
    /// Approve without being asked
    #[arg(short, long)]
    pub yes: bool,
    /// What the mount belongs to [default: this terminal]
    #[arg(long, value_name = "ID", value_hint = ValueHint::Other)]
    pub session: Option<String>,
}

/// Arguments of `mount`.
#[derive(Debug, Args)]
pub struct MountArgs {
    /// What to mount: the id of a search result, owner/repo//path[@ref], owner/repo@name, a GitHub URL, sha256:PREFIX, or a name
    #[arg(value_name = "SKILL", required = true, num_args = 1.., value_hint = ValueHint::Other)]
    pub skill: Vec<String>,
    /// Build the view in DIR/NAME instead of the session's folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub to: Option<PathBuf>,
    /// How long the store keeps it for the session, for instance 90m, 12h or 2d
    #[arg(long, value_name = "TIME", default_value = "12h")]
    pub ttl: String,
    /// Wait after mounting, and let the store keep it until standard input ends or a signal comes
    #[arg(long, conflicts_with = "ttl")]
    pub hold: bool,
    /// Mount without the files that are refused with this code, for instance `tree_symlink` (may be repeated)
    #[arg(long, value_name = "CODE")]
    pub allow: Vec<String>,
    /// Mount a commit that no branch of the repository leads to
    #[arg(long)]
    pub allow_unreachable: bool,
    /// How files are fetched [default: fetchTransport of the configuration]
    #[arg(long, value_name = "WAY", value_parser = ["auto", "api", "git"])]
    pub transport: Option<String>,
    /// Consent and session.
    #[command(flatten)]
    pub consent: ConsentArgs,
}

/// Arguments of `unmount`.
#[derive(Debug, Args)]
pub struct UnmountArgs {
    /// Names of mounted skills [default: all of the session]
    #[arg(value_name = "SKILL", value_hint = ValueHint::Other)]
    pub skill: Vec<String>,
    /// What the mounts belong to [default: this terminal]
    #[arg(long, value_name = "ID", value_hint = ValueHint::Other)]
    pub session: Option<String>,
    /// Remove files too that were changed or added since
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `cache`.
#[derive(Debug, Args)]
pub struct CacheArgs {
    /// The command; `list` when there is none.
    #[command(subcommand)]
    pub command: Option<CacheCommand>,
}

/// A command of `cache`.
#[derive(Debug, Subcommand)]
pub enum CacheCommand {
    /// List the stored skills with their pins
    List,
    /// Print the folder of the cache
    Dir,
    /// Read every stored file again and compare it with its digest; changes nothing without --repair
    #[command(
        after_help = "Exits with 4 when something is damaged and was not repaired. --repair fetches what is \
        damaged or missing again, from the same commit, and stores it only if it is what was stored \
        before.\n\nExamples:\n  skillflux cache verify\n  \
        skillflux cache verify --json | jq '.problems'\n  skillflux cache verify --repair"
    )]
    Verify(VerifyArgs),
    /// Remove skills that were not used for long, then the least used ones over the limits
    #[command(after_help = "What a mount holds is kept. Limits: cacheMaxEntries, cacheMaxTotalBytes, \
        cacheMaxIdleDays.\n\nExamples:\n  skillflux cache prune --dry-run\n  skillflux cache prune")]
    Prune(PruneArgs),
    /// Remove stored skills
    #[command(after_help = "What a mount holds is kept. Everything can be mounted again from its pin.\n\n\
        Examples:\n  skillflux cache clean sha256:4be1\n  skillflux cache clean --all")]
    Clean(CleanArgs),
}

/// Arguments of `cache verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Fetch damaged and missing skills again from their pins
    #[arg(long)]
    pub repair: bool,
}

/// Arguments of `cache prune`.
#[derive(Debug, Args)]
pub struct PruneArgs {
    /// Print what would be removed and why, and remove nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How many seconds to wait for other processes
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub wait: u64,
}

/// Arguments of `cache clean`.
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// The id or the digest of a stored skill, or a beginning of it
    #[arg(value_name = "ID", value_hint = ValueHint::Other, required_unless_present = "all", conflicts_with = "all")]
    pub id: Option<String>,
    /// Remove all, also what cannot be read
    #[arg(long)]
    pub all: bool,
    /// How many seconds to wait for other processes
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub wait: u64,
}

/// Arguments of `index`.
#[derive(Debug, Args)]
pub struct IndexArgs {
    /// The command; `status` when there is none.
    #[command(subcommand)]
    pub command: Option<IndexCommand>,
}

/// A command of `index`.
#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Say what the index holds and whether it is up to date for this folder
    #[command(
        after_help = "Nothing is changed: the next catalog in `routerMode: fulltext` brings it up to date.\n\n\
        Examples:\n  skillflux index status\n  skillflux index status --json | jq .current"
    )]
    Status,
    /// Remove the index and read every skill anew
    #[command(
        after_help = "Never needed to get right catalogs, since damage and changes are noticed. Catalogs of \
        other projects read what is theirs when they are asked for next.\n\n\
        Examples:\n  skillflux index rebuild\n  skillflux index rebuild --json | jq .skills"
    )]
    Rebuild,
}

/// Arguments of `discovery-cache`.
#[derive(Debug, Args)]
pub struct DiscoveryCacheArgs {
    /// The command; `status` when there is none.
    #[command(subcommand)]
    pub command: Option<DiscoveryCacheCommand>,
}

/// A command of `discovery-cache`.
#[derive(Debug, Subcommand)]
pub enum DiscoveryCacheCommand {
    /// Say how many search results are stored and how each source fares
    Status,
    /// Remove the stored search results, answers and cooldowns
    Clean,
}
