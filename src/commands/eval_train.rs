//! `eval train`: the table of weights, or what its method is worth.

use std::process::ExitCode;

use super::eval_retrieval::{corpus, dense, document, print};
use crate::{
    cli::{GlobalArgs, RetrievalFormat, TrainArgs},
    eval::{
        retrieval::{
            corpus::Corpus,
            train::{self, common},
        },
        suites::retrieval::Texts,
    },
    output::Output,
};

/// Makes the table, or measures in folds.
pub(super) fn run(args: &TrainArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let corpus = corpus(&args.corpus)?;
    if let Some(file) = &args.common {
        fs_err::write(file, common(&corpus))?;
    }
    if args.folds.is_none() && args.out.is_none() {
        return Ok(ExitCode::SUCCESS);
    }
    let own = Texts::OWN.corpus()?;
    let corpora: &[&Corpus] = if args.own { &[&corpus, &own] } else { &[&corpus] };
    let examples = train::Examples::of(corpora);
    if let Some(folds) = args.folds {
        // Attacks are a test of the whole, and none is learned from.
        let dense = dense(&args.blend, &corpus, global, output)?;
        let outcomes =
            examples.cross_validated(usize::from(folds), dense.as_ref().map(|dense| (&corpus, dense)));
        let mut document = document(&corpus, &outcomes[0]);
        document.mode = "fulltext";
        document.blend = args.blend.blend;
        print(&document, if global.json { RetrievalFormat::Json } else { args.format }, output)?;
    }
    if let Some(file) = &args.out {
        fs_err::write(file, examples.model().table())?;
    }
    Ok(ExitCode::SUCCESS)
}
