//! The settings of usage records and of what routing learns from them.

use super::{Config, Setting, Value};

/// How uses of skills are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageSettings {
    /// Whether they are.
    pub is_tracked: bool,
    /// The most skills of which anything is remembered.
    pub max_entries: usize,
}

/// How past use raises a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveSettings {
    /// The most points, 0 to 20.
    pub max_boost: u8,
    /// The fewest uses that count.
    pub min_uses: u64,
    /// After how many days past use counts half.
    pub half_life_days: f64,
}

impl Config {
    /// How uses of skills are counted.
    pub fn usage(&self) -> UsageSettings {
        UsageSettings { is_tracked: self.flag("usageTracking"), max_entries: self.size("usageMaxEntries") }
    }

    /// How past use raises a score; `None` when it does not.
    pub fn adaptive(&self) -> Option<AdaptiveSettings> {
        self.flag("adaptiveRouting").then(|| AdaptiveSettings {
            max_boost: u8::try_from(self.integer("adaptiveMaxBoost")).unwrap_or(u8::MAX),
            min_uses: self.integer("adaptiveMinUses"),
            half_life_days: self.number("adaptiveHalfLifeDays"),
        })
    }

    pub(super) fn number(&self, key: &str) -> f64 {
        match self.get(key) {
            Some(Setting { value: Value::Number(number), .. }) => *number,
            _ => unreachable!("`{key}` is a number in the table"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;

    fn config(variables: &[(&str, &str)]) -> Config {
        let variables =
            variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Config::load(&Environment::from_parts(variables, "/w".into(), None), None, &[]).unwrap()
    }

    #[test]
    fn uses_are_counted_and_do_not_steer_unless_asked() {
        let defaults = config(&[]);
        assert_eq!(defaults.usage(), UsageSettings { is_tracked: true, max_entries: 1000 });
        assert_eq!(defaults.adaptive(), None);
        let adaptive = config(&[
            ("SKILLFLUX_ADAPTIVE_ROUTING", "true"),
            ("SKILLFLUX_ADAPTIVE_MAX_BOOST", "20"),
            ("SKILLFLUX_ADAPTIVE_HALF_LIFE_DAYS", "7"),
        ]);
        let expected = AdaptiveSettings { max_boost: 20, min_uses: 2, half_life_days: 7.0 };
        assert_eq!(adaptive.adaptive(), Some(expected));
        assert!(adaptive.notices().is_empty());
    }
}
