//! Blobs that an old server wraps in JSON though raw bytes were asked for.
//!
//! The form is GitHub's own: base64 with a newline after every 60 characters, or text as it is. Nothing is
//! forgiven in it, and what comes out is compared with the tree like any other bytes.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Deserialize;

#[derive(Deserialize)]
struct BlobAnswer {
    content: String,
    encoding: String,
}

/// The longest answer that can wrap `size` bytes: escapes in text take up to six characters each.
pub(super) fn longest(size: u64) -> u64 {
    size.saturating_mul(6).saturating_add(64 * 1024)
}

/// The bytes in a JSON answer; `None` when it is not one of that form.
pub(super) fn unwrap(answer: &[u8]) -> Option<Vec<u8>> {
    let answer: BlobAnswer = serde_json::from_slice(answer).ok()?;
    match answer.encoding.as_str() {
        "utf-8" => Some(answer.content.into_bytes()),
        "base64" => {
            let digits: String = answer.content.chars().filter(|character| *character != '\n').collect();
            STANDARD.decode(digits).ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_by_example() {
        for (answer, expected) in [
            (r#"{"sha":"x","size":3,"content":"AP8K\n","encoding":"base64"}"#, Some(&b"\0\xff\n"[..])),
            (r#"{"content":"A\nP\n8K","encoding":"base64"}"#, Some(b"\0\xff\n")),
            (r#"{"content":"","encoding":"base64"}"#, Some(b"")),
            (r#"{"content":"a\u0000\n","encoding":"utf-8"}"#, Some(b"a\0\n")),
            (r#"{"content":"AP8","encoding":"base64"}"#, None),
            (r#"{"content":"AP8K=","encoding":"base64"}"#, None),
            (r#"{"content":"QR==","encoding":"base64"}"#, None),
            (r#"{"content":"AP 8K","encoding":"base64"}"#, None),
            (r#"{"content":"AP8K\r\n","encoding":"base64"}"#, None),
            (r#"{"content":"","encoding":"none"}"#, None),
            (r#"{"content":"AP8K","encoding":"base64"} x"#, None),
            (r#"{"content":"AP8K","content":"AP8K","encoding":"base64"}"#, None),
            (r#"{"message":"Not Found"}"#, None),
        ] {
            assert_eq!(unwrap(answer.as_bytes()).as_deref(), expected, "{answer}");
        }
    }
}
