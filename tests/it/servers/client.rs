//! A client of a few lines that trusts nothing: it says what came over the wire, or which error ended it.

use std::{
    collections::BTreeMap,
    io::{self, BufReader, Write},
    net::TcpStream,
};

use super::wire::{Answer, Request, read_body, read_head};

/// Asks for `url` with these headers and a `User-Agent`.
pub(crate) fn get(url: &str, headers: &[(&str, &str)]) -> io::Result<Answer> {
    send("GET", url, headers, b"")
}

/// Sends a request and reads the answer; redirects are not followed, compressed bodies stay compressed.
pub(crate) fn send(method: &str, url: &str, headers: &[(&str, &str)], body: &[u8]) -> io::Result<Answer> {
    let below = url.strip_prefix("http://").unwrap_or_else(|| panic!("`{url}` is no loopback address"));
    let (authority, path) = below.split_at(below.find('/').unwrap_or(below.len()));
    let mut all = BTreeMap::from([("user-agent".to_owned(), "servers-selftest".to_owned())]);
    all.extend(headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let target = if path.is_empty() { "/" } else { path };
    let request =
        Request { method: method.to_owned(), target: target.to_owned(), headers: all, body: body.to_owned() };
    exchange(authority, &request)
}

/// Sends `request` to `authority` (`host:port`) on a connection of its own.
pub(crate) fn exchange(authority: &str, request: &Request) -> io::Result<Answer> {
    let mut stream = TcpStream::connect(authority)?;
    let mut head = format!("{} {} HTTP/1.1\r\nhost: {authority}\r\n", request.method, request.target);
    for (name, value) in &request.headers {
        if !["host", "connection", "content-length", "transfer-encoding", "expect"].contains(&name.as_str()) {
            head += &format!("{name}: {value}\r\n");
        }
    }
    head += &format!("connection: close\r\ncontent-length: {}\r\n\r\n", request.body.len());
    stream.write_all(head.as_bytes())?;
    stream.write_all(&request.body)?;
    let mut reader = BufReader::new(stream);
    let (first, headers) = read_head(&mut reader)?.ok_or(io::ErrorKind::UnexpectedEof)?;
    let status = first.split(' ').nth(1).and_then(|code| code.parse().ok());
    let status = status.ok_or_else(|| io::Error::other(format!("no status line: {first}")))?;
    let body = if status == 304 { Vec::new() } else { read_body(&mut reader, &headers)? };
    Ok(Answer { status, headers: headers.into_iter().collect(), body })
}
