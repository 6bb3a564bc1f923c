//! The file of what is remembered of the use of skills, and what it says about stored ones.
//!
//! Every change reads the file afresh under its lock, so that no process loses what another counted, and
//! replaces it as a whole. It is bounded, and never synced: a count is not worth a command's waiting for the
//! device. What is counted when, and whether at all, is decided elsewhere.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use super::{
    Store, StoreError,
    document::{Document, Reading},
    form,
    pins::PinRecord,
    prune::{CacheId, UseRecord},
};
use crate::{
    candidate::{
        Origin,
        identity::Identity,
        usage::{SkillPlace, UsageEvent, UsageRecord, UsageRecords, UsageSubject},
    },
    skill::time::UnixMillis,
};

/// The most bytes of the file.
const LIMIT: usize = 2 * 1024 * 1024;
/// The bytes of the file around its records.
const FRAME_BYTES: usize = 64;
/// How long a change waits for others. A command is not held up for longer because of a count.
const PATIENCE: Duration = Duration::from_secs(10);

/// The file's content, by place.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    records: Vec<Written>,
}

#[derive(Serialize, Deserialize)]
struct Written(#[serde(with = "RecordForm")] UsageRecord);

#[derive(Serialize, Deserialize)]
#[serde(remote = "UsageRecord", deny_unknown_fields)]
struct RecordForm {
    #[serde(with = "PlaceForm")]
    place: SkillPlace,
    name: String,
    #[serde(with = "form")]
    origin: Origin,
    #[serde(with = "form::optional")]
    pin: Option<Identity>,
    mounts: u64,
    uses: u64,
    #[serde(rename = "last_mounted_ms", with = "form::optional")]
    last_mounted_at: Option<UnixMillis>,
    #[serde(rename = "last_used_ms", with = "form::optional")]
    last_used_at: Option<UnixMillis>,
    body_tokens: u64,
    loaded_tokens: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SkillPlace", rename_all = "lowercase", deny_unknown_fields)]
enum PlaceForm {
    Repository { host: String, id: Option<u64>, name: String, path: String },
    Folder(String),
    Bundled(String),
}

impl Content {
    fn of(records: UsageRecords) -> Self {
        let mut records = records.into_vec();
        records.sort_by(|left, right| left.place.cmp(&right.place));
        Self { records: records.into_iter().map(Written).collect() }
    }

    fn records(self) -> UsageRecords {
        UsageRecords::new(self.records.into_iter().map(|Written(record)| record).collect())
    }
}

impl Store {
    /// The file of what is remembered of the use of skills.
    pub fn usage_file(&self) -> PathBuf {
        self.state.join("usage.json")
    }

    /// What is remembered of the use of skills.
    pub fn usage(&self) -> Result<Reading<UsageRecords>, StoreError> {
        let Reading { value, note } = self.usage_document().read::<Content>()?;
        Ok(Reading { value: value.records(), note })
    }

    /// Remembers what happened to a skill; of at most `most` skills anything is remembered.
    ///
    /// A read of a skill that was used a moment ago is not written down.
    ///
    /// # Errors
    ///
    /// [`StoreError::NewerFormat`] for a file of a newer release, which is left alone; [`StoreError::Busy`].
    pub fn record_usage(
        &self,
        subject: &UsageSubject,
        event: UsageEvent,
        most: usize,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        if event == UsageEvent::Read && self.usage()?.value.is_fresh(subject, now) {
            return Ok(());
        }
        self.change_usage(|records| {
            records.record(subject, event, now);
            records.bound(most, usize::MAX, |_| 0);
        })
    }

    /// Forgets the use of the skills that are meant, and gives what was remembered of them.
    ///
    /// # Errors
    ///
    /// As [`Self::record_usage`].
    pub fn clear_usage(
        &self,
        is_meant: impl Fn(&UsageRecord) -> bool,
    ) -> Result<Vec<UsageRecord>, StoreError> {
        if !self.usage()?.value.as_slice().iter().any(&is_meant) {
            return Ok(Vec::new());
        }
        self.change_usage(|records| records.remove(is_meant))
    }

    fn change_usage<R>(&self, change: impl FnOnce(&mut UsageRecords) -> R) -> Result<R, StoreError> {
        let document = self.usage_document();
        let held = document.hold()?;
        let mut records = held.read::<Content>()?.records();
        let result = change(&mut records);
        let content = Content::of(records);
        match held.write(&content) {
            Err(StoreError::TooLarge { .. }) => {
                let mut records = content.records();
                records.bound(usize::MAX, LIMIT - FRAME_BYTES, written_bytes);
                held.write(&Content::of(records))?;
            }
            written => written?,
        }
        Ok(result)
    }

    fn usage_document(&self) -> Document {
        Document::in_file(&self.usage_file(), LIMIT).for_counts(PATIENCE)
    }
}

/// The bytes that a record takes in the file, with its comma.
fn written_bytes(record: &UsageRecord) -> usize {
    serde_json::to_vec(&Written(record.clone())).map_or(usize::MAX, |bytes| bytes.len()).saturating_add(1)
}

/// Where the skill of a pin lies.
pub fn place_of(pin: &PinRecord) -> SkillPlace {
    SkillPlace::Repository {
        host: pin.host.clone(),
        id: pin.repository_id,
        name: pin.repository.to_string(),
        path: pin.path.clone(),
    }
}

/// What the records say about stored skills, for a plan of what to remove.
///
/// A record counts for the pin that was used last, and where that is not stored any more for the newest one
/// of the same skill: the use of one version says nothing about another.
pub fn evidence(records: &UsageRecords, pins: &[PinRecord]) -> Vec<UseRecord> {
    let mut of_record: BTreeMap<&SkillPlace, Vec<&PinRecord>> = BTreeMap::new();
    for pin in pins {
        if let Some(record) = records.find(&place_of(pin)) {
            of_record.entry(&record.place).or_default().push(pin);
        }
    }
    let evidence = |record: &UsageRecord| {
        let pins = of_record.get(&record.place)?;
        let used = pins.iter().find(|pin| Some(pin.identity) == record.pin);
        let pin = used.or_else(|| pins.iter().max_by_key(|pin| (pin.installed_at, pin.identity)))?;
        Some(UseRecord {
            source: pin.repository.to_string(),
            name: pin.name.to_string(),
            id: CacheId::parse(&pin.identity.to_string()),
            mounts: record.mounts,
            uses: record.uses,
            last_mounted_at: record.last_mounted_at,
            last_used_at: record.last_used_at,
            loaded_body_tokens: record.loaded_tokens,
        })
    };
    records.as_slice().iter().filter_map(evidence).collect()
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::store::document::Note;

    const NOW: UnixMillis = UnixMillis(1_787_529_600_000);

    fn store() -> (tempfile::TempDir, Store) {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::new(&temp.path().join("cache"), &temp.path().join("state"));
        (temp, store)
    }

    fn subject(name: &str) -> UsageSubject {
        UsageSubject {
            place: SkillPlace::Folder(format!("/skills/{name}")),
            name: name.to_owned(),
            origin: Origin::Local,
            pin: None,
        }
    }

    #[test]
    fn what_is_recorded_is_read_again() {
        let (_temp, store) = store();
        assert_eq!(store.usage().unwrap(), Reading::default());
        let places = [
            SkillPlace::Bundled("guide".to_owned()),
            SkillPlace::Folder("/a \"b\"\n/c".to_owned()),
            SkillPlace::Repository {
                host: "github.com".to_owned(),
                id: Some(u64::MAX),
                name: "owner/repo".to_owned(),
                path: String::new(),
            },
        ];
        let mut expected = UsageRecords::default();
        for place in places {
            for event in [UsageEvent::Load { body_tokens: 7 }, UsageEvent::Mount, UsageEvent::Read] {
                let pin = Some(Identity::listed("a/b", "c"));
                let subject = UsageSubject { place: place.clone(), pin, ..subject("x") };
                store.record_usage(&subject, event, 10, NOW).unwrap();
                expected.record(&subject, event, NOW);
            }
        }
        let read = store.usage().unwrap();
        assert_eq!(read.note, None);
        assert_eq!(read.value.by_use(), expected.by_use());
        let cleared = store.clear_usage(|record| record.origin == Origin::Local).unwrap();
        assert_eq!(cleared.len(), 3);
        assert_eq!(store.usage().unwrap().value, UsageRecords::default());
    }

    #[test]
    fn no_count_of_many_at_once_is_lost() {
        let (_temp, store) = store();
        thread::scope(|scope| {
            for thread in 0..8 {
                let store = &store;
                scope.spawn(move || {
                    for _ in 0..50 {
                        let load = UsageEvent::Load { body_tokens: 2 };
                        store.record_usage(&subject("all"), load, 10, NOW).unwrap();
                        store
                            .record_usage(&subject(&thread.to_string()), UsageEvent::Mount, 10, NOW)
                            .unwrap();
                    }
                });
            }
        });
        let records = store.usage().unwrap().value;
        let all = records.find(&subject("all").place).unwrap();
        assert_eq!((all.uses, all.loaded_tokens, all.mounts), (400, 800, 0));
        assert!((0..8).all(|thread| records.find(&subject(&thread.to_string()).place).unwrap().mounts == 50));
    }

    #[test]
    fn the_file_stays_within_its_bounds() {
        let (_temp, store) = store();
        for index in 0..12 {
            let now = UnixMillis(NOW.0 + index);
            store.record_usage(&subject(&index.to_string()), UsageEvent::Mount, 5, now).unwrap();
        }
        let records = store.usage().unwrap().value;
        assert_eq!(records.as_slice().len(), 5);
        assert!(records.find(&subject("7").place).is_some() && records.find(&subject("6").place).is_none());
        // Records as large as they get, which nobody sees in practice.
        let long = |index: usize| subject(&format!("{index}{}", "x".repeat(300_000)));
        for index in 0..9 {
            let now = UnixMillis(NOW.0 + 100 + i64::try_from(index).unwrap());
            store.record_usage(&long(index), UsageEvent::Mount, 5_000, now).unwrap();
        }
        let records = store.usage().unwrap().value;
        assert_eq!(records.as_slice().len(), 3);
        assert!(records.find(&long(8).place).is_some());
    }

    #[test]
    fn a_file_that_cannot_be_used_is_never_lost() {
        let (_temp, store) = store();
        let file = store.usage_file();
        fs_err::create_dir_all(file.parent().unwrap()).unwrap();
        fs_err::write(&file, r#"{"version":9,"content":{}}"#).unwrap();
        let refused = store.record_usage(&subject("a"), UsageEvent::Mount, 5, NOW);
        assert!(matches!(refused, Err(StoreError::NewerFormat { version: 9, .. })));
        assert_eq!(store.usage().unwrap().note, Some(Note::Newer(9)));
        assert_eq!(store.clear_usage(|_| true).unwrap(), []);
        assert_eq!(fs_err::read_to_string(&file).unwrap(), r#"{"version":9,"content":{}}"#);
        fs_err::write(&file, "{").unwrap();
        store.record_usage(&subject("a"), UsageEvent::Mount, 5, NOW).unwrap();
        assert_eq!(fs_err::read_to_string(file.with_extension("json.broken")).unwrap(), "{");
        assert_eq!(store.usage().unwrap().value.as_slice().len(), 1);
    }

    #[test]
    fn a_read_soon_after_a_use_is_not_written() {
        let (_temp, store) = store();
        store.record_usage(&subject("a"), UsageEvent::Load { body_tokens: 1 }, 5, NOW).unwrap();
        let written = fs_err::read(store.usage_file()).unwrap();
        let soon = UnixMillis(NOW.0 + 30_000);
        store.record_usage(&subject("a"), UsageEvent::Read, 5, soon).unwrap();
        assert_eq!(fs_err::read(store.usage_file()).unwrap(), written);
        let later = UnixMillis(NOW.0 + 90_000);
        store.record_usage(&subject("a"), UsageEvent::Read, 5, later).unwrap();
        assert_eq!(store.usage().unwrap().value.as_slice()[0].last_used_at, Some(later));
        assert_eq!(store.usage().unwrap().value.as_slice()[0].uses, 1);
    }
}
