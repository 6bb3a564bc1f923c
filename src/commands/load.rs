//! `load`: a skill's instructions with the list of its resources, as an agent reads them. What a catalog
//! offered is fetched first, with consent.

use std::{collections::BTreeSet, path::Path, process::ExitCode};

use super::{
    approval::Approver,
    cache,
    context::Context,
    failure::Failure,
    install::{Installer, Stopped},
    online::Online,
    opened::Opened,
    recording,
    session::Session,
    target::{Places, Remote, Target},
    wire_skill,
};
use crate::{
    candidate::usage::{self, UsageEvent},
    cli::{GlobalArgs, LoadArgs},
    output::{Output, wire},
    route::activation::{self, Activation, ActivationFile},
    skill::{frontmatter, resource::Kind, text::CatalogText},
    store::{holder::Holder, lease::LeaseTerms},
};

/// For how long the store keeps a skill that was fetched to be read: 12 hours.
const LEASE_MS: u64 = 12 * 60 * 60 * 1000;

/// Prints the skill.
pub(super) fn run(args: &LoadArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let opened = match Opened::open_healed(&args.skill, global, output) {
        Err(error) if is_unknown(&error) => match fetch(args, global, output)? {
            Some(reference) => Opened::open_healed(&reference, global, output)?,
            None => return Err(error),
        },
        opened => opened?,
    };
    let body_bytes = print(&opened, global, output)?;
    let load = UsageEvent::Load { body_tokens: usage::estimated_tokens(body_bytes) };
    recording::record(&opened.context, &opened.subject(), load);
    Ok(ExitCode::SUCCESS)
}

/// Whether nothing on this machine is what was named.
fn is_unknown(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<Failure>(), Some(Failure::UnknownSkill { .. } | Failure::NotLocal { .. }))
}

/// Fetches what was named, if it is a remote skill that is not stored as it should be; a reference to it in
/// the store.
fn fetch(args: &LoadArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<Option<String>> {
    let context = Context::load(global, output, &[])?;
    let session = Session::of(&context, args.consent.session.as_deref())?;
    let (online, store) = (Online::new(&context, global)?, context.store());
    let places = Places { context: &context, online: &online, store: &store, session: &session };
    let mut discovery = context.discover(true);
    let target = places.target(&mut discovery, &args.skill)?;
    let yes = args.consent.yes;
    let installer = Installer {
        context: &context,
        online: &online,
        store: &store,
        approver: Approver {
            context: &context,
            online: &online,
            store: &store,
            session: &session,
            yes,
            command: "load",
            output,
        },
        allow: BTreeSet::new(),
        allow_unreachable: false,
        output,
    };
    let mut remotes = match target {
        Target::Remote(remotes) => remotes,
        Target::Here(index) => {
            let Some(stored) = &discovery.skills[index].stored else { return Ok(None) };
            return Ok(Some(installer.again(&stored.identity)?.record.identity.short()));
        }
    };
    // A person who approved beforehand approved the one that they named.
    if !yes {
        places.add_fallbacks(&mut remotes);
    }
    let result = installer.first(&remotes);
    // A success settles every offer of the name; a candidate that failed is not offered again.
    let (settled, failed): (Vec<String>, Vec<String>) = match &result {
        Ok((_, failed)) => (
            remotes.iter().map(Remote::place).collect(),
            failed.iter().map(|attempt| attempt.candidate.clone()).collect(),
        ),
        Err(Stopped { tried, .. }) => (tried.clone(), tried.clone()),
    };
    places.forget_offers(&settled, &failed);
    let (installed, failed) = result.map_err(|stopped| stopped.error)?;
    for attempt in failed {
        output.warning(&format!("{} ({}): {}", attempt.candidate, attempt.outcome, attempt.error));
    }
    // The agent goes on reading its resources.
    let terms = LeaseTerms {
        session: Some(&session.name),
        ttl_ms: LEASE_MS,
        holder: &Holder::current(),
        now: context.now(),
    };
    store.lease(&installed.record.digest, terms)?;
    if !installed.stored_before {
        cache::prune_after_install(&context, &store, output);
    }
    Ok(Some(installed.record.identity.short()))
}

/// Prints the skill and gives the length of its body.
fn print(opened: &Opened, global: &GlobalArgs, output: Output) -> anyhow::Result<usize> {
    let (skill, snapshot, content) = (opened.skill(), &opened.snapshot, opened.content()?);
    // The body is cut from the bytes that were hashed, not from those that were listed before.
    let parsed = frontmatter::parse(content, skill.folder_name(), &opened.limits);
    let frontmatter =
        parsed.outcome.map_err(|diagnostic| Failure::NotASkill { place: opened.place(), diagnostic })?;
    let body = String::from_utf8_lossy(&content[parsed.body]).into_owned();
    let body_bytes = body.len();
    if global.json {
        let document = wire::Load {
            schema: "skillflux.load/1",
            name: frontmatter.slug.to_string(),
            version: frontmatter.version().map(str::to_owned),
            provenance: wire_skill::provenance(skill, &opened.discovery),
            digest: format!("sha256:{}", snapshot.digest),
            body,
            resources: wire_skill::resources(snapshot)
                .into_iter()
                .filter(|resource| resource.path != opened.skill_file.as_str())
                .collect(),
            left_out: wire_skill::left_out(&snapshot.notes),
        };
        output.json(&document)?;
        return Ok(body_bytes);
    }
    let files = snapshot.files.iter().filter(|file| file.path != opened.skill_file);
    let activation = Activation {
        name: frontmatter.slug.clone(),
        version: frontmatter.version().map(CatalogText::label),
        digest: snapshot.digest,
        location: CatalogText::location(&skill.location()),
        body: &body,
        files: files
            .map(|file| ActivationFile {
                path: CatalogText::location(Path::new(file.path.as_str())),
                kind: Kind::of(&file.path),
                size: file.size,
            })
            .collect(),
        left_out: snapshot.notes.iter().map(|note| CatalogText::location(&note.path)).collect(),
    };
    output.document(&activation::render(&activation))?;
    Ok(body_bytes)
}
