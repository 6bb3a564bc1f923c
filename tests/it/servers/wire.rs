//! HTTP/1.1 on a loopback socket: one thread a connection, kept alive, bodies by length or in chunks.
//!
//! A handler turns a request into an answer, or takes the socket into its own hands to misbehave on it. When
//! the server is dropped the listener closes and open connections are cut.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, BufReader, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use serde_json::Value;

use super::traffic::Traffic;

/// A request as it was read.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Path and query, as they were sent.
    pub(crate) target: String,
    /// By lower-case name.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    pub(crate) fn query(&self) -> &str {
        self.target.split_once('?').map_or("", |(_, query)| query)
    }

    /// The decoded parts of the path.
    pub(crate) fn segments(&self) -> Vec<String> {
        self.path().split('/').skip(1).map(decode).collect()
    }

    /// The decoded value of a parameter of the query.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let mut pairs = self.query().split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| decode(&value.replace('+', " ")))
    }

    /// The value of a header, empty when there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// Percent-decodes; what is no UTF-8 becomes replacement characters.
fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = text_of(after.get(..2)).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let (b'%', Some(byte)) = (first, code) {
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn text_of(bytes: Option<&[u8]>) -> Option<&str> {
    std::str::from_utf8(bytes?).ok()
}

/// An answer with a body of known length.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::new(status, "application/json; charset=utf-8", body.to_string())
    }

    pub(crate) fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into() }.with("content-type", content_type)
    }

    /// Sets a header in place of one of the same name.
    #[expect(clippy::needless_pass_by_value, reason = "a header is given as a text or a number")]
    pub(crate) fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.to_owned(), value.to_string()));
        self
    }

    /// The value of a header, empty when there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Status line and headers, with this `Content-Length`.
    pub(crate) fn head(&self, length: usize) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} Status\r\n", self.status);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if self.status != 304 {
            head += &format!("content-length: {length}\r\n");
        }
        (head + "\r\n").into_bytes()
    }

    fn write(&self, stream: &mut TcpStream) -> io::Result<()> {
        let mut bytes = self.head(self.body.len());
        bytes.extend_from_slice(&self.body);
        stream.write_all(&bytes)
    }
}

/// What a handler does on a socket of its own; the connection ends afterwards.
pub(crate) type Play = Box<dyn FnOnce(&mut TcpStream) -> io::Result<()> + Send>;

/// How a request is answered.
pub(crate) enum Reply {
    Answer(Answer),
    Play { status: u16, play: Play },
}

type Handler = Box<dyn Fn(&Request) -> Reply + Send + Sync>;

struct Shared {
    handler: Handler,
    traffic: Traffic,
    delay: Duration,
    stopped: AtomicBool,
    open: Mutex<BTreeMap<u64, TcpStream>>,
    arrivals: AtomicU64,
}

/// A listening server.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens on a free port. `make` gets the address (`http://127.0.0.1:PORT`) and returns the handler. Every
    /// third answer waits for `delay`, the others for half and for twice as much again, so that the
    /// requests of a bounded pool overlap instead of ending all at once.
    pub(crate) fn start<H>(delay: Duration, make: impl FnOnce(&str) -> H) -> Self
    where
        H: Fn(&Request) -> Reply + Send + Sync + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            handler: Box::new(make(&format!("http://{address}"))),
            traffic: Traffic::default(),
            delay,
            stopped: AtomicBool::new(false),
            open: Mutex::default(),
            arrivals: AtomicU64::new(0),
        });
        let accepted = Arc::clone(&shared);
        let accepting = thread::spawn(move || accept(&listener, &accepted));
        Self { address, shared, accepting: Some(accepting) }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn traffic(&self) -> &Traffic {
        &self.shared.traffic
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        // Accepting waits for a connection; this one lets it see the flag.
        let woken = TcpStream::connect(self.address);
        if let (Ok(_), Some(accepting)) = (woken, self.accepting.take()) {
            accepting.join().expect("accepting does not panic");
        }
        for stream in self.shared.open.lock().unwrap().values() {
            // A connection that its client has closed already cannot be cut again.
            drop(stream.shutdown(Shutdown::Both));
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.stopped.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let connection =
            Connection { id: shared.arrivals.fetch_add(1, Ordering::SeqCst), shared: Arc::clone(shared) };
        if let Ok(clone) = stream.try_clone() {
            shared.open.lock().unwrap().insert(connection.id, clone);
        }
        // A client may go at any time; its connection then simply ends.
        thread::spawn(move || drop(serve(stream, &connection.shared)));
    }
}

/// One open connection, which is cut when its thread ends, also by a panic.
struct Connection {
    id: u64,
    shared: Arc<Shared>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        let closed = self.shared.open.lock().unwrap().remove(&self.id);
        if let Some(stream) = closed {
            drop(stream.shutdown(Shutdown::Both));
        }
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    while let Some(request) = read_request(&mut reader, &mut stream)? {
        let index = shared.traffic.begin(&request);
        let reply = (shared.handler)(&request);
        if !shared.delay.is_zero() {
            let stagger = u32::try_from(index % 3).unwrap_or_default();
            thread::sleep(shared.delay + shared.delay / 2 * stagger);
        }
        let (kept_alive, written) = match reply {
            Reply::Answer(answer) => {
                shared.traffic.answered(index, answer.status);
                // Not after writing: the client's next request may come first.
                shared.traffic.end(index);
                (request.header("connection") != "close", answer.write(&mut stream))
            }
            Reply::Play { status, play } => {
                shared.traffic.answered(index, status);
                let played = play(&mut stream);
                shared.traffic.end(index);
                (false, played)
            }
        };
        written?;
        if !kept_alive {
            break;
        }
    }
    Ok(())
}

fn read_request(reader: &mut BufReader<TcpStream>, stream: &mut TcpStream) -> io::Result<Option<Request>> {
    let Some((first, headers)) = read_head(reader)? else { return Ok(None) };
    let mut words = first.split(' ');
    let (Some(method), Some(target)) = (words.next(), words.next()) else {
        return Err(io::Error::other(format!("no request line: {first}")));
    };
    let (method, target) = (method.to_owned(), target.to_owned());
    if headers.get("expect").is_some_and(|expect| expect.eq_ignore_ascii_case("100-continue")) {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let has_body = headers.contains_key("content-length") || headers.contains_key("transfer-encoding");
    let body = if has_body { read_body(reader, &headers)? } else { Vec::new() };
    Ok(Some(Request { method, target, headers, body }))
}

/// The first line and the headers by lower-case name; nothing at the end of the stream.
pub(crate) fn read_head(reader: &mut impl BufRead) -> io::Result<Option<(String, BTreeMap<String, String>)>> {
    let first = read_line(reader)?;
    if first.is_empty() {
        return Ok(None);
    }
    let mut headers = BTreeMap::new();
    loop {
        let line = read_line(reader)?;
        let Some((name, value)) = line.split_once(':') else { return Ok(Some((first, headers))) };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
}

fn read_line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// The body that the headers announce; without a word about its length it reaches to the end.
pub(crate) fn read_body(
    reader: &mut impl BufRead,
    headers: &BTreeMap<String, String>,
) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    if headers.get("transfer-encoding").is_some_and(|coding| coding.contains("chunked")) {
        loop {
            let line = read_line(reader)?;
            let digits = line.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(digits, 16).map_err(io::Error::other)?;
            let start = body.len();
            body.resize(start + size, 0);
            reader.read_exact(&mut body[start..])?;
            read_line(reader)?;
            if size == 0 {
                return Ok(body);
            }
        }
    }
    match headers.get("content-length") {
        Some(length) => {
            body.resize(length.parse().map_err(io::Error::other)?, 0);
            reader.read_exact(&mut body)?;
        }
        None => {
            reader.read_to_end(&mut body)?;
        }
    }
    Ok(body)
}
