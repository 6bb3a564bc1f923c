//! Reads a config file, within its bounds.
//!
//! A file is read whole or refused: larger than [`MAX_FILE_BYTES`], not UTF-8, or not a regular file.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::Origin;
use super::error::ConfigError;

/// The largest config file, in bytes.
pub const MAX_FILE_BYTES: u64 = 256 * 1024;

/// The text of `file`, or nothing when there is no such file.
///
/// A file that a person named may also be a pipe; one that was merely found may not, because a
/// device or pipe in a project could block or flood. `origin` says which layer the file is.
pub(super) fn read(
    file: &Path,
    named: bool,
    origin: fn(PathBuf, u64) -> Origin,
) -> Result<Option<String>, ConfigError> {
    let failed = |source| ConfigError::Read { file: file.to_owned(), source };
    let metadata = match fs_err::metadata(file) {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(error)),
    };
    if metadata.is_dir() || !(named || metadata.is_file()) {
        return Err(ConfigError::NotAFile { file: file.to_owned() });
    }
    let mut bytes = Vec::new();
    let opened = open(file, named).map_err(failed)?;
    // Asked again of what was opened: the file may have become a pipe since.
    if !named && !opened.metadata().map_err(failed)?.is_file() {
        return Err(ConfigError::NotAFile { file: file.to_owned() });
    }
    opened.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(ConfigError::TooLarge { file: file.to_owned(), limit: MAX_FILE_BYTES });
    }
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|&byte| byte == b'\n').count() as u64;
        ConfigError::NotText { origin: Box::new(origin(file.to_owned(), line)) }
    })
}

/// Opens a file; one that was merely found is opened without waiting for the other end of a pipe.
fn open(file: &Path, named: bool) -> std::io::Result<fs_err::File> {
    let mut options = fs_err::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    if !named {
        use fs_err::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &Path, named: bool) -> Result<Option<String>, ConfigError> {
        super::read(file, named, Origin::UserFile)
    }

    #[test]
    fn only_bounded_text_of_a_regular_file_is_read() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("config.yaml");
        assert_eq!(read(&file, false).unwrap(), None);
        assert_eq!(read(&file.join("below"), false).unwrap(), None);
        assert!(matches!(read(home.path(), true), Err(ConfigError::NotAFile { .. })));
        let size = usize::try_from(MAX_FILE_BYTES).unwrap();
        fs_err::write(&file, "#".repeat(size)).unwrap();
        assert_eq!(read(&file, false).unwrap().unwrap().len(), size);
        assert_eq!(read(&file.join("below"), false).unwrap(), None);
        fs_err::write(&file, "#".repeat(size + 1)).unwrap();
        assert!(matches!(read(&file, false), Err(ConfigError::TooLarge { limit: MAX_FILE_BYTES, .. })));
        fs_err::write(&file, b"# a\n# \xff\n").unwrap();
        let error = read(&file, false).unwrap_err().to_string();
        assert_eq!(error, format!("`{}` line 2 is not UTF-8 text", file.display()));
    }
}
