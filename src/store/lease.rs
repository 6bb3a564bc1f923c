//! Leases: what keeps an entry in the store.
//!
//! A held lease is a locked file; the lock is the authority and ends with the process. A lease with a term is
//! for what outlives the process that asked; it ends with its term, with a restart of the system, or when it
//! is released. Process numbers are recorded for messages and decide nothing.

use std::{
    collections::BTreeSet,
    fs::File,
    io::Write,
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use super::{
    LEASES, Store, StoreError,
    document::{self, Note},
    folder::{Folder, Kind},
    form,
    holder::Holder,
    lock::{self, Attempt},
    names,
    sessions::SessionName,
    staging,
};
use crate::skill::{
    id::TreeDigest,
    time::{DAY_MS, UnixMillis},
};

/// A lease from further ahead than this was made under a wrong clock, and counts as made now.
const TRUSTED_AHEAD_MS: i64 = 60 * 60 * 1000;
/// How long a held lease protects where the file system has no locks.
const UNLOCKED_TERM_MS: u64 = DAY_MS;
/// The most bytes of a lease.
const LIMIT: usize = 16 * 1024;

/// The name of a lease.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeaseId(String);

impl LeaseId {
    /// Parses what [`Self::as_str`] gave.
    pub fn parse(text: &str) -> Option<Self> {
        names::leased_entry(text).map(|_| Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// For whom and how long an entry is leased.
#[derive(Debug, Clone, Copy)]
pub struct LeaseTerms<'a> {
    /// The session that uses it.
    pub session: Option<&'a SessionName>,
    /// The milliseconds for which it is leased, on this start of the system.
    pub ttl_ms: u64,
    /// The process that asks.
    pub holder: &'a Holder,
    /// The present.
    pub now: UnixMillis,
}

/// What a lease says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LeaseRecord {
    #[serde(with = "form")]
    digest: TreeDigest,
    session: Option<String>,
    /// Absent for a held lease, whose lock says all.
    #[serde(with = "form::optional")]
    created_ms: Option<UnixMillis>,
    /// Absent for a held lease.
    ttl_ms: Option<u64>,
    boot_id: Option<String>,
    pid: u32,
    start_time: Option<u64>,
    pid_namespace: Option<u64>,
}

/// What a lease is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Worth {
    /// It protects its entry.
    Live,
    /// It protects its entry, and was made under a clock that was ahead.
    Ahead(LeaseRecord),
    /// Nobody needs it any more.
    Stale,
}

/// A lease that lasts while this value does.
#[derive(Debug)]
pub(super) struct HeldLease {
    leases: Folder,
    name: String,
    #[cfg_attr(not(unix), expect(dead_code, reason = "it is open for its lock"))]
    file: File,
}

impl HeldLease {
    /// Leases an entry; the caller has `gc.lock`.
    pub(super) fn take(root: &Folder, digest: &TreeDigest) -> Result<Self, StoreError> {
        let record = LeaseRecord {
            digest: *digest,
            session: None,
            created_ms: None,
            ttl_ms: None,
            boot_id: None,
            pid: std::process::id(),
            start_time: None,
            pid_namespace: None,
        };
        let (leases, name, file) = publish(root, &record, true)?;
        Ok(Self { leases, name, file })
    }

    /// Keeps the lock over the start of another program in this process.
    #[cfg(unix)]
    pub(super) fn hand_over(&self) -> Result<(), StoreError> {
        use rustix::io::{FdFlags, fcntl_getfd, fcntl_setfd};
        let kept = fcntl_getfd(&self.file)
            .and_then(|flags| fcntl_setfd(&self.file, flags.difference(FdFlags::CLOEXEC)));
        kept.map_err(|error| StoreError::io("keep", &self.leases.path().join(&self.name), error.into()))
    }

    fn remove(&self) -> Result<(), StoreError> {
        self.leases.remove_file(&self.name).map(|_was_there| ())
    }
}

impl Drop for HeldLease {
    fn drop(&mut self) {
        if let Err(error) = self.remove() {
            tracing::debug!(error = %error, "a lease that nobody holds stays until the next prune");
        }
    }
}

/// Makes a lease, which is locked and complete before it has the name of one.
fn publish(root: &Folder, record: &LeaseRecord, held: bool) -> Result<(Folder, String, File), StoreError> {
    let leases = root.make_below(LEASES)?;
    let (temporary, name) = (names::temporary(), names::lease(&record.digest));
    let path = leases.path().join(&temporary);
    let mut file = leases.create_file(&temporary)?;
    let made = (|| {
        if held {
            staging::lock_alone(&file, &path)?;
        }
        let bytes = document::encode(record, &path)?;
        file.write_all(&bytes).map_err(|error| StoreError::io("write", &path, error))?;
        leases.rename(&temporary, &leases, &name)
    })();
    match made {
        Ok(_) => Ok((leases, name, file)),
        Err(error) => {
            leases.remove_file(&temporary)?;
            Err(error)
        }
    }
}

/// What the lease of this name is worth; the name is one of a lease.
pub(super) fn worth(
    leases: &Folder,
    name: &str,
    holder: &Holder,
    now: UnixMillis,
) -> Result<Worth, StoreError> {
    let file = match leases.file_to_change(name) {
        Err(error) if error.is_read_only() => leases.file(name)?,
        opened => opened?,
    };
    let Some(file) = file else { return Ok(Worth::Stale) };
    let path = leases.path().join(name);
    let attempt = lock::try_alone(&file, &path)?;
    match attempt {
        Attempt::Held => return Ok(Worth::Live),
        // Closing is not enough: a program that is being started holds the file too, until it runs.
        Attempt::Locked => lock::give_back(&file, &path)?,
        Attempt::Unsupported => {}
    }
    let modified = modified(&file, &path)?;
    match document::read_bounded(file, &path, LIMIT)?.map(|bytes| document::decode::<LeaseRecord>(&bytes)) {
        Some(Ok(record)) if record.ttl_ms.is_some() => Ok(worth_of_term(record, modified, holder, now)),
        // Nobody could have locked it, so nobody can be seen to be gone.
        Some(Ok(_)) if attempt == Attempt::Unsupported && modified.age_at(now) <= UNLOCKED_TERM_MS => {
            Ok(Worth::Live)
        }
        Some(Err(Note::Newer(_))) => Ok(Worth::Live),
        Some(Ok(_) | Err(Note::Invalid(_))) | None => Ok(Worth::Stale),
    }
}

/// What a lease with a term is worth.
fn worth_of_term(record: LeaseRecord, modified: UnixMillis, holder: &Holder, now: UnixMillis) -> Worth {
    if let (Some(then), Some(today)) = (&record.boot_id, &holder.boot_id)
        && then != today
    {
        return Worth::Stale;
    }
    let made = record.created_ms.map_or(modified, |created| created.max(modified));
    if made.0 > now.0.saturating_add(TRUSTED_AHEAD_MS) {
        return Worth::Ahead(record);
    }
    if made.age_at(now) <= record.ttl_ms.unwrap_or(0) { Worth::Live } else { Worth::Stale }
}

/// Writes a lease that was made under a wrong clock again as one that was made now; otherwise it would not
/// end before that clock's time comes. The caller has `gc.lock` alone.
pub(super) fn stamp_again(
    leases: &Folder,
    name: &str,
    record: LeaseRecord,
    now: UnixMillis,
) -> Result<(), StoreError> {
    let record = LeaseRecord { created_ms: Some(now), ..record };
    let bytes = document::encode(&record, &leases.path().join(name))?;
    document::replace(leases, name, &names::temporary(), &bytes, false)
}

fn modified(file: &File, path: &Path) -> Result<UnixMillis, StoreError> {
    let modified = file.metadata().and_then(|metadata| metadata.modified());
    modified.map(millis).map_err(|error| StoreError::io("read", path, error))
}

fn millis(moment: SystemTime) -> UnixMillis {
    let whole = |duration: Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
    UnixMillis(match moment.duration_since(UNIX_EPOCH) {
        Ok(after) => whole(after),
        Err(before) => -whole(before.duration()),
    })
}

/// The entries that leases in this folder protect.
pub(super) fn live(
    root: &Folder,
    holder: &Holder,
    now: UnixMillis,
) -> Result<BTreeSet<TreeDigest>, StoreError> {
    let mut live = BTreeSet::new();
    let Some(leases) = root.below(LEASES)? else { return Ok(live) };
    for (name, kind) in leases.entries()? {
        let Some(name) = name.to_str().filter(|_| kind == Kind::File) else { continue };
        let Some(digest) = names::leased_entry(name) else { continue };
        if worth(&leases, name, holder, now)? != Worth::Stale {
            live.insert(digest);
        }
    }
    Ok(live)
}

impl Store {
    /// Leases an entry for a term that outlives this process.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`] when there is no such entry.
    pub fn lease(&self, digest: &TreeDigest, terms: LeaseTerms<'_>) -> Result<LeaseId, StoreError> {
        let missing = || StoreError::NotFound(digest.to_string());
        let root = self.open_root()?.ok_or_else(missing)?;
        let _guard = lock::shared(&root)?;
        self.open_entry(&root, digest)?.ok_or_else(missing)?;
        let record = LeaseRecord {
            digest: *digest,
            session: terms.session.map(|session| session.as_str().to_owned()),
            created_ms: Some(terms.now),
            ttl_ms: Some(terms.ttl_ms),
            boot_id: terms.holder.boot_id.clone(),
            pid: terms.holder.pid,
            start_time: terms.holder.start_time,
            pid_namespace: terms.holder.pid_namespace,
        };
        publish(&root, &record, false).map(|(_, name, _)| LeaseId(name))
    }

    /// Ends a lease; whether it was still there.
    pub fn release(&self, id: &LeaseId) -> Result<bool, StoreError> {
        let Some(root) = self.open_root()? else { return Ok(false) };
        root.below(LEASES)?.map_or(Ok(false), |leases| leases.remove_file(&id.0))
    }

    /// Ends every lease with a term that a session has taken; how many there were.
    pub fn release_session(&self, session: &SessionName) -> Result<usize, StoreError> {
        let Some(root) = self.open_root()? else { return Ok(0) };
        let Some(leases) = root.below(LEASES)? else { return Ok(0) };
        let mut released = 0;
        for (name, kind) in leases.entries()? {
            let Some(name) = name.to_str().filter(|_| kind == Kind::File) else { continue };
            if names::leased_entry(name).is_none() {
                continue;
            }
            let record = document::read_in::<LeaseRecord>(&leases, name, LIMIT)?;
            let is_theirs = |record: &LeaseRecord| {
                record.ttl_ms.is_some() && record.session.as_deref() == Some(session.as_str())
            };
            if matches!(&record, Some(Ok(record)) if is_theirs(record)) {
                released += usize::from(leases.remove_file(name)?);
            }
        }
        Ok(released)
    }

    /// The entries that are leased at `now`, seen from the start of the system of `holder`.
    pub fn leased(&self, holder: &Holder, now: UnixMillis) -> Result<BTreeSet<TreeDigest>, StoreError> {
        let Some(root) = self.open_root()? else { return Ok(BTreeSet::new()) };
        let _guard = lock::shared_to_read(&root)?;
        live(&root, holder, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{Home, NOW, ONE, holder};

    fn record(created: i64, ttl_ms: u64) -> LeaseRecord {
        LeaseRecord {
            digest: TreeDigest::from_bytes([1; 32]),
            session: None,
            created_ms: Some(UnixMillis(created)),
            ttl_ms: Some(ttl_ms),
            boot_id: Some("boot".to_owned()),
            pid: 1,
            start_time: Some(1),
            pid_namespace: Some(1),
        }
    }

    #[test]
    fn what_a_lease_with_a_term_is_worth() {
        const HOUR: i64 = 60 * 60 * 1000;
        const DAY: i64 = 24 * HOUR;
        let made = NOW.0;
        let two_hours = u64::try_from(2 * HOUR).unwrap();
        let other_boot = Holder { boot_id: Some("other".to_owned()), ..holder() };
        let unknown_boot = Holder { boot_id: None, ..holder() };
        // An older process of this number, and a process of another container.
        let other_process = Holder { pid: 77, start_time: Some(9), pid_namespace: Some(9), ..holder() };
        let live = "live";
        for (name, modified, holder, now, expected) in [
            ("at once", made, &holder(), made, live),
            ("at the end of its term", made, &holder(), made + 2 * HOUR, live),
            ("after its term", made, &holder(), made + 2 * HOUR + 1, "stale"),
            ("touched since", made + HOUR, &holder(), made + 3 * HOUR, live),
            ("file older than its record", made - DAY, &holder(), made + HOUR, live),
            ("after a restart", made, &other_boot, made, "stale"),
            ("restarts unknown", made, &unknown_boot, made + HOUR, live),
            ("asked by another process", made, &other_process, made + HOUR, live),
            ("ended, asked by another process", made, &other_process, made + 3 * HOUR, "stale"),
            ("clock back an hour", made, &holder(), made - HOUR, live),
            ("clock back a day", made, &holder(), made - DAY, "ahead"),
            ("clock ahead ten years", made, &holder(), made + 3650 * DAY, "stale"),
            ("made under a clock ten years ahead", made, &holder(), made - 3650 * DAY, "ahead"),
        ] {
            let worth =
                match worth_of_term(record(made, two_hours), UnixMillis(modified), holder, UnixMillis(now)) {
                    Worth::Live => live,
                    Worth::Ahead(_) => "ahead",
                    Worth::Stale => "stale",
                };
            assert_eq!(worth, expected, "{name}");
        }
        let forever = record(i64::MAX, u64::MAX);
        assert!(matches!(worth_of_term(forever, NOW, &holder(), NOW), Worth::Ahead(_)));
        assert_eq!(worth_of_term(record(0, u64::MAX), UnixMillis(0), &holder(), NOW), Worth::Live);
    }

    #[test]
    fn a_held_lease_lasts_as_long_as_its_holder() {
        let home = Home::new();
        let entry = home.install(ONE, 1);
        let digest = entry.digest();
        let other_boot = Holder { boot_id: Some("other".to_owned()), ..holder() };
        for holder in [holder(), other_boot] {
            for now in [0, NOW.0, i64::MAX] {
                assert!(home.store.leased(&holder, UnixMillis(now)).unwrap().contains(&digest), "{now}");
            }
        }
        // Its file as a killed process leaves it: there, and not locked.
        let name = home.names("leases").remove(0);
        let content = fs_err::read(home.path("leases").join(&name)).unwrap();
        drop(entry);
        assert_eq!(home.names("leases"), Vec::<String>::new());
        fs_err::write(home.path("leases").join(&name), content).unwrap();
        assert!(home.store.leased(&holder(), NOW).unwrap().is_empty());
    }

    #[test]
    fn leases_with_a_term_are_taken_and_released() {
        let home = Home::new();
        let digest = home.install(ONE, 1).digest();
        let session = SessionName::parse("s").unwrap();
        let holder = holder();
        let terms = LeaseTerms { session: Some(&session), ttl_ms: 10, holder: &holder, now: NOW };
        let missing = home.store.lease(&TreeDigest::from_bytes([1; 32]), terms);
        assert!(matches!(missing, Err(StoreError::NotFound(_))));
        let id = home.store.lease(&digest, terms).unwrap();
        assert_eq!(LeaseId::parse(id.as_str()), Some(id.clone()));
        assert_eq!(LeaseId::parse("../gc.lock"), None);
        assert!(home.store.leased(&holder, NOW).unwrap().contains(&digest));
        assert!(!home.store.leased(&holder, UnixMillis(NOW.0 + 11)).unwrap().contains(&digest));
        assert!(home.store.release(&id).unwrap() && !home.store.release(&id).unwrap());
        assert!(home.store.leased(&holder, NOW).unwrap().is_empty());
    }

    #[test]
    fn a_lease_of_a_newer_release_protects_and_half_a_lease_does_not() {
        let home = Home::new();
        let digest = home.install(ONE, 1).digest();
        for (content, protects) in [(r#"{"version":2}"#, true), (r#"{"version":1,"con"#, false), ("", false)]
        {
            let file = home.path("leases").join(names::lease(&digest));
            fs_err::write(&file, content).unwrap();
            assert_eq!(home.store.leased(&holder(), NOW).unwrap().contains(&digest), protects, "{content}");
            fs_err::remove_file(file).unwrap();
        }
    }
}
