//! `show`: everything that is known about one skill, without its body.

use std::process::ExitCode;

use super::{opened::Opened, wire_skill};
use crate::{
    cli::{GlobalArgs, SkillArgs},
    output::{Output, human, wire},
    skill::lint,
};

/// Prints the skill.
pub(super) fn run(args: &SkillArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let opened = Opened::open(&args.skill, global, output)?;
    let (skill, snapshot) = (opened.skill(), &opened.snapshot);
    let findings = lint::lint(opened.content()?, skill.folder_name(), &opened.limits);
    let frontmatter = &skill.frontmatter;
    let document = wire::Show {
        schema: "skillflux.show/1",
        skill: wire_skill::skill(skill, &opened.discovery),
        when_to_use: frontmatter.when_to_use.clone(),
        when_not_to_use: frontmatter.when_not_to_use.clone(),
        license: frontmatter.license.clone(),
        compatibility: frontmatter.compatibility.clone(),
        allowed_tools: frontmatter.allowed_tools.clone(),
        argument_hint: frontmatter.argument_hint.clone(),
        metadata: frontmatter.metadata.iter().cloned().collect(),
        extra_keys: frontmatter.extra_keys.clone(),
        digest: format!("sha256:{}", snapshot.digest),
        files: wire_skill::resources(snapshot),
        left_out: wire_skill::left_out(&snapshot.notes),
        lint: findings
            .into_iter()
            .map(|finding| wire::Finding {
                rule: finding.rule,
                message: finding.message,
                line: finding.line,
                column: finding.column,
            })
            .collect(),
    };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::show(&document))?;
    }
    Ok(ExitCode::SUCCESS)
}
