//! `list`, `show` and `status`: where skills are found, and which of them count.

use std::fs;

use insta::assert_snapshot;

use crate::context::{TestContext, add_skill, write};

fn names(document: &serde_json::Value, standing: &str) -> Vec<String> {
    let skills = document["skills"].as_array().unwrap().iter();
    let wanted = skills.filter(|skill| skill["standing"] == standing && skill["root"] != "bundled");
    wanted.map(|skill| skill["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_empty_machine() {
    let context = TestContext::new();
    assert_snapshot!(context.run(["list"]).snapshot(), @"
    exit code 0
    --- stdout
    bundled (bundled, 3 skills)
      prepare-decision             Prepares a decision brief that compares options on equal criteria, with evidence, costs, risks, reversibility and a recommendation. Use when preparing to decide, to compare and recommend vendors, tools or alternatives, to choose between approaches, to weigh trade-offs, or to settle build vs buy.
      summarize-report             Writes a verifiable summary of a report, with claims traced to page or section, numbers recomputed, gaps and unsupported conclusions named. Use when summarizing, condensing or reviewing a report, study, audit, survey, whitepaper or annual filing, or extracting key findings.
      using-skillflux              Explains skillflux, the picker of agent skills, from asking for a catalog to loading bodies and resources and telling why a skill was left out. Use when skillflux is mentioned, or to list, pick, load or troubleshoot installed agent skills and a skill missing from a catalog.

    3 skills
    --- stderr
    ");
}

#[test]
fn scopes_shadow_each_other_and_say_so() {
    let context = TestContext::new();
    add_skill(&context.user_root(), "notes", "The person's own.");
    add_skill(&context.project_root(), "notes", "The project's.");
    add_skill(&context.project().join(".claude/skills"), "notes", "The project's for one agent.");
    add_skill(&context.home().join("more"), "notes", "A custom one.");
    write(&context.home().join("skillflux/config/config.yaml"), "customRoots: [~/more]\n");
    assert_snapshot!(context.run(["list"]).snapshot(), @"
    exit code 0
    --- stdout
    [PROJECT]/.agents/skills (project, 1 skill)
      notes                        The project's.
    [PROJECT]/.claude/skills (project, 1 skill)
      notes                        The project's for one agent.
        shadowed by [PROJECT]/.agents/skills/notes/SKILL.md
    ~/more (custom, 1 skill)
      notes                        A custom one.
        shadowed by [PROJECT]/.agents/skills/notes/SKILL.md
    ~/.claude/skills (user, 1 skill)
      notes                        The person's own.
        shadowed by [PROJECT]/.agents/skills/notes/SKILL.md
    bundled (bundled, 3 skills)
      prepare-decision             Prepares a decision brief that compares options on equal criteria, with evidence, costs, risks, reversibility and a recommendation. Use when preparing to decide, to compare and recommend vendors, tools or alternatives, to choose between approaches, to weigh trade-offs, or to settle build vs buy.
      summarize-report             Writes a verifiable summary of a report, with claims traced to page or section, numbers recomputed, gaps and unsupported conclusions named. Use when summarizing, condensing or reviewing a report, study, audit, survey, whitepaper or annual filing, or extracting key findings.
      using-skillflux              Explains skillflux, the picker of agent skills, from asking for a catalog to loading bodies and resources and telling why a skill was left out. Use when skillflux is mentioned, or to list, pick, load or troubleshoot installed agent skills and a skill missing from a catalog.

    4 skills, 3 shadowed
    --- stderr
    ");
    assert!(context.run(["load", "notes"]).stdout.contains("[PROJECT]/.agents/skills/notes/SKILL.md"));
}

#[test]
fn the_nearest_project_folder_wins() {
    let context = TestContext::new();
    let below = context.project().join("service");
    add_skill(&below.join(".claude/skills"), "deploy", "The service's.");
    add_skill(&context.project_root(), "deploy", "The repository's.");
    let output = context.command().current_dir(&below).args(["show", "deploy"]).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("The service's."));
}

#[test]
fn odd_layouts() {
    let context = TestContext::new();
    let root = context.user_root();
    add_skill(&root, "outer", "An outer skill.");
    add_skill(&root.join("outer/parts"), "inner", "A skill inside another.");
    add_skill(&root.join("group/deeper"), "grouped", "A skill in a group of folders.");
    write(&root.join("lower/skill.md"), "---\nname: lower\ndescription: Spelled in lower case.\n---\n");
    write(&root.join("not-a-skill/README.md"), "nothing");
    write(&root.join("stray.md"), "nothing");
    write(&root.join("node_modules/x/SKILL.md"), "---\nname: x\ndescription: x\n---\n");
    let ran = context.run(["list", "--json"]);
    let document = ran.json();
    assert_eq!(names(&document, "active"), ["grouped", "lower", "outer"]);
    assert_eq!(names(&document, "nested"), ["inner"]);
    let lower =
        &document["skills"].as_array().unwrap().iter().find(|skill| skill["name"] == "lower").unwrap();
    assert_eq!(lower["warnings"][0]["code"], "skill_file_case");
    write(&context.home().join("skillflux/config/config.yaml"), "minRouteScore: 1\n");
    let catalog = context.run(["catalog", "--json", "inner outer lower grouped skill"]).json();
    let chosen: Vec<_> = catalog["skills"].as_array().unwrap().iter().map(|skill| &skill["name"]).collect();
    assert!(chosen.iter().all(|name| *name != "inner") && chosen.len() == 3, "{chosen:?}");
    assert!(context.run(["load", "inner"]).stdout.contains("The body of inner."));
}

#[cfg(unix)]
#[test]
fn links() {
    use std::os::unix::fs::symlink;
    let context = TestContext::new();
    let (root, elsewhere) = (context.user_root(), context.home().join("elsewhere"));
    add_skill(&elsewhere, "shared", "Lies elsewhere.");
    add_skill(&root, "real", "A real folder.");
    fs::create_dir_all(context.home().join(".agents")).unwrap();
    fs::create_dir_all(root.join("inside")).unwrap();
    fs::create_dir_all(root.join("outside")).unwrap();
    // A direct child may link anywhere and is one skill, however often it is linked.
    symlink(elsewhere.join("shared"), root.join("shared")).unwrap();
    symlink(elsewhere.join("shared"), root.join("twice")).unwrap();
    symlink(&root, context.home().join(".agents/skills")).unwrap();
    // A linked SKILL.md is read only inside its own skill.
    write(&root.join("inside/text/real.md"), "---\nname: inside\ndescription: Linked inside.\n---\n");
    symlink("text/real.md", root.join("inside/SKILL.md")).unwrap();
    symlink(elsewhere.join("shared/SKILL.md"), root.join("outside/SKILL.md")).unwrap();
    symlink("loop-b", root.join("loop-a")).unwrap();
    symlink("loop-a", root.join("loop-b")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    symlink("..", root.join("real/up")).unwrap();
    let ran = context.run(["list", "--json"]);
    let document = ran.json();
    assert_eq!(names(&document, "active"), ["inside", "real", "shared"]);
    let shared =
        document["skills"].as_array().unwrap().iter().find(|skill| skill["name"] == "shared").unwrap();
    assert_eq!(shared["aliases"], serde_json::json!(["[HOME]/.claude/skills/twice"]));
    let problems: Vec<(String, String)> = document["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| {
            let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
            (text(&problem["path"]), text(&problem["diagnostic"]["code"]))
        })
        .collect();
    let expected = [
        ("[HOME]/.claude/skills/dangling", "dangling_link"),
        ("[HOME]/.claude/skills/loop-a", "link_loop"),
        ("[HOME]/.claude/skills/loop-b", "link_loop"),
        ("[HOME]/.claude/skills/outside/SKILL.md", "link_outside"),
    ];
    assert_eq!(problems, expected.map(|(path, code)| (path.to_owned(), code.to_owned())));
    let agents =
        document["roots"].as_array().unwrap().iter().find(|root| root["same_as"].is_string()).unwrap();
    assert!(agents["label"] == "~/.agents/skills" || agents["same_as"] == "~/.agents/skills");
}

#[test]
fn an_agents_variable_moves_its_folder() {
    let context = TestContext::new();
    add_skill(&context.home().join("moved/skills"), "moved", "Lies in a moved folder.");
    let output = context
        .command()
        .env("CLAUDE_CONFIG_DIR", context.home().join("moved"))
        .args(["list", "--agent", "claude-code", "--json"])
        .output()
        .unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["skills"][0]["name"], "moved");
}

#[test]
fn an_unknown_agent_is_an_error_with_a_hint() {
    let context = TestContext::new();
    assert_snapshot!(context.run(["list", "--agent", "claude-cod"]).snapshot(), @"
    exit code 2
    --- stdout
    --- stderr
    error: no agent has the id `claude-cod`
      aider-desk amp antigravity antigravity-cli astrbot autohand-code augment bob claude-code openclaw cline codearts-agent codebuddy codemaker codestudio codex command-code continue cortex crush cursor deepagents devin dexto droid eve firebender forgecode fx gemini-cli github-copilot goose grok hermes-agent inference-sh jazz junie iflow-cli kilo kimchi kimi-code-cli kiro-cli kode lingma loaf mcpjam minimax-code mistral-vibe moxby mux opencode openhands ona pi posit-assistant qoder qoder-cn qwen-code replit reasonix rovodev roo sarvam-code tabnine-cli terramind tinycloud trae trae-cn warp windsurf zed zcode zencoder zenflow neovate pochi promptscript adal universal dsh

    hint: did you mean `claude-code`? every id is in the list above
    ");
}

#[test]
fn show_says_what_a_strict_reader_objects_to() {
    let context = TestContext::new();
    let root = context.user_root();
    write(
        &root.join("ci/SKILL.md"),
        "---\nname: CI/CD Pipeline\ndescription: Keep pipelines green: watch, retry, report.\nversion: 1.10\n\
         allowed-tools: Bash(git *), Read\nmetadata:\n  tags: [ci]\n---\n\nBody.\n",
    );
    write(&root.join("ci/scripts/run.sh"), "#!/bin/sh\n");
    assert_snapshot!(context.run(["show", "ci-cd-pipeline"]).snapshot(), @r#"
    exit code 0
    --- stdout
    ci-cd-pipeline
    Keep pipelines green: watch, retry, report.

    title          CI/CD Pipeline
    asks for tools Bash(git *) Read
    metadata       tags = ["ci"]
    other keys     version
    location       [HOME]/.claude/skills/ci/SKILL.md
    root           ~/.claude/skills
    standing       active
    called by      the model and the user
    digest         sha256:312001636a25e17fc8d4add9f11b997a791ae261f53a2feae3a5063261b76854

    files
            163  file       SKILL.md
             10  script     scripts/run.sh

    odd: yaml_repaired (line 3), name_nonconforming (line 2), name_dir_mismatch (line 2), metadata_nonstring (line 7)

    a strict reader objects
      2:7 name_dir_mismatch: give the folder and the skill the same name
      2:7 name_nonconforming: use 1 to 64 lower-case letters, digits and single hyphens in the name
      3:34 yaml_repaired: put values with a colon or a leading special character in quotes
      4:1 unexpected_field: `version` is not a field of the specification; move it under `metadata`
      7:9 metadata_nonstring: use only text values in metadata
      7:9 metadata_not_text: `metadata.tags` must be a text; put it in quotes
    --- stderr
    "#);
    let shown = context.run(["show", "--json", "CI/CD Pipeline"]).json();
    assert_eq!(shown["skill"]["name"], "ci-cd-pipeline");
    assert!(!shown["lint"].as_array().unwrap().is_empty());
}

#[test]
fn status_counts() {
    let context = TestContext::new();
    add_skill(&context.user_root(), "one", "First.");
    write(&context.user_root().join("broken/SKILL.md"), "# no header\n");
    assert_snapshot!(context.run(["status"]).snapshot(), @"
    exit code 0
    --- stdout
    skillflux 0.1.0
    skills         4 can be chosen, 1 not readable
    router         fulltext
    catalog        at most 3 skills, no token budget
    all at once    a listing of every skill would cost 370 tokens
    cache          0 skills of at most 100, 0 bytes of at most 512.0 MiB
    index          none yet: made by the first catalog in `routerMode: fulltext`
    remote search  on-demand, without a token: skills.sh, github
    trust          evidence of at least `community`, approval `always`
    config         [HOME]/skillflux/config/config.yaml (not there)
    project        [PROJECT]
    agents         claude-code

    roots
      user     ~/.claude/skills (1 skill)
      bundled  bundled (3 skills)
    --- stderr
    ");
}

#[cfg(unix)]
#[test]
fn an_agent_reads_what_its_links_lead_to() {
    use std::os::unix::fs::symlink;
    let context = TestContext::new();
    add_skill(&context.home().join(".agents/skills"), "real", "Lies with the shared skills.");
    fs::create_dir_all(context.user_root()).unwrap();
    symlink("../../.agents/skills/real", context.user_root().join("real")).unwrap();
    fs::create_dir_all(context.home().join(".goose")).unwrap();
    fs::create_dir_all(context.home().join(".crush-is-not-here")).unwrap();
    symlink(context.home().join(".agents/skills"), context.home().join(".roo-skills")).unwrap();
    fs::create_dir_all(context.home().join(".roo")).unwrap();
    symlink(context.home().join(".agents/skills"), context.home().join(".roo/skills")).unwrap();
    for agent in ["claude-code", "codex", "roo"] {
        let document = context.run(["list", "--agent", agent, "--json"]).json();
        assert_eq!(names(&document, "active"), ["real"], "{agent}");
    }
    assert_eq!(names(&context.run(["list", "--agent", "qoder", "--json"]).json(), "active"), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_group_of_skills_is_followed_and_bounded() {
    use std::os::unix::fs::symlink;
    let context = TestContext::new();
    let elsewhere = context.home().join("plugin");
    add_skill(&elsewhere.join("skills"), "planned", "Lies in a linked group.");
    add_skill(&elsewhere.join("a/b/c/d"), "too-deep", "Lies too deep behind the link.");
    fs::create_dir_all(context.user_root()).unwrap();
    symlink(&elsewhere, context.user_root().join("plugin")).unwrap();
    for index in 0..2100 {
        fs::create_dir_all(context.home().join(format!("wide/{index}"))).unwrap();
    }
    symlink(context.home().join("wide"), context.user_root().join("wide")).unwrap();
    let document = context.run(["list", "--json"]).json();
    assert_eq!(names(&document, "active"), ["planned"]);
    let problems = document["problems"].as_array().unwrap();
    let rows: Vec<_> =
        problems.iter().map(|problem| (&problem["path"], &problem["diagnostic"]["code"])).collect();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows.iter().all(|(_, code)| *code == "walk_limit"), "{rows:?}");
}

#[test]
fn a_root_may_be_a_skill_itself() {
    let context = TestContext::new();
    write(
        &context.home().join("mine/SKILL.md"),
        "---\nname: mine\ndescription: The folder is the skill.\n---\n",
    );
    write(
        &context.home().join("mine/skill.md"),
        "---\nname: other\ndescription: The same in lower case.\n---\n",
    );
    add_skill(&context.home().join("mine"), "child", "A skill beside it.");
    write(&context.home().join("skillflux/config/config.yaml"), "customRoots: [~/mine, ~/nowhere]\n");
    let document = context.run(["list", "--json"]).json();
    assert_eq!(names(&document, "active"), ["mine", "child"]);
    assert_eq!(document["problems"][0]["diagnostic"]["code"], "folder_missing");
}

#[cfg(unix)]
#[test]
fn links_do_not_multiply_the_work() {
    use std::os::unix::fs::symlink;
    let context = TestContext::new();
    let root = context.user_root();
    for index in 0..50 {
        add_skill(&root, &format!("s{index}"), "One of many.");
        write(&root.join(format!("broken{index}/SKILL.md")), "# no header\n");
    }
    for index in 0..50 {
        symlink(".", root.join(format!("here{index}"))).unwrap();
        symlink("..", root.join(format!("up{index}"))).unwrap();
        symlink("s1", root.join(format!("again{index}"))).unwrap();
    }
    let document = context.run(["list", "--json"]).json();
    assert_eq!(names(&document, "active").len(), 50);
    let problems = document["problems"].as_array().unwrap();
    let count = |code: &str| problems.iter().filter(|problem| problem["diagnostic"]["code"] == code).count();
    // The first link to each place names it; the others are further paths of the same folder.
    assert_eq!((count("no_frontmatter"), count("link_loop"), problems.len()), (50, 2, 52));
    let linked = document["skills"].as_array().unwrap().iter().find(|skill| skill["name"] == "s1").unwrap();
    assert_eq!(linked["aliases"].as_array().unwrap().len(), 50);
    assert!(linked["location"].as_str().unwrap().ends_with("/s1/SKILL.md"));
}

#[cfg(unix)]
#[test]
fn a_projects_linked_root_is_bounded() {
    let context = TestContext::new();
    let elsewhere = context.home().join("elsewhere");
    add_skill(&elsewhere, "near", "Lies outside the project.");
    add_skill(&elsewhere.join("a/b/c/d"), "far", "Lies deep outside the project.");
    fs::create_dir_all(context.project().join(".claude")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, context.project().join(".claude/skills")).unwrap();
    let document = context.run(["list", "--json"]).json();
    assert_eq!(names(&document, "active"), ["near"]);
    assert_eq!(document["problems"][0]["diagnostic"]["code"], "walk_limit");
}

#[cfg(unix)]
#[test]
fn a_projects_links_do_not_hide_the_persons_own_skills() {
    use std::os::unix::fs::symlink;
    let context = TestContext::new();
    add_skill(&context.user_root().join("pack/a/b/c"), "deep", "The person's own, deep in a group.");
    fs::create_dir_all(context.project().join(".claude/skills")).unwrap();
    symlink(context.user_root().join("pack"), context.project().join(".claude/skills/x")).unwrap();
    assert_eq!(names(&context.run(["list", "--json"]).json(), "active"), ["deep"]);
    fs::remove_dir_all(context.project().join(".claude/skills")).unwrap();
    symlink(context.user_root(), context.project().join(".claude/skills")).unwrap();
    assert_eq!(names(&context.run(["list", "--json"]).json(), "active"), ["deep"]);
}

#[cfg(unix)]
#[test]
fn an_agent_reads_the_skills_of_a_group_that_it_links() {
    let context = TestContext::new();
    add_skill(&context.user_root().join("pack"), "alpha", "Lies in a group.");
    fs::create_dir_all(context.home().join(".codex/skills")).unwrap();
    let link = context.home().join(".codex/skills/pack");
    std::os::unix::fs::symlink(context.user_root().join("pack"), &link).unwrap();
    let document = context.run(["list", "--agent", "codex", "--json"]).json();
    assert_eq!(names(&document, "active"), ["alpha"]);
    let aliases = &document["skills"][0]["aliases"];
    assert_eq!(aliases, &serde_json::json!(["[HOME]/.codex/skills/pack/alpha"]));
}

#[cfg(unix)]
#[test]
fn folders_inside_skills_do_not_use_up_the_walk() {
    let context = TestContext::new();
    let elsewhere = context.home().join("repo");
    for index in 0..300 {
        add_skill(&elsewhere, &format!("s{index}"), "One of many.");
        for below in 0..8 {
            fs::create_dir_all(elsewhere.join(format!("s{index}/{below}"))).unwrap();
        }
    }
    fs::create_dir_all(context.user_root()).unwrap();
    std::os::unix::fs::symlink(&elsewhere, context.user_root().join("repo")).unwrap();
    assert_eq!(names(&context.run(["list", "--json"]).json(), "active").len(), 300);
    assert_eq!(context.run(["load", "s99"]).code, 0);
}

#[cfg(unix)]
#[test]
fn the_same_skills_are_kept_on_every_run_when_there_are_too_many() {
    let context = TestContext::new();
    let elsewhere = context.home().join("data");
    for index in 0..2300 {
        add_skill(&elsewhere, &format!("s{index}"), "One of too many.");
    }
    fs::create_dir_all(context.project().join(".claude")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, context.project().join(".claude/skills")).unwrap();
    let first = context.run(["list", "--json"]);
    assert_eq!(names(&first.json(), "active").len(), 2000);
    for _ in 0..3 {
        assert!(context.run(["list", "--json"]).stdout == first.stdout);
    }
}

#[test]
fn many_roots_do_not_hide_the_persons_own_skills() {
    let context = TestContext::new();
    add_skill(&context.user_root(), "mine", "The person's own report.");
    let mut config = String::from("config:\n  customRoots:\n");
    for index in 0..300 {
        fs::create_dir_all(context.project().join(format!("many/r{index}"))).unwrap();
        config.push_str(&format!("    - many/r{index}\n"));
    }
    write(&context.project().join("skillflux.yaml"), config);
    let command =
        format!("ulimit -n 64; exec '{}' catalog --format lines mine", env!("CARGO_BIN_EXE_skillflux"));
    let output = std::process::Command::new("sh")
        .args(["-c", &command])
        .env_clear()
        .env("HOME", context.home())
        .current_dir(context.project())
        .output()
        .unwrap();
    let output = crate::context::Ran::new(&context, &output);
    assert!(output.stdout.contains("- mine: "), "{output:?}");
}
