//! The settings of the comparison by meaning.
//!
//! Words are handed on as they stand in the table; the endpoint is an address that `check` has parsed, and
//! whether it may be asked is decided by the one who asks.

use std::time::Duration;

use super::{Config, RouterMode};

/// How texts are turned into vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddingSettings {
    /// Who does it.
    pub provider: EmbeddingProvider,
    /// The model; `None` for the only local one.
    pub model: Option<String>,
    /// The address that texts are sent to; nobody's for a local model.
    pub endpoint: String,
    /// The environment variable that holds the key of the endpoint.
    pub key_variable: String,
    /// How long one request may take.
    pub timeout: Duration,
    /// The most skills that are compared.
    pub candidate_limit: usize,
    /// The most vectors that are kept.
    pub cache_size: usize,
    /// The least cosine that chooses a skill.
    pub least_similarity: f64,
}

/// Who turns texts into vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbeddingProvider {
    /// Ollama's `/api/embed`.
    Ollama,
    /// The `/v1/embeddings` of `OpenAI`, or a service of the same form.
    OpenAi,
    /// A model folder that `model add` took in.
    Local,
}

impl EmbeddingProvider {
    /// The word of the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ollama => "ollama",
            Self::OpenAi => "openai-compatible",
            Self::Local => "local",
        }
    }
}

impl Config {
    /// How texts are turned into vectors.
    pub fn embedding(&self) -> EmbeddingSettings {
        let provider = match self.word("embeddingProvider") {
            "openai-compatible" => EmbeddingProvider::OpenAi,
            "local" => EmbeddingProvider::Local,
            _ => EmbeddingProvider::Ollama,
        };
        let model = self.word("embeddingModel");
        EmbeddingSettings {
            provider,
            model: (!model.is_empty()).then(|| model.to_owned()),
            endpoint: self.word("embeddingEndpoint").to_owned(),
            key_variable: self.word("embeddingApiKeyEnv").to_owned(),
            timeout: Duration::from_millis(self.integer("embeddingTimeoutMs")),
            candidate_limit: self.size("embeddingCandidateLimit"),
            cache_size: self.size("embeddingCacheSize"),
            least_similarity: self.number("minEmbeddingSimilarity"),
        }
    }

    /// The share of the dense score in the full-text score, 0 to 0.5.
    pub fn semantic_blend(&self) -> f64 {
        self.number("semanticBlend")
    }

    /// Whether a catalog compares a task and skills by their vectors.
    pub fn compares_meaning(&self) -> bool {
        match self.router_mode() {
            RouterMode::Hybrid => true,
            RouterMode::Fulltext => self.semantic_blend() > 0.0,
            RouterMode::Lexical => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;

    fn config(variables: &[(&str, &str)]) -> Config {
        let variables =
            variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Config::load(&Environment::from_parts(variables, "/w".into(), None), None, &[]).unwrap()
    }

    #[test]
    fn every_key_has_the_kind_that_is_read() {
        let settings = config(&[]).embedding();
        let expected = EmbeddingSettings {
            provider: EmbeddingProvider::Ollama,
            model: Some("embeddinggemma".to_owned()),
            endpoint: "http://127.0.0.1:11434/api/embed".to_owned(),
            key_variable: "SKILLFLUX_EMBEDDING_API_KEY".to_owned(),
            timeout: Duration::from_secs(5),
            candidate_limit: 128,
            cache_size: 512,
            least_similarity: 0.45,
        };
        assert_eq!(settings, expected);
        assert_eq!((config(&[]).router_mode(), config(&[]).semantic_blend()), (RouterMode::Fulltext, 0.0));
    }

    #[test]
    fn meaning_is_compared_in_two_modes() {
        let compares = |mode, share| {
            let variables = [("SKILLFLUX_ROUTER_MODE", mode), ("SKILLFLUX_SEMANTIC_BLEND", share)];
            config(&variables).compares_meaning()
        };
        let all = ["lexical", "fulltext", "hybrid"].map(|mode| (compares(mode, "0"), compares(mode, "0.2")));
        assert_eq!(all, [(false, false), (false, true), (true, true)]);
    }

    #[test]
    fn a_provider_brings_its_model_along() {
        let model = |variables: &[(&str, &str)]| {
            let settings = config(variables).embedding();
            (settings.provider.as_str(), settings.model)
        };
        let openai = ("SKILLFLUX_EMBEDDING_PROVIDER", "openai-compatible");
        let local = ("SKILLFLUX_EMBEDDING_PROVIDER", "local");
        let named = ("SKILLFLUX_EMBEDDING_MODEL", "mine");
        assert_eq!(model(&[openai]), ("openai-compatible", Some("text-embedding-3-small".to_owned())));
        assert_eq!(model(&[local]), ("local", None));
        assert_eq!(model(&[local, named]), ("local", Some("mine".to_owned())));
        assert!(config(&[local, named, ("SKILLFLUX_ROUTER_MODE", "hybrid")]).notices().is_empty());
    }
}
