//! A search of remote sources with what is kept of earlier ones: fresh results spare the network, stale
//! ones stand in when it fails, and sources that failed lately are left alone for a while.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{context::Context, moment, online::Online};
use crate::{
    candidate::{
        query::Query,
        remote::{RemoteCandidate, SourceKind, StoredCandidate, from_stored, to_stored},
    },
    config::remote::RemoteSettings,
    error::ErrorKind,
    http::{Deadline, HttpError},
    output::{Output, wire_remote::SearchedSource},
    rank::remote::{self, Policy, Ranking},
    skill::{time::UnixMillis, tree},
    source::remote::{Discovered, Observation, Settings, Skip, SourceProblem, discover},
    store::{
        Store,
        discovery::{Lifetimes, State, state},
        discovery_file::{DiscoveryFile, StoredResult},
    },
};

/// What changes when stored candidates have another meaning.
const FORMAT: u64 = 2;

/// How far the clock of whoever stored a result may have been ahead, in milliseconds.
const AHEAD_MS: u64 = 60 * 60 * 1000;

/// How long a result is fresh in which a source is missing, in milliseconds: that source may answer soon.
const PARTIAL_TTL_MS: u64 = 60 * 1000;

/// What is to be searched.
pub(super) struct Wish<'a> {
    pub(super) query: &'a Query,
    pub(super) providers: Vec<SourceKind>,
    pub(super) limit: usize,
    /// Whether the sources are asked although a result is fresh.
    pub(super) refresh: bool,
    /// How many of one owner stand above the fold.
    pub(super) per_owner: usize,
}

/// What was found, live or stored.
pub(super) struct Found {
    pub(super) ranking: Ranking,
    pub(super) sources: Vec<SearchedSource>,
    /// Whether every source gave all that it has.
    pub(super) authoritative: bool,
    /// Why there is nothing, when nothing was found for another reason than that there is nothing.
    pub(super) failure: Option<ErrorKind>,
    /// Whether it is what an earlier search found.
    pub(super) is_stored: bool,
}

/// Searches as the settings want it.
pub(super) struct Searcher<'a> {
    pub(super) context: &'a Context,
    pub(super) online: &'a Online,
    pub(super) store: &'a Store,
    pub(super) output: Output,
}

impl Searcher<'_> {
    /// Searches, and ranks what was found.
    pub(super) fn search(&self, wish: &Wish<'_>) -> anyhow::Result<Found> {
        let settings = self.context.config.remote();
        let has_token = self.online.has_token();
        let (asked, unasked) = providers(wish, has_token);
        let key = self.key(wish, &asked, has_token);
        let file = DiscoveryFile::new(&self.store.discovery_file(), settings.max_stored);
        let mut stored = self.stored(&file, &key, &settings);
        if stored.is_none() && self.online.offline {
            // What was found with a token is better than nothing without one, and the other way round.
            let (asked, _) = providers(wish, !has_token);
            stored = self.stored(&file, &self.key(wish, &asked, !has_token), &settings);
        }
        if let Some((result, State::Fresh)) = &stored
            && !wish.refresh
        {
            return Ok(self.found_stored(result, wish, unasked));
        }
        if self.online.offline {
            return Ok(match &stored {
                Some((result, state)) => {
                    let mut found = self.found_stored(result, wish, unasked);
                    found.authoritative &= *state == State::Fresh;
                    found
                }
                None => nothing(&asked, unasked, "offline", ErrorKind::Offline),
            });
        }
        if asked.is_empty() {
            return Ok(nothing(&[], unasked, "skipped", ErrorKind::Unauthorised));
        }
        let live = self.live(wish, &asked, &settings)?;
        self.record_health(&live, &settings);
        let complete = live.is_complete();
        if !complete
            && live.candidates.is_empty()
            && let Some((result, _)) = &stored
        {
            let mut found = self.found_stored(result, wish, reports(&live, unasked));
            found.authoritative = false;
            return Ok(found);
        }
        let is_better = stored.is_none_or(|(result, _)| !result.complete) && !live.candidates.is_empty();
        if complete || is_better {
            self.keep(&file, &key, &live, complete);
        }
        let failure = if live.candidates.is_empty() { worst(&live) } else { None };
        let sources = reports(&live, unasked);
        let ranking = self.rank(live.candidates, wish);
        Ok(Found { ranking, sources, authoritative: complete, failure, is_stored: false })
    }

    /// What a stored result depends on. Trust and quality are judged anew each time.
    fn key(&self, wish: &Wish<'_>, asked: &[SourceKind], has_token: bool) -> String {
        let hosts = &self.online.hosts;
        let parts = json!([
            FORMAT,
            wish.query.as_str(),
            wish.limit,
            asked.iter().map(|kind| kind.as_str()).collect::<Vec<_>>(),
            hosts.skills.origin(),
            hosts.github_api.origin(),
            has_token,
            self.context.config.blocked_owners(),
        ]);
        super::wire_skill::hex(&tree::content_sha256(parts.to_string().as_bytes()))
    }

    /// The stored result, unless it is expired. A file that cannot be read is as good as none.
    fn stored(
        &self,
        file: &DiscoveryFile,
        key: &str,
        settings: &RemoteSettings,
    ) -> Option<(StoredResult, State)> {
        let result = match file.read(key) {
            Ok(result) => result?,
            Err(error) => {
                self.output.warning(&format!("stored search results are not used: {error}"));
                return None;
            }
        };
        let lifetimes = Lifetimes { ttl_ms: settings.ttl_ms, stale_if_error_ms: settings.stale_if_error_ms };
        let age = result.stored_at.age_at(self.context.now());
        let state = state(age, lifetimes);
        // A result from the future has no age.
        let is_doubtful = !result.complete && age > PARTIAL_TTL_MS
            || self.context.now().age_at(result.stored_at) > AHEAD_MS;
        let state = if is_doubtful && state == State::Fresh { State::Stale } else { state };
        (state != State::Expired).then_some((result, state))
    }

    fn found_stored(
        &self,
        result: &StoredResult,
        wish: &Wish<'_>,
        mut sources: Vec<SearchedSource>,
    ) -> Found {
        let candidates = candidates(&result.candidates);
        sources.insert(
            0,
            SearchedSource {
                source: "results",
                status: "stored",
                found: candidates.len(),
                detail: Some(format!("of {}", moment::rfc3339(result.stored_at))),
            },
        );
        let ranking = self.rank(candidates, wish);
        Found { ranking, sources, authoritative: result.complete, failure: None, is_stored: true }
    }

    fn live(
        &self,
        wish: &Wish<'_>,
        asked: &[SourceKind],
        settings: &RemoteSettings,
    ) -> anyhow::Result<Discovered> {
        let owners = self.context.owner_rules();
        let admits = |repository: &_| remote::admitted_owner(&owners, repository);
        let progress = self.output.progress("searching", None);
        let search = Settings {
            providers: asked,
            limit: wish.limit,
            deadline: Deadline::after(settings.timeout),
            skipped: self.cooldowns(),
            admits: &admits,
        };
        let live = self.online.run(discover(&self.online.client, &self.online.hosts, wish.query, &search))?;
        drop(progress);
        Ok(live)
    }

    /// Sources that failed lately. What is not known of their health keeps none from being asked.
    fn cooldowns(&self) -> BTreeMap<SourceKind, Skip> {
        let now = self.context.now();
        let health = self.store.health().unwrap_or_else(|error| {
            tracing::warn!(%error, "the health of sources is not known");
            BTreeMap::new()
        });
        let longest = self.context.config.remote().cooldown_ms;
        let cooldown = |health: &crate::store::health::Health| {
            // One that lies further ahead than any could was written under another clock.
            let is_one = |until: &UnixMillis| health.in_cooldown(now) && now.age_at(*until) <= longest;
            let until_ms = health.cooldown_until.filter(is_one)?.0;
            Some(Skip::Cooldown { until_ms })
        };
        health.into_iter().filter_map(|(kind, health)| Some((kind, cooldown(&health)?))).collect()
    }

    fn record_health(&self, live: &Discovered, settings: &RemoteSettings) {
        for observation in &live.observations {
            let recorded = match &observation.problem {
                None | Some(SourceProblem::Incomplete) => self.store.record_success(observation.source),
                // A limit and a token are no faults of the source, and are remembered elsewhere.
                Some(
                    SourceProblem::Skipped(_)
                    | SourceProblem::Http(
                        HttpError::RateLimited { .. }
                        | HttpError::Unauthorised { .. }
                        | HttpError::Offline { .. },
                    ),
                ) => continue,
                Some(problem) => self.store.record_failure(
                    observation.source,
                    status(problem).0,
                    settings.failure_threshold,
                    settings.cooldown_ms,
                    self.context.now(),
                ),
            };
            if let Err(error) = recorded {
                self.output.warning(&format!("the health of a source is not remembered: {error}"));
            }
        }
    }

    fn keep(&self, file: &DiscoveryFile, key: &str, live: &Discovered, complete: bool) {
        if self.context.config.remote().ttl_ms == 0 {
            return;
        }
        let candidates = live.candidates.iter().map(stored_value).collect();
        let result = StoredResult { stored_at: self.context.now(), complete, candidates };
        if let Err(error) = file.write(key, result) {
            self.output.warning(&format!("the results of this search are not kept: {error}"));
        }
    }

    /// Ranks candidates by the settings of today.
    pub(super) fn rank(&self, candidates: Vec<RemoteCandidate>, wish: &Wish<'_>) -> Ranking {
        let policy = Policy { per_owner: wish.per_owner, limit: wish.limit, ..self.context.rank_policy() };
        remote::rank(wish.query.as_str(), candidates, &policy)
    }
}

/// The sources that can be asked, and reports on those that cannot: GitHub's code search wants a token.
fn providers(wish: &Wish<'_>, has_token: bool) -> (Vec<SourceKind>, Vec<SearchedSource>) {
    let (asked, unasked): (Vec<_>, Vec<_>) =
        wish.providers.iter().partition(|&&kind| has_token || kind != SourceKind::Github);
    let report = |kind: SourceKind| SearchedSource {
        source: kind.as_str(),
        status: "skipped",
        found: 0,
        detail: Some("its code search wants a token: set GITHUB_TOKEN".to_owned()),
    };
    (asked, unasked.into_iter().map(report).collect())
}

/// A search that was not made.
fn nothing(
    asked: &[SourceKind],
    mut sources: Vec<SearchedSource>,
    status: &'static str,
    kind: ErrorKind,
) -> Found {
    sources.extend(asked.iter().map(|source| SearchedSource {
        source: source.as_str(),
        status,
        found: 0,
        detail: None,
    }));
    let ranking = Ranking { ranked: Vec::new(), rejected: Vec::new() };
    Found { ranking, sources, authoritative: false, failure: Some(kind), is_stored: true }
}

/// How each source fared.
fn reports(live: &Discovered, unasked: Vec<SearchedSource>) -> Vec<SearchedSource> {
    let mut reports: Vec<_> = live.observations.iter().map(report).collect();
    reports.extend(unasked);
    if let Some(problem) = &live.facts_problem {
        let (status, detail) = status(problem);
        reports.push(SearchedSource {
            source: "repositories",
            status,
            found: live.facts.len(),
            detail: Some(detail),
        });
    } else if live.repositories_left_out > 0 {
        reports.push(SearchedSource {
            source: "repositories",
            status: "incomplete",
            found: live.facts.len(),
            detail: Some(format!("{} more were named", live.repositories_left_out)),
        });
    }
    reports
}

/// A candidate as the file of stored results holds it.
pub(super) fn stored_value(candidate: &RemoteCandidate) -> Value {
    serde_json::to_value(to_stored(candidate)).expect("strings and numbers always serialise")
}

/// The candidates that can be understood; an edited one is left out.
pub(super) fn candidates(values: &[Value]) -> Vec<RemoteCandidate> {
    let candidate = |value: &Value| {
        let stored: StoredCandidate = serde_json::from_value(value.clone()).ok()?;
        from_stored(stored).inspect_err(|error| tracing::warn!(%error, "a stored candidate is left out")).ok()
    };
    values.iter().filter_map(candidate).collect()
}

fn report(observation: &Observation) -> SearchedSource {
    let (status, detail) = match &observation.problem {
        None if observation.unusable == 0 => ("ok", None),
        None => ("ok", Some(format!("{} of its items could not be used", observation.unusable))),
        Some(problem) => {
            let (status, detail) = status(problem);
            (status, Some(detail))
        }
    };
    SearchedSource { source: observation.source.as_str(), status, found: observation.sightings.len(), detail }
}

/// The status word of a problem, and what is to be said of it.
fn status(problem: &SourceProblem) -> (&'static str, String) {
    match problem {
        SourceProblem::Http(error) => {
            let status = match super::failure::network_kind(error) {
                ErrorKind::RateLimited => "rate-limited",
                ErrorKind::Unauthorised => "unauthorised",
                ErrorKind::Offline => "offline",
                _ => "failed",
            };
            // What a person can do, where that is not to try again.
            let hint =
                super::failure::network_hint(error).filter(|_| !matches!(status, "failed" | "offline"));
            let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
            (status, with_causes(error) + &hint)
        }
        SourceProblem::Refused { code, .. } => {
            let status = if code == "RATE_LIMITED" { "rate-limited" } else { "failed" };
            (status, problem.to_string())
        }
        SourceProblem::Skipped(Skip::Cooldown { until_ms }) => {
            let until = moment::rfc3339(UnixMillis(*until_ms));
            ("skipped", format!("it failed several times and is asked again at {until}"))
        }
        SourceProblem::Skipped(Skip::NoToken) => ("skipped", Skip::NoToken.to_string()),
        SourceProblem::Incomplete => ("incomplete", problem.to_string()),
    }
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

/// The failure that explains best why nothing was found: one that a person can do something about.
fn worst(live: &Discovered) -> Option<ErrorKind> {
    let problems = live.observations.iter().filter_map(|observation| observation.problem.as_ref());
    let kinds = problems.chain(&live.facts_problem).map(|problem| match status(problem).0 {
        "rate-limited" => ErrorKind::RateLimited,
        "unauthorised" => ErrorKind::Unauthorised,
        "offline" => ErrorKind::Offline,
        _ => ErrorKind::Network,
    });
    let rank = |kind: &ErrorKind| match kind {
        ErrorKind::Unauthorised => 0,
        ErrorKind::RateLimited => 1,
        ErrorKind::Offline => 2,
        _ => 3,
    };
    kinds.min_by_key(rank)
}
