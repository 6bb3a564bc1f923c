//! Taking entries away: prune and clean.
//!
//! What goes is decided while `gc.lock` is held alone: by the pure plan of [`super::prune`] or by a person.
//! Pins go first, then their entries are renamed to the trash, then the lock is given back, then the trash is
//! emptied; a process that is killed in between leaves only what the next removal takes away. An entry goes
//! when its last pin goes. Whatever is leased stays, and whatever a newer release wrote.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{
    PINS, STORE, Store, StoreError,
    folder::Folder,
    holder::Holder,
    inventory::{EntryState, Inventory, StoredEntry},
    lease, lock, names,
    pins::PinRecord,
    prune::{self, CacheId, Installed, Policy, Reason, Totals, UseRecord},
    sweep::{self, Swept},
};
use crate::{
    candidate::identity::Identity,
    skill::{id::TreeDigest, time::UnixMillis},
};

/// How a removal is done.
#[derive(Debug, Clone, Copy)]
pub struct RemovalTerms<'a> {
    /// How long to wait for others who use the cache.
    pub wait: Duration,
    /// Whether only to say what would be removed.
    pub dry_run: bool,
    /// The process that asks.
    pub holder: &'a Holder,
    /// The present.
    pub now: UnixMillis,
}

/// Why an entry is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RemovalReason {
    /// The policy asks for it.
    Policy(Reason),
    /// No pin names it: a process was killed between storing it and writing its pin.
    Unpinned,
    /// A person asked for it.
    Asked,
    /// It cannot be understood, and a person asked for everything to go.
    Invalid,
}

impl RemovalReason {
    /// The word used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Policy(reason) => reason.as_str(),
            Self::Unpinned => "unpinned",
            Self::Asked => "asked",
            Self::Invalid => "invalid",
        }
    }
}

/// An entry, or only pins of one, that is removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// The entry.
    pub digest: TreeDigest,
    /// The pins that go, sorted.
    pub pins: Vec<Identity>,
    /// The bytes that become free; 0 when another pin still needs the entry.
    pub bytes: u64,
    /// Why.
    pub reason: RemovalReason,
    /// Whether the entry itself goes, and not only pins of it.
    pub entry: bool,
}

/// What a prune removed, or would remove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pruned {
    /// The entries that go, in order of removal.
    pub removed: Vec<Removed>,
    /// The entries that are kept because they are in use, sorted.
    pub protected: Vec<TreeDigest>,
    /// What was stored; content that several pins share counts once.
    pub before: Totals,
    /// What is stored afterwards.
    pub after: Totals,
    /// What was left behind by others; nothing on a dry run.
    pub swept: Swept,
}

/// What to remove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clean {
    /// Everything that is not leased.
    All,
    /// The pin whose identity, or the entry whose digest, begins with these digits.
    One(String),
}

/// What was removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// The entries and pins that went.
    pub removed: Vec<Removed>,
    /// The entries that stay because they are leased, sorted.
    pub leased: Vec<TreeDigest>,
    /// Pins that could not be understood and went.
    pub invalid_pins: usize,
    /// Entries and pins of a newer release, which stay.
    pub newer: usize,
    /// What was left behind by others; nothing on a dry run.
    pub swept: Swept,
}

impl Store {
    /// Removes what the policy does not allow to stay, and what killed processes left behind.
    ///
    /// Content that several pins name counts once, with the uses of all of them. Entries that are leased or
    /// that one of the pins in `active` names stay. `records` name pins by their identity. An entry that
    /// cannot be understood is never chosen, for nobody knows whose it is.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] when others used the cache for longer than the wait; then nothing was removed.
    pub fn prune(
        &self,
        policy: Policy,
        records: &[UseRecord],
        active: &BTreeSet<Identity>,
        terms: RemovalTerms<'_>,
    ) -> Result<Pruned, StoreError> {
        let Some(root) = self.open_root()? else { return Ok(nothing_pruned()) };
        let guard = terms.lock(&root)?;
        let inventory = Inventory::take(self, &root)?;
        let leased = lease::live(&root, terms.holder, terms.now)?;
        let mut pruned = plan(policy, records, active, &inventory, &leased, terms.now);
        if terms.dry_run {
            return Ok(pruned);
        }
        pruned.swept = sweep::sweep(&root, terms.holder, terms.now)?;
        discard(&root, &inventory, &pruned.removed)?;
        drop(guard);
        sweep::empty_trash(&root)?;
        Ok(pruned)
    }

    /// Removes one skill or all of them, except those that are leased.
    ///
    /// # Errors
    ///
    /// As [`Self::prune`]; [`StoreError::NotFound`] and [`StoreError::Ambiguous`] for one.
    pub fn clean(&self, what: &Clean, terms: RemovalTerms<'_>) -> Result<Cleaned, StoreError> {
        let Some(root) = self.open_root()? else {
            return match what {
                Clean::All => Ok(Cleaned::default()),
                Clean::One(prefix) => Err(StoreError::NotFound(prefix.clone())),
            };
        };
        let guard = terms.lock(&root)?;
        let inventory = Inventory::take(self, &root)?;
        let leased = lease::live(&root, terms.holder, terms.now)?;
        let mut cleaned = match what {
            Clean::All => everything(&inventory),
            Clean::One(prefix) => one(&inventory, prefix)?,
        };
        let (kept, removed) =
            cleaned.removed.into_iter().partition(|removed| leased.contains(&removed.digest));
        cleaned.removed = removed;
        cleaned.leased = kept.into_iter().map(|kept: Removed| kept.digest).collect();
        cleaned.newer = inventory.newer();
        if terms.dry_run {
            return Ok(cleaned);
        }
        cleaned.swept = sweep::sweep(&root, terms.holder, terms.now)?;
        if *what == Clean::All {
            remove_invalid_pins(&root, &inventory)?;
        }
        discard(&root, &inventory, &cleaned.removed)?;
        drop(guard);
        sweep::empty_trash(&root)?;
        Ok(cleaned)
    }
}

impl RemovalTerms<'_> {
    /// Whoever only looks needs no more than a reader does.
    fn lock(&self, root: &Folder) -> Result<lock::Guard, StoreError> {
        if self.dry_run { lock::shared_to_read(root) } else { lock::alone(root, self.wait) }
    }
}

fn nothing_pruned() -> Pruned {
    let (before, after) = (Totals::default(), Totals::default());
    Pruned { removed: Vec::new(), protected: Vec::new(), before, after, swept: Swept::default() }
}

/// Decides what a prune removes.
fn plan(
    policy: Policy,
    records: &[UseRecord],
    active: &BTreeSet<Identity>,
    inventory: &Inventory,
    leased: &BTreeSet<TreeDigest>,
    now: UnixMillis,
) -> Pruned {
    let by_entry = inventory.pins_by_entry();
    let complete = || inventory.entries.iter().filter(|entry| entry.state == EntryState::Complete);
    let installed: Vec<Installed> =
        complete().filter_map(|entry| Some(installed(entry, by_entry.get(&entry.digest)?))).collect();
    let is_active = |record: &&PinRecord| active.contains(&record.identity);
    let named = inventory.pins.records.iter().filter(is_active).map(|record| record.digest);
    let kept: BTreeSet<TreeDigest> = named.chain(leased.iter().copied()).collect();
    // What a newer release may need counts, and stays.
    let protected = |digest: &TreeDigest| kept.contains(digest) || inventory.newer_pin_may_need(digest);
    let protected: BTreeSet<CacheId> = complete()
        .filter(|entry| protected(&entry.digest))
        .map(|entry| names::plan_id(&entry.digest))
        .collect();
    let records = of_entries(records, &inventory.pins.records);
    let plan = prune::plan(policy, &installed, &records, &protected, now);
    let mut before = plan.before;
    let unpinned: Vec<&StoredEntry> = complete()
        .filter(|entry| !by_entry.contains_key(&entry.digest))
        .filter(|entry| !protected.contains(&names::plan_id(&entry.digest)))
        .collect();
    let mut removed = Vec::new();
    for entry in unpinned {
        before.entries += 1;
        before.bytes += u128::from(entry.bytes);
        removed.push(whole(entry, &[], RemovalReason::Unpinned));
    }
    let entries: BTreeMap<CacheId, &StoredEntry> =
        complete().map(|entry| (names::plan_id(&entry.digest), entry)).collect();
    removed.extend(plan.decisions.iter().filter_map(|decision| {
        let entry = entries.get(&decision.id)?;
        Some(whole(entry, by_entry.get(&entry.digest)?, RemovalReason::Policy(decision.reason)))
    }));
    let protected = plan.protected.iter().filter_map(|id| Some(entries.get(id)?.digest)).collect();
    Pruned { removed, protected, before, after: plan.after, swept: Swept::default() }
}

/// An entry as the plan sees it: with the best that its pins say.
fn installed(entry: &StoredEntry, pins: &[&PinRecord]) -> Installed {
    let newest = pins.iter().max_by_key(|pin| (pin.installed_at, pin.identity));
    Installed {
        id: names::plan_id(&entry.digest),
        source: newest.map(|pin| pin.repository.to_string()).unwrap_or_default(),
        name: newest.map(|pin| pin.name.to_string()).unwrap_or_default(),
        installed_at: newest.map_or(UnixMillis(0), |pin| pin.installed_at),
        total_bytes: entry.bytes,
        quality: pins.iter().filter_map(|pin| pin.quality).max(),
        installs: pins.iter().filter_map(|pin| pin.installs).max(),
    }
}

/// The records with the entry in the place of the pin; a record without a pin is that of the newest pin of its
/// source and name. Records of pins that are not stored are left out.
fn of_entries(records: &[UseRecord], pins: &[PinRecord]) -> Vec<UseRecord> {
    let mut by_id = BTreeMap::new();
    let mut newest: BTreeMap<(String, &str), &PinRecord> = BTreeMap::new();
    for pin in pins {
        by_id.insert(pin.identity.to_string(), pin);
        by_id.insert(pin.identity.short(), pin);
        let place = newest.entry((pin.repository.to_string(), pin.name.as_str())).or_insert(pin);
        if (pin.installed_at, pin.identity) > (place.installed_at, place.identity) {
            *place = pin;
        }
    }
    let of_entry = |record: &UseRecord| {
        let pin = match &record.id {
            Some(id) => by_id.get(id.as_str()),
            None => newest.get(&(record.source.clone(), record.name.as_str())),
        }?;
        Some(UseRecord { id: Some(names::plan_id(&pin.digest)), ..record.clone() })
    };
    records.iter().filter_map(of_entry).collect()
}

/// An entry with all its pins.
fn whole(entry: &StoredEntry, pins: &[&PinRecord], reason: RemovalReason) -> Removed {
    let mut pins: Vec<Identity> = pins.iter().map(|pin| pin.identity).collect();
    pins.sort_unstable();
    Removed { digest: entry.digest, pins, bytes: entry.bytes, reason, entry: true }
}

/// Everything that this release can name: entries, and pins whose entry is gone.
fn everything(inventory: &Inventory) -> Cleaned {
    let mut by_entry = inventory.pins_by_entry();
    let mut cleaned = Cleaned::default();
    for entry in &inventory.entries {
        let pins = by_entry.remove(&entry.digest).unwrap_or_default();
        let reason = match &entry.state {
            EntryState::Complete if inventory.newer_pin_may_need(&entry.digest) => continue,
            EntryState::Newer(_) => continue,
            EntryState::Complete => RemovalReason::Asked,
            EntryState::Invalid(_) => RemovalReason::Invalid,
        };
        cleaned.removed.push(whole(entry, &pins, reason));
    }
    cleaned.removed.extend(by_entry.into_iter().map(|(digest, pins)| only_pins(digest, &pins)));
    cleaned.invalid_pins = inventory.pins.invalid.iter().filter(|pin| pin.newer.is_none()).count();
    cleaned
}

/// Pins alone; their entry stays for others, or is gone.
fn only_pins(digest: TreeDigest, pins: &[&PinRecord]) -> Removed {
    let mut pins: Vec<Identity> = pins.iter().map(|pin| pin.identity).collect();
    pins.sort_unstable();
    Removed { digest, pins, bytes: 0, reason: RemovalReason::Asked, entry: false }
}

/// The one pin or entry whose digits begin with `text`.
fn one(inventory: &Inventory, text: &str) -> Result<Cleaned, StoreError> {
    let (prefix, only_entries) = match text.strip_prefix("sha256:") {
        Some(prefix) => (prefix, true),
        None => (text, false),
    };
    if prefix.len() < 4 {
        return Err(StoreError::NotFound(text.to_owned()));
    }
    let by_entry = inventory.pins_by_entry();
    let begins = |id: String| id.starts_with(prefix);
    let entries: Vec<_> = inventory.entries.iter().filter(|entry| begins(entry.digest.to_string())).collect();
    let pins = inventory.pins.records.iter().filter(|pin| !only_entries && begins(pin.identity.to_string()));
    let pins: Vec<_> = pins.collect();
    let removed = match (entries.as_slice(), pins.as_slice()) {
        ([entry], []) if matches!(entry.state, EntryState::Newer(_)) => None,
        ([entry], []) => {
            let pins = by_entry.get(&entry.digest).map_or(&[][..], Vec::as_slice);
            Some(whole(entry, pins, RemovalReason::Asked))
        }
        ([], [pin]) => {
            let is_last = by_entry.get(&pin.digest).is_none_or(|pins| pins.len() == 1)
                && !inventory.newer_pin_may_need(&pin.digest);
            let entry = inventory.entries.iter().find(|entry| entry.digest == pin.digest);
            let entry = entry.filter(|entry| is_last && !matches!(entry.state, EntryState::Newer(_)));
            Some(entry.map_or_else(
                || only_pins(pin.digest, &[*pin]),
                |entry| whole(entry, &[*pin], RemovalReason::Asked),
            ))
        }
        ([], []) => return Err(StoreError::NotFound(text.to_owned())),
        (entries, pins) => {
            let count = entries.len() + pins.len();
            return Err(StoreError::Ambiguous { prefix: text.to_owned(), count });
        }
    };
    Ok(Cleaned { removed: removed.into_iter().collect(), ..Cleaned::default() })
}

/// Removes pins, then moves their entries to the trash. The caller has `gc.lock` alone.
fn discard(root: &Folder, inventory: &Inventory, removed: &[Removed]) -> Result<(), StoreError> {
    let pins = root.below(PINS)?;
    let pinned = removed.iter().flat_map(|removed| &removed.pins);
    if let Some(pins) = &pins {
        for identity in pinned {
            pins.remove_file(names::pin(identity))?;
        }
        if !removed.is_empty() {
            // After a power failure an entry without a pin may stay, but no pin without its entry.
            pins.sync()?;
        }
    }
    let Some(store) = root.below(STORE)? else { return Ok(()) };
    let is_stored = |digest| inventory.entries.binary_search_by_key(digest, |entry| entry.digest).is_ok();
    for removed in removed.iter().filter(|removed| removed.entry && is_stored(&removed.digest)) {
        sweep::discard_entry(root, &store, &removed.digest)?;
    }
    Ok(())
}

/// Removes pins that cannot be understood, but not those of a newer release.
fn remove_invalid_pins(root: &Folder, inventory: &Inventory) -> Result<(), StoreError> {
    let Some(pins) = root.below(PINS)? else { return Ok(()) };
    for pin in inventory.pins.invalid.iter().filter(|pin| pin.newer.is_none()) {
        if let Some(name) = pin.file.file_name() {
            match pins.remove_file(name) {
                Ok(_) | Err(StoreError::Foreign { .. }) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
