//! What a person approved for good: one pin together with one digest, never a name or a repository.
//!
//! The list is bounded; the oldest go first, which only means that a person is asked again. A list that
//! cannot be read approves nothing.

use serde::{Deserialize, Serialize};

use super::{
    Store, StoreError,
    document::{Document, Reading},
    form,
};
use crate::{
    candidate::identity::Identity,
    skill::{id::TreeDigest, time::UnixMillis},
};

/// The most approvals that are kept.
pub const MAX_APPROVALS: usize = 5_000;
const LIMIT: usize = 2 * 1024 * 1024;

/// One pin and one digest that a person approved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// The pin.
    #[serde(with = "form")]
    pub identity: Identity,
    /// The digest of the files that were shown.
    #[serde(with = "form")]
    pub digest: TreeDigest,
    /// When.
    #[serde(rename = "approved_ms", with = "form")]
    pub approved_at: UnixMillis,
}

impl Approval {
    fn is_for(&self, identity: &Identity, digest: &TreeDigest) -> bool {
        self.identity == *identity && self.digest == *digest
    }
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Approvals {
    /// In the order in which they were given.
    approvals: Vec<Approval>,
}

impl Store {
    /// What was approved for good, in the order in which it was.
    pub fn approvals(&self) -> Result<Reading<Vec<Approval>>, StoreError> {
        let Reading { value, note } = self.approvals_document().read::<Approvals>()?;
        Ok(Reading { value: value.approvals, note })
    }

    /// Whether exactly this pin with exactly these files was approved.
    pub fn is_approved(&self, identity: &Identity, digest: &TreeDigest) -> Result<bool, StoreError> {
        Ok(self.approvals()?.value.iter().any(|approval| approval.is_for(identity, digest)))
    }

    /// The digests that were approved for this pin.
    pub fn approved(&self, identity: &Identity) -> Result<Vec<TreeDigest>, StoreError> {
        let approvals = self.approvals()?.value.into_iter().filter(|known| known.identity == *identity);
        Ok(approvals.map(|approval| approval.digest).collect())
    }

    /// Records an approval.
    pub fn approve(
        &self,
        identity: &Identity,
        digest: &TreeDigest,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        self.approvals_document().update(|list: &mut Approvals| {
            list.approvals.retain(|approval| !approval.is_for(identity, digest));
            list.approvals.push(Approval { identity: *identity, digest: *digest, approved_at: now });
            let over = list.approvals.len().saturating_sub(MAX_APPROVALS);
            list.approvals.drain(..over);
        })
    }

    fn approvals_document(&self) -> Document {
        Document::in_file(&self.approvals_file(), LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_approval_is_for_one_pin_with_one_digest() {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::new(temp.path(), &temp.path().join("state"));
        let (one, other) = (Identity::listed("a/b", "x"), Identity::listed("a/b", "y"));
        let (digest, changed) = (TreeDigest::from_bytes([1; 32]), TreeDigest::from_bytes([2; 32]));
        assert!(!store.is_approved(&one, &digest).unwrap());
        store.approve(&one, &digest, UnixMillis(5)).unwrap();
        store.approve(&one, &digest, UnixMillis(6)).unwrap();
        assert!(store.is_approved(&one, &digest).unwrap());
        assert!(!store.is_approved(&one, &changed).unwrap() && !store.is_approved(&other, &digest).unwrap());
        let approval = Approval { identity: one, digest, approved_at: UnixMillis(6) };
        assert_eq!(store.approvals().unwrap().value, [approval]);
    }

    #[test]
    fn the_oldest_of_too_many_go_and_all_fit_the_file() {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::new(temp.path(), temp.path());
        let identity = |index: usize| Identity::listed("a/b", &index.to_string());
        let digest = TreeDigest::from_bytes([0xff; 32]);
        let latest = UnixMillis(i64::MAX);
        let approval = |index| Approval { identity: identity(index), digest, approved_at: latest };
        let full = Approvals { approvals: (0..MAX_APPROVALS).map(approval).collect() };
        store.approvals_document().update(|list: &mut Approvals| *list = full).unwrap();
        store.approve(&identity(MAX_APPROVALS), &digest, latest).unwrap();
        let approvals = store.approvals().unwrap().value;
        assert_eq!(approvals.len(), MAX_APPROVALS);
        assert_eq!(approvals.first(), Some(&approval(1)));
        assert_eq!(approvals.last(), Some(&approval(MAX_APPROVALS)));
    }

    #[test]
    fn a_list_of_a_newer_release_approves_nothing_here() {
        let temp = tempfile::tempdir().unwrap();
        let store = Store::new(temp.path(), temp.path());
        let newer = r#"{"version":9,"content":{}}"#;
        fs_err::write(store.approvals_file(), newer).unwrap();
        let (identity, digest) = (Identity::listed("a", "b"), TreeDigest::from_bytes([1; 32]));
        assert!(!store.is_approved(&identity, &digest).unwrap());
        let refused = store.approve(&identity, &digest, UnixMillis(1));
        assert!(matches!(refused, Err(StoreError::NewerFormat { version: 9, .. })));
        assert_eq!(fs_err::read_to_string(store.approvals_file()).unwrap(), newer);
    }
}
