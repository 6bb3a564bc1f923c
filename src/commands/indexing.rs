//! The search index kept true: what is on this machine compared with what was indexed, and the difference read.
//!
//! The folders of this machine and the store are two views of the index, because one of them changes by a person's
//! hand and the other by `mount` and `prune`. As long as nothing that was looked at has changed, neither is walked.

mod refresh;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

pub(super) use refresh::Bar;
use refresh::Refresher;

use super::context::Context;
use crate::{
    candidate::identity::Identity,
    output::Output,
    rank::{copies::Likeness, fulltext::Collection as _},
    skill::{Limits, bundled::BUNDLED as OF_THE_RELEASE},
    source::{
        found::{self, Place},
        local::Discovery,
        roots::Root,
        trace,
    },
    store::index::{
        self, Card, Updated, View,
        collection::{Documents, IndexError},
    },
};

/// What the kind of a card says: which skills stand above which of the same name, and whether a model may have it.
const LOCAL: u8 = 0;
const STORED: u8 = 1;
const BUNDLED: u8 = 2;
const NOT_FOR_MODELS: u8 = 0x80;

/// The skills that a model may be offered, searchable.
pub(super) struct Indexed {
    pub(super) documents: Documents,
    roots: Vec<Root>,
}

/// A skill that was found through the index, as its document remembers it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Found {
    Here(Place),
    Stored(Identity),
}

const HERE: u8 = b'h';
const PINNED: u8 = b's';

impl Found {
    /// The bytes of the record of a skill, which is told from its copies by `likeness`.
    fn encode(&self, likeness: Likeness) -> Vec<u8> {
        let likeness = &likeness.to_bytes()[..];
        match self {
            Self::Here(place) => [likeness, &[HERE], place.as_bytes()].concat(),
            Self::Stored(identity) => [likeness, &[PINNED], identity.to_string().as_bytes()].concat(),
        }
    }
}

/// What the index remembers of a document: where its skill lies, and what its copies are told by.
#[derive(Debug, Clone)]
pub(super) struct Record {
    found: Found,
    /// What its copies are told by.
    pub(super) likeness: Likeness,
}

impl Record {
    fn decode(record: &[u8]) -> Option<Self> {
        let (likeness, found) = record.split_first_chunk()?;
        let found = match found.split_first()? {
            (&HERE, place) => Found::Here(Place::from_bytes(place.to_vec())),
            (&PINNED, identity) => Found::Stored(Identity::parse(std::str::from_utf8(identity).ok()?)?),
            _ => return None,
        };
        Some(Self { found, likeness: Likeness::from_bytes(*likeness) })
    }
}

/// The two views of the index that belong to this run.
struct Views {
    local_identity: u64,
    stored_identity: u64,
    local: Option<View>,
    stored: Option<View>,
}

impl Views {
    fn of(context: &Context, roots: &[Root]) -> Self {
        let index = context.store();
        let index = index.index();
        let (local_identity, stored_identity) = (local_identity(context, roots), stored_identity(context));
        let (local, stored) = (index.view(local_identity), index.view(stored_identity));
        Self { local_identity, stored_identity, local, stored }
    }

    /// The view of the folders, when they are as they were.
    fn true_local(&self) -> Option<&View> {
        self.local.as_ref().filter(|view| is_true(view))
    }

    /// The view of the store, when it is as it was.
    fn true_stored(&self) -> Option<&View> {
        self.stored.as_ref().filter(|view| is_true(view))
    }
}

fn is_true(view: &View) -> bool {
    view.is_whole && trace::unchanged(&view.trace, view.looked_ns)
}

/// How much of the index is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// What is kept, as far as it holds; what is new is kept.
    Kept,
    /// Nothing, as if there were none and the home could not be written.
    Nothing,
}

/// How long an index is made before a person is told.
const PATIENCE: Duration = Duration::from_millis(500);

/// Opens the index and brings it up to date. Skills of the keys `without` are as if they were not there.
pub(super) fn open(context: &Context, without: &BTreeSet<u128>, how: Use, output: Output) -> Indexed {
    let store = context.store();
    let index = Some(store.index()).filter(|_| how == Use::Kept);
    let roots = context.roots();
    let views = Views::of(context, &roots);
    let kept = |views: &[&View]| index.and_then(|index| index.documents(views));
    let local = index.and_then(|_| views.true_local());
    // Who stands for a skill that is left out is not in the view.
    let stored = index.and_then(|_| views.true_stored()).filter(|_| without.is_empty());
    if let (Some(local), Some(stored)) = (local, stored)
        && let Some(documents) = kept(&[local, stored])
    {
        return Indexed { documents: routable(documents, without), roots };
    }
    let watch = Bar::after(output, PATIENCE);
    let refresher = Refresher { context, store: &store, roots: &roots, index, watch: &watch };
    let local = local.and_then(|view| kept(&[view]));
    let local =
        local.unwrap_or_else(|| refresher.local(views.local_identity, views.local.as_ref()).documents);
    let stored = stored.and_then(|view| kept(&[view]));
    let stored = stored.unwrap_or_else(|| refresher.stored(views.stored_identity, without).documents);
    Indexed { documents: routable(local.and(stored), without), roots }
}

/// Whether the index has what is on this machine now.
pub(super) fn is_current(context: &Context) -> bool {
    let views = Views::of(context, &context.roots());
    let (Some(local), Some(stored)) = (views.true_local(), views.true_stored()) else { return false };
    context.store().index().documents(&[local, stored]).is_some()
}

/// Looks at everything anew and brings the index up to that.
pub(super) fn refresh(context: &Context, watch: &Bar) -> [Updated; 2] {
    let store = context.store();
    let roots = context.roots();
    let views = Views::of(context, &roots);
    let refresher = Refresher { context, store: &store, roots: &roots, index: Some(store.index()), watch };
    [
        refresher.local(views.local_identity, views.local.as_ref()),
        refresher.stored(views.stored_identity, &BTreeSet::new()),
    ]
}

/// When this run began to look, in nanoseconds since 1970.
fn began_ns(context: &Context) -> i128 {
    i128::from(context.now().0) * 1_000_000
}

/// What every document depends on beside its skill: how a release reads skills, and the limits.
fn basis(limits: &Limits) -> Vec<u8> {
    format!("{} {limits:?}", env!("CARGO_PKG_VERSION")).into_bytes()
}

/// What the view of the folders depends on beside what is in them.
fn local_identity(context: &Context, roots: &[Root]) -> u64 {
    let of_the_release: Vec<&[u8]> =
        OF_THE_RELEASE.iter().map(|bundled| bundled.skill_file().as_bytes()).collect();
    let parts = ("local", basis(&context.config.limits()), who(), index::key(&of_the_release), roots);
    index::hash(format!("{parts:?}").as_bytes())
}

/// What the view of the store depends on beside what is in it.
fn stored_identity(context: &Context) -> u64 {
    let limits = basis(&context.config.limits());
    let parts = ("store", limits, who(), context.trust_policy(), context.owner_rules());
    index::hash(format!("{parts:?}").as_bytes())
}

/// The user whose rights decide what can be read.
fn who() -> u32 {
    #[cfg(unix)]
    {
        rustix::process::geteuid().as_raw()
    }
    #[cfg(not(unix))]
    {
        0
    }
}

/// Without skills whose name another one has that comes first, and those that are not for models.
fn routable(documents: Documents, without: &BTreeSet<u128>) -> Documents {
    let documents = documents.retain(|_, card| !without.contains(&card.key));
    let slugs = |of: u8| -> BTreeSet<u64> {
        documents
            .cards()
            .filter(|(_, card)| card.kind & !NOT_FOR_MODELS == of)
            .map(|(_, card)| card.slug)
            .collect()
    };
    let (local, stored) = (slugs(LOCAL), slugs(STORED));
    documents.retain(|_, card| {
        let is_first = match card.kind & !NOT_FOR_MODELS {
            LOCAL => true,
            STORED => !local.contains(&card.slug),
            _ => !local.contains(&card.slug) && !stored.contains(&card.slug),
        };
        is_first && card.kind & NOT_FOR_MODELS == 0
    })
}

impl Indexed {
    /// Reads the headers of these documents anew: the discovery of just these skills, and the skill that each
    /// document has become; `None` for one that is gone or is called otherwise meanwhile.
    pub(super) fn read(
        &self,
        context: &Context,
        documents: &[(u32, Option<Record>)],
    ) -> (Discovery, Vec<Option<usize>>) {
        let store = context.store();
        let mut places = Vec::new();
        let mut stored = Vec::new();
        let mut order = Vec::new();
        for (_, record) in documents {
            match record.as_ref().map(|record| &record.found) {
                Some(Found::Here(place)) => {
                    order.push(Some(Ok(places.len())));
                    places.push(place.clone());
                }
                Some(Found::Stored(identity)) => {
                    let skill = store
                        .pin(identity)
                        .ok()
                        .flatten()
                        .and_then(|record| context.admitted(&store, record));
                    order.push(skill.is_some().then_some(Err(*identity)));
                    stored.extend(skill);
                }
                None => order.push(None),
            }
        }
        let limits = context.config.limits();
        let (discovery, here) = found::gather(&self.roots, &limits, &places, store.root(), stored);
        let of_pin: BTreeMap<Identity, usize> = discovery
            .skills
            .iter()
            .enumerate()
            .filter_map(|(index, skill)| Some((skill.stored.as_deref()?.identity, index)))
            .collect();
        let skills = order.into_iter().map(|found| match found? {
            Ok(place) => here[place],
            Err(identity) => of_pin.get(&identity).copied(),
        });
        let is_it = |document: u32, index: usize| {
            let slug = index::hash(discovery.skills[index].slug().as_str().as_bytes());
            self.documents.card(document).is_some_and(|card| card.slug == slug)
        };
        let skills = documents.iter().zip(skills);
        let skills =
            skills.map(|((document, _), index)| index.filter(|&index| is_it(*document, index))).collect();
        (discovery, skills)
    }

    /// What is remembered of a document; `None` for what cannot be understood.
    pub(super) fn record(&self, document: u32) -> Result<Option<Record>, IndexError> {
        self.documents.record(document).map(|bytes| Record::decode(&bytes))
    }

    /// The key of a document.
    pub(super) fn key(&self, document: u32) -> u128 {
        self.documents.tie(document)
    }

    /// The documents of skills of this name or slug, in an order that does not depend on their numbers.
    pub(super) fn named(&self, name: &str) -> Vec<u32> {
        let hash = index::hash(name.as_bytes());
        let is_it = |(_, card): &(u32, &Card)| card.name == hash || card.slug == hash;
        let mut found: Vec<u32> = self.documents.cards().filter(is_it).map(|(number, _)| number).collect();
        found.sort_by_key(|&number| self.key(number));
        found
    }
}

#[cfg(test)]
mod tests;
