//! Merging and keeping candidates, by example; and examples for the tests of other modules.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// A public repository with some adoption; the letters of its name give its number and its head.
pub(crate) fn facts(name: &str) -> RepositoryFacts {
    let id =
        name.bytes().fold(7, |id: u64, byte| id.wrapping_mul(31).wrapping_add(u64::from(byte)) % 1_000_003);
    RepositoryFacts {
        host: "github.com".to_owned(),
        repository: RepoSlug::parse(name).unwrap(),
        renamed_from: None,
        id,
        owner_id: Some(1),
        organisation_owned: false,
        stars: 10,
        forks: 3,
        pushed_at: None,
        licence: Some("MIT".to_owned()),
        archived: false,
        disabled: false,
        private: false,
        head: CommitSha::parse(&format!("{id:040x}")).unwrap(),
    }
}

/// A listing of skills.sh.
pub(crate) fn listing(address: &str, skill_id: &str, position: usize) -> Sighting {
    Sighting {
        source: SourceKind::SkillsSh,
        position,
        address: address.to_owned(),
        repository: RepoSlug::parse(address).ok(),
        path: None,
        skill_id: skill_id.to_owned(),
        title: format!("The {skill_id}"),
        installs: Some(100),
        preview: None,
    }
}

/// A file that GitHub found and showed.
pub(crate) fn hit(address: &str, path: &str, position: usize) -> Sighting {
    let folder = path.rsplit('/').next().unwrap();
    Sighting {
        source: SourceKind::Github,
        path: Some(path.to_owned()),
        title: folder.to_owned(),
        installs: None,
        preview: Some(preview(folder, "Does something.")),
        ..listing(address, folder, position)
    }
}

/// What is seen of a `SKILL.md`.
pub(crate) fn preview(name: &str, description: &str) -> Preview {
    let text = format!("---\nname: {name}\ndescription: {description}\n---\n");
    let blob = crate::skill::git::blob_id(text.as_bytes()).unwrap();
    Preview {
        blob,
        name: name.to_owned(),
        description: description.to_owned(),
        when_to_use: None,
        model_invocable: true,
    }
}

/// The facts of these repositories as [`merge`] takes them.
pub(crate) fn known(names: &[&str]) -> BTreeMap<RepoSlug, RepositoryFacts> {
    names.iter().map(|name| (without_case(&RepoSlug::parse(name).unwrap()), facts(name))).collect()
}

/// One line a candidate: address, path, name, sources, position.
fn lines(candidates: &[RemoteCandidate]) -> Vec<String> {
    let line = |candidate: &RemoteCandidate| {
        let sources = candidate.sources.iter().map(|source| source.as_str()).collect::<Vec<_>>().join("+");
        let RemoteCandidate { address, path, name, position, .. } = candidate;
        format!("{address} {} {name} {sources} {position}", path.as_deref().unwrap_or("-"))
    };
    candidates.iter().map(line).collect()
}

#[test]
fn a_listing_joins_the_one_folder_of_its_slug() {
    let sightings =
        vec![listing("O/Repo", "pdf", 4), hit("o/repo", "skills/pdf", 2), hit("o/repo", "skills/csv", 0)];
    let merged = merge(sightings, &known(&["o/repo"]));
    assert_eq!(
        lines(&merged),
        ["o/repo skills/csv csv github 0", "o/repo skills/pdf pdf skills.sh+github 2"]
    );
    let pdf = &merged[1];
    assert_eq!((pdf.installs, pdf.description.as_str()), (Some(100), "Does something."));
    let facts = facts("o/repo");
    let expected = Identity::pinned("github.com", RepositoryKey::Id(facts.id), &facts.head, "skills/pdf");
    assert_eq!(pdf.identity, expected);
    assert!(pdf.is_mountable() && pdf.skill_file.is_some());
}

#[test]
fn the_name_in_a_header_is_a_slug_too() {
    let mut renamed = hit("o/r", "skills/document-tools", 0);
    renamed.preview = Some(preview("PDF Reader", "Reads."));
    let merged = merge(vec![renamed, listing("o/r", "pdf-reader", 1)], &known(&["o/r"]));
    assert_eq!(lines(&merged), ["o/r skills/document-tools PDF Reader skills.sh+github 0"]);
}

#[test]
fn two_folders_of_one_slug_leave_a_listing_alone() {
    let sightings = vec![hit("o/r", "a/pdf", 0), hit("o/r", "b/pdf", 1), listing("o/r", "pdf", 0)];
    let merged = merge(sightings, &known(&["o/r"]));
    assert_eq!(lines(&merged), ["o/r - pdf skills.sh 0", "o/r a/pdf pdf github 0", "o/r b/pdf pdf github 1"]);
    assert_eq!(merged[0].description, "The pdf");
    assert_eq!(merged[0].identity, Identity::listed("o/r", "pdf"));
}

#[test]
fn what_a_listing_was_found_at_is_its_folder() {
    let found = Sighting {
        path: Some("pdf".to_owned()),
        preview: Some(preview("pdf", "Reads.")),
        ..listing("o/r", "pdf", 3)
    };
    let merged = merge(vec![hit("o/r", "pdf", 5), found], &known(&["o/r"]));
    assert_eq!(lines(&merged), ["o/r pdf pdf skills.sh+github 3"]);
}

#[test]
fn a_rename_makes_no_second_candidate() {
    let mut known = known(&["new/name"]);
    let old = RepoSlug::parse("old/name").unwrap();
    let renamed = RepositoryFacts { renamed_from: Some(old.clone()), ..facts("new/name") };
    known.insert(old, renamed);
    let merged = merge(vec![listing("old/name", "pdf", 1), hit("new/name", "pdf", 1)], &known);
    assert_eq!(lines(&merged), ["new/name pdf pdf skills.sh+github 1"]);
}

#[test]
fn without_facts_nothing_can_be_mounted_and_nothing_is_lost() {
    let sightings = vec![
        listing("example.com", "pdf", 0),
        listing("o/r", "pdf", 1),
        hit("o/r", "a/csv", 2),
        hit("o/r", "b/csv", 3),
    ];
    let merged = merge(sightings, &BTreeMap::new());
    assert_eq!(
        lines(&merged),
        [
            "example.com - pdf skills.sh 0",
            "o/r - pdf skills.sh 1",
            "o/r a/csv csv github 2",
            "o/r b/csv csv github 3"
        ]
    );
    assert!(merged.iter().all(|candidate| !candidate.is_mountable()));
    let identities: BTreeSet<Identity> = merged.iter().map(|candidate| candidate.identity).collect();
    assert_eq!(identities.len(), 4);
}

#[test]
fn candidates_come_back_as_they_were_kept() {
    let sightings = vec![hit("o/r", "", 0), listing("o/r", "pdf", 1), listing("x.example", "csv", 2)];
    for candidate in merge(sightings, &known(&["o/r"])) {
        let json = serde_json::to_string(&to_stored(&candidate)).unwrap();
        assert!(json.starts_with(&format!(r#"{{"id":"{}""#, candidate.identity)));
        let stored: StoredCandidate = serde_json::from_str(&json).unwrap();
        assert_eq!(from_stored(stored).unwrap(), candidate, "{json}");
    }
}

#[test]
fn an_edited_candidate_is_refused() {
    let candidate = merge(vec![hit("o/r", "skills/pdf", 0)], &known(&["o/r"])).remove(0);
    let kept = serde_json::to_value(to_stored(&candidate)).unwrap();
    for (pointer, value) in [
        ("/id", json!("0".repeat(64))),
        ("/address", json!("mallory/r")),
        ("/path", json!("skills/other")),
        ("/path", Value::Null),
        ("/sources", json!([])),
        ("/sources", json!(["registry-index"])),
        ("/skillFile", json!("no id")),
        ("/facts/id", json!(8)),
        ("/facts/repository", json!("mallory/r")),
        ("/facts/head", json!("1".repeat(40))),
        ("/facts/host", json!("evil.example")),
    ] {
        let mut edited = kept.clone();
        *edited.pointer_mut(pointer).unwrap() = value.clone();
        let read = serde_json::from_value::<StoredCandidate>(edited).map(from_stored);
        assert!(!matches!(read, Ok(Ok(_))), "{pointer} {value}");
    }
    let mut longer = kept;
    longer["more"] = json!(1);
    assert!(serde_json::from_value::<StoredCandidate>(longer).is_err());
}

/// Sightings of a few places, each at a position of its own.
fn any_sightings() -> impl Strategy<Value = Vec<Sighting>> {
    let repositories = prop::sample::select(vec!["o/r", "O/R", "p/q", "gone/x"]);
    let addresses = prop_oneof![4 => repositories.clone(), 1 => Just("host.example")];
    let slugs = prop::sample::select(vec!["pdf", "csv"]);
    let paths = prop::sample::select(vec!["pdf", "a/pdf", "csv", ""]);
    let sighting = prop_oneof![
        (addresses, slugs).prop_map(|(address, slug)| listing(address, slug, 0)),
        (repositories, paths).prop_map(|(address, path)| hit(address, path, 0)),
    ];
    prop::collection::vec(sighting, 0..8).prop_map(|sightings| {
        let numbered = sightings.into_iter().enumerate();
        numbered.map(|(position, sighting)| Sighting { position, ..sighting }).collect()
    })
}

proptest! {
    #[test]
    fn the_order_of_arrival_changes_nothing(
        (sightings, shuffled) in any_sightings()
            .prop_flat_map(|sightings| (Just(sightings.clone()), Just(sightings).prop_shuffle())),
    ) {
        let known = known(&["o/r", "p/q"]);
        let merged = merge(sightings.clone(), &known);
        prop_assert_eq!(&merge(shuffled, &known), &merged);
        let identities: BTreeSet<Identity> = merged.iter().map(|candidate| candidate.identity).collect();
        prop_assert_eq!(identities.len(), merged.len());
        let sources: BTreeSet<_> = merged.iter().flat_map(|candidate| &candidate.sources).collect();
        prop_assert_eq!(sources, sightings.iter().map(|one| &one.source).collect());
    }
}
