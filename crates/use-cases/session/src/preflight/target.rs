//! A short look at the target itself: its own test, at growing rates up to the planned one.

use std::time::Duration;

use crossbeam_channel::Receiver;
use loadline_analysis::bed::{PartJudgement, PartMeasurement};
use loadline_analysis::capacity::Unit;
use loadline_experiment::runner::{RunnerRequirements, Running as _};
use loadline_metrics::{Histogram, MetricValue};
use loadline_record::{Limit, Summary};

use crate::run::RunOptions;
use crate::steered::{SteerError, SteeredRun, steer};
use crate::test::Test;

/// Shares of the planned rate that are tried, in their order.
const SHARES: [f64; 3] = [0.25, 0.5, 1.0];
/// Users at most.
const USERS_MAX: u64 = 2_000;
/// A level may wait so long for the answers of its first starts.
const USUAL_MAX: Duration = Duration::from_secs(30);
/// Reading answers takes longer than waiting for them, and so long, ms: they come over a slow
/// network.
const READING_MS_MIN: f64 = 50.0;

/// What the look showed.
#[derive(Debug, Clone, Default)]
pub struct TargetResult {
    /// What was answered at each rate.
    pub tries: Vec<PartMeasurement>,
    /// The last judgement; none where nothing was tried.
    pub judgement: Option<PartJudgement>,
    /// Most of the time of requests went into reading answers, not into waiting for them.
    pub is_reading: bool,
    /// What kept the generator from sending it.
    pub generator: Vec<Limit>,
    /// A person ended it.
    pub is_interrupted: bool,
}

/// Starts the test's own scenarios at `planned` starts per second, and at less before; each for
/// `length`, and as long as an iteration usually takes. Ends at the first rate that does not
/// hold.
///
/// # Errors
/// [`SteerError`]; nothing was sent.
pub fn look(
    test: Test,
    planned: f64,
    length: Duration,
    usual: Duration,
    interrupts: Receiver<()>,
) -> Result<TargetResult, SteerError> {
    let usual = usual.min(USUAL_MAX);
    let each = length + usual + Duration::from_secs(5);
    let requirements = RunnerRequirements {
        unit: Unit::Rate,
        most_users: USERS_MAX,
        longest: each.as_secs_f64() * SHARES.len() as f64,
        scenario: None,
        terms: Vec::new(),
    };
    let options = RunOptions {
        force: true,
        ..RunOptions::default()
    };
    let mut load = steer(test, &requirements, &options, Some(interrupts))?;
    let mut found = TargetResult::default();
    for share in SHARES {
        let Some(measured) = level(&mut load, planned * share, length, usual) else {
            break;
        };
        // It is compared with what it did at the lowest rate.
        let judgement = measured.judge(found.tries.first());
        found.judgement = Some(judgement);
        found.tries.push(measured);
        if judgement != PartJudgement::Holds {
            break;
        }
    }
    found.is_interrupted = load.is_interrupted();
    if let Some(outcome) = load.finish() {
        found.is_reading = is_reading(&outcome.summary);
        found.generator = outcome.summary.run.generator_limits();
    }
    Ok(found)
}

/// One rate; `None` when the load ended before.
fn level(
    load: &mut SteeredRun,
    rate: f64,
    length: Duration,
    usual: Duration,
) -> Option<PartMeasurement> {
    load.set_level(rate);
    // Starts of the rate before end, and the first of this one answer.
    for _ in 0..=usual.as_secs() {
        load.next_window()?;
    }
    let (mut ended, mut requests, mut failed, mut seconds) = (0.0, 0.0, 0.0, 0.0);
    let mut took = Histogram::new();
    while seconds < length.as_secs_f64() {
        let window = load.next_window()?;
        ended += window.ended;
        requests += window.requests;
        failed += window.failed;
        seconds += window.span;
        took.merge(&window.durations);
    }
    let failed = if requests > 0.0 {
        failed / requests
    } else {
        0.0
    };
    Some(PartMeasurement {
        offered: rate,
        answered: ended * (1.0 - failed) / seconds,
        failed,
        answers: ended * (1.0 - failed),
        seconds,
        p50_ms: took.percentile(0.5),
        p95_ms: took.percentile(0.95),
    })
}

fn is_reading(summary: &Summary) -> bool {
    let mean = |name: &str| match summary.metric(name).map(|one| &one.value) {
        Some(MetricValue::Trend(times)) => times.mean().unwrap_or(0.0),
        _ => 0.0,
    };
    let reading = mean("http_req_receiving");
    reading > READING_MS_MIN && reading > mean("http_req_waiting")
}
