//! What is kept, under which name, for how long, and what happens to files that are not as they should be.

use std::time::SystemTime;

use fs_err as fs;

use super::*;

const NOW_MS: i64 = 1_787_529_600_000;

fn head(etag: Option<&str>) -> Head {
    Head { etag: etag.map(str::to_owned), status: 200, stored_ms: NOW_MS }
}

fn key(url: &str) -> Key {
    Key::new(url, Accept::Json, "anonymous")
}

#[test]
fn what_is_kept_is_found_again_by_what_was_asked_and_as_whom() {
    let home = tempfile::tempdir().unwrap();
    let cache = Cache::new(home.path().join("http"));
    assert_eq!(cache.read(&key("https://a.example/x")), None);
    let kept =
        Kept { head: Head { status: 203, ..head(Some("W/\"1\"")) }, body: b"{\"a\":\n1}\n\n".to_vec() };
    cache.keep(&key("https://a.example/x"), &kept.head, &kept.body);
    assert_eq!(cache.read(&key("https://a.example/x")), Some(kept));
    for other in [
        key("https://a.example/x?page=2"),
        key("https://b.example/x"),
        Key::new("https://a.example/x", Accept::GithubJson, "anonymous"),
        Key::new("https://a.example/x", Accept::Json, "token-1"),
    ] {
        assert_eq!(cache.read(&other), None);
    }
    cache.forget(&key("https://a.example/x"));
    assert_eq!(cache.read(&key("https://a.example/x")), None);
    cache.forget(&key("https://a.example/x"));
}

#[test]
fn a_file_that_is_not_what_it_says_counts_as_absent() {
    let home = tempfile::tempdir().unwrap();
    let cache = Cache::new(home.path().to_owned());
    let asked = key("https://a.example/x");
    let path = home.path().join(&asked.name);
    cache.keep(&asked, &head(None), b"{\"a\": 1}");
    let whole = fs::read(&path).unwrap();
    assert!(cache.read(&asked).is_some());
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        assert_eq!(cache.read(&asked), None, "cut at {end}");
    }
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        fs::write(&path, &changed).unwrap();
        let found = cache.read(&asked);
        assert!(found.is_none_or(|kept| kept.body == b"{\"a\": 1}"), "changed at {place}");
    }
    let other = key("https://a.example/y");
    fs::write(home.path().join(&other.name), &whole).unwrap();
    assert_eq!(cache.read(&other), None);
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(cache.read(&asked), None);
    cache.keep(&asked, &head(None), b"{}");
    cache.forget(&asked);
    assert_eq!(cache.read(&asked), None);
}

#[test]
fn a_newer_file_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let cache = Cache::new(home.path().to_owned());
    let asked = key("https://a.example/x");
    let newer = "{\"version\": 2, \"body\": \"elsewhere\"}\n";
    fs::write(home.path().join(&asked.name), newer).unwrap();
    assert_eq!(cache.read(&asked), None);
    cache.keep(&asked, &head(None), b"{}");
    assert_eq!(fs::read_to_string(home.path().join(&asked.name)).unwrap(), newer);
}

#[test]
fn only_kept_answers_are_removed() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("http");
    assert_eq!(remove_kept(&folder).unwrap(), 0);
    let cache = Cache::new(folder.clone());
    for url in ["https://a.example/x", "https://a.example/y"] {
        cache.keep(&key(url), &head(None), b"{}");
    }
    fs::write(folder.join("notes"), "mine").unwrap();
    fs::create_dir(folder.join("a".repeat(64))).unwrap();
    assert_eq!(remove_kept(&folder).unwrap(), 2);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    assert!(remove_kept(&folder.join("notes")).is_err());
}

#[test]
fn freshness_is_measured_from_when_it_came() {
    let minute = Freshness::MaxAge(Duration::from_secs(60));
    for (freshness, age_ms, expected) in [
        (minute, 0, true),
        (minute, 59_999, true),
        (minute, 60_000, false),
        (minute, -59_999, true),
        (minute, -60_000, false),
        (Freshness::MaxAge(Duration::ZERO), 0, false),
        (Freshness::Immutable, 100_000_000_000, true),
        (Freshness::NoStore, 0, false),
    ] {
        assert_eq!(head(None).is_fresh(freshness, NOW_MS + age_ms), expected, "{freshness:?} {age_ms}");
    }
}

#[test]
fn large_and_unlabelled_answers_are_not_kept() {
    let minute = Freshness::MaxAge(Duration::from_secs(60));
    let (labelled, plain) = (head(Some("\"1\"")), head(None));
    assert!(
        labelled.is_worth_keeping(minute, MOST_BODY) && !labelled.is_worth_keeping(minute, MOST_BODY + 1)
    );
    assert!(!plain.is_worth_keeping(minute, 1));
    assert!(plain.is_worth_keeping(Freshness::Immutable, MOST_IMMUTABLE_BODY));
    assert!(!plain.is_worth_keeping(Freshness::Immutable, MOST_IMMUTABLE_BODY + 1));
    assert!(!labelled.is_worth_keeping(Freshness::NoStore, 1));
}

#[test]
fn the_largest_body_that_is_kept_is_read_again() {
    let home = tempfile::tempdir().unwrap();
    let cache = Cache::new(home.path().to_owned());
    let body = vec![b'x'; usize::try_from(MOST_IMMUTABLE_BODY).unwrap()];
    cache.keep(&key("https://a.example/tree"), &head(None), &body);
    assert!(cache.read(&key("https://a.example/tree")).unwrap().body == body);
}

#[test]
fn the_folder_is_bounded_and_the_oldest_go_first() {
    let home = tempfile::tempdir().unwrap();
    let unbounded = Cache::new(home.path().to_owned());
    for number in 0..10 {
        let asked = key(&format!("https://a.example/{number}"));
        unbounded.keep(&asked, &head(None), &[b'x'; 1_000]);
        let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 + number);
        std::fs::File::options()
            .append(true)
            .open(home.path().join(&asked.name))
            .unwrap()
            .set_modified(moment)
            .unwrap();
    }
    let bounded = |files: usize, bytes: u64| Cache {
        folder: home.path().to_owned(),
        bound: Bound { files, bytes },
        was_checked: AtomicBool::new(false),
    };
    let left = || {
        let is_left = |number: &u32| unbounded.read(&key(&format!("https://a.example/{number}"))).is_some();
        (0..12).filter(is_left).collect::<Vec<u32>>()
    };
    let by_count = bounded(8, u64::MAX);
    by_count.keep(&key("https://a.example/10"), &head(None), b"x");
    assert_eq!(left(), [3, 4, 5, 6, 7, 8, 9, 10]);
    by_count.keep(&key("https://a.example/11"), &head(None), b"x");
    assert_eq!(left().len(), 9, "a process looks once");
    bounded(100, 4_500).keep(&key("https://a.example/11"), &head(None), b"x");
    assert_eq!(left(), [7, 8, 9, 10, 11]);
}

#[cfg(unix)]
#[test]
fn behind_a_link_nothing_is_read_kept_or_removed() {
    use std::os::unix::fs::symlink;

    let home = tempfile::tempdir().unwrap();
    let (elsewhere, link) = (home.path().join("elsewhere"), home.path().join("http"));
    let asked = key("https://a.example/x");
    Cache::new(elsewhere.clone()).keep(&asked, &head(None), b"{}");
    fs::write(elsewhere.join("letter"), "dear").unwrap();
    symlink(&elsewhere, &link).unwrap();
    for folder in [link.clone(), home.path().join("http/")] {
        let bound = Bound { files: 0, bytes: 0 };
        let cache = Cache { folder, bound, was_checked: AtomicBool::new(false) };
        assert_eq!(cache.read(&asked), None);
        cache.keep(&key("https://a.example/y"), &head(None), b"{}");
        cache.forget(&asked);
    }
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 2);
    // In the folder itself what others put there stays.
    let bound = Bound { files: 0, bytes: 0 };
    let cache = Cache { folder: elsewhere.clone(), bound, was_checked: AtomicBool::new(false) };
    cache.keep(&key("https://a.example/y"), &head(None), b"{}");
    let left: Vec<_> = fs::read_dir(&elsewhere).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["letter"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_link_in_place_of_an_answer_is_left_alone() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let home = tempfile::tempdir().unwrap();
    let cache = Cache::new(home.path().to_owned());
    let (pipe, link) = (key("https://a.example/pipe"), key("https://a.example/link"));
    mknodat(CWD, home.path().join(&pipe.name), FileType::Fifo, Mode::RWXU, 0).unwrap();
    fs::write(home.path().join("letter"), "dear").unwrap();
    std::os::unix::fs::symlink("letter", home.path().join(&link.name)).unwrap();
    for asked in [pipe, link] {
        assert_eq!(cache.read(&asked), None);
        cache.keep(&asked, &head(None), b"{}");
        cache.forget(&asked);
        let kind = fs::symlink_metadata(home.path().join(&asked.name)).unwrap().file_type();
        assert!(!kind.is_file());
    }
    assert_eq!(fs::read_to_string(home.path().join("letter")).unwrap(), "dear");
}
