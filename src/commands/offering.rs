//! Offers beside a catalog: what remote sources have for a task that the skills of this machine leave open.
//!
//! Only metadata is fetched, and only where the settings or the command line ask for it. Where a source does
//! not answer, the offers that the session had before are shown again, as far as they fit the task.

use std::collections::BTreeSet;

use super::{
    context::Context,
    discovering::{self, Found, Searcher, Wish},
    online::Online,
    routing::Routed,
    session::Session,
    target,
};
use crate::{
    candidate::query::Query,
    cli::{CatalogArgs, GlobalArgs},
    output::{Output, wire_remote::SearchedSource},
    rank::remote::Ranked,
    route::{
        offer_block::{Offer, OfferBlock},
        select,
    },
    skill::text::CatalogText,
    store::Store,
};

/// The offers for `task`; `None` when nothing was to be searched.
pub(super) fn offers(
    context: &Context,
    task: &str,
    routed: &Routed,
    args: &CatalogArgs,
    global: &GlobalArgs,
    output: Output,
) -> anyhow::Result<Option<OfferBlock>> {
    let free = context.config.max_active_skills().saturating_sub(routed.items.len());
    let wanted = match context.config.remote_discovery() {
        "automatic" => true,
        "on-demand" => args.discover,
        _ => false,
    };
    let most = free.min(context.config.remote_auto_mount_limit());
    if args.discover && context.config.remote_discovery() == "off" {
        output.warning("`remoteDiscovery: off` keeps --discover from asking anybody");
    }
    if !wanted || most == 0 {
        return Ok(None);
    }
    let Some(query) = Query::from_task(task) else { return Ok(None) };
    let session = Session::of(context, args.session.as_deref())?;
    let online = Online::new(context, global)?;
    let store = context.store();
    let searcher = Searcher { context, online: &online, store: &store, output };
    let settings = context.config.remote();
    let wish = Wish {
        query: &query,
        providers: settings.providers,
        limit: settings.limit,
        refresh: false,
        per_owner: usize::MAX,
    };
    let mut found = searcher.search(&wish)?;
    for source in found.sources.iter().filter(|source| is_trouble(source)) {
        let detail = source.detail.as_deref().map_or_else(String::new, |detail| format!(": {detail}"));
        output.warning(&format!("offers may be missing: {} {}{detail}", source.source, source.status));
    }
    // What the session had before is a help, and no reason to print no catalog.
    let known = store.session(&session.name).map_or_else(
        |error| {
            output.warning(&format!("earlier offers are not known: {error}"));
            crate::store::sessions::Session::default()
        },
        |reading| reading.value,
    );
    // A new search may find that it can be fetched now.
    let failed = if found.is_stored { known.failed } else { Vec::new() };
    if !found.authoritative && found.ranking.ranked.is_empty() {
        let earlier = discovering::candidates(&known.offers);
        found.ranking = searcher.rank(earlier, &wish);
    }
    let here = taken(task, routed);
    let is_new = |ranked: &&Ranked| {
        ranked.candidate.model_invocable
            && !here.contains(target::slug(&ranked.candidate).as_str())
            && target::Remote::of(ranked.candidate.clone())
                .is_ok_and(|remote| !failed.contains(&remote.place()))
    };
    let ranked: Vec<&Ranked> = found.ranking.ranked.iter().filter(is_new).collect();
    remember(&store, &session, &ranked, &found);
    let mut names = BTreeSet::new();
    let first_of_name = |ranked: &&&Ranked| names.insert(target::slug(&ranked.candidate));
    let offers =
        ranked.iter().filter(first_of_name).take(most).map(|ranked| offer(ranked, context)).collect();
    Ok(Some(OfferBlock { offers, authoritative: found.authoritative }))
}

/// Whether a person wants to hear of a source's state: it was asked, or would have been.
fn is_trouble(source: &SearchedSource) -> bool {
    matches!(source.status, "failed" | "offline" | "rate-limited" | "unauthorised" | "incomplete")
}

/// Names that need no offer: those in the catalog, and those that the person has called.
fn taken(task: &str, routed: &Routed) -> BTreeSet<String> {
    let mut names = select::invoked_names(task);
    names.extend(routed.items.iter().map(|item| item.name.to_string()));
    names
}

/// Keeps what was offered, with the others of the same names, so that a load finds it. What a source did not
/// answer does not replace what it had said before.
fn remember(store: &Store, session: &Session, ranked: &[&Ranked], found: &Found) {
    if ranked.is_empty() && !found.authoritative {
        return;
    }
    let offers = ranked.iter().map(|ranked| discovering::stored_value(&ranked.candidate)).collect();
    let change = store.update_session(&session.name, |session| {
        session.offers = offers;
        if !found.is_stored {
            session.failed.clear();
        }
    });
    if let Err(error) = change {
        tracing::warn!(%error, "the offers of this session are not kept");
    }
}

fn offer(ranked: &Ranked, context: &Context) -> Offer {
    let candidate = &ranked.candidate;
    let head = candidate.facts.as_ref().map_or("", |facts| facts.head.as_str());
    Offer {
        id: candidate.identity.short(),
        name: target::slug(candidate),
        description: CatalogText::description(
            &candidate.description,
            context.config.catalog_description_max_length(),
        ),
        source: CatalogText::label(&candidate.address),
        commit: head.get(..12).unwrap_or(head).to_owned(),
        quality: ranked.quality.total,
        evidence: ranked.level().as_str(),
        warnings: ranked.evidence.warnings.iter().map(|warning| warning.as_str()).collect(),
    }
}
