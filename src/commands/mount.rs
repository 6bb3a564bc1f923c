//! `mount`: skills of a commit, fetched and verified, as folders that an agent reads.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use super::{
    approval::Approver,
    cache,
    context::Context,
    failure::{self, Failure, MountFailure},
    healing,
    install::{Installed, Installer},
    moment,
    online::Online,
    recording,
    session::Session,
    target::{Places, Target},
    views, wire_skill,
};
use crate::{
    candidate::usage::UsageEvent,
    cli::{GlobalArgs, MountArgs},
    error::ErrorKind,
    output::{Output, human, wire, wire_remote},
    source::{
        folder,
        local::{Discovery, Home},
    },
    store::{Entry, Store, holder::Holder, lease::LeaseTerms, pins::OmittedFile, sessions::MountRecord},
};

/// Mounts what was asked for and prints where it is.
pub(super) fn run(args: &MountArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let flags: Vec<_> = args.transport.iter().map(|way| ("fetchTransport", way.clone())).collect();
    let context = Context::load(global, output, &flags)?;
    let session = Session::of(&context, args.consent.session.as_deref())?;
    let ttl =
        moment::duration(&args.ttl).ok_or_else(|| MountFailure::BadDuration { text: args.ttl.clone() })?;
    let online = Online::new(&context, global)?;
    let store = context.store();
    let mounter = Mounter {
        installer: Installer {
            context: &context,
            online: &online,
            store: &store,
            approver: Approver {
                context: &context,
                online: &online,
                store: &store,
                session: &session,
                yes: args.consent.yes,
                command: "mount",
                output,
            },
            allow: args.allow.iter().cloned().collect(),
            allow_unreachable: args.allow_unreachable,
            output,
        },
        global,
        store: &store,
        session: &session,
        to: args.to.as_deref().map(|folder| target(folder, &context, &store)).transpose()?,
        ttl: (!args.hold).then_some(ttl),
    };
    let mut discovery = context.discover(true);
    let (mut mounts, mut failures, mut held) = (Vec::new(), Vec::new(), Vec::new());
    for reference in &args.skill {
        match mounter.mount(&mut discovery, reference) {
            Ok((mount, entry)) => {
                mounts.push(mount);
                held.extend(entry.filter(|_| args.hold));
            }
            // One failure alone is the failure of the command.
            Err(error) if args.skill.len() == 1 => return Err(error),
            Err(error) => failures.push(mount_failure(reference, &error, output)),
        }
    }
    if mounts.iter().any(|mount| !mount.stored_before && mount.pin.is_some()) {
        cache::prune_after_install(&context, &store, output);
    }
    let code = failures.first().map_or(0, |failure| failure.exit_code);
    let document = wire_remote::Mounts {
        schema: "skillflux.mount/1",
        session: session.name.as_str().to_owned(),
        mounts,
        failures,
    };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::mounts(&document))?;
    }
    // An interrupt is one of the ways to end it, and no failure to report.
    if !held.is_empty() && online.run(end_of_input()).is_err() {
        return Ok(ErrorKind::Interrupted.exit_code().into());
    }
    Ok(code.into())
}

/// The folder that views are made in, without `.` and doubled separators.
fn target(folder: &Path, context: &Context, store: &Store) -> Result<PathBuf, MountFailure> {
    let whole: PathBuf = context.environment.current_dir().join(folder).components().collect();
    let refuse = |reason| MountFailure::BadTarget { folder: folder.display().to_string(), reason };
    if whole.to_str().is_none() {
        return Err(refuse("its path is not UTF-8"));
    }
    if whole.starts_with(store.root()) || whole.starts_with(context.environment.folders().state) {
        return Err(refuse("skillflux keeps its own files there"));
    }
    Ok(whole)
}

/// Waits until nobody can write to standard input any more. Its thread ends with the process.
async fn end_of_input() {
    let (ended, end) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        if let Err(error) = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink()) {
            tracing::debug!(%error, "standard input cannot be read");
        }
        ended.send(())
    });
    // A sender that is gone has seen the end too.
    let _ended = end.await;
}

fn mount_failure(asked: &str, error: &anyhow::Error, output: Output) -> wire_remote::MountFailure {
    let (report, kind) = failure::describe(error);
    output.error(&report);
    wire_remote::MountFailure {
        asked: asked.to_owned(),
        error: report.error,
        causes: report.causes,
        code: failure::code_of(error),
        hint: report.hint,
        exit_code: kind.exit_code(),
    }
}

/// What every mount of one run shares.
pub(super) struct Mounter<'a> {
    pub(super) installer: Installer<'a>,
    pub(super) global: &'a GlobalArgs,
    pub(super) store: &'a Store,
    pub(super) session: &'a Session,
    pub(super) to: Option<PathBuf>,
    /// How long the store keeps what is mounted; `None` where it is held by a process.
    pub(super) ttl: Option<Duration>,
}

impl Mounter<'_> {
    /// Mounts what `reference` names. The entry is leased for as long as it is kept.
    pub(super) fn mount(
        &self,
        discovery: &mut Discovery,
        reference: &str,
    ) -> anyhow::Result<(wire_remote::Mount, Option<Entry>)> {
        match self.target(discovery, reference)? {
            Target::Remote(remotes) => {
                let (installed, failed) = self.installer.first(&remotes)?;
                self.view(reference, installed, failed)
            }
            Target::Here(index) => {
                let Some(stored) = discovery.skills[index].stored.clone() else {
                    return Ok((self.here(reference, discovery, index)?, None));
                };
                let installed = self.installer.again(&stored.identity)?;
                self.view(reference, installed, Vec::new())
            }
        }
    }

    /// What `reference` names; a stored skill that is too damaged to be listed is fetched again first.
    fn target(&self, discovery: &mut Discovery, reference: &str) -> anyhow::Result<Target> {
        let Installer { context, online, store, output, .. } = &self.installer;
        let places = Places { context, online, store, session: self.session };
        let error = match places.target(discovery, reference) {
            Ok(target) => return Ok(target),
            Err(error) => error,
        };
        if healing::revive(context, self.global, *output, reference, &error)? {
            *discovery = context.discover(true);
            return places.target(discovery, reference);
        }
        Err(match error.downcast_ref() {
            Some(Failure::UnknownSkill { name, .. }) => {
                MountFailure::UnknownName { name: name.clone() }.into()
            }
            _ => error,
        })
    }

    /// A skill of this machine is mounted where it is: there is nothing to fetch, and no pin to verify.
    fn here(&self, asked: &str, discovery: &Discovery, index: usize) -> anyhow::Result<wire_remote::Mount> {
        let skill = &discovery.skills[index];
        let place = skill.location().display().to_string();
        let (Home::Folder { folder, .. }, None) = (&skill.home, &self.to) else {
            return Err(MountFailure::AlreadyHere { name: skill.slug().to_string(), place }.into());
        };
        let limits = self.installer.context.config.limits();
        let snapshot = folder::snapshot(&skill.home, &limits, &wire_skill::skill_file(skill)?)?;
        let context = self.installer.context;
        recording::record(context, &recording::subject(context, discovery, skill), UsageEvent::Mount);
        Ok(wire_remote::Mount {
            asked: asked.to_owned(),
            name: skill.slug().to_string(),
            folder: folder.display().to_string(),
            location: place,
            digest: format!("sha256:{}", snapshot.digest),
            pin: None,
            reference: None,
            renamed_from: None,
            evidence: None,
            files: snapshot.files.len(),
            bytes: snapshot.files.iter().map(|file| file.size).sum(),
            omitted: wire_skill::left_out(&snapshot.notes),
            stored_before: true,
            failed_attempts: Vec::new(),
        })
    }

    /// Makes the folder of an entry, and keeps the entry for the session.
    fn view(
        &self,
        asked: &str,
        installed: Installed,
        failed_attempts: Vec<wire_remote::FailedAttempt>,
    ) -> anyhow::Result<(wire_remote::Mount, Option<Entry>)> {
        let Installed { entry, record, stored_before } = installed;
        let parent = self.to.clone().unwrap_or_else(|| self.store.mounts_folder(&self.session.name));
        let folder = parent.join(record.name.as_str());
        let now = self.installer.context.now();
        views::check_place(self.store, &self.session.name, &folder, &record)?;
        views::ensure(self.store, &entry, &folder, now)?;
        let lease = self.ttl.map(|ttl| {
            let terms = LeaseTerms {
                session: Some(&self.session.name),
                ttl_ms: u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX),
                holder: &Holder::current(),
                now,
            };
            self.store.lease(&record.digest, terms)
        });
        let lease = lease.transpose()?;
        let mount = MountRecord {
            slug: record.name.clone(),
            identity: Some(record.identity),
            digest: record.digest,
            folder: folder.clone(),
            lease: lease.map(|lease| lease.as_str().to_owned()),
            made_at: now,
        };
        views::remember(self.store, &self.session.name, mount)?;
        recording::record(self.installer.context, &recording::subject_of_pin(&record), UsageEvent::Mount);
        let omitted = |file: &OmittedFile| wire::LeftOut { path: file.path.clone(), code: file.code.clone() };
        let mount = wire_remote::Mount {
            asked: asked.to_owned(),
            name: record.name.to_string(),
            location: folder.join("SKILL.md").display().to_string(),
            folder: folder.display().to_string(),
            digest: format!("sha256:{}", record.digest),
            pin: Some(cache::pin(&record)),
            reference: Some(format!("{}//{}@{}", record.repository, record.path, record.commit)),
            renamed_from: record.renamed_from.as_ref().map(ToString::to_string),
            evidence: self.installer.context.evidence(&record).ok().map(|level| level.as_str().to_owned()),
            files: record.files,
            bytes: record.total_bytes,
            omitted: record.omitted.iter().map(omitted).collect(),
            stored_before,
            failed_attempts,
        };
        Ok((mount, Some(entry)))
    }
}
