//! A proxy before another server that plays one fault of the wire for some paths and passes all others.
//!
//! Faults concern the connection, the framing, the compression, the text, redirects and headers. Waiting
//! faults end when the client goes, when their time is over, or when the proxy is dropped.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use flate2::{Compress, Compression, Crc, FlushCompress, write::GzEncoder};
use serde_json::{Value, json};

use super::{
    client,
    github::now_seconds,
    traffic::Seen,
    wire::{Answer, Play, Reply, Request, Server},
};

macro_rules! faults {
    ($($name:ident $word:literal),* $(,)?) => {
        /// What goes wrong.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Fault { $($name),* }

        impl Fault {
            pub(crate) const ALL: &[Self] = &[$(Self::$name),*];

            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$name => $word),* }
            }
        }
    };
}

faults! {
    CloseBeforeHeaders "close_before_headers",
    CloseAfterHeaders "close_after_headers",
    TruncateBody "truncate_body",
    ContentLengthTooLong "content_length_too_long",
    ContentLengthTooShort "content_length_too_short",
    StallHeaders "stall_headers",
    DripBody "drip_body",
    GzipBomb "gzip_bomb",
    GzipTruncated "gzip_truncated",
    InvalidJson "invalid_json",
    JsonDepth "json_depth",
    JsonDuplicateKeys "json_duplicate_keys",
    InvalidUtf8 "invalid_utf8",
    BomPrefix "bom_prefix",
    RedirectLoop "redirect_loop",
    RedirectChain "redirect_chain",
    RedirectOtherHost "redirect_other_host",
    RedirectSchemeDowngrade "redirect_scheme_downgrade",
    RedirectFileScheme "redirect_file_scheme",
    HeaderFlood "header_flood",
    DateHeaderFarFuture "date_header_far_future",
    RatelimitResetInPast "ratelimit_reset_in_past",
    RetryAfterHttpDate "retry_after_http_date",
    RetryAfterNegative "retry_after_negative",
    RetryAfterHuge "retry_after_huge",
    EtagMismatch "etag_mismatch_304_without_cache",
}

/// The decoded size of the gzip bomb, in MiB.
pub(crate) const BOMB_MIB: usize = 512;
const CHAIN_HOPS: usize = 11;
const DEPTH: usize = 100_000;
const FLOOD: usize = 10_000;

/// How a fault is played.
#[derive(Debug, Clone)]
pub(crate) struct Pace {
    /// How long headers stall.
    pub(crate) stall: Duration,
    /// The time between two bytes that drip.
    pub(crate) drip: Duration,
    /// How often the fault is played before all is well; without a number, always.
    pub(crate) times: Option<usize>,
    /// Where the redirect to another host leads.
    pub(crate) other_host: String,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            stall: Duration::from_secs(60),
            drip: Duration::from_secs(1),
            times: None,
            other_host: "http://127.0.0.1:1/x".to_owned(),
        }
    }
}

/// A running proxy.
pub(crate) struct FaultProxy {
    server: Server,
}

impl FaultProxy {
    /// Plays `fault` for requests whose path begins with `path_prefix`, and passes others to `upstream`.
    pub(crate) fn start(upstream: &str, fault: Fault, path_prefix: &str) -> Self {
        Self::start_with(upstream, fault, path_prefix, Pace::default())
    }

    pub(crate) fn start_with(upstream: &str, fault: Fault, path_prefix: &str, pace: Pace) -> Self {
        let (upstream, path_prefix) = (upstream.to_owned(), path_prefix.to_owned());
        let server = Server::start(Duration::ZERO, |url| {
            let stage = Stage { url: url.to_owned(), upstream, fault, pace, played: AtomicUsize::new(0) };
            move |request: &Request| stage.answer(request, &path_prefix)
        });
        Self { server }
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.server.traffic().requests()
    }
}

struct Stage {
    url: String,
    upstream: String,
    fault: Fault,
    pace: Pace,
    played: AtomicUsize,
}

impl Stage {
    fn answer(&self, request: &Request, path_prefix: &str) -> Reply {
        let (hop, target) = match request.target.strip_prefix("/hop/").and_then(|rest| rest.split_once('/')) {
            Some((number, rest)) => (number.parse().unwrap_or(0), format!("/{rest}")),
            None => (0, request.target.clone()),
        };
        let request = Request { target, ..request.clone() };
        if !request.target.starts_with(path_prefix) {
            return Reply::Answer(self.pass(&request));
        }
        let played = self.played.fetch_add(1, Ordering::SeqCst);
        if self.pace.times.is_some_and(|times| played >= times) {
            return Reply::Answer(self.pass(&request));
        }
        self.play(&request, hop)
    }

    fn play(&self, request: &Request, hop: usize) -> Reply {
        let answer = match self.fault {
            Fault::CloseBeforeHeaders => return closed(0, |_| Ok(())),
            Fault::StallHeaders => {
                let stall = self.pace.stall;
                return closed(0, move |stream| wait_for_end(stream, stall));
            }
            Fault::RedirectLoop => redirect(&format!("{}{}", self.url, request.target)),
            Fault::RedirectChain if hop < CHAIN_HOPS => {
                redirect(&format!("{}/hop/{}{}", self.url, hop + 1, request.target))
            }
            Fault::RedirectOtherHost => redirect(&self.pace.other_host),
            Fault::RedirectSchemeDowngrade => redirect("http://downgraded.invalid/x"),
            Fault::RedirectFileScheme => redirect("file:///etc/passwd"),
            Fault::RatelimitResetInPast => {
                limited(403).with("x-ratelimit-remaining", 0).with("x-ratelimit-reset", now_seconds() - 3600)
            }
            Fault::RetryAfterHttpDate => limited(429).with("retry-after", http_date(now_seconds() + 30)),
            Fault::RetryAfterNegative => limited(429).with("retry-after", -1),
            Fault::RetryAfterHuge => limited(429).with("retry-after", 86_400_000),
            Fault::EtagMismatch => Answer { status: 304, headers: Vec::new(), body: Vec::new() }
                .with("etag", "W/\"0123456789abcdef\""),
            Fault::GzipBomb => json_answer(gzip_bomb(BOMB_MIB)).with("content-encoding", "gzip"),
            Fault::InvalidJson => json_answer(b"{\"id\": 1, \"name\": ".to_vec()),
            Fault::JsonDepth => json_answer(("[".repeat(DEPTH) + &"]".repeat(DEPTH)).into_bytes()),
            _ => return spoilt(self.fault, self.pass(request), self.pace.drip),
        };
        Reply::Answer(answer)
    }

    /// What the other server answers, with its address replaced in redirects.
    fn pass(&self, request: &Request) -> Answer {
        let authority = self.upstream.trim_start_matches("http://");
        // What comes compressed could not be spoilt in the middle of its text.
        let mut request = request.clone();
        request.headers.remove("accept-encoding");
        let answer = client::exchange(authority, &request).unwrap_or_else(|error| {
            panic!("{} does not answer `{}`: {error}", self.upstream, request.target)
        });
        let location = answer.header("location").replace(&self.upstream, &self.url);
        if location.is_empty() { answer } else { answer.with("location", location) }
    }
}

/// A good answer in which one thing is wrong.
fn spoilt(fault: Fault, mut answer: Answer, drip: Duration) -> Reply {
    answer
        .headers
        .retain(|(name, _)| !["content-length", "connection", "transfer-encoding"].contains(&name.as_str()));
    let length = answer.body.len();
    match fault {
        Fault::CloseAfterHeaders => return framed(answer, length, 0),
        Fault::TruncateBody => return framed(answer, length, length / 2),
        Fault::ContentLengthTooLong => return framed(answer, length + 10, length),
        Fault::ContentLengthTooShort => return framed(answer, length.saturating_sub(10), length),
        Fault::DripBody => {
            return closed(answer.status, move |stream| {
                stream.write_all(&answer.head(length))?;
                for byte in &answer.body {
                    stream.write_all(&[*byte])?;
                    thread::sleep(drip);
                }
                Ok(())
            });
        }
        Fault::GzipTruncated => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&answer.body).expect("memory takes everything");
            answer.body = encoder.finish().expect("memory takes everything");
            answer.body.truncate(answer.body.len() / 2);
            answer = answer.with("content-encoding", "gzip");
        }
        Fault::JsonDuplicateKeys => answer.body = with_duplicate_keys(&answer.body),
        Fault::InvalidUtf8 => {
            let quote = answer.body.iter().position(|&byte| byte == b'"').map_or(length, |at| at + 1);
            answer.body.insert(quote, 0xff);
        }
        Fault::BomPrefix => answer.body = [b"\xef\xbb\xbf", answer.body.as_slice()].concat(),
        Fault::HeaderFlood => {
            answer.headers.extend((0..FLOOD).map(|number| (format!("x-flood-{number}"), "y".to_owned())));
        }
        Fault::DateHeaderFarFuture => answer = answer.with("date", "Thu, 31 Dec 9998 23:59:59 GMT"),
        // The end of a chain of redirects is a good answer.
        _ => {}
    }
    Reply::Answer(answer)
}

fn closed(status: u16, play: impl FnOnce(&mut TcpStream) -> io::Result<()> + Send + 'static) -> Reply {
    let play: Play = Box::new(play);
    Reply::Play { status, play }
}

/// Sends a body of which so much is announced and so much is sent, and closes.
fn framed(answer: Answer, announced: usize, sent: usize) -> Reply {
    closed(answer.status, move |stream| {
        stream.write_all(&answer.head(announced))?;
        stream.write_all(&answer.body[..sent])
    })
}

/// Waits until the client goes, but no longer than this.
fn wait_for_end(stream: &mut TcpStream, longest: Duration) -> io::Result<()> {
    stream.set_read_timeout(Some(longest))?;
    stream.read(&mut [0]).map(drop)
}

fn redirect(location: &str) -> Answer {
    Answer::json(302, &json!({ "message": "Found" })).with("location", location)
}

fn limited(status: u16) -> Answer {
    let message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
    Answer::json(status, &json!({ "message": message, "status": status.to_string() }))
        .with("x-ratelimit-limit", 60)
        .with("x-ratelimit-remaining", 41)
        .with("x-ratelimit-reset", now_seconds() + 3600)
        .with("x-ratelimit-resource", "core")
}

fn json_answer(body: Vec<u8>) -> Answer {
    Answer::new(200, "application/json; charset=utf-8", body)
}

/// A moment as HTTP writes it.
fn http_date(seconds: i64) -> String {
    let moment = jiff::Timestamp::from_second(seconds).expect("it is near the present");
    moment.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// Every key of an object twice, first with null.
fn with_duplicate_keys(body: &[u8]) -> Vec<u8> {
    let Ok(Value::Object(object)) = serde_json::from_slice(body) else {
        return b"{\"id\": 1, \"id\": 2}".to_vec();
    };
    let empty: Vec<String> = object.keys().map(|key| json!(key).to_string() + ":null,").collect();
    let whole = Value::Object(object).to_string();
    format!("{{{}{}", empty.concat(), &whole[1..]).into_bytes()
}

/// White space of so many MiB and an empty object, which is good JSON: one compressed block that is repeated.
fn gzip_bomb(mib: usize) -> Vec<u8> {
    let spaces = vec![b' '; 1 << 20];
    let mut block = Vec::with_capacity(1 << 16);
    let mut deflate = Compress::new(Compression::best(), false);
    deflate.compress_vec(&spaces, &mut block, FlushCompress::Full).expect("spaces can be compressed");
    let mut last = Vec::with_capacity(64);
    let mut ending = Compress::new(Compression::best(), false);
    ending.compress_vec(b"{}", &mut last, FlushCompress::Finish).expect("an object can be compressed");
    let mut one = Crc::new();
    one.update(&spaces);
    let mut end = Crc::new();
    end.update(b"{}");
    let mut sum = Crc::new();
    (0..mib).for_each(|_| sum.combine(&one));
    sum.combine(&end);
    let mut bomb = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    bomb.extend(block.repeat(mib));
    bomb.extend(last);
    bomb.extend(sum.sum().to_le_bytes());
    bomb.extend(sum.amount().to_le_bytes());
    bomb
}
