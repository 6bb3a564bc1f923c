//! What is remembered of the use of skills, and how it is kept small.
//!
//! A record belongs to a skill, not to one version of it: a remote skill is known by host, repository and
//! path, whatever its commit and whether it is stored yet; a skill of this machine by its folder. Counts only
//! grow, and no change of one count touches another. Nothing here reads a disk or a clock.

use std::{
    cmp::{Ordering, Reverse},
    fmt,
};

use super::{Origin, identity::Identity};
use crate::skill::time::UnixMillis;

/// A moment further ahead than this was recorded under a wrong clock, and counts as now.
const TRUSTED_AHEAD_MS: i64 = 60 * 60 * 1000;
/// A skill that was used within this time is not written down again because it is read.
const FRESH_MS: u64 = 60 * 1000;
/// How many bytes of a text are counted as one token.
const BYTES_A_TOKEN: u64 = 3;

/// Where a skill lies: what stays the same over its versions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkillPlace {
    /// A folder of a repository.
    Repository {
        /// The host.
        host: String,
        /// The number that the host gave the repository, which a rename does not change.
        id: Option<u64>,
        /// `owner/repo`; it decides where no number is known.
        name: String,
        /// The folder, empty for the root.
        path: String,
    },
    /// A folder of this machine, by its real path.
    Folder(String),
    /// In the program, by its name.
    Bundled(String),
}

impl fmt::Display for SkillPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repository { name, path, .. } => write!(formatter, "{name}//{path}"),
            Self::Folder(folder) => formatter.write_str(folder),
            Self::Bundled(name) => write!(formatter, "skill://skillflux/{name}/SKILL.md"),
        }
    }
}

/// What happened to a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageEvent {
    /// Its body was handed out.
    Load {
        /// The estimated tokens of the body.
        body_tokens: u64,
    },
    /// One of its other files was handed out, which shows that it is still in use.
    Read,
    /// It was mounted.
    Mount,
}

/// The estimated tokens of a text of so many bytes.
pub fn estimated_tokens(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX).div_ceil(BYTES_A_TOKEN)
}

/// The skill to which something happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageSubject {
    /// Where it lies.
    pub place: SkillPlace,
    /// The name by which it is shown.
    pub name: String,
    /// Where it came from this time.
    pub origin: Origin,
    /// The version, where it has a pin.
    pub pin: Option<Identity>,
}

/// What is remembered of one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageRecord {
    /// Where it lies.
    pub place: SkillPlace,
    /// Its name when it was last used.
    pub name: String,
    /// Where it came from then.
    pub origin: Origin,
    /// The version that was used then.
    pub pin: Option<Identity>,
    /// How often it was mounted.
    pub mounts: u64,
    /// How often its body was loaded.
    pub uses: u64,
    /// When it was last mounted.
    pub last_mounted_at: Option<UnixMillis>,
    /// When its body or one of its files was last handed out.
    pub last_used_at: Option<UnixMillis>,
    /// The estimated tokens of its body when it was last loaded.
    pub body_tokens: u64,
    /// The estimated tokens of all its bodies that were loaded.
    pub loaded_tokens: u64,
}

impl UsageRecord {
    fn new(subject: &UsageSubject) -> Self {
        Self {
            place: subject.place.clone(),
            name: subject.name.clone(),
            origin: subject.origin,
            pin: subject.pin,
            mounts: 0,
            uses: 0,
            last_mounted_at: None,
            last_used_at: None,
            body_tokens: 0,
            loaded_tokens: 0,
        }
    }

    /// When anything last happened to it.
    pub fn last_activity(&self) -> Option<UnixMillis> {
        self.last_used_at.max(self.last_mounted_at)
    }

    /// Adds what was counted of the same skill under a name that its repository had without a number.
    fn absorb(&mut self, other: &Self) {
        self.mounts = self.mounts.saturating_add(other.mounts);
        self.uses = self.uses.saturating_add(other.uses);
        self.last_mounted_at = self.last_mounted_at.max(other.last_mounted_at);
        self.last_used_at = self.last_used_at.max(other.last_used_at);
        self.loaded_tokens = self.loaded_tokens.saturating_add(other.loaded_tokens);
    }

    fn apply(&mut self, subject: &UsageSubject, event: UsageEvent, now: UnixMillis) {
        self.name.clone_from(&subject.name);
        self.origin = subject.origin;
        self.pin = subject.pin.or(self.pin);
        self.place = match (&subject.place, &self.place) {
            (
                SkillPlace::Repository { host, id: None, name, path },
                SkillPlace::Repository { id: known @ Some(_), .. },
            ) => SkillPlace::Repository {
                host: host.clone(),
                id: *known,
                name: name.clone(),
                path: path.clone(),
            },
            (place, _) => place.clone(),
        };
        match event {
            UsageEvent::Load { body_tokens } => {
                self.uses = self.uses.saturating_add(1);
                self.body_tokens = body_tokens;
                self.loaded_tokens = self.loaded_tokens.saturating_add(body_tokens);
                self.last_used_at = latest(self.last_used_at, now);
            }
            UsageEvent::Read => self.last_used_at = latest(self.last_used_at, now),
            UsageEvent::Mount => {
                self.mounts = self.mounts.saturating_add(1);
                self.last_mounted_at = latest(self.last_mounted_at, now);
            }
        }
    }

    /// First what is forgotten first: what nothing happened to for the longest time.
    fn forgotten_before(&self, other: &Self) -> Ordering {
        let key = |record: &Self| (record.last_activity(), record.uses, record.mounts);
        key(self).cmp(&key(other)).then_with(|| self.place.cmp(&other.place))
    }
}

/// The later of two moments, unless the recorded one was made under a clock that was ahead.
fn latest(recorded: Option<UnixMillis>, now: UnixMillis) -> Option<UnixMillis> {
    let limit = now.0.saturating_add(TRUSTED_AHEAD_MS);
    recorded.filter(|recorded| recorded.0 <= limit).max(Some(now))
}

/// The records of all skills.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UsageRecords(Vec<UsageRecord>);

impl UsageRecords {
    /// Records as they were stored.
    pub fn new(records: Vec<UsageRecord>) -> Self {
        Self(records)
    }

    /// All records, in no particular order.
    pub fn as_slice(&self) -> &[UsageRecord] {
        &self.0
    }

    /// All records, to be stored.
    pub fn into_vec(self) -> Vec<UsageRecord> {
        self.0
    }

    /// The record of the skill that lies there.
    pub fn find(&self, place: &SkillPlace) -> Option<&UsageRecord> {
        self.matching(place).first().map(|&index| &self.0[index])
    }

    /// Adds what happened to a skill.
    pub fn record(&mut self, subject: &UsageSubject, event: UsageEvent, now: UnixMillis) {
        let found = self.matching(&subject.place);
        let Some((&first, others)) = found.split_first() else {
            let mut record = UsageRecord::new(subject);
            record.apply(subject, event, now);
            self.0.push(record);
            return;
        };
        for &other in others {
            let other = self.0[other].clone();
            self.0[first].absorb(&other);
        }
        self.0[first].apply(subject, event, now);
        let mut index = 0;
        self.0.retain(|_| {
            index += 1;
            !others.contains(&(index - 1))
        });
    }

    /// Whether a read of the skill need not be written down, because it was used a moment ago.
    pub fn is_fresh(&self, subject: &UsageSubject, now: UnixMillis) -> bool {
        let last = self.find(&subject.place).and_then(|record| record.last_used_at);
        last.is_some_and(|last| last <= now && last.age_at(now) < FRESH_MS)
    }

    /// Forgets records until at most `most` are left whose sizes add up to at most `bytes`.
    pub fn bound(&mut self, most: usize, bytes: usize, size: impl Fn(&UsageRecord) -> usize) {
        let sizes = |records: &[UsageRecord]| records.iter().map(&size).sum::<usize>();
        let mut total = sizes(&self.0);
        if self.0.len() <= most && total <= bytes {
            return;
        }
        self.0.sort_by(UsageRecord::forgotten_before);
        let over = self.0.len().saturating_sub(most);
        total -= sizes(&self.0[..over]);
        self.0.drain(..over);
        let more = self.0.iter().take_while(|record| {
            let is_over = total > bytes;
            total -= if is_over { size(record) } else { 0 };
            is_over
        });
        let more = more.count();
        self.0.drain(..more);
    }

    /// Takes out the records that are meant, and gives them.
    pub fn remove(&mut self, is_meant: impl Fn(&UsageRecord) -> bool) -> Vec<UsageRecord> {
        let (removed, kept) = std::mem::take(&mut self.0).into_iter().partition(|record| is_meant(record));
        self.0 = kept;
        removed
    }

    /// All records, the most used first, then those used last.
    pub fn by_use(&self) -> Vec<&UsageRecord> {
        let mut records: Vec<&UsageRecord> = self.0.iter().collect();
        records.sort_by(|left, right| {
            let key = |record: &UsageRecord| {
                Reverse((record.uses, record.mounts, record.last_used_at, record.last_mounted_at))
            };
            key(left).cmp(&key(right)).then_with(|| left.place.cmp(&right.place))
        });
        records
    }

    /// Indices of the records of the skill that lies there, the one that knows most first.
    ///
    /// A number names a repository for good, and takes over what was counted under its name before the number
    /// was known. A name alone is that of the repository that had it last.
    fn matching(&self, place: &SkillPlace) -> Vec<usize> {
        let all = || 0..self.0.len();
        let SkillPlace::Repository { host, id, name, path } = place else {
            return all().find(|&index| self.0[index].place == *place).into_iter().collect();
        };
        let known = |index: usize| match &self.0[index].place {
            SkillPlace::Repository { host: its_host, id, name, path: its_path }
                if its_host == host && its_path == path =>
            {
                Some((*id, name))
            }
            _ => None,
        };
        let has_name = |its_name: &str| its_name.eq_ignore_ascii_case(name);
        let Some(id) = id else {
            let named = all().filter(|&index| known(index).is_some_and(|(_, name)| has_name(name)));
            return named.max_by_key(|&index| self.0[index].last_activity()).into_iter().collect();
        };
        let by_number = all().filter(|&index| known(index).is_some_and(|(its, _)| its == Some(*id)));
        let by_name = all()
            .filter(|&index| known(index).is_some_and(|(its, its_name)| its.is_none() && has_name(its_name)));
        by_number.chain(by_name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UnixMillis = UnixMillis(1_787_529_600_000);
    const DAY: i64 = 86_400_000;

    fn repository(id: Option<u64>, name: &str, path: &str) -> SkillPlace {
        SkillPlace::Repository {
            host: "github.com".to_owned(),
            id,
            name: name.to_owned(),
            path: path.to_owned(),
        }
    }

    fn subject(place: SkillPlace) -> UsageSubject {
        UsageSubject { place, name: "pdf".to_owned(), origin: Origin::Cache, pin: None }
    }

    fn later(days: i64) -> UnixMillis {
        UnixMillis(NOW.0 + days * DAY)
    }

    #[test]
    fn each_event_changes_its_own_counts_and_no_other() {
        let mut records = UsageRecords::default();
        let pdf = subject(SkillPlace::Folder("/s/pdf".to_owned()));
        records.record(&pdf, UsageEvent::Load { body_tokens: 100 }, NOW);
        records.record(&pdf, UsageEvent::Mount, later(1));
        records.record(&pdf, UsageEvent::Load { body_tokens: 50 }, later(2));
        records.record(&pdf, UsageEvent::Read, later(3));
        let [record] = records.as_slice() else { panic!("{records:?}") };
        assert_eq!((record.uses, record.mounts), (2, 1));
        assert_eq!((record.body_tokens, record.loaded_tokens), (50, 150));
        assert_eq!(record.last_mounted_at, Some(later(1)));
        assert_eq!(record.last_used_at, Some(later(3)));
        assert_eq!(record.last_activity(), Some(later(3)));
    }

    #[test]
    fn history_follows_a_skill_across_commits_names_and_numbers() {
        let mut records = UsageRecords::default();
        let mut load = |place: SkillPlace, pin: u8| {
            let pin = Some(Identity::listed("a/b", &pin.to_string()));
            let subject = UsageSubject { pin, ..subject(place) };
            records.record(&subject, UsageEvent::Load { body_tokens: 3 }, NOW);
            records.as_slice().iter().map(|record| (record.place.clone(), record.uses)).collect::<Vec<_>>()
        };
        let numbered = repository(Some(7), "Owner/Repo", "skills/pdf");
        // Seen by plain git first, which tells no number.
        load(repository(None, "owner/repo", "skills/pdf"), 1);
        assert_eq!(load(numbered.clone(), 2), [(numbered.clone(), 2)]);
        assert_eq!(load(repository(None, "OWNER/repo", "skills/pdf"), 2).len(), 1);
        // A rename keeps the number.
        let renamed = repository(Some(7), "owner/renamed", "skills/pdf");
        assert_eq!(load(renamed.clone(), 3), [(renamed.clone(), 4)]);
        // Another repository under the old name, another folder and another host are other skills.
        assert_eq!(load(repository(Some(8), "owner/repo", "skills/pdf"), 4).len(), 2);
        assert_eq!(load(repository(Some(7), "owner/renamed", "skills/other"), 5).len(), 3);
        let elsewhere = SkillPlace::Repository {
            host: "git.example".to_owned(),
            id: Some(7),
            name: "owner/renamed".to_owned(),
            path: "skills/pdf".to_owned(),
        };
        assert_eq!(load(elsewhere, 6).len(), 4);
        assert_eq!(records.find(&renamed).unwrap().uses, 4);
    }

    #[test]
    fn a_clock_that_was_ahead_does_not_stop_time() {
        let mut records = UsageRecords::default();
        let pdf = subject(SkillPlace::Bundled("pdf".to_owned()));
        records.record(&pdf, UsageEvent::Read, later(3650));
        records.record(&pdf, UsageEvent::Read, NOW);
        assert_eq!(records.as_slice()[0].last_used_at, Some(NOW));
        // Another process that looked at the clock a moment earlier does not turn it back.
        records.record(&pdf, UsageEvent::Read, UnixMillis(NOW.0 - 5));
        assert_eq!(records.as_slice()[0].last_used_at, Some(NOW));
    }

    #[test]
    fn a_read_is_fresh_for_a_minute() {
        let mut records = UsageRecords::default();
        let pdf = subject(SkillPlace::Bundled("pdf".to_owned()));
        assert!(!records.is_fresh(&pdf, NOW));
        records.record(&pdf, UsageEvent::Mount, NOW);
        assert!(!records.is_fresh(&pdf, NOW), "a mount is no use");
        records.record(&pdf, UsageEvent::Read, NOW);
        assert!(records.is_fresh(&pdf, UnixMillis(NOW.0 + 59_999)));
        assert!(!records.is_fresh(&pdf, UnixMillis(NOW.0 + 60_000)));
        assert!(!records.is_fresh(&pdf, UnixMillis(NOW.0 - 1)));
    }

    #[test]
    fn what_was_used_longest_ago_is_forgotten_first() {
        let filled = || {
            let mut records = UsageRecords::default();
            let events: [(&str, i64, UsageEvent); 5] = [
                ("e", 4, UsageEvent::Mount),
                ("d", 4, UsageEvent::Load { body_tokens: 1 }),
                ("c", 2, UsageEvent::Load { body_tokens: 1 }),
                ("b", 1, UsageEvent::Read),
                ("a", 1, UsageEvent::Read),
            ];
            for (name, day, event) in events {
                records.record(&subject(SkillPlace::Folder(name.to_owned())), event, later(day));
            }
            records
        };
        let left = |most: usize, bytes: usize| {
            let mut records = filled();
            records.bound(most, bytes, |_| 10);
            let mut names: Vec<String> =
                records.as_slice().iter().map(|record| record.place.to_string()).collect();
            names.sort();
            names.concat()
        };
        assert_eq!(left(5, 50), "abcde");
        assert_eq!(left(4, 50), "bcde");
        assert_eq!(left(3, 50), "cde");
        assert_eq!(left(2, 50), "de");
        assert_eq!(left(1, 50), "d", "a mount alone is no use");
        assert_eq!(left(5, 49), "bcde");
        assert_eq!(left(5, 25), "de");
        assert_eq!(left(2, 15), "d");
        assert_eq!(left(5, 9), "");
        let records = filled();
        let order: Vec<_> = records.by_use().into_iter().map(|record| record.place.to_string()).collect();
        assert_eq!(order.concat(), "dceab");
    }
}
