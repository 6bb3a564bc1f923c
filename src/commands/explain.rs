//! `explain`: why each skill was or was not chosen for a task.

use std::process::ExitCode;

use super::{
    context::{self, Context},
    routing::{self, Routed},
};
use crate::{
    cli::{ExplainArgs, GlobalArgs},
    output::{Output, human, json, wire},
    rank::lexical::Parts,
    route::select::{How, Reason},
    source::local::{Discovery, Standing},
};

/// Prints the explanation.
pub(super) fn run(args: &ExplainArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &routing::flags(&args.catalog))?;
    let task = context::read_task(&args.catalog.task)?;
    let format = routing::format(args.catalog.format);
    let discovery = context.discover(true);
    let routed = routing::route(&context, &discovery, &task, format);
    let mut explained = candidates(&routed);
    explained.extend(not_candidates(&discovery));
    let all = explained.len();
    if !args.all {
        explained.retain(|(silent, _)| !silent);
    }
    let document = wire::Explain {
        schema: "skillflux.explain/1",
        router: "lexical",
        limit: context.config.max_active_skills(),
        min_score: context.config.min_route_score(),
        budget: context.config.catalog_token_budget(),
        format: format.as_str(),
        tokens: routed.tokens,
        unlisted: all - explained.len(),
        candidates: explained.into_iter().map(|(_, candidate)| candidate).collect(),
    };
    if global.json {
        output.data(json::render(&document)?.as_bytes())?;
    } else {
        output.text(&human::explain(&document))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Every candidate with whether it shares nothing with the task; chosen ones first in their order,
/// the others by score and name.
fn candidates(routed: &Routed) -> Vec<(bool, wire::Explained)> {
    let mut order: Vec<usize> = (0..routed.candidates.len()).collect();
    let place = |index: usize| routed.chosen.iter().position(|&chosen| chosen == index);
    order.sort_by_cached_key(|&index| {
        let score = routed.selection.outcomes[index].score.total;
        (place(index).unwrap_or(usize::MAX), std::cmp::Reverse(score), routed.candidates[index].slug.clone())
    });
    order.into_iter().map(|index| explained(routed, index)).collect()
}

fn explained(routed: &Routed, index: usize) -> (bool, wire::Explained) {
    let candidate = &routed.candidates[index];
    let outcome = &routed.selection.outcomes[index];
    let by_rule = routed.selection.picks.iter().any(|pick| pick.index == index && pick.how == How::Rule);
    let (word, detail) = if let Some(tokens) = routed.over_budget.get(&index) {
        ("over-budget", Some(format!("the catalog would cost {tokens} tokens with it")))
    } else if routed.chosen.contains(&index) {
        let detail = match outcome.reason {
            Reason::Rule { rule } => Some(format!("by rule {}", rule + 1)),
            _ => None,
        };
        ("chosen", detail)
    } else {
        match outcome.reason {
            Reason::Rule { .. } | Reason::Chosen | Reason::OverLimit => ("over-limit", None),
            Reason::Invoked => ("invoked", Some("the person called it by name".to_owned())),
            Reason::BelowThreshold => ("below-threshold", None),
            Reason::SameName { winner } => {
                ("same-name", Some(format!("as the one of {}", routed.candidates[winner].source)))
            }
            Reason::NoMatch => ("no-match", None),
        }
    };
    let explained = wire::Explained {
        name: candidate.slug.to_string(),
        root: candidate.source.clone(),
        outcome: word,
        detail,
        by_rule,
        score: Some(outcome.score.total + outcome.boost),
        parts: parts(&outcome.score.parts),
        boost: outcome.boost,
    };
    (outcome.reason == Reason::NoMatch, explained)
}

/// The parts of a score that are not zero.
fn parts(parts: &Parts) -> Vec<(&'static str, u64)> {
    let all = [
        ("name phrase", parts.name_phrase),
        ("name", parts.name),
        ("when to use", parts.when_to_use),
        ("description", parts.description),
        ("han bonus", parts.han_bonus),
    ];
    all.into_iter().filter(|(_, points)| *points > 0).collect()
}

/// Skills that are never candidates, and why; listed only on demand.
fn not_candidates(discovery: &Discovery) -> impl Iterator<Item = (bool, wire::Explained)> {
    discovery.skills.iter().filter_map(|skill| {
        let (outcome, detail) = match &skill.standing {
            Standing::Shadowed(winner) => {
                let winner = &discovery.skills[*winner];
                ("shadowed", Some(format!("by the one of {}", discovery.roots[winner.root].root.label)))
            }
            Standing::Nested(_) => ("nested", Some("loaded only by name or path".to_owned())),
            Standing::Active if !skill.frontmatter.model_invocable => {
                ("not-for-models", Some("its header says so".to_owned()))
            }
            Standing::Active => return None,
        };
        let explained = wire::Explained {
            name: skill.slug().to_string(),
            root: discovery.roots[skill.root].root.label.clone(),
            outcome,
            detail,
            by_rule: false,
            score: None,
            parts: Vec::new(),
            boost: 0,
        };
        Some((true, explained))
    })
}
