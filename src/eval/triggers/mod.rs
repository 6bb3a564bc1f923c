//! Trigger files: prompts of which the author of a skill says whether it should fire, and whether it does.
//!
//! A skill fires when a catalog of `routerMode: fulltext` with its defaults has it, or when the prompt calls it by
//! its name. What would change that is tried, not guessed: every word of advice is one with which the skill was
//! scored again. Text and skills arrive as arguments; this module opens no file.

pub mod advice;
pub mod file;
mod names;
pub mod polarity;
mod table;
pub mod trial;
mod words;

use std::collections::BTreeMap;

use file::{Problem, Trigger};

/// The most prompts that are tried.
pub const MOST_PROMPTS: usize = 1_000;

/// The prompts of one or more trigger files.
#[derive(Debug, Clone, Default)]
pub struct Prompts {
    /// The prompts that can be tried, each once, in the order of the files.
    pub triggers: Vec<Trigger>,
    /// What is wrong with the others.
    pub problems: Vec<Problem>,
    /// How many prompts are of other skills.
    pub of_others: usize,
    /// How many are beyond [`MOST_PROMPTS`].
    pub left_out: usize,
    places: BTreeMap<String, usize>,
}

impl Prompts {
    /// Adds what was read from a file. A prompt that stands twice is tried once, and may not contradict itself.
    pub fn add(&mut self, read: file::Read) {
        self.problems.extend(read.problems);
        self.of_others += read.of_others;
        for trigger in read.triggers {
            if let Some(&first) = self.places.get(&trigger.prompt) {
                let first = &self.triggers[first];
                if first.should_fire != trigger.should_fire {
                    let problem = format!("says the opposite of `{}` in `{}`", first.place, first.file);
                    self.problems.push(Problem { file: trigger.file, place: trigger.place, problem });
                }
            } else if self.triggers.len() == MOST_PROMPTS {
                self.left_out += 1;
            } else {
                self.places.insert(trigger.prompt.clone(), self.triggers.len());
                self.triggers.push(trigger);
            }
        }
    }
}

/// How many prompts gave what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// The skill fired as it should.
    pub fired: usize,
    /// It should have fired.
    pub missed: usize,
    /// It should not have fired.
    pub wrong: usize,
    /// It did not fire as it should not.
    pub quiet: usize,
}

impl Tally {
    /// The tally of prompts of which each says whether the skill should fire and whether it does.
    pub fn of(prompts: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut tally = Self::default();
        for (should_fire, fires) in prompts {
            *match (should_fire, fires) {
                (true, true) => &mut tally.fired,
                (true, false) => &mut tally.missed,
                (false, true) => &mut tally.wrong,
                (false, false) => &mut tally.quiet,
            } += 1;
        }
        tally
    }

    /// How many fire that should, of how many.
    pub fn recall(self) -> (usize, usize) {
        (self.fired, self.fired + self.missed)
    }

    /// How many fire rightly, of all that fire.
    pub fn precision(self) -> (usize, usize) {
        (self.fired, self.fired + self.wrong)
    }

    /// How many do what they should, of all.
    pub fn accuracy(self) -> (usize, usize) {
        (self.fired + self.quiet, self.fired + self.missed + self.wrong + self.quiet)
    }

    /// How many more do what they should than do not.
    fn balance(self) -> isize {
        let count = |number: usize| isize::try_from(number).unwrap_or(isize::MAX);
        count(self.fired + self.quiet) - count(self.missed + self.wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_that_stands_twice_is_tried_once() {
        let trigger = |prompt: &str, place: &str, should_fire| Trigger {
            file: "a.json".to_owned(),
            place: place.to_owned(),
            prompt: prompt.to_owned(),
            should_fire,
        };
        let triggers = vec![
            trigger("x", ".[0]", true),
            trigger("x", ".[1]", true),
            trigger("y", ".[2]", true),
            trigger("x", ".[3]", false),
        ];
        let mut prompts = Prompts::default();
        prompts.add(file::Read { triggers, ..file::Read::default() });
        assert_eq!(prompts.triggers.len(), 2);
        assert_eq!(prompts.problems[0].place, ".[3]");
        assert_eq!(prompts.problems[0].problem, "says the opposite of `.[0]` in `a.json`");
        let many = (0..MOST_PROMPTS).map(|number| trigger(&number.to_string(), ".", true)).collect();
        prompts.add(file::Read { triggers: many, ..file::Read::default() });
        assert_eq!((prompts.triggers.len(), prompts.left_out), (MOST_PROMPTS, 2));
    }

    #[test]
    fn figures_of_a_tally() {
        let tally = Tally::of([(true, true), (true, true), (true, false), (false, true), (false, false)]);
        assert_eq!(tally, Tally { fired: 2, missed: 1, wrong: 1, quiet: 1 });
        assert_eq!((tally.recall(), tally.precision(), tally.accuracy()), ((2, 3), (2, 3), (3, 5)));
        assert_eq!(tally.balance(), 1);
    }
}
