//! Follows a run to its end: signals and keys in, the live view out.

use crossbeam_channel::{Receiver, after, never, select, tick};
use loadline_report::{accounting, verdict};
use loadline_session::{RunHandle, RunNote, RunResult, SessionEvent};
use loadline_text::{Catalog, Dialect, Exit, messages, percent, problem};
use loadline_units::ScenarioId;
use loadline_vu::StopCause;

use super::problems::Refusal;
use crate::context::Context;
use crate::keys::{Key, Keyboard};
use crate::live::{Live, REDRAWN_EVERY};
use crate::signals::{self, LAST_WORDS, StopSignal};

/// Load added or taken away by one key, in percent of the plan's.
const LOAD_STEP: u32 = 10;
/// The most load by keys.
const MOST_LOAD: u32 = 1000;

/// A run followed to its end.
pub(crate) struct Followed {
    /// What it came to; `None` when it was given up after a second signal, or its thread
    /// died.
    pub(crate) outcome: Option<Box<RunResult>>,
    /// The signal that asked it to stop; a key counts as an interrupt.
    pub(crate) signal: Option<StopSignal>,
    /// The run's thread died.
    died: bool,
}

impl Followed {
    /// How a run without an outcome ended.
    pub(crate) fn exit_without_outcome(&self) -> Exit {
        if self.died {
            Exit::Panic
        } else {
            Exit::Interrupted
        }
    }

    /// The verdict on a run without an outcome.
    pub(crate) fn verdict_without_outcome(&self, dialect: Dialect, catalog: &Catalog) -> String {
        let code = self.exit_without_outcome().code(dialect);
        if self.died {
            verdict::of_lost(code, catalog)
        } else {
            verdict::of_aborted(code, catalog)
        }
    }
}

/// What the person at the terminal can do, for all runs of one command.
pub(crate) struct Inputs {
    /// Signals that ask to stop.
    pub(crate) signals: Receiver<StopSignal>,
    /// The terminal's keys, if it gives any.
    pub(crate) keyboard: Keyboard,
}

impl Inputs {
    /// Watches for signals, and for keys where a person may press them.
    ///
    /// # Errors
    /// When handlers cannot be installed.
    pub(crate) fn open(context: &Context, quiet: bool) -> Result<Self, Refusal> {
        let signals = signals::watch()
            .map_err(|error| Refusal::other(problem::start_failed("signals", error.to_string())))?;
        let keyboard = if context.is_interactive() && !quiet {
            Keyboard::of_stdin()
        } else {
            Keyboard::none()
        };
        Ok(Self { signals, keyboard })
    }
}

/// A run being followed.
struct Following<'a> {
    context: &'a mut Context,
    handle: &'a RunHandle,
    live: Option<Live>,
    catalog: &'a Catalog,
    signal: Option<StopSignal>,
    give_up: Receiver<std::time::Instant>,
    paused: bool,
    /// Load in percent of the plan's.
    load: u32,
}

/// Follows `handle` to its end, calling `heard` for each event. A first signal stops the
/// run in good order; after a second one it is given up unless it ends in a moment.
pub(crate) fn to_end(
    context: &mut Context,
    handle: &RunHandle,
    inputs: &Inputs,
    live: Option<Live>,
    catalog: &Catalog,
    mut heard: impl FnMut(&SessionEvent),
) -> Followed {
    let ticks = if live.is_some() {
        tick(REDRAWN_EVERY)
    } else {
        never()
    };
    let mut following = Following {
        context,
        handle,
        live,
        catalog,
        signal: None,
        give_up: never(),
        paused: false,
        load: 100,
    };
    let mut died = false;
    let outcome = loop {
        select! {
            recv(handle.events) -> event => match event {
                Ok(SessionEvent::Finished(outcome)) => break Some(outcome),
                Ok(event) => {
                    heard(&event);
                    following.show(|live| live.hear(&event));
                }
                Err(_) => {
                    died = true; // its panic is on stderr
                    break None;
                }
            },
            recv(inputs.signals) -> signal => following.stop(signal.unwrap_or(StopSignal::Interrupt)),
            recv(inputs.keyboard.keys()) -> key => {
                if let Ok(key) = key {
                    following.press(key);
                }
            }
            recv(ticks) -> _ => following.show(Live::tick),
            recv(following.give_up) -> _ => break None,
        }
    };
    following.show(Live::clear);
    let gaps = outcome.as_ref().map_or(&[][..], |outcome| &outcome.gaps);
    if let Some(text) = accounting::gaps(gaps, catalog) {
        following.context.err(&format!("{text}\n"));
    }
    Followed {
        outcome,
        signal: following.signal,
        died,
    }
}

impl Following<'_> {
    fn show(&mut self, draw: impl FnOnce(&mut Live) -> String) {
        if let Some(live) = &mut self.live {
            self.context.err(&draw(live));
        }
    }

    fn say(&mut self, message: &loadline_text::Message) {
        // Told apart from the lines of a script's log.
        let text = format!("loadline: {}", self.catalog.text(message));
        self.show(|live| live.above(&text));
    }

    /// In good order the first time, at once the second.
    fn stop(&mut self, signal: StopSignal) {
        if self.signal.is_some() {
            self.give_up = after(LAST_WORDS);
            return;
        }
        self.signal = Some(signal);
        self.handle.control.stop(StopCause::Signal);
        self.say(&messages::live_stopping());
    }

    fn press(&mut self, key: Key) {
        match key {
            Key::Pause => {
                self.paused = !self.paused;
                if self.paused {
                    self.handle.control.hold();
                } else {
                    self.handle.control.resume();
                }
                let change = if self.paused { "paused" } else { "resumed" };
                self.note_change(change, None);
                let paused = self.paused;
                self.show(|live| live.pause(paused));
            }
            Key::More => self.scale((self.load + LOAD_STEP).min(MOST_LOAD)),
            Key::Less => self.scale(self.load.saturating_sub(LOAD_STEP).max(LOAD_STEP)),
            Key::Stop => {
                if self.signal.is_none() {
                    self.stop(StopSignal::Interrupt);
                }
            }
            Key::Abort => {
                self.stop(StopSignal::Interrupt);
                self.give_up = after(LAST_WORDS);
            }
            Key::Help => self.say(&messages::live_help()),
        }
    }

    fn scale(&mut self, load: u32) {
        self.load = load;
        let share = f64::from(load) / 100.0;
        let scenarios = self.handle.run_state.scenarios().len();
        for index in 0..u16::try_from(scenarios).unwrap_or(u16::MAX) {
            self.handle.control.scale(ScenarioId(index), share);
        }
        self.note_change("scaled", Some(share));
        self.say(&messages::live_scaled(percent(share)));
    }

    /// Keeps with the run what a key changed in its load.
    fn note_change(&self, change: &'static str, to: Option<f64>) {
        // A run that is over keeps nothing more.
        let note = RunNote::load_changed("key", change, to);
        let _ = self.handle.notes.send(note);
    }
}
