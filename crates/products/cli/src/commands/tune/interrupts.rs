//! What ends a study before its time: signals, and keys of its screen.

use crossbeam_channel::{Receiver, Sender};
use loadline_text::problem;

use crate::refusal::Refusal;
use crate::signals;

/// Messages that ask to stop: one line of them for hooks, one for runs.
pub(super) type Interrupts = (std::sync::mpsc::Receiver<()>, Receiver<()>, Stopper);

/// Asks a study to stop, as a signal does.
#[derive(Clone)]
pub(super) struct Stopper {
    hooks: std::sync::mpsc::Sender<()>,
    runs: Sender<()>,
}

impl Stopper {
    /// A receiver that is gone needs no stopping.
    pub(super) fn stop(&self) {
        let _ = self.hooks.send(());
        let _ = self.runs.send(());
    }
}

/// Watches for signals.
pub(super) fn watch() -> Result<Interrupts, Refusal> {
    let failed =
        |error: std::io::Error| Refusal::other(problem::start_failed("signals", error.to_string()));
    let signals = signals::watch().map_err(failed)?;
    let (to_hooks, hooks) = std::sync::mpsc::channel();
    let (to_runs, runs) = crossbeam_channel::unbounded();
    let stopper = Stopper {
        hooks: to_hooks,
        runs: to_runs,
    };
    let of_signals = stopper.clone();
    std::thread::Builder::new()
        .name("interrupts".to_owned())
        .spawn(move || {
            for _ in signals {
                of_signals.stop();
            }
        })
        .map_err(failed)?;
    Ok((hooks, runs, stopper))
}
