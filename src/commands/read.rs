//! `read`: one file of a skill, as it is or with its provenance.
//!
//! The JSON answer is at most 64 KiB with all its escapes; a longer file is cut on a code point, or
//! on a whole group of base64, and says so. A script is text like any other and is never run.

use std::process::ExitCode;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;

use super::{context::Context, failure::Failure, opened, recording, wire_skill};
use crate::{
    candidate::usage::UsageEvent,
    cli::{GlobalArgs, ReadArgs},
    config::nearest,
    output::{Output, json, wire},
    skill::{id::percent_decode, path::SkillPath, resource, tree},
    source::{
        folder::{Note, Reason, Snapshot},
        local::{Discovery, Home, LocalSkill},
    },
};

/// How many files of a folder are named when the folder was asked for.
const MOST_SIMILAR: usize = 20;
/// The most bytes of a JSON answer.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// Prints the file.
pub(super) fn run(args: &ReadArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    // Skills write links to their own files with a leading `./`.
    let mut path = SkillPath::parse(args.path.trim_start_matches("./").trim_end_matches('/'))
        .map_err(|source| Failure::BadPath { path: args.path.clone(), source })?;
    let context = Context::load(global, output, &[])?;
    let (discovery, index, mut snapshot) =
        opened::find_intact(&context, global, output, &args.skill, |_| Ok(path.clone()))?;
    let skill = &discovery.skills[index];
    // `load` writes what could not stand in a prompt as percent codes, and percent signs too then.
    if let Some(decoded) = percent_decode(path.as_str()).and_then(|text| SkillPath::parse(&text).ok())
        && decoded != path
    {
        let found = opened::snapshot(&context, skill, &decoded)?;
        if found.content.is_some() {
            (path, snapshot) = (decoded, found);
        }
    }
    print(args, global, output, &Found { discovery: &discovery, skill, snapshot: &snapshot, path: &path })?;
    recording::record(&context, &recording::subject(&context, &discovery, skill), UsageEvent::Read);
    Ok(ExitCode::SUCCESS)
}

/// The file that is to be printed.
struct Found<'a> {
    discovery: &'a Discovery,
    skill: &'a LocalSkill,
    snapshot: &'a Snapshot,
    path: &'a SkillPath,
}

fn print(args: &ReadArgs, global: &GlobalArgs, output: Output, found: &Found<'_>) -> anyhow::Result<()> {
    let Found { discovery, skill, snapshot, path } = found;
    let (Some(content), Some(file)) = (
        &snapshot.content,
        snapshot.files.iter().find(|file| Some(&file.path) == snapshot.content_path.as_ref()),
    ) else {
        return Err(missing(&args.skill, path, snapshot).into());
    };
    let text = resource::as_text(content);
    if !global.json {
        match text {
            Some(text) => output.document(text)?,
            None if output.is_terminal() => {
                let (reference, path) = (args.skill.clone(), args.path.clone());
                return Err(Failure::BinaryOnTerminal { reference, path }.into());
            }
            None => output.data(content)?,
        }
        return Ok(());
    }
    let mut document = wire::Read {
        schema: "skillflux.read/1",
        id: resource_id(skill, path),
        name: skill.slug().to_string(),
        version: skill.frontmatter.version().map(str::to_owned),
        provenance: wire_skill::provenance(skill, discovery),
        digest: format!("sha256:{}", snapshot.digest),
        path: path.to_string(),
        sha256: wire_skill::hex(&file.sha256),
        size: file.size,
        mime_type: resource::mime_type(path, text.is_some()),
        encoding: if text.is_some() { "text" } else { "base64" },
        truncated: false,
        content: String::new(),
    };
    // `false` is a byte longer than `true`, so that the room found here holds for either.
    let room = MAX_ANSWER_BYTES.saturating_sub(json::render(&document)?.len());
    (document.content, document.truncated) = match text {
        Some(text) => cut_text(text, room),
        None => encode_base64(content, room),
    };
    output.json(&document)?;
    Ok(())
}

/// Why there is no file at the path: it was left out, or there is none.
fn missing(reference: &str, path: &SkillPath, snapshot: &Snapshot) -> Failure {
    let note = snapshot.notes.iter().find(|note| note.path.to_str() == Some(path.as_str()));
    let path = path.to_string();
    if let Some(Note { reason: Reason::Link, .. }) = note {
        return Failure::LinkedFile { path };
    }
    let files = || snapshot.files.iter().map(|file| file.path.as_str());
    let below = format!("{}/", path.trim_end_matches('/'));
    let mut similar: Vec<String> =
        files().filter(|file| file.starts_with(&below)).take(MOST_SIMILAR).map(str::to_owned).collect();
    if similar.is_empty() {
        similar.extend(nearest(&path, files()));
    }
    Failure::UnknownFile { reference: reference.to_owned(), path, similar }
}

/// The longest beginning of `text` whose escaped form has at most `room` bytes, and whether it is cut.
fn cut_text(text: &str, room: usize) -> (String, bool) {
    let mut used = 0;
    for (start, character) in text.char_indices() {
        used += json::escaped_len(character);
        if used > room {
            return (text[..start].to_owned(), true);
        }
    }
    (text.to_owned(), false)
}

/// The base64 of the longest beginning of `content` that fits into `room`, and whether it is cut.
fn encode_base64(content: &[u8], room: usize) -> (String, bool) {
    let kept = content.get(..(room / 4).saturating_mul(3)).unwrap_or(content);
    (STANDARD.encode(kept), kept.len() < content.len())
}

/// 24 hexadecimal digits that stay the same over versions of the skill.
fn resource_id(skill: &LocalSkill, path: &SkillPath) -> String {
    let place = match &skill.home {
        Home::Folder { folder, .. } => folder.display().to_string(),
        Home::Bundled(bundled) => bundled.location(),
    };
    let identity = json!([skill.origin().as_str(), place, skill.slug().as_str(), path.as_str()]);
    wire_skill::hex(&tree::content_sha256(identity.to_string().as_bytes()))[..24].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_cut_on_whole_groups() {
        assert_eq!(encode_base64(b"foobar", 8), ("Zm9vYmFy".to_owned(), false));
        assert_eq!(encode_base64(b"foobar", 7), ("Zm9v".to_owned(), true));
        assert_eq!(encode_base64(b"f", 4), ("Zg==".to_owned(), false));
        assert_eq!(encode_base64(b"f", 3), (String::new(), true));
    }

    #[test]
    fn text_is_cut_on_a_code_point_and_counts_its_escapes() {
        assert_eq!(cut_text("aé", 2), ("a".to_owned(), true));
        assert_eq!(cut_text("aé", 3), ("aé".to_owned(), false));
        assert_eq!(cut_text("\u{1}b", 6), ("\u{1}".to_owned(), true));
    }
}
