//! Results of searches, kept so that the next search of the same kind need not ask anybody.
//!
//! How old a result may be for what is decided in [`super::discovery`]; what a candidate looks like belongs to
//! whoever writes it. The file is bounded in results and bytes, the newest stay. It is merged under a lock, so
//! that no process loses the results of another, and a result that cannot be understood loses only itself.

use std::{collections::BTreeSet, path::Path};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{StoreError, document::Document, form};
use crate::skill::time::UnixMillis;

/// The most bytes of the file.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;
/// The bytes that are left for what stands around the results.
const FRAME: usize = 64;
/// The longest key; a hash is shorter.
const MAX_KEY_BYTES: usize = 256;

/// The file of results of searches.
#[derive(Debug, Clone)]
pub struct DiscoveryFile {
    document: Document,
    max_entries: usize,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredResult {
    /// When.
    pub stored_at: UnixMillis,
    /// Whether every source had answered.
    pub complete: bool,
    /// The candidates, each an object with its identity as `id`; the rest belongs to whoever writes them.
    pub candidates: Vec<Value>,
}

/// How much the file holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DiscoveryStats {
    /// The results.
    pub entries: usize,
    /// The bytes of all of them.
    pub bytes: usize,
}

/// Each entry apart, so that one that cannot be understood does not take the others with it.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    entries: Vec<Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    key: String,
    #[serde(rename = "stored_ms", with = "form")]
    stored_at: UnixMillis,
    complete: bool,
    candidates: Vec<Value>,
}

impl Entries {
    /// The results that can be understood, the newest first, each key once.
    fn into_sorted(self) -> Vec<Entry> {
        let parse = |entry| serde_json::from_value::<Entry>(entry).ok();
        let mut entries: Vec<Entry> = self
            .entries
            .into_iter()
            .filter_map(parse)
            .filter(|entry| entry.key.len() <= MAX_KEY_BYTES)
            .collect();
        entries.sort_by(|left, right| {
            right.stored_at.cmp(&left.stored_at).then_with(|| left.key.cmp(&right.key))
        });
        let mut keys = BTreeSet::new();
        entries.retain(|entry| keys.insert(entry.key.clone()));
        entries
    }

    /// The newest results that fit, of which there are at most `max_entries`.
    fn fitting(entries: Vec<Entry>, max_entries: usize) -> Self {
        let mut left = MAX_BYTES - FRAME;
        let mut fitting = Vec::new();
        for entry in entries.into_iter().take(max_entries) {
            let entry = serde_json::json!({
                "key": entry.key,
                "stored_ms": entry.stored_at.0,
                "complete": entry.complete,
                "candidates": entry.candidates,
            });
            // One byte for the comma behind it.
            let Some(rest) = left.checked_sub(entry.to_string().len() + 1) else { break };
            left = rest;
            fitting.push(entry);
        }
        Self { entries: fitting }
    }
}

impl DiscoveryFile {
    /// The file at `path`, which keeps at most `max_entries` results.
    pub fn new(path: &Path, max_entries: usize) -> Self {
        Self { document: Document::in_file(path, MAX_BYTES), max_entries }
    }

    fn entries(&self) -> Result<Vec<Entry>, StoreError> {
        Ok(self.document.read::<Entries>()?.value.into_sorted())
    }

    /// The result that is stored under `key`, however old.
    pub fn read(&self, key: &str) -> Result<Option<StoredResult>, StoreError> {
        let entry = self.entries()?.into_iter().find(|entry| entry.key == key);
        Ok(entry.map(|Entry { stored_at, complete, candidates, .. }| StoredResult {
            stored_at,
            complete,
            candidates,
        }))
    }

    /// Stores a result under `key` in the place of an earlier one. The oldest results make room for it; one
    /// that alone does not fit is not kept, nor one that is older than all that fit.
    pub fn write(&self, key: &str, result: StoredResult) -> Result<(), StoreError> {
        let StoredResult { stored_at, complete, candidates } = result;
        self.document.update(|list: &mut Entries| {
            let mut entries = std::mem::take(list).into_sorted();
            entries.retain(|entry| entry.key != key);
            let place = entries.partition_point(|entry| entry.stored_at > stored_at);
            entries.insert(place, Entry { key: key.to_owned(), stored_at, complete, candidates });
            *list = Entries::fitting(entries, self.max_entries);
        })
    }

    /// How much there is.
    pub fn stats(&self) -> Result<DiscoveryStats, StoreError> {
        let entries = self.document.read::<Entries>()?.value.entries;
        let bytes = entries.iter().map(|entry| entry.to_string().len()).sum();
        Ok(DiscoveryStats { entries: entries.len(), bytes })
    }

    /// When each result was stored, the newest first.
    pub fn stored_at(&self) -> Result<Vec<UnixMillis>, StoreError> {
        Ok(self.entries()?.into_iter().map(|entry| entry.stored_at).collect())
    }

    /// Removes all results; how many there were.
    pub fn clean(&self) -> Result<usize, StoreError> {
        let entries = self.document.read::<Entries>()?.value.entries.len();
        self.document.remove()?;
        Ok(entries)
    }

    /// The newest candidate of each `id` that begins with these digits, the newest first, with the time of
    /// the search that found it.
    pub fn find_candidate(&self, prefix: &str) -> Result<Vec<(UnixMillis, Value)>, StoreError> {
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for entry in self.entries()? {
            for candidate in entry.candidates {
                let id = candidate.get("id").and_then(Value::as_str).map(str::to_owned);
                let Some(id) = id.filter(|id| id.starts_with(prefix)) else { continue };
                if seen.insert(id) {
                    found.push((entry.stored_at, candidate));
                }
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use serde_json::json;

    use super::*;

    fn result(stored_at: i64, candidates: Vec<Value>) -> StoredResult {
        StoredResult { stored_at: UnixMillis(stored_at), complete: true, candidates }
    }

    fn keys(file: &DiscoveryFile) -> Vec<String> {
        file.entries().unwrap().into_iter().map(|entry| entry.key).collect()
    }

    #[test]
    fn the_newest_results_stay() {
        let temp = tempfile::tempdir().unwrap();
        let file = DiscoveryFile::new(&temp.path().join("cache/discovery.json"), 3);
        assert_eq!(file.read("a").unwrap(), None);
        assert_eq!(file.stats().unwrap(), DiscoveryStats::default());
        for (key, at) in [("a", 5), ("b", 1), ("c", 3), ("d", 4), ("a", 6)] {
            file.write(key, result(at, vec![json!({"id": key})])).unwrap();
        }
        assert_eq!(keys(&file), ["a", "d", "c"]);
        assert_eq!(file.read("a").unwrap(), Some(result(6, vec![json!({"id": "a"})])));
        assert_eq!(file.stats().unwrap().entries, 3);
        assert_eq!(file.clean().unwrap(), 3);
        assert_eq!(keys(&file), Vec::<String>::new());
    }

    #[test]
    fn the_newest_that_fit_the_bytes_stay() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("discovery.json");
        let file = DiscoveryFile::new(&path, 100);
        let large = |id: &str| vec![json!({"id": id, "text": "x".repeat(MAX_BYTES / 2 - 1000)})];
        for (at, key) in [(1, "a"), (2, "b"), (3, "c")] {
            file.write(key, result(at, large(key))).unwrap();
        }
        assert_eq!(keys(&file), ["c", "b"]);
        assert!(fs_err::metadata(&path).unwrap().len() <= MAX_BYTES as u64);
        file.write("too large", result(4, vec![json!("x".repeat(MAX_BYTES))])).unwrap();
        assert_eq!(file.read("too large").unwrap(), None);
    }

    #[test]
    fn a_result_that_cannot_be_understood_loses_only_itself() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("discovery.json");
        let good = r#"{"key":"good","stored_ms":1,"complete":false,"candidates":[]}"#;
        let bad = r#"{"key":"bad","stored_ms":"soon","complete":true,"candidates":[]}"#;
        fs_err::write(&path, format!(r#"{{"version":1,"content":{{"entries":[{bad},7,{good}]}}}}"#)).unwrap();
        let file = DiscoveryFile::new(&path, 10);
        assert_eq!(file.read("bad").unwrap(), None);
        assert!(!file.read("good").unwrap().unwrap().complete);
        file.write("new", result(2, Vec::new())).unwrap();
        assert_eq!(keys(&file), ["new", "good"]);
        assert_eq!(file.stats().unwrap().entries, 2);
    }

    #[test]
    fn no_process_loses_the_results_of_another() {
        let temp = tempfile::tempdir().unwrap();
        let file = DiscoveryFile::new(&temp.path().join("discovery.json"), 1000);
        thread::scope(|scope| {
            for thread in 0..8 {
                let file = &file;
                scope.spawn(move || {
                    for index in 0..20 {
                        file.write(&format!("{thread}-{index}"), result(index, Vec::new())).unwrap();
                    }
                });
            }
        });
        assert_eq!(keys(&file).len(), 160);
    }

    #[test]
    fn candidates_are_found_by_the_first_digits_the_newest_first() {
        let temp = tempfile::tempdir().unwrap();
        let file = DiscoveryFile::new(&temp.path().join("discovery.json"), 10);
        let found = |prefix| file.find_candidate(prefix).unwrap();
        file.write("old", result(1, vec![json!({"id": "abc1", "n": 1}), json!({"id": "abd2"})])).unwrap();
        file.write("new", result(2, vec![json!({"id": "abc1", "n": 2}), json!({"name": "no id"})])).unwrap();
        assert_eq!(found("abc"), [(UnixMillis(2), json!({"id": "abc1", "n": 2}))]);
        assert_eq!(found("ab").len(), 2);
        assert_eq!(found("abd"), [(UnixMillis(1), json!({"id": "abd2"}))]);
        assert_eq!(found("x"), []);
    }
}
