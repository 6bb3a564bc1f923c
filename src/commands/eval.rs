//! `eval`: the evaluation corpora, run and held against their recorded baseline.

use std::{fs::Metadata, io::Read as _, path::Path, process::ExitCode};

use anyhow::Context as _;

use super::failure::Failure;
use crate::{
    cli::{EvalArgs, EvalFormat, EvalFrame, EvalSuite, GlobalArgs},
    error::ErrorKind,
    eval::{
        self, FileKind, Frame, Options, Suite,
        report::{self, Baseline, Report},
    },
    output::{Output, human, json},
    route::formats::Format,
};

/// The most bytes of a corpus file.
const MAX_CORPUS_BYTES: u64 = 64 * 1024 * 1024;

/// Runs the suites and prints their metrics.
pub(super) fn run(args: &EvalArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let suites: Vec<Suite> = match args.suites[..] {
        [] => Suite::ALL.to_vec(),
        ref some => Suite::ALL.into_iter().filter(|suite| some.iter().any(|one| is(*one, *suite))).collect(),
    };
    let (reports, not_run) = if let Some(folder) = &args.corpus {
        run_folder(folder, &suites, frame(args.frame))?
    } else {
        let options = Options { frame: frame(args.frame), baseline: Baseline::recorded() };
        let run = |suite: &Suite| eval::run(*suite, suite.own_corpus(), &options);
        (suites.iter().map(run).collect::<Result<_, _>>()?, Vec::new())
    };
    let format = if global.json { EvalFormat::Json } else { args.format };
    match format {
        EvalFormat::Json => output.data(json::render(&report::wire(&reports, &not_run))?.as_bytes())?,
        EvalFormat::Markdown => output.data(report::markdown(&reports, &not_run).as_bytes())?,
        EvalFormat::Text => output.text(&human::eval(&text(&reports, not_run)))?,
    }
    let failed = reports.iter().any(|report| {
        !report.below_baseline.is_empty() || args.corpus.is_some() && !report.failures.is_empty()
    });
    Ok(if failed { ExitCode::from(ErrorKind::NotFound.exit_code()) } else { ExitCode::SUCCESS })
}

fn is(argument: EvalSuite, suite: Suite) -> bool {
    matches!(
        (argument, suite),
        (EvalSuite::Routing, Suite::Routing) | (EvalSuite::CatalogBudget, Suite::CatalogBudget)
    )
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
        names.extend(entry?.file_name().into_string().ok());
    }
    names.sort();
    let options = Options { frame, baseline: Baseline::none() };
    let (mut reports, mut not_run) = (Vec::new(), Vec::new());
    for name in names {
        match eval::recognise(&name) {
            FileKind::Suite(suite) if suites.contains(&suite) => {
                let file = folder.join(&name);
                let report = eval::run(suite, &read(&file)?, &options);
                reports.push(report.with_context(|| format!("`{}` cannot be run", file.display()))?);
            }
            FileKind::NotInThisRelease => not_run.push(name),
            FileKind::Suite(_) | FileKind::Other => {}
        }
    }
    if reports.is_empty() {
        return Err(Failure::NoCorpus { folder: folder.display().to_string() }.into());
    }
    reports.sort_by_key(|report| report.suite);
    Ok((reports, not_run))
}

fn read(file: &Path) -> anyhow::Result<String> {
    let opened = fs_err::File::open(file)?;
    let too_large = |metadata: &Metadata| metadata.len() > MAX_CORPUS_BYTES;
    if too_large(&opened.metadata()?) {
        let name = file.display().to_string();
        return Err(Failure::CorpusTooLarge { file: name, limit: MAX_CORPUS_BYTES }.into());
    }
    let mut text = String::new();
    opened.take(MAX_CORPUS_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

fn text(reports: &[Report], not_run: Vec<String>) -> human::EvalText {
    human::EvalText {
        rows: reports.iter().flat_map(Report::rows).map(|row| [row.name, row.value, row.baseline]).collect(),
        failures: reports
            .iter()
            .flat_map(|report| &report.failures)
            .map(|failure| {
                format!(
                    "{}: expected [{}], got [{}]",
                    failure.id,
                    failure.expected.join(", "),
                    failure.predicted.join(", ")
                )
            })
            .collect(),
        below: reports
            .iter()
            .flat_map(|report| &report.below_baseline)
            .map(|metric| metric.count.name.clone())
            .collect(),
        not_run,
    }
}
