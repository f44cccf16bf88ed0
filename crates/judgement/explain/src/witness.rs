//! Pages that are not of one process: their numbers are of nobody.
//!
//! Behind a balancer, or where several processes listen at one port, each look may be answered by
//! another process. Counters then fall again and again, gauges are of whoever answered, and nothing that
//! is computed from them is true.

use std::borrow::Cow;
use std::collections::BTreeMap;

use loadline_record::signals::{Label, SignalKind, SignalSeries};

use super::input::ExplainedRun;

/// A process that is started anew makes its counters fall once. So many falls are of several processes.
const FALLS_MIN: usize = 3;
/// Counters that every page has of its process and its requests.
const COUNTERS_OF_PAGES: [SignalKind; 4] = [
    SignalKind::ProcessCpu,
    SignalKind::ServerRequests,
    SignalKind::ServerRequestTime,
    SignalKind::CollectionPauseTime,
];

/// A run without what several processes told in turn.
pub(super) struct Witnessed<'a> {
    pub(super) run: Cow<'a, ExplainedRun>,
    /// Pages that were left out: their instances, or nothing where they have no name; and how many processes answered
    /// each, at least.
    pub(super) left_out: BTreeMap<String, usize>,
}

impl<'a> Witnessed<'a> {
    pub(super) fn new(run: &'a ExplainedRun) -> Self {
        let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
        let counters = run.signals.series().iter();
        let counters = counters.filter(|series| COUNTERS_OF_PAGES.contains(&series.kind));
        for series in counters.filter(|series| falls(series) >= FALLS_MIN) {
            let known = left_out.entry(instance(series).to_owned()).or_default();
            *known = series.processes_min().max(*known);
        }
        if left_out.is_empty() {
            return Self {
                run: Cow::Borrowed(run),
                left_out,
            };
        }
        let of_a_page = |series: &SignalSeries| {
            is_of_a_page(series.kind) && left_out.contains_key(instance(series))
        };
        let signals = run.signals.retained(|series| !of_a_page(series));
        Self {
            run: Cow::Owned(ExplainedRun {
                signals,
                ..run.clone()
            }),
            left_out,
        }
    }
}

/// What a page tells of its process, and nobody else does.
fn is_of_a_page(kind: SignalKind) -> bool {
    let name = kind.name();
    [
        "pool-",
        "workers-",
        "server-",
        "outside-",
        "heap-",
        "collection-",
        "compilation-",
    ]
    .iter()
    .any(|beginning| name.starts_with(beginning))
        || matches!(
            kind,
            SignalKind::ProcessCpu
                | SignalKind::CoresAvailable
                | SignalKind::MemoryUsed
                | SignalKind::Threads
                | SignalKind::Uptime
                | SignalKind::EventLoopLag
                | SignalKind::EventLoopUse
                | SignalKind::Connections
        )
}

fn instance(series: &SignalSeries) -> &str {
    series.entity.get(Label::Instance).unwrap_or_default()
}

/// How often a counter falls.
fn falls(series: &SignalSeries) -> usize {
    let pairs = series.points().windows(2);
    pairs.filter(|pair| pair[1].value < pair[0].value).count()
}

#[cfg(test)]
mod tests {
    use loadline_record::signals::{Entity, SignalKind as Kind};

    use super::*;

    /// A page of two processes that answer in turn, and a kernel that sees one of them.
    fn in_turn(begun_anew_every: u64) -> ExplainedRun {
        let mut run = ExplainedRun::default();
        let page = Entity::new().with(Label::Instance, "10.0.0.5:9000");
        let process = Entity::new().with(Label::Instance, "pid 7");
        for second in 0..30_u32 {
            let at_ms = u64::from(second) * 1000;
            let is_other = u64::from(second) / begun_anew_every % 2 == 1;
            let count = f64::from(second) + if is_other { 0.0 } else { 5_000.0 };
            run.signals.push(Kind::ServerRequests, &page, at_ms, count);
            run.signals.push(Kind::PoolActive, &page, at_ms, 3.0);
            run.signals
                .push(Kind::RunDelay, &process, at_ms, f64::from(second));
        }
        run
    }

    #[test]
    fn a_page_whose_counters_fall_again_and_again_is_left_out() {
        let run = in_turn(1);
        let witnessed = Witnessed::new(&run);
        assert_eq!(witnessed.left_out.get("10.0.0.5:9000"), Some(&2));
        let kinds: Vec<Kind> = witnessed
            .run
            .signals
            .series()
            .iter()
            .map(|s| s.kind)
            .collect();
        assert_eq!(kinds, [Kind::RunDelay]);
    }

    /// Seen: a page that eleven processes answer in turn was told as "several".
    #[test]
    fn as_many_processes_answered_as_one_counter_falls_in_a_row_at_least() {
        let of_values = |values: &[f64]| {
            let mut series = SignalSeries::new(Kind::ServerRequests, Entity::new());
            for (second, value) in (0_u64..).zip(values) {
                series.push(second * 1000, *value);
            }
            series.processes_min()
        };
        assert_eq!(of_values(&[1.0, 2.0, 2.0, 3.0]), 1);
        assert_eq!(of_values(&[90.0, 41.0, 92.0, 20.0, 43.0, 95.0, 21.0]), 3);
        assert_eq!(of_values(&[5.0, 4.0, 3.0, 2.0]), 4);
    }

    #[test]
    fn a_process_that_is_started_anew_is_one_process() {
        let run = in_turn(20);
        let witnessed = Witnessed::new(&run);
        assert!(witnessed.left_out.is_empty());
        assert_eq!(witnessed.run.signals.series().len(), 3);
    }
}
