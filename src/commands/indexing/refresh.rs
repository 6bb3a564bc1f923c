//! The folders and the store looked at anew, and what was not indexed yet read.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{BUNDLED, Found, LOCAL, NOT_FOR_MODELS, STORED, basis, began_ns};
use crate::{
    candidate::Origin,
    commands::context::Context,
    output::{Output, Progress},
    rank::{
        copies::Likeness,
        fulltext::document::{Document, Texts},
        text::terms::Analyser,
    },
    skill::{Limits, frontmatter, path::SkillPath},
    source::{
        found::{self, Place},
        local::{self, Discovery, LocalSkill, Look, Standing},
        roots::Root,
        stored::Stored,
        trace::Trace,
    },
    store::{
        Store,
        index::{self, Card, Index, Item, Updated, View, Wanted, Watch},
    },
};

/// Looks at the folders and the store, and brings the index up to what is there.
pub(super) struct Refresher<'a> {
    pub(super) context: &'a Context,
    pub(super) store: &'a Store,
    pub(super) roots: &'a [Root],
    /// `None` when nothing is to be read from the disk or written to it.
    pub(super) index: Option<Index<'a>>,
    pub(super) watch: &'a dyn Watch,
}

impl Refresher<'_> {
    fn update(&self, identity: u64, trace: &Trace, is_doubted: bool, wanted: &[Wanted<'_>]) -> Updated {
        let look = index::Look {
            identity,
            began_ns: began_ns(self.context),
            is_doubted: is_doubted || trace.is_doubted(),
            trace: &trace.encode(),
        };
        let updated = match self.index {
            Some(index) => index.update(&look, wanted, self.watch),
            None => index::without_index(wanted, self.watch),
        };
        if let Some(error) = &updated.not_kept {
            tracing::info!(%error, "the search index is kept for this run only");
        }
        updated
    }

    /// The skills of the folders and of the release; `before` is what was known of them.
    pub(super) fn local(&self, identity: u64, before: Option<&View>) -> Updated {
        let limits = self.context.config.limits();
        let look = Look { nested: false, traced: true };
        let discovery = local::discover(self.roots, &limits, look, self.store.root(), Vec::new());
        let known = before.and_then(|view| Some((view, Trace::decode(&view.trace)?)));
        let mut is_doubted = false;
        let mut wanted = Vec::new();
        for skill in discovery.skills.iter().filter(|skill| skill.standing == Standing::Active) {
            let place = Place::of(skill, &discovery.roots);
            let hash = index::hash(place.as_bytes());
            let unchanged = || {
                let (view, trace) = known.as_ref()?;
                let stamp = trace.trusted(&skill.location(), view.looked_ns)?;
                (discovery.trace.stamp(&skill.location()) == Some(stamp)).then(|| view.key(hash))?
            };
            let Some(key) = unchanged().or_else(|| Some(keyed(skill, &place, &limits)?.0)) else {
                // It was there a moment ago, and may be there again.
                is_doubted = true;
                continue;
            };
            let make = move |analyser: &mut Analyser| {
                let (key_now, content) = keyed(skill, &place, &limits)?;
                let record = Found::Here(place.clone());
                (key_now == key).then(|| item(key, skill, &content, &limits, &record, analyser))?
            };
            wanted.push(Wanted { place: hash, key, make: Box::new(make) });
        }
        self.update(identity, &discovery.trace, is_doubted, &wanted)
    }

    /// The skills of the store but those of the keys `without`. What these shadowed takes their place, and so it does
    /// for those whose `SKILL.md` is not what was stored.
    pub(super) fn stored(&self, identity: u64, without: &BTreeSet<u128>) -> Updated {
        let mut trace = Trace::default();
        trace.see(&self.store.pins_folder());
        let mut without = without.clone();
        let all = self.context.readable_skills(self.store).unwrap_or_else(|error| {
            tracing::warn!(%error, "the store cannot be read");
            trace.doubt();
            Vec::new()
        });
        let mut is_first = without.is_empty();
        loop {
            let limits = self.context.config.limits();
            let kept = |stored: &&Stored| !without.contains(&stored_key(stored, &limits));
            let stored = all.iter().filter(kept).cloned().collect();
            let mut discovery = local::discover(&[], &limits, Look::default(), self.store.root(), stored);
            if discovery.problems.iter().any(|problem| problem.path.starts_with(self.store.root())) {
                trace.doubt();
            }
            discovery.skills.retain(|skill| skill.stored.is_some());
            let wanted = self.wanted_of_store(&discovery, &limits);
            let updated = match self.index {
                Some(index) if !is_first => index.for_now(&wanted, self.watch),
                _ => self.update(identity, &trace, false, &wanted),
            };
            let before = without.len();
            without.extend(&updated.unmade);
            if without.len() == before {
                return updated;
            }
            is_first = false;
        }
    }

    fn wanted_of_store<'a>(&'a self, discovery: &'a Discovery, limits: &'a Limits) -> Vec<Wanted<'a>> {
        let active = discovery.skills.iter().filter(|skill| skill.standing == Standing::Active);
        let wanted = |skill: &'a LocalSkill| {
            let stored = skill.stored.as_deref()?;
            let key = stored_key(stored, limits);
            let record = Found::Stored(stored.identity);
            let make = move |analyser: &mut Analyser| {
                let path = SkillPath::parse(SKILL_FILE).ok()?;
                let content = self.store.read_file(&stored.digest, &path);
                let content = content.inspect_err(|error| {
                    tracing::warn!(%error, "a stored skill is not indexed");
                });
                item(key, skill, &content.ok()?, limits, &record, analyser)
            };
            let place = index::hash(stored.identity.to_string().as_bytes());
            Some(Wanted { place, key, make: Box::new(make) })
        };
        active.filter_map(wanted).collect()
    }
}

/// The file of a stored skill that is indexed.
const SKILL_FILE: &str = "SKILL.md";

/// The key of a skill in a folder, and the content that it is made of; `None` when it cannot be read.
fn keyed(skill: &LocalSkill, place: &Place, limits: &Limits) -> Option<(u128, Vec<u8>)> {
    let content = found::content(skill, limits).ok()?;
    Some((index::key(&[&basis(limits), place.as_bytes(), &content]), content))
}

fn stored_key(stored: &Stored, limits: &Limits) -> u128 {
    index::key(&[&basis(limits), stored.identity.to_string().as_bytes(), &stored.digest.bytes()])
}

/// The document of a skill.
fn item(
    key: u128,
    skill: &LocalSkill,
    content: &[u8],
    limits: &Limits,
    record: &Found,
    analyser: &mut Analyser,
) -> Option<Item> {
    // A path that ends in `..` names no folder; then the walk has found out what it is called.
    let folder_name = Some(skill.folder_name()).filter(|name| !name.is_empty());
    let parsed = frontmatter::parse(content, folder_name.unwrap_or(&skill.frontmatter.name), limits);
    let header = parsed.outcome.ok()?;
    let body = String::from_utf8_lossy(&content[parsed.body]);
    let texts = Texts {
        name: &header.name,
        description: &header.description,
        when_to_use: header.when_to_use.as_deref(),
        when_not_to_use: header.when_not_to_use.as_deref(),
        body: &body,
    };
    let document = if header.model_invocable { Document::of(&texts, analyser) } else { Document::default() };
    let kind = match skill.origin() {
        Origin::Cache => STORED,
        Origin::Bundled => BUNDLED,
        _ => LOCAL,
    };
    let card = Card {
        key,
        slug: index::hash(header.slug.as_str().as_bytes()),
        name: index::hash(header.name.as_bytes()),
        kind: if header.model_invocable { kind } else { kind | NOT_FOR_MODELS },
        lengths: document.shape.lengths.map(|length| u16::try_from(length).unwrap_or(u16::MAX)),
    };
    let likeness = Likeness::of(&header.name, &header.description, &body);
    Some(Item { card, document, record: record.encode(likeness) })
}

/// A bar on a terminal, once the work has taken so long that a person wonders.
pub(in crate::commands) struct Bar {
    output: Output,
    after: Duration,
    began: Instant,
    shown: Mutex<Option<Progress>>,
}

impl Bar {
    pub(in crate::commands) fn after(output: Output, after: Duration) -> Self {
        Self { output, after, began: Instant::now(), shown: Mutex::new(None) }
    }
}

impl Watch for Bar {
    fn made(&self, made: usize, of: usize) {
        if self.began.elapsed() < self.after {
            return;
        }
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = shown.get_or_insert_with(|| self.output.count("reading skills", of as u64));
        bar.at(made as u64);
        if made == of {
            *shown = None;
        }
    }
}
