//! From a reference to verified bytes: pin, then stage.
//!
//! [`pin::pin`] resolves a reference to one commit and reads the trees below it; nothing of the skill is
//! downloaded yet, so that a person can be asked. [`stage::stage`] downloads the skill's own files into a
//! folder that the caller provides, and is the only maker of a [`stage::Staged`]. Both work over either
//! [`Transport`], and what one has pinned the other can stage. Neither knows the store.

mod contents;
pub mod error;
pub mod git;
pub mod github;
pub mod pin;
mod reference;
mod select;
mod sink;
pub mod stage;
pub mod tree;
mod wrapped;

use crate::http::Quota;

/// How a host is spoken to.
#[derive(Debug, Clone)]
pub enum Transport {
    /// GitHub's REST API.
    Api(github::Api),
    /// The system's `git` over https.
    Git(git::Git),
}

/// Which transport a person configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Configured {
    /// Whatever gets through.
    Auto,
    /// Only the API.
    Api,
    /// Only git.
    Git,
}

/// One of the two transports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// [`Transport::Api`].
    Api,
    /// [`Transport::Git`].
    Git,
}

/// The transport for `blobs` more requests: git where the API's `quota` does not reach and git is installed.
pub fn choose(configured: Configured, quota: Option<Quota>, blobs: usize, git_is_there: bool) -> Way {
    match configured {
        Configured::Api => Way::Api,
        Configured::Git => Way::Git,
        Configured::Auto => {
            let short = quota.is_some_and(|quota| quota.remaining < blobs as u64);
            if short && git_is_there { Way::Git } else { Way::Api }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_steps_in_where_the_quota_does_not_reach() {
        let left = |remaining| Some(Quota { limit: 60, remaining, reset_ms: 0 });
        for (configured, quota, blobs, git_is_there, way) in [
            (Configured::Auto, None, 1000, true, Way::Api),
            (Configured::Auto, left(10), 10, true, Way::Api),
            (Configured::Auto, left(9), 10, true, Way::Git),
            (Configured::Auto, left(9), 10, false, Way::Api),
            (Configured::Api, left(0), 10, true, Way::Api),
            (Configured::Git, left(60), 1, false, Way::Git),
        ] {
            assert_eq!(
                choose(configured, quota, blobs, git_is_there),
                way,
                "{configured:?} {quota:?} {blobs}"
            );
        }
    }
}
