//! What a person who waits for a search sees: a line a level, and at a terminal one that
//! changes each second.

use loadline_analysis::capacity::{Purpose, Unit};
use loadline_analysis::slo::Term;
use loadline_experiment::capacity::SearchProgress;
use loadline_experiment::capacity::SearchSettings;
use loadline_report::capacity as report;
use loadline_text::{Catalog, capacity, millis, significant};

/// Writes what happens.
pub(super) struct Progress<'a> {
    unit: Unit,
    terms: Vec<Term>,
    catalog: &'a Catalog,
    tty: bool,
    quiet: bool,
    level: f64,
    is_drawn: bool,
}

impl<'a> Progress<'a> {
    pub(super) fn new(
        settings: &SearchSettings,
        catalog: &'a Catalog,
        tty: bool,
        quiet: bool,
    ) -> Self {
        Self {
            unit: settings.unit,
            terms: settings.terms.clone(),
            catalog,
            tty,
            quiet,
            level: 0.0,
            is_drawn: false,
        }
    }

    /// What is to be written for something that happened.
    pub(super) fn hear(&mut self, event: &SearchProgress<'_>) -> String {
        if self.quiet {
            return String::new();
        }
        match event {
            SearchProgress::Begins(level) => {
                self.level = *level;
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
                let row = report::step_row(step, (self.unit, &self.terms), self.catalog);
                let why = match step.purpose {
                    Purpose::Soak | Purpose::Confirm | Purpose::Baseline => {
                        format!("  ({})", report::purpose(step.purpose, self.catalog))
                    }
                    _ => String::new(),
                };
                format!("{clear}{:>5.0} s  {row}{why}\n", step.began)
            }
        }
    }

    /// Replaces the line that changes.
    fn over(&mut self, line: &str) -> String {
        let clear = self.clear();
        self.is_drawn = true;
        format!("{clear}{line}")
    }

    fn clear(&mut self) -> String {
        if std::mem::take(&mut self.is_drawn) {
            "\r\x1b[2K".to_owned()
        } else {
            String::new()
        }
    }
}
