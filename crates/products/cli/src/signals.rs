//! SIGINT and SIGTERM: the first stops the run in good order, the second ends it.

use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// How long what is still to be written may take after a second signal.
pub(crate) const GIVE_UP_TIMEOUT: Duration = Duration::from_millis(100);

/// A signal that asks to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopSignal {
    Interrupt,
    Terminate,
}

/// Signals that ask to stop, as they come.
///
/// # Errors
/// The kernel's, when handlers cannot be installed.
pub(crate) fn watch() -> std::io::Result<Receiver<StopSignal>> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let (sender, receiver) = unbounded();
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            for signal in signals.forever() {
                let signal = match signal {
                    SIGTERM => StopSignal::Terminate,
                    _ => StopSignal::Interrupt,
                };
                if sender.send(signal).is_err() {
                    return;
                }
            }
        })?;
    Ok(receiver)
}

/// Hears Ctrl-C and SIGTERM for a server.
///
/// Made before the server tells its address: a signal that comes before somebody waits for
/// it is kept, where it would otherwise end the process without a word.
pub(crate) struct EndOfService {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

impl EndOfService {
    /// Hears from now on. Needs a runtime.
    pub(crate) fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Until one of them has come.
    pub(crate) async fn asked(mut self) {
        self.next().await;
    }

    /// The next one that comes.
    pub(crate) async fn next(&mut self) -> StopSignal {
        tokio::select! {
            _ = self.interrupt.recv() => StopSignal::Interrupt,
            _ = self.terminate.recv() => StopSignal::Terminate,
        }
    }
}
