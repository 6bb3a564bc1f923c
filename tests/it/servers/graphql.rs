//! The language of GraphQL queries, as far as one operation with fields, aliases, arguments, variables and
//! fragments in place reaches.
//!
//! What is not understood is an error with its place, never skipped.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// One field of a selection, or the fields that stand for one type of object only.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Selection {
    Field(Field),
    /// `... on Type { fields }`.
    On {
        type_name: String,
        selections: Vec<Self>,
    },
}

/// `alias: name(arguments) { selections }`, with variables replaced.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) arguments: BTreeMap<String, Value>,
    pub(crate) selections: Vec<Selection>,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// The selections of the operation in `text`.
pub(crate) fn parse(text: &str, variables: &Value) -> Result<Vec<Selection>, String> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, variables, declared: Vec::new() };
    parser.operation()
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Name(String),
    Text(String),
    Number(String),
    Mark(&'static str),
}

#[derive(Debug, Clone)]
struct Token {
    kind: Kind,
    line: usize,
    column: usize,
}

const MARKS: &[&str] = &["...", "{", "}", "(", ")", "[", "]", ":", "$", "!", "=", "@", "|", "&"];

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let (mut line, mut column) = (1, 1);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() || first == ',' {
            first.len_utf8()
        } else if first == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            let (kind, length) = token(rest).ok_or(format!("unexpected `{first}` at {line}:{column}"))?;
            tokens.push(Token { kind, line, column });
            length
        };
        for character in rest[..length].chars() {
            (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        rest = &rest[length..];
    }
    Ok(tokens)
}

fn token(rest: &str) -> Option<(Kind, usize)> {
    let run = |fits: fn(char) -> bool| rest.find(|character| !fits(character)).unwrap_or(rest.len());
    let first = rest.chars().next()?;
    if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
        return Some((Kind::Mark(mark), mark.len()));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let length = run(|character| character.is_ascii_alphanumeric() || character == '_');
        return Some((Kind::Name(rest[..length].to_owned()), length));
    }
    if first.is_ascii_digit() || first == '-' {
        let length = run(|character| character.is_ascii_digit() || "-+.eE".contains(character));
        return Some((Kind::Number(rest[..length].to_owned()), length));
    }
    // A text is written as in JSON, so JSON reads it.
    let mut texts = serde_json::Deserializer::from_str(rest).into_iter::<String>();
    let text = texts.next()?.ok()?;
    Some((Kind::Text(text), texts.byte_offset()))
}

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    variables: &'a Value,
    declared: Vec<String>,
}

impl Parser<'_> {
    fn operation(&mut self) -> Result<Vec<Selection>, String> {
        if self.take_name("query") {
            if matches!(self.peek(), Some(Kind::Name(_))) {
                self.at += 1;
            }
            if self.take("(") {
                while !self.take(")") {
                    self.declaration()?;
                }
            }
        }
        let selections = self.selections()?;
        match self.tokens.get(self.at) {
            None => Ok(selections),
            Some(_) => Err(self.unexpected()),
        }
    }

    /// `$name: Type!`.
    fn declaration(&mut self) -> Result<(), String> {
        self.expect("$")?;
        let name = self.name()?;
        self.expect(":")?;
        let in_list = self.take("[");
        self.name()?;
        let mut required = self.take("!");
        if in_list {
            self.expect("]")?;
            required = self.take("!");
        }
        if required && self.variables[&name].is_null() {
            return Err(format!("Variable ${name} of type String! was provided invalid value"));
        }
        self.declared.push(name);
        Ok(())
    }

    fn selections(&mut self) -> Result<Vec<Selection>, String> {
        self.expect("{")?;
        let mut selections = Vec::new();
        while !self.take("}") {
            selections.push(self.selection()?);
        }
        if selections.is_empty() { Err("a selection is empty".to_owned()) } else { Ok(selections) }
    }

    fn selection(&mut self) -> Result<Selection, String> {
        if self.take("...") {
            if !self.take_name("on") {
                return Err(self.unexpected());
            }
            return Ok(Selection::On { type_name: self.name()?, selections: self.selections()? });
        }
        let (line, column) = self.tokens.get(self.at).map_or((0, 0), |token| (token.line, token.column));
        let key = self.name()?;
        let name = if self.take(":") { self.name()? } else { key.clone() };
        let mut arguments = BTreeMap::new();
        if self.take("(") {
            while !self.take(")") {
                let argument = self.name()?;
                self.expect(":")?;
                arguments.insert(argument, self.value()?);
            }
        }
        let selections = if self.peek() == Some(&Kind::Mark("{")) { self.selections()? } else { Vec::new() };
        Ok(Selection::Field(Field { key, name, arguments, selections, line, column }))
    }

    fn value(&mut self) -> Result<Value, String> {
        if self.take("$") {
            let name = self.name()?;
            if !self.declared.contains(&name) {
                return Err(format!("Variable ${name} is used but not declared"));
            }
            return Ok(self.variables[&name].clone());
        }
        if self.take("[") {
            let mut values = Vec::new();
            while !self.take("]") {
                values.push(self.value()?);
            }
            return Ok(json!(values));
        }
        let value = match self.peek() {
            Some(Kind::Text(text)) => json!(text),
            Some(Kind::Number(text)) => serde_json::from_str(text).map_err(|error| error.to_string())?,
            Some(Kind::Name(word)) if word == "true" || word == "false" => json!(word == "true"),
            Some(Kind::Name(word)) if word == "null" => Value::Null,
            Some(Kind::Name(word)) => json!(word),
            _ => return Err(self.unexpected()),
        };
        self.at += 1;
        Ok(value)
    }

    fn peek(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn take(&mut self, mark: &'static str) -> bool {
        let fits = self.peek() == Some(&Kind::Mark(mark));
        self.at += usize::from(fits);
        fits
    }

    fn take_name(&mut self, word: &str) -> bool {
        let fits = matches!(self.peek(), Some(Kind::Name(name)) if name == word);
        self.at += usize::from(fits);
        fits
    }

    fn expect(&mut self, mark: &'static str) -> Result<(), String> {
        if self.take(mark) { Ok(()) } else { Err(format!("{}, wanted `{mark}`", self.unexpected())) }
    }

    fn name(&mut self) -> Result<String, String> {
        let Some(Kind::Name(name)) = self.peek().cloned() else { return Err(self.unexpected()) };
        self.at += 1;
        Ok(name)
    }

    fn unexpected(&self) -> String {
        match self.tokens.get(self.at) {
            Some(token) => format!("unexpected {:?} at {}:{}", token.kind, token.line, token.column),
            None => "unexpected end".to_owned(),
        }
    }
}
