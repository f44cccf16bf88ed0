//! Preflight: checks that the test bed is strong enough. Tests the generator against a built-in
//! sink, then each outside server alone, at a low and at the planned rate.
//!
//! A part is judged by what it answered ([`PartMeasurement::judge`]); the first that fails is
//! what a load test would have measured instead of the target.
//!
//! Elsewhere: the planned rate (`cli`) and the texts (`report`).

mod sink;

use std::sync::Arc;
use std::time::Duration;

use loadline_bare::{BareFactory, UrlRequest};
use loadline_metrics::{Histogram, Registry};
use loadline_net::NetworkSettings;
use loadline_record::Limit;
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};
use loadline_vu::StopCause;

use crate::event::{Second, SessionEvent};
use crate::run::{RunOptions, SessionError, start};
use crate::test::{Test, TestError};

pub use sink::{SinkServer, SinkServerError};

/// A part must answer this share of what it is offered.
const ANSWERED_SHARE_MIN: f64 = 0.95;
/// It may fail this share.
const FAILED_SHARE_MAX: f64 = 0.01;
/// Its 95th percentile may grow by this factor over that at the low rate, ...
const P95_GROWTH_MAX: f64 = 2.0;
/// ... or by this much, ms, if that is more.
const P95_GROWTH_MS_MAX: f64 = 100.0;
/// The probe of a part that answers less than this share after [`HOPELESS_AFTER`] ends early.
const HOPELESS_SHARE: f64 = 0.5;
const HOPELESS_AFTER: usize = 6;
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
}

/// What a part answered.
#[derive(Debug, Clone)]
pub struct PartMeasurement {
    /// Requests per second offered.
    pub offered: f64,
    /// Good answers per second, once it had begun.
    pub answered: f64,
    /// Share of answers that were failures.
    pub failed: f64,
    /// 95th percentile of the response time, ms; none without answers.
    pub p95_ms: Option<f64>,
    /// What kept the generator from sending it.
    pub generator: Vec<Limit>,
    /// CPU this side used, share of its cores.
    pub cpu: Option<f64>,
}

/// Whether a part was strong enough for its load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PartJudgement {
    /// It is.
    Holds,
    /// It answers no more than this, requests per second.
    GivesWay(f64),
    /// It fails this share of requests.
    Fails(f64),
    /// Its answers take this much longer: ms at the low and at the planned rate.
    Slows(f64, f64),
}

impl PartMeasurement {
    /// Judges the part, compared with its behaviour at a low rate.
    #[must_use]
    pub fn judge(&self, low: Option<&Self>) -> PartJudgement {
        if self.failed > FAILED_SHARE_MAX {
            return if self.answered < self.offered * ANSWERED_SHARE_MIN {
                PartJudgement::GivesWay(self.answered)
            } else {
                PartJudgement::Fails(self.failed)
            };
        }
        if self.answered < self.offered * ANSWERED_SHARE_MIN {
            return PartJudgement::GivesWay(self.answered);
        }
        let before = low.and_then(|low| low.p95_ms);
        match (before, self.p95_ms) {
            (Some(before), Some(now))
                if now > (before * P95_GROWTH_MAX).max(before + P95_GROWTH_MS_MAX) =>
            {
                PartJudgement::Slows(before, now)
            }
            _ => PartJudgement::Holds,
        }
    }

    /// The seconds of a probe as a reading. The first `skipped` are the part's beginning.
    fn new(seconds: &[Second], offered: f64, skipped: usize) -> Self {
        let skipped = skipped.min(seconds.len().saturating_sub(1));
        // The last window is rarely whole.
        let end = seconds.len().max(skipped + 2) - 1;
        let counted = seconds.get(skipped..end).unwrap_or(seconds);
        let requests: f64 = counted.iter().map(|second| second.requests).sum();
        let failed: f64 = counted.iter().map(|second| second.failed as f64).sum();
        let mut took = Histogram::new();
        for second in counted {
            took.merge(&second.durations);
        }
        Self {
            offered,
            answered: (requests - failed) / counted.len().max(1) as f64,
            failed: if requests > 0.0 {
                failed / requests
            } else {
                0.0
            },
            p95_ms: took.percentile(0.95),
            generator: Vec::new(),
            cpu: None,
        }
    }
}

/// Sends `rate` requests per second to `target` for `length`; stops early if it clearly
/// cannot answer them. A part that takes `usual` for an answer at a low rate has given none for
/// so long at the beginning, and needs so many more users.
///
/// # Errors
/// [`ProbeError`].
pub fn probe(
    target: UrlRequest,
    rate: f64,
    length: Duration,
    usual: Duration,
    settings: NetworkSettings,
) -> Result<PartMeasurement, ProbeError> {
    let tags = vec![("scenario".to_owned(), "preflight".to_owned())];
    let factory = Arc::new(BareFactory::new(target, settings, tags));
    let waits = Duration::from_secs(usual.as_secs());
    let skipped = 1 + usize::try_from(usual.as_secs()).unwrap_or(0);
    let plan = plan(rate, length + waits, usual).ok_or(ProbeError::Rate { rate })?;
    let test = Test::new(plan, factory, Arc::new(Registry::new()), &[])?;
    let options = RunOptions {
        force: true,
        ..RunOptions::default()
    };
    let handle = start(test, &options)?;
    let mut seconds: Vec<Second> = Vec::new();
    for event in &handle.events {
        match event {
            SessionEvent::Second(second) => {
                // Windows before the first request are the making of users.
                if !seconds.is_empty() || second.requests > 0.0 || second.dropped > 0.0 {
                    seconds.push(*second);
                }
                if seconds.len() == HOPELESS_AFTER + skipped - 1
                    && PartMeasurement::new(&seconds, rate, skipped).answered
                        < rate * HOPELESS_SHARE
                    && rate > 2.0
                {
                    handle.control.stop(StopCause::Signal);
                }
            }
            SessionEvent::Finished(outcome) => {
                let run = &outcome.summary.run;
                let mut reading = PartMeasurement::new(&seconds, rate, skipped);
                reading.generator = run.generator_limits();
                reading.cpu = run.generator.cpu.as_ref().map(|cpu| cpu.mean);
                return Ok(reading);
            }
            _ => {}
        }
    }
    Err(ProbeError::NoResult)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(offered: f64, answered: f64, failed: f64, p95_ms: f64) -> PartMeasurement {
        PartMeasurement {
            offered,
            answered,
            failed,
            p95_ms: Some(p95_ms),
            generator: Vec::new(),
            cpu: None,
        }
    }

    #[test]
    fn a_part_gives_way_when_it_answers_less_than_offered() {
        let low = reading(1.0, 1.0, 0.0, 10.0);
        let judge = |now: PartMeasurement| now.judge(Some(&low));
        assert_eq!(judge(reading(50.0, 49.9, 0.0, 12.0)), PartJudgement::Holds);
        assert_eq!(
            judge(reading(50.0, 2.0, 0.0, 900.0)),
            PartJudgement::GivesWay(2.0)
        );
        assert_eq!(
            judge(reading(50.0, 2.0, 0.9, 12.0)),
            PartJudgement::GivesWay(2.0)
        );
        assert_eq!(
            judge(reading(50.0, 48.0, 0.04, 12.0)),
            PartJudgement::Fails(0.04)
        );
        assert_eq!(
            judge(reading(50.0, 49.0, 0.0, 400.0)),
            PartJudgement::Slows(10.0, 400.0)
        );
    }
}
