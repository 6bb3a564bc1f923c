//! A YAML header as a flat tree of source text.
//!
//! Every scalar keeps the text that stands in the file (after quoting and folding are undone), so
//! that `1.10`, `0777` and `yes` stay what their author typed. Anchors, aliases, tags, merge keys,
//! directives, keys that are no scalars, explicit or further documents, too much nesting and too many
//! nodes are refused: nothing in public skills needs them, and each has been an attack.
//!
//! Nodes lie in one vector in the order of the source, a key directly before its value, so a subtree
//! is a range and no walk needs recursion.

use std::borrow::Cow;

use granit_parser::{Event, Parser, ScalarStyle};

use super::plain;

/// The deepest nesting, counting the header itself.
const MAX_DEPTH: usize = 16;
/// The most nodes; a header of 16 KiB that is not made to hurt stays far below.
const MAX_NODES: usize = 4096;
/// Stands for "no parent".
const ROOT: usize = usize::MAX;

/// A place in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// How a node was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A scalar without quotes, on which YAML would guess a type.
    Plain,
    /// A quoted or block scalar, or text that repair took as it stands.
    Text,
    /// A sequence.
    List,
    /// A mapping.
    Map,
}

/// One node.
#[derive(Debug)]
pub(crate) struct Node<'h> {
    pub(crate) kind: Kind,
    /// The text of a scalar; empty for a list or a map.
    pub(crate) text: Cow<'h, str>,
    pub(crate) at: Position,
    parent: usize,
    end: usize,
    is_key: bool,
    shadowed: bool,
}

impl<'h> Node<'h> {
    /// A scalar that repair made from the source.
    pub(super) fn text(text: Cow<'h, str>, at: Position) -> Self {
        let (parent, end) = (ROOT, 0);
        Self { kind: Kind::Text, text, at, parent, end, is_key: false, shadowed: false }
    }

    /// Whether the node is a scalar.
    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::Plain | Kind::Text)
    }

    /// Whether the node is null: nothing, `~` or `null`, without quotes.
    pub(crate) fn is_null(&self) -> bool {
        self.kind == Kind::Plain && matches!(self.text.as_ref(), "" | "~" | "null")
    }

    /// The text of a scalar that is not null.
    pub(crate) fn scalar(&self) -> Option<&str> {
        (self.is_scalar() && !self.is_null()).then_some(self.text.as_ref())
    }
}

/// The parsed header, or the parts of it that could be parsed.
#[derive(Debug, Default)]
pub(crate) struct Tree<'h> {
    nodes: Vec<Node<'h>>,
    entries: Vec<(usize, usize)>,
    shadowed: Vec<usize>,
}

impl<'h> Tree<'h> {
    /// Parses `source`, one mapping whose first line has the number `first_line` in the file, and adds
    /// its entries. On failure the tree is as before, and the
    /// answer is where parsing stopped.
    pub(super) fn append(&mut self, source: &'h str, first_line: u32) -> Result<(), Position> {
        let before = self.nodes.len();
        if !self.build_plain(source, first_line) {
            self.nodes.truncate(before);
            if let Err(at) = self.build(source, first_line) {
                self.nodes.truncate(before);
                return Err(at);
            }
        }
        let result = self.adopt(before);
        match result {
            Ok(()) => self.mark_shadowed(before),
            Err(_) => self.nodes.truncate(before),
        }
        result
    }

    /// Adds one top-level entry whose value is a scalar.
    pub(super) fn push_entry(&mut self, key: Node<'h>, value: Node<'h>) {
        let index = self.nodes.len();
        self.nodes.extend([key, value]);
        self.nodes[index].end = index + 1;
        self.nodes[index + 1].end = index + 2;
        self.entries.push((index, index + 1));
    }

    /// The top-level entries as pairs of key and value, in the order of the source.
    pub(crate) fn entries(&self) -> &[(usize, usize)] {
        &self.entries
    }

    /// The node at `index`.
    pub(crate) fn node(&self, index: usize) -> &Node<'h> {
        &self.nodes[index]
    }

    /// The elements of the list at `index`.
    pub(crate) fn elements(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[index].end;
        let mut next = index + 1;
        std::iter::from_fn(move || {
            let current = next;
            next = self.nodes.get(current)?.end;
            (current < end).then_some(current)
        })
    }

    /// The entries of the map at `index`, without those that an earlier equal key shadows.
    pub(crate) fn pairs(&self, index: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.elements(index)
            .filter(|&child| self.nodes[child].is_key && !self.nodes[child].shadowed)
            .map(|key| (key, key + 1))
    }

    /// The keys below the top level that repeat an earlier key of their map.
    pub(crate) fn shadowed_keys(&self) -> &[usize] {
        &self.shadowed
    }

    /// The dotted path of the key at `index`; lists on the way add nothing to it.
    pub(crate) fn path(&self, index: usize) -> String {
        let mut names = Vec::with_capacity(4);
        let mut current = index;
        while current != ROOT {
            let node = &self.nodes[current];
            if node.is_key {
                names.push(node.text.as_ref());
            }
            current = match node.parent {
                ROOT => ROOT,
                // The parent of a key is its map, whose own key stands directly before it.
                parent if parent > 0 && self.nodes[parent - 1].is_key => parent - 1,
                parent => parent,
            };
        }
        names.reverse();
        names.join(".")
    }

    /// Builds the tree of a header in the plain form that nearly all have (see [`plain`]), ten times
    /// faster than the parser; whether the header has that form.
    fn build_plain(&mut self, source: &'h str, first_line: u32) -> bool {
        let mut open = Open { indices: [ROOT; MAX_DEPTH], depth: 0 };
        let result = plain::read(source, first_line, |step| {
            match step {
                plain::Step::Open(at) => {
                    let index = self.add(Kind::Map, Cow::Borrowed(""), at, &open).ok()?;
                    open.push(index)?;
                }
                plain::Step::Scalar(kind, text, at) => {
                    self.add(kind, Cow::Borrowed(text), at, &open).ok()?;
                }
                plain::Step::Close => {
                    let index = open.pop()?;
                    self.nodes[index].end = self.nodes.len();
                }
            }
            Some(())
        });
        result.is_some()
    }

    fn build(&mut self, source: &'h str, first_line: u32) -> Result<(), Position> {
        let options = granit_parser::options! {
            disallow_directives: true,
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
        };
        let mut open = Open { indices: [ROOT; MAX_DEPTH], depth: 0 };
        let mut documents = 0;
        for step in Parser::new_from_str_with_options(source, options) {
            let (event, span) = step.map_err(|error| {
                let marker = error.marker();
                position(marker.line(), marker.col(), first_line)
            })?;
            let at = position(span.start.line(), span.start.col(), first_line);
            match event {
                Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
                Event::DocumentStart(false, None) if documents == 0 => documents = 1,
                Event::Scalar(text, style, 0, None) => {
                    let kind = if style == ScalarStyle::Plain { Kind::Plain } else { Kind::Text };
                    self.add(kind, text, at, &open)?;
                }
                Event::SequenceStart(_, 0, None) => {
                    let index = self.add(Kind::List, Cow::Borrowed(""), at, &open)?;
                    open.push(index).ok_or(at)?;
                }
                Event::MappingStart(_, 0, None) => {
                    let index = self.add(Kind::Map, Cow::Borrowed(""), at, &open)?;
                    open.push(index).ok_or(at)?;
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    let index = open.pop().ok_or(at)?;
                    self.nodes[index].end = self.nodes.len();
                }
                // An anchor, an alias, a tag, a directive or a further document.
                _ => return Err(at),
            }
        }
        Ok(())
    }

    fn add(&mut self, kind: Kind, text: Cow<'h, str>, at: Position, open: &Open) -> Result<usize, Position> {
        let index = self.nodes.len();
        if index >= MAX_NODES {
            return Err(at);
        }
        let parent = open.innermost();
        // In a map a node is a key unless it directly follows one.
        let is_key =
            parent != ROOT && self.nodes[parent].kind == Kind::Map && !open.expects_value(&self.nodes);
        if is_key {
            let scalar = matches!(kind, Kind::Plain | Kind::Text);
            if !scalar || (kind == Kind::Plain && text == "<<") {
                return Err(at);
            }
        }
        let end = index + 1;
        self.nodes.push(Node { kind, text, at, parent, end, is_key, shadowed: false });
        Ok(index)
    }

    /// Makes the entries of the root that was just built top-level entries.
    fn adopt(&mut self, root: usize) -> Result<(), Position> {
        let Some(node) = self.nodes.get(root) else {
            return Ok(());
        };
        match node.kind {
            Kind::Map => {
                let keys = self.pairs(root).collect::<Vec<_>>();
                self.entries.extend(keys);
                Ok(())
            }
            Kind::Plain if node.is_null() => Ok(()),
            _ => Err(node.at),
        }
    }

    /// Marks every key below the top level that repeats an earlier key of its map.
    fn mark_shadowed(&mut self, root: usize) {
        let nested = |node: &Node<'_>| node.is_key && node.parent != root;
        if !self.nodes[root.min(self.nodes.len())..].iter().any(nested) {
            return;
        }
        let mut keys: Vec<usize> =
            (root..self.nodes.len()).filter(|&index| nested(&self.nodes[index])).collect();
        let identity = |index: &usize| (self.nodes[*index].parent, self.nodes[*index].text.as_ref());
        keys.sort_by(|left, right| identity(left).cmp(&identity(right)));
        let mut repeated: Vec<usize> = keys
            .windows(2)
            .filter(|pair| identity(&pair[0]) == identity(&pair[1]))
            .map(|pair| pair[1])
            .collect();
        repeated.sort_unstable();
        for &index in &repeated {
            self.nodes[index].shadowed = true;
        }
        self.shadowed.extend(repeated);
    }
}

/// The lists and maps that are not closed yet.
struct Open {
    indices: [usize; MAX_DEPTH],
    depth: usize,
}

impl Open {
    fn push(&mut self, index: usize) -> Option<()> {
        *self.indices.get_mut(self.depth)? = index;
        self.depth += 1;
        Some(())
    }

    fn pop(&mut self) -> Option<usize> {
        self.depth = self.depth.checked_sub(1)?;
        Some(self.indices[self.depth])
    }

    fn innermost(&self) -> usize {
        self.depth.checked_sub(1).map_or(ROOT, |top| self.indices[top])
    }

    /// Whether the newest node is a key of the innermost map and so waits for its value.
    fn expects_value(&self, nodes: &[Node<'_>]) -> bool {
        nodes.last().is_some_and(|last| last.is_key && last.parent == self.innermost())
    }
}

fn position(line: usize, column: usize, first_line: u32) -> Position {
    let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Position {
        line: first_line.saturating_add(narrow(line).saturating_sub(1)),
        column: narrow(column).saturating_add(1),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Both readers on one source: what the plain one took must be what the parser makes of it.
    fn compare(source: &str) -> bool {
        let (mut plain, mut parsed) = (Tree::default(), Tree::default());
        if !plain.build_plain(source, 2) {
            return false;
        }
        parsed.build(source, 2).unwrap_or_else(|at| panic!("the parser stops at {at:?}: {source:?}"));
        let shape = |tree: &Tree<'_>| -> Vec<_> {
            let node = |node: &Node<'_>| {
                (node.kind, node.text.to_string(), node.at, node.parent, node.end, node.is_key)
            };
            tree.nodes.iter().map(node).collect()
        };
        assert_eq!(shape(&plain), shape(&parsed), "{source:?}");
        true
    }

    #[test]
    fn plain_headers_are_taken_and_others_left_to_the_parser() {
        for taken in [
            "name: pdf\ndescription: Read PDF files, don't guess (ever) - \"really\"\nlicense: MIT\n",
            "name: a\nmetadata:\n  version: \"1.0: #1\"\n  author: 'x y'\nlicense: MIT",
            "description: Úprava textů 读取 & more  \nname: 8004\n",
            "a: b#c\nb: c:d\n",
        ] {
            assert!(compare(taken), "{taken:?}");
        }
        for left in [
            "a: b: c\n",
            "a: b #c\n",
            "a:\n",
            "a: >\n  x\n",
            "a: b\n  c\n",
            "- a\n",
            "a: [b]\n",
            "a: 'b' c\n",
            "a: \"b\\n\"\n",
            "a: b:\n",
            "a: *b\n",
            "a:\tb\n",
            "# c\na: b\n",
            "a:\n    b: c\n",
            "a: b\r\n",
            "<<: b\n",
            "",
            "a:\n  b: c\n   d: e\n",
            "a: b\n\nc: d\n",
            "a: \u{85}b\n",
            "a: 'b''c'\n",
            "a:  \n  b: c\n",
        ] {
            assert!(!compare(left), "{left:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

        #[test]
        fn both_readers_agree(source in "((  )?[a-z<?-]{1,3}:? {0,2}[a-z0-9'\"#:,&*!|>@`%{}\\[\\]~é读\\\\ -]{0,12}\n){1,5}") {
            compare(&source);
        }

        #[test]
        fn both_readers_agree_on_plain_headers(
            source in "((  )?[a-z]{1,3}: ([a-z0-9][a-z0-9'#:, -]{0,9}|\"[a-z:# ]{0,6}\"|'[a-z:#\" ]{0,6}')|[a-z]:\n  [a-z]: 1\n){1,4}\n?"
        ) {
            compare(&source);
        }
    }
}
