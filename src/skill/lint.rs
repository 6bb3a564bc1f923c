//! The strict reading of a `SKILL.md`: the rules of the Agent Skills specification.
//!
//! Where [`super::frontmatter`] forgives, this says so: every warning of the lenient reader is a
//! finding, and so is what the specification forbids although every harness accepts it. A file
//! without findings is read alike by every consumer. Nothing is changed and nothing is refused here.

use super::Limits;
use super::diagnostic::{Code, Diagnostic};
use super::frontmatter::{self, Key, Kind, MAX_DESCRIPTION_CHARS, Node, Tree};

/// The longest compatibility note of the specification, in characters.
const MAX_COMPATIBILITY_CHARS: usize = 500;

/// One breach of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule, in snake case: a [`Code`]'s text or one of the strict rules below.
    pub rule: &'static str,
    /// What is wrong and what to do.
    pub message: String,
    /// Line in the file, from 1; 0 when there is no position.
    pub line: u32,
    /// Column in characters, from 1; 0 when there is no position.
    pub column: u32,
}

/// Checks the file `bytes` in the folder named `folder`; the findings are in the order of the lines.
///
/// Strict rules beside the lenient reader's codes: `unexpected_field`,
/// `description_too_long` (counted before white space is collapsed), `license_not_text`,
/// `compatibility_length`, `metadata_not_text` and `allowed_tools_not_text`.
pub fn lint(bytes: &[u8], folder: &str, limits: &Limits) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (outcome, warnings, _) = frontmatter::read_header(bytes, limits, |tree, report| {
        let outcome = frontmatter::read_fields(tree, folder, report);
        if outcome.is_err() {
            check_name(tree, folder, &mut findings);
        }
        Strict { tree, findings: &mut findings }.check();
        outcome
    });
    findings.extend(warnings.iter().chain(outcome.as_ref().err()).map(from_diagnostic));
    findings.sort_by_key(|finding| (finding.line, finding.column, finding.rule));
    findings
}

fn from_diagnostic(diagnostic: &Diagnostic) -> Finding {
    let remedy = diagnostic.code.remedy();
    let message = match &diagnostic.field {
        Some(field) => format!("`{field}`: {remedy}"),
        None => remedy.to_owned(),
    };
    let (line, column) = (diagnostic.line, diagnostic.column);
    Finding { rule: diagnostic.code.as_str(), message, line, column }
}

/// The lenient reader leaves a skill that it skips before it comes to the name.
fn check_name(tree: &Tree<'_>, folder: &str, findings: &mut Vec<Finding>) {
    let value = value_of(tree, Key::Name).map(|value| tree.node(value));
    let name = value.and_then(Node::scalar).map(|text| text.trim().to_owned());
    for problem in frontmatter::check_name(name, folder).1 {
        let (line, column) = value.map_or((0, 0), |node| (node.at.line, node.at.column));
        findings.push(from_diagnostic(&Diagnostic::at(problem.code(), line, column)));
    }
}

fn value_of(tree: &Tree<'_>, key: Key) -> Option<usize> {
    let found = |&&(name, _): &&(usize, usize)| {
        Key::read(&tree.node(name).text).is_some_and(|(found, _)| found == key)
    };
    tree.entries().iter().find(found).map(|&(_, value)| value)
}

/// The rules that only the strict reading has.
struct Strict<'a, 'h> {
    tree: &'a Tree<'h>,
    findings: &'a mut Vec<Finding>,
}

impl Strict<'_, '_> {
    fn check(&mut self) {
        for &(key_index, value) in self.tree.entries() {
            let key = self.tree.node(key_index);
            // A spelling variant is a finding of its own already.
            match Key::read(&key.text) {
                Some((known, _)) if known.is_in_specification() => self.check_value(known, value),
                _ => {
                    let label = Diagnostic::new(Code::KeyVariant).of(&key.text).field.unwrap_or_default();
                    self.find(
                        "unexpected_field",
                        format!("`{label}` is not a field of the specification; move it under `metadata`"),
                        key_index,
                    );
                }
            }
        }
    }

    fn check_value(&mut self, key: Key, value: usize) {
        let node = self.tree.node(value);
        let length = node.scalar().map_or(0, |text| text.chars().count());
        match key {
            Key::Description if length > MAX_DESCRIPTION_CHARS => {
                let message = format!("`description` has {length} characters; at most 1,024 are allowed");
                self.find("description_too_long", message, value);
            }
            Key::Compatibility if length > MAX_COMPATIBILITY_CHARS => {
                let message = format!("`compatibility` has {length} characters; at most 500 are allowed");
                self.find("compatibility_length", message, value);
            }
            Key::Compatibility
                if node.is_scalar() && node.scalar().is_none_or(|text| text.trim().is_empty()) =>
            {
                let message = "`compatibility` is empty; write it or leave it out".to_owned();
                self.find("compatibility_length", message, value);
            }
            Key::License if !node.is_scalar() => {
                self.find("license_not_text", "`license` must be one text".to_owned(), value);
            }
            Key::AllowedTools if !node.is_scalar() => {
                let message = "`allowed-tools` must be one text, separated by spaces".to_owned();
                self.find("allowed_tools_not_text", message, value);
            }
            Key::Metadata if node.kind == Kind::Map => self.check_metadata(value),
            _ => {}
        }
    }

    fn check_metadata(&mut self, map: usize) {
        let tree = self.tree;
        for (key, value) in tree.pairs(map) {
            let node = tree.node(value);
            if !node.is_scalar() || is_typed(node) {
                let label =
                    Diagnostic::new(Code::MetadataNonstring).of(&tree.path(key)).field.unwrap_or_default();
                let message = format!("`{label}` must be a text; put it in quotes");
                self.find("metadata_not_text", message, value);
            }
        }
    }

    fn find(&mut self, rule: &'static str, message: String, index: usize) {
        let at = self.tree.node(index).at;
        self.findings.push(Finding { rule, message, line: at.line, column: at.column });
    }
}

/// Whether a typed YAML reader takes the scalar for null, a boolean or a number.
fn is_typed(node: &Node<'_>) -> bool {
    let text = node.text.as_ref();
    node.kind == Kind::Plain
        && (matches!(text, "" | "~" | "null" | "Null" | "NULL")
            || matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE")
            || text
                .strip_prefix(['-', '+'])
                .unwrap_or(text)
                .starts_with(|first: char| first.is_ascii_digit() || first == '.')
                && (text.parse::<f64>().is_ok() || text.starts_with("0x") || text.starts_with("0o")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Vec<String> {
        lint(text.as_bytes(), "demo", &Limits::default())
            .iter()
            .map(|finding| format!("{}@{}:{}", finding.rule, finding.line, finding.column))
            .collect()
    }

    #[test]
    fn a_skill_by_the_book_has_no_findings() {
        let text = "---\nname: demo\ndescription: Does it.\nlicense: MIT\ncompatibility: Linux\n\
                    metadata:\n  author: me\n  version: \"1.0\"\nallowed-tools: Read Bash(git:*)\n---\n";
        assert_eq!(rules(text), [""; 0]);
    }

    #[test]
    fn findings_by_example() {
        let long = "x ".repeat(600);
        for (header, expected) in [
            ("name: demo\ndescription: x\nversion: 1\n", &["unexpected_field@4:1"][..]),
            ("name: demo\ndescription: x\nuser-invocable: no\n", &["unexpected_field@4:1"]),
            ("name: demo\nDescription: x\n", &["key_variant@3:1"]),
            ("name: Demo\ndescription: x\n", &["name_dir_mismatch@2:7", "name_nonconforming@2:7"]),
            ("name: Demo\n", &["description_missing@0:0", "name_dir_mismatch@2:7", "name_nonconforming@2:7"]),
            ("description: x\n", &["name_missing@0:0"]),
            ("name: demo\ndescription: x\ncompatibility: ''\n", &["compatibility_length@4:16"]),
            (
                "name: demo\ndescription: x\nmetadata:\n  a: 1\n  b: 'true'\n  c: [x]\n",
                &["metadata_not_text@5:6", "metadata_nonstring@7:6", "metadata_not_text@7:6"],
            ),
            ("name: demo\ndescription: x\nmetadata: [a]\n", &["field_dropped@4:11"]),
            ("name: demo\ndescription: x\nallowed-tools: [Read]\n", &["allowed_tools_not_text@4:16"]),
            ("name: demo\ndescription: x\nlicense: [MIT]\n", &["license_not_text@4:10"]),
            ("name: demo\ndescription: a: b\n", &["yaml_repaired@3:15"]),
        ] {
            assert_eq!(rules(&format!("---\n{header}---\n")), expected, "{header}");
        }
        let header = format!("---\nname: demo\ndescription: {long}\ncompatibility: {long}\n---\n");
        assert_eq!(
            rules(&header),
            ["description_long@3:14", "description_too_long@3:14", "compatibility_length@4:16",]
        );
        let spaced = format!("---\nname: demo\ndescription: \"a{}b\"\n---\n", " ".repeat(1100));
        assert_eq!(rules(&spaced), ["description_too_long@3:14"]);
        assert_eq!(rules("# Title\n"), ["no_frontmatter@1:1"]);
    }

    #[test]
    fn messages_name_the_field_and_the_remedy() {
        let text = b"---\nname: demo\ndescription: x\nversion: 1\nuser-invocable: maybe\n---\n";
        let messages: Vec<String> =
            lint(text, "demo", &Limits::default()).into_iter().map(|finding| finding.message).collect();
        assert_eq!(
            messages,
            [
                "`version` is not a field of the specification; move it under `metadata`",
                "`user-invocable` is not a field of the specification; move it under `metadata`",
                "`user-invocable`: write true or false",
            ]
        );
    }
}
