//! Follows a run to its end: signals in, progress out.

use std::time::Duration;

use crossbeam_channel::{Receiver, after, never, select};
use loadline_session::{Event, Handle, Outcome};
use loadline_vu::StopCause;

use crate::signals::{LAST_WORDS, StopSignal};

/// Follows `handle` to its end. A first signal stops the run in good order; after a
/// second, `None` is returned as soon as the run has not ended within a moment.
pub(crate) fn to_end(
    handle: &Handle,
    signals: &Receiver<StopSignal>,
    mut show: impl FnMut(&Event),
) -> Option<Box<Outcome>> {
    let mut asked = false;
    let mut give_up = never();
    loop {
        select! {
            recv(handle.events) -> event => match event {
                Ok(Event::Finished(outcome)) => return Some(outcome),
                Ok(event) => show(&event),
                Err(_) => return None, // the run's thread died; its panic is on stderr
            },
            recv(signals) -> _ => {
                if asked {
                    give_up = after(LAST_WORDS);
                } else {
                    handle.control.stop(StopCause::Signal);
                    asked = true;
                }
            },
            recv(give_up) -> _ => return None,
        }
    }
}

/// The time between two progress lines where there is no terminal.
pub(crate) const PLAIN_EVERY: Duration = Duration::from_secs(10);
