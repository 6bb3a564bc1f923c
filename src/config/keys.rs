//! What a key is: its kind and range, default, meaning, and what a project may do with it.
//!
//! The vocabulary of the table in [`super::table`]. Everything is `const`, so that the table costs
//! nothing at start. How a value is checked against its kind is `check`'s.

use super::value::Value;

/// The largest whole number that every JSON reader keeps exactly.
pub const LARGEST: u64 = (1 << 53) - 1;

/// One setting that a person can make.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// The name in files and on the command line, camelCase.
    pub name: &'static str,
    /// What a value must be.
    pub kind: Kind,
    /// The value when nobody sets one.
    pub default: Preset,
    /// One line that says what it steers, with the unit.
    pub doc: &'static str,
    /// Whether this release uses it.
    pub available: Availability,
    /// What a project file may set it to.
    pub project: ProjectRule,
}

/// What a value must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// A whole number from the first to the second, both included.
    Integer(u64, u64),
    /// 0 for off, or a whole number from the first to the second.
    ZeroOrInteger(u64, u64),
    /// A number from the first to the second, both included.
    Number(f64, f64),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Text that is not blank.
    Text,
    /// An absolute http or https URL without credentials and fragment.
    Url,
    /// The name of an environment variable.
    VariableName,
    /// A list of these words; at least one of the first `needed` must be in it.
    Words {
        /// Every allowed word.
        words: &'static [&'static str],
        /// How many words, from the front, count as "at least one of".
        needed: usize,
    },
    /// A list of GitHub logins.
    Owners,
    /// A list of labels of MCP servers.
    Labels,
    /// A list of folders.
    Paths,
    /// A list of routing rules.
    Routes,
}

/// A default value, in a form that a table can hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Preset {
    /// For [`Kind::Bool`].
    Bool(bool),
    /// For [`Kind::Integer`] and [`Kind::ZeroOrInteger`].
    Integer(u64),
    /// For [`Kind::Number`].
    Number(f64),
    /// For every kind of one text.
    Word(&'static str),
    /// For every kind of list of texts.
    List(&'static [&'static str]),
    /// For [`Kind::Routes`]: none.
    NoRoutes,
}

/// Whether this release uses a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// It does.
    Now,
    /// It does not; the text says what the key will steer.
    Later(&'static str),
}

/// What a project file may set a key to: a project may narrow what is trusted, never widen it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectRule {
    /// Anything in range.
    Any,
    /// One of the kind's words that does not stand before the person's word in this list, which runs
    /// from the widest to the narrowest.
    NotWider(&'static [&'static str]),
    /// A number that is not below the person's.
    AtLeast,
    /// A number that is not above the person's: it bounds what a hostile skill can cost.
    AtMost,
    /// A list without an item that the person's list lacks.
    Subset,
    /// A list that is added to the person's, from which a project can take nothing away.
    Adds,
    /// Folders inside the project, added to the person's.
    AddsInside,
    /// Only the person's own value: it says where prompts or secrets are sent, or steers what the
    /// person's machine keeps for every project.
    PersonOnly,
}

pub(super) const fn key(name: &'static str, kind: Kind, default: Preset, doc: &'static str) -> Key {
    Key { name, kind, default, doc, available: Availability::Now, project: ProjectRule::Any }
}

impl Key {
    pub(super) const fn later(mut self, what: &'static str) -> Self {
        self.available = Availability::Later(what);
        self
    }

    pub(super) const fn project(mut self, rule: ProjectRule) -> Self {
        self.project = rule;
        self
    }

    /// The environment variable that sets this key: `SKILLFLUX_` and the name in upper snake case.
    pub fn variable(&self) -> String {
        let mut variable = String::from(VARIABLE_PREFIX);
        for character in self.name.chars() {
            if character.is_ascii_uppercase() {
                variable.push('_');
            }
            variable.push(character.to_ascii_uppercase());
        }
        variable
    }

    /// Whether `suffix`, an environment variable without its `SKILLFLUX_`, sets this key.
    pub(super) fn is_set_by(&self, suffix: &str) -> bool {
        let mut rest = suffix.bytes();
        self.name.bytes().all(|byte| {
            (!byte.is_ascii_uppercase() || rest.next() == Some(b'_'))
                && rest.next() == Some(byte.to_ascii_uppercase())
        }) && rest.next().is_none()
    }

    /// The default as a value.
    pub fn default_value(&self) -> Value {
        match self.default {
            Preset::Bool(flag) => Value::Bool(flag),
            Preset::Integer(number) => Value::Integer(number),
            Preset::Number(number) => Value::Number(number),
            Preset::Word(word) => Value::Word(word.to_owned()),
            Preset::List(words) => Value::List(words.iter().map(|&word| word.to_owned()).collect()),
            Preset::NoRoutes => Value::Routes(Vec::new()),
        }
    }
}

/// What every environment variable that sets a key begins with.
pub const VARIABLE_PREFIX: &str = "SKILLFLUX_";
