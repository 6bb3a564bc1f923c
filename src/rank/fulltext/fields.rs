//! The fields of a skill, and which part of its text belongs to which.

/// How many fields a skill has.
pub const FIELDS: usize = 6;

/// A field; its number is its place in arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The name.
    Name,
    /// Description and when-to-use.
    About,
    /// What these say that the skill is not for.
    Not,
    /// Headings of the body.
    Headings,
    /// The text of the body.
    Prose,
    /// What stands in code fences.
    Code,
}

impl Field {
    /// Every field, in the order of their numbers.
    pub const ALL: [Self; FIELDS] =
        [Self::Name, Self::About, Self::Not, Self::Headings, Self::Prose, Self::Code];

    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::About => "about",
            Self::Not => "not-for",
            Self::Headings => "headings",
            Self::Prose => "prose",
            Self::Code => "code",
        }
    }
}

/// How a sentence begins to say what a skill is not for, in lower case; sorted by nothing but habit.
const REFUSALS: &[&str] = &[
    "do not use",
    "don't use",
    "not use this",
    "not use it",
    "never use",
    "do not trigger",
    "don't trigger",
    "not trigger",
    "do not activate",
    "don't activate",
    "do not invoke",
    "don't invoke",
    "do not apply",
    "do not load",
    "not for",
    "not intended for",
    "not meant for",
    "not suitable for",
    "not when",
    "not to be used",
    "not needed for",
    "skip for",
    "skip if",
    "skip when",
    "skip this",
    "avoid for",
    "avoid using",
    "avoid when",
    "does not cover",
    "doesn't cover",
    "does not handle",
    "doesn't handle",
    "out of scope",
    "excludes",
    "excluding",
    "不要用于",
    "不用于",
    "不适用",
    "不适合",
    "不要触发",
    "不触发",
    "不应触发",
    "不包括",
    "请勿用于",
    "勿用于",
    "不要使用",
    "不要在",
    "不處理",
    "不适用于",
    "不適用",
    "不負責",
    "不负责",
    "には使わない",
    "には使用しない",
];

/// The parts of a description: what the skill is for, and what it is not for.
///
/// A refusal reaches from its first word to the end of its sentence. What other text says after a refusal counts
/// for the skill again.
pub fn about_parts(text: &str) -> Vec<(Field, &str)> {
    let mut parts = Vec::new();
    for sentence in sentences(text) {
        let lower = sentence.to_ascii_lowercase();
        let begins = |refusal: &str| {
            let before = |at: usize| lower[..at].chars().next_back();
            lower
                .match_indices(refusal)
                .map(|(at, _)| at)
                .find(|&at| !before(at).is_some_and(|c| c.is_ascii_alphanumeric()))
        };
        match REFUSALS.iter().filter_map(|refusal| begins(refusal)).min() {
            Some(at) => parts.extend([(Field::About, &sentence[..at]), (Field::Not, &sentence[at..])]),
            None => parts.push((Field::About, sentence)),
        }
    }
    parts
}

/// The sentences of a text; a point ends one only before white space, so that `sales.csv` stays whole.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.len();
        let mut characters = rest.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let next = characters.peek().map(|&(_, next)| next);
            let ends = match character {
                '\n' | ';' | '；' | '。' | '！' | '？' => true,
                '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
                _ => false,
            };
            if ends {
                end = at + character.len_utf8();
                break;
            }
        }
        let (sentence, after) = rest.split_at(end);
        rest = after;
        Some(sentence)
    })
}

/// The lines of a Markdown body with the field that each belongs to.
pub fn body_lines(body: &str) -> impl Iterator<Item = (Field, &str)> {
    let mut fence: Option<(char, usize)> = None;
    body.lines().filter_map(move |line| {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if indent < 4
            && let Some((mark, length)) = fence_of(text)
        {
            match fence {
                None => {
                    fence = Some((mark, length));
                    return None;
                }
                // Only a bare fence, of the same mark and at least as long, closes.
                Some((open, least))
                    if open == mark && length >= least && text[length..].trim().is_empty() =>
                {
                    fence = None;
                    return None;
                }
                Some(_) => {}
            }
        }
        if fence.is_some() {
            return Some((Field::Code, line));
        }
        let hashes = text.bytes().take_while(|&byte| byte == b'#').count();
        let is_heading = (1..=6).contains(&hashes)
            && indent < 4
            && text[hashes..].chars().next().is_none_or(char::is_whitespace);
        Some(if is_heading { (Field::Headings, &text[hashes..]) } else { (Field::Prose, line) })
    })
}

/// The mark and length of the fence that a line begins with.
fn fence_of(line: &str) -> Option<(char, usize)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.chars().take_while(|&character| character == mark).count();
    let is_inline = mark == '`' && line[length..].contains('`');
    (length >= 3 && !is_inline).then_some((mark, length))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_refusal_reaches_to_the_end_of_its_sentence() {
        let (about, not) = (Field::About, Field::Not);
        for (text, expected) in [
            ("", vec![]),
            ("Reads PDF.", vec![(about, "Reads PDF.")]),
            (
                "Reads PDF. Do NOT use for sales.csv files. Prints text.",
                vec![
                    (about, "Reads PDF."),
                    (about, " "),
                    (not, "Do NOT use for sales.csv files."),
                    (about, " Prints text."),
                ],
            ),
            (
                "Reads PDF, not for Word; prints",
                vec![(about, "Reads PDF, "), (not, "not for Word;"), (about, " prints")],
            ),
            ("Knot for ropes, cannot forget", vec![(about, "Knot for ropes, cannot forget")]),
            (
                "读取 PDF。不要用于表格。打印",
                vec![(about, "读取 PDF。"), (about, ""), (not, "不要用于表格。"), (about, "打印")],
            ),
            (
                "Reads PDF\nSkip when it is a scan\nPrints",
                vec![
                    (about, "Reads PDF\n"),
                    (about, ""),
                    (not, "Skip when it is a scan\n"),
                    (about, "Prints"),
                ],
            ),
        ] {
            assert_eq!(about_parts(text), expected, "{text}");
        }
    }

    #[test]
    fn every_field_has_its_place_and_word() {
        for (place, field) in Field::ALL.into_iter().enumerate() {
            assert_eq!(field as usize, place);
            assert!(!field.as_str().is_empty());
        }
    }

    #[test]
    fn lines_of_a_body_by_field() {
        let body = "# Title\ntext\n#no heading\n####### seven\n```sh\n# code\n~~~\n``\n```\n##\n    # code by indent\n~~~~\nx\n~~~\n~~~~ y\n~~~~\nafter\n``` `inline` ```";
        let found: Vec<(&str, &str)> = body_lines(body).map(|(field, line)| (field.as_str(), line)).collect();
        assert_eq!(
            found,
            [
                ("headings", " Title"),
                ("prose", "text"),
                ("prose", "#no heading"),
                ("prose", "####### seven"),
                ("code", "# code"),
                ("code", "~~~"),
                ("code", "``"),
                ("headings", ""),
                ("prose", "    # code by indent"),
                ("code", "x"),
                ("code", "~~~"),
                ("code", "~~~~ y"),
                ("prose", "after"),
                ("prose", "``` `inline` ```"),
            ]
        );
    }

    proptest! {
        #[test]
        fn the_parts_of_a_description_are_the_description(text in "(not for|do not use|[a-z .;。\n]|不用于){0,12}") {
            let parts: String = about_parts(&text).into_iter().map(|(_, part)| part).collect();
            prop_assert_eq!(parts, text);
        }

        #[test]
        fn any_body_has_lines(body in "[`~# a\n]{0,60}") {
            prop_assert!(body_lines(&body).count() <= body.lines().count());
        }
    }
}
