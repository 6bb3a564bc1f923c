//! The forms of trigger files.
//!
//! The prompts of a file are found by the names of keys, wherever they lie: a list of entries, two lists by what
//! they expect, or either below another key. What is not known is not looked at; an entry that cannot be
//! understood is named with its place, as `jq` writes it, and the others go on.

use serde_json::{Map, Value};

pub use super::names::{ENDINGS, FOLDERS, Kind, recognise};
use super::{
    polarity::{self, Named, PROMPT_KEYS, SKILL_KEYS, Says, plain},
    table::rows,
};

/// Why a file of triggers cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TriggersError {
    /// No JSON.
    #[error("it is no JSON")]
    Json(#[source] serde_json::Error),
    /// No YAML.
    #[error("it is no YAML")]
    Yaml(#[source] Box<serde_yaml::Error>),
    /// A table without the columns.
    #[error("its first line names no column `{0}`")]
    Column(&'static str),
    /// A table whose cells are not separated by commas.
    #[error("its columns are separated by something else than a comma")]
    Separator,
    /// A quoted cell of a table that does not end.
    #[error("the quoted cell that begins on line {0} does not end")]
    OpenCell(usize),
    /// Nothing that could be a prompt.
    #[error("it holds no prompts")]
    Empty,
}

/// A prompt and what its author says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trigger {
    /// The file that it stands in.
    pub file: String,
    /// Where it stands there: `.queries[3]`, `line 4`.
    pub place: String,
    /// The prompt.
    pub prompt: String,
    /// Whether the skill should fire.
    pub should_fire: bool,
}

/// An entry that cannot be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file that it stands in.
    pub file: String,
    /// Where it stands there.
    pub place: String,
    /// What is wrong with it.
    pub problem: String,
}

/// What was read from a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Read {
    /// The prompts, in the order of the file; where it has several lists, these by their keys.
    pub triggers: Vec<Trigger>,
    /// Entries that cannot be tried.
    pub problems: Vec<Problem>,
    /// How many entries are of other skills.
    pub of_others: usize,
    /// The skill that the file says it is of, where that is another.
    pub named: Option<String>,
}

/// Keys whose lists have prompts for which the skill should fire begin with one of these.
const POSITIVE: [&str; 6] =
    ["shouldtrigger", "shouldfire", "shouldactivate", "shouldinvoke", "musttrigger", "positive"];
/// The same for prompts for which it should not.
const NEGATIVE: [&str; 7] =
    ["shouldnot", "shouldnt", "donottrigger", "mustnottrigger", "negative", "nearmiss", "notrigger"];
/// Keys below which entries or further such keys may stand.
const LISTS: [&str; 21] = [
    "queries",
    "evals",
    "items",
    "cases",
    "prompts",
    "tests",
    "testcases",
    "examples",
    "trigger",
    "triggers",
    "triggereval",
    "triggerevals",
    "triggertests",
    "triggercases",
    "triggerqueries",
    "triggerprompts",
    "stimuli",
    "scenarios",
    "entries",
    "train",
    "validation",
];

/// Reads the text of a file; `file` is its name, whose ending says the form.
///
/// # Errors
///
/// When the whole file is not of that form, or holds nothing that could be a prompt.
pub fn read(file: &str, text: &str, skill: &Named<'_>) -> Result<Read, TriggersError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { file, skill, read: Read::default() };
    match file.rsplit('.').next().unwrap_or_default() {
        "csv" => reader.table(text)?,
        "jsonl" => {
            for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
                match serde_json::from_str(text) {
                    Ok(value) => reader.element(&value, &format!("line {line}"), None),
                    Err(error) => reader.problem(&format!("line {line}"), format!("is no JSON: {error}")),
                }
            }
        }
        "yaml" | "yml" => reader.whole(&yaml(text)?),
        _ => reader.whole(&serde_json::from_str(text).map_err(TriggersError::Json)?),
    }
    let Read { triggers, problems, of_others, .. } = &reader.read;
    if triggers.is_empty() && problems.is_empty() && *of_others == 0 {
        return Err(TriggersError::Empty);
    }
    Ok(reader.read)
}

fn yaml(text: &str) -> Result<Value, TriggersError> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_depth: 32,
            flow_nesting_limit: 16,
            max_nodes: 200_000,
            max_events: 600_000,
            max_aliases: 64,
            max_anchors: 64,
            max_documents: 1,
        },
        alias_limits: serde_yaml::alias_limits! { max_total_replayed_events: 50_000 },
        with_snippet: false,
    };
    serde_yaml::from_str_with_options(text, options).map_err(|error| TriggersError::Yaml(Box::new(error)))
}

/// What a list says of its entries.
#[derive(Clone, Copy)]
struct List {
    /// That the skill should fire for them.
    fires: bool,
    /// By its name; else only entries that say nothing follow it.
    is_named: bool,
}

struct Reader<'a> {
    file: &'a str,
    skill: &'a Named<'a>,
    read: Read,
}

impl Reader<'_> {
    fn problem(&mut self, place: &str, problem: String) {
        let (file, place) = (self.file.to_owned(), place.to_owned());
        self.read.problems.push(Problem { file, place, problem });
    }

    fn whole(&mut self, value: &Value) {
        if let Value::Object(object) = value {
            let named = polarity::value(object, &SKILL_KEYS).and_then(|(_, name)| name.as_str());
            self.read.named = named.filter(|name| !self.skill.is(name)).map(str::to_owned);
            if has_prompt(object) {
                self.entry(object, ".", None);
            } else {
                self.lists(object, "", None);
            }
        } else {
            self.list(value, ".", None);
        }
    }

    /// Reads what stands below the keys that hold prompts; whether there were any.
    fn lists(&mut self, object: &Map<String, Value>, place: &str, list: Option<List>) -> bool {
        let mut is_any = false;
        for (key, value) in object {
            let begins = |keys: &[&str]| keys.iter().any(|known| plain(key).starts_with(known));
            let list = if begins(&NEGATIVE) {
                Some(List { fires: false, is_named: true })
            } else if begins(&POSITIVE) {
                Some(List { fires: true, is_named: true })
            } else if !LISTS.contains(&plain(key).as_str()) {
                continue;
            } else if plain(key) == "evals" {
                // Tests of what a skill does are run with the skill.
                list.or(Some(List { fires: true, is_named: false }))
            } else {
                list
            };
            if value.is_array() || value.is_object() {
                is_any = true;
                self.list(value, &format!("{place}.{key}"), list);
            }
        }
        is_any
    }

    fn list(&mut self, value: &Value, place: &str, list: Option<List>) {
        match value {
            Value::Array(values) => {
                for (index, value) in values.iter().enumerate() {
                    self.element(value, &format!("{place}[{index}]"), list);
                }
            }
            Value::Object(object) => {
                self.lists(object, place, list);
            }
            _ => {}
        }
    }

    fn element(&mut self, value: &Value, place: &str, list: Option<List>) {
        match value {
            Value::String(prompt) => match list {
                Some(list) => self.trigger(place, prompt, list.fires),
                None => self.problem(place, SAYS_NOTHING.to_owned()),
            },
            Value::Object(object) if has_prompt(object) => self.entry(object, place, list),
            Value::Object(object) => {
                let named = polarity::value(object, &SKILL_KEYS).and_then(|(_, name)| name.as_str());
                if named.is_some_and(|name| !self.skill.is(name)) {
                    self.read.of_others += 1;
                } else if !self.lists(object, place, list) {
                    self.problem(place, "has no prompt (`query` or `prompt`)".to_owned());
                }
            }
            _ => self.problem(place, "is no text and no object".to_owned()),
        }
    }

    fn entry(&mut self, entry: &Map<String, Value>, place: &str, list: Option<List>) {
        let Some((key, prompt)) = polarity::value(entry, &PROMPT_KEYS) else { return };
        let Value::String(prompt) = prompt else {
            return self.problem(place, format!("has a `{key}` that is no text"));
        };
        let (said, is_by_flag) = polarity::says(entry, self.skill);
        let should_fire = match (said, list) {
            // What a list is for stands above the words of an entry that only sort it further.
            (_, Some(list)) if list.is_named && !is_by_flag => list.fires,
            (Says::OfOthers, _) => {
                self.read.of_others += 1;
                return;
            }
            (Says::Fire, _) => true,
            (Says::Quiet, _) => false,
            (Says::Unclear(key, value), _) => {
                return self.problem(place, format!("has a `{key}` that is neither true nor false: {value}"));
            }
            (Says::Nothing, Some(list)) => list.fires,
            (Says::Nothing, None) => return self.problem(place, SAYS_NOTHING.to_owned()),
        };
        self.trigger(place, prompt, should_fire);
    }

    fn trigger(&mut self, place: &str, prompt: &str, should_fire: bool) {
        let prompt = prompt.trim().to_owned();
        if prompt.is_empty() {
            return self.problem(place, "is empty".to_owned());
        }
        let (file, place) = (self.file.to_owned(), place.to_owned());
        self.read.triggers.push(Trigger { file, place, prompt, should_fire });
    }

    fn table(&mut self, text: &str) -> Result<(), TriggersError> {
        let mut rows = rows(text).map_err(TriggersError::OpenCell)?.into_iter();
        let (_, head) = rows.next().ok_or(TriggersError::Empty)?;
        let has = |keys: &[&str]| head.iter().any(|cell| keys.contains(&plain(cell).as_str()));
        if !has(&PROMPT_KEYS) {
            let mut parts = head.iter().flat_map(|cell| cell.split([';', '\t'])).map(plain);
            if parts.any(|part| PROMPT_KEYS.contains(&part.as_str())) {
                return Err(TriggersError::Separator);
            }
            return Err(TriggersError::Column("prompt"));
        }
        for (line, cells) in rows {
            if cells.iter().skip(head.len()).any(|cell| !cell.trim().is_empty()) {
                let (cells, columns) = (cells.len(), head.len());
                let problem =
                    format!("has {cells} cells for {columns} columns: a comma in a cell needs quotes");
                self.problem(&format!("line {line}"), problem);
                continue;
            }
            let cells = head.iter().cloned().zip(cells.into_iter().map(Value::String)).collect();
            self.element(&Value::Object(cells), &format!("line {line}"), None);
        }
        Ok(())
    }
}

const SAYS_NOTHING: &str = "does not say whether the skill should fire (`should_trigger`)";

fn has_prompt(object: &Map<String, Value>) -> bool {
    polarity::value(object, &PROMPT_KEYS).is_some()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SKILL: Named<'_> = Named { names: ["pdf-tables", "pdf-tables", "pdf-tables"] };

    /// Each prompt with its place, `+` for one that should fire, then the problems.
    fn of(file: &str, text: &str) -> Vec<String> {
        let read = read(file, text, &SKILL).unwrap();
        let trigger =
            |it: &Trigger| format!("{}{} {}", if it.should_fire { '+' } else { '-' }, it.prompt, it.place);
        let problem = |it: &Problem| format!("{}: {}", it.place, it.problem);
        read.triggers.iter().map(trigger).chain(read.problems.iter().map(problem)).collect()
    }

    #[test]
    fn a_list_of_entries() {
        let text = r#"[{"query": "a", "should_trigger": true, "more": [1]}, {"prompt": "b", "shouldTrigger": false}]"#;
        assert_eq!(of("trigger-eval.json", text), ["+a .[0]", "-b .[1]"]);
    }

    #[test]
    fn two_lists_by_what_they_expect() {
        let text = r#"{"shouldTrigger": ["a"], "shouldNotTrigger": ["b", "c"], "notes": ["d"]}"#;
        assert_eq!(
            of("x.json", text),
            ["-b .shouldNotTrigger[0]", "-c .shouldNotTrigger[1]", "+a .shouldTrigger[0]"]
        );
        let text = r#"{"should_activate": [{"id": 1, "prompt": "a", "kind": "audit"}], "should_not_activate": [{"prompt": "b"}]}"#;
        assert_eq!(of("x.json", text), ["+a .should_activate[0]", "-b .should_not_activate[0]"]);
        let text = r#"{"positives": ["a"], "near_misses": ["b"], "should_trigger_inferred": ["c"]}"#;
        assert_eq!(
            of("x.json", text),
            ["-b .near_misses[0]", "+a .positives[0]", "+c .should_trigger_inferred[0]"]
        );
    }

    #[test]
    fn lists_below_other_keys() {
        let text = r#"{"skill_name": "pdf-tables", "items": [{"query": "a", "expected": "fire"}, {"query": "b", "expected": "no-fire"}]}"#;
        assert_eq!(of("x.json", text), ["+a .items[0]", "-b .items[1]"]);
        let text = r#"{"evals": [{"prompt": "a", "expectations": ["x"]}, {"prompt": "b", "should_trigger": false}], "triggers": {"shouldNotTrigger": ["c"]}}"#;
        assert_eq!(
            of("evals.json", text),
            ["+a .evals[0]", "-b .evals[1]", "-c .triggers.shouldNotTrigger[0]"]
        );
        let text = r#"[{"skill": "pdf-tables", "should_trigger": ["a"]}, {"skill": "csv", "should_trigger": ["b"]}]"#;
        assert_eq!(of("x.json", text), ["+a .[0].should_trigger[0]"]);
    }

    #[test]
    fn lines_of_json() {
        let text =
            "{\"query\": \"a\", \"should_trigger\": true}\n\n{\"query\": \"b\", \"trigger\": \"no\"}\n{\n";
        let read = of("triggers.jsonl", text);
        assert_eq!(read[..2], ["+a line 1", "-b line 3"]);
        assert!(read[2].starts_with("line 4: is no JSON: "), "{read:?}");
    }

    #[test]
    fn tables() {
        let text = "\u{feff}id,should_trigger,prompt,tags\r\n1,true,\"a, \"\"quoted\"\"\nand long\",x\r\n\r\n2,false,b\n3,maybe,c\n4,true,\n";
        let expected = [
            "+a, \"quoted\"\nand long line 2",
            "-b line 5",
            "line 6: has a `should_trigger` that is neither true nor false: \"maybe\"",
            "line 7: is empty",
        ];
        assert_eq!(of("trigger-prompts.csv", text), expected);
        let failed = |text: &str| read("x.csv", text, &SKILL).unwrap_err().to_string();
        assert_eq!(failed("a,b\n1,2\n"), "its first line names no column `prompt`");
        let separated = "its columns are separated by something else than a comma";
        assert_eq!(failed("id;prompt;should_trigger\n1;a;true\n"), separated);
        assert_eq!(failed("\"prompt\"\tshould_trigger\na\ttrue\n"), separated);
        let text = "prompt,should_not_trigger\na,true\nb,No,,\nc, or d,true\ne,perhaps\n";
        let expected = [
            "-a line 2",
            "+b line 3",
            "line 4: has 3 cells for 2 columns: a comma in a cell needs quotes",
            "line 5: has a `should_not_trigger` that is neither true nor false: \"perhaps\"",
        ];
        assert_eq!(of("x.csv", text), expected);
    }

    #[test]
    fn a_list_stands_above_what_only_sorts_its_entries() {
        let text = r#"{"should_not_trigger": [
            {"prompt": "a", "skill": "pdf-tables", "expected_behavior": "declines"},
            {"prompt": "b", "type": "positive", "expectations": ["x"]},
            {"prompt": "c", "expected_skills": ["csv"]},
            {"prompt": "d", "near_miss": false},
            {"prompt": "e", "should_trigger": "yes"}]}"#;
        let place = |number: usize| format!(".should_not_trigger[{number}]");
        let expected = ["-a", "-b", "-c", "-d", "+e"].into_iter().zip(0..);
        let expected: Vec<String> = expected.map(|(it, number)| format!("{it} {}", place(number))).collect();
        assert_eq!(of("x.json", text), expected);
        let text = r#"{"should_trigger": [{"prompt": "a", "category": "negative"}, {"prompt": "b", "is_negative": true}],
            "evals": [{"prompt": "c", "type": "negative"}, {"prompt": "d", "expected_output": "no"}]}"#;
        let expected = ["-c .evals[0]", "+d .evals[1]", "+a .should_trigger[0]", "-b .should_trigger[1]"];
        assert_eq!(of("x.json", text), expected);
    }

    #[test]
    fn stimuli_with_graders() {
        let text = "name: x\nstimuli:\n  - name: one\n    prompt: a\n    graders:\n      - type: skill-invocation\n        config: { required: [pdf-tables] }\n  - prompt: b\n    graders:\n      - type: skill-invocation\n        config:\n          disallowed: [pdf-tables]\n  - prompt: c\n    graders:\n      - type: completed\n";
        let read = of("eval.yaml", text);
        assert_eq!(read[..2], ["+a .stimuli[0]", "-b .stimuli[1]"]);
        assert_eq!(read[2], format!(".stimuli[2]: {SAYS_NOTHING}"));
        let text = "trigger_eval:\n  should_trigger: [a]\n  should_not_trigger:\n    - b\n";
        assert_eq!(
            of("evals.yaml", text),
            ["-b .trigger_eval.should_not_trigger[0]", "+a .trigger_eval.should_trigger[0]"]
        );
    }

    #[test]
    fn entries_that_cannot_be_tried_are_named() {
        let text = r#"["x", {"query": "a"}, {"should_trigger": true}, {"query": ["b"], "should_trigger": true}, 7, {"query": " ", "should_trigger": true}]"#;
        let expected = [
            format!(".[0]: {SAYS_NOTHING}"),
            format!(".[1]: {SAYS_NOTHING}"),
            ".[2]: has no prompt (`query` or `prompt`)".to_owned(),
            ".[3]: has a `query` that is no text".to_owned(),
            ".[4]: is no text and no object".to_owned(),
            ".[5]: is empty".to_owned(),
        ];
        assert_eq!(of("x.json", text), expected);
    }

    #[test]
    fn files_that_are_none() {
        let failed = |file: &str, text: &str| read(file, text, &SKILL).unwrap_err().to_string();
        assert_eq!(failed("x.json", "{"), "it is no JSON");
        assert_eq!(failed("x.yaml", "a: ["), "it is no YAML");
        assert_eq!(failed("x.json", "{\"a\": [1]}"), "it holds no prompts");
        assert_eq!(failed("x.csv", ""), "it holds no prompts");
        let named = read("x.json", r#"{"skill": "csv", "should_trigger": ["a"]}"#, &SKILL).unwrap().named;
        assert_eq!(named.as_deref(), Some("csv"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(
            text in "(\\{|\\}|\\[|\\]|\"query\"|\"evals\"|\"should_trigger\"|true|: ?|,|\"|prompt|\n|- |[a-z ]|\\PC){0,40}",
            ending in 0..ENDINGS.len(),
        ) {
            let file = format!("x.{}", ENDINGS[ending]);
            if let Ok(read) = read(&file, &text, &SKILL) {
                prop_assert!(read.triggers.iter().all(|trigger| !trigger.prompt.trim().is_empty()));
            }
        }
    }
}
