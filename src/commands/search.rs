//! `search`: skills of this machine and of remote sources in one list.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::ExitCode,
};

use super::{
    context::Context,
    discovering::{Found, Searcher, Wish},
    failure::MountFailure,
    moment,
    online::Online,
    pool::Pool,
    semantic::Semantic,
};
use crate::{
    candidate::{Candidate, query::Query, remote::SourceKind},
    cli::{GlobalArgs, SearchArgs, SearchSource},
    config::RouterMode,
    error::ErrorKind,
    http::Described,
    output::{
        Output, human,
        wire_remote::{self, SearchResult},
    },
    rank::{
        lexical,
        quality::{self, Quality},
        remote::{PER_OWNER, Ranked, Rejection},
        text::normalise,
    },
    route::relevance::{SURE, is_named},
    source::{
        local::{Discovery, LocalSkill, Standing},
        remote,
    },
    store::Store,
};

/// What evidence could add to the relevance part of a score at most. A skill that is here already gets it
/// whole: none of the doubts about where it comes from apply.
const EVIDENCE_POINTS: u8 = 45;

/// Searches and prints the results, or the requests that would be sent.
pub(super) fn run(args: &SearchArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let flags: Vec<_> = args.limit.iter().map(|limit| ("remoteSearchLimit", limit.clone())).collect();
    let context = Context::load(global, output, &flags)?;
    let text = args.query.join(" ");
    let query = Query::from_search(&text);
    let providers = providers(args, &context);
    let wants_local = args.source.is_empty() || args.source.contains(&SearchSource::Local);
    if args.dry_run {
        let online = Online::new(&context, global)?;
        let compared = match &query {
            Some(query) if wants_local => planned_comparison(&context, query, &text, output),
            _ => Vec::new(),
        };
        return print_plan(&online, query.as_ref(), &providers, compared, &context, global, output);
    }
    let Some(query) = query else {
        return Err(MountFailure::NothingToSend { was_blank: text.trim().is_empty() }.into());
    };
    let local = if wants_local { local(&context, &query, &text, output) } else { Local::default() };
    // From here on Ctrl-C is waited for by hand.
    let online = Online::new(&context, global)?;
    let store = context.store();
    let searcher = Searcher { context: &context, online: &online, store: &store, output };
    let wish = Wish {
        query: &query,
        limit: context.config.remote().limit,
        refresh: args.refresh,
        per_owner: if args.all { usize::MAX } else { PER_OWNER },
        providers,
    };
    let found = if wish.providers.is_empty() { None } else { Some(searcher.search(&wish)?) };
    let mut document = document(&query, local, found.as_ref());
    if let Err(error) = mark_stored(&mut document.results, &store) {
        output.warning(&format!("which results are stored is not known: {error:#}"));
    }
    if context.config.remote_discovery() == "off" && args.source != [SearchSource::Local] {
        document.sources.push(remote_is_off());
    }
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::search(&document, output.width()))?;
    }
    let failure = found.and_then(|found| found.failure);
    Ok(exit_code(&document, failure).into())
}

/// Marks remote results that the store has, although another skill of their name answers for it here.
fn mark_stored(results: &mut [SearchResult], store: &Store) -> anyhow::Result<()> {
    let pins = store.pins()?.records;
    for result in results.iter_mut().filter(|result| result.location.is_none()) {
        if let Some(record) = pins.iter().find(|record| record.identity.short() == result.id) {
            result.stored = true;
            result.location = Some(store.tree_folder(&record.digest).join("SKILL.md").display().to_string());
        }
    }
    Ok(())
}

fn remote_is_off() -> wire_remote::SearchedSource {
    wire_remote::SearchedSource {
        source: "remote",
        status: "skipped",
        found: 0,
        detail: Some("`remoteDiscovery` is off".to_owned()),
    }
}

/// The remote sources that were asked for; none with `remoteDiscovery: off`.
fn providers(args: &SearchArgs, context: &Context) -> Vec<SourceKind> {
    if context.config.remote_discovery() == "off" {
        return Vec::new();
    }
    let is_wanted = |kind: &SourceKind| {
        let word = match kind {
            SourceKind::SkillsSh => SearchSource::SkillsSh,
            SourceKind::Github => SearchSource::Github,
        };
        args.source.is_empty() || args.source.contains(&word)
    };
    context.config.remote().providers.into_iter().filter(is_wanted).collect()
}

fn exit_code(document: &wire_remote::Search, failure: Option<ErrorKind>) -> u8 {
    match (document.results.is_empty(), failure) {
        (false, _) => 0,
        (true, Some(kind)) => kind.exit_code(),
        (true, None) => ErrorKind::NotFound.exit_code(),
    }
}

/// Skills on this machine.
#[derive(Default)]
struct Local {
    /// Those that share a word with the query.
    matching: Vec<SearchResult>,
    /// Those that only meaning found, the most alike first.
    alike: Vec<SearchResult>,
}

/// Skills on this machine that share a word with the query, with the points they get; where meaning is compared
/// and they are fewer than the limit, also those that are alike to `text`, which is what was typed.
fn local(context: &Context, query: &Query, text: &str, output: Output) -> Local {
    if context.config.router_mode() == RouterMode::Fulltext {
        return Local { matching: local_by_fulltext(context, query, output), alike: Vec::new() };
    }
    let discovery = context.discover(false);
    let (matching, others) = matching(context, &discovery, query);
    let open = context.config.remote().limit.saturating_sub(matching.len());
    let candidates = candidates(&others, &discovery);
    let alike = Semantic::new(context, output).map(|mut semantic| semantic.alike(text, &candidates, open));
    let alike = alike.unwrap_or_default().into_iter().map(|(index, similarity)| {
        let (skill, points) = others[index];
        let score = u8::try_from(similarity.points()).unwrap_or(100);
        let result = local_result(skill, points, &discovery);
        SearchResult { score, similarity: Some(similarity.cosine()), ..result }
    });
    let matching = matching.iter().map(|(skill, points)| local_result(skill, *points, &discovery));
    Local { matching: matching.collect(), alike: alike.collect() }
}

/// Active skills with their points.
type Scored<'a> = Vec<(&'a LocalSkill, u64)>;

/// The active skills that share a word with the query, and the others.
fn matching<'a>(context: &Context, discovery: &'a Discovery, query: &Query) -> (Scored<'a>, Scored<'a>) {
    let words = lexical::Query::new(query.as_str());
    let active = discovery.skills.iter().filter(|skill| skill.standing == Standing::Active);
    let score = |skill: &LocalSkill| lexical::score(&words, &skill.candidate(&discovery.roots)).total;
    let least = context.config.min_route_score().max(1);
    active.map(|skill| (skill, score(skill))).partition(|(_, points)| *points >= least)
}

fn candidates(skills: &Scored<'_>, discovery: &Discovery) -> Vec<Candidate> {
    skills.iter().map(|(skill, _)| skill.candidate(&discovery.roots)).collect()
}

/// The requests by which the search would compare by meaning.
fn planned_comparison(context: &Context, query: &Query, text: &str, output: Output) -> Vec<Described> {
    let Some(semantic) = Semantic::new(context, output) else { return Vec::new() };
    let discovery = context.discover(false);
    let (matching, others) = matching(context, &discovery, query);
    if matching.len() >= context.config.remote().limit {
        return Vec::new();
    }
    semantic.plan(text, &candidates(&others, &discovery))
}

/// The points from which a skill of this machine is listed that has a word of the query in its name or description:
/// a person looks through a list, so that less is needed than for a catalog.
const LISTED_FROM: u64 = 20;

/// Likeness of meaning would move nothing: the list is in the order of the points, as that of the hosts is.
fn local_by_fulltext(context: &Context, query: &Query, output: Output) -> Vec<SearchResult> {
    let pool = Pool::of(context, query.as_str(), false, &BTreeSet::new(), None, output);
    let (order, text) = (pool.order(), normalise(query.as_str()));
    let least = context.config.min_route_score().max(1);
    let relevance = pool.relevance(&order, 0, usize::MAX).unwrap_or_default();
    let results = order.into_iter().zip(relevance).filter_map(|(index, relevance)| {
        let skill = pool.skill(index);
        let points =
            if is_named(&text, &skill.candidate(&pool.discovery.roots)) { SURE } else { relevance?.points };
        // On the scale of the lexical score, which the quality score doubles, as for remote results.
        let relevance = if points == SURE { SURE } else { points.div_ceil(4) };
        let enough = if pool.is_about(index) { least.min(LISTED_FROM) } else { least };
        let copies = pool.copies(index).map(|copy| copy.location().display().to_string());
        (points >= enough).then(|| SearchResult {
            copies: copies.collect(),
            ..local_result(skill, relevance, &pool.discovery)
        })
    });
    results.collect()
}

fn local_result(skill: &LocalSkill, relevance: u64, discovery: &Discovery) -> SearchResult {
    let stored = skill.stored.as_deref();
    SearchResult {
        id: stored.map_or_else(|| skill.slug().to_string(), |stored| stored.identity.short()),
        name: skill.frontmatter.name.clone(),
        description: skill.frontmatter.description.clone(),
        origin: skill.origin().as_str(),
        source: skill.candidate(&discovery.roots).source,
        score: quality::relevance_points(relevance) + EVIDENCE_POINTS,
        relevance,
        similarity: None,
        quality: None,
        evidence: stored.map(|stored| stored.evidence),
        signals: Vec::new(),
        warnings: Vec::new(),
        mountable: true,
        obstacle: None,
        stored: stored.is_some(),
        pin: stored.map(super::wire_skill::pin),
        location: Some(skill.location().display().to_string()),
        offered_by: Vec::new(),
        installs: stored.and_then(|stored| stored.installs),
        stars: None,
        pushed: None,
        copies: Vec::new(),
        folded: false,
    }
}

fn document(query: &Query, local: Local, found: Option<&Found>) -> wire_remote::Search {
    let Local { matching: mut local, alike } = local;
    local
        .sort_by(|left, right| right.relevance.cmp(&left.relevance).then_with(|| left.name.cmp(&right.name)));
    let here: Vec<String> =
        local.iter().chain(&alike).filter(|result| result.stored).map(|result| result.id.clone()).collect();
    let ranked = found.map_or(&[][..], |found| &found.ranking.ranked);
    let remote: Vec<SearchResult> =
        ranked.iter().map(remote_result).filter(|result| !here.contains(&result.id)).collect();
    let mut rejected = BTreeMap::new();
    for (_, rejection) in found.iter().flat_map(|found| &found.ranking.rejected) {
        *rejected.entry(rejection_word(*rejection)).or_insert(0) += 1;
    }
    let results = merged(local, remote, alike);
    // A source that was wanted and not asked may have more.
    let was_skipped = |found: &Found| found.sources.iter().any(|source| source.status == "skipped");
    let authoritative = found.is_none_or(|found| found.authoritative && !was_skipped(found));
    let failure = found.and_then(|found| found.failure);
    wire_remote::Search {
        schema: "skillflux.search/1",
        query: query.as_str().to_owned(),
        withheld: query.withheld(),
        status: match failure {
            None if results.is_empty() => "empty",
            None if authoritative => "ok",
            _ if !results.is_empty() => "partial",
            Some(ErrorKind::Offline) => "offline",
            Some(ErrorKind::RateLimited) => "rate-limited",
            Some(ErrorKind::Unauthorised) => "unauthorised",
            Some(_) | None => "failed",
        },
        authoritative,
        results,
        sources: found.map_or_else(Vec::new, |found| found.sources.clone()),
        rejected,
    }
}

/// Both lists in one, each in its own order; of two with one score the one that is here comes first. What
/// the fold put behind stays behind, and what only meaning found displaces nothing that words found.
fn merged(
    local: Vec<SearchResult>,
    remote: Vec<SearchResult>,
    alike: Vec<SearchResult>,
) -> Vec<SearchResult> {
    let (folded, remote): (Vec<_>, Vec<_>) = remote.into_iter().partition(|result| result.folded);
    let mut merged = Vec::with_capacity(local.len() + remote.len() + folded.len());
    let (mut local, mut remote) = (local.into_iter().peekable(), remote.into_iter().peekable());
    loop {
        let from_local = match (local.peek(), remote.peek()) {
            (Some(here), Some(there)) => here.score >= there.score,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => break,
        };
        merged.extend(if from_local { local.next() } else { remote.next() });
    }
    merged.extend(alike);
    merged.extend(folded);
    merged
}

fn remote_result(ranked: &Ranked) -> SearchResult {
    let candidate = &ranked.candidate;
    let facts = candidate.facts.as_ref();
    SearchResult {
        id: candidate.identity.short(),
        name: candidate.name.clone(),
        description: candidate.description.clone(),
        origin: "remote",
        source: candidate.address.clone(),
        score: ranked.quality.total,
        relevance: ranked.relevance,
        similarity: None,
        quality: Some(parts(ranked.quality)),
        evidence: Some(ranked.level().as_str()),
        signals: ranked.evidence.signals.iter().map(|signal| signal.as_str()).collect(),
        warnings: ranked.evidence.warnings.iter().map(|warning| warning.as_str()).collect(),
        mountable: candidate.is_mountable(),
        obstacle: match (candidate.is_mountable(), candidate.is_in_repository()) {
            (true, _) => None,
            (false, true) => Some("repository-unknown"),
            (false, false) => Some("not-on-github"),
        },
        stored: false,
        pin: facts.map(|facts| wire_remote::Pin {
            host: facts.host.clone(),
            repository: facts.repository.to_string(),
            repository_id: Some(facts.id),
            commit: facts.head.to_string(),
            path: candidate.path.clone(),
        }),
        location: None,
        offered_by: candidate.sources.iter().map(|source| source.as_str()).collect(),
        installs: candidate.installs,
        stars: facts.map(|facts| facts.stars),
        pushed: facts.and_then(|facts| facts.pushed_at).map(moment::day),
        copies: ranked.copies.iter().map(ToString::to_string).collect(),
        folded: ranked.fold,
    }
}

fn parts(quality: Quality) -> wire_remote::QualityParts {
    let Quality { relevance, adoption, repository, freshness, trust, provenance, total: _ } = quality;
    wire_remote::QualityParts { relevance, adoption, repository, freshness, trust, provenance }
}

fn rejection_word(rejection: Rejection) -> &'static str {
    match rejection {
        Rejection::BlockedOwner => "blocked owner",
        Rejection::Archived => "archived",
        Rejection::Disabled => "disabled",
        Rejection::Private => "private",
        Rejection::FewStars { .. } => "too few stars",
        Rejection::NotRelevant => "without a shared word",
        Rejection::LowQuality { .. } => "below remoteMinQualityScore",
        Rejection::BelowPolicy { .. } => "below remoteTrustPolicy",
    }
}

fn print_plan(
    online: &Online,
    query: Option<&Query>,
    providers: &[SourceKind],
    compared: Vec<Described>,
    context: &Context,
    global: &GlobalArgs,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let mut requests: Vec<wire_remote::PlannedRequest> = compared
        .into_iter()
        .map(|described| planned("embeddings", "compares skills of this machine by meaning", described))
        .collect();
    let of_comparison = requests.len();
    if let Some(query) = query {
        let limit = context.config.remote().limit;
        let plan = remote::plan(query, &online.hosts, providers, limit, online.has_token());
        for planned in plan.first {
            let described = online.client.describe(&planned.request)?;
            requests.push(self::planned(planned.source.as_str(), planned.why, described));
        }
        // Without a first request no repository is found that could be asked about.
        let then = if requests.len() == of_comparison { Vec::new() } else { plan.then.addresses };
        requests.extend(then.iter().map(|address| wire_remote::PlannedRequest {
            source: "repositories",
            why: format!("then, at most {}: {}", plan.then.at_most, plan.then.why),
            method: if online.has_token() { "POST" } else { "GET" },
            url: address.clone(),
            headers: BTreeMap::new(),
            body: None,
        }));
    }
    let document = wire_remote::SearchPlan {
        schema: "skillflux.search-plan/1",
        query: query.map(|query| query.as_str().to_owned()),
        withheld: query.map_or(0, Query::withheld),
        requests,
    };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::search_plan(&document))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn planned(source: &'static str, why: &str, described: Described) -> wire_remote::PlannedRequest {
    wire_remote::PlannedRequest {
        source,
        why: why.to_owned(),
        method: described.method,
        url: described.url,
        headers: described.headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        body: described.body,
    }
}
