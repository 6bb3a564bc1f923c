//! `metadata`: a flat map from text to text, whatever was written.
//!
//! The specification wants texts; a third of the maps of vendors hold lists and maps. Those become
//! compact JSON in the order of the source, so nothing is lost and the type stays flat. Scalars that
//! are JSON numbers, booleans or null stay bare inside such JSON, as their author typed them.

use serde::de::IgnoredAny;

use super::super::diagnostic::Code;
use super::clean::Spaces;
use super::report::Report;
use super::tree::{Kind, Node, Tree};

/// The entries of the value at `value`; shapes that are no map are dropped with a warning.
pub(super) fn read(tree: &Tree<'_>, value: usize, report: &mut Report<'_>) -> Vec<(String, String)> {
    let node = tree.node(value);
    match node.kind {
        Kind::Map => entries(tree, value, None, report),
        Kind::Plain if node.is_null() => Vec::new(),
        Kind::Plain | Kind::Text => decode(node, report),
        Kind::List => dropped(node, report),
    }
}

/// Appends the node at `index` to `json`. The recursion is as deep as the tree, at most 16.
pub(super) fn write_json(tree: &Tree<'_>, index: usize, json: &mut String) {
    let node = tree.node(index);
    match node.kind {
        Kind::Plain if node.is_null() => json.push_str("null"),
        Kind::Plain if is_bare(&node.text) => json.push_str(&node.text),
        Kind::Plain | Kind::Text => json.push_str(&quoted(&node.text)),
        Kind::List => {
            json.push('[');
            for (number, element) in tree.elements(index).enumerate() {
                if number > 0 {
                    json.push(',');
                }
                write_json(tree, element, json);
            }
            json.push(']');
        }
        Kind::Map => {
            json.push('{');
            for (number, (key, value)) in tree.pairs(index).enumerate() {
                if number > 0 {
                    json.push(',');
                }
                json.push_str(&quoted(&tree.node(key).text));
                json.push(':');
                write_json(tree, value, json);
            }
            json.push('}');
        }
    }
}

/// Whether a plain scalar is a JSON number or a JSON boolean.
pub(super) fn is_bare(text: &str) -> bool {
    matches!(text, "true" | "false") || is_json_number(text)
}

/// The entries of the map at `map`. `outer` is the text in which the map was found, if it was not
/// found in the header itself.
fn entries(
    tree: &Tree<'_>,
    map: usize,
    outer: Option<&Node<'_>>,
    report: &mut Report<'_>,
) -> Vec<(String, String)> {
    let mut nonstring = None;
    let mut entries = Vec::new();
    for (key, value) in tree.pairs(map) {
        let (key, value_node) = (tree.node(key), tree.node(value));
        let shown = |node| outer.unwrap_or(node);
        let name = report.show(&key.text, shown(key), Spaces::Keep);
        let text = if let Some(text) = value_node.scalar() {
            report.show(text, shown(value_node), Spaces::Keep)
        } else {
            nonstring = nonstring.or(Some(shown(value_node).at));
            let mut json = String::new();
            write_json(tree, value, &mut json);
            report.show(&json, shown(value_node), Spaces::Keep)
        };
        entries.push((name, text));
    }
    if let Some(at) = nonstring {
        report.warn(Code::MetadataNonstring, at);
    }
    entries
}

/// A whole map inside a text is decoded once, if it is a JSON object.
fn decode(node: &Node<'_>, report: &mut Report<'_>) -> Vec<(String, String)> {
    let text = node.text.trim();
    if !text.starts_with('{') || serde_json::from_str::<IgnoredAny>(text).is_err() {
        return dropped(node, report);
    }
    // JSON is YAML, and the tree keeps the order of keys and the digits of numbers.
    let mut tree = Tree::default();
    let wrapped = format!("metadata: {text}");
    if tree.append(&wrapped, node.at.line).is_err() {
        return dropped(node, report);
    }
    report.warn(Code::MetadataJsonString, node.at);
    for &key in tree.shadowed_keys() {
        report.warn_field(Code::DuplicateKey, node.at, &tree.path(key));
    }
    let map = tree.entries().first().map(|&(_, value)| value);
    map.map_or_else(Vec::new, |map| entries(&tree, map, Some(node), report))
}

fn dropped(node: &Node<'_>, report: &mut Report<'_>) -> Vec<(String, String)> {
    report.warn_field(Code::FieldDropped, node.at, "metadata");
    Vec::new()
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text can always be written as JSON")
}

fn is_json_number(text: &str) -> bool {
    // The grammar of RFC 8259, section 6.
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let text = text.strip_prefix('-').unwrap_or(text);
    let integer = digits(text);
    if integer == 0 || (integer > 1 && text.starts_with('0')) {
        return false;
    }
    let mut rest = &text[integer..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        return !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_numbers_by_example() {
        for number in ["0", "-0", "12", "1.10", "0.5", "1e9", "-2.5E-3"] {
            assert!(is_json_number(number), "{number}");
        }
        for text in ["", "-", "01", "1.", ".5", "1e", "1e+", "0x1", "1_000", "+1", "1.2.3", "NaN"] {
            assert!(!is_json_number(text), "{text}");
        }
    }
}
