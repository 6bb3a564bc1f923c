//! The skills that come with the release, so that a first run has something to offer.
//!
//! They are part of the program: no file is read, and their origin is the release itself.

/// One bundled skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BundledSkill {
    /// Its name, equal to the name in its frontmatter.
    pub name: &'static str,
    /// Its files by path, `SKILL.md` first.
    pub files: &'static [(&'static str, &'static str)],
}

impl BundledSkill {
    /// The text of its `SKILL.md`.
    pub fn skill_file(&self) -> &'static str {
        self.files[0].1
    }

    /// The place that a catalog names; `skillflux load` takes it.
    pub fn location(&self) -> String {
        format!("skill://skillflux/{}/SKILL.md", self.name)
    }
}

/// Every bundled skill, in byte order of the names.
pub const BUNDLED: &[BundledSkill] = &[
    BundledSkill {
        name: "prepare-decision",
        files: &[
            ("SKILL.md", include_str!("bundled/prepare-decision/SKILL.md")),
            (
                "references/decision-brief-template.md",
                include_str!("bundled/prepare-decision/references/decision-brief-template.md"),
            ),
        ],
    },
    BundledSkill {
        name: "summarize-report",
        files: &[
            ("SKILL.md", include_str!("bundled/summarize-report/SKILL.md")),
            (
                "references/report-checklist.md",
                include_str!("bundled/summarize-report/references/report-checklist.md"),
            ),
        ],
    },
    BundledSkill {
        name: "using-skillflux",
        files: &[
            ("SKILL.md", include_str!("bundled/using-skillflux/SKILL.md")),
            ("references/commands.md", include_str!("bundled/using-skillflux/references/commands.md")),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::{Limits, lint, path::SkillPath};

    #[test]
    fn every_bundled_skill_is_valid_and_within_the_first_format() {
        for skill in BUNDLED {
            let findings = lint::lint(skill.skill_file().as_bytes(), skill.name, &Limits::default());
            assert!(findings.is_empty(), "{}: {findings:?}", skill.name);
            let parsed = crate::skill::frontmatter::parse(
                skill.skill_file().as_bytes(),
                skill.name,
                &Limits::default(),
            );
            let frontmatter = parsed.outcome.unwrap();
            assert_eq!(frontmatter.name, skill.name);
            assert!(frontmatter.version().is_some(), "{} needs metadata.version", skill.name);
            assert!(skill.skill_file()[parsed.body].len() <= 32 * 1024);
            assert_eq!(skill.files[0].0, "SKILL.md");
            for (path, content) in skill.files {
                assert!(SkillPath::parse(path).is_ok(), "{path}");
                assert!(path.rsplit_once('.').is_some_and(|(_, extension)| extension == "md"));
                assert!(content.len() <= 64 * 1024 && !content.contains('\0'));
            }
        }
        assert!(BUNDLED.is_sorted_by(|left, right| left.name < right.name));
    }
}
