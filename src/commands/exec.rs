//! `exec`: a command that runs while the store keeps the skills that it needs.
//!
//! Where the system can, this process becomes the command, with the locks of the leases in its hands: they end
//! when the last process does that has them, whatever ends it, and no signal and no exit code passes through
//! other hands.

use std::process::{Command, ExitCode};

use anyhow::Context as _;

use super::{
    approval::Approver,
    cache,
    context::Context,
    install::Installer,
    mount::Mounter,
    online::Online,
    session::{self, Session},
};
use crate::{
    cli::{ExecArgs, GlobalArgs},
    output::Output,
    store::Entry,
};

/// The variable that tells the command where its skills are.
const MOUNTS_VARIABLE: &str = "SKILLFLUX_MOUNTS";

/// Mounts what was asked for, then runs the command. Nothing is run when a mount fails.
pub(super) fn run(args: &ExecArgs, global: &GlobalArgs, output: Output) -> anyhow::Result<ExitCode> {
    let context = Context::load(global, output, &[])?;
    let session = Session::of(&context, args.consent.session.as_deref())?;
    let (online, store) = (Online::new(&context, global)?, context.store());
    let yes = args.consent.yes;
    let approver = Approver {
        context: &context,
        online: &online,
        store: &store,
        session: &session,
        yes,
        command: "mount",
        output,
    };
    let mounter = Mounter {
        installer: Installer {
            context: &context,
            online: &online,
            store: &store,
            approver,
            allow: std::collections::BTreeSet::new(),
            allow_unreachable: false,
            output,
        },
        global,
        store: &store,
        session: &session,
        to: None,
        ttl: None,
    };
    let mut held = Vec::new();
    if !args.mount.is_empty() {
        let mut discovery = context.discover(true);
        for reference in &args.mount {
            let (mount, entry) = mounter.mount(&mut discovery, reference)?;
            if !mount.stored_before && mount.pin.is_some() {
                cache::prune_after_install(&context, &store, output);
            }
            held.extend(entry);
        }
    }
    let (program, arguments) = args.command.split_first().expect("the command line has one");
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env(session::VARIABLE, session.name.as_str())
        .env(MOUNTS_VARIABLE, store.mounts_folder(&session.name));
    let what = || format!("`{}` cannot be run", program.to_string_lossy());
    become_or_run(command, &held).with_context(what)
}

/// Becomes the command, which keeps the leases.
#[cfg(unix)]
fn become_or_run(mut command: Command, held: &[Entry]) -> anyhow::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    held.iter().try_for_each(Entry::hand_over)?;
    Err(command.exec().into())
}

/// Runs the command and waits for it, with the leases.
#[cfg(not(unix))]
fn become_or_run(mut command: Command, held: &[Entry]) -> anyhow::Result<ExitCode> {
    let status = command.status()?;
    let _held_until_now = held;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
