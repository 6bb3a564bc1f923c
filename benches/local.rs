//! Criterion benches of the parts that a catalog is made of: reading skill folders, scoring, printing.
//!
//! `benches/whole_process.sh` times the program itself, with process start and terminal output.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "a bench that cannot go on says where")]

use std::{collections::BTreeMap, fs, hint::black_box, path::Path};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use skillflux::{
    candidate::Candidate,
    route::select::{Settings, select},
    skill::{Limits, frontmatter},
    source::{
        local::{Discovery, Look, discover},
        roots::{Root, Scope},
    },
};
use tempfile::TempDir;

const TASK: &str = "Review the quarterly sales report and draft a migration plan for the invoice database";
const WORDS: [&str; 16] = [
    "audit", "report", "plan", "invoice", "database", "chart", "review", "draft", "sales", "query", "deploy",
    "table", "convert", "schema", "ticket", "memo",
];

fn corpus(folder: &Path, skills: usize) {
    for index in 0..skills {
        let word = |step: usize| WORDS[(index * 7 + step * 5 + index / 16) % WORDS.len()];
        let name = format!("{}-{}-{index}", word(0), word(1));
        let description: Vec<&str> = (2..32).map(word).collect();
        let text = format!(
            "---\nname: {name}\ndescription: {}. Use when asked to {} a {}.\nlicense: MIT\nmetadata:\n  \
             version: \"1.0.{index}\"\n---\n\n# {name}\n\n{}\n",
            description.join(" "),
            word(3),
            word(4),
            "Do one thing after the other and check each step. ".repeat(30)
        );
        fs::create_dir_all(folder.join(&name)).unwrap();
        fs::write(folder.join(&name).join("SKILL.md"), text).unwrap();
    }
}

fn discovery(folder: &Path, nested: bool) -> Discovery {
    let root = Root {
        label: "bench".to_owned(),
        scope: Scope::User,
        path: folder.to_owned(),
        agents: Vec::new(),
        within: None,
    };
    discover(&[root], &Limits::default(), Look { nested, traced: false }, Path::new("unused"), Vec::new())
}

fn benches(criterion: &mut Criterion) {
    let folder = TempDir::new().unwrap();
    let mut group = criterion.benchmark_group("local");
    for skills in [200, 2000] {
        let root = folder.path().join(skills.to_string());
        corpus(&root, skills);
        group.bench_with_input(BenchmarkId::new("discover for list", skills), &root, |bencher, root| {
            bencher.iter(|| black_box(discovery(root, true)));
        });
        group.bench_with_input(BenchmarkId::new("discover for catalog", skills), &root, |bencher, root| {
            bencher.iter(|| black_box(discovery(root, false)));
        });
        let found = discovery(&root, false);
        let candidates: Vec<Candidate> =
            found.skills.iter().map(|skill| skill.candidate(&found.roots)).collect();
        let boosts = BTreeMap::new();
        let settings =
            Settings { limit: 3, min_score: 8, routes: &[], boosts: &boosts, exclude_invoked: true };
        group.bench_with_input(BenchmarkId::new("select", skills), &candidates, |bencher, candidates| {
            bencher.iter(|| black_box(select(TASK, candidates, &settings)));
        });
    }
    let first = fs::read_dir(folder.path().join("200")).unwrap().next().unwrap().unwrap().path();
    let content = fs::read(first.join("SKILL.md")).unwrap();
    group.bench_function("parse one header", |bencher| {
        bencher.iter(|| black_box(frontmatter::parse(&content, "bench", &Limits::default())));
    });
    group.finish();
}

criterion_group!(local, benches);
criterion_main!(local);
