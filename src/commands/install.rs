//! From what is wanted to a verified entry of the store: policy, pin, consent, fetch, verification.
//!
//! `mount` and `load` share this. What is stored already is verified and used without asking the network
//! again; what is not is pinned first, so that a person agrees to exactly the files that are then fetched.

use std::{collections::BTreeSet, path::PathBuf};

use super::{
    approval::{About, Approver},
    context::Context,
    failure::MountFailure,
    healing,
    online::Online,
    target::Remote,
};
use crate::{
    candidate::identity::{Identity, RepositoryKey},
    fetch::{
        self, Configured, Transport, Way,
        pin::{Omitted, Pinned, Rules, Wanted},
        stage::{self, Progress, Staged},
    },
    http::{Bucket, Deadline, HttpError},
    output::{Output, wire_remote},
    rank::{
        evidence::EvidenceLevel,
        remote,
        trust::{self, Owner},
    },
    route::offers::{Attempt, Chain},
    store::{
        Entry, StagingFolder, Store, StoreError,
        pins::{OmittedFile, PinRecord},
    },
};

/// What an install is done with.
pub(super) struct Installer<'a> {
    pub(super) context: &'a Context,
    pub(super) online: &'a Online,
    pub(super) store: &'a Store,
    pub(super) approver: Approver<'a>,
    pub(super) allow: BTreeSet<String>,
    pub(super) allow_unreachable: bool,
    pub(super) output: Output,
}

/// A skill that is in the store now.
pub(super) struct Installed {
    pub(super) entry: Entry,
    pub(super) record: PinRecord,
    pub(super) stored_before: bool,
}

/// Why no candidate of a name is in the store, and which ones were tried and failed.
pub(super) struct Stopped {
    pub(super) error: anyhow::Error,
    pub(super) tried: Vec<String>,
}

impl From<Stopped> for anyhow::Error {
    fn from(stopped: Stopped) -> Self {
        stopped.error
    }
}

impl Installer<'_> {
    /// Brings what `remote` names into the store.
    pub(super) fn install(&self, remote: &Remote, deadline: Deadline) -> anyhow::Result<Installed> {
        let owner = Owner::new(remote.wanted.repository.owner());
        let standing = self.context.owner_rules().standing(&owner);
        if standing == trust::Standing::Blocked {
            let refusal = trust::Refusal::BlockedOwner;
            return Err(MountFailure::Refused { name: remote.name(), refusal }.into());
        }
        if let Some(installed) = self.already_stored(remote)? {
            return Ok(installed);
        }
        if self.online.offline {
            let place = remote.place();
            return Err(MountFailure::OfflineNotStored { place }.into());
        }
        let rules = self.rules();
        let (way, pinned) = self.pin(&self.with_known_numbers(&remote.wanted)?, &rules, deadline)?;
        let identity = identity_of(&pinned);
        if let Some(installed) = self.stored(&identity)? {
            return Ok(installed);
        }
        let level = self.admit(remote, &pinned)?;
        self.note(&pinned);
        // What a person agreed to for good needs no second answer when it is fetched again, if it is the same.
        let approved = self.store.approved(&identity)?;
        // The time that a person takes to answer is not the host's.
        let left = deadline.left();
        if approved.is_empty() {
            self.consent(remote, &pinned, level)?;
        }
        let deadline = Deadline::after(left);
        let staging = self.store.stage()?;
        let staged = self.stage((way, pinned), &staging, &rules, deadline)?;
        if !approved.is_empty() && !approved.contains(&staged.digest()) {
            self.consent(remote, staged.pinned(), level)?;
        }
        let record = self.record(remote, &staged, identity, level);
        let entry = self.store.commit(staging, &staged, &record, true)?;
        self.approver.remember(&record)?;
        Ok(Installed { entry, record, stored_before: false })
    }

    /// A skill that the store has or had, fetched again where it was damaged.
    pub(super) fn again(&self, identity: &Identity) -> anyhow::Result<Installed> {
        if let Some(installed) = self.stored(identity)? {
            return Ok(installed);
        }
        let record = self.store.pin(identity)?.ok_or_else(|| StoreError::NotFound(identity.short()))?;
        self.install(&Remote::of_record(&record), self.deadline())
    }

    /// When the attempts of one skill must be over.
    pub(super) fn deadline(&self) -> Deadline {
        Deadline::after(self.context.config.install_timeout())
    }

    /// The first of `remotes` that can be brought into the store, and those that could not. Each is agreed to
    /// on its own, and all share one deadline.
    pub(super) fn first(
        &self,
        remotes: &[Remote],
    ) -> Result<(Installed, Vec<wire_remote::FailedAttempt>), Stopped> {
        let deadline = self.deadline();
        let mut chain = Chain::new(remotes.len(), self.context.config.remote_auto_mount_limit());
        let mut failed: Vec<wire_remote::FailedAttempt> = Vec::new();
        let mut first_error = None;
        while let Some(index) = chain.next() {
            let error = match self.install(&remotes[index], deadline) {
                Ok(installed) => return Ok((installed, failed)),
                Err(error) => error,
            };
            // Where nobody agrees to one, nobody was asked about the next: that takes a command of its own.
            if ends_the_chain(&error) {
                let tried = failed.into_iter().map(|attempt| attempt.candidate).collect();
                return Err(Stopped { error, tried });
            }
            let attempt = if deadline.left().is_zero() { Attempt::TimedOut } else { Attempt::Failed };
            chain.record(index, attempt);
            failed.push(wire_remote::FailedAttempt {
                candidate: remotes[index].place(),
                outcome: attempt.as_str(),
                error: format!("{error:#}"),
            });
            first_error.get_or_insert(error);
        }
        for attempt in failed.iter().skip(1) {
            self.output.warning(&format!("{} failed too: {}", attempt.candidate, attempt.error));
        }
        let error = first_error.unwrap_or_else(|| MountFailure::NothingToMount.into());
        Err(Stopped { error, tried: failed.into_iter().map(|attempt| attempt.candidate).collect() })
    }

    /// The same, with the numbers that the repository had when something of it was stored: another repository
    /// under its name is not what a person means.
    fn with_known_numbers(&self, wanted: &Wanted) -> anyhow::Result<Wanted> {
        let mut wanted = wanted.clone();
        if wanted.repository_id.is_none() {
            let name = wanted.repository.to_string();
            let is_known = |record: &&PinRecord| {
                record.host == self.online.hosts.github_host
                    && record.repository_id.is_some()
                    && record.repository.to_string().eq_ignore_ascii_case(&name)
            };
            let records = self.store.pins()?.records;
            let known = records.iter().find(is_known);
            wanted.repository_id = known.and_then(|record| record.repository_id);
            wanted.owner_id = known.and_then(|record| record.owner_id);
        }
        Ok(wanted)
    }

    /// What is stored under the pin that `remote` already names: a commit, and a folder.
    fn already_stored(&self, remote: &Remote) -> anyhow::Result<Option<Installed>> {
        let records = self.store.pins()?.records;
        let found = records.iter().find(|record| remote.is(record, self.online.offline));
        match found {
            Some(record) => self.stored(&record.identity),
            None => Ok(None),
        }
    }

    /// The stored skill of this identity, verified, and fetched again where it is damaged; `None` when it must
    /// be pinned first.
    pub(super) fn stored(&self, identity: &Identity) -> anyhow::Result<Option<Installed>> {
        let record = match self.store.pin(identity) {
            Ok(Some(record)) => record,
            // A pin that cannot be understood is written again with what it stands for.
            Ok(None) | Err(StoreError::Invalid { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        // Files that a person left out then may be wanted now.
        if record.omitted.iter().any(|file| !self.allow.contains(&file.code)) {
            return Ok(None);
        }
        let entry = match healing::open(self.store, &record) {
            Err(error) if self.online.offline => return Err(error.into()),
            Err(error) if healing::is_damage(&error) => {
                self.output.warning(&healing::notice(&record, &error));
                self.heal(&record)?
            }
            opened => opened?,
        };
        self.context
            .evidence(&record)
            .map_err(|refusal| MountFailure::Refused { name: record.name.to_string(), refusal })?;
        self.approver.ask_stored(&record, &entry)?;
        Ok(Some(Installed { entry, record, stored_before: true }))
    }

    /// What this command lets pass.
    fn rules(&self) -> Rules {
        Rules {
            limits: self.context.config.limits(),
            allow: self.allow.clone(),
            allow_unreachable: self.allow_unreachable,
        }
    }

    /// Resolves the pin by the configured way, and says which way the files should take.
    pub(super) fn pin(
        &self,
        wanted: &Wanted,
        rules: &Rules,
        deadline: Deadline,
    ) -> anyhow::Result<(Way, Pinned)> {
        let pin = |way: Way| -> anyhow::Result<Pinned> {
            let (transport, _scratch) = self.transport(way)?;
            Ok(self.online.run(fetch::pin::pin(&transport, wanted, rules, deadline))??)
        };
        let configured = self.configured();
        if configured == Configured::Git {
            return Ok((Way::Git, pin(Way::Git)?));
        }
        match pin(Way::Api) {
            Ok(pinned) => {
                let quota = self.online.client.quota(&self.online.hosts.github_api, Bucket::Core);
                let files = pinned.files.len();
                // Whether git is there is looked up only where it would be taken.
                let way = match fetch::choose(configured, quota, files, true) {
                    Way::Git if !self.has_git(deadline)? => Way::Api,
                    way => way,
                };
                Ok((way, pinned))
            }
            Err(error)
                if configured == Configured::Auto && is_rate_limit(&error) && self.has_git(deadline)? =>
            {
                tracing::info!("the rate limit is used up, git is asked instead");
                Ok((Way::Git, pin(Way::Git)?))
            }
            Err(error) => Err(error),
        }
    }

    fn has_git(&self, deadline: Deadline) -> Result<bool, MountFailure> {
        let git = self.online.git(PathBuf::new());
        self.online.run(git.is_there(deadline))
    }

    fn configured(&self) -> Configured {
        match self.context.config.fetch_transport() {
            "api" => Configured::Api,
            "git" => Configured::Git,
            _ => Configured::Auto,
        }
    }

    /// A transport, and the folder that git works in for as long as it is needed.
    fn transport(&self, way: Way) -> anyhow::Result<(Transport, Option<StagingFolder>)> {
        Ok(match way {
            Way::Api => (self.online.api(), None),
            Way::Git => {
                let scratch = self.store.stage()?;
                let transport = Transport::Git(self.online.git(scratch.scratch_folder()?));
                (transport, Some(scratch))
            }
        })
    }

    /// The level of evidence once the content is pinned, if the policy admits it.
    fn admit(&self, remote: &Remote, pinned: &Pinned) -> anyhow::Result<EvidenceLevel> {
        let owner = self.context.owner_rules().standing(&Owner::new(pinned.repository.owner()));
        let sources = remote.candidate.as_ref().map_or(1, |candidate| candidate.sources.len());
        let level = trust::reevaluate(Some(EvidenceLevel::Unverified), sources, owner);
        trust::admit(level, owner, self.context.trust_policy())
            .map_err(|refusal| MountFailure::Refused { name: remote.name(), refusal })?;
        Ok(level)
    }

    /// Says what somebody who asked for the skill by an old name, or counts on updates, would want to know.
    fn note(&self, pinned: &Pinned) {
        if let Some(old) = &pinned.renamed_from {
            self.output.warning(&format!("`{old}` is called `{}` now", pinned.repository));
        }
        if pinned.archived {
            self.output.warning(&format!("`{}` is archived: nobody maintains it", pinned.repository));
        }
    }

    fn consent(&self, remote: &Remote, pinned: &Pinned, level: EvidenceLevel) -> anyhow::Result<()> {
        let stored = self.other_version(pinned)?;
        let stored = stored.as_ref().map(|(record, entry)| (record, entry));
        let name = remote.name();
        self.approver.ask(pinned, &About { name: &name, evidence: level.as_str(), stored })
    }

    /// The newest stored version of the same folder, to show what differs.
    fn other_version(&self, pinned: &Pinned) -> anyhow::Result<Option<(PinRecord, Entry)>> {
        let is_other = |record: &PinRecord| {
            record.host == pinned.host
                && record.path == pinned.path
                && record.commit != pinned.commit
                && record.repository == pinned.repository
        };
        let Some(record) = self.store.pins()?.records.into_iter().find(is_other) else { return Ok(None) };
        // A damaged version is no reason not to mount another.
        let entry = self.store.open(&record.digest).unwrap_or_else(|error| {
            tracing::warn!(%error, "the stored version cannot be compared");
            None
        });
        Ok(entry.map(|entry| (record, entry)))
    }

    /// Fetches what was pinned and verifies every byte of it.
    pub(super) fn stage(
        &self,
        (way, pinned): (Way, Pinned),
        staging: &StagingFolder,
        rules: &Rules,
        deadline: Deadline,
    ) -> anyhow::Result<Staged> {
        let (transport, _scratch) = self.transport(way)?;
        let bytes: Option<u64> = pinned.files.iter().map(|file| file.size).sum();
        let bar = self.output.progress("fetching", bytes);
        let mut progress = |progress: Progress| bar.at(progress.bytes);

        let work = stage::stage(&transport, pinned, staging.tree_folder(), rules, deadline, &mut progress);
        Ok(self.online.run(work)??)
    }

    fn record(
        &self,
        remote: &Remote,
        staged: &Staged,
        identity: Identity,
        level: EvidenceLevel,
    ) -> PinRecord {
        let pinned = staged.pinned();
        let header = staged.frontmatter();
        let candidate = remote.candidate.as_ref();
        let facts = candidate.and_then(|candidate| candidate.facts.as_ref());
        let omitted = |file: &Omitted| OmittedFile { path: file.path.clone(), code: file.code.to_owned() };
        PinRecord {
            identity,
            host: pinned.host.clone(),
            repository: pinned.repository.clone(),
            repository_id: pinned.repository_id,
            owner_id: pinned.owner_id,
            renamed_from: pinned.renamed_from.clone(),
            commit: pinned.commit.clone(),
            path: pinned.path.clone(),
            reference: remote.wanted.reference.clone(),
            name: header.slug.clone(),
            title: header.name.clone(),
            description: header.description.clone(),
            digest: staged.digest(),
            root_tree: pinned.root_tree.clone(),
            tree: pinned.tree.clone(),
            sources: candidate.iter().flat_map(|candidate| candidate.sources.iter().copied()).collect(),
            installs: candidate.and_then(|candidate| candidate.installs),
            stars: facts.map(|facts| facts.stars),
            quality: candidate.map(|candidate| remote::quality_apart(candidate, &self.context.rank_policy())),
            evidence: Some(level.as_str().to_owned()),
            pushed_at: facts.and_then(|facts| facts.pushed_at),
            installed_at: self.context.now(),
            omitted: pinned.omitted.iter().map(omitted).collect(),
            total_bytes: staged.files().iter().map(|file| file.file.size).sum(),
            files: staged.files().len(),
        }
    }
}

/// The identity of a pin: by the repository's number where its host told one.
fn identity_of(pinned: &Pinned) -> Identity {
    let name = pinned.repository.to_string();
    let repository = match pinned.repository_id {
        Some(id) => RepositoryKey::Id(id),
        None => RepositoryKey::Name(&name),
    };
    Identity::pinned(&pinned.host, repository, &pinned.commit, &pinned.path)
}

/// Whether a failure is a person's answer, or the lack of one, and not the candidate's.
fn ends_the_chain(error: &anyhow::Error) -> bool {
    matches!(
        error.downcast_ref::<MountFailure>(),
        Some(MountFailure::Interrupted | MountFailure::NotApproved { .. } | MountFailure::Declined { .. })
    )
}

fn is_rate_limit(error: &anyhow::Error) -> bool {
    let is_limit = |cause: &(dyn std::error::Error + 'static)| {
        matches!(cause.downcast_ref::<HttpError>(), Some(HttpError::RateLimited { .. }))
    };
    error.chain().any(is_limit)
}
