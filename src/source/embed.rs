//! Vectors of texts from an endpoint: that of Ollama, or one of the form of `OpenAI`.
//!
//! A request holds the model and at most 64 texts, and a text is an [`EmbeddingText`]: there is no other way
//! to send one. A reply is taken whole or not at all: as many vectors as texts, each finite and with a
//! direction. What to do without them is decided by the caller.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use crate::{
    candidate::{
        query::EmbeddingText,
        vector::{Vector, VectorError},
    },
    http::{Accept, Bucket, Client, Deadline, Freshness, HttpError, Method, Request},
};

/// The most texts of one request.
pub const BATCH: usize = 64;
/// The largest reply that is read, in bytes; its numbers take at most four times as much memory.
const BODY_LIMIT: u64 = 16 * 1024 * 1024;

/// The form of requests and replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `{"embeddings": [[..]]}`, in the order of the texts.
    Ollama,
    /// `{"data": [{"index": 0, "embedding": [..]}]}`, in any order.
    OpenAi,
}

/// Who is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// How it is asked.
    pub form: Form,
    /// The whole address.
    pub url: String,
    /// The model.
    pub model: String,
    /// How long one request may take.
    pub timeout: Duration,
}

/// Why an endpoint gave no vectors.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// It could not be asked, or its answer could not be read.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// Not as many vectors as texts.
    #[error("the embedding endpoint answered with {found} vectors for {expected} texts")]
    Count {
        /// The texts.
        expected: usize,
        /// The vectors.
        found: usize,
    },
    /// A vector for a text that was not sent, or two for one.
    #[error("the embedding endpoint answered with the index {0}, which is twice there or of no text")]
    Index(u64),
    /// Numbers that are no vector.
    #[error("the embedding endpoint answered with a vector of {source}")]
    Vector {
        /// What is wrong with them.
        source: VectorError,
    },
}

/// The vectors of `texts`, in their order.
///
/// # Errors
///
/// The first failure of any request.
pub async fn embed(
    client: &Client,
    endpoint: &Endpoint,
    texts: &[&EmbeddingText],
) -> Result<Vec<Vector>, EmbedError> {
    let mut vectors = Vec::with_capacity(texts.len());
    for batch in texts.chunks(BATCH) {
        let request = request(endpoint, batch);
        let deadline = Deadline::after(endpoint.timeout);
        let batch_of_numbers = match endpoint.form {
            Form::Ollama => client.json::<OllamaReply>(&request, deadline).await?.body.embeddings,
            Form::OpenAi => in_order(client.json::<OpenAiReply>(&request, deadline).await?.body.data)?,
        };
        if batch_of_numbers.len() != batch.len() {
            return Err(EmbedError::Count { expected: batch.len(), found: batch_of_numbers.len() });
        }
        for numbers in batch_of_numbers {
            vectors.push(Vector::new(&numbers).map_err(|source| EmbedError::Vector { source })?);
        }
    }
    Ok(vectors)
}

/// The requests for `texts`, as [`embed`] sends them.
pub fn requests(endpoint: &Endpoint, texts: &[&EmbeddingText]) -> Vec<Request> {
    texts.chunks(BATCH).map(|batch| request(endpoint, batch)).collect()
}

/// The request for one batch.
fn request(endpoint: &Endpoint, batch: &[&EmbeddingText]) -> Request {
    let input: Vec<&str> = batch.iter().map(|text| text.as_str()).collect();
    Request {
        method: Method::Post(json!({ "model": endpoint.model, "input": input })),
        url: endpoint.url.clone(),
        accept: Accept::Json,
        bucket: Bucket::Other,
        freshness: Freshness::NoStore,
        body_limit: BODY_LIMIT,
        with_token: true,
    }
}

#[derive(Deserialize)]
struct OllamaReply {
    embeddings: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
struct OpenAiReply {
    data: Vec<OpenAiItem>,
}

#[derive(Deserialize)]
struct OpenAiItem {
    index: u64,
    embedding: Vec<f64>,
}

/// The vectors by index, which are the numbers from 0 on, each once.
fn in_order(mut items: Vec<OpenAiItem>) -> Result<Vec<Vec<f64>>, EmbedError> {
    items.sort_by_key(|item| item.index);
    match (0..).zip(&items).find(|(expected, item)| *expected != item.index) {
        Some((_, item)) => Err(EmbedError::Index(item.index)),
        None => Ok(items.into_iter().map(|item| item.embedding).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(form: Form) -> Endpoint {
        Endpoint {
            form,
            url: "http://127.0.0.1:11434/api/embed".to_owned(),
            model: "embeddinggemma".to_owned(),
            timeout: Duration::from_secs(5),
        }
    }

    #[test]
    fn the_request_by_example() {
        let texts = ["read this", "Skill: pdf"].map(|text| EmbeddingText::of_task(text).unwrap());
        let request = request(&endpoint(Form::Ollama), &texts.iter().collect::<Vec<_>>());
        assert_eq!(
            request.method,
            Method::Post(json!({"model": "embeddinggemma", "input": ["read this", "Skill: pdf"]}))
        );
        assert_eq!((request.freshness, request.body_limit), (Freshness::NoStore, 16 * 1024 * 1024));
    }

    #[test]
    fn indices_are_complete_and_each_stands_once() {
        let items = |indices: &[u64]| {
            let item =
                |&index: &u64| OpenAiItem { index, embedding: vec![f64::from(u8::try_from(index).unwrap())] };
            in_order(indices.iter().map(item).collect()).map_err(|error| error.to_string())
        };
        assert_eq!(items(&[1, 0, 2]), Ok(vec![vec![0.0], vec![1.0], vec![2.0]]));
        assert_eq!(items(&[]), Ok(vec![]));
        let wrong = "the embedding endpoint answered with the index 1, which is twice there or of no text";
        for indices in [[1, 1, 0], [1, 2, 3]] {
            assert_eq!(items(&indices), Err(wrong.to_owned()), "{indices:?}");
        }
    }
}
