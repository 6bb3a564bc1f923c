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
    for reference in
        ["owner/repo//skills/pdf", "owner/repo@pdf", "https://github.com/o/r/tree/main/x", "sha256:00ff"]
    {
        let ran = context.run(["load", reference]);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.stderr.contains("is not on this machine"), "{ran:?}");
    }
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
    assert_eq!(context.run(["read", "odd", "host.txt"]).code, 1);
}
