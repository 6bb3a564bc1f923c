//! Which files a skill has, and whether each may be one.
//!
//! Everything below the folder belongs to the skill, nested skills too. The checks need the list alone and
//! so come before the first download: paths that are safe everywhere and do not collide, plain files only,
//! and counts and sizes within the limits. What is refused may be left out when a person allowed its code,
//! except `SKILL.md` itself.

use super::{
    error::FetchError,
    pin::{Omitted, PinnedFile, Rules},
    tree::{Entry, TreeListing},
};
use crate::skill::{
    git::Mode,
    id::BlobSha,
    path::{PathSet, SkillPath, SkillPathError},
};

/// The files of a skill.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Contents {
    /// What belongs to it, in byte order of the paths.
    pub(super) files: Vec<PinnedFile>,
    /// What was left out.
    pub(super) omitted: Vec<Omitted>,
}

/// Checks everything below `folder`.
pub(super) fn check(listing: &TreeListing, folder: &str, rules: &Rules) -> Result<Contents, FetchError> {
    let mut contents = Contents { files: Vec::new(), omitted: Vec::new() };
    let mut paths = PathSet::default();
    let mut bytes = 0_u64;
    for (path, entry) in listing.below(folder) {
        // Finder's leftovers say nothing and would only make digests differ.
        if entry.mode == Mode::Tree || path.rsplit('/').next() == Some(".DS_Store") {
            continue;
        }
        let file = match check_entry(path, entry, rules, &mut paths) {
            Ok(file) => file,
            Err(code) if path != "SKILL.md" && rules.allow.contains(code) => {
                contents.omitted.push(Omitted { path: path.to_owned(), code });
                continue;
            }
            Err(code) => return Err(FetchError::Refused { path: path.to_owned(), code }),
        };
        if contents.files.len() == rules.limits.files {
            return Err(FetchError::TooManyFiles { limit: rules.limits.files });
        }
        bytes = bytes
            .checked_add(file.size.unwrap_or(0))
            .filter(|sum| *sum <= rules.limits.skill_bytes)
            .ok_or(FetchError::TooLarge { limit: rules.limits.skill_bytes })?;
        contents.files.push(file);
    }
    Ok(contents)
}

fn check_entry(
    path: &str,
    entry: &Entry,
    rules: &Rules,
    paths: &mut PathSet,
) -> Result<PinnedFile, &'static str> {
    let path = SkillPath::parse(path).map_err(SkillPathError::code)?;
    let executable = match entry.mode {
        Mode::File => false,
        Mode::Executable => true,
        Mode::Link => return Err("tree_symlink"),
        Mode::Submodule => return Err("tree_submodule"),
        Mode::Tree => return Err("tree_type"),
    };
    if path.as_str() == "SKILL.md" && entry.size.is_some_and(|size| size > rules.limits.skill_file_bytes) {
        return Err("file_too_large");
    }
    let blob = BlobSha::parse(&entry.id).map_err(|_| "tree_entry_id")?;
    paths.insert(&path).map_err(|_| "path_collision")?;
    Ok(PinnedFile { path, blob, size: entry.size, executable })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fetch::tree::tests::listing_of, skill::Limits};

    const BLOB: &str = "ce013625030ba8dba906f756967f9e9ca394464a";

    fn check_paths(paths: &[&str], rules: &Rules) -> Result<Contents, FetchError> {
        let files: Vec<(String, &str, &str, u64)> =
            paths.iter().map(|path| (format!("skills/x/{path}"), "100644", BLOB, 6)).collect();
        check(&listing_of(&files), "skills/x", rules)
    }

    fn refusal(result: Result<Contents, FetchError>) -> (String, &'static str) {
        match result {
            Err(FetchError::Refused { path, code }) => (path, code),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn paths_that_are_not_safe_everywhere_are_refused() {
        let long_name = format!("{}.md", "n".repeat(300));
        let deep = format!("{}f.md", "d/".repeat(200));
        for (path, code) in [
            ("..\\..\\evil.md", "path_character"),
            ("C:evil.md", "path_reserved"),
            ("SKILL.md:hidden", "path_reserved"),
            ("CON.md", "path_device_name"),
            ("aux", "path_device_name"),
            ("COM¹.md", "path_device_name"),
            ("name.", "path_reserved"),
            ("name ", "path_reserved"),
            (".git/hooks/post-checkout", "path_git_folder"),
            ("GIT~1/config", "path_git_folder"),
            (".g\u{200c}it/config", "path_git_folder"),
            ("a\u{1b}[2Jb.md", "path_character"),
            ("a\nb.md", "path_character"),
            ("\u{202e}gpj.exe", "path_character"),
            (&long_name, "path_too_long"),
            (&deep, "path_too_long"),
            (&"n".repeat(101), "path_segment_too_long"),
            (&format!("{}f.md", "d/".repeat(16)), "path_too_deep"),
            ("~", "path_reserved"),
            ("a\u{fffd}b", "path_encoding"),
        ] {
            let rules = Rules::default();
            assert_eq!(
                refusal(check_paths(&["SKILL.md", path], &rules)),
                (path.to_owned(), code),
                "{path:?}"
            );
        }
    }

    #[test]
    fn collisions_are_refused() {
        for pair in
            [["README.md", "readme.md"], ["caf\u{e9}.md", "cafe\u{301}.md"], ["straße.md", "STRASSE.md"]]
        {
            let (_, code) = refusal(check_paths(&pair, &Rules::default()));
            assert_eq!(code, "path_collision", "{pair:?}");
        }
        let (_, code) = refusal(check_paths(&["A/x", "a/y"], &Rules::default()));
        assert_eq!(code, "path_collision");
    }

    #[test]
    fn odd_but_harmless_names_and_nested_skills_belong_to_it() {
        let paths =
            ["-rf", "$HOME.md", "desktop.ini", ".hidden", "SKILL.md", "inner/SKILL.md", "资料/说明.md"];
        let contents = check_paths(&paths, &Rules::default()).unwrap();
        assert_eq!(contents.files.len(), paths.len());
        let with_leftovers = ["SKILL.md", ".DS_Store", "a/.DS_Store"];
        assert_eq!(check_paths(&with_leftovers, &Rules::default()).unwrap().files.len(), 1);
    }

    #[test]
    fn what_lies_elsewhere_does_not_matter() {
        let files = [
            ("skills/x/SKILL.md".to_owned(), "100644", BLOB, 6),
            ("skills/x-other/CON".to_owned(), "100644", BLOB, 6),
            ("a:b".to_owned(), "100644", BLOB, u64::MAX),
            ("link".to_owned(), "120000", BLOB, 6),
        ];
        let contents = check(&listing_of(&files), "skills/x", &Rules::default()).unwrap();
        assert_eq!(contents.files.len(), 1);
        assert_eq!(contents.files[0].path.as_str(), "SKILL.md");
    }

    #[test]
    fn links_and_submodules_are_refused_or_left_out() {
        let files = [
            ("SKILL.md".to_owned(), "100755", BLOB, 6),
            ("link".to_owned(), "120000", BLOB, 6),
            ("module".to_owned(), "160000", BLOB, 0),
        ];
        let listing = listing_of(&files);
        let mut rules = Rules::default();
        assert_eq!(refusal(check(&listing, "", &rules)), ("link".into(), "tree_symlink"));
        rules.allow.insert("tree_symlink".into());
        assert_eq!(refusal(check(&listing, "", &rules)), ("module".into(), "tree_submodule"));
        rules.allow.insert("tree_submodule".into());
        let contents = check(&listing, "", &rules).unwrap();
        assert!(contents.files[0].executable);
        let codes: Vec<(&str, &str)> =
            contents.omitted.iter().map(|omitted| (omitted.path.as_str(), omitted.code)).collect();
        assert_eq!(codes, [("link", "tree_symlink"), ("module", "tree_submodule")]);
    }

    #[test]
    fn limits_hold_before_anything_is_downloaded() {
        let with = |sizes: &[u64], limits: Limits| {
            let files: Vec<_> = sizes
                .iter()
                .enumerate()
                .map(|(index, size)| {
                    (if index == 0 { "SKILL.md".into() } else { format!("f{index}") }, "100644", BLOB, *size)
                })
                .collect();
            check(&listing_of(&files), "", &Rules { limits, ..Rules::default() })
        };
        let limits = Limits { files: 3, skill_bytes: 100, skill_file_bytes: 50, ..Limits::default() };
        assert!(with(&[50, 25, 25], limits).is_ok());
        assert_eq!(refusal(with(&[51], limits)), ("SKILL.md".into(), "file_too_large"));
        assert!(matches!(with(&[1, 100], limits), Err(FetchError::TooLarge { limit: 100 })));
        assert!(matches!(with(&[1, u64::MAX, 2], limits), Err(FetchError::TooLarge { .. })));
        assert!(matches!(with(&[1, 1, 1, 1], limits), Err(FetchError::TooManyFiles { limit: 3 })));
    }
}
