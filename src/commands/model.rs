//! `model`: local models that compare by meaning, added, listed and removed.

use std::process::ExitCode;

use super::{context::Context, failure::Failure};
use crate::{
    cli::{GlobalArgs, ModelAddArgs, ModelArgs, ModelCommand},
    config::embedding::EmbeddingProvider,
    error::ErrorKind,
    output::{Output, human, wire_model},
    skill::{id::TreeDigest, name::Slug},
    store::models::{ListedModel, ModelInfo, Models, ModelsError},
};

/// Runs `model` or the command below it.
pub(super) fn run(args: &ModelArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &[])?;
    let models = context.models();
    match &args.command {
        None => list(false, &context, &models, global, output),
        Some(ModelCommand::List { verify }) => list(*verify, &context, &models, global, output),
        Some(ModelCommand::Add(args)) => add(args, &models, global, output),
        Some(ModelCommand::Remove { name }) => remove(name, &models, global, output),
    }
}

fn list(
    verify: bool,
    context: &Context,
    models: &Models,
    global: &GlobalArgs,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let settings = context.config.embedding();
    let all = models.list()?;
    let is_local = settings.provider == EmbeddingProvider::Local;
    let is_only = all.len() == 1;
    let in_use = |name: &Slug| {
        let named = settings.model.as_deref().map_or(is_only, |model| model == name.as_str());
        is_local && named
    };
    let mut is_damaged = false;
    let mut listed = Vec::new();
    for ListedModel { name, info } in all {
        let checked =
            info.and_then(|info| if verify { models.verify(&name).map(|()| info) } else { Ok(info) });
        is_damaged |= checked.is_err();
        listed.push(match checked {
            Ok(info) => model(info, in_use(&name), verify.then_some("ok")),
            Err(error) => wire_model::Model {
                name: name.to_string(),
                in_use: in_use(&name),
                problem: Some(error.to_string()),
                ..wire_model::Model::default()
            },
        });
    }
    let folder = models.folder().display().to_string();
    let document = wire_model::Models { schema: "skillflux.models/1", folder, models: listed };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::models(&document))?;
    }
    let code = if is_damaged { ErrorKind::Integrity.exit_code() } else { 0 };
    Ok(code.into())
}

fn model(info: ModelInfo, in_use: bool, checked: Option<&'static str>) -> wire_model::Model {
    let file = |file: crate::store::models::ModelFile| wire_model::File {
        name: file.name,
        bytes: file.bytes,
        sha256: TreeDigest::from_bytes(file.sha256).to_string(),
    };
    wire_model::Model {
        name: info.name.to_string(),
        layout: info.family.as_str(),
        dimension: info.dimension,
        rows: info.rows,
        bytes: info.bytes,
        in_use,
        verified: checked.is_some(),
        problem: None,
        made_of: info.made_of.into_iter().map(file).collect(),
    }
}

fn add(
    args: &ModelAddArgs,
    models: &Models,
    global: &GlobalArgs,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let name = if let Some(name) = &args.name {
        Slug::parse(name).ok_or_else(|| Failure::BadModelName { name: name.clone() })?
    } else {
        let path = fs_err::canonicalize(&args.path).unwrap_or_else(|_| args.path.clone());
        Slug::derive(&path.file_name().unwrap_or_default().to_string_lossy(), "model")
    };
    let info = models.add(&args.path, &name)?;
    let document =
        wire_model::ModelAdd { schema: "skillflux.model-add/1", model: model(info, false, Some("ok")) };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::model_add(&document))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn remove(name: &str, models: &Models, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let slug = Slug::parse(name).ok_or_else(|| ModelsError::Unknown(name.to_owned()))?;
    models.remove(&slug)?;
    let document = wire_model::ModelRemove { schema: "skillflux.model-remove/1", removed: slug.to_string() };
    if global.json {
        output.json(&document)?;
    } else {
        output.text(&human::model_remove(&document))?;
    }
    Ok(ExitCode::SUCCESS)
}
