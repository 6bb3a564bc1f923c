//! The network as a command sees it: one client, the hosts in force, and a runtime that Ctrl-C ends.
//!
//! Hosts come from the variables that their own tools use. A token is for GitHub's API and its git server;
//! no other host ever gets it.

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

use anyhow::Context as _;

use super::{context::Context, failure::MountFailure, interruption::Interruption};
use crate::{
    cli::GlobalArgs,
    config::Environment,
    fetch::{Transport, git::Git, github::Api},
    http::{BaseUrl, Client, Settings, Token},
    source::remote::Hosts,
};

/// The variable that moves GitHub's API.
const API_VARIABLE: &str = "GITHUB_API_URL";
/// The variable that moves GitHub's pages and git server.
const SERVER_VARIABLE: &str = "GITHUB_SERVER_URL";
/// The variable that moves skills.sh.
const SKILLS_VARIABLE: &str = "SKILLS_API_URL";

/// The token for GitHub; an empty variable does not hide the next.
pub(super) fn token(environment: &Environment) -> Option<Token> {
    ["GITHUB_TOKEN", "GH_TOKEN"].into_iter().find_map(|name| environment.var(name).and_then(Token::new))
}

/// Whether a git server belongs to an API, so that the token of the one is meant for the other: GitHub's own
/// two hosts, one host for both, or two addresses of this machine.
fn belong_together(api: &BaseUrl, server: &BaseUrl) -> bool {
    let hosts = (api.host(), server.host());
    // Without encryption only addresses of this machine are asked.
    let is_here = |base: &BaseUrl| base.origin().starts_with("http://");
    hosts == ("api.github.com", "github.com") || hosts.0 == hosts.1 || is_here(api) && is_here(server)
}

/// One client and what it talks to.
pub(super) struct Online {
    runtime: tokio::runtime::Runtime,
    interruption: Interruption,
    pub(super) client: Client,
    pub(super) hosts: Hosts,
    server: BaseUrl,
    token: Option<Token>,
    git_token: Option<Token>,
    variables: Vec<(OsString, OsString)>,
    pub(super) offline: bool,
}

impl Online {
    /// Reads hosts and token from the environment; nothing is sent.
    pub(super) fn new(context: &Context, global: &GlobalArgs) -> anyhow::Result<Self> {
        let environment = &context.environment;
        let base = |variable: &str, default: &str| {
            let text = environment.var(variable).unwrap_or(default);
            BaseUrl::parse(text)
                .map_err(|source| MountFailure::BadHost { variable: variable.to_owned(), source })
        };
        let github_api = base(API_VARIABLE, "https://api.github.com")?;
        let server = match environment.var(SERVER_VARIABLE) {
            None if github_api.host() != "api.github.com" => BaseUrl::parse(github_api.origin())?,
            _ => base(SERVER_VARIABLE, "https://github.com")?,
        };
        let skills = base(SKILLS_VARIABLE, "https://skills.sh")?;
        let token = token(environment);
        let tokens: BTreeMap<String, Token> =
            token.iter().map(|token| (github_api.origin().to_owned(), token.clone())).collect();
        let git_token = token.clone().filter(|_| belong_together(&github_api, &server));
        let store = context.store();
        let client = Client::new(Settings {
            offline: global.offline,
            tokens,
            cache_folder: Some(store.http_folder()),
            limits_file: Some(store.limits_file()),
            now_ms: context.now().0,
            ..Settings::default()
        })?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("the runtime for network requests cannot be started")?;
        let interruption = Interruption::listen()?;
        let github_host = server.host().to_owned();
        let hosts = Hosts { skills, github_api, github_host };
        let variables = environment.variables().map(|(name, value)| (name.into(), value.into())).collect();
        Ok(Self {
            runtime,
            interruption,
            client,
            hosts,
            server,
            token,
            git_token,
            variables,
            offline: global.offline,
        })
    }

    /// Whether requests to GitHub carry a token.
    pub(super) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Runs to the end, or until a person interrupts.
    pub(super) fn run<T>(&self, work: impl Future<Output = T>) -> Result<T, MountFailure> {
        self.runtime.block_on(async {
            tokio::select! {
                result = work => Ok(result),
                () = self.interruption.come() => Err(MountFailure::Interrupted),
            }
        })
    }

    /// GitHub's REST API.
    pub(super) fn api(&self) -> Transport {
        Transport::Api(Api {
            client: self.client.clone(),
            base: self.hosts.github_api.clone(),
            host: self.hosts.github_host.clone(),
        })
    }

    /// The git server, asked by the system's git, which works in `scratch`.
    pub(super) fn git(&self, scratch: PathBuf) -> Git {
        Git {
            server: self.server.clone(),
            host: self.hosts.github_host.clone(),
            token: self.git_token.clone(),
            program: "git".into(),
            scratch,
            environment: self.variables.clone(),
        }
    }
}
