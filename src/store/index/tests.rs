//! The index as a whole: what is kept, shared, merged, swept and left alone.

use std::{
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use super::*;
use crate::{
    rank::fulltext::{Collection, document::Document},
    store::testing::Home,
};

struct Silent;

impl Watch for Silent {
    fn made(&self, _made: usize, _of: usize) {}
}

/// Skills by their place, each with a number that stands for its content, and how many were read.
struct Skills {
    all: BTreeMap<u64, u128>,
    read: AtomicUsize,
}

impl Skills {
    fn new(all: impl IntoIterator<Item = (u64, u128)>) -> Self {
        Self { all: all.into_iter().collect(), read: AtomicUsize::new(0) }
    }

    fn wanted(&self) -> Vec<Wanted<'_>> {
        let wanted = |(&place, &key): (&u64, &u128)| {
            let make = move |_: &mut Analyser| {
                self.read.fetch_add(1, Ordering::Relaxed);
                let card = Card { key, slug: place, name: place, kind: 0, lengths: [0; 6] };
                Some(Item { card, document: Document::default(), record: key.to_le_bytes().to_vec() })
            };
            Wanted { place, key, make: Box::new(make) }
        };
        self.all.iter().map(wanted).collect()
    }

    fn update(&self, home: &Home, identity: u64) -> Updated {
        home.store.index().update(&look(identity), &self.wanted(), &Silent)
    }
}

fn look(identity: u64) -> Look<'static> {
    Look { identity, began_ns: 7, is_doubted: false, trace: b"trace" }
}

fn keys(documents: &Documents) -> Vec<u128> {
    let mut keys: Vec<u128> = documents.cards().map(|(number, _)| documents.tie(number)).collect();
    for (number, card) in documents.cards() {
        assert_eq!(documents.record(number).unwrap(), card.key.to_le_bytes());
    }
    keys.sort_unstable();
    keys
}

/// What the next run finds.
fn kept(home: &Home, identity: u64) -> Option<Vec<u128>> {
    let index = home.store.index();
    let view = index.view(identity)?;
    assert_eq!((view.looked_ns, &view.trace[..]), (7, &b"trace"[..]));
    index.documents(&[&view]).map(|documents| keys(&documents))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs_err::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

fn folder(home: &Home) -> std::path::PathBuf {
    home.store.index().path()
}

fn file(home: &Home, ending: &str) -> std::path::PathBuf {
    let name = names(&folder(home)).into_iter().find(|name| name.ends_with(ending)).unwrap();
    folder(home).join(name)
}

#[test]
fn only_what_is_new_is_read() {
    let home = Home::new();
    assert_eq!(home.store.index().status().unwrap(), IndexStatus::default());
    assert!(!folder(&home).exists(), "to ask makes nothing");
    let skills = Skills::new([(1, 10), (2, 20)]);
    assert_eq!((keys(&skills.update(&home, 1).documents), skills.update(&home, 1).read), (vec![10, 20], 0));
    let skills = Skills::new([(1, 11), (2, 20)]);
    let updated = skills.update(&home, 1);
    assert_eq!((keys(&updated.documents), updated.read), (vec![11, 20], 1));
    assert_eq!(kept(&home, 1), Some(vec![11, 20]));
    let view = home.store.index().view(1).unwrap();
    assert_eq!((view.key(1), view.key(2), view.key(3)), (Some(11), Some(20), None));
    // Another set of folders shares what is there.
    assert_eq!(Skills::new([(2, 20)]).update(&home, 2).read, 0);
    assert_eq!((kept(&home, 1), kept(&home, 2)), (Some(vec![11, 20]), Some(vec![20])));
    assert!(home.store.index().clear().unwrap() > 0);
    assert_eq!((kept(&home, 1), names(&folder(&home))), (None, vec!["index.lock".to_owned()]));
}

#[test]
fn what_cannot_be_made_is_missed_and_looked_for_again() {
    let home = Home::new();
    let mut wanted = Skills::new([(1, 10)]).all.into_iter().map(|(place, key)| Wanted {
        place,
        key,
        make: Box::new(|_: &mut Analyser| None),
    });
    let updated = home.store.index().update(&look(1), &[wanted.next().unwrap()], &Silent);
    assert_eq!((updated.unmade, updated.not_kept.is_none()), (vec![10], true));
    assert!(!home.store.index().view(1).unwrap().is_whole);
    let doubted = Look { is_doubted: true, ..look(2) };
    home.store.index().update(&doubted, &Skills::new([(1, 11)]).wanted(), &Silent);
    assert!(!home.store.index().view(2).unwrap().is_whole);
    assert!(Skills::new([(1, 10)]).update(&home, 1).unmade.is_empty());
    assert!(home.store.index().view(1).unwrap().is_whole);
}

#[test]
fn many_updates_stay_few_files_and_lose_nothing() {
    let home = Home::new();
    Skills::new((0..50).map(|place| (place, 1000 + u128::from(place)))).update(&home, 2);
    for round in 0..40u128 {
        let skills = Skills::new([(1, 10), (2, 100 + round)]);
        let updated = skills.update(&home, 1);
        assert_eq!(
            (keys(&updated.documents), updated.read),
            (vec![10, 100 + round], 1 + usize::from(round == 0))
        );
        assert_eq!(kept(&home, 1), Some(vec![10, 100 + round]));
        let status = home.store.index().status().unwrap();
        assert!(status.segments <= 9 && status.unreadable == 0, "{status:?}");
    }
    // Merges have taken over what the other view has.
    assert_eq!(kept(&home, 2), Some((1000..1050).collect()));
    assert_eq!(Skills::new((0..50).map(|place| (place, 1000 + u128::from(place)))).update(&home, 2).read, 0);
}

#[test]
fn documents_of_nobody_do_not_pile_up() {
    let home = Home::new();
    for round in 0..6u128 {
        Skills::new((0..300).map(|place| (place, 1000 * (round + 1) + u128::from(place)))).update(&home, 1);
        assert!(home.store.index().status().unwrap().documents <= 600);
    }
    for identity in 0..100 {
        Skills::new([(1, 10)]).update(&home, identity);
    }
    assert!(home.store.index().status().unwrap().views <= 64);
    assert_eq!(kept(&home, 99), Some(vec![10]));
}

#[test]
fn who_has_documents_open_keeps_them_through_a_merge() {
    let home = Home::new();
    let open = Skills::new([(1, 10), (2, 20)]).update(&home, 1).documents;
    let old = home.store.index().view(1).unwrap();
    for round in 0..12u128 {
        Skills::new([(1, 10), (2, 100 + round)]).update(&home, 1);
    }
    assert_eq!(keys(&open), [10, 20]);
    // Who has read the view and not opened its segments yet looks again.
    assert!(home.store.index().documents(&[&old]).is_none());
}

#[test]
fn what_killed_processes_left_goes_and_what_is_foreign_stays() {
    let home = Home::new();
    Skills::new([(1, 10)]).update(&home, 1);
    let (own, foreign) = (folder(&home), ["notes.txt", "x.segment", "zz.view", "0123456789ABCDEF.view"]);
    for name in foreign.iter().chain(&[".0123456789abcdef.tmp", "0123456789abcdef.segment"]) {
        fs_err::write(own.join(name), "x").unwrap();
    }
    fs_err::create_dir(own.join("aaaaaaaaaaaaaaaa.segment")).unwrap();
    assert_eq!(kept(&home, 1), Some(vec![10]));
    assert_eq!(home.store.index().status().unwrap().unreadable, 1);
    Skills::new([(1, 11)]).update(&home, 1);
    assert_eq!(kept(&home, 1), Some(vec![11]));
    let left = names(&own);
    assert!(foreign.iter().all(|name| left.contains(&(*name).to_owned())), "{left:?}");
    assert!(left.contains(&"aaaaaaaaaaaaaaaa.segment".to_owned()), "{left:?}");
    assert!(
        !left.iter().any(|name| names::is_temporary(name) || name == "0123456789abcdef.segment"),
        "{left:?}"
    );
    home.store.index().clear().unwrap();
    assert_eq!(names(&own).len(), foreign.len() + 2);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_index_is_not_followed() {
    let home = Home::new();
    let elsewhere = home.temp.path().join("elsewhere");
    fs_err::create_dir_all(&elsewhere).unwrap();
    fs_err::write(elsewhere.join("0123456789abcdef.segment"), "precious").unwrap();
    fs_err::create_dir_all(home.store.root()).unwrap();
    std::os::unix::fs::symlink(&elsewhere, folder(&home)).unwrap();
    let updated = Skills::new([(1, 10)]).update(&home, 1);
    assert_eq!((keys(&updated.documents), updated.not_kept.is_some()), (vec![10], true));
    assert!(home.store.index().clear().is_err());
    assert_eq!(names(&elsewhere), ["0123456789abcdef.segment"]);
}

#[test]
fn a_file_in_the_place_of_another_is_not_taken_for_it() {
    let home = Home::new();
    Skills::new([(1, 10)]).update(&home, 1);
    fs_err::copy(file(&home, ".view"), folder(&home).join(files::view(2))).unwrap();
    assert_eq!(home.store.index().view(2), None);
    let segment = file(&home, ".segment");
    Skills::new([(1, 11)]).update(&home, 3);
    let other = names(&folder(&home)).into_iter().map(|name| folder(&home).join(name));
    let other =
        other.filter(|path| *path != segment).find(|path| path.extension().is_some_and(|it| it == "segment"));
    fs_err::copy(other.unwrap(), &segment).unwrap();
    assert_eq!(kept(&home, 1), None);
    assert_eq!(keys(&Skills::new([(1, 10)]).update(&home, 1).documents), [10]);
    assert_eq!(kept(&home, 1), Some(vec![10]));
}

#[test]
fn damage_at_any_place_is_made_good() {
    let home = Home::new();
    let skills = Skills::new((0..5).map(|place| (place, 10 + u128::from(place))));
    let all: Vec<u128> = (10..15).collect();
    for ending in [".segment", ".view"] {
        for cut in [0, 1, 50, 99, 200] {
            skills.update(&home, 1);
            let path = file(&home, ending);
            let bytes = fs_err::read(&path).unwrap();
            fs_err::write(&path, &bytes[..cut.min(bytes.len() - 1)]).unwrap();
            assert_eq!(kept(&home, 1), None, "{ending} {cut}");
            assert_eq!(keys(&skills.update(&home, 1).documents), all);
            assert_eq!(kept(&home, 1), Some(all.clone()));
        }
    }
}

#[test]
fn a_segment_that_breaks_in_a_merge_is_made_again() {
    let home = Home::new();
    Skills::new([(1, 10)]).update(&home, 1);
    // Its shapes and records are read by a merge, and not before.
    let path = file(&home, ".segment");
    let mut bytes = fs_err::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs_err::write(&path, bytes).unwrap();
    for round in 0..20u128 {
        let updated = Skills::new([(1, 10), (2, 100 + round)]).update(&home, 2);
        let numbers: Vec<u32> = updated.documents.cards().map(|(number, _)| number).collect();
        assert_eq!(numbers.len(), 2);
    }
    assert_eq!(keys(&Skills::new([(1, 10)]).update(&home, 1).documents), [10]);
}

#[test]
fn what_another_release_wrote_is_left_to_it_for_a_month() {
    let home = Home::new();
    Skills::new([(1, 10)]).update(&home, 1);
    let of_another = folder(&home).join("0123456789abcdef.segment");
    let mut bytes = fs_err::read(file(&home, ".segment")).unwrap();
    bytes[8] += 1;
    fs_err::write(&of_another, bytes).unwrap();
    for round in 0..20u128 {
        let updated = Skills::new([(1, 20 + round)]).update(&home, 1);
        assert_eq!(keys(&updated.documents), [20 + round]);
    }
    assert!(of_another.exists());
    let later = Look { began_ns: i128::MAX, ..look(1) };
    home.store.index().update(&later, &Skills::new([(1, 10)]).wanted(), &Silent);
    assert!(!of_another.exists());
}
