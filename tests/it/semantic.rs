//! `routerMode: hybrid` against endpoints in both forms: what is sent, what is chosen, and what a failure does.

use std::process::Command;

use crate::{
    context::{Ran, TestContext, add_skill},
    servers::embeddings::{EmbeddingServer, Form, Mood},
};

const TASK: &str = "make this scanned receipt searchable";
/// What the endpoint finds alike: the task and a skill that share no word.
const WORDS: &[(&str, [f64; 2])] =
    &[("receipt", [1.0, 0.0]), ("ocr-reader", [0.9, 0.1]), ("web-vitals", [0.5, 0.866])];

struct World {
    context: TestContext,
    server: EmbeddingServer,
    form: Form,
}

impl World {
    fn new(form: Form) -> Self {
        let world = Self { context: TestContext::new(), server: EmbeddingServer::start(form, WORDS), form };
        let root = world.context.user_root();
        add_skill(&root, "ocr-reader", "Extracts printed words from images");
        add_skill(&root, "web-vitals", "Diagnoses browser loading");
        add_skill(&root, "calendar", "Manages meetings");
        world
    }

    fn command(&self) -> Command {
        let provider = match self.form {
            Form::Ollama => "ollama",
            Form::OpenAi => "openai-compatible",
        };
        let mut command = self.context.command();
        command
            .env("SKILLFLUX_ROUTER_MODE", "hybrid")
            .env("SKILLFLUX_EMBEDDING_PROVIDER", provider)
            .env("SKILLFLUX_EMBEDDING_ENDPOINT", self.server.url());
        command
    }

    fn ran(&self, command: &mut Command) -> Ran {
        Ran::new(&self.context, &command.output().unwrap())
    }

    fn lines(&self) -> Ran {
        self.ran(self.command().args(["catalog", "--format", "lines", TASK]))
    }

    /// The names in a catalog.
    fn catalog(&self) -> Vec<String> {
        let ran = self.ran(self.command().args(["catalog", "--json", TASK]));
        assert_eq!(ran.stderr, "");
        names_of(ran.json()["skills"].as_array().unwrap().iter())
    }
}

fn names_of<'a>(skills: impl Iterator<Item = &'a serde_json::Value>) -> Vec<String> {
    skills.map(|skill| skill["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn meaning_fills_what_words_left_open() {
    for form in [Form::Ollama, Form::OpenAi] {
        let world = World::new(form);
        assert_eq!(world.catalog(), ["ocr-reader", "web-vitals"], "{form:?}");
        let requests = world.server.requests();
        assert_eq!(requests.len(), 1);
        assert_eq!((requests[0].method.as_str(), requests[0].status), ("POST", 200));
        assert!(!requests[0].headers.contains_key("authorization"));
        let model = if form == Form::Ollama { "embeddinggemma" } else { "text-embedding-3-small" };
        assert_eq!(world.server.models(), [model]);
        let inputs = world.server.inputs().concat();
        assert!(inputs.contains(&TASK.to_owned()), "{inputs:?}");
        let ocr = "Skill: ocr-reader Description: Extracts printed words from images";
        assert!(inputs.contains(&ocr.to_owned()), "{inputs:?}");
        assert!(!inputs.concat().contains("The body of"), "bodies are never sent");
        // What skills say is kept; the task is asked about again.
        assert_eq!(world.catalog(), ["ocr-reader", "web-vitals"]);
        assert_eq!(world.server.inputs()[1], [TASK]);
    }
}

#[test]
fn words_stand_first_and_enough_of_them_ask_nobody() {
    let world = World::new(Form::Ollama);
    add_skill(&world.context.user_root(), "receipt-sorter", "Sorts a scanned receipt by date");
    assert_eq!(world.catalog(), ["receipt-sorter", "ocr-reader", "web-vitals"]);
    let asked = world.server.requests().len();
    let one = world.ran(world.command().args(["catalog", "--max", "1", "--json", TASK])).json();
    assert_eq!(names_of(one["skills"].as_array().unwrap().iter()), ["receipt-sorter"]);
    let lexical =
        world.ran(world.command().env("SKILLFLUX_ROUTER_MODE", "lexical").args(["catalog", "--json", TASK]));
    assert_eq!(names_of(lexical.json()["skills"].as_array().unwrap().iter()), ["receipt-sorter"]);
    assert_eq!(world.server.requests().len(), asked, "nobody was asked");
}

#[test]
fn explain_shows_similarity_and_what_chose() {
    let world = World::new(Form::Ollama);
    let ran = world.ran(world.command().args(["explain", TASK]));
    let line =
        |name: &str| ran.stdout.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    assert!(ran.stdout.starts_with("router hybrid, at most 3 skills"), "{ran:?}");
    assert!(line("ocr-reader").contains("(similarity 0.994)"), "{ran:?}");
    let json = world.ran(world.command().args(["explain", "--all", "--json", TASK])).json();
    let of = |name: &str| {
        let all = json["candidates"].as_array().unwrap();
        all.iter().find(|candidate| candidate["name"] == name).unwrap().clone()
    };
    let ocr = of("ocr-reader");
    assert_eq!(
        (&ocr["outcome"], &ocr["selection"], &ocr["score"]),
        (&"chosen".into(), &"embedding".into(), &99.into())
    );
    let calendar = of("calendar");
    assert_eq!((&calendar["outcome"], &calendar["similarity"]), (&"no-match".into(), &0.0.into()));
    assert!(calendar.get("selection").is_none());
    let status = world.ran(world.command().arg("status"));
    assert!(status.stdout.contains("router         hybrid"), "{status:?}");
    // Two of the skills that come with the release are compared too.
    assert!(status.stdout.contains("ollama: embeddinggemma at http://127.0.0.1:"), "{status:?}");
    assert!(status.stdout.contains("kept vectors"), "{status:?}");
    let list = world.ran(world.command().args(["config", "list"]));
    let keys =
        list.stdout.lines().filter(|line| line.contains("embedding") || line.contains("semanticBlend"));
    assert!(!keys.collect::<String>().contains("no effect"), "{list:?}");
}

#[test]
fn a_search_lists_behind_what_only_meaning_found() {
    let world = World::new(Form::OpenAi);
    add_skill(&world.context.user_root(), "receipt-sorter", "Sorts a scanned receipt by date");
    let ran = world.ran(world.command().args(["search", "--source", "local", "--json", TASK]));
    let json = ran.json();
    let results = json["results"].as_array().unwrap();
    assert_eq!(names_of(results.iter()), ["receipt-sorter", "ocr-reader", "web-vitals"], "{ran:?}");
    assert!(results[0].get("similarity").is_none());
    assert_eq!((&results[1]["similarity"], &results[1]["score"]), (&0.993_884.into(), &99.into()));
    let few =
        world.ran(world.command().args(["search", "--source", "local", "--limit", "2", "--json", TASK]));
    assert_eq!(names_of(few.json()["results"].as_array().unwrap().iter()), ["receipt-sorter", "ocr-reader"]);
    let human = world.ran(world.command().args(["search", "--source", "local", TASK]));
    assert!(human.stdout.contains("similarity 0.994"), "{human:?}");
}

#[test]
fn a_dry_run_shows_what_would_be_compared_and_asks_nobody() {
    let world = World::new(Form::OpenAi);
    let mut command = world.command();
    command.env("SKILLFLUX_EMBEDDING_API_KEY", "key-1");
    let json = world.ran(command.args(["search", "--dry-run", "--source", "local", "--json", TASK])).json();
    let requests = json["requests"].as_array().unwrap();
    assert_eq!(requests.len(), 1, "{json}");
    assert_eq!((&requests[0]["source"], &requests[0]["method"]), (&"embeddings".into(), &"POST".into()));
    assert_eq!(requests[0]["headers"]["authorization"], "[redacted]");
    assert!(world.server.requests().is_empty());
    let sent = world.ran(world.command().args(["search", "--source", "local", TASK]));
    assert_eq!(sent.code, 0, "{sent:?}");
    let mut planned: Vec<&str> =
        requests[0]["body"]["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let mut sent = world.server.inputs().concat();
    planned.sort_unstable();
    sent.sort_unstable();
    assert_eq!(planned, sent);
    let mut command = world.command();
    command.env("SKILLFLUX_EMBEDDING_PROVIDER", "local");
    let ran = world.ran(command.args(["search", "--dry-run", "--source", "local", "--json", TASK]));
    assert!(ran.code == 0 && ran.stderr.contains("no model was added yet"), "{ran:?}");
}

#[test]
fn every_failure_leaves_the_choice_to_words_and_says_so_once() {
    for form in [Form::Ollama, Form::OpenAi] {
        let world = World::new(form);
        add_skill(&world.context.user_root(), "receipt-sorter", "Sorts a scanned receipt by date");
        let mut moods = vec![
            (Mood::ServerError, "failed with status 500"),
            (Mood::NoModel, "has no"),
            (Mood::Unauthorised, "token"),
            (Mood::Html, "HTML"),
            (Mood::NotJson, "JSON"),
            (Mood::OtherShape, "another shape than expected"),
            (Mood::TooFew, "vectors for"),
            (Mood::TooMany, "vectors for"),
            (Mood::Zero, "a vector of the length 0"),
            (Mood::NotANumber, "JSON"),
            (Mood::Infinite, "number out of range"),
            (Mood::NoDimension, "0 dimensions"),
            (Mood::TooWide, "8193 dimensions"),
            (Mood::Mixed, "different dimensions"),
            (Mood::Redirect, "redirect"),
            (Mood::Huge, "is larger than 16777216 bytes"),
        ];
        if form == Form::OpenAi {
            moods.push((Mood::SameIndex, "the index 0"));
        }
        for (mood, words) in moods {
            world.server.set(mood);
            let ran = world.lines();
            assert_eq!(ran.code, 0, "{mood:?} {ran:?}");
            assert!(
                ran.stdout.contains("receipt-sorter") && !ran.stdout.contains("ocr-reader"),
                "{mood:?} {ran:?}"
            );
            assert_eq!(ran.stderr.lines().count(), 1, "{mood:?} {ran:?}");
            assert!(ran.stderr.contains("skills are compared by words alone: "), "{mood:?} {ran:?}");
            assert!(ran.stderr.contains(words), "{mood:?} {ran:?}");
        }
        world.server.set(Mood::Well);
        assert_eq!(world.catalog(), ["receipt-sorter", "ocr-reader", "web-vitals"]);
    }
}

#[test]
fn a_slow_endpoint_is_left_alone_after_some_timeouts() {
    let world = World::new(Form::Ollama);
    world.server.set(Mood::Slow);
    let catalog = || {
        let mut command = world.command();
        command
            .env("SKILLFLUX_EMBEDDING_TIMEOUT_MS", "100")
            .env("SKILLFLUX_REMOTE_HEALTH_FAILURE_THRESHOLD", "2");
        world.ran(command.args(["catalog", TASK]))
    };
    for _ in 0..2 {
        let ran = catalog();
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran:?}");
        assert!(ran.stderr.contains("took too long"), "{ran:?}");
    }
    let asked = world.server.requests().len();
    let ran = catalog();
    assert!(ran.stderr.contains("was too slow several times and is left alone until"), "{ran:?}");
    assert_eq!(world.server.requests().len(), asked);
    let cleaned = world.context.run(["discovery-cache", "clean"]);
    assert_eq!(cleaned.code, 0, "{cleaned:?}");
    world.server.set(Mood::Well);
    assert_eq!(world.catalog(), ["ocr-reader", "web-vitals"]);
}

#[test]
fn an_endpoint_that_is_not_there_is_no_error() {
    let world = World::new(Form::Ollama);
    let mut command = world.command();
    command.env("SKILLFLUX_EMBEDDING_ENDPOINT", "http://127.0.0.1:9/api/embed");
    let ran = world.ran(command.args(["catalog", TASK]));
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    assert!(ran.stderr.contains("no connection to `127.0.0.1:9`"), "{ran:?}");
    let mut command = world.command();
    command.env("SKILLFLUX_EMBEDDING_ENDPOINT", "http://models.example/api/embed");
    let ran = world.ran(command.args(["catalog", TASK]));
    assert!(ran.code == 0 && ran.stderr.contains("it is not https"), "{ran:?}");
}

#[test]
fn offline_still_asks_this_machine_and_nobody_else() {
    let world = World::new(Form::Ollama);
    let ran = world.ran(world.command().args(["--offline", "catalog", "--json", TASK]));
    assert_eq!(names_of(ran.json()["skills"].as_array().unwrap().iter()), ["ocr-reader", "web-vitals"]);
    let mut command = world.command();
    command.env("SKILLFLUX_EMBEDDING_ENDPOINT", "https://models.example/api/embed");
    let ran = world.ran(command.args(["--offline", "catalog", TASK]));
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("`models.example` was not asked, because skillflux is offline"), "{ran:?}");
}

#[test]
fn a_key_goes_to_its_endpoint_and_secrets_to_nobody() {
    let world = World::new(Form::OpenAi);
    let secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    let mut command = world.command();
    command.env("SKILLFLUX_EMBEDDING_API_KEY", "key-1").env("GITHUB_TOKEN", "other");
    let task = format!("receipt {secret} of me@example.com {}", "word ".repeat(1000));
    let ran = world.ran(command.args(["catalog", "--json", &task]));
    assert_eq!(ran.stderr, "");
    assert_eq!(world.server.requests()[0].headers["authorization"], "Bearer key-1");
    let inputs = world.server.inputs().concat();
    assert!(inputs.iter().all(|text| text.chars().count() <= 1000), "{inputs:?}");
    let sent = inputs.concat();
    assert!(!sent.contains("ghp_") && !sent.contains("example.com"), "{sent}");
    let task = inputs.iter().find(|text| text.starts_with("receipt")).unwrap();
    assert!(task.starts_with("receipt of word word"), "{task}");
    // The name of another variable, and a key that no header can hold.
    let mut command = world.command();
    command.env("SKILLFLUX_EMBEDDING_API_KEY_ENV", "MY_KEY").env("MY_KEY", "a b");
    let ran = world.ran(command.args(["catalog", TASK]));
    assert!(ran.stderr.contains("`MY_KEY` holds no key that can be sent"), "{ran:?}");
    assert!(!ran.stderr.contains("a b"), "{ran:?}");
}

#[test]
fn many_skills_are_asked_about_in_batches() {
    let world = World::new(Form::Ollama);
    for index in 0..150 {
        add_skill(&world.context.user_root(), &format!("other-{index:03}"), &format!("Does thing {index}"));
    }
    let ran = world.ran(world.command().args(["catalog", "--json", TASK]));
    assert_eq!(ran.code, 0, "{ran:?}");
    let sizes: Vec<usize> = world.server.inputs().iter().map(Vec::len).collect();
    assert_eq!(sizes, [64, 64, 1], "the task and 128 skills");
    let mut command = world.command();
    command
        .env("SKILLFLUX_EMBEDDING_CANDIDATE_LIMIT", "5")
        .env("SKILLFLUX_HOME", world.context.home().join("other"));
    world.ran(command.args(["catalog", TASK]));
    assert_eq!(world.server.inputs().last().unwrap().len(), 6);
}

#[test]
fn vectors_of_another_dimension_are_made_again_once() {
    let world = World::new(Form::Ollama);
    assert_eq!(world.catalog(), ["ocr-reader", "web-vitals"]);
    let kept = world.server.inputs()[0].len();
    // The endpoint has another model under the same name now.
    world.server.pad(5);
    assert_eq!(world.catalog(), ["ocr-reader", "web-vitals"]);
    let sizes: Vec<usize> = world.server.inputs()[1..].iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, kept], "the task, then all again");
    assert_eq!(world.catalog(), ["ocr-reader", "web-vitals"]);
    assert_eq!(world.server.inputs().last().unwrap().len(), 1, "the new ones are kept");
}

#[test]
fn a_damaged_file_of_vectors_is_as_none() {
    let world = World::new(Form::Ollama);
    assert_eq!(world.catalog(), ["ocr-reader", "web-vitals"]);
    let file = world.context.home().join("skillflux/cache/v1/embeddings.json");
    std::fs::write(&file, "{\"version\":1,\"content\":{\"vectors\":[{\"key\":1}]}}").unwrap();
    assert_eq!(world.catalog(), ["ocr-reader", "web-vitals"]);
    assert_eq!(world.catalog(), ["ocr-reader", "web-vitals"]);
    let sizes: Vec<usize> = world.server.inputs().iter().map(Vec::len).collect();
    assert_eq!((sizes[0], sizes[1], sizes[2]), (sizes[0], sizes[0], 1));
}
