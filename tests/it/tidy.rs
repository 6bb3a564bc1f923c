//! The rules of the house: who may import whom, how large files may be, what every file says first.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Modules that each module may import besides itself; the table of ARCHITECTURE.md.
const IMPORTS: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("skill", &["error"]),
    ("candidate", &["error", "skill"]),
    ("rank", &["error", "skill", "candidate"]),
    ("model", &["error", "candidate"]),
    ("route", &["error", "skill", "candidate", "rank"]),
    ("config", &["error", "skill", "candidate"]),
    ("http", &["error"]),
    ("source", &["error", "http", "skill", "candidate"]),
    ("fetch", &["error", "http", "skill", "candidate"]),
    ("store", &["error", "skill", "candidate", "rank", "model", "fetch::pin", "fetch::stage"]),
    ("eval", &["error", "skill", "candidate", "rank", "route", "config", "source", "store"]),
    ("output", &["error", "skill::text", "skill::unicode"]),
    ("cli", &["error", "skill", "config"]),
    (
        "commands",
        &[
            "error",
            "skill",
            "candidate",
            "rank",
            "model",
            "route",
            "config",
            "http",
            "source",
            "fetch",
            "store",
            "eval",
            "output",
            "cli",
        ],
    ),
    ("main", &[]),
    ("lib", &[]),
];

/// Outside crates and seams that live in few places: what is looked for, and the modules that may.
const SEAMS: &[(&str, &[&str])] = &[
    ("clap::", &["cli"]),
    ("clap_complete::", &["cli"]),
    ("anyhow::", &["commands"]),
    ("fs_err::", &["config", "http", "source", "fetch", "store", "commands"]),
    ("reqwest::", &["http"]),
    ("SystemTime::now", &["config"]),
    ("std::env::", &["config", "cli"]),
    ("std::io::stdout", &["output"]),
    ("io::stdout()", &["output"]),
];

const MAX_LINES: usize = 500;

fn sources(below: &str) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    let mut files = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(below), &mut files);
    files.sort();
    files
}

/// The files of the program itself, without those that only hold tests.
fn program() -> impl Iterator<Item = (PathBuf, String)> {
    let is_test = |path: &Path| path.file_stem().is_some_and(|stem| stem == "tests" || stem == "cases");
    sources("src").into_iter().filter(move |(path, _)| !is_test(path))
}

/// The module that a source file belongs to, by the first part of its path in `src`.
fn module(path: &Path) -> String {
    let below = path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    let first = below.components().next().unwrap().as_os_str().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

/// Code without comments and without the tests at its end.
fn code(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let opens_tests = |start: usize| {
        let item = lines[start..].iter().find(|line| !line.starts_with("#["));
        lines[start] == "#[cfg(test)]" && item.is_some_and(|item| item.ends_with("mod tests {"))
    };
    let end = (0..lines.len()).find(|start| opens_tests(*start)).unwrap_or(lines.len());
    lines[..end]
        .iter()
        .copied()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Every `crate::` path in `code`, to its second segment.
fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (start, _) in code.match_indices("crate::") {
        collect(&code[start + "crate::".len()..], "", &mut found);
    }
    found
}

/// Reads one use tree: `a::b`, or `{a::b, c::{d, e}}`.
fn collect(tree: &str, prefix: &str, found: &mut BTreeSet<String>) {
    let Some(group) = tree.strip_prefix('{') else {
        let end = tree
            .find(|character: char| !character.is_alphanumeric() && character != '_')
            .unwrap_or(tree.len());
        let name = format!("{prefix}{}", &tree[..end]);
        match tree[end..].strip_prefix("::") {
            Some(rest) if prefix.is_empty() => collect(rest, &format!("{name}::"), found),
            _ => {
                found.insert(name);
            }
        }
        return;
    };
    let mut depth = 0;
    let mut item_start = 0;
    for (index, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                collect_item(&group[item_start..index], prefix, found);
                return;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                collect_item(&group[item_start..index], prefix, found);
                item_start = index + 1;
            }
            _ => {}
        }
    }
}

fn collect_item(item: &str, prefix: &str, found: &mut BTreeSet<String>) {
    match item.trim() {
        "" => {}
        "self" => {
            found.insert(prefix.trim_end_matches(':').to_owned());
        }
        item => collect(item, prefix, found),
    }
}

#[test]
fn the_reader_of_imports_reads_imports() {
    let code = "use crate::{a::{self, x}, b::c::D, e};\nlet y = crate::f::g();";
    let expected = ["a", "a::x", "b::c", "e", "f::g"];
    assert_eq!(imports(code), expected.iter().map(|&name| name.to_owned()).collect());
}

#[test]
fn only_an_inline_module_of_tests_ends_the_code() {
    let inline = "// about\nuse a;\n#[cfg(test)]\npub(super) mod tests {\n    use crate::b;\n}";
    assert_eq!(code(inline), "use a;");
    let apart = "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod cases;\nuse crate::b;";
    assert_eq!(code(apart), apart);
    let expecting = "use a;\n#[cfg(test)]\n#[expect(lint)]\nmod tests {\n}";
    assert_eq!(code(expecting), "use a;");
}

#[test]
fn modules_import_only_what_stands_above_them() {
    let allowed: BTreeMap<&str, &[&str]> = IMPORTS.iter().copied().collect();
    let mut broken = Vec::new();
    for (path, text) in program() {
        let module = module(&path);
        let allowed = allowed.get(module.as_str()).unwrap_or_else(|| panic!("{module} is not in the table"));
        for import in imports(&code(&text)) {
            let top = import.split("::").next().unwrap();
            let fits = top == module || allowed.contains(&top) || allowed.contains(&import.as_str());
            if !fits {
                broken.push(format!("{}: crate::{import}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn seams_are_where_they_belong() {
    let mut broken = Vec::new();
    for (path, text) in program() {
        let module = module(&path);
        let code = code(&text);
        for (word, allowed) in SEAMS {
            if !allowed.contains(&module.as_str()) && code.contains(word) {
                broken.push(format!("{}: {word}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_file_says_what_it_owns_and_stays_small() {
    let mut broken = Vec::new();
    for (path, text) in sources("src").into_iter().chain(sources("tests")).chain(sources("benches")) {
        if !text.starts_with("//!") {
            broken.push(format!("{} does not open with //!", path.display()));
        }
        let lines = text.lines().count();
        if lines > MAX_LINES {
            broken.push(format!("{} has {lines} lines", path.display()));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_dependency_is_allowed() {
    let lock = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock")).unwrap();
    for denied in ["serde_yaml", "serde_yml", "libyml", "yaml-rust2", "openssl", "paste", "number_prefix"] {
        assert!(!lock.contains(&format!("name = \"{denied}\"\n")), "{denied} is in Cargo.lock");
    }
}
