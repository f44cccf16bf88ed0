//! SIGINT and SIGTERM: the first stops the run in good order, the second ends it.

use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// How long what is still to be written may take after a second signal.
pub(crate) const LAST_WORDS: Duration = Duration::from_millis(100);

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
