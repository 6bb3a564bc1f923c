//! What prune and clean take away, what they leave, and that both hold while others work.

use std::{
    num::NonZeroU64,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Instant,
};

use super::*;
use crate::store::{
    lease::LeaseTerms,
    sessions::SessionName,
    testing::{Home, NOW, ONE, holder, install, terms},
};

/// Keeps at most this many entries.
fn at_most(entries: u64) -> Policy {
    let max_entries = NonZeroU64::new(entries).unwrap();
    Policy { max_entries, max_total_bytes: NonZeroU64::MAX, max_idle_ms: 0 }
}

/// Keeps nothing that was not used a moment ago.
fn nothing_idle() -> Policy {
    Policy { max_idle_ms: 1, ..at_most(1000) }
}

fn late(holder: &Holder) -> RemovalTerms<'_> {
    RemovalTerms { now: UnixMillis(NOW.0 + 1_000_000), ..terms(holder) }
}

fn skill(text: &str) -> [(&'static str, &[u8]); 1] {
    [("SKILL.md", text.as_bytes())]
}

fn prune(home: &Home, policy: Policy, active: &[Identity]) -> Pruned {
    home.store.prune(policy, &[], &active.iter().copied().collect(), late(&holder())).unwrap()
}

fn identity(home: &Home, digest: TreeDigest) -> Identity {
    let pins = home.store.pins().unwrap().records;
    pins.into_iter().find(|pin| pin.digest == digest).unwrap().identity
}

#[test]
fn nothing_is_made_where_there_is_no_cache() {
    let home = Home::new();
    assert_eq!(prune(&home, nothing_idle(), &[]), nothing_pruned());
    assert_eq!(home.clean_all(), Cleaned::default());
    let one = home.store.clean(&Clean::One("abcd".to_owned()), terms(&holder()));
    assert!(matches!(one, Err(StoreError::NotFound(id)) if id == "abcd"));
    assert_eq!(fs_err::read_dir(home.temp.path()).unwrap().count(), 0);
}

#[test]
fn prune_removes_what_the_policy_says_and_content_that_is_shared_counts_once() {
    let home = Home::new();
    let shared = home.install(&skill("shared"), 1).digest();
    home.install(&skill("shared"), 2);
    let newer = home.install(&skill("newer"), 3).digest();
    assert!(prune(&home, at_most(2), &[]).removed.is_empty(), "three pins, two entries");
    let holder = holder();
    let dry = RemovalTerms { dry_run: true, ..late(&holder) };
    let planned = home.store.prune(at_most(1), &[], &BTreeSet::new(), dry).unwrap();
    assert_eq!(home.store.entries().unwrap().len(), 2, "a dry run removes nothing");
    let pruned = prune(&home, at_most(1), &[]);
    assert_eq!(pruned.removed, planned.removed);
    let [removed] = pruned.removed.as_slice() else { panic!("{:?}", pruned.removed) };
    assert_eq!((removed.digest, removed.pins.len(), removed.bytes), (shared, 2, 6));
    assert_eq!(removed.reason, RemovalReason::Policy(Reason::EntryLimit));
    assert_eq!((pruned.before.entries, pruned.before.bytes), (2, 11));
    assert_eq!((pruned.after.entries, pruned.after.bytes), (1, 5));
    assert!(home.store.open(&shared).unwrap().is_none() && home.store.open(&newer).unwrap().is_some());
    assert_eq!(home.store.pins().unwrap().records.len(), 1);
    assert_eq!(home.names("trash"), Vec::<String>::new());
}

#[test]
fn uses_count_for_the_entry_of_their_pin() {
    let home = Home::new();
    let used = home.install(&skill("used"), 1).digest();
    let unused = home.install(&skill("unused"), 2).digest();
    let record = |id: Option<String>| UseRecord {
        source: "owner/repo".to_owned(),
        name: "one".to_owned(),
        id: id.map(|id| CacheId::parse(&id).unwrap()),
        mounts: 1,
        uses: 5,
        last_mounted_at: None,
        last_used_at: None,
        loaded_body_tokens: 0,
    };
    let holder = holder();
    let dry = RemovalTerms { dry_run: true, ..late(&holder) };
    let pin = identity(&home, used);
    // Without a pin a record is that of the newest pin of its source and name, which is the other one.
    for (id, goes) in [(Some(pin.to_string()), unused), (Some(pin.short()), unused), (None, used)] {
        let pruned = home.store.prune(at_most(1), &[record(id.clone())], &BTreeSet::new(), dry).unwrap();
        assert_eq!(pruned.removed[0].digest, goes, "{id:?}");
    }
}

#[test]
fn what_is_leased_or_active_stays() {
    let home = Home::new();
    let held = home.install(&skill("held"), 1);
    let leased = home.install(&skill("leased"), 2).digest();
    let active = home.install(&skill("active"), 3).digest();
    let idle = home.install(&skill("idle"), 4).digest();
    let session = SessionName::parse("s").unwrap();
    let holder = holder();
    let lease = LeaseTerms { session: Some(&session), ttl_ms: 2_000_000, holder: &holder, now: NOW };
    let id = home.store.lease(&leased, lease).unwrap();
    let pruned = prune(&home, nothing_idle(), &[identity(&home, active)]);
    assert_eq!(pruned.removed.iter().map(|removed| removed.digest).collect::<Vec<_>>(), [idle]);
    let mut protected = vec![held.digest(), leased, active];
    protected.sort();
    assert_eq!(pruned.protected, protected);
    let cleaned = home.clean_all();
    assert_eq!(cleaned.removed.iter().map(|removed| removed.digest).collect::<Vec<_>>(), [active]);
    assert_eq!(cleaned.leased.len(), 2);
    assert_eq!(held.read(&crate::skill::path::SkillPath::parse("SKILL.md").unwrap()).unwrap(), b"held");
    drop(held);
    home.store.release(&id).unwrap();
    assert_eq!(home.clean_all().removed.len(), 2);
    for folder in ["store", "pins", "leases", "trash", "staging"] {
        assert_eq!(home.names(folder), Vec::<String>::new(), "{folder}");
    }
}

#[test]
fn one_skill_is_named_by_the_first_digits_of_its_pin_or_entry() {
    let home = Home::new();
    let shared = home.install(&skill("shared"), 1).digest();
    home.install(&skill("shared"), 2);
    let other = home.install(&skill("other"), 3).digest();
    let holder = holder();
    let clean = |id: String| home.store.clean(&Clean::One(id), terms(&holder));
    for unknown in ["", "abc", "zzzz", "sha256:", "ffffffffffffffffffffffff"] {
        assert!(matches!(clean(unknown.to_owned()), Err(StoreError::NotFound(_))), "{unknown}");
    }
    let first = clean(identity(&home, shared).short()).unwrap();
    assert_eq!((first.removed[0].entry, first.removed[0].bytes), (false, 0), "another pin needs the entry");
    assert!(home.store.open(&shared).unwrap().is_some());
    let last = clean(identity(&home, shared).to_string()).unwrap();
    assert_eq!((last.removed[0].entry, last.removed[0].bytes), (true, 6));
    assert!(home.store.open(&shared).unwrap().is_none());
    let by_digest = clean(format!("sha256:{}", &other.to_string()[..8])).unwrap();
    assert_eq!((by_digest.removed[0].digest, by_digest.removed[0].pins.len()), (other, 1));
    assert_eq!(home.store.pins().unwrap().records, []);
}

#[test]
fn digits_that_several_begin_with_are_refused() {
    let home = Home::new();
    home.install(ONE, 1);
    let shelf = home.path("store/0c");
    for ending in ["0", "1"] {
        fs_err::create_dir_all(shelf.join(format!("{}{ending}", "0c".repeat(31) + "0"))).unwrap();
    }
    let ambiguous = home.store.clean(&Clean::One("0c0c".to_owned()), terms(&holder()));
    assert!(matches!(ambiguous, Err(StoreError::Ambiguous { count: 2, .. })));
    assert_eq!(fs_err::read_dir(shelf).unwrap().count(), 2);
}

#[test]
fn what_a_killed_process_left_is_swept() {
    let home = Home::new();
    let kept = home.install(&skill("kept"), 1);
    let digest = home.install(&skill("unpinned"), 2).digest();
    fs_err::remove_file(home.path("pins").join(names::pin(&identity(&home, digest)))).unwrap();
    let working = home.store.stage().unwrap();
    let stale = names::random();
    fs_err::create_dir_all(home.path("staging").join(&stale).join("entry/tree")).unwrap();
    fs_err::write(home.path("staging").join(format!("{stale}.lk")), "").unwrap();
    fs_err::write(home.path("staging").join(format!("{}.lk", names::random())), "").unwrap();
    fs_err::create_dir_all(home.path("trash").join(names::trash(&digest.to_string())).join("tree")).unwrap();
    fs_err::write(home.path("leases").join(names::lease(&digest)), "").unwrap();
    for folder in ["leases", "pins"] {
        fs_err::write(home.path(folder).join(names::temporary()), "half").unwrap();
    }
    let pruned = prune(&home, at_most(10), &[]);
    assert_eq!(pruned.swept, Swept { staging: 1, leases: 1, trash: 1, temporary: 2 });
    let [unpinned] = pruned.removed.as_slice() else { panic!("{:?}", pruned.removed) };
    assert_eq!((unpinned.digest, unpinned.reason), (digest, RemovalReason::Unpinned));
    assert_eq!(home.names("staging").len(), 2, "somebody works there");
    drop(working);
    assert_eq!(home.names("leases").len(), 1);
    drop(kept);
    for folder in ["staging", "leases", "trash"] {
        assert_eq!(home.names(folder), Vec::<String>::new(), "{folder}");
    }
    assert_eq!(home.names("pins").len(), 1);
}

#[test]
fn a_lease_made_under_a_clock_that_was_ahead_gets_an_end() {
    let home = Home::new();
    let digest = home.install(ONE, 1).digest();
    let holder = holder();
    let ahead = UnixMillis(NOW.0 + 10_000_000_000);
    home.store.lease(&digest, LeaseTerms { session: None, ttl_ms: 10, holder: &holder, now: ahead }).unwrap();
    assert!(prune(&home, nothing_idle(), &[]).removed.is_empty());
    let later = RemovalTerms { now: UnixMillis(late(&holder).now.0 + 11), ..terms(&holder) };
    let pruned = home.store.prune(nothing_idle(), &[], &BTreeSet::new(), later).unwrap();
    assert_eq!((pruned.removed.len(), pruned.swept.leases), (1, 1));
}

#[test]
#[cfg(unix)]
fn what_is_foreign_survives_and_links_are_not_followed() {
    use fs_err::os::unix::fs::symlink;
    let home = Home::new();
    let digest = home.install(ONE, 1).digest();
    let outside = home.temp.path().join("outside");
    fs_err::create_dir(&outside).unwrap();
    fs_err::write(outside.join("precious"), "x").unwrap();
    fs_err::create_dir(home.path("trash")).unwrap();
    let ours = |folder: &str| match folder {
        "leases" => names::lease(&digest),
        "trash" => names::trash(&digest.to_string()),
        "staging" => names::random(),
        _ => "ff".to_owned(),
    };
    for folder in ["leases", "trash", "staging", "store"] {
        symlink(&outside, home.path(folder).join(ours(folder))).unwrap();
        symlink(outside.join("precious"), home.path(folder).join("link")).unwrap();
        fs_err::write(home.path(folder).join("line\nbreak"), "mine").unwrap();
        fs_err::create_dir(home.path(folder).join("folder")).unwrap();
    }
    // An entry that is a link, and a tree with a link in it.
    let linked = "ee".repeat(32);
    fs_err::create_dir(home.path("store/ee")).unwrap();
    symlink(&outside, home.path("store/ee").join(&linked)).unwrap();
    let entry = home.path("store").join(&digest.to_string()[..2]).join(digest.to_string());
    symlink(&outside, entry.join("link")).unwrap();
    let before: Vec<_> = ["leases", "trash", "staging"].map(|folder| home.names(folder)).into();
    let pruned = prune(&home, nothing_idle(), &[]);
    assert_eq!(pruned.removed.len(), 1);
    assert_eq!(pruned.swept, Swept::default());
    assert_eq!(home.clean_all().removed, []);
    assert_eq!(fs_err::read_to_string(outside.join("precious")).unwrap(), "x");
    for (folder, before) in ["leases", "trash", "staging"].into_iter().zip(before) {
        assert_eq!(home.names(folder), before, "{folder}");
    }
    assert_eq!(home.names("store"), ["ee", "ff", "folder", "line\nbreak", "link"]);
    assert_eq!(home.names("store/ee"), [linked]);
}

#[test]
#[cfg(unix)]
fn a_folder_of_the_cache_that_is_a_link_is_refused() {
    for folder in ["store", "pins", "leases", "staging", "trash"] {
        let home = Home::new();
        let digest = home.install(ONE, 1).digest();
        let outside = home.temp.path().join("outside");
        if folder == "trash" {
            fs_err::create_dir(&outside).unwrap();
        } else {
            fs_err::rename(home.path(folder), &outside).unwrap();
        }
        fs_err::os::unix::fs::symlink(&outside, home.path(folder)).unwrap();
        let before = fs_err::read_dir(&outside).unwrap().count();
        let refused = home.store.clean(&Clean::One(digest.to_string()), terms(&holder()));
        assert!(matches!(refused, Err(StoreError::Foreign { .. })), "{folder}: {refused:?}");
        assert_eq!(fs_err::read_dir(&outside).unwrap().count(), before, "{folder}");
    }
    // The way to the cache may be a link.
    let home = Home::new();
    fs_err::create_dir(home.temp.path().join("disk")).unwrap();
    fs_err::os::unix::fs::symlink(home.temp.path().join("disk"), home.temp.path().join("cache")).unwrap();
    let digest = home.install(ONE, 1).digest();
    assert!(home.store.open(&digest).unwrap().is_some());
    assert_eq!(home.clean_all().removed.len(), 1);
}

#[test]
fn what_cannot_be_understood_goes_only_with_everything_and_newer_formats_never() {
    let home = Home::new();
    let pinned = home.install(&skill("pinned by a newer release"), 1).digest();
    let old_pin = home.path("pins").join(names::pin(&identity(&home, pinned)));
    let newer_pin = home.path("pins").join(format!("{}.json", "cd".repeat(32)));
    fs_err::rename(old_pin, &newer_pin).unwrap();
    let content = fs_err::read_to_string(&newer_pin).unwrap();
    fs_err::write(&newer_pin, content.replace(r#""version":1,"sha256""#, r#""version":2,"seal""#)).unwrap();
    let entry = |byte: &str, manifest: &str| {
        let folder = home.path("store").join(byte).join(byte.repeat(32));
        fs_err::create_dir_all(folder.join("tree")).unwrap();
        fs_err::write(folder.join("manifest.json"), manifest).unwrap();
    };
    entry("ab", "{");
    entry("ac", r#"{"version":2,"anything":true}"#);
    fs_err::write(home.path("pins").join(format!("{}.json", "ef".repeat(32))), "{").unwrap();
    assert_eq!(prune(&home, nothing_idle(), &[]).removed, []);
    assert_eq!(home.store.entries().unwrap().len(), 3);
    let cleaned = home.clean_all();
    let removed: Vec<_> = cleaned.removed.iter().map(|removed| removed.reason).collect();
    assert_eq!(removed, [RemovalReason::Invalid]);
    assert_eq!((cleaned.invalid_pins, cleaned.newer), (1, 2));
    let newer = home.store.clean(&Clean::One("ac".repeat(32)), terms(&holder())).unwrap();
    assert_eq!((newer.removed.len(), newer.newer), (0, 2));
    assert_eq!(home.names("pins").len(), 1);
    assert_eq!(home.store.entries().unwrap().len(), 2);
    assert!(home.store.open(&pinned).unwrap().is_some());
}

#[test]
fn a_cache_that_is_in_use_is_not_pruned() {
    let home = Home::new();
    home.install(ONE, 1);
    let root = home.store.open_root().unwrap().unwrap();
    let reader = lock::shared(&root).unwrap();
    let holder = holder();
    let hasty = RemovalTerms { wait: Duration::from_millis(2), ..late(&holder) };
    let busy = home.store.prune(nothing_idle(), &[], &BTreeSet::new(), hasty);
    assert!(matches!(busy, Err(StoreError::Busy { .. })));
    assert_eq!(home.store.entries().unwrap().len(), 1);
    drop(reader);
    assert_eq!(home.store.prune(nothing_idle(), &[], &BTreeSet::new(), hasty).unwrap().removed.len(), 1);
}

#[test]
fn many_at_once_lose_and_corrupt_nothing() {
    let home = Home::new();
    let until = Instant::now() + Duration::from_secs(1);
    let (used, gone) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for worker in 0..8_u64 {
            let (home, used, gone) = (&home, &used, &gone);
            scope.spawn(move || {
                let mut round = worker;
                while Instant::now() < until {
                    round += 1;
                    let text = format!("skill {}", round % 5);
                    if worker < 2 {
                        let pruned = prune(home, nothing_idle(), &[]);
                        gone.fetch_add(pruned.removed.len() as u64, Ordering::Relaxed);
                        continue;
                    }
                    let entry = install(&home.store, &skill(&text), round % 20, false);
                    let opened = home.store.open(&entry.digest()).unwrap().expect("it is leased");
                    let path = crate::skill::path::SkillPath::parse("SKILL.md").unwrap();
                    assert_eq!(opened.read(&path).unwrap(), text.as_bytes());
                    used.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert!(used.into_inner() > 0 && gone.into_inner() > 0);
    assert_eq!(home.store.verify().unwrap().problems, []);
    prune(&home, nothing_idle(), &[]);
    for folder in ["store", "pins", "leases", "trash", "staging"] {
        assert_eq!(home.names(folder), Vec::<String>::new(), "{folder}");
    }
}
