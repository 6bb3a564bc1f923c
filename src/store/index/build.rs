//! How documents come into the index: those that are there are found, the others made and put into a new segment, and
//! many segments are merged into one.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use super::{
    Wanted,
    assemble::encode,
    collection::Documents,
    files,
    segment::{Card, Item, Segment},
    view::{Members, View},
};
use crate::{
    rank::text::terms::Analyser,
    store::{StoreError, document, folder::Folder, names},
};

/// More segments than this are merged.
const MOST_SEGMENTS: usize = 8;
/// With fewer documents it is no matter how many of them nobody needs.
const FEW_DOCUMENTS: usize = 256;

/// Where the wanted documents are.
pub(super) struct Placed {
    segments: Vec<(String, Segment)>,
    /// By segment: the documents that are wanted, in order.
    found: Vec<Vec<u32>>,
    /// Places in the list of what is wanted.
    pub(super) missing: Vec<usize>,
}

impl Placed {
    pub(super) fn of(segments: Vec<(String, Segment)>, wanted: &[Wanted<'_>]) -> Self {
        let keys: BTreeMap<u128, usize> =
            wanted.iter().enumerate().map(|(place, wanted)| (wanted.key, place)).collect();
        let mut open: BTreeSet<usize> = keys.values().copied().collect();
        let found = segments.iter().map(|(_, segment)| {
            let is_wanted =
                |(_, card): &(u32, &Card)| keys.get(&card.key).is_some_and(|place| open.remove(place));
            (0u32..).zip(&segment.cards).filter(is_wanted).map(|(number, _)| number).collect()
        });
        let found = found.collect();
        Self { segments, found, missing: open.into_iter().collect() }
    }

    fn push(&mut self, name: String, segment: Segment) {
        self.found.push((0u32..).take(segment.cards.len()).collect());
        self.segments.push((name, segment));
    }

    /// Adds new documents to the folder.
    pub(super) fn add(&mut self, folder: &Folder, items: &[Item]) -> Result<(), StoreError> {
        let name = files::new_segment();
        document::replace(folder, &name, &names::temporary(), &encode(items), false)?;
        let segment = files::open_segment(folder, &name).ok_or_else(|| StoreError::Invalid {
            file: folder.path().join(&name),
            reason: "it cannot be read after it was written".to_owned(),
        })?;
        self.push(name, segment);
        Ok(())
    }

    /// Adds new documents for this process only.
    pub(super) fn add_for_now(&mut self, items: &[Item]) {
        if !items.is_empty()
            && let Ok(segment) = Segment::open(Box::new(encode(items)))
        {
            self.push(String::new(), segment);
        }
    }

    /// Merges the segments when there are many, or when most of their documents are of no use to anybody.
    ///
    /// `own` is the name of the view that is about to be replaced.
    pub(super) fn tidy(self, folder: &Folder, wanted: &[Wanted<'_>], own: &str) -> Result<Self, StoreError> {
        let all: usize = self.segments.iter().map(|(_, segment)| segment.cards.len()).sum();
        let is_many = self.segments.len() > MOST_SEGMENTS;
        if !is_many && (all <= FEW_DOCUMENTS || all <= 2 * wanted.len()) {
            return Ok(self);
        }
        let others = files::all(folder)?.into_iter().filter(|name| files::is_view(name) && name != own);
        let views: Vec<(String, Option<View>)> =
            others.map(|name| (name.clone(), files::read_view(folder, &name))).collect();
        let mut keys: BTreeSet<u128> = wanted.iter().map(|wanted| wanted.key).collect();
        keys.extend(views.iter().filter_map(|(_, view)| view.as_ref()).flat_map(View::keys));
        if is_many || all > 2 * keys.len() { self.merge(folder, wanted, keys, views) } else { Ok(self) }
    }

    /// One segment of all documents of these keys, and these views with what they have of it.
    fn merge(
        self,
        folder: &Folder,
        wanted: &[Wanted<'_>],
        mut keys: BTreeSet<u128>,
        views: Vec<(String, Option<View>)>,
    ) -> Result<Self, StoreError> {
        let mut items = Vec::new();
        for (name, segment) in &self.segments {
            match segment.items(|number| keys.remove(&segment.cards[number as usize].key)) {
                Ok(kept) => items.extend(kept),
                Err(error) => {
                    // Its documents are made again by whoever misses them.
                    folder.remove_file(name)?;
                    let file = folder.path().join(name);
                    return Err(StoreError::Invalid { file, reason: error.to_string() });
                }
            }
        }
        let mut merged = Self { segments: Vec::new(), found: Vec::new(), missing: Vec::new() };
        if !items.is_empty() {
            merged.add(folder, &items)?;
        }
        // A view that cannot be read is of another release, or replaced by whoever looks for it.
        for (name, view) in views.into_iter().filter_map(|(name, view)| Some((name, view?))) {
            match merged.view_of(view) {
                Some(view) => document::replace(folder, &name, &names::temporary(), &view.encode(), false)?,
                None => drop(folder.remove_file(&name)?),
            }
        }
        // Who has a segment open keeps it.
        for (name, _) in &self.segments {
            folder.remove_file(name)?;
        }
        Ok(Self::of(merged.segments, wanted))
    }

    /// A view with its documents where they are now; `None` when they are not all here.
    fn view_of(&self, view: View) -> Option<View> {
        let mut missing: BTreeSet<u128> = view.keys().collect();
        let mut members = Vec::new();
        for (name, segment) in &self.segments {
            let numbered = (0u32..).zip(&segment.cards);
            let own = numbered.filter(|(_, card)| missing.remove(&card.key)).map(|(number, _)| number);
            members.push(Members { name: name.clone(), mark: segment.mark, documents: own.collect() });
        }
        missing.is_empty().then_some(View { members, ..view })
    }

    pub(super) fn members(&self) -> Vec<Members> {
        let all = self.segments.iter().zip(&self.found).filter(|(_, found)| !found.is_empty());
        all.map(|((name, segment), found)| Members {
            name: name.clone(),
            mark: segment.mark,
            documents: found.clone(),
        })
        .collect()
    }

    pub(super) fn into_documents(self) -> Documents {
        let all = self.segments.into_iter().map(|(_, segment)| segment).zip(self.found);
        Documents::new(all.filter(|(_, found)| !found.is_empty()).collect())
    }
}

/// Makes the documents of these places, with as many threads as pay off; `each` hears how many there are after each.
pub(super) fn make(missing: &[usize], wanted: &[Wanted<'_>], each: &(dyn Fn(usize) + Sync)) -> Vec<Item> {
    let (next, made_by_all) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let (mut made, mut analyser) = (Vec::new(), Analyser::default());
        while let Some(&place) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            made.extend((wanted[place].make)(&mut analyser).map(|item| (place, item)));
            each(made_by_all.fetch_add(1, Ordering::Relaxed) + 1);
        }
        made
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(missing.len());
    let mut made = thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let mut made = work();
        for other in others {
            match other.join() {
                Ok(others) => made.extend(others),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        made
    });
    // The same documents give the same bytes, whichever thread made them.
    made.sort_unstable_by_key(|(place, _)| *place);
    made.into_iter().map(|(_, item)| item).collect()
}
