//! `list`: every skill on this machine, and every file that failed to be one.

use std::{collections::BTreeSet, process::ExitCode};

use super::{context::Context, failure::Failure, wire_skill};
use crate::{
    cli::{GlobalArgs, ListArgs},
    config::nearest,
    output::{Output, human, wire},
    skill::agents,
    source::local::LocalSkill,
};

/// Prints the list.
pub(super) fn run(args: &ListArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &[])?;
    if let Some(id) = &args.agent
        && !agents::agents().any(|agent| agent.id == id)
    {
        let ids = || agents::agents().map(|agent| agent.id);
        let similar = ids().find(|known| known.starts_with(id.as_str())).map(str::to_owned);
        let similar = similar.or_else(|| nearest(id, ids()));
        let known = ids().collect::<Vec<_>>().join(" ");
        return Err(Failure::UnknownAgent { id: id.clone(), similar, known }.into());
    }
    let discovery = context.discover(true);
    let roots = args.agent.as_ref().map(|id| discovery.roots_of(id));
    let is_wanted = |root: usize| roots.as_ref().is_none_or(|roots| roots.contains(&root));
    // A skill that the agent reaches by a link is shown under the root where it really is.
    let is_reached = |skill: &&LocalSkill| {
        is_wanted(skill.root) || skill.aliases.iter().any(|alias| is_wanted(alias.root))
    };
    let shown: BTreeSet<usize> = discovery.skills.iter().filter(is_reached).map(|skill| skill.root).collect();
    let document = wire::List {
        schema: "skillflux.list/1",
        roots: (0..discovery.roots.len())
            .filter(|&root| is_wanted(root) || shown.contains(&root))
            .map(|root| wire_skill::root(&discovery.roots[root]))
            .collect(),
        skills: discovery
            .skills
            .iter()
            .filter(is_reached)
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
    if let (Some(id), true) = (&args.agent, document.roots.is_empty()) {
        output.warning(&format!(
            "`{id}` has no skill folder here; it reads {}",
            context.folders_of(id).join(", ")
        ));
    }
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::list(&document, output.width()))?;
    }
    Ok(ExitCode::SUCCESS)
}
