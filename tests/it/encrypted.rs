//! Encrypted connections: a certificate that cannot be trusted ends every command before a byte is sent, and
//! an authority that the person trusts makes the whole way work.

use crate::{
    context::write,
    online::{Online, TOKEN},
    proof::{assert_mounted, assert_nothing_kept, bounded},
    servers::{
        collection::skill_text,
        repository::Repository,
        skills_sh::Listing,
        tls::{Authority, Certificate, TlsFront},
    },
};

const NAME: &str = "quarry-works/tides";
const SKILL: &str = "quarry-works/tides//skills/tide";

fn online() -> (Online, Repository) {
    let repository = Repository::new(NAME);
    repository.file("skills/tide/SKILL.md", skill_text("tide", "Tells high from low water."));
    repository.file("skills/tide/references/units.md", "metres\n");
    repository.commit("tides");
    (Online::new(vec![repository.clone()], vec![Listing::new(NAME, "tide", 300)]), repository)
}

#[test]
fn certificates_that_cannot_be_trusted_are_the_end() {
    let (trusted, other) = (Authority::new("trusted"), Authority::new("unknown"));
    let good = Certificate { authority: Some(&trusted), host: "localhost", ends: 2100 };
    for (what, certificate, cause) in [
        ("self-signed", Certificate { authority: None, ..good }, "invalid peer certificate"),
        ("of an unknown authority", Certificate { authority: Some(&other), ..good }, "UnknownIssuer"),
        ("expired", Certificate { ends: 2021, ..good }, "certificate expired"),
        ("of another host", Certificate { host: "elsewhere.test", ..good }, "not valid for name"),
    ] {
        let (online, _) = online();
        let file = write(&online.context.home().join("authority.pem"), trusted.pem());
        let front = TlsFront::start(&online.github.url(), certificate);
        let skills = TlsFront::start(&online.skills.url(), certificate);
        let run = |arguments: &[&str]| {
            let mut command = online.command();
            command
                .env("GITHUB_API_URL", front.url())
                .env("SKILLS_API_URL", skills.url())
                .env("SSL_CERT_FILE", &file)
                .args(arguments);
            bounded(&online.context, &mut command).0
        };
        let ran = run(&["mount", "--yes", SKILL]);
        assert_eq!(ran.code, 3, "{what}: {ran:?}");
        assert!(ran.stderr.contains("no trustworthy connection to `localhost:"), "{what}: {ran:?}");
        assert!(ran.stderr.contains(cause), "{what}: {ran:?}");
        assert!(
            ran.stderr.ends_with(
                "hint: name the certificates to trust in SSL_CERT_FILE; a connection is never made without\n"
            ),
            "{what}: {ran:?}"
        );
        assert_nothing_kept(&online, what);
        let ran = run(&["search", "--json", "tide"]);
        assert_eq!(ran.code, 3, "{what}: {ran:?}");
        assert!(front.requests().is_empty() && skills.requests().is_empty(), "{what}: something was sent");
    }
}

#[test]
fn git_trusts_no_other_certificates_than_the_api() {
    let trusted = Authority::new("trusted");
    let good = Certificate { authority: Some(&trusted), host: "localhost", ends: 2100 };
    for (certificate, exit) in
        [(good, 0), (Certificate { authority: None, ..good }, 3), (Certificate { ends: 2021, ..good }, 3)]
    {
        let (online, repository) = online();
        let file = write(&online.context.home().join("authority.pem"), trusted.pem());
        let front = TlsFront::start(&online.git.url(), certificate);
        let mut command = online.command();
        command.env("GITHUB_SERVER_URL", front.url()).env("SSL_CERT_FILE", &file).args([
            "mount",
            "--yes",
            "--json",
            "--transport",
            "git",
            SKILL,
        ]);
        let (ran, _) = bounded(&online.context, &mut command);
        assert_eq!(ran.code, exit, "{certificate:?}: {ran:?}");
        if exit == 0 {
            let document = ran.json();
            assert_mounted(&online, &document["mounts"][0], &repository, &repository.head(), "skills/tide");
        } else {
            assert!(front.requests().is_empty(), "{:?}", front.requests());
            assert!(ran.stderr.starts_with("error: no trustworthy connection to `localhost:"), "{ran:?}");
            assert!(ran.stderr.contains("\n\nhint: name the certificates to trust"), "{ran:?}");
            assert_nothing_kept(&online, "git");
        }
    }
}

#[test]
fn an_authority_that_is_trusted_makes_the_whole_way_work() {
    let trusted = Authority::new("trusted");
    let good = Certificate { authority: Some(&trusted), host: "localhost", ends: 2100 };
    let (online, repository) = online();
    let file = write(&online.context.home().join("authority.pem"), trusted.pem());
    let front = TlsFront::start(&online.github.url(), good);
    let skills = TlsFront::start(&online.skills.url(), good);
    let run = |arguments: &[&str]| {
        let mut command = online.command();
        command
            .env("GITHUB_API_URL", front.url())
            .env("SKILLS_API_URL", skills.url())
            .env("SSL_CERT_FILE", &file)
            .args(arguments);
        bounded(&online.context, &mut command).0
    };
    let found = run(&["search", "--json", "tide"]).json();
    assert_eq!(found["status"], "ok", "{found}");
    let document = run(&["mount", "--yes", "--json", found["results"][0]["id"].as_str().unwrap()]).json();
    assert_mounted(&online, &document["mounts"][0], &repository, &repository.head(), "skills/tide");
    assert!(front.requests().iter().all(|line| line.ends_with(&format!(" Bearer {TOKEN}"))));
    assert!(skills.requests().iter().all(|line| !line.contains(TOKEN)), "{:?}", skills.requests());
    // Without that file nobody vouches for the host.
    let mut command = online.command();
    command.env("GITHUB_API_URL", front.url()).args([
        "mount",
        "--yes",
        "--transport",
        "api",
        &format!("{NAME}//skills"),
    ]);
    assert_eq!(bounded(&online.context, &mut command).0.code, 3);
}
