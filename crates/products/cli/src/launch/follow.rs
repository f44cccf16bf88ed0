//! Follows a run to its end: signals and keys in, the live view out.

use crossbeam_channel::{Receiver, after, never, select, tick};
use loadline_record::event_kind;
use loadline_report::document::printable;
use loadline_report::{accounting, verdict};
use loadline_session::{RunHandle, RunNote, RunResult, SessionEvent};
use loadline_text::{Catalog, Dialect, Exit, messages, percent, problem};
use loadline_units::ScenarioId;
use loadline_vu::StopCause;
use loadline_web::control::SteeringCommand;

use crate::context::Context;
use crate::live::{Live, REDRAW_INTERVAL};
use crate::refusal::Refusal;
use crate::remote::Remote;
use crate::signals::{self, GIVE_UP_TIMEOUT, StopSignal};
use crate::terminal::keys::{Key, Keyboard};

/// Load added or taken away by one key, in percent of the plan's.
const LOAD_STEP_PERCENT: u32 = 10;
/// Who changed the load: a key at the terminal.
const BY_KEY: &str = "key";
/// Who changed the load: a page.
const BY_PAGE: &str = "page";
/// The most load by keys.
const LOAD_PERCENT_MAX: u32 = 1000;

/// A run followed to its end.
pub(crate) struct Followed {
    /// Its result; `None` when it was given up after a second signal, or its thread
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
    /// Commands of pages, if the run is to be steered by any.
    pub(crate) remote: Remote,
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
        let remote = Remote::open(context);
        let remote = remote
            .map_err(|error| Refusal::other(problem::start_failed("control", error.to_string())))?;
        Ok(Self {
            signals,
            keyboard,
            remote,
        })
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
        tick(REDRAW_INTERVAL)
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
    following.show(Live::begin);
    let mut died = false;
    let outcome = loop {
        select! {
            recv(handle.events) -> event => match event {
                Ok(SessionEvent::Finished(outcome)) => break Some(outcome),
                Ok(event) => {
                    heard(&event);
                    following.show(|live| live.on_event(&event));
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
            recv(inputs.remote.commands()) -> command => {
                if let Ok(command) = command {
                    following.steer(command);
                }
            }
            recv(ticks) -> _ => following.show(Live::tick),
            recv(following.give_up) -> _ => break None,
        }
    };
    following.show(Live::clear);
    following.context.leave_screen(catalog);
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
    fn show(&mut self, draw: impl FnOnce(&mut Live) -> Vec<u8>) {
        if let Some(live) = &mut self.live {
            self.context.draw(&draw(live));
        }
    }

    fn show_message(&mut self, message: &loadline_text::Message) {
        // Told apart from the lines of a script's log.
        let text = format!("loadline: {}", self.catalog.text(message));
        self.show(|live| live.above(&text));
    }

    /// In good order the first time, at once the second.
    fn stop(&mut self, signal: StopSignal) {
        if self.signal.is_some() {
            self.give_up = after(GIVE_UP_TIMEOUT);
            return;
        }
        self.signal = Some(signal);
        self.handle.control.stop(StopCause::Signal);
        self.show_message(&messages::live_stopping());
    }

    fn press(&mut self, key: Key) {
        match key {
            Key::Pause => self.pause(!self.paused, BY_KEY),
            Key::More => self.scale(self.more(), BY_KEY),
            Key::Less => self.scale(self.less(), BY_KEY),
            Key::Stop => {
                if self.signal.is_none() {
                    self.stop(StopSignal::Interrupt);
                }
            }
            Key::Abort => {
                self.stop(StopSignal::Interrupt);
                self.give_up = after(GIVE_UP_TIMEOUT);
            }
            Key::Help => {
                if !self.live.as_mut().is_some_and(Live::help) {
                    self.show_message(&messages::live_help());
                }
            }
            Key::Language => {
                if let Some(live) = &mut self.live {
                    live.switch_language();
                }
            }
        }
    }

    fn steer(&mut self, command: SteeringCommand) {
        match command {
            SteeringCommand::Hold => self.pause(true, BY_PAGE),
            SteeringCommand::Resume => self.pause(false, BY_PAGE),
            SteeringCommand::More => self.scale(self.more(), BY_PAGE),
            SteeringCommand::Less => self.scale(self.less(), BY_PAGE),
            SteeringCommand::Stop => {
                self.note(event_kind::STOP, serde_json::json!({ "by": BY_PAGE }));
                self.press(Key::Stop);
            }
            SteeringCommand::Abort => {
                self.note(event_kind::STOP, serde_json::json!({ "by": BY_PAGE }));
                self.press(Key::Abort);
            }
            SteeringCommand::Annotate { text } => {
                let text = printable::line(&text);
                self.note(
                    event_kind::ANNOTATION,
                    serde_json::json!({ "by": BY_PAGE, "text": text }),
                );
            }
        }
    }

    fn more(&self) -> u32 {
        (self.load + LOAD_STEP_PERCENT).min(LOAD_PERCENT_MAX)
    }

    fn less(&self) -> u32 {
        self.load
            .saturating_sub(LOAD_STEP_PERCENT)
            .max(LOAD_STEP_PERCENT)
    }

    fn pause(&mut self, paused: bool, by: &'static str) {
        if self.paused == paused {
            return;
        }
        self.paused = paused;
        let change = if paused {
            self.handle.control.hold();
            "paused"
        } else {
            self.handle.control.resume();
            "resumed"
        };
        self.note_change(by, change, None);
        self.show(|live| live.pause(paused));
    }

    fn scale(&mut self, load: u32, by: &'static str) {
        self.load = load;
        let share = f64::from(load) / 100.0;
        let scenarios = self.handle.run_state.scenarios().len();
        for index in 0..u16::try_from(scenarios).unwrap_or(u16::MAX) {
            self.handle.control.scale(ScenarioId(index), share);
        }
        self.note_change(by, "scaled", Some(share));
        if let Some(live) = &mut self.live {
            live.scale(load);
        }
        self.show_message(&messages::live_scaled(percent(share)));
    }

    /// Keeps with the run what was changed in its load.
    fn note_change(&self, by: &'static str, change: &'static str, to: Option<f64>) {
        // A run that is over keeps nothing more.
        let _ = self
            .handle
            .notes
            .send(RunNote::load_changed(by, change, to));
    }

    /// Keeps with the run that something happened.
    fn note(&self, kind: &'static str, detail: serde_json::Value) {
        let _ = self.handle.notes.send(RunNote::SessionEvent(kind, detail));
    }
}
