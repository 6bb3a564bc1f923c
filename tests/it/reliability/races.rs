//! Many processes that mount one skill at the same time: all succeed, one entry is published, and the server is
//! asked no more often than there are processes.

use std::process::{Command, Stdio};

use super::{TIDE, in_home, json, layout, names, online, remove_tree, scratch};

#[test]
fn sixteen_processes_mount_one_missing_skill() {
    race(16);
}

#[test]
#[ignore = "the figures of docs/reliability.md"]
fn sixty_four_processes_mount_one_missing_skill() {
    println!("| processes | succeeded | entries | downloads of each file, at most | left in staging |");
    println!("|---|---|---|---|---|");
    println!("{}", race(64));
}

fn race(processes: usize) -> String {
    let online = online();
    let folder = scratch();
    let home = folder.path().canonicalize().unwrap();
    let start = |number: usize| {
        let mut command: Command = in_home(&online, &home);
        let session = format!("session-{number}");
        command.args(["mount", "--yes", "--json", "--session", &session, TIDE]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<_> = (0..processes).map(start).collect();
    let mut digests = Vec::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        digests.push(document["mounts"][0]["digest"].as_str().unwrap().to_owned());
    }
    let succeeded = digests.len();
    digests.dedup();
    assert_eq!(digests.len(), 1);
    let verified = json(in_home(&online, &home).args(["cache", "verify"]));
    assert_eq!(verified["entries"], 1);
    let staged = names(&layout(&home).join("staging"));
    assert_eq!(staged, Vec::<String>::new());
    let requests = online.github.requests();
    let of_blob = |id: &str| requests.iter().filter(|seen| seen.path_and_query.ends_with(id)).count();
    let blobs = requests.iter().filter_map(|seen| seen.path_and_query.split_once("/git/blobs/"));
    let most = blobs.map(|(_, id)| of_blob(id)).max().unwrap();
    assert!(most <= processes, "{most} downloads");
    remove_tree(&layout(&home));
    format!("| {processes} | {succeeded} | 1 | {most} | {} |", staged.len())
}
