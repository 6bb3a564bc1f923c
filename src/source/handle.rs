//! The one way in which folders and files of a skill are opened and read.
//!
//! A link at the end of a path is not followed unless that is asked for, a pipe cannot block, nothing
//! but a regular file is read, and no more than a limit of it. On Unix paths are looked up from the
//! handle of the folder above, which halves what the system does for a list of thousands of skills.
//! What is wrong comes back as a diagnostic code; the caller knows the path.

use std::{
    ffi::OsString,
    fs::{File, Metadata},
    io::{self, ErrorKind, Read},
    path::Path,
};

use sha2::{Digest, Sha256};

use crate::skill::diagnostic::Code;

/// What an entry of a folder is, without following links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A folder.
    Folder,
    /// A link.
    Link,
    /// A regular file.
    File,
    /// A pipe, socket or device.
    Special,
}

/// An open folder.
#[derive(Debug)]
pub(super) struct Folder {
    #[cfg(unix)]
    handle: std::os::fd::OwnedFd,
    #[cfg(not(unix))]
    path: std::path::PathBuf,
}

#[cfg(unix)]
impl Folder {
    /// Opens a folder, through links if there are some.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let handle = rustix::fs::open(path, FOLDER, rustix::fs::Mode::empty())?;
        Ok(Self { handle })
    }

    /// Opens a folder below this one that is no link.
    pub(super) fn below(&self, path: &Path) -> io::Result<Self> {
        let flags = FOLDER.union(rustix::fs::OFlags::NOFOLLOW);
        let handle = rustix::fs::openat(&self.handle, path, flags, rustix::fs::Mode::empty())?;
        Ok(Self { handle })
    }

    /// Opens a file below this folder; a link is an error of its own kind ([`is_link`]).
    pub(super) fn file(&self, path: &Path) -> io::Result<File> {
        let handle = rustix::fs::openat(&self.handle, path, FILE, rustix::fs::Mode::empty())?;
        Ok(handle.into())
    }

    /// The names of everything in the folder and what each is, in no order.
    pub(super) fn entries(&self, mut each: impl FnMut(OsString, Kind)) -> io::Result<()> {
        use std::os::unix::ffi::OsStringExt;

        let mut entry = |name: &std::ffi::CStr, kind: rustix::fs::FileType| -> io::Result<()> {
            let bytes = name.to_bytes();
            if matches!(bytes, b"." | b"..") {
                return Ok(());
            }
            // Some file systems do not tell the kind in the listing.
            let kind = if kind == rustix::fs::FileType::Unknown {
                let stat = rustix::fs::statat(&self.handle, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)?;
                rustix::fs::FileType::from_raw_mode(stat.st_mode)
            } else {
                kind
            };
            let kind = match kind {
                rustix::fs::FileType::Directory => Kind::Folder,
                rustix::fs::FileType::Symlink => Kind::Link,
                rustix::fs::FileType::RegularFile => Kind::File,
                _ => Kind::Special,
            };
            each(OsString::from_vec(bytes.to_vec()), kind);
            Ok(())
        };
        #[cfg(target_os = "linux")]
        {
            let mut buffer = [std::mem::MaybeUninit::uninit(); 8192];
            let mut listing = rustix::fs::RawDir::new(&self.handle, &mut buffer);
            while let Some(found) = listing.next() {
                let found = found?;
                entry(found.file_name(), found.file_type())?;
            }
        }
        #[cfg(not(target_os = "linux"))]
        for found in rustix::fs::Dir::read_from(&self.handle)? {
            let found = found?;
            entry(found.file_name(), found.file_type())?;
        }
        Ok(())
    }
}

#[cfg(unix)]
const FOLDER: rustix::fs::OFlags =
    rustix::fs::OFlags::RDONLY.union(rustix::fs::OFlags::DIRECTORY).union(rustix::fs::OFlags::CLOEXEC);
#[cfg(unix)]
const FILE: rustix::fs::OFlags = rustix::fs::OFlags::RDONLY
    .union(rustix::fs::OFlags::NOFOLLOW)
    .union(rustix::fs::OFlags::NONBLOCK)
    .union(rustix::fs::OFlags::CLOEXEC);

#[cfg(not(unix))]
impl Folder {
    /// Opens a folder, through links if there are some.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if !fs_err::metadata(path)?.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        Ok(Self { path: path.to_owned() })
    }

    /// Opens a folder below this one that is no link.
    pub(super) fn below(&self, path: &Path) -> io::Result<Self> {
        let path = self.path.join(path);
        if fs_err::symlink_metadata(&path)?.is_symlink() {
            return Err(io::Error::other(LINK));
        }
        Ok(Self { path })
    }

    /// Opens a file below this folder; a link is an error of its own kind ([`is_link`]).
    pub(super) fn file(&self, path: &Path) -> io::Result<File> {
        let path = self.path.join(path);
        if fs_err::symlink_metadata(&path)?.is_symlink() {
            return Err(io::Error::other(LINK));
        }
        Ok(fs_err::File::open(path)?.into_parts().0)
    }

    /// The names of everything in the folder and what each is, in no order.
    pub(super) fn entries(&self, mut each: impl FnMut(OsString, Kind)) -> io::Result<()> {
        for entry in fs_err::read_dir(&self.path)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let kind = match (kind.is_dir(), kind.is_symlink(), kind.is_file()) {
                (true, _, _) => Kind::Folder,
                (_, true, _) => Kind::Link,
                (_, _, true) => Kind::File,
                _ => Kind::Special,
            };
            each(entry.file_name(), kind);
        }
        Ok(())
    }
}

#[cfg(not(unix))]
const LINK: &str = "a link";

/// Whether `error` says that what was opened is a link, or leads into a circle of links.
pub(super) fn is_link(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        system_number(error) == Some(rustix::io::Errno::LOOP.raw_os_error())
    }
    #[cfg(not(unix))]
    {
        error.kind() == ErrorKind::Other
    }
}

/// The number that the system gave; errors that name their path hold it one level down.
#[cfg(unix)]
fn system_number(error: &io::Error) -> Option<i32> {
    let below = || std::error::Error::source(error)?.downcast_ref::<io::Error>()?.raw_os_error();
    error.raw_os_error().or_else(below)
}

/// Whether there is nothing at the path that was opened.
pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Whether an error may pass without a change of what was opened: a device that failed, a server that is away, a
/// process that has too many files open.
pub(super) fn is_passing(error: &io::Error) -> bool {
    !(is_absent(error) || is_link(error) || error.kind() == ErrorKind::PermissionDenied)
}

/// The code for a file that cannot be opened or read.
pub(super) fn file_code(error: &io::Error) -> Code {
    match error.kind() {
        ErrorKind::NotFound => Code::DanglingLink,
        _ if is_link(error) => Code::LinkLoop,
        _ => Code::Unreadable,
    }
}

/// The code for a folder that cannot be listed.
pub(super) fn folder_code(error: &io::Error) -> Code {
    match file_code(error) {
        Code::Unreadable => Code::FolderUnreadable,
        code => code,
    }
}

/// Checks that an opened file is a regular one of at most `limit` bytes.
fn check(file: &File, limit: u64) -> Result<Metadata, Code> {
    let metadata = file.metadata().map_err(|error| file_code(&error))?;
    match metadata.len() {
        _ if !metadata.is_file() => Err(Code::NotAFile),
        length if length > limit => Err(Code::FileTooLarge),
        _ => Ok(metadata),
    }
}

/// Reads an opened file of at most `limit` bytes into `content`, which is emptied first.
pub(super) fn read(mut file: File, limit: u64, content: &mut Vec<u8>) -> Result<(), Code> {
    let announced = usize::try_from(check(&file, limit)?.len()).map_err(|_| Code::FileTooLarge)?;
    content.clear();
    // With room for one byte more, a single read shows whether the file has grown since.
    content.resize(announced + 1, 0);
    let mut length = 0;
    while length < announced {
        match file.read(&mut content[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(file_code(&error)),
        }
    }
    content.truncate(length);
    if length > announced {
        file.take(limit + 1).read_to_end(content).map_err(|error| file_code(&error))?;
        if content.len() as u64 > limit {
            return Err(Code::FileTooLarge);
        }
    }
    Ok(())
}

/// What [`digest`] found.
pub(super) struct Digested {
    pub(super) metadata: Metadata,
    pub(super) size: u64,
    pub(super) sha256: [u8; 32],
    /// The content, when it was to be kept.
    pub(super) content: Option<Vec<u8>>,
}

/// Hashes an opened file of at most `limit` bytes piece by piece, and keeps its content if asked.
pub(super) fn digest(mut file: File, limit: u64, keep: bool) -> Result<Digested, Code> {
    let metadata = check(&file, limit)?;
    let mut hash = Sha256::new();
    let mut content = keep.then(Vec::new);
    let mut piece = vec![0; PIECE];
    let mut size = 0;
    loop {
        let length = match file.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(file_code(&error)),
        };
        size += length as u64;
        if size > limit {
            return Err(Code::FileTooLarge);
        }
        hash.update(&piece[..length]);
        if let Some(content) = &mut content {
            content.extend_from_slice(&piece[..length]);
        }
    }
    Ok(Digested { metadata, size, sha256: hash.finalize().into(), content })
}

/// The bytes that [`digest`] reads at a time.
const PIECE: usize = 64 * 1024;
