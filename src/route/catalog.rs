//! One skill as a catalog shows it.
//!
//! An item holds outside text only as [`CatalogText`], so nothing that a skill's author wrote can
//! hide in a prompt, and [`super::formats`] keeps it from posing as an entry of its own. Which skills
//! fit the task, and in which order, was decided before; what fits a budget is [`super::budget`]'s.

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

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;

    use super::*;

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
}
