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
//! segments are merged when there are many; documents that no view has are left behind then.

mod bytes;
pub mod collection;
mod segment;
mod view;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::Read,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use collection::Documents;
pub use segment::{Card, Item};
use segment::{ReadAt, Segment};
pub use view::View;

use super::{Store, StoreError, document, folder::Folder, lock, names};
use crate::rank::text::terms::Analyser;

const FOLDER: &str = "index";
const LOCK: &str = "index.lock";
const SEGMENT: &str = ".segment";
const VIEW: &str = ".view";
/// More segments than this are merged.
const MOST_SEGMENTS: usize = 8;
/// More views than this are not kept; those that were written first go first.
const MOST_VIEWS: usize = 64;
/// How long others are waited for who build the index: then this process builds what it needs for itself.
const PATIENCE: Duration = Duration::from_secs(60);
/// A larger view is not read.
const MOST_VIEW_BYTES: u64 = 1 << 28;

/// Makes the document of a skill.
pub type Make<'a> = Box<dyn Fn(&mut Analyser) -> Option<Item> + Sync + 'a>;

/// A skill that the index is to have.
pub struct Wanted<'a> {
    /// A hash of where it lies.
    pub place: u64,
    /// A hash of all that its document is made from.
    pub key: u128,
    /// Makes its document; `None` when the skill is gone meanwhile.
    pub make: Make<'a>,
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
#[derive(Debug, Clone)]
pub struct Index {
    path: std::path::PathBuf,
}

impl Store {
    /// The search index. Nothing is made or read yet.
    pub fn index(&self) -> Index {
        Index { path: self.root().join(FOLDER) }
    }
}

impl Index {
    /// What a set of folders held when somebody last looked; `None` when nobody did or it cannot be told.
    pub fn view(&self, identity: u64) -> Option<View> {
        let folder = Folder::open(&self.path).ok().flatten()?;
        read_view(&folder, &view_name(identity))
    }

    /// The documents of views; `None` when they are not all there.
    pub fn documents(&self, views: &[&View]) -> Option<Documents> {
        let folder = Folder::open(&self.path).ok().flatten()?;
        let mut members: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (name, documents) in views.iter().flat_map(|view| &view.members) {
            members.entry(name).or_default().extend(documents);
        }
        let open = |(name, members)| Some((open_segment(&folder, name)?, members));
        Some(Documents::new(members.into_iter().map(open).collect::<Option<_>>()?))
    }

    /// Makes the documents that are missing and remembers the view. Where the home cannot be written, the answer
    /// has the documents of this run.
    pub fn update(
        &self,
        identity: u64,
        looked_ns: i128,
        trace: &[u8],
        wanted: &[Wanted<'_>],
    ) -> Result<View, Documents> {
        match self.update_on_disk(identity, looked_ns, trace, wanted) {
            Ok(view) => Ok(view),
            Err(error) => {
                tracing::info!(%error, "the search index is kept for this run only");
                let mut placed = Placed::of(self.segments(), wanted);
                let made = segment::encode(&make(&placed.missing, wanted));
                if let Ok(segment) = Segment::open(Box::new(made)) {
                    placed.push(String::new(), segment);
                }
                Err(placed.into_documents())
            }
        }
    }

    /// Segments that can be read, by their names.
    fn segments(&self) -> Vec<(String, Segment)> {
        let Ok(Some(folder)) = Folder::open(&self.path) else { return Vec::new() };
        segments_in(&folder)
    }

    fn update_on_disk(
        &self,
        identity: u64,
        looked_ns: i128,
        trace: &[u8],
        wanted: &[Wanted<'_>],
    ) -> Result<View, StoreError> {
        let folder = Folder::make(&self.path)?;
        let _guard = lock::document(&folder, LOCK, PATIENCE)?;
        sweep(&folder)?;
        let mut placed = Placed::of(segments_in(&folder), wanted);
        let made = make(&placed.missing, wanted);
        if !made.is_empty() {
            placed.add(&folder, &made)?;
        }
        if placed.segments.len() > MOST_SEGMENTS {
            placed = placed.merge(&folder, wanted)?;
        }
        let mut skills: Vec<(u64, u128)> = wanted.iter().map(|wanted| (wanted.place, wanted.key)).collect();
        skills.sort_unstable();
        let members = placed.members();
        let view = View { looked_ns, trace: trace.to_owned(), skills, members };
        document::replace(&folder, &view_name(identity), &names::temporary(), &view.encode(), false)?;
        forget_views(&folder)?;
        Ok(view)
    }

    /// How the index stands.
    ///
    /// # Errors
    ///
    /// When its folder cannot be listed.
    pub fn status(&self) -> Result<IndexStatus, StoreError> {
        let mut status = IndexStatus::default();
        let Some(folder) = Folder::open(&self.path)? else { return Ok(status) };
        for name in names_in(&folder)? {
            let Some(file) = folder.file(&name)? else { continue };
            status.bytes += file.metadata().map_or(0, |metadata| metadata.len());
            if name.ends_with(VIEW) {
                match read_view(&folder, &name) {
                    Some(_) => status.views += 1,
                    None => status.unreadable += 1,
                }
            } else if name.ends_with(SEGMENT) {
                match open_segment(&folder, &name) {
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
    pub fn clear(&self) -> Result<u64, StoreError> {
        if Folder::open(&self.path)?.is_none() {
            return Ok(0);
        }
        let folder = Folder::make(&self.path)?;
        let _guard = lock::document(&folder, LOCK, PATIENCE)?;
        let mut bytes = 0;
        for name in names_in(&folder)? {
            if name != LOCK {
                let file = folder.file(&name)?;
                bytes += file.and_then(|file| file.metadata().ok()).map_or(0, |metadata| metadata.len());
                folder.remove_file(&name)?;
            }
        }
        Ok(bytes)
    }
}

/// Where the wanted documents are.
struct Placed {
    segments: Vec<(String, Segment)>,
    /// By segment: the documents that are wanted.
    found: Vec<Vec<u32>>,
    /// Places in the list of what is wanted.
    missing: Vec<usize>,
}

impl Placed {
    fn of(segments: Vec<(String, Segment)>, wanted: &[Wanted<'_>]) -> Self {
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

    /// Adds a segment of new documents.
    fn add(&mut self, folder: &Folder, items: &[Item]) -> Result<(), StoreError> {
        let name = names::random() + SEGMENT;
        document::replace(folder, &name, &names::temporary(), &segment::encode(items), false)?;
        let segment = open_segment(folder, &name).ok_or_else(|| StoreError::Invalid {
            file: folder.path().join(&name),
            reason: "it cannot be read after it was written".to_owned(),
        })?;
        self.push(name, segment);
        Ok(())
    }

    /// One segment of all documents that any view has.
    fn merge(self, folder: &Folder, wanted: &[Wanted<'_>]) -> Result<Self, StoreError> {
        let mut keys: BTreeSet<u128> = wanted.iter().map(|wanted| wanted.key).collect();
        let views: Vec<String> = names_in(folder)?.into_iter().filter(|name| name.ends_with(VIEW)).collect();
        for view in &views {
            keys.extend(read_view(folder, view).unwrap_or_default().skills.iter().map(|(_, key)| key));
        }
        let mut items = Vec::new();
        for (name, segment) in &self.segments {
            let kept = segment.items(|number| keys.remove(&segment.cards[number as usize].key));
            items.extend(kept.map_err(|error| StoreError::Invalid {
                file: folder.path().join(name),
                reason: error.to_string(),
            })?);
        }
        let mut merged = Self { segments: Vec::new(), found: Vec::new(), missing: Vec::new() };
        merged.add(folder, &items)?;
        // What other views say of segments is no longer so; their documents are all there.
        for name in views.iter().chain(self.segments.iter().map(|(name, _)| name)) {
            folder.remove_file(name)?;
        }
        Ok(Self::of(merged.segments, wanted))
    }

    fn members(&self) -> Vec<(String, Vec<u32>)> {
        let all = self.segments.iter().zip(&self.found);
        all.filter(|(_, found)| !found.is_empty())
            .map(|((name, _), found)| (name.clone(), found.clone()))
            .collect()
    }

    fn into_documents(self) -> Documents {
        let all = self.segments.into_iter().map(|(_, segment)| segment).zip(self.found);
        Documents::new(all.filter(|(_, found)| !found.is_empty()).collect())
    }
}

/// Makes the documents of these places, with as many threads as pay off.
fn make(missing: &[usize], wanted: &[Wanted<'_>]) -> Vec<Item> {
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut made, mut analyser) = (Vec::new(), Analyser::default());
        while let Some(&place) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            made.extend((wanted[place].make)(&mut analyser).map(|item| (place, item)));
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

fn view_name(identity: u64) -> String {
    format!("{identity:016x}{VIEW}")
}

fn names_in(folder: &Folder) -> Result<Vec<String>, StoreError> {
    Ok(folder.entries()?.into_iter().filter_map(|(name, _)| name.into_string().ok()).collect())
}

fn segments_in(folder: &Folder) -> Vec<(String, Segment)> {
    let names = names_in(folder).unwrap_or_default().into_iter().filter(|name| name.ends_with(SEGMENT));
    names.filter_map(|name| Some((name.clone(), open_segment(folder, &name)?))).collect()
}

fn open_segment(folder: &Folder, name: &str) -> Option<Segment> {
    let file = folder.file(name).ok().flatten()?;
    match Segment::open(Box::new(file)) {
        Ok(segment) => Some(segment),
        Err(error) => {
            tracing::info!(file = name, %error, "a part of the search index is made again");
            None
        }
    }
}

fn read_view(folder: &Folder, name: &str) -> Option<View> {
    let file = folder.file(name).ok().flatten()?;
    let mut bytes = Vec::new();
    file.take(MOST_VIEW_BYTES).read_to_end(&mut bytes).ok()?;
    View::decode(&bytes).ok()
}

/// Removes what killed processes left, and what cannot be read.
fn sweep(folder: &Folder) -> Result<(), StoreError> {
    for name in names_in(folder)? {
        let is_dead =
            names::is_temporary(&name) || name.ends_with(SEGMENT) && open_segment(folder, &name).is_none();
        if is_dead {
            folder.remove_file(&name)?;
        }
    }
    Ok(())
}

/// Keeps the views that were written last.
fn forget_views(folder: &Folder) -> Result<(), StoreError> {
    let mut views = Vec::new();
    for name in names_in(folder)?.into_iter().filter(|name| name.ends_with(VIEW)) {
        let modified = folder.file(&name)?.and_then(|file| file.metadata().ok()?.modified().ok());
        views.push((modified, name));
    }
    views.sort_unstable();
    let superfluous = views.len().saturating_sub(MOST_VIEWS);
    for (_, name) in &views[..superfluous] {
        folder.remove_file(name)?;
    }
    Ok(())
}

#[cfg(unix)]
impl ReadAt for File {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }
}

#[cfg(windows)]
impl ReadAt for File {
    fn read_at(&self, mut buffer: &mut [u8], mut offset: u64) -> std::io::Result<()> {
        while !buffer.is_empty() {
            let length = std::os::windows::fs::FileExt::seek_read(self, buffer, offset)?;
            if length == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            buffer = &mut buffer[length..];
            offset += length as u64;
        }
        Ok(())
    }
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
