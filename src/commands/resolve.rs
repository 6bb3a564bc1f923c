//! From a reference that a person typed to one skill.
//!
//! A name is looked for among active skills first, then among those that are only reached by name:
//! shadowed ones never, because the active one answers for the name; nested ones when nothing else
//! has it. A path is looked for among the known skills and read directly when it is none of them.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{
    context::Context,
    failure::{Failure, MountFailure},
};
use crate::{
    config::nearest,
    skill::id::{SkillRef, percent_decode_bytes},
    source::{
        local::{Discovery, Home, LocalSkill, Problem, Standing},
        stored::Stored,
    },
};

/// The skill that `reference` names; an index into `discovery.skills`.
pub(super) fn resolve(
    context: &Context,
    discovery: &mut Discovery,
    reference: &str,
) -> anyhow::Result<usize> {
    let stored = |is_wanted: &dyn Fn(&Stored) -> bool| {
        let found = discovery.skills.iter().position(|skill| skill.stored.as_deref().is_some_and(is_wanted));
        found.ok_or_else(|| Failure::NotLocal { reference: reference.to_owned() }.into())
    };
    match SkillRef::parse(reference)? {
        // A name has no separator, so this can only be the path of a folder.
        SkillRef::Name(name)
            if name.contains(['/', '\\']) && context.environment.current_dir().join(&name).exists() =>
        {
            by_path(context, discovery, &name)
        }
        SkillRef::Name(name) => by_name(discovery, &name),
        SkillRef::Bundled(name) => discovery
            .skills
            .iter()
            .position(|skill| matches!(&skill.home, Home::Bundled(bundled) if bundled.name == name))
            .ok_or_else(|| unknown(discovery, &name)),
        SkillRef::Local(path) => by_path(context, discovery, &path),
        SkillRef::CandidateId(id) => {
            stored(&|stored| stored.identity.short() == id).or_else(|_| by_name(discovery, &id))
        }
        SkillRef::Digest(prefix) => stored(&|stored| stored.digest.to_string().starts_with(&prefix)),
        SkillRef::Repository { repository, path, reference } => stored(&|stored| {
            stored.is_of(&repository) && stored.path == path && stored.is_version(reference.as_deref())
        }),
        SkillRef::RepositoryName { repository, name } => {
            stored(&|stored| stored.is_of(&repository) && stored.folder_name() == name)
        }
        SkillRef::Url { host, repository, segments } => stored(&|stored| {
            stored.host == host.trim_start_matches("www.")
                && stored.is_of(&repository)
                && is_at(stored, &segments)
        }),
    }
}

/// Whether a stored skill is at a web address, of which these are the segments behind `tree`: a reference of
/// one or more segments, and the folder.
fn is_at(stored: &Stored, segments: &[String]) -> bool {
    let segments = match segments {
        [folders @ .., file] if file == "SKILL.md" => folders,
        segments => segments,
    };
    if segments.is_empty() {
        return stored.path.is_empty();
    }
    (1..=segments.len()).any(|end| {
        segments[end..].join("/") == stored.path && stored.is_version(Some(&segments[..end].join("/")))
    })
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

/// The error for a name that no skill has: the file that failed to be one, or a name like it.
fn unknown(discovery: &Discovery, name: &str) -> anyhow::Error {
    let is_named = |problem: &&Problem| {
        let folder = if problem.path.is_dir() { Some(&*problem.path) } else { problem.path.parent() };
        folder.and_then(Path::file_name).is_some_and(|folder| folder == name)
    };
    if let Some(problem) = discovery.problems.iter().find(is_named) {
        let place = problem.path.display().to_string();
        return Failure::NotASkill { place, diagnostic: problem.diagnostic.clone() }.into();
    }
    let names = discovery.skills.iter().map(|skill| skill.slug().as_str());
    Failure::UnknownSkill { name: name.to_owned(), similar: nearest(name, names) }.into()
}

/// The skill of the folder, or of the `SKILL.md`, at this path; an index into `discovery.skills`.
pub(super) fn by_path(context: &Context, discovery: &mut Discovery, text: &str) -> anyhow::Result<usize> {
    let environment = &context.environment;
    let absolute = |text: &Path| match (text.strip_prefix("~"), environment.home()) {
        (Ok(below), Some(home)) => home.join(below),
        // Taking it apart and together again leaves out `.` and doubled separators.
        _ => environment.current_dir().join(text).components().collect(),
    };
    // A catalog writes what could not stand in a prompt as percent codes, and percent signs too then.
    let decoded = decoded(text).map(|decoded| absolute(&decoded)).filter(|decoded| decoded.exists());
    let path = decoded.unwrap_or_else(|| absolute(Path::new(text)));
    let is_skill_file =
        path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md")) && !path.is_dir();
    let folder = if is_skill_file { path.parent().map_or_else(PathBuf::new, Path::to_owned) } else { path };
    let place = folder.display().to_string();
    let real_folder = match fs_err::canonicalize(&folder) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Err(Failure::NoSuchFolder { place }.into());
        }
        real_folder => real_folder?,
    };
    if !real_folder.is_dir() {
        return Err(Failure::NoSuchFolder { place }.into());
    }
    let is_same = |known: &Path| fs_err::canonicalize(known).is_ok_and(|known| known == real_folder);
    let find = |wanted: &dyn Fn(&Path) -> bool| {
        discovery.skills.iter().position(|skill| match &skill.home {
            Home::Folder { folder: known, .. } => wanted(known),
            Home::Bundled(_) => false,
        })
    };
    // Nearly always the folder has the same name; only a link can lead to it under another one.
    let known = find(&|known| known.file_name() == real_folder.file_name() && is_same(known))
        .or_else(|| find(&|known| is_same(known)));
    if let Some(index) = known {
        return Ok(index);
    }
    if lies_in_store(context, &real_folder) {
        return Err(MountFailure::InStore { place }.into());
    }
    discovery.add_folder(&folder, &real_folder, &context.config.limits()).map_err(|diagnostic| {
        match diagnostic {
            Some(diagnostic) => Failure::NotASkill { place, diagnostic }.into(),
            None => Failure::NoSkillFile { place }.into(),
        }
    })
}

/// Whether a folder belongs to the cache and is no view: what lies there is used through its pin, which says
/// what it must be and whether it may be used.
fn lies_in_store(context: &Context, real_folder: &Path) -> bool {
    let root = fs_err::canonicalize(context.store().root());
    root.is_ok_and(|root| real_folder.strip_prefix(root).is_ok_and(|below| !below.starts_with("mounts")))
}

/// The path that percent codes stand for; `None` when there are none.
fn decoded(text: &str) -> Option<PathBuf> {
    if !text.contains('%') {
        return None;
    }
    let bytes = percent_decode_bytes(text)?;
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
    }
    #[cfg(not(unix))]
    {
        String::from_utf8(bytes).ok().map(PathBuf::from)
    }
}
