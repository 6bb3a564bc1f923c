//! Lists of trees: every change to a true one is noticed, and every impossible entry has its code.

use std::{path::Path, process::Command};

use proptest::prelude::*;

use super::*;

const BLOB: &str = "ce013625030ba8dba906f756967f9e9ca394464a";

/// What `git ls-tree` or a host would list of a commit with these files: path, mode, id and size.
pub(in crate::fetch) fn items_of(files: &[(String, &str, &str, u64)]) -> (TreeSha, Vec<Item>) {
    let mut folders: BTreeMap<String, Vec<(String, Mode, String)>> = BTreeMap::new();
    let mut items = Vec::new();
    folders.entry(String::new()).or_default();
    for (path, mode, id, size) in files {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mode_of = Mode::parse(mode).unwrap();
        folders.entry(folder.to_owned()).or_default().push((name.to_owned(), mode_of, (*id).to_owned()));
        let mut above = folder;
        while let Some((next, _)) = above.rsplit_once('/') {
            folders.entry(next.to_owned()).or_default();
            above = next;
        }
        let kind = if mode_of == Mode::Submodule { "commit" } else { "blob" };
        items.push(item(path, mode, kind, id, (kind == "blob").then_some(*size)));
    }
    let mut names: Vec<String> = folders.keys().cloned().collect();
    names.sort_by_key(|name| std::cmp::Reverse(if name.is_empty() { 0 } else { name.split('/').count() }));
    for folder in names {
        let entries = &folders[&folder];
        let entries: Vec<git::TreeEntry<'_>> =
            entries.iter().map(|(name, mode, id)| git::TreeEntry { name, mode: *mode, id }).collect();
        let id = git::tree_id(&entries).unwrap().unwrap();
        if folder.is_empty() {
            return (id, items);
        }
        let (above, name) = folder.rsplit_once('/').unwrap_or(("", &folder));
        items.push(item(&folder, "040000", "tree", id.as_str(), None));
        folders.get_mut(above).unwrap().push((name.to_owned(), Mode::Tree, id.to_string()));
    }
    unreachable!("the root comes last")
}

/// The verified list of [`items_of`].
pub(in crate::fetch) fn listing_of(files: &[(String, &str, &str, u64)]) -> TreeListing {
    let (id, items) = items_of(files);
    TreeListing::verify(&id, items, Depth::Recursive, Sizes::Listed).unwrap()
}

fn item(path: &str, mode: &str, kind: &str, sha: &str, size: Option<u64>) -> Item {
    Item {
        path: path.to_owned(),
        mode: mode.to_owned(),
        kind: kind.to_owned(),
        sha: sha.to_owned(),
        size: size.map(serde_json::Number::from),
    }
}

fn verify(id: &TreeSha, items: Vec<Item>) -> Result<TreeListing, TreeError> {
    TreeListing::verify(id, items, Depth::Recursive, Sizes::Listed)
}

fn git(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "core.autocrlf=false"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// A commit of a real repository, as `git ls-tree -l` lists it.
fn real() -> (TreeSha, Vec<Item>) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (path, content) in [
        ("SKILL.md", "root\n"),
        ("a.b", "x"),
        ("a/one", "1"),
        ("a/deep/er/two", "2"),
        ("a-b/three", "3"),
        ("ünï/说明.md", "four"),
        ("empty", ""),
    ] {
        fs_err::create_dir_all(at.join(path).parent().unwrap()).unwrap();
        fs_err::write(at.join(path), content).unwrap();
    }
    git(at, &["init", "--quiet"]);
    git(at, &["add", "."]);
    git(at, &["update-index", "--chmod=+x", "a/one"]);
    git(at, &["update-index", "--add", "--cacheinfo", &format!("160000,{BLOB},module")]);
    let link = String::from_utf8(git(at, &["rev-parse", ":a.b"])).unwrap();
    git(at, &["update-index", "--add", "--cacheinfo", &format!("120000,{},a/link", link.trim())]);
    let tree = String::from_utf8(git(at, &["write-tree"])).unwrap();
    let list = String::from_utf8(git(at, &["ls-tree", "-r", "-t", "-l", "-z", tree.trim()])).unwrap();
    let items = list.split_terminator('\0').map(|line| {
        let (about, path) = line.split_once('\t').unwrap();
        let about: Vec<&str> = about.split_whitespace().collect();
        item(path, about[0], about[1], about[2], about[3].parse().ok())
    });
    (TreeSha::parse(tree.trim()).unwrap(), items.collect())
}

#[test]
fn a_real_tree_verifies_and_every_change_is_noticed() {
    let (id, items) = real();
    let listing = verify(&id, items.clone()).unwrap();
    assert_eq!(listing.folder(""), Some(id.clone()));
    assert_eq!(listing.skills().map(|(folder, _)| folder).collect::<Vec<_>>(), [""]);
    let below: Vec<&str> = listing.below("a").map(|(path, _)| path).collect();
    assert_eq!(below, ["deep", "deep/er", "deep/er/two", "link", "one"]);
    let mut reversed = items.clone();
    reversed.reverse();
    assert!(verify(&id, reversed).is_ok());
    let broken = |change: &dyn Fn(&mut Vec<Item>)| {
        let mut items = items.clone();
        change(&mut items);
        assert!(verify(&id, items).is_err());
    };
    for index in 0..items.len() {
        broken(&|items| drop(items.remove(index)));
        broken(&|items| items[index].path.push('x'));
        broken(&|items| items[index].sha = "1".repeat(40));
        broken(&|items| items.push(items[index].clone()));
        if items[index].kind == "blob" {
            broken(&|items| {
                let other = if items[index].mode == "100755" { "100644" } else { "100755" };
                items[index].mode = other.to_owned();
            });
            broken(&|items| items[index].size = None);
        }
        for other in 0..index {
            if items[index].sha != items[other].sha {
                broken(&|items| {
                    let sha = items[index].sha.clone();
                    items[index].sha = std::mem::replace(&mut items[other].sha, sha);
                });
            }
        }
    }
    broken(&|items| items.push(item("a/new", "100644", "blob", BLOB, Some(6))));
    broken(&|items| items.push(item("b/new", "100644", "blob", BLOB, Some(6))));
    broken(&|items| {
        items.push(item("b", "040000", "tree", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", None));
    });
    let other = TreeSha::parse(&"1".repeat(40)).unwrap();
    assert_eq!(verify(&other, items).unwrap_err().code(), "tree_wrong_id");
}

#[test]
fn a_flat_list_vouches_for_its_own_entries_only() {
    let (id, items) = real();
    let flat: Vec<Item> = items.iter().filter(|item| !item.path.contains('/')).cloned().collect();
    let listing = TreeListing::verify(&id, flat.clone(), Depth::Flat, Sizes::Listed).unwrap();
    assert_eq!(listing.folder("a").unwrap().as_str(), listing.get("a").unwrap().id);
    assert_eq!(listing.folder("a.b"), None);
    assert_eq!(verify(&id, flat.clone()).unwrap_err().code(), "tree_wrong_id");
    let deep = TreeListing::verify(&id, items, Depth::Flat, Sizes::Listed);
    assert_eq!(deep.unwrap_err().code(), "tree_orphan");
    let without_sizes = flat.into_iter().map(|item| Item { size: None, ..item }).collect();
    assert!(TreeListing::verify(&id, without_sizes, Depth::Flat, Sizes::Unknown).is_ok());
}

#[test]
fn impossible_entries_have_a_code() {
    let zero = "0".repeat(40);
    let (_, truth) = items_of(&[("skills/x/SKILL.md".to_owned(), "100644", BLOB, 6)]);
    let below = |path: &str| format!("skills/x/{path}");
    let blob = |path: &str| item(path, "100644", "blob", BLOB, Some(10));
    for (added, code) in [
        (vec![blob("skills/x/../../.bashrc")], "path_not_relative"),
        (vec![blob("/etc/cron.d/x")], "path_not_relative"),
        (vec![blob(&below("/double.md"))], "path_not_relative"),
        (vec![blob(&below("./dot.md"))], "path_not_relative"),
        (vec![blob("")], "path_not_relative"),
        (vec![blob("a/")], "path_not_relative"),
        (vec![blob("a\0b")], "path_character"),
        (vec![blob(&below("dir")), blob(&below("dir/file.md"))], "tree_clash"),
        (vec![blob(&below("dir")), blob(&below("dir/deep/file.md"))], "tree_clash"),
        (vec![blob(&below("none/file.md"))], "tree_orphan"),
        (vec![blob(&below("SKILL.md"))], "tree_duplicate"),
        (vec![blob("skills/x")], "tree_duplicate"),
        (vec![item(&below("m"), "100664", "blob", BLOB, Some(1))], "tree_mode"),
        (vec![item(&below("m"), "100666", "blob", BLOB, Some(1))], "tree_mode"),
        (vec![item(&below("m"), "", "blob", BLOB, Some(1))], "tree_mode"),
        (vec![item(&below("m"), "100644", "tree", BLOB, Some(1))], "tree_type"),
        (vec![item(&below("m"), "040000", "blob", BLOB, Some(1))], "tree_type"),
        (vec![item(&below("m"), "160000", "blob", BLOB, Some(1))], "tree_type"),
        (vec![item(&below("m"), "100644", "file", BLOB, Some(1))], "tree_type"),
        (vec![item(&below("m"), "100644", "blob", &zero, Some(1))], "tree_entry_id"),
        (vec![item(&below("m"), "100644", "blob", "abc", Some(1))], "tree_entry_id"),
        (vec![item(&below("m"), "100644", "blob", &"A".repeat(40), Some(1))], "tree_entry_id"),
        (vec![item(&below("m"), "100644", "blob", &"a".repeat(64), Some(1))], "tree_entry_id"),
        (vec![item(&below("m"), "100644", "blob", BLOB, None)], "tree_entry_size"),
        (vec![blob(&below("extra"))], "tree_wrong_id"),
        (vec![blob(&below("a\u{fffd}b"))], "path_encoding"),
    ] {
        let (id, _) = items_of(&[("skills/x/SKILL.md".to_owned(), "100644", BLOB, 6)]);
        let items = [truth.clone(), added.clone()].concat();
        assert_eq!(verify(&id, items).unwrap_err().code(), code, "{added:?}");
    }
}

#[test]
fn sizes_are_whole_and_not_negative() {
    let (id, _) = items_of(&[("f".to_owned(), "100644", BLOB, 6)]);
    for (size, fits) in
        [("6", true), ("0", true), ("-1", false), ("1.5", false), ("1e3", false), ("null", false)]
    {
        let text = format!(
            r#"{{"sha":"{id}","url":"u","tree":[{{"path":"f","mode":"100644","type":"blob","sha":"{BLOB}","size":{size}}}],"truncated":false}}"#
        );
        let answer: TreeAnswer = serde_json::from_str(&text).unwrap();
        assert_eq!(answer.sha, id.as_str());
        assert_eq!(verify(&id, answer.tree).is_ok(), fits, "{size}");
    }
}

#[test]
fn a_list_is_bounded() {
    let items = vec![item("f", "100644", "blob", BLOB, Some(1)); MAX_ENTRIES + 1];
    assert_eq!(verify(&TreeSha::parse(BLOB).unwrap(), items).unwrap_err().code(), "tree_too_large");
}

#[test]
fn folders_are_found_by_whole_segments() {
    let file = |path: &str| (path.to_owned(), "100644", BLOB, 6);
    let listing =
        listing_of(&[file("a/SKILL.md"), file("a-b/SKILL.md"), file("a/xSKILL.md"), file("SKILL.md")]);
    assert_eq!(listing.skills().map(|(folder, _)| folder).collect::<Vec<_>>(), ["", "a-b", "a"]);
    assert_eq!(listing.below("a").map(|(path, _)| path).collect::<Vec<_>>(), ["SKILL.md", "xSKILL.md"]);
    assert_eq!(listing.below("b").count(), 0);
    assert_eq!(listing.below("").count(), 6);
}

proptest! {
    #[test]
    fn no_list_makes_it_panic(entries in proptest::collection::vec(("[a/.]{0,6}", 0..6_usize), 0..8)) {
        let modes = ["100644", "100755", "120000", "160000", "040000", "100664"];
        let items = entries.iter().map(|(path, mode)| {
            let kind = ["blob", "blob", "blob", "commit", "tree", "blob"][*mode];
            item(path, modes[*mode], kind, BLOB, Some(1))
        });
        let _result = verify(&TreeSha::parse(BLOB).unwrap(), items.collect());
    }
}
