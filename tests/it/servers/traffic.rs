//! What a server was asked: every request with its answer's status, and how the requests lay in time.
//!
//! A round is a group of requests that overlap one another; a request that starts when none is in flight
//! begins a new one. Whether requests that follow each other at once overlap is up to the machine, so a test
//! that counts rounds gives its server a delay.

use std::{collections::BTreeMap, sync::Mutex, time::Instant};

use super::wire::Request;

/// One request that a server read.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) path_and_query: String,
    /// By lower-case name.
    pub(crate) headers: BTreeMap<String, String>,
    /// Zero as long as the answer is not known.
    pub(crate) status: u16,
    begun: Instant,
    ended: Option<Instant>,
}

/// All requests of one server, in the order they came.
#[derive(Debug, Default)]
pub(crate) struct Traffic(Mutex<Vec<Seen>>);

impl Traffic {
    pub(crate) fn begin(&self, request: &Request) -> usize {
        let mut seen = self.0.lock().unwrap();
        seen.push(Seen {
            method: request.method.clone(),
            path_and_query: request.target.clone(),
            headers: request.headers.clone(),
            status: 0,
            begun: Instant::now(),
            ended: None,
        });
        seen.len() - 1
    }

    pub(crate) fn answered(&self, index: usize, status: u16) {
        self.0.lock().unwrap()[index].status = status;
    }

    pub(crate) fn end(&self, index: usize) {
        self.0.lock().unwrap()[index].ended = Some(Instant::now());
    }

    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.0.lock().unwrap().clone()
    }

    /// How many requests were in flight at once, at most.
    pub(crate) fn max_concurrent(&self) -> usize {
        let requests = self.requests();
        let in_flight_at = |moment: Instant| {
            requests
                .iter()
                .filter(|seen| seen.begun <= moment && seen.ended.is_none_or(|ended| ended > moment))
                .count()
        };
        requests.iter().map(|seen| in_flight_at(seen.begun)).max().unwrap_or(0)
    }

    /// How many groups of overlapping requests there were.
    pub(crate) fn rounds(&self) -> usize {
        let mut requests = self.requests();
        requests.sort_by_key(|seen| seen.begun);
        let mut rounds = 0;
        let mut open_until: Option<Instant> = None;
        for seen in requests {
            if open_until.is_none_or(|until| seen.begun >= until) {
                rounds += 1;
            }
            let ended = seen.ended.unwrap_or_else(Instant::now);
            open_until = Some(open_until.map_or(ended, |until| until.max(ended)));
        }
        rounds
    }
}
