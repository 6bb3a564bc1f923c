//! Damaged or missing entries of the store, brought back from their pins.
//!
//! What comes back is byte for byte what a person agreed to: the same pin, and files that have the digest of
//! the record, else nothing is stored. So nobody is asked again, and no policy but that of today's trust
//! stands in the way. Nothing is fetched where the network may not be used.

use std::collections::BTreeSet;

use anyhow::Context as _;

use super::{
    approval::Approver,
    context::Context,
    failure::{Failure, MountFailure},
    install::Installer,
    online::Online,
    session::Session,
    target::Remote,
};
use crate::{
    candidate::identity::Identity,
    cli::GlobalArgs,
    fetch::pin::Rules,
    output::Output,
    skill::id::SkillRef,
    store::{Entry, Store, StoreError, pins::PinRecord},
};

/// The entry of a pin, verified.
///
/// # Errors
///
/// [`StoreError::Damaged`], and [`StoreError::NotFound`] when it is gone.
pub(super) fn open(store: &Store, record: &PinRecord) -> Result<Entry, StoreError> {
    store.open(&record.digest)?.ok_or_else(|| StoreError::NotFound(record.digest.to_string()))
}

/// Whether an entry must be fetched again before it can be used.
pub(super) fn is_damage(error: &StoreError) -> bool {
    matches!(error, StoreError::Damaged { .. } | StoreError::NotFound(_))
}

/// What is said before an entry is fetched again.
pub(super) fn notice(record: &PinRecord, error: &StoreError) -> String {
    match error {
        StoreError::Damaged { file, what, .. } => {
            format!("`{file}` of `{}` is {what}; it is fetched again", record.name)
        }
        _ => format!("the files of `{}` are gone from the store; they are fetched again", record.name),
    }
}

impl Installer<'_> {
    /// Fetches the entry of a pin again.
    ///
    /// # Errors
    ///
    /// [`MountFailure::OtherBytes`] when its pin leads to other files today; whatever keeps it from being
    /// fetched.
    pub(super) fn heal(&self, record: &PinRecord) -> anyhow::Result<Entry> {
        let remote = Remote::of_record(record);
        let host = &self.online.hosts.github_host;
        if record.host != *host {
            return Err(MountFailure::OtherHost { named: record.host.clone(), host: host.clone() }.into());
        }
        if self.online.offline {
            return Err(MountFailure::OfflineNotStored { place: remote.place() }.into());
        }
        self.context
            .evidence(record)
            .map_err(|refusal| MountFailure::Refused { name: record.name.to_string(), refusal })?;
        let rules = Rules {
            limits: self.context.config.limits(),
            allow: record.omitted.iter().map(|file| file.code.clone()).collect(),
            // A branch that led to the commit may be gone; the bytes are compared with what was agreed to.
            allow_unreachable: true,
        };
        let deadline = self.deadline();
        let pinned = self.pin(&remote.wanted, &rules, deadline)?;
        let staging = self.store.stage()?;
        let staged = self.stage(pinned, &staging, &rules, deadline)?;
        if staged.digest() != record.digest {
            return Err(MountFailure::OtherBytes { name: record.name.to_string() }.into());
        }
        Ok(self.store.commit(staging, &staged, record, true)?)
    }
}

/// Fetches entries again for a command that has nothing else to ask a network for.
pub(super) struct Healer<'a> {
    context: &'a Context,
    store: Store,
    session: Session,
    online: Online,
    output: Output,
}

impl<'a> Healer<'a> {
    pub(super) fn new(context: &'a Context, global: &GlobalArgs, output: Output) -> anyhow::Result<Self> {
        let (session, online) = (Session::of(context, None)?, Online::new(context, global)?);
        Ok(Self { context, store: context.store(), session, online, output })
    }

    /// Fetches the entry of a pin again.
    pub(super) fn heal(&self, record: &PinRecord) -> anyhow::Result<Entry> {
        let Self { context, store, session, online, output } = self;
        let approver =
            Approver { context, online, store, session, yes: false, command: "mount", output: *output };
        let (allow, allow_unreachable) = (BTreeSet::new(), false);
        let installer =
            Installer { context, online, store, approver, allow, allow_unreachable, output: *output };
        installer.heal(record)
    }
}

/// Fetches the entry of a stored skill again, whose files were found to be damaged.
pub(super) fn again(
    context: &Context,
    global: &GlobalArgs,
    output: Output,
    identity: &Identity,
    damage: StoreError,
) -> anyhow::Result<Entry> {
    let Some(record) = context.store().pin(identity)?.filter(|_| !global.offline) else {
        return Err(damage.into());
    };
    output.warning(&notice(&record, &damage));
    Healer::new(context, global, output)?.heal(&record)
}

/// Fetches entries again that are so damaged that no skill is listed under the name that `reference` has;
/// whether there were any. `unknown` is why nothing was found.
///
/// # Errors
///
/// What is wrong with such an entry, where the network may not be used.
pub(super) fn revive(
    context: &Context,
    global: &GlobalArgs,
    output: Output,
    reference: &str,
    unknown: &anyhow::Error,
) -> anyhow::Result<bool> {
    let is_unknown = matches!(
        unknown.downcast_ref::<Failure>(),
        Some(Failure::UnknownSkill { .. } | Failure::NotLocal { .. })
    );
    let Some(reference) = SkillRef::parse(reference).ok().filter(|_| is_unknown) else { return Ok(false) };
    let store = context.store();
    let is_meant =
        |record: &PinRecord| names(&reference, record).then(|| context.evidence(record).ok()).flatten();
    let meant = store.pins()?.records.into_iter().filter(|record| is_meant(record).is_some());
    let mut revived = false;
    for record in meant {
        match open(&store, &record) {
            Ok(_intact) => {}
            Err(damage) if is_damage(&damage) && global.offline => return Err(damage.into()),
            Err(damage) if is_damage(&damage) => {
                output.warning(&notice(&record, &damage));
                let what = || format!("`{}` is damaged and cannot be fetched again", record.name);
                Healer::new(context, global, output)?.heal(&record).with_context(what)?;
                revived = true;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(revived)
}

/// Whether `reference` can mean this pin.
fn names(reference: &SkillRef, record: &PinRecord) -> bool {
    let is_of = |repository: &crate::skill::id::RepoSlug| {
        record.repository.to_string().eq_ignore_ascii_case(&repository.to_string())
    };
    match reference {
        SkillRef::Name(name) => record.name.as_str() == name || record.title == *name,
        SkillRef::CandidateId(id) => record.identity.short() == *id,
        SkillRef::Digest(prefix) => record.digest.to_string().starts_with(prefix.as_str()),
        SkillRef::Repository { repository, path, reference } => {
            let is_version =
                reference.as_deref().is_none_or(|reference| record.commit.as_str().starts_with(reference));
            is_of(repository) && record.path == *path && is_version
        }
        SkillRef::RepositoryName { repository, name } => {
            is_of(repository) && (record.name.as_str() == name || record.title == *name)
        }
        SkillRef::Url { host, repository, segments } => {
            record.host == *host
                && is_of(repository)
                && segments.get(1..).unwrap_or_default().join("/") == record.path
        }
        SkillRef::Local(_) | SkillRef::Bundled(_) => false,
    }
}
