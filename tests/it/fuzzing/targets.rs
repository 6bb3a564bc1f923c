//! What is fuzzed: everything that reads bytes which somebody else may have written. Each target takes any bytes
//! and panics only when a promise is broken. The files of `fuzz/fuzz_targets` run the same functions under
//! cargo-fuzz.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use skillflux::{
    config::{Config, Environment},
    fetch::tree::{Depth, Sizes, TreeAnswer, TreeListing},
    skill::{
        Limits, frontmatter,
        id::{TreeDigest, TreeSha},
        path::SkillPath,
        time::UnixMillis,
    },
    store::{Store, holder::Holder},
};
use tempfile::TempDir;

/// A function that takes any bytes, and documents to start from.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&[u8]),
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
    /// How many times as long an input takes as one of the fastest target.
    pub(crate) cost: usize,
}

pub(crate) const TARGETS: &[Target] = &[
    Target { name: "frontmatter", run: header, seeds: headers, cost: 2 },
    Target { name: "skill_path", run: path, seeds: paths, cost: 1 },
    Target { name: "tree_answer", run: tree, seeds: trees, cost: 1 },
    Target { name: "manifest", run: manifest, seeds: manifests, cost: 10 },
    Target { name: "lease", run: lease, seeds: leases, cost: 10 },
    Target { name: "config", run: config, seeds: configs, cost: 10 },
];

/// A folder that no device slows down, where there is such a place.
fn in_memory() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { TempDir::new_in(memory).unwrap() } else { TempDir::new().unwrap() }
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// The header of a `SKILL.md`: whatever is accepted is within its bounds and has no control characters in its
/// name.
pub(crate) fn header(bytes: &[u8]) {
    let limits = Limits::default();
    let parsed = frontmatter::parse(bytes, "folder", &limits);
    if let Ok(header) = parsed.outcome {
        assert!(!header.description.trim().is_empty());
        assert!(header.slug.as_str().len() <= 64 && !header.slug.as_str().contains(['/', '.', '\n']));
    }
}

fn headers() -> Vec<Vec<u8>> {
    texts(&[
        "---\nname: pdf\ndescription: Reads PDF files. Use for PDF.\nlicense: MIT\n---\n\n# PDF\n",
        "---\nname: a\ndescription: >\n  Folded\n  text: with colon\nmetadata:\n  version: \"1.0\"\n  tags: [a, b]\n---\n",
        "---\r\nname: 'quoted'\r\ndescription: \"esc\\u00e9 \\n\"\r\nallowed-tools: Bash(git:*), Read\r\n---\r\nBody",
        "---\nname: x\ndescription: &a text\ncopy: *a\nlist:\n- {k: v}\n- [1, 2]\n---\n",
        "no header\n",
    ])
}

/// A path of a tree: whatever is accepted stays inside the folder that it is joined to.
pub(crate) fn path(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(path) = SkillPath::parse(text) else { return };
    let text = path.as_str();
    assert_eq!(SkillPath::parse(text).as_ref(), Ok(&path));
    assert!(text.len() <= 960 && !text.contains(['\0', '\\', '\n', ':']), "{text:?}");
    let plain = |part: std::path::Component<'_>| matches!(part, std::path::Component::Normal(_));
    assert!(Path::new(text).components().all(plain), "{text:?}");
    assert!(text.split('/').all(|part| !part.is_empty() && part != "." && part != ".."), "{text:?}");
}

fn paths() -> Vec<Vec<u8>> {
    texts(&["SKILL.md", "references/deep/notes.md", "scripts/run.sh", "assets/Bild-ä.png", "a/b/c/d/e/f/g/h"])
}

/// A list of a tree as a host gives it: never accepted unless its ids were made again.
pub(crate) fn tree(bytes: &[u8]) {
    let Ok(answer) = serde_json::from_slice::<TreeAnswer>(bytes) else { return };
    for depth in [Depth::Flat, Depth::Recursive] {
        let asked = TreeSha::parse(&answer.sha).unwrap_or_else(|_| TreeSha::parse(EMPTY_TREE).unwrap());
        let verified = TreeListing::verify(&asked, answer.tree.clone(), depth, Sizes::Listed);
        assert!(verified.is_err() || answer.tree.len() <= 100_000);
    }
}

const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

fn trees() -> Vec<Vec<u8>> {
    let item = |path: &str, mode: &str, kind: &str, size: &str| {
        format!(
            r#"{{"path":"{path}","mode":"{mode}","type":"{kind}","sha":"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"{size}}}"#
        )
    };
    let list = |items: &[String]| {
        format!(r#"{{"sha":"{EMPTY_TREE}","url":"x","tree":[{}],"truncated":false}}"#, items.join(","))
    };
    let file = item("SKILL.md", "100644", "blob", r#","size":0"#);
    let folder = item("scripts", "040000", "tree", "");
    let script = item("scripts/run.sh", "100755", "blob", r#","size":12"#);
    let link = item("scripts/link", "120000", "blob", r#","size":3"#);
    let module = item("vendor", "160000", "commit", "");
    texts(&[&list(&[]), &list(std::slice::from_ref(&file)), &list(&[file, folder, script, link, module])])
}

/// A store with the folder of one entry, and leases.
struct Home {
    store: Store,
    digest: TreeDigest,
    manifest: PathBuf,
    lease: PathBuf,
    _folder: TempDir,
}

fn home() -> &'static Home {
    static HOME: OnceLock<Home> = OnceLock::new();
    HOME.get_or_init(|| {
        let folder = in_memory();
        let store = Store::new(&folder.path().join("cache"), &folder.path().join("state"));
        let digest = TreeDigest::from_bytes([0xab; 32]);
        let entry = store.root().join("store/ab").join(digest.to_string());
        let leases = store.root().join("leases");
        for folder in [&entry.join("tree"), &leases] {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(entry.join("tree/SKILL.md"), "").unwrap();
        let lease = leases.join(format!("{digest}.{}", "x".repeat(16)));
        Home { store, digest, manifest: entry.join("manifest.json"), lease, _folder: folder }
    })
}

/// A manifest: no bytes make an entry of this name, for nobody knows files with this digest.
pub(crate) fn manifest(bytes: &[u8]) {
    let Home { store, digest, manifest, .. } = home();
    std::fs::write(manifest, bytes).unwrap();
    assert_eq!(store.entries().unwrap().len(), 1);
    assert!(store.open(digest).is_err());
}

fn manifests() -> Vec<Vec<u8>> {
    let file = |path: &str| {
        let (sha256, blob) = ("0".repeat(64), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        format!(r#"{{"path":"{path}","size":0,"sha256":"{sha256}","blob":"{blob}","executable":false}}"#)
    };
    let whole = |files: &str| {
        format!(r#"{{"version":1,"sha256":"{}","content":{{"files":[{files}]}}}}"#, "1".repeat(64))
    };
    texts(&[&whole(""), &whole(&file("SKILL.md")), &whole(&format!("{},{}", file("SKILL.md"), file("a/b")))])
}

/// A lease: whatever it says, whoever looks gets an answer.
pub(crate) fn lease(bytes: &[u8]) {
    let Home { store, digest, lease, .. } = home();
    std::fs::write(lease, bytes).unwrap();
    let leased = store.leased(&Holder::current(), UnixMillis(1_800_000_000_000)).unwrap();
    assert!(leased.iter().all(|found| found == digest));
}

fn leases() -> Vec<Vec<u8>> {
    let whole = |created: &str, ttl: &str| {
        let digest = "ab".repeat(32);
        format!(
            r#"{{"version":1,"content":{{"digest":"{digest}","session":"s","created_ms":{created},"ttl_ms":{ttl},"boot_id":"b","pid":1,"start_time":2,"pid_namespace":3}}}}"#
        )
    };
    texts(&[
        &whole("1", "2"),
        &whole("null", "null"),
        &whole("1800000000000", "43200000"),
        r#"{"version":2}"#,
    ])
}

/// A configuration file: refused or understood.
pub(crate) fn config(bytes: &[u8]) {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(in_memory);
    let file = folder.path().join("config.yaml");
    std::fs::write(&file, bytes).unwrap();
    let home = Some(folder.path().to_owned());
    let environment = Environment::from_parts(BTreeMap::new(), folder.path().to_owned(), home);
    if let Err(refused) = Config::load(&environment, Some(&file), &[]) {
        assert!(!refused.to_string().is_empty());
    }
}

fn configs() -> Vec<Vec<u8>> {
    texts(&[
        "catalogMaxSkills: 3\nremoteDiscovery: on-demand\n",
        "routes:\n  - keywords: [pdf, report]\n    skills: [pdf]\nremoteTrustedOwners: [a, b]\n",
        "catalogDescriptionMaxLength: 160 # a comment\nusageTracking: false\n",
        "",
    ])
}
