//! Bytes of the index: how numbers are written and read, and how a part is sealed with a hash.

use xxhash_rust::xxh3::xxh3_64;

/// That bytes are not what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Damaged;

/// How many bytes a seal has.
pub(super) const SEAL: usize = 8;

/// Bytes in the making.
#[derive(Debug, Default)]
pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// A count; none that the index has comes near the limit, and a larger one would be noticed as damage.
    pub(super) fn u32(&mut self, number: usize) {
        self.raw(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
    }

    pub(super) fn u64(&mut self, number: u64) {
        self.raw(&number.to_le_bytes());
    }

    /// A number in as few groups of seven bits as it needs.
    pub(super) fn leb128(&mut self, mut number: u64) {
        loop {
            let low = number.to_le_bytes()[0] & 0x7f;
            number >>= 7;
            if number == 0 {
                return self.0.push(low);
            }
            self.0.push(low | 0x80);
        }
    }

    /// A part with its seal.
    pub(super) fn sealed(&mut self, bytes: &[u8]) {
        self.raw(bytes);
        self.u64(xxh3_64(bytes));
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// All that was written, with a seal at its end.
    pub(super) fn into_sealed(mut self) -> Vec<u8> {
        let seal = xxh3_64(&self.0);
        self.u64(seal);
        self.0
    }
}

/// What a seal covers, when it holds.
pub(super) fn unseal(bytes: &[u8]) -> Result<&[u8], Damaged> {
    let (content, seal) = bytes.split_at(bytes.len().checked_sub(SEAL).ok_or(Damaged)?);
    if xxh3_64(content).to_le_bytes() == seal { Ok(content) } else { Err(Damaged) }
}

/// Bytes that are read from their beginning.
#[derive(Debug)]
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn bytes(&mut self, length: usize) -> Result<&'a [u8], Damaged> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Damaged> {
        Ok(self.bytes(1)?[0])
    }

    pub(super) fn u32(&mut self) -> Result<u32, Damaged> {
        Ok(u32::from_le_bytes(self.bytes(4)?.try_into().map_err(|_| Damaged)?))
    }

    pub(super) fn u64(&mut self) -> Result<u64, Damaged> {
        Ok(u64::from_le_bytes(self.bytes(8)?.try_into().map_err(|_| Damaged)?))
    }

    pub(super) fn leb128(&mut self) -> Result<u64, Damaged> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in proptest::collection::vec(any::<u64>(), 0..20), shift in 0u32..64) {
            let mut writer = Writer::default();
            for number in &numbers {
                writer.leb128(number >> shift);
                writer.u64(*number);
            }
            writer.u32(numbers.len());
            let bytes = writer.into_sealed();
            let mut reader = Reader::new(unseal(&bytes).unwrap());
            for number in &numbers {
                prop_assert_eq!(reader.leb128(), Ok(number >> shift));
                prop_assert_eq!(reader.u64(), Ok(*number));
            }
            prop_assert_eq!(reader.u32().map(|count| count as usize), Ok(numbers.len()));
            prop_assert!(reader.is_empty());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..30), length in any::<usize>()) {
            let mut reader = Reader::new(&bytes);
            while reader.leb128().is_ok() {}
            prop_assert!(Reader::new(&bytes).bytes(length).is_err() || length <= bytes.len());
            let mut writer = Writer::default();
            writer.sealed(&bytes);
            let sealed = writer.into_bytes();
            prop_assert_eq!(unseal(&sealed), Ok(&bytes[..]));
        }

        #[test]
        fn a_seal_holds_for_nothing_else(bytes in proptest::collection::vec(any::<u8>(), 0..30), at in any::<prop::sample::Index>(), flip in 1u8..) {
            let mut writer = Writer::default();
            writer.raw(&bytes);
            let mut sealed = writer.into_sealed();
            prop_assert_eq!(unseal(&sealed[..sealed.len() - 1]), Err(Damaged));
            let at = at.index(sealed.len());
            sealed[at] ^= flip;
            prop_assert_eq!(unseal(&sealed), Err(Damaged));
        }
    }

    #[test]
    fn what_is_too_long_for_a_number_is_damage() {
        assert_eq!(Reader::new(&[0xff; 11]).leb128(), Err(Damaged));
        assert_eq!(Reader::new(&[0x80]).leb128(), Err(Damaged));
        for short in 0..8 {
            assert_eq!(unseal(&[0; 8][..short]), Err(Damaged));
        }
    }
}
