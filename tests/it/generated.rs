//! Files that are made from the program's own definitions stay as they would be made now.
//!
//! `SKILLFLUX_BLESS=1 cargo test --locked --test it generated` writes them anew.

use std::{fs, path::Path};

use clap_complete::{Shell, generate};
use clap_complete_nushell::Nushell;
use clap_mangen::Man;

use crate::context::write;

fn check(path: &str, content: &[u8]) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("SKILLFLUX_BLESS").is_some() {
        write(&file, content);
    }
    let known = fs::read(&file).unwrap_or_default();
    assert!(
        known == content,
        "{path} is out of date; run: SKILLFLUX_BLESS=1 cargo test --locked --test it generated"
    );
}

fn command() -> clap::Command {
    let mut command = skillflux::cli::command().disable_help_subcommand(true);
    command.build();
    command
}

fn script(generator: impl clap_complete::Generator) -> Vec<u8> {
    let mut script = Vec::new();
    generate(generator, &mut skillflux::cli::command(), "skillflux", &mut script);
    script
}

#[test]
fn completion_scripts() {
    check("completions/skillflux.bash", &script(Shell::Bash));
    check("completions/_skillflux", &script(Shell::Zsh));
    check("completions/skillflux.fish", &script(Shell::Fish));
    check("completions/_skillflux.ps1", &script(Shell::PowerShell));
    check("completions/skillflux.elv", &script(Shell::Elvish));
    check("completions/skillflux.nu", &script(Nushell));
}

#[test]
fn manual_pages() {
    pages(&command(), "skillflux");
}

/// The page of `command` and of every command below it.
fn pages(command: &clap::Command, name: &str) {
    let mut page = Vec::new();
    let source = format!("skillflux {}", env!("CARGO_PKG_VERSION"));
    // The date would make the page differ from day to day.
    Man::new(command.clone()).title(name).source(source).date("").render(&mut page).unwrap();
    check(&format!("docs/man/{name}.1"), &page);
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        pages(subcommand, &format!("{name}-{}", subcommand.get_name()));
    }
}

#[test]
fn command_reference() {
    let mut text = String::from(
        "# Commands\n\nThe help of every command, as `skillflux help COMMAND` prints it. This page is generated.\n",
    );
    add_help(&mut command(), &mut text);
    check("docs/cli.md", text.as_bytes());
}

fn add_help(command: &mut clap::Command, text: &mut String) {
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    let help = command.render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    text.push_str(&format!("\n## {name}\n\n```text\n{}\n```\n", lines.join("\n").trim_end()));
    for subcommand in command.get_subcommands_mut().filter(|subcommand| subcommand.get_name() != "help") {
        add_help(subcommand, text);
    }
}

#[test]
fn configuration_schema() {
    let schema = skillflux::output::json::render(&skillflux::config::schema::json_schema()).unwrap();
    check("docs/config.schema.json", schema.as_bytes());
}
