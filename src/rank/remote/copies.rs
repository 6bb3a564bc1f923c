//! Copies of one skill, shown once.
//!
//! Two candidates are copies when their `SKILL.md` is the same blob, or when both were seen and have the
//! same name and description. The one with the most evidence is shown; the others are named with it. What
//! is known about one is never said of another.

use std::{collections::BTreeMap, fmt};

use super::Ranked;
use crate::{rank::text::normalise, skill::id::BlobSha};

/// Another place that shows the same skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// `owner/repo`, or another address.
    pub address: String,
    /// Its folder, empty for the root.
    pub path: Option<String>,
}

impl fmt::Display for Duplicate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_deref() {
            None | Some("") => formatter.write_str(&self.address),
            Some(path) => write!(formatter, "{}//{path}", self.address),
        }
    }
}

/// Keeps one of each set of copies, at its own place in the order.
pub(super) fn collapse(ordered: Vec<Ranked>) -> Vec<Ranked> {
    let mut by_evidence: Vec<usize> = (0..ordered.len()).collect();
    by_evidence.sort_by_key(|&index| std::cmp::Reverse(ordered[index].level()));
    let mut blobs: BTreeMap<BlobSha, usize> = BTreeMap::new();
    let mut words: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut shown: Vec<usize> = (0..ordered.len()).collect();
    for &index in &by_evidence {
        // Without its header, a listing's words are only its name.
        let candidate = &ordered[index].candidate;
        let Some(blob) = candidate.skill_file.clone() else { continue };
        let text = (normalise(&candidate.name), normalise(&candidate.description));
        let first = blobs.get(&blob).or_else(|| words.get(&text)).copied().unwrap_or(index);
        blobs.entry(blob).or_insert(first);
        words.entry(text).or_insert(first);
        shown[index] = first;
    }
    let mut copies: BTreeMap<usize, Vec<Duplicate>> = BTreeMap::new();
    for (index, &first) in shown.iter().enumerate() {
        if first != index {
            let candidate = &ordered[index].candidate;
            let copy = Duplicate { address: candidate.address.clone(), path: candidate.path.clone() };
            copies.entry(first).or_default().push(copy);
        }
    }
    let kept = ordered.into_iter().enumerate().filter(|(index, _)| shown[*index] == *index);
    kept.map(|(index, ranked)| Ranked { copies: copies.remove(&index).unwrap_or_default(), ..ranked })
        .collect()
}
