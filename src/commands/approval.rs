//! Consent to a remote skill: who is asked, what is shown, and what an answer covers.
//!
//! Under `always` an answer covers one pin and one digest, under `session` one repository for one session
//! that was named. Where nobody can be asked and nothing covers the skill, it is refused.

use anyhow::Context as _;

use super::{context::Context, failure::MountFailure, online::Online, session::Session};
use crate::{
    fetch::pin::{Pinned, PinnedFile},
    output::{
        self, Output,
        human::{self, Question, QuestionFile},
    },
    route::offers::ApprovalPolicy,
    skill::resource::Kind,
    store::{Entry, ManifestFile, Store, pins::PinRecord, sessions::RepositoryApproval},
};

/// How consent is given in this run.
pub(super) struct Approver<'a> {
    pub(super) context: &'a Context,
    pub(super) online: &'a Online,
    pub(super) store: &'a Store,
    pub(super) session: &'a Session,
    pub(super) yes: bool,
    /// The command that the hint repeats.
    pub(super) command: &'static str,
    pub(super) output: Output,
}

/// What a person is asked about, besides the pin.
pub(super) struct About<'a> {
    pub(super) name: &'a str,
    pub(super) evidence: &'static str,
    /// The version of the same skill that is stored, and its files.
    pub(super) stored: Option<(&'a PinRecord, &'a Entry)>,
}

impl Approver<'_> {
    fn policy(&self) -> ApprovalPolicy {
        ApprovalPolicy::parse(self.context.config.approval_policy())
            .expect("the configuration knows only these words")
    }

    /// Gets consent for a stored skill: what was agreed to once, for exactly these bytes, holds.
    pub(super) fn ask_stored(&self, record: &PinRecord, entry: &Entry) -> anyhow::Result<()> {
        let repository = approval_of(&record.host, &record.repository.to_string(), record.repository_id);
        if self.is_covered(&repository)? || self.store.is_approved(&record.identity, &record.digest)? {
            return Ok(());
        }
        let name = record.name.to_string();
        let place = format!("{}//{}@{}", record.repository, record.path, record.commit);
        self.put(&name, place, || Question {
            name: name.clone(),
            repository: format!("{}/{}", record.host, record.repository),
            renamed_from: record.renamed_from.as_ref().map(ToString::to_string),
            commit: record.commit.to_string(),
            path: record.path.clone(),
            evidence: record.evidence.clone(),
            files: entry.files().iter().map(stored_file).collect(),
            omitted: record.omitted.iter().map(|file| (file.path.clone(), file.code.clone())).collect(),
            changes: None,
            archived: false,
            covers: self.covers(),
        })?;
        self.remember(record)
    }

    /// Asks, where somebody can be asked.
    fn put(&self, name: &str, place: String, question: impl FnOnce() -> Question) -> anyhow::Result<()> {
        let question = question();
        if !self.output.can_ask() {
            let (name, command, facts) = (name.to_owned(), self.command, facts(&question));
            return Err(MountFailure::NotApproved { name, command, place, facts }.into());
        }
        self.output.ask(&human::question(&question));
        if self.answer()? { Ok(()) } else { Err(MountFailure::Declined { name: name.to_owned() }.into()) }
    }

    /// Waits for the answer. The thread that reads it is left behind when a person interrupts: nothing ends
    /// a read from a terminal.
    fn answer(&self) -> anyhow::Result<bool> {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            // When nobody waits any more the command has ended.
            let _unread = sender.send(output::read_answer());
        });
        match self.online.run(receiver) {
            Ok(answer) => Ok(answer.context("the answer cannot be read")??),
            Err(interrupted) => {
                self.output.leave_question();
                Err(interrupted.into())
            }
        }
    }

    /// Gets consent for `pinned`.
    ///
    /// # Errors
    ///
    /// [`MountFailure::Declined`] when a person says no, [`MountFailure::NotApproved`] when there is nobody to ask.
    pub(super) fn ask(&self, pinned: &Pinned, about: &About<'_>) -> anyhow::Result<()> {
        let repository = approval_of(&pinned.host, &pinned.repository.to_string(), pinned.repository_id);
        if self.is_covered(&repository)? {
            return Ok(());
        }
        self.put(about.name, place(pinned), || self.question(pinned, about))
    }

    /// Remembers the consent that was given, once the digest is known.
    pub(super) fn remember(&self, record: &PinRecord) -> anyhow::Result<()> {
        match self.policy() {
            ApprovalPolicy::Session if self.session.is_named => {
                let approval =
                    approval_of(&record.host, &record.repository.to_string(), record.repository_id);
                self.store.update_session(&self.session.name, |session| {
                    if !session.approvals.contains(&approval) {
                        session.approvals.push(approval);
                    }
                })?;
            }
            ApprovalPolicy::Session | ApprovalPolicy::Automatic => {}
            ApprovalPolicy::Always => {
                self.store.approve(&record.identity, &record.digest, self.context.now())?;
            }
        }
        Ok(())
    }

    fn is_covered(&self, repository: &RepositoryApproval) -> anyhow::Result<bool> {
        if self.yes {
            return Ok(true);
        }
        let policy = self.policy();
        let agreed = policy == ApprovalPolicy::Session
            && self.session.is_named
            && self.store.session(&self.session.name)?.value.approvals.iter().any(|known| {
                known.host == repository.host
                    && match (known.repository_id, repository.repository_id) {
                        (Some(known), Some(id)) => known == id,
                        _ => known.repository.eq_ignore_ascii_case(&repository.repository),
                    }
            });
        Ok(policy.admits_unasked(agreed))
    }

    fn question(&self, pinned: &Pinned, about: &About<'_>) -> Question {
        Question {
            name: about.name.to_owned(),
            repository: format!("{}/{}", pinned.host, pinned.repository),
            renamed_from: pinned.renamed_from.as_ref().map(ToString::to_string),
            commit: pinned.commit.to_string(),
            path: pinned.path.clone(),
            evidence: Some(about.evidence.to_owned()),
            files: pinned.files.iter().map(question_file).collect(),
            omitted: pinned.omitted.iter().map(|file| (file.path.clone(), file.code.to_owned())).collect(),
            changes: about.stored.map(|(record, entry)| {
                let commit = record.commit.as_str();
                (format!("version of {}", commit.get(..12).unwrap_or(commit)), changes(pinned, entry))
            }),
            archived: pinned.archived,
            covers: self.covers(),
        }
    }

    /// What a yes covers, in words.
    fn covers(&self) -> String {
        match self.policy() {
            ApprovalPolicy::Session if self.session.is_named => {
                format!("yes covers this repository for session `{}`", self.session.name.as_str())
            }
            ApprovalPolicy::Session => "yes covers this command alone; --session ID covers more".to_owned(),
            ApprovalPolicy::Always | ApprovalPolicy::Automatic => {
                "yes covers exactly these files of this commit".to_owned()
            }
        }
    }
}

fn approval_of(host: &str, repository: &str, id: Option<u64>) -> RepositoryApproval {
    RepositoryApproval { host: host.to_owned(), repository_id: id, repository: repository.to_owned() }
}

/// `owner/repo//path@commit`, which `mount` takes.
pub(super) fn place(pinned: &Pinned) -> String {
    format!("{}//{}@{}", pinned.repository, pinned.path, pinned.commit)
}

/// What a person would have been asked about, for whoever reads the error instead.
fn facts(question: &Question) -> Vec<String> {
    let scripts: Vec<&str> =
        question.files.iter().filter(|file| file.runs).map(|file| file.path.as_str()).collect();
    let scripts = if scripts.is_empty() { "none".to_owned() } else { scripts.join(", ") };
    let mut facts = vec![
        format!("{}//{} at {}", question.repository, question.path, question.commit),
        match question.files.len() {
            1 => format!("1 file; scripts: {scripts}"),
            files => format!("{files} files; scripts: {scripts}"),
        },
    ];
    facts.extend(question.evidence.iter().map(|evidence| format!("evidence: {evidence}")));
    facts
}

fn stored_file(file: &ManifestFile) -> QuestionFile {
    QuestionFile {
        path: file.path.to_string(),
        size: Some(file.size),
        runs: file.executable || Kind::of(&file.path) == Kind::Script,
    }
}

fn question_file(file: &PinnedFile) -> QuestionFile {
    QuestionFile {
        path: file.path.to_string(),
        size: file.size,
        runs: file.executable || Kind::of(&file.path) == Kind::Script,
    }
}

/// What differs from the stored version: `+` new, `-` gone, `~` other content.
fn changes(pinned: &Pinned, stored: &Entry) -> Vec<String> {
    let mut changes = Vec::new();
    for file in &pinned.files {
        match stored.files().iter().find(|old| old.path == file.path) {
            None => changes.push(format!("+ {}", file.path)),
            Some(old) if old.blob != file.blob => changes.push(format!("~ {}", file.path)),
            Some(_) => {}
        }
    }
    for old in stored.files() {
        if !pinned.files.iter().any(|file| file.path == old.path) {
            changes.push(format!("- {}", old.path));
        }
    }
    if changes.is_empty() {
        changes.push("the same files".to_owned());
    }
    changes
}
