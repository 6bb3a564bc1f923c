//! From the skills on this machine to a catalog: what `catalog` prints and `explain` explains.
//!
//! With a budget the shortlist is three times as long as the catalog, so that smaller skills can take
//! the place of those that do not fit.

use std::collections::BTreeMap;

use super::context::Context;
use crate::{
    candidate::Candidate,
    cli::{BoundArgs, CatalogFormat},
    route::{
        budget::{self, Pricing},
        catalog::CatalogItem,
        formats::Format,
        select::{self, Selection, Settings},
    },
    skill::text::CatalogText,
    source::local::{Discovery, LocalSkill, Standing},
};

/// How much longer than the catalog the shortlist is when a budget may refuse some of it.
const SHORTLIST_FACTOR: usize = 3;

/// What was decided for one task.
pub(super) struct Routed {
    /// Everything that could be chosen: active skills that are for a model.
    pub(super) candidates: Vec<Candidate>,
    /// What became of each candidate.
    pub(super) selection: Selection,
    /// The catalog, best first.
    pub(super) items: Vec<CatalogItem>,
    /// What the catalog costs by the estimate.
    pub(super) tokens: u64,
    /// Indices of candidates in the catalog, best first.
    pub(super) chosen: Vec<usize>,
    /// Candidates that fit the task and not the budget, with the tokens the catalog would have cost.
    pub(super) over_budget: BTreeMap<usize, u64>,
}

/// The values of the command line that stand above the configuration.
pub(super) fn flags(bounds: &BoundArgs) -> Vec<(&'static str, String)> {
    let flags = [("maxActiveSkills", &bounds.max), ("catalogTokenBudget", &bounds.budget_tokens)];
    flags.into_iter().filter_map(|(key, value)| Some((key, value.clone()?))).collect()
}

/// The format of the command line.
pub(super) fn format(format: CatalogFormat) -> Format {
    match format {
        CatalogFormat::Xml => Format::Xml,
        CatalogFormat::Json => Format::Json,
        CatalogFormat::Markdown => Format::Markdown,
        CatalogFormat::Lines => Format::Lines,
        CatalogFormat::Cloudflare => Format::Cloudflare,
    }
}

/// Chooses the skills for `task`.
pub(super) fn route(context: &Context, discovery: &Discovery, task: &str, format: Format) -> Routed {
    let config = &context.config;
    let (skills, candidates): (Vec<&LocalSkill>, Vec<Candidate>) = discovery
        .skills
        .iter()
        .filter(|skill| skill.standing == Standing::Active && skill.frontmatter.model_invocable)
        .map(|skill| (skill, skill.candidate(&discovery.roots)))
        .unzip();
    let (most, budget) = (config.max_active_skills(), config.catalog_token_budget());
    let factor = if budget == 0 { 1 } else { SHORTLIST_FACTOR };
    let settings = Settings {
        limit: most.saturating_mul(factor),
        min_score: config.min_route_score(),
        routes: config.routes(),
        boosts: &BTreeMap::new(),
        exclude_invoked: true,
    };
    let selection = select::select(task, &candidates, &settings);
    let picks = &selection.picks;
    let items: Vec<CatalogItem> = picks
        .iter()
        .map(|pick| item(skills[pick.index], discovery, config.catalog_description_max_length()))
        .collect();
    let fit = budget::fit(&items, Pricing::Printed(format), budget, most);
    let chosen = fit.kept.iter().map(|&kept| picks[kept].index).collect();
    let over_budget =
        fit.dropped.iter().map(|dropped| (picks[dropped.index].index, dropped.tokens)).collect();
    let items = fit.kept.iter().map(|&kept| items[kept].clone()).collect();
    Routed { items, tokens: fit.tokens, chosen, over_budget, candidates, selection }
}

/// A skill as a catalog shows it.
pub(super) fn item(skill: &LocalSkill, discovery: &Discovery, description_units: usize) -> CatalogItem {
    let frontmatter = &skill.frontmatter;
    let root = &discovery.roots[skill.root].root;
    CatalogItem {
        name: frontmatter.slug.clone(),
        title: CatalogText::label(&frontmatter.name),
        description: CatalogText::description(&frontmatter.description, description_units),
        location: CatalogText::location(&skill.location()),
        origin: skill.origin(),
        source: CatalogText::label(&root.label),
        user_invocable: frontmatter.user_invocable,
        version: frontmatter.version().map(CatalogText::label),
    }
}
