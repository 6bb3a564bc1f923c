//! A server with encryption before another without: it shows the certificate that a test wants, and passes
//! every request on.
//!
//! What could be decrypted is recorded, so that a test sees that nothing was sent to a server whose
//! certificate was refused.

use std::{
    io::{self, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::{ServerConfig, ServerConnection, StreamOwned, pki_types::PrivateKeyDer};

use super::{
    client,
    wire::{Request, read_body, read_head},
};

/// An authority that is made for one test.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// What `SSL_CERT_FILE` must hold to trust it.
    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }
}

/// What a certificate says, and who says so.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Certificate<'a> {
    /// Who vouches for it; without one, only itself.
    pub(crate) authority: Option<&'a Authority>,
    /// The host it is for.
    pub(crate) host: &'a str,
    /// The year at whose beginning it ends.
    pub(crate) ends: i32,
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Authority")
    }
}

/// A running server. It listens on `localhost`.
pub(crate) struct TlsFront {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
    stopped: Arc<AtomicBool>,
    accepting: Option<JoinHandle<()>>,
}

impl TlsFront {
    /// Shows `certificate` and passes what it decrypts to `upstream`, an address that begins with `http://`.
    pub(crate) fn start(upstream: &str, certificate: Certificate<'_>) -> Self {
        let config = Arc::new(configuration(certificate));
        let authority = upstream.trim_start_matches("http://").to_owned();
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (seen, stopped) = (Arc::<Mutex<Vec<String>>>::default(), Arc::<AtomicBool>::default());
        let (recorded, stop) = (Arc::clone(&seen), Arc::clone(&stopped));
        let accepting = thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let (config, recorded) = (Arc::clone(&config), Arc::clone(&recorded));
                let authority = authority.clone();
                // A client that does not trust the certificate leaves in the middle.
                thread::spawn(move || {
                    drop(stream.and_then(|stream| serve(stream, config, &authority, &recorded)));
                });
            }
        });
        Self { address, seen, stopped, accepting: Some(accepting) }
    }

    pub(crate) fn url(&self) -> String {
        format!("https://localhost:{}", self.address.port())
    }

    /// Method, target and `Authorization` of every request that could be decrypted.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for TlsFront {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        // Accepting waits for a connection; this one lets it see the flag.
        let woken = TcpStream::connect(self.address);
        if let (Ok(_), Some(accepting)) = (woken, self.accepting.take()) {
            accepting.join().expect("accepting does not panic");
        }
    }
}

fn configuration(certificate: Certificate<'_>) -> ServerConfig {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(vec![certificate.host.to_owned()]).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(certificate.ends, 1, 1);
    let signed = match certificate.authority {
        Some(authority) => params.signed_by(&key, &authority.0).unwrap(),
        None => params.self_signed(&key).unwrap(),
    };
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![signed.der().clone()], key)
        .unwrap()
}

fn serve(
    stream: TcpStream,
    config: Arc<ServerConfig>,
    authority: &str,
    seen: &Mutex<Vec<String>>,
) -> io::Result<()> {
    let connection = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut stream = BufReader::new(StreamOwned::new(connection, stream));
    while let Some((first, headers)) = read_head(&mut stream)? {
        let mut words = first.split(' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else { break };
        let has_body = headers.contains_key("content-length") || headers.contains_key("transfer-encoding");
        if headers.get("expect").is_some_and(|expect| expect.eq_ignore_ascii_case("100-continue")) {
            stream.get_mut().write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        let body = if has_body { read_body(&mut stream, &headers)? } else { Vec::new() };
        let authorization = headers.get("authorization").map_or("", String::as_str);
        seen.lock().unwrap().push(format!("{method} {target} {authorization}").trim_end().to_owned());
        let request = Request { method: method.to_owned(), target: target.to_owned(), headers, body };
        let mut answer = client::exchange(authority, &request)?;
        let framing = ["content-length", "connection", "transfer-encoding"];
        answer.headers.retain(|(name, _)| !framing.contains(&name.as_str()));
        let head = answer.head(answer.body.len());
        stream.get_mut().write_all(&[head, answer.body].concat())?;
    }
    stream.get_mut().conn.send_close_notify();
    stream.get_mut().flush()
}
