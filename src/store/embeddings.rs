//! Vectors of what candidates say about themselves, kept so that a command need not have them made again.
//!
//! A vector lies under a hash of provider, endpoint, model and text (`SelfDescription::fingerprint`), so that no
//! text lies on the disk and a changed text, model or endpoint is another one. The file is bounded in vectors and bytes;
//! those that were used last stay. It is only worth time: one that cannot be read is empty, and it is never
//! synced. Vectors of tasks are not kept, because a task seldom comes twice.

use std::{collections::BTreeMap, fmt, path::PathBuf, time::Duration};

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD as BASE64};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Store, StoreError, document::Document};
use crate::{candidate::vector::Vector, skill::id::TreeDigest};

/// The most bytes of the file.
const LIMIT: usize = 64 * 1024 * 1024;
/// The bytes of the file around its vectors, and around each.
const FRAME_BYTES: usize = 64;
const ENTRY_BYTES: usize = 128;
/// The digits by which a vector is known to be the one that was written.
const CHECK_DIGITS: usize = 16;
/// How long a change waits for others: less than it takes to make the vectors again.
const PATIENCE: Duration = Duration::from_millis(500);

/// The name of one vector.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EmbeddingKey(String);

impl EmbeddingKey {
    /// The name with this hash.
    pub fn new(sha256: [u8; 32]) -> Self {
        Self(TreeDigest::from_bytes(sha256).to_string())
    }
}

impl fmt::Display for EmbeddingKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The vectors, those that were used last first.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    vectors: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    key: String,
    /// The first 16 digits of the SHA-256 of key and bytes.
    check: String,
    /// The components as little-endian `f32`, in base64.
    vector: String,
}

impl Entry {
    fn new(key: &EmbeddingKey, vector: &Vector) -> Self {
        let bytes: Vec<u8> = vector.components().iter().flat_map(|number| number.to_le_bytes()).collect();
        Self { key: key.0.clone(), check: check(&key.0, &bytes), vector: BASE64.encode(bytes) }
    }

    /// The vector, when it is the one that was written.
    fn read(&self) -> Option<Vector> {
        let bytes = BASE64.decode(&self.vector).ok()?;
        let (numbers, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() || check(&self.key, &bytes) != self.check {
            return None;
        }
        let numbers: Vec<f64> = numbers.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes))).collect();
        Vector::new(&numbers).ok()
    }
}

fn check(key: &str, bytes: &[u8]) -> String {
    let digest = Sha256::new().chain_update(key).chain_update(bytes).finalize();
    let mut digits = TreeDigest::from_bytes(digest.into()).to_string();
    digits.truncate(CHECK_DIGITS);
    digits
}

impl Store {
    /// The file of vectors.
    pub fn embeddings_file(&self) -> PathBuf {
        self.root().join("embeddings.json")
    }

    /// The vectors of these names that are kept.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`] when the file is there and cannot be read.
    pub fn embeddings(&self, keys: &[EmbeddingKey]) -> Result<BTreeMap<EmbeddingKey, Vector>, StoreError> {
        let kept = self.embeddings_document().read::<Content>()?.value.vectors;
        let by_key: BTreeMap<&str, &Entry> = kept.iter().map(|entry| (entry.key.as_str(), entry)).collect();
        let found = keys.iter().filter_map(|key| Some((key.clone(), by_key.get(key.0.as_str())?.read()?)));
        Ok(found.collect())
    }

    /// How many vectors are kept.
    ///
    /// # Errors
    ///
    /// [`StoreError::Io`] when the file is there and cannot be read.
    pub fn count_embeddings(&self) -> Result<usize, StoreError> {
        Ok(self.embeddings_document().read::<Content>()?.value.vectors.len())
    }

    /// Keeps new vectors, of at most `most` in all. Those of `used` come before what was used earlier, so the
    /// others go first.
    ///
    /// # Errors
    ///
    /// [`StoreError::NewerFormat`] for a file of a newer release, which is left alone; [`StoreError::Busy`].
    pub fn keep_embeddings(
        &self,
        new: &[(EmbeddingKey, Vector)],
        used: &[EmbeddingKey],
        most: usize,
    ) -> Result<(), StoreError> {
        self.embeddings_document().update(|content: &mut Content| {
            let mut kept: Vec<Entry> = new.iter().map(|(key, vector)| Entry::new(key, vector)).collect();
            let mut earlier: BTreeMap<String, Entry> = BTreeMap::new();
            let mut order = Vec::new();
            for entry in std::mem::take(&mut content.vectors) {
                order.push(entry.key.clone());
                earlier.insert(entry.key.clone(), entry);
            }
            for (key, _) in new {
                earlier.remove(&key.0);
            }
            let first = used.iter().map(|key| key.0.clone());
            kept.extend(first.chain(order).filter_map(|key| earlier.remove(&key)));
            let mut left = LIMIT - FRAME_BYTES;
            let fits = |entry: &Entry| {
                let rest = left.checked_sub(entry.vector.len() + ENTRY_BYTES);
                left = rest.unwrap_or(0);
                rest.is_some()
            };
            content.vectors = kept.into_iter().take(most).take_while(fits).collect();
        })
    }

    fn embeddings_document(&self) -> Document {
        Document::in_file(&self.embeddings_file(), LIMIT).for_counts(PATIENCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::tree;

    fn store() -> (tempfile::TempDir, Store) {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::new(&temp.path().join("cache"), &temp.path().join("state"));
        (temp, store)
    }

    fn key(text: &str) -> EmbeddingKey {
        EmbeddingKey::new(tree::content_sha256(text.as_bytes()))
    }

    fn vector(number: u32) -> Vector {
        Vector::new(&[1.0, f64::from(number)]).unwrap()
    }

    #[test]
    fn what_was_used_last_stays() {
        let (_temp, store) = store();
        assert_eq!(store.count_embeddings().unwrap(), 0);
        let keys: Vec<EmbeddingKey> = ["a", "b", "c", "d"].map(key).to_vec();
        let new = |index: usize| (keys[index].clone(), vector(u32::try_from(index).unwrap()));
        store.keep_embeddings(&[new(0), new(1), new(2)], &[], 3).unwrap();
        store.keep_embeddings(&[new(3)], &[keys[2].clone()], 3).unwrap();
        let kept = store.embeddings(&keys).unwrap();
        assert_eq!(
            kept.keys().cloned().collect::<std::collections::BTreeSet<_>>(),
            [0, 2, 3].map(|index| keys[index].clone()).into()
        );
        assert_eq!(kept[&keys[3]], vector(3));
        // A second vector of one name replaces the first.
        store.keep_embeddings(&[(keys[3].clone(), vector(9))], &[], 3).unwrap();
        assert_eq!(store.embeddings(&keys[3..]).unwrap()[&keys[3]], vector(9));
        assert_eq!(store.count_embeddings().unwrap(), 3);
    }

    #[test]
    fn what_was_changed_is_not_there() {
        let (_temp, store) = store();
        let keys = ["a", "b"].map(key);
        store.keep_embeddings(&[(keys[0].clone(), vector(1)), (keys[1].clone(), vector(2))], &[], 9).unwrap();
        let file = store.embeddings_file();
        let text = fs_err::read_to_string(&file).unwrap();
        let encoded = Entry::new(&keys[0], &vector(1)).vector;
        fs_err::write(&file, text.replace(&encoded, &Entry::new(&keys[0], &vector(7)).vector)).unwrap();
        let kept = store.embeddings(&keys).unwrap();
        assert_eq!(kept.keys().collect::<Vec<_>>(), [&keys[1]]);
        fs_err::write(&file, "{\"version\":1,").unwrap();
        assert!(store.embeddings(&keys).unwrap().is_empty());
        store.keep_embeddings(&[(keys[0].clone(), vector(1))], &[], 9).unwrap();
        assert_eq!(store.embeddings(&keys).unwrap().len(), 1);
    }

    #[test]
    fn the_file_is_bounded_in_bytes() {
        let (_temp, store) = store();
        let wide = Vector::new(&vec![1.0; 8192]).unwrap();
        let new: Vec<_> = (0..1600).map(|index| (key(&format!("text {index}")), wide.clone())).collect();
        store.keep_embeddings(&new, &[], 10_000).unwrap();
        let kept = store.count_embeddings().unwrap();
        assert!((1400..1600).contains(&kept), "{kept}");
        assert!(fs_err::metadata(store.embeddings_file()).unwrap().len() <= LIMIT as u64);
    }
}
