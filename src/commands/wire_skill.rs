//! A skill, its files and its oddities as wire structs: shared by `list`, `show`, `load` and `read`.

use std::path::Path;

use crate::{
    output::{wire, wire_remote},
    skill::{diagnostic::Diagnostic, path::SkillPath, resource::Kind, text::CatalogText, tree::TreeFile},
    source::{
        folder::{Note, Reason, Snapshot},
        local::{Discovery, LocalSkill, RootReport, Standing},
        stored::Stored,
    },
};

/// A skill as `list` shows it.
pub(super) fn skill(skill: &LocalSkill, discovery: &Discovery) -> wire::Skill {
    let frontmatter = &skill.frontmatter;
    let (standing, behind) = match &skill.standing {
        Standing::Active => ("active", None),
        Standing::Shadowed(winner) => {
            ("shadowed", Some(discovery.skills[*winner].location().display().to_string()))
        }
        Standing::Nested(outer) => ("nested", Some(outer.display().to_string())),
    };
    let name = frontmatter.slug.to_string();
    wire::Skill {
        title: (frontmatter.name != name).then(|| frontmatter.name.clone()),
        name,
        description: frontmatter.description.clone(),
        version: frontmatter.version().map(str::to_owned),
        root: discovery.roots[skill.root].root.label.clone(),
        location: skill.location().display().to_string(),
        standing,
        behind,
        aliases: aliases(skill),
        model_invocable: frontmatter.model_invocable,
        user_invocable: frontmatter.user_invocable,
        pin: skill.stored.as_deref().map(pin),
        warnings: skill.warnings.iter().map(diagnostic).collect(),
    }
}

/// Each further path once, however many roots lead to it.
fn aliases(skill: &LocalSkill) -> Vec<String> {
    let mut paths: Vec<String> = skill.aliases.iter().map(|alias| alias.path.display().to_string()).collect();
    paths.dedup();
    paths.retain(|path| Path::new(path) != skill.location().parent().unwrap_or(Path::new("")));
    paths
}

/// A root as `list` and `status` show it.
pub(super) fn root(report: &RootReport) -> wire::Root {
    wire::Root {
        label: report.root.label.clone(),
        scope: report.root.scope.as_str(),
        path: report.root.path.display().to_string(),
        agents: report.root.agents.clone(),
        same_as: report.same_as.clone(),
    }
}

/// A diagnostic with its remedy.
pub(super) fn diagnostic(diagnostic: &Diagnostic) -> wire::Diagnostic {
    let position = |number: u32| (number > 0).then_some(number);
    wire::Diagnostic {
        code: diagnostic.label(),
        line: position(diagnostic.line),
        column: position(diagnostic.column),
        remedy: diagnostic.code.remedy(),
    }
}

/// Where a skill's bytes come from.
pub(super) fn provenance(skill: &LocalSkill, discovery: &Discovery) -> wire::Provenance {
    wire::Provenance {
        origin: skill.origin().as_str(),
        root: discovery.roots[skill.root].root.label.clone(),
        location: skill.location().display().to_string(),
        pin: skill.stored.as_deref().map(pin),
        evidence: skill.stored.as_ref().map(|stored| stored.evidence),
    }
}

/// Where a stored skill comes from.
pub(super) fn pin(stored: &Stored) -> wire_remote::Pin {
    wire_remote::Pin {
        host: stored.host.clone(),
        repository: stored.repository.clone(),
        repository_id: stored.repository_id,
        commit: stored.commit.to_string(),
        path: Some(stored.path.clone()),
    }
}

/// The files of a skill.
pub(super) fn resources(snapshot: &Snapshot) -> Vec<wire::Resource> {
    snapshot.files.iter().map(resource).collect()
}

fn resource(file: &TreeFile) -> wire::Resource {
    wire::Resource {
        path: file.path.to_string(),
        kind: Kind::of(&file.path).as_str(),
        size: file.size,
        executable: file.executable,
        sha256: hex(&file.sha256),
    }
}

/// What a digest does not cover.
pub(super) fn left_out(notes: &[Note]) -> Vec<wire::LeftOut> {
    let code = |note: &Note| match &note.reason {
        Reason::Link => "link".to_owned(),
        Reason::Special => "special".to_owned(),
        Reason::Collision => "path_collision".to_owned(),
        Reason::Path(error) => error.code().to_owned(),
        Reason::Omitted(code) => code.clone(),
    };
    // A name that failed the path checks can hold anything, also bytes that are no text.
    let path = |note: &Note| CatalogText::location(&note.path).as_str().to_owned();
    notes.iter().map(|note| wire::LeftOut { path: path(note), code: code(note) }).collect()
}

/// The path of the skill's own file in its folder.
pub(super) fn skill_file(skill: &LocalSkill) -> anyhow::Result<SkillPath> {
    let location = skill.location();
    let name = location.file_name().and_then(|name| name.to_str()).unwrap_or("SKILL.md");
    Ok(SkillPath::parse(name)?)
}

/// Lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8; 32]) -> String {
    crate::skill::id::TreeDigest::from_bytes(*bytes).to_string()
}
