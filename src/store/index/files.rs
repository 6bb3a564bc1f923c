//! The files of the index: which there are, how each is opened, and which go.
//!
//! Only names that the index gives are opened, replaced or removed; whatever else lies in the folder stays, and so do
//! links and folders of such a name.

use std::{
    fs::File,
    io::{self, Read},
    time::UNIX_EPOCH,
};

use super::{
    segment::{MAGIC, ReadAt, Segment, VERSION},
    view::View,
};
use crate::store::{
    StoreError,
    folder::{Folder, Kind},
    names,
};

/// Who adds to the index has this file alone.
pub(super) const LOCK: &str = "index.lock";
const SEGMENT: &str = ".segment";
const VIEW: &str = ".view";
/// More views than this are not kept; those that were written first go first.
const MOST_VIEWS: usize = 64;
/// Nor more than so many bytes of them.
const MOST_BYTES_OF_VIEWS: u64 = 1 << 26;
/// A larger view is not read.
const MOST_VIEW_BYTES: u64 = 1 << 28;
/// How long a segment of another release is left alone: 30 days.
const OTHERS_KEPT_NS: i128 = 30 * 24 * 3600 * 1_000_000_000;

/// A name for a new segment.
pub(super) fn new_segment() -> String {
    names::random() + SEGMENT
}

/// Whether `name` could be one of [`new_segment`].
pub(super) fn is_segment(name: &str) -> bool {
    name.strip_suffix(SEGMENT).is_some_and(names::is_random)
}

/// The file of the view of this identity.
pub(super) fn view(identity: u64) -> String {
    format!("{identity:016x}{VIEW}")
}

/// The identity of the view whose file has this name.
fn identity(name: &str) -> Option<u64> {
    let identity = u64::from_str_radix(name.strip_suffix(VIEW)?, 16).ok()?;
    (view(identity) == name).then_some(identity)
}

/// Whether `name` could be one of [`view`].
pub(super) fn is_view(name: &str) -> bool {
    identity(name).is_some()
}

/// Whether the index gave this name.
pub(super) fn is_own(name: &str) -> bool {
    name == LOCK || is_segment(name) || is_view(name) || names::is_temporary(name)
}

/// The regular files of the index, in byte order of their names.
pub(super) fn all(folder: &Folder) -> Result<Vec<String>, StoreError> {
    let files = folder.entries()?.into_iter().filter(|(_, kind)| *kind == Kind::File);
    Ok(files.filter_map(|(name, _)| name.into_string().ok()).filter(|name| is_own(name)).collect())
}

/// The segments that can be read, with their names.
pub(super) fn segments(folder: &Folder) -> Vec<(String, Segment)> {
    let names = all(folder).unwrap_or_default().into_iter().filter(|name| is_segment(name));
    names.filter_map(|name| Some((name.clone(), open_segment(folder, &name)?))).collect()
}

/// Opens the segment of this name; `None` when it is not there, damaged, or of another version.
pub(super) fn open_segment(folder: &Folder, name: &str) -> Option<Segment> {
    if !is_segment(name) {
        return None;
    }
    let file = folder.file(name).ok().flatten()?;
    match Segment::open(Box::new(file)) {
        Ok(segment) => Some(segment),
        Err(error) => {
            tracing::info!(file = name, %error, "a part of the search index is made again");
            None
        }
    }
}

/// Reads the view of this name; `None` when it is not there, damaged, of another version, or another's.
pub(super) fn read_view(folder: &Folder, name: &str) -> Option<View> {
    let identity = identity(name)?;
    let file = folder.file(name).ok().flatten()?;
    let mut bytes = Vec::new();
    file.take(MOST_VIEW_BYTES).read_to_end(&mut bytes).ok()?;
    View::decode(&bytes).ok().filter(|view| view.identity == identity)
}

/// The size of a file; 0 when it is gone.
pub(super) fn size(folder: &Folder, name: &str) -> u64 {
    let file = folder.file(name).ok().flatten();
    file.and_then(|file| file.metadata().ok()).map_or(0, |metadata| metadata.len())
}

/// Removes what killed processes left, and what cannot be read. What another release wrote of late is left to it: two
/// that are used in turn would otherwise make everything anew each time.
pub(super) fn sweep(folder: &Folder, now_ns: i128) -> Result<(), StoreError> {
    for name in all(folder)? {
        let is_dead =
            || open_segment(folder, &name).is_none() && !is_of_another_release(folder, &name, now_ns);
        if names::is_temporary(&name) || is_segment(&name) && is_dead() {
            folder.remove_file(&name)?;
        }
    }
    Ok(())
}

/// Whether a segment is of another version, and not so old that its release is used no more.
fn is_of_another_release(folder: &Folder, name: &str, now_ns: i128) -> bool {
    let Ok(Some(mut file)) = folder.file(name) else { return false };
    let modified = file.metadata().and_then(|metadata| metadata.modified());
    let since = modified.ok().and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    let modified_ns = since.and_then(|since| i128::try_from(since.as_nanos()).ok()).unwrap_or(i128::MIN);
    let mut start = [0; MAGIC.len() + 4];
    file.read_exact(&mut start).is_ok()
        && start.starts_with(MAGIC)
        && !start.ends_with(&VERSION.to_le_bytes())
        && modified_ns > now_ns.saturating_sub(OTHERS_KEPT_NS)
}

/// Keeps the views that were written last, and the one of this name in any case.
pub(super) fn forget_views(folder: &Folder, own: &str) -> Result<(), StoreError> {
    let mut views = Vec::new();
    for name in all(folder)?.into_iter().filter(|name| is_view(name) && name != own) {
        let metadata = folder.file(&name)?.and_then(|file| file.metadata().ok());
        let modified = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
        views.push((modified, metadata.map_or(0, |metadata| metadata.len()), name));
    }
    views.sort_unstable();
    let (mut kept, mut bytes) = (1, size(folder, own));
    for (_, length, name) in views.into_iter().rev() {
        (kept, bytes) = (kept + 1, bytes.saturating_add(length));
        if kept > MOST_VIEWS || bytes > MOST_BYTES_OF_VIEWS {
            folder.remove_file(&name)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
impl ReadAt for File {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

#[cfg(windows)]
impl ReadAt for File {
    fn read_at(&self, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !buffer.is_empty() {
            let length = std::os::windows::fs::FileExt::seek_read(self, buffer, offset)?;
            if length == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            buffer = &mut buffer[length..];
            offset += length as u64;
        }
        Ok(())
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}
