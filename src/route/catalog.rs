//! The catalog of one task: the few skills that a harness shows its model.
//!
//! An item holds outside text only as [`CatalogText`], so nothing that a skill's author wrote can
//! hide in a prompt, and [`super::formats`] keeps it from posing as an entry of its own. What a
//! budget left out is part of the catalog's answer, with its price. Which skills fit the task, and
//! in which order, was decided before.

use super::budget::{Dropped, Fit, Pricing, fit};
use crate::candidate::Origin;
use crate::skill::name::Slug;
use crate::skill::text::CatalogText;

/// One skill as a catalog shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogItem {
    /// The name to use the skill by.
    pub name: Slug,
    /// The name as its author wrote it.
    pub title: CatalogText,
    /// What the skill is for, cut to the configured length.
    pub description: CatalogText,
    /// Where its `SKILL.md` is: a path, or a URI that can be loaded.
    pub location: CatalogText,
    /// The kind of place it comes from.
    pub origin: Origin,
    /// The place within the origin: a root's label, `owner/repo`, a server's label.
    pub source: CatalogText,
    /// Whether a person may call it by name.
    pub user_invocable: bool,
    /// The version its author gave it.
    pub version: Option<CatalogText>,
}

/// What is printed for a task, and what the budget left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    /// The items in the order in which they are printed.
    pub items: Vec<CatalogItem>,
    /// The estimated tokens of the printed catalog; 0 when it has no items.
    pub tokens: u64,
    /// What did not fit, each with the tokens that the catalog would have taken with it.
    pub dropped: Vec<(CatalogItem, u64)>,
}

/// Fits `items`, best first, into `budget` tokens; a budget of 0 is no limit.
pub fn build(items: Vec<CatalogItem>, pricing: Pricing, budget: u64) -> Catalog {
    let Fit { kept: _, tokens, dropped } = fit(&items, pricing, budget);
    let mut catalog = Catalog { items: Vec::with_capacity(items.len()), tokens, dropped: Vec::new() };
    let mut dropped = dropped.into_iter().peekable();
    for (index, item) in items.into_iter().enumerate() {
        match dropped.next_if(|next| next.index == index) {
            Some(Dropped { index: _, tokens }) => catalog.dropped.push((item, tokens)),
            None => catalog.items.push(item),
        }
    }
    catalog
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;

    use super::*;
    use crate::route::formats::Format;

    /// A local skill, for the tests of this folder.
    pub(in crate::route) fn item(name: &str, description: &str) -> CatalogItem {
        CatalogItem {
            name: Slug::derive(name, "skill"),
            title: CatalogText::label(name),
            description: CatalogText::description(description, 500),
            location: CatalogText::location(Path::new(&format!("/skills/{name}/SKILL.md"))),
            origin: Origin::Local,
            source: CatalogText::label("~/.agents/skills"),
            user_invocable: true,
            version: None,
        }
    }

    #[test]
    fn what_does_not_fit_is_handed_back_with_its_price() {
        let items = vec![item("a", "first"), item("b", &"long ".repeat(60)), item("c", "third")];
        let pricing = Pricing::Printed(Format::Lines);
        let catalog = build(items.clone(), pricing, 60);
        assert_eq!(catalog.items, [items[0].clone(), items[2].clone()]);
        assert_eq!(catalog.tokens, super::super::budget::estimate(&catalog.items, pricing));
        let with_the_long_one = super::super::budget::estimate(&items[..2], pricing);
        assert_eq!(catalog.dropped, [(items[1].clone(), with_the_long_one)]);
    }

    #[test]
    fn no_budget_keeps_everything() {
        let items = vec![item("a", "first"), item("b", &"long ".repeat(60))];
        let catalog = build(items.clone(), Pricing::Printed(Format::Xml), 0);
        assert_eq!((catalog.items, catalog.dropped), (items, Vec::new()));
    }
}
