//! Folders of the cache as open handles: the one way in which the store lists, opens, renames and removes.
//!
//! Only the way to the cache itself may lead over links, because a home may be one. Below, each step opens
//! one name without following a link, and works from the handle of the folder above; so whatever is planted
//! in the cache, nothing outside of it can be reached. A name that is no plain folder or file is
//! [`StoreError::Foreign`].

use std::{
    ffi::{CStr, OsStr, OsString},
    fs::File,
    io,
    os::{fd::OwnedFd, unix::ffi::OsStringExt},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{
        AtFlags, Dir, FileType, Mode, OFlags, fchmod, fsync, mkdirat, open, openat, renameat, statat,
        unlinkat,
    },
    io::Errno,
};

use super::error::StoreError;

/// What an entry of a folder is, without following links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File,
    Link,
    Special,
}

/// An open folder.
#[derive(Debug)]
pub(super) struct Folder {
    handle: OwnedFd,
    path: PathBuf,
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);
const NEW_FOLDER: u32 = 0o777;

impl Folder {
    /// Opens a folder, over links if there are some; `None` when there is none.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        match open(path, FOLDER, Mode::empty()) {
            Ok(handle) => Ok(Some(Self { handle, path: path.to_owned() })),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(StoreError::io("open", path, error.into())),
        }
    }

    /// Opens a folder, and makes it and those above where they are missing.
    pub(super) fn make(path: &Path) -> Result<Self, StoreError> {
        fs_err::create_dir_all(path).map_err(|error| StoreError::io("make", path, error))?;
        Self::open(path)?.ok_or_else(|| StoreError::io("open", path, Errno::NOENT.into()))
    }

    /// Its path, for messages and for those who only read.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn error(&self, action: &'static str, name: &OsStr, error: Errno) -> StoreError {
        let path = self.path.join(name);
        match error {
            Errno::LOOP | Errno::NOTDIR | Errno::ISDIR => StoreError::Foreign { path },
            _ => StoreError::io(action, &path, error.into()),
        }
    }

    /// Opens the folder `name` in this one; `None` when there is none.
    pub(super) fn below(&self, name: impl AsRef<OsStr>) -> Result<Option<Self>, StoreError> {
        let name = name.as_ref();
        match openat(&self.handle, name, FOLDER.union(OFlags::NOFOLLOW), Mode::empty()) {
            Ok(handle) => Ok(Some(Self { handle, path: self.path.join(name) })),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(self.error("open", name, error)),
        }
    }

    /// Opens the folder `name` in this one, and makes it where it is missing.
    pub(super) fn make_below(&self, name: impl AsRef<OsStr>) -> Result<Self, StoreError> {
        let name = name.as_ref();
        loop {
            if let Some(folder) = self.below(name)? {
                return Ok(folder);
            }
            match mkdirat(&self.handle, name, Mode::from_raw_mode(NEW_FOLDER)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(self.error("make", name, error)),
            }
        }
    }

    /// Makes the folder `name`, which must not be there.
    pub(super) fn create_below(&self, name: impl AsRef<OsStr>) -> Result<Self, StoreError> {
        let name = name.as_ref();
        mkdirat(&self.handle, name, Mode::from_raw_mode(NEW_FOLDER))
            .map_err(|error| self.error("make", name, error))?;
        self.below(name)?.ok_or_else(|| self.error("open", name, Errno::NOENT))
    }

    /// Opens the regular file `name` to read; `None` when there is none.
    pub(super) fn file(&self, name: impl AsRef<OsStr>) -> Result<Option<File>, StoreError> {
        self.open_file(name.as_ref(), OFlags::RDONLY)
    }

    /// Opens the regular file `name` to read and write; `None` when there is none. On some network file systems
    /// only such a file can be locked for its holder alone.
    pub(super) fn file_to_change(&self, name: impl AsRef<OsStr>) -> Result<Option<File>, StoreError> {
        self.open_file(name.as_ref(), OFlags::RDWR)
    }

    /// Opens the regular file `name` to read and write, and makes it where it is missing. It is not emptied.
    pub(super) fn file_to_lock(&self, name: impl AsRef<OsStr>) -> Result<File, StoreError> {
        let name = name.as_ref();
        let file = self.open_file(name, OFlags::RDWR.union(OFlags::CREATE))?;
        file.ok_or_else(|| self.error("make", name, Errno::NOENT))
    }

    /// Makes the file `name`, which must not be there, readable and writable for its owner.
    pub(super) fn create_file(&self, name: impl AsRef<OsStr>) -> Result<File, StoreError> {
        let name = name.as_ref();
        let flags = FILE.union(OFlags::RDWR).union(OFlags::CREATE).union(OFlags::EXCL);
        openat(&self.handle, name, flags, Mode::from_raw_mode(0o600))
            .map(File::from)
            .map_err(|error| self.error("make", name, error))
    }

    fn open_file(&self, name: &OsStr, flags: OFlags) -> Result<Option<File>, StoreError> {
        let handle = match openat(&self.handle, name, FILE.union(flags), Mode::from_raw_mode(0o600)) {
            Ok(handle) => handle,
            Err(Errno::NOENT) => return Ok(None),
            // A pipe without a reader, or a socket.
            Err(Errno::NXIO) => return Err(StoreError::Foreign { path: self.path.join(name) }),
            Err(error) => return Err(self.error("open", name, error)),
        };
        let file = File::from(handle);
        let metadata =
            file.metadata().map_err(|error| StoreError::io("read", &self.path.join(name), error))?;
        if metadata.is_file() {
            Ok(Some(file))
        } else {
            Err(StoreError::Foreign { path: self.path.join(name) })
        }
    }

    /// What `name` is; `None` when there is nothing.
    pub(super) fn kind(&self, name: impl AsRef<OsStr>) -> Result<Option<Kind>, StoreError> {
        let name = name.as_ref();
        match statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(kind(FileType::from_raw_mode(stat.st_mode)))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(self.error("read", name, error)),
        }
    }

    /// Everything in the folder, in byte order of the names.
    pub(super) fn entries(&self) -> Result<Vec<(OsString, Kind)>, StoreError> {
        let failed = |error: Errno| StoreError::io("list", &self.path, error.into());
        let mut entries = Vec::new();
        for found in Dir::read_from(&self.handle).map_err(failed)? {
            let found = found.map_err(failed)?;
            let name = found.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            if let Some(kind) = self.listed_kind(name, found.file_type())? {
                entries.push((OsString::from_vec(name.to_bytes().to_vec()), kind));
            }
        }
        entries.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        Ok(entries)
    }

    /// Some file systems do not tell the kind in the listing.
    fn listed_kind(&self, name: &CStr, listed: FileType) -> Result<Option<Kind>, StoreError> {
        if listed == FileType::Unknown {
            self.kind(OsString::from_vec(name.to_bytes().to_vec()))
        } else {
            Ok(Some(kind(listed)))
        }
    }

    /// Renames `name` to `new_name` in the folder `to`. A file that is there is replaced; a folder that is there
    /// and not empty stays, and the answer is false.
    pub(super) fn rename(
        &self,
        name: impl AsRef<OsStr>,
        to: &Self,
        new_name: impl AsRef<OsStr>,
    ) -> Result<bool, StoreError> {
        match renameat(&self.handle, name.as_ref(), &to.handle, new_name.as_ref()) {
            Ok(()) => Ok(true),
            Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
            Err(error) => Err(to.error("rename to", new_name.as_ref(), error)),
        }
    }

    /// Removes the file or link `name`; whether there was one.
    pub(super) fn remove_file(&self, name: impl AsRef<OsStr>) -> Result<bool, StoreError> {
        self.unlink(name.as_ref(), AtFlags::empty())
    }

    /// Removes the folder `name` when it is empty; whether it is gone.
    pub(super) fn remove_empty(&self, name: impl AsRef<OsStr>) -> Result<bool, StoreError> {
        match unlinkat(&self.handle, name.as_ref(), AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => Ok(true),
            Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
            Err(error) => Err(self.error("remove", name.as_ref(), error)),
        }
    }

    fn unlink(&self, name: &OsStr, flags: AtFlags) -> Result<bool, StoreError> {
        match unlinkat(&self.handle, name, flags) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(self.error("remove", name, error)),
        }
    }

    /// Removes the folder `name` and all in it, links as such; read-only folders are no obstacle. Several may
    /// do this to one folder at once.
    pub(super) fn remove_tree(&self, name: impl AsRef<OsStr>) -> Result<(), StoreError> {
        let name = name.as_ref();
        let Some(folder) = self.below(name)? else { return Ok(()) };
        folder.set_mode(0o700)?;
        for (inner, kind) in folder.entries()? {
            if kind == Kind::Folder {
                folder.remove_tree(&inner)?;
            } else {
                folder.remove_file(&inner)?;
            }
        }
        // To remove a folder that is open takes some file systems ten times as long.
        drop(folder);
        self.unlink(name, AtFlags::REMOVEDIR)?;
        Ok(())
    }

    /// The permissions of the folder itself, the nine bits.
    pub(super) fn mode(&self) -> Result<u32, StoreError> {
        let stat = rustix::fs::fstat(&self.handle)
            .map_err(|error| StoreError::io("read", &self.path, error.into()))?;
        Ok(stat.st_mode & 0o777)
    }

    /// Sets the permissions of the folder itself.
    pub(super) fn set_mode(&self, mode: u32) -> Result<(), StoreError> {
        fchmod(&self.handle, Mode::from_raw_mode(mode))
            .map_err(|error| StoreError::io("change the permissions of", &self.path, error.into()))
    }

    /// Makes the names in this folder survive a power failure.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        fsync(&self.handle).map_err(|error| StoreError::io("sync", &self.path, error.into()))
    }
}

fn kind(file_type: FileType) -> Kind {
    match file_type {
        FileType::Directory => Kind::Folder,
        FileType::RegularFile => Kind::File,
        FileType::Symlink => Kind::Link,
        _ => Kind::Special,
    }
}

/// Lets an empty file share the content of another where the file system can do so; whether it did.
pub(super) fn share_content(from: &File, to: &File) -> bool {
    #[cfg(target_os = "linux")]
    {
        rustix::fs::ioctl_ficlone(to, from).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _unused = (from, to);
        false
    }
}

/// Makes a file, or the names in a folder, survive a power failure; a link is not followed.
pub(super) fn sync(path: &Path) -> Result<(), StoreError> {
    open(path, FILE, Mode::empty())
        .and_then(fsync)
        .map_err(|error| StoreError::io("sync", path, error.into()))
}

/// Sets the permissions of an open file.
pub(super) fn set_file_mode(file: &File, path: &Path, mode: u32) -> Result<(), StoreError> {
    fchmod(file, Mode::from_raw_mode(mode))
        .map_err(|error| StoreError::io("change the permissions of", path, error.into()))
}

/// The permissions of an open file, the nine bits.
pub(super) fn file_mode(file: &File, path: &Path) -> Result<u32, StoreError> {
    let stat =
        rustix::fs::fstat(file).map_err(|error| StoreError::io("read", path, io::Error::from(error)))?;
    Ok(stat.st_mode & 0o777)
}
