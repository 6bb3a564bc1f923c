//! What can keep a source from giving all that it has.
//!
//! A source without a problem gave everything, so that absence from its results means something. Being
//! skipped is a problem too. What a problem means for the search as a whole is decided by
//! [`super::Discovered`] and its callers.

use thiserror::Error;

use crate::http::HttpError;

/// Why a source is not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Skip {
    /// It failed several times in a row.
    #[error("it failed lately and is left alone for a while")]
    Cooldown {
        /// When it is asked again, in milliseconds since 1970.
        until_ms: i64,
    },
    /// It answers only to a token, and there is none.
    #[error("it answers only to a token, and none is set")]
    NoToken,
}

/// Why a source did not give all that it has.
#[derive(Debug, Error)]
pub enum SourceProblem {
    /// It gave no usable answer.
    #[error("it gave no usable answer")]
    Http(#[from] HttpError),
    /// It answered with an error of its own in a successful reply (GraphQL).
    #[error("`{host}` answered with `{code}`: {message}")]
    Refused {
        /// The host.
        host: String,
        /// Its word for the error, such as `RATE_LIMITED`.
        code: String,
        /// What it says, at most 200 characters.
        message: String,
    },
    /// It was not asked.
    #[error("it was not asked")]
    Skipped(#[source] Skip),
    /// It says itself that it ran out of time.
    #[error("it ran out of time and gave only a part of its results")]
    Incomplete,
}
