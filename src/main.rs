//! The binary: answer a shell's request for completions, or run a command.

use std::process::ExitCode;

fn main() -> ExitCode {
    skillflux::commands::completions::answer_shell();
    skillflux::commands::run()
}
