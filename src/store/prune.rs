//! Which stored skills to remove: a plan, made from sizes, ages and uses, before anything is touched.
//!
//! What is active is never chosen, even when the limits are then not kept. First go the skills that
//! nobody used for long enough, then the least valuable ones until the limits hold. The same arguments
//! give the same plan, in whatever order the entries are listed. Nothing is removed here.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BTreeMap, BTreeSet},
    fmt,
    num::NonZeroU64,
};

use crate::skill::time::UnixMillis;

/// The id of a stored skill.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CacheId(String);

impl CacheId {
    /// Parses 24 lower-case hexadecimal digits, the plugin's form, or 64, the whole hash.
    pub fn parse(text: &str) -> Option<Self> {
        let is_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        (matches!(text.len(), 24 | 64) && is_hex).then(|| Self(text.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CacheId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What may be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// The most skills.
    pub max_entries: NonZeroU64,
    /// The most bytes of all skills together.
    pub max_total_bytes: NonZeroU64,
    /// The milliseconds without activity after which a skill goes whatever the limits; 0 for never.
    pub max_idle_ms: u64,
}

/// One stored skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// Its id; no two skills of a plan share one.
    pub id: CacheId,
    /// Where it came from, such as `owner/repo`.
    pub source: String,
    /// Its name.
    pub name: String,
    /// When it was stored.
    pub installed_at: UnixMillis,
    /// The size of its files.
    pub total_bytes: u64,
    /// Its quality of 0 to 100 when it was stored; unknown counts as 0.
    pub quality: Option<u8>,
    /// Its installations when it was stored; unknown counts as 0.
    pub installs: Option<u64>,
}

/// What was recorded of the use of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UseRecord {
    /// Where the skill came from.
    pub source: String,
    /// Its name.
    pub name: String,
    /// The stored skill that was used. Without it, the record counts for the newest one of this source
    /// and name.
    pub id: Option<CacheId>,
    /// How often it was mounted.
    pub mounts: u64,
    /// How often it was used.
    pub uses: u64,
    /// When it was last mounted.
    pub last_mounted_at: Option<UnixMillis>,
    /// When it was last used.
    pub last_used_at: Option<UnixMillis>,
    /// The tokens of all its bodies that were loaded.
    pub loaded_body_tokens: u64,
}

/// Why a skill goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Nobody used it for long enough.
    Idle,
    /// There are too many skills.
    EntryLimit,
    /// There are too many bytes.
    ByteLimit,
    /// Both.
    EntryAndByteLimit,
}

impl Reason {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::EntryLimit => "entry-limit",
            Self::ByteLimit => "byte-limit",
            Self::EntryAndByteLimit => "entry-and-byte-limit",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// One skill that goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Which.
    pub id: CacheId,
    /// Why, judged before it is removed.
    pub reason: Reason,
}

/// How much is stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of skills.
    pub entries: u64,
    /// The bytes of all of them; sizes come from files, and their sum must not overflow.
    pub bytes: u128,
}

/// What shall be removed, in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The skills that go, first those that are idle.
    pub decisions: Vec<Decision>,
    /// The stored skills that are active, sorted.
    pub protected: Vec<CacheId>,
    /// What is stored now.
    pub before: Totals,
    /// What is stored afterwards.
    pub after: Totals,
}

/// Plans what to remove so that `policy` holds.
///
/// `active` are the skills that are mounted or leased; ids that are not stored do no harm.
pub fn plan(
    policy: Policy,
    entries: &[Installed],
    records: &[UseRecord],
    active: &BTreeSet<CacheId>,
    now: UnixMillis,
) -> Plan {
    plan_with(&Criterion::ORDER, policy, entries, records, active, now)
}

/// What makes one skill go before another.
///
/// Production code knows only [`Criterion::ORDER`]; the evaluation varies it to prove that its corpus
/// notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Criterion {
    FewerUses,
    FewerMounts,
    EarlierActivity,
    LowerQuality,
    FewerInstalls,
    MoreLoadedTokens,
    LowerId,
}

impl Criterion {
    pub(crate) const ORDER: [Self; 7] = [
        Self::FewerUses,
        Self::FewerMounts,
        Self::EarlierActivity,
        Self::LowerQuality,
        Self::FewerInstalls,
        Self::MoreLoadedTokens,
        Self::LowerId,
    ];

    fn compare(self, left: &Removable<'_>, right: &Removable<'_>) -> Ordering {
        match self {
            Self::FewerUses => left.history.uses.cmp(&right.history.uses),
            Self::FewerMounts => left.history.mounts.cmp(&right.history.mounts),
            Self::EarlierActivity => left.last_activity.cmp(&right.last_activity),
            Self::LowerQuality => left.entry.quality.unwrap_or(0).cmp(&right.entry.quality.unwrap_or(0)),
            Self::FewerInstalls => left.entry.installs.unwrap_or(0).cmp(&right.entry.installs.unwrap_or(0)),
            Self::MoreLoadedTokens => {
                Reverse(left.history.loaded_tokens).cmp(&Reverse(right.history.loaded_tokens))
            }
            Self::LowerId => left.entry.id.cmp(&right.entry.id),
        }
    }
}

pub(crate) fn plan_with(
    order: &[Criterion],
    policy: Policy,
    entries: &[Installed],
    records: &[UseRecord],
    active: &BTreeSet<CacheId>,
    now: UnixMillis,
) -> Plan {
    let histories = histories(entries, records);
    let (protected, removable): (Vec<_>, Vec<_>) =
        entries.iter().partition(|entry| active.contains(&entry.id));
    let mut protected = protected.into_iter().map(|entry| entry.id.clone()).collect::<Vec<_>>();
    protected.sort_unstable();
    let mut removable =
        removable.into_iter().map(|entry| Removable::new(entry, &histories, now)).collect::<Vec<_>>();
    removable.sort_by(|left, right| {
        order
            .iter()
            .map(|criterion| criterion.compare(left, right))
            .find(|it| it.is_ne())
            .unwrap_or(Ordering::Equal)
    });
    let before = Totals::of(entries);
    let mut after = before;
    let mut decisions = Vec::new();
    let mut remove = |removable: &Removable<'_>, reason, after: &mut Totals| {
        after.entries -= 1;
        after.bytes -= u128::from(removable.entry.total_bytes);
        decisions.push(Decision { id: removable.entry.id.clone(), reason });
    };
    let is_idle = |removable: &Removable<'_>| {
        policy.max_idle_ms > 0 && removable.last_activity.age_at(now) >= policy.max_idle_ms
    };
    let (idle, rest): (Vec<_>, Vec<_>) = removable.into_iter().partition(is_idle);
    for removable in &idle {
        remove(removable, Reason::Idle, &mut after);
    }
    for removable in &rest {
        let Some(reason) = policy.broken_by(after) else { break };
        remove(removable, reason, &mut after);
    }
    Plan { decisions, protected, before, after }
}

impl Policy {
    /// The limit that these totals break.
    fn broken_by(self, totals: Totals) -> Option<Reason> {
        let too_many = totals.entries > self.max_entries.get();
        let too_large = totals.bytes > u128::from(self.max_total_bytes.get());
        match (too_many, too_large) {
            (false, false) => None,
            (true, false) => Some(Reason::EntryLimit),
            (false, true) => Some(Reason::ByteLimit),
            (true, true) => Some(Reason::EntryAndByteLimit),
        }
    }

    /// Whether these totals keep the limits.
    pub fn is_kept_by(self, totals: Totals) -> bool {
        self.broken_by(totals).is_none()
    }
}

impl Totals {
    fn of(entries: &[Installed]) -> Self {
        entries.iter().fold(Self::default(), |totals, entry| Self {
            entries: totals.entries + 1,
            bytes: totals.bytes + u128::from(entry.total_bytes),
        })
    }
}

struct Removable<'a> {
    entry: &'a Installed,
    history: History,
    last_activity: UnixMillis,
}

impl<'a> Removable<'a> {
    fn new(entry: &'a Installed, histories: &BTreeMap<&CacheId, History>, now: UnixMillis) -> Self {
        let history = histories.get(&entry.id).copied().unwrap_or_default();
        let latest = history.last_activity.map_or(entry.installed_at, |last| last.max(entry.installed_at));
        // A record from the future, after a clock was set back, does not protect for longer than one of now.
        Self { entry, history, last_activity: latest.min(now) }
    }
}

/// The sum of the records of one stored skill.
#[derive(Debug, Clone, Copy, Default)]
struct History {
    uses: u64,
    mounts: u64,
    last_activity: Option<UnixMillis>,
    loaded_tokens: u64,
}

impl History {
    fn add(&mut self, record: &UseRecord) {
        self.uses = self.uses.saturating_add(record.uses);
        self.mounts = self.mounts.saturating_add(record.mounts);
        self.last_activity = self.last_activity.max(record.last_mounted_at).max(record.last_used_at);
        self.loaded_tokens = self.loaded_tokens.saturating_add(record.loaded_body_tokens);
    }
}

/// Joins records to stored skills. The use of one version says nothing about another.
fn histories<'a>(entries: &'a [Installed], records: &'a [UseRecord]) -> BTreeMap<&'a CacheId, History> {
    let mut newest: BTreeMap<(&str, &str), &Installed> = BTreeMap::new();
    for entry in entries {
        let place = newest.entry((&entry.source, &entry.name)).or_insert(entry);
        if (entry.installed_at, &entry.id) > (place.installed_at, &place.id) {
            *place = entry;
        }
    }
    let mut histories: BTreeMap<&CacheId, History> = BTreeMap::new();
    for record in records {
        let named = (record.source.as_str(), record.name.as_str());
        let id = record.id.as_ref().or_else(|| newest.get(&named).map(|entry| &entry.id));
        if let Some(id) = id {
            histories.entry(id).or_default().add(record);
        }
    }
    histories
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: UnixMillis = UnixMillis(1_000_000);

    fn id(digit: char) -> CacheId {
        CacheId::parse(&digit.to_string().repeat(24)).unwrap()
    }

    fn installed(digit: char, installed_at: i64, total_bytes: u64) -> Installed {
        Installed {
            id: id(digit),
            source: "owner/repo".to_owned(),
            name: "skill".to_owned(),
            installed_at: UnixMillis(installed_at),
            total_bytes,
            quality: None,
            installs: None,
        }
    }

    fn policy(max_entries: u64, max_total_bytes: u64, max_idle_ms: u64) -> Policy {
        Policy {
            max_entries: NonZeroU64::new(max_entries).unwrap(),
            max_total_bytes: NonZeroU64::new(max_total_bytes).unwrap(),
            max_idle_ms,
        }
    }

    fn record(id: Option<CacheId>, uses: u64) -> UseRecord {
        UseRecord {
            source: "owner/repo".to_owned(),
            name: "skill".to_owned(),
            id,
            mounts: 0,
            uses,
            last_mounted_at: None,
            last_used_at: None,
            loaded_body_tokens: 0,
        }
    }

    fn words(plan: &Plan) -> Vec<String> {
        plan.decisions.iter().map(|one| format!("{} {}", &one.id.as_str()[..1], one.reason)).collect()
    }

    #[test]
    fn idle_skills_go_first_and_count_for_the_limits() {
        let entries = [installed('a', 500, 10), installed('b', 999_000, 10), installed('c', 0, 10)];
        let plan = plan(policy(1, 15, 999_500), &entries, &[], &BTreeSet::new(), NOW);
        assert_eq!(words(&plan), ["c idle", "a idle"]);
        assert_eq!(plan.before, Totals { entries: 3, bytes: 30 });
        assert_eq!(plan.after, Totals { entries: 1, bytes: 10 });
    }

    #[test]
    fn each_reason_is_judged_before_its_removal() {
        let entries = [installed('a', 0, 10), installed('b', 1, 1), installed('c', 2, 5)];
        let none = BTreeSet::new();
        let reasons = |max_entries, max_bytes| {
            words(&plan(policy(max_entries, max_bytes, 0), &entries, &[], &none, NOW))
        };
        assert_eq!(reasons(1, 10), ["a entry-and-byte-limit", "b entry-limit"]);
        assert_eq!(reasons(3, 6), ["a byte-limit"]);
        assert_eq!(reasons(3, 5), ["a byte-limit", "b byte-limit"]);
        assert_eq!(reasons(3, 16), [""; 0]);
    }

    #[test]
    fn what_is_active_stays_over_every_limit() {
        let entries = [installed('b', 0, u64::MAX), installed('a', 0, u64::MAX)];
        let active = [id('a'), id('b'), id('c')].into();
        let plan = plan(policy(1, 1, 1), &entries, &[], &active, NOW);
        assert_eq!(plan.decisions, []);
        assert_eq!(plan.protected, [id('a'), id('b')]);
        assert_eq!(plan.after, Totals { entries: 2, bytes: 2 * u128::from(u64::MAX) });
    }

    #[test]
    fn a_record_without_an_id_counts_for_the_newest_version() {
        let entries = [installed('c', 5, 1), installed('a', 9, 1), installed('b', 9, 1)];
        let first = |records: &[UseRecord]| {
            words(&plan(policy(2, 9, 0), &entries, records, &BTreeSet::new(), NOW)).remove(0)
        };
        assert_eq!(first(&[]), "c entry-limit");
        // The versions `a` and `b` are equally new, and the greater id is taken.
        assert_eq!(first(&[record(Some(id('c')), 1), record(None, 1)]), "a entry-limit");
        assert_eq!(first(&[record(Some(id('c')), 1), record(Some(id('a')), 1)]), "b entry-limit");
        assert_eq!(first(&[record(Some(id('d')), 1)]), "c entry-limit");
    }

    #[test]
    fn ids_have_one_of_two_lengths() {
        assert_eq!(CacheId::parse(&"0f".repeat(32)).unwrap().to_string(), "0f".repeat(32));
        for bad in ["", "a", &"A".repeat(24), &"g".repeat(24), &"a".repeat(40)] {
            assert_eq!(CacheId::parse(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn a_plan_keeps_what_it_promises(
            sizes in prop::collection::vec((0..40_u64, -100..1_000_100_i64, 0..3_u64, any::<bool>()), 0..16),
            (max_entries, max_bytes, max_idle) in (1..12_u64, 1..200_u64, 0..1_000_000_u64),
        ) {
            let digits = "0123456789abcdef".chars();
            let mut entries = Vec::new();
            let (mut records, mut active) = (Vec::new(), BTreeSet::new());
            for (digit, (bytes, at, uses, is_active)) in digits.zip(sizes) {
                entries.push(installed(digit, at, bytes));
                records.push(record(Some(id(digit)), uses));
                active.extend(is_active.then(|| id(digit)));
            }
            let policy = policy(max_entries, max_bytes, max_idle);
            let made = plan(policy, &entries, &records, &active, NOW);
            let gone = made.decisions.iter().map(|decision| &decision.id).collect::<BTreeSet<_>>();
            prop_assert_eq!(gone.len(), made.decisions.len());
            prop_assert!(active.iter().all(|id| !gone.contains(id)));
            let left = entries.iter().filter(|entry| !gone.contains(&entry.id)).cloned().collect::<Vec<_>>();
            prop_assert_eq!(Totals::of(&left), made.after);
            prop_assert!(policy.is_kept_by(made.after) || left.len() == made.protected.len());
            entries.reverse();
            records.reverse();
            prop_assert_eq!(plan(policy, &entries, &records, &active, NOW), made);
        }
    }
}
