//! What a shell is offered when it asks skillflux itself.

use clap_complete::{
    CompleteEnv,
    engine::{ArgValueCandidates, CompletionCandidate},
};

use super::command;

/// Values that a shell may offer, each with a line of help.
pub type Candidates = fn() -> Vec<(String, String)>;

/// Answers a shell that runs skillflux with `COMPLETE` set, and ends the process then.
pub fn answer_shell(skills: Candidates, agents: Candidates, keys: Candidates) {
    CompleteEnv::with_factory(|| {
        let with_keys = |command: clap::Command| command.mut_arg("key", |arg| arg.add(values(keys)));
        let with_commands =
            |command: clap::Command| command.mut_arg("command", |arg| arg.add(values(commands)));
        let with_skills = |command: clap::Command| command.mut_arg("skill", |arg| arg.add(values(skills)));
        command()
            .mut_subcommand("show", with_skills)
            .mut_subcommand("load", with_skills)
            .mut_subcommand("read", |command| {
                with_skills(command).mut_arg("path", |arg| arg.add(values(Vec::new)))
            })
            .mut_subcommand("config", |command| {
                // Changing an argument moves it behind the others, so the second one is moved too.
                let with_value = |command| with_keys(command).mut_arg("value", |arg| arg);
                command
                    .mut_subcommand("get", with_keys)
                    .mut_subcommand("set", with_value)
                    .mut_subcommand("unset", with_keys)
            })
            .mut_subcommand("man", with_commands)
            .mut_subcommand("list", |command| command.mut_arg("agent", |arg| arg.add(values(agents))))
    })
    .complete();
}

/// The commands that have a manual page.
fn commands() -> Vec<(String, String)> {
    let help = |command: &clap::Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    command().get_subcommands().map(|command| (command.get_name().to_owned(), help(command))).collect()
}

fn values(candidates: Candidates) -> ArgValueCandidates {
    ArgValueCandidates::new(move || {
        let candidate =
            |(value, help): (String, String)| CompletionCandidate::new(value).help(Some(help.into()));
        candidates().into_iter().map(candidate).collect()
    })
}
