//! Completion scripts in real shells, where those are installed, and the candidates of the program.

use std::process::Command;

use crate::context::{TestContext, add_skill};

fn is_installed(shell: &str) -> bool {
    Command::new(shell).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Runs `script` in `shell` with the program on the path, unless the shell is not installed.
fn in_shell(context: &TestContext, shell: &str, arguments: &[&str], script: &str) -> Option<String> {
    if !is_installed(shell) {
        println!("skipped: {shell} is not installed");
        return None;
    }
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_skillflux")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output = Command::new(shell)
        .args(arguments)
        .arg(script)
        .env_clear()
        .env("HOME", context.home())
        .env("PATH", path)
        .current_dir(context.project())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && stderr.is_empty(), "{shell}: {stderr}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn bash_loads_the_static_script_and_completes_commands() {
    let context = TestContext::new();
    let script = "source <(skillflux completions bash); COMP_WORDS=(skillflux cat); COMP_CWORD=1; \
                  _skillflux skillflux cat skillflux; echo \"${COMPREPLY[@]}\"";
    if let Some(stdout) = in_shell(&context, "bash", &["-c"], script) {
        assert_eq!(stdout, "catalog\n");
    }
}

#[test]
fn bash_asks_the_program_for_skill_names() {
    let context = TestContext::new();
    add_skill(&context.user_root(), "pdf-tables", "Extract tables.");
    let script = "source <(skillflux completions bash --dynamic); COMP_WORDS=(skillflux load pdf); COMP_CWORD=2; \
                  COMP_TYPE=9; _clap_complete_skillflux skillflux pdf load; echo \"${COMPREPLY[@]}\"";
    // The lines that `--dynamic` prints are themselves a source of the program's own registration.
    if let Some(stdout) = in_shell(&context, "bash", &["-c"], script) {
        assert!(stdout.contains("pdf-tables"), "{stdout:?}");
    }
}

#[test]
fn fish_loads_the_script_and_asks_for_skill_names() {
    let context = TestContext::new();
    add_skill(&context.user_root(), "pdf-tables", "Extract tables.");
    let fixed = "skillflux completions fish | source; complete -C 'skillflux expl'";
    if let Some(stdout) = in_shell(&context, "fish", &["--no-config", "-c"], fixed) {
        assert!(stdout.starts_with("explain"), "{stdout:?}");
    }
    let dynamic = "skillflux completions fish --dynamic | source; complete -C 'skillflux load pdf'";
    if let Some(stdout) = in_shell(&context, "fish", &["--no-config", "-c"], dynamic) {
        assert!(stdout.contains("pdf-tables"), "{stdout:?}");
    }
}

#[test]
fn other_shells_load_the_script() {
    let context = TestContext::new();
    let zsh =
        "autoload -U compinit && compinit -u && source <(skillflux completions zsh) && whence -w _skillflux";
    if let Some(stdout) = in_shell(&context, "zsh", &["-f", "-c"], zsh) {
        assert_eq!(stdout, "_skillflux: function\n");
    }
    let powershell = "skillflux completions powershell | Out-String | Invoke-Expression; \
                      (TabExpansion2 'skillflux cat' 13).CompletionMatches[0].CompletionText";
    if let Some(stdout) = in_shell(&context, "pwsh", &["-NoProfile", "-Command"], powershell) {
        assert_eq!(stdout.trim(), "catalog");
    }
    in_shell(&context, "elvish", &["-norc", "-c"], "eval (skillflux completions elvish | slurp)");
    let nushell = "skillflux completions nushell | save --force s.nu; nu --no-config-file -c 'use s.nu *'";
    in_shell(&context, "nu", &["--no-config-file", "-c"], nushell);
}

#[test]
fn keys_and_commands_are_offered_and_paths_are_not_skills() {
    let context = TestContext::new();
    let offered = |words: &[&str]| {
        let output =
            context.command().env("COMPLETE", "fish").args(["--", "skillflux"]).args(words).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(offered(&["config", "set", "maxA"]).contains("maxActiveSkills"));
    assert!(offered(&["man", "cat"]).contains("catalog"));
    assert!(!offered(&["read", "using-skillflux", ""]).contains("summarize-report"));
    assert!(offered(&["read", "using"]).contains("using-skillflux"));
}

#[test]
fn candidates_are_slugs_and_hold_no_control_byte() {
    let context = TestContext::new();
    crate::context::write(
        &context.user_root().join("odd/SKILL.md"),
        "---\nname: \"a\\u001b[31m; rm -rf /\"\ndescription: Text \"\\u0007\" here\n---\n",
    );
    let output =
        context.command().env("COMPLETE", "fish").args(["--", "skillflux", "load", ""]).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("using-skillflux"), "{stdout:?}");
    assert!(stdout.chars().all(|character| matches!(character, '\n' | '\t') || !character.is_control()));
    assert!(!stdout.contains("rm -rf"), "{stdout:?}");
}

#[test]
fn manual_pages_exist_for_every_command() {
    let context = TestContext::new();
    for subcommand in skillflux::cli::command().get_subcommands() {
        let ran = context.run(["man", subcommand.get_name()]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.stdout.contains(".TH"), "{ran:?}");
        for below in subcommand.get_subcommands() {
            assert_eq!(context.run(["man", subcommand.get_name(), below.get_name()]).code, 0);
        }
    }
    assert_eq!(context.run(["man", "nothing"]).code, 2);
}
