//! A program together with those that it starts: they end together.
//!
//! `git` leaves the network to helpers of its own. Who kills git alone leaves them waiting for a server that
//! says nothing, so each git leads a process group, which is killed as a whole unless git has ended by itself.

use tokio::process::{Child, Command};

/// Kills the process group of a program when it is dropped.
#[derive(Debug)]
pub(super) struct Family {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

impl Family {
    /// Makes the program that will be started the head of a family.
    pub(super) fn found(command: &mut Command) {
        #[cfg(unix)]
        command.process_group(0);
        command.kill_on_drop(true);
    }

    /// The family of a program that was started after [`Self::found`].
    pub(super) fn of(child: &Child) -> Self {
        #[cfg(unix)]
        let leader = child.id().and_then(|id| rustix::process::Pid::from_raw(i32::try_from(id).ok()?));
        #[cfg(not(unix))]
        let _ = child;
        Self {
            #[cfg(unix)]
            leader,
        }
    }

    /// Lets the family be: its head has ended, and its number may soon be another's.
    pub(super) fn disband(&mut self) {
        #[cfg(unix)]
        {
            self.leader = None;
        }
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            // A family that has ended meanwhile cannot be killed, which is as good.
            let _ended = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
        }
    }
}
