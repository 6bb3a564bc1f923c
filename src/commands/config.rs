//! `config`: every key with its value and origin, and changes to the person's file.

use std::{path::PathBuf, process::ExitCode};

use super::context::Context;
use crate::{
    cli::{ConfigArgs, ConfigCommand, GlobalArgs},
    config::{self, Availability, Config, Environment, Setting, Value},
    output::{Output, human, wire},
};

/// Runs one of the commands below `config`.
pub(super) fn run(args: &ConfigArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    match args.command.as_ref().unwrap_or(&ConfigCommand::List) {
        ConfigCommand::List => list(global, output)?,
        ConfigCommand::Get { key } => get(key, global, output)?,
        ConfigCommand::Set { key, value } => {
            // What is wrong with the environment is said before the file is changed.
            let environment = Environment::capture()?;
            let file = file(global)?;
            let change = config::edit::set(&file, key, &absolute(key, value, &environment)?)?;
            if let Availability::Later(feature) = change.key.available {
                output.warning(&format!("`{key}` has no effect in this release; it will steer {feature}"));
            }
            changed(&file, key, &change, global, output)?;
            still_wrong(&environment, global, output);
        }
        ConfigCommand::Unset { key } => {
            let file = file(global)?;
            let change = config::edit::unset(&file, key)?;
            changed(&file, key, &change, global, output)?;
        }
        ConfigCommand::Path => path(global, output)?,
        ConfigCommand::Schema => output.json(&config::schema::json_schema())?,
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

/// Warns when the settings cannot be loaded for another reason than the key that was just set.
fn still_wrong(environment: &Environment, global: &GlobalArgs, output: Output) {
    if let Err(error) = Config::load(environment, global.config.as_deref(), &[]) {
        output.warning(&format!("the settings cannot be loaded all the same: {error}"));
    }
}

/// `value` with folders made absolute: in the file they would be relative to the file, while a person
/// who types them means the working folder.
fn absolute(key: &str, value: &str, environment: &Environment) -> anyhow::Result<String> {
    if key != "customRoots" {
        return Ok(value.to_owned());
    }
    let Value::List(folders) = config::edit::parse(key, value)? else { return Ok(value.to_owned()) };
    let absolute = |folder: &String| {
        let stays = folder.is_empty() || folder.starts_with('~');
        if stays {
            folder.clone()
        } else {
            environment.current_dir().join(folder).components().collect::<PathBuf>().display().to_string()
        }
    };
    Ok(serde_json::to_string(&folders.iter().map(absolute).collect::<Vec<_>>())?)
}

fn list(global: &GlobalArgs, output: Output) -> anyhow::Result<()> {
    let context = Context::load(global, output, &[])?;
    let document = wire::ConfigList {
        schema: "skillflux.config/1",
        settings: context.config.settings().iter().map(setting).collect(),
    };
    if global.json {
        output.json(&document)?;
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
        output.json(&document)?;
    } else {
        output.text(&human::config_value(&found))?;
    }
    Ok(())
}

fn path(global: &GlobalArgs, output: Output) -> anyhow::Result<()> {
    let file = file(global)?.display().to_string();
    if global.json {
        let document = serde_json::json!({ "schema": "skillflux.config-path/1", "path": file });
        output.json(&document)?;
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
        before: change.old.as_ref().map(Value::to_json),
        refused: change.old_refused.clone(),
        after: change.new.as_ref().map(Value::to_json),
    };
    if global.json {
        output.json(&document)?;
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
