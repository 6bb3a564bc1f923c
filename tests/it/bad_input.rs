//! Inputs that break other tools: each is listed with code, path and remedy, and hides no neighbour.

use std::{fs, path::Path};

use insta::assert_snapshot;

use crate::context::{TestContext, add_skill, write};

/// Ten good skills among the bad ones.
fn neighbours(context: &TestContext) -> usize {
    for index in 0..10 {
        add_skill(&context.user_root(), &format!("good-{index}"), "A good neighbour.");
    }
    10
}

fn good(document: &serde_json::Value) -> usize {
    let skills = document["skills"].as_array().unwrap();
    skills.iter().filter(|skill| skill["name"].as_str().unwrap().starts_with("good-")).count()
}

fn headers(root: &Path) {
    let skill = |name: &str, content: &[u8]| {
        write(&root.join(name).join("SKILL.md"), content);
    };
    let long_name = format!("---\nname: {}\ndescription: Long name.\n---\n", "n".repeat(5000));
    skill("long-name", long_name.as_bytes());
    skill("not-utf8", b"---\nname: not-utf8\ndescription: R\xe9sum\xe9.\n---\n");
    let brackets =
        format!("---\nname: brackets\ndescription: Deep.\nmetadata: {}\n---\n", "[".repeat(100_000));
    skill("brackets", brackets.as_bytes());
    let brackets = format!("---\nname: deep\ndescription: Deep.\nmetadata: {}\n---\n", "[".repeat(10_000));
    skill("deep", brackets.as_bytes());
    let mut bomb =
        "---\nname: bomb\ndescription: Aliases.\nmetadata:\n  a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for pair in ["a b", "b c", "c d", "d e", "e f", "f g", "g h", "h i"] {
        let (from, to) = pair.split_once(' ').unwrap();
        bomb.push_str(&format!(
            "  {to}: &{to} [*{from},*{from},*{from},*{from},*{from},*{from},*{from},*{from}]\n"
        ));
    }
    bomb.push_str("---\n");
    skill("bomb", bomb.as_bytes());
    skill("no-header", b"# Just text\n");
    skill("unclosed", b"---\nname: unclosed\ndescription: x\n");
    skill("no-description", b"---\nname: no-description\n---\n");
    skill("escape", b"---\nname: escape\ndescription: \x1b]0;owned\x07 text\n---\n");
    skill("pointer", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
}

#[test]
fn every_bad_input_is_listed_and_the_rest_is_right() {
    let context = TestContext::new();
    let expected = neighbours(&context);
    let root = context.user_root();
    headers(&root);
    fs::create_dir_all(root.join("folder/SKILL.md")).unwrap();
    let huge = write(&root.join("huge/SKILL.md"), "---\nname: huge\ndescription: x\n---\n");
    fs::File::options().write(true).open(huge).unwrap().set_len(100 * 1024 * 1024).unwrap();
    let ran = context.run(["list"]);
    assert!(ran.stdout.chars().all(|character| character == '\n' || !character.is_control()));
    let document = context.run(["list", "--json"]).json();
    assert_eq!(good(&document), expected);
    let rows: Vec<String> = document["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| {
            let field = |name: &str| problem["diagnostic"][name].to_string();
            format!("{} {} {}\n", problem["path"].as_str().unwrap(), field("code"), field("remedy"))
        })
        .collect();
    assert_snapshot!(rows.concat(), @r#"
    [HOME]/.claude/skills/brackets/SKILL.md "header_too_large" "close the frontmatter with `---` and shorten it"
    [HOME]/.claude/skills/escape/SKILL.md "control_char" "remove the control characters from the frontmatter"
    [HOME]/.claude/skills/folder/SKILL.md "not_a_file" "make SKILL.md a regular file"
    [HOME]/.claude/skills/huge/SKILL.md "file_too_large" "move long parts of SKILL.md into resource files"
    [HOME]/.claude/skills/no-description/SKILL.md "description_missing" "add a description that says what the skill does and when to use it"
    [HOME]/.claude/skills/no-header/SKILL.md "no_frontmatter" "start the file with a frontmatter block between two `---` lines"
    [HOME]/.claude/skills/not-utf8/SKILL.md "not_utf8" "save SKILL.md as UTF-8"
    [HOME]/.claude/skills/pointer/SKILL.md "lfs_pointer" "fetch the real file with `git lfs pull`"
    [HOME]/.claude/skills/unclosed/SKILL.md "unclosed_frontmatter" "close the frontmatter with a `---` line"
    "#);
    let loaded: Vec<&str> = document["skills"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|skill| skill["warnings"].is_array() && skill["root"] != "bundled")
        .map(|skill| skill["name"].as_str().unwrap())
        .collect();
    let long = "n".repeat(64);
    assert_eq!(loaded, ["bomb", "deep", &long]);
}

/// The test may run as root, who may read everything, so the program runs as nobody.
#[cfg(unix)]
#[test]
fn unreadable_files_and_folders_are_listed() {
    use std::os::unix::{fs::PermissionsExt, process::CommandExt};
    let context = TestContext::new();
    let expected = neighbours(&context);
    let root = context.user_root();
    let file = add_skill(&root, "secret", "Nobody may read this.");
    add_skill(&root, "closed", "Nobody may enter this.");
    let mode = |path: &Path, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(&file, 0o000);
    mode(&root.join("closed"), 0o000);
    let mut command = context.command();
    if fs::read(&file).is_ok() {
        // The working copy may lie where nobody may look, so the program runs from a copy.
        let home = context.home();
        for folder in [home.parent().unwrap(), &home] {
            mode(folder, 0o755);
        }
        let program = home.join("skillflux-copy");
        fs::copy(env!("CARGO_BIN_EXE_skillflux"), &program).unwrap();
        mode(&program, 0o755);
        let mut other = std::process::Command::new(program);
        other.env_clear().env("HOME", &home).current_dir(&home).uid(65534).gid(65534);
        command = other;
    }
    let output = command.args(["list", "--json"]).output().unwrap();
    mode(&root.join("closed"), 0o755);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.status.success());
    assert_eq!(good(&document), expected);
    let problems = document["problems"].as_array().unwrap();
    let codes: Vec<_> = problems.iter().map(|problem| problem["diagnostic"]["code"].clone()).collect();
    assert_eq!(codes, ["folder_unreadable", "unreadable"], "{problems:?}");
}

#[cfg(unix)]
#[test]
fn a_pipe_does_not_block_the_walk() {
    let context = TestContext::new();
    let expected = neighbours(&context);
    fs::create_dir_all(context.user_root().join("pipe")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(context.user_root().join("pipe/SKILL.md")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo is needed");
    let document = context.run(["list", "--json"]).json();
    assert_eq!(good(&document), expected);
    assert_eq!(document["problems"][0]["diagnostic"]["code"], "not_a_file");
}

#[test]
fn a_wrong_command_line_exits_with_two() {
    let context = TestContext::new();
    for arguments in
        [&["catalog"][..], &["lst"], &["list", "--nope"], &["catalog", "x", "--max", "0"], &["load", ""]]
    {
        let ran = context.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.starts_with("error: "), "{ran:?}");
    }
    let ran = context.run(["list", "--json", "--nope"]);
    let error: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &error["exit_code"]), (2, &serde_json::json!(2)));
}

#[test]
fn no_argument_puts_a_control_byte_on_the_terminal() {
    let context = TestContext::new();
    let hostile = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}x\nhint: forged";
    for arguments in [
        vec![format!("--{hostile}")],
        vec![hostile.to_owned()],
        vec!["catalog".to_owned(), "x".to_owned(), "--format".to_owned(), hostile.to_owned()],
        vec!["load".to_owned(), hostile.to_owned()],
        vec!["load".to_owned(), format!("./{hostile}")],
        vec!["read".to_owned(), "using-skillflux".to_owned(), hostile.to_owned()],
        vec!["list".to_owned(), "--agent".to_owned(), hostile.to_owned()],
        vec!["config".to_owned(), "get".to_owned(), hostile.to_owned()],
        vec!["config".to_owned(), "set".to_owned(), "routerMode".to_owned(), hostile.to_owned()],
        vec!["eval".to_owned(), "--corpus".to_owned(), hostile.to_owned()],
        vec!["man".to_owned(), hostile.to_owned()],
        vec!["catalog".to_owned(), hostile.to_owned(), "--config".to_owned(), hostile.to_owned()],
    ] {
        let ran = context.run(&arguments);
        assert!(ran.code != 0 && ran.code != 70, "{arguments:?}: {ran:?}");
        let is_safe =
            |character: char| character == '\n' || !(character.is_control() || character == '\u{202e}');
        assert!(ran.stderr.chars().all(is_safe), "{arguments:?}: {ran:?}");
        assert!(!ran.stderr.lines().any(|line| line.trim_start().starts_with("hint: forged")), "{ran:?}");
    }
}
