//! A skill that was named on the command line, with its files read and hashed: what `show` and `load`
//! start from.

use std::path::PathBuf;

use super::{context::Context, failure::Failure, healing, recording, resolve, wire_skill};
use crate::{
    candidate::usage::UsageSubject,
    cli::GlobalArgs,
    output::Output,
    skill::{Limits, path::SkillPath, tree::TreeFile},
    source::{
        folder::{self, Note, Reason, Snapshot},
        local::{Discovery, LocalSkill},
    },
    store::{ManifestFile, StoreError},
};

/// The files of a skill, read and hashed, with the content of `wanted`. Those of the store are compared with
/// what was verified when they were fetched.
pub(super) fn snapshot(
    context: &Context,
    skill: &LocalSkill,
    wanted: &SkillPath,
) -> anyhow::Result<Snapshot> {
    let Some(stored) = &skill.stored else {
        return Ok(folder::snapshot(&skill.home, &context.config.limits(), wanted)?);
    };
    let store = context.store();
    let entry = store.open(&stored.digest)?.ok_or_else(|| StoreError::NotFound(stored.digest.to_string()))?;
    let has_wanted = entry.files().iter().any(|file| file.path == *wanted);
    let file = |file: &ManifestFile| TreeFile {
        path: file.path.clone(),
        executable: file.executable,
        size: file.size,
        sha256: file.sha256,
    };
    let note = |(path, code): &(String, String)| Note {
        path: PathBuf::from(path),
        reason: Reason::Omitted(code.clone()),
    };
    Ok(Snapshot {
        files: entry.files().iter().map(file).collect(),
        digest: entry.digest(),
        notes: stored.omitted.iter().map(note).collect(),
        content: if has_wanted { Some(entry.read(wanted)?) } else { None },
        content_path: has_wanted.then(|| wanted.clone()),
    })
}

/// The skills on this machine, and the one that `reference` names among them.
///
/// A skill of the store that cannot even be listed, because its files are damaged, is fetched again.
pub(super) fn find(
    context: &Context,
    global: &GlobalArgs,
    output: Output,
    reference: &str,
) -> anyhow::Result<(Discovery, usize)> {
    let mut discovery = context.discover(true);
    let error = match resolve::resolve(context, &mut discovery, reference) {
        Ok(index) => return Ok((discovery, index)),
        Err(error) => error,
    };
    if !healing::revive(context, global, output, reference, &error)? {
        return Err(error);
    }
    let mut discovery = context.discover(true);
    let index = resolve::resolve(context, &mut discovery, reference)?;
    Ok((discovery, index))
}

/// A skill that is to be used and the files of it, with the content of the one that `wanted` names. What the
/// store has in a damaged form is fetched again.
pub(super) fn find_intact(
    context: &Context,
    global: &GlobalArgs,
    output: Output,
    reference: &str,
    wanted: impl Fn(&LocalSkill) -> anyhow::Result<SkillPath>,
) -> anyhow::Result<(Discovery, usize, Snapshot)> {
    let (discovery, index) = find(context, global, output, reference)?;
    let skill = &discovery.skills[index];
    let error = match snapshot(context, skill, &wanted(skill)?) {
        Ok(snapshot) => return Ok((discovery, index, snapshot)),
        Err(error) => error,
    };
    let Some(stored) = &skill.stored else { return Err(error) };
    let damage = error.downcast::<StoreError>()?;
    if !healing::is_damage(&damage) {
        return Err(damage.into());
    }
    let _kept = healing::again(context, global, output, &stored.identity, damage)?;
    // What was listed was read from damaged files.
    let (discovery, index) = find(context, global, output, reference)?;
    let skill = &discovery.skills[index];
    let snapshot = snapshot(context, skill, &wanted(skill)?)?;
    Ok((discovery, index, snapshot))
}

/// A skill and its files.
pub(super) struct Opened {
    pub(super) context: Context,
    pub(super) discovery: Discovery,
    pub(super) limits: Limits,
    /// The path of the skill's own file in its folder.
    pub(super) skill_file: SkillPath,
    pub(super) snapshot: Snapshot,
    index: usize,
}

impl Opened {
    /// Finds the skill that `reference` names and reads its files.
    pub(super) fn open(reference: &str, global: &GlobalArgs, output: Output) -> anyhow::Result<Self> {
        let context = Context::load(global, output, &[])?;
        let mut discovery = context.discover(true);
        let index = resolve::resolve(&context, &mut discovery, reference)?;
        let skill = &discovery.skills[index];
        let limits = context.config.limits();
        let skill_file = wire_skill::skill_file(skill)?;
        let snapshot = snapshot(&context, skill, &skill_file)?;
        Ok(Self { context, discovery, limits, skill_file, snapshot, index })
    }

    /// The same for a skill that is to be used: what is damaged is fetched again.
    pub(super) fn open_healed(reference: &str, global: &GlobalArgs, output: Output) -> anyhow::Result<Self> {
        let context = Context::load(global, output, &[])?;
        let (discovery, index, snapshot) =
            find_intact(&context, global, output, reference, wire_skill::skill_file)?;
        let limits = context.config.limits();
        let skill_file = wire_skill::skill_file(&discovery.skills[index])?;
        Ok(Self { context, discovery, limits, skill_file, snapshot, index })
    }

    /// The skill.
    pub(super) fn skill(&self) -> &LocalSkill {
        &self.discovery.skills[self.index]
    }

    /// The skill as usage records know it.
    pub(super) fn subject(&self) -> UsageSubject {
        recording::subject(&self.context, &self.discovery, self.skill())
    }

    /// The content of the skill's own file: the bytes that were hashed.
    pub(super) fn content(&self) -> Result<&[u8], Failure> {
        self.snapshot.content.as_deref().ok_or_else(|| Failure::NoSkillFile { place: self.place() })
    }

    /// Where the skill's own file is.
    pub(super) fn place(&self) -> String {
        self.skill().location().display().to_string()
    }
}
