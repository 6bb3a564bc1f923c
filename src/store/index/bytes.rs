//! Bytes of the index: how numbers are written and read, and how a part is sealed with a hash.

use xxhash_rust::xxh3::xxh3_64;

/// That bytes are not what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Damaged;

const SEAL: usize = 8;

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
