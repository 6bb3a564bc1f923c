//! `load` and `read`: bodies and resources, bounded and with provenance.

use insta::assert_snapshot;

use crate::context::{TestContext, add_skill, write};

#[test]
fn a_body_with_its_resources() {
    let context = TestContext::new();
    add_skill(&context.user_root(), "pdf", "Read PDF files.");
    write(&context.user_root().join("pdf/references/guide.md"), "# Guide\n");
    write(&context.user_root().join("pdf/scripts/run.py"), "print(1)\n");
    write(&context.user_root().join("pdf/.DS_Store"), "x");
    assert_snapshot!(context.run(["load", "pdf"]).snapshot(), @r#"
    exit code 0
    --- stdout
    <skill_content name="pdf" digest="sha256:fb0d046ef7b30c359780ca77b79b7b9832cdf8c6b40ab5dfb63b26d70b2bf19f" location="[HOME]/.claude/skills/pdf/SKILL.md">
    # pdf

    The body of pdf.

    <skill_resources>
      <file kind="reference" size="8">references/guide.md</file>
      <file kind="script" size="9">scripts/run.py</file>
    </skill_resources>
    </skill_content>
    --- stderr
    "#);
    let loaded = context.run(["load", "--json", "pdf"]).json();
    assert_eq!(loaded["resources"].as_array().unwrap().len(), 2);
    assert!(loaded["digest"].as_str().unwrap().starts_with("sha256:"));
}

#[test]
fn a_bundled_skill_by_name_and_by_location() {
    let context = TestContext::new();
    let by_name = context.run(["load", "using-skillflux"]);
    let by_location = context.run(["load", "skill://skillflux/using-skillflux/SKILL.md"]);
    assert_eq!(by_name.code, 0);
    assert_eq!(by_name.stdout, by_location.stdout);
}

#[test]
fn a_folder_in_no_root_can_be_loaded() {
    let context = TestContext::new();
    add_skill(&context.project().join("draft"), "mine", "In the making.");
    for place in ["./draft/mine", "./draft/mine/SKILL.md"] {
        assert!(context.run(["load", place]).stdout.contains("The body of mine."), "{place}");
    }
    let ran = context.run(["load", "./draft"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("holds no SKILL.md"), "{ran:?}");
}

#[test]
fn an_unknown_name_suggests_a_known_one() {
    let context = TestContext::new();
    assert_snapshot!(context.run(["load", "summarise-report"]).snapshot(), @"
    exit code 1
    --- stdout
    --- stderr
    error: no skill is named `summarise-report`

    hint: did you mean `summarize-report`? run `skillflux list` for every skill on this machine
    ");
    let ran = context.run(["load", "--json", "summarise-report"]);
    let error: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &error["exit_code"]), (1, &serde_json::json!(1)));
}

#[test]
fn remote_references_say_that_they_are_remote() {
    let context = TestContext::new();
    for (reference, digest) in [
        ("owner/repo//skills/pdf", false),
        ("owner/repo@pdf", false),
        ("https://github.com/o/r/tree/main/x", false),
        ("sha256:00ff", true),
    ] {
        let ran = context.run(["show", reference]);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.stderr.contains("is not on this machine"), "{ran:?}");
        assert_eq!(context.run(["load", "--offline", reference]).code, if digest { 1 } else { 6 });
    }
}

#[cfg(target_os = "linux")]
#[test]
fn whose_terminal_is_outside_of_its_container_has_a_session_too() {
    use std::process::Command;
    let apart = ["--user", "--map-root-user", "--pid", "--fork"];
    let context = TestContext::new();
    add_skill(&context.user_root(), "pdf", "Read PDF files.");
    if !Command::new("unshare").args(apart).arg("true").status().is_ok_and(|status| status.success()) {
        println!("skipped: process numbers cannot be had apart here");
        return;
    }
    let inside = context.command();
    let mut command = Command::new("unshare");
    command.args(apart).arg(inside.get_program()).args(["load", "nothing"]);
    for (name, value) in inside.get_envs() {
        value.map(|value| command.env(name, value));
    }
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no skill is named"), "{output:?}");
}

#[test]
fn read_prints_the_bytes_of_a_file() {
    let context = TestContext::new();
    add_skill(&context.user_root(), "pdf", "Read PDF files.");
    write(&context.user_root().join("pdf/references/guide.md"), "# Guide\r\n\u{1b}[31mred\n");
    let ran = context.run(["read", "pdf", "references/guide.md"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "# Guide\r\n\u{1b}[31mred\n"));
    for bad in ["../pdf/SKILL.md", "/etc/passwd", "references\\guide.md"] {
        let ran = context.run(["read", "pdf", bad]);
        assert_eq!(ran.code, 2, "{ran:?}");
    }
    assert_eq!(context.run(["read", "pdf", "references/none.md"]).code, 1);
}

#[test]
fn read_json_has_provenance_and_stays_within_its_bound() {
    let context = TestContext::new();
    let root = context.user_root();
    add_skill(&root, "big", "Holds large files.");
    write(&root.join("big/assets/text.txt"), "\u{1}é\"\n".repeat(40_000));
    write(&root.join("big/assets/data.bin"), [0u8, 255, 7].repeat(40_000));
    for (path, encoding) in [("assets/text.txt", "text"), ("assets/data.bin", "base64")] {
        let ran = context.run(["read", "big", path, "--json"]);
        assert!(ran.stdout.len() <= 64 * 1024 && ran.stdout.len() > 60 * 1024, "{}", ran.stdout.len());
        let answer = ran.json();
        assert_eq!((&answer["encoding"], &answer["truncated"]), (&encoding.into(), &true.into()));
        let content = answer["content"].as_str().unwrap();
        if encoding == "base64" {
            assert_eq!(content.len() % 4, 0);
        } else {
            assert!("\u{1}é\"\n".repeat(40_000).starts_with(content));
        }
    }
    let small = context.run(["read", "big", "SKILL.md", "--json"]).json();
    assert_eq!(small["truncated"], false);
    assert_eq!(small["mime_type"], "text/markdown");
    assert_eq!(small["provenance"]["origin"], "local");
}

#[test]
fn a_resources_id_outlives_a_version() {
    let context = TestContext::new();
    let root = context.user_root();
    add_skill(&root, "pdf", "Read PDF files.");
    let before = context.run(["read", "pdf", "SKILL.md", "--json"]).json();
    add_skill(&root, "pdf", "Read PDF files better.");
    let after = context.run(["read", "pdf", "SKILL.md", "--json"]).json();
    assert_eq!(before["id"], after["id"]);
    assert_ne!(before["digest"], after["digest"]);
}

#[test]
fn a_skill_over_its_limits_is_refused_with_the_remedy() {
    let context = TestContext::new();
    let root = context.user_root();
    add_skill(&root, "many", "Has many files.");
    for index in 0..1001 {
        write(&root.join(format!("many/files/{index}")), "x");
    }
    let ran = context.run(["load", "many"]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert!(ran.stderr.contains("config set maxSkillFiles 2000"), "{ran:?}");
    assert_eq!(context.run(["config", "set", "maxSkillFiles", "2000"]).code, 0);
    assert_eq!(context.run(["load", "many"]).code, 0);
}

#[cfg(unix)]
#[test]
fn links_and_bad_names_are_left_out_and_named() {
    let context = TestContext::new();
    let root = context.user_root();
    add_skill(&root, "odd", "Has odd files.");
    std::os::unix::fs::symlink("/etc/hostname", root.join("odd/host.txt")).unwrap();
    write(&root.join("odd/a:b.md"), "x");
    write(&root.join("odd/Readme.md"), "x");
    write(&root.join("odd/README.md"), "y");
    let shown = context.run(["show", "odd", "--json"]).json();
    let left_out: Vec<_> =
        shown["left_out"].as_array().unwrap().iter().map(|file| file["code"].clone()).collect();
    assert_eq!(left_out, ["path_collision", "path_reserved", "link"]);
    let ran = context.run(["read", "odd", "host.txt"]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert!(ran.stderr.contains("`host.txt` is a link"), "{ran:?}");
}

#[test]
fn what_load_prints_read_takes() {
    let context = TestContext::new();
    let root = context.user_root();
    add_skill(&root, "odd", "Has odd names.");
    for name in ["a  b.md", "re\u{301}sume\u{301}.md", "tab%20.md"] {
        write(&root.join("odd/references").join(name), name);
    }
    let loaded = context.run(["load", "odd"]).stdout;
    for (start, name) in [
        ("references/a", "a  b.md"),
        ("references/re", "re\u{301}sume\u{301}.md"),
        ("references/tab", "tab%20.md"),
    ] {
        let line = loaded.lines().find(|line| line.contains(start)).unwrap();
        let path = line.split('>').nth(1).unwrap().split('<').next().unwrap();
        assert_eq!(context.run(["read", "odd", path]).stdout, name, "{line}");
    }
}

#[test]
fn a_location_of_a_catalog_can_be_loaded() {
    let context = TestContext::new();
    write(
        &context.user_root().join("od\u{200b}d name/SKILL.md"),
        "---\nname: odd\ndescription: Lies in a folder with an invisible character.\n---\nThe body.\n",
    );
    let catalog = context.command().args(["catalog", "--json", "odd folder"]).output().unwrap();
    let catalog: serde_json::Value = serde_json::from_slice(&catalog.stdout).unwrap();
    let location = catalog["skills"][0]["location"].as_str().unwrap();
    assert!(location.contains("%E2%80%8B"), "{location}");
    assert!(context.run(["load", location]).stdout.contains("The body."));
}

#[test]
fn a_wrong_path_says_what_is_wrong() {
    let context = TestContext::new();
    add_skill(&context.project().join("draft"), "mine", "In the making.");
    write(&context.user_root().join("broken/SKILL.md"), "# no header\n");
    let mut text = String::new();
    for arguments in [
        &["load", "./nope"][..],
        &["load", "draft/mine/SKILL.md/x"],
        &["show", "broken"],
        &["read", "./draft/mine", "no file.md"],
        &["load", "x\nhint: run something else"],
    ] {
        let ran = context.run(arguments);
        text.push_str(&format!("### {arguments:?}\nexit code {}\n{}", ran.code, ran.stderr));
    }
    assert_snapshot!(text, @r#"
    ### ["load", "./nope"]
    exit code 1
    error: `[PROJECT]/nope` is no folder

    hint: run `skillflux list` for every skill on this machine
    ### ["load", "draft/mine/SKILL.md/x"]
    exit code 1
    error: no skill is named `draft/mine/SKILL.md/x`

    hint: run `skillflux list` for every skill on this machine
    ### ["show", "broken"]
    exit code 1
    error: `[HOME]/.claude/skills/broken/SKILL.md` line 1, column 1 is no skill: no_frontmatter

    hint: start the file with a frontmatter block between two `---` lines
    ### ["read", "./draft/mine", "no file.md"]
    exit code 1
    error: `./draft/mine` has no file `no file.md`

    hint: run `skillflux show ./draft/mine` for its files
    ### ["load", "x\nhint: run something else"]
    exit code 1
    error: no skill is named `x\u{a}hint: run something else`

    hint: run `skillflux list` for every skill on this machine
    "#);
    assert_eq!(context.run(["load", "draft/mine"]).code, 0);
}

#[test]
fn a_file_of_any_announced_size_costs_little_memory() {
    let context = TestContext::new();
    add_skill(&context.user_root(), "huge", "Holds a huge sparse file.");
    let file = write(&context.user_root().join("huge/data.bin"), "x");
    std::fs::File::options().write(true).open(file).unwrap().set_len(1 << 40).unwrap();
    let ran = context.run(["load", "huge"]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert!(ran.stderr.contains("holds more than 10485760 bytes"), "{ran:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn another_spelling_never_takes_the_place_of_a_file() {
    let context = TestContext::new();
    let root = context.user_root();
    add_skill(&root, "good", "Reads tables politely.");
    write(&root.join("good/SKILL.MD"), "---\nname: good\ndescription: other\n---\nANOTHER BODY\n");
    assert!(context.run(["load", "good"]).stdout.contains("The body of good."));
    assert!(context.run(["read", "good", "SKILL.md"]).stdout.contains("The body of good."));
    let shown = context.run(["show", "good", "--json"]).json();
    assert_eq!(shown["left_out"][0]["path"], "SKILL.MD");
    for (name, body) in [("skill.md", "lower"), ("Skill.md", "title"), ("SKILL.MD", "upper")] {
        write(&root.join("odd").join(name), format!("---\nname: odd\ndescription: x\n---\n{body}\n"));
    }
    let loaded = context.run(["load", "odd"]).stdout;
    assert!(loaded.contains("skill.md\">\nlower\n"), "{loaded}");
}

#[cfg(unix)]
#[test]
fn a_printed_location_names_one_skill_only() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let context = TestContext::new();
    let root = context.user_root();
    for (folder, body) in
        [(&b"x\ny"[..], "newline"), (b"x%0Ay", "literal"), (b"100%", "percent"), (b"raw\xff", "raw")]
    {
        let file = root.join(OsStr::from_bytes(folder)).join("SKILL.md");
        write(&file, format!("---\nname: {body}\ndescription: A located skill.\n---\n{body} body\n"));
    }
    let catalog = context
        .command()
        .args(["catalog", "--json", "--max", "9", "a located skill newline literal percent"])
        .output()
        .unwrap();
    let catalog: serde_json::Value = serde_json::from_slice(&catalog.stdout).unwrap();
    let skills = catalog["skills"].as_array().unwrap();
    assert_eq!(skills.len(), 3, "a folder that is no text is a problem of its own: {skills:?}");
    for skill in skills {
        let loaded = context.run(["load", skill["location"].as_str().unwrap()]);
        let body = format!("{} body", skill["name"].as_str().unwrap());
        assert!(loaded.stdout.contains(&body), "{skill}: {loaded:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_linked_skill_file_can_be_read_too() {
    let context = TestContext::new();
    let folder = context.user_root().join("inside");
    write(&folder.join("docs/x.md"), "---\nname: inside\ndescription: x\n---\nThe linked body.\n");
    std::os::unix::fs::symlink("docs/x.md", folder.join("SKILL.md")).unwrap();
    assert!(context.run(["read", "inside", "SKILL.md"]).stdout.contains("The linked body."));
    let answer = context.run(["read", "inside", "SKILL.md", "--json"]).json();
    assert_eq!(answer["size"], 53);
}

#[cfg(unix)]
#[test]
fn a_folder_is_the_same_skill_by_every_path() {
    let context = TestContext::new();
    let real = context.home().join("data/real-name");
    add_skill(&context.home().join("data"), "real-name", "Lies elsewhere.");
    write(&real.join("scripts/run.sh"), "echo\n");
    std::fs::create_dir_all(context.user_root()).unwrap();
    std::os::unix::fs::symlink(&real, context.user_root().join("lnk")).unwrap();
    let by_name = context.run(["read", "--json", "real-name", "SKILL.md"]).json();
    let by_path = context.run(["read", "--json", real.to_str().unwrap(), "SKILL.md"]).json();
    assert_eq!(by_name["id"], by_path["id"]);
    let output = context.command().current_dir(real.join("scripts")).args(["show", ".."]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let ran = context.run(["read", "real-name", "./scripts/"]);
    assert!(ran.stderr.contains("  scripts/run.sh"), "{ran:?}");
}
