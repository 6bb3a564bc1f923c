//! Kinds of failure and the exit code of each.
//!
//! Errors of a module keep their own types; `commands/failure.rs` maps every one to a kind and a
//! hint. The codes are part of the interface that scripts rely on.

/// Why a command did not end well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Nothing of that name was found, or a check failed.
    NotFound,
    /// The command line or a configuration value is wrong.
    Usage,
    /// Refused by policy or by a limit.
    Refused,
    /// A defect in skillflux.
    Internal,
    /// The local machine refused: full disk, no permission.
    LocalIo,
}

impl ErrorKind {
    /// The exit code of the process.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::NotFound => 1,
            Self::Usage => 2,
            Self::Refused => 5,
            Self::Internal => 70,
            Self::LocalIo => 74,
        }
    }
}
