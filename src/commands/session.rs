//! The name of what mounts and offers belong to.
//!
//! A person or harness names a session; without a name the calling terminal or process group is one, so that
//! commands typed into one terminal share their mounts.

use super::{context::Context, failure::MountFailure};
use crate::store::sessions::SessionName;

/// The variable that names a session.
pub(super) const VARIABLE: &str = "SKILLFLUX_SESSION";
/// The session of this run, and whether somebody named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Session {
    pub(super) name: SessionName,
    pub(super) is_named: bool,
}

impl Session {
    /// The session that the command line, else the environment names.
    pub(super) fn of(context: &Context, argument: Option<&str>) -> Result<Self, MountFailure> {
        let named = argument.or_else(|| context.environment.var(VARIABLE));
        let name = named.map_or_else(calling, str::to_owned);
        match SessionName::parse(&name) {
            Some(name) => Ok(Self { name, is_named: named.is_some() }),
            None => Err(MountFailure::BadSession { name }),
        }
    }
}

/// The terminal's session, by the number of the process that leads it: 0 in a container that was entered from
/// outside, which is why rustix, whose numbers are never 0, does not read it here.
#[cfg(unix)]
fn calling() -> String {
    match nix::unistd::getsid(None) {
        Ok(leader) => format!("terminal-{leader}"),
        Err(_) => format!("group-{}", nix::unistd::getpgrp()),
    }
}

#[cfg(not(unix))]
fn calling() -> String {
    "default".to_owned()
}
