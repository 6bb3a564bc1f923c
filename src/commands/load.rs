//! `load`: a skill's instructions with the list of its resources, as an agent reads them.

use std::{path::Path, process::ExitCode};

use super::{failure::Failure, opened::Opened, wire_skill};
use crate::{
    cli::{GlobalArgs, SkillArgs},
    output::{Output, wire},
    route::activation::{self, Activation, ActivationFile},
    skill::{frontmatter, resource::Kind, text::CatalogText},
};

/// Prints the skill.
pub(super) fn run(args: &SkillArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let opened = Opened::open(&args.skill, global, output)?;
    let (skill, snapshot, content) = (opened.skill(), &opened.snapshot, opened.content()?);
    // The body is cut from the bytes that were hashed, not from those that were listed before.
    let parsed = frontmatter::parse(content, skill.folder_name(), &opened.limits);
    let frontmatter =
        parsed.outcome.map_err(|diagnostic| Failure::NotASkill { place: opened.place(), diagnostic })?;
    let body = String::from_utf8_lossy(&content[parsed.body]).into_owned();
    if global.json {
        let document = wire::Load {
            schema: "skillflux.load/1",
            name: frontmatter.slug.to_string(),
            version: frontmatter.version().map(str::to_owned),
            provenance: wire_skill::provenance(skill, &opened.discovery),
            digest: format!("sha256:{}", snapshot.digest),
            body,
            resources: wire_skill::resources(snapshot)
                .into_iter()
                .filter(|resource| resource.path != opened.skill_file.as_str())
                .collect(),
            left_out: wire_skill::left_out(&snapshot.notes),
        };
        output.json(&document)?;
        return Ok(ExitCode::SUCCESS);
    }
    let files = snapshot.files.iter().filter(|file| file.path != opened.skill_file);
    let activation = Activation {
        name: frontmatter.slug.clone(),
        version: frontmatter.version().map(CatalogText::label),
        digest: snapshot.digest,
        location: CatalogText::location(&skill.location()),
        body: &body,
        files: files
            .map(|file| ActivationFile {
                path: CatalogText::location(Path::new(file.path.as_str())),
                kind: Kind::of(&file.path),
                size: file.size,
            })
            .collect(),
        left_out: snapshot.notes.iter().map(|note| CatalogText::location(&note.path)).collect(),
    };
    output.document(&activation::render(&activation))?;
    Ok(ExitCode::SUCCESS)
}
