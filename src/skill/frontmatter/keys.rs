//! The keys that skillflux knows, and the spellings under which they occur.
//!
//! A misspelt guard such as `user_invocable: false` must not silently open a skill, so letter case,
//! hyphens and underscores do not matter for known keys; every spelling but the canonical one is
//! reported. Unknown keys are nobody's error: harnesses have many of their own.

/// A known key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Name,
    Description,
    License,
    Compatibility,
    Metadata,
    AllowedTools,
    WhenToUse,
    WhenNotToUse,
    ArgumentHint,
    DisableModelInvocation,
    UserInvocable,
}

impl Key {
    /// How many keys are known.
    pub(crate) const COUNT: usize = 11;

    /// The key that `text` spells, and whether it is spelled canonically.
    pub(crate) fn read(text: &str) -> Option<(Self, bool)> {
        if let Some(key) = Self::canonical(text) {
            return Some((key, true));
        }
        // The longest known key with a separator between any two letters stays below this.
        if text.len() > 64 || !text.is_ascii() {
            return None;
        }
        let folded: String = text
            .chars()
            .filter(|character| !matches!(character, '-' | '_'))
            .map(|character| character.to_ascii_lowercase())
            .collect();
        let key = match folded.as_str() {
            "allowedtools" => Self::AllowedTools,
            "whentouse" => Self::WhenToUse,
            "whennottouse" => Self::WhenNotToUse,
            "argumenthint" => Self::ArgumentHint,
            "disablemodelinvocation" => Self::DisableModelInvocation,
            "userinvocable" | "userinvokable" => Self::UserInvocable,
            plain => Self::canonical(plain)?,
        };
        Some((key, false))
    }

    /// The canonical spelling; for a key that has two, the one that most files use.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::License => "license",
            Self::Compatibility => "compatibility",
            Self::Metadata => "metadata",
            Self::AllowedTools => "allowed-tools",
            Self::WhenToUse => "when_to_use",
            Self::WhenNotToUse => "when_not_to_use",
            Self::ArgumentHint => "argument-hint",
            Self::DisableModelInvocation => "disable-model-invocation",
            Self::UserInvocable => "user-invocable",
        }
    }

    /// Whether the Agent Skills specification has the key.
    pub(crate) fn is_in_specification(self) -> bool {
        self <= Self::AllowedTools
    }

    fn canonical(text: &str) -> Option<Self> {
        Some(match text {
            "name" => Self::Name,
            "description" => Self::Description,
            "license" => Self::License,
            "compatibility" => Self::Compatibility,
            "metadata" => Self::Metadata,
            "allowed-tools" => Self::AllowedTools,
            "when_to_use" | "whenToUse" => Self::WhenToUse,
            "when_not_to_use" | "whenNotToUse" => Self::WhenNotToUse,
            "argument-hint" => Self::ArgumentHint,
            "disable-model-invocation" => Self::DisableModelInvocation,
            "user-invocable" => Self::UserInvocable,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_by_example() {
        for (text, expected) in [
            ("name", Some((Key::Name, true))),
            ("Name", Some((Key::Name, false))),
            ("whenToUse", Some((Key::WhenToUse, true))),
            ("when_to_use", Some((Key::WhenToUse, true))),
            ("when-to-use", Some((Key::WhenToUse, false))),
            ("whentouse", Some((Key::WhenToUse, false))),
            ("user-invokable", Some((Key::UserInvocable, false))),
            ("disableModelInvocation", Some((Key::DisableModelInvocation, false))),
            ("allowed_tools", Some((Key::AllowedTools, false))),
            ("version", None),
            ("名前", None),
            ("", None),
        ] {
            assert_eq!(Key::read(text), expected, "{text:?}");
        }
    }
}
