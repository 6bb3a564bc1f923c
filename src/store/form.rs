//! How the vocabulary of skills is written in the store's documents: as text or a number, parsed when read.
//!
//! A document with an id that is none, or with a path that no skill may have, cannot be read; so every
//! value that comes out of a document is as sound as one that was made. Used by `#[serde(with = ..)]`.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned, de::Error as _};

use crate::{
    candidate::{Origin, identity::Identity},
    skill::{
        id::{BlobSha, CommitSha, RepoSlug, TreeDigest, TreeSha},
        name::Slug,
        path::SkillPath,
        time::UnixMillis,
    },
};

/// What is written in exactly one way.
pub(super) trait Form: Sized {
    type Written: Serialize + DeserializeOwned;
    fn write(&self) -> Self::Written;
    fn read(written: &Self::Written) -> Option<Self>;
}

macro_rules! text {
    ($($name:ident: $parse:expr;)*) => {
        $(impl Form for $name {
            type Written = String;

            fn write(&self) -> String {
                self.to_string()
            }

            fn read(written: &String) -> Option<Self> {
                $parse(written)
            }
        })*
    };
}

text! {
    BlobSha: |text| Self::parse(text).ok();
    CommitSha: |text| Self::parse(text).ok();
    Identity: Self::parse;
    Origin: Self::parse;
    RepoSlug: |text| Self::parse(text).ok();
    SkillPath: |text| Self::parse(text).ok();
    Slug: Self::parse;
    TreeDigest: |text| Self::parse(text).ok();
    TreeSha: |text| Self::parse(text).ok();
}

/// A SHA-256, as hexadecimal digits.
impl Form for [u8; 32] {
    type Written = String;

    fn write(&self) -> String {
        TreeDigest::from_bytes(*self).to_string()
    }

    fn read(written: &String) -> Option<Self> {
        TreeDigest::parse(written).ok().map(TreeDigest::bytes)
    }
}

/// A moment, as whole milliseconds since 1970.
impl Form for UnixMillis {
    type Written = i64;

    fn write(&self) -> i64 {
        self.0
    }

    fn read(written: &i64) -> Option<Self> {
        Some(Self(*written))
    }
}

const WRONG: &str = "a value has not the right form";

pub(super) fn serialize<T: Form, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.write().serialize(serializer)
}

pub(super) fn deserialize<'de, T: Form, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::read(&T::Written::deserialize(deserializer)?).ok_or_else(|| D::Error::custom(WRONG))
}

/// The same for what may be absent.
pub(super) mod optional {
    use super::{Deserialize, Deserializer, Form, Serialize, Serializer, WRONG};
    use serde::de::Error as _;

    #[expect(clippy::ref_option, reason = "serde calls it with a reference to the field")]
    pub(in crate::store) fn serialize<T: Form, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(Form::write).serialize(serializer)
    }

    pub(in crate::store) fn deserialize<'de, T: Form, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let written = Option::<T::Written>::deserialize(deserializer)?;
        let read = |written: T::Written| T::read(&written).ok_or_else(|| D::Error::custom(WRONG));
        written.map(read).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Sample {
        #[serde(with = "super")]
        hash: [u8; 32],
        #[serde(with = "super")]
        path: SkillPath,
        #[serde(with = "super::optional")]
        at: Option<UnixMillis>,
        #[serde(with = "super::optional")]
        slug: Option<Slug>,
    }

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let mut hash = [0xff; 32];
        hash[0] = 0x0a;
        let sample =
            Sample { hash, path: SkillPath::parse("a/b").unwrap(), at: Some(UnixMillis(-1)), slug: None };
        let written = serde_json::to_string(&sample).unwrap();
        let digits = format!("0a{}", "ff".repeat(31));
        assert_eq!(written, format!(r#"{{"hash":"{digits}","path":"a/b","at":-1,"slug":null}}"#));
        assert_eq!(serde_json::from_str::<Sample>(&written).unwrap(), sample);
        for (part, wrong) in
            [("a/b", "../b"), ("0aff", "0AFF"), ("0aff", "aff"), (":null", ":\"A b\""), ("-1", "\"x\"")]
        {
            let wrong = written.replacen(part, wrong, 1);
            assert!(serde_json::from_str::<Sample>(&wrong).is_err(), "{wrong}");
        }
    }
}
