//! `eval triggers`: the prompts that the author of a skill wrote beside it, and whether the skill fires for them.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Context as _;

use super::{context::Context, eval::read_within, eval_retrieval::MAX_BYTES, failure::Failure, resolve};
use crate::{
    cli::{GlobalArgs, TriggersArgs},
    error::ErrorKind,
    eval::{
        retrieval::corpus::Corpus,
        triggers::{
            MOST_PROMPTS, Prompts, Tally,
            advice::{self, Advice},
            file::{self, FOLDERS, Kind, Problem, Trigger},
            polarity::Named,
            trial::{self, Entrant, Judged, Rival, Trial},
        },
    },
    output::{Output, human, wire_triggers as wire},
    rank::{copies::representatives, fuse},
    skill::{Limits, frontmatter, name::Slug, path::SkillPath},
    source::{
        found,
        local::{self, Discovery, Home, LocalSkill, Look, Standing},
        roots::{Root, Scope},
    },
    store::Store,
};

/// The most bytes of a trigger file.
const MAX_TRIGGER_BYTES: u64 = 4 * 1024 * 1024;
/// How many entries of a folder are looked at for trigger files.
const MOST_ENTRIES: usize = 10_000;
/// How many terms and features of a rival are named.
const NAMED: usize = 8;

/// Tries the prompts and prints what they gave.
pub(super) fn run(args: &TriggersArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &[])?;
    let mut discovery = context.discover(false);
    let index = resolve::by_path(&context, &mut discovery, &args.skill)?;
    let skill = &discovery.skills[index];
    if !skill.frontmatter.model_invocable {
        return Err(Failure::NotForModels { name: skill.slug().to_string() }.into());
    }
    let (files, prompts) = prompts(args, skill, output)?;
    let own = entrant(&context, &context.store(), skill)?;
    let (pool, copies) = pool(args, &context, &discovery, &own)?;
    if pool.is_empty() {
        output.warning("there is no other skill to try it against, so the figures say nothing");
    }
    let documents = trial::documents(&pool);
    let trial = Trial::new(&pool, &documents, &prompts.triggers);
    let judged = trial.judge(&own);
    let advice = advice::advise(&trial, &own, &prompts.triggers, &judged);
    let tally = tally(&prompts.triggers, &judged);
    let document = wire::Triggers {
        schema: "skillflux.eval-triggers/1",
        skill: own.slug.to_string(),
        location: own.place.clone(),
        files,
        rivals: pool.len(),
        copies,
        limit: trial::LIMIT,
        threshold: fuse::THRESHOLD,
        counts: counts(tally),
        recall: share(tally.recall()),
        precision: share(tally.precision()),
        accuracy: share(tally.accuracy()),
        of_other_skills: prompts.of_others,
        left_out: prompts.left_out,
        problems: prompts.problems.iter().map(problem).collect(),
        prompts: (prompts.triggers.iter().zip(&judged).enumerate())
            .map(|(number, (trigger, judged))| {
                prompt(trigger, judged, &trial, &own, advice.wrong.get(&number))
            })
            .collect(),
        advice: wire_advice(&advice),
    };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::triggers(&document, output.width()))?;
    }
    let holds = tally.missed + tally.wrong == 0 && prompts.problems.is_empty() && prompts.left_out == 0;
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::from(ErrorKind::NotFound.exit_code()) })
}

/// Reads the trigger files of a skill; what is odd about them is said.
fn prompts(
    args: &TriggersArgs,
    skill: &LocalSkill,
    output: Output,
) -> anyhow::Result<(Vec<String>, Prompts)> {
    let files = if args.file.is_empty() { trigger_files(skill)? } else { args.file.clone() };
    let header = &skill.frontmatter;
    let named = Named { names: [&header.name, header.slug.as_str(), skill.folder_name()] };
    let mut prompts = Prompts::default();
    let mut names = Vec::new();
    for path in files {
        let name = path.display().to_string();
        let text = read_within(&path, MAX_TRIGGER_BYTES)?;
        let read = file::read(&name, &text, &named)
            .with_context(|| format!("`{name}` holds no triggers that can be tried"))?;
        if let Some(other) = &read.named {
            output.warning(&format!("`{name}` says that it is of `{other}`"));
        }
        prompts.add(read);
        names.push(name);
    }
    for Problem { file, place, problem } in &prompts.problems {
        output.warning(&format!("`{place}` of `{file}` is not tried, because it {problem}"));
    }
    if prompts.of_others > 0 {
        output.warning(&format!("prompts of other skills are left out: {}", prompts.of_others));
    }
    if prompts.left_out > 0 {
        output
            .warning(&format!("prompts beyond the first {MOST_PROMPTS} are left out: {}", prompts.left_out));
    }
    if prompts.triggers.is_empty() {
        return Err(Failure::NoTriggers { files: names }.into());
    }
    Ok((names, prompts))
}

/// The trigger files of a skill: those that are for nothing else, or else those that may hold triggers too.
fn trigger_files(skill: &LocalSkill) -> anyhow::Result<Vec<PathBuf>> {
    let Home::Folder { folder, .. } = &skill.home else { return Ok(Vec::new()) };
    let mut found: Vec<(Kind, PathBuf)> = Vec::new();
    let mut irregular: Vec<(Kind, PathBuf)> = Vec::new();
    for below in FOLDERS {
        let below = folder.join(below);
        // Links may lead out of the skill.
        if !fs_err::symlink_metadata(&below).is_ok_and(|found| found.is_dir()) {
            continue;
        }
        for entry in fs_err::read_dir(&below)?.take(MOST_ENTRIES) {
            let entry = entry?;
            if let Some(kind) = file::recognise(&entry.file_name().to_string_lossy()) {
                let is_file = entry.file_type().is_ok_and(|found| found.is_file());
                if is_file { &mut found } else { &mut irregular }.push((kind, entry.path()));
            }
        }
    }
    found.sort();
    let first = found.first().map(|(kind, _)| *kind);
    let files: Vec<PathBuf> =
        found.into_iter().filter(|(kind, _)| Some(*kind) == first).map(|(_, path)| path).collect();
    if files.is_empty() {
        if let Some((_, path)) = irregular.into_iter().min() {
            return Err(Failure::CorpusNotAFile { file: path.display().to_string() }.into());
        }
        return Err(Failure::NoTriggerFile { folder: folder.display().to_string() }.into());
    }
    Ok(files)
}

/// A skill of this machine as it is tried.
fn entrant(context: &Context, store: &Store, skill: &LocalSkill) -> anyhow::Result<Entrant> {
    let limits = context.config.limits();
    let content = match &skill.stored {
        Some(stored) => store.read_file(&stored.digest, &SkillPath::parse("SKILL.md")?)?,
        None => found::content(skill, &limits).map_err(|code| Failure::NotASkill {
            place: skill.location().display().to_string(),
            diagnostic: crate::skill::diagnostic::Diagnostic::new(code),
        })?,
    };
    Ok(of_content(skill, &content, &limits))
}

fn of_content(skill: &LocalSkill, content: &[u8], limits: &Limits) -> Entrant {
    let header = &skill.frontmatter;
    let body = frontmatter::parse(content, skill.folder_name(), limits).body;
    Entrant {
        name: header.name.clone(),
        slug: header.slug.clone(),
        description: header.description.clone(),
        when_to_use: header.when_to_use.clone(),
        when_not_to_use: header.when_not_to_use.clone(),
        body: String::from_utf8_lossy(&content[body]).into_owned(),
        place: skill.location().display().to_string(),
    }
}

/// The skills that `own` is tried against, and how many are left out because they are it, or copies.
fn pool(
    args: &TriggersArgs,
    context: &Context,
    discovery: &Discovery,
    own: &Entrant,
) -> anyhow::Result<(Vec<Entrant>, usize)> {
    let mut pool = if args.pool.is_empty() { of_discovery(context, discovery) } else { Vec::new() };
    for place in &args.pool {
        if fs_err::metadata(place)?.is_dir() {
            let root = Root {
                label: place.display().to_string(),
                scope: Scope::Custom,
                path: context.environment.current_dir().join(place),
                agents: Vec::new(),
                within: None,
            };
            let (limits, store) = (context.config.limits(), context.store());
            let mut found = local::discover(&[root], &limits, Look::default(), store.root(), Vec::new());
            found.skills.retain(|skill| matches!(skill.home, Home::Folder { .. }));
            pool.extend(of_discovery(context, &found));
        } else {
            let corpus = Corpus::of_skills(&read_within(place, MAX_BYTES)?)
                .with_context(|| format!("`{}` cannot be used", place.display()))?;
            pool.extend(corpus.skills.into_iter().map(|skill| Entrant {
                slug: Slug::derive(&skill.name, "skill"),
                name: skill.name,
                description: skill.description,
                when_to_use: skill.when,
                when_not_to_use: None,
                body: skill.body,
                place: skill.id,
            }));
        }
    }
    pool.retain(|entrant| entrant.place != own.place);
    let all = pool.len();
    // Of skills of one name a harness has one.
    pool.retain(|entrant| entrant.slug != own.slug);
    // Copies have one place in a catalog.
    let first = representatives([own].into_iter().chain(&pool).map(Entrant::likeness));
    let mut places = 1..;
    pool.retain(|_| places.next().is_some_and(|place| first[place] == place));
    let copies = all - pool.len();
    Ok((pool, copies))
}

/// The skills that a catalog may have. What cannot be read is not in it.
fn of_discovery(context: &Context, discovery: &Discovery) -> Vec<Entrant> {
    let store = context.store();
    let is_open =
        |skill: &&LocalSkill| skill.standing == Standing::Active && skill.frontmatter.model_invocable;
    let read = |skill: &LocalSkill| match entrant(context, &store, skill) {
        Ok(entrant) => Some(entrant),
        Err(error) => {
            tracing::warn!(%error, "a skill is left out");
            None
        }
    };
    discovery.skills.iter().filter(is_open).filter_map(read).collect()
}

fn tally(triggers: &[Trigger], judged: &[Judged]) -> Tally {
    let fires = |(trigger, judged): (&Trigger, &Judged)| (trigger.should_fire, judged.verdict.fires);
    Tally::of(triggers.iter().zip(judged).map(fires))
}

fn counts(tally: Tally) -> wire::Counts {
    let Tally { fired, missed, wrong, quiet } = tally;
    wire::Counts { fired, missed, wrongly_fired: wrong, quiet }
}

#[expect(clippy::cast_precision_loss, reason = "no more than a thousand prompts are tried")]
fn share((some, all): (usize, usize)) -> Option<f64> {
    (all > 0).then(|| some as f64 / all as f64)
}

/// A difference with three digits behind the point.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// A confidence with three digits behind the point, rounded down: none shows the threshold that it misses.
fn floored(confidence: f64) -> f64 {
    (confidence * 1000.0 + 1e-9).floor() / 1000.0
}

fn problem(problem: &Problem) -> wire::Problem {
    let Problem { file, place, problem } = problem.clone();
    wire::Problem { file, place, problem }
}

fn prompt(
    trigger: &Trigger,
    judged: &Judged,
    trial: &Trial<'_>,
    own: &Entrant,
    wrong: Option<&advice::Wrong>,
) -> wire::Prompt {
    let verdict = judged.verdict;
    let name = |&number: &usize| trial.entrant(number).unwrap_or(own).slug.to_string();
    let cause = |cause: &advice::Cause| wire::Cause {
        word: cause.word.clone(),
        less: rounded(floored(verdict.confidence) - floored(verdict.confidence - cause.less)),
        decides: cause.decides,
    };
    let refusal = wrong.and_then(|wrong| wrong.refusal.clone());
    let is_missed = trigger.should_fire && !verdict.fires;
    wire::Prompt {
        file: trigger.file.clone(),
        place: trigger.place.clone(),
        prompt: trigger.prompt.clone(),
        outcome: match (trigger.should_fire, verdict.fires) {
            (true, true) => "fired",
            (true, false) => "missed",
            (false, true) => "wrongly-fired",
            (false, false) => "quiet",
        },
        invoked: verdict.is_invoked,
        rank: verdict.rank,
        confidence: floored(verdict.confidence),
        printed: judged.printed.iter().map(name).collect(),
        rival: judged.rival.as_ref().filter(|_| is_missed).and_then(|rival| wire_rival(rival, trial)),
        causes: wrong.into_iter().flat_map(|wrong| wrong.causes.iter().map(cause)).collect(),
        refusal: refusal.map(|(sentence, stops)| wire::Refusal { sentence, stops }),
    }
}

fn wire_rival(rival: &Rival, trial: &Trial<'_>) -> Option<wire::Rival> {
    let entrant = trial.entrant(rival.number)?;
    let gap = |gap: &trial::Gap| wire::Gap {
        term: gap.word.clone(),
        fields: gap.fields.iter().map(|field| field.as_str()).collect(),
        more: rounded(gap.more),
    };
    let feature = |&(name, more): &(&'static str, f64)| wire::FeatureGap { name, more: rounded(more) };
    Some(wire::Rival {
        skill: entrant.slug.to_string(),
        location: entrant.place.clone(),
        rank: rival.rank,
        confidence: floored(rival.confidence),
        printed: rival.is_printed,
        terms: rival.terms.iter().take(NAMED).map(gap).collect(),
        features: rival.features.iter().take(NAMED).map(feature).collect(),
    })
}

fn wire_advice(advice: &Advice) -> wire::Advice {
    let word = |word: &advice::Word| wire::Word {
        word: word.word.clone(),
        prompts: word.prompts,
        in_body: word.in_body,
        gain: rounded(word.gain),
    };
    wire::Advice {
        add: advice.add.as_ref().map(|add| wire::Addition {
            words: add.words.iter().map(word).collect(),
            counts: counts(add.after),
        }),
        not_for: advice.not_for.as_ref().map(|not_for| wire::NotFor {
            sentence: not_for.sentence.clone(),
            counts: counts(not_for.after),
        }),
        both: advice.both.map(counts),
    }
}
