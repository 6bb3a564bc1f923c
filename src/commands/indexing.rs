//! The search index kept true: what is on this machine compared with what was indexed, and the difference read.
//!
//! The folders of this machine and the store are two views of the index, because one of them changes by a person's
//! hand and the other by `mount` and `prune`. As long as nothing that was looked at has changed, neither is walked.

use std::collections::{BTreeMap, BTreeSet};

use super::context::Context;
use crate::{
    candidate::{Origin, identity::Identity},
    rank::{
        fulltext::{
            Collection as _,
            document::{Document, Texts},
        },
        text::terms::Analyser,
    },
    skill::{Limits, frontmatter},
    source::{
        found::{self, Place},
        local::{self, Discovery, LocalSkill, Look, Standing},
        roots::Root,
        trace::{self, Trace},
    },
    store::{
        Store,
        index::{
            self, Card, Index, Item, View, Wanted,
            collection::{Documents, IndexError},
        },
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
    fn encode(&self) -> Vec<u8> {
        match self {
            Self::Here(place) => [&[HERE], place.as_bytes()].concat(),
            Self::Stored(identity) => [&[PINNED], identity.to_string().as_bytes()].concat(),
        }
    }

    fn decode(record: &[u8]) -> Option<Self> {
        match record.split_first()? {
            (&HERE, place) => Some(Self::Here(Place::from_bytes(place.to_vec()))),
            (&PINNED, identity) => Identity::parse(std::str::from_utf8(identity).ok()?).map(Self::Stored),
            _ => None,
        }
    }
}

/// Opens the index and brings it up to date. Skills of the keys `without` are as if they were not there.
pub(super) fn open(context: &Context, without: &BTreeSet<u128>) -> Indexed {
    let store = context.store();
    let index = store.index();
    let roots = context.roots();
    let setup = setup(context, &roots);
    let (local_identity, stored_identity) =
        (index::hash(&[&setup[..], b"local"].concat()), index::hash(&[&setup[..], b"store"].concat()));
    let local = index.view(local_identity);
    let stored = index.view(stored_identity);
    let is_true =
        |view: &Option<View>| view.as_ref().is_some_and(|view| trace::unchanged(&view.trace, view.looked_ns));
    let (is_local_true, is_stored_true) = (is_true(&local), is_true(&stored));
    if let (true, true, Some(local), Some(stored)) = (is_local_true, is_stored_true, &local, &stored)
        && let Some(documents) = index.documents(&[local, stored])
    {
        return Indexed { documents: routable(documents, without), roots };
    }
    let refresher = Refresher { context, store: &store, index: &index, roots: &roots };
    let local = refresher.local(local_identity, local.as_ref());
    let stored = refresher.stored(stored_identity, stored.as_ref().filter(|_| is_stored_true));
    let documents = match (local, stored) {
        (Ok(local), Ok(stored)) => index.documents(&[&local, &stored]),
        (local, stored) => {
            let open =
                |view: Result<View, Documents>| view.map_or_else(Some, |view| index.documents(&[&view]));
            open(local).and_then(|local| Some(local.and(open(stored)?)))
        }
    };
    Indexed { documents: routable(documents.unwrap_or_default(), without), roots }
}

/// What views depend on beside the folders.
fn setup(context: &Context, roots: &[Root]) -> Vec<u8> {
    let parts = (
        env!("CARGO_PKG_VERSION"),
        roots,
        context.config.limits(),
        context.trust_policy(),
        context.owner_rules(),
    );
    format!("{parts:?}").into_bytes()
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

struct Refresher<'a> {
    context: &'a Context,
    store: &'a Store,
    index: &'a Index,
    roots: &'a [Root],
}

impl Refresher<'_> {
    fn now_ns(&self) -> i128 {
        i128::from(self.context.now().0) * 1_000_000
    }

    fn local(&self, identity: u64, before: Option<&View>) -> Result<View, Documents> {
        let limits = self.context.config.limits();
        let look = Look { nested: false, traced: true };
        let discovery = local::discover(self.roots, &limits, look, self.store.root(), Vec::new());
        let known = before.and_then(|view| Some((view, Trace::decode(&view.trace)?)));
        let wanted: Vec<Wanted<'_>> = discovery
            .skills
            .iter()
            .filter(|skill| skill.standing == Standing::Active)
            .filter_map(|skill| {
                let place = Place::of(skill, &discovery.roots);
                let hash = index::hash(place.as_bytes());
                let unchanged = || {
                    let (view, trace) = known.as_ref()?;
                    let stamp = trace.trusted(&skill.location(), view.looked_ns)?;
                    (discovery.trace.stamp(&skill.location()) == Some(stamp)).then(|| view.key(hash))?
                };
                let key_now = move |place: &Place| {
                    let content = found::content(skill, &limits).ok()?;
                    Some((index::key(&[&limits_bytes(&limits), place.as_bytes(), &content]), content))
                };
                let key = unchanged().or_else(|| Some(key_now(&place)?.0))?;
                let make = move |analyser: &mut Analyser| {
                    let (key_now, content) = key_now(&place)?;
                    let record = Found::Here(place.clone());
                    (key_now == key).then(|| item(key, skill, &content, &limits, &record, analyser))?
                };
                Some(Wanted { place: hash, key, make: Box::new(make) })
            })
            .collect();
        self.index.update(identity, self.now_ns(), &discovery.trace.encode(), &wanted)
    }

    /// `before` is given when it still holds.
    fn stored(&self, identity: u64, before: Option<&View>) -> Result<View, Documents> {
        if let Some(view) = before.filter(|view| self.index.documents(&[view]).is_some()) {
            return Ok(view.clone());
        }
        let mut trace = Trace::default();
        trace.see(&self.store.pins_folder());
        let limits = self.context.config.limits();
        let stored = self.context.stored_skills(self.store);
        let mut discovery = local::discover(&[], &limits, Look::default(), self.store.root(), stored);
        discovery.skills.retain(|skill| skill.stored.is_some());
        let wanted: Vec<Wanted<'_>> = discovery
            .skills
            .iter()
            .filter(|skill| skill.standing == Standing::Active)
            .filter_map(|skill| {
                let stored = skill.stored.as_deref()?;
                let place = stored.identity.to_string();
                let key = index::key(&[&limits_bytes(&limits), place.as_bytes(), &stored.digest.bytes()]);
                let record = Found::Stored(stored.identity);
                let make = move |analyser: &mut Analyser| {
                    item(key, skill, &found::content(skill, &limits).ok()?, &limits, &record, analyser)
                };
                Some(Wanted { place: index::hash(place.as_bytes()), key, make: Box::new(make) })
            })
            .collect();
        self.index.update(identity, self.now_ns(), &trace.encode(), &wanted)
    }
}

fn limits_bytes(limits: &Limits) -> Vec<u8> {
    format!("{limits:?}").into_bytes()
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
    let parsed = frontmatter::parse(content, skill.folder_name(), limits);
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
    Some(Item { card, document, record: record.encode() })
}

impl Indexed {
    /// Reads the headers of these documents anew: the discovery of just these skills, and the skill that each
    /// document has become; `None` for one that is gone or has changed its name meanwhile.
    pub(super) fn read(
        &self,
        context: &Context,
        documents: &[u32],
    ) -> Result<(Discovery, Vec<Option<usize>>), IndexError> {
        let store = context.store();
        let mut places = Vec::new();
        let mut stored = Vec::new();
        let mut order = Vec::new();
        for &document in documents {
            match Found::decode(&self.documents.record(document)?) {
                Some(Found::Here(place)) => {
                    order.push(Some(Ok(places.len())));
                    places.push(place);
                }
                Some(Found::Stored(identity)) => {
                    let skill = store
                        .pin(&identity)
                        .ok()
                        .flatten()
                        .and_then(|record| context.admitted(&store, record));
                    order.push(skill.is_some().then_some(Err(identity)));
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
        let skills = skills.collect();
        Ok((discovery, skills))
    }

    /// The key of a document.
    pub(super) fn key(&self, document: u32) -> u128 {
        self.documents.tie(document)
    }

    /// The document of a skill of this name or slug.
    pub(super) fn named(&self, name: &str) -> Option<u32> {
        let hash = index::hash(name.as_bytes());
        let is_it = |(_, card): &(u32, &Card)| card.name == hash || card.slug == hash;
        self.documents.cards().filter(is_it).map(|(number, _)| number).last()
    }
}
