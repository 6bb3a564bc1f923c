//! The search index: the terms of every skill, kept so that a catalog need not read the skills again.
//!
//! ```text
//! <cache>/v1/index/<random>.segment    documents, never changed
//! <cache>/v1/index/<identity>.view     what one set of folders held, and which documents these are
//! <cache>/v1/index/index.lock          who adds to it
//! ```
//!
//! All of it can be made again, so nothing is synced, and what is missing, damaged or of another version is as if
//! it were not there. A view is replaced as a whole after its segments are written; whoever reads an older one
//! either has its segments open already or finds them gone and looks again. A document is found by a key, a hash of
//! all that it was made from, so that several views share it and a changed skill is another document. Small
//! segments are merged when there are many, and when most of what is in them is of no view any more; what no view
//! has is left behind then. What is found does not depend on how documents are spread over segments.
//!
//! Whoever adds has the lock. Two that look at once write their views one after the other, and the one that looked
//! first may come last: then the stamps in its view are old, and the next run looks again.

mod assemble;
mod build;
mod bytes;
pub mod collection;
mod files;
mod segment;
#[cfg(test)]
mod tests;
mod view;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use build::{Placed, make};
use collection::Documents;
pub use segment::{Card, Item};
pub use view::View;

use super::{Store, StoreError, document, folder::Folder, lock, names};
use crate::rank::text::terms::Analyser;

const FOLDER: &str = "index";
/// How long others are waited for who build the index: then this process builds what it needs for itself.
const PATIENCE: Duration = Duration::from_secs(20);

/// Makes the document of a skill.
pub type Make<'a> = Box<dyn Fn(&mut Analyser) -> Option<Item> + Sync + 'a>;

/// A skill that the index is to have.
pub struct Wanted<'a> {
    /// A hash of where it lies.
    pub place: u64,
    /// A hash of all that its document is made from.
    pub key: u128,
    /// Makes its document; `None` when the skill is gone, or not what its key says, meanwhile.
    pub make: Make<'a>,
}

/// What a look at a set of folders saw.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// Which set of folders that is.
    pub identity: u64,
    /// When it began, in nanoseconds since 1970.
    pub began_ns: i128,
    /// Whether it may have missed something.
    pub is_doubted: bool,
    /// What tells whether it would see the same again.
    pub trace: &'a [u8],
}

/// Hears how many documents there are to be made, and after each how many are made.
pub trait Watch: Sync {
    /// So many of so many are made.
    fn made(&self, made: usize, of: usize);
}

/// The documents of a look.
pub struct Updated {
    /// What is to be searched.
    pub documents: Documents,
    /// How many skills were read for it.
    pub read: usize,
    /// Keys of skills that no document could be made of.
    pub unmade: Vec<u128>,
    /// Why the documents are of this run only.
    pub not_kept: Option<StoreError>,
}

/// How the index stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IndexStatus {
    /// Files with documents.
    pub segments: usize,
    /// Sets of folders that are known.
    pub views: usize,
    /// Documents, those of no view included.
    pub documents: usize,
    /// Bytes of all files.
    pub bytes: u64,
    /// Files that cannot be read: damaged, or of another version.
    pub unreadable: usize,
}

/// The index of a store.
#[derive(Debug, Clone, Copy)]
pub struct Index<'a> {
    store: &'a Store,
}

impl Store {
    /// The search index. Nothing is made or read yet.
    pub fn index(&self) -> Index<'_> {
        Index { store: self }
    }
}

impl Index<'_> {
    /// Where it lies.
    pub fn path(&self) -> std::path::PathBuf {
        self.store.root().join(FOLDER)
    }

    fn folder(self) -> Result<Option<Folder>, StoreError> {
        self.store.open_root()?.map_or(Ok(None), |root| root.below(FOLDER))
    }

    /// What a set of folders held when somebody last looked; `None` when nobody did or it cannot be told.
    pub fn view(self, identity: u64) -> Option<View> {
        files::read_view(&self.folder().ok().flatten()?, &files::view(identity))
    }

    /// The documents of views; `None` when they are not all there.
    pub fn documents(self, views: &[&View]) -> Option<Documents> {
        let folder = self.folder().ok().flatten()?;
        let mut members: BTreeMap<(&str, u64), Vec<u32>> = BTreeMap::new();
        for of_view in views.iter().flat_map(|view| &view.members) {
            members.entry((&of_view.name, of_view.mark)).or_default().extend(&of_view.documents);
        }
        let open = |((name, mark), documents)| {
            let segment = files::open_segment(&folder, name).filter(|segment| segment.mark == mark)?;
            Some((segment, documents))
        };
        Some(Documents::new(members.into_iter().map(open).collect::<Option<_>>()?))
    }

    /// Makes the documents that are missing and remembers the look. Where the home cannot be written, or others are
    /// at it for too long, the documents are of this run only.
    pub fn update(self, look: &Look<'_>, wanted: &[Wanted<'_>], watch: &dyn Watch) -> Updated {
        let held = self.store.make_root().and_then(|root| root.make_below(FOLDER)).and_then(|folder| {
            let guard = lock::document(&folder, files::LOCK, PATIENCE)?;
            files::sweep(&folder, look.began_ns)?;
            Ok((folder, guard))
        });
        let (folder, _guard) = match held {
            Ok(held) => held,
            Err(error) => return Updated { not_kept: Some(error), ..self.for_now(wanted, watch) },
        };
        let placed = Placed::of(files::segments(&folder), wanted);
        let made = make_missing(&placed, wanted, watch);
        let (read, unmade) = (placed.missing.len(), unmade(&placed, wanted, &made));
        match keep(&folder, look, placed, &made, wanted, unmade.is_empty()) {
            Ok(documents) => Updated { documents, read, unmade, not_kept: None },
            Err(error) => {
                let documents = with_made(files::segments(&folder), wanted, made);
                Updated { documents, read, unmade, not_kept: Some(error) }
            }
        }
    }

    /// The wanted documents, of which those that are missing are made for this run only.
    pub fn for_now(self, wanted: &[Wanted<'_>], watch: &dyn Watch) -> Updated {
        let folder = self.folder().ok().flatten();
        let segments = folder.map(|folder| files::segments(&folder)).unwrap_or_default();
        without_disk(segments, wanted, watch)
    }

    /// How the index stands.
    ///
    /// # Errors
    ///
    /// When its folder cannot be listed.
    pub fn status(self) -> Result<IndexStatus, StoreError> {
        let mut status = IndexStatus::default();
        let Some(folder) = self.folder()? else { return Ok(status) };
        for name in files::all(&folder)? {
            status.bytes += files::size(&folder, &name);
            if files::is_view(&name) {
                match files::read_view(&folder, &name) {
                    Some(_) => status.views += 1,
                    None => status.unreadable += 1,
                }
            } else if files::is_segment(&name) {
                match files::open_segment(&folder, &name) {
                    Some(segment) => {
                        status.segments += 1;
                        status.documents += segment.cards.len();
                    }
                    None => status.unreadable += 1,
                }
            }
        }
        Ok(status)
    }

    /// Removes all of it; how many bytes that were.
    ///
    /// # Errors
    ///
    /// When somebody else uses it for too long, or a file cannot be removed.
    pub fn clear(self) -> Result<u64, StoreError> {
        let Some(folder) = self.folder()? else { return Ok(0) };
        let _guard = lock::document(&folder, files::LOCK, PATIENCE)?;
        let mut bytes = 0;
        for name in files::all(&folder)?.into_iter().filter(|name| name != files::LOCK) {
            bytes += files::size(&folder, &name);
            folder.remove_file(&name)?;
        }
        Ok(bytes)
    }
}

/// The wanted documents as if there were no index.
pub fn without_index(wanted: &[Wanted<'_>], watch: &dyn Watch) -> Updated {
    without_disk(Vec::new(), wanted, watch)
}

fn without_disk(
    segments: Vec<(String, segment::Segment)>,
    wanted: &[Wanted<'_>],
    watch: &dyn Watch,
) -> Updated {
    let mut placed = Placed::of(segments, wanted);
    let made = make_missing(&placed, wanted, watch);
    let (read, unmade) = (placed.missing.len(), unmade(&placed, wanted, &made));
    placed.add_for_now(&made);
    Updated { documents: placed.into_documents(), read, unmade, not_kept: None }
}

/// The wanted documents when what was `made` could not be written, or not all of it.
fn with_made(
    segments: Vec<(String, segment::Segment)>,
    wanted: &[Wanted<'_>],
    mut made: Vec<Item>,
) -> Documents {
    let mut placed = Placed::of(segments, wanted);
    let missing: BTreeSet<u128> = placed.missing.iter().map(|&place| wanted[place].key).collect();
    made.retain(|item| missing.contains(&item.card.key));
    // A segment that turned out to be damaged is not there any more.
    let known: BTreeSet<u128> = made.iter().map(|item| item.card.key).collect();
    let gone: Vec<usize> =
        placed.missing.iter().copied().filter(|&place| !known.contains(&wanted[place].key)).collect();
    made.extend(make(&gone, wanted, &|_| {}));
    placed.add_for_now(&made);
    placed.into_documents()
}

fn make_missing(placed: &Placed, wanted: &[Wanted<'_>], watch: &dyn Watch) -> Vec<Item> {
    let of = placed.missing.len();
    make(&placed.missing, wanted, &|made| watch.made(made, of))
}

/// The keys of the missing that nothing was made of.
fn unmade(placed: &Placed, wanted: &[Wanted<'_>], made: &[Item]) -> Vec<u128> {
    let mut made = made.iter().map(|item| item.card.key).peekable();
    let keys = placed.missing.iter().map(|&place| wanted[place].key);
    // Both are in the order of what is wanted.
    keys.filter(|key| made.next_if_eq(key).is_none()).collect()
}

/// Writes what was made, and the view.
fn keep(
    folder: &Folder,
    look: &Look<'_>,
    mut placed: Placed,
    made: &[Item],
    wanted: &[Wanted<'_>],
    is_complete: bool,
) -> Result<Documents, StoreError> {
    if !made.is_empty() {
        placed.add(folder, made)?;
    }
    let name = files::view(look.identity);
    let placed = placed.tidy(folder, wanted, &name)?;
    let mut skills: Vec<(u64, u128)> = wanted.iter().map(|wanted| (wanted.place, wanted.key)).collect();
    skills.sort_unstable();
    let view = View {
        identity: look.identity,
        looked_ns: look.began_ns,
        is_whole: is_complete && !look.is_doubted,
        trace: look.trace.to_owned(),
        skills,
        members: placed.members(),
    };
    document::replace(folder, &name, &names::temporary(), &view.encode(), false)?;
    files::forget_views(folder, &name)?;
    Ok(placed.into_documents())
}

/// A hash for [`Wanted::place`], [`Card`] and the identity of a view.
pub fn hash(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

/// A hash of all parts, for [`Wanted::key`].
pub fn key(parts: &[&[u8]]) -> u128 {
    let mut hash = xxhash_rust::xxh3::Xxh3::new();
    for part in parts {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.digest128()
}
