//! Which folder is chosen: by path, by name, by header, and when nothing may be chosen.

use super::*;
use crate::fetch::tree::tests::listing_of;

const ONE: &str = "ce013625030ba8dba906f756967f9e9ca394464a";
const TWO: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

fn repository() -> RepoSlug {
    RepoSlug::parse("owner/pdf-tools").unwrap()
}

/// A list of files; those whose path ends in `!` have another content, in `@` are links.
fn listing(paths: &[&str]) -> TreeListing {
    let files: Vec<(String, &str, &str, u64)> = paths
        .iter()
        .map(|path| {
            let mode = if path.ends_with('@') { "120000" } else { "100644" };
            let id = if path.ends_with('!') { TWO } else { ONE };
            (path.trim_end_matches(['!', '@']).to_owned(), mode, id, 6)
        })
        .collect();
    listing_of(&files)
}

fn reference(path: &str) -> String {
    format!("owner/pdf-tools//{path}@v1")
}

fn named(paths: &[&str], name: &str) -> Result<Named, FetchError> {
    by_name(&listing(paths), &repository(), name, &Rules::default(), &reference)
}

fn folder_named(paths: &[&str], name: &str) -> String {
    match named(paths, name).unwrap() {
        Named::Folder(folder) => folder.path,
        Named::Headers(files) => panic!("{files:?}"),
    }
}

#[test]
fn a_path_is_taken_at_its_word() {
    let listing = listing(&["SKILL.md", "skills/pdf/SKILL.md", "skills/pdf/a/b.md", "skills/xls/readme.md"]);
    for (path, expected) in [
        ("skills/pdf", Ok("skills/pdf")),
        ("/skills/pdf/", Ok("skills/pdf")),
        ("skills/pdf/SKILL.md", Ok("skills/pdf")),
        ("", Ok("")),
        ("SKILL.md", Ok("")),
        ("skills", Err("skill_not_found")),
        ("skills/pdf/a", Err("skill_not_found")),
        ("skills/pdf/a/b.md", Err("skill_not_found")),
        ("skills/xls", Err("skill_not_found")),
        ("Skills/pdf", Err("skill_not_found")),
        ("xSKILL.md", Err("skill_not_found")),
        ("../skills/pdf", Err("skill_not_found")),
    ] {
        let found = by_path(&listing, &repository(), path);
        assert_eq!(
            found.as_ref().map(|found| found.path.as_str()).map_err(FetchError::code),
            expected,
            "{path}"
        );
    }
}

#[test]
fn another_spelling_or_a_link_is_said_to_be_one() {
    for (paths, expected) in [
        (&["x/skill.md"][..], "skill_file_case"),
        (&["x/Skill.MD"], "skill_file_case"),
        (&["x/SKILL.md@"], "tree_symlink"),
        (&["x/skill.md@"], "skill_not_found"),
        (&["x/a/skill.md"], "skill_not_found"),
        (&["x/SKILL.md/y"], "skill_not_found"),
    ] {
        assert_eq!(by_path(&listing(paths), &repository(), "x").unwrap_err().code(), expected, "{paths:?}");
    }
    assert!(by_path(&listing(&["x/skill.md", "x/SKILL.md"]), &repository(), "x").is_ok());
}

#[test]
fn what_is_not_there_has_similar_names() {
    let listing =
        listing(&["a/pdf-reader/SKILL.md", "b/pdf-writer!/SKILL.md", "c/xls/SKILL.md", "d/pdf/SKILL.md"]);
    match by_path(&listing, &repository(), "skills/pdf") {
        Err(FetchError::SkillNotFound { wanted, similar, .. }) => {
            assert_eq!(wanted, "skills/pdf");
            assert_eq!(similar, ["d/pdf", "a/pdf-reader", "b/pdf-writer!"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_name_is_a_folder_name_in_its_own_spelling_or_by_its_slug() {
    for (paths, name, expected) in [
        (&["a/pdf/SKILL.md", "b/xls/SKILL.md!"][..], "pdf", "a/pdf"),
        (&["a/PDF Reader/SKILL.md"], "pdf-reader", "a/PDF Reader"),
        (&["a/pdf-reader/SKILL.md"], "PDF Reader", "a/pdf-reader"),
        (&["a/PDF/SKILL.md!", "b/pdf/SKILL.md"], "pdf", "b/pdf"),
        (&["a/PDF/SKILL.md!", "b/pdf/SKILL.md"], "PDF", "a/PDF"),
        (&["SKILL.md"], "pdf-tools", ""),
        (&["SKILL.md"], "PDF Tools", ""),
        (&["b/pdf/SKILL.md", "a/pdf/SKILL.md"], "pdf", "a/pdf"),
        (&["pdf/pdf/SKILL.md!", "x/pdf/readme.md"], "pdf", "pdf/pdf"),
    ] {
        assert_eq!(folder_named(paths, name), expected, "{paths:?} {name}");
    }
}

#[test]
fn several_different_skills_of_a_name_are_listed() {
    let error = named(&["b/pdf/SKILL.md", "a/pdf/SKILL.md!", "c/pdf/SKILL.md"], "pdf").unwrap_err();
    match error {
        FetchError::Ambiguous { name, places } => {
            assert_eq!(name, "pdf");
            let expected = ["a/pdf", "b/pdf"].map(|path| format!("owner/pdf-tools//{path}@v1"));
            assert_eq!(places, expected);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn headers_are_asked_when_no_folder_has_the_name() {
    let Ok(Named::Headers(files)) = named(&["a/one/SKILL.md", "b/two/SKILL.md!"], "pdf") else { panic!() };
    let paths: Vec<&str> = files.iter().map(|file| file.folder.path.as_str()).collect();
    assert_eq!(paths, ["a/one", "b/two"]);
    let with = |names: [&str; 2], wanted: &str| {
        let headers = files.iter().cloned().zip(names.map(str::to_owned)).collect();
        by_header(headers, &repository(), wanted, &reference).map(|folder| folder.path)
    };
    assert_eq!(with(["x", "pdf"], "pdf").unwrap(), "b/two");
    assert_eq!(with(["x", "PDF!"], "pdf").unwrap(), "b/two");
    assert_eq!(with(["pdf", "PDF"], "pdf").unwrap(), "a/one");
    assert_eq!(with(["pdf", "pdf"], "pdf").unwrap_err().code(), "skill_ambiguous");
    assert_eq!(with(["x", "y"], "pdf").unwrap_err().code(), "skill_not_found");
}

#[test]
fn only_so_many_headers_are_read() {
    let paths = |count: usize| (0..count).map(|index| format!("s{index}/SKILL.md")).collect::<Vec<_>>();
    let ask = |count: usize| {
        let paths = paths(count);
        named(&paths.iter().map(String::as_str).collect::<Vec<_>>(), "pdf")
    };
    assert!(matches!(ask(MAX_HEADERS), Ok(Named::Headers(_))));
    assert_eq!(ask(MAX_HEADERS + 1).unwrap_err().code(), "skill_not_found");
    assert_eq!(ask(0).unwrap_err().code(), "skill_not_found");
}
