//! From the entries of a header to the fields of a skill.
//!
//! Each known key has one slot. What a value of the wrong shape becomes is decided here, key by key;
//! the two invocation flags only ever close. A skill without a description, or with two names or two
//! descriptions, cannot be used.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use super::super::diagnostic::{Code, Diagnostic};
use super::super::name::{Slug, is_conforming};
use super::Frontmatter;
use super::clean::{Spaces, clean};
use super::keys::Key;
use super::metadata;
use super::report::Report;
use super::tree::{Kind, Node, Position, Tree};

/// The longest description of the specification, in characters.
pub(crate) const MAX_DESCRIPTION_CHARS: usize = 1024;

/// Takes the fields of `tree`, which was read in the folder `folder`.
pub(crate) fn read(
    tree: &Tree<'_>,
    folder: &str,
    report: &mut Report<'_>,
) -> Result<Frontmatter, Diagnostic> {
    let mut fields = Fields { tree, report, slots: [None; Key::COUNT] };
    let mut extra_keys = Vec::new();
    let exposure = fields.assign(&mut extra_keys)?;
    let description = fields.description()?;
    let (name, slug) = fields.name(folder);
    Ok(Frontmatter {
        name,
        slug,
        description,
        when_to_use: fields.text(Key::WhenToUse),
        when_not_to_use: fields.text(Key::WhenNotToUse),
        license: fields.text(Key::License),
        compatibility: fields.compatibility(),
        metadata: fields.metadata(),
        allowed_tools: fields.allowed_tools(),
        argument_hint: fields.argument_hint(),
        model_invocable: exposure.model,
        user_invocable: exposure.user,
        extra_keys,
    })
}

/// What is wrong with a name, by the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameProblem {
    Missing,
    Nonconforming,
    DirMismatch,
}

impl NameProblem {
    /// The code under which the problem is reported.
    pub(crate) fn code(self) -> Code {
        match self {
            Self::Missing => Code::NameMissing,
            Self::Nonconforming => Code::NameNonconforming,
            Self::DirMismatch => Code::NameDirMismatch,
        }
    }
}

/// The problems of a name as shown, and the name to show: the folder's when there is none.
pub(crate) fn check_name(name: Option<String>, folder: &str) -> (String, Vec<NameProblem>) {
    let mut problems = Vec::new();
    let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| {
        problems.push(NameProblem::Missing);
        clean(folder, Spaces::Collapse).0
    });
    if !is_conforming(&name) {
        problems.push(NameProblem::Nonconforming);
    }
    let equal = name == folder || (!(name.is_ascii() && folder.is_ascii()) && name.nfkc().eq(folder.nfkc()));
    if !equal && !folder.is_empty() && !problems.contains(&NameProblem::Missing) {
        problems.push(NameProblem::DirMismatch);
    }
    (name, problems)
}

/// Who may invoke a skill.
#[derive(Debug, Clone, Copy)]
struct Exposure {
    model: bool,
    user: bool,
}

struct Fields<'a, 'h, 'r> {
    tree: &'a Tree<'h>,
    report: &'a mut Report<'r>,
    slots: [Option<(usize, usize)>; Key::COUNT],
}

impl<'a, 'h> Fields<'a, 'h, '_> {
    /// Puts every entry into its slot or among the extra keys. The flags are read on the way, since
    /// every occurrence of them counts.
    fn assign(&mut self, extra_keys: &mut Vec<String>) -> Result<Exposure, Diagnostic> {
        let mut exposure = Exposure { model: true, user: true };
        let mut extra = BTreeSet::new();
        for &(key_index, value) in self.tree.entries() {
            let node = self.tree.node(key_index);
            let Some((key, canonical)) = Key::read(&node.text) else {
                if extra.insert(node.text.as_ref()) {
                    extra_keys.push(self.report.show(&node.text, node, Spaces::Collapse));
                } else {
                    self.report.warn_field(Code::DuplicateKey, node.at, &node.text);
                }
                continue;
            };
            if !canonical {
                self.report.warn_field(Code::KeyVariant, node.at, &node.text);
            }
            match key {
                Key::DisableModelInvocation => exposure.model &= !self.flag(key, value, true),
                Key::UserInvocable => exposure.user &= self.flag(key, value, false),
                _ => {}
            }
            let slot = &mut self.slots[key as usize];
            if slot.is_none() {
                *slot = Some((key_index, value));
            } else if matches!(key, Key::Name | Key::Description) {
                return Err(at(Code::DuplicateKey, node.at).of(key.as_str()));
            } else {
                self.report.warn_field(Code::DuplicateKey, node.at, key.as_str());
            }
        }
        for &index in self.tree.shadowed_keys() {
            self.report.warn_field(Code::DuplicateKey, self.tree.node(index).at, &self.tree.path(index));
        }
        Ok(exposure)
    }

    /// The flag at `value`, or `closed` when it is no boolean.
    fn flag(&mut self, key: Key, value: usize, closed: bool) -> bool {
        let node = self.tree.node(value);
        let text = node.scalar().unwrap_or_default().trim();
        let is_any = |words: [&str; 4]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
        if is_any(["true", "yes", "on", "1"]) {
            true
        } else if is_any(["false", "no", "off", "0"]) {
            false
        } else {
            self.report.warn_field(Code::BadBoolean, node.at, key.as_str());
            closed
        }
    }

    fn description(&mut self) -> Result<String, Diagnostic> {
        let Some((key, value)) = self.slots[Key::Description as usize] else {
            return Err(Diagnostic::new(Code::DescriptionMissing));
        };
        let node = self.tree.node(value);
        let missing = at(Code::DescriptionMissing, self.tree.node(key).at);
        let joined;
        let source = match node.kind {
            Kind::Plain | Kind::Text => node.scalar().ok_or_else(|| missing.clone())?,
            Kind::List => {
                joined = self.joined(value).ok_or_else(|| missing.clone())?;
                joined.as_str()
            }
            Kind::Map => return Err(missing),
        };
        let description = self.report.show(source, node, Spaces::Collapse);
        if description.is_empty() {
            return Err(missing);
        }
        if is_placeholder(&description) {
            return Err(at(Code::TemplatePlaceholder, node.at));
        }
        if node.kind == Kind::List {
            self.report.warn(Code::DescriptionNotString, node.at);
        }
        if description.len() > MAX_DESCRIPTION_CHARS && description.chars().count() > MAX_DESCRIPTION_CHARS {
            self.report.warn(Code::DescriptionLong, node.at);
        }
        if looks_like_markup(&description) || has_list_marker(source) {
            self.report.warn(Code::DescriptionMarkup, node.at);
        }
        Ok(description)
    }

    fn name(&mut self, folder: &str) -> (String, Slug) {
        let slot = self.slots[Key::Name as usize];
        let node = slot.map(|(_, value)| self.tree.node(value));
        let written = node.and_then(|node| {
            let text = node.scalar()?;
            Some(self.report.show(text, node, Spaces::Collapse))
        });
        let (name, problems) = check_name(written, folder);
        for problem in problems {
            match node {
                Some(node) => self.report.warn(problem.code(), node.at),
                None => self.report.warnings().push(Diagnostic::new(problem.code())),
            }
        }
        let slug = Slug::derive(&name, folder);
        if name.is_empty() { (slug.to_string(), slug) } else { (name, slug) }
    }

    /// The value of an optional text field: a scalar, or a list of scalars joined by spaces.
    fn text(&mut self, key: Key) -> Option<String> {
        let (value, node) = self.value(key)?;
        let joined;
        let source = match node.kind {
            Kind::Plain | Kind::Text => node.scalar()?,
            Kind::List | Kind::Map => {
                let Some(text) = self.joined(value) else {
                    self.report.warn_field(Code::FieldDropped, node.at, key.as_str());
                    return None;
                };
                joined = text;
                &joined
            }
        };
        let text = self.report.show(source, node, Spaces::Collapse);
        (!text.is_empty()).then_some(text)
    }

    fn compatibility(&mut self) -> Option<String> {
        let (value, node) = self.value(Key::Compatibility)?;
        let mut joined = Vec::new();
        match node.kind {
            Kind::Plain | Kind::Text => return self.text(Key::Compatibility),
            Kind::List => joined.extend(self.tree.elements(value).map(|element| self.plain_or_json(element))),
            Kind::Map => {
                joined.extend(self.tree.pairs(value).map(|(key, value)| {
                    format!("{}: {}", self.tree.node(key).text, self.plain_or_json(value))
                }));
            }
        }
        self.report.warn(Code::CompatibilityNotString, node.at);
        let text = self.report.show(&joined.join(" "), node, Spaces::Collapse);
        (!text.is_empty()).then_some(text)
    }

    fn metadata(&mut self) -> Vec<(String, String)> {
        self.value(Key::Metadata)
            .map_or_else(Vec::new, |(value, _)| metadata::read(self.tree, value, self.report))
    }

    fn allowed_tools(&mut self) -> Vec<String> {
        let Some((value, node)) = self.value(Key::AllowedTools) else {
            return Vec::new();
        };
        let mut tools: Vec<String> = match node.kind {
            Kind::Plain | Kind::Text => node.scalar().map_or_else(Vec::new, |text| {
                split_tools(text).map(|tool| self.report.show(tool, node, Spaces::Collapse)).collect()
            }),
            Kind::List => {
                let elements: Vec<usize> = self.tree.elements(value).collect();
                let tools = elements.into_iter().map(|element| {
                    let tool = self.plain_or_json(element);
                    self.report.show(&tool, node, Spaces::Collapse)
                });
                tools.collect()
            }
            Kind::Map => {
                self.report.warn_field(Code::FieldDropped, node.at, Key::AllowedTools.as_str());
                Vec::new()
            }
        };
        tools.retain(|tool| !tool.is_empty());
        tools
    }

    /// `[date] [days]` is the usual form, and a single bracket of it is a YAML list.
    fn argument_hint(&mut self) -> Option<String> {
        let (value, node) = self.value(Key::ArgumentHint)?;
        if node.kind != Kind::List {
            return self.text(Key::ArgumentHint);
        }
        let hints: Vec<String> =
            self.tree.elements(value).map(|element| format!("[{}]", self.plain_or_json(element))).collect();
        let text = self.report.show(&hints.join(" "), node, Spaces::Collapse);
        (!text.is_empty()).then_some(text)
    }

    fn value(&self, key: Key) -> Option<(usize, &'a Node<'h>)> {
        let (_, value) = self.slots[key as usize]?;
        Some((value, self.tree.node(value)))
    }

    /// The scalars of a list joined by spaces; nothing for a map or a list that holds lists or maps.
    fn joined(&self, value: usize) -> Option<String> {
        if self.tree.node(value).kind != Kind::List {
            return None;
        }
        let mut texts = Vec::new();
        for element in self.tree.elements(value) {
            let node = self.tree.node(element);
            if !node.is_scalar() {
                return None;
            }
            texts.extend(node.scalar());
        }
        Some(texts.join(" "))
    }

    fn plain_or_json(&self, index: usize) -> String {
        let node = self.tree.node(index);
        if node.is_scalar() {
            return node.scalar().unwrap_or_default().to_owned();
        }
        let mut json = String::new();
        metadata::write_json(self.tree, index, &mut json);
        json
    }
}

fn at(code: Code, position: Position) -> Diagnostic {
    Diagnostic::at(code, position.line, position.column)
}

/// Whether the whole text is one `{{placeholder}}`.
fn is_placeholder(text: &str) -> bool {
    text.strip_prefix("{{")
        .and_then(|rest| rest.strip_suffix("}}"))
        .is_some_and(|inner| !inner.contains("}}"))
}

/// Whether the text could pass for a tag or a code fence: `<` before a letter, `/` or `!`, or three
/// backquotes.
fn looks_like_markup(text: &str) -> bool {
    let opens_tag =
        |pair: &[u8]| pair[0] == b'<' && (pair[1].is_ascii_alphabetic() || matches!(pair[1], b'/' | b'!'));
    text.as_bytes().windows(2).any(opens_tag) || text.contains("```")
}

/// Whether a line of a text of several lines starts like a list entry, as the entries of a catalog do:
/// `-`, `*` or `+`, or digits with `.` or `)`, and a space.
fn has_list_marker(source: &str) -> bool {
    source.contains('\n')
        && source.lines().any(|line| {
            let line = line.trim_start();
            let number = line.trim_start_matches(|character: char| character.is_ascii_digit());
            ["- ", "* ", "+ "].iter().any(|marker| line.starts_with(marker))
                || (number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") ")))
        })
}

/// Cuts at spaces and commas that stand outside parentheses.
fn split_tools(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.split(move |character: char| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (character == ',' || character.is_whitespace())
    })
    .filter(|tool| !tool.is_empty())
}
