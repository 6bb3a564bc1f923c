//! "Did you mean": the known word nearest to a mistyped one.
//!
//! Case, hyphens and underscores do not count, so `max-active-skills` finds `maxActiveSkills`. A
//! word that is not near gets no suggestion, because a wrong one misleads.

/// Words longer than this are not mistyped keys.
const LONGEST: usize = 64;

/// The candidate nearest to `word`, when a person could have meant it; the first of equals.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let folded = fold(word);
    if folded.is_empty() || folded.len() > LONGEST {
        return None;
    }
    candidates
        .map(|candidate| {
            let other = fold(candidate);
            let limit = folded.len().max(other.len()) / 3;
            (distance(&folded, &other), limit.clamp(1, 4), candidate)
        })
        .filter(|(distance, limit, _)| distance <= limit)
        .min_by_key(|(distance, _, _)| *distance)
        .map(|(_, _, candidate)| candidate.to_owned())
}

fn fold(word: &str) -> Vec<char> {
    word.chars()
        .filter(|character| !"-_ ".contains(*character))
        .take(LONGEST + 1)
        .map(|character| character.to_ascii_lowercase())
        .collect()
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other
/// (optimal string alignment).
fn distance(one: &[char], two: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=two.len()).collect();
    for (row, left) in one.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, right) in two.iter().enumerate() {
            let mut cost = (last[column] + usize::from(left != right))
                .min(last[column + 1] + 1)
                .min(current[column] + 1);
            if row > 0 && column > 0 && *left == two[column - 1] && one[row - 1] == *right {
                cost = cost.min(before_last[column - 1] + 1);
            }
            current.push(cost);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[two.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::table::KEYS;

    #[test]
    fn nearest_key_by_example() {
        for (word, expected) in [
            ("maxActiveSkill", Some("maxActiveSkills")),
            ("max-active-skills", Some("maxActiveSkills")),
            ("MAX_ACTIVE_SKILLS", Some("maxActiveSkills")),
            ("maxSkilFiles", Some("maxSkillFiles")),
            ("route", Some("routes")),
            ("ruotes", Some("routes")),
            ("customRoot", Some("customRoots")),
            ("remoteTrustedOwner", Some("remoteTrustedOwners")),
            ("colour", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(nearest(word, KEYS.iter().map(|key| key.name)).as_deref(), expected, "{word}");
        }
        assert_eq!(nearest(&"a".repeat(100_000), KEYS.iter().map(|key| key.name)), None);
    }

    #[test]
    fn distance_counts_a_swap_once() {
        for (one, two, expected) in [("lexical", "lexcial", 1), ("", "abc", 3), ("abc", "abc", 0)] {
            assert_eq!(distance(&fold(one), &fold(two)), expected);
        }
    }
}
