//! Where downloaded bytes go: new files below one folder, hashed as they are written.
//!
//! The folder is opened here and held; everything below it is made from its handle, exclusively and
//! without following links, so that nothing can be written anywhere else. A file is done only when its
//! length and its git id are those of the tree. Bytes pass through and are never collected.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use sha2::{Digest, Sha256};

use super::{error::FetchError, pin::PinnedFile};
use crate::skill::{
    git::{BlobHasher, Collision},
    id::BlobSha,
    path::SkillPath,
};

/// A pointer of Git LFS is shorter than this, by its specification.
const POINTER_BYTES: u64 = 1024;
const POINTER_START: &[u8] = b"version https://git-lfs";

/// A fresh folder and the bytes that may still be written there without a known length.
#[derive(Debug)]
pub(super) struct Target {
    folder: Folder,
    path: PathBuf,
    left: AtomicU64,
    limit: u64,
}

impl Target {
    /// The folder at `path`, which is empty.
    pub(super) fn open(path: &Path, limit: u64) -> Result<Arc<Self>, FetchError> {
        let failed = |source| FetchError::Io { path: path.to_owned(), source };
        let folder = Folder::open(path).map_err(failed)?;
        Ok(Arc::new(Self { folder, path: path.to_owned(), left: AtomicU64::new(limit), limit }))
    }

    /// Where the folder is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The most bytes that the whole skill may have.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// Makes a new file, and the folders above it.
    pub(super) fn file(self: &Arc<Self>, file: &PinnedFile) -> Result<BlobFile, FetchError> {
        let path = self.path.join(file.path.as_str());
        let opened = self.folder.create(&file.path);
        let handle = opened.map_err(|source| FetchError::Io { path: path.clone(), source })?;
        Ok(BlobFile {
            target: Arc::clone(self),
            handle,
            path,
            name: file.path.as_str().to_owned(),
            blob: file.blob.clone(),
            size: file.size,
            longest_wrapped: None,
            written: 0,
            start: Vec::new(),
            sha256: Sha256::new(),
            problem: None,
        })
    }

    /// Removes files, and the folders above them that are then empty.
    pub(super) fn remove(&self, paths: &BTreeSet<&SkillPath>) -> Result<(), FetchError> {
        for path in paths {
            let full = self.path.join(path.as_str());
            fs_err::remove_file(&full).map_err(|source| FetchError::Io { path: full.clone(), source })?;
            for folder in full.ancestors().skip(1).take_while(|folder| *folder != self.path) {
                match fs_err::remove_dir(folder) {
                    Ok(()) => {}
                    Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => break,
                    Err(source) => return Err(FetchError::Io { path: folder.to_owned(), source }),
                }
            }
        }
        Ok(())
    }
}

/// A file that is complete and is what its tree says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    /// Its length in bytes.
    pub(super) size: u64,
    /// The SHA-256 of its bytes.
    pub(super) sha256: [u8; 32],
    /// Whether it only points to a file that Git LFS keeps elsewhere.
    pub(super) is_pointer: bool,
}

/// A file that is being written.
#[derive(Debug)]
pub(super) struct BlobFile {
    target: Arc<Target>,
    handle: File,
    path: PathBuf,
    name: String,
    blob: BlobSha,
    /// The length that the tree tells.
    size: Option<u64>,
    /// The most bytes of JSON that are taken instead.
    longest_wrapped: Option<u64>,
    written: u64,
    start: Vec<u8>,
    sha256: Sha256,
    problem: Option<FetchError>,
}

impl BlobFile {
    /// Also takes an answer that wraps the bytes in JSON, which is longer than they are; `longest` bounds it.
    pub(super) fn allow_wrapped(&mut self, longest: u64) {
        self.longest_wrapped = Some(longest);
    }

    /// Says how long the file is, as git tells just before its bytes.
    pub(super) fn announce(&mut self, size: u64) -> Result<(), FetchError> {
        match self.size {
            Some(expected) if expected != size => Err(self.wrong_size(expected, size)),
            None if size > self.target.left.load(Ordering::Relaxed) => Err(self.too_large()),
            _ => Ok(()),
        }
    }

    /// Writes the next bytes. On an error [`Self::finish`] knows why.
    pub(super) fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length = bytes.len() as u64;
        let after = self.written + length;
        if let Some(expected) = self.size
            && after > expected
        {
            let is_object = self.start.first().or(bytes.first()) == Some(&b'{');
            if !is_object || self.longest_wrapped.is_none_or(|longest| after > longest) {
                return Err(self.stop(self.wrong_size(expected, after)));
            }
        }
        if self.size.is_none()
            && self
                .target
                .left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(length))
                .is_err()
        {
            return Err(self.stop(self.too_large()));
        }
        if let Err(source) = self.handle.write_all(bytes) {
            let path = self.path.clone();
            return Err(self.stop(FetchError::Io { path, source }));
        }
        let room = POINTER_START.len().saturating_sub(self.start.len());
        self.start.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.sha256.update(bytes);
        self.written = after;
        Ok(())
    }

    /// Writes bytes that were wrapped in JSON and are so no more.
    pub(super) fn take_unwrapped(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.longest_wrapped = None;
        self.take(bytes)
    }

    /// Begins anew, for an answer that is asked for again.
    pub(super) fn restart(&mut self) -> io::Result<()> {
        if self.size.is_none() {
            self.target.left.fetch_add(self.written, Ordering::Relaxed);
        }
        let emptied = self.handle.set_len(0).and_then(|()| self.handle.seek(SeekFrom::Start(0)).map(drop));
        if let Err(source) = emptied {
            let path = self.path.clone();
            return Err(self.stop(FetchError::Io { path, source }));
        }
        self.written = 0;
        self.start.clear();
        self.sha256 = Sha256::new();
        self.problem = None;
        Ok(())
    }

    /// Why writing stopped, when it did.
    pub(super) fn problem(&mut self) -> Option<FetchError> {
        self.problem.take()
    }

    /// Everything written so far, when it begins like JSON and so may be an answer that wraps the bytes.
    pub(super) fn wrapped(&mut self) -> Result<Option<Vec<u8>>, FetchError> {
        if self.start.first() != Some(&b'{') {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let read = self.handle.seek(SeekFrom::Start(0)).and_then(|_| self.handle.read_to_end(&mut bytes));
        match read {
            Ok(_) => Ok(Some(bytes)),
            Err(source) => Err(FetchError::Io { path: self.path.clone(), source }),
        }
    }

    /// Compares what was written with what the tree says.
    ///
    /// # Errors
    ///
    /// When the length or the id is another, or the bytes bear the marks of a SHA-1 collision.
    pub(super) fn finish(&mut self) -> Result<Written, FetchError> {
        if let Some(problem) = self.problem.take() {
            return Err(problem);
        }
        match self.size {
            Some(expected) if expected != self.written => return Err(self.wrong_size(expected, self.written)),
            _ => {}
        }
        let made = self.hash().map_err(|source| FetchError::Io { path: self.path.clone(), source })?;
        match made {
            Ok(blob) if blob == self.blob => {}
            Ok(_) => {
                return Err(FetchError::BlobBytes { path: self.name.clone(), blob: self.blob.clone() });
            }
            Err(Collision) => return Err(FetchError::Collision { path: self.name.clone() }),
        }
        Ok(Written {
            size: self.written,
            sha256: std::mem::take(&mut self.sha256).finalize().into(),
            is_pointer: self.written < POINTER_BYTES && self.start == POINTER_START,
        })
    }

    /// A blob's id begins with its length, which is sure only now; what is hashed is what the disk holds.
    fn hash(&mut self) -> io::Result<Result<BlobSha, Collision>> {
        let mut hasher = BlobHasher::new(self.written);
        let mut buffer = vec![0; 64 * 1024];
        self.handle.seek(SeekFrom::Start(0))?;
        loop {
            match self.handle.read(&mut buffer)? {
                0 => return Ok(hasher.finish()),
                read => hasher.update(&buffer[..read]),
            }
        }
    }

    fn stop(&mut self, problem: FetchError) -> io::Error {
        self.problem = Some(problem);
        io::Error::other("the file is not taken further")
    }

    fn wrong_size(&self, expected: u64, found: u64) -> FetchError {
        FetchError::BlobSize { path: self.name.clone(), expected, found }
    }

    fn too_large(&self) -> FetchError {
        FetchError::TooLarge { limit: self.target.limit }
    }
}

/// An open folder below which files are made.
#[derive(Debug)]
struct Folder {
    #[cfg(unix)]
    handle: std::os::fd::OwnedFd,
    #[cfg(not(unix))]
    path: PathBuf,
}

#[cfg(unix)]
impl Folder {
    fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { handle: rustix::fs::open(path, FOLDER, rustix::fs::Mode::empty())? })
    }

    fn create(&self, path: &SkillPath) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, mkdirat, openat};

        let mut folder = None;
        let mut segments: Vec<&str> = path.as_str().split('/').collect();
        let name = segments.pop().unwrap_or_default();
        for segment in segments {
            let above = folder.as_ref().unwrap_or(&self.handle);
            match mkdirat(above, segment, Mode::RWXU) {
                Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            let below = openat(above, segment, FOLDER, Mode::empty())?;
            folder = Some(below);
        }
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(folder.as_ref().unwrap_or(&self.handle), name, flags, Mode::RUSR | Mode::WUSR)?;
        Ok(file.into())
    }
}

#[cfg(unix)]
const FOLDER: rustix::fs::OFlags = rustix::fs::OFlags::RDONLY
    .union(rustix::fs::OFlags::DIRECTORY)
    .union(rustix::fs::OFlags::NOFOLLOW)
    .union(rustix::fs::OFlags::CLOEXEC);

#[cfg(not(unix))]
impl Folder {
    fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned() })
    }

    fn create(&self, path: &SkillPath) -> io::Result<File> {
        let path = self.path.join(path.as_str());
        if let Some(above) = path.parent() {
            fs_err::create_dir_all(above)?;
        }
        let mut options = fs_err::OpenOptions::new();
        Ok(options.read(true).write(true).create_new(true).open(path)?.into_parts().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::{git, tree::content_sha256};

    fn pinned(path: &str, content: &[u8], size: Option<u64>) -> PinnedFile {
        PinnedFile {
            path: SkillPath::parse(path).unwrap(),
            blob: git::blob_id(content).unwrap(),
            size,
            executable: false,
        }
    }

    fn target(limit: u64) -> (tempfile::TempDir, Arc<Target>) {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("tree");
        fs_err::create_dir(&tree).unwrap();
        let target = Target::open(&tree, limit).unwrap();
        (folder, target)
    }

    #[test]
    fn bytes_that_arrive_in_pieces_are_written_and_hashed() {
        let (_folder, target) = target(100);
        let content = b"one\r\ntwo\0\xff";
        let mut file = target.file(&pinned("a/b/c.bin", content, Some(content.len() as u64))).unwrap();
        file.take(b"half of a first try").unwrap_err();
        assert!(matches!(file.problem(), Some(FetchError::BlobSize { .. })));
        file.restart().unwrap();
        for piece in content.chunks(2) {
            file.take(piece).unwrap();
        }
        let written = file.finish().unwrap();
        assert_eq!(written, Written { size: 10, sha256: content_sha256(content), is_pointer: false });
        assert_eq!(fs_err::read(target.path().join("a/b/c.bin")).unwrap(), content);
    }

    #[test]
    fn wrong_bytes_have_a_name() {
        let (_folder, target) = target(100);
        let content = b"right";
        for (index, (bytes, code)) in [
            (&b"wrong"[..], "blob_wrong_bytes"),
            (b"righ", "blob_wrong_size"),
            (b"right!", "blob_wrong_size"),
        ]
        .into_iter()
        .enumerate()
        {
            let mut file = target.file(&pinned(&format!("f{index}"), content, Some(5))).unwrap();
            let stopped = file.take(bytes).is_err();
            assert_eq!(stopped, bytes.len() > 5);
            assert_eq!(file.finish().unwrap_err().code(), code);
        }
    }

    #[test]
    fn unknown_lengths_share_what_the_skill_may_have() {
        let (_folder, target) = target(10);
        let mut first = target.file(&pinned("a", b"123456", None)).unwrap();
        first.take(b"123456").unwrap();
        let mut second = target.file(&pinned("b", b"12345", None)).unwrap();
        assert_eq!(second.announce(5).unwrap_err().code(), "skill_too_large");
        second.announce(4).unwrap();
        second.take(b"12345").unwrap_err();
        assert_eq!(second.finish().unwrap_err().code(), "skill_too_large");
        first.restart().unwrap();
        first.take(b"123456").unwrap();
        assert_eq!(first.finish().unwrap().size, 6);
    }

    #[test]
    fn nothing_is_written_over_or_through_a_link() {
        let (folder, target) = target(10);
        let outside = folder.path().join("outside");
        fs_err::create_dir(&outside).unwrap();
        target.file(&pinned("a", b"", None)).unwrap();
        assert!(matches!(target.file(&pinned("a", b"", None)), Err(FetchError::Io { .. })));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outside, target.path().join("link")).unwrap();
            assert!(target.file(&pinned("link/x", b"", None)).is_err());
            std::os::unix::fs::symlink(outside.join("y"), target.path().join("dangling")).unwrap();
            assert!(target.file(&pinned("dangling", b"", None)).is_err());
            assert_eq!(fs_err::read_dir(&outside).unwrap().count(), 0);
        }
    }

    #[test]
    fn removing_leaves_no_empty_folder() {
        let (_folder, target) = target(10);
        for path in ["a/b/c", "a/d", "e/f"] {
            target.file(&pinned(path, b"", None)).unwrap();
        }
        let (one, two) = (SkillPath::parse("a/b/c").unwrap(), SkillPath::parse("e/f").unwrap());
        target.remove(&BTreeSet::from([&one, &two])).unwrap();
        assert!(target.path().join("a/d").exists());
        assert!(!target.path().join("a/b").exists() && !target.path().join("e").exists());
    }

    #[test]
    fn pointers_are_told_from_text_about_them() {
        let (_folder, target) = target(1 << 20);
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n".to_vec();
        let long = [&pointer[..], &[b' '; 2000]].concat();
        for (index, (content, is_pointer)) in
            [(pointer, true), (long, false), (b"version".to_vec(), false)].into_iter().enumerate()
        {
            let mut file = target.file(&pinned(&format!("f{index}"), &content, None)).unwrap();
            file.take(&content).unwrap();
            assert_eq!(file.finish().unwrap().is_pointer, is_pointer);
        }
    }
}
