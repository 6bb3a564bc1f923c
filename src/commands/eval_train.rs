//! `eval train`: the table of weights, or what its method is worth.

use std::process::ExitCode;

use super::eval_retrieval::{corpus, document, print};
use crate::{
    cli::{GlobalArgs, RetrievalFormat, TrainArgs},
    eval::retrieval::train,
    output::Output,
};

/// Makes the table, or measures in folds.
pub(super) fn run(args: &TrainArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let corpus = corpus(&args.corpus)?;
    let examples = train::Examples::of(&corpus);
    if let Some(folds) = args.folds {
        let outcomes = examples.cross_validated(usize::from(folds));
        let mut document = document(&corpus, &outcomes);
        document.mode = "fulltext";
        print(&document, if global.json { RetrievalFormat::Json } else { args.format }, output)?;
    }
    if let Some(file) = &args.out {
        fs_err::write(file, examples.model().table())?;
    }
    Ok(ExitCode::SUCCESS)
}
