//! A disk that loses power: which states a folder may be in after a crash in the middle of some calls.
//!
//! The model is that of ALICE (Pillai and others, OSDI 2014): what was synced is there; of everything else any
//! part may be there or not, in any order. A rename is one step. A file that was synced keeps its content, but
//! its name only when the folder was synced too.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::trace::Call;
use crate::random::Random;

/// The number of a file or folder of the model.
type Node = usize;
const ROOT: Node = 0;

/// One change of the disk.
#[derive(Debug, Clone)]
enum Change {
    Name { folder: Node, name: OsString, node: Node },
    Unname { folder: Node, name: OsString, node: Node },
    Rename { from: (Node, OsString), to: (Node, OsString), node: Node },
    Write { node: Node, at: usize, bytes: Vec<u8> },
    Resize { node: Node, length: usize },
    Sync { node: Node },
}

/// What becomes of changes that were not synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// All are there: the program was killed, the system went on.
    Kept,
    /// None is there.
    Lost,
    /// Names are there, content is not.
    NamesOnly,
    /// Names are there, content is zeros.
    Zeros,
    /// Content is there, names are not.
    ContentOnly,
    /// Each is there or not, or is zeros, by chance.
    Chance(u64),
}

/// Files by path, `None` for folders.
pub(super) type State = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// A folder, and how it was changed.
#[derive(Debug, Default)]
pub(super) struct Disk {
    before: State,
    changes: Vec<Change>,
    folders: BTreeSet<Node>,
}

/// The folder as it is now, read from the real disk.
pub(super) fn state_of(root: &Path) -> State {
    fn walk(root: &Path, folder: &Path, state: &mut State) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let below = path.strip_prefix(root).unwrap().to_owned();
            if path.is_dir() {
                state.insert(below, None);
                walk(root, &path, state);
            } else {
                state.insert(below, Some(std::fs::read(&path).unwrap()));
            }
        }
    }
    let mut state = State::new();
    walk(root, root, &mut state);
    state
}

/// Writes a state into `root`, which is empty or missing.
pub(super) fn write_state(state: &State, root: &Path) {
    std::fs::create_dir_all(root).unwrap();
    for (path, content) in state {
        match content {
            None => std::fs::create_dir(root.join(path)).unwrap(),
            Some(content) => std::fs::write(root.join(path), content).unwrap(),
        }
    }
}

/// The names and contents that are there while changes are followed.
#[derive(Debug, Clone, Default)]
struct Live {
    names: BTreeMap<(Node, OsString), Node>,
    contents: BTreeMap<Node, Vec<u8>>,
}

impl Live {
    fn find(&self, root: &Path, path: &Path) -> Option<Node> {
        path.strip_prefix(root)
            .ok()?
            .components()
            .try_fold(ROOT, |node, part| self.names.get(&(node, part.as_os_str().to_owned())).copied())
    }

    fn place(&self, root: &Path, path: &Path) -> (Node, OsString) {
        let folder = self.find(root, path.parent().unwrap());
        (folder.unwrap_or_else(|| panic!("{}", path.display())), path.file_name().unwrap().to_owned())
    }

    fn apply(&mut self, change: &Change) {
        match change {
            Change::Name { folder, name, node } => {
                self.names.insert((*folder, name.clone()), *node);
            }
            Change::Unname { folder, name, node } => {
                let place = (*folder, name.clone());
                if self.names.get(&place) == Some(node) {
                    self.names.remove(&place);
                }
            }
            Change::Rename { from, to, node } => {
                if self.names.get(from) == Some(node) {
                    self.names.remove(from);
                }
                self.names.insert(to.clone(), *node);
            }
            Change::Write { node, at, bytes } => {
                let content = self.contents.entry(*node).or_default();
                content.resize(content.len().max(at + bytes.len()), 0);
                content[*at..at + bytes.len()].copy_from_slice(bytes);
            }
            Change::Resize { node, length } => {
                self.contents.entry(*node).or_default().resize(*length, 0);
            }
            Change::Sync { .. } => {}
        }
    }

    fn state(&self, folders: &BTreeSet<Node>) -> State {
        let mut state = State::new();
        self.collect(ROOT, Path::new(""), folders, &mut state);
        state
    }

    fn collect(&self, folder: Node, below: &Path, folders: &BTreeSet<Node>, state: &mut State) {
        let first = (folder, OsString::new());
        for ((_, name), node) in self.names.range(first..).take_while(|((owner, _), _)| *owner == folder) {
            let path = below.join(name);
            if folders.contains(node) {
                state.insert(path.clone(), None);
                self.collect(*node, &path, folders, state);
            } else {
                state.insert(path, Some(self.contents.get(node).cloned().unwrap_or_default()));
            }
        }
    }
}

impl Disk {
    /// Follows `calls` on the folder `root`, which was in the state `before`.
    pub(super) fn new(before: State, calls: &[Call], root: &Path) -> Self {
        let mut disk = Self { before, changes: Vec::new(), folders: BTreeSet::from([ROOT]) };
        let mut live = Live::default();
        let mut count = 1;
        disk.lay_out(&mut live, &mut count);
        let mut open: BTreeMap<u64, (Node, usize)> = BTreeMap::new();
        for call in calls {
            let changes: Vec<Change> = match call {
                Call::Open { fd, path, creates, truncates } => {
                    let found = live.find(root, path);
                    let Some(node) = found.or_else(|| creates.then_some(count)) else { continue };
                    open.insert(*fd, (node, 0));
                    if found.is_none() {
                        count += 1;
                        let (folder, name) = live.place(root, path);
                        vec![Change::Name { folder, name, node }]
                    } else if *truncates {
                        vec![Change::Resize { node, length: 0 }]
                    } else {
                        continue;
                    }
                }
                Call::Write { fd, bytes } => {
                    let (node, at) = open.get_mut(fd).unwrap();
                    let change = Change::Write { node: *node, at: *at, bytes: bytes.clone() };
                    *at += bytes.len();
                    vec![change]
                }
                Call::Resize { fd, length } => {
                    vec![Change::Resize { node: open[fd].0, length: usize::try_from(*length).unwrap() }]
                }
                Call::Clone { fd, from } => {
                    let bytes = live.contents.get(&open[from].0).cloned().unwrap_or_default();
                    vec![Change::Write { node: open[fd].0, at: 0, bytes }]
                }
                Call::Sync { fd } => vec![Change::Sync { node: open[fd].0 }],
                Call::Close { fd } => {
                    open.remove(fd);
                    continue;
                }
                Call::MakeFolder { path } => {
                    let (folder, name) = live.place(root, path);
                    disk.folders.insert(count);
                    count += 1;
                    vec![Change::Name { folder, name, node: count - 1 }]
                }
                Call::Rename { from, to } => {
                    let node = live.find(root, from).unwrap();
                    vec![Change::Rename { from: live.place(root, from), to: live.place(root, to), node }]
                }
                Call::Unlink { path } => {
                    let node = live.find(root, path).unwrap();
                    let (folder, name) = live.place(root, path);
                    vec![Change::Unname { folder, name, node }]
                }
            };
            for change in &changes {
                live.apply(change);
            }
            disk.changes.extend(changes);
        }
        disk
    }

    /// The state before all calls.
    fn lay_out(&mut self, live: &mut Live, count: &mut Node) {
        for (path, content) in &self.before {
            let (folder, name) = live.place(Path::new(""), path);
            live.names.insert((folder, name), *count);
            match content {
                None => {
                    self.folders.insert(*count);
                }
                Some(content) => {
                    live.contents.insert(*count, content.clone());
                }
            }
            *count += 1;
        }
    }

    /// After how many changes the power may fail.
    pub(super) fn len(&self) -> usize {
        self.changes.len()
    }

    /// What is on the disk when the power fails after the first `done` changes.
    pub(super) fn after(&self, done: usize, fate: Fate) -> State {
        let mut live = Live::default();
        let mut first = Self { before: self.before.clone(), changes: Vec::new(), folders: BTreeSet::new() };
        first.lay_out(&mut live, &mut 1);
        let changes = &self.changes[..done];
        let mut chance = Random(done as u64);
        if let Fate::Chance(seed) = fate {
            chance = Random(seed.wrapping_mul(0x1000_0000_01b3) ^ done as u64);
        }
        for (index, change) in changes.iter().enumerate() {
            let is_synced = || changes[index..].iter().any(|later| syncs(later, change));
            let is_content = matches!(change, Change::Write { .. } | Change::Resize { .. });
            let (keep, zeros) = match fate {
                _ if is_synced() => (true, false),
                Fate::Kept => (true, false),
                Fate::Lost => (false, false),
                Fate::NamesOnly => (!is_content, false),
                Fate::Zeros => (true, is_content),
                Fate::ContentOnly => (is_content, false),
                Fate::Chance(_) => [(true, false), (false, false), (true, is_content)][chance.below(3)],
            };
            match change {
                Change::Write { node, at, bytes } if keep && zeros => {
                    live.apply(&Change::Write { node: *node, at: *at, bytes: vec![0; bytes.len()] });
                }
                change if keep => live.apply(change),
                _ => {}
            }
        }
        live.state(&self.folders)
    }
}

/// Whether a sync makes a change survive. A rename is one step, so that either folder will do.
fn syncs(sync: &Change, change: &Change) -> bool {
    let Change::Sync { node: synced } = sync else { return false };
    match change {
        Change::Name { folder, .. } | Change::Unname { folder, .. } => folder == synced,
        Change::Rename { from, to, .. } => from.0 == *synced || to.0 == *synced,
        Change::Write { node, .. } | Change::Resize { node, .. } => node == synced,
        Change::Sync { .. } => false,
    }
}

#[test]
fn what_was_not_synced_may_be_lost_in_any_part() {
    let root = Path::new("/r");
    let path = |text: &str| root.join(text);
    let calls = [
        Call::MakeFolder { path: path("d") },
        Call::Open { fd: 3, path: path("d/t"), creates: true, truncates: false },
        Call::Write { fd: 3, bytes: b"ab".to_vec() },
        Call::Sync { fd: 3 },
        Call::Write { fd: 3, bytes: b"c".to_vec() },
        Call::Rename { from: path("d/t"), to: path("d/f") },
    ];
    let disk = Disk::new(State::new(), &calls, root);
    let file = |name: &str, content: &str| (PathBuf::from(name), Some(content.as_bytes().to_vec()));
    let folder = || (PathBuf::from("d"), None);
    let all = disk.len();
    assert_eq!(disk.after(all, Fate::Kept), State::from([folder(), file("d/f", "abc")]));
    assert_eq!(disk.after(all, Fate::NamesOnly), State::from([folder(), file("d/f", "ab")]));
    assert_eq!(disk.after(all, Fate::Zeros), State::from([folder(), file("d/f", "ab\0")]));
    assert_eq!(disk.after(all, Fate::Lost), State::new());
    assert_eq!(disk.after(all - 1, Fate::Kept), State::from([folder(), file("d/t", "abc")]));
    let chances: BTreeSet<State> = (0..200).map(|seed| disk.after(all, Fate::Chance(seed))).collect();
    assert!(chances.contains(&State::from([folder()])) && chances.len() >= 6, "{chances:?}");
}
