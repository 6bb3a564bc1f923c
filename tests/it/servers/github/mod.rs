//! A server that answers as `api.github.com` does, over repositories that a test made.
//!
//! It keeps GitHub's rules: a user agent is required, a bad token is refused, every answer but a 304 to a token
//! counts against a limit, renamed repositories move, private ones are not there without a token. A test can
//! put other answers in front of it, and make it lie about blobs and trees.

mod canned;
mod graphql;
mod limits;
mod objects;
mod routes;
mod search;
mod shapes;

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, SystemTime},
};

use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};

pub(crate) use canned::{Canned, Refusal};
pub(crate) use objects::AddedEntry;

use self::limits::{Bucket, Limits};
use super::{
    repository::Repository,
    traffic::Seen,
    wire::{Answer, Reply, Request, Server},
};

/// How the server is set up.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// The one token that is accepted.
    pub(crate) token: String,
    /// Recursive answers hold this many entries at most.
    pub(crate) truncate_over: usize,
    /// Waited for before each answer, so that rounds can be counted.
    pub(crate) delay: Duration,
    /// After how long the limits start anew.
    pub(crate) reset_in: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            token: "test-token".to_owned(),
            truncate_over: 100_000,
            delay: Duration::ZERO,
            reset_in: Duration::from_secs(3600),
        }
    }
}

/// What the server answers from; a request works on a copy.
#[derive(Clone)]
struct State {
    options: Options,
    url: String,
    repositories: Vec<Repository>,
    /// Former name to present name.
    renames: BTreeMap<String, String>,
    blocked: BTreeMap<String, String>,
    emptied: BTreeSet<String>,
    lies: objects::Lies,
}

struct Override {
    method: String,
    path_prefix: String,
    canned: Canned,
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Caller {
    Anonymous,
    Token,
}

/// A running server.
pub(crate) struct GithubServer {
    server: Server,
    state: Arc<Mutex<State>>,
    limits: Arc<Mutex<Limits>>,
    overrides: Arc<Mutex<Vec<Override>>>,
}

impl GithubServer {
    pub(crate) fn start(repositories: Vec<Repository>, options: Options) -> Self {
        let limits = Arc::new(Mutex::new(Limits::new(options.reset_in)));
        let overrides: Arc<Mutex<Vec<Override>>> = Arc::default();
        let delay = options.delay;
        let state = Arc::new(Mutex::new(State {
            options,
            url: String::new(),
            repositories,
            renames: BTreeMap::new(),
            blocked: BTreeMap::new(),
            emptied: BTreeSet::new(),
            lies: objects::Lies::default(),
        }));
        let desk = Desk {
            state: Arc::clone(&state),
            limits: Arc::clone(&limits),
            overrides: Arc::clone(&overrides),
        };
        let server = Server::start(delay, move |url| {
            url.clone_into(&mut desk.state.lock().unwrap().url);
            move |request: &Request| Reply::Answer(desk.answer(request))
        });
        Self { server, state, limits, overrides }
    }

    /// The address of the API.
    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.server.traffic().requests()
    }

    pub(crate) fn max_concurrent(&self) -> usize {
        self.server.traffic().max_concurrent()
    }

    pub(crate) fn rounds(&self) -> usize {
        self.server.traffic().rounds()
    }

    /// How many requests counted against a limit so far.
    pub(crate) fn metered(&self) -> u64 {
        self.limits.lock().unwrap().metered()
    }

    /// Leaves this many requests in every bucket.
    pub(crate) fn set_remaining(&self, remaining: u64) {
        self.limits.lock().unwrap().set_remaining(remaining);
    }

    /// Answers requests of `method` whose path and query begin with `path_prefix` by `canned`. The newest of
    /// several that fit is taken.
    pub(crate) fn override_path(&self, method: &str, path_prefix: &str, canned: Canned) {
        let (method, path_prefix) = (method.to_owned(), path_prefix.to_owned());
        self.overrides.lock().unwrap().push(Override { method, path_prefix, canned });
    }

    pub(crate) fn clear_overrides(&self) {
        self.overrides.lock().unwrap().clear();
    }

    /// The repository is now called `new`; requests for `old` are sent on by number.
    pub(crate) fn rename(&self, old: &str, new: &str) {
        self.state().renames.insert(old.to_lowercase(), new.to_owned());
    }

    /// Answers 451 for everything of a repository.
    pub(crate) fn block(&self, repository: &str, reason: &str) {
        self.state().blocked.insert(repository.to_lowercase(), reason.to_owned());
    }

    /// Answers as if a repository had no commit.
    pub(crate) fn make_empty(&self, repository: &str) {
        self.state().emptied.insert(repository.to_lowercase());
    }

    /// Serves these bytes under the id of a blob.
    pub(crate) fn tamper_blob(&self, sha: &str, bytes: impl AsRef<[u8]>) {
        self.state().lies.blobs.insert(sha.to_owned(), bytes.as_ref().to_owned());
    }

    /// Serves the bytes of each of two blobs under the id of the other.
    pub(crate) fn swap_blobs(&self, one: &str, other: &str) {
        let mut state = self.state();
        let bytes = |sha: &str| {
            let found = state.repositories.iter().find_map(|repository| repository.object(sha));
            found.unwrap_or_else(|| panic!("no repository has `{sha}`")).bytes
        };
        let (of_one, of_other) = (bytes(one), bytes(other));
        state.lies.blobs.insert(one.to_owned(), of_other);
        state.lies.blobs.insert(other.to_owned(), of_one);
    }

    /// Says another size for the file at `path` (below the tree that is asked for).
    pub(crate) fn tamper_blob_size(&self, path: &str, size: i64) {
        self.set_tree_field(path, "size", json!(size));
    }

    /// Says something else in one field of the tree entry at `path`.
    pub(crate) fn set_tree_field(&self, path: &str, field: &str, value: Value) {
        self.state().lies.fields.push((path.to_owned(), field.to_owned(), value));
    }

    pub(crate) fn drop_tree_entry(&self, path: &str) {
        self.state().lies.dropped.insert(path.to_owned());
    }

    /// Puts an entry that is not there at the end of every tree.
    pub(crate) fn add_tree_entry(&self, entry: AddedEntry) {
        self.state().lies.added.push(entry);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

/// The present, in seconds since 1970.
pub(crate) fn now_seconds() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("the clock is past 1970");
    i64::try_from(since.as_secs()).expect("the clock is near the present")
}

/// Where requests arrive.
struct Desk {
    state: Arc<Mutex<State>>,
    limits: Arc<Mutex<Limits>>,
    overrides: Arc<Mutex<Vec<Override>>>,
}

impl Desk {
    fn answer(&self, request: &Request) -> Answer {
        if request.header("user-agent").is_empty() {
            return Refusal::NoUserAgent.canned(now_seconds()).answer();
        }
        if let Some(canned) = self.overridden(request) {
            self.limits.lock().unwrap().count_unlimited();
            return canned.answer();
        }
        let state = self.state.lock().unwrap().clone();
        let bucket = Bucket::of(request.path());
        let (caller, refused) = match caller(request, &state.options.token) {
            Ok(caller) => (caller, false),
            Err(()) => (Caller::Anonymous, true),
        };
        if request.path() == "/rate_limit" && !refused {
            let limits = self.limits.lock().unwrap();
            return limits.stamp(Answer::json(200, &limits.overview(caller)), bucket, caller);
        }
        if self.limits.lock().unwrap().is_used_up(bucket, caller) {
            return self.finish(request, Limits::refusal(caller), bucket, caller);
        }
        let answer = if refused {
            Refusal::BadCredentials.canned(now_seconds()).answer()
        } else {
            state.route(request, caller)
        };
        self.finish(request, answer, bucket, caller)
    }

    /// The newest override that fits, as long as it is not used up.
    fn overridden(&self, request: &Request) -> Option<Canned> {
        let mut overrides = self.overrides.lock().unwrap();
        let fits = |known: &&mut Override| {
            known.method == request.method
                && request.target.starts_with(&known.path_prefix)
                && known.canned.times != Some(0)
        };
        let found = overrides.iter_mut().rev().find(fits)?;
        found.canned.times = found.canned.times.map(|times| times - 1);
        Some(found.canned.clone())
    }

    /// Turns an answer that the caller has already into a 304, counts it, and adds what every answer carries.
    fn finish(&self, request: &Request, mut answer: Answer, bucket: Bucket, caller: Caller) -> Answer {
        if answer.status == 200 && request.method == "GET" {
            let tag = entity_tag(&answer.body, caller);
            if request.header("if-none-match").split(',').any(|known| known.trim() == tag) {
                answer = Answer { status: 304, headers: Vec::new(), body: Vec::new() };
            }
            answer = answer.with("etag", tag);
        }
        let mut limits = self.limits.lock().unwrap();
        if answer.status != 304 || caller == Caller::Anonymous {
            limits.charge(bucket, caller);
        }
        answer = limits.stamp(answer, bucket, caller);
        drop(limits);
        compressed(request, answer)
    }
}

fn caller(request: &Request, token: &str) -> Result<Caller, ()> {
    let authorization = request.header("authorization");
    let given = authorization.strip_prefix("Bearer ").or_else(|| authorization.strip_prefix("token "));
    match given {
        None if authorization.is_empty() => Ok(Caller::Anonymous),
        Some(given) if given == token => Ok(Caller::Token),
        _ => Err(()),
    }
}

/// A weak tag of 64 digits that differs with the bytes and with who asks.
fn entity_tag(body: &[u8], caller: Caller) -> String {
    let mut hash = if caller == Caller::Token { 0x9e37_79b9_7f4a_7c15 } else { 0xcbf2_9ce4_8422_2325_u64 };
    for &byte in body {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("W/\"{}\"", format!("{hash:016x}").repeat(4))
}

/// GitHub compresses JSON of some size for those who take it.
fn compressed(request: &Request, mut answer: Answer) -> Answer {
    let wanted = request.header("accept-encoding").contains("gzip");
    if !wanted || answer.body.len() < 1024 || !answer.header("content-type").contains("application/json") {
        return answer;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&answer.body).expect("memory takes everything");
    answer.body = encoder.finish().expect("memory takes everything");
    answer.with("content-encoding", "gzip")
}
