//! Values that are each in range and yet exclude each other.

use std::collections::BTreeSet;

use super::error::ConfigError;
use super::value::Value;
use super::{Setting, table};

/// Pairs of lists that must have no item in common.
const DISJOINT: [(&str, &str); 2] =
    [("remoteTrustedOwners", "remoteBlockedOwners"), ("mcpTrustedServers", "mcpBlockedServers")];

/// Refuses settings (in table order) of which two exclude each other.
pub(super) fn check(settings: &[Setting]) -> Result<(), ConfigError> {
    for (trusted, blocked) in DISJOINT {
        let (trusted, blocked) = (setting(settings, trusted), setting(settings, blocked));
        let (Value::List(ours), Value::List(theirs)) = (&trusted.value, &blocked.value) else { continue };
        let theirs: BTreeSet<_> = theirs.iter().collect();
        if let Some(both) = ours.iter().find(|item| theirs.contains(item)) {
            return Err(conflict(trusted, blocked, format!("`{both}` is in both")));
        }
    }
    let (adaptive, usage) = (setting(settings, "adaptiveRouting"), setting(settings, "usageTracking"));
    if adaptive.value == Value::Bool(true) && usage.value == Value::Bool(false) {
        return Err(conflict(adaptive, usage, "routing cannot learn from uses that are not counted".into()));
    }
    Ok(())
}

fn setting<'a>(settings: &'a [Setting], name: &str) -> &'a Setting {
    &settings[table::position(name).expect("the names here are in the table")]
}

fn conflict(one: &Setting, two: &Setting, reason: String) -> ConfigError {
    ConfigError::Conflict {
        key: one.key.name,
        origin: Box::new(one.origin.clone()),
        other: two.key.name,
        other_origin: Box::new(two.origin.clone()),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Origin, check as values, load};

    fn outcome(set: &[(&str, &str)]) -> Result<(), String> {
        let mut settings = load::defaults();
        for (name, text) in set {
            let setting = &mut settings[table::position(name).unwrap()];
            setting.value = values::from_text(setting.key, text).unwrap();
            setting.origin = Origin::Flag(setting.key.name);
        }
        check(&settings).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_trusted_cannot_be_blocked() {
        assert_eq!(outcome(&[]), Ok(()));
        assert_eq!(outcome(&[("remoteTrustedOwners", "a"), ("remoteBlockedOwners", "b")]), Ok(()));
        assert_eq!(outcome(&[("mcpTrustedServers", "a"), ("mcpBlockedServers", "A")]), Ok(()));
        let error =
            outcome(&[("remoteTrustedOwners", "Acme,x"), ("remoteBlockedOwners", "acme")]).unwrap_err();
        assert_eq!(
            error,
            "`remoteTrustedOwners` (command line) and `remoteBlockedOwners` (command line) exclude each other: \
             `acme` is in both"
        );
        let error = outcome(&[("mcpTrustedServers", "a"), ("mcpBlockedServers", "a")]).unwrap_err();
        assert!(error.contains("`mcpBlockedServers`"), "{error}");
    }

    #[test]
    fn adaptive_routing_needs_usage_tracking() {
        assert_eq!(outcome(&[("adaptiveRouting", "true")]), Ok(()));
        assert_eq!(outcome(&[("usageTracking", "false")]), Ok(()));
        assert!(outcome(&[("adaptiveRouting", "true"), ("usageTracking", "false")]).is_err());
    }
}
