//! The live view of a run: a whole screen or a few lines on a terminal, one plain line every
//! 10 s elsewhere.

mod lines;
mod observed_run;
mod painter;
mod search;
mod study;

use std::time::Duration;

use loadline_observe::SourceNotice;
use loadline_reactor::MonotonicClock;
use loadline_report::sources;
use loadline_session::{RunHandle, SessionEvent};
use loadline_terminal::ColorMode;
use loadline_text::{Catalog, grouped, messages, observe, records};
use loadline_units::{Clock, Time};

use crate::context::Context;
use crate::held;
use observed_run::ObservedRun;
use painter::Painter;
pub(crate) use search::SearchScreen;
pub(crate) use study::{StudyBudget, StudyScreen};

/// Redrawn this often on a terminal.
pub(crate) const REDRAW_INTERVAL: Duration = Duration::from_millis(200);
/// The time between two lines where there is no terminal.
const PLAIN_LINE_INTERVAL: Duration = Duration::from_secs(10);

/// How a run is shown on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LiveMode {
    /// The whole screen, where a person can press keys; lines elsewhere.
    #[default]
    Screen,
    /// A few lines that are drawn anew.
    Lines,
}

impl LiveMode {
    /// `screen` or `lines`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.trim().to_ascii_lowercase().as_str() {
            "screen" => Some(Self::Screen),
            "lines" => Some(Self::Lines),
            _ => None,
        }
    }
}

/// What a live view needs to know beforehand.
pub(crate) struct LiveConfig {
    /// What is tested.
    pub(crate) title: String,
    pub(crate) mode: LiveMode,
    pub(crate) has_colors: bool,
    /// The run speaks loadline's words, not k6's.
    pub(crate) own_words: bool,
    /// The run begins with a warm-up.
    pub(crate) is_warming: bool,
}

/// What is shown of a run under way.
pub(crate) struct Live {
    seen: ObservedRun,
    clock: MonotonicClock,
    catalog: Catalog,
    own_words: bool,
    shape: LiveShape,
}

/// How it is shown.
enum LiveShape {
    /// One line now and then; when the next one is due.
    Plain(Time),
    /// Lines that are drawn anew, and how many stand there.
    Lines(usize),
    /// The whole screen.
    Screen(Box<Painter>),
}

impl Live {
    /// A view of a run. `has_keys`: somebody can press keys.
    pub(crate) fn new(
        context: &Context,
        handle: &RunHandle,
        catalog: Catalog,
        config: LiveConfig,
        has_keys: bool,
    ) -> Self {
        let (run_state, clock) = (handle.run_state.clone(), handle.clock);
        let colors = ColorMode::new(config.has_colors);
        let shape = if !context.stderr_is_tty {
            LiveShape::Plain(clock.now() + PLAIN_LINE_INTERVAL)
        } else if config.mode == LiveMode::Screen && has_keys {
            LiveShape::Screen(Box::new(Painter::new(colors)))
        } else {
            LiveShape::Lines(0)
        };
        Self {
            seen: ObservedRun::new(config.title, run_state, config.is_warming),
            clock,
            catalog,
            own_words: config.own_words,
            shape,
        }
    }

    /// The first picture of a whole screen, before anything is said that would stand above it.
    pub(crate) fn begin(&mut self) -> Vec<u8> {
        match self.shape {
            LiveShape::Screen(_) => self.tick(),
            LiveShape::Plain(_) | LiveShape::Lines(_) => Vec::new(),
        }
    }

    /// Shows from now on whether the run is paused.
    pub(crate) fn pause(&mut self, paused: bool) -> Vec<u8> {
        self.seen.paused = paused;
        match self.shape {
            LiveShape::Plain(_) => lines::paused(&self.seen, &self.catalog).into_bytes(),
            LiveShape::Lines(_) | LiveShape::Screen(_) => self.tick(),
        }
    }

    /// Shows from now on that the load is so many percent of the plan's.
    pub(crate) fn scale(&mut self, percent: u32) {
        self.seen.view.load.percent = percent;
    }

    /// Explains the keys on the screen, or no longer; `false` where there is none.
    pub(crate) fn help(&mut self) -> bool {
        self.seen.view.is_help = !self.seen.view.is_help;
        matches!(self.shape, LiveShape::Screen(_))
    }

    /// Speaks the other language from now on.
    pub(crate) fn switch_language(&mut self) {
        self.catalog = Catalog::new(self.catalog.lang().other());
        self.seen.limit_in(&self.catalog);
    }

    /// Takes an event in; what is to be written for it.
    pub(crate) fn on_event(&mut self, event: &SessionEvent) -> Vec<u8> {
        self.seen.on_event(event, &self.catalog);
        let line = match event {
            SessionEvent::WarmedUp(warm_up) => {
                messages::live_warmed_up(lines::seconds(warm_up.duration))
            }
            // k6's runs say it in their log, in k6's words.
            SessionEvent::OutOfUsers {
                scenario, active, ..
            } if self.own_words => messages::live_out_of_users(scenario, active),
            SessionEvent::TooManySeries { series } if self.own_words => {
                records::too_many_series(grouped(*series as f64, 0))
            }
            SessionEvent::WorkerHeld(hold) if self.own_words => held::words(hold),
            SessionEvent::Waits => messages::live_waits(),
            SessionEvent::Output(notice) if self.own_words => {
                let notice = crate::output_notice::notice(notice, &self.catalog);
                return self.above(&notice);
            }
            SessionEvent::Source(notice) => return self.hear_source(notice),
            SessionEvent::WatchesOn { after } => observe::watches_on(after.as_secs()),
            _ => return Vec::new(),
        };
        self.above(&self.catalog.text(&line))
    }

    fn hear_source(&mut self, notice: &SourceNotice) -> Vec<u8> {
        let answers = notice.error.is_none();
        let before = self.seen.sources.insert(notice.name.clone(), answers);
        let text = match &notice.error {
            Some(error) => {
                let error = sources::error(error, &self.catalog);
                observe::signals_fails(&notice.name, error)
            }
            None if before.is_some() => observe::signals_recovered(&notice.name),
            None => return Vec::new(),
        };
        self.above(&self.catalog.text(&text))
    }

    /// A line of its own above the live lines, or in the screen's log.
    pub(crate) fn above(&mut self, line: &str) -> Vec<u8> {
        let line = format!("{line}\n");
        match self.shape {
            LiveShape::Screen(_) if Painter::keep(&line) => Vec::new(),
            _ => [self.clear(), line.into_bytes()].concat(),
        }
    }

    /// The next lines, if it is time for some. A whole screen is drawn here.
    pub(crate) fn tick(&mut self) -> Vec<u8> {
        self.seen.refresh(self.clock.now());
        match &mut self.shape {
            LiveShape::Plain(due) => {
                let now = self.clock.now();
                if now < *due {
                    return Vec::new();
                }
                *due = now + PLAIN_LINE_INTERVAL;
                lines::plain(&self.seen, &self.catalog).into_bytes()
            }
            LiveShape::Lines(drawn) => {
                let cleared = lines::clear(std::mem::take(drawn));
                let lines = lines::drawn(&self.seen, &self.catalog);
                *drawn = lines.len();
                format!("{cleared}{}\n", lines.join("\n")).into_bytes()
            }
            LiveShape::Screen(painter) => {
                if !painter.draw(&mut self.seen.view, &self.catalog) {
                    // A panic somewhere gave the screen back: its words stay in sight.
                    self.shape = LiveShape::Lines(0);
                }
                Vec::new()
            }
        }
    }

    /// Takes the live lines off the terminal. A screen is left by the context.
    pub(crate) fn clear(&mut self) -> Vec<u8> {
        match &mut self.shape {
            LiveShape::Lines(drawn) => lines::clear(std::mem::take(drawn)).into_bytes(),
            LiveShape::Plain(_) | LiveShape::Screen(_) => Vec::new(),
        }
    }
}
