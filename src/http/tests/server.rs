//! A server on this machine, one thread for each connection: reads a request, keeps it, and lets a function
//! write whatever it likes before the connection ends.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, BufRead as _, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

use super::BaseUrl;

/// A request as it came.
#[derive(Debug, Clone, Default)]
pub(super) struct Received {
    pub(super) line: String,
    headers: BTreeMap<String, String>,
    pub(super) body: Vec<u8>,
}

impl Received {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    pub(super) fn path(&self) -> &str {
        self.line.split(' ').nth(1).unwrap_or_default()
    }
}

/// Writes the answer to one request; gets how many came before it.
type Play = dyn Fn(usize, &Received, &mut TcpStream) -> io::Result<()> + Send + Sync;

pub(super) struct Server {
    port: u16,
    received: Arc<Mutex<Vec<Received>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(super) fn playing(
        play: impl Fn(usize, &Received, &mut TcpStream) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let received = Arc::new(Mutex::new(Vec::new()));
        let is_over = Arc::new(AtomicBool::new(false));
        let thread = {
            let (received, is_over, play) = (Arc::clone(&received), Arc::clone(&is_over), Arc::new(play));
            std::thread::spawn(move || accept(&listener, &received, &is_over, &play))
        };
        Self { port, received, is_over, thread: Some(thread) }
    }

    /// Answers each request with bytes.
    pub(super) fn answering(answer: impl Fn(usize, &Received) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::playing(move |number, request, stream| stream.write_all(&answer(number, request)))
    }

    /// Answers every request with the same JSON.
    pub(super) fn json(body: &'static str) -> Self {
        Self::answering(move |_, _| answer(200, &[], body))
    }

    pub(super) fn base(&self) -> BaseUrl {
        BaseUrl::parse(&format!("http://127.0.0.1:{}", self.port)).unwrap()
    }

    pub(super) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        drop(TcpStream::connect(("127.0.0.1", self.port)));
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

fn accept(
    listener: &TcpListener,
    received: &Arc<Mutex<Vec<Received>>>,
    is_over: &AtomicBool,
    play: &Arc<impl Fn(usize, &Received, &mut TcpStream) -> io::Result<()> + Send + Sync + 'static>,
) {
    for stream in listener.incoming() {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(mut stream) = stream else { continue };
        let (received, play): (_, Arc<Play>) = (Arc::clone(received), Arc::clone(play) as _);
        std::thread::spawn(move || {
            let Ok(request) = read_request(&mut stream) else { return };
            let number = {
                let mut received = received.lock().unwrap();
                received.push(request.clone());
                received.len() - 1
            };
            // A client that leaves in the middle is what some tests are about.
            drop(play(number, &request, &mut stream));
        });
    }
}

/// Reads one request to the end of its body.
pub(super) fn read_request(stream: &mut impl Read) -> io::Result<Received> {
    let mut reader = BufReader::new(stream);
    let mut request = Received::default();
    let mut line = String::new();
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let text = line.trim_end();
        if text.is_empty() {
            break;
        }
        match text.split_once(": ") {
            Some((name, value)) if !request.line.is_empty() => {
                request.headers.insert(name.to_ascii_lowercase(), value.to_owned());
            }
            _ => text.clone_into(&mut request.line),
        }
    }
    let length = request.header("content-length").map_or(0, |value| value.parse().unwrap());
    request.body = vec![0; length];
    reader.read_exact(&mut request.body)?;
    Ok(request)
}

/// A whole answer with its length; JSON unless the headers say otherwise.
pub(super) fn answer(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    if !headers.iter().any(|(name, _)| *name == "content-type") {
        head.push_str("content-type: application/json; charset=utf-8\r\n");
    }
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    [head.as_bytes(), b"\r\n", body].concat()
}

pub(super) fn raw(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// Says nothing more until the client is gone.
pub(super) fn hold(stream: &mut TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    stream.read(&mut [0; 64]).map(drop)
}

/// Writes one byte after another, a few each second, until the client is gone.
pub(super) fn drip(stream: &mut TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_millis(50)))?;
    loop {
        stream.write_all(b" ")?;
        // Waiting for what never comes is the pace.
        if matches!(stream.read(&mut [0; 1]), Ok(0)) {
            return Ok(());
        }
    }
}
