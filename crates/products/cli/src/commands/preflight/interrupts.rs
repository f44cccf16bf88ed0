//! Ctrl-C: the first ends what is being tried and tells what is known, the second ends the program.

use crossbeam_channel::{Receiver, bounded};
use loadline_text::{Dialect, Exit, problem};

use crate::refusal::Refusal;
use crate::signals;

/// A channel that nobody sends over: it is closed by the first signal, so that everything that
/// begins afterwards sees it, too.
pub(super) fn watch() -> Result<Receiver<()>, Refusal> {
    let failed = |error: std::io::Error| Refusal::other(problem::start_failed("signals", error));
    let signals = signals::watch().map_err(failed)?;
    let (open, closed) = bounded(0);
    std::thread::Builder::new()
        .name("interrupts".to_owned())
        .spawn(move || {
            let first = signals.recv();
            drop(open);
            if first.is_ok() && signals.recv().is_ok() {
                end_at_once();
            }
        })
        .map_err(failed)?;
    Ok(closed)
}

#[expect(
    clippy::exit,
    clippy::disallowed_methods,
    reason = "who asks twice waits for nothing more"
)]
fn end_at_once() -> ! {
    std::process::exit(i32::from(Exit::Interrupted.code(Dialect::Loadline)))
}
