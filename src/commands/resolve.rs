//! From a reference that a person typed to one skill.
//!
//! A name is looked for among active skills first, then among those that are only reached by name:
//! shadowed ones never, because the active one answers for the name; nested ones when nothing else
//! has it. A path is looked for among the known skills and read directly when it is none of them.

use std::path::{Path, PathBuf};

use super::{context::Context, failure::Failure};
use crate::{
    config::nearest,
    skill::id::SkillRef,
    source::local::{Discovery, Home, LocalSkill, Standing},
};

/// The skill that `reference` names; an index into `discovery.skills`.
pub(super) fn resolve(
    context: &Context,
    discovery: &mut Discovery,
    reference: &str,
) -> anyhow::Result<usize> {
    match SkillRef::parse(reference)? {
        SkillRef::Name(name) => by_name(discovery, &name),
        SkillRef::Bundled(name) => discovery
            .skills
            .iter()
            .position(|skill| matches!(&skill.home, Home::Bundled(bundled) if bundled.name == name))
            .ok_or_else(|| unknown(discovery, &name)),
        SkillRef::Local(path) => by_path(context, discovery, &path),
        SkillRef::CandidateId(id) => by_name(discovery, &id),
        SkillRef::Repository { .. }
        | SkillRef::RepositoryName { .. }
        | SkillRef::Url { .. }
        | SkillRef::Digest(_) => Err(Failure::NotLocal { reference: reference.to_owned() }.into()),
    }
}

fn by_name(discovery: &Discovery, name: &str) -> anyhow::Result<usize> {
    let skills = &discovery.skills;
    let matching = |wanted: &dyn Fn(&LocalSkill) -> bool| -> Vec<usize> {
        (0..skills.len()).filter(|&index| wanted(&skills[index])).collect()
    };
    let active = |skill: &LocalSkill| skill.standing == Standing::Active;
    let nested = |skill: &LocalSkill| matches!(skill.standing, Standing::Nested(_));
    let has_slug = |skill: &LocalSkill| skill.slug().as_str() == name;
    let has_title = |skill: &LocalSkill| skill.frontmatter.name == name;
    let attempts: [&dyn Fn(&LocalSkill) -> bool; 3] =
        [&|skill| active(skill) && has_slug(skill), &|skill| active(skill) && has_title(skill), &|skill| {
            nested(skill) && (has_slug(skill) || has_title(skill))
        }];
    for attempt in attempts {
        match matching(attempt)[..] {
            [] => {}
            [index] => return Ok(index),
            ref several => {
                let places =
                    several.iter().map(|&index| skills[index].location().display().to_string()).collect();
                return Err(Failure::AmbiguousSkill { name: name.to_owned(), places }.into());
            }
        }
    }
    Err(unknown(discovery, name))
}

fn unknown(discovery: &Discovery, name: &str) -> anyhow::Error {
    let names = discovery.skills.iter().map(|skill| skill.slug().as_str());
    Failure::UnknownSkill { name: name.to_owned(), similar: nearest(name, names) }.into()
}

fn by_path(context: &Context, discovery: &mut Discovery, text: &str) -> anyhow::Result<usize> {
    let environment = &context.environment;
    let path = match (text.strip_prefix('~'), environment.home()) {
        (Some(below), Some(home)) => home.join(below.trim_start_matches(['/', '\\'])),
        _ => environment.current_dir().join(text),
    };
    let is_skill_file =
        path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md")) && !path.is_dir();
    let folder = if is_skill_file { path.parent().map_or_else(PathBuf::new, Path::to_owned) } else { path };
    let real_folder = fs_err::canonicalize(&folder)?;
    let is_same = |known: &Path| fs_err::canonicalize(known).is_ok_and(|known| known == real_folder);
    let known = discovery.skills.iter().position(|skill| match &skill.home {
        Home::Folder { folder: known, .. } => {
            (known.file_name() == folder.file_name() || !skill.aliases.is_empty())
                && (is_same(known) || skill.aliases.iter().any(|alias| is_same(alias)))
        }
        Home::Bundled(_) => false,
    });
    if let Some(index) = known {
        return Ok(index);
    }
    let place = folder.display().to_string();
    discovery.add_folder(&real_folder, &context.config.limits()).map_err(|diagnostic| match diagnostic {
        Some(diagnostic) => Failure::NotASkill { place, diagnostic }.into(),
        None => Failure::NoSkillFile { place }.into(),
    })
}
