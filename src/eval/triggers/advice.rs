//! What in a description would change which prompts a skill fires for.
//!
//! Everything said here was tried: the skill is scored again with the words in its description, with the sentence
//! behind it, or without a word of it. Words to add are those that the prompts have and the skill's name and
//! description lack. Those that several prompts share or the body of the skill has go before the others, because a
//! prompt also speaks of things that have nothing to do with the skill.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use super::{
    Tally,
    file::Trigger,
    trial::{Entrant, Judged, Own, Trial, Verdict},
    words,
};
use crate::rank::{
    fulltext::{
        Collection as _,
        document::{Counts, Document},
        fields::{FIELDS, Field},
    },
    text::{
        common,
        terms::{Analyser, Term},
    },
};

/// How many words are tried alone, and of these together.
const TRIED: (usize, usize) = (60, 24);
/// The most words that are advised.
const MOST_WORDS: usize = 8;
/// The most words of a sentence for one prompt, and for all.
const MOST_REFUSED: (usize, usize) = (4, 16);
/// How much surer a word has to make the skill to be worth its place.
const LEAST_GAIN: f64 = 0.01;
/// A word that a larger share of skills has says nothing of this one.
const GENERAL: f64 = 0.19;
/// How many causes of a firing are named.
const MOST_CAUSES: usize = 3;

/// What would change the prompts that a skill fires for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Advice {
    /// Words to add to the description.
    pub add: Option<Addition>,
    /// A sentence that says what the skill is not for.
    pub not_for: Option<Refusal>,
    /// What both together give.
    pub both: Option<Tally>,
    /// Why the skill fires for prompts for which it should not, by the number of the prompt.
    pub wrong: BTreeMap<usize, Wrong>,
}

/// Words to add to the description.
#[derive(Debug, Clone, PartialEq)]
pub struct Addition {
    /// The words, in the order in which they help.
    pub words: Vec<Word>,
    /// What the skill gives with them.
    pub after: Tally,
}

/// A word to add.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// The word.
    pub word: String,
    /// How many missed prompts have it.
    pub prompts: usize,
    /// Whether the body of the skill has it.
    pub in_body: bool,
    /// How much surer it alone makes the skill for these prompts, as a mean.
    pub gain: f64,
}

/// A sentence that says what the skill is not for.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The sentence.
    pub sentence: String,
    /// What the skill gives with it.
    pub after: Tally,
}

/// Why a skill fires wrongly for a prompt.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wrong {
    /// The words of the description that make it fire, the most first.
    pub causes: Vec<Cause>,
    /// A sentence of words of this prompt, and whether it alone would stop the skill.
    pub refusal: Option<(String, bool)>,
}

/// A word of the description that makes a skill fire.
#[derive(Debug, Clone, PartialEq)]
pub struct Cause {
    /// The word.
    pub word: String,
    /// How much less sure the skill is without it.
    pub less: f64,
    /// Whether it would not fire without it.
    pub decides: bool,
}

/// Finds out what would change the prompts that a skill fires for; `judged` is what it gives now.
pub fn advise(trial: &Trial<'_>, skill: &Entrant, triggers: &[Trigger], judged: &[Judged]) -> Advice {
    let adviser = Adviser {
        trial,
        skill,
        triggers,
        all: (0..triggers.len()).collect(),
        before: judged.iter().map(|judged| judged.verdict).collect(),
        own: Trial::own(skill, &mut Analyser::default()),
        analyser: RefCell::default(),
    };
    let add = adviser.addition();
    let (not_for, wrong) = adviser.refusals();
    let both = add.as_ref().zip(not_for.as_ref()).map(|(add, not_for)| {
        let text = format!("{}\n{}", sentence("", &add.words), not_for.sentence);
        adviser.tally(&adviser.try_all(&text))
    });
    Advice { add, not_for, both, wrong }
}

struct Adviser<'a> {
    trial: &'a Trial<'a>,
    skill: &'a Entrant,
    triggers: &'a [Trigger],
    all: Vec<usize>,
    before: Vec<Verdict>,
    own: Own,
    analyser: RefCell<Analyser>,
}

impl Adviser<'_> {
    fn tally(&self, verdicts: &[Verdict]) -> Tally {
        let fires = |(trigger, verdict): (&Trigger, &Verdict)| (trigger.should_fire, verdict.fires);
        Tally::of(self.triggers.iter().zip(verdicts).map(fires))
    }

    /// The numbers of the prompts for which this holds.
    fn prompts(&self, should_fire: bool, fires: bool) -> Vec<usize> {
        let holds = |number: &usize| {
            self.triggers[*number].should_fire == should_fire && self.before[*number].fires == fires
        };
        self.all.iter().copied().filter(holds).collect()
    }

    /// The verdicts for prompts when the description has this text too.
    fn try_with(&self, text: &str, numbers: &[usize]) -> Vec<Verdict> {
        let own = Trial::own(&self.skill.with(text), &mut self.analyser.borrow_mut());
        self.trial.verdicts(numbers, &own)
    }

    fn try_all(&self, text: &str) -> Vec<Verdict> {
        self.try_with(text, &self.all)
    }

    fn counts(&self, term: Term) -> Counts {
        counts(&self.own.document, term)
    }

    /// Words that missed prompts have and the skill lacks, those that help most first.
    fn lacking(&self, missed: &[usize]) -> Vec<(Word, Vec<usize>)> {
        let mut all: BTreeMap<Term, (String, Vec<usize>)> = BTreeMap::new();
        for &number in missed {
            for (term, word) in &self.trial.words[number] {
                all.entry(*term).or_insert_with(|| (word.clone(), Vec::new())).1.push(number);
            }
        }
        let mut candidates: Vec<(u32, Word, Vec<usize>)> = Vec::new();
        for (term, (word, prompts)) in all {
            if self.share(&word) > GENERAL {
                continue;
            }
            let counts = self.counts(term);
            let has = |fields: &[Field]| fields.iter().any(|&field| counts[field as usize] > 0);
            let in_body = has(&[Field::Headings, Field::Prose, Field::Code]);
            if !has(&[Field::Name, Field::About, Field::Not]) {
                let Ok(frequency) = self.trial.memory.frequency(term);
                candidates.push((
                    frequency,
                    Word { word, prompts: prompts.len(), in_body, gain: 0.0 },
                    prompts,
                ));
            }
        }
        let is_of_skill = |word: &Word| word.in_body || word.prompts > 1;
        if candidates.iter().any(|(_, word, _)| is_of_skill(word)) {
            candidates.retain(|(_, word, _)| is_of_skill(word));
        }
        candidates.sort_by(|left, right| {
            right
                .1
                .prompts
                .cmp(&left.1.prompts)
                .then(left.0.cmp(&right.0))
                .then(left.1.word.cmp(&right.1.word))
        });
        candidates.truncate(TRIED.0);
        let tried = candidates.into_iter().map(|(_, word, prompts)| {
            let verdicts = self.try_with(&sentence("", std::slice::from_ref(&word)), &prompts);
            let gains = verdicts.iter().zip(&prompts);
            let gain = gains.map(|(after, &number)| after.confidence - self.before[number].confidence);
            (Word { gain: gain.sum::<f64>() / real(prompts.len()), ..word }, prompts)
        });
        let mut tried: Vec<(Word, Vec<usize>)> = tried.filter(|(word, _)| word.gain >= LEAST_GAIN).collect();
        let total = |word: &Word| word.gain * real(word.prompts);
        tried.sort_by(|left, right| {
            total(&right.0).total_cmp(&total(&left.0)).then_with(|| left.0.word.cmp(&right.0.word))
        });
        tried.truncate(TRIED.1);
        tried
    }

    fn addition(&self) -> Option<Addition> {
        let missed = self.prompts(true, false);
        let mut words: Vec<Word> = Vec::new();
        let mut best = (self.tally(&self.before), sureness(&self.before, &missed));
        let (mut useful, mut after) = (0, best.0);
        for (word, _) in self.lacking(&missed) {
            words.push(word);
            let verdicts = self.try_all(&sentence("", &words));
            let tried = (self.tally(&verdicts), sureness(&verdicts, &missed));
            let is_better = tried.0.balance() > best.0.balance()
                || tried.0.balance() == best.0.balance() && tried.1 >= best.1 + LEAST_GAIN;
            if is_better && tried.0.wrong <= best.0.wrong {
                if tried.0.balance() > best.0.balance() {
                    (useful, after) = (words.len(), tried.0);
                }
                best = tried;
            } else {
                words.pop();
            }
            if words.len() == MOST_WORDS {
                break;
            }
        }
        if useful > 0 {
            // What comes behind makes the skill surer and changes nothing.
            words.truncate(useful);
        } else {
            after = best.0;
        }
        (!words.is_empty()).then_some(Addition { words, after })
    }

    /// What would stop the skill from firing wrongly: one sentence for all prompts, and what is known of each.
    fn refusals(&self) -> (Option<Refusal>, BTreeMap<usize, Wrong>) {
        let wrong = self.prompts(false, true);
        let right: BTreeSet<Term> = self
            .all
            .iter()
            .filter(|&&number| self.triggers[number].should_fire)
            .flat_map(|&number| self.trial.words[number].keys().copied())
            .collect();
        let mut known = BTreeMap::new();
        let mut all: Vec<Vec<String>> = Vec::new();
        for &number in &wrong {
            let words = self.foreign(number, &right);
            let refusal = (!words.is_empty()).then(|| {
                let sentence = refusal(&words);
                let stops = !self.try_with(&sentence, &[number])[0].fires;
                (sentence, stops)
            });
            known.insert(number, Wrong { causes: self.causes(number), refusal });
            all.push(words);
        }
        // The most telling words of every prompt come before the second ones of any.
        let mut words: Vec<String> = Vec::new();
        for place in 0..MOST_REFUSED.0 {
            for word in all.iter().filter_map(|words| words.get(place)) {
                if words.len() < MOST_REFUSED.1 && !words.contains(word) {
                    words.push(word.clone());
                }
            }
        }
        (self.shortest(words), known)
    }

    /// The sentence of these words without those that make no difference; `None` when more would be wrong with it
    /// than without, or as much.
    fn shortest(&self, mut words: Vec<String>) -> Option<Refusal> {
        if words.is_empty() {
            return None;
        }
        let mut after = self.tally(&self.try_all(&refusal(&words)));
        for place in (0..words.len()).rev() {
            if words.len() == 1 {
                break;
            }
            let mut fewer = words.clone();
            fewer.remove(place);
            let tried = self.tally(&self.try_all(&refusal(&fewer)));
            if tried.balance() >= after.balance() {
                (words, after) = (fewer, tried);
            }
        }
        let is_better = after.balance() > self.tally(&self.before).balance();
        is_better.then(|| Refusal { sentence: refusal(&words), after })
    }

    /// The most telling words of a prompt that neither the description has nor a prompt for which it should fire.
    fn foreign(&self, number: usize, right: &BTreeSet<Term>) -> Vec<String> {
        let trial = self.trial;
        let words = trial.words[number].iter();
        let words = words.filter(|(term, word)| {
            !right.contains(term) && self.is_foreign(**term) && word.chars().any(char::is_alphabetic)
        });
        let words: Vec<(Term, String)> = words.map(|(term, word)| (*term, word.clone())).collect();
        let mut telling: Vec<(f64, u32, String)> = words
            .into_iter()
            .map(|(term, word)| {
                let Ok(frequency) = trial.memory.frequency(term);
                (self.share(&word), frequency, word)
            })
            .filter(|(share, ..)| *share <= GENERAL)
            .collect();
        telling.sort_by(|left, right| {
            left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)).then_with(|| left.2.cmp(&right.2))
        });
        telling.truncate(MOST_REFUSED.0);
        telling.into_iter().map(|(.., word)| word).collect()
    }

    /// Which share of skills in general has a word.
    fn share(&self, word: &str) -> f64 {
        let mut share = 0.0;
        self.analyser.borrow_mut().visit_words(word, |term| {
            share = common::share(term).unwrap_or_default().max(share);
        });
        share
    }

    /// Whether neither name nor description has a term, nor what the skill is not for.
    fn is_foreign(&self, term: Term) -> bool {
        let counts = self.counts(term);
        [Field::Name, Field::About, Field::Not].iter().all(|&field| counts[field as usize] == 0)
    }

    /// The words of the description that make the skill fire for a prompt.
    fn causes(&self, number: usize) -> Vec<Cause> {
        let about = [Some(&self.skill.description), self.skill.when_to_use.as_ref()];
        let about: Vec<&str> = about.into_iter().flatten().map(String::as_str).collect();
        let analyser = &mut *self.analyser.borrow_mut();
        let words = words::words(&about.join("\n"), analyser);
        let mut causes = Vec::new();
        for term in self.trial.prompts[number].terms.iter().map(|term| term.term) {
            if self.counts(term)[Field::About as usize] == 0 {
                continue;
            }
            let Some(word) = words.get(&term) else { continue };
            let analyser = &mut *analyser;
            let changed = Entrant {
                description: words::without(&self.skill.description, term, word, analyser),
                when_to_use: self
                    .skill
                    .when_to_use
                    .as_ref()
                    .map(|text| words::without(text, term, word, analyser)),
                ..self.skill.clone()
            };
            let own = Trial::own(&changed, analyser);
            let verdict = self.trial.verdicts(&[number], &own)[0];
            let less = self.before[number].confidence - verdict.confidence;
            if less >= LEAST_GAIN || !verdict.fires {
                causes.push(Cause { word: word.clone(), less, decides: !verdict.fires });
            }
        }
        causes.sort_by(|left, right| right.less.total_cmp(&left.less));
        causes.truncate(MOST_CAUSES);
        causes
    }
}

/// How often a document has a term in each field.
fn counts(document: &Document, term: Term) -> Counts {
    let place = document.terms.binary_search_by_key(&term, |(term, _)| *term);
    place.map_or([0; FIELDS], |place| document.terms[place].1)
}

/// How sure the skill is for these prompts, as a mean.
fn sureness(verdicts: &[Verdict], numbers: &[usize]) -> f64 {
    numbers.iter().map(|&number| verdicts[number].confidence).sum::<f64>() / real(numbers.len().max(1))
}

#[expect(clippy::cast_precision_loss, reason = "no more than a thousand prompts are tried")]
fn real(count: usize) -> f64 {
    count as f64
}

/// A sentence of these words.
fn sentence(begin: &str, words: &[Word]) -> String {
    let words: Vec<&str> = words.iter().map(|word| word.word.as_str()).collect();
    format!("{begin}{}.", words.join(", "))
}

fn refusal(words: &[String]) -> String {
    format!("Not for {}.", words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::triggers::trial::{
        documents,
        tests::{entrant, pool, triggers},
    };

    fn advice(skill: &Entrant, prompts: &[(&str, bool)]) -> Advice {
        let (pool, triggers) = (pool(), triggers(prompts));
        let documents = documents(&pool);
        let trial = Trial::new(&pool, &documents, &triggers);
        advise(&trial, skill, &triggers, &trial.judge(skill))
    }

    #[test]
    fn words_that_missed_prompts_share_are_advised_and_tried() {
        let skill = entrant("exif", "Works on metadata", "# Files\nGoes on step by step.");
        let advice = advice(
            &skill,
            &[
                ("make the gps vanish from these images, mom", true),
                ("are the gps data still there?", true),
                ("write a commit message", false),
            ],
        );
        let add = advice.add.unwrap();
        let words: Vec<&str> = add.words.iter().map(|word| word.word.as_str()).collect();
        assert!(words.contains(&"gps"), "{words:?}");
        assert!(!words.contains(&"mom"), "{words:?}");
        assert_eq!((add.after.fired, add.after.wrong), (2, 0), "{words:?}");
        assert!(advice.not_for.is_none() && advice.both.is_none() && advice.wrong.is_empty());
    }

    #[test]
    fn what_makes_a_skill_fire_wrongly_is_found_by_leaving_it_out() {
        let skill = entrant(
            "photo-metadata",
            "Edits the metadata of a photo, rotates photos",
            "# Metadata\nEdit it.",
        );
        let advice = advice(
            &skill,
            &[("edit the metadata of this photo", true), ("edit a sideways photo, it rotates", false)],
        );
        let wrong = &advice.wrong[&1];
        assert!(wrong.causes.iter().any(|cause| cause.word == "rotates"), "{wrong:?}");
        let (sentence, _) = wrong.refusal.as_ref().unwrap();
        assert_eq!(sentence, "Not for sideways.");
        assert_eq!(advice.not_for.unwrap().sentence, *sentence);
    }

    #[test]
    fn a_sentence_that_stops_nothing_is_not_advised() {
        let skill = entrant("photo-metadata", "Edits the metadata of a photo, rotates photos", "# Metadata");
        let advice = advice(&skill, &[("/photo-metadata sideways", false)]);
        assert_eq!(advice.wrong[&0].refusal, Some(("Not for sideways.".to_owned(), false)));
        assert!(advice.not_for.is_none());
        let refused = Entrant { when_not_to_use: Some("For sideways ones".to_owned()), ..skill };
        let advice = self::advice(&refused, &[("/photo-metadata sideways", false)]);
        assert!(advice.wrong[&0].refusal.is_none());
    }
}
