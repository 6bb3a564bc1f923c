//! Remote skills that are offered for a task, and the order in which they are tried.
//!
//! An offer is metadata: nothing is fetched when it is published. When an agent loads one, the offers of its
//! name are tried in order until one succeeds; a failed one is never tried again. Who must agree to each is
//! decided here, who is asked is not.

/// When a remote skill may be fetched without a person's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalPolicy {
    /// Never: each pin is asked for.
    Always,
    /// Once a person agreed to its repository in this session.
    Session,
    /// Always.
    Automatic,
}

impl ApprovalPolicy {
    /// The policy of this word of the configuration.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "always" => Self::Always,
            "session" => Self::Session,
            "automatic" => Self::Automatic,
            _ => return None,
        })
    }

    /// Whether a skill may be fetched although nobody can be asked; `agreed` says whether a person already
    /// agreed to its repository in this session.
    pub fn admits_unasked(self, agreed: bool) -> bool {
        match self {
            Self::Always => false,
            Self::Session => agreed,
            Self::Automatic => true,
        }
    }
}

/// How one attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// The skill was fetched and can be read.
    Loaded,
    /// It could not be fetched, verified or stored.
    Failed,
    /// The time for all attempts was over.
    TimedOut,
}

impl Attempt {
    /// The word used in output and in the evaluation.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::Failed => "mount-failed",
            Self::TimedOut => "mount-timeout",
        }
    }
}

/// Candidates of one name, of which the first ones are published, and what became of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    published: usize,
    remaining: Vec<usize>,
    attempts: Vec<(usize, Attempt)>,
}

impl Chain {
    /// A chain over `candidates` candidates, best first, of which at most `limit` are published.
    pub fn new(candidates: usize, limit: usize) -> Self {
        Self { published: candidates.min(limit), remaining: (0..candidates).collect(), attempts: Vec::new() }
    }

    /// The candidates that are offered.
    pub fn published(&self) -> impl Iterator<Item = usize> {
        0..self.published
    }

    /// The next candidate to try; `None` after a success, at the deadline, and when all were tried.
    pub fn next(&self) -> Option<usize> {
        if matches!(self.attempts.last(), Some((_, Attempt::Loaded | Attempt::TimedOut))) {
            return None;
        }
        self.remaining.first().copied().filter(|&candidate| candidate < self.published)
    }

    /// Records how the attempt at `candidate` ended. A success settles every candidate of the name.
    pub fn record(&mut self, candidate: usize, attempt: Attempt) {
        match attempt {
            Attempt::Loaded => self.remaining.clear(),
            Attempt::Failed | Attempt::TimedOut => self.remaining.retain(|&other| other != candidate),
        }
        self.attempts.push((candidate, attempt));
    }

    /// The attempts in their order.
    pub fn attempts(&self) -> &[(usize, Attempt)] {
        &self.attempts
    }

    /// The candidates that can still be asked for.
    pub fn remaining(&self) -> &[usize] {
        &self.remaining
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(results: &[Attempt], limit: usize) -> Chain {
        let mut chain = Chain::new(results.len(), limit);
        while let Some(candidate) = chain.next() {
            chain.record(candidate, results[candidate]);
        }
        chain
    }

    #[test]
    fn the_first_success_ends_the_chain() {
        let chain = run(&[Attempt::Failed, Attempt::Loaded, Attempt::Loaded], 3);
        assert_eq!(chain.attempts(), [(0, Attempt::Failed), (1, Attempt::Loaded)]);
        assert!(chain.remaining().is_empty());
    }

    #[test]
    fn what_is_not_published_is_not_tried_and_stays() {
        let chain = run(&[Attempt::Failed, Attempt::Failed, Attempt::Loaded], 2);
        assert_eq!(chain.attempts().len(), 2);
        assert_eq!(chain.remaining(), [2]);
        assert_eq!(chain.published().collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_deadline_ends_the_chain_and_keeps_what_was_not_tried() {
        let chain = run(&[Attempt::Failed, Attempt::TimedOut, Attempt::Loaded], 3);
        assert_eq!(chain.attempts().len(), 2);
        assert_eq!(chain.remaining(), [2]);
    }
}
