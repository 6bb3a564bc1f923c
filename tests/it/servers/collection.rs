//! The large collection: one repository with 300 skills and every oddity that real collections have.

use super::repository::Repository;

const SUBJECTS: &[&str] = &[
    "ledger", "tide", "harbour", "invoice", "garden", "weather", "recipe", "library", "orchard", "railway",
    "museum", "pottery", "survey", "beacon", "quarry", "festival", "archive",
];
const TASKS: &[&str] = &[
    "summary",
    "audit",
    "export",
    "planner",
    "checker",
    "report",
    "importer",
    "reviewer",
    "labels",
    "forecast",
    "digest",
    "converter",
    "index",
    "timeline",
    "outline",
    "glossary",
    "inventory",
];
/// How many files are called `SKILL.md`.
pub(crate) const SKILLS: usize = 300;
const ODD_SKILLS: usize = 11;
const PLUGINS: usize = 60;

/// 300 skills: plain ones in `skills/` and `plugins/*/skills/`, one at the root, one inside another, duplicates
/// by name (two of them with the same bytes), a link, a submodule, a Git LFS pointer, 30 files with every byte
/// value, a folder that is named otherwise than its header says; and one more `skill.md` in lower case.
pub(crate) fn big_collection() -> Repository {
    let repository = Repository::new("quarry-works/big-collection");
    repository.set(|facts| {
        facts.owner_type = "Organization";
        facts.stars = 4200;
        facts.forks = 310;
    });
    repository.file("README.md", "# Big collection\n\nSkills for every trade.\n");
    repository.file("LICENSE", "Use it as you like.\n");
    odd_skills(&repository);
    for index in 0..SKILLS - ODD_SKILLS {
        let subject = SUBJECTS[index % SUBJECTS.len()];
        let task = TASKS[index / SUBJECTS.len() % TASKS.len()];
        let name = format!("{subject}-{task}");
        let folder = if index < PLUGINS {
            format!("plugins/{}-kit/skills/{name}", SUBJECTS[index % 10])
        } else {
            format!("skills/{name}")
        };
        plain_skill(&repository, &folder, &name, subject, task, index);
    }
    repository.commit("three hundred skills");
    repository
}

/// The text of a skill.
pub(crate) fn skill_text(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n\nSteps for {name}.\n")
}

fn plain_skill(repository: &Repository, folder: &str, name: &str, subject: &str, task: &str, index: usize) {
    let description = format!("Prepares the {task} of a {subject}. Use when the {subject} needs a {task}.");
    repository.file(&format!("{folder}/SKILL.md"), skill_text(name, &description));
    if index.is_multiple_of(3) {
        repository.file(&format!("{folder}/references/guide.md"), format!("# Guide {index}\n"));
    }
    if index.is_multiple_of(5) {
        repository.executable(&format!("{folder}/scripts/run.sh"), format!("#!/bin/sh\necho {index}\n"));
    }
}

fn odd_skills(repository: &Repository) {
    let skill = |folder: &str, name: &str, description: &str| {
        let path = if folder.is_empty() { "SKILL.md".to_owned() } else { format!("{folder}/SKILL.md") };
        repository.file(&path, skill_text(name, description));
    };
    skill("", "big-collection", "Says which of the skills of this collection to use.");
    skill("skills/outer-box", "outer-box", "Packs a box. Use when a box is packed.");
    skill("skills/outer-box/inner-box", "inner-box", "Packs a box into a box.");
    skill("skills/changelog-writer", "changelog-writer", "Writes a changelog from commits.");
    skill("plugins/release-kit/skills/changelog-writer", "changelog-writer", "Writes release notes.");
    skill("community/changelog-writer", "changelog-writer", "Writes a changelog from commits.");
    skill("skills/linked-notes", "linked-notes", "Keeps notes beside a link.");
    repository
        .file("shared/notes.md", "# Notes\n")
        .symlink("skills/linked-notes/notes.md", "../../shared/notes.md");
    skill("skills/vendored-parser", "vendored-parser", "Parses with what another repository holds.");
    repository.submodule("skills/vendored-parser/vendor", "1f2e3d4c5b6a79880123456789abcdef01234567");
    repository.file(
        ".gitmodules",
        "[submodule \"vendor\"]\n\tpath = skills/vendored-parser/vendor\n\turl = https://example.test/parser.git\n",
    );
    skill("skills/large-model", "large-model", "Holds a model that Git LFS keeps elsewhere.");
    let oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 12345678\n");
    repository.file("skills/large-model/model.bin", pointer);
    skill("skills/asset-pack", "asset-pack", "Carries pictures for reports.");
    for number in 0_u8..29 {
        let bytes: Vec<u8> = (0..=255_u8).cycle().skip(usize::from(number)).take(700).collect();
        repository.file(&format!("skills/asset-pack/assets/picture-{number:02}.bin"), bytes);
    }
    skill("skills/other-folder", "report-composer", "Composes reports from parts.");
    repository.file("skills/lower-case/skill.md", skill_text("lower-case", "Is named in lower case."));
}
