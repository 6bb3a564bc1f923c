//! Copies of one skill among many: of each set one stands for all.
//!
//! Two skills are copies when their bodies say the same, or their names and descriptions do. About a third of the
//! public skills are copies of another, and three of them must not take the three places of a catalog. What is
//! known of one is never said of another; only their places in an order are one.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_128;

use super::text::normalise;

/// A body of fewer bytes says too little to tell copies by, but with the description.
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
        let (description, body) = (normalise(description), normalise(body));
        let about = format!("{}\n{description}", normalise(name));
        let body = if body.len() >= SHORTEST_BODY { body } else { format!("{description}\n{body}") };
        let says = body.len() >= SHORTEST_BODY;
        Self { body: says.then(|| xxh3_128(body.as_bytes())), about: xxh3_128(about.as_bytes()) }
    }

    /// How many bytes keep one.
    pub const BYTES: usize = 32;

    /// The bytes that keep it.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let (body, about) = bytes.split_at_mut(16);
        // No text has the hash 0 but by a chance of 2^-128, and what it has then is no copy.
        body.copy_from_slice(&self.body.unwrap_or(0).to_le_bytes());
        about.copy_from_slice(&self.about.to_le_bytes());
        bytes
    }

    /// The likeness that was kept.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let [body, about] =
            [0, 16].map(|start| u128::from_le_bytes(std::array::from_fn(|place| bytes[start + place])));
        Self { body: Some(body).filter(|body| *body > 0), about }
    }
}

/// A skill that stands for its copies, as a place in a list, and these copies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set {
    /// The one that is shown.
    pub shown: usize,
    /// The others, in order.
    pub copies: Vec<usize>,
}

/// The sets of copies in a list, in the order of the first of each. Of a set the one of the most `evidence` is shown,
/// of several the first; what has no likeness is nobody's copy.
pub fn sets<E: Ord>(skills: &[Option<Likeness>], evidence: impl Fn(usize) -> E) -> Vec<Set> {
    let mut order: Vec<usize> = (0..skills.len()).filter(|&place| skills[place].is_some()).collect();
    order.sort_by_key(|&place| std::cmp::Reverse(evidence(place)));
    let shown = representatives(order.iter().filter_map(|&place| skills[place]));
    let mut stands: Vec<usize> = (0..skills.len()).collect();
    for (&place, shown) in order.iter().zip(shown) {
        stands[place] = order[shown];
    }
    let mut sets: Vec<Set> = Vec::new();
    for (place, &shown) in stands.iter().enumerate() {
        let known = sets.iter().position(|set| set.shown == shown);
        let at = known.unwrap_or_else(|| {
            sets.push(Set { shown, copies: Vec::new() });
            sets.len() - 1
        });
        if place != shown {
            sets[at].copies.push(place);
        }
    }
    sets
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
    fn the_best_evidenced_stands_at_the_first_place_of_its_set() {
        let like = |body: &str, about: &str| Some(Likeness::of(about, "", &body.repeat(70)));
        let skills = [
            like("a", "one"),
            like("b", "two"),
            like("a", "three"),
            None,
            like("a", "four"),
            like("b", "five"),
        ];
        let evidence = [0, 1, 2, 9, 2, 1];
        let set = |shown, copies: &[usize]| Set { shown, copies: copies.to_vec() };
        assert_eq!(sets(&skills, |place| evidence[place]), [set(2, &[0, 4]), set(1, &[5]), set(3, &[])]);
        assert_eq!(sets(&skills, |_| 0), [set(0, &[2, 4]), set(1, &[5]), set(3, &[])]);
        for likeness in [like("a", "one").unwrap(), Likeness::of("short", "", "")] {
            assert_eq!(Likeness::from_bytes(likeness.to_bytes()), likeness);
        }
    }

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
