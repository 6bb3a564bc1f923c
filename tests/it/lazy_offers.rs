//! Skills that a catalog offers and nobody has fetched: what the offer says, when it is made, and what
//! becomes of it when an agent loads it.

use std::{process::Command, thread};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::{
    context::{Ran, add_skill},
    masks::lively,
    online::Online,
    servers::{
        collection::skill_text,
        faults::{Fault, FaultProxy, Pace},
        repository::Repository,
        skills_sh::{Listing, Mood},
    },
};

const TASK: &str = "read the tables of a pdf file";
const GUIDE: &str = "skills/pdf-reader/references/guide.md";

/// `owner/skills` with a `pdf-reader` of its own.
fn reader(owner: &str, stars: u64) -> Repository {
    let repository = lively(&format!("{owner}/skills"));
    repository.set(|facts| facts.stars = stars);
    let description = format!("Read tables of a PDF file, as {owner} does.");
    repository
        .file("skills/pdf-reader/SKILL.md", skill_text("pdf-reader", &description))
        .file(GUIDE, format!("# Guide of {owner}\n"));
    repository.commit("a skill");
    repository
}

/// Three repositories with a skill of one name, the best first.
struct Library {
    online: Online,
    repositories: Vec<Repository>,
}

impl Library {
    fn new() -> Self {
        let repositories = vec![reader("first", 4000), reader("second", 300), reader("third", 12)];
        let online =
            Online::new(repositories.clone(), vec![Listing::new("first/skills", "pdf-reader", 9000)]);
        Self { online, repositories }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.online.command();
        command
            .env("SKILLFLUX_REMOTE_DISCOVERY", "automatic")
            .env("SKILLFLUX_APPROVAL_POLICY", "automatic")
            .args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.online.ran(&mut self.command(arguments))
    }

    fn offers(&self, arguments: &[&str]) -> Vec<Value> {
        let ran = self.run(&[&["catalog", TASK, "--json"], arguments].concat());
        ran.json()["discovery"]["offers"].as_array().unwrap().clone()
    }

    fn tamper(&self, index: usize) {
        let repository = &self.repositories[index];
        let guide = repository.entry(&repository.head(), GUIDE).unwrap();
        self.online.github.tamper_blob(&guide.sha, "# Another guide\n");
    }

    fn requests(&self) -> usize {
        self.online.github.requests().len() + self.online.skills.requests().len()
    }

    fn blobs_of(&self, owner: &str) -> usize {
        let prefix = format!("/repos/{owner}/skills/git/blobs/");
        let requests = self.online.github.requests();
        requests.iter().filter(|seen| seen.path_and_query.starts_with(&prefix)).count()
    }

    fn stored(&self) -> usize {
        self.online.run(["cache", "list", "--json"]).json()["skills"].as_array().unwrap().len()
    }
}

fn names(offers: &[Value]) -> Vec<&str> {
    offers.iter().map(|offer| offer["name"].as_str().unwrap()).collect()
}

#[test]
fn an_offer_downloads_nothing_and_the_first_load_verifies_once() {
    let library = Library::new();
    let offers = library.offers(&[]);
    assert_eq!(names(&offers), ["pdf-reader"], "one entry a name");
    assert_eq!(offers[0]["source"], "first/skills");
    assert_eq!((library.blobs_of("first"), library.stored()), (0, 0));
    let catalog = library.run(&["catalog", TASK]);
    assert!(!catalog.stdout.contains("Steps for"), "an offer never shows a body: {catalog:?}");
    let loaded = library.run(&["load", "pdf-reader"]);
    assert!(loaded.code == 0 && loaded.stdout.contains("Steps for pdf-reader."), "{loaded:?}");
    assert_eq!((library.blobs_of("first"), library.stored()), (2, 1));
    let asked = library.requests();
    let again = library.run(&["load", "pdf-reader"]);
    assert_eq!((again.code, &again.stdout), (0, &loaded.stdout));
    assert_eq!(library.requests(), asked, "the second load asks nobody");
    assert!(library.offers(&[]).is_empty(), "what is here is in the catalog itself");
}

#[test]
fn two_sessions_see_their_own_offers() {
    let library = Library::new();
    let other = lively("garden-works/skills");
    other
        .file("skills/pruning/SKILL.md", skill_text("pruning", "Prune roses in a garden."))
        .commit("a skill");
    let online = Online::new([library.repositories.clone(), vec![other]].concat(), Vec::new());
    let catalog = |session: &str, task: &str| {
        let mut command = online.command();
        command.env_remove("SKILLFLUX_SESSION").args(["catalog", task, "--discover", "--session", session]);
        command
    };
    thread::scope(|scope| {
        for (session, task, name) in
            [("reading", "read tables pdf", "pdf-reader"), ("garden", "prune roses garden", "pruning")]
        {
            let catalog = &catalog;
            let online = &online;
            scope.spawn(move || {
                let ran = online.ran(catalog(session, task).arg("--json"));
                assert_eq!(names(ran.json()["discovery"]["offers"].as_array().unwrap()), [name]);
            });
        }
    });
    let load = |session: &str, name: &str| {
        online.ran(online.command().args(["load", "--yes", name, "--session", session])).code
    };
    assert_eq!(load("garden", "pdf-reader"), 1, "what another session was offered is unknown here");
    assert_eq!(load("reading", "pdf-reader"), 0);
    assert_eq!(load("garden", "pruning"), 0);
}

#[test]
fn without_a_way_to_ask_a_load_names_the_question_and_fetches_nothing() {
    let library = Library::new();
    assert_eq!(library.offers(&[]).len(), 1);
    for policy in ["always", "session"] {
        let mut command = library.command(&["load", "pdf-reader"]);
        let ran = library.online.ran(command.env("SKILLFLUX_APPROVAL_POLICY", policy));
        assert_eq!((ran.code, ran.stdout.as_str()), (5, ""), "{ran:?}");
        assert!(ran.stderr.contains("nobody could be asked"), "{ran:?}");
        assert!(ran.stderr.contains("--yes first/skills//skills/pdf-reader@"), "{ran:?}");
    }
    assert_eq!(["first", "second", "third"].map(|owner| library.blobs_of(owner)), [0, 0, 0]);
    assert_eq!(library.stored(), 0);
    assert_eq!(names(&library.offers(&[])), ["pdf-reader"], "it stays on offer");
}

#[test]
fn a_repository_that_the_session_trusts_loads_unasked() {
    let library = Library::new();
    library.repositories[0].file("skills/other/SKILL.md", skill_text("other", "Another.")).commit("one more");
    let session = |arguments: &[&str]| {
        let mut command = library.command(arguments);
        library.online.ran(command.env("SKILLFLUX_APPROVAL_POLICY", "session"))
    };
    assert_eq!(session(&["mount", "--yes", "first/skills//skills/other"]).code, 0);
    let before = library.blobs_of("first");
    assert_eq!(session(&["catalog", TASK]).code, 0);
    let loaded = session(&["load", "pdf-reader"]);
    assert_eq!(loaded.code, 0, "{loaded:?}");
    assert_eq!(library.blobs_of("first"), before + 2);
}

#[test]
fn when_the_first_of_a_name_fails_the_next_is_loaded() {
    for by_id in [false, true] {
        let library = Library::new();
        library.tamper(0);
        let offers = library.offers(&[]);
        let named = if by_id { offers[0]["id"].as_str().unwrap() } else { "pdf-reader" };
        let loaded = library.run(&["load", named]);
        assert_eq!(loaded.code, 0, "{loaded:?}");
        assert!(loaded.stdout.contains("Steps for pdf-reader."), "{loaded:?}");
        let reported: Vec<_> = loaded.stderr.lines().filter(|line| line.contains("mount-failed")).collect();
        assert_eq!(reported.len(), 1, "{loaded:?}");
        assert!(reported[0].starts_with("warning: first/skills//skills/pdf-reader@"), "{reported:?}");
        assert_eq!(library.blobs_of("third"), 0, "a success settles the name");
        let stored = library.online.run(["cache", "list", "--json"]).json();
        assert_eq!(stored["skills"][0]["pin"]["repository"], "second/skills");
    }
}

#[test]
fn what_was_approved_beforehand_is_what_was_named() {
    let library = Library::new();
    library.tamper(0);
    let offers = library.offers(&[]);
    let mut command = library.command(&["load", "--yes", offers[0]["id"].as_str().unwrap()]);
    let ran = library.online.ran(command.env("SKILLFLUX_APPROVAL_POLICY", "always"));
    assert_eq!((ran.code, library.stored()), (4, 0), "{ran:?}");
    assert_eq!(library.blobs_of("second"), 0);
}

#[test]
fn each_candidate_is_agreed_to_on_its_own() {
    let library = Library::new();
    library.tamper(0);
    assert_eq!(library.offers(&[]).len(), 1);
    let mut command = library.command(&["-q", "load", "pdf-reader"]);
    command.env("SKILLFLUX_APPROVAL_POLICY", "always");
    let mut terminal = crate::terminal::Terminal::start(&command);
    terminal.wait_for("[y/N]");
    assert!(terminal.shown().contains("/first/skills"), "{}", terminal.shown());
    terminal.press(b"y\n");
    terminal.wait_for("/second/skills");
    terminal.wait_questions(2);
    assert_eq!(library.blobs_of("second"), 0, "a yes for one is none for another");
    terminal.press(b"n\n");
    let left = terminal.end();
    assert_eq!(left.code, Some(5), "{left:?}");
    assert_eq!((library.blobs_of("second"), library.stored()), (0, 0));
}

#[test]
fn no_more_candidates_are_tried_than_the_limit_says() {
    for (limit, tried) in [("1", [true, false, false]), ("2", [true, true, false])] {
        let library = Library::new();
        library.tamper(0);
        library.tamper(1);
        assert_eq!(library.offers(&[]).len(), 1);
        let mut command = library.command(&["load", "pdf-reader"]);
        let ran = library.online.ran(command.env("SKILLFLUX_REMOTE_AUTO_MOUNT_LIMIT", limit));
        assert_eq!((ran.code, library.stored()), (4, 0), "{ran:?}");
        assert_eq!(["first", "second", "third"].map(|owner| library.blobs_of(owner) > 0), tried);
        // The ones that failed are not tried again; the others still are.
        let ran = library.run(&["load", "pdf-reader"]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
}

#[test]
fn all_candidates_share_one_deadline() {
    let library = Library::new();
    assert_eq!(library.offers(&[]).len(), 1);
    // The API keeps its address, so that what it said of the candidates stays true.
    let stalled = "/repos/first/skills/git/blobs/";
    let proxy = FaultProxy::start(&library.online.github.url(), Fault::StallHeaders, stalled);
    let mut catalog = library.command(&["catalog", TASK]);
    assert_eq!(library.online.ran(catalog.env("GITHUB_API_URL", proxy.url())).code, 0);
    let mut command = library.command(&["load", "pdf-reader"]);
    command.env("GITHUB_API_URL", proxy.url()).env("SKILLFLUX_INSTALL_TIMEOUT_MS", "1000");
    let ran = library.online.ran(&mut command);
    assert_eq!((ran.code, library.stored()), (3, 0), "{ran:?}");
    assert_eq!(library.blobs_of("second"), 0, "no time is left for the second");
}

#[test]
fn an_interrupt_ends_the_load_and_tries_no_other() {
    let library = Library::new();
    let stalled = "/repos/first/skills/git/blobs/";
    let pace = Pace::default();
    let proxy = FaultProxy::start_with(&library.online.github.url(), Fault::StallHeaders, stalled, pace);
    let mut catalog = library.command(&["catalog", TASK]);
    assert_eq!(library.online.ran(catalog.env("GITHUB_API_URL", proxy.url())).code, 0);
    let mut command = library.command(&["load", "pdf-reader"]);
    command.env("GITHUB_API_URL", proxy.url());
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn();
    let child = child.unwrap();
    while !proxy.requests().iter().any(|seen| seen.path_and_query.starts_with(stalled)) {
        thread::yield_now();
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("error: interrupted"), "{output:?}");
    assert_eq!((library.blobs_of("second"), library.stored()), (0, 0));
    let staging = library.online.context.home().join("skillflux/cache/v1/staging");
    let left = std::fs::read_dir(&staging).map_or(0, Iterator::count);
    assert_eq!(left, 0, "nothing is left in staging");
}

#[test]
fn the_end_of_a_session_ends_its_offers() {
    let library = Library::new();
    assert_eq!(library.offers(&[]).len(), 1);
    assert_eq!(library.run(&["unmount"]).code, 0);
    let asked = library.requests();
    let ran = library.run(&["load", "pdf-reader"]);
    assert_eq!((ran.code, library.requests()), (1, asked), "{ran:?}");
}

#[test]
fn a_failed_candidate_is_not_offered_again_for_the_same_search() {
    let library = Library::new();
    library.tamper(0);
    assert_eq!(library.offers(&[])[0]["source"], "first/skills");
    let mut command = library.command(&["load", "pdf-reader"]);
    assert_eq!(library.online.ran(command.env("SKILLFLUX_REMOTE_AUTO_MOUNT_LIMIT", "1")).code, 4);
    assert_eq!(library.offers(&[])[0]["source"], "second/skills");
}

#[test]
fn nobody_is_asked_where_the_settings_or_the_skills_here_say_so() {
    let library = Library::new();
    let catalog = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = library.command(&["catalog", TASK]);
        library.online.ran(command.envs(variables.iter().copied()).args(arguments))
    };
    let on_demand = ("SKILLFLUX_REMOTE_DISCOVERY", "on-demand");
    let off = ("SKILLFLUX_REMOTE_DISCOVERY", "off");
    for (variables, arguments) in [
        (&[on_demand][..], &[][..]),
        (&[off], &[]),
        (&[off], &["--discover"]),
        (&[], &["--offline"]),
        (&[on_demand], &["--offline", "--discover"]),
    ] {
        let ran = catalog(variables, arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(!ran.stdout.contains("pdf-reader"), "{ran:?}");
        assert_eq!(library.requests(), 0, "{variables:?} {arguments:?}");
    }
    assert!(catalog(&[on_demand], &["--discover"]).stdout.contains("pdf-reader"));
    let asked = library.requests();
    assert!(asked > 0);
    // A full catalog leaves no slot open.
    for number in 0..3 {
        let root = library.online.context.user_root();
        add_skill(&root, &format!("pdf-tables-{number}"), "Read the tables of a PDF file.");
    }
    let mut command = library.command(&["catalog", &format!("{TASK} today"), "--json"]);
    let full = library.online.ran(command.args(["--max", "1"])).json();
    assert_eq!(full["skills"].as_array().map(Vec::len), Some(1), "{full:#}");
    assert_eq!((&full["discovery"], library.requests()), (&Value::Null, asked));
}

#[test]
fn a_degraded_search_keeps_the_earlier_offers_and_says_so() {
    let library = Library::new();
    let earlier = library.offers(&[]);
    library.online.skills.set(Mood::ServerError);
    let refused = crate::servers::github::Refusal::ServerError.canned(crate::servers::github::now_seconds());
    library.online.github.override_path("GET", "/search/code", refused);
    let mut command = library.command(&["catalog", "tables of a pdf document", "--json"]);
    let ran = library.online.ran(&mut command);
    let discovery = ran.json()["discovery"].clone();
    // The quality of an offer depends on the words of the task, and this task has others.
    let told = |offers: &Value| -> Vec<Value> {
        let mut offers = offers.as_array().unwrap().clone();
        for offer in &mut offers {
            offer.as_object_mut().unwrap().remove("quality").unwrap();
        }
        offers
    };
    assert_eq!(
        (&discovery["authoritative"], told(&discovery["offers"])),
        (&json!(false), told(&json!(earlier)))
    );
    let loaded = library.run(&["load", "pdf-reader"]);
    assert_eq!(loaded.code, 0, "{loaded:?}");
}
