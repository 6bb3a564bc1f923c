//! Ctrl-C in each phase of a mount, and readers that go away: the exit code of the documentation, one line or
//! none, nothing left in staging, and a home that works.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use super::{TIDE, in_home, layout, mount, names, online};
use crate::{
    context::add_skill,
    online::Online,
    servers::faults::{Fault, FaultProxy, Pace},
};

/// Long enough for the slowest machine, and far below any limit of the program's own.
const SOON: Duration = Duration::from_secs(20);

fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Sends what a terminal sends at Ctrl-C, and waits for the end.
fn interrupt(child: Child) -> (Output, Duration) {
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    let begun = Instant::now();
    kill_process(pid, Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    (output, begun.elapsed())
}

/// Waits until it is so.
pub(super) fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < SOON, "{what}");
        thread::sleep(Duration::from_millis(2));
    }
}

#[track_caller]
fn assert_interrupted(home: &Path, (output, took): (Output, Duration)) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    let expected = "error: interrupted\n\nhint: nothing is left half-done\n";
    assert_eq!((stderr.as_ref(), output.stdout.as_slice()), (expected, &b""[..]));
    assert!(took < SOON / 4, "{took:?}");
    assert_eq!(names(&layout(home).join("staging")), Vec::<String>::new());
    assert_eq!(names(&layout(home).join("store")), Vec::<String>::new());
}

#[test]
fn ctrl_c_while_a_host_is_silent_ends_the_mount_and_leaves_nothing() {
    let online = online();
    let repository = "/repos/tide-works/field-skills";
    for phase in ["", "/commits", "/git/trees", "/git/blobs"] {
        let pace = Pace { stall: SOON * 10, ..Pace::default() };
        let prefix = format!("{repository}{phase}");
        let proxy = FaultProxy::start_with(&online.github.url(), Fault::StallHeaders, &prefix, pace);
        let folder = super::scratch();
        let home = folder.path().canonicalize().unwrap();
        let mut command = in_home(&online, &home);
        command.args(["mount", "--yes", TIDE]).env("GITHUB_API_URL", proxy.url());
        let child = start(&mut command);
        until("a request of this phase", || {
            proxy.requests().iter().any(|seen| seen.path_and_query.starts_with(&prefix))
        });
        assert_interrupted(&home, interrupt(child));
        mount(&online, &home, TIDE);
        super::remove_tree(&layout(&home));
    }
}

#[test]
fn ctrl_c_while_others_use_the_cache_ends_the_mount() {
    let online = online();
    let folder = super::scratch();
    let home = folder.path().canonicalize().unwrap();
    std::fs::create_dir_all(layout(&home)).unwrap();
    let lock = File::create(layout(&home).join("gc.lock")).unwrap();
    lock.lock().unwrap();
    let child = start(in_home(&online, &home).args(["mount", "--yes", TIDE]));
    let asked = || online.github.requests().iter().any(|seen| seen.path_and_query.contains("/git/trees/"));
    until("the pin", asked);
    // It waits once nobody can have the gate alone: it tries the next lock with the gate in its hands.
    until("the wait", || {
        let gate = File::open(layout(&home).join("gate.lock"));
        gate.is_ok_and(|gate| gate.try_lock().is_err())
    });
    assert_interrupted(&home, interrupt(child));
    drop(lock);
    mount(&online, &home, TIDE);
    super::remove_tree(&layout(&home));
}

#[test]
fn a_command_without_the_network_ends_by_the_signal() {
    let online = online();
    let folder = super::scratch();
    let home = folder.path().canonicalize().unwrap();
    mount(&online, &home, TIDE);
    let lock = File::open(layout(&home).join("gc.lock")).unwrap();
    lock.lock().unwrap();
    let child = start(in_home(&online, &home).args(["cache", "prune", "--wait", "200"]));
    until("the wait", || File::open(layout(&home).join("gate.lock")).unwrap().try_lock().is_err());
    let (output, took) = interrupt(child);
    let signal = std::os::unix::process::ExitStatusExt::signal(&output.status);
    // A shell shows this as 130.
    assert_eq!((signal, output.stdout.as_slice()), (Some(2), &b""[..]));
    assert!(took < SOON / 4, "{took:?}");
    drop(lock);
    mount(&online, &home, TIDE);
    super::remove_tree(&layout(&home));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let online = Online::new(Vec::new(), Vec::new());
    for number in 0..400 {
        let name = format!("skill-{number}");
        add_skill(&online.context.user_root(), &name, &"Explains one thing at great length. ".repeat(20));
    }
    for arguments in [&["list", "--json"][..], &["list"], &["catalog", "explain", "--max", "50"]] {
        let mut child = start(online.command().args(arguments));
        let mut line = String::new();
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{arguments:?}");
    }
}

#[test]
fn standard_output_that_is_closed_or_full_is_told_apart() {
    let online = Online::new(Vec::new(), Vec::new());
    add_skill(&online.context.user_root(), "one", "One.");
    let run = |redirection: &str| {
        let command = online.command();
        let program = command.get_program().to_owned();
        let script = format!("exec \"$0\" list --json {redirection}");
        let mut shell = Command::new("sh");
        shell.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        shell.current_dir(online.context.project()).args(["-c", &script]).arg(program);
        shell.stdin(Stdio::null()).output().unwrap()
    };
    let closed = run(">&-");
    assert_eq!((closed.status.code(), closed.stderr.as_slice()), (Some(0), &b""[..]));
    if Path::new("/dev/full").exists() {
        let full = run(">/dev/full");
        let stderr = String::from_utf8_lossy(&full.stderr);
        assert_eq!(full.status.code(), Some(74), "{stderr}");
        assert!(stderr.starts_with("error: cannot write to standard output: "), "{stderr}");
    }
}
