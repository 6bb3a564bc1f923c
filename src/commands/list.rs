//! `list`: every skill on this machine, and every file that failed to be one.

use std::process::ExitCode;

use super::{context::Context, failure::Failure, wire_skill};
use crate::{
    cli::{GlobalArgs, ListArgs},
    config::nearest,
    output::{Output, human, json, wire},
    skill::agents,
};

/// Prints the list.
pub(super) fn run(args: &ListArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &[])?;
    if let Some(id) = &args.agent
        && !agents::agents().any(|agent| agent.id == id)
    {
        let similar = nearest(id, agents::agents().map(|agent| agent.id));
        return Err(Failure::UnknownAgent { id: id.clone(), similar }.into());
    }
    let discovery = context.discover(true);
    let is_wanted = |root: usize| match &args.agent {
        Some(id) => discovery.roots[root].root.agents.contains(&id.as_str()),
        None => true,
    };
    let document = wire::List {
        schema: "skillflux.list/1",
        roots: (0..discovery.roots.len())
            .filter(|&root| is_wanted(root))
            .map(|root| wire_skill::root(&discovery.roots[root]))
            .collect(),
        skills: discovery
            .skills
            .iter()
            .filter(|skill| is_wanted(skill.root))
            .map(|skill| wire_skill::skill(skill, &discovery))
            .collect(),
        problems: discovery
            .problems
            .iter()
            .filter(|problem| is_wanted(problem.root))
            .map(|problem| wire::Problem {
                root: discovery.roots[problem.root].root.label.clone(),
                path: problem.path.display().to_string(),
                diagnostic: wire_skill::diagnostic(&problem.diagnostic),
            })
            .collect(),
    };
    if global.json {
        output.data(json::render(&document)?.as_bytes())?;
    } else {
        output.text(&human::list(&document, output.width()))?;
    }
    Ok(ExitCode::SUCCESS)
}
