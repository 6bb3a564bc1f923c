//! The header of a safetensors file: which tensors it holds, of which numbers, and where.
//!
//! A file is the length of the header (eight bytes, little-endian), the header (one JSON object) and the
//! numbers. Offsets count from the end of the header; a header whose tensors overlap its file is refused, and
//! one of more than a mebibyte too. The numbers themselves are not read here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ModelError;

/// The bytes before the header.
pub const PREFIX: usize = 8;
/// The longest header that is read.
const MAX_HEADER: u64 = 1024 * 1024;

/// A kind of number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Number {
    /// IEEE double.
    F64,
    /// IEEE single.
    F32,
    /// IEEE half.
    F16,
    /// The upper half of a single.
    BF16,
    /// A signed byte.
    I8,
    /// A signed word of 4 bytes.
    I32,
    /// A signed word of 8 bytes.
    I64,
}

impl Number {
    /// The bytes of one.
    pub fn width(self) -> usize {
        match self {
            Self::I8 => 1,
            Self::F16 | Self::BF16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::F64 | Self::I64 => 8,
        }
    }

    /// The numbers that little-endian bytes stand for; what is left over is ignored.
    #[expect(clippy::cast_precision_loss, reason = "rows of a table are counted far below 2^53")]
    pub fn read(self, bytes: &[u8]) -> Vec<f64> {
        let of = |chunk: &[u8]| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let [a, b, c, d, ..] = word;
            match self {
                Self::F64 => f64::from_le_bytes(word),
                Self::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
                Self::F16 => half(u16::from_le_bytes([a, b])),
                Self::BF16 => f64::from(f32::from_le_bytes([0, 0, a, b])),
                Self::I8 => f64::from(i8::from_le_bytes([a])),
                Self::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
                Self::I64 => i64::from_le_bytes(word) as f64,
            }
        };
        bytes.chunks_exact(self.width()).map(of).collect()
    }
}

/// An IEEE half: a sign, five bits of exponent, ten of fraction.
fn half(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff) / 1024.0;
    let size = match bits >> 10 & 0x1f {
        0 => fraction * 2.0_f64.powi(-14),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        exponent => (1.0 + fraction) * 2.0_f64.powi(i32::from(exponent) - 15),
    };
    if bits >> 15 == 0 { size } else { -size }
}

/// One tensor of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// Its name.
    pub name: String,
    /// Its numbers.
    pub number: Number,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Where it begins in the file, in bytes.
    pub start: u64,
    /// How many bytes it has.
    pub length: u64,
}

#[derive(Deserialize)]
struct Described {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [u64; 2],
}

/// The length of the header that follows these bytes.
///
/// # Errors
///
/// [`ModelError::Tensors`] when it is none, or longer than the file of `file_length` bytes or the bound.
pub fn header_length(prefix: [u8; PREFIX], file_length: u64) -> Result<usize, ModelError> {
    let length = u64::from_le_bytes(prefix);
    let most = MAX_HEADER.min(file_length.saturating_sub(PREFIX as u64));
    if !(2..=most).contains(&length) {
        return Err(ModelError::Tensors("its header has no possible length".to_owned()));
    }
    usize::try_from(length).map_err(|_| ModelError::Tensors("its header is too long".to_owned()))
}

/// The tensors of the file with this header, by name. Those of numbers that no model here is made of are left out.
///
/// # Errors
///
/// [`ModelError::Tensors`] when the header is no JSON of this form, or a tensor does not lie in the file.
pub fn tensors(header: &[u8], file_length: u64) -> Result<Vec<Tensor>, ModelError> {
    let wrong = |reason: String| ModelError::Tensors(reason);
    let described: BTreeMap<String, serde_json::Value> =
        serde_json::from_slice(header).map_err(|error| wrong(error.to_string()))?;
    let data_start = (PREFIX + header.len()) as u64;
    let mut tensors = Vec::new();
    for (name, value) in described {
        if name == "__metadata__" {
            continue;
        }
        let Described { dtype, shape, data_offsets: [start, end] } =
            serde_json::from_value(value).map_err(|error| wrong(format!("tensor `{name}`: {error}")))?;
        let Some(number) = number(&dtype) else { continue };
        let count = shape.iter().try_fold(1_u64, |count, part| count.checked_mul(*part as u64));
        let length = count.and_then(|count| count.checked_mul(number.width() as u64));
        let lies_in_file = start <= end && data_start.checked_add(end).is_some_and(|end| end <= file_length);
        if !lies_in_file || length != Some(end - start) {
            return Err(wrong(format!("tensor `{name}` does not lie in it")));
        }
        tensors.push(Tensor { name, number, shape, start: data_start + start, length: end - start });
    }
    Ok(tensors)
}

fn number(word: &str) -> Option<Number> {
    Some(match word {
        "F64" => Number::F64,
        "F32" => Number::F32,
        "F16" => Number::F16,
        "BF16" => Number::BF16,
        "I8" => Number::I8,
        "I32" => Number::I32,
        "I64" => Number::I64,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_kind() {
        for (number, bytes, expected) in [
            (Number::F64, &1.5_f64.to_le_bytes()[..], vec![1.5]),
            (Number::F32, &(-2.25_f32).to_le_bytes()[..], vec![-2.25]),
            (Number::BF16, &[0xc0, 0x3f, 0x20, 0xc1], vec![1.5, -10.0]),
            (Number::I8, &[1, 0xff, 0x80], vec![1.0, -1.0, -128.0]),
            (Number::I32, &(-7_i32).to_le_bytes()[..], vec![-7.0]),
            (Number::I64, &276_326_i64.to_le_bytes()[..], vec![276_326.0]),
            // 1, -2, the least normal, the least of all, the largest, 0.333251953125.
            (
                Number::F16,
                &[0, 0x3c, 0, 0xc0, 0, 4, 1, 0, 0xff, 0x7b, 0x55, 0x35],
                vec![1.0, -2.0, 2.0_f64.powi(-14), 2.0_f64.powi(-24), 65504.0, 0.333_251_953_125],
            ),
        ] {
            assert_eq!(number.read(bytes), expected, "{number:?}");
        }
        assert!(
            Number::F16.read(&[1, 0x7c])[0].is_nan() && Number::F16.read(&[0, 0xfc])[0] == f64::NEG_INFINITY
        );
        assert_eq!(Number::F32.read(&[0; 7]).len(), 1);
    }

    #[test]
    fn headers_by_example() {
        let header = br#"{"__metadata__":{"by":"x"},"b":{"dtype":"F16","shape":[2,3],"data_offsets":[4,16]},
            "a":{"dtype":"U4","shape":[1],"data_offsets":[0,1]}}"#;
        let start = (PREFIX + header.len()) as u64;
        let found = tensors(header, start + 16).unwrap();
        let expected = Tensor {
            name: "b".to_owned(),
            number: Number::F16,
            shape: vec![2, 3],
            start: start + 4,
            length: 12,
        };
        assert_eq!(found, [expected]);
        for (header, file_length) in [
            ("[]", 100),
            (r#"{"b":{"dtype":"F16","shape":[2,3],"data_offsets":[4,16]}}"#, 20),
            (r#"{"b":{"dtype":"F16","shape":[2,3],"data_offsets":[4,15]}}"#, 1000),
            (r#"{"b":{"dtype":"F16","shape":[2,3],"data_offsets":[16,4]}}"#, 1000),
            (r#"{"b":{"dtype":"F16","shape":[18446744073709551615,3],"data_offsets":[0,4]}}"#, 1000),
            (
                r#"{"b":{"dtype":"F16","shape":[1],"data_offsets":[18446744073709551613,18446744073709551615]}}"#,
                1000,
            ),
            (r#"{"b":{"dtype":"F16"}}"#, 1000),
        ] {
            assert!(tensors(header.as_bytes(), file_length).is_err(), "{header}");
        }
        assert_eq!(header_length(88_u64.to_le_bytes(), 1000).unwrap(), 88);
        for length in [0, 1, 993, MAX_HEADER + 1, u64::MAX] {
            assert!(header_length(length.to_le_bytes(), 1000).is_err(), "{length}");
        }
    }
}
