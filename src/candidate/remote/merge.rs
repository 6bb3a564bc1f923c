//! From what each source saw to one candidate a skill.
//!
//! Sightings of one folder of one repository are one candidate, whatever the sources call it. A listing
//! without a path joins a folder of its repository when exactly one there has its slug; otherwise it stays
//! a candidate of its own. Nothing is guessed: two folders never become one.

use std::collections::{BTreeMap, BTreeSet};

use super::{RemoteCandidate, RepositoryFacts, Sighting, without_case};
use crate::skill::{id::RepoSlug, name::Slug};

/// Joins sightings. `facts` are kept under [`without_case`]; a repository without an entry is unknown.
///
/// The order is that of the best position, then of the address, path and slug.
pub fn merge(sightings: Vec<Sighting>, facts: &BTreeMap<RepoSlug, RepositoryFacts>) -> Vec<RemoteCandidate> {
    let mut folders: BTreeMap<(Place, String), Vec<Sighting>> = BTreeMap::new();
    let mut listings: BTreeMap<(Place, String), Vec<Sighting>> = BTreeMap::new();
    for sighting in sightings {
        let place = Place::of(&sighting, facts);
        match sighting.path.clone() {
            Some(path) => folders.entry((place, path)).or_default().push(sighting),
            None => listings.entry((place, sighting.skill_id.clone())).or_default().push(sighting),
        }
    }
    let by_slug = slugs(&folders);
    let mut alone = Vec::new();
    for ((place, skill_id), listed) in listings {
        let paths = by_slug.get(&(place.clone(), skill_id));
        match paths.into_iter().flatten().collect::<Vec<_>>()[..] {
            [path] => folders.entry((place, path.clone())).or_default().extend(listed),
            _ => alone.push(listed),
        }
    }
    let groups = folders.into_values().chain(alone);
    let mut candidates: Vec<RemoteCandidate> = groups.map(|group| join(group, facts)).collect();
    candidates.sort_by(|left, right| {
        let key = |candidate: &RemoteCandidate| {
            (
                candidate.position,
                candidate.address.clone(),
                candidate.path.clone(),
                candidate.skill_id.clone(),
            )
        };
        key(left).cmp(&key(right))
    });
    candidates
}

/// Where sightings can be of one skill.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// A repository by its number, which a rename does not change.
    Repository(u64),
    /// A repository that its host did not speak of, or another address.
    Address(String),
}

impl Place {
    fn of(sighting: &Sighting, facts: &BTreeMap<RepoSlug, RepositoryFacts>) -> Self {
        match (&sighting.repository, facts_of(sighting, facts)) {
            (_, Some(facts)) => Self::Repository(facts.id),
            (Some(repository), None) => Self::Address(without_case(repository).to_string()),
            (None, None) => Self::Address(sighting.address.clone()),
        }
    }
}

fn facts_of<'a>(
    sighting: &Sighting,
    facts: &'a BTreeMap<RepoSlug, RepositoryFacts>,
) -> Option<&'a RepositoryFacts> {
    facts.get(&without_case(sighting.repository.as_ref()?))
}

/// The folders of each place by the slugs that they answer to.
fn slugs(folders: &BTreeMap<(Place, String), Vec<Sighting>>) -> BTreeMap<(Place, String), BTreeSet<String>> {
    let mut by_slug: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for ((place, path), sightings) in folders {
        for sighting in sightings {
            let header = sighting.preview.as_ref().map(|preview| Slug::derive(&preview.name, ""));
            let slugs = header.map(|slug| slug.as_str().to_owned());
            for slug in slugs.into_iter().chain([sighting.skill_id.clone()]) {
                by_slug.entry((place.clone(), slug)).or_default().insert(path.clone());
            }
        }
    }
    by_slug
}

/// One candidate of sightings of one skill, of which there is at least one.
fn join(mut group: Vec<Sighting>, facts: &BTreeMap<RepoSlug, RepositoryFacts>) -> RemoteCandidate {
    // A sighting that knows more stands first, then the better position: it gives the words.
    group.sort_by_key(|sighting| {
        (sighting.preview.is_none(), sighting.path.is_none(), sighting.source, sighting.position)
    });
    let first = group.first().expect("a group is made for a sighting");
    let facts = facts_of(first, facts);
    let address = facts.map_or_else(|| first.address.clone(), |facts| facts.repository.to_string());
    let path = first.path.clone();
    let preview = first.preview.clone();
    let skill_id = first.skill_id.clone();
    let name = preview.as_ref().map_or_else(|| skill_id.clone(), |preview| preview.name.clone());
    // A listing's title says more than the name of a folder.
    let title =
        group.iter().max_by_key(|sighting| sighting.path.is_none()).map(|listing| listing.title.clone());
    let description = preview.as_ref().map(|preview| preview.description.clone());
    RemoteCandidate {
        identity: RemoteCandidate::identity_of(facts, path.as_deref(), &address, &skill_id),
        name,
        description: description.or(title).unwrap_or_default(),
        when_to_use: preview.as_ref().and_then(|preview| preview.when_to_use.clone()),
        model_invocable: preview.as_ref().is_none_or(|preview| preview.model_invocable),
        address,
        skill_id,
        facts: facts.cloned(),
        path,
        skill_file: preview.map(|preview| preview.blob),
        sources: group.iter().map(|sighting| sighting.source).collect(),
        position: group.iter().map(|sighting| sighting.position).min().unwrap_or_default(),
        installs: group.iter().filter_map(|sighting| sighting.installs).max(),
    }
}
