//! Comparing by meaning, for commands: the provider of vectors in force, what is kept, and what a failure means.
//!
//! Whatever fails here leaves the choice to words: one warning says why, and the command goes on. Vectors of
//! skills are kept in the store, that of a task only until the command ends.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Context as _, anyhow};

use super::{context::Context, moment};
use crate::{
    candidate::{
        Candidate,
        query::{EmbeddingText, SelfDescription},
        vector::{Similarity, Vector},
    },
    config::{
        RouterMode,
        embedding::{EmbeddingProvider, EmbeddingSettings},
    },
    http::{BaseUrl, Client, Described, HttpError, Settings as ClientSettings, Timeouts, Token},
    output::Output,
    rank::{
        fuse::{self, Scored},
        semantic,
    },
    route::select::{
        Selection, Settings,
        hybrid::{self, Hybrid},
    },
    skill::name::Slug,
    source::embed::{self, EmbedError, Endpoint, Form},
    store::{
        embeddings::EmbeddingKey,
        models::{Models, ModelsError, OpenModel},
    },
};

/// The longest time that a connection may take, where a request may take longer.
const CONNECT: Duration = Duration::from_secs(5);

/// What compares by meaning in this run.
pub(super) struct Semantic<'a> {
    context: &'a Context,
    output: Output,
    settings: EmbeddingSettings,
    /// The task that was last compared, and its vector; `None` for a text without a direction, here and below.
    task: Option<(EmbeddingText, Option<Vector>)>,
    /// What was made or read in this run.
    known: BTreeMap<SelfDescription, Option<Vector>>,
    has_failed: bool,
}

/// Who makes vectors.
enum Provider {
    Endpoint { client: Client, endpoint: Endpoint },
    Local(Box<OpenModel>),
}

impl<'a> Semantic<'a> {
    /// `None` when meaning fills nothing that words left open. Nothing is read or sent yet.
    pub(super) fn new(context: &'a Context, output: Output) -> Option<Self> {
        (context.config.router_mode() == RouterMode::Hybrid).then(|| Self::of(context, output))
    }

    /// `None` when likeness of meaning has no share in the order of full-text search. Nothing is read or sent yet.
    pub(super) fn blending(context: &'a Context, output: Output) -> Option<Self> {
        let is_on =
            context.config.router_mode() == RouterMode::Fulltext && context.config.semantic_blend() > 0.0;
        is_on.then(|| Self::of(context, output))
    }

    fn of(context: &'a Context, output: Output) -> Self {
        let settings = context.config.embedding();
        let (task, known, has_failed) = (None, BTreeMap::new(), false);
        Self { context, output, settings, task, known, has_failed }
    }

    /// Orders what full-text search found again by how alike each is to `task`; `candidates` are those of `scored`.
    /// `unspaced` as in [`fuse::blend`]. Without vectors the order stays.
    pub(super) fn blend(
        &mut self,
        task: &str,
        unspaced: f64,
        candidates: &[Candidate],
        scored: &mut [Scored],
    ) {
        let compared = candidates.len().min(self.settings.candidate_limit);
        let mut similarities = vec![None; candidates.len()];
        for (index, similarity) in self.compare(task, candidates, (0..compared).collect()) {
            similarities[index] = Some(similarity);
        }
        fuse::blend(scored, &similarities, self.context.config.semantic_blend(), unspaced);
    }

    /// Fills what rules and words left open for `task`.
    pub(super) fn fill(
        &mut self,
        task: &str,
        selection: Selection,
        candidates: &[Candidate],
        settings: &Settings<'_>,
    ) -> Selection {
        let hybrid = Hybrid {
            trigger: self.context.config.max_active_skills(),
            candidate_limit: self.settings.candidate_limit,
            least: self.least(),
        };
        let pool = hybrid::pool(&selection, candidates, settings, &hybrid);
        let similarities = self.compare(task, candidates, pool);
        hybrid::extend(selection, candidates, settings, &hybrid, &similarities)
    }

    /// At most `most` of `candidates` that are alike to what was searched, the most alike first.
    pub(super) fn alike(
        &mut self,
        query: &str,
        candidates: &[Candidate],
        most: usize,
    ) -> Vec<(usize, Similarity)> {
        if most == 0 {
            return Vec::new();
        }
        let similarities = self.compare(query, candidates, self.first(candidates));
        let mut ranked = hybrid::ranked(candidates, &similarities, self.least());
        ranked.truncate(most);
        ranked
    }

    fn least(&self) -> Similarity {
        Similarity::new(self.settings.least_similarity)
    }

    /// The requests that [`Semantic::alike`] would send for `query`; none for a local model.
    pub(super) fn plan(&self, query: &str, candidates: &[Candidate]) -> Vec<Described> {
        self.planned(query, candidates).unwrap_or_else(|error| {
            self.output.warning(&format!("skills would be compared by words alone: {error:#}"));
            Vec::new()
        })
    }

    fn planned(&self, query: &str, candidates: &[Candidate]) -> anyhow::Result<Vec<Described>> {
        let provider = provider(self.context, &self.settings)?;
        let (Provider::Endpoint { client, endpoint }, Some(task)) =
            (&provider, EmbeddingText::of_task(query))
        else {
            return Ok(Vec::new());
        };
        let said: Vec<SelfDescription> = self
            .first(candidates)
            .into_iter()
            .map(|index| SelfDescription::new(&candidates[index]))
            .collect();
        if said.is_empty() {
            return Ok(Vec::new());
        }
        let keys: Vec<EmbeddingKey> = said.iter().map(|said| provider.key(said)).collect();
        let kept = self.context.store().embeddings(&keys).unwrap_or_default();
        let missing = said.iter().zip(&keys).filter(|(_, key)| !kept.contains_key(key));
        let texts: Vec<EmbeddingText> =
            std::iter::once(task).chain(missing.map(|(said, _)| EmbeddingText::of_candidate(said))).collect();
        let requests = embed::requests(endpoint, &texts.iter().collect::<Vec<_>>());
        Ok(requests.iter().map(|request| client.describe(request)).collect::<Result<_, _>>()?)
    }

    /// As many candidates as are compared, those of this machine first.
    fn first(&self, candidates: &[Candidate]) -> Vec<usize> {
        let mut pool: Vec<usize> = (0..candidates.len()).collect();
        pool.sort_by_key(|index| candidates[*index].origin);
        pool.truncate(self.settings.candidate_limit);
        pool
    }

    /// The similarity of each of the candidates in `pool`; nothing after a failure, which is said once.
    fn compare(
        &mut self,
        task: &str,
        candidates: &[Candidate],
        pool: Vec<usize>,
    ) -> Vec<(usize, Similarity)> {
        let Some(task) = EmbeddingText::of_task(task).filter(|_| !pool.is_empty() && !self.has_failed) else {
            return Vec::new();
        };
        let said: Vec<SelfDescription> =
            pool.iter().map(|&index| SelfDescription::new(&candidates[index])).collect();
        match self.similarities(&task, &said) {
            Ok(similarities) => {
                let pairs = pool.into_iter().zip(similarities);
                pairs.filter_map(|(index, similarity)| Some((index, similarity?))).collect()
            }
            Err(error) => {
                self.has_failed = true;
                self.output.warning(&format!("skills are compared by words alone: {error:#}"));
                Vec::new()
            }
        }
    }

    fn similarities(
        &mut self,
        task: &EmbeddingText,
        said: &[SelfDescription],
    ) -> anyhow::Result<Vec<Option<Similarity>>> {
        let mut provider = provider(self.context, &self.settings)?;
        let keys: Vec<EmbeddingKey> = said.iter().map(|said| provider.key(said)).collect();
        self.read_kept(said, &keys);
        let mut new = self.make_missing(&mut provider, task, said)?;
        let mut similarities = self.compared(said);
        if similarities.is_none() {
            // Vectors of another dimension are of what the endpoint called by this name earlier.
            (self.task, self.known) = (None, BTreeMap::new());
            new = self.make_missing(&mut provider, task, said)?;
            similarities = self.compared(said);
        }
        let similarities = similarities.ok_or_else(|| anyhow!("the vectors have different dimensions"))?;
        if !new.is_empty()
            && let Err(error) = self.context.store().keep_embeddings(&new, &keys, self.settings.cache_size)
        {
            tracing::info!(%error, "new vectors are not kept");
        }
        Ok(similarities)
    }

    /// The similarities of what is known; `None` when dimensions differ.
    fn compared(&self, said: &[SelfDescription]) -> Option<Vec<Option<Similarity>>> {
        let Some((_, Some(query))) = &self.task else { return Some(vec![None; said.len()]) };
        let similarity = |said: &SelfDescription| match self.known.get(said).and_then(Option::as_ref) {
            Some(vector) => semantic::similarities(query, [vector]).map(|found| found.first().copied()),
            None => Some(None),
        };
        said.iter().map(similarity).collect()
    }

    /// Takes over what the store keeps.
    fn read_kept(&mut self, said: &[SelfDescription], keys: &[EmbeddingKey]) {
        let kept = self.context.store().embeddings(keys).unwrap_or_else(|error| {
            tracing::warn!(%error, "kept vectors cannot be read");
            BTreeMap::new()
        });
        let pairs = said.iter().zip(keys);
        for (said, vector) in pairs.filter_map(|(said, key)| Some((said, kept.get(key)?))) {
            self.known.entry(said.clone()).or_insert_with(|| Some(vector.clone()));
        }
    }

    /// Makes the vectors of what is not known yet; those that are worth keeping.
    fn make_missing(
        &mut self,
        provider: &mut Provider,
        task: &EmbeddingText,
        said: &[SelfDescription],
    ) -> anyhow::Result<Vec<(EmbeddingKey, Vector)>> {
        let mut missing: Vec<&SelfDescription> =
            said.iter().filter(|said| !self.known.contains_key(*said)).collect();
        missing.sort_unstable();
        missing.dedup();
        let documents: Vec<EmbeddingText> =
            missing.iter().map(|said| EmbeddingText::of_candidate(said)).collect();
        let asks_for_task = self.task.as_ref().is_none_or(|(known, _)| known != task);
        let texts: Vec<&EmbeddingText> =
            asks_for_task.then_some(task).into_iter().chain(&documents).collect();
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let mut made = self.make(provider, &texts)?;
        if asks_for_task {
            self.task = Some((task.clone(), made.remove(0)));
        }
        let pairs = missing.iter().zip(&made);
        let new = pairs.filter_map(|(said, vector)| Some((provider.key(said), vector.clone()?))).collect();
        self.known.extend(missing.into_iter().cloned().zip(made));
        Ok(new)
    }

    fn make(&self, provider: &mut Provider, texts: &[&EmbeddingText]) -> anyhow::Result<Vec<Option<Vector>>> {
        let (client, endpoint) = match provider {
            Provider::Local(model) => return Ok(model.embed(texts)?),
            Provider::Endpoint { client, endpoint } => (client, endpoint),
        };
        let store = self.context.store();
        let health = store.embedding_health().unwrap_or_default();
        if let Some(until) = health.cooldown_until.filter(|_| health.in_cooldown(self.context.now())) {
            let until = moment::rfc3339(until);
            anyhow::bail!(
                "the embedding endpoint was too slow several times and is left alone until {until}"
            );
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("the runtime for network requests cannot be started")?;
        let result = runtime.block_on(embed::embed(client, endpoint, texts));
        self.note(health.failures > 0, result.as_ref().err());
        Ok(result?.into_iter().map(Some).collect())
    }

    /// Remembers that the endpoint was too slow, so that not every prompt waits for it; any other failure comes
    /// at once and is no reason to leave it alone.
    fn note(&self, had_failed: bool, error: Option<&EmbedError>) {
        let store = self.context.store();
        let noted = match error {
            Some(EmbedError::Http(HttpError::Timeout { .. })) => {
                let remote = self.context.config.remote();
                let now = self.context.now();
                store.change_embedding_health(|health| {
                    health.fail("timeout", remote.failure_threshold, remote.cooldown_ms, now);
                })
            }
            None if had_failed => store.change_embedding_health(crate::store::health::Health::succeed),
            _ => return,
        };
        if let Err(error) = noted {
            tracing::info!(%error, "how the embedding endpoint fares is not recorded");
        }
    }
}

impl Provider {
    fn key(&self, said: &SelfDescription) -> EmbeddingKey {
        EmbeddingKey::new(match self {
            Self::Endpoint { endpoint, .. } => {
                let provider = match endpoint.form {
                    Form::Ollama => EmbeddingProvider::Ollama,
                    Form::OpenAi => EmbeddingProvider::OpenAi,
                };
                said.fingerprint(provider.as_str(), &endpoint.url, &endpoint.model)
            }
            Self::Local(model) => said.fingerprint(EmbeddingProvider::Local.as_str(), "", &model.identity()),
        })
    }
}

/// Who makes vectors under the settings in force.
fn provider(context: &Context, settings: &EmbeddingSettings) -> anyhow::Result<Provider> {
    let form = match settings.provider {
        EmbeddingProvider::Local => {
            return Ok(Provider::Local(Box::new(local(&context.models(), settings.model.as_deref())?)));
        }
        EmbeddingProvider::Ollama => Form::Ollama,
        EmbeddingProvider::OpenAi => Form::OpenAi,
    };
    let origin = BaseUrl::origin_of(&settings.endpoint)?;
    let key = context.environment.var(&settings.key_variable).filter(|key| !key.trim().is_empty());
    let token = match key {
        Some(key) => Some(Token::new(key).ok_or_else(|| {
            anyhow!(
                "`{}` holds no key that can be sent: it is not made of graphic ASCII characters",
                settings.key_variable
            )
        })?),
        None => None,
    };
    let client = Client::new(ClientSettings {
        // What is on this machine is no network.
        offline: context.offline && !origin.is_loopback(),
        tokens: token.into_iter().map(|token| (origin.origin().to_owned(), token)).collect(),
        now_ms: context.now().0,
        timeouts: Timeouts {
            connect: CONNECT.min(settings.timeout),
            headers: settings.timeout,
            request: settings.timeout,
            ..Timeouts::default()
        },
        retries: 0,
        ..ClientSettings::default()
    })?;
    let endpoint = Endpoint {
        form,
        url: settings.endpoint.clone(),
        model: settings.model.clone().unwrap_or_default(),
        timeout: settings.timeout,
    };
    Ok(Provider::Endpoint { client, endpoint })
}

/// The local model of this name, or the only one.
pub(super) fn local(models: &Models, name: Option<&str>) -> anyhow::Result<OpenModel> {
    if let Some(name) = name {
        let slug = Slug::parse(name).ok_or_else(|| ModelsError::Unknown(name.to_owned()))?;
        return Ok(models.open(&slug)?);
    }
    let mut there = models.list()?;
    match (there.pop(), there.is_empty()) {
        (Some(only), true) => Ok(models.open(&only.name)?),
        (None, _) => Err(ModelsError::NoneAdded.into()),
        (Some(_), false) => Err(ModelsError::NoneChosen.into()),
    }
}
