//! Skills of the store, listed beside those of this machine's folders.
//!
//! Which entries there are, where they lie and whether they may be used arrives as an argument; here their
//! headers are read. Bytes are compared with the digest when a body is handed out, not when it is listed.

use std::path::{Path, PathBuf};

use super::{
    handle::{self, Folder},
    local::{Discovery, Home, LocalSkill, Problem, RootReport, Standing},
    roots::{Root, Scope},
    walk::SKILL_FILE,
};
use crate::{
    candidate::identity::Identity,
    skill::{
        Limits,
        diagnostic::Diagnostic,
        frontmatter,
        id::{CommitSha, RepoSlug, TreeDigest},
    },
};

/// The fewest digits that name a commit.
const SHORTEST: usize = 7;

/// A skill of the store and what is known of its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its identity.
    pub identity: Identity,
    /// The digest of its files.
    pub digest: TreeDigest,
    /// The host that it comes from.
    pub host: String,
    /// `owner/repo`.
    pub repository: String,
    /// The number that the host gave the repository.
    pub repository_id: Option<u64>,
    /// The commit.
    pub commit: CommitSha,
    /// The branch, tag or commit that a person named when it was fetched.
    pub reference: Option<String>,
    /// Its folder in the repository, empty for the root.
    pub path: String,
    /// The level of evidence under the rules of today.
    pub evidence: &'static str,
    /// Quality from 0 to 100 when it was fetched.
    pub quality: Option<u8>,
    /// Installations counted when it was fetched.
    pub installs: Option<u64>,
    /// Files that were left out when it was fetched, with the codes that a person allowed.
    pub omitted: Vec<(String, String)>,
    /// The folder that holds its files.
    pub folder: PathBuf,
}

impl Stored {
    /// Whether it is the version that is named: by its commit or at least 7 first digits of it, or as it was
    /// named when it was fetched. Where nothing is named, every version is.
    pub fn is_version(&self, named: Option<&str>) -> bool {
        let Some(named) = named else { return true };
        let is_short = named.len() >= SHORTEST && named.bytes().all(|byte| byte.is_ascii_hexdigit());
        self.reference.as_deref() == Some(named) || is_short && self.commit.as_str().starts_with(named)
    }

    /// Whether it comes from this repository.
    pub fn is_of(&self, repository: &RepoSlug) -> bool {
        self.repository.eq_ignore_ascii_case(&repository.to_string())
    }

    /// The name of the skill's folder in its repository.
    pub fn folder_name(&self) -> &str {
        let whole = if self.path.is_empty() { &self.repository } else { &self.path };
        whole.rsplit('/').next().unwrap_or(whole)
    }
}

/// Adds the root of the store, when it has skills.
pub(super) fn add(discovery: &mut Discovery, cache: &Path, skills: Vec<Stored>, limits: &Limits) {
    if skills.is_empty() {
        return;
    }
    let root = discovery.roots.len();
    let about = Root {
        label: "cache".to_owned(),
        scope: Scope::Cache,
        path: cache.to_owned(),
        agents: Vec::new(),
        within: None,
    };
    discovery.roots.push(RootReport { root: about, same_as: None });
    for stored in skills {
        match read(&stored, limits) {
            Ok((frontmatter, warnings)) => discovery.skills.push(LocalSkill {
                root,
                frontmatter: Box::new(frontmatter),
                warnings,
                home: Home::Folder { folder: stored.folder.clone(), file_name: SKILL_FILE.to_owned() },
                aliases: Vec::new(),
                standing: Standing::Active,
                stored: Some(Box::new(stored)),
            }),
            Err(diagnostic) => {
                discovery.problems.push(Problem { root, path: stored.folder.join(SKILL_FILE), diagnostic });
            }
        }
    }
}

fn read(stored: &Stored, limits: &Limits) -> Result<(frontmatter::Frontmatter, Vec<Diagnostic>), Diagnostic> {
    let folder =
        Folder::open(&stored.folder).map_err(|error| Diagnostic::new(handle::folder_code(&error)))?;
    let file =
        folder.file(Path::new(SKILL_FILE)).map_err(|error| Diagnostic::new(handle::file_code(&error)))?;
    let mut content = Vec::new();
    handle::read(file, limits.skill_file_bytes, &mut content).map_err(Diagnostic::new)?;
    let parsed = frontmatter::parse(&content, stored.folder_name(), limits);
    parsed.outcome.map(|frontmatter| (frontmatter, parsed.warnings))
}
