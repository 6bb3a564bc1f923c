//! A test's own world with loopback servers of GitHub, skills.sh and git beside it.

use std::{ffi::OsStr, process::Command, time::Duration};

use crate::{
    context::{Ran, TestContext},
    servers::{
        collection::skill_text,
        git_http::GitHttpServer,
        github::{GithubServer, Options},
        repository::Repository,
        skills_sh::{Listing, SkillsShServer},
    },
};

/// The token that the GitHub server knows.
pub(crate) const TOKEN: &str = "test-token";

/// A repository of one skill.
pub(crate) const TIDES: &str = "quarry-works/tides";
/// Its skill.
pub(crate) const TIDE: &str = "quarry-works/tides//skills/tide";

/// The repository [`TIDES`].
pub(crate) fn tides() -> Repository {
    let repository = Repository::new(TIDES);
    repository.file("skills/tide/SKILL.md", skill_text("tide", "Tells high from low water."));
    repository.commit("tides");
    repository
}

/// A home, a project, and the hosts that the program is told to ask.
pub(crate) struct Online {
    pub(crate) context: TestContext,
    pub(crate) github: GithubServer,
    pub(crate) skills: SkillsShServer,
    pub(crate) git: GitHttpServer,
}

impl Online {
    pub(crate) fn new(repositories: Vec<Repository>, listings: Vec<Listing>) -> Self {
        Self::with(repositories, listings, Options::default())
    }

    pub(crate) fn with(repositories: Vec<Repository>, listings: Vec<Listing>, options: Options) -> Self {
        Self {
            context: TestContext::new(),
            git: GitHttpServer::start(repositories.clone()),
            github: GithubServer::start(repositories, options),
            skills: SkillsShServer::start(listings, Duration::ZERO),
        }
    }

    /// The program without a token.
    pub(crate) fn anonymous(&self) -> Command {
        let mut command = self.context.command();
        command
            .env("GITHUB_API_URL", self.github.url())
            .env("GITHUB_SERVER_URL", self.git.url())
            .env("SKILLS_API_URL", self.skills.url())
            .env("SKILLFLUX_SESSION", "test")
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    /// The program with a token.
    pub(crate) fn command(&self) -> Command {
        let mut command = self.anonymous();
        command.env("GITHUB_TOKEN", TOKEN);
        command
    }

    pub(crate) fn run<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, arguments: I) -> Ran {
        self.ran(self.command().args(arguments))
    }

    pub(crate) fn ran(&self, command: &mut Command) -> Ran {
        Ran::new(&self.context, &command.output().unwrap())
    }
}
