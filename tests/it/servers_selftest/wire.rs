//! Connections are kept, and end with their server.

use std::{
    io::{BufReader, Write},
    net::TcpStream,
};

use super::{served, small};
use crate::servers::{
    client::get,
    faults::{Fault, FaultProxy},
    wire::{read_body, read_head},
};

#[test]
fn one_connection_serves_many_requests() {
    let server = served(&small());
    let mut stream = TcpStream::connect(server.url().trim_start_matches("http://")).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut tag = String::new();
    for (path, status) in [("", "200"), ("", "304"), ("/git/trees/main", "200"), ("/commits/nowhere", "422")]
    {
        let request = format!(
            "GET /repos/tide-works/field-skills{path} HTTP/1.1\r\nHost: x\r\nUser-Agent: x\r\nIf-None-Match: {tag}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let (first, headers) = read_head(&mut reader).unwrap().unwrap();
        assert_eq!(first.split(' ').nth(1), Some(status), "{path}");
        if status != "304" {
            let body = read_body(&mut reader, &headers).unwrap();
            assert_eq!(headers["content-length"], body.len().to_string());
        }
        tag = headers.get("etag").cloned().unwrap_or_default();
    }
    assert_eq!((server.requests().len(), server.metered()), (4, 4));
}

#[test]
fn a_stalled_connection_ends_with_its_server() {
    let github = served(&small());
    let proxy = FaultProxy::start(&github.url(), Fault::StallHeaders, "/");
    let url = proxy.url();
    let waiting = std::thread::spawn(move || get(&url, &[]));
    while proxy.requests().is_empty() {
        std::thread::yield_now();
    }
    drop(proxy);
    assert!(waiting.join().unwrap().is_err());
}
