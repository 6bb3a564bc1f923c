//! `eval retrieval`: prompts with known answers against a pool of skills.

use std::{collections::BTreeSet, path::Path, process::ExitCode, time::Instant};

use anyhow::Context as _;

use super::{context::Context, eval::read_within, failure::Failure, semantic};
use crate::{
    cli::{BlendArgs, CorpusArgs, GlobalArgs, RetrievalArgs, RetrievalFormat, RetrievalMode, RetrievalPart},
    eval::retrieval::{
        self, Group, Mode, Options, Part, Run,
        compare::{Change, Recorded},
        corpus::Corpus,
        dense::Dense,
        measures::{NEGATIVE, Outcome, POSITIVE, values},
        percentile,
        tradeoff::{Point, tradeoff},
    },
    eval::suites::retrieval::Texts,
    output::{Output, human, plot, wire_retrieval},
    rank::fuse::Model,
};

/// The most bytes of a file of skills: those of 9,196 have 79 MB.
pub(super) const MAX_BYTES: u64 = 1024 * 1024 * 1024;

/// Runs the prompts and prints the measures.
pub(super) fn run(args: &RetrievalArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let corpus = corpus(&args.corpus)?;
    let recorded = args.compare.as_deref().map(recorded).transpose()?;
    let model = match &args.weights {
        None => Model::measured().clone(),
        Some(file) => weights(file)?,
    };
    let without: BTreeSet<Part> = args.without.iter().copied().map(part).collect();
    let is_ordered_again = args.mode == RetrievalMode::Fulltext && !without.contains(&Part::Rescorer);
    if args.blend.blend.is_some() && !is_ordered_again {
        return Err(Failure::NothingToBlend.into());
    }
    let dense = dense(&args.blend, &corpus, global, output)?;
    let options = Options {
        mode: mode(args.mode),
        without,
        pool: args.pool.map(|size| (size, args.seed)),
        dense: dense.as_ref(),
    };
    let began = Instant::now();
    let run = retrieval::run(&corpus, &options, &model, &|| began.elapsed());
    let mut document = document(&corpus, &run.outcomes);
    document.mode = options.mode.as_str();
    document.blend = args.blend.blend;
    document.without = options.without.iter().map(|part| part.as_str()).collect();
    document.seed = options.pool.map(|(_, seed)| seed);
    timed(&mut document, &run);
    let changes = recorded.map(|recorded| recorded.changes(&corpus, &run.outcomes)).unwrap_or_default();
    document.changes = changes.iter().map(change).collect();
    print(&document, if global.json { RetrievalFormat::Json } else { args.format }, output)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a document in a format.
pub(super) fn print(
    document: &wire_retrieval::Retrieval,
    format: RetrievalFormat,
    output: Output,
) -> anyhow::Result<()> {
    match format {
        RetrievalFormat::Json => output.json(document)?,
        RetrievalFormat::Markdown => output.data(human::retrieval_markdown(document).as_bytes())?,
        RetrievalFormat::Svg => output.data(plot::retrieval(document).as_bytes())?,
        RetrievalFormat::Text => output.text(&human::retrieval(document))?,
    }
    Ok(())
}

/// Reads the files of a corpus.
pub(super) fn corpus(args: &CorpusArgs) -> anyhow::Result<Corpus> {
    let shown = |file: &Path| format!("`{}` cannot be used", file.display());
    let read = |file: &Path| read_within(file, MAX_BYTES);
    let Some(skills) = &args.skills else { return Ok(Texts::OWN.corpus()?) };
    let mut corpus = Corpus::of_skills(&read(skills)?).with_context(|| shown(skills))?;
    for (name, file) in [("queries", &args.queries), ("searches", &args.searches)] {
        if let Some(file) = file {
            corpus.add_queries(name, &read(file)?).with_context(|| shown(file))?;
        }
    }
    if let Some(file) = &args.negatives {
        corpus.add_negatives(&read(file)?).with_context(|| shown(file))?;
    }
    if let Some(file) = &args.attacks {
        corpus.add_attacks(&read(file)?).with_context(|| shown(file))?;
    }
    if corpus.cases.is_empty() {
        return Err(Failure::NoPrompts.into());
    }
    Ok(corpus)
}

/// The vectors of a corpus that a local model gives, where likeness of meaning is to be measured.
pub(super) fn dense(
    args: &BlendArgs,
    corpus: &Corpus,
    global: &GlobalArgs,
    output: Output,
) -> anyhow::Result<Option<Dense>> {
    let Some(share) = args.blend else { return Ok(None) };
    let context = Context::load(global, output, &[])?;
    let mut model = semantic::local(&context.models(), args.model.as_deref())?;
    Ok(Some(Dense::of(corpus, share, |texts| model.embed(texts))?))
}

fn recorded(file: &Path) -> anyhow::Result<Recorded> {
    let text = read_within(file, MAX_BYTES)?;
    Recorded::parse(&text)
        .map_err(|source| Failure::NotARun { file: file.display().to_string(), source }.into())
}

fn weights(file: &Path) -> anyhow::Result<Model> {
    let text = read_within(file, MAX_BYTES)?;
    Model::parse(&text).ok_or_else(|| Failure::NotWeights { file: file.display().to_string() }.into())
}

fn mode(mode: RetrievalMode) -> Mode {
    match mode {
        RetrievalMode::Fulltext => Mode::Fulltext,
        RetrievalMode::Bm25f => Mode::Bm25f,
        RetrievalMode::Lexical => Mode::Lexical,
    }
}

fn part(part: RetrievalPart) -> Part {
    match part {
        RetrievalPart::StopWords => Part::StopWords,
        RetrievalPart::Stems => Part::Stems,
        RetrievalPart::Translations => Part::Translations,
        RetrievalPart::Rescorer => Part::Rescorer,
        RetrievalPart::Body => Part::Body,
        RetrievalPart::Headings => Part::Headings,
        RetrievalPart::Prose => Part::Prose,
        RetrievalPart::Code => Part::Code,
        RetrievalPart::Refusals => Part::Refusals,
        RetrievalPart::Copies => Part::Copies,
    }
}

/// The measures of outcomes as a document.
pub(super) fn document(corpus: &Corpus, outcomes: &[Outcome]) -> wire_retrieval::Retrieval {
    let groups = retrieval::groups(corpus, outcomes);
    let all = |name: &str| {
        let measure = groups.first()?.measures.iter().find(|measure| measure.name == name)?;
        Some(measure.value)
    };
    wire_retrieval::Retrieval {
        schema: "skillflux.eval-retrieval/1",
        skills: corpus.skills.len(),
        hit_at_1: all("hit_at_1"),
        recall_at_3: all("recall_at_3"),
        recall_at_5: all("recall_at_5"),
        recall_at_10: all("recall_at_10"),
        mrr: all("mrr"),
        ndcg_at_10: all("ndcg_at_10"),
        false_empty_rate: all("false_empty_rate"),
        negative_rejection: all("negative_rejection"),
        tradeoff: tradeoff(corpus, outcomes).iter().map(point).collect(),
        prompts: prompts(corpus, outcomes),
        groups: groups.into_iter().map(group).collect(),
        ..wire_retrieval::Retrieval::default()
    }
}

fn timed(document: &mut wire_retrieval::Retrieval, run: &Run) {
    let milliseconds = |percent| percentile(&run.outcomes, percent) / 1_000.0;
    document.skills = run.skills;
    document.copies = run.copies;
    document.latency_ms = Some(wire_retrieval::Latency {
        p50: milliseconds(50),
        p95: milliseconds(95),
        p99: milliseconds(99),
        max: milliseconds(100),
    });
    document.build_ms = Some(run.build.as_secs_f64() * 1_000.0);
    document.peak_memory_bytes = peak_memory();
}

/// The most memory that this process had, as Linux tells it.
fn peak_memory() -> Option<u64> {
    let status = fs_err::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

fn group(group: Group) -> wire_retrieval::Group {
    let measure = |measure: &retrieval::measures::Measure| wire_retrieval::Measure {
        name: measure.name,
        value: measure.value,
        low: measure.interval.0,
        high: measure.interval.1,
        cases: measure.cases,
    };
    wire_retrieval::Group { measures: group.measures.iter().map(measure).collect(), name: group.name }
}

fn point(point: &Point) -> wire_retrieval::Point {
    let Point { threshold, lost, forbidden, noise, entries } = *point;
    wire_retrieval::Point { threshold, lost, forbidden, noise, entries }
}

fn change(change: &Change) -> wire_retrieval::Change {
    wire_retrieval::Change {
        name: change.name,
        before: change.before,
        after: change.after,
        low: change.interval.0,
        high: change.interval.1,
        probability: change.probability,
        cases: change.cases,
    }
}

fn prompts(corpus: &Corpus, outcomes: &[Outcome]) -> Vec<wire_retrieval::Prompt> {
    let prompt = |(case, outcome): (&retrieval::corpus::Case, &Outcome)| {
        let names = if case.answer.is_positive() { &POSITIVE[..] } else { &NEGATIVE[..] };
        let values = names.iter().zip(values(&case.answer, outcome));
        wire_retrieval::Prompt {
            id: case.id.clone(),
            lang: case.lang.clone(),
            kind: case.kind.clone(),
            ranks: outcome.ranks.iter().map(|rank| rank.map(|rank| rank + 1)).collect(),
            attack: outcome.attack.map(|rank| rank + 1),
            printed: outcome.printed.iter().map(|rank| rank + 1).collect(),
            values: values.filter_map(|(name, value)| Some((*name, value?))).collect(),
        }
    };
    corpus.cases.iter().zip(outcomes).map(prompt).collect()
}
