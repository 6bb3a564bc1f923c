//! A view of the index: what one set of folders held when somebody last looked, and where its skills are.

use super::bytes::{Damaged, Reader, Writer, unseal};

/// Goes up with the format.
const VERSION: usize = 1;

/// What was found when somebody last looked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// When that began, in nanoseconds since 1970.
    pub looked_ns: i128,
    /// What tells whether it would be found again; not understood here.
    pub trace: Vec<u8>,
    /// The skills, each by a hash of where it lies, sorted, with the key of its document.
    pub skills: Vec<(u64, u128)>,
    /// Which documents of which segments these are.
    pub(super) members: Vec<(String, Vec<u32>)>,
}

impl View {
    /// The key of the skill that lies at a place.
    pub fn key(&self, place: u64) -> Option<u128> {
        let found = self.skills.binary_search_by_key(&place, |(known, _)| *known);
        found.ok().map(|found| self.skills[found].1)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.u32(VERSION);
        writer.raw(&self.looked_ns.to_le_bytes());
        writer.u64(self.trace.len() as u64);
        writer.raw(&self.trace);
        writer.u32(self.skills.len());
        for (place, key) in &self.skills {
            writer.u64(*place);
            writer.raw(&key.to_le_bytes());
        }
        writer.u32(self.members.len());
        for (segment, documents) in &self.members {
            writer.u32(segment.len());
            writer.raw(segment.as_bytes());
            writer.u32(documents.len());
            let mut before = 0;
            for document in documents {
                writer.leb128(u64::from(document - before));
                before = *document;
            }
        }
        writer.into_sealed()
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut reader = Reader::new(unseal(bytes)?);
        if reader.u32()? as usize != VERSION {
            return Err(Damaged);
        }
        let looked_ns = i128::from_le_bytes(reader.bytes(16)?.try_into().map_err(|_| Damaged)?);
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
            let segment = String::from_utf8(reader.bytes(length)?.to_vec()).map_err(|_| Damaged)?;
            let mut documents = Vec::new();
            let mut document = 0u32;
            for _ in 0..reader.u32()? {
                let step = u32::try_from(reader.leb128()?).map_err(|_| Damaged)?;
                document = document.checked_add(step).ok_or(Damaged)?;
                documents.push(document);
            }
            members.push((segment, documents));
        }
        Ok(Self { looked_ns, trace, skills, members })
    }
}
