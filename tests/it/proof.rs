//! What a mount must leave behind, compared with what git says, and what must not be there afterwards.
//!
//! Nothing here trusts what the program says about itself: files are read from the disk, bytes come from
//! `git cat-file`.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{
    context::{Ran, TestContext},
    online::Online,
    servers::{objects::run, repository::Repository},
};

/// The longest that a command may take, whatever a host does.
const LONGEST: Duration = Duration::from_secs(40);

/// The files of a folder in a commit as git has them: path below the folder, mode, bytes. Links and
/// submodules are listed without bytes.
pub(crate) fn in_git(
    repository: &Repository,
    commit: &str,
    folder: &str,
) -> BTreeMap<String, (String, Vec<u8>)> {
    let listed = run(&repository.bare_path(), &["ls-tree", "-r", "-z", &format!("{commit}:{folder}")], b"");
    let listed = String::from_utf8(listed).unwrap();
    let entry = |line: &str| {
        let (about, path) = line.split_once('\t').unwrap();
        let words: Vec<&str> = about.split(' ').collect();
        let bytes = match words[0] {
            "100644" | "100755" => repository.object(words[2]).unwrap().bytes,
            _ => Vec::new(),
        };
        (path.to_owned(), (words[0].to_owned(), bytes))
    };
    listed.split_terminator('\0').map(entry).collect()
}

/// The files below a folder of this machine: path, permission bits, bytes. Panics at a link.
pub(crate) fn on_disk(folder: &Path) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut files = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap_or_else(|error| panic!("{}: {error}", next.display())) {
            let path = entry.unwrap().path();
            let kind = fs::symlink_metadata(&path).unwrap();
            assert!(kind.is_file() || kind.is_dir(), "`{}` is neither file nor folder", path.display());
            if kind.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                files.insert(name, (kind.permissions().mode() & 0o7777, fs::read(&path).unwrap()));
            }
        }
    }
    files
}

/// Asserts that a mounted skill has exactly the files of a folder of a commit, less those it says it left
/// out, byte for byte, in the view and in the store, with the modes that each must have.
pub(crate) fn assert_mounted(
    online: &Online,
    mount: &Value,
    repository: &Repository,
    commit: &str,
    folder: &str,
) {
    let omitted: Vec<&str> = mount["omitted"]
        .as_array()
        .map_or_else(Vec::new, |files| files.iter().map(|file| file["path"].as_str().unwrap()).collect());
    let mut expected: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (path, (mode, bytes)) in in_git(repository, commit, folder) {
        if omitted.contains(&path.as_str()) {
            continue;
        }
        assert!(mode.starts_with("100"), "{path} is no plain file and was not left out: {mount}");
        expected.insert(path, bytes);
    }
    assert_eq!(usize::try_from(mount["files"].as_u64().unwrap()), Ok(expected.len()), "{mount}");
    let view = place(&online.context, mount["folder"].as_str().unwrap());
    let digest = mount["digest"].as_str().unwrap().strip_prefix("sha256:").unwrap();
    let store = store(online).join("store").join(&digest[..2]).join(digest).join("tree");
    for (place, allowed) in [(view, 0o644), (store, 0o444)] {
        let found = on_disk(&place);
        let names: Vec<&String> = found.keys().collect();
        assert_eq!(names, expected.keys().collect::<Vec<_>>(), "{}", place.display());
        for (path, (mode, bytes)) in &found {
            assert_eq!(*mode, allowed, "{} {path}", place.display());
            assert!(*bytes == expected[path], "{path} in {} has other bytes than git", place.display());
        }
    }
}

/// The store's folder of this version.
pub(crate) fn store(online: &Online) -> PathBuf {
    online.context.home().join("skillflux/cache/v1")
}

/// Asserts that no skill was stored, no view was made, and nothing lies in staging.
pub(crate) fn assert_nothing_kept(online: &Online, what: &str) {
    for folder in ["staging", "store", "pins", "mounts", "trash", "leases"] {
        let left = names_below(&store(online).join(folder));
        assert!(left.is_empty(), "{what}: `{folder}` holds {left:?}");
    }
}

/// Asserts that staging is empty.
pub(crate) fn assert_nothing_staged(online: &Online, what: &str) {
    let left = names_below(&store(online).join("staging"));
    assert!(left.is_empty(), "{what}: staging holds {left:?}");
}

/// Every path below a folder that may be missing, also of links and folders.
pub(crate) fn names_below(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        let Ok(entries) = fs::read_dir(&next) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            names.push(path.strip_prefix(folder).unwrap().to_string_lossy().into_owned());
            if fs::symlink_metadata(&path).unwrap().is_dir() {
                open.push(path);
            }
        }
    }
    names.sort();
    names
}

/// What the program did, and how long it took; it is ended and the test fails when it takes too long.
pub(crate) fn bounded(context: &TestContext, command: &mut Command) -> (Ran, Duration) {
    let begun = Instant::now();
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let id = child.id().to_string();
    let (done, ended) = mpsc::channel();
    let waiting = thread::spawn(move || done.send(child.wait_with_output()));
    let output = ended.recv_timeout(LONGEST).unwrap_or_else(|_| {
        Command::new("kill").args(["-9", &id]).status().unwrap();
        panic!("{command:?} was still busy after {LONGEST:?}")
    });
    let took = begun.elapsed();
    waiting.join().expect("waiting does not panic").expect("somebody takes it");
    (Ran::new(context, &output.unwrap()), took)
}

/// The path behind one that the program printed, with the words of [`TestContext::filter`] in it.
fn place(context: &TestContext, printed: &str) -> PathBuf {
    let place = printed.replace("[HOME]", &context.home().display().to_string());
    PathBuf::from(place.replace("[PROJECT]", &context.project().display().to_string()))
}

/// Text without what differs from run to run: ports, ids, digests, times.
pub(crate) fn steady(text: &str) -> String {
    let mut steady = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("127.0.0.1:") {
            let port = after.len() - after.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
            steady += "[HOST]";
            rest = &after[port..];
            continue;
        }
        let word = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric()).len();
        let is_hex = rest[..word].bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        match word {
            40 if is_hex => steady += "[ID]",
            64 if is_hex => steady += "[DIGEST]",
            0 => steady.push(first),
            _ => steady += &rest[..word],
        }
        rest = &rest[word.max(if word == 0 { first.len_utf8() } else { 0 })..];
    }
    steady
}

/// Every path of a test's world apart from the program's own folders, to be compared before and after.
pub(crate) fn surroundings(online: &Online) -> Vec<String> {
    let home = online.context.home();
    let names = names_below(home.parent().unwrap());
    let own = ["home/skillflux", "home/skillflux/cache", "home/skillflux/state"];
    let is_own = |name: &String| {
        own.contains(&name.as_str())
            || name.starts_with("home/skillflux/cache/")
            || name.starts_with("home/skillflux/state/")
    };
    names.into_iter().filter(|name| !is_own(name)).collect()
}
