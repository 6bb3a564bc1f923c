//! One file a command: settings in, calls down, one result out.
//!
//! A command decides nothing about looks and prints once, at its end. Every failure passes
//! [`failure`], which knows its exit code and hint.

mod approval;
mod cache;
mod cache_verify;
mod catalog;
pub mod completions;
mod config;
mod context;
mod discovering;
mod discovery_cache;
mod eval;
mod eval_retrieval;
mod eval_train;
mod eval_triggers;
mod exec;
mod explain;
mod failure;
mod healing;
mod index;
mod indexing;
mod install;
mod interruption;
mod list;
mod load;
mod log;
mod man;
mod model;
mod moment;
mod mount;
mod offering;
mod online;
mod opened;
mod pool;
mod read;
mod recording;
mod resolve;
mod routing;
mod search;
mod semantic;
mod session;
mod show;
mod status;
mod target;
mod unmount;
mod usage;
mod views;
mod wire_skill;

use std::process::ExitCode;

use anstream::ColorChoice;

use crate::{
    cli::{self, Cli, ColorWhen, Command, GlobalArgs, ParseError},
    output::Output,
};

/// Parses the command line, runs the command and returns its exit code.
pub fn run() -> ExitCode {
    let cli = match cli::parse() {
        Ok(cli) => cli,
        Err(ParseError::Printed) => return ExitCode::SUCCESS,
        Err(ParseError::NotPrinted(error)) => {
            return failure::report(&error.into(), Output::new(ColorChoice::Auto, false), false);
        }
        Err(ParseError::Usage { message, command, json }) => {
            return failure::usage(&message, &command, Output::new(ColorChoice::Auto, false), json);
        }
    };
    let output = output(&cli.global);
    let result = log::start(&cli.global).and_then(|()| dispatch(&cli, output));
    match result {
        Ok(code) => code,
        Err(error) => failure::report(&error, output, cli.global.json),
    }
}

fn output(global: &GlobalArgs) -> Output {
    let color = match global.color {
        ColorWhen::Auto => ColorChoice::Auto,
        ColorWhen::Always => ColorChoice::Always,
        ColorWhen::Never => ColorChoice::Never,
    };
    Output::new(color, global.quiet)
}

fn dispatch(cli: &Cli, output: Output) -> anyhow::Result<ExitCode> {
    let global = &cli.global;
    match &cli.command {
        Command::Catalog(args) => catalog::run(args, global, output),
        Command::List(args) => list::run(args, global, output),
        Command::Show(args) => show::run(args, global, output),
        Command::Load(args) => load::run(args, global, output),
        Command::Read(args) => read::run(args, global, output),
        Command::Explain(args) => explain::run(args, global, output),
        Command::Search(args) => search::run(args, global, output),
        Command::Mount(args) => mount::run(args, global, output),
        Command::Unmount(args) => unmount::run(args, global, output),
        Command::Exec(args) => exec::run(args, global, output),
        Command::Usage(args) => usage::run(args, global, output),
        Command::Cache(args) => cache::run(args, global, output),
        Command::DiscoveryCache(args) => discovery_cache::run(args, global, output),
        Command::Model(args) => model::run(args, global, output),
        Command::Index(args) => index::run(args, global, output),
        Command::Status => status::run(global, output),
        Command::Config(args) => config::run(args, global, output),
        Command::Eval(args) => eval::run(args, global, output),
        Command::Completions(args) => completions::run(args, global, output),
        Command::Man(args) => man::run(args, global, output),
    }
}
