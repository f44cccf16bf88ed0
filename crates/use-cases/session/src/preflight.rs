//! Preflight: checks that the test bed is strong enough. Tests the generator against a built-in
//! sink, then each outside server alone, at a low and at the planned rate.
//!
//! [`PartRunner`] tries parts, up to a few times the planned rate; [`target`] the target itself, no
//! further than that rate. The weakest part is what a load test would have measured.
//!
//! Elsewhere: how a part is judged (`analysis::bed`), the planned rate (`cli`), texts (`report`).

mod parts;
mod sink;
pub mod target;

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, never, select};
use loadline_analysis::bed::PartMeasurement;
use loadline_bare::{BareFactory, TargetError, UrlRequest};
use loadline_metrics::{Histogram, MetricValue, Registry};
use loadline_net::NetworkSettings;
use loadline_record::{Limit, Summary};
use loadline_report::facts::failures;
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};
use loadline_vu::StopCause;

use crate::event::{Second, SessionEvent};
use crate::run::{RunOptions, SessionError, start};
use crate::test::{Test, TestError};

pub use parts::PartRunner;
pub use sink::{SinkServer, SinkServerError};

/// The probe of a part that answers less than this share over so many counted windows ends
/// early, but not before it could answer twice.
const HOPELESS_SHARE: f64 = 0.5;
const HOPELESS_WINDOWS: usize = 4;
/// Users at most.
const USERS_MAX: f64 = 5_000.0;

/// Why a probe could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The load could not be started.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The probe's own plan has mistakes: its rate is beyond what can be planned.
    #[error("a rate of {rate}/s cannot be planned")]
    Rate {
        /// The rate.
        rate: f64,
    },
    /// Never happens: a probe has no thresholds.
    #[error(transparent)]
    Test(#[from] TestError),
    /// The run's thread ended without a result.
    #[error("the run ended without a result")]
    NoResult,
    /// There is no server for it.
    #[error(transparent)]
    Sink(#[from] SinkServerError),
    /// The server's own address cannot be requested.
    #[error(transparent)]
    Target(#[from] TargetError),
}

/// What a probe found.
#[derive(Debug, Clone)]
pub struct ProbeResult {
    /// What the part answered.
    pub measured: PartMeasurement,
    /// How long all good answers took, ms, also those of the beginning.
    pub latencies: Histogram,
    /// What kept the generator from sending it.
    pub generator: Vec<Limit>,
    /// CPU this side used, share of its cores.
    pub cpu: Option<f64>,
    /// Why requests failed, the most frequent first.
    pub failures: Vec<String>,
    /// Not one answer came, failed or not.
    pub is_silent: bool,
    /// Time to connect, ms.
    pub connect_ms: Option<f64>,
}

/// The seconds of a probe as a measurement. The first, and so many as an answer takes (`usual`),
/// are the part's beginning.
fn measured(seconds: &[Second], offered: f64, usual: usize) -> PartMeasurement {
    let skipped = (1 + usual).min(seconds.len().saturating_sub(1));
    // The last window is rarely whole.
    let mut end = seconds.len().max(skipped + 2) - 1;
    // A part that works on some at once answers them together, every so many seconds.
    if usual > 0 && end - skipped > usual {
        end -= (end - skipped) % usual;
    }
    let counted = seconds.get(skipped..end).unwrap_or(seconds);
    let requests: f64 = counted.iter().map(|second| second.requests).sum();
    let failed: f64 = counted.iter().map(|second| second.failed as f64).sum();
    let took = latencies(counted);
    let length = counted.len().max(1) as f64;
    PartMeasurement {
        offered,
        answered: (requests - failed) / length,
        failed: if requests > 0.0 {
            failed / requests
        } else {
            0.0
        },
        answers: requests - failed,
        seconds: length,
        p50_ms: took.percentile(0.5),
        p95_ms: took.percentile(0.95),
    }
}

fn latencies(seconds: &[Second]) -> Histogram {
    let mut took = Histogram::new();
    for second in seconds {
        took.merge(&second.durations);
    }
    took
}

/// Sends `rate` requests per second to `target` for `length`; stops early if it clearly
/// cannot answer them. A part that takes `usual` for an answer at a low rate has given none for
/// so long at the beginning, and needs so many more users. `None` when it was interrupted: a
/// message over `interrupts`, or nobody left to send one.
///
/// # Errors
/// [`ProbeError`].
pub fn probe(
    target: UrlRequest,
    rate: f64,
    length: Duration,
    usual: Duration,
    settings: NetworkSettings,
    interrupts: &Receiver<()>,
) -> Result<Option<ProbeResult>, ProbeError> {
    let tags = vec![("scenario".to_owned(), "preflight".to_owned())];
    let factory = Arc::new(BareFactory::new(target, settings, tags));
    let waits = Duration::from_secs(usual.as_secs());
    let takes = usize::try_from(usual.as_secs()).unwrap_or(0);
    let hopeless_after = 2 + takes + HOPELESS_WINDOWS.max(2 * takes);
    let plan = plan(rate, length + waits, usual).ok_or(ProbeError::Rate { rate })?;
    let test = Test::new(plan, factory, Arc::new(Registry::new()), &[])?;
    let options = RunOptions {
        force: true,
        ..RunOptions::default()
    };
    let handle = start(test, &options)?;
    let mut seconds: Vec<Second> = Vec::new();
    let mut interrupts = interrupts.clone();
    let mut is_interrupted = false;
    loop {
        let event = select! {
            recv(handle.events) -> event => event.map_err(|_| ProbeError::NoResult)?,
            recv(interrupts) -> _ => {
                is_interrupted = true;
                interrupts = never();
                handle.control.stop(StopCause::Signal);
                continue;
            }
        };
        match event {
            SessionEvent::Second(second) => {
                // Windows before the first start are the making of users.
                let is_load = second.started > 0.0 || second.requests > 0.0 || second.dropped > 0.0;
                if !seconds.is_empty() || is_load {
                    seconds.push(*second);
                }
                if seconds.len() == hopeless_after
                    && measured(&seconds, rate, takes).answered < rate * HOPELESS_SHARE
                    && rate > 2.0
                {
                    handle.control.stop(StopCause::Signal);
                }
            }
            SessionEvent::Finished(_) if is_interrupted => return Ok(None),
            SessionEvent::Finished(outcome) => {
                let summary = &outcome.summary;
                let run = &summary.run;
                return Ok(Some(ProbeResult {
                    measured: measured(&seconds, rate, takes),
                    latencies: latencies(&seconds),
                    generator: run.generator_limits(),
                    cpu: run.generator.cpu.as_ref().map(|cpu| cpu.mean),
                    failures: failures(summary),
                    is_silent: seconds.iter().all(|second| {
                        let silent = second.failures.iter().filter(|one| one.status == "0");
                        silent.map(|one| one.count).sum::<f64>() >= second.requests
                    }),
                    connect_ms: connect_ms(summary),
                }));
            }
            _ => {}
        }
    }
}

/// How long connecting took, ms: connections are kept, so that most requests take none of it.
fn connect_ms(summary: &Summary) -> Option<f64> {
    match summary.metric("http_req_connecting").map(|one| &one.value) {
        Some(MetricValue::Trend(times)) => times.max().filter(|ms| *ms > 0.0),
        _ => None,
    }
}

fn plan(rate: f64, length: Duration, usual: Duration) -> Option<Plan> {
    #[expect(clippy::cast_possible_truncation, reason = "checked to be in range")]
    let whole = |value: f64| (0.0..1e12).contains(&value).then(|| value.ceil() as i64);
    let executor = ExecutorDraft::ConstantArrivalRate {
        rate: Some(whole((rate * 1000.0).round())?.max(1)),
        time_unit: Some(Duration::from_secs(1000).into()),
        duration: Some(length.into()),
        pre_allocated_vus: whole((rate * (0.5 + usual.as_secs_f64())).clamp(2.0, USERS_MAX)),
        max_vus: whole((rate * (0.5 + length.as_secs_f64())).clamp(10.0, USERS_MAX)),
    };
    let mut scenario = ScenarioDraft::new("preflight", executor);
    scenario.graceful_stop = Some(Duration::ZERO.into());
    Plan::check(PlanDraft {
        scenarios: vec![scenario],
        ..PlanDraft::default()
    })
    .ok()
}
