//! The live view: one screen on a terminal, one plain line every 10 s elsewhere.

mod screen;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use loadline_observe::SourceNotice;
use loadline_reactor::MonotonicClock;
use loadline_report::{explanation, sources};
use loadline_session::{Second, SessionEvent};
use screen::Curve;

use loadline_text::{
    Catalog, Message, grouped, messages, millis, observe, percent, records, significant,
};
use loadline_units::{Clock, Time};
use loadline_vu::{LifecycleStage, RunState};

/// Redrawn this often on a terminal.
pub(crate) const REDRAWN_EVERY: Duration = Duration::from_millis(200);
/// The time between two lines where there is no terminal.
const PLAIN_EVERY: Duration = Duration::from_secs(10);
/// Width of a progress bar.
const BAR: usize = 24;

/// What is shown of a run under way.
pub(crate) struct Live {
    run_state: Arc<RunState>,
    clock: MonotonicClock,
    catalog: Catalog,
    tty: bool,
    /// The run speaks loadline's words, not k6's.
    own_words: bool,
    state: State,
    last: Option<Box<Second>>,
    /// Requests a second, and their p95.
    rate: Curve,
    p95: Curve,
    /// Lines on the screen that the next redraw replaces.
    drawn: usize,
    plain_at: Time,
    /// What is measured does not count yet.
    warming: bool,
    paused: bool,
    /// Whether each source of signals answers.
    sources: BTreeMap<String, bool>,
    /// What limits the run as far as its last seconds tell.
    so_far: Option<String>,
}

enum State {
    Making { made: u64, planned: u64 },
    Stage(LifecycleStage),
    Running,
}

impl Live {
    pub(crate) fn new(
        run_state: Arc<RunState>,
        clock: MonotonicClock,
        catalog: Catalog,
        tty: bool,
        own_words: bool,
    ) -> Self {
        Self {
            run_state,
            clock,
            catalog,
            tty,
            own_words,
            state: State::Making {
                made: 0,
                planned: 0,
            },
            last: None,
            rate: Curve::default(),
            p95: Curve::default(),
            drawn: 0,
            plain_at: clock.now() + PLAIN_EVERY,
            warming: false,
            paused: false,
            sources: BTreeMap::new(),
            so_far: None,
        }
    }

    /// The same for a run that begins with a warm-up.
    pub(crate) fn warming(mut self, warming: bool) -> Self {
        self.warming = warming;
        self
    }

    /// Shows from now on whether the run is paused.
    pub(crate) fn pause(&mut self, paused: bool) -> String {
        self.paused = paused;
        self.redraw()
    }

    /// Takes an event in; what is to be written for it.
    pub(crate) fn hear(&mut self, event: &SessionEvent) -> String {
        match event {
            SessionEvent::UsersMade { made, planned } => {
                self.state = State::Making {
                    made: *made,
                    planned: *planned,
                };
                String::new()
            }
            SessionEvent::StageBegins(stage) => {
                self.state = State::Stage(*stage);
                String::new()
            }
            SessionEvent::Begins(_) => {
                self.state = State::Running;
                String::new()
            }
            SessionEvent::Second(second) => {
                self.rate.add(second.requests);
                self.p95
                    .add(second.durations.percentile(0.95).unwrap_or(0.0));
                self.last = Some(second.clone());
                String::new()
            }
            SessionEvent::WarmedUp(warm_up) => {
                self.warming = false;
                let text = messages::live_warmed_up(seconds(warm_up.duration));
                self.above(&self.catalog.text(&text))
            }
            // k6's runs say it in their log, in k6's words.
            SessionEvent::OutOfUsers {
                scenario, active, ..
            } if self.own_words => {
                let text = messages::live_out_of_users(scenario, active);
                self.above(&self.catalog.text(&text))
            }
            SessionEvent::TooManySeries { series } if self.own_words => {
                let text = records::too_many_series(grouped(*series as f64, 0));
                self.above(&self.catalog.text(&text))
            }
            SessionEvent::Waits => self.above(&self.catalog.text(&messages::live_waits())),
            SessionEvent::Output(notice) if self.own_words => {
                self.above(&crate::output_notice::notice(notice, &self.catalog))
            }
            SessionEvent::Source(notice) => self.hear_source(notice),
            SessionEvent::Explained(so_far) => {
                self.so_far = explanation::so_far(so_far, &self.catalog);
                String::new()
            }
            _ => String::new(),
        }
    }

    fn hear_source(&mut self, notice: &SourceNotice) -> String {
        let answers = notice.error.is_none();
        let before = self.sources.insert(notice.name.clone(), answers);
        let text = match &notice.error {
            Some(error) => {
                let error = sources::error(error, &self.catalog);
                observe::signals_fails(&notice.name, error)
            }
            None if before.is_some() => observe::signals_recovered(&notice.name),
            None => return String::new(),
        };
        self.above(&self.catalog.text(&text))
    }

    /// How many sources answer; `None` where none is asked.
    fn source_count(&self) -> Option<String> {
        let answering = self.sources.values().filter(|answers| **answers).count();
        let text = observe::signals_live(answering, self.sources.len());
        (!self.sources.is_empty()).then(|| self.catalog.text(&text))
    }

    /// A line of its own above the live lines.
    pub(crate) fn above(&mut self, line: &str) -> String {
        let cleared = self.clear();
        format!("{cleared}{line}\n")
    }

    /// The next picture, if it is time for one.
    pub(crate) fn tick(&mut self) -> String {
        if self.tty {
            return self.redraw();
        }
        let now = self.clock.now();
        if now < self.plain_at {
            return String::new();
        }
        self.plain_at = now + PLAIN_EVERY;
        let mut line = self.headline();
        if self.warming {
            line = format!("{line}; {}", self.catalog.text(&messages::live_warming()));
        }
        let parts = [self.second(), self.source_count(), self.so_far.clone()];
        for part in parts.into_iter().flatten() {
            line = format!("{line}; {part}");
        }
        line.push('\n');
        line
    }

    /// Takes the live lines off the screen.
    pub(crate) fn clear(&mut self) -> String {
        let drawn = std::mem::take(&mut self.drawn);
        if drawn == 0 {
            return String::new();
        }
        format!("\x1b[{drawn}A\x1b[J")
    }

    fn redraw(&mut self) -> String {
        let mut lines = vec![self.headline()];
        if matches!(self.state, State::Running) {
            lines.extend(self.bars());
            lines.extend(self.second());
            lines.extend(self.curves());
            lines.extend(self.source_count());
            lines.extend(self.so_far.clone());
            let states = [
                (self.warming, messages::live_warming()),
                (self.paused, messages::live_paused()),
            ];
            let holding = states.iter().filter(|(holds, _)| *holds);
            lines.extend(holding.map(|(_, state)| self.catalog.text(state)));
        }
        let cleared = self.clear();
        // A line that the terminal breaks, or one that scrolled away, could not be taken back.
        let size = screen::size();
        lines.truncate(size.rows.saturating_sub(1).max(1));
        let lines: Vec<String> = lines
            .iter()
            .map(|line| screen::cut(line, size.columns))
            .collect();
        self.drawn = lines.len();
        format!("{cleared}{}\n", lines.join("\n"))
    }

    fn headline(&self) -> String {
        let message = match &self.state {
            State::Making { made, planned } => messages::live_users(made, planned),
            State::Stage(LifecycleStage::Setup) => messages::live_setup(),
            State::Stage(_) => messages::live_teardown(),
            State::Running => {
                let load = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
                let run_state = &self.run_state;
                let began = run_state.started().unwrap_or_else(|| self.clock.now());
                let dropped: u64 = run_state.scenarios().iter().map(|s| load(&s.dropped)).sum();
                messages::live_running(
                    seconds(self.clock.now().since(began)),
                    load(&run_state.users_active),
                    load(&run_state.users),
                    load(&run_state.complete),
                    load(&run_state.interrupted),
                    dropped,
                )
            }
        };
        self.catalog.text(&message)
    }

    fn bars(&self) -> Vec<String> {
        let now = self.clock.now();
        let bar = |share: f64| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a share from 0 to 1"
            )]
            let full = (share * BAR as f64).round() as usize;
            format!("[{}{}]", "=".repeat(full), "-".repeat(BAR - full.min(BAR)))
        };
        let scenarios = self.run_state.scenarios().iter();
        scenarios
            .map(|scenario| {
                let share = if scenario.is_finished() {
                    1.0
                } else {
                    scenario.progress(now)
                };
                let users = scenario.users.load(Ordering::Relaxed);
                let text = messages::live_scenario(&scenario.info().name, percent(share), users);
                format!("{} {}", bar(share), self.catalog.text(&text))
            })
            .collect()
    }

    /// The last seconds as curves, each with its highest value.
    fn curves(&self) -> Vec<String> {
        let row = |curve: &Curve, message: &dyn Fn(String, String) -> Message, most: String| {
            let drawn = curve.drawn()?;
            Some(self.catalog.text(&message(drawn, most)))
        };
        let rate = row(
            &self.rate,
            &|a, b| messages::live_rate_curve(a, b),
            significant(self.rate.most()),
        );
        let p95 = row(
            &self.p95,
            &|a, b| messages::live_p95_curve(a, b),
            millis(self.p95.most()),
        );
        [rate, p95].into_iter().flatten().collect()
    }

    fn second(&self) -> Option<String> {
        let second = self.last.as_ref()?;
        let quantile = |share| {
            second
                .durations
                .percentile(share)
                .map_or("–".to_owned(), millis)
        };
        let errors = if second.requests > 0.0 {
            second.failed as f64 / second.requests
        } else {
            0.0
        };
        let text = messages::live_second(
            significant(second.requests),
            quantile(0.5),
            quantile(0.95),
            percent(errors),
        );
        Some(self.catalog.text(&text))
    }
}

/// `12.3s`
fn seconds(length: Duration) -> String {
    format!("{:.1}s", length.as_secs_f64())
}
