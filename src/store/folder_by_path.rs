//! Folders of the cache by their paths, for systems without handles of folders.
//!
//! The same as the module for Unix: no link is followed below the cache. Between a look and the step that
//! follows it somebody could plant one; on these systems only the user can. Permissions are those that the
//! system has: a file may be written or not.

use std::{
    ffi::{OsStr, OsString},
    fs::{File, Metadata},
    io::ErrorKind,
    path::{Path, PathBuf},
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

/// A folder that was there.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

fn kind(metadata: &Metadata) -> Kind {
    match (metadata.is_symlink(), metadata.is_dir(), metadata.is_file()) {
        (true, _, _) => Kind::Link,
        (_, true, _) => Kind::Folder,
        (_, _, true) => Kind::File,
        _ => Kind::Special,
    }
}

fn kind_at(path: &Path) -> Result<Option<Kind>, StoreError> {
    match fs_err::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(kind(&metadata))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io("read", path, error)),
    }
}

impl Folder {
    /// Opens a folder, over links if there are some; `None` when there is none.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, StoreError> {
        match fs_err::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Ok(Some(Self { path: path.to_owned() })),
            Ok(_) => Err(StoreError::Foreign { path: path.to_owned() }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("open", path, error)),
        }
    }

    /// Opens a folder, and makes it and those above where they are missing.
    pub(super) fn make(path: &Path) -> Result<Self, StoreError> {
        fs_err::create_dir_all(path).map_err(|error| StoreError::io("make", path, error))?;
        Ok(Self { path: path.to_owned() })
    }

    /// Its path, for messages and for those who only read.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the folder `name` in this one; `None` when there is none.
    pub(super) fn below(&self, name: impl AsRef<OsStr>) -> Result<Option<Self>, StoreError> {
        let path = self.path.join(name.as_ref());
        match kind_at(&path)? {
            None => Ok(None),
            Some(Kind::Folder) => Ok(Some(Self { path })),
            Some(_) => Err(StoreError::Foreign { path }),
        }
    }

    /// Opens the folder `name` in this one, and makes it where it is missing.
    pub(super) fn make_below(&self, name: impl AsRef<OsStr>) -> Result<Self, StoreError> {
        let name = name.as_ref();
        if let Some(folder) = self.below(name)? {
            return Ok(folder);
        }
        let path = self.path.join(name);
        match fs_err::create_dir(&path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                Err(StoreError::io("make", &path, error))
            }
            _ => self.below(name)?.ok_or_else(|| StoreError::io("make", &path, ErrorKind::NotFound.into())),
        }
    }

    /// Makes the folder `name`, which must not be there.
    pub(super) fn create_below(&self, name: impl AsRef<OsStr>) -> Result<Self, StoreError> {
        let path = self.path.join(name.as_ref());
        fs_err::create_dir(&path).map_err(|error| StoreError::io("make", &path, error))?;
        Ok(Self { path })
    }

    /// Opens the regular file `name` to read; `None` when there is none.
    pub(super) fn file(&self, name: impl AsRef<OsStr>) -> Result<Option<File>, StoreError> {
        self.open_file(name.as_ref(), fs_err::OpenOptions::new().read(true))
    }

    /// Opens the regular file `name` to read and write; `None` when there is none.
    pub(super) fn file_to_change(&self, name: impl AsRef<OsStr>) -> Result<Option<File>, StoreError> {
        self.open_file(name.as_ref(), fs_err::OpenOptions::new().read(true).write(true))
    }

    /// Opens the regular file `name` to read and write, and makes it where it is missing. It is not emptied.
    pub(super) fn file_to_lock(&self, name: impl AsRef<OsStr>) -> Result<File, StoreError> {
        let name = name.as_ref();
        if let Some(file) = self.file_to_change(name)? {
            return Ok(file);
        }
        let path = self.path.join(name);
        let opened =
            fs_err::OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        opened.map(|file| file.into_parts().0).map_err(|error| StoreError::io("make", &path, error))
    }

    /// Makes the file `name`, which must not be there.
    pub(super) fn create_file(&self, name: impl AsRef<OsStr>) -> Result<File, StoreError> {
        let path = self.path.join(name.as_ref());
        let opened = fs_err::OpenOptions::new().read(true).write(true).create_new(true).open(&path);
        opened.map(|file| file.into_parts().0).map_err(|error| StoreError::io("make", &path, error))
    }

    fn open_file(&self, name: &OsStr, options: &fs_err::OpenOptions) -> Result<Option<File>, StoreError> {
        let path = self.path.join(name);
        match kind_at(&path)? {
            None => return Ok(None),
            Some(Kind::File) => {}
            Some(_) => return Err(StoreError::Foreign { path }),
        }
        match options.open(&path) {
            Ok(file) => Ok(Some(file.into_parts().0)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("open", &path, error)),
        }
    }

    /// What `name` is; `None` when there is nothing.
    pub(super) fn kind(&self, name: impl AsRef<OsStr>) -> Result<Option<Kind>, StoreError> {
        kind_at(&self.path.join(name.as_ref()))
    }

    /// Everything in the folder, in order of the names.
    pub(super) fn entries(&self) -> Result<Vec<(OsString, Kind)>, StoreError> {
        let failed = |error| StoreError::io("list", &self.path, error);
        let mut entries = Vec::new();
        for entry in fs_err::read_dir(&self.path).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            if let Some(kind) = self.kind(&name)? {
                entries.push((name, kind));
            }
        }
        entries.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        Ok(entries)
    }

    /// Renames `name` to `new_name` in the folder `to`. A file that is there is replaced; a folder that is there
    /// stays, and the answer is false.
    pub(super) fn rename(
        &self,
        name: impl AsRef<OsStr>,
        to: &Self,
        new_name: impl AsRef<OsStr>,
    ) -> Result<bool, StoreError> {
        let (from, path) = (self.path.join(name.as_ref()), to.path.join(new_name.as_ref()));
        if kind_at(&path)? == Some(Kind::Folder) {
            return Ok(false);
        }
        match fs_err::rename(&from, &path) {
            Ok(()) => Ok(true),
            Err(_) if kind_at(&path)? == Some(Kind::Folder) => Ok(false),
            Err(error) => Err(StoreError::io("rename to", &path, error)),
        }
    }

    /// Removes the file or link `name`; whether there was one.
    pub(super) fn remove_file(&self, name: impl AsRef<OsStr>) -> Result<bool, StoreError> {
        let path = self.path.join(name.as_ref());
        if kind_at(&path)?.is_some_and(|kind| kind == Kind::File) {
            writable(&path)?;
        }
        match fs_err::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(StoreError::io("remove", &path, error)),
        }
    }

    /// Removes the folder `name` when it is empty; whether it is gone.
    pub(super) fn remove_empty(&self, name: impl AsRef<OsStr>) -> Result<bool, StoreError> {
        let path = self.path.join(name.as_ref());
        match fs_err::remove_dir(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => Ok(false),
            Err(error) => Err(StoreError::io("remove", &path, error)),
        }
    }

    /// Removes the folder `name` and all in it, links as such.
    pub(super) fn remove_tree(&self, name: impl AsRef<OsStr>) -> Result<(), StoreError> {
        let name = name.as_ref();
        let Some(folder) = self.below(name)? else { return Ok(()) };
        for (inner, kind) in folder.entries()? {
            if kind == Kind::Folder {
                folder.remove_tree(&inner)?;
            } else {
                folder.remove_file(&inner)?;
            }
        }
        self.remove_empty(name).map(|_| ())
    }

    /// The permissions of the folder itself; folders have none here.
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the same form as on Unix")]
    pub(super) fn mode(&self) -> Result<u32, StoreError> {
        Ok(0o555)
    }

    /// Sets the permissions of the folder itself; folders have none here.
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the same form as on Unix")]
    pub(super) fn set_mode(&self, _mode: u32) -> Result<(), StoreError> {
        Ok(())
    }

    /// Makes the names in this folder survive a power failure; the system does that itself here.
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the same form as on Unix")]
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

#[expect(clippy::permissions_set_readonly_false, reason = "there are no other permissions on these systems")]
fn writable(path: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::io("change the permissions of", path, error);
    let mut permissions = fs_err::metadata(path).map_err(failed)?.permissions();
    permissions.set_readonly(false);
    fs_err::set_permissions(path, permissions).map_err(failed)
}

/// Lets an empty file share the content of another where the file system can do so; whether it did.
pub(super) fn share_content(_from: &File, _to: &File) -> bool {
    false
}

/// Makes a file survive a power failure; names do so by themselves here.
pub(super) fn sync(path: &Path) -> Result<(), StoreError> {
    if kind_at(path)? != Some(Kind::File) {
        return Ok(());
    }
    let synced = fs_err::File::open(path).and_then(|file| file.sync_all());
    synced.map_err(|error| StoreError::io("sync", path, error))
}

/// Sets the permissions of an open file: whether it may be written.
pub(super) fn set_file_mode(file: &File, path: &Path, mode: u32) -> Result<(), StoreError> {
    let failed = |error| StoreError::io("change the permissions of", path, error);
    let mut permissions = file.metadata().map_err(failed)?.permissions();
    permissions.set_readonly(mode & 0o200 == 0);
    file.set_permissions(permissions).map_err(failed)
}

/// The permissions of an open file, as nine bits.
pub(super) fn file_mode(file: &File, path: &Path) -> Result<u32, StoreError> {
    let metadata = file.metadata().map_err(|error| StoreError::io("read", path, error))?;
    Ok(if metadata.permissions().readonly() { 0o444 } else { 0o644 })
}
