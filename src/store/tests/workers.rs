//! Processes that work on one store: this test program, started again as one of its own ignored tests.
//!
//! What a process finds wrong it writes to a file at once, so that no kill hides it. What it counted it writes
//! now and then, so that a kill hides little of it.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use crate::store::Store;

/// Tells the started process what it is; its absence, that a person ran the ignored test by hand.
const ROLE: &str = "SKILLFLUX_STORE_WORKER";

/// What a process is told.
#[derive(Debug, Clone)]
pub(super) struct Orders {
    pub(super) role: String,
    pub(super) seed: u64,
    pub(super) durable: bool,
    folder: PathBuf,
}

impl Orders {
    pub(super) fn new(folder: &Path, role: &str, seed: u64, durable: bool) -> Self {
        Self { role: role.to_owned(), seed, durable, folder: folder.to_owned() }
    }

    /// The orders of this process; `None` for one that nobody ordered.
    pub(super) fn of_this_process() -> Option<Self> {
        let text = variable(ROLE)?;
        let mut parts = text.splitn(4, ',');
        let role = parts.next()?.to_owned();
        let seed = parts.next()?.parse().ok()?;
        let durable = parts.next()? == "true";
        Some(Self { role, seed, durable, folder: parts.next()?.into() })
    }

    /// Starts a process that runs the ignored test `entry` of this program with these orders.
    pub(super) fn start(&self, entry: &str) -> Child {
        let Self { role, seed, durable, folder } = self;
        Command::new(env::current_exe().unwrap())
            .args([entry, "--exact", "--ignored", "--test-threads=1"])
            .env(ROLE, format!("{role},{seed},{durable},{}", folder.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn store(&self) -> Store {
        Store::new(&self.folder.join("cache"), &self.folder.join("state"))
    }

    pub(super) fn must_stop(&self) -> bool {
        self.folder.join("stop").exists()
    }

    /// Reports something that must never be.
    pub(super) fn accuse(&self, what: &str) {
        let folder = self.folder.join("wrong");
        fs_err::create_dir_all(&folder).unwrap();
        let name = format!("{}-{}", std::process::id(), fs_err::read_dir(&folder).unwrap().count());
        fs_err::write(folder.join(name), format!("{what}\n")).unwrap();
    }

    /// Writes down what this process did so far, whole or not at all.
    pub(super) fn report(&self, counts: &BTreeMap<&str, u64>) {
        let folder = self.folder.join("counts");
        fs_err::create_dir_all(&folder).unwrap();
        let lines: String =
            counts.iter().fold(String::new(), |lines, (name, count)| lines + &format!("{name} {count}\n"));
        let (unfinished, name) =
            (self.folder.join(format!("counts-{}", std::process::id())), std::process::id());
        fs_err::write(&unfinished, lines).unwrap();
        fs_err::rename(unfinished, folder.join(name.to_string())).unwrap();
    }
}

/// A variable of the environment.
#[expect(clippy::disallowed_methods, reason = "what a test is told is no setting of the program")]
pub(super) fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}

/// Tells all processes to stop.
pub(super) fn stop(folder: &Path) {
    fs_err::write(folder.join("stop"), "").unwrap();
}

/// What all processes reported as wrong.
pub(super) fn accusations(folder: &Path) -> Vec<String> {
    files(&folder.join("wrong"))
}

/// How many processes have counted something.
pub(super) fn reporters(folder: &Path) -> usize {
    fs_err::read_dir(folder.join("counts")).map_or(0, Iterator::count)
}

/// What all processes counted, added up.
pub(super) fn counts(folder: &Path) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for file in files(&folder.join("counts")) {
        for line in file.lines() {
            let (name, count) = line.split_once(' ').unwrap();
            *sums.entry(name.to_owned()).or_insert(0) += count.parse::<u64>().unwrap();
        }
    }
    sums
}

fn files(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs_err::read_dir(folder) else { return Vec::new() };
    entries.map(|entry| fs_err::read_to_string(entry.unwrap().path()).unwrap()).collect()
}
