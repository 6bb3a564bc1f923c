//! Trees that git itself would not make: raw tree objects, with true ids, of entries that must be refused.

use std::{fmt::Write as _, path::Path};

use tempfile::TempDir;

use super::{objects::run, repository::HostileEntry};

/// Two good entries of a skill, and then those that must not end up on a disk as they stand, or only with
/// care. What stands in each file is its path.
pub(crate) fn worst_entries() -> Vec<HostileEntry> {
    let long = format!("skills/x/{}.md", "n".repeat(300));
    let deep = format!("skills/x/{}f.md", "d/".repeat(20));
    let owned = ROWS.iter().map(|(mode, path)| (*mode, path.to_vec()));
    let long = [long, deep].map(|path| ("100644", path.into_bytes()));
    owned.chain(long).map(|(mode, path)| HostileEntry { mode, bytes: path.clone(), path }).collect()
}

const ROWS: &[(&str, &[u8])] = &[
    ("100644", b"skills/x/SKILL.md"),
    ("100755", b"skills/x/scripts/run.sh"),
    ("100644", b"skills/x/../../.profile"),
    ("100644", b"/etc/cron.d/job"),
    ("100644", b"skills/x/..\\..\\up.md"),
    ("100644", b"skills/x/C:up.md"),
    ("100644", b"skills/x/SKILL.md:stream"),
    ("100644", b"skills/x/CON.txt"),
    ("100644", b"skills/x/nul"),
    ("100644", "skills/x/LPT\u{b2}.md".as_bytes()),
    ("100644", b"skills/x/dot."),
    ("100644", b"skills/x/space "),
    ("100755", b"skills/x/.git/hooks/post-merge"),
    ("100644", b"skills/x/GIT~1/config"),
    ("100644", "skills/x/.gi\u{200d}t/config".as_bytes()),
    ("100644", b"skills/x/NOTES.md"),
    ("100644", b"skills/x/notes.md"),
    ("100644", "skills/x/r\u{e9}sum\u{e9}.md".as_bytes()),
    ("100644", "skills/x/re\u{301}sume\u{301}.md".as_bytes()),
    ("100644", "skills/x/gr\u{f6}\u{df}e.md".as_bytes()),
    ("100644", "skills/x/GR\u{d6}SSE.md".as_bytes()),
    ("100644", b"skills/x/a\x1b[31mb.md"),
    ("100644", b"skills/x/a\nb.md"),
    ("100644", "skills/x/\u{202e}fdp.exe".as_bytes()),
    ("100644", b"skills/x/not-utf8-\xff.md"),
    ("100644", b"skills/x//empty.md"),
    ("100644", b"skills/x/./here.md"),
    ("100644", b""),
    ("100644", b"skills/x/both"),
    ("100644", b"skills/x/both/inside.md"),
    ("100644", b"skills/x/twin.md"),
    ("100644", b"skills/x/twin.md"),
    ("100664", b"skills/x/group-writable.md"),
    ("100666", b"skills/x/all-writable.md"),
    ("120000", b"skills/x/link"),
    ("160000", b"skills/x/module"),
    ("100644", b"skills/x/-rf"),
    ("100644", b"skills/x/~"),
    ("100644", b"skills/x/$HOME.md"),
];

/// Writes the entries as trees and returns the id of the outermost.
pub(crate) fn write(repository: &Path, entries: &[HostileEntry]) -> String {
    let folder = TempDir::new().unwrap();
    let contents: Vec<&[u8]> = entries.iter().map(|entry| entry.bytes.as_slice()).collect();
    let ids = write_objects(repository, folder.path(), "blob", &contents);
    let mut root = Node::default();
    for (entry, id) in entries.iter().zip(ids) {
        let parts: Vec<&[u8]> = entry.path.split(|&byte| byte == b'/').collect();
        root.insert(&parts, entry.mode, id);
    }
    root.write(repository, folder.path())
}

/// A folder that is being put together: its own entries, and folders by name.
#[derive(Default)]
struct Node {
    entries: Vec<(Vec<u8>, &'static str, String)>,
    folders: Vec<(Vec<u8>, Self)>,
}

impl Node {
    fn insert(&mut self, parts: &[&[u8]], mode: &'static str, id: String) {
        let (first, rest) = parts.split_first().expect("a split has at least one part");
        if rest.is_empty() {
            self.entries.push((first.to_vec(), mode, id));
            return;
        }
        let known = self.folders.iter().position(|(name, _)| name == first);
        let index = known.unwrap_or_else(|| {
            self.folders.push((first.to_vec(), Self::default()));
            self.folders.len() - 1
        });
        self.folders[index].1.insert(rest, mode, id);
    }

    fn write(mut self, repository: &Path, folder: &Path) -> String {
        for (name, node) in std::mem::take(&mut self.folders) {
            let id = node.write(repository, folder);
            self.entries.push((name, "40000", id));
        }
        // Git orders names as if folders ended in a slash.
        self.entries.sort_by_key(|(name, mode, _)| {
            let end: &[u8] = if *mode == "40000" { b"/" } else { b"" };
            [name, end].concat()
        });
        let mut bytes = Vec::new();
        for (name, mode, id) in &self.entries {
            bytes.extend([mode.as_bytes(), b" ", name, b"\0"].concat());
            bytes.extend((0..20).map(|at| u8::from_str_radix(&id[2 * at..2 * at + 2], 16).unwrap()));
        }
        write_objects(repository, folder, "tree", &[&bytes]).remove(0)
    }
}

fn write_objects(repository: &Path, folder: &Path, kind: &str, contents: &[&[u8]]) -> Vec<String> {
    let mut paths = String::new();
    for (index, bytes) in contents.iter().enumerate() {
        let path = folder.join(format!("{kind}-{index}"));
        std::fs::write(&path, bytes).unwrap();
        writeln!(paths, "{}", path.display()).expect("a string takes everything");
    }
    let arguments = ["hash-object", "-w", "-t", kind, "--literally", "--no-filters", "--stdin-paths"];
    let output = run(repository, &arguments, paths.as_bytes());
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}
