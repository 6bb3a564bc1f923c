//! The names that the store gives and knows again. What has no such name is somebody else's and stays.
//!
//! Each name is made and recognised side by side here, so that what one function makes the other takes, and
//! nothing else. No name holds text of a person or a host: they are digests, random characters and words of
//! the program.

use std::ffi::OsStr;

use super::prune::CacheId;
use crate::{candidate::identity::Identity, skill::id::TreeDigest};

/// The characters of a random name.
const RANDOM: usize = 16;
/// The ending of the lock file of a staging folder.
pub(super) const LOCK_ENDING: &str = ".lk";
/// What a staging folder is called in the trash, in the place of a digest.
pub(super) const STAGING_TRASH: &str = "staging";

/// A name that nobody has used.
pub(super) fn random() -> String {
    let named =
        tempfile::Builder::new().prefix("").rand_bytes(RANDOM).disable_cleanup(true).make_in("", |_| Ok(()));
    let name = named.ok().and_then(|named| Some(named.path().file_name()?.to_str()?.to_owned()));
    name.expect("a random name is valid text, and making nothing of that name cannot fail")
}

/// Whether `name` could be one of [`random`].
pub(super) fn is_random(name: &str) -> bool {
    name.len() == RANDOM && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A name for a file that is not finished.
pub(super) fn temporary() -> String {
    format!(".{}.tmp", random())
}

/// Whether `name` could be one of [`temporary`].
pub(super) fn is_temporary(name: &str) -> bool {
    name.strip_prefix('.').and_then(|name| name.strip_suffix(".tmp")).is_some_and(is_random)
}

/// A name for a lease of an entry.
pub(super) fn lease(digest: &TreeDigest) -> String {
    format!("{digest}.{}", random())
}

/// The entry that a lease of this name is for.
pub(super) fn leased_entry(name: &str) -> Option<TreeDigest> {
    let (digest, random) = name.split_once('.')?;
    is_random(random).then(|| TreeDigest::parse(digest).ok())?
}

/// A name in the trash for what was called `name`.
pub(super) fn trash(name: &str) -> String {
    format!("{name}.{}", random())
}

/// Whether `name` could be one of [`trash`].
pub(super) fn is_trash(name: &str) -> bool {
    name.split_once('.').is_some_and(|(name, random)| {
        is_random(random) && (name == STAGING_TRASH || TreeDigest::parse(name).is_ok())
    })
}

/// The file of a pin.
pub(super) fn pin(identity: &Identity) -> String {
    format!("{identity}.json")
}

/// The pin that a file of this name is for.
pub(super) fn pinned(name: &OsStr) -> Option<Identity> {
    Identity::parse(name.to_str()?.strip_suffix(".json")?)
}

/// The folder above the folder of an entry: the first two digits.
pub(super) fn shelf(digest: &TreeDigest) -> String {
    let mut digits = digest.to_string();
    digits.truncate(2);
    digits
}

/// Whether `name` could be one of [`shelf`].
pub(super) fn is_shelf(name: &OsStr) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
    let name = name.as_encoded_bytes();
    name.len() == 2 && name.iter().all(is_digit)
}

/// The entry that a folder of this name on this shelf holds.
pub(super) fn shelved(shelf: &OsStr, name: &OsStr) -> Option<TreeDigest> {
    let digest = TreeDigest::parse(name.to_str()?).ok()?;
    (self::shelf(&digest) == shelf.to_str()?).then_some(digest)
}

/// How the plan of a prune calls an entry.
pub(super) fn plan_id(digest: &TreeDigest) -> CacheId {
    CacheId::parse(&digest.to_string()).expect("a digest has 64 hexadecimal digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_again_and_others_are_not() {
        let digest = TreeDigest::from_bytes([0xab; 32]);
        assert!(is_random(&random()));
        assert_ne!(random(), random());
        assert!(is_temporary(&temporary()));
        assert_eq!(leased_entry(&lease(&digest)), Some(digest));
        assert!(is_trash(&trash(&digest.to_string())) && is_trash(&trash(STAGING_TRASH)));
        let identity = Identity::listed("a", "b");
        assert_eq!(pinned(OsStr::new(&pin(&identity))), Some(identity));
        assert!(is_shelf(OsStr::new(&shelf(&digest))));
        for foreign in ["", "a", "abc", "AB", "zz", "..", "a\n"] {
            assert!(!is_shelf(OsStr::new(foreign)), "{foreign:?}");
        }
        assert_eq!(shelved(OsStr::new("ab"), OsStr::new(&digest.to_string())), Some(digest));
        assert_eq!(shelved(OsStr::new("aa"), OsStr::new(&digest.to_string())), None);
        let random = random();
        for foreign in [
            "",
            ".",
            "..",
            "notes.txt",
            &digest.to_string(),
            &format!("{digest}."),
            &format!("{digest}.{random}x"),
            &format!("{digest}.{random}\n"),
            &format!("{}.{random}", "AB".repeat(32)),
            &format!("other.{random}"),
            &format!(".{random}.tmp~"),
            &random,
        ] {
            assert_eq!(leased_entry(foreign), None, "{foreign:?}");
            assert!(!is_trash(foreign) && !is_temporary(foreign), "{foreign:?}");
            assert_eq!(pinned(OsStr::new(foreign)), None, "{foreign:?}");
        }
    }
}
