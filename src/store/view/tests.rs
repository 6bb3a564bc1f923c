//! Views appear complete, are copies, and are taken back without what somebody else put there.

use super::*;
use crate::store::testing::{Home, NOW, ONE};

fn listed(folder: &Path) -> Vec<String> {
    let entries = fs_err::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_view_is_a_copy_that_can_be_edited() {
    let home = Home::new();
    let entry = home.install(ONE, 1);
    let target = home.temp.path().join("agent/skills/one");
    let view = home.store.make_view(&entry, &target, NOW).unwrap();
    assert_eq!((view.digest, view.files.len()), (entry.digest(), ONE.len()));
    assert_eq!(home.store.view(&target).unwrap(), Some(view));
    assert_eq!(listed(target.parent().unwrap()), ["one"]);
    for (path, content) in ONE {
        assert_eq!(fs_err::read(target.join(path)).unwrap(), *content);
        fs_err::write(target.join(path), "edited").unwrap();
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let metadata = fs_err::metadata(target.join("scripts/run.sh")).unwrap();
        assert_eq!((metadata.permissions().mode() & 0o777, metadata.nlink()), (0o644, 1));
    }
    assert!(home.store.verify().unwrap().is_sound());
}

#[test]
fn a_view_takes_nobodys_place() {
    let home = Home::new();
    let entry = home.install(ONE, 1);
    let target = home.temp.path().join("one");
    fs_err::write(&target, "mine").unwrap();
    let refused = home.store.make_view(&entry, &target, NOW);
    assert!(matches!(refused, Err(StoreError::Exists(path)) if path == target));
    assert_eq!(fs_err::read_to_string(&target).unwrap(), "mine");
    assert_eq!(home.store.view(&target).unwrap(), None);
    assert!(matches!(home.store.remove_view(&target, true), Err(StoreError::NotAView(_))));
}

#[test]
fn a_damaged_entry_gives_no_view() {
    let home = Home::new();
    let entry = home.install(ONE, 1);
    let file = entry.tree_folder().join("scripts/run.sh");
    let opened = fs_err::File::open(&file).unwrap();
    folder::set_file_mode(opened.file(), &file, 0o644).unwrap();
    fs_err::write(&file, "echo two\n").unwrap();
    let target = home.temp.path().join("skills/one");
    let refused = home.store.make_view(&entry, &target, NOW);
    assert!(matches!(refused, Err(StoreError::Damaged { what: Damage::Changed, .. })));
    assert_eq!(listed(&home.temp.path().join("skills")), Vec::<String>::new());
    assert_eq!(home.store.view(&target).unwrap(), None);
}

#[test]
fn what_somebody_changed_or_added_stays() {
    let home = Home::new();
    let entry = home.install(ONE, 1);
    let target = home.temp.path().join("one");
    home.store.make_view(&entry, &target, NOW).unwrap();
    fs_err::write(target.join("SKILL.md"), "edited").unwrap();
    fs_err::create_dir(target.join("scripts/mine")).unwrap();
    fs_err::remove_file(target.join("scripts/empty")).unwrap();
    let removed = home.store.remove_view(&target, false).unwrap();
    assert_eq!(removed.removed, 2);
    assert_eq!(removed.kept, ["SKILL.md", "scripts/mine"].map(PathBuf::from));
    assert_eq!(listed(&target), ["SKILL.md", "scripts"]);
    let forced = home.store.remove_view(&target, true).unwrap();
    assert_eq!(forced.kept, Vec::<PathBuf>::new());
    assert!(!target.exists());
    assert_eq!(home.store.view(&target).unwrap(), None);
}

#[test]
fn an_untouched_view_goes_without_a_trace() {
    let home = Home::new();
    let entry = home.install(ONE, 1);
    let target = home.temp.path().join("one");
    for _ in 0..2 {
        home.store.make_view(&entry, &target, NOW).unwrap();
        let removed = home.store.remove_view(&target, false).unwrap();
        assert_eq!(removed, RemovedView { removed: ONE.len(), kept: Vec::new() });
        assert!(!target.exists());
        assert!(matches!(home.store.remove_view(&target, false), Err(StoreError::NotAView(_))));
    }
    home.store.make_view(&entry, &target, NOW).unwrap();
    fs_err::remove_dir_all(&target).unwrap();
    assert_eq!(home.store.remove_view(&target, false).unwrap(), RemovedView::default());
}

#[test]
#[cfg(unix)]
fn links_that_somebody_put_in_a_view_lead_nowhere() {
    let home = Home::new();
    let entry = home.install(ONE, 1);
    let target = home.temp.path().join("one");
    home.store.make_view(&entry, &target, NOW).unwrap();
    let outside = home.temp.path().join("outside");
    fs_err::rename(target.join("references"), &outside).unwrap();
    fs_err::os::unix::fs::symlink(&outside, target.join("references")).unwrap();
    let removed = home.store.remove_view(&target, false).unwrap();
    assert_eq!(removed.kept, [PathBuf::from("references")]);
    assert!(outside.join("deep/notes.md").exists());
    home.store.remove_view(&target, true).unwrap();
    assert!(outside.join("deep/notes.md").exists() && !target.exists());
}

#[test]
fn what_a_killed_process_left_beside_the_target_goes() {
    let home = Home::new();
    let entry = home.install(ONE, 1);
    let target = home.temp.path().join("skills/one");
    let unfinished = names::temporary();
    fs_err::create_dir_all(target.parent().unwrap().join(&unfinished)).unwrap();
    let record = Record { view: None, unfinished: Some(unfinished) };
    home.store.view_document(&target).hold().unwrap().write(&record).unwrap();
    home.store.make_view(&entry, &target, NOW).unwrap();
    assert_eq!(listed(target.parent().unwrap()), ["one"]);
}
