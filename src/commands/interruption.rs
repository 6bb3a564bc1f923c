//! Ctrl-C, for commands that have something to tidy up.
//!
//! A thread waits for it from the start of the network to the end of the process, because the system's own way
//! of ending a process does not come back once a handler was there. Who waits for the network or for a lock
//! stops; work on files goes on to its end, which is milliseconds away.

use std::thread;

use anyhow::Context as _;
use tokio::sync::watch;

use crate::store;

/// Whether a person has interrupted.
#[derive(Debug, Clone)]
pub(super) struct Interruption(watch::Receiver<bool>);

impl Interruption {
    /// Waits for Ctrl-C from now on.
    pub(super) fn listen() -> anyhow::Result<Self> {
        let (sender, receiver) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("the runtime for signals cannot be started")?;
        thread::spawn(move || {
            runtime.block_on(async {
                while tokio::signal::ctrl_c().await.is_ok() {
                    store::interrupt();
                    sender.send_replace(true);
                }
            });
        });
        Ok(Self(receiver))
    }

    /// Ends when a person interrupts.
    pub(super) async fn come(&self) {
        let mut receiver = self.0.clone();
        if receiver.wait_for(|interrupted| *interrupted).await.is_err() {
            // Signals cannot be waited for here; then nobody interrupts.
            std::future::pending::<()>().await;
        }
    }
}
