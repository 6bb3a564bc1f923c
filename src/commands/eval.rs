//! `eval`: the evaluation corpora, run and held against their recorded baseline.

use std::{io::Read as _, path::Path, process::ExitCode};

use anyhow::Context as _;

use super::failure::Failure;
use crate::{
    cli::{EvalArgs, EvalCommand, EvalFormat, EvalFrame, EvalSuite, GlobalArgs},
    error::ErrorKind,
    eval::{
        self, EvalError, FileKind, Frame, Options, Suite,
        metrics::{CaseResult, Count},
        report::{Baseline, Metric, Report},
        suites::retrieval::Texts,
    },
    output::{Output, human, wire_eval},
    route::formats::Format,
};

/// The most bytes of a corpus file.
const MAX_CORPUS_BYTES: u64 = 64 * 1024 * 1024;

/// Runs the suites and prints their metrics.
pub(super) fn run(args: &EvalArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    match &args.command {
        None => {}
        Some(EvalCommand::Retrieval(args)) => return super::eval_retrieval::run(args, global, output),
        Some(EvalCommand::Triggers(args)) => return super::eval_triggers::run(args, global, output),
        Some(EvalCommand::Train(args)) => return super::eval_train::run(args, global, output),
    }
    let suites: Vec<Suite> = match args.suites[..] {
        [] => Suite::ALL.to_vec(),
        ref some => {
            Suite::ALL.into_iter().filter(|suite| some.iter().any(|one| wanted(*one) == *suite)).collect()
        }
    };
    let (reports, not_run) = if let Some(folder) = &args.corpus {
        run_folder(folder, &suites, frame(args.frame))?
    } else {
        let options = Options { frame: frame(args.frame), baseline: Baseline::recorded() };
        let run = |suite: &Suite| eval::run(*suite, suite.own_corpus(), &options);
        (suites.iter().map(run).collect::<Result<_, _>>()?, Vec::new())
    };
    let format = if global.json { EvalFormat::Json } else { args.format };
    let document = document(&reports, not_run);
    match format {
        EvalFormat::Json => output.json(&document)?,
        EvalFormat::Markdown => output.data(human::eval_markdown(&document).as_bytes())?,
        EvalFormat::Text => output.text(&human::eval(&document))?,
    }
    let failed = reports.iter().any(|report| {
        !report.below_baseline.is_empty() || args.corpus.is_some() && !report.failures.is_empty()
    });
    Ok(if failed { ExitCode::from(ErrorKind::NotFound.exit_code()) } else { ExitCode::SUCCESS })
}

fn wanted(suite: EvalSuite) -> Suite {
    match suite {
        EvalSuite::Routing => Suite::Routing,
        EvalSuite::CatalogBudget => Suite::CatalogBudget,
        EvalSuite::RemoteQuality => Suite::RemoteQuality,
        EvalSuite::RemoteGovernance => Suite::RemoteGovernance,
        EvalSuite::RemoteCache => Suite::RemoteCache,
        EvalSuite::RemoteFallback => Suite::RemoteFallback,
        EvalSuite::CacheGovernance => Suite::CacheGovernance,
        EvalSuite::SemanticRouting => Suite::SemanticRouting,
        EvalSuite::Retrieval => Suite::Retrieval,
    }
}

fn frame(frame: EvalFrame) -> Frame {
    Frame::Own(match frame {
        EvalFrame::Xml => Format::Xml,
        EvalFrame::Json => Format::Json,
        EvalFrame::Markdown => Format::Markdown,
        EvalFrame::Lines => Format::Lines,
        EvalFrame::Cloudflare => Format::Cloudflare,
        EvalFrame::Upstream => return Frame::Upstream,
    })
}

/// Runs the suites whose files lie in `folder`; the names of case files that this release cannot run.
fn run_folder(folder: &Path, suites: &[Suite], frame: Frame) -> anyhow::Result<(Vec<Report>, Vec<String>)> {
    let mut names = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let options = Options { frame, baseline: Baseline::none() };
    let (mut reports, mut not_run) = (Vec::new(), Vec::new());
    for name in names {
        match eval::recognise(&name) {
            FileKind::Suite(suite) if suites.contains(&suite) => {
                let file = folder.join(&name);
                let report = if suite == Suite::Retrieval {
                    retrieval_folder(&file, &options)?
                } else {
                    eval::run(suite, &read(&file)?, &options)
                };
                reports.push(report.with_context(|| format!("`{}` cannot be run", file.display()))?);
            }
            FileKind::NotInThisRelease => not_run.push(name),
            FileKind::Suite(_) | FileKind::Other => {}
        }
    }
    if reports.is_empty() {
        let files = suites.iter().map(|suite| suite.file_name()).collect();
        return Err(Failure::NoCorpus { folder: folder.display().to_string(), files }.into());
    }
    reports.sort_by_key(|report| report.suite);
    Ok((reports, not_run))
}

/// Runs the files of a retrieval corpus.
fn retrieval_folder(folder: &Path, options: &Options) -> anyhow::Result<Result<Report, EvalError>> {
    let text = |name: &str| read(&folder.join(name));
    let (skills, queries, searches) =
        (text("skills.jsonl")?, text("queries.jsonl")?, text("searches.jsonl")?);
    let (negatives, attacks) = (text("negatives.jsonl")?, text("adversarial.jsonl")?);
    let texts = Texts {
        skills: &skills,
        queries: &queries,
        searches: &searches,
        negatives: &negatives,
        attacks: &attacks,
    };
    Ok(eval::run_retrieval(&texts, options))
}

/// The text of a file of cases.
fn read(file: &Path) -> anyhow::Result<String> {
    read_within(file, MAX_CORPUS_BYTES)
}

/// The text of a corpus file: a regular one within the limit, however it changes meanwhile.
pub(super) fn read_within(file: &Path, limit: u64) -> anyhow::Result<String> {
    let name = || file.display().to_string();
    // Asked before it is opened, because opening a pipe waits for somebody to write into it.
    if !fs_err::metadata(file)?.is_file() {
        return Err(Failure::CorpusNotAFile { file: name() }.into());
    }
    let mut bytes = Vec::new();
    fs_err::File::open(file)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(Failure::CorpusTooLarge { file: name(), limit }.into());
    }
    String::from_utf8(bytes).map_err(|_| Failure::CorpusEncoding { file: name() }.into())
}

fn document(reports: &[Report], not_run: Vec<String>) -> wire_eval::Eval {
    wire_eval::Eval {
        schema: "skillflux.eval/1",
        below_baseline: reports.iter().any(|report| !report.below_baseline.is_empty()),
        suites: reports.iter().map(suite).collect(),
        not_in_this_release: not_run,
    }
}

fn suite(report: &Report) -> wire_eval::Suite {
    let category = |count: &Count| wire_eval::Category {
        name: count.name.clone(),
        passed: count.passed,
        total: count.total,
    };
    wire_eval::Suite {
        suite: report.suite.as_str(),
        cases: report.cases,
        known_weak: report.known_weak,
        metrics: report.metrics.iter().map(metric).collect(),
        categories: report.categories.iter().map(category).collect(),
        failures: report.failures.iter().map(failed_case).collect(),
    }
}

fn metric(metric: &Metric) -> wire_eval::Metric {
    wire_eval::Metric {
        name: metric.count.name.clone(),
        passed: metric.count.passed,
        total: metric.count.total,
        value: metric.count.value(),
        baseline: metric.baseline,
        below_baseline: metric.is_below(),
    }
}

fn failed_case(result: &CaseResult) -> wire_eval::Failure {
    wire_eval::Failure {
        id: result.id.clone(),
        category: result.category.clone(),
        expected: result.expected.clone(),
        predicted: result.predicted.clone(),
        expected_forced: result.expected_forced.clone(),
        forced: result.forced.clone(),
        within_limit: result.within_limit,
        note: result.note.clone(),
    }
}
