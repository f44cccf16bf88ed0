//! What Artillery prints while a run goes on: phases as they begin, periods as they end.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use loadline_artillery::load::LoadedTest;
use loadline_record::Redactor;
use loadline_report::artillery::{PERIOD_MS, console};
use loadline_session::artillery::Periods;
use loadline_session::{PeriodSender, SessionEvent, published};

use crate::printer::Printer;
use crate::zone;

/// Periods are shown this long after their end, when all workers have reported them.
const PERIOD_DELAY_MS: i64 = 3000;

/// A phase as it is announced.
struct Announced {
    name: String,
    written: String,
    begins: Duration,
    ends: Duration,
}

pub(super) struct Progress {
    phases: Vec<Announced>,
    /// Lines about phases printed so far.
    printed: usize,
    /// When the scenarios began, ms since 1970.
    began: Option<i64>,
    /// The beginning of the last period shown.
    shown: i64,
    suppressed: Vec<String>,
    quiet: bool,
    printer: Arc<Printer>,
    redactor: Redactor,
    publisher: Option<PeriodSender>,
}

impl Progress {
    pub(super) fn new(
        test: &LoadedTest,
        quiet: bool,
        printer: Arc<Printer>,
        redactor: Redactor,
    ) -> Self {
        let mut at = Duration::ZERO;
        let phases = test.script.config.phases.iter().map(|phase| {
            let begins = at;
            at += phase.length;
            Announced {
                name: phase.name.clone().unwrap_or_else(|| "unnamed".to_owned()),
                written: written(&phase.written),
                begins,
                ends: at,
            }
        });
        Self {
            phases: phases.collect(),
            printed: 0,
            began: None,
            shown: 0,
            suppressed: test.script.config.suppressed.clone(),
            quiet,
            printer,
            redactor,
            publisher: None,
        }
    }

    /// Has each period published, too.
    pub(super) fn publish(&mut self, publisher: Option<PeriodSender>) {
        self.publisher = publisher;
    }

    /// Waits until all is published; what was not, and why.
    pub(super) fn published(&mut self) -> Vec<String> {
        let publisher = self.publisher.take();
        publisher.map_or_else(Vec::new, PeriodSender::finish)
    }

    /// Takes in an event of the run.
    pub(super) fn on_event(&mut self, event: &SessionEvent, periods: &Periods) {
        match event {
            SessionEvent::Begins(_) => {
                self.began = Some(periods.now());
                self.print_phases(periods.now());
            }
            SessionEvent::Second(_) => {
                self.print_phases(periods.now());
                self.print_periods(periods, periods.now() - PERIOD_DELAY_MS);
            }
            _ => {}
        }
    }

    /// Shows what is left at the end.
    pub(super) fn end(&mut self, periods: &Periods) {
        self.print_periods(periods, i64::MAX);
        if self.quiet {
            return;
        }
        let now = periods.now();
        let report = periods.report();
        let length = match report.aggregate.first_metric_at() {
            0 => 0,
            first => (now - first).max(0) / 1000,
        };
        let length = console::length(u64::try_from(length).unwrap_or(0));
        self.printer
            .print_own(format!("All VUs finished. Total time: {length}\n\n"));
        let summary = console::summary(&report.aggregate, &time(now), &self.suppressed);
        self.printer.print_own(self.redactor.text(&summary));
    }

    fn print_phases(&mut self, now: i64) {
        let Some(began) = self.began else { return };
        if self.quiet {
            return;
        }
        let passed = Duration::from_millis(u64::try_from(now - began).unwrap_or(0));
        // Line 2n tells of a phase's beginning, line 2n + 1 of its end.
        while let Some(phase) = self.phases.get(self.printed / 2) {
            let (what, at) = if self.printed.is_multiple_of(2) {
                ("started", phase.begins)
            } else {
                ("completed", phase.ends)
            };
            if at > passed {
                return;
            }
            let line = format!(
                "Phase {what}: {} (index: {}, duration: {}) {}\n\n",
                phase.name,
                self.printed / 2,
                phase.written,
                time(now)
            );
            self.printer.print_own(line);
            self.printed += 1;
        }
    }

    fn print_periods(&mut self, periods: &Periods, until: i64) {
        for period in periods.between(self.shown, until) {
            self.shown = period.begins;
            if let Some(publisher) = &self.publisher {
                publisher.publish(published::values_of(&period, &self.redactor));
            }
            if !self.quiet {
                let ends = time(period.begins + PERIOD_MS);
                let shown = console::period(&period, &ends, &self.suppressed);
                self.printer.print_own(self.redactor.text(&shown));
            }
        }
    }
}

/// A phase's length as upstream writes it: whole numbers are seconds.
fn written(text: &str) -> String {
    let is_whole = text
        .trim()
        .parse::<f64>()
        .is_ok_and(|number| number.fract() == 0.0);
    if is_whole {
        format!("{text}s")
    } else {
        text.to_owned()
    }
}

/// `HH:mm:ss(+0900)`
fn time(millis: i64) -> String {
    let instant = Timestamp::from_millisecond(millis).unwrap_or_default();
    let zoned = instant.to_zoned(zone::local());
    zoned.strftime("%H:%M:%S(%z)").to_string()
}
