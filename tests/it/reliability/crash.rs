//! Power failures in the middle of `mount`, `cache prune`, `cache clean` and `unmount`: every prefix of what they told
//! the kernel, with what was not synced kept, lost, torn and reordered. After each, every entry of the store is
//! complete, no document is half a document, no view is half a view, and the next commands need no repair.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::Duration,
};

use skillflux::{
    skill::time::UnixMillis,
    store::{
        Store,
        holder::Holder,
        removal::{Clean, RemovalTerms},
    },
};

use super::{
    GUST, TIDE, has, in_home, json, layout, mount, names, online, remove_tree,
    replay::{Disk, Fate, State, state_of, write_state},
    scratch, trace,
};
use crate::online::Online;

/// How much is tried.
#[derive(Debug, Clone, Copy)]
struct Effort {
    /// Each so-manieth prefix.
    step: usize,
    /// How many states by chance for each prefix.
    chances: u64,
    /// After each so-manieth state the program mounts again.
    mounts: usize,
}

const SHORT: Effort = Effort { step: 5, chances: 2, mounts: 25 };
const LONG: Effort = Effort { step: 1, chances: 12, mounts: 12 };

#[test]
fn a_power_failure_leaves_nothing_that_needs_repair() {
    if has("strace") {
        for outcome in fail_everywhere(SHORT) {
            println!("{outcome}");
        }
    }
}

#[test]
#[ignore = "it takes minutes: the figures of docs/reliability.md"]
fn a_power_failure_anywhere_leaves_nothing_that_needs_repair() {
    if has("strace") {
        println!("| command | changes | states | mounted again | broken |\n|---|---|---|---|---|");
        for outcome in fail_everywhere(LONG) {
            println!("{outcome}");
        }
    }
}

fn fail_everywhere(effort: Effort) -> Vec<String> {
    let online = online();
    let folder = scratch();
    let root = folder.path().canonicalize().unwrap();
    let case = |word: &str, prepare: &dyn Fn(&Path), arguments: &[&str]| {
        let home = root.join(word);
        std::fs::create_dir(&home).unwrap();
        prepare(&home);
        let before = state_of(&home);
        let mut command = in_home(&online, &home);
        command.args(arguments).env("SKILLFLUX_CACHE_MAX_ENTRIES", "1");
        let calls = trace::record(&command, &home);
        let disk = Disk::new(before, &calls, &home);
        assert_eq!(disk.after(disk.len(), Fate::Kept), state_of(&home), "the model is the real disk");
        check(word, &disk, &online, &home, effort)
    };
    let nothing = |_: &Path| {};
    let both = |home: &Path| {
        mount(&online, home, TIDE);
        mount(&online, home, GUST);
    };
    let unmounted = |home: &Path| {
        both(home);
        json(in_home(&online, home).args(["unmount"]));
    };
    let outcomes = vec![
        case("mount", &nothing, &["mount", "--yes", TIDE]),
        case("prune", &unmounted, &["cache", "prune"]),
        case("clean", &unmounted, &["cache", "clean", "--all"]),
        case("unmount", &both, &["unmount"]),
    ];
    remove_tree(&root);
    std::fs::create_dir(&root).unwrap();
    outcomes
}

/// Lets the power fail, and looks at each state once.
fn check(word: &str, disk: &Disk, online: &Online, home: &Path, effort: Effort) -> String {
    let sound = SoundBytes::of(online, home);
    let mut seen = BTreeSet::new();
    let mut broken = Vec::new();
    let mut mounted = 0;
    for done in (0..=disk.len()).filter(|done| done % effort.step == 0 || *done == disk.len()) {
        let mut fates = vec![Fate::Kept, Fate::Lost, Fate::NamesOnly, Fate::Zeros, Fate::ContentOnly];
        fates.extend((0..effort.chances).map(Fate::Chance));
        for fate in fates {
            let state = disk.after(done, fate);
            if done == disk.len() && word == "mount" && !has_entry(&state) {
                broken.push(format!("{word} {fate:?}: what was mounted did not survive"));
            }
            if !seen.insert(state.clone()) {
                continue;
            }
            let again = seen.len() % effort.mounts == 0;
            mounted += usize::from(again);
            let mut wrong = look(&state, home, again.then_some(online));
            // Who unmounts takes file after file away.
            if word == "mount" {
                wrong.extend(half_views(&state, &sound));
            }
            broken.extend(wrong.into_iter().map(|what| format!("{word} {done} {fate:?}: {what}")));
        }
    }
    assert!(broken.is_empty(), "{} of {} states:\n{}", broken.len(), seen.len(), broken.join("\n"));
    format!("| {word} | {} | {} | {mounted} | {} |", disk.len(), seen.len(), broken.len())
}

fn has_entry(state: &State) -> bool {
    let holds = |folder: &str, name: &str| {
        state.keys().any(|path| {
            path.starts_with(Path::new("skillflux/cache/v1").join(folder)) && path.ends_with(name)
        })
    };
    holds("store", "manifest.json") && state.keys().any(|path| path.to_string_lossy().contains("/v1/pins/"))
}

/// What the files of views must be.
struct SoundBytes(State);

impl SoundBytes {
    fn of(online: &Online, home: &Path) -> Self {
        let whole = home.with_extension("whole");
        std::fs::create_dir(&whole).unwrap();
        mount(online, &whole, TIDE);
        mount(online, &whole, GUST);
        Self(state_of(&layout(&whole).join("mounts")))
    }
}

/// What is wrong with a state.
fn look(state: &State, home: &Path, again: Option<&Online>) -> Vec<String> {
    // Records name folders in full, so that the state belongs to where it was recorded.
    remove_tree(home);
    write_state(state, home);
    let mut wrong = Vec::new();
    let store = Store::new(&home.join("skillflux/cache"), &home.join("skillflux/state"));
    match store.verify() {
        Ok(found) => wrong.extend(found.problems.iter().map(|problem| format!("{problem:?}"))),
        Err(error) => wrong.push(format!("verify: {error}")),
    }
    wrong.extend(half_documents(state));
    if let Some(online) = again {
        for skill in [TIDE, GUST] {
            let output = in_home(online, home).args(["mount", "--yes", skill]).output().unwrap();
            if !output.status.success() {
                wrong.push(format!("mount: {}", String::from_utf8_lossy(&output.stderr)));
            }
        }
        let output = in_home(online, home).args(["cache", "verify"]).output().unwrap();
        if !output.status.success() {
            wrong.push(format!("cache verify: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    // As after a restart: no lease lives on.
    let holder = Holder { boot_id: Some("the next start".to_owned()), ..Holder::current() };
    let now = UnixMillis(4_000_000_000_000);
    let terms = RemovalTerms { wait: Duration::from_secs(5), dry_run: false, holder: &holder, now };
    if let Err(error) = store.clean(&Clean::All, terms) {
        wrong.push(format!("clean: {error}"));
    }
    for name in ["store", "pins", "staging", "trash", "leases"] {
        wrong.extend(names(&layout(home).join(name)).iter().map(|left| format!("{name}/{left} stays")));
    }
    wrong
}

/// Documents of the state folder that are not whole. Counts of use are never synced: a power failure may lose
/// them.
fn half_documents(state: &State) -> Vec<String> {
    let is_document = |path: &Path| {
        path.starts_with("skillflux/state")
            && path.extension().is_some_and(|extension| extension == "json")
            && path.file_name().is_some_and(|name| name != "usage.json")
    };
    let documents = state.iter().filter_map(|(path, content)| Some((path, content.as_ref()?)));
    documents
        .filter(|(path, content)| {
            is_document(path) && serde_json::from_slice::<serde_json::Value>(content).is_err()
        })
        .map(|(path, _)| format!("{} is no whole document", path.display()))
        .collect()
}

/// Views that have their name but not all their bytes.
fn half_views(state: &State, sound: &SoundBytes) -> Vec<String> {
    let below = |path: &PathBuf| path.strip_prefix("skillflux/cache/v1/mounts").ok().map(Path::to_owned);
    let views: Vec<_> = state.iter().filter_map(|(path, content)| Some((below(path)?, content))).collect();
    let mut wrong = Vec::new();
    for (path, content) in &sound.0 {
        let Some(view) = path.ancestors().nth(path.components().count().saturating_sub(2)) else { continue };
        if path.components().count() > 2
            && views.iter().any(|(found, _)| found == view)
            && !views.iter().any(|(found, bytes)| found == path && *bytes == content)
        {
            wrong.push(format!("the view has not the bytes of {}", path.display()));
        }
    }
    wrong
}
