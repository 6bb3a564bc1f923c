//! A catalog made from a kept index is that of no index at all, after any sequence of changes.
//!
//! The runs of these tests take place an hour later than the changes, so that nothing is young and every stamp is
//! believed: what a trace does not notice makes a difference here.

use std::{
    fmt::Write as _,
    os::unix::fs::{MetadataExt, symlink},
    path::{Path, PathBuf},
    time::SystemTime,
};

use anstream::ColorChoice;
use fs_err as fs;
use tempfile::TempDir;

use super::*;
use crate::{
    commands::routing,
    config::{Config, Environment},
    route::formats::Format,
    skill::time::UnixMillis,
};

struct World {
    temp: TempDir,
    random: u64,
}

const WORDS: [&str; 12] =
    ["tide", "boat", "sail", "rope", "knot", "wind", "buoy", "mast", "deck", "keel", "helm", "port"];
const ROOTS: [&str; 4] = ["home/.claude/skills", "home/.agents/skills", "project/.claude/skills", "beside"];
const NAMES: [&str; 5] = ["aa", "bb", "cc", "dd", "group/ee"];
const FILES: [&str; 3] = ["SKILL.md", "skill.md", "Skill.md"];
const TASKS: [&str; 3] =
    ["tie a knot in the rope on deck", "aa", "the wind and the tide at the port and the keel"];

impl World {
    fn new(seed: u64) -> Self {
        let temp = TempDir::new().unwrap();
        for folder in ROOTS.iter().chain(&["project/.git"]) {
            fs::create_dir_all(temp.path().join(folder)).unwrap();
        }
        Self { temp, random: seed }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap()
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn root(&mut self) -> PathBuf {
        self.temp.path().canonicalize().unwrap().join(self.of(&ROOTS))
    }

    fn folder(&mut self) -> PathBuf {
        self.root().join(self.of(&NAMES))
    }

    fn file(&mut self) -> PathBuf {
        let folder = if self.below(8) == 0 { self.root() } else { self.folder() };
        let file = if self.below(4) == 0 { self.of(&FILES) } else { FILES[0] };
        folder.join(file)
    }

    /// A skill file; its length says nothing of what is in it.
    fn text(&mut self) -> String {
        let (first, second, third) = (self.of(&WORDS), self.of(&WORDS), self.of(&WORDS));
        match self.below(12) {
            0 => "no header\n".to_owned(),
            1 => format!(
                "---\nname: {first}\ndescription: {second} {third}.\ndisable-model-invocation: true\n---\n"
            ),
            2 => format!("---\ndescription: {first} {second} {third}.\n---\n{third}\n"),
            _ => format!(
                "---\nname: {first}\ndescription: Uses {second} and {third}.\n---\n# {third}\n{second}\n"
            ),
        }
    }

    /// Waits until the clock of the file system has moved on, so that two changes have two stamps.
    fn tick(&self) {
        let stamp = || {
            fs::write(self.temp.path().join("clock"), "").unwrap();
            let metadata = fs::metadata(self.temp.path().join("clock")).unwrap();
            (metadata.ctime(), metadata.ctime_nsec())
        };
        let before = stamp();
        while stamp() == before {}
    }

    /// The time of the file system.
    fn clock(&self) -> SystemTime {
        fs::write(self.temp.path().join("clock"), "").unwrap();
        fs::metadata(self.temp.path().join("clock")).unwrap().modified().unwrap()
    }

    /// Does something that a person or an installer may do; that it may not be possible now is no matter.
    fn change(&mut self) -> String {
        let (file, folder, other) = (self.file(), self.folder(), self.folder());
        let text = self.text();
        let kind = self.below(17);
        let _done = match kind {
            0..=3 => fs::create_dir_all(file.parent().unwrap()).and_then(|()| fs::write(&file, text)),
            4 => fs::remove_file(&file),
            5 => remove(&folder),
            6 => fs::rename(&folder, &other),
            7 => fs::rename(&file, file.with_file_name(self.of(&FILES))),
            8 => fs::rename(&file, other.join("SKILL.md")),
            9 => symlink(&other, &folder),
            10 => symlink(self.temp.path().join("beside/link"), &folder),
            11 => remove(&self.temp.path().join("beside/link"))
                .and_then(|()| symlink(&other, self.temp.path().join("beside/link"))),
            12 => symlink(self.of(&["skill.md", "nothing", "SKILL.md", "../bb/SKILL.md"]), &file),
            13 => fs::hard_link(other.join("SKILL.md"), &file),
            14 => {
                // The same time as before, an old one, or one that is still to come.
                let before = fs::metadata(&file).and_then(|metadata| metadata.modified());
                let times = [
                    before.ok(),
                    Some(SystemTime::UNIX_EPOCH),
                    self.clock().checked_add(Duration::from_secs(90_000)),
                ];
                let _written = fs::metadata(&file).and_then(|_| fs::write(&file, text));
                let time = times[self.below(3)].unwrap_or(SystemTime::UNIX_EPOCH);
                fs::File::options().write(true).open(&file).and_then(|file| file.file().set_modified(time))
            }
            15 => {
                let root = self.root();
                let aside = root.with_file_name("aside");
                if root.exists() { fs::rename(&root, aside) } else { fs::rename(aside, &root) }
            }
            _ => {
                let (root, target) = (self.root(), self.root());
                remove(&root).and_then(|()| symlink(target, root))
            }
        };
        format!("change {kind}: {} {} {}", file.display(), folder.display(), other.display())
    }

    /// An hour later, with this cache.
    fn context(&self, cache: &str) -> Context {
        let base = self.temp.path().canonicalize().unwrap();
        let variables = BTreeMap::from([
            ("SKILLFLUX_CACHE_DIR".to_owned(), base.join(cache).display().to_string()),
            ("SKILLFLUX_ROUTER_MODE".to_owned(), "fulltext".to_owned()),
            ("SKILLFLUX_MIN_ROUTE_SCORE".to_owned(), "1".to_owned()),
        ]);
        let environment = Environment::from_parts(variables, base.join("project"), Some(base.join("home")));
        let now = self.clock().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
        let environment = environment.at(UnixMillis(i64::try_from(now).unwrap() + 3_600_000));
        let config = Config::load(&environment, None, &[]).unwrap();
        Context { environment, config, offline: true }
    }
}

fn remove(path: &Path) -> std::io::Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|found| found.is_dir()) {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

/// All that a run decides, to the last bit of every score.
fn outcome(context: &Context, task: &str) -> String {
    let output = Output::new(ColorChoice::Never, true);
    let (pool, routed) = routing::route(context, task, false, Format::Xml, output);
    let relevant = pool.relevant.as_ref().unwrap();
    let mut all = Format::Xml.render_with(&routed.items, None);
    for (index, scored) in relevant.ranked.iter().zip(&relevant.scored) {
        let fulltext = (scored.fulltext, scored.score, scored.share, scored.confidence, scored.features);
        writeln!(all, "{} {fulltext:?}", pool.skill(*index).location().display()).unwrap();
    }
    for index in &relevant.named {
        writeln!(all, "{}", pool.skill(*index).location().display()).unwrap();
    }
    let lookups = relevant.found.lookups.iter();
    all + &format!("{:?}", lookups.map(|lookup| (lookup.place, lookup.weight)).collect::<Vec<_>>())
}

fn compare(seed: u64, steps: usize) {
    let mut world = World::new(seed);
    for step in 0..steps {
        world.tick();
        let done = world.change();
        world.tick();
        let kept = world.context("kept");
        let task = TASKS[step % TASKS.len()];
        let of_kept = outcome(&kept, task);
        let views = Views::of(&kept, &kept.roots());
        let local = views.local.as_ref().map(|view| (view.is_whole, trace::Trace::decode(&view.trace)));
        assert!(is_current(&kept), "seed {seed}, step {step}: {done} {local:#?}");
        let _removed = fs::remove_dir_all(world.temp.path().join("fresh"));
        let of_fresh = outcome(&world.context("fresh"), task);
        assert_eq!(of_kept, of_fresh, "seed {seed}, step {step}: {done}");
        assert_eq!(outcome(&kept, task), of_fresh, "seed {seed}, step {step}, once more: {done}");
    }
    let status = world.context("kept").store().index().status().unwrap();
    assert!(status.segments <= 9 && status.unreadable == 0, "{status:?}");
}

#[test]
fn a_kept_index_says_what_none_would() {
    for seed in 0..3 {
        compare(seed, 40);
    }
}

#[test]
#[ignore = "takes minutes"]
fn a_kept_index_says_what_none_would_for_long() {
    for seed in 100..160 {
        compare(seed, 100);
    }
}

#[test]
fn what_cannot_be_kept_is_searched_all_the_same() {
    let world = World::new(1);
    fs::create_dir_all(world.temp.path().join("home/.claude/skills/aa")).unwrap();
    let text = "---\nname: aa\ndescription: Ties knots in a rope.\n---\n";
    fs::write(world.temp.path().join("home/.claude/skills/aa/SKILL.md"), text).unwrap();
    let whole = outcome(&world.context("fresh"), TASKS[0]);
    assert!(whole.contains("aa/SKILL.md"));
    // A file where the folder should be.
    fs::write(world.temp.path().join("file"), "").unwrap();
    assert_eq!(outcome(&world.context("file"), TASKS[0]), whole);
    fs::create_dir_all(world.temp.path().join("odd/v1")).unwrap();
    fs::write(world.temp.path().join("odd/v1/index"), "").unwrap();
    assert_eq!(outcome(&world.context("odd"), TASKS[0]), whole);
}

#[test]
fn damage_that_a_search_comes_upon_is_made_good() {
    let world = World::new(1);
    for name in WORDS {
        let folder = world.temp.path().join("home/.claude/skills").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(
            folder.join("SKILL.md"),
            format!("---\nname: {name}\ndescription: The {name} and a knot.\n---\n"),
        )
        .unwrap();
    }
    let context = world.context("kept");
    let whole = outcome(&context, TASKS[0]);
    let index = world.temp.path().join("kept/v1/index");
    let segment = |ending: &str| {
        let files = fs::read_dir(&index).unwrap().map(|entry| entry.unwrap().path());
        files
            .filter(|path| path.extension().is_some_and(|it| it == ending))
            .max_by_key(|path| fs::metadata(path).unwrap().len())
    };
    let length = fs::read(segment("segment").unwrap()).unwrap().len();
    for at in (0..length).step_by(length / 40) {
        let path = segment("segment").unwrap();
        let mut bytes = fs::read(&path).unwrap();
        let at = at.min(bytes.len() - 1);
        bytes[at] ^= 4;
        fs::write(&path, bytes).unwrap();
        assert_eq!(outcome(&context, TASKS[0]), whole, "byte {at}");
    }
}
