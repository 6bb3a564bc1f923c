//! What every command needs: the environment, the settings in force, and the skills on this machine.

use std::{io::Read, time::Instant};

use anyhow::Context as _;

use super::failure::Failure;
use crate::{
    cli::GlobalArgs,
    config::{Config, Environment},
    output::Output,
    skill::agents::Places,
    source::{
        local::{self, Discovery},
        roots::{self, RootInputs},
    },
};

/// The most bytes of a task that are read from standard input.
const MAX_TASK_BYTES: u64 = 1024 * 1024;

/// The environment and the settings of one run.
pub(super) struct Context {
    pub(super) environment: Environment,
    pub(super) config: Config,
}

impl Context {
    /// Loads the settings; `flags` are values given on the command line.
    pub(super) fn load(
        global: &GlobalArgs,
        output: Output,
        flags: &[(&'static str, String)],
    ) -> anyhow::Result<Self> {
        let environment = Environment::capture()?;
        let config = Config::load(&environment, global.config.as_deref(), flags)?;
        for notice in config.notices() {
            output.warning(&notice);
        }
        Ok(Self { environment, config })
    }

    /// Finds the skills on this machine; `nested` as in [`local::discover`].
    pub(super) fn discover(&self, nested: bool) -> Discovery {
        let start = Instant::now();
        let discovery =
            self.with_roots(|inputs| local::discover(&roots::roots(inputs), &self.config.limits(), nested));
        tracing::info!(
            skills = discovery.skills.len(),
            problems = discovery.problems.len(),
            milliseconds = start.elapsed().as_millis(),
            "read skill folders"
        );
        discovery
    }

    /// Ids of agents that have left a trace on this machine.
    pub(super) fn detected_agents(&self) -> Vec<&'static str> {
        self.with_roots(roots::detected_agents)
    }

    /// The folders that an agent reads, whether they exist or not.
    pub(super) fn folders_of(&self, agent: &str) -> Vec<String> {
        let roots = self.with_roots(roots::roots);
        roots.into_iter().filter(|root| root.agents.contains(&agent)).map(|root| root.label).collect()
    }

    fn with_roots<T>(&self, work: impl FnOnce(&RootInputs<'_>) -> T) -> T {
        let variable = |name: &str| self.environment.var(name).map(str::to_owned);
        work(&RootInputs {
            current_dir: self.environment.current_dir(),
            project_root: self.config.project_root(),
            custom_roots: self.config.custom_roots(),
            places: Places { home: self.environment.home(), variable: &variable },
        })
    }
}

/// The task that was given, read from standard input for `-`.
pub(super) fn read_task(argument: &str) -> anyhow::Result<String> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(MAX_TASK_BYTES + 1)
        .read_to_end(&mut bytes)
        .context("the task cannot be read from standard input")?;
    if bytes.len() as u64 > MAX_TASK_BYTES {
        return Err(Failure::TaskTooLong { limit: MAX_TASK_BYTES }.into());
    }
    String::from_utf8(bytes).map_err(|_| Failure::TaskEncoding.into())
}
