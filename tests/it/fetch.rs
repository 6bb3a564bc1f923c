//! Pins and staged skills from servers of the real shape, over the API and over git.

mod git;
mod pin;
mod stage;

use std::time::Duration;

use skillflux::{
    fetch::{
        Transport,
        error::FetchError,
        git::Git,
        github::Api,
        pin::{Pinned, Place, Rules, Wanted, pin},
        stage::{Progress, Staged, stage},
    },
    http::{BaseUrl, Client, Deadline, Settings, Token},
    skill::id::{CommitSha, RepoSlug},
};
use tempfile::TempDir;

use crate::servers::{
    collection::skill_text,
    git_http::GitHttpServer,
    github::{GithubServer, Options},
    repository::Repository,
};

const NAME: &str = "tide-works/field-skills";

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn deadline() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

/// Two skills, one of them with files of every kind that may be, and a root without one.
fn small() -> Repository {
    let repository = Repository::new(NAME);
    repository
        .file("README.md", "# Field skills\n")
        .file("skills/tide-report/SKILL.md", skill_text("tide-report", "Reports tides. Use for tides."))
        .file("skills/tide-report/references/units.md", "metres\r\nfeet\r\n")
        .file("skills/tide-report/assets/chart.bin", (0..=255).collect::<Vec<u8>>())
        .file("skills/tide-report/assets/empty", "")
        .executable("skills/tide-report/scripts/round.py", "print(1)\n")
        .file("skills/tide-report/.DS_Store", "x")
        .file("skills/gust-log/SKILL.md", skill_text("wind-log", "Logs gusts. Use for gusts."));
    repository.commit("first");
    repository
}

fn wanted(place: Place) -> Wanted {
    Wanted {
        repository: RepoSlug::parse(NAME).unwrap(),
        reference: None,
        commit: None,
        repository_id: None,
        owner_id: None,
        place,
    }
}

fn at(path: &str) -> Wanted {
    wanted(Place::Path(path.to_owned()))
}

fn named(name: &str) -> Wanted {
    wanted(Place::Name(name.to_owned()))
}

fn on(reference: &str, wanted: Wanted) -> Wanted {
    Wanted { reference: Some(reference.to_owned()), ..wanted }
}

fn linked(address: &str) -> Wanted {
    wanted(Place::Segments(address.split('/').map(|segment| segment.replace("%2F", "/")).collect()))
}

fn commit(sha: &str) -> CommitSha {
    CommitSha::parse(sha).unwrap()
}

fn serve(repository: &Repository) -> GithubServer {
    GithubServer::start(vec![repository.clone()], Options::default())
}

fn api_with(url: &str, change: impl FnOnce(&mut Settings, &BaseUrl)) -> Transport {
    let base = BaseUrl::parse(url).unwrap();
    let mut settings = Settings { retries: 0, ..Settings::default() };
    change(&mut settings, &base);
    Transport::Api(Api { client: Client::new(settings).unwrap(), base, host: "github.com".to_owned() })
}

fn api(server: &GithubServer) -> Transport {
    api_with(&server.url(), |_, _| {})
}

fn api_with_token(server: &GithubServer) -> Transport {
    api_with(&server.url(), |settings, base| {
        settings.tokens.insert(base.origin().to_owned(), Token::new("test-token").unwrap());
    })
}

/// Git and the folder of its temporary repositories.
fn git(server: &GitHttpServer) -> (Transport, TempDir) {
    let scratch = TempDir::new().unwrap();
    let git = Git {
        server: BaseUrl::parse(&server.url()).unwrap(),
        host: "github.com".to_owned(),
        token: None,
        program: "git".into(),
        scratch: scratch.path().to_owned(),
        environment: std::env::vars_os().collect(),
    };
    (Transport::Git(git), scratch)
}

fn pinned(transport: &Transport, wanted: &Wanted) -> Result<Pinned, FetchError> {
    run(pin(transport, wanted, &Rules::default(), deadline()))
}

/// The path of the pinned skill, or the code of the failure.
fn found(transport: &Transport, wanted: &Wanted) -> Result<String, &'static str> {
    pinned(transport, wanted).map(|pinned| pinned.path).map_err(|error| error.code())
}

fn allowing(codes: &[&str]) -> Rules {
    Rules { allow: codes.iter().map(|&code| code.to_owned()).collect(), ..Rules::default() }
}

/// Stages into a folder of its own.
fn staged_by(
    transport: &Transport,
    pinned: Pinned,
    rules: &Rules,
) -> (TempDir, Result<Staged, FetchError>, Vec<Progress>) {
    let folder = TempDir::new().unwrap();
    let mut seen = Vec::new();
    let mut progress = |reached| seen.push(reached);
    let staged = run(stage(transport, pinned, folder.path(), rules, deadline(), &mut progress));
    (folder, staged, seen)
}

fn staged(transport: &Transport, pinned: Pinned) -> (TempDir, Staged) {
    let (folder, staged, _) = staged_by(transport, pinned, &Rules::default());
    (folder, staged.unwrap())
}
