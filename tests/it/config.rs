//! `config`, the layers of settings, and errors in them.

use std::fs;

use insta::assert_snapshot;

use crate::context::{TestContext, add_skill, write};

#[test]
fn every_key_with_its_origin() {
    let context = TestContext::new();
    write(
        &context.home().join("skillflux/config/config.yaml"),
        "# mine\nmaxActiveSkills: 5\nremoteMinStars: 3\n",
    );
    write(&context.project().join("skillflux.yaml"), "config:\n  minRouteScore: 9\n");
    let output = context
        .command()
        .env("SKILLFLUX_CATALOG_TOKEN_BUDGET", "500")
        .args(["config", "list"])
        .output()
        .unwrap();
    let stdout = context.filter(&String::from_utf8(output.stdout).unwrap());
    assert_snapshot!(stdout, @"
    maxActiveSkills               5                    `[HOME]/skillflux/config/config.yaml` line 2
    minRouteScore                 9                    `[PROJECT]/skillflux.yaml` line 2
    routerMode                    fulltext             default
    routes                        []                   default
    customRoots                   []                   default
    catalogDescriptionMaxLength   500                  default
    catalogTokenBudget            500                  environment variable `SKILLFLUX_CATALOG_TOKEN_BUDGET`
    maxSkillFiles                 1000                 default
    maxSkillBytes                 10485760             default
    approvalPolicy                always               default
    remoteDiscovery               on-demand            default
    remoteProviders               [skills.sh, github]  default
    remoteSearchLimit             5                    default
    remoteAutoMountLimit          3                    default
    remoteSearchTimeoutMs         30000                default
    remoteMinQualityScore         35                   default
    remoteMinStars                3                    `[HOME]/skillflux/config/config.yaml` line 3
    remoteRecentActivityDays      30                   default
    remoteTrustPolicy             community            default
    remoteTrustedOwners           []                   default
    remoteBlockedOwners           []                   default
    remoteCacheTtlMs              300000               default
    remoteCacheStaleIfErrorMs     86400000             default
    remoteCacheMaxEntries         100                  default
    remoteHealthFailureThreshold  3                    default
    remoteHealthCooldownMs        60000                default
    fetchTransport                auto                 default
    installTimeoutMs              300000               default
    cacheAutoPrune                true                 default
    cacheMaxEntries               100                  default
    cacheMaxTotalBytes            536870912            default
    cacheMaxIdleDays              90                   default
    embeddingProvider             ollama               default
    embeddingEndpoint             http://127.0.0.1:11434/api/embed default
    embeddingModel                embeddinggemma       default
    embeddingApiKeyEnv            SKILLFLUX_EMBEDDING_API_KEY default
    embeddingTimeoutMs            5000                 default
    embeddingCandidateLimit       128                  default
    embeddingCacheSize            512                  default
    minEmbeddingSimilarity        0.45                 default
    semanticBlend                 0                    default
    usageTracking                 true                 default
    usageMaxEntries               1000                 default
    adaptiveRouting               false                default
    adaptiveMaxBoost              6                    default
    adaptiveMinUses               2                    default
    adaptiveHalfLifeDays          30                   default
    mcpDiscovery                  automatic            default; no effect in this release, for MCP sources
    mcpTrustedServers             []                   default; no effect in this release, for MCP sources
    mcpBlockedServers             []                   default; no effect in this release, for MCP sources
    registryDiscovery             off                  default; no effect in this release, for registry indexes
    ");
    let stderr = context.filter(&String::from_utf8(output.stderr).unwrap());
    assert_snapshot!(stderr, @"");
}

#[test]
fn set_and_unset_keep_everything_else() {
    let context = TestContext::new();
    let file = write(
        &context.home().join("skillflux/config/config.yaml"),
        "# mine\nmaxActiveSkills: 5 # five\nminRouteScore: 9\n",
    );
    let ran = context.run(["config", "set", "maxActiveSkills", "4"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("maxActiveSkills 5 -> 4"), "{ran:?}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        text.contains("# mine\n")
            && text.contains("minRouteScore: 9\n")
            && text.contains("maxActiveSkills: 4")
    );
    assert_eq!(context.run(["config", "get", "maxActiveSkills"]).stdout, "4\n");
    assert_eq!(context.run(["config", "unset", "maxActiveSkills"]).code, 0);
    assert_eq!(context.run(["config", "get", "maxActiveSkills"]).stdout, "3\n");
}

#[test]
fn a_first_set_makes_the_file() {
    let context = TestContext::new();
    assert_eq!(context.run(["config", "set", "customRoots", "[~/skills]"]).code, 0);
    add_skill(&context.home().join("skills"), "mine", "A custom skill.");
    assert!(context.run(["list"]).stdout.contains("mine"));
    assert_eq!(context.run(["config", "path"]).stdout, "[HOME]/skillflux/config/config.yaml\n");
}

#[test]
fn mistakes_name_the_place_and_the_remedy() {
    let context = TestContext::new();
    let file = context.home().join("skillflux/config/config.yaml");
    let mut text = String::new();
    for content in [
        "maxActiveSkill: 5\n",
        "\n\nmaxActiveSkills: 0\n",
        "maxActiveSkills: [\n",
        "maxActiveSkills: 1\nmaxActiveSkills: 2\n",
        "catalogTokenBudget: 63\n",
        "remoteTrustPolicy: comunity\n",
    ] {
        write(&file, content);
        let ran = context.run(["list"]);
        assert_eq!(ran.code, 2, "{ran:?}");
        text.push_str(&format!("### {content:?}\n{}", ran.stderr));
    }
    assert_snapshot!(text, @r#"
    ### "maxActiveSkill: 5\n"
    error: unknown key `maxActiveSkill` (`[HOME]/skillflux/config/config.yaml` line 1)

    hint: did you mean `maxActiveSkills`? run `skillflux config schema` for every key
    ### "\n\nmaxActiveSkills: 0\n"
    error: `maxActiveSkills` (`[HOME]/skillflux/config/config.yaml` line 3) is `0`, allowed: a whole number from 1

    hint: correct it: skillflux config set maxActiveSkills VALUE
    ### "maxActiveSkills: [\n"
    error: `[HOME]/skillflux/config/config.yaml` line 1, column 18: unclosed bracket '['

    hint: correct the file by hand; every key stands alone on a line as `key: value`
    ### "maxActiveSkills: 1\nmaxActiveSkills: 2\n"
    error: `[HOME]/skillflux/config/config.yaml` line 2, column 1: the key `maxActiveSkills` stands here a second time

    hint: correct the file by hand; every key stands alone on a line as `key: value`
    ### "catalogTokenBudget: 63\n"
    error: `catalogTokenBudget` (`[HOME]/skillflux/config/config.yaml` line 1) is `63`, allowed: 0 or a whole number from 64 to 1000000

    hint: correct it: skillflux config set catalogTokenBudget VALUE
    ### "remoteTrustPolicy: comunity\n"
    error: `remoteTrustPolicy` (`[HOME]/skillflux/config/config.yaml` line 1) is `comunity`, allowed: one of `open`, `community`, `corroborated`, `trusted`

    hint: did you mean `community`? correct it: skillflux config set remoteTrustPolicy VALUE
    "#);
}

#[test]
fn a_key_of_a_later_feature_says_that_it_has_no_effect() {
    let context = TestContext::new();
    write(&context.home().join("skillflux/config/config.yaml"), "routerMode: lexical\nmcpDiscovery: off\n");
    let ran = context.run(["catalog", "summarize a report"]);
    assert_eq!(ran.code, 0);
    assert_snapshot!(ran.stderr, @"warning: no effect in this release: `mcpDiscovery` (`skillflux config list` says what they will steer)");
    assert_eq!(context.run(["-q", "catalog", "summarize a report"]).stderr, "");
}

#[test]
fn a_project_may_narrow_and_never_widen() {
    let context = TestContext::new();
    write(&context.project().join("skillflux.yaml"), "config:\n  remoteTrustPolicy: trusted\n");
    assert_eq!(context.run(["config", "get", "remoteTrustPolicy"]).stdout, "trusted\n");
    write(&context.project().join("skillflux.yaml"), "config:\n  remoteTrustPolicy: open\n");
    let ran = context.run(["list"]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert!(ran.stderr.contains("a project may narrow trust"), "{ran:?}");
    write(&context.project().join("skillflux.yaml"), "config:\n  customRoots: [../../etc]\n");
    assert_eq!(context.run(["list"]).code, 5);
}

#[test]
fn a_project_cannot_lift_limits_or_change_what_only_the_person_may() {
    let context = TestContext::new();
    let project = context.project().join("skillflux.yaml");
    write(&project, "config:\n  maxSkillFiles: 10\n  maxSkillBytes: 10485760\n");
    assert_eq!(context.run(["config", "get", "maxSkillFiles"]).stdout, "10\n");
    let mut text = String::new();
    for content in ["maxSkillFiles: 1001", "maxSkillBytes: 10485761", "cacheMaxEntries: 1"] {
        write(&project, format!("config:\n  {content}\n"));
        let ran = context.run(["list"]);
        assert_eq!(ran.code, 5, "{ran:?}");
        text.push_str(ran.stderr.lines().next().unwrap());
        text.push('\n');
    }
    assert_snapshot!(text, @"
    error: `maxSkillFiles` (`[PROJECT]/skillflux.yaml` line 2) is `1001`, which is wider than `1000`, the value without the project
    error: `maxSkillBytes` (`[PROJECT]/skillflux.yaml` line 2) is `10485761`, which is wider than `10485760`, the value without the project
    error: `cacheMaxEntries` (`[PROJECT]/skillflux.yaml` line 2) is `1`, and a project may not change it from `100`
    ");
    write(&context.home().join("skillflux/config/config.yaml"), "maxSkillFiles: 2000\n");
    write(&project, "config:\n  maxSkillFiles: 1500\n");
    assert_eq!(context.run(["config", "get", "maxSkillFiles"]).stdout, "1500\n");
}

#[test]
fn a_password_in_a_url_is_never_repeated() {
    let context = TestContext::new();
    for url in ["https://me:hunter2@host/", "https://me:hunter2/x@host/", "https://me:hunter2#x@host/"] {
        let ran = context.run(["config", "set", "embeddingEndpoint", url]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(!format!("{ran:?}").contains("hunter2"), "{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_text_is_named() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let context = TestContext::new();
    let home = OsStr::from_bytes(b"/x\xff");
    let output = context.command().env("SKILLFLUX_HOME", home).args(["config", "path"]).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("environment variable `SKILLFLUX_HOME` is not UTF-8 text"), "{stderr}");
    let output = context.command().env("OTHER", home).args(["config", "path"]).output().unwrap();
    assert!(output.status.success());
}

#[test]
#[cfg(unix)]
fn a_change_that_ends_in_an_error_changes_nothing() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let context = TestContext::new();
    let file = context.project().join("other.yaml");
    let mut command = context.command();
    command.args(["config", "set", "maxActiveSkills", "3", "--config"]).arg(&file);
    let status = command.env("SKILLFLUX_ROUTER_MODE", OsStr::from_bytes(b"\xff")).status().unwrap();
    assert_eq!(status.code(), Some(2));
    assert!(!file.exists());
    assert!(command.env_remove("SKILLFLUX_ROUTER_MODE").status().unwrap().success());
    assert_eq!(fs::read_to_string(file).unwrap(), "maxActiveSkills: 3\n");
}

#[test]
fn folders_are_relative_to_where_they_are_typed() {
    let context = TestContext::new();
    add_skill(&context.project().join("my/skills"), "mine", "A custom skill.");
    for value in ["[my/skills]", "./my/skills", "my/../my/skills"] {
        assert_eq!(context.run(["config", "set", "customRoots", value]).code, 0);
        assert!(context.run(["list", "--json"]).stdout.contains("\"mine\""), "{value}");
    }
    for wrong in ["[~]", "[a", "[1]"] {
        let ran = context.run(["config", "set", "customRoots", wrong]);
        assert_eq!(ran.code, 2, "{ran:?}");
    }
    let ran = context.run(["config", "set", "mcpDiscovery", "off"]);
    assert!(ran.stderr.contains("no effect in this release"), "{ran:?}");
}

#[test]
fn a_hint_names_the_place_that_is_wrong() {
    let context = TestContext::new();
    let hint =
        |ran: crate::context::Ran| ran.stderr.split("hint: ").nth(1).unwrap_or_default().trim().to_owned();
    assert_eq!(hint(context.run(["catalog", "--max", "0", "x"])), "correct the value of --max");
    let output = context.command().env("SKILLFLUX_MAX_ACTIVE_SKILLS", "x").arg("list").output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("unset SKILLFLUX_MAX_ACTIVE_SKILLS"));
    write(&context.project().join("skillflux.yaml"), "config:\n  maxActiveSkills: 0\n");
    assert_eq!(hint(context.run(["list"])), "correct line 2 of `[PROJECT]/skillflux.yaml`");
}

#[test]
fn config_alone_lists_and_skillflux_alone_helps() {
    let context = TestContext::new();
    assert_eq!(context.run(["config"]).stdout, context.run(["config", "list"]).stdout);
    let ran = context.run([""; 0]);
    assert!(ran.stdout.contains("Usage: skillflux") || ran.stderr.contains("Usage: skillflux"), "{ran:?}");
    let ran = context.run(["config", "set", "maxActiveSkills"]);
    assert!(ran.stderr.contains("skillflux help config set"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_projects_file_stays_in_the_project_and_another_mistake_is_told() {
    let context = TestContext::new();
    write(&context.home().join("private"), "config:\n  secret-word: abc\n");
    std::os::unix::fs::symlink(context.home().join("private"), context.project().join("skillflux.yaml"))
        .unwrap();
    let ran = context.run(["list"]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert!(
        !ran.stderr.contains("secret-word") && ran.stderr.contains("is a link out of the project"),
        "{ran:?}"
    );
    fs::remove_file(context.project().join("skillflux.yaml")).unwrap();
    write(&context.home().join("skillflux/config/config.yaml"), "maxActiveSkils: 3\n");
    let ran = context.run(["config", "set", "maxActiveSkills", "3"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.contains("unknown key `maxActiveSkils`"), "{ran:?}");
}
