//! The arguments of the commands that show what is remembered of skills, and that hold them for others.

use std::ffi::OsString;

use clap::{Args, Subcommand, ValueHint};

use super::ConsentArgs;

/// Arguments of `usage`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct UsageArgs {
    /// List every skill instead of the 20 that were used most
    #[arg(long)]
    pub all: bool,
    /// The command; list when there is none.
    #[command(subcommand)]
    pub command: Option<UsageCommand>,
}

/// A command of `usage`.
#[derive(Debug, Subcommand)]
pub enum UsageCommand {
    /// Forget the uses of one skill or of all
    #[command(after_help = "Examples:\n  skillflux usage clear pdf\n  skillflux usage clear --all")]
    Clear(UsageClearArgs),
}

/// Arguments of `usage clear`.
#[derive(Debug, Args)]
pub struct UsageClearArgs {
    /// A name or a place that `skillflux usage` printed
    #[arg(value_name = "SKILL", value_hint = ValueHint::Other, required_unless_present = "all", conflicts_with = "all")]
    pub skill: Option<String>,
    /// Forget the uses of all skills
    #[arg(long)]
    pub all: bool,
}

/// Arguments of `exec`.
#[derive(Debug, Args)]
pub struct ExecArgs {
    /// Mount this skill first, as `skillflux mount` does (may be repeated)
    #[arg(long, value_name = "SKILL", value_hint = ValueHint::Other)]
    pub mount: Vec<String>,
    /// Consent and session.
    #[command(flatten)]
    pub consent: ConsentArgs,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub command: Vec<OsString>,
}
