//! `explain`: why each skill was or was not chosen for a task.

use std::process::ExitCode;

use super::{
    context::{self, Context},
    routing::{self, Routed},
    semantic,
};
use crate::{
    candidate::vector::Similarity,
    cli::{CatalogFormat, ExplainArgs, GlobalArgs},
    output::{Output, human, wire},
    rank::{
        lexical::{self, Parts, Query},
        text::normalise,
    },
    route::{
        rules,
        select::{How, Reason},
    },
    source::local::{Discovery, LocalSkill, Standing},
};

/// Prints the explanation.
pub(super) fn run(args: &ExplainArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &routing::flags(&args.bounds))?;
    let task = context::read_task(&args.task)?;
    let default = if global.json { CatalogFormat::Json } else { CatalogFormat::Xml };
    let format = routing::format(args.format.unwrap_or(default));
    let discovery = context.discover(true);
    let routed = routing::route(&context, &discovery, &task, format, output);
    let mut explained = candidates(&routed);
    explained.extend(not_candidates(&discovery, &routed, &task));
    let all = explained.len();
    if !args.all {
        let mut far = 0;
        explained.retain(|candidate| {
            far += usize::from(candidate.outcome == "below-threshold");
            let is_far = candidate.outcome == "below-threshold" && far > MOST_BELOW_THRESHOLD;
            let decided =
                ["chosen", "over-budget", "over-limit", "invoked", "damaged"].contains(&candidate.outcome);
            !is_far && (decided || candidate.score > 0)
        });
    }
    if semantic::router(&context.config) != "hybrid" {
        for candidate in &mut explained {
            candidate.selection = None;
        }
    }
    let document = wire::Explain {
        schema: "skillflux.explain/1",
        router: semantic::router(&context.config),
        limit: context.config.max_active_skills(),
        min_score: context.config.min_route_score(),
        budget: context.config.catalog_token_budget(),
        format: format.as_str(),
        tokens: routed.tokens,
        unlisted: all - explained.len(),
        notes: rule_notes(&context, &routed, &task),
        candidates: explained,
    };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::explain(&document))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How many skills below the threshold are named without `--all`.
const MOST_BELOW_THRESHOLD: usize = 10;

/// What is odd about the rules that match the task: skills they name that cannot be chosen.
fn rule_notes(context: &Context, routed: &Routed, task: &str) -> Vec<String> {
    let task = normalise(task);
    let prompt = rules::Prompt::new(&task);
    let is_known = |name: &String| {
        routed.candidates.iter().any(|candidate| candidate.name == *name || candidate.slug.as_str() == name)
    };
    let mut notes = Vec::new();
    for (index, rule) in context.config.routes().iter().enumerate() {
        if rules::matches(rule, &prompt) {
            let missing = rule.skills.iter().filter(|name| !is_known(name));
            notes.extend(missing.map(|name| {
                format!("rule {} matches and names `{name}`, which is no skill that can be chosen", index + 1)
            }));
        }
    }
    notes
}

/// Every candidate; chosen ones first in their order, the others by score and name.
fn candidates(routed: &Routed) -> Vec<wire::Explained> {
    let mut order: Vec<usize> = (0..routed.candidates.len()).collect();
    let place = |index: usize| routed.chosen.iter().position(|&chosen| chosen == index);
    order.sort_by_cached_key(|&index| {
        let score = routed.selection.outcomes[index].score.total;
        (place(index).unwrap_or(usize::MAX), std::cmp::Reverse(score), routed.candidates[index].slug.clone())
    });
    order.into_iter().map(|index| explained(routed, index)).collect()
}

fn explained(routed: &Routed, index: usize) -> wire::Explained {
    let candidate = &routed.candidates[index];
    let outcome = &routed.selection.outcomes[index];
    let pick = routed.selection.picks.iter().find(|pick| pick.index == index);
    let by_rule = pick.is_some_and(|pick| pick.how == How::Rule);
    let by_meaning = pick.filter(|pick| pick.how == How::Embedding);
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
            Reason::Rule { .. } | Reason::Chosen | Reason::Alike | Reason::OverLimit => ("over-limit", None),
            Reason::Invoked => ("invoked", Some("the person called it by name".to_owned())),
            Reason::BelowThreshold => ("below-threshold", None),
            Reason::SameName { winner } => {
                ("same-name", Some(format!("as the one of {}", routed.candidates[winner].source)))
            }
            Reason::NoMatch => ("no-match", None),
        }
    };
    wire::Explained {
        name: candidate.slug.to_string(),
        root: candidate.source.clone(),
        outcome: word,
        detail,
        by_rule,
        score: by_meaning.map_or(outcome.score.total + outcome.boost, |pick| pick.score),
        parts: parts(&outcome.score.parts),
        boost: outcome.boost,
        similarity: outcome.similarity.map(Similarity::cosine),
        selection: pick.map(|pick| match pick.how {
            How::Rule => "rule",
            How::Lexical => "lexical",
            How::Embedding => "embedding",
        }),
    }
}

/// The parts of a score.
fn parts(parts: &Parts) -> wire::ScoreParts {
    wire::ScoreParts {
        name_phrase: parts.name_phrase,
        name: parts.name,
        when_to_use: parts.when_to_use,
        description: parts.description,
        han_bonus: parts.han_bonus,
    }
}

/// Skills that are never candidates, with the score that they would have.
fn not_candidates(discovery: &Discovery, routed: &Routed, task: &str) -> Vec<wire::Explained> {
    let query = Query::new(task);
    let explain = |(index, skill): (usize, &LocalSkill)| {
        let (outcome, detail) = match &skill.standing {
            _ if routed.damaged.contains_key(&index) => ("damaged", routed.damaged[&index].clone()),
            _ if routed.skills.binary_search(&index).is_ok() => return None,
            Standing::Shadowed(winner) => {
                let winner = &discovery.skills[*winner];
                ("shadowed", format!("by the one of {}", discovery.roots[winner.root].root.label))
            }
            Standing::Nested(_) => ("nested", "loaded only by name or path".to_owned()),
            Standing::Active if !skill.frontmatter.model_invocable => {
                ("not-for-models", "its header says so".to_owned())
            }
            Standing::Active => return None,
        };
        let score = lexical::score(&query, &skill.candidate(&discovery.roots));
        Some(wire::Explained {
            name: skill.slug().to_string(),
            root: discovery.roots[skill.root].root.label.clone(),
            outcome,
            detail: Some(detail),
            by_rule: false,
            score: score.total,
            parts: parts(&score.parts),
            boost: 0,
            similarity: None,
            selection: None,
        })
    };
    discovery.skills.iter().enumerate().filter_map(explain).collect()
}
