//! The summary of a run: drawn requests, starts, checks, goals and generators, and every line
//! that is said of them.

mod goals;
mod numbers;
mod verdicts;

use std::sync::Arc;
use std::time::Duration;

use loadline_metrics::threshold::{Condition, Phase, ThresholdSource, Thresholds};
use loadline_metrics::{Merger, Registry, Shard, Submetrics, TagSetId, builtin};
use loadline_record::{
    Accounting, ArrivalProcess, CpuUsage, DropCounts, GeneratorHealth, Goals, LatencyStart,
    RequestAccount, ResourceUsage, Run, Shortfall, StartLag, Summary, Validity, VerdictStanding,
};
use loadline_report::url::{self, ProgramEnding, RunFacts};
use loadline_text::{Catalog, Dialect, Lang};
use loadline_units::WorkerId;
use proptest::prelude::*;

use crate::reader::{Misreading, Reader};
use goals::{add_generator, add_goals};
use numbers::{add_counts, add_times};
use verdicts::add_verdicts;

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Good,
    Failed,
    Unanswered,
}

/// A run as it is drawn.
#[derive(Debug, Clone)]
pub(crate) struct DrawnRun {
    requests: Vec<(f64, Ending)>,
    /// Ages of requests that were cut, ms.
    cut: Vec<f64>,
    seconds: f64,
    users: u64,
    workers: usize,
    is_open: bool,
    dropped: [u64; 3],
    checks: (u64, u64),
    /// On the 95th percentile of planned starts, ms.
    p95_goal: Option<f64>,
    errors_goal: bool,
    late_ms: f64,
    stalls: u64,
    cpu: f64,
    /// Seconds, of these those that were touched, and what followed.
    of_seconds: u64,
    touched: u64,
    standing: Option<VerdictStanding>,
}

pub(crate) fn drawn() -> impl Strategy<Value = DrawnRun> {
    let ending = prop_oneof![6 => Just(Ending::Good), 1 => Just(Ending::Failed), 1 => Just(Ending::Unanswered)];
    let requests = prop::collection::vec((0.2..4000.0_f64, ending), 1..60);
    let cut = prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(1.0..9000.0_f64, 1..4)];
    let dropped = prop_oneof![2 => Just([0, 0, 0]), 1 => prop::array::uniform3(0_u64..4)];
    let goal = prop::option::of(prop_oneof![Just(20.0), Just(500.0), Just(60_000.0)]);
    let standing = prop::option::of(prop_oneof![
        Just(VerdictStanding::Same),
        Just(VerdictStanding::Certain),
        Just(VerdictStanding::Differs),
        Just(VerdictStanding::NothingLeft),
    ]);
    let load = (0.05..700.0_f64, 1_u64..3000, 1_usize..5, any::<bool>());
    let generator = (0.1..60.0_f64, 0_u64..3, 0.0..1.0_f64, 1_u64..10, standing);
    let judged = ((0_u64..3, 0_u64..40), goal, any::<bool>());
    (requests, cut, load, dropped, judged, generator).prop_map(
        |(requests, cut, load, dropped, judged, generator)| DrawnRun {
            requests,
            cut,
            seconds: load.0,
            users: load.1,
            workers: load.2,
            is_open: load.3,
            dropped: if load.3 { dropped } else { [0; 3] },
            checks: judged.0,
            p95_goal: judged.1,
            errors_goal: judged.2,
            late_ms: generator.0,
            stalls: generator.1,
            cpu: generator.2,
            of_seconds: if generator.3 == 1 { 1 } else { 10 },
            touched: generator.3,
            standing: generator.4,
        },
    )
}

impl DrawnRun {
    fn count(&self, ending: Ending) -> u64 {
        self.requests.iter().filter(|(_, of)| *of == ending).count() as u64
    }

    /// Its record, made as a run makes it.
    pub(crate) fn summary(&self) -> Summary {
        let registry = Arc::new(Registry::new());
        let source = |metric: &str, text: String| ThresholdSource {
            metric: metric.to_owned(),
            conditions: vec![Condition {
                text,
                abort_on_fail: false,
                delay_abort: None,
            }],
        };
        let mut sources: Vec<ThresholdSource> = Vec::new();
        sources.extend(
            self.p95_goal
                .map(|limit| source("planned_latency", format!("p(95)<{limit}"))),
        );
        sources.extend(
            self.errors_goal
                .then(|| source("http_req_failed", "rate<0.1".to_owned())),
        );
        let mut parts = Submetrics::default();
        let mut thresholds = Thresholds::compile(&sources, &registry, &mut parts).unwrap();
        let mut shard = Shard::new(WorkerId(0), Arc::clone(&registry));
        let tags =
            |shard: &mut Shard, tags: &[(&str, &str)]| shard.tags.extend(TagSetId::EMPTY, tags);
        let good = tags(
            &mut shard,
            &[("status", "200"), ("expected_response", "true")],
        );
        let failed = tags(
            &mut shard,
            &[("status", "503"), ("expected_response", "false")],
        );
        let refused = [
            ("status", "0"),
            ("error", "refused"),
            ("error_code", "1212"),
            ("expected_response", "false"),
        ];
        let refused = tags(&mut shard, &refused);
        for (took, ending) in &self.requests {
            let tags = match ending {
                Ending::Good => good,
                Ending::Failed => failed,
                Ending::Unanswered => refused,
            };
            let is_failed = *ending != Ending::Good;
            let mut samples = vec![
                (builtin::HTTP_REQS, 1.0),
                (builtin::HTTP_REQ_DURATION, *took),
                (builtin::HTTP_REQ_WAITING, took * 0.9),
                (builtin::HTTP_REQ_FAILED, f64::from(u8::from(is_failed))),
                (builtin::ITERATIONS, 1.0),
                (builtin::DATA_RECEIVED, 412.0),
                (builtin::DATA_SENT, 81.0),
            ];
            if self.is_open {
                samples.push((builtin::INTENDED_LATENCY, took + 0.5));
                if is_failed {
                    samples.push((builtin::INTENDED_LATENCY_FAILED, took + 0.5));
                }
            }
            for (metric, value) in samples {
                shard.record(metric, tags, value);
            }
        }
        for age in &self.cut {
            shard.record(builtin::HTTP_REQS_CUT, TagSetId::EMPTY, *age);
        }
        let dropped: u64 = self.dropped.iter().sum();
        if dropped > 0 {
            shard.record(builtin::DROPPED_ITERATIONS, TagSetId::EMPTY, dropped as f64);
        }
        let lost = if self.is_open {
            dropped as usize + self.cut.len()
        } else {
            0
        };
        for age in self
            .cut
            .iter()
            .copied()
            .chain(std::iter::repeat(1.0))
            .take(lost)
        {
            shard.record_all(
                TagSetId::EMPTY,
                &[
                    (builtin::INTENDED_LATENCY, age),
                    (builtin::INTENDED_LATENCY_CENSORED, age),
                ],
            );
        }
        let check = tags(&mut shard, &[("check", "ok")]);
        for n in 0..self.checks.0 + self.checks.1 {
            shard.record(
                builtin::CHECKS,
                check,
                f64::from(u8::from(n >= self.checks.0)),
            );
        }
        let mut merger = Merger::new(1, Arc::clone(&registry), parts);
        merger.absorb(shard.take_window(0));
        merger.next_ready().unwrap();
        let length = Duration::from_secs_f64(self.seconds);
        thresholds.evaluate(merger.totals(), length, Phase::Final);
        let mut summary = Summary::new(&merger, &registry, &thresholds, self.run(length));
        let goals = summary.goals();
        summary.run.validity = self.standing.map(|standing| Validity {
            seconds: self.of_seconds,
            touched: self.touched,
            standing,
            goals: (standing != VerdictStanding::NothingLeft).then_some(Goals {
                met: if standing == VerdictStanding::Differs {
                    goals.1
                } else {
                    goals.0
                },
                all: goals.1,
            }),
            p95_ms: self.touched.is_multiple_of(2).then_some(512.0),
            is_p95_longer: false,
        });
        if self.touched.is_multiple_of(3) {
            summary.run.untold_goals = vec!["page p(95)<130".to_owned()];
        }
        summary
    }

    fn run(&self, length: Duration) -> Run {
        let ended = self.requests.len() as u64;
        let unanswered = self.count(Ending::Unanswered);
        let dropped = self.dropped.iter().sum();
        let started = ended + self.cut.len() as u64;
        Run {
            most_vus: self.users,
            complete_iterations: ended,
            interrupted_iterations: self.cut.len() as u64,
            arrivals: self.is_open.then_some(ArrivalProcess::Even),
            latency_start: LatencyStart::Planned,
            accounting: Some(Accounting {
                requests: RequestAccount {
                    sent: started,
                    answered: ended - unanswered,
                    failed: unanswered,
                    cut: self.cut.len() as u64,
                    ..RequestAccount::default()
                },
                ..Accounting::default()
            }),
            generator: GeneratorHealth {
                workers: self.workers,
                cpu: Some(CpuUsage {
                    mean: self.cpu / 2.0,
                    peak: self.cpu,
                    busiest: self.cpu,
                }),
                start_lag: self.is_open.then_some(StartLag {
                    p50_ms: self.late_ms / 20.0,
                    p99_ms: self.late_ms,
                    max_ms: 2.0 * self.late_ms,
                    p95_ms: None,
                }),
                stalls: self.stalls,
                longest_stall: Duration::from_millis(120 * self.stalls),
                stalled: None,
                open_files: Some(ResourceUsage {
                    used: 71,
                    limit: 1024,
                }),
                planned_starts: if self.is_open { started + dropped } else { 0 },
                dropped_starts: dropped,
                drops: DropCounts {
                    no_free_user: self.dropped[0],
                    late: self.dropped[1],
                    time_over: self.dropped[2],
                    ..DropCounts::default()
                },
                ..GeneratorHealth::default()
            },
            ..Run::finished(length)
        }
    }

    /// The summary as text.
    pub(crate) fn text(summary: &Summary, lang: Lang) -> String {
        let code = url::exit(&summary.verdict()).code(Dialect::Loadline);
        let of = RunFacts {
            target: "the-target",
            warm_up: None,
            end: ProgramEnding::Code(code),
        };
        url::text(summary, of, &Catalog::new(lang))
    }
}

/// What is wrong with a text of a run.
pub(crate) fn misread(summary: &Summary, text: &str, lang: Lang) -> Vec<Misreading> {
    reader(summary, lang).read("line", text)
}

fn reader(summary: &Summary, lang: Lang) -> Reader {
    let mut reader = Reader::new(lang);
    add_counts(&mut reader, summary);
    add_times(&mut reader, summary);
    add_goals(&mut reader, summary);
    add_generator(&mut reader, summary);
    add_verdicts(&mut reader);
    reader
}

/// What of a run fell short that no pattern of this file reads.
pub(crate) fn is_readable(summary: &Summary) -> bool {
    let kinds = |short: &Shortfall| {
        matches!(
            short,
            Shortfall::Load { .. }
                | Shortfall::Cut { .. }
                | Shortfall::Errors { .. }
                | Shortfall::Checks { .. }
        )
    };
    summary.shortfalls().iter().all(kinds)
}
