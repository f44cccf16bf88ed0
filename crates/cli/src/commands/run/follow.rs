//! Follows a run to its end: signals in, the live view out.

use crossbeam_channel::{Receiver, after, never, select, tick};
use loadline_session::{Event, Handle, Outcome};
use loadline_text::messages;
use loadline_vu::StopCause;

use crate::context::Context;
use crate::live::{Live, REDRAWN_EVERY};
use crate::signals::{LAST_WORDS, StopSignal};

/// A run followed to its end.
pub(crate) struct Followed {
    /// What it came to; `None` when it was given up after a second signal, or its thread
    /// died.
    pub(crate) outcome: Option<Box<Outcome>>,
    /// The signal that asked it to stop.
    pub(crate) signal: Option<StopSignal>,
}

/// Follows `handle` to its end, calling `heard` for each event. A first signal stops the
/// run in good order; after a second one it is given up unless it ends in a moment.
pub(crate) fn to_end(
    context: &mut Context,
    handle: &Handle,
    signals: &Receiver<StopSignal>,
    mut live: Option<Live>,
    catalog: &loadline_text::Catalog,
    mut heard: impl FnMut(&Event),
) -> Followed {
    let mut signal = None;
    let mut give_up = never();
    let ticks = if live.is_some() {
        tick(REDRAWN_EVERY)
    } else {
        never()
    };
    let outcome = loop {
        select! {
            recv(handle.events) -> event => match event {
                Ok(Event::Finished(outcome)) => break Some(outcome),
                Ok(event) => {
                    heard(&event);
                    if let Some(live) = &mut live {
                        context.err(&live.hear(&event));
                    }
                }
                Err(_) => break None, // the run's thread died; its panic is on stderr
            },
            recv(signals) -> received => {
                if signal.is_some() {
                    give_up = after(LAST_WORDS);
                } else {
                    signal = received.ok();
                    handle.control.stop(StopCause::Signal);
                    if let Some(live) = &mut live {
                        let text = catalog.text(&messages::live_stopping());
                        context.err(&live.above(&text));
                    }
                }
            },
            recv(ticks) -> _ => {
                if let Some(live) = &mut live {
                    context.err(&live.tick());
                }
            },
            recv(give_up) -> _ => break None,
        }
    };
    if let Some(live) = &mut live {
        context.err(&live.clear());
    }
    Followed { outcome, signal }
}
