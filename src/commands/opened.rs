//! A skill that was named on the command line, with its files read and hashed: what `show` and `load`
//! start from.

use super::{context::Context, failure::Failure, resolve, wire_skill};
use crate::{
    cli::GlobalArgs,
    output::Output,
    skill::{Limits, path::SkillPath},
    source::{
        folder::{self, Snapshot},
        local::{Discovery, LocalSkill},
    },
};

/// A skill and its files.
pub(super) struct Opened {
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
        let snapshot = folder::snapshot(&skill.home, &limits, &skill_file)?;
        Ok(Self { discovery, limits, skill_file, snapshot, index })
    }

    /// The skill.
    pub(super) fn skill(&self) -> &LocalSkill {
        &self.discovery.skills[self.index]
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
