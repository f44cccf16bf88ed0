//! A study of settings on the whole screen of a terminal.
//!
//! A thread of its own draws it and takes the keys: while a target gets another setting, which may
//! take long, nobody else has the time. Texts are made when they are drawn, in the language that
//! is spoken then.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, select, tick};
use loadline_reactor::MonotonicClock;
use loadline_report::document::printable;
use loadline_report::tuning::{StudyReport, purpose};
use loadline_session::{RunHandle, SessionEvent};
use loadline_terminal::{ColorMode, LiveState, LiveView};
use loadline_text::{Catalog, screen};
use loadline_units::duration::go_string;
use loadline_units::{Clock, Time};

use super::REDRAW_INTERVAL;
use super::observed_run::ObservedRun;
use super::painter::Painter;
use crate::terminal::keys::{Key, Keyboard};

/// What a study may spend.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StudyBudget {
    pub(crate) most_trials: usize,
    pub(crate) most_time: Duration,
}

/// A study's screen; it ends when this is dropped.
pub(crate) struct StudyScreen {
    shown: Arc<Mutex<Shown>>,
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What is shown of a study.
struct Shown {
    report: StudyReport,
    budget: StudyBudget,
    /// Time that its trials took.
    spent: Duration,
    clock: MonotonicClock,
    /// When the trial under way began, to set the target.
    trial_began: Option<Time>,
    /// The load of the trial under way, with its run's clock; `None` while there is none.
    load: Option<(ObservedRun, MonotonicClock)>,
    is_stopping: bool,
    is_help: bool,
    catalog: Catalog,
}

impl StudyScreen {
    /// Takes the screen, if the keyboard gives keys; `stop` asks the study to stop.
    pub(crate) fn begin(
        report: StudyReport,
        budget: StudyBudget,
        has_colors: bool,
        catalog: &Catalog,
        stop: impl Fn() + Send + 'static,
    ) -> Option<Self> {
        let keyboard = Keyboard::of_stdin();
        if !keyboard.is_held {
            return None;
        }
        let shown = Arc::new(Mutex::new(Shown {
            report,
            budget,
            spent: Duration::ZERO,
            clock: MonotonicClock::start(),
            trial_began: None,
            load: None,
            is_stopping: false,
            is_help: false,
            catalog: Catalog::new(catalog.lang()),
        }));
        let (end, ends) = bounded(0);
        let thread = std::thread::Builder::new().name("screen".to_owned());
        let colors = ColorMode::new(has_colors);
        let of_thread = shown.clone();
        let thread = thread.spawn(move || show(&of_thread, &keyboard, colors, &ends, stop));
        // A study goes on without a screen.
        let thread = thread.ok()?;
        Some(Self {
            shown,
            end: Some(end),
            thread: Some(thread),
        })
    }

    /// A trial begins, or none is under way; `spent`: time that all before it took.
    pub(crate) fn study(&self, report: StudyReport, spent: Duration) {
        let mut shown = lock(&self.shown);
        let now = shown.clock.now();
        shown.trial_began = report.now.is_some().then_some(now);
        shown.report = report;
        shown.spent = spent;
        shown.load = None;
    }

    /// The load of the trial begins.
    pub(crate) fn load_begins(&self, handle: &RunHandle, has_warm_up: bool) {
        let mut shown = lock(&self.shown);
        let seen = ObservedRun::new(String::new(), handle.run_state.clone(), has_warm_up);
        shown.load = Some((seen, handle.clock));
    }

    /// Takes an event of the load in.
    pub(crate) fn on_event(&self, event: &SessionEvent) {
        let mut shown = lock(&self.shown);
        let Shown { load, catalog, .. } = &mut *shown;
        if let Some((load, _)) = load {
            load.on_event(event, catalog);
        }
    }

    /// The load is over.
    pub(crate) fn load_ends(&self) {
        lock(&self.shown).load = None;
    }
}

impl Drop for StudyScreen {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // Its panic was reported.
            let _ = thread.join();
        }
    }
}

fn lock(shown: &Mutex<Shown>) -> MutexGuard<'_, Shown> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Draws until the other end is dropped or the screen was given back.
fn show(
    shown: &Mutex<Shown>,
    keyboard: &Keyboard,
    colors: ColorMode,
    ends: &Receiver<()>,
    stop: impl Fn(),
) {
    let mut painter = Painter::new(colors);
    let ticks = tick(REDRAW_INTERVAL);
    loop {
        let mut now = lock(shown);
        let mut view = now.view();
        if !painter.draw(&mut view, &now.catalog) {
            return;
        }
        drop(now);
        select! {
            recv(ends) -> _ => return,
            recv(keyboard.keys()) -> key => match key {
                Ok(key) => lock(shown).press(key, &stop),
                // The terminal went away.
                Err(_) => return,
            },
            recv(ticks) -> _ => {}
        }
    }
}

impl Shown {
    fn press(&mut self, key: Key, stop: impl Fn()) {
        match key {
            Key::Stop => {
                self.is_stopping = true;
                stop();
            }
            Key::Abort => {
                self.is_stopping = true;
                // The first asks the load to stop, the second does not wait for it.
                stop();
                stop();
            }
            Key::Help => self.is_help = !self.is_help,
            Key::Language => {
                self.catalog = Catalog::new(self.catalog.lang().other());
                if let Some((load, _)) = &mut self.load {
                    load.limit_in(&self.catalog);
                }
            }
            // Nobody but the study changes its load.
            Key::Pause | Key::More | Key::Less => {}
        }
    }

    /// The view as it is now.
    fn view(&mut self) -> LiveView {
        let now = self.clock.now();
        let under_way = self.trial_began.map(|began| now.since(began));
        let under_way = under_way.unwrap_or_default();
        let mut view = match &mut self.load {
            Some((load, clock)) => {
                load.refresh(clock.now());
                load.view.clone()
            }
            None => LiveView {
                state: LiveState::Setting,
                elapsed: under_way,
                ..LiveView::new(String::new())
            },
        };
        if self.is_stopping {
            view.state = LiveState::Stopping;
        }
        view.title = printable::line(&self.report.name);
        view.stage = self.stage(self.spent + under_way);
        let trials = self.report.trial_lines(&self.catalog);
        view.trials = trials.iter().map(|line| printable::line(line)).collect();
        view.is_help = self.is_help;
        view
    }

    /// Goal, trial, best setting, answer and budget, a line each.
    fn stage(&self, elapsed: Duration) -> Vec<String> {
        let Self {
            report, catalog, ..
        } = self;
        let trial = match &report.now {
            Some(trial) => screen::study_trial(
                trial.number,
                catalog.text(&purpose(&trial.purpose)),
                report.setting_text(&trial.setting, catalog),
            ),
            None => screen::study_between(),
        };
        let mut lines = vec![
            catalog.text(&screen::study_goal(&report.goal)),
            catalog.text(&trial),
        ];
        if let Some((setting, result)) = report.best(catalog) {
            lines.push(catalog.text(&screen::study_best(setting, result)));
        }
        if !report.trials.is_empty() {
            let answer = report.verdict(catalog);
            lines.push(catalog.text(&screen::study_so_far(answer)));
        }
        lines.push(catalog.text(&self.spent_of_budget(elapsed)));
        lines.iter().map(|line| printable::line(line)).collect()
    }

    fn spent_of_budget(&self, elapsed: Duration) -> loadline_text::Message {
        let StudyBudget {
            most_trials,
            most_time,
        } = self.budget;
        let done = self.report.trials.len();
        let whole = |time: Duration| go_string(Duration::from_secs(time.as_secs()));
        let (spent, most) = (whole(elapsed), go_string(most_time));
        if done == 0 {
            return screen::study_budget_unknown(done, most_trials, spent, most);
        }
        let each = self.report.trial_seconds.clamp(0.0, 1e8);
        let trials_left = most_trials.saturating_sub(done) as f64;
        let left = Duration::from_secs_f64(each * trials_left);
        let left = left.min(most_time.saturating_sub(elapsed));
        screen::study_budget(done, most_trials, spent, most, whole(left))
    }
}
