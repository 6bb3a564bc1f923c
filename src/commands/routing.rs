//! From the skills on this machine to a catalog: what `catalog` prints and `explain` explains.
//!
//! With a budget the shortlist is three times as long as the catalog, so that smaller skills can take
//! the place of those that do not fit.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use super::{context::Context, pool::Pool, recording, semantic::Semantic, wire_skill};
use crate::{
    candidate::Candidate,
    cli::{BoundArgs, CatalogFormat},
    output::Output,
    route::{
        budget::{self, Fit, Pricing},
        catalog::CatalogItem,
        formats::Format,
        relevance,
        select::{self, Pick, Selection, Settings},
    },
    skill::{frontmatter, text::CatalogText},
    source::local::{Discovery, LocalSkill, Standing},
};

/// How much longer than the catalog the shortlist is when a budget may refuse some of it.
const SHORTLIST_FACTOR: usize = 3;

/// To how many UTF-16 code units descriptions are cut, one length after the other, when a budget would keep skills
/// out.
const SHORTER: [usize; 3] = [320, 200, 120];

/// What was decided for one task.
pub(super) struct Routed {
    /// Everything that could be chosen: active skills that are for a model, as indices of the discovery.
    pub(super) skills: Vec<usize>,
    /// The same as routing sees them.
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
    /// Stored skills, as indices of the discovery, that would be in the catalog if their files were what they
    /// should be, and what is wrong with them.
    pub(super) damaged: BTreeMap<usize, String>,
    /// The same of those that another search was made without, by their location.
    pub(super) left_out: BTreeMap<PathBuf, String>,
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

/// Chooses the skills for `task`. Stored ones are verified before they are shown to anybody: in the place of a
/// damaged one comes the next that fits.
///
/// `nested` as in [`crate::source::local::Look`].
pub(super) fn route(
    context: &Context,
    task: &str,
    nested: bool,
    format: Format,
    output: Output,
) -> (Pool, Routed) {
    let mut without = BTreeSet::new();
    let mut blending = Semantic::blending(context, output);
    let mut pool = Pool::of(context, task, nested, &without, blending.as_mut(), output);
    let mut left_out = BTreeMap::new();
    let (mut damaged, mut verified) = (BTreeMap::new(), BTreeSet::new());
    let mut semantic = Semantic::new(context, output);
    loop {
        let routed = route_without(&damaged, context, &pool, task, format, output, semantic.as_mut());
        let chosen = routed.chosen.iter().map(|&chosen| routed.skills[chosen]);
        let new: Vec<usize> = chosen.filter(|&index| verified.insert(index)).collect();
        let before = damaged.len();
        for index in new {
            let skill = pool.skill(index);
            if let Some(what) = damage(context, skill) {
                output.warning(&format!(
                    "`{}` is left out: {what}; `skillflux cache verify --repair` fetches it again",
                    skill.slug()
                ));
                damaged.insert(index, what);
            }
        }
        if damaged.len() == before {
            return (pool, Routed { damaged, left_out, ..routed });
        }
        if let Some(relevant) = &pool.relevant {
            // What a damaged one shadowed is found by another search.
            let locations = damaged.iter().map(|(&index, what)| (pool.skill(index).location(), what.clone()));
            left_out.extend(locations);
            without.extend(damaged.keys().filter_map(|index| relevant.keys.get(index)));
            pool = Pool::of(context, task, nested, &without, blending.as_mut(), output);
            (damaged, verified) = (BTreeMap::new(), BTreeSet::new());
        }
    }
}

/// What is wrong with the files of a stored skill.
fn damage(context: &Context, skill: &LocalSkill) -> Option<String> {
    let stored = skill.stored.as_deref()?;
    let listed = || -> anyhow::Result<bool> {
        let Some(entry) = context.store().open(&stored.digest)? else { return Ok(false) };
        // What was listed was read before, and could have been another content then.
        let content = entry.read(&wire_skill::skill_file(skill)?)?;
        let parsed = frontmatter::parse(&content, stored.folder_name(), &context.config.limits());
        Ok(parsed.outcome.is_ok_and(|header| header == *skill.frontmatter))
    };
    match listed() {
        Ok(true) => None,
        Ok(false) => Some("its files have changed since they were listed".to_owned()),
        Err(error) => Some(error.to_string()),
    }
}

/// Chooses among all skills but those that are damaged. What a damaged one shadowed takes its place.
fn route_without(
    damaged: &BTreeMap<usize, String>,
    context: &Context,
    pool: &Pool,
    task: &str,
    format: Format,
    output: Output,
    semantic: Option<&mut Semantic<'_>>,
) -> Routed {
    let (config, discovery) = (&context.config, &pool.discovery);
    let is_open = |index: &usize| {
        let skill = pool.skill(*index);
        let stands = match &skill.standing {
            Standing::Active => true,
            Standing::Shadowed(winner) => damaged.contains_key(winner),
            Standing::Nested(_) => false,
        };
        stands && skill.frontmatter.model_invocable && !damaged.contains_key(index)
    };
    let open = pool.order().into_iter().filter(is_open);
    let (skills, candidates): (Vec<usize>, Vec<Candidate>) =
        open.map(|index| (index, pool.skill(index).candidate(&discovery.roots))).unzip();
    let (most, budget) = (config.max_active_skills(), config.catalog_token_budget());
    let factor = if budget == 0 { 1 } else { SHORTLIST_FACTOR };
    let known = skills.iter().map(|&index| pool.skill(index)).zip(&candidates);
    let settings = Settings {
        limit: most.saturating_mul(factor),
        min_score: config.min_route_score(),
        routes: config.routes(),
        boosts: &recording::boosts(context, discovery, known, output),
        exclude_invoked: true,
    };
    let mut selection = match pool.relevance(&skills, settings.min_score, settings.limit) {
        Some(relevance) => relevance::select(task, &candidates, &relevance, &settings),
        None => select::select(task, &candidates, &settings),
    };
    if let Some(semantic) = semantic {
        selection = semantic.fill(task, selection, &candidates, &settings);
    }
    let picks = &selection.picks;
    let shown = |length: usize| -> (Vec<CatalogItem>, Fit) {
        let item = |pick: &Pick| item(pool.skill(skills[pick.index]), pool, length);
        let items: Vec<CatalogItem> = picks.iter().map(item).collect();
        let fit = budget::fit(&items, Pricing::Printed(format), budget, most);
        (items, fit)
    };
    let longest = config.catalog_description_max_length();
    let (mut items, mut fit) = shown(longest);
    if pool.relevant.is_some() {
        // Excerpts keep what matches, so that shorter ones are better than fewer skills.
        for length in SHORTER.into_iter().filter(|length| *length < longest) {
            if !fit.dropped.is_empty() {
                let (shorter, fits) = shown(length);
                if fits.kept.len() > fit.kept.len() {
                    (items, fit) = (shorter, fits);
                }
            }
        }
    }
    let chosen = fit.kept.iter().map(|&kept| picks[kept].index).collect();
    let over_budget =
        fit.dropped.iter().map(|dropped| (picks[dropped.index].index, dropped.tokens)).collect();
    let items = fit.kept.iter().map(|&kept| items[kept].clone()).collect();
    let (damaged, left_out) = (BTreeMap::new(), BTreeMap::new());
    Routed {
        items,
        tokens: fit.tokens,
        chosen,
        over_budget,
        skills,
        candidates,
        selection,
        damaged,
        left_out,
    }
}

/// A skill as a catalog shows it, with a description of at most so many UTF-16 code units.
fn item(skill: &LocalSkill, pool: &Pool, most: usize) -> CatalogItem {
    let whole = &skill.frontmatter.description;
    let description = pool.relevant.as_ref().map(|relevant| relevant.excerpt(whole, most));
    let description = CatalogText::description(description.as_ref().unwrap_or(whole), most);
    item_with(skill, &pool.discovery, description)
}

/// A skill as a catalog shows it, with this description.
pub(super) fn item_with(skill: &LocalSkill, discovery: &Discovery, description: CatalogText) -> CatalogItem {
    let frontmatter = &skill.frontmatter;
    let root = &discovery.roots[skill.root].root;
    CatalogItem {
        name: frontmatter.slug.clone(),
        title: CatalogText::label(&frontmatter.name),
        description,
        location: CatalogText::location(&skill.location()),
        origin: skill.origin(),
        source: CatalogText::label(&root.label),
        user_invocable: frontmatter.user_invocable,
        version: frontmatter.version().map(CatalogText::label),
    }
}
