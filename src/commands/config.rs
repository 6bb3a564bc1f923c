//! `config`: every key with its value and origin, and changes to the person's file.

use std::{path::PathBuf, process::ExitCode};

use super::context::Context;
use crate::{
    cli::{ConfigCommand, GlobalArgs},
    config::{self, Availability, Environment, Setting},
    output::{Output, human, json, wire},
};

/// Runs one of the commands below `config`.
pub(super) fn run(command: &ConfigCommand, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    match command {
        ConfigCommand::List => list(global, output)?,
        ConfigCommand::Get { key } => get(key, global, output)?,
        ConfigCommand::Set { key, value } => {
            let file = file(global)?;
            let change = config::edit::set(&file, key, value)?;
            changed(&file, key, &change, global, output)?;
        }
        ConfigCommand::Unset { key } => {
            let file = file(global)?;
            let change = config::edit::unset(&file, key)?;
            changed(&file, key, &change, global, output)?;
        }
        ConfigCommand::Path => path(global, output)?,
        ConfigCommand::Schema => output.data(json::render(&config::schema::json_schema())?.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The file that `set` changes: the one of `--config`, or the person's own.
fn file(global: &GlobalArgs) -> anyhow::Result<PathBuf> {
    match &global.config {
        Some(file) => Ok(file.clone()),
        None => Ok(Environment::capture()?.folders().config_file),
    }
}

fn list(global: &GlobalArgs, output: Output) -> anyhow::Result<()> {
    let context = Context::load(global, output, &[])?;
    let document = wire::ConfigList {
        schema: "skillflux.config/1",
        settings: context.config.settings().iter().map(setting).collect(),
    };
    if global.json {
        output.data(json::render(&document)?.as_bytes())?;
    } else {
        output.text(&human::config_list(&document))?;
    }
    Ok(())
}

fn get(key: &str, global: &GlobalArgs, output: Output) -> anyhow::Result<()> {
    let context = Context::load(global, output, &[])?;
    let found = setting(context.config.get_or_suggest(key)?);
    if global.json {
        let document = wire::ConfigList { schema: "skillflux.config/1", settings: vec![found] };
        output.data(json::render(&document)?.as_bytes())?;
    } else {
        output.text(&human::config_value(&found))?;
    }
    Ok(())
}

fn path(global: &GlobalArgs, output: Output) -> anyhow::Result<()> {
    let file = file(global)?.display().to_string();
    if global.json {
        output.data(
            json::render(&serde_json::json!({
                "schema": "skillflux.config-path/1",
                "path": file,
            }))?
            .as_bytes(),
        )?;
    } else {
        output.document(&format!("{file}\n"))?;
    }
    Ok(())
}

fn changed(
    file: &std::path::Path,
    key: &str,
    change: &config::edit::Change,
    global: &GlobalArgs,
    output: Output,
) -> anyhow::Result<()> {
    let document = wire::ConfigChange {
        schema: "skillflux.config-change/1",
        key: key.to_owned(),
        file: file.display().to_string(),
        before: change.old.as_ref().map(config::Value::to_json),
        refused: change.old_refused.clone(),
        after: change.new.as_ref().map(config::Value::to_json),
    };
    if global.json {
        output.data(json::render(&document)?.as_bytes())?;
    } else {
        output.text(&human::config_change(&document))?;
    }
    Ok(())
}

fn setting(setting: &Setting) -> wire::Setting {
    wire::Setting {
        key: setting.key.name,
        value: setting.value.to_json(),
        text: setting.value.to_string(),
        origin: setting.origin.to_string(),
        later: match setting.key.available {
            Availability::Now => None,
            Availability::Later(feature) => Some(feature),
        },
        allowed: config::allowed(setting.key.kind),
        doc: setting.key.doc,
    }
}
