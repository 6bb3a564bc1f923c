//! `completions`: scripts for shells, and the answers that a shell gets when it asks skillflux.
//!
//! The scripts are generated from the command line's own definition and kept in `completions/`. A
//! shell that was set up with `--dynamic` runs skillflux with `COMPLETE` set; then skill names are
//! candidates too. They come from outside, so only slugs are offered.

use std::process::ExitCode;

use super::{context::Context, failure::Failure};
use crate::{
    cli::{self, CompletionsArgs, GlobalArgs, Shell},
    config::{Config, Environment, KEYS},
    output::Output,
    skill::{agents, text::TermText},
    source::local::Standing,
};

/// Answers a shell that asked for candidates, and ends the process then.
pub fn answer_shell() {
    cli::answer_shell(skill_names, agent_ids, keys);
}

/// Prints the script.
pub(super) fn run(args: &CompletionsArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let script = if args.dynamic { registration(args.shell)? } else { script(args.shell).to_owned() };
    if global.json {
        let document = serde_json::json!({ "schema": "skillflux.completions/1", "script": script });
        output.json(&document)?;
    } else {
        output.data(script.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn script(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("../../completions/skillflux.bash"),
        Shell::Zsh => include_str!("../../completions/_skillflux"),
        Shell::Fish => include_str!("../../completions/skillflux.fish"),
        Shell::Powershell => include_str!("../../completions/_skillflux.ps1"),
        Shell::Elvish => include_str!("../../completions/skillflux.elv"),
        Shell::Nushell => include_str!("../../completions/skillflux.nu"),
    }
}

/// The lines that a shell's start-up file needs to ask skillflux itself.
fn registration(shell: Shell) -> anyhow::Result<String> {
    let line = match shell {
        Shell::Bash => "source <(COMPLETE=bash skillflux)",
        Shell::Zsh => "source <(COMPLETE=zsh skillflux)",
        Shell::Fish => "COMPLETE=fish skillflux | source",
        Shell::Powershell => {
            "$env:COMPLETE = \"powershell\"; skillflux | Out-String | Invoke-Expression; Remove-Item Env:\\COMPLETE"
        }
        Shell::Elvish => "eval (E:COMPLETE=elvish skillflux | slurp)",
        Shell::Nushell => return Err(Failure::NoDynamicCompletions { shell: "nushell" }.into()),
    };
    Ok(format!("{line}\n"))
}

fn agent_ids() -> Vec<(String, String)> {
    agents::agents().map(|agent| (agent.id.to_owned(), agent.name.to_owned())).collect()
}

fn keys() -> Vec<(String, String)> {
    KEYS.iter().map(|key| (key.name.to_owned(), key.doc.to_owned())).collect()
}

/// The names of active skills. A person who is typing is shown no error: without settings that can
/// be read there are no candidates.
fn skill_names() -> Vec<(String, String)> {
    let Ok(environment) = Environment::capture() else { return Vec::new() };
    let Ok(config) = Config::load(&environment, None, &[]) else { return Vec::new() };
    let discovery = Context { environment, config, offline: true }.discover(false);
    discovery
        .skills
        .iter()
        .filter(|skill| skill.standing == Standing::Active)
        .map(|skill| {
            let help = TermText::with_width(&skill.frontmatter.description, 60);
            (skill.slug().to_string(), help.to_string())
        })
        .collect()
}
