//! What every command needs: the environment, the settings in force, and the skills on this machine.

use std::{io::Read, time::Instant};

use anyhow::Context as _;

use super::failure::Failure;
use crate::{
    cli::GlobalArgs,
    config::{Config, Environment, RouterMode},
    output::Output,
    rank::{
        evidence::EvidenceLevel,
        remote,
        trust::{self, Owner, OwnerRules, Refusal, TrustPolicy},
    },
    skill::{agents::Places, time::UnixMillis},
    source::{
        local::{self, Discovery, Look},
        roots::{self, Root, RootInputs},
        stored::Stored,
    },
    store::{Store, StoreError, models::Models, pins::PinRecord},
};

/// The most bytes of a task that are read from standard input.
const MAX_TASK_BYTES: u64 = 1024 * 1024;

/// The environment and the settings of one run.
pub(super) struct Context {
    pub(super) environment: Environment,
    pub(super) config: Config,
    /// Whether nothing may be sent to another machine.
    pub(super) offline: bool,
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
        Ok(Self { environment, config, offline: global.offline })
    }

    /// Finds the skills on this machine; `nested` as in [`Look`].
    pub(super) fn discover(&self, nested: bool) -> Discovery {
        let start = Instant::now();
        let store = self.store();
        let stored = self.stored_skills(&store);
        let look = Look { nested, traced: false };
        let discovery = self.with_roots(|inputs| {
            local::discover(&roots::roots(inputs), &self.config.limits(), look, store.root(), stored)
        });
        tracing::info!(
            skills = discovery.skills.len(),
            problems = discovery.problems.len(),
            milliseconds = start.elapsed().as_millis(),
            "read skill folders"
        );
        discovery
    }

    /// The store below the folders in force. Nothing is made or read yet.
    pub(super) fn store(&self) -> Store {
        let folders = self.environment.folders();
        Store::new(&folders.cache, &folders.state)
    }

    /// The models that a person added.
    pub(super) fn models(&self) -> Models {
        Models::new(&self.environment.folders().data)
    }

    /// The present.
    pub(super) fn now(&self) -> UnixMillis {
        self.environment.now()
    }

    /// The owners that a person trusts and those that they blocked.
    pub(super) fn owner_rules(&self) -> OwnerRules {
        OwnerRules::new(
            self.config.trusted_owners().iter().map(String::as_str),
            self.config.blocked_owners().iter().map(String::as_str),
        )
    }

    /// The least evidence that a person admits.
    pub(super) fn trust_policy(&self) -> TrustPolicy {
        TrustPolicy::parse(self.config.trust_policy()).expect("the configuration knows only these words")
    }

    /// How remote candidates are ranked under the settings of today.
    pub(super) fn rank_policy(&self) -> remote::Policy {
        let settings = self.config.remote();
        remote::Policy {
            min_quality: settings.min_quality,
            min_stars: settings.min_stars,
            recent_days: settings.recent_days,
            trust: self.trust_policy(),
            owners: self.owner_rules(),
            limit: settings.limit,
            now: self.now(),
            per_owner: remote::PER_OWNER,
            fulltext: self.config.router_mode() == RouterMode::Fulltext,
        }
    }

    /// What is known today of a stored skill's origin, or why it may not be used.
    pub(super) fn evidence(&self, record: &PinRecord) -> Result<EvidenceLevel, Refusal> {
        let owner = self.owner_rules().standing(&Owner::new(record.repository.owner()));
        let level = record.evidence.as_deref().and_then(EvidenceLevel::parse);
        let level = trust::reevaluate(level, record.sources.len(), owner);
        trust::admit(level, owner, self.trust_policy()).map(|()| level)
    }

    /// The skills of the store that may be used, the newest first. A store that cannot be read hides no skill
    /// of this machine.
    pub(super) fn stored_skills(&self, store: &Store) -> Vec<Stored> {
        self.readable_skills(store).unwrap_or_else(|error| {
            tracing::warn!(%error, "the store cannot be read");
            Vec::new()
        })
    }

    /// The skills of the store that may be used, the newest first.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub(super) fn readable_skills(&self, store: &Store) -> Result<Vec<Stored>, StoreError> {
        let records = store.pins()?.records;
        Ok(records.into_iter().filter_map(|record| self.admitted(store, record)).collect())
    }

    /// A stored skill, when it may be used.
    pub(super) fn admitted(&self, store: &Store, record: PinRecord) -> Option<Stored> {
        match self.evidence(&record) {
            Ok(level) => Some(stored_skill(store, record, level)),
            Err(refusal) => {
                tracing::info!(%refusal, "a stored skill is left out");
                None
            }
        }
    }

    /// The folders in which skills are looked for.
    pub(super) fn roots(&self) -> Vec<Root> {
        self.with_roots(roots::roots)
    }

    /// Ids of agents that have left a trace on this machine.
    pub(super) fn detected_agents(&self) -> Vec<&'static str> {
        self.with_roots(roots::detected_agents)
    }

    /// The folders that an agent reads, whether they exist or not.
    pub(super) fn folders_of(&self, agent: &str) -> Vec<String> {
        self.roots().into_iter().filter(|root| root.agents.contains(&agent)).map(|root| root.label).collect()
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

fn stored_skill(store: &Store, record: PinRecord, level: EvidenceLevel) -> Stored {
    Stored {
        identity: record.identity,
        digest: record.digest,
        host: record.host,
        repository: record.repository.to_string(),
        repository_id: record.repository_id,
        commit: record.commit,
        reference: record.reference,
        path: record.path,
        evidence: level.as_str(),
        quality: record.quality,
        installs: record.installs,
        omitted: record.omitted.into_iter().map(|file| (file.path, file.code)).collect(),
        folder: store.tree_folder(&record.digest),
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
