//! Git over HTTP: the real `git http-backend` over the repositories of a test.
//!
//! `URL/owner/name.git` and `URL/owner/name` both lead to a repository; pushing is not served.

use std::{path::PathBuf, process::Command, time::Duration};

use super::{
    objects::{git, pipe},
    repository::Repository,
    traffic::Seen,
    wire::{Answer, Reply, Request, Server},
};

/// A running server.
pub(crate) struct GitHttpServer {
    server: Server,
}

impl GitHttpServer {
    pub(crate) fn start(repositories: Vec<Repository>) -> Self {
        let backend = backend();
        let server = Server::start(Duration::ZERO, |_| {
            move |request: &Request| Reply::Answer(answer(request, &repositories, &backend))
        });
        Self { server }
    }

    /// What stands in place of `https://github.com`.
    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.server.traffic().requests()
    }
}

fn backend() -> PathBuf {
    let (found, path, complaint) = pipe(
        {
            let mut command = Command::new("git");
            command.arg("--exec-path");
            command
        },
        b"",
    );
    assert!(found, "git does not say where its programs are: {complaint}");
    let folder = PathBuf::from(String::from_utf8(path).unwrap().trim());
    let name = if cfg!(windows) { "git-http-backend.exe" } else { "git-http-backend" };
    folder.join(name)
}

fn answer(request: &Request, repositories: &[Repository], backend: &PathBuf) -> Answer {
    let segments = request.segments();
    let [owner, name, rest @ ..] = segments.as_slice() else {
        return Answer::new(404, "text/plain", "no repository is named");
    };
    let full_name = format!("{owner}/{}", name.strip_suffix(".git").unwrap_or(name));
    let found = repositories.iter().find(|known| known.name().eq_ignore_ascii_case(&full_name));
    let Some(repository) = found else {
        return Answer::new(404, "text/plain", format!("there is no `{full_name}`"));
    };
    let path = repository.bare_path();
    let folder = path.file_name().expect("a repository lies in a folder").to_string_lossy().into_owned();
    let mut command = Command::new(backend);
    command.env_clear();
    for (name, value) in git(&path).get_envs() {
        if let Some(value) = value.filter(|_| name != "GIT_DIR") {
            command.env(name, value);
        }
    }
    command
        .env("GIT_PROJECT_ROOT", path.parent().expect("it lies in a temporary folder"))
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("PATH_INFO", format!("/{folder}/{}", rest.join("/")))
        .env("REQUEST_METHOD", &request.method)
        .env("QUERY_STRING", request.query())
        .env("CONTENT_TYPE", request.header("content-type"))
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", request.header("content-encoding"))
        .env("GIT_PROTOCOL", request.header("git-protocol"))
        .env("REMOTE_ADDR", "127.0.0.1");
    let (succeeded, output, complaint) = pipe(command, &request.body);
    if !succeeded {
        return Answer::new(500, "text/plain", format!("git http-backend failed: {complaint}"));
    }
    from_program(&output)
}

/// Reads what a CGI program wrote: headers, an empty line, the body.
fn from_program(output: &[u8]) -> Answer {
    let end = output.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a program writes headers");
    let mut answer = Answer { status: 200, headers: Vec::new(), body: output[end + 4..].to_vec() };
    for line in String::from_utf8_lossy(&output[..end]).lines() {
        let (name, value) = line.split_once(": ").expect("a header has a value");
        if name == "Status" {
            let code = value.split(' ').next().and_then(|code| code.parse().ok());
            answer.status = code.expect("a status is a number");
        } else {
            answer = answer.with(&name.to_lowercase(), value);
        }
    }
    answer
}
