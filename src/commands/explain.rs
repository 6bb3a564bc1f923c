//! `explain`: why each skill was or was not chosen for a task.

use std::{collections::BTreeSet, path::PathBuf, process::ExitCode};

use super::{
    context::{self, Context},
    pool::{Pool, Relevant},
    routing::{self, Routed},
};
use crate::{
    candidate::vector::Similarity,
    cli::{CatalogFormat, ExplainArgs, GlobalArgs},
    config::RouterMode,
    output::{Output, human, wire, wire_fulltext},
    rank::{
        features::{FEATURES, NAMES},
        fulltext::fields::Field,
        fuse::Model,
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
    let (pool, routed) = routing::route(&context, &task, true, format, output);
    let mut explained = candidates(&pool, &routed);
    if pool.relevant.is_some() {
        explained.extend(unfound(&context.discover(true), &pool, &routed));
    } else {
        explained.extend(not_candidates(&pool.discovery, &routed, &task));
    }
    let all = explained.len();
    if !args.all {
        let mut far = 0;
        explained.retain(|candidate| {
            far += usize::from(candidate.outcome == "below-threshold");
            let is_far = candidate.outcome == "below-threshold" && far > MOST_BELOW_THRESHOLD;
            let decided = ["chosen", "over-budget", "over-limit", "outdone", "copy", "invoked", "damaged"]
                .contains(&candidate.outcome);
            !is_far && (decided || candidate.score > 0)
        });
    }
    if context.config.router_mode() != RouterMode::Hybrid {
        for candidate in &mut explained {
            candidate.selection = None;
        }
    }
    let document = wire::Explain {
        schema: "skillflux.explain/1",
        router: context.config.router_mode().as_str(),
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
fn candidates(pool: &Pool, routed: &Routed) -> Vec<wire::Explained> {
    let mut order: Vec<usize> = (0..routed.candidates.len()).collect();
    let place = |index: usize| routed.chosen.iter().position(|&chosen| chosen == index);
    if pool.relevant.is_some() {
        // They are in the order of the rescorer already.
        order.sort_by_key(|&index| place(index).unwrap_or(usize::MAX));
    } else {
        order.sort_by_cached_key(|&index| {
            let score = routed.selection.outcomes[index].score.total;
            let name = routed.candidates[index].slug.clone();
            (place(index).unwrap_or(usize::MAX), std::cmp::Reverse(score), name)
        });
    }
    order.into_iter().map(|index| explained(pool, routed, index)).collect()
}

fn explained(pool: &Pool, routed: &Routed, index: usize) -> wire::Explained {
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
            Reason::Outdone => ("outdone", Some("by one that is far more likely".to_owned())),
            Reason::SameName { winner } => {
                ("same-name", Some(format!("as the one of {}", routed.candidates[winner].source)))
            }
            Reason::NoMatch => ("no-match", None),
        }
    };
    let compared = pool.relevant.as_ref().and_then(|relevant| relevant.scored_of(routed.skills[index]));
    let similarity = outcome.similarity.or_else(|| compared?.1.similarity);
    wire::Explained {
        name: candidate.slug.to_string(),
        root: candidate.source.clone(),
        outcome: word,
        detail,
        by_rule,
        score: by_meaning.map_or(outcome.score.total + outcome.boost, |pick| pick.score),
        parts: parts(&outcome.score.parts),
        fulltext: pool.relevant.as_ref().and_then(|relevant| fulltext(relevant, routed.skills[index])),
        boost: outcome.boost,
        similarity: similarity.map(Similarity::cosine),
        selection: pick.map(|pick| match pick.how {
            How::Rule => "rule",
            How::Lexical => "lexical",
            How::Fulltext => "fulltext",
            How::Embedding => "embedding",
        }),
    }
}

/// How many features are named, the largest parts of the order.
const NAMED_FEATURES: usize = 12;

/// What full-text search says of a skill of the pool.
fn fulltext(relevant: &Relevant, skill: usize) -> Option<wire_fulltext::Fulltext> {
    let (rank, scored) = relevant.scored_of(skill)?;
    let mut terms: Vec<wire_fulltext::MatchedTerm> = Vec::new();
    for lookup in &relevant.found.lookups {
        let counts = lookup.counts(scored.document);
        let fields: Vec<&'static str> =
            Field::ALL.into_iter().filter(|&field| counts[field as usize] > 0).map(Field::as_str).collect();
        if !fields.is_empty() {
            let term = relevant.prompt.terms[lookup.place].word.clone();
            terms.push(wire_fulltext::MatchedTerm { term, weight: rounded(lookup.weight), fields });
        }
    }
    terms.sort_by(|left, right| right.weight.total_cmp(&left.weight));
    let model = Model::measured();
    let adds = |place: usize| model.weight(place, relevant.prompt.terms.len()) * scored.features[place];
    let mut places: Vec<usize> = (0..FEATURES).collect();
    places.sort_by(|&left, &right| adds(right).abs().total_cmp(&adds(left).abs()));
    let feature = |place: usize| wire_fulltext::FeatureShare {
        name: NAMES[place],
        value: rounded(scored.features[place]),
        adds: rounded(adds(place)),
    };
    Some(wire_fulltext::Fulltext {
        rank: rank + 1,
        bm25f: rounded(scored.fulltext),
        order: rounded(scored.score + scored.dense),
        meaning: scored.similarity.map(|_| rounded(scored.dense)),
        share: rounded(scored.share),
        confidence: rounded(scored.confidence),
        terms,
        features: places.into_iter().take(NAMED_FEATURES).map(feature).collect(),
    })
}

/// Three digits behind the point.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// Skills of this machine that full-text search did not come up with, or could not.
fn unfound(discovery: &Discovery, pool: &Pool, routed: &Routed) -> Vec<wire::Explained> {
    let found: BTreeSet<PathBuf> = routed.skills.iter().map(|&index| pool.skill(index).location()).collect();
    let explain = |skill: &LocalSkill| {
        if found.contains(&skill.location()) {
            return None;
        }
        let damaged = || routed.left_out.get(&skill.location()).map(|what| ("damaged", Some(what.clone())));
        let stands = damaged().or_else(|| standing(discovery, skill)).or_else(|| copy(pool, skill));
        let (outcome, detail) = stands.unwrap_or(("no-match", None));
        Some(never(discovery, skill, outcome, detail))
    };
    discovery.skills.iter().filter_map(explain).collect()
}

/// Which skill stands for a copy of it.
fn copy(pool: &Pool, skill: &LocalSkill) -> Option<(&'static str, Option<String>)> {
    let mut copies = pool.relevant.as_ref()?.copies.iter();
    let (_, &shown) = copies.find(|(copy, _)| pool.skill(**copy).location() == skill.location())?;
    let shown = pool.skill(shown);
    let root = &pool.discovery.roots[shown.root].root.label;
    Some(("copy", Some(format!("says what `{}` of {root} says", shown.slug()))))
}

/// Why a skill is no candidate, when it is none by its place or header.
fn standing(discovery: &Discovery, skill: &LocalSkill) -> Option<(&'static str, Option<String>)> {
    Some(match &skill.standing {
        Standing::Shadowed(winner) => {
            let winner = &discovery.skills[*winner];
            ("shadowed", Some(format!("by the one of {}", discovery.roots[winner.root].root.label)))
        }
        Standing::Nested(_) => ("nested", Some("loaded only by name or path".to_owned())),
        Standing::Active if !skill.frontmatter.model_invocable => {
            ("not-for-models", Some("its header says so".to_owned()))
        }
        Standing::Active => return None,
    })
}

fn never(
    discovery: &Discovery,
    skill: &LocalSkill,
    outcome: &'static str,
    detail: Option<String>,
) -> wire::Explained {
    wire::Explained {
        name: skill.slug().to_string(),
        root: discovery.roots[skill.root].root.label.clone(),
        outcome,
        detail,
        by_rule: false,
        score: 0,
        parts: parts(&Parts::default()),
        fulltext: None,
        boost: 0,
        similarity: None,
        selection: None,
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
    let candidates: BTreeSet<usize> = routed.skills.iter().copied().collect();
    let explain = |(index, skill): (usize, &LocalSkill)| {
        let (outcome, detail) = match routed.damaged.get(&index) {
            Some(what) => ("damaged", Some(what.clone())),
            None if candidates.contains(&index) => return None,
            None => standing(discovery, skill)?,
        };
        let score = lexical::score(&query, &skill.candidate(&discovery.roots));
        let explained = never(discovery, skill, outcome, detail);
        Some(wire::Explained { score: score.total, parts: parts(&score.parts), ..explained })
    };
    discovery.skills.iter().enumerate().filter_map(explain).collect()
}
