//! What a trace notices: every change after which a walk would find something else.

use std::{
    os::unix::fs::{PermissionsExt, symlink},
    time::Duration,
};

use fs_err as fs;
use tempfile::TempDir;

use super::*;
use crate::{
    skill::Limits,
    source::{
        local::{self, Look},
        roots::{Root, Scope},
    },
};

/// So late that nothing of a test is young.
const LATE: i128 = i128::MAX;

/// Two roots and a folder beside them.
struct Folders {
    temp: TempDir,
}

impl Folders {
    fn new() -> Self {
        let folders = Self { temp: TempDir::new().unwrap() };
        for name in ["one", "two", "beside"] {
            fs::create_dir(folders.path(name)).unwrap();
        }
        folders
    }

    fn path(&self, below: &str) -> PathBuf {
        self.temp.path().join(below)
    }

    fn write(&self, below: &str, text: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn skill(&self, below: &str) {
        self.write(below, "---\nname: one\ndescription: One.\n---\n");
    }

    fn link(&self, target: &str, below: &str) {
        let target = if target.starts_with('.') { PathBuf::from(target) } else { self.path(target) };
        symlink(target, self.path(below)).unwrap();
    }

    fn relink(&self, target: &str, below: &str) {
        fs::remove_file(self.path(below)).unwrap();
        self.link(target, below);
    }

    fn walk(&self) -> Trace {
        let root = |name: &str| Root {
            label: name.to_owned(),
            scope: Scope::User,
            path: self.path(name),
            agents: Vec::new(),
            within: None,
        };
        let roots = [root("one"), root("two"), root("three")];
        let look = Look { nested: false, traced: true };
        local::discover(&roots, &Limits::default(), look, Path::new("/nowhere"), Vec::new()).trace
    }

    /// Waits until the clock of the file system has moved on.
    fn tick(&self) {
        let stamp = || {
            fs::write(self.path("clock"), "").unwrap();
            Stamp::of(&self.path("clock"))
        };
        let before = stamp();
        while stamp() == before {}
    }
}

/// Whether `change` is noticed, and that nothing is before.
fn is_noticed(before: impl FnOnce(&Folders), change: impl FnOnce(&Folders)) -> bool {
    let folders = Folders::new();
    before(&folders);
    folders.tick();
    let trace = folders.walk();
    let bytes = trace.encode();
    assert_eq!(Trace::decode(&bytes).map(|trace| trace.encode()), Some(bytes.clone()));
    assert!(!trace.is_doubted() && unchanged(&bytes, LATE), "{trace:#?}");
    change(&folders);
    let is_noticed = !unchanged(&bytes, LATE);
    // Whatever is noticed, the same walk again would have seen the same.
    assert!(is_noticed || folders.walk() == trace);
    is_noticed
}

#[test]
fn changes_of_skills_are_noticed() {
    let skill = |folders: &Folders| folders.skill("one/a/SKILL.md");
    assert!(!is_noticed(skill, |_| {}));
    assert!(!is_noticed(skill, |folders| folders.write("one/a/references/x.md", "x")), "it is not looked at");
    assert!(is_noticed(skill, |folders| folders
        .write("one/a/SKILL.md", "---\nname: two\ndescription: Two.\n---\n")));
    assert!(is_noticed(skill, |folders| fs::remove_file(folders.path("one/a/SKILL.md")).unwrap()));
    assert!(is_noticed(skill, |folders| folders.skill("two/b/SKILL.md")));
    assert!(is_noticed(skill, |folders| fs::rename(folders.path("one/a"), folders.path("one/b")).unwrap()));
    assert!(is_noticed(skill, |folders| fs::rename(folders.path("one/a"), folders.path("two/a")).unwrap()));
    assert!(is_noticed(skill, |folders| {
        // As `cp -p`, `touch -r` and tar do: only the time of the change tells.
        let path = folders.path("one/a/SKILL.md");
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        fs::write(&path, "---\nname: two\ndescription: Two.\n---\n").unwrap();
        fs::File::options().write(true).open(&path).unwrap().file().set_modified(modified).unwrap();
    }));
    assert!(is_noticed(
        |folders| {
            skill(folders);
            folders.write("one/b/SKILL.md", "---\nname: two\ndescription: Two.\n---\n");
        },
        |folders| {
            let moves = [("one/a", "beside"), ("one/b", "one/a"), ("beside", "one/b")];
            for (from, to) in moves.map(|(from, to)| (folders.path(from), folders.path(to))) {
                fs::rename(from.join("SKILL.md"), to.join("SKILL.md")).unwrap();
            }
        }
    ));
}

#[test]
fn folders_that_become_something_else_are_noticed() {
    let group = |folders: &Folders| folders.skill("one/group/a/SKILL.md");
    assert!(is_noticed(group, |folders| folders.skill("one/group/SKILL.md")));
    assert!(is_noticed(group, |folders| folders.skill("one/group/b/SKILL.md")));
    assert!(!is_noticed(group, |folders| folders.skill("one/group/a/deep/x/SKILL.md")), "it is in a skill");
    assert!(is_noticed(
        |folders| folders.write("one/group/deep/x", ""),
        |folders| folders.skill("one/group/deep/a/SKILL.md")
    ));
    let named = |folders: &Folders| folders.skill("one/a/Skill.md");
    assert!(is_noticed(named, |folders| folders.skill("one/a/skill.md")));
    assert!(is_noticed(named, |folders| folders
        .write("one/a/Skill.md", "---\nname: two\ndescription: Two.\n---\n")));
    let own = |folders: &Folders| folders.skill("one/skill.md");
    assert!(
        is_noticed(own, |folders| folders.write("one/skill.md", "---\nname: two\ndescription: Two.\n---\n"))
    );
    assert!(is_noticed(own, |folders| folders.skill("one/SKILL.md")));
    assert!(is_noticed(|_| {}, |folders| folders.skill("three/a/SKILL.md")), "a root that appears");
    assert!(is_noticed(|_| {}, |folders| folders.link("beside", "three")));
    assert!(is_noticed(|_| {}, |folders| fs::remove_dir(folders.path("one")).unwrap()));
}

#[test]
fn links_that_lead_elsewhere_are_noticed() {
    let far = |folders: &Folders| {
        folders.skill("beside/x/a/SKILL.md");
        folders.skill("beside/y/a/SKILL.md");
        folders.link("beside/x", "beside/link");
        folders.link("beside/link/a", "one/a");
        folders.link("beside/link", "two/group");
    };
    assert!(is_noticed(far, |folders| folders.relink("beside/y", "beside/link")));
    assert!(is_noticed(far, |folders| fs::remove_file(folders.path("beside/link")).unwrap()));
    assert!(is_noticed(far, |folders| folders.skill("beside/x/b/SKILL.md")));
    // The folder behind the link is known already, so nothing in it is looked at on its account.
    let known = |folders: &Folders| {
        folders.skill("one/a/SKILL.md");
        folders.link("one/a", "beside/link");
        folders.link("beside/link", "two/b");
        folders.skill("beside/new/SKILL.md");
    };
    assert!(is_noticed(known, |folders| folders.relink("beside/new", "beside/link")));
    let nothing = |folders: &Folders| folders.link("beside/nothing", "one/a");
    assert!(is_noticed(nothing, |folders| folders.skill("beside/nothing/SKILL.md")));
    assert!(is_noticed(nothing, |folders| folders.skill("beside/nothing/b/SKILL.md")));
    let to_file = |folders: &Folders| {
        folders.write("beside/file", "");
        folders.link("beside/file", "one/a");
    };
    assert!(is_noticed(to_file, |folders| {
        fs::remove_file(folders.path("beside/file")).unwrap();
        folders.skill("beside/file/SKILL.md");
    }));
}

#[test]
fn a_skill_file_that_is_a_link_is_noticed() {
    let dangling = |folders: &Folders| {
        folders.skill("one/a/b/SKILL.md");
        folders.link("./nothing", "one/a/SKILL.md");
    };
    // Without the link the folder is a group.
    assert!(is_noticed(dangling, |folders| fs::remove_file(folders.path("one/a/SKILL.md")).unwrap()));
    assert!(is_noticed(dangling, |folders| folders.skill("one/a/nothing")));
    let inside = |folders: &Folders| {
        folders.skill("one/a/x.md");
        folders.skill("one/a/y.md");
        folders.link("./x.md", "one/a/SKILL.md");
    };
    assert!(is_noticed(inside, |folders| folders.relink("./y.md", "one/a/SKILL.md")));
    assert!(is_noticed(inside, |folders| folders.write("one/a/x.md", "no header")));
    assert!(is_noticed(inside, |folders| {
        let path = folders.path("one/a/SKILL.md");
        fs::remove_file(&path).unwrap();
        fs::hard_link(folders.path("beside/../one/a/x.md"), path).unwrap();
    }));
    let circle = |folders: &Folders| {
        folders.skill("one/a/b/SKILL.md");
        folders.link("./SKILL.md", "one/a/SKILL.md");
    };
    assert!(is_noticed(circle, |folders| fs::remove_file(folders.path("one/a/SKILL.md")).unwrap()));
}

#[test]
fn a_right_that_is_given_is_noticed() {
    if rustix::process::geteuid().is_root() {
        // Root sees everything, whatever the rights are.
        return;
    }
    let mode = |folders: &Folders, below: &str, mode: u32| {
        fs::set_permissions(folders.path(below), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    for (below, closed) in [
        ("one/a", 0o000),
        ("one/a", 0o600),
        ("one/a", 0o300),
        ("one/a/b", 0),
        ("one/a/b/SKILL.md", 0),
        ("one", 0),
    ] {
        let before = |folders: &Folders| {
            folders.skill("one/a/b/SKILL.md");
            mode(folders, below, closed);
        };
        assert!(is_noticed(before, |folders| mode(folders, below, 0o755)), "{below} {closed:o}");
    }
}

#[test]
fn what_is_young_is_not_trusted() {
    let folders = Folders::new();
    folders.skill("one/a/SKILL.md");
    let trace = folders.walk();
    let path = folders.path("one/a/SKILL.md");
    let stamp = Stamp::of(&path).unwrap();
    let bytes = trace.encode();
    for (after_ns, is_trusted) in
        [(0, false), (YOUNG_NS - 1, false), (YOUNG_NS * 2, true), (-YOUNG_NS * 9, false)]
    {
        let looked = stamp.changed_ns + after_ns;
        assert_eq!(unchanged(&bytes, looked), is_trusted, "{after_ns}");
        assert_eq!(trace.trusted(&path, looked), Some(stamp).filter(|_| is_trusted), "{after_ns}");
    }
    assert!(unchanged(&bytes, LATE) && !unchanged(&bytes, i128::MIN));
}

#[test]
fn a_time_in_the_future_does_not_make_a_file_young() {
    let folders = Folders::new();
    folders.skill("one/a/SKILL.md");
    let file = fs::File::options().write(true).open(folders.path("one/a/SKILL.md")).unwrap();
    let now = file.metadata().unwrap().modified().unwrap();
    file.file().set_modified(now + Duration::from_secs(100_000)).unwrap();
    let stamp = Stamp::of(&folders.path("one/a/SKILL.md")).unwrap();
    assert!(stamp.is_young(stamp.changed_ns + 1));
    assert!(!stamp.is_young(stamp.changed_ns + 2 * YOUNG_NS));
    // Where the clock has come to it, it may have been written just now.
    assert!(stamp.is_young(stamp.modified_ns + 1));
}

#[test]
fn bytes_that_make_no_sense_are_no_trace() {
    let folders = Folders::new();
    folders.skill("one/a/SKILL.md");
    let bytes = folders.walk().encode();
    assert!(unchanged(&bytes, LATE));
    for end in 1..bytes.len() {
        // Between two paths the end is a trace of fewer.
        assert!(Trace::decode(&bytes[..end]).is_none() || unchanged(&bytes[..end], LATE));
    }
    assert!(!unchanged(&[0xff; 40], LATE) && Trace::decode(&[0xff; 40]).is_none());
}
