//! `mount` and `unmount` for a person, and the question that is asked before a mount.

use std::fmt::Write;

use super::{TermText, count, line};
use crate::output::{style::Style, wire_remote};

/// The files that a question names at most.
const MOST_FILES: usize = 12;

/// The mounted skills: folder and pin of each.
pub fn mounts(document: &wire_remote::Mounts) -> String {
    let mut text = String::new();
    for mount in &document.mounts {
        for attempt in &mount.failed_attempts {
            let (candidate, error) = (TermText::new(&attempt.candidate), TermText::new(&attempt.error));
            line!(text, "{} {candidate}: {error}", Style::Warning.paint(attempt.outcome));
        }
        line!(text, "{}", TermText::new(&mount.folder));
        let mut about = vec![TermText::new(&mount.name).to_string()];
        about.extend(mount.reference.as_deref().map(|reference| TermText::new(reference).to_string()));
        about.push(format!("{}, {}", count(mount.files, "file"), super::bytes(mount.bytes)));
        about.extend(mount.evidence.clone());
        line!(text, "  {}", Style::Dim.paint(about.join("  ")));
        line!(text, "  {}", Style::Dim.paint(TermText::new(&mount.digest)));
        for omitted in &mount.omitted {
            let path = TermText::new(&omitted.path);
            line!(text, "  {} {path} ({})", Style::Warning.paint("left out:"), omitted.code);
        }
    }
    text
}

/// The unmounted skills.
pub fn unmounts(document: &wire_remote::Unmounts) -> String {
    let mut text = String::new();
    if document.unmounted.is_empty() {
        line!(text, "nothing is mounted for `{}`", TermText::new(&document.session));
    }
    for skill in &document.unmounted {
        let word = match (skill.removed, skill.kept.is_empty()) {
            (false, _) => "released, and left for another session:",
            (true, true) => "removed",
            (true, false) => "emptied",
        };
        line!(text, "{word} {}", TermText::new(&skill.folder));
        for kept in &skill.kept {
            line!(
                text,
                "  {} {}",
                Style::Warning.paint("kept, because it was changed or added:"),
                TermText::new(kept)
            );
        }
    }
    text
}

/// What a person is asked to agree to.
#[derive(Debug)]
pub struct Question {
    /// The skill's name.
    pub name: String,
    /// The host and the repository.
    pub repository: String,
    /// The name that the repository was asked by, when that was an older one.
    pub renamed_from: Option<String>,
    /// The commit.
    pub commit: String,
    /// The skill's folder.
    pub path: String,
    /// What is known of its origin.
    pub evidence: Option<String>,
    /// Its files: path, bytes where known, and whether it can be run.
    pub files: Vec<QuestionFile>,
    /// Files that `--allow` leaves out, with their codes.
    pub omitted: Vec<(String, String)>,
    /// What differs from the version that the store has: the version, and paths with `+`, `-` or `~`.
    pub changes: Option<(String, Vec<String>)>,
    /// Whether the repository is read-only for good.
    pub archived: bool,
    /// What the answer covers.
    pub covers: String,
}

/// A file of a question.
#[derive(Debug, Clone)]
pub struct QuestionFile {
    /// Its path.
    pub path: String,
    /// Its bytes.
    pub size: Option<u64>,
    /// Whether it is a script, or marked executable.
    pub runs: bool,
}

/// The question, without a line feed at its end.
pub fn question(question: &Question) -> String {
    let mut text = String::new();
    let name = Style::Name.paint(TermText::new(&question.name));
    line!(text, "mount {name}?");
    let mut field = |label: &str, value: &str| {
        line!(text, "  {} {}", Style::Dim.paint(format!("{label:<11}")), TermText::with_width(value, 500));
    };
    field("repository", &question.repository);
    if let Some(old) = &question.renamed_from {
        field("renamed", &format!("it was called {old}"));
    }
    if question.archived {
        field("archived", "its owner no longer maintains it");
    }
    field("commit", &question.commit);
    field("folder", if question.path.is_empty() { "the whole repository" } else { &question.path });
    if let Some(evidence) = &question.evidence {
        field("evidence", evidence);
    }
    let known: Option<u64> = question.files.iter().map(|file| file.size).sum();
    let bytes = known.map_or_else(String::new, |bytes| format!(", {}", super::bytes(bytes)));
    field("files", &format!("{}{bytes}", count(question.files.len(), "file")));
    let scripts: Vec<&QuestionFile> = question.files.iter().filter(|file| file.runs).collect();
    files(&mut text, question, &scripts);
    if let Some((version, changes)) = &question.changes {
        line!(text, "  {} {}", Style::Dim.paint("against the stored"), TermText::new(version));
        for change in changes.iter().take(MOST_FILES) {
            line!(text, "    {}", TermText::new(change));
        }
        more(&mut text, changes.len());
    }
    line!(text, "  {}", Style::Dim.paint(TermText::new(&question.covers)));
    let _infallible = write!(text, "{} ", Style::Hint.paint("mount it? [y/N]"));
    text
}

fn files(text: &mut String, question: &Question, scripts: &[&QuestionFile]) {
    for file in question.files.iter().filter(|file| !file.runs).take(MOST_FILES) {
        line!(text, "    {}", TermText::new(&file.path));
    }
    more(text, question.files.len() - scripts.len());
    if scripts.is_empty() {
        line!(text, "  {} none", Style::Dim.paint("scripts    "));
    } else {
        let number = count(scripts.len(), "script");
        line!(text, "  {} {number}; none is run by skillflux", Style::Warning.paint("scripts    "));
    }
    for file in scripts.iter().take(MOST_FILES) {
        line!(text, "    {}", TermText::new(&file.path));
    }
    more(text, scripts.len());
    for (path, code) in &question.omitted {
        line!(text, "    {} {} ({code})", Style::Warning.paint("left out:"), TermText::new(path));
    }
}

fn more(text: &mut String, number: usize) {
    if number > MOST_FILES {
        line!(text, "    {}", Style::Dim.paint(format!("and {} more", number - MOST_FILES)));
    }
}
