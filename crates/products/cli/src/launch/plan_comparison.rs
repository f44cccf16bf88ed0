//! `run --plan FILE`: the load a test offers, compared with what was planned.
//!
//! Said twice: before load from the test's own scenarios (a script may set itself a
//! ceiling below the goal), after the run from what was sent (a script without think
//! time sends many times the plan).

use std::path::Path;
use std::time::Duration;

use loadline_report::plan as report;
use loadline_session::SessionEvent;
use loadline_sizing::{Deviation, OfferedLoad, PlanFile};
use loadline_testplan::{Executor, Plan};
use loadline_text::{Catalog, problem};

use crate::context::Context;
use crate::refusal::Refusal;

/// How finely a test's planned rate is looked at.
const RATE_SAMPLES: u32 = 1000;
/// Seconds over which the sent rate is averaged: a peak of one second is chance.
const PEAK_WINDOW_SECONDS: usize = 10;

/// A plan to compare with.
#[derive(Debug, Clone)]
pub(crate) struct PlanComparison {
    plan: PlanFile,
    /// The test's file name, without its folder.
    test: String,
}

impl PlanComparison {
    /// Reads the plan in `path` for a test.
    pub(crate) fn read(context: &Context, path: &str, test: &str) -> Result<Self, Refusal> {
        let text = context
            .read_text(path)
            .map_err(|error| Refusal::unread(path, &error))?;
        let plan = PlanFile::parse(&text)
            .map_err(|error| Refusal::config(problem::plan_file(path, error)))?;
        let name = Path::new(test).file_name().unwrap_or_default();
        Ok(Self {
            plan,
            test: name.to_string_lossy().into_owned(),
        })
    }

    /// The plan as it is kept with the run.
    pub(crate) fn kept(&self) -> serde_json::Value {
        serde_json::to_value(&self.plan).expect("it was read from JSON")
    }

    /// What is said before load.
    pub(crate) fn before(&self, plan: &Plan, catalog: &Catalog) -> Vec<String> {
        let deviation = self.plan.compare(&self.test, offered(plan));
        deviation.map_or_else(Vec::new, |deviation| report::before(&deviation, catalog))
    }

    /// What is said after it, of the rates that were seen.
    pub(crate) fn after(&self, sent: &SentRate, catalog: &Catalog) -> Option<String> {
        let own = self.plan.test(&self.test);
        let planned = own.map_or(self.plan.peak_rate, |test| test.peak_rate);
        let SentPeak { rate, seconds } = sent.peak()?;
        let deviation = Deviation::measured(planned, rate);
        (planned > 0.0).then(|| report::after(&deviation, seconds, catalog))
    }
}

/// The highest rate, and over how many seconds.
#[derive(Debug, PartialEq)]
struct SentPeak {
    rate: f64,
    seconds: usize,
}

/// Requests of each second of a run.
#[derive(Debug, Default)]
pub(crate) struct SentRate {
    seconds: Vec<f64>,
}

impl SentRate {
    pub(crate) fn on_event(&mut self, event: &SessionEvent) {
        if let SessionEvent::Second(second) = event {
            self.seconds.push(second.requests);
        }
    }

    /// The highest rate over ten seconds; over the whole run when it is shorter.
    fn peak(&self) -> Option<SentPeak> {
        // The first and the last second are rarely whole.
        let whole = match self.seconds.len() {
            0 => return None,
            1 | 2 => &self.seconds[..],
            n => &self.seconds[1..n - 1],
        };
        let width = PEAK_WINDOW_SECONDS.min(whole.len());
        let sums = whole.windows(width).map(|part| part.iter().sum::<f64>());
        Some(SentPeak {
            rate: sums.fold(0.0, f64::max) / width as f64,
            seconds: width,
        })
    }
}

/// What a test's scenarios offer at most.
pub(crate) fn offered(plan: &Plan) -> OfferedLoad {
    let end = plan.regular_end();
    let rate_at = |at: Duration| {
        let scenarios = plan.scenarios.iter();
        let rates = scenarios.filter_map(|scenario| {
            let since = at.checked_sub(scenario.start_time)?;
            Some(scenario.executor.arrivals()?.rate_at(since))
        });
        rates.sum::<f64>()
    };
    let looks = (0..=RATE_SAMPLES).map(|look| rate_at(end * look / RATE_SAMPLES));
    let closed = plan.scenarios.iter().filter(|scenario| {
        !matches!(
            scenario.executor,
            Executor::ConstantArrivalRate(_) | Executor::RampingArrivalRate(_)
        )
    });
    let most = closed.map(|scenario| {
        let needs = scenario.requirements();
        needs.iter().map(|need| need.planned).max().unwrap_or(0)
    });
    OfferedLoad {
        starts_per_second: looks.fold(0.0, f64::max),
        closed_users: most.sum::<u64>() as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sent_rate_is_that_of_the_busiest_ten_seconds() {
        let mut seconds = vec![0.0; 30];
        seconds[5..20].fill(7.0);
        seconds[22] = 60.0;
        let peak = |seconds: Vec<f64>| SentRate { seconds }.peak();
        let (rate, width) = (10.9, 10);
        let seconds_of = |rate: f64, seconds: usize| Some(SentPeak { rate, seconds });
        assert_eq!(peak(seconds), seconds_of(rate, width));
        assert_eq!(peak(vec![4.0, 8.0]), seconds_of(6.0, 2));
        // Seen: "in the busiest 10 s" of a run of six.
        assert_eq!(
            peak(vec![1.0, 90.0, 90.0, 90.0, 90.0, 90.0, 3.0]),
            seconds_of(90.0, 5)
        );
        assert_eq!(SentRate::default().peak(), None);
    }
}
