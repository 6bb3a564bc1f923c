//! Sessions: what one has mounted, which repositories were approved for it, what it was last offered.
//!
//! One document a session, kept until somebody forgets it, because it takes its content to undo what was
//! made. All share one lock file, which outlives them. What approval means is decided elsewhere.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{
    Store, StoreError,
    document::{Document, Reading},
    folder::{Folder, Kind},
    form,
};
use crate::{
    candidate::identity::Identity,
    skill::{id::TreeDigest, name::Slug, time::UnixMillis},
};

const MAX_NAME_CHARS: usize = 64;
const ENDING: &str = ".json";
const LOCK: &str = "sessions.lock";
/// The most bytes of a session: room for several thousand offers.
const LIMIT: usize = 8 * 1024 * 1024;

/// The name of a session: a letter or digit, then up to 63 letters, digits, `.`, `_` and `-`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionName(String);

impl SessionName {
    /// Parses a name.
    pub fn parse(text: &str) -> Option<Self> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        let starts_well = text.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric());
        let fits = starts_well && text.len() <= MAX_NAME_CHARS && text.bytes().all(allowed);
        fits.then(|| Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A skill that a session has mounted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MountRecord {
    /// The name under which it is mounted.
    #[serde(with = "form")]
    pub slug: Slug,
    /// Its pin; a skill of this machine has none.
    #[serde(with = "form::optional")]
    pub identity: Option<Identity>,
    /// The digest of its files.
    #[serde(with = "form")]
    pub digest: TreeDigest,
    /// The folder in which it can be read.
    pub folder: PathBuf,
    /// The lease that keeps its entry.
    pub lease: Option<String>,
    /// When it was mounted.
    #[serde(rename = "made_ms", with = "form")]
    pub made_at: UnixMillis,
}

/// A repository that a person approved for the rest of the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepositoryApproval {
    /// Its host.
    pub host: String,
    /// The number that its host gave it.
    pub repository_id: Option<u64>,
    /// Its name; it decides where the host tells no number.
    pub repository: String,
}

/// What is known of a session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// What it has mounted.
    pub mounts: Vec<MountRecord>,
    /// The repositories that were approved for it.
    pub approvals: Vec<RepositoryApproval>,
    /// The last good offers, in a form that belongs to whoever writes them.
    pub offers: Vec<serde_json::Value>,
    /// Offers that could not be fetched, in words of whoever writes them.
    #[serde(default)]
    pub failed: Vec<String>,
}

impl Store {
    /// What is known of a session; an empty one when there is none.
    pub fn session(&self, name: &SessionName) -> Result<Reading<Session>, StoreError> {
        self.session_document(name).read()
    }

    /// Changes a session that is read afresh, while nobody else does.
    pub fn update_session<R>(
        &self,
        name: &SessionName,
        change: impl FnOnce(&mut Session) -> R,
    ) -> Result<R, StoreError> {
        self.session_document(name).update(change)
    }

    /// Forgets a session; whether it was known.
    pub fn forget_session(&self, name: &SessionName) -> Result<bool, StoreError> {
        self.session_document(name).remove()
    }

    /// The names of all sessions, sorted.
    pub fn session_names(&self) -> Result<Vec<SessionName>, StoreError> {
        let Some(folder) = Folder::open(&self.sessions_folder())? else { return Ok(Vec::new()) };
        let entries = folder.entries()?.into_iter().filter(|(_, kind)| *kind == Kind::File);
        Ok(entries.filter_map(|(name, _)| SessionName::parse(name.to_str()?.strip_suffix(ENDING)?)).collect())
    }

    fn session_document(&self, name: &SessionName) -> Document {
        let file = format!("{}{ENDING}", name.as_str());
        Document::new(&self.sessions_folder(), &file, LIMIT).locked_by(LOCK)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn name(text: &str) -> SessionName {
        SessionName::parse(text).unwrap()
    }

    #[test]
    fn names_by_example() {
        for good in ["a", "0", "Session.1_x-y", &"a".repeat(64)] {
            assert_eq!(name(good).as_str(), good);
        }
        for bad in ["", ".", "..", ".a", "-a", "_a", "a/b", "a b", "a\n", "ä", "a\0", &"a".repeat(65)] {
            assert_eq!(SessionName::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn changes_of_many_processes_come_together() {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::new(&temp.path().join("cache"), &temp.path().join("state"));
        assert_eq!(store.session(&name("none")).unwrap(), Reading::default());
        assert_eq!(store.session_names().unwrap(), []);
        thread::scope(|scope| {
            for thread in 0..8u64 {
                let store = &store;
                scope.spawn(move || {
                    for index in 0..50u64 {
                        let approval = RepositoryApproval {
                            host: "github.com".to_owned(),
                            repository_id: Some(thread * 50 + index),
                            repository: "owner/repo".to_owned(),
                        };
                        store.update_session(&name("s"), |session| session.approvals.push(approval)).unwrap();
                    }
                });
            }
        });
        let session = store.session(&name("s")).unwrap().value;
        let mut ids: Vec<_> =
            session.approvals.iter().filter_map(|approval| approval.repository_id).collect();
        ids.sort_unstable();
        assert_eq!(ids, (0..400).collect::<Vec<_>>());
        store
            .update_session(&name("a.b"), |session| session.offers.push(serde_json::json!({"id": 1})))
            .unwrap();
        assert_eq!(store.session_names().unwrap(), [name("a.b"), name("s")]);
        assert!(store.forget_session(&name("s")).unwrap() && !store.forget_session(&name("s")).unwrap());
        assert_eq!(store.session_names().unwrap(), [name("a.b")]);
    }

    #[test]
    fn what_a_session_holds_is_read_as_written() {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::new(temp.path(), temp.path());
        let mount = MountRecord {
            slug: Slug::parse("pdf").unwrap(),
            identity: Some(Identity::listed("a/b", "pdf")),
            digest: TreeDigest::from_bytes([7; 32]),
            folder: "/some/folder".into(),
            lease: None,
            made_at: UnixMillis(12),
        };
        let local = MountRecord { identity: None, lease: Some("lease".to_owned()), ..mount.clone() };
        store
            .update_session(&name("s"), |session| session.mounts = vec![mount.clone(), local.clone()])
            .unwrap();
        assert_eq!(store.session(&name("s")).unwrap().value.mounts, [mount, local]);
    }
}
