//! Encrypted connections: certificates that no one vouches for, and an authority from `SSL_CERT_FILE`.
//!
//! The environment of a running process cannot be changed safely, so the test that needs that variable runs
//! itself again in a process of its own.

use std::{
    env,
    io::{self, Write as _},
    net::{TcpListener, TcpStream},
    process::Command,
    sync::{Arc, Mutex},
    thread,
};

use fs_err as fs;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::{ServerConfig, ServerConnection, StreamOwned, pki_types::PrivateKeyDer};

use super::{super::*, client, get, json, server, server::Server, settings};

type Authority = CertifiedIssuer<'static, KeyPair>;

/// An authority that is made for one test.
fn authority() -> Authority {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, "an authority for one test");
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// Serves `{}` with a certificate for `name`; its thread ends with the process.
struct Encrypted {
    port: u16,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Encrypted {
    fn new(authority: Option<&Authority>, name: &str, last_year: i32) -> Self {
        Self::speaking(&[], authority, name, last_year)
    }

    fn speaking(protocols: &[&str], authority: Option<&Authority>, name: &str, last_year: i32) -> Self {
        let mut config = configuration(authority, name, last_year);
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        let config = Arc::new(config);
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&lines);
        thread::spawn(move || {
            for stream in listener.incoming() {
                // A client that does not trust the certificate leaves in the middle.
                drop(stream.and_then(|stream| greet(stream, &config, &seen)));
            }
        });
        Self { port, lines }
    }
}

fn configuration(authority: Option<&Authority>, name: &str, last_year: i32) -> ServerConfig {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(last_year, 1, 1);
    let certificate = match authority {
        Some(authority) => params.signed_by(&key, authority).unwrap(),
        None => params.self_signed(&key).unwrap(),
    };
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap()
}

fn greet(stream: TcpStream, config: &Arc<ServerConfig>, lines: &Mutex<Vec<String>>) -> io::Result<()> {
    let connection = ServerConnection::new(Arc::clone(config)).map_err(io::Error::other)?;
    let mut stream = StreamOwned::new(connection, stream);
    let request = server::read_request(&mut stream)?;
    lines.lock().unwrap().push(request.line);
    stream.write_all(&server::answer(200, &[], "{}"))?;
    stream.conn.send_close_notify();
    stream.flush()
}

async fn ask(port: u16, host: &str) -> Result<Reply<serde_json::Value>, HttpError> {
    let plain = get(&Server::json("{}"), "/x");
    let request = Request { url: format!("https://{host}:{port}/x"), ..plain };
    json(&client(Settings { retries: 0, ..settings() }), &request).await
}

#[tokio::test]
async fn a_certificate_that_no_one_vouches_for_is_refused() {
    let failed = ask(Encrypted::new(None, "localhost", 2100).port, "localhost").await.unwrap_err();
    assert!(matches!(failed, HttpError::Tls { .. }), "{failed:?}");
    assert!(failed.to_string().starts_with("no trustworthy connection to `localhost:"), "{failed}");
    let foreign = authority();
    let failed = ask(Encrypted::new(Some(&foreign), "localhost", 2100).port, "localhost").await.unwrap_err();
    assert!(matches!(failed, HttpError::Tls { .. }), "{failed:?}");
}

#[tokio::test]
async fn a_server_without_encryption_is_refused() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
        }
    });
    let failed = ask(port, "localhost").await.unwrap_err();
    assert!(matches!(failed, HttpError::Tls { .. }), "{failed:?}");
}

#[tokio::test]
async fn a_handshake_that_is_not_answered_is_a_connection_that_took_too_long() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let url = format!("https://localhost:{}/x", listener.local_addr().unwrap().port());
    let timeouts = Timeouts { connect: Duration::from_millis(200), ..Timeouts::default() };
    let client = client(Settings { timeouts, retries: 0, ..settings() });
    let failed = json(&client, &Request { url, ..get(&Server::json("{}"), "/x") }).await.unwrap_err();
    assert!(matches!(failed, HttpError::Timeout { phase: Phase::Connect, .. }), "{failed:?}");
}

/// Tells the second run of a test where the servers of the first one are.
const PORTS: &str = "SKILLFLUX_TEST_PORTS";

#[test]
#[expect(clippy::disallowed_methods, reason = "the second run is told by its environment that it is one")]
fn the_environment_names_authorities_and_proxies() {
    const NAME: &str = "http::tests::encrypted::the_environment_names_authorities_and_proxies";
    if let Ok(ports) = env::var(PORTS) {
        let ports: Vec<u16> = ports.split(',').map(|port| port.parse().unwrap()).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        return runtime.block_on(second_run(&ports));
    }
    let authority = authority();
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("authority.pem");
    fs::write(&file, authority.pem()).unwrap();
    let servers = [
        Encrypted::new(Some(&authority), "localhost", 2100),
        Encrypted::new(Some(&authority), "localhost", 2021),
        Encrypted::new(Some(&authority), "elsewhere.example", 2100),
        Encrypted::speaking(&["h2", "http/1.1"], Some(&authority), "localhost", 2100),
    ];
    let proxy = Server::answering(|_, _| server::raw("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", NAME, "--nocapture"])
        .env(PORTS, servers.each_ref().map(|server| server.port.to_string()).join(","))
        .env("SSL_CERT_FILE", &file)
        .env_remove("SSL_CERT_DIR")
        .env("HTTPS_PROXY", proxy.base().origin().replace("//", "//user:s3cret@"))
        .env_remove("NO_PROXY")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}{talk}");
    assert_eq!(*servers[0].lines.lock().unwrap(), ["GET /x HTTP/1.1"]);
    // The server offers HTTP/2, but knows only its first line.
    assert_eq!(*servers[3].lines.lock().unwrap(), ["PRI * HTTP/2.0"]);
    let proxied = proxy.received();
    assert_eq!(proxied.len(), 1, "what is on this machine goes through no proxy");
    assert_eq!(proxied[0].line, "CONNECT elsewhere.example:443 HTTP/1.1");
    assert!(proxied[0].header("proxy-authorization").is_some());
}

async fn second_run(ports: &[u16]) {
    assert_eq!(ask(ports[0], "localhost").await.unwrap().body, serde_json::json!({}));
    let reason = |failed: HttpError| match failed {
        HttpError::Tls { source: rustls::Error::InvalidCertificate(reason), .. } => format!("{reason:?}"),
        other => panic!("{other:?}"),
    };
    assert!(reason(ask(ports[1], "localhost").await.unwrap_err()).starts_with("Expired"));
    assert!(reason(ask(ports[2], "localhost").await.unwrap_err()).starts_with("NotValidForName"));
    let failed = ask(ports[3], "localhost").await.unwrap_err();
    assert!(!matches!(failed, HttpError::Tls { .. }), "{failed:?}");
    let failed = ask(443, "elsewhere.example").await.unwrap_err();
    assert!(matches!(failed, HttpError::Connect { .. }), "{failed:?}");
    assert!(!format!("{failed:?}").contains("s3cret"));
}
