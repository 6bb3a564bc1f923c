//! A view of the index: what one set of folders held when somebody last looked, and where its skills are.

use super::bytes::{Damaged, Reader, Writer, unseal};

const MAGIC: &[u8; 8] = b"skflxviw";
/// Goes up with the form of the file.
const VERSION: usize = 1;

/// What was found when somebody last looked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// Which set of folders that is.
    pub identity: u64,
    /// When that began, in nanoseconds since 1970.
    pub looked_ns: i128,
    /// Whether all that was there was seen and has a document. Else it is looked at again.
    pub is_whole: bool,
    /// What tells whether it would be found again; not understood here.
    pub trace: Vec<u8>,
    /// The skills, each by a hash of where it lies, sorted, with the key of its document.
    pub skills: Vec<(u64, u128)>,
    /// Which documents of which segments these are.
    pub(super) members: Vec<Members>,
}

/// The documents that a view has in a segment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Members {
    /// The name of the segment's file.
    pub(super) name: String,
    /// What tells the segment from others.
    pub(super) mark: u64,
    /// The numbers of the documents, in order.
    pub(super) documents: Vec<u32>,
}

impl View {
    /// The key of the skill that lies at a place.
    pub fn key(&self, place: u64) -> Option<u128> {
        let found = self.skills.binary_search_by_key(&place, |(known, _)| *known);
        found.ok().map(|found| self.skills[found].1)
    }

    /// The keys of all its documents.
    pub(super) fn keys(&self) -> impl Iterator<Item = u128> + '_ {
        self.skills.iter().map(|(_, key)| *key)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.raw(MAGIC);
        writer.u32(VERSION);
        writer.u64(self.identity);
        writer.raw(&self.looked_ns.to_le_bytes());
        writer.raw(&[u8::from(self.is_whole)]);
        writer.u64(self.trace.len() as u64);
        writer.raw(&self.trace);
        writer.u32(self.skills.len());
        for (place, key) in &self.skills {
            writer.u64(*place);
            writer.raw(&key.to_le_bytes());
        }
        writer.u32(self.members.len());
        for Members { name, mark, documents } in &self.members {
            writer.u32(name.len());
            writer.raw(name.as_bytes());
            writer.u64(*mark);
            writer.u32(documents.len());
            let mut before = 0;
            for &document in documents {
                writer.leb128(u64::from(document - before));
                before = document;
            }
        }
        writer.into_sealed()
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut reader = Reader::new(unseal(bytes)?);
        if reader.bytes(MAGIC.len())? != MAGIC || reader.u32()? as usize != VERSION {
            return Err(Damaged);
        }
        let identity = reader.u64()?;
        let looked_ns = i128::from_le_bytes(reader.bytes(16)?.try_into().map_err(|_| Damaged)?);
        let is_whole = reader.u8()? == 1;
        let length = usize::try_from(reader.u64()?).map_err(|_| Damaged)?;
        let trace = reader.bytes(length)?.to_vec();
        let mut skills = Vec::new();
        for _ in 0..reader.u32()? {
            let place = reader.u64()?;
            skills.push((place, u128::from_le_bytes(reader.bytes(16)?.try_into().map_err(|_| Damaged)?)));
        }
        let mut members = Vec::new();
        for _ in 0..reader.u32()? {
            let length = reader.u32()? as usize;
            let name = String::from_utf8(reader.bytes(length)?.to_vec()).map_err(|_| Damaged)?;
            let mark = reader.u64()?;
            let mut documents = Vec::new();
            let mut document = 0u32;
            for _ in 0..reader.u32()? {
                let step = u32::try_from(reader.leb128()?).map_err(|_| Damaged)?;
                document = document.checked_add(step).ok_or(Damaged)?;
                documents.push(document);
            }
            members.push(Members { name, mark, documents });
        }
        if !reader.is_empty() {
            return Err(Damaged);
        }
        Ok(Self { identity, looked_ns, is_whole, trace, skills, members })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn member() -> impl Strategy<Value = Members> {
        ("[a-zA-Z0-9]{0,16}", any::<u64>(), proptest::collection::btree_set(any::<u32>(), 0..20)).prop_map(
            |(name, mark, documents)| Members { name, mark, documents: documents.into_iter().collect() },
        )
    }

    prop_compose! {
        fn view()(
            (identity, looked_ns, is_whole) in any::<(u64, i128, bool)>(),
            trace in proptest::collection::vec(any::<u8>(), 0..50),
            skills in proptest::collection::btree_map(any::<u64>(), any::<u128>(), 0..20),
            members in proptest::collection::vec(member(), 0..4),
        ) -> View {
            View { identity, looked_ns, is_whole, trace, skills: skills.into_iter().collect(), members }
        }
    }

    proptest! {
        #[test]
        fn a_view_comes_back_as_it_was(view in view(), place in any::<u64>()) {
            let back = View::decode(&view.encode()).unwrap();
            prop_assert_eq!(&back, &view);
            for (place, key) in &view.skills {
                prop_assert_eq!(back.key(*place), Some(*key));
            }
            prop_assert!(back.key(place).is_none() || view.skills.iter().any(|(known, _)| *known == place));
        }

        #[test]
        fn a_changed_byte_or_length_is_noticed(view in view(), at in any::<prop::sample::Index>(), bit in 0u8..8) {
            let mut bytes = view.encode();
            prop_assert!(View::decode(&bytes[..at.index(bytes.len())]).is_err());
            let at = at.index(bytes.len());
            bytes[at] ^= 1u8 << bit;
            prop_assert!(View::decode(&bytes).is_err());
        }

        #[test]
        fn bytes_with_a_seal_of_their_own_are_no_trouble(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut writer = Writer::default();
            writer.raw(MAGIC);
            writer.u32(VERSION);
            writer.raw(&bytes);
            let _any = View::decode(&writer.into_sealed());
        }
    }
}
