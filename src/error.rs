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
    /// The network left no result.
    Network,
    /// Bytes are not what their digest, id or length says.
    Integrity,
    /// Refused by policy or by a limit, or not approved.
    Refused,
    /// Offline, and nothing is cached that could stand in.
    Offline,
    /// A host's rate limit is used up.
    RateLimited,
    /// A host wants a token, or refuses the one it got.
    Unauthorised,
    /// A defect in skillflux.
    Internal,
    /// The local machine refused: full disk, no permission.
    LocalIo,
    /// A person interrupted the command.
    Interrupted,
}

impl ErrorKind {
    /// The exit code of the process.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::NotFound => 1,
            Self::Usage => 2,
            Self::Network => 3,
            Self::Integrity => 4,
            Self::Refused => 5,
            Self::Offline => 6,
            Self::RateLimited => 7,
            Self::Unauthorised => 8,
            Self::Internal => 70,
            Self::LocalIo => 74,
            Self::Interrupted => 130,
        }
    }
}
