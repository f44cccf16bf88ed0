//! What a person who waits for a search sees: a line a level, and at a terminal one that
//! changes each second.

use std::time::Duration;

use crossbeam_channel::Sender;
use loadline_analysis::capacity::{Purpose, Step, Unit};
use loadline_analysis::slo::Term;
use loadline_experiment::capacity::SearchProgress;
use loadline_experiment::capacity::SearchSettings;
use loadline_experiment::window::LoadWindow;
use loadline_report::capacity as report;
use loadline_text::{Catalog, Message, capacity, millis, screen, significant};
use loadline_units::duration::go_string;

use super::EXAMPLE_CAPACITY;
use crate::live::SearchScreen;
use crate::terminal::keys::{Key, Keyboard};

/// Goes back to the beginning of a line that changes, and clears it.
pub(super) const ERASE_LINE: &str = "\r\x1b[2K";

/// Writes what happens.
pub(super) struct Progress<'a> {
    unit: Unit,
    terms: Vec<Term>,
    /// Until it is known how long an iteration takes.
    forecast: Option<SearchSettings>,
    /// An iteration is one request: how far the budget reaches was said before the first.
    is_url: bool,
    catalog: &'a Catalog,
    tty: bool,
    quiet: bool,
    level: f64,
    is_drawn: bool,
    screen: Option<(SearchScreen, Keyboard)>,
    interrupt: Option<Sender<()>>,
}

impl<'a> Progress<'a> {
    pub(super) fn new(
        settings: &SearchSettings,
        is_url: bool,
        catalog: &'a Catalog,
        tty: bool,
        quiet: bool,
    ) -> Self {
        Self {
            unit: settings.unit,
            terms: settings.terms.clone(),
            forecast: Some(settings.clone()),
            is_url,
            catalog,
            tty,
            quiet,
            level: 0.0,
            is_drawn: false,
            screen: None,
            interrupt: None,
        }
    }

    /// Says nothing of how far the budget reaches: who asked for the search did.
    pub(super) fn without_forecast(&mut self) {
        self.forecast = None;
    }

    /// Shows the search on a whole screen, if there is one; its keys stop the search over
    /// `interrupt`.
    pub(super) fn on_screen(
        &mut self,
        screen: Option<(SearchScreen, Keyboard)>,
        interrupt: Sender<()>,
    ) {
        self.screen = screen;
        self.interrupt = Some(interrupt);
    }

    /// Draws the next picture of the whole screen, where there is one.
    pub(super) fn draw(&mut self) {
        let Some((screen, keyboard)) = &mut self.screen else {
            return;
        };
        for key in keyboard.keys().try_iter() {
            match key {
                Key::Stop | Key::Abort => {
                    screen.stop();
                    // A search that is over needs no stop.
                    let _ = self.interrupt.as_ref().map(|interrupt| interrupt.send(()));
                }
                Key::Help => screen.help(),
                Key::Language => screen.switch_language(),
                // Nobody but the search changes its load.
                Key::Pause | Key::More | Key::Less => {}
            }
        }
        screen.draw();
    }

    /// What the search is at, in the screen's language.
    fn stage(&self, in_flight: f64, catalog: &Catalog) -> Vec<String> {
        let in_flight = significant(in_flight);
        let level = if self.level > 0.0 {
            report::load(self.level, self.unit, catalog)
        } else {
            catalog.text(&capacity::draining())
        };
        let terms: Vec<String> = self.terms.iter().map(ToString::to_string).collect();
        vec![
            catalog.text(&screen::level(level, in_flight)),
            catalog.text(&capacity::before_slo(terms.join(", "))),
        ]
    }

    fn begin_level(&mut self) {
        let Some((screen, _)) = &self.screen else {
            return;
        };
        let stage = self.stage(0.0, screen.catalog());
        if let Some((screen, _)) = &mut self.screen {
            screen.begin_level(stage);
        }
    }

    fn see(&mut self, window: &LoadWindow) {
        let Some((screen, _)) = &self.screen else {
            return;
        };
        let stage = self.stage(window.in_flight, screen.catalog());
        let planned = (self.unit == Unit::Rate).then_some(self.level);
        if let Some((screen, _)) = &mut self.screen {
            screen.add(window, stage, planned);
        }
    }

    /// What is to be written for something that happened.
    pub(super) fn on_event(&mut self, event: &SearchProgress<'_>) -> String {
        if self.quiet {
            return String::new();
        }
        match event {
            SearchProgress::Begins(level) => {
                self.level = *level;
                self.begin_level();
                String::new()
            }
            SearchProgress::Window(window) if self.screen.is_some() => {
                self.see(window);
                String::new()
            }
            SearchProgress::Window(window) if self.tty => {
                let now = if self.level > 0.0 {
                    report::load(self.level, self.unit, self.catalog)
                } else {
                    self.catalog.text(&capacity::draining())
                };
                let p95 = window.durations.percentile(0.95).map(millis);
                let line = format!(
                    "{:>5.0} s  {now}: {}/s, p95 {}, {}",
                    window.end,
                    significant(window.ended),
                    p95.unwrap_or_else(|| "–".to_owned()),
                    self.catalog.text(&capacity::column_in_flight())
                        + " "
                        + &significant(window.in_flight),
                );
                self.over(&line)
            }
            SearchProgress::Window(_) => String::new(),
            SearchProgress::Ends(step) => {
                let clear = self.clear();
                let row = report::step_row(step, self.unit, &self.terms, self.catalog);
                let why = match step.purpose {
                    Purpose::Soak | Purpose::Confirm | Purpose::Baseline => {
                        format!("  ({})", report::purpose(step.purpose, self.catalog))
                    }
                    _ => String::new(),
                };
                let reach = self.reach(step).map_or_else(String::new, |reach| {
                    format!("{}\n", self.catalog.text(&reach))
                });
                format!("{clear}{:>5.0} s  {row}{why}\n{reach}", step.began)
            }
        }
    }

    /// How far the budget reaches, now that it is known how long an iteration takes; nothing where what was said before the
    /// first request stays true.
    fn reach(&mut self, step: &Step) -> Option<Message> {
        let iteration = step.iteration_ms? / 1_000.0;
        let settings = self.forecast.take()?;
        let example = EXAMPLE_CAPACITY.min(settings.highest);
        let reach = settings.reach(iteration);
        let time = |seconds: f64| {
            let length = go_string(Duration::from_secs_f64(seconds));
            self.catalog.length(&length)
        };
        let takes = if iteration < 1.0 {
            millis(iteration * 1_000.0)
        } else {
            time((iteration * 10.0).round() / 10.0)
        };
        let budget = time(settings.budget);
        let load = |load| report::load(load, settings.unit, self.catalog);
        if reach >= example {
            return (!self.is_url).then(|| capacity::reach_enough(takes, budget, load(example)));
        }
        let is_other = !self.is_url || reach < settings.reach(0.0);
        is_other.then(|| {
            let about = report::about(reach, settings.unit, self.catalog);
            let needed = time(settings.budget_for(example, iteration));
            capacity::reach(takes, budget, about, load(example), needed)
        })
    }

    /// Replaces the line that changes.
    fn over(&mut self, line: &str) -> String {
        let clear = self.clear();
        self.is_drawn = true;
        format!("{clear}{line}")
    }

    fn clear(&mut self) -> String {
        if std::mem::take(&mut self.is_drawn) {
            ERASE_LINE.to_owned()
        } else {
            String::new()
        }
    }
}
