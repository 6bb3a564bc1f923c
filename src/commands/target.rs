//! From a reference that a person typed to what can be mounted: a skill that is here, one that a host has,
//! or the candidates of a name that was searched or offered before.

use super::{
    context::Context, discovering, failure::MountFailure, online::Online, resolve, session::Session,
};
use crate::{
    candidate::remote::RemoteCandidate,
    fetch::pin::{Place, Wanted},
    skill::{
        id::{CommitSha, RepoSlug, SkillRef},
        name::Slug,
    },
    source::local::Discovery,
    store::{Store, discovery_file::DiscoveryFile, pins::PinRecord},
};

/// How many offers that failed a session remembers.
const MAX_FAILED: usize = 100;

/// What a reference names.
pub(super) enum Target {
    /// A skill of this machine, by its index.
    Here(usize),
    /// Skills of hosts, of which one is wanted; the best one first.
    Remote(Vec<Remote>),
}

/// A skill that a host has.
#[derive(Debug, Clone)]
pub(super) struct Remote {
    pub(super) wanted: Wanted,
    /// What a search said of it.
    pub(super) candidate: Option<RemoteCandidate>,
}

/// What a reference is looked up in.
pub(super) struct Places<'a> {
    pub(super) context: &'a Context,
    pub(super) online: &'a Online,
    pub(super) store: &'a Store,
    pub(super) session: &'a Session,
}

impl Places<'_> {
    /// What `reference` names; skills of this machine are found in `discovery`.
    pub(super) fn target(&self, discovery: &mut Discovery, reference: &str) -> anyhow::Result<Target> {
        let parsed = SkillRef::parse(reference)?;
        let host = &self.online.hosts.github_host;
        Ok(match parsed {
            SkillRef::Repository { path, .. } if !path.is_empty() && path.split('/').any(is_no_name) => {
                return Err(MountFailure::BadFolder { path }.into());
            }
            SkillRef::Repository { repository, path, reference } => {
                Target::one(Wanted::of(repository, reference, Place::Path(path)))
            }
            SkillRef::RepositoryName { repository, name } => {
                Target::one(Wanted::of(repository, None, Place::Name(name)))
            }
            SkillRef::Url { host: named, repository, mut segments } => {
                if named != *host && named != format!("www.{host}") {
                    return Err(MountFailure::OtherHost { named, host: host.clone() }.into());
                }
                if segments.len() > 1 && segments.last().is_some_and(|last| last == "SKILL.md") {
                    segments.pop();
                }
                Target::one(Wanted::of(repository, None, Place::Segments(segments)))
            }
            SkillRef::CandidateId(id) => match self.candidate(discovery, &id)? {
                Some(target) => target,
                None => Target::Here(
                    resolve::resolve(self.context, discovery, reference)
                        .map_err(|_| MountFailure::UnknownCandidate { id })?,
                ),
            },
            SkillRef::Name(name) => match resolve::resolve(self.context, discovery, reference) {
                Ok(index) => Target::Here(index),
                Err(error) => match self.known_by_name(&name) {
                    known if known.is_empty() => return Err(error),
                    known => Target::Remote(known),
                },
            },
            SkillRef::Digest(_) | SkillRef::Local(_) | SkillRef::Bundled(_) => {
                Target::Here(resolve::resolve(self.context, discovery, reference)?)
            }
        })
    }

    /// What a search or the store knows under this id.
    fn candidate(&self, discovery: &Discovery, id: &str) -> anyhow::Result<Option<Target>> {
        let is_stored = |stored: &crate::source::stored::Stored| stored.identity.short() == id;
        let here = discovery.skills.iter().position(|skill| skill.stored.as_deref().is_some_and(is_stored));
        if let Some(index) = here {
            return Ok(Some(Target::Here(index)));
        }
        let mut values: Vec<serde_json::Value> =
            self.searches().find_candidate(id)?.into_iter().map(|(_, value)| value).collect();
        values.extend(self.store.session(&self.session.name)?.value.offers);
        let candidates = discovering::candidates(&values);
        let Some(candidate) = candidates.into_iter().find(|candidate| candidate.identity.short() == id)
        else {
            return Ok(None);
        };
        Remote::of(candidate).map(|remote| Some(Target::Remote(vec![remote])))
    }

    /// Candidates of this name that the session was offered.
    fn known_by_name(&self, name: &str) -> Vec<Remote> {
        let offers = match self.store.session(&self.session.name) {
            Ok(session) => session.value.offers,
            Err(error) => {
                tracing::warn!(%error, "the session cannot be read");
                return Vec::new();
            }
        };
        let is_named =
            |candidate: &RemoteCandidate| slug(candidate).as_str() == name || candidate.name == name;
        let candidates = discovering::candidates(&offers).into_iter().filter(is_named);
        candidates.filter_map(|candidate| Remote::of(candidate).ok()).collect()
    }

    /// Adds, behind one that the session was offered, the others that it was offered under the same name.
    pub(super) fn add_fallbacks(&self, remotes: &mut Vec<Remote>) {
        let [Remote { candidate: Some(candidate), .. }] = remotes.as_slice() else { return };
        let (identity, name) = (candidate.identity, slug(candidate));
        let same_name = self.known_by_name(name.as_str());
        let is_it = |other: &Remote| other.candidate.as_ref().is_some_and(|one| one.identity == identity);
        if same_name.iter().any(is_it) {
            remotes.extend(same_name.into_iter().filter(|other| !is_it(other)));
        }
    }

    /// Takes candidates out of the offers of the session, by what [`Remote::place`] calls them.
    ///
    /// Those that `failed` are not offered again before somebody searches anew.
    pub(super) fn forget_offers(&self, places: &[String], failed: &[String]) {
        let is_kept = |offer: &serde_json::Value| {
            let candidate = discovering::candidates(std::slice::from_ref(offer)).pop();
            let place =
                candidate.and_then(|candidate| Remote::of(candidate).ok()).map(|remote| remote.place());
            place.is_none_or(|place| !places.contains(&place))
        };
        let change = self.store.update_session(&self.session.name, |session| {
            session.offers.retain(is_kept);
            session.failed.extend_from_slice(failed);
            let over = session.failed.len().saturating_sub(MAX_FAILED);
            session.failed.drain(..over);
        });
        if let Err(error) = change {
            tracing::warn!(%error, "the offers of this session are not changed");
        }
    }

    fn searches(&self) -> DiscoveryFile {
        DiscoveryFile::new(&self.store.discovery_file(), self.context.config.remote().max_stored)
    }
}

/// Whether `named` is at least 7 first digits of a commit.
fn is_beginning(commit: &str, named: &str) -> bool {
    named.len() >= 7 && named.bytes().all(|byte| byte.is_ascii_hexdigit()) && commit.starts_with(named)
}

/// Whether a segment of a path cannot be the name of a folder.
fn is_no_name(segment: &str) -> bool {
    matches!(segment, "" | "." | "..")
}

/// The name that a candidate is typed by.
pub(super) fn slug(candidate: &RemoteCandidate) -> Slug {
    let folder = candidate.path.as_deref().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    Slug::derive(&candidate.name, folder)
}

impl Wanted {
    fn of(repository: RepoSlug, reference: Option<String>, place: Place) -> Self {
        Self { repository, reference, commit: None, repository_id: None, owner_id: None, place }
    }
}

impl Target {
    fn one(wanted: Wanted) -> Self {
        Self::Remote(vec![Remote { wanted, candidate: None }])
    }
}

impl Remote {
    /// What is wanted of a candidate: the commit that the search showed.
    ///
    /// # Errors
    ///
    /// [`MountFailure::NotMountable`] when its source is no repository of the host,
    /// [`MountFailure::RepositoryUnknown`] when the host did not speak of it.
    pub(super) fn of(candidate: RemoteCandidate) -> anyhow::Result<Self> {
        let Some(facts) = &candidate.facts else {
            let name = candidate.name.clone();
            let (address, skill_id) = (candidate.address.clone(), candidate.skill_id.clone());
            return Err(if candidate.is_in_repository() {
                MountFailure::RepositoryUnknown { name, address, skill_id }.into()
            } else {
                MountFailure::NotMountable { name, address }.into()
            });
        };
        let wanted = Wanted {
            repository: facts.repository.clone(),
            reference: None,
            commit: Some(facts.head.clone()),
            repository_id: Some(facts.id),
            owner_id: facts.owner_id,
            place: match &candidate.path {
                Some(path) => Place::Path(path.clone()),
                None => Place::Name(candidate.skill_id.clone()),
            },
        };
        Ok(Self { wanted, candidate: Some(candidate) })
    }

    /// What gives the bytes of a stored pin again.
    pub(super) fn of_record(record: &PinRecord) -> Self {
        let wanted = Wanted {
            repository: record.repository.clone(),
            reference: record.reference.clone(),
            commit: Some(record.commit.clone()),
            repository_id: record.repository_id,
            owner_id: record.owner_id,
            place: Place::Path(record.path.clone()),
        };
        Self { wanted, candidate: None }
    }

    /// Whether `record` is a stored pin of exactly what is wanted. Offline, a pin of the same folder stands in
    /// for a reference that only the host could resolve.
    pub(super) fn is(&self, record: &PinRecord, offline: bool) -> bool {
        let Wanted { repository, reference, commit, repository_id, place, .. } = &self.wanted;
        let is_repository = match (repository_id, record.repository_id) {
            (Some(wanted), Some(stored)) => *wanted == stored,
            _ => record.repository.to_string().eq_ignore_ascii_case(&repository.to_string()),
        };
        let is_place = match place {
            Place::Path(path) => record.path == *path,
            Place::Name(name) => record.name.as_str() == name || record.title == *name,
            Place::Segments(segments) => segments.get(1..).is_some_and(|path| path.join("/") == record.path),
        };
        let named = commit.clone().or_else(|| CommitSha::parse(reference.as_deref()?).ok());
        let is_commit = match &named {
            Some(commit) => *commit == record.commit,
            // The first digits of a commit are enough for one that is here.
            None if reference.as_deref().is_some_and(|named| is_beginning(record.commit.as_str(), named)) => {
                true
            }
            None => offline && (reference.is_none() || *reference == record.reference),
        };
        is_repository && is_place && is_commit
    }

    /// How it is called in messages.
    pub(super) fn place(&self) -> String {
        let Wanted { repository, reference, commit, place, .. } = &self.wanted;
        let version = reference.clone().or_else(|| commit.as_ref().map(ToString::to_string));
        let version = version.map_or_else(String::new, |version| format!("@{version}"));
        match place {
            Place::Path(path) => format!("{repository}//{path}{version}"),
            Place::Name(name) => format!("{repository}@{name}"),
            Place::Segments(segments) => format!("{repository}/tree/{}", segments.join("/")),
        }
    }

    /// The name that it will probably have: of its header, else of its folder.
    pub(super) fn name(&self) -> String {
        if let Some(candidate) = &self.candidate {
            return candidate.name.clone();
        }
        let last = |path: &str| path.rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned);
        let folder = match &self.wanted.place {
            Place::Path(path) => last(path),
            Place::Name(name) => Some(name.clone()),
            Place::Segments(segments) => segments.last().cloned(),
        };
        folder.unwrap_or_else(|| self.wanted.repository.name().to_owned())
    }
}
