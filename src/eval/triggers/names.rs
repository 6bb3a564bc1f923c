//! Which files of a skill are trigger files, by their names.
//!
//! There is no standard. The names are those found in public repositories; hyphens and underscores make no
//! difference. What stands in a file is not looked at here.

use super::polarity::plain;

/// The folders of a skill that may hold trigger files; the empty one is the skill's own.
pub const FOLDERS: [&str; 4] = ["evals", "eval", "tests", ""];
/// The endings of trigger files.
pub const ENDINGS: [&str; 5] = ["json", "jsonl", "csv", "yaml", "yml"];
/// The names of trigger files without hyphens, underscores and ending.
const NAMES: [&str; 14] = [
    "trigger",
    "triggers",
    "triggereval",
    "triggerevals",
    "triggerevalset",
    "triggercases",
    "triggerqueries",
    "triggerprompts",
    "triggertests",
    "triggerset",
    "evalqueries",
    "triggering",
    "activation",
    "routing",
];
/// The names of files that may hold triggers among other things; looked at where there are no trigger files.
const OTHERS: [&str; 3] = ["evals", "eval", "prompts"];

/// How much the name of a file says that it holds triggers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// That is what it is for.
    Triggers,
    /// It may, among other things.
    Others,
}

/// What a file of this name may hold; `None` for one that is not looked at.
pub fn recognise(file_name: &str) -> Option<Kind> {
    let (stem, ending) = file_name.rsplit_once('.')?;
    if !ENDINGS.contains(&ending) {
        return None;
    }
    let stem = plain(stem);
    let is_of = |names: &[&str]| names.contains(&stem.as_str());
    if is_of(&NAMES) { Some(Kind::Triggers) } else { is_of(&OTHERS).then_some(Kind::Others) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        for name in [
            "trigger-eval.json",
            "trigger-evals.json",
            "trigger_eval.json",
            "trigger_eval_set.json",
            "triggers.json",
            "trigger-cases.json",
            "trigger_queries.json",
            "eval_queries.json",
            "trigger-prompts.csv",
            "triggers.yaml",
        ] {
            assert_eq!(recognise(name), Some(Kind::Triggers), "{name}");
        }
        assert_eq!(recognise("evals.json"), Some(Kind::Others));
        assert_eq!(recognise("eval.yaml"), Some(Kind::Others));
        assert!(recognise("trigger-eval.md").is_none() && recognise("package.json").is_none());
    }
}
