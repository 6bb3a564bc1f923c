//! Presets that depend on another setting.
//!
//! What somebody set stays as it is; only what nobody set follows.

use super::{Origin, Setting, table, value::Value};

/// Gives the settings that nobody set what fits those that somebody set.
pub(super) fn follow(settings: &mut [Setting]) {
    // The endpoint and the model belong to the provider; a local model has no endpoint, and is the only one when
    // none is named.
    let of_provider = match word(settings, "embeddingProvider") {
        "openai-compatible" => Some((table::OPENAI_ENDPOINT, table::OPENAI_MODEL)),
        "local" => Some(("", "")),
        _ => None,
    };
    if let Some((endpoint, model)) = of_provider {
        preset(settings, "embeddingEndpoint", Value::Word(endpoint.to_owned()));
        preset(settings, "embeddingModel", Value::Word(model.to_owned()));
    }
    // The modes that compare by words count points, and print less of what they know less of.
    if ["lexical", "hybrid"].contains(&word(settings, "routerMode")) {
        preset(settings, "minRouteScore", Value::Integer(table::LEXICAL_MIN_SCORE));
        preset(settings, "catalogDescriptionMaxLength", Value::Integer(table::LEXICAL_DESCRIPTION));
    }
}

fn index(name: &str) -> usize {
    table::position(name).expect("the names here are in the table")
}

fn word<'a>(settings: &'a [Setting], name: &str) -> &'a str {
    if let Value::Word(word) = &settings[index(name)].value { word } else { "" }
}

fn preset(settings: &mut [Setting], name: &str, value: Value) {
    let setting = &mut settings[index(name)];
    if setting.origin == Origin::Default {
        setting.value = value;
    }
}
