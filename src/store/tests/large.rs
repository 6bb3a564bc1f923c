//! A store as large as a company's, for a script that measures with it. It lies here and not in benches/, because
//! nothing but a test can stage a skill without a host.

use std::path::PathBuf;

use super::{figures::at_once, workers::variable};
use crate::{
    fetch::stage::testing::staged,
    skill::{Limits, frontmatter},
    store::{Store, pins::PinRecord, testing::record},
};

/// `benches/large_store.sh` measures catalogs with what it makes: every skill of the folder `SKILLFLUX_FILL_FROM` as an
/// entry of the store below `SKILLFLUX_FILL_CACHE`.
#[test]
#[ignore = "makes the store that a script measures"]
fn a_store_of_many_skills() {
    let folder = |name: &'static str| variable(name).map(PathBuf::from).ok_or(name);
    let (from, cache) = (folder("SKILLFLUX_FILL_FROM").unwrap(), folder("SKILLFLUX_FILL_CACHE").unwrap());
    let store = Store::new(&cache, &cache.join("state"));
    let skills: Vec<_> = fs_err::read_dir(from).unwrap().map(|entry| entry.unwrap().path()).collect();
    at_once(2, skills.len(), |number| {
        let content = fs_err::read(skills[number].join("SKILL.md")).unwrap();
        let staging = store.stage().unwrap();
        let staged = staged(staging.tree_folder(), &[("SKILL.md", &content)]);
        let header = frontmatter::parse(&content, "", &Limits::default()).outcome.unwrap();
        let pin = PinRecord {
            name: header.slug,
            title: header.name,
            description: header.description,
            ..record(&staged, number as u64)
        };
        store.commit(staging, &staged, &pin, false).unwrap();
    });
    assert_eq!(store.pins().unwrap().records.len(), skills.len());
}
