//! Pins and blobs from GitHub's REST API.
//!
//! A pin costs two rounds of requests: what the repository is and what the reference means, at once; then
//! the whole tree, and whether a commit that a person typed lies on the repository. A tree too large for
//! one answer is walked folder by folder, each verified against the entry above it. Nothing that a host
//! answers is taken for another thing than the one that was asked for. Which tree a commit has is the
//! host's word, since the API does not show commits as git stores them; below it everything is recomputed.

use serde::{Deserialize, de::IgnoredAny};

use super::{
    error::FetchError,
    pin::{self, Pinned, Place, Resolved, Rules, Step, Wanted},
    reference::{self, Reference},
    select::{self, Folder, SkillFile},
    tree::{Depth, Sizes, TreeAnswer, TreeError, TreeListing},
};
use crate::{
    http::{
        Accept, BaseUrl, Bucket, Client, Deadline, Forbidden, Freshness, HttpError, Method, Request, parallel,
    },
    skill::id::{BlobSha, CommitSha, RepoSlug, TreeSha},
};

/// How many blobs are asked for at once, without and with a token.
const PARALLEL: (usize, usize) = (4, 16);
/// The largest answer that lists a tree, in bytes.
const TREE_BYTES: u64 = 16 * 1024 * 1024;
/// The largest other answer, in bytes.
const ANSWER_BYTES: u64 = 2 * 1024 * 1024;
/// The largest comparison, in bytes: it holds the patches of up to 300 files, which nobody reads.
const COMPARE_BYTES: u64 = 16 * 1024 * 1024;
/// The most trees that are listed to reach a folder.
const MAX_WALK: usize = 64;
/// How old the facts about a repository may be whose commit a search has shown.
const FACTS_AGE: std::time::Duration = std::time::Duration::from_secs(3600);

/// GitHub's REST API, or that of an Enterprise server.
#[derive(Debug, Clone)]
pub struct Api {
    /// The client.
    pub client: Client,
    /// The address of the API, for instance `https://api.github.com`.
    pub base: BaseUrl,
    /// The host that a person would open, for instance `github.com`.
    pub host: String,
}

#[derive(Debug, Deserialize)]
struct RepositoryAnswer {
    id: u64,
    full_name: String,
    #[serde(default)]
    owner: Option<OwnerAnswer>,
    default_branch: String,
    #[serde(default)]
    archived: bool,
    #[serde(default)]
    disabled: bool,
}

#[derive(Debug, Deserialize)]
struct OwnerAnswer {
    id: u64,
}

#[derive(Debug, Deserialize)]
struct CommitAnswer {
    sha: String,
    commit: CommitBody,
}

#[derive(Debug, Deserialize)]
struct CommitBody {
    tree: TreeId,
}

#[derive(Debug, Deserialize)]
struct TreeId {
    sha: String,
}

#[derive(Debug, Deserialize)]
struct RefAnswer {
    #[serde(rename = "ref")]
    name: String,
}

#[derive(Debug, Deserialize)]
struct CompareAnswer {
    status: String,
}

/// A commit, its tree, and the place once the reference is known.
struct Head {
    commit: CommitSha,
    tree: TreeSha,
    place: Place,
}

/// Pins over the API, see [`pin::pin`].
pub(super) async fn pin(
    api: &Api,
    wanted: &Wanted,
    rules: &Rules,
    deadline: Deadline,
) -> Result<Pinned, FetchError> {
    let asker = Asker { api, repository: &wanted.repository, deadline };
    let (facts, head) = tokio::join!(asker.facts(wanted), asker.head(wanted));
    let facts = facts?;
    let (branch, resolved) = resolved(api, wanted, facts, head?)?;
    let asker = Asker { api, repository: &resolved.repository, deadline };
    let typed = pin::is_typed_commit(wanted) && !rules.allow_unreachable;
    let (listing, reachable) = tokio::join!(asker.tree(&resolved.root, Depth::Recursive), async {
        if typed { asker.check_reachable(&branch, &resolved.commit).await } else { Ok(()) }
    });
    reachable?;
    let Some(listing) = listing? else {
        let (folder, listing) = asker.walk(&resolved).await?;
        return resolved.pinned(folder, &listing, "", rules);
    };
    let folder = match pin::find(&resolved, &listing, rules)? {
        Step::Folder(folder) => folder,
        Step::Headers(files) => {
            let headers = asker.headers(&files).await?;
            pin::find_by_header(&resolved, files, &headers, rules)?
        }
    };
    let path = folder.path.clone();
    resolved.pinned(folder, &listing, &path, rules)
}

/// Joins both answers of the first round; also gives the default branch.
fn resolved(
    api: &Api,
    wanted: &Wanted,
    facts: RepositoryAnswer,
    head: Head,
) -> Result<(String, Resolved), FetchError> {
    let repository = RepoSlug::parse(&facts.full_name).map_err(|_| FetchError::WrongObject {
        asked: wanted.repository.to_string(),
        found: facts.full_name.clone(),
    })?;
    let owner_id = facts.owner.map(|owner| owner.id);
    let changed = |what, expected: Option<u64>, found: Option<u64>| match (expected, found) {
        (Some(expected), Some(found)) if expected != found => {
            Err(FetchError::IdentityChanged { repository: wanted.repository.clone(), what, expected, found })
        }
        _ => Ok(()),
    };
    changed("repository", wanted.repository_id, Some(facts.id))?;
    changed("owner", wanted.owner_id, owner_id)?;
    if facts.disabled {
        return Err(FetchError::RepositoryDisabled { repository });
    }
    if head.tree.as_str().len() != 40 {
        return Err(FetchError::ObjectFormat { repository });
    }
    let is_renamed = !repository.to_string().eq_ignore_ascii_case(&wanted.repository.to_string());
    let resolved = Resolved {
        host: api.host.clone(),
        renamed_from: is_renamed.then(|| wanted.repository.clone()),
        repository,
        repository_id: Some(facts.id),
        owner_id,
        archived: facts.archived,
        commit: head.commit,
        root: head.tree,
        place: head.place,
        suffix: pin::suffix(wanted),
    };
    Ok((facts.default_branch, resolved))
}

/// Asks about one repository.
struct Asker<'a> {
    api: &'a Api,
    repository: &'a RepoSlug,
    deadline: Deadline,
}

impl Asker<'_> {
    fn request(&self, segments: &[&str], query: &str) -> Request {
        let mut path = vec!["repos", self.repository.owner(), self.repository.name()];
        path.extend(segments);
        Request {
            method: Method::Get,
            url: format!("{}{query}", self.api.base.join(&path)),
            accept: Accept::GithubJson,
            bucket: Bucket::Core,
            freshness: Freshness::MaxAge(std::time::Duration::ZERO),
            body_limit: ANSWER_BYTES,
            with_token: true,
        }
    }

    async fn facts(&self, wanted: &Wanted) -> Result<RepositoryAnswer, FetchError> {
        let mut request = self.request(&[], "");
        if wanted.commit.is_some() {
            request.freshness = Freshness::MaxAge(FACTS_AGE);
        }
        match self.api.client.json(&request, self.deadline).await {
            Ok(reply) => Ok(reply.body),
            Err(HttpError::NotFound { .. }) => Err(FetchError::RepositoryNotFound {
                host: self.api.host.clone(),
                repository: self.repository.clone(),
            }),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// What the reference means.
    async fn head(&self, wanted: &Wanted) -> Result<Head, FetchError> {
        let (reference, place) = pin::start(wanted)?;
        if let Place::Segments(segments) = &place {
            return self.head_of_segments(segments).await;
        }
        let answer = match &reference {
            Reference::Name(name) => {
                let (branch, tag) = (Reference::Branch(name.clone()), Reference::Tag(name.clone()));
                let (branch, tag) = tokio::join!(self.commit(&branch), self.commit(&tag));
                match (branch?, tag?) {
                    (Some(_), Some(_)) => return Err(self.ambiguous(name)),
                    (branch, tag) => branch.or(tag),
                }
            }
            reference => self.commit(reference).await?,
        };
        let answer = answer.ok_or_else(|| {
            let reference = wanted.commit.as_ref().map(ToString::to_string);
            let reference = reference.or_else(|| wanted.reference.clone());
            self.no_ref(&reference.unwrap_or_else(|| "HEAD".to_owned()))
        })?;
        head_of(&answer, &reference, place)
    }

    /// Where a web address's ref ends: the longest name that there is. Most are branches of one segment, so
    /// that commit is asked for at once; any other costs one more round.
    async fn head_of_segments(&self, segments: &[String]) -> Result<Head, FetchError> {
        let first = segments.first().map_or("", String::as_str);
        if !reference::is_ref_name(first) {
            return Err(FetchError::BadReference { reference: first.to_owned() });
        }
        let guess = Reference::Branch(first.to_owned());
        let (heads, tags, guessed) = tokio::join!(
            self.names("heads", first, Reference::Branch),
            self.names("tags", first, Reference::Tag),
            self.commit(&guess)
        );
        let mut names = heads?;
        names.extend(tags?);
        let Some((found, count)) = reference::longest(segments, &names) else {
            return Err(self.no_ref(first));
        };
        let [found] = found[..] else { return Err(self.ambiguous(&segments[..count].join("/"))) };
        let answer = if *found == guess { guessed? } else { self.commit(found).await? };
        let answer = answer.ok_or_else(|| self.no_ref(&segments[..count].join("/")))?;
        head_of(&answer, found, Place::Path(segments[count..].join("/")))
    }

    /// The branches or tags whose names begin with `prefix`.
    async fn names(
        &self,
        kind: &str,
        prefix: &str,
        reference: fn(String) -> Reference,
    ) -> Result<Vec<Reference>, FetchError> {
        let mut segments = vec!["git", "matching-refs", kind];
        segments.extend(prefix.split('/'));
        let request = self.request(&segments, "");
        let answer: Vec<RefAnswer> = match self.api.client.json(&request, self.deadline).await {
            Ok(reply) => reply.body,
            Err(HttpError::NotFound { .. }) => Vec::new(),
            Err(error) => return Err(self.failed(error)),
        };
        let start = format!("refs/{kind}/");
        let names = answer.iter().filter_map(|answer| answer.name.strip_prefix(&start));
        Ok(names.map(|name| reference(name.to_owned())).collect())
    }

    /// The commit that a reference leads to, when there is one.
    async fn commit(&self, reference: &Reference) -> Result<Option<CommitAnswer>, FetchError> {
        let path = match reference {
            Reference::Head => "HEAD".to_owned(),
            Reference::Commit(commit) => commit.to_string(),
            Reference::Branch(name) => format!("heads/{name}"),
            Reference::Tag(name) => format!("tags/{name}"),
            Reference::Name(name) => name.clone(),
        };
        let mut segments = vec!["commits"];
        segments.extend(path.split('/'));
        // The answer lists the commit's files with their patches; one is the fewest that can be asked for.
        let mut request = self.request(&segments, "?per_page=1");
        if matches!(reference, Reference::Commit(_)) {
            request.freshness = Freshness::Immutable;
        }
        match self.api.client.json(&request, self.deadline).await {
            Ok(reply) => Ok(Some(reply.body)),
            Err(HttpError::NotFound { .. } | HttpError::Unprocessable { .. }) => Ok(None),
            Err(HttpError::Conflict { .. }) => {
                Err(FetchError::EmptyRepository { repository: self.repository.clone() })
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    /// A tree's verified list; `None` when the host cut it.
    async fn tree(&self, tree: &TreeSha, depth: Depth) -> Result<Option<TreeListing>, FetchError> {
        let query = if depth == Depth::Recursive { "?recursive=1" } else { "" };
        let mut request = self.request(&["git", "trees", tree.as_str()], query);
        request.freshness = Freshness::Immutable;
        request.body_limit = TREE_BYTES;
        let ask = async |request: &Request| {
            let reply = self.api.client.json::<TreeAnswer>(request, self.deadline).await;
            reply.map_err(|error| self.failed(error))
        };
        let reply = ask(&request).await?;
        match verified(tree, reply.body, depth) {
            // What was kept of a host that answered wrongly once must not stand in the way for ever.
            Err(_) if reply.from_cache => {
                request.freshness = Freshness::NoStore;
                Ok(verified(tree, ask(&request).await?.body, depth)?)
            }
            result => Ok(result?),
        }
    }

    /// The folder at the wanted path and the list of what is below it, without the rest of a huge tree.
    async fn walk(&self, resolved: &Resolved) -> Result<(Folder, TreeListing), FetchError> {
        let too_large = || FetchError::TreeTooLarge { repository: self.repository.clone() };
        let Place::Path(path) = &resolved.place else {
            return Err(FetchError::NameNeedsPath { repository: self.repository.clone() });
        };
        let path = select::folder_of(path);
        let missing = || select::not_found(self.repository, path, Vec::new());
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        if segments.is_empty() || segments.len() >= MAX_WALK {
            return Err(too_large());
        }
        let mut tree = resolved.root.clone();
        for segment in &segments {
            let listing = self.tree(&tree, Depth::Flat).await?.ok_or_else(too_large)?;
            tree = listing.folder(segment).ok_or_else(missing)?;
        }
        let listing = self.tree(&tree, Depth::Recursive).await?.ok_or_else(too_large)?;
        if !select::holds_skill(&listing, "")? {
            return Err(missing());
        }
        Ok((Folder { path: segments.join("/"), tree }, listing))
    }

    /// Whether a commit belongs to this repository: any commit of any fork can be read under its name.
    async fn check_reachable(&self, branch: &str, commit: &CommitSha) -> Result<(), FetchError> {
        let compared = format!("{branch}...{commit}");
        let mut segments = vec!["compare"];
        segments.extend(compared.split('/'));
        let mut request = self.request(&segments, "?per_page=1");
        request.body_limit = COMPARE_BYTES;
        match self.api.client.json::<CompareAnswer>(&request, self.deadline).await {
            Ok(reply) if matches!(reply.body.status.as_str(), "identical" | "behind") => return Ok(()),
            Ok(_) | Err(HttpError::NotFound { .. } | HttpError::Unprocessable { .. }) => {}
            Err(error) => return Err(self.failed(error)),
        }
        let request = self.request(&["commits", commit.as_str(), "branches-where-head"], "");
        match self.api.client.json::<Vec<IgnoredAny>>(&request, self.deadline).await {
            Ok(reply) if !reply.body.is_empty() => Ok(()),
            Ok(_) | Err(HttpError::NotFound { .. } | HttpError::Unprocessable { .. }) => {
                Err(FetchError::Unreachable {
                    repository: self.repository.clone(),
                    commit: commit.to_string(),
                })
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    /// The bytes of some `SKILL.md` files, in their order.
    async fn headers(&self, files: &[SkillFile]) -> Result<Vec<Vec<u8>>, FetchError> {
        let tasks = files.iter().map(|file| {
            let request = self.api.blob_request(self.repository, &file.blob, file.size.unwrap_or(0));
            let (client, deadline, file) = (self.api.client.clone(), self.deadline, file.clone());
            async move {
                let bytes = client.bytes(&request, deadline).await?.body;
                file.check(&bytes)?;
                Ok(bytes)
            }
        });
        parallel::run(self.api.parallel(), tasks, |_| {}).await
    }

    fn no_ref(&self, reference: &str) -> FetchError {
        FetchError::RefNotFound { repository: self.repository.clone(), reference: reference.to_owned() }
    }

    fn ambiguous(&self, reference: &str) -> FetchError {
        FetchError::AmbiguousRef { repository: self.repository.clone(), reference: reference.to_owned() }
    }

    fn failed(&self, error: HttpError) -> FetchError {
        let repository = self.repository.clone();
        match error {
            HttpError::Blocked { reason, .. } => FetchError::Blocked { repository, reason },
            HttpError::Forbidden { reason: Forbidden::Terms, message, .. } => {
                FetchError::Blocked { repository, reason: message }
            }
            error => FetchError::Http(error),
        }
    }
}

impl Api {
    /// How many blobs may be asked for at once.
    pub(super) fn parallel(&self) -> usize {
        if self.client.has_token(&self.base) { PARALLEL.1 } else { PARALLEL.0 }
    }

    /// The request for a blob's bytes. They are not kept: what becomes of them is for the caller.
    pub(super) fn blob_request(&self, repository: &RepoSlug, blob: &BlobSha, body_limit: u64) -> Request {
        let path = ["repos", repository.owner(), repository.name(), "git", "blobs", blob.as_str()];
        Request {
            method: Method::Get,
            url: self.base.join(&path),
            accept: Accept::GithubRaw,
            bucket: Bucket::Core,
            freshness: Freshness::NoStore,
            body_limit,
            with_token: true,
        }
    }
}

fn verified(tree: &TreeSha, answer: TreeAnswer, depth: Depth) -> Result<Option<TreeListing>, TreeError> {
    if answer.sha != tree.as_str() {
        return Err(TreeError::Other { asked: tree.to_string(), found: answer.sha });
    }
    if answer.truncated {
        return Ok(None);
    }
    TreeListing::verify(tree, answer.tree, depth, Sizes::Listed).map(Some)
}

fn head_of(answer: &CommitAnswer, reference: &Reference, place: Place) -> Result<Head, FetchError> {
    let wrong = |asked: &str| FetchError::WrongObject { asked: asked.to_owned(), found: answer.sha.clone() };
    let commit = CommitSha::parse(&answer.sha).map_err(|_| wrong("a commit"))?;
    let tree = TreeSha::parse(&answer.commit.tree.sha).map_err(|_| wrong("a commit's tree"))?;
    match reference {
        Reference::Commit(asked) if *asked != commit => Err(wrong(asked.as_str())),
        _ => Ok(Head { commit, tree, place }),
    }
}
