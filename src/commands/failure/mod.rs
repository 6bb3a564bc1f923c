//! The one place that maps an error to its kind, exit code and hint.

mod mount;
mod remote;

use std::{io, process::ExitCode};

pub(super) use mount::MountFailure;
pub(super) use remote::{network_hint, network_kind};

use thiserror::Error;

use super::moment;
use crate::{
    config::{ConfigError, Origin},
    error::ErrorKind,
    eval::{
        EvalError,
        retrieval::corpus::CorpusError,
        triggers::file::{ENDINGS, FOLDERS, TriggersError},
    },
    fetch::error::FetchError,
    http::HttpError,
    output::{Output, human::ErrorReport, wire},
    skill::{diagnostic::Diagnostic, id::IdError, path::SkillPathError},
    source::folder::FolderError,
    store::{StoreError, models::ModelsError},
};

/// A failure that a command itself finds.
#[derive(Debug, Error)]
pub(super) enum Failure {
    /// No skill has that name.
    #[error("no skill is named `{name}`")]
    UnknownSkill { name: String, similar: Option<String> },
    /// Several skills have that name.
    #[error("`{name}` names {} skills", .places.len())]
    AmbiguousSkill { name: String, places: Vec<String> },
    /// A skill of which nothing is remembered.
    #[error("no use of `{name}` is remembered")]
    NoUsage { name: String },
    /// A remote skill that is not stored.
    #[error("`{reference}` is not on this machine")]
    NotLocal { reference: String },
    /// A folder without a readable skill.
    #[error("`{place}`{} is no skill: {}", position(.diagnostic), .diagnostic.label())]
    NotASkill { place: String, diagnostic: Diagnostic },
    /// A folder without a `SKILL.md`.
    #[error("`{place}` holds no SKILL.md")]
    NoSkillFile { place: String },
    /// A path that leads to no folder.
    #[error("`{place}` is no folder")]
    NoSuchFolder { place: String },
    /// A path that a skill does not have.
    #[error("`{reference}` has no file `{path}`")]
    UnknownFile { reference: String, path: String, similar: Vec<String> },
    /// A path that is a link.
    #[error("`{path}` is a link, and links are no part of a skill")]
    LinkedFile { path: String },
    /// A path that cannot be one inside a skill.
    #[error("`{path}` is not a path inside a skill")]
    BadPath { path: String, source: SkillPathError },
    /// A file that is no text, and a terminal to print it on.
    #[error("`{path}` is binary and standard output is a terminal")]
    BinaryOnTerminal { reference: String, path: String },
    /// No agent has that id.
    #[error("no agent has the id `{id}`")]
    UnknownAgent { id: String, similar: Option<String>, known: String },
    /// No command has that name.
    #[error("no command is named `{command}`")]
    UnknownCommand { command: String },
    /// The shell cannot ask skillflux for completions.
    #[error("completions of {shell} are static only")]
    NoDynamicCompletions { shell: &'static str },
    /// The task is longer than the limit.
    #[error("the task is longer than {limit} bytes")]
    TaskTooLong { limit: u64 },
    /// The task is not UTF-8.
    #[error("the task is not UTF-8 text")]
    TaskEncoding,
    /// A name that no model can have.
    #[error("`{name}` cannot name a model")]
    BadModelName { name: String },
    /// A corpus folder without a corpus.
    #[error("`{folder}` holds no {}", .files.join(" and no "))]
    NoCorpus { folder: String, files: Vec<&'static str> },
    /// A pipe, a folder or a device by the name of a corpus file.
    #[error("`{file}` is not a regular file")]
    CorpusNotAFile { file: String },
    /// A corpus file that is not UTF-8.
    #[error("`{file}` is not UTF-8 text")]
    CorpusEncoding { file: String },
    /// A corpus file beyond the bound.
    #[error("`{file}` is larger than {limit} bytes")]
    CorpusTooLarge { file: String, limit: u64 },
    /// Skills and no prompts.
    #[error("there are no prompts to measure with")]
    NoPrompts,
    /// A skill without a trigger file.
    #[error("`{folder}` has no trigger file")]
    NoTriggerFile { folder: String },
    /// Trigger files of which no prompt can be tried.
    #[error("no prompt of {} can be tried", .files.join(" and "))]
    NoTriggers { files: Vec<String> },
    /// A skill that no catalog has.
    #[error("`{name}` fires for no prompt: its header keeps it from models")]
    NotForModels { name: String },
    /// A file that is no recorded run.
    #[error("`{file}` is not a run that was recorded with --json")]
    NotARun { file: String, source: serde_json::Error },
    /// A file that is no table of weights.
    #[error("`{file}` is not a table of weights")]
    NotWeights { file: String },
    /// Likeness of meaning for an order that has no place for it.
    #[error(
        "`--blend` moves the order that `--mode fulltext` makes of the best candidates, and there is none"
    )]
    NothingToBlend,
}

/// Prints `error` and returns its exit code.
pub(super) fn report(error: &anyhow::Error, output: Output, as_json: bool) -> ExitCode {
    let (report, kind) = describe(error);
    let (code, failed_check) = (kind.exit_code(), code_of(error));
    print(report, failed_check, code, output, as_json)
}

/// Prints that the command line is wrong, and returns the exit code.
pub(super) fn usage(message: &str, command: &str, output: Output, as_json: bool) -> ExitCode {
    let mut paragraphs = message.trim_end().split("\n\n");
    let first = paragraphs.next().unwrap_or_default();
    let mut lines = first.strip_prefix("error: ").unwrap_or(first).lines();
    let error = lines.next().unwrap_or_default().to_owned();
    let rest = paragraphs.flat_map(str::lines).filter(|line| !line.starts_with("For more information"));
    let details =
        lines.chain(rest).map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
    let topic = if command.is_empty() { String::new() } else { format!(" {command}") };
    let hint = Some(format!("run `skillflux help{topic}` for what it takes, with examples"));
    let report = ErrorReport { error, causes: Vec::new(), details, hint };
    print(report, None, ErrorKind::Usage.exit_code(), output, as_json)
}

/// An error as one of several failures of a command.
pub(super) fn describe(error: &anyhow::Error) -> (ErrorReport, ErrorKind) {
    let (kind, hint) = classify(error);
    let causes = error.chain().skip(1).map(ToString::to_string).collect();
    (ErrorReport { error: error.to_string(), causes, details: details(error), hint }, kind)
}

/// The code of the check that failed, where checks have codes.
pub(super) fn code_of(error: &anyhow::Error) -> Option<String> {
    let code = |cause: &(dyn std::error::Error + 'static)| {
        let fetch = cause.downcast_ref::<FetchError>().map(FetchError::code);
        fetch.or_else(|| cause.downcast_ref::<HttpError>().map(HttpError::code))
    };
    error.chain().find_map(code).map(str::to_owned)
}

/// What an error is about, one by one.
fn details(error: &anyhow::Error) -> Vec<String> {
    match error.downcast_ref::<MountFailure>() {
        Some(MountFailure::ChangedView { kept, .. }) => return kept.clone(),
        Some(MountFailure::NotApproved { facts, .. }) => return facts.clone(),
        _ => {}
    }
    match error.downcast_ref::<Failure>() {
        Some(Failure::AmbiguousSkill { places, .. }) => places.clone(),
        Some(Failure::UnknownAgent { known, .. }) => vec![known.clone()],
        Some(Failure::UnknownFile { similar, .. }) => similar.clone(),
        Some(Failure::NoTriggerFile { .. }) => trigger_files(),
        _ => error.downcast_ref::<FetchError>().map_or_else(Vec::new, remote::fetch_details),
    }
}

/// What to do where there is no trigger file.
const WRITE_TRIGGERS: &str = "write evals/trigger-eval.json as [{\"query\": \"...\", \"should_trigger\": true}], or name a \
    file with --file";

/// Where trigger files are looked for, and by which names.
fn trigger_files() -> Vec<String> {
    let names = "trigger-eval, trigger-evals, triggers, trigger-cases, trigger-queries, eval_queries, evals";
    vec![
        format!("looked for, in it and in {}: {names}, and the like", FOLDERS[..3].join(", ")),
        format!("with one of the endings {}", ENDINGS.join(", ")),
    ]
}

fn print(
    report: ErrorReport,
    check: Option<String>,
    exit_code: u8,
    output: Output,
    as_json: bool,
) -> ExitCode {
    output.error(&report);
    if as_json {
        let ErrorReport { error, causes, details, hint } = report;
        let document =
            wire::Error { schema: "skillflux.error/1", error, code: check, causes, details, hint, exit_code };
        // When standard output is gone too, standard error has said what happened.
        let _closed = output.json(&document);
    }
    ExitCode::from(exit_code)
}

/// Where in a file a diagnostic points, as it is added to the file's path.
fn position(diagnostic: &Diagnostic) -> String {
    match (diagnostic.line, diagnostic.column) {
        (0, _) => String::new(),
        (line, column) => format!(" line {line}, column {column}"),
    }
}

/// `text` as one word of a shell's command line.
fn quoted(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./:@~+".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

fn classify(error: &anyhow::Error) -> (ErrorKind, Option<String>) {
    for cause in error.chain() {
        if let Some(failure) = cause.downcast_ref::<MountFailure>() {
            return failure.classify();
        }
        if let Some(failure) = cause.downcast_ref::<Failure>() {
            return classify_failure(failure);
        }
        if let Some(config) = cause.downcast_ref::<ConfigError>() {
            return classify_config(config);
        }
        if let Some(folder) = cause.downcast_ref::<FolderError>() {
            return classify_folder(folder);
        }
        if let Some(fetch) = cause.downcast_ref::<FetchError>() {
            return remote::classify_fetch(fetch);
        }
        if let Some(http) = cause.downcast_ref::<HttpError>() {
            return remote::classify_http(http);
        }
        if let Some(models) = cause.downcast_ref::<ModelsError>() {
            return remote::classify_models(models);
        }
        if let Some(store) = cause.downcast_ref::<StoreError>() {
            return remote::classify_store(store);
        }
        if cause.is::<EvalError>() || cause.is::<CorpusError>() || cause.is::<TriggersError>() {
            return (
                ErrorKind::Usage,
                Some("the format is described in eval/README.md of the source".to_owned()),
            );
        }
        if cause.is::<IdError>() {
            let hint = "name a skill as `skillflux list` prints it, or give its folder as ./FOLDER";
            return (ErrorKind::Usage, Some(hint.to_owned()));
        }
        if let Some(io) = cause.downcast_ref::<io::Error>() {
            return (ErrorKind::LocalIo, io_hint(io));
        }
    }
    (ErrorKind::Internal, Some("this is a defect in skillflux; please report it with the command".to_owned()))
}

/// What helps against an error of the machine; nothing where only its own words do.
fn io_hint(error: &io::Error) -> Option<String> {
    let hint = match error.kind() {
        io::ErrorKind::PermissionDenied => "give yourself access: ls -ld on the path shows who has it",
        io::ErrorKind::StorageFull => "free some space: df -h shows where",
        io::ErrorKind::QuotaExceeded => "free some space: quota -s shows your share",
        io::ErrorKind::ReadOnlyFilesystem => "choose a place that can be written: SKILLFLUX_HOME names one",
        io::ErrorKind::NotFound => "check the path",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// What helps whoever names a skill or folder that is not there.
const EVERY_SKILL: &str = "run `skillflux list` for every skill on this machine";

fn classify_failure(failure: &Failure) -> (ErrorKind, Option<String>) {
    let similar = |similar: &Option<String>, otherwise: &str| match similar {
        Some(similar) => format!("did you mean `{similar}`? {otherwise}"),
        None => otherwise.to_owned(),
    };
    let (kind, hint) = match failure {
        Failure::UnknownSkill { similar: name, .. } => (ErrorKind::NotFound, similar(name, EVERY_SKILL)),
        Failure::AmbiguousSkill { .. } => {
            (ErrorKind::NotFound, "give one of these paths instead of the name".to_owned())
        }
        Failure::NoUsage { .. } => {
            (ErrorKind::NotFound, "run `skillflux usage --all` for every skill that was used".to_owned())
        }
        Failure::NotLocal { reference } => {
            (ErrorKind::NotFound, format!("fetch it: skillflux mount {}", quoted(reference)))
        }
        Failure::NoSuchFolder { .. } => (ErrorKind::NotFound, EVERY_SKILL.to_owned()),
        Failure::NotASkill { diagnostic, .. } => (ErrorKind::NotFound, diagnostic.code.remedy().to_owned()),
        Failure::NoSkillFile { .. } => {
            (ErrorKind::NotFound, "a skill is a folder with a file named SKILL.md".to_owned())
        }
        Failure::UnknownFile { reference, .. } => {
            (ErrorKind::NotFound, format!("run `skillflux show {}` for its files", quoted(reference)))
        }
        Failure::LinkedFile { .. } => {
            (ErrorKind::Refused, "copy the file into the skill's folder in place of the link".to_owned())
        }
        Failure::BadPath { .. } => (
            ErrorKind::Usage,
            "paths are relative to the skill's folder, with `/` between folders".to_owned(),
        ),
        Failure::BinaryOnTerminal { reference, path } => {
            let command = format!("skillflux read {} {}", quoted(reference), quoted(path));
            (ErrorKind::Refused, format!("send it to a file: {command} > FILE"))
        }
        Failure::UnknownAgent { similar: id, .. } => {
            (ErrorKind::Usage, similar(id, "every id is in the list above"))
        }
        Failure::UnknownCommand { .. } => {
            (ErrorKind::Usage, "run `skillflux help` for every command".to_owned())
        }
        Failure::NoDynamicCompletions { .. } => (ErrorKind::Usage, "leave out --dynamic".to_owned()),
        Failure::TaskTooLong { .. } => {
            (ErrorKind::Usage, "pass the part of the prompt that says what is wanted".to_owned())
        }
        Failure::TaskEncoding => (ErrorKind::Usage, "convert the prompt to UTF-8 first".to_owned()),
        Failure::CorpusNotAFile { .. } => {
            (ErrorKind::Refused, "put the cases into a file of their own".to_owned())
        }
        Failure::BadModelName { .. } => {
            (ErrorKind::Usage, "take lower-case letters, digits and single hyphens".to_owned())
        }
        Failure::CorpusEncoding { .. } => {
            (ErrorKind::Usage, "the format is described in eval/README.md of the source".to_owned())
        }
        Failure::CorpusTooLarge { .. } => (ErrorKind::Refused, "split it and run each part".to_owned()),
        Failure::NoPrompts => (ErrorKind::Usage, "give --queries, --searches or --negatives".to_owned()),
        Failure::NoTriggerFile { .. } => (ErrorKind::NotFound, WRITE_TRIGGERS.to_owned()),
        Failure::NoTriggers { .. } => {
            (ErrorKind::Usage, "give each prompt a `should_trigger` that is true or false".to_owned())
        }
        Failure::NotForModels { .. } => {
            (ErrorKind::Usage, "take `disable-model-invocation` out of its SKILL.md".to_owned())
        }
        Failure::NotARun { .. } => {
            (ErrorKind::Usage, "record one: skillflux eval retrieval ... --json > run.json".to_owned())
        }
        Failure::NotWeights { .. } => {
            (ErrorKind::Usage, "make one: skillflux eval train ... --out weights.tsv".to_owned())
        }
        Failure::NothingToBlend => {
            (ErrorKind::Usage, "leave out --blend, or --mode and --without rescorer".to_owned())
        }
        Failure::NoCorpus { .. } => {
            (ErrorKind::NotFound, "run `skillflux eval` for the corpora that come with skillflux".to_owned())
        }
    };
    (kind, Some(hint))
}

fn classify_folder(error: &FolderError) -> (ErrorKind, Option<String>) {
    match error {
        FolderError::TooManyFiles { limit, .. } => (
            ErrorKind::Refused,
            Some(format!("raise the limit: skillflux config set maxSkillFiles {}", limit.saturating_mul(2))),
        ),
        FolderError::TooLarge { limit, .. } => (
            ErrorKind::Refused,
            Some(format!("raise the limit: skillflux config set maxSkillBytes {}", limit.saturating_mul(2))),
        ),
        FolderError::Unreadable { diagnostic, .. } => {
            (ErrorKind::LocalIo, Some(diagnostic.code.remedy().to_owned()))
        }
    }
}

fn classify_config(error: &ConfigError) -> (ErrorKind, Option<String>) {
    // These commands work although the settings cannot be loaded.
    let list = "run `skillflux config schema` for every key";
    match error {
        ConfigError::WorkingFolder { source }
        | ConfigError::Read { source, .. }
        | ConfigError::Write { source, .. } => (ErrorKind::LocalIo, io_hint(source)),
        ConfigError::NoHome | ConfigError::NoHomeFor { .. } => {
            (ErrorKind::Usage, Some("set SKILLFLUX_HOME to a folder of your own".to_owned()))
        }
        ConfigError::Missing { .. } | ConfigError::NotAFile { .. } => {
            let hint = "leave out --config, or unset SKILLFLUX_CONFIG, to use the usual file";
            (ErrorKind::Usage, Some(hint.to_owned()))
        }
        ConfigError::NotText { origin } if matches!(**origin, Origin::Environment(_)) => {
            (ErrorKind::Usage, Some("set the variable to UTF-8 text, or unset it".to_owned()))
        }
        ConfigError::TooLarge { .. } | ConfigError::NotText { .. } | ConfigError::Yaml { .. } => {
            let hint = "correct the file by hand; every key stands alone on a line as `key: value`";
            (ErrorKind::Usage, Some(hint.to_owned()))
        }
        ConfigError::LinkedOutside { file } => {
            (ErrorKind::Refused, Some(format!("put a file in place of the link `{}`", file.display())))
        }
        ConfigError::UnknownKey { suggestion, .. } => {
            let hint = match suggestion {
                Some(key) => format!("did you mean `{key}`? {list}"),
                None => list.to_owned(),
            };
            (ErrorKind::Usage, Some(hint))
        }
        ConfigError::Misplaced { key, .. } => {
            (ErrorKind::Usage, Some(format!("put `{key}` below a line `config:`, indented by two spaces")))
        }
        ConfigError::Invalid { key, suggestion, origin, .. } => {
            let place = correction(key, origin.as_deref());
            let hint = match suggestion {
                Some(word) => format!("did you mean `{word}`? {place}"),
                None => place,
            };
            (ErrorKind::Usage, Some(hint))
        }
        ConfigError::Conflict { .. } => {
            (ErrorKind::Usage, Some("take one of the two out: skillflux config unset KEY".to_owned()))
        }
        ConfigError::Widening { .. } => {
            let hint =
                "a project may narrow trust, never widen it; set the key in your own file to allow more";
            (ErrorKind::Refused, Some(hint.to_owned()))
        }
        ConfigError::NotEditable { file, .. } => {
            (ErrorKind::Refused, Some(format!("edit `{}` by hand", file.display())))
        }
    }
}

/// How to correct a value that is not allowed, by the place where it stands.
fn correction(key: &str, origin: Option<&Origin>) -> String {
    match origin {
        Some(Origin::UserFile(..)) => format!("correct it: skillflux config set {key} VALUE"),
        Some(Origin::ProjectFile(file, line)) => format!("correct line {line} of `{}`", file.display()),
        Some(Origin::Environment(variable)) => format!("correct it, or run: unset {variable}"),
        Some(Origin::Flag("maxActiveSkills")) => "correct the value of --max".to_owned(),
        Some(Origin::Flag("remoteSearchLimit")) => "correct the value of --limit".to_owned(),
        Some(Origin::Flag("catalogTokenBudget")) => "correct the value of --budget-tokens".to_owned(),
        Some(Origin::Flag(_) | Origin::Default) | None => {
            format!("`skillflux config get {key}` shows the value in force without it")
        }
    }
}
