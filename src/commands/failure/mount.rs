//! Failures of searching, fetching, consent and views that a command itself finds.

use thiserror::Error;

use super::{ErrorKind, quoted};
use crate::{http::HttpError, rank::trust::Refusal};

/// Why a remote skill was not searched for, fetched, mounted or unmounted.
#[derive(Debug, Error)]
pub(in crate::commands) enum MountFailure {
    /// An id that no search printed.
    #[error("no search result has the id `{id}`")]
    UnknownCandidate { id: String },
    /// A skill of this machine that was to be copied.
    #[error("`{name}` is on this machine already, at `{place}`")]
    AlreadyHere { name: String, place: String },
    /// A listing outside the host that is mounted from.
    #[error("`{name}` of `{address}` cannot be mounted: it is no repository on GitHub")]
    NotMountable { name: String, address: String },
    /// A listing of a repository that its host did not speak of.
    #[error("nothing is known of the repository `{address}` of `{name}`")]
    RepositoryUnknown { name: String, address: String, skill_id: String },
    /// An address of a host that is not configured.
    #[error("`{named}` is not the host that skills are mounted from, which is `{host}`")]
    OtherHost { named: String, host: String },
    /// A variable that names no address.
    #[error("`{variable}` holds no address of a host")]
    BadHost { variable: String, source: HttpError },
    /// A name that cannot be a session.
    #[error("`{name}` cannot name a session")]
    BadSession { name: String },
    /// A duration that cannot be read.
    #[error("`{text}` is no duration")]
    BadDuration { text: String },
    /// A query of which nothing may be sent.
    #[error("nothing of the query is left to search for")]
    NothingToSend { was_blank: bool },
    /// A remote skill that is not stored, while nothing may be sent.
    #[error("`{place}` is not stored, and skillflux is offline")]
    OfflineNotStored { place: String },
    /// The trust policy does not admit it.
    #[error("`{name}` is refused: {refusal}")]
    Refused { name: String, refusal: Refusal },
    /// A person said no.
    #[error("`{name}` was not mounted, because you declined")]
    Declined { name: String },
    /// Nobody can be asked.
    #[error("`{name}` was not mounted, because nobody could be asked to approve it")]
    NotApproved { name: String, command: &'static str, place: String, facts: Vec<String> },
    /// A folder that a person changed stands where a view belongs.
    #[error("`{folder}` was changed since skillflux made it")]
    ChangedView { folder: String, kept: Vec<String> },
    /// No skill here has the name, and none was offered.
    #[error("no skill is named `{name}`")]
    UnknownName { name: String },
    /// A folder that no repository can have.
    #[error("`{path}` is no folder of a repository")]
    BadFolder { path: String },
    /// Another skill of the same name is mounted.
    #[error("`{name}` is the name of `{other}` too, which session `{session}` has mounted there")]
    NameTaken { name: String, other: String, session: String },
    /// A session whose document cannot be understood.
    #[error("what session `{session}` has mounted cannot be read: {reason}")]
    SessionUnreadable { session: String, file: String, reason: String },
    /// A folder that nothing is mounted into.
    #[error("nothing is mounted into `{folder}`: {reason}")]
    BadTarget { folder: String, reason: &'static str },
    /// A folder of the store that no admitted pin names.
    #[error("`{place}` lies in the store, and no skill that may be used is there")]
    InStore { place: String },
    /// A name that the session has not mounted.
    #[error("session `{session}` has not mounted `{name}`")]
    NotMounted { name: String, session: String },
    /// A pin whose files are not what they were when it was stored.
    #[error("what was fetched for `{name}` is not what was stored under its pin")]
    OtherBytes { name: String },
    /// No candidate may be tried.
    #[error("there is nothing to mount")]
    NothingToMount,
    /// A person interrupted the command.
    #[error("interrupted")]
    Interrupted,
}

impl MountFailure {
    /// Its kind and hint.
    pub(super) fn classify(&self) -> (ErrorKind, Option<String>) {
        (self.kind(), Some(self.hint()))
    }

    fn kind(&self) -> ErrorKind {
        match self {
            Self::BadHost { .. }
            | Self::BadSession { .. }
            | Self::BadDuration { .. }
            | Self::NothingToSend { .. }
            | Self::BadFolder { .. }
            | Self::BadTarget { .. } => ErrorKind::Usage,
            Self::UnknownCandidate { .. }
            | Self::RepositoryUnknown { .. }
            | Self::UnknownName { .. }
            | Self::NotMounted { .. }
            | Self::NothingToMount => ErrorKind::NotFound,
            Self::AlreadyHere { .. }
            | Self::NotMountable { .. }
            | Self::OtherHost { .. }
            | Self::Refused { .. }
            | Self::Declined { .. }
            | Self::NotApproved { .. }
            | Self::ChangedView { .. }
            | Self::NameTaken { .. }
            | Self::InStore { .. } => ErrorKind::Refused,
            Self::OtherBytes { .. } => ErrorKind::Integrity,
            Self::OfflineNotStored { .. } => ErrorKind::Offline,
            Self::SessionUnreadable { .. } => ErrorKind::LocalIo,
            Self::Interrupted => ErrorKind::Interrupted,
        }
    }

    fn hint(&self) -> String {
        let fixed = match self {
            Self::AlreadyHere { name, .. } => {
                return format!("copy its folder, or read it: skillflux load {}", quoted(name));
            }
            Self::RepositoryUnknown { address, skill_id, .. } => {
                let place = format!("{address}@{skill_id}");
                return format!("search again, or ask for it: skillflux mount {}", quoted(&place));
            }
            Self::BadHost { variable, .. } => return format!("correct it, or run: unset {variable}"),
            Self::NotApproved { command, place, .. } => {
                return format!("if you agree: skillflux {command} --yes {}", quoted(place));
            }
            Self::ChangedView { folder, .. } => {
                return format!(
                    "keep your changes elsewhere, then: skillflux unmount --force {}",
                    quoted(folder)
                );
            }
            Self::UnknownName { name } if !name.contains('/') => {
                return format!("search for it: skillflux search {}", quoted(name));
            }
            Self::NameTaken { name, session, .. } => {
                return format!(
                    "mount it elsewhere with --to DIR, or first: skillflux unmount --session {session} {}",
                    quoted(name)
                );
            }
            Self::SessionUnreadable { file, .. } => {
                return format!("look at `{file}`, and move it away to begin anew");
            }
            Self::UnknownCandidate { .. } => "ids are those of the last searches: skillflux search QUERY",
            Self::NotMountable { .. } => "only skills of repositories can be pinned and verified",
            Self::OtherHost { .. } => "set GITHUB_API_URL and GITHUB_SERVER_URL for another host",
            Self::BadSession { .. } => {
                "use a letter or digit, then up to 63 of letters, digits, `.`, `_`, `-`"
            }
            Self::BadDuration { .. } => "write a number and a unit: 90s, 15m, 12h or 2d",
            Self::NothingToSend { was_blank: true } => "give a few words that say what is wanted",
            Self::NothingToSend { .. } => "words that look like secrets are never sent; leave them out",
            Self::OtherBytes { .. } => {
                "nothing was stored; the repository may have been replaced: skillflux cache list names it"
            }
            Self::OfflineNotStored { .. } => "leave out --offline to fetch it",
            Self::Refused { refusal: Refusal::BlockedOwner, .. } => {
                "see who is blocked: skillflux config get remoteBlockedOwners"
            }
            Self::Refused { .. } => "see the policy: skillflux config get remoteTrustPolicy",
            Self::Declined { .. } => "no file of the skill was fetched",
            Self::UnknownName { .. } => {
                "a remote skill is owner/repo//FOLDER, owner/repo@NAME or the address of its page"
            }
            Self::BadFolder { .. } => "write owner/repo//FOLDER with plain names between the slashes",
            Self::BadTarget { .. } => "name a folder of your own",
            Self::InStore { .. } => "see what is stored and why: skillflux cache list",
            Self::NotMounted { .. } => {
                "`skillflux status` lists mounts by session; name one with --session ID"
            }
            Self::NothingToMount => "search again: skillflux search QUERY",
            Self::Interrupted => "nothing is left half-done",
        };
        fixed.to_owned()
    }
}
