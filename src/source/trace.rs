//! What a walk looked at, so that a later one can tell without a walk that it would find the same.
//!
//! Every folder that was listed and every `SKILL.md` that was looked for has a stamp, taken before the look. A
//! folder whose stamp is the same has the same names in it, a file the same content, unless either was changed so
//! shortly before the look that the clock of its file system could not tell: what was young then is not trusted,
//! as git does with its index. Nor is a look that met an error which may pass without a change of anything, such as
//! that of a server that is away: it is told by [`Trace::doubt`].

use std::{
    path::{Path, PathBuf},
    thread,
};

use super::found::path;

/// What was changed less than this before a look may change again without a new stamp: the coarsest clock of a file
/// system, that of FAT.
const YOUNG_NS: i128 = 2_000_000_000;
/// Fewer stamps than this are compared faster by one thread.
const WORTH_A_THREAD: usize = 500;
const MOST_THREADS: usize = 8;

/// What tells one state of a file or folder from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    device: i128,
    inode: i128,
    size: i128,
    modified_ns: i128,
    changed_ns: i128,
}

/// What was looked at, with the stamps of before the look; `None` where nothing was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    seen: Vec<(PathBuf, Option<Stamp>)>,
    is_doubted: bool,
}

impl Stamp {
    /// The stamp of what is at `path`, through links; `None` when nothing can be seen there.
    pub fn of(path: &Path) -> Option<Self> {
        #[cfg(unix)]
        {
            rustix::fs::stat(path).ok().map(|stat| Self::from(&stat))
        }
        #[cfg(not(unix))]
        {
            let metadata = fs_err::metadata(path).ok()?;
            let since = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
            let modified_ns = i128::try_from(since.as_nanos()).ok()?;
            Some(Self {
                device: 0,
                inode: 0,
                size: i128::from(metadata.len()),
                modified_ns,
                changed_ns: modified_ns,
            })
        }
    }

    /// Whether it was young at a moment, in nanoseconds since 1970.
    ///
    /// A time of modification in the future was set by somebody, mostly by an archive that was unpacked; then the
    /// time of the last change, which nobody can set, says it alone.
    fn is_young(&self, at_ns: i128) -> bool {
        let (oldest, latest) = (at_ns.saturating_sub(YOUNG_NS), at_ns.saturating_add(YOUNG_NS));
        self.changed_ns > oldest || (self.modified_ns > oldest && self.modified_ns <= latest)
    }
}

#[cfg(unix)]
impl From<&rustix::fs::Stat> for Stamp {
    fn from(stat: &rustix::fs::Stat) -> Self {
        // The types differ from system to system; all of them fit.
        let nanoseconds = |seconds: i128, rest: i128| seconds * 1_000_000_000 + rest;
        Self {
            device: i128::from(stat.st_dev),
            inode: i128::from(stat.st_ino),
            size: i128::from(stat.st_size),
            modified_ns: nanoseconds(i128::from(stat.st_mtime), i128::from(stat.st_mtime_nsec)),
            changed_ns: nanoseconds(i128::from(stat.st_ctime), i128::from(stat.st_ctime_nsec)),
        }
    }
}

impl Trace {
    /// Remembers a path before it is looked at.
    pub fn see(&mut self, path: &Path) {
        self.seen.push((path.to_owned(), Stamp::of(path)));
    }

    /// Remembers that the look may have missed something that no stamp tells of.
    pub fn doubt(&mut self) {
        self.is_doubted = true;
    }

    /// Whether the look may have missed something that no stamp tells of.
    pub fn is_doubted(&self) -> bool {
        self.is_doubted
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.seen.extend(other.seen);
        self.is_doubted |= other.is_doubted;
    }

    /// Puts the paths into one order, which does not depend on the threads of the walk.
    pub(super) fn settle(&mut self) {
        self.seen.sort_by(|left, right| left.0.as_os_str().cmp(right.0.as_os_str()));
        self.seen.dedup();
        let looks = self.seen.len();
        self.seen.dedup_by(|later, earlier| later.0 == earlier.0);
        // What changed between two looks was seen in one state by the one and in another by the other.
        self.is_doubted |= looks != self.seen.len();
    }

    /// The stamp of a path that was seen.
    pub fn stamp(&self, path: &Path) -> Option<Stamp> {
        let place = self.seen.binary_search_by(|(seen, _)| seen.as_os_str().cmp(path.as_os_str())).ok()?;
        self.seen[place].1
    }

    /// The stamp of a file that was trusted at a moment: `None` for one that was not seen, or young.
    pub fn trusted(&self, path: &Path, at_ns: i128) -> Option<Stamp> {
        self.stamp(path).filter(|stamp| !stamp.is_young(at_ns))
    }

    /// The bytes of what was seen, which [`unchanged`] reads. Whether it is doubted is not among them.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (path, stamp) in &self.seen {
            let path = path.as_os_str().as_encoded_bytes();
            bytes.extend_from_slice(&u32::try_from(path.len()).unwrap_or(u32::MAX).to_le_bytes());
            bytes.extend_from_slice(path);
            bytes.push(u8::from(stamp.is_some()));
            if let Some(Stamp { device, inode, size, modified_ns, changed_ns }) = stamp {
                for number in [device, inode, size, modified_ns, changed_ns] {
                    bytes.extend_from_slice(&number.to_le_bytes());
                }
            }
        }
        bytes
    }

    /// The trace of bytes that [`Self::encode`] made.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let seen: Option<Vec<Seen<'_>>> = seen(bytes).collect();
        let seen = seen?.into_iter().map(|(path, stamp)| (path.to_owned(), stamp)).collect();
        Some(Self { seen, is_doubted: false })
    }
}

/// Whether everything that a trace of these bytes saw at a moment, in nanoseconds since 1970, is as it was.
pub fn unchanged(bytes: &[u8], at_ns: i128) -> bool {
    let Some(all) = seen(bytes).collect::<Option<Vec<_>>>() else { return false };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    let share = all.len().div_ceil(threads).max(WORTH_A_THREAD);
    thread::scope(|scope| {
        let mut shares = all.chunks(share);
        let own = shares.next().unwrap_or_default();
        let mut is_same = true;
        let mut others = Vec::new();
        for share in shares {
            let compare = move || all_same(share, at_ns);
            match thread::Builder::new().spawn_scoped(scope, compare) {
                Ok(other) => others.push(other),
                // Where the system allows no further thread, the work is done by those that there are.
                Err(_) => is_same &= all_same(share, at_ns),
            }
        }
        is_same &= all_same(own, at_ns);
        others.into_iter().fold(is_same, |same, other| other.join().unwrap_or(false) && same)
    })
}

/// Whether what was seen is as it was and not young then.
fn all_same(all: &[Seen<'_>], at_ns: i128) -> bool {
    let mut near = Near::default();
    all.iter()
        .all(|&(path, stamp)| stamp.is_none_or(|stamp| !stamp.is_young(at_ns)) && near.stamp(path) == stamp)
}

/// The folder two above what was asked for last, open: the skills of a root are looked up from it, which saves the
/// system to walk down to the root for each.
#[cfg(unix)]
#[derive(Default)]
struct Near<'a>(Option<(&'a Path, std::os::fd::OwnedFd)>);

#[cfg(unix)]
impl<'a> Near<'a> {
    fn stamp(&mut self, path: &'a Path) -> Option<Stamp> {
        let Some(folder) = path.parent().and_then(Path::parent) else { return Stamp::of(path) };
        if self.0.as_ref().is_none_or(|(near, _)| *near != folder) {
            let flags = rustix::fs::OFlags::DIRECTORY.union(rustix::fs::OFlags::CLOEXEC);
            let opened = rustix::fs::open(folder, flags, rustix::fs::Mode::empty());
            self.0 = opened.ok().map(|opened| (folder, opened));
        }
        match (&self.0, path.strip_prefix(folder)) {
            (Some((_, near)), Ok(below)) => rustix::fs::statat(near, below, rustix::fs::AtFlags::empty())
                .ok()
                .map(|stat| Stamp::from(&stat)),
            _ => Stamp::of(path),
        }
    }
}

#[cfg(not(unix))]
#[derive(Default)]
struct Near;

#[cfg(not(unix))]
impl Near {
    fn stamp(&mut self, path: &Path) -> Option<Stamp> {
        Stamp::of(path)
    }
}

type Seen<'a> = (&'a Path, Option<Stamp>);

/// What bytes say was seen; `None` where they say nothing that makes sense.
fn seen(bytes: &[u8]) -> impl Iterator<Item = Option<Seen<'_>>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let next = next_seen(&mut rest);
        if next.is_none() {
            rest = &[];
        }
        Some(next)
    })
}

fn next_seen<'a>(rest: &mut &'a [u8]) -> Option<Seen<'a>> {
    let mut take = |length: usize| {
        let (bytes, after) = rest.split_at_checked(length)?;
        *rest = after;
        Some(bytes)
    };
    let length = u32::from_le_bytes(take(4)?.try_into().ok()?);
    let path = path(take(usize::try_from(length).ok()?)?)?;
    if take(1)? == [0] {
        return Some((path, None));
    }
    let mut number = || Some(i128::from_le_bytes(take(16)?.try_into().ok()?));
    let (device, inode, size) = (number()?, number()?, number()?);
    let (modified_ns, changed_ns) = (number()?, number()?);
    Some((path, Some(Stamp { device, inode, size, modified_ns, changed_ns })))
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
