//! Builds a test from an Artillery file: plan, users and periods.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use loadline_artillery::ensure;
use loadline_artillery::load;
use loadline_artillery::model::Ensure;
use loadline_artillery::record::{ArtilleryMetrics, NAME_TAG};
use loadline_artillery::{
    ArtilleryFactory, Console, FactoryError, NamedExchangeCallback, UserEnvironment, phases, random,
};
use loadline_metrics::threshold::Thresholds;
use loadline_metrics::{Merger, MetricValue, Registry, SeriesValue, Submetrics, Window, builtin};
use loadline_report::artillery::{Collector, Gain, Period, Report};
use loadline_testplan::{Plan, PlanError};

use crate::follow::RunObserver;
use crate::limits::script_memory;
use crate::network::{self, NetworkError};
use crate::outcome::GoalJudge;
use crate::test::Test;

/// The inputs of an Artillery run.
pub struct ArtilleryRequest {
    /// The loaded test.
    pub test: load::LoadedTest,
    /// The only scenario to run.
    pub only: Option<String>,
    /// The process's environment.
    pub environment: BTreeMap<String, String>,
    /// Where its lines go.
    pub console: Arc<dyn Console>,
    /// The time of day.
    pub wall_clock: fn() -> SystemTime,
    /// Runs each scenario once and calls this for every exchange.
    pub watch: Option<NamedExchangeCallback>,
}

/// How long one iteration of each scenario may take in all.
const ONCE_AT_MOST: Duration = Duration::from_secs(600);

/// An Artillery test that is ready to run.
pub struct ArtilleryTest {
    /// The test.
    pub test: Test,
    /// Its factory, which knows whether an expectation failed.
    pub factory: Arc<ArtilleryFactory>,
    /// Its metrics by period.
    pub periods: Arc<Periods>,
}

/// Why an Artillery test cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ArtilleryError {
    /// Its users cannot be made.
    #[error(transparent)]
    Factory(#[from] FactoryError),
    /// The network settings cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// Its phases cannot be planned.
    #[error("the phases cannot be planned: {0:?}")]
    Plan(Vec<PlanError>),
}

/// Builds a test from a loaded file.
///
/// # Errors
/// [`ArtilleryError`]; nothing was sent.
pub fn prepare(request: ArtilleryRequest) -> Result<ArtilleryTest, ArtilleryError> {
    let config = &request.test.script.config;
    let network = network::of_artillery(&request.environment, config)?;
    let is_disabled = request.environment.contains_key("ARTILLERY_DISABLE_ENSURE");
    let ensure = config.ensure.clone().filter(|_| !is_disabled);
    let random = random::from_system();
    let draft = phases::plan(&config.phases, request.test.strict_compat, &random);
    let mut plan = Plan::check(draft).map_err(ArtilleryError::Plan)?;
    if request.watch.is_some() {
        let scenarios = match request.only {
            Some(_) => 1,
            None => request.test.script.scenarios.len(),
        };
        plan = plan.once_each(scenarios as u64, ONCE_AT_MOST);
    }
    let registry = Arc::new(Registry::new());
    let factory = Arc::new(ArtilleryFactory::new(
        request.test,
        request.only.as_deref(),
        network,
        &registry,
        UserEnvironment {
            console: request.console,
            watch: request.watch,
            memory_limit: script_memory(),
        },
        request.wall_clock,
    )?);
    let periods = Arc::new(Periods::new(factory.metrics(), request.wall_clock));
    let mut test = Test::compiled(
        plan,
        factory.clone(),
        registry,
        Thresholds::default(),
        Submetrics::default(),
    );
    test.follower = Some(periods.clone());
    test.goals = Some(Arc::new(Goals {
        factory: factory.clone(),
        periods: periods.clone(),
        ensure,
    }));
    Ok(ArtilleryTest {
        test,
        factory,
        periods,
    })
}

/// Judges the goals of an Artillery test: `ensure`, expectations, its processor's failures.
struct Goals {
    factory: Arc<ArtilleryFactory>,
    periods: Arc<Periods>,
    ensure: Option<Ensure>,
}

impl Goals {
    /// Judged by what was collected of the run, or of a part of it.
    fn judge_by(&self, report: &Report) -> Option<loadline_record::Goals> {
        let mut goals = loadline_record::Goals::default();
        if let Some(ensure) = &self.ensure {
            let judged = ensure::judge(ensure, &report.aggregate, &random::from_system());
            let strict = || judged.iter().filter(|judged| judged.check.strict);
            goals.all += strict().count();
            goals.met += strict().filter(|judged| judged.holds).count();
        }
        // All expectations are one goal: that each answer is as expected.
        if self.factory.expectations_judged() {
            goals.all += 1;
            goals.met += usize::from(!self.factory.expectation_failed());
        }
        if self.factory.suggested_exit().is_some_and(|code| code != 0) {
            goals.all += 1;
        }
        (goals.all > 0).then_some(goals)
    }
}

impl GoalJudge for Goals {
    fn judge(&self) -> Option<loadline_record::Goals> {
        self.judge_by(&self.periods.report())
    }

    fn judge_rest(&self) -> Option<loadline_record::Goals> {
        self.judge_by(&self.periods.state().calm.report())
    }

    fn conditions(&self) -> Vec<String> {
        let checks = self.ensure.iter().flat_map(|ensure| &ensure.checks);
        let strict = checks.filter(|check| check.strict);
        strict.map(|check| check.shown.clone()).collect()
    }
}

/// Artillery's metrics of a run, by period of ten seconds of the day.
pub struct Periods {
    metrics: ArtilleryMetrics,
    wall_clock: fn() -> SystemTime,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// When the first window began, ms since 1970.
    origin: Option<i64>,
    collector: Collector,
    /// All that was counted, and the times of seconds that the generator's own delays did not touch.
    calm: Collector,
}

/// What of a window is collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Collected {
    All,
    Counts,
    Times,
}

impl Periods {
    fn new(metrics: ArtilleryMetrics, wall_clock: fn() -> SystemTime) -> Self {
        Self {
            metrics,
            wall_clock,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time of day, ms since 1970.
    #[must_use]
    pub fn now(&self) -> i64 {
        millis((self.wall_clock)())
    }

    /// Everything measured so far.
    #[must_use]
    pub fn report(&self) -> Report {
        self.state().collector.report()
    }

    /// Periods that begin after `after` and ended before `until` (ms since 1970).
    #[must_use]
    pub fn between(&self, after: i64, until: i64) -> Vec<Period> {
        let state = self.state();
        let begins = state.collector.begins();
        let wanted: Vec<i64> = begins
            .filter(|at| *at > after && at + loadline_report::artillery::PERIOD_MS <= until)
            .collect();
        let periods = wanted.into_iter();
        periods
            .filter_map(|at| state.collector.period(at))
            .collect()
    }

    /// What a series gained, under its name.
    fn gain<'a>(&self, value: &'a SeriesValue, merger: &'a Merger) -> Option<(&'a str, Gain<'a>)> {
        if let (builtin::DROPPED_ITERATIONS, MetricValue::Counter(Some(sum))) =
            (value.metric, &value.value)
        {
            // A start beyond a phase's limit.
            return Some(("vusers.skipped", Gain::Counter(sum.value())));
        }
        let metrics = [
            self.metrics.counters,
            self.metrics.summaries,
            self.metrics.rates,
        ];
        if !metrics.contains(&value.metric) {
            return None;
        }
        let info = merger.series(value.series);
        let name = merger.tags().get(info.tags, NAME_TAG)?;
        let gain = match &value.value {
            MetricValue::Counter(Some(sum)) if value.metric == self.metrics.rates => {
                Gain::Rate(sum.value())
            }
            MetricValue::Counter(Some(sum)) => Gain::Counter(sum.value()),
            MetricValue::Trend(histogram) => Gain::Summary(histogram),
            _ => return None,
        };
        Some((name, gain))
    }

    /// Adds what is asked for of a window, which began at `origin` and its seconds.
    fn add(
        &self,
        collector: &mut Collector,
        origin: i64,
        window: &Window,
        merger: &Merger,
        collected: Collected,
    ) {
        let second = |index: u64| i64::try_from(index).unwrap_or(i64::MAX / 2000) * 1000;
        let own = window.series.iter().map(|value| (window.index, value));
        let late = window.late.iter();
        let late = late.flat_map(|part| part.series.iter().map(|value| (part.window, value)));
        for (index, value) in own.chain(late) {
            let Some((name, gain)) = self.gain(value, merger) else {
                continue;
            };
            let is_wanted = match collected {
                Collected::All => true,
                Collected::Counts => !matches!(gain, Gain::Summary(_)),
                Collected::Times => matches!(gain, Gain::Summary(_)),
            };
            if is_wanted {
                collector.add(origin + second(index), name, &gain);
            }
        }
    }
}

impl RunObserver for Periods {
    fn counted_from_here(&self) {
        let mut state = self.state();
        (state.collector, state.calm) = Default::default();
    }

    fn window(&self, window: &Window, merger: &Merger) {
        let mut state = self.state();
        let state = &mut *state;
        let second = |index: u64| i64::try_from(index).unwrap_or(i64::MAX / 2000) * 1000;
        let now = self.now();
        // A window is emitted at its end.
        let origin = *state
            .origin
            .get_or_insert_with(|| now - second(window.index) - 1000);
        self.add(&mut state.collector, origin, window, merger, Collected::All);
        self.add(&mut state.calm, origin, window, merger, Collected::Counts);
    }

    fn calm_window(&self, window: &Window, merger: &Merger) {
        let mut state = self.state();
        let origin = state.origin.unwrap_or_else(|| self.now());
        self.add(&mut state.calm, origin, window, merger, Collected::Times);
    }
}

fn millis(at: SystemTime) -> i64 {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
