//! Every fault of the wire arrives at a client as it should.

use std::{
    io::{self, ErrorKind, Read},
    time::Duration,
};

use flate2::read::GzDecoder;
use serde_json::Value;

use super::{parsed, served, small};
use crate::servers::{
    client::get,
    faults::{BOMB_MIB, Fault, FaultProxy, Pace},
    github::now_seconds,
    wire::Answer,
};

const PATH: &str = "/repos/tide-works/field-skills";

/// Whether an answer to `fault` shows it.
fn shows(fault: Fault, good: &Answer, proxy: &FaultProxy, answer: io::Result<Answer>) -> bool {
    let answer = match (fault, answer) {
        (Fault::CloseBeforeHeaders | Fault::StallHeaders, answer) => return answer.is_err(),
        (Fault::CloseAfterHeaders | Fault::TruncateBody | Fault::ContentLengthTooLong, answer) => {
            return answer.is_err_and(|error| error.kind() == ErrorKind::UnexpectedEof);
        }
        (_, answer) => answer.unwrap_or_else(|error| panic!("{}: {error}", fault.name())),
    };
    let location = answer.header("location");
    let retry_after = answer.header("retry-after");
    match fault {
        Fault::ContentLengthTooShort => answer.body.len() == good.body.len() - 10,
        Fault::DripBody => answer.body == good.body,
        Fault::GzipBomb => answer.header("content-encoding") == "gzip" && answer.body.len() < 4 << 20,
        Fault::GzipTruncated => GzDecoder::new(answer.body.as_slice()).read_to_end(&mut Vec::new()).is_err(),
        Fault::InvalidJson | Fault::JsonDepth | Fault::InvalidUtf8 | Fault::BomPrefix => {
            serde_json::from_slice::<Value>(&answer.body).is_err() && answer.status == 200
        }
        Fault::JsonDuplicateKeys => {
            String::from_utf8_lossy(&answer.body).matches("\"id\":").count() > 2
                && parsed(&answer).is_object()
        }
        Fault::RedirectLoop => location == format!("{}{PATH}", proxy.url()),
        Fault::RedirectChain => location == format!("{}/hop/1{PATH}", proxy.url()),
        Fault::RedirectOtherHost => location == "http://127.0.0.1:1/x",
        Fault::RedirectSchemeDowngrade => location == "http://downgraded.invalid/x",
        Fault::RedirectFileScheme => location == "file:///etc/passwd",
        Fault::HeaderFlood => answer.headers.len() > 10_000,
        Fault::DateHeaderFarFuture => answer.header("date").contains("9998"),
        Fault::RatelimitResetInPast => {
            answer.header("x-ratelimit-reset").parse::<i64>().unwrap() < now_seconds() && answer.status == 403
        }
        Fault::RetryAfterHttpDate => answer.status == 429 && retry_after.ends_with(" GMT"),
        Fault::RetryAfterNegative => answer.status == 429 && retry_after == "-1",
        Fault::RetryAfterHuge => answer.status == 429 && retry_after == "86400000",
        Fault::EtagMismatch => answer.status == 304 && answer.body.is_empty(),
        _ => false,
    }
}

#[test]
fn every_fault_is_played_for_its_path_alone() {
    let github = served(&small());
    let good = get(&format!("{}{PATH}", github.url()), &[]).unwrap();
    let pace = Pace { stall: Duration::from_millis(50), drip: Duration::from_micros(20), ..Pace::default() };
    for &fault in Fault::ALL {
        let proxy = FaultProxy::start_with(&github.url(), fault, "/repos/tide-works", pace.clone());
        let answer = get(&format!("{}{PATH}", proxy.url()), &[]);
        assert!(shows(fault, &good, &proxy, answer), "{}", fault.name());
        let other = get(&format!("{}/rate_limit", proxy.url()), &[]).unwrap();
        assert_eq!((other.status, proxy.requests().len()), (200, 2), "{}", fault.name());
    }
}

#[test]
fn a_fault_passes_after_so_many_times() {
    let github = served(&small());
    let pace = Pace { times: Some(2), ..Pace::default() };
    let proxy = FaultProxy::start_with(&github.url(), Fault::RetryAfterHuge, "/repos", pace);
    let statuses = [(); 3].map(|()| get(&format!("{}{PATH}", proxy.url()), &[]).unwrap().status);
    assert_eq!(statuses, [429, 429, 200]);
}

#[test]
fn a_chain_of_redirects_has_eleven_hops() {
    let github = served(&small());
    github.rename("a/old", "tide-works/field-skills");
    let proxy = FaultProxy::start(&github.url(), Fault::RedirectChain, PATH);
    let mut url = format!("{}{PATH}", proxy.url());
    for _ in 0..11 {
        let answer = get(&url, &[]).unwrap();
        assert_eq!(answer.status, 302);
        answer.header("location").clone_into(&mut url);
    }
    assert_eq!(get(&url, &[]).unwrap().status, 200);
    let moved = get(&format!("{}/repos/a/old", proxy.url()), &[]).unwrap();
    assert!(moved.header("location").starts_with(&proxy.url()), "a redirect stays at the proxy: {moved:?}");
}

#[test]
fn the_gzip_bomb_is_as_large_as_it_says() {
    let github = served(&small());
    let proxy = FaultProxy::start(&github.url(), Fault::GzipBomb, "/");
    let answer = get(&proxy.url(), &[]).unwrap();
    let size = io::copy(&mut GzDecoder::new(answer.body.as_slice()), &mut io::sink()).unwrap();
    assert_eq!(size, (BOMB_MIB << 20) as u64 + 2, "white space and an empty object");
}
