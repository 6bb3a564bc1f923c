//! Endpoints of embeddings in the forms of Ollama and of `OpenAI`, over vectors that a test gives by words.
//!
//! A text has the vector of the first of the given words that stands in it, else one that is like no other. A
//! test can let the service fail in the ways that it or something before it does.

use std::{
    io::Write,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use super::{
    traffic::Seen,
    wire::{Answer, Reply, Request, Server},
};

/// How the service answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    Well,
    /// 500 with a JSON body.
    ServerError,
    /// 404, as Ollama says that there is no such model.
    NoModel,
    /// 401.
    Unauthorised,
    /// 200 with a page for people.
    Html,
    /// JSON that ends too early.
    NotJson,
    /// JSON of another shape.
    OtherShape,
    /// One vector less than texts.
    TooFew,
    /// One vector more.
    TooMany,
    /// The first vector has only zeros.
    Zero,
    /// The first vector holds `NaN`, which is no JSON.
    NotANumber,
    /// The first vector holds 1e999.
    Infinite,
    /// The first vector has no numbers.
    NoDimension,
    /// The first vector has 8,193 numbers.
    TooWide,
    /// Vectors of two dimensions in one answer.
    Mixed,
    /// Every index is 0 (in the form of `OpenAI`).
    SameIndex,
    /// 307 to this path of the same server.
    Redirect,
    /// 17 MiB.
    Huge,
    /// The answer comes after a second.
    Slow,
}

/// The form of requests and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Ollama,
    OpenAi,
}

#[derive(Default)]
struct Shared {
    inputs: Vec<Vec<String>>,
    models: Vec<String>,
    /// Numbers after the given ones, so that a test can change the dimension.
    padding: usize,
}

/// A running endpoint.
pub(crate) struct EmbeddingServer {
    server: Server,
    form: Form,
    mood: Arc<Mutex<Mood>>,
    shared: Arc<Mutex<Shared>>,
}

impl EmbeddingServer {
    /// `words` with the two numbers of their vectors.
    pub(crate) fn start(form: Form, words: &[(&'static str, [f64; 2])]) -> Self {
        let words = words.to_vec();
        let mood = Arc::new(Mutex::new(Mood::Well));
        let shared = Arc::new(Mutex::new(Shared::default()));
        let (present, seen) = (Arc::clone(&mood), Arc::clone(&shared));
        let server = Server::start(Duration::ZERO, move |_| {
            move |request: &Request| answer(request, form, &words, *present.lock().unwrap(), &seen)
        });
        Self { server, form, mood, shared }
    }

    /// The value of `embeddingEndpoint`.
    pub(crate) fn url(&self) -> String {
        format!("{}{}", self.server.url(), path(self.form))
    }

    pub(crate) fn set(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    /// Vectors have this many numbers more from now on.
    pub(crate) fn pad(&self, numbers: usize) {
        self.shared.lock().unwrap().padding = numbers;
    }

    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.server.traffic().requests()
    }

    /// The texts of each request.
    pub(crate) fn inputs(&self) -> Vec<Vec<String>> {
        self.shared.lock().unwrap().inputs.clone()
    }

    /// The models that were asked for.
    pub(crate) fn models(&self) -> Vec<String> {
        self.shared.lock().unwrap().models.clone()
    }
}

fn path(form: Form) -> &'static str {
    match form {
        Form::Ollama => "/api/embed",
        Form::OpenAi => "/v1/embeddings",
    }
}

fn answer(
    request: &Request,
    form: Form,
    words: &[(&'static str, [f64; 2])],
    mood: Mood,
    shared: &Mutex<Shared>,
) -> Reply {
    let plain = |answer: Answer| Reply::Answer(answer);
    if request.path() != path(form) || request.method != "POST" {
        return plain(Answer::json(404, &json!({ "error": "no such path" })));
    }
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    let inputs: Vec<String> =
        body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect();
    let padding = {
        let mut shared = shared.lock().unwrap();
        shared.inputs.push(inputs.clone());
        shared.models.push(body["model"].as_str().unwrap().to_owned());
        shared.padding
    };
    let vector = |text: &String| {
        let known = words.iter().find(|(word, _)| text.to_lowercase().contains(word));
        let mut numbers = known.map_or_else(|| vec![0.0, 0.0, 1.0], |(_, [one, two])| vec![*one, *two, 0.0]);
        numbers.resize(3 + padding, 0.0);
        numbers
    };
    let mut vectors: Vec<Value> = inputs.iter().map(|text| json!(vector(text))).collect();
    match mood {
        Mood::ServerError => return plain(Answer::json(500, &json!({ "error": "out of memory" }))),
        Mood::NoModel => return plain(Answer::json(404, &json!({ "error": "model not found" }))),
        Mood::Unauthorised => return plain(Answer::json(401, &json!({ "error": "no key" }))),
        Mood::Html => return plain(Answer::new(200, "text/html", "<!doctype html>")),
        Mood::NotJson => return plain(Answer::new(200, "application/json", "{\"embeddings\": [[1.0")),
        Mood::OtherShape => return plain(Answer::json(200, &json!({ "embeddings": [["1"]], "data": {} }))),
        Mood::Redirect => {
            return plain(Answer::json(307, &json!({})).with("location", path(form)));
        }
        Mood::Huge => return plain(Answer::new(200, "application/json", vec![b' '; 17 * 1024 * 1024])),
        Mood::TooFew => drop(vectors.pop()),
        Mood::TooMany => vectors.push(json!([1.0, 0.0, 0.0])),
        Mood::Zero => vectors[0] = json!([0.0, 0.0, 0.0]),
        Mood::NoDimension => vectors[0] = json!([]),
        Mood::TooWide => vectors[0] = json!(vec![1.0; 8193]),
        Mood::Mixed => vectors[0] = json!([1.0, 0.0]),
        Mood::NotANumber | Mood::Infinite | Mood::Well | Mood::SameIndex | Mood::Slow => {}
    }
    let item = |(index, vector): (usize, Value)| {
        let index = if mood == Mood::SameIndex { 0 } else { index };
        json!({ "object": "embedding", "index": index, "embedding": vector })
    };
    let document = match form {
        Form::Ollama => json!({ "model": body["model"], "embeddings": vectors, "total_duration": 1 }),
        // The order of the answer need not be that of the request.
        Form::OpenAi => {
            let data: Vec<Value> = vectors.into_iter().enumerate().map(item).rev().collect();
            json!({ "object": "list", "data": data, "usage": { "total_tokens": 1 } })
        }
    };
    let word = match mood {
        Mood::NotANumber => Some("NaN"),
        Mood::Infinite => Some("1e999"),
        _ => None,
    };
    let mut text = document.to_string();
    if let Some(word) = word {
        text = text.replacen("[0.0,", &format!("[{word},"), 1).replacen("[1.0,", &format!("[{word},"), 1);
    }
    let answer = Answer::new(200, "application/json", text);
    if mood == Mood::Slow {
        let play = move |stream: &mut std::net::TcpStream| {
            thread::sleep(Duration::from_secs(1));
            stream.write_all(&answer.head(answer.body.len()))?;
            stream.write_all(&answer.body)
        };
        return Reply::Play { status: 200, play: Box::new(play) };
    }
    plain(answer)
}
