//! Objects as `git` prints them: commits, lists of trees, and blobs one after another.
//!
//! Nothing here trusts git: a commit's id is made again from its bytes, and lists and blobs go where their
//! ids are.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};

use crate::{
    fetch::{
        error::FetchError,
        tree::{Item, TreeError},
    },
    skill::{
        git::{self, Collision},
        id::{CommitSha, TreeSha},
    },
};

/// The longest line before a blob: an id, a type and a length.
const MAX_HEADER: u64 = 200;

/// The tree of a commit with these bytes, once they give the commit's id.
pub(super) fn tree_of(body: &[u8], commit: &CommitSha) -> Result<TreeSha, FetchError> {
    let made = match git::commit_id(body) {
        Ok(made) => made,
        Err(Collision) => return Err(TreeError::Collision { folder: commit.to_string() }.into()),
    };
    if made != *commit {
        return Err(FetchError::WrongObject { asked: commit.to_string(), found: made.to_string() });
    }
    let line = body.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let id = line.strip_prefix(b"tree ").and_then(|id| std::str::from_utf8(id).ok());
    id.and_then(|id| TreeSha::parse(id).ok()).ok_or(FetchError::GitAnswer { command: "cat-file" })
}

/// The entries that `git ls-tree -z` lists.
pub(super) fn parse_list(answer: &[u8]) -> Result<Vec<Item>, FetchError> {
    let entries = answer.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    entries.map(parse_entry).collect()
}

/// `<mode> <type> <id>`, a tab and the path.
fn parse_entry(entry: &[u8]) -> Result<Item, FetchError> {
    let unknown = || FetchError::GitAnswer { command: "ls-tree" };
    let tab = entry.iter().position(|byte| *byte == b'\t').ok_or_else(unknown)?;
    let (about, path) = (&entry[..tab], &entry[tab + 1..]);
    let about = std::str::from_utf8(about).map_err(|_| unknown())?;
    let Ok(path) = std::str::from_utf8(path) else {
        let path = String::from_utf8_lossy(path).into_owned();
        return Err(TreeError::Path { path, code: "path_encoding" }.into());
    };
    match about.split(' ').collect::<Vec<_>>()[..] {
        [mode, kind, sha] => Ok(Item {
            path: path.to_owned(),
            mode: mode.to_owned(),
            kind: kind.to_owned(),
            sha: sha.to_owned(),
            size: None,
        }),
        _ => Err(unknown()),
    }
}

/// Whether one of the lines is `wanted`. The rest is not read.
pub(super) async fn has_line(output: impl AsyncRead + Unpin, wanted: &str) -> Result<bool, FetchError> {
    let unknown = |_| FetchError::GitAnswer { command: "rev-list" };
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    let mut found = false;
    while (&mut output).take(MAX_HEADER).read_until(b'\n', &mut line).await.map_err(unknown)? > 0 {
        found |= line.strip_suffix(b"\n") == Some(wanted.as_bytes());
        line.clear();
    }
    Ok(found)
}

/// The output of `git cat-file --batch`.
pub(super) struct Batch<R> {
    output: R,
}

impl<R: AsyncRead + Unpin> Batch<BufReader<R>> {
    /// Reads from what git prints.
    pub(super) fn new(output: R) -> Self {
        Self { output: BufReader::with_capacity(64 * 1024, output) }
    }
}

impl<R: AsyncBufRead + Unpin> Batch<R> {
    /// The length of the next object, which must be the blob `asked`.
    pub(super) async fn next(&mut self, asked: &str) -> Result<u64, FetchError> {
        let unknown = || FetchError::GitAnswer { command: "cat-file" };
        let mut line = Vec::new();
        let read = (&mut self.output).take(MAX_HEADER).read_until(b'\n', &mut line).await;
        read.map_err(|_| unknown())?;
        let line = std::str::from_utf8(&line).ok().and_then(|line| line.strip_suffix('\n'));
        match line.ok_or_else(unknown)?.split(' ').collect::<Vec<_>>()[..] {
            [id, "blob", size] if id == asked => size.parse().map_err(|_| unknown()),
            [id, found, ..] if id == asked => {
                Err(FetchError::WrongObject { asked: format!("blob {asked}"), found: found.to_owned() })
            }
            _ => Err(unknown()),
        }
    }

    /// Hands the `size` bytes of the object to `take`, piece by piece. An error of `take` ends it.
    pub(super) async fn body(
        &mut self,
        size: u64,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), FetchError> {
        let unknown = |_| FetchError::GitAnswer { command: "cat-file" };
        let mut left = size;
        while left > 0 {
            let bytes = self.output.fill_buf().await.map_err(unknown)?;
            let length = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
            if length == 0 {
                return Err(FetchError::GitAnswer { command: "cat-file" });
            }
            take(&bytes[..length]).map_err(unknown)?;
            self.output.consume(length);
            left -= length as u64;
        }
        match self.output.read_u8().await {
            Ok(b'\n') => Ok(()),
            _ => Err(FetchError::GitAnswer { command: "cat-file" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::error::FailureClass;

    const ID: &str = "ce013625030ba8dba906f756967f9e9ca394464a";

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    #[test]
    fn lists_by_example() {
        let answer =
            format!("100644 blob {ID}\ta b\tc\n.md\x00040000 tree {ID}\tskills\x00160000 commit {ID}\tm\x00");
        let items = parse_list(answer.as_bytes()).unwrap();
        let seen: Vec<(&str, &str, &str)> =
            items.iter().map(|item| (item.mode.as_str(), item.kind.as_str(), item.path.as_str())).collect();
        let expected =
            [("100644", "blob", "a b\tc\n.md"), ("040000", "tree", "skills"), ("160000", "commit", "m")];
        assert_eq!(seen, expected);
        for (bad, code) in [
            (&b"100644 blob"[..], "git_answer"),
            (b"100644 blob x y\tz", "git_answer"),
            (b"100644 blob x\tz\xff", "path_encoding"),
        ] {
            assert_eq!(parse_list(bad).unwrap_err().code(), code);
        }
        let no_text = parse_list(b"100644 blob x\tz\xff").unwrap_err();
        assert_eq!(no_text.class(), FailureClass::Refused);
    }

    #[test]
    fn a_commit_is_believed_when_its_id_is_made_again() {
        let body = format!("tree {ID}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 0 +0000\n\nm\n");
        let commit = git::commit_id(body.as_bytes()).unwrap();
        assert_eq!(tree_of(body.as_bytes(), &commit).unwrap().as_str(), ID);
        assert_eq!(tree_of(body.replace('m', "n").as_bytes(), &commit).unwrap_err().code(), "wrong_object");
        let other = git::commit_id(b"parent x\n").unwrap();
        assert_eq!(tree_of(b"parent x\n", &other).unwrap_err().code(), "git_answer");
    }

    #[test]
    fn blobs_come_one_after_another() {
        let stream = format!("{ID} blob 6\nhello\n\n{ID} blob 0\n\n{ID} missing\n");
        let mut batch = Batch::new(stream.as_bytes());
        let mut bytes = Vec::new();
        let mut take = |piece: &[u8]| {
            bytes.extend_from_slice(piece);
            Ok(())
        };
        block_on(async {
            assert_eq!(batch.next(ID).await.unwrap(), 6);
            batch.body(6, &mut take).await.unwrap();
            assert_eq!(batch.next(ID).await.unwrap(), 0);
            batch.body(0, &mut take).await.unwrap();
            assert_eq!(batch.next(ID).await.unwrap_err().code(), "wrong_object");
            assert_eq!(batch.next(ID).await.unwrap_err().code(), "git_answer");
        });
        assert_eq!(bytes, b"hello\n");
    }

    #[test]
    fn a_broken_stream_is_not_understood() {
        let other = "0".repeat(39) + "1";
        for stream in [
            format!("{ID} blob 6\nhell"),
            format!("{ID} blob 6\nhello\nx"),
            format!("{other} blob 0\n\n"),
            format!("{ID} blob x\n\n"),
            format!("{ID} blob 1"),
            "x".repeat(1000),
        ] {
            let mut batch = Batch::new(stream.as_bytes());
            let result = block_on(async {
                let size = batch.next(ID).await?;
                batch.body(size, &mut |_| Ok(())).await
            });
            assert_eq!(result.unwrap_err().code(), "git_answer", "{stream:?}");
        }
    }

    #[test]
    fn lines_are_found_whole() {
        let text = format!("{}\n{ID}\n{}\n", "a".repeat(40), "b".repeat(40));
        for (wanted, expected) in [(ID, true), (&ID[..39], false), ("b", false)] {
            assert_eq!(block_on(has_line(text.as_bytes(), wanted)).unwrap(), expected, "{wanted}");
        }
    }
}
