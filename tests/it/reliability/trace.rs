//! What a run of the program told the kernel about files, in its order, read from `strace`.
//!
//! It is taken from the real program and not from a seam in its code, because the store is not alone in
//! writing: downloads, cached answers and views are written by others, and what a crash leaves depends on what
//! the kernel was told by all of them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};

/// One call that ended well.
#[derive(Debug, Clone)]
pub(super) enum Call {
    /// A file was opened under this number.
    Open {
        fd: u64,
        path: PathBuf,
        creates: bool,
        truncates: bool,
    },
    /// Bytes were written at the position of the file, which moves on.
    Write {
        fd: u64,
        bytes: Vec<u8>,
    },
    /// The file got this length.
    Resize {
        fd: u64,
        length: u64,
    },
    /// One file took the content of another.
    Clone {
        fd: u64,
        from: u64,
    },
    /// The file, or the names in the folder, must survive a crash from now on.
    Sync {
        fd: u64,
    },
    Close {
        fd: u64,
    },
    MakeFolder {
        path: PathBuf,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
    },
    Unlink {
        path: PathBuf,
    },
}

const CALLS: &str = "open,openat,creat,write,pwrite64,pwritev,writev,copy_file_range,sendfile,ioctl,\
                     ftruncate,truncate,fsync,fdatasync,sync_file_range,rename,renameat,renameat2,mkdir,\
                     mkdirat,unlink,unlinkat,rmdir,link,linkat,symlink,symlinkat,close,dup,dup2,dup3";

/// Runs `command` under `strace`, expects exit code 0, and gives its calls on paths below `root`.
pub(super) fn record(command: &Command, root: &Path) -> Vec<Call> {
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut traced = under_strace(command, &["-f", "-y", "-xx", "-s", "16777216", "-e"]);
    traced.arg(format!("trace={CALLS}")).arg("-o").arg(log.path());
    let output = finish(traced, command).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(log.path()).unwrap();
    complete_lines(&text).iter().filter_map(|line| parse(line, root)).collect()
}

/// `strace` with the environment and the folder of `command`, to which options may be added.
pub(super) fn under_strace(command: &Command, options: &[&str]) -> Command {
    let mut traced = Command::new("strace");
    traced.env_clear().args(options);
    traced.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(folder) = command.get_current_dir() {
        traced.current_dir(folder);
    }
    traced
}

/// Adds the program and its arguments to the options.
pub(super) fn finish(mut traced: Command, command: &Command) -> Command {
    traced.arg("--").arg(command.get_program()).args(command.get_args());
    traced
}

/// Each call in one line without the process, in the order in which they ended.
pub(super) fn complete_lines(text: &str) -> Vec<String> {
    let mut begun: BTreeMap<&str, String> = BTreeMap::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        let Some((process, call)) = line.split_once(' ') else { continue };
        let call = call.trim_start();
        if let Some(call) = call.strip_suffix(" <unfinished ...>") {
            // The number may be given to another file before the call is over.
            if call.starts_with("close(") {
                lines.push(format!("{call}) = 0"));
            }
            begun.insert(process, call.to_owned());
        } else if let Some(rest) = call.strip_prefix("<... ") {
            let rest = rest.split_once(" resumed>").map_or("", |(_, rest)| rest);
            let call = begun.remove(process).unwrap_or_default();
            if !call.starts_with("close(") {
                lines.push(call + rest);
            }
        } else {
            lines.push(call.to_owned());
        }
    }
    lines
}

/// An argument or a result: a number with the path that it stands for, a string, or a word.
#[derive(Debug)]
struct Value<'a> {
    text: &'a str,
}

impl Value<'_> {
    fn number(&self) -> Option<u64> {
        self.text.split('<').next()?.trim().parse().ok()
    }

    /// The path in `3</some/path>`, or in `AT_FDCWD</some/path>`.
    fn path(&self) -> Option<PathBuf> {
        let (_, rest) = self.text.split_once('<')?;
        Some(as_path(&bytes(rest.split('>').next()?)))
    }

    fn string(&self) -> Option<Vec<u8>> {
        Some(bytes(self.text.strip_prefix('"')?.split('"').next()?))
    }
}

fn as_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8(bytes.to_vec()).unwrap())
}

/// `\x2f\x74` as bytes.
fn bytes(hex: &str) -> Vec<u8> {
    hex.split("\\x").skip(1).map(|digits| u8::from_str_radix(&digits[..2], 16).unwrap()).collect()
}

fn parse(line: &str, root: &Path) -> Option<Call> {
    let (name, rest) = line.split_once('(')?;
    let (arguments, result) = rest.rsplit_once(") ")?;
    let result = Value { text: result.trim_start().strip_prefix("= ")? };
    // A call that failed changed nothing.
    let number = result.number()?;
    let arguments: Vec<Value<'_>> = arguments.split(", ").map(|text| Value { text }).collect();
    let fd = || arguments[0].number().unwrap();
    let is_ours = |path: &Path| path.starts_with(root);
    let fd_is_ours = || arguments[0].path().is_some_and(|path| is_ours(&path));
    let at = |folder: usize, name: usize| {
        arguments[folder].path().unwrap().join(as_path(&arguments[name].string().unwrap()))
    };
    let plain = |name: usize| as_path(&arguments[name].string().unwrap());
    let flags = |index: usize| arguments[index].text;
    let call = match name {
        "open" | "openat" | "creat" => {
            let path = result.path()?;
            let flags = if name == "openat" { flags(2) } else { flags(1) };
            let creates = flags.contains("O_CREAT") && !flags.contains("O_TMPFILE");
            assert!(!flags.contains("O_TMPFILE") || !is_ours(&path), "{line}");
            Call::Open { fd: number, path, creates, truncates: flags.contains("O_TRUNC") }
        }
        "write" if fd_is_ours() => Call::Write { fd: fd(), bytes: arguments[1].string().unwrap() },
        "ftruncate" if fd_is_ours() => Call::Resize { fd: fd(), length: arguments[1].number().unwrap() },
        "ioctl" if fd_is_ours() && line.contains("FICLONE") => {
            Call::Clone { fd: fd(), from: arguments[2].number().unwrap() }
        }
        "fsync" | "fdatasync" if fd_is_ours() => Call::Sync { fd: fd() },
        "close" => Call::Close { fd: fd() },
        "mkdir" => Call::MakeFolder { path: plain(0) },
        "mkdirat" => Call::MakeFolder { path: at(0, 1) },
        "rename" => Call::Rename { from: plain(0), to: plain(1) },
        "renameat" | "renameat2" => Call::Rename { from: at(0, 1), to: at(2, 3) },
        "unlink" | "rmdir" => Call::Unlink { path: plain(0) },
        "unlinkat" => Call::Unlink { path: at(0, 1) },
        _ => {
            // What is not understood must not be about our files.
            assert!(name == "ioctl" || !fd_is_ours(), "{line}");
            return None;
        }
    };
    let is_outside = match &call {
        Call::Open { path, .. } | Call::MakeFolder { path } | Call::Unlink { path } => !is_ours(path),
        Call::Rename { from, to } => !is_ours(from) && !is_ours(to),
        _ => false,
    };
    // The number of a file elsewhere is used again for one of ours, and the other way round.
    match call {
        Call::Open { fd, .. } if is_outside => Some(Call::Close { fd }),
        _ if is_outside => None,
        call => Some(call),
    }
}
