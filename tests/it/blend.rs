//! `semanticBlend` in `routerMode: fulltext`: what it moves, what it leaves alone, and what a failure does.

use std::{path::PathBuf, process::Command};

use serde_json::{Value, json};

use crate::{
    context::{Ran, TestContext, add_skill, small_model, write},
    servers::embeddings::{EmbeddingServer, Form, Mood},
};

const TASK: &str = "sort the receipts of this trip by date";
/// Words that make one skill point where the task points.
const WORDS: &[(&str, [f64; 2])] =
    &[("receipts of this trip", [1.0, 0.0]), ("expense-filer", [0.9, 0.1]), ("receipt-sorter", [0.1, 0.9])];

struct World {
    context: TestContext,
    server: EmbeddingServer,
}

impl World {
    fn new() -> Self {
        let world = Self { context: TestContext::new(), server: EmbeddingServer::start(Form::Ollama, WORDS) };
        let root = world.context.user_root();
        add_skill(&root, "receipt-sorter", "Sorts receipts by date or amount");
        add_skill(&root, "expense-filer", "Sorts receipts of a trip by date and files them as expenses");
        add_skill(&root, "calendar", "Manages meetings");
        world
    }

    fn command(&self, share: &str) -> Command {
        let mut command = self.context.command();
        command
            .env("SKILLFLUX_ROUTER_MODE", "fulltext")
            .env("SKILLFLUX_MIN_ROUTE_SCORE", "1")
            .env("SKILLFLUX_SEMANTIC_BLEND", share)
            .env("SKILLFLUX_EMBEDDING_ENDPOINT", self.server.url());
        command
    }

    fn ran(&self, command: &mut Command) -> Ran {
        Ran::new(&self.context, &command.output().unwrap())
    }

    /// Of the skills that full-text search found: name, confidence, and what likeness of meaning adds.
    fn explained(&self, share: &str) -> Vec<(String, Value, Value)> {
        let json = self.ran(self.command(share).args(["explain", "--all", "--json", TASK])).json();
        let mut found: Vec<&Value> = json["candidates"].as_array().unwrap().iter().collect();
        found.retain(|candidate| candidate["fulltext"].is_object());
        found.sort_by_key(|candidate| candidate["fulltext"]["rank"].as_u64());
        let of = |candidate: &&Value| {
            let fulltext = &candidate["fulltext"];
            let name = candidate["name"].as_str().unwrap().to_owned();
            (name, fulltext["confidence"].clone(), fulltext["meaning"].clone())
        };
        found.iter().map(of).collect()
    }
}

#[test]
fn meaning_moves_the_order_and_not_the_confidence() {
    let world = World::new();
    let plain = world.explained("0");
    assert!(world.server.requests().is_empty(), "nobody is asked without a share");
    assert!(plain.iter().all(|(_, _, meaning)| meaning.is_null()), "{plain:?}");
    let blended = world.explained("0.5");
    let confidence = |all: &[(String, Value, Value)], name: &str| {
        all.iter().find(|(of, ..)| of == name).unwrap().1.clone()
    };
    for (name, of, meaning) in &blended {
        assert_eq!(*of, confidence(&plain, name), "{name}");
        assert!(meaning.is_number(), "{name}");
    }
    let place = |all: &[(String, Value, Value)], name: &str| all.iter().position(|(of, ..)| of == name);
    assert!(place(&blended, "expense-filer") < place(&blended, "receipt-sorter"), "{blended:?}");
    let text = world.ran(world.command("0.5").args(["explain", "--all", TASK]));
    let line = text.stdout.lines().find(|line| line.contains("expense-filer")).unwrap();
    assert!(line.contains("similarity 0.994, meaning +"), "{line}");
    let status = world.ran(world.command("0.2").args(["status", "--json"])).json();
    assert_eq!(status["embeddings"]["provider"], "ollama");
}

#[test]
fn what_is_found_is_asked_about_once_and_only_what_is_found() {
    let world = World::new();
    let catalog = |share: &str| {
        let ran = world.ran(world.command(share).args(["catalog", "--json", TASK]));
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:?}");
        ran.json()["skills"].as_array().unwrap().len()
    };
    assert!(catalog("0.2") > 0);
    let sent = world.server.inputs().concat();
    assert!(sent.contains(&TASK.to_owned()), "{sent:?}");
    assert!(sent.contains(&"Skill: receipt-sorter Description: Sorts receipts by date or amount".to_owned()));
    assert!(!sent.concat().contains("The body of") && !sent.concat().contains("calendar"), "{sent:?}");
    catalog("0.2");
    assert_eq!(world.server.inputs()[1], [TASK], "what skills say is kept");
    let mut command = world.command("0.2");
    command
        .env("SKILLFLUX_EMBEDDING_CANDIDATE_LIMIT", "1")
        .env("SKILLFLUX_HOME", world.context.home().join("x"));
    world.ran(command.args(["catalog", TASK]));
    assert!(world.server.inputs().last().unwrap().len() <= 2);
    let asked = world.server.requests().len();
    let mut command = world.command("0.2");
    world.ran(command.env("SKILLFLUX_ROUTER_MODE", "lexical").args(["catalog", TASK]));
    world.ran(world.command("0.2").args(["search", "--source", "local", TASK]));
    assert_eq!(world.server.requests().len(), asked, "neither another mode nor a search asks");
}

#[test]
fn every_failure_leaves_the_order_to_words_and_says_so_once() {
    let world = World::new();
    let lines = |share: &str| world.ran(world.command(share).args(["catalog", "--format", "lines", TASK]));
    let plain = lines("0");
    for mood in [Mood::ServerError, Mood::NotJson, Mood::TooFew, Mood::Zero, Mood::Mixed] {
        world.server.set(mood);
        let ran = lines("0.5");
        assert_eq!((ran.code, &ran.stdout), (0, &plain.stdout), "{mood:?} {ran:?}");
        assert_eq!(ran.stderr.lines().count(), 1, "{mood:?} {ran:?}");
        assert!(ran.stderr.contains("skills are compared by words alone: "), "{mood:?} {ran:?}");
    }
    let mut command = world.command("0.5");
    command.env("SKILLFLUX_EMBEDDING_PROVIDER", "local");
    let ran = world.ran(command.args(["catalog", "--format", "lines", TASK]));
    assert_eq!((ran.code, &ran.stdout), (0, &plain.stdout), "{ran:?}");
    assert!(ran.stderr.contains("no model was added yet"), "{ran:?}");
}

/// A folder in the layout of `Model2Vec` in which `trip` and `expense-filer` point the same way.
fn model(context: &TestContext) -> PathBuf {
    small_model(&context.home().join("small"), ["trip", "expense-filer", "receipt-sorter"])
}

#[test]
fn a_local_model_moves_the_order_and_is_measured() {
    let world = World::new();
    let folder = model(&world.context);
    assert_eq!(world.context.run(["model", "add", folder.to_str().unwrap()]).code, 0);
    let mut command = world.command("0.5");
    command.env("SKILLFLUX_EMBEDDING_PROVIDER", "local");
    let json = world.ran(command.args(["explain", "--json", TASK])).json();
    let all = json["candidates"].as_array().unwrap();
    let meaning = |name: &str| {
        let found = all.iter().find(|candidate| candidate["name"] == name).unwrap();
        found["fulltext"]["meaning"].as_f64().unwrap()
    };
    assert!(meaning("expense-filer") > 0.5 && meaning("receipt-sorter") < 0.0, "{json}");
    assert!(world.server.requests().is_empty());

    let skills = world.context.home().join("skills.jsonl");
    let line = |name: &str| json!({"id": name, "name": name, "description": "Sorts receipts"}).to_string();
    write(&skills, format!("{}\n{}\n", line("receipt-sorter"), line("expense-filer")));
    let queries = world.context.home().join("queries.jsonl");
    write(&queries, json!({"query": "receipt sorter for a trip", "gold": "expense-filer"}).to_string());
    let measured = |more: &[&str]| {
        let files = [
            "eval",
            "retrieval",
            "--skills",
            skills.to_str().unwrap(),
            "--queries",
            queries.to_str().unwrap(),
        ];
        world.context.run([&files[..], more].concat())
    };
    let blended = measured(&["--blend", "0.5", "--model", "small", "--json"]).json();
    assert_eq!(
        (&blended["blend"], &blended["prompts"][0]["ranks"][0]),
        (&0.5.into(), &1.into()),
        "{blended}"
    );
    let plain = measured(&["--json"]).json();
    assert_eq!((&plain["blend"], &plain["prompts"][0]["ranks"][0]), (&Value::Null, &2.into()), "{plain}");
    assert!(measured(&["--blend", "0.2"]).stdout.starts_with("fulltext, 2 skills, likeness of meaning 0.2"));
    for (wrong, code) in [
        (&["--blend", "0.6"][..], 2),
        (&["--blend", "NaN"], 2),
        (&["--model", "small"], 2),
        (&["--blend", "0.2", "--mode", "bm25f"], 2),
        (&["--blend", "0.2", "--without", "rescorer"], 2),
        (&["--blend", "0.2", "--model", "other"], 1),
    ] {
        let ran = measured(wrong);
        assert_eq!(ran.code, code, "{ran:?}");
    }
}
