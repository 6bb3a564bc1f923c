//! Copies of one skill among many: of each set one stands for all.
//!
//! Two skills are copies when their bodies say the same, or their names and descriptions do. About a third of the
//! public skills are copies of another, and three of them must not take the three places of a catalog. What is
//! known of one is never said of another; only their places in an order are one.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_128;

use super::text::normalise;

/// A body of fewer bytes says too little to tell copies by.
const SHORTEST_BODY: usize = 64;

/// What a copy is told by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Likeness {
    body: Option<u128>,
    about: u128,
}

impl Likeness {
    /// The likeness of a skill by its texts. White space and case make no difference.
    pub fn of(name: &str, description: &str, body: &str) -> Self {
        let body = normalise(body);
        let about = format!("{}\n{}", normalise(name), normalise(description));
        Self {
            body: (body.len() >= SHORTEST_BODY).then(|| xxh3_128(body.as_bytes())),
            about: xxh3_128(about.as_bytes()),
        }
    }
}

/// For each skill the one that stands for it: the first of its copies, itself when it is that or has none.
pub fn representatives(skills: impl IntoIterator<Item = Likeness>) -> Vec<usize> {
    let mut bodies: BTreeMap<u128, usize> = BTreeMap::new();
    let mut abouts: BTreeMap<u128, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for (number, likeness) in skills.into_iter().enumerate() {
        let same_body = likeness.body.and_then(|body| bodies.get(&body).copied());
        let first = same_body.or_else(|| abouts.get(&likeness.about).copied()).unwrap_or(number);
        bodies.extend(likeness.body.map(|body| (body, first)));
        abouts.entry(likeness.about).or_insert(first);
        all.push(first);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_a_body_or_a_name_and_description() {
        let (long, other) = ("Read the file. ".repeat(9), "Write the file. ".repeat(9));
        let skills = [
            ("pdf", "Reads PDF", long.as_str()),
            ("pdf-two", "Reads them", &long.replace(' ', "\n")),
            ("PDF", "reads  pdf", &other),
            ("csv", "Reads CSV", &other),
            ("short", "One", "See SKILL"),
            ("shorter", "Two", "See SKILL"),
        ];
        let likenesses = skills.map(|(name, description, body)| Likeness::of(name, description, body));
        assert_eq!(representatives(likenesses), [0, 0, 0, 0, 4, 5]);
        assert!(representatives([]).is_empty());
    }
}
