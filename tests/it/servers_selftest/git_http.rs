//! `git` itself clones from the served repositories, and fetches what no branch leads to.

use std::{
    fs::read,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    process::Command,
};

use flate2::{Compression, write::GzEncoder};
use tempfile::TempDir;

use super::small;
use crate::servers::{
    client::{get, send},
    git_http::GitHttpServer,
    objects::{git, pipe},
};

fn in_folder(folder: &Path, arguments: &[&str]) -> String {
    let mut command: Command = git(Path::new("unused"));
    command.env_remove("GIT_DIR").current_dir(folder).args(arguments);
    let (succeeded, output, complaint) = pipe(command, b"");
    assert!(succeeded, "git {arguments:?}: {complaint}");
    String::from_utf8(output).unwrap().trim().to_owned()
}

#[test]
fn git_clones_without_blobs_and_fetches_by_id() {
    let repository = small();
    let hidden = repository.file("skills/tide-report/SKILL.md", "hidden").detached_commit("hidden");
    let server = GitHttpServer::start(vec![repository.clone()]);
    let folder = TempDir::new().unwrap();
    let url = format!("{}/tide-works/field-skills.git", server.url());
    let clone = ["clone", "--quiet", "--filter=blob:none", "--depth", "1", &url, "clone"];
    in_folder(folder.path(), &clone);
    let clone = folder.path().join("clone");
    assert_eq!(in_folder(&clone, &["rev-parse", "HEAD"]), repository.head());
    assert_eq!(read(clone.join("data.bin")).unwrap(), repository.blob("data.bin"));
    let plain = format!("{}/Tide-Works/field-skills", server.url());
    in_folder(&clone, &["fetch", "--quiet", "--depth", "1", &plain, &hidden]);
    assert_eq!(in_folder(&clone, &["rev-parse", "FETCH_HEAD"]), hidden);
    let heads = in_folder(&clone, &["ls-remote", "--symref", &plain, "HEAD"]);
    assert!(heads.starts_with("ref: refs/heads/main\tHEAD"), "{heads}");
    let seen = server.requests();
    let packs = seen.iter().filter(|seen| seen.path_and_query.ends_with("/git-upload-pack")).count();
    assert!(packs >= 3 && seen[0].headers["git-protocol"] == "version=2", "{seen:?}");
}

#[test]
fn what_is_not_there_is_not_served() {
    let server = GitHttpServer::start(vec![small()]);
    for path in ["/no/such.git/info/refs?service=git-upload-pack", "/tide-works/field-skills/no/such", "/"] {
        assert_eq!(get(&format!("{}{path}", server.url()), &[]).unwrap().status, 404, "{path}");
    }
    let push = format!("{}/tide-works/field-skills.git/info/refs?service=git-receive-pack", server.url());
    assert_eq!(get(&push, &[]).unwrap().status, 403);
    let odd = format!("{}/tide-works/field-skills.git/git-upload-pack", server.url());
    let answer = send("POST", &odd, &[("content-type", "text/plain")], b"x").unwrap();
    assert_eq!(answer.status, 415);
}

#[test]
fn requests_may_be_compressed_and_in_chunks() {
    let repository = small();
    let server = GitHttpServer::start(vec![repository.clone()]);
    let path = "/tide-works/field-skills.git/git-upload-pack";
    let question = b"0014command=ls-refs\n0000";
    let kind = ("content-type", "application/x-git-upload-pack-request");
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(question).unwrap();
    let packed = encoder.finish().unwrap();
    let headers = [kind, ("git-protocol", "version=2"), ("content-encoding", "gzip")];
    let answer = send("POST", &format!("{}{path}", server.url()), &headers, &packed).unwrap();
    let expected = format!("{} HEAD", repository.head());
    assert!(String::from_utf8_lossy(&answer.body).contains(&expected), "{answer:?}");

    let mut stream = TcpStream::connect(server.url().trim_start_matches("http://")).unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\nconnection: close\r\ngit-protocol: version=2\r\n\
         {}: {}\r\ntransfer-encoding: chunked\r\n\r\n",
        kind.0, kind.1
    );
    stream.write_all(head.as_bytes()).unwrap();
    for chunk in question.chunks(7) {
        stream.write_all(format!("{:x}\r\n", chunk.len()).as_bytes()).unwrap();
        stream.write_all(chunk).unwrap();
        stream.write_all(b"\r\n").unwrap();
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 100") && text.contains(&expected), "{text}");
}
