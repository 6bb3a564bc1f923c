//! From the skills on this machine to a catalog: what `catalog` prints and `explain` explains.
//!
//! With a budget the shortlist is three times as long as the catalog, so that smaller skills can take
//! the place of those that do not fit.

use std::collections::BTreeMap;

use super::context::Context;
use crate::{
    candidate::Candidate,
    route::{
        budget::Pricing,
        catalog::{self, Catalog, CatalogItem},
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
    pub(super) catalog: Catalog,
    /// Indices of candidates in the catalog, best first.
    pub(super) chosen: Vec<usize>,
    /// Candidates that fit the task and not the budget, with the tokens the catalog would have cost.
    pub(super) over_budget: BTreeMap<usize, u64>,
}

/// Chooses the skills for `task`.
pub(super) fn route(context: &Context, discovery: &Discovery, task: &str, pricing: Pricing) -> Routed {
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
    let mut items: Vec<(usize, CatalogItem)> = selection
        .picks
        .iter()
        .map(|pick| {
            let description = config.catalog_description_max_length();
            (pick.index, item(skills[pick.index], discovery, description))
        })
        .collect();
    let fitting = catalog::build(items.iter().map(|(_, item)| item.clone()).collect(), pricing, budget);
    let over_budget: BTreeMap<usize, u64> = fitting
        .dropped
        .iter()
        .filter_map(|(dropped, tokens)| {
            let (index, _) = items.iter().find(|(_, item)| item.name == dropped.name)?;
            Some((*index, *tokens))
        })
        .collect();
    items.retain(|(index, _)| !over_budget.contains_key(index));
    items.truncate(most);
    let (chosen, items) = items.into_iter().unzip();
    let mut catalog = catalog::build(items, pricing, 0);
    catalog.dropped = fitting.dropped;
    Routed { candidates, selection, catalog, chosen, over_budget }
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
