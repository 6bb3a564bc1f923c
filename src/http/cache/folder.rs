//! The folder of kept answers, held open: a link at its end is never followed.
//!
//! Only regular files are opened, without waiting for the other end of a pipe, and only names of this module
//! are listed, replaced or removed. So whatever is planted in its place, no file of anyone else is touched.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::SystemTime,
};

pub(super) use self::platform::Folder;

/// How many temporary names are tried.
const TRIES: usize = 1_000;

/// A file of the folder: when it was written, its size in bytes and its name.
pub(super) type Listed = (SystemTime, u64, String);

impl Folder {
    /// Opens the folder, and makes it and those above where they are missing.
    pub(super) fn make(path: &Path) -> io::Result<Self> {
        fs_err::create_dir_all(path)?;
        Self::open(path)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// At most `most` bytes of the file `name`; `None` when there is none.
    pub(super) fn read(&self, name: &str, most: u64) -> io::Result<Option<Vec<u8>>> {
        let Some(file) = self.file(name)? else { return Ok(None) };
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// Puts a file of these parts in the place of `name`, whole or not at all.
    pub(super) fn replace(&self, name: &str, parts: &[&[u8]]) -> io::Result<()> {
        let (staged, mut file) = self.stage()?;
        let written = parts.iter().try_for_each(|part| file.write_all(part));
        drop(file);
        let result = written.and_then(|()| self.rename(&staged, name));
        if result.is_err() {
            self.unlink(&staged)?;
        }
        result
    }

    fn stage(&self) -> io::Result<(String, File)> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        for _ in 0..TRIES {
            let name = format!(".tmp-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
            match self.create(&name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                result => return result.map(|file| (name, file)),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Removes the file `name`, if there is one.
    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        if self.file(name)?.is_none() {
            return Ok(());
        }
        match self.unlink(name) {
            // Another process was faster.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result,
        }
    }

    /// The files of this module; everything else is passed over.
    pub(super) fn files(&self) -> io::Result<Vec<Listed>> {
        let mut files = Vec::new();
        for name in self.names()? {
            if !is_own(&name) {
                continue;
            }
            // Another process may have removed it in the meantime.
            let Ok(Some(file)) = self.file(&name) else { continue };
            let metadata = file.metadata()?;
            files.push((metadata.modified()?, metadata.len(), name));
        }
        Ok(files)
    }
}

/// Whether this module gives such names: 64 hex digits, or a temporary name.
fn is_own(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_digest = name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let staged = name.strip_prefix(".tmp-").and_then(|rest| rest.split_once('-'));
    is_digest || staged.is_some_and(|(process, count)| is_number(process) && is_number(count))
}

fn no_folder() -> io::Error {
    io::Error::other("a link or no folder is in the place of the folder")
}

fn no_file() -> io::Error {
    io::Error::other("it is no regular file")
}

#[cfg(unix)]
mod platform {
    use std::{fs::File, io, os::fd::OwnedFd, path::Path, path::PathBuf};

    use rustix::{
        fs::{AtFlags, Dir, Mode, OFlags, open, openat, renameat, unlinkat},
        io::Errno,
    };

    use super::{no_file, no_folder};

    const FOLDER: OFlags =
        OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
    const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);
    const NEW: OFlags = FILE.union(OFlags::WRONLY).union(OFlags::CREATE).union(OFlags::EXCL);

    /// The open folder.
    #[derive(Debug)]
    pub(in crate::http::cache) struct Folder(OwnedFd);

    impl Folder {
        /// Opens the folder; `None` when there is none.
        pub(in crate::http::cache) fn open(path: &Path) -> io::Result<Option<Self>> {
            // A slash at the end would follow a link.
            let path: PathBuf = path.components().collect();
            match open(&path, FOLDER, Mode::empty()) {
                Ok(handle) => Ok(Some(Self(handle))),
                Err(Errno::NOENT) => Ok(None),
                Err(Errno::LOOP | Errno::NOTDIR) => Err(no_folder()),
                Err(error) => Err(error.into()),
            }
        }

        pub(super) fn file(&self, name: &str) -> io::Result<Option<File>> {
            let file = match openat(&self.0, name, FILE.union(OFlags::RDONLY), Mode::empty()) {
                Ok(handle) => File::from(handle),
                Err(Errno::NOENT) => return Ok(None),
                Err(Errno::LOOP | Errno::NXIO) => return Err(no_file()),
                Err(error) => return Err(error.into()),
            };
            if file.metadata()?.is_file() { Ok(Some(file)) } else { Err(no_file()) }
        }

        pub(super) fn create(&self, name: &str) -> io::Result<File> {
            Ok(File::from(openat(&self.0, name, NEW, Mode::from_raw_mode(0o600))?))
        }

        pub(super) fn rename(&self, name: &str, to: &str) -> io::Result<()> {
            Ok(renameat(&self.0, name, &self.0, to)?)
        }

        pub(super) fn unlink(&self, name: &str) -> io::Result<()> {
            Ok(unlinkat(&self.0, name, AtFlags::empty())?)
        }

        pub(super) fn names(&self) -> io::Result<Vec<String>> {
            let mut names = Vec::new();
            for entry in Dir::read_from(&self.0)? {
                names.extend(entry?.file_name().to_str().ok().map(str::to_owned));
            }
            Ok(names)
        }
    }
}

/// Without handles of folders each step looks first.
#[cfg(not(unix))]
mod platform {
    use std::{
        fs::File,
        io,
        path::{Path, PathBuf},
    };

    use super::{no_file, no_folder};

    /// The folder, looked at before each use.
    #[derive(Debug)]
    pub(in crate::http::cache) struct Folder(PathBuf);

    impl Folder {
        /// Looks at the folder; `None` when there is none.
        pub(in crate::http::cache) fn open(path: &Path) -> io::Result<Option<Self>> {
            let path: PathBuf = path.components().collect();
            match fs_err::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_dir() => Ok(Some(Self(path))),
                Ok(_) => Err(no_folder()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        }

        fn at(&self, name: &str) -> io::Result<PathBuf> {
            if fs_err::symlink_metadata(&self.0)?.is_dir() { Ok(self.0.join(name)) } else { Err(no_folder()) }
        }

        pub(super) fn file(&self, name: &str) -> io::Result<Option<File>> {
            let path = self.at(name)?;
            match fs_err::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_file() => File::open(path).map(Some),
                Ok(_) => Err(no_file()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        }

        pub(super) fn create(&self, name: &str) -> io::Result<File> {
            File::options().write(true).create_new(true).open(self.at(name)?)
        }

        pub(super) fn rename(&self, name: &str, to: &str) -> io::Result<()> {
            fs_err::rename(self.at(name)?, self.at(to)?)
        }

        pub(super) fn unlink(&self, name: &str) -> io::Result<()> {
            fs_err::remove_file(self.at(name)?)
        }

        pub(super) fn names(&self) -> io::Result<Vec<String>> {
            let mut names = Vec::new();
            for entry in fs_err::read_dir(self.at("")?)? {
                names.extend(entry?.file_name().into_string().ok());
            }
            Ok(names)
        }
    }
}
