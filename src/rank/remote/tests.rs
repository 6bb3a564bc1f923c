//! Ranking of remote candidates, by table.

use proptest::prelude::*;

use super::*;
use crate::{
    candidate::remote::{
        RepositoryFacts, Sighting, merge,
        tests::{facts, hit, known, listing, preview},
        without_case,
    },
    skill::time::DAY_MS,
};

const NOW: UnixMillis = UnixMillis(1_787_529_600_000);

fn policy() -> Policy {
    Policy {
        min_quality: 0,
        min_stars: 0,
        recent_days: 30,
        trust: TrustPolicy::Open,
        owners: OwnerRules::default(),
        limit: 25,
        now: NOW,
        per_owner: PER_OWNER,
        fulltext: false,
    }
}

/// A candidate of a repository with these facts.
fn candidate(sighting: Sighting, facts: Option<RepositoryFacts>) -> RemoteCandidate {
    let repository = sighting.repository.as_ref().map(without_case);
    let known: BTreeMap<_, _> = repository.into_iter().zip(facts).collect();
    merge(vec![sighting], &known).remove(0)
}

fn described(address: &str, path: &str, description: &str) -> RemoteCandidate {
    let name = path.rsplit('/').next().unwrap();
    let seen = Sighting { preview: Some(preview(name, description)), ..hit(address, path, 0) };
    candidate(seen, Some(facts(address)))
}

fn places(ranking: &Ranking) -> Vec<String> {
    let place = |ranked: &Ranked| {
        format!("{}/{}", ranked.candidate.address, ranked.candidate.path.as_deref().unwrap_or("-"))
    };
    ranking.ranked.iter().map(place).collect()
}

fn rejection(candidate: RemoteCandidate, policy: &Policy) -> Option<Rejection> {
    rank("pdf", vec![candidate], policy).rejected.first().map(|(_, rejection)| *rejection)
}

#[test]
fn each_gate_has_its_word_and_the_earlier_one_speaks() {
    let with = |change: fn(&mut RepositoryFacts)| {
        let mut changed = facts("o/r");
        change(&mut changed);
        candidate(hit("o/r", "pdf", 0), Some(changed))
    };
    let stars = Policy { min_stars: 11, ..policy() };
    let quality = Policy { min_quality: 99, ..policy() };
    let trust = Policy { trust: TrustPolicy::Trusted, ..policy() };
    let few = Rejection::FewStars { stars: 10, least: 11 };
    for (candidate, policy, expected) in [
        (with(|_| {}), &policy(), None),
        (with(|facts| facts.archived = true), &stars, Some(Rejection::Archived)),
        (with(|facts| facts.disabled = true), &stars, Some(Rejection::Disabled)),
        (with(|facts| facts.private = true), &stars, Some(Rejection::Private)),
        (with(|_| {}), &stars, Some(few)),
        (candidate(hit("o/r", "csv", 0), Some(facts("o/r"))), &stars, Some(few)),
        (candidate(hit("o/r", "csv", 0), Some(facts("o/r"))), &quality, Some(Rejection::NotRelevant)),
        (
            with(|_| {}),
            &Policy { trust: TrustPolicy::Trusted, ..quality.clone() },
            Some(Rejection::LowQuality { total: 66, least: 99 }),
        ),
        (
            with(|_| {}),
            &trust,
            Some(Rejection::BelowPolicy { level: EvidenceLevel::Community, policy: TrustPolicy::Trusted }),
        ),
    ] {
        assert_eq!(rejection(candidate, policy), expected, "{policy:?}");
    }
}

#[test]
fn a_blocked_owner_is_out_under_any_name_and_trust_holds_for_the_name_of_today() {
    let owners = OwnerRules::new(["friend"], ["Mallory"]);
    let policy = Policy { owners: owners.clone(), ..policy() };
    let renamed = |from: &str, to: &str| {
        let old = RepoSlug::parse(from).unwrap();
        let facts = RepositoryFacts { renamed_from: Some(old), ..facts(to) };
        candidate(hit(from, "pdf", 0), Some(facts))
    };
    let blocked = Some(Rejection::BlockedOwner);
    assert_eq!(rejection(candidate(hit("MALLORY/r", "pdf", 0), None), &policy), blocked);
    assert_eq!(rejection(renamed("mallory/r", "friend/r"), &policy), blocked);
    assert_eq!(rejection(renamed("o/r", "mallory/r"), &policy), blocked);
    let level = |candidate| rank("pdf", vec![candidate], &policy).ranked[0].level();
    assert_eq!(level(renamed("o/r", "Friend/r")), EvidenceLevel::Trusted);
    assert_eq!(level(renamed("friend/r", "o/r")), EvidenceLevel::Community);
    assert_eq!(level(candidate(listing("friend/r", "pdf", 0), None)), EvidenceLevel::Unverified);
    assert!(!admitted_owner(&owners, &RepoSlug::parse("MALLORY/x").unwrap()));
    assert!(admitted_owner(&owners, &RepoSlug::parse("o/x").unwrap()));
}

#[test]
fn what_cannot_be_mounted_is_shown_last_with_what_is_known() {
    let strict = Policy { min_quality: 60, min_stars: 5, trust: TrustPolicy::Corroborated, ..policy() };
    let popular = Sighting { installs: Some(1_000_000), ..listing("skills.example", "pdf", 0) };
    let elsewhere = candidate(popular, None);
    let mut here = candidate(hit("o/r", "pdf", 3), Some(facts("o/r")));
    here.sources.insert(crate::candidate::remote::SourceKind::SkillsSh);
    let ranking = rank("pdf", vec![elsewhere, here], &strict);
    assert_eq!(places(&ranking), ["o/r/pdf", "skills.example/-"]);
    let shown = &ranking.ranked[1];
    assert_eq!((shown.candidate.is_mountable(), shown.level()), (false, EvidenceLevel::Unverified));
    assert!(shown.quality.total > ranking.ranked[0].quality.total - 10);
}

fn facts_of(candidate: &mut RemoteCandidate) -> &mut RepositoryFacts {
    candidate.facts.as_mut().unwrap()
}

#[test]
fn the_order_is_the_documented_one() {
    let named = |address: &str, change: fn(&mut RemoteCandidate)| {
        let mut one = described(address, "pdf", &format!("Reads for {address}."));
        change(&mut one);
        one
    };
    let recent = UnixMillis(NOW.0 - i64::try_from(DAY_MS).unwrap());
    // Each differs from the one after it in one thing, from the last criterion to the first.
    let candidates = vec![
        named("a/b", |_| {}),
        named("a/a", |_| {}),
        named("c/stars", |one| facts_of(one).stars = 11),
        named("d/installs", |one| one.installs = Some(100)),
        named("e/recent", |one| facts_of(one).pushed_at = Some(UnixMillis(0))),
    ];
    let mut ranking = rank("pdf", candidates, &policy());
    assert_eq!(places(&ranking), ["d/installs/pdf", "c/stars/pdf", "a/a/pdf", "a/b/pdf", "e/recent/pdf"]);
    let mut fresh = described("z/fresh", "pdf", "Reads for z/fresh.");
    facts_of(&mut fresh).pushed_at = Some(recent);
    let again = ranking.ranked.drain(..).map(|ranked| ranked.candidate).chain([fresh]).collect();
    assert_eq!(places(&rank("pdf", again, &policy()))[0], "z/fresh/pdf");
}

#[test]
fn words_count_after_their_points_are_capped() {
    let words = "one two three four five six seven eight nine ten";
    let less = described("a/less", "pdf", &words.replace("ten", "none"));
    let more = described("b/more", "csv", words);
    let ranking = rank(words, vec![less, more], &policy());
    assert_eq!(places(&ranking), ["b/more/csv", "a/less/pdf"]);
    assert_eq!(ranking.ranked[0].quality, ranking.ranked[1].quality);
}

#[test]
fn relevance_looks_at_name_and_description_alone() {
    let mut one = described("o/r", "tables", "Extracts rows.");
    one.when_to_use = Some("pdf pdf pdf".to_owned());
    assert_eq!(rejection(one.clone(), &policy()), Some(Rejection::NotRelevant));
    assert_eq!(rank("extract the rows", vec![one], &policy()).ranked[0].relevance, 3);
}

#[test]
fn a_bare_name_is_marked() {
    let marked = |change: fn(&mut RemoteCandidate), query: &str| {
        let mut one = described("o/r", "go", "Moves files.");
        let facts = one.facts.as_mut().unwrap();
        (facts.stars, facts.forks) = (4, 1);
        one.installs = Some(9);
        change(&mut one);
        let ranked = rank(query, vec![one], &policy()).ranked.remove(0);
        assert!(ranked.evidence.warnings.is_sorted());
        ranked.evidence.warnings.contains(&Warning::NameOnly)
    };
    assert!(marked(|_| {}, "go to the store"));
    assert!(!marked(|_| {}, "moves"));
    assert!(!marked(|one| one.installs = Some(10), "go to the store"));
    assert!(!marked(|one| one.facts.as_mut().unwrap().stars = 5, "go to the store"));
    assert!(!marked(|one| one.facts.as_mut().unwrap().forks = 2, "go to the store"));
    assert_eq!(Warning::ALL.last(), Some(&Warning::NameOnly));
    assert_eq!(Warning::NameOnly.as_str(), "bare-name-match");
}

#[test]
fn copies_are_shown_once_by_the_best_evidenced() {
    let original = described("a/original", "pdf", "Reads a PDF.");
    // The same words in another file, with another case.
    let mut reworded = described("b/fork", "pdf", "reads  a pdf.");
    reworded.sources.insert(crate::candidate::remote::SourceKind::SkillsSh);
    // The same file under another name of the folder, better adopted.
    let mut popular = described("c/popular", "pdf", "Reads a PDF.");
    popular.facts.as_mut().unwrap().stars = 100_000;
    let other = described("d/other", "pdf", "Reads something else.");
    let unseen = |address| candidate(listing(address, "pdf", 0), Some(facts(address)));
    let candidates = vec![original, reworded, popular, other, unseen("e/one"), unseen("f/two")];
    let ranking = rank("pdf", candidates, &policy());
    let kept = ranking.ranked.iter().find(|ranked| !ranked.copies.is_empty()).unwrap();
    assert_eq!(kept.candidate.address, "b/fork");
    assert_eq!(kept.level(), EvidenceLevel::Corroborated);
    let copies: Vec<&str> = kept.copies.iter().map(|copy| copy.address.as_str()).collect();
    assert_eq!(copies, ["c/popular", "a/original"]);
    assert_eq!(kept.candidate.facts.as_ref().unwrap().stars, 10);
    assert_eq!(ranking.ranked.len(), 4);
}

#[test]
fn one_owner_has_three_places_above_the_fold() {
    let many = |owner: &str, count: usize| -> Vec<RemoteCandidate> {
        (0..count)
            .map(|at| described(&format!("{owner}/r{at}"), "pdf", &format!("Reads {owner} {at}.")))
            .collect()
    };
    let candidates = [many("big", 5), many("small", 1)].concat();
    let ranking = rank("pdf", candidates.clone(), &policy());
    let expected = ["big/r0/pdf", "big/r1/pdf", "big/r2/pdf", "small/r0/pdf", "big/r3/pdf", "big/r4/pdf"];
    assert_eq!(places(&ranking), expected);
    let folded: Vec<bool> = ranking.ranked.iter().map(|ranked| ranked.fold).collect();
    assert_eq!(folded, [false, false, false, false, true, true]);
    let all = rank("pdf", candidates.clone(), &Policy { per_owner: usize::MAX, ..policy() });
    assert_eq!(all.ranked.last().unwrap().candidate.address, "small/r0");
    assert!(all.ranked.iter().all(|ranked| !ranked.fold));
    let few = rank("pdf", candidates, &Policy { limit: 2, ..policy() });
    assert_eq!(places(&few), ["big/r0/pdf", "big/r1/pdf"]);
}

proptest! {
    #[test]
    fn every_candidate_is_somewhere_once(
        picks in prop::collection::vec((0..3_usize, 0..4_usize, any::<bool>()), 0..12),
        query in prop::sample::select(vec!["pdf", "csv reader", "nothing"]),
    ) {
        let sightings = picks.iter().enumerate().map(|(at, (owner, path, is_listing))| {
            let address = ["a/r", "b/r", "c/r"][*owner];
            let path = ["pdf", "x/pdf", "csv", "y/csv"][*path];
            let slug = path.rsplit('/').next().unwrap();
            if *is_listing { listing(address, slug, at) } else { hit(address, path, at) }
        });
        let candidates = merge(sightings.collect(), &known(&["a/r", "b/r"]));
        let count = candidates.len();
        let mut reversed = candidates.clone();
        reversed.reverse();
        let ranking = rank(query, candidates, &policy());
        let copies: usize = ranking.ranked.iter().map(|ranked| ranked.copies.len()).sum();
        prop_assert_eq!(ranking.ranked.len() + copies + ranking.rejected.len(), count);
        prop_assert_eq!(rank(query, reversed, &policy()).ranked, ranking.ranked);
    }
}
