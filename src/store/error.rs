//! Why the store could not do what was asked.
//!
//! Every variant names the file, the entry or the pin that it is about. Problems of the disk keep the
//! system's own error as their source; what to tell a person to do about them is decided elsewhere.

use std::{
    error::Error as _,
    fmt,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    time::Duration,
};

use thiserror::Error;

use crate::skill::id::TreeDigest;

/// Why the store could not do what was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The system refused: no permission, a full disk, a broken device.
    #[error("cannot {action} `{}`", .path.display())]
    Io {
        /// What was tried, one verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something inside the cache is a link, a pipe or a file where a folder belongs; it is not followed.
    #[error("`{}` is not what skillflux made there", .path.display())]
    Foreign {
        /// What stands there.
        path: PathBuf,
    },
    /// An entry is not what it was when it was stored.
    #[error("`{file}` of entry `{digest}` is {what}")]
    Damaged {
        /// The entry.
        digest: TreeDigest,
        /// The first file that is wrong.
        file: String,
        /// What is wrong with it.
        what: Damage,
    },
    /// Others used the cache for longer than was waited.
    #[error("the cache was in use for {} s", .waited.as_secs())]
    Busy {
        /// How long was waited.
        waited: Duration,
    },
    /// A person interrupted while others used the cache.
    #[error("interrupted")]
    Interrupted,
    /// A file was written by a newer release and is left alone.
    #[error("`{}` has version {version}, which a newer release wrote", .file.display())]
    NewerFormat {
        /// The file.
        file: PathBuf,
        /// Its version.
        version: u64,
    },
    /// A file of the store is not one that this program wrote.
    #[error("`{}` cannot be understood: {reason}", .file.display())]
    Invalid {
        /// The file.
        file: PathBuf,
        /// Why, in words.
        reason: String,
    },
    /// A document would be larger than it may be.
    #[error("`{}` would be larger than {limit} bytes", .file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// The most bytes.
        limit: usize,
    },
    /// Nothing stored has this id.
    #[error("nothing in the cache is called `{0}`")]
    NotFound(String),
    /// Several stored things begin with these digits.
    #[error("`{prefix}` stands for {count} things in the cache")]
    Ambiguous {
        /// The digits.
        prefix: String,
        /// How many begin with them.
        count: usize,
    },
    /// A view is to be made where something is already.
    #[error("`{}` exists already", .0.display())]
    Exists(PathBuf),
    /// No view is known at this place.
    #[error("`{}` is no folder that skillflux made", .0.display())]
    NotAView(PathBuf),
    /// What is to be committed was not staged in the folder that came with it.
    #[error("`{}` is not the staging folder that was given out", .0.display())]
    NotStagedHere(PathBuf),
}

/// What is wrong with a stored file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    /// Its content is another one.
    Changed,
    /// It is gone.
    Missing,
    /// It was never part of the entry.
    Extra,
    /// It is a link.
    Link,
    /// It is neither a file nor a folder, or the one where the other belongs.
    Kind,
    /// It may not be read.
    Mode,
    /// The list of files is missing, unreadable or not that of the entry.
    Manifest,
}

impl Damage {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Missing => "missing",
            Self::Extra => "extra",
            Self::Link => "a link",
            Self::Kind => "no regular file",
            Self::Mode => "unreadable",
            Self::Manifest => "no valid manifest",
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl StoreError {
    /// An error of the system, without the path that some callees add to it.
    pub(super) fn io(action: &'static str, path: &Path, error: io::Error) -> Self {
        let inner = error.source().and_then(|source| source.downcast_ref::<io::Error>());
        let source = match inner.and_then(io::Error::raw_os_error) {
            Some(number) => io::Error::from_raw_os_error(number),
            None => error,
        };
        Self::Io { action, path: path.to_owned(), source }
    }

    /// Whether there is no room left.
    pub fn is_full(&self) -> bool {
        let full = |kind| matches!(kind, ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
        matches!(self, Self::Io { source, .. } if full(source.kind()))
    }

    /// Whether the system does not let the home be written: it is read-only, or someone else's.
    pub fn is_read_only(&self) -> bool {
        let refused = |kind| matches!(kind, ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied);
        matches!(self, Self::Io { source, .. } if refused(source.kind()))
    }
}
