//! The limits: 60 requests an hour without a token and 5,000 with one, ten code searches a minute.
//!
//! Nothing is given back as time passes; a test sets what is left.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Value, json};

use super::{Answer, Caller, Refusal, now_seconds};

/// What a request counts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bucket {
    Core,
    CodeSearch,
    Graphql,
}

impl Bucket {
    pub(super) fn of(path: &str) -> Self {
        match path {
            "/search/code" => Self::CodeSearch,
            "/graphql" => Self::Graphql,
            _ => Self::Core,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::CodeSearch => "code_search",
            Self::Graphql => "graphql",
        }
    }

    fn limit(self, caller: Caller) -> u64 {
        match (self, caller) {
            (Self::CodeSearch, Caller::Token) => 10,
            (Self::Graphql, Caller::Anonymous) => 0,
            (_, Caller::Anonymous) => 60,
            (_, Caller::Token) => 5000,
        }
    }
}

/// How much of each limit is used.
pub(super) struct Limits {
    reset_in: Duration,
    used: BTreeMap<(Bucket, bool), u64>,
    metered: u64,
}

impl Limits {
    pub(super) fn new(reset_in: Duration) -> Self {
        Self { reset_in, used: BTreeMap::new(), metered: 0 }
    }

    pub(super) fn metered(&self) -> u64 {
        self.metered
    }

    pub(super) fn set_remaining(&mut self, remaining: u64) {
        for bucket in [Bucket::Core, Bucket::CodeSearch, Bucket::Graphql] {
            for caller in [Caller::Anonymous, Caller::Token] {
                let used = bucket.limit(caller).saturating_sub(remaining);
                self.used.insert((bucket, caller == Caller::Token), used);
            }
        }
    }

    /// Without a token GraphQL has no limit to use up: it is refused for want of one.
    pub(super) fn is_used_up(&self, bucket: Bucket, caller: Caller) -> bool {
        bucket.limit(caller) > 0 && self.remaining(bucket, caller) == 0
    }

    pub(super) fn charge(&mut self, bucket: Bucket, caller: Caller) {
        self.metered += 1;
        *self.used.entry((bucket, caller == Caller::Token)).or_default() += 1;
    }

    /// Counts an answer that a test put in front: it is metered, but what it says of limits is its own.
    pub(super) fn count_unlimited(&mut self) {
        self.metered += 1;
    }

    pub(super) fn refusal(caller: Caller) -> Answer {
        let refusal = match caller {
            Caller::Anonymous => Refusal::PrimaryLimitAnonymous,
            Caller::Token => Refusal::PrimaryLimitToken,
        };
        refusal.canned(now_seconds()).answer()
    }

    /// Adds the headers that every answer carries.
    pub(super) fn stamp(&self, answer: Answer, bucket: Bucket, caller: Caller) -> Answer {
        let media_type = answer.header("content-type").contains("json").then_some("github.v3; format=json");
        let scope = if caller == Caller::Token { "private" } else { "public" };
        answer
            .with("cache-control", format!("{scope}, max-age=60, s-maxage=60"))
            .with("vary", "Accept,Accept-Encoding, Accept, X-Requested-With")
            .with("x-github-media-type", media_type.unwrap_or("github.v3; param=raw"))
            .with("x-github-api-version-selected", "2022-11-28")
            .with("x-github-request-id", format!("A1B2:3C4D5E:{:07X}:ABCDEF0:69123456", self.metered))
            .with("x-ratelimit-limit", bucket.limit(caller))
            .with("x-ratelimit-remaining", self.remaining(bucket, caller))
            .with("x-ratelimit-used", self.used(bucket, caller))
            .with("x-ratelimit-reset", self.reset())
            .with("x-ratelimit-resource", bucket.name())
            .with("x-content-type-options", "nosniff")
            .with("server", "github.com")
    }

    /// The body of `/rate_limit`.
    pub(super) fn overview(&self, caller: Caller) -> Value {
        let one = |bucket: Bucket| {
            json!({
                "limit": bucket.limit(caller),
                "used": self.used(bucket, caller),
                "remaining": self.remaining(bucket, caller),
                "reset": self.reset(),
            })
        };
        let mut resources = json!({ "core": one(Bucket::Core), "graphql": one(Bucket::Graphql) });
        if caller == Caller::Token {
            resources["code_search"] = one(Bucket::CodeSearch);
        }
        json!({ "resources": resources, "rate": one(Bucket::Core) })
    }

    fn used(&self, bucket: Bucket, caller: Caller) -> u64 {
        self.used.get(&(bucket, caller == Caller::Token)).copied().unwrap_or(0)
    }

    fn remaining(&self, bucket: Bucket, caller: Caller) -> u64 {
        bucket.limit(caller).saturating_sub(self.used(bucket, caller))
    }

    fn reset(&self) -> i64 {
        now_seconds() + i64::try_from(self.reset_in.as_secs()).expect("a limit lasts hours at most")
    }
}
