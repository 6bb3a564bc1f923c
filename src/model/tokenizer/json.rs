//! `tokenizer.json`: the file in which the `tokenizers` library keeps a tokenizer.
//!
//! Only what changes the ids of a plain text is read; padding, truncation, added tokens and post-processing do
//! not. A part that is not known here is an error with its name, because a tokenizer that leaves out a step
//! gives ids that mean something else.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use serde::Deserialize;
use serde_json::Value;

use super::{
    Rules, Tokenizer,
    charsmap::Charsmap,
    kinds::Kind,
    normalize::{Bert, Step},
    split::{Before, Split},
    vocabulary::{Merges, Vocabulary},
};
use crate::model::ModelError;

/// The most words of a vocabulary.
const MAX_WORDS: usize = 2_000_000;

#[derive(Deserialize)]
struct File {
    normalizer: Option<Value>,
    pre_tokenizer: Option<Value>,
    model: Value,
}

pub(super) fn parse(text: &str) -> Result<Tokenizer, ModelError> {
    let file: File = serde_json::from_str(text).map_err(|error| wrong(&error))?;
    let mut charsmap = None;
    let mut steps = Vec::new();
    for part in sequence(file.normalizer, "normalizers") {
        steps.push(step(&part, &mut charsmap)?);
    }
    let mut splits = Vec::new();
    for part in sequence(file.pre_tokenizer, "pretokenizers") {
        splits.extend(ways(&part)?);
    }
    let (kind, vocabulary, merges) = model(file.model)?;
    Ok(Tokenizer { rules: Rules { steps, splits, kind }, vocabulary, merges, charsmap })
}

fn wrong(error: &dyn std::fmt::Display) -> ModelError {
    ModelError::Tokenizer(error.to_string())
}

fn unsupported(part: &'static str, kind: impl Into<String>) -> ModelError {
    ModelError::Unsupported { part, kind: kind.into() }
}

/// The parts of a sequence of sequences, one after the other.
fn sequence(part: Option<Value>, list: &str) -> Vec<Value> {
    let Some(mut part) = part.filter(|part| !part.is_null()) else { return Vec::new() };
    match part.get_mut(list).map(Value::take) {
        Some(Value::Array(parts)) if kind_of(&part) == "Sequence" => {
            parts.into_iter().flat_map(|part| sequence(Some(part), list)).collect()
        }
        _ => vec![part],
    }
}

fn kind_of(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn text_of(part: &Value, field: &str) -> Result<String, ModelError> {
    let text = part.get(field).and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| ModelError::Tokenizer(format!("its `{}` has no `{field}`", kind_of(part))))
}

fn flag(part: &Value, field: &str, default: bool) -> bool {
    part.get(field).and_then(Value::as_bool).unwrap_or(default)
}

fn step(part: &Value, charsmap: &mut Option<Charsmap>) -> Result<Step, ModelError> {
    Ok(match kind_of(part) {
        "NFC" => Step::Nfc,
        "NFD" => Step::Nfd,
        "NFKC" => Step::Nfkc,
        "NFKD" => Step::Nfkd,
        "Lowercase" => Step::Lowercase,
        "StripAccents" => Step::StripAccents,
        "Strip" => {
            Step::Strip { left: flag(part, "strip_left", true), right: flag(part, "strip_right", true) }
        }
        "Prepend" => Step::Prepend(text_of(part, "prepend")?),
        "Replace" => replace(part)?,
        "BertNormalizer" => {
            let lower = flag(part, "lowercase", true);
            Step::Bert(Bert {
                clean: flag(part, "clean_text", true),
                han: flag(part, "handle_chinese_chars", true),
                accents: flag(part, "strip_accents", lower),
                lower,
            })
        }
        "Precompiled" if charsmap.is_none() => {
            let table = text_of(part, "precompiled_charsmap")?;
            *charsmap = Some(Charsmap::parse(&BASE64.decode(table).map_err(|error| wrong(&error))?)?);
            Step::Charsmap
        }
        other => return Err(unsupported("normalizer", other)),
    })
}

/// A text by another, or a run of white space; expressions of any other kind are not run.
fn replace(part: &Value) -> Result<Step, ModelError> {
    let by = text_of(part, "content")?;
    let pattern = part.get("pattern").unwrap_or(&Value::Null);
    if let Some(what) = pattern.get("String").and_then(Value::as_str) {
        return Ok(Step::Replace { what: what.to_owned(), by });
    }
    let expression = pattern.get("Regex").and_then(Value::as_str).unwrap_or_default();
    let (least, only_blanks) = match expression {
        "\\s+" => (1, false),
        " +" => (1, true),
        " {2,}" => (2, true),
        "\\s{2,}" => (2, false),
        other => return Err(unsupported("normalizer", format!("Replace {other}"))),
    };
    Ok(Step::ReplaceSpace { least, only_blanks, by })
}

fn ways(part: &Value) -> Result<Vec<Split>, ModelError> {
    match kind_of(part) {
        "BertPreTokenizer" => Ok(vec![Split::Space, Split::Punctuation]),
        "WhitespaceSplit" => Ok(vec![Split::Space]),
        "Punctuation" if matches!(part.get("behavior").and_then(Value::as_str), None | Some("Isolated")) => {
            Ok(vec![Split::Punctuation])
        }
        "Metaspace" => {
            let mark = text_of(part, "replacement")?;
            let mut characters = mark.chars();
            let (Some(mark), None) = (characters.next(), characters.next()) else {
                return Err(unsupported("pre-tokenizer", "Metaspace with a mark of several characters"));
            };
            let before = match part.get("prepend_scheme").and_then(Value::as_str) {
                Some("always") => Before::Every,
                None if flag(part, "add_prefix_space", true) => Before::Every,
                Some("first") => Before::First,
                Some("never") | None => Before::None,
                Some(other) => return Err(unsupported("pre-tokenizer", format!("Metaspace {other}"))),
            };
            Ok(vec![Split::Metaspace { mark, before, cuts: flag(part, "split", true) }])
        }
        other => Err(unsupported("pre-tokenizer", other)),
    }
}

/// Words with ids; of two that are equal the later counts.
type Words = BTreeMap<String, (u32, f64)>;

fn model(part: Value) -> Result<(Kind, Vocabulary, Merges), ModelError> {
    // Files of the time before kinds were written hold what a kind needs.
    let kind = match kind_of(&part) {
        "" if part.get("merges").is_some() => "BPE",
        "" if part.get("unk_id").is_some() => "Unigram",
        kind => kind,
    };
    match kind {
        "WordPiece" => {
            let file: WordPieceFile = serde_json::from_value(part).map_err(|error| wrong(&error))?;
            let words = numbered(file.vocab)?;
            let unknown = words.get(&file.unk_token).ok_or_else(|| wrong(&"its unknown token is no word"))?.0;
            let kind = Kind::WordPiece {
                unknown,
                prefix: file.continuing_subword_prefix,
                most_chars: file.max_input_chars_per_word,
            };
            Ok((kind, Vocabulary::new(&words), Merges::default()))
        }
        "WordLevel" => {
            let file: WordLevelFile = serde_json::from_value(part).map_err(|error| wrong(&error))?;
            let words = numbered(file.vocab)?;
            let unknown = words.get(&file.unk_token).map(|(id, _)| *id);
            Ok((Kind::WordLevel { unknown }, Vocabulary::new(&words), Merges::default()))
        }
        "BPE" => bpe(serde_json::from_value(part).map_err(|error| wrong(&error))?),
        "Unigram" => unigram(serde_json::from_value(part).map_err(|error| wrong(&error))?),
        other => Err(unsupported("model", other)),
    }
}

#[derive(Deserialize)]
struct WordPieceFile {
    vocab: BTreeMap<String, u32>,
    unk_token: String,
    #[serde(default = "bert_prefix")]
    continuing_subword_prefix: String,
    #[serde(default = "bert_longest")]
    max_input_chars_per_word: usize,
}

fn bert_prefix() -> String {
    "##".to_owned()
}

fn bert_longest() -> usize {
    100
}

#[derive(Deserialize)]
struct WordLevelFile {
    vocab: BTreeMap<String, u32>,
    unk_token: String,
}

#[derive(Deserialize)]
struct BpeFile {
    vocab: BTreeMap<String, u32>,
    merges: Vec<Value>,
    unk_token: Option<String>,
    dropout: Option<f64>,
    continuing_subword_prefix: Option<String>,
    end_of_word_suffix: Option<String>,
    #[serde(default)]
    fuse_unk: bool,
    #[serde(default)]
    byte_fallback: bool,
    #[serde(default)]
    ignore_merges: bool,
}

#[derive(Deserialize)]
struct UnigramFile {
    vocab: Vec<(String, f64)>,
    unk_id: Option<u32>,
    #[serde(default)]
    byte_fallback: bool,
}

fn numbered(vocabulary: BTreeMap<String, u32>) -> Result<Words, ModelError> {
    if vocabulary.is_empty() || vocabulary.len() > MAX_WORDS {
        return Err(wrong(&"its vocabulary is empty or too large"));
    }
    Ok(vocabulary.into_iter().map(|(word, id)| (word, (id, 0.0))).collect())
}

fn bpe(file: BpeFile) -> Result<(Kind, Vocabulary, Merges), ModelError> {
    let is_set = |affix: &Option<String>| affix.as_ref().is_some_and(|affix| !affix.is_empty());
    if is_set(&file.continuing_subword_prefix) || is_set(&file.end_of_word_suffix) {
        return Err(unsupported("model", "BPE with a prefix or suffix"));
    }
    if file.dropout.is_some_and(|dropout| dropout != 0.0) {
        return Err(unsupported("model", "BPE with dropout"));
    }
    let words = numbered(file.vocab)?;
    let id = |word: &str| {
        words.get(word).map(|(id, _)| *id).ok_or_else(|| wrong(&format!("its merge `{word}` is no word")))
    };
    let mut quads = Vec::with_capacity(file.merges.len());
    for (rank, merge) in (0..).zip(&file.merges) {
        let (left, right) = match merge {
            Value::String(pair) => pair.split_once(' '),
            Value::Array(pair) => match &pair[..] {
                [Value::String(left), Value::String(right)] => Some((left.as_str(), right.as_str())),
                _ => None,
            },
            _ => None,
        }
        .ok_or_else(|| wrong(&"one of its merges is no pair"))?;
        quads.push([id(left)?, id(right)?, rank, id(&format!("{left}{right}"))?]);
    }
    let kind = Kind::Bpe {
        unknown: file.unk_token.as_deref().map(id).transpose()?,
        fuses_unknown: file.fuse_unk,
        falls_back: file.byte_fallback,
        takes_whole: file.ignore_merges,
    };
    Ok((kind, Vocabulary::new(&words), Merges::new(quads)))
}

fn unigram(file: UnigramFile) -> Result<(Kind, Vocabulary, Merges), ModelError> {
    if file.vocab.is_empty() || file.vocab.len() > MAX_WORDS {
        return Err(wrong(&"its vocabulary is empty or too large"));
    }
    if file.unk_id.is_some_and(|id| id as usize >= file.vocab.len()) {
        return Err(wrong(&"its unknown token is no word"));
    }
    let lowest = file.vocab.iter().map(|(_, score)| *score).fold(f64::INFINITY, f64::min);
    let words: Words = (0..)
        .zip(file.vocab)
        .filter(|(_, (word, _))| !word.is_empty())
        .map(|(id, (word, score))| (word, (id, score)))
        .collect();
    let kind = Kind::Unigram { unknown: file.unk_id, falls_back: file.byte_fallback, lowest };
    Ok((kind, Vocabulary::new(&words), Merges::default()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn encode(file: &Value, text: &str) -> Vec<u32> {
        Tokenizer::parse(&file.to_string()).unwrap().encode(text)
    }

    #[test]
    fn files_of_each_kind() {
        let bert = json!({
            "normalizer": {"type": "BertNormalizer", "lowercase": true, "strip_accents": null},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "model": {"type": "WordPiece", "unk_token": "[UNK]",
                "vocab": {"[UNK]": 0, "read": 1, "##er": 2, "!": 3, "表": 4, "[": 5, "un": 6, "##k": 7, "]": 8}},
        });
        assert_eq!(encode(&bert, "RÉADER! 表表 xyz"), [1, 2, 3, 4, 4, 0]);
        assert_eq!(encode(&bert, "[UNK]"), [5, 6, 7, 8], "text is never a control token");
        let llama = json!({
            "normalizer": {"type": "Sequence", "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            ]},
            "pre_tokenizer": null,
            "model": {"type": "BPE", "unk_token": "<unk>", "fuse_unk": true, "byte_fallback": true, "dropout": null,
                "vocab": {"<unk>": 0, "▁": 1, "a": 2, "b": 3, "▁a": 4, "▁ab": 5},
                "merges": ["▁ a", ["▁a", "b"]]},
        });
        assert_eq!(encode(&llama, "ab a\u{e9}"), [5, 4, 0]);
        let unigram = json!({
            "normalizer": null,
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                {"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "add_prefix_space": true},
            ]},
            "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["▁", -1.0], ["▁a", -1.5], ["b", -2.0]]},
        });
        assert_eq!(encode(&unigram, "ab  cb"), [2, 3, 1, 0, 3]);
        let words = json!({
            "pre_tokenizer": {"type": "WhitespaceSplit"},
            "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "read": 7}},
        });
        assert_eq!(encode(&words, "read that"), [7, 0]);
        for file in [bert, llama, unigram, words] {
            let tokenizer = Tokenizer::parse(&file.to_string()).unwrap();
            let mut writer = super::super::Writer::default();
            tokenizer.write(&mut writer);
            let bytes = writer.into_bytes();
            assert_eq!(Tokenizer::read(&mut super::super::Reader::new(&bytes)).unwrap(), tokenizer);
        }
    }

    #[test]
    fn what_is_not_run_here_is_named() {
        let with = |field: &str, part: Value| {
            let model = json!({"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0}});
            let mut file = json!({"normalizer": null, "pre_tokenizer": null, "model": model});
            file[field] = part;
            Tokenizer::parse(&file.to_string()).map(|_| ()).map_err(|error| error.to_string())
        };
        let is = |part: &str, kind: &str| {
            Err(format!("the {part} of the tokenizer is `{kind}`, which skillflux cannot run"))
        };
        assert_eq!(with("normalizer", json!({"type": "Nmt"})), is("normalizer", "Nmt"));
        let expression = json!({"type": "Replace", "pattern": {"Regex": "\\d"}, "content": ""});
        assert_eq!(with("normalizer", expression), is("normalizer", "Replace \\d"));
        assert_eq!(with("pre_tokenizer", json!({"type": "ByteLevel"})), is("pre-tokenizer", "ByteLevel"));
        assert_eq!(with("model", json!({"type": "New", "vocab": {}})), is("model", "New"));
        for model in [
            json!({"type": "WordPiece", "unk_token": "no", "vocab": {"a": 0}}),
            json!({"type": "BPE", "vocab": {"a": 0}, "merges": ["a"]}),
            json!({"type": "BPE", "vocab": {"a": 0}, "merges": ["a a"]}),
            json!({"type": "Unigram", "unk_id": 1, "vocab": [["a", 0.0]]}),
            json!({"type": "Unigram", "vocab": []}),
            json!({"type": "WordLevel", "unk_token": "?", "vocab": {}}),
        ] {
            let outcome = with("model", model.clone()).unwrap_err();
            assert!(outcome.starts_with("the tokenizer cannot be used: "), "{model}: {outcome}");
        }
        assert!(Tokenizer::parse("[]").is_err() && Tokenizer::parse("").is_err());
    }
}
