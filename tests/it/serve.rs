//! The loopback servers by themselves, for benches and for trying things by hand.
//!
//! `cargo test --test it serve_for_benches -- --ignored --nocapture` prints the variables that point the
//! program at them, and serves until its standard input ends.

use std::{io::Read as _, time::Duration};

use crate::{
    online::{Online, TOKEN},
    servers::{
        collection::{big_collection, skill_text},
        github::Options,
        repository::Repository,
        skills_sh::Listing,
    },
};

/// A repository with a skill of 12 files and 18 KiB, and one of 10 MiB.
fn bench_repository() -> Repository {
    let repository = Repository::new("quarry-works/bench");
    repository.file("skills/twelve/SKILL.md", skill_text("twelve", "Twelve small files for a bench."));
    for number in 1..12 {
        repository.file(&format!("skills/twelve/references/{number}.md"), format!("{number}\n").repeat(500));
    }
    repository.file("skills/large/SKILL.md", skill_text("large", "Ten mebibytes for a bench."));
    for number in 0..9_u8 {
        let bytes: Vec<u8> = (0..1024 * 1024_u32).map(|index| (index % 251) as u8 ^ number).collect();
        repository.file(&format!("skills/large/assets/{number}.bin"), bytes);
    }
    repository.commit("skills for a bench");
    repository
}

#[test]
#[ignore = "it serves until its standard input ends"]
fn serve_for_benches() {
    let repositories = vec![bench_repository(), big_collection()];
    let listings = vec![
        Listing::new("quarry-works/bench", "twelve", 1200),
        Listing::new("quarry-works/bench", "large", 12),
    ];
    // Whoever measures asks more often than a person; the limits are not what is measured.
    let options = Options { reset_in: Duration::from_millis(1), ..Options::default() };
    let online = Online::with(repositories, listings, options);
    println!("export GITHUB_API_URL={}", online.github.url());
    println!("export GITHUB_SERVER_URL={}", online.git.url());
    println!("export SKILLS_API_URL={}", online.skills.url());
    println!("export GITHUB_TOKEN={TOKEN}");
    println!("export BENCH_COMMIT={}", bench_repository().head());
    println!("ready");
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    println!(
        "{} requests in {} rounds, at most {} at once",
        online.github.requests().len(),
        online.github.rounds(),
        online.github.max_concurrent()
    );
}
