//! Takes what an experiment needs out of each window, on the run's thread.

use crossbeam_channel::Sender;
use loadline_analysis::slo::{Sample, Statistic, Term, is_meant_status};
use loadline_metrics::{Histogram, Merger, MetricValue, SeriesValue, Window, builtin};
use loadline_record::is_failed_request;

use crate::failed_requests::REFUSED;
use crate::follow::RunObserver;

/// How many names of requests outside all terms are remembered.
const NAMES_MAX: usize = 30;

/// What was seen in a window.
#[derive(Debug, Default)]
pub(super) struct WindowSample {
    pub(super) window: u64,
    pub(super) requests: f64,
    pub(super) failed: f64,
    pub(super) refused: f64,
    pub(super) checks: f64,
    pub(super) failed_checks: f64,
    pub(super) durations: Histogram,
    pub(super) iterations: Histogram,
    pub(super) lag: Histogram,
    pub(super) read_lag: Histogram,
    pub(super) samples: Vec<Sample>,
    /// Of each scenario, how long its iterations took together, ms, and how many.
    pub(super) by_scenario: Vec<(f64, f64)>,
}

/// Follows a run's windows.
pub(super) struct Tap {
    terms: Vec<Term>,
    scenarios: Vec<String>,
    seen: Sender<WindowSample>,
}

impl Tap {
    pub(super) fn new(
        terms: Vec<Term>,
        scenarios: Vec<String>,
        seen: Sender<WindowSample>,
    ) -> Self {
        Self {
            terms,
            scenarios,
            seen,
        }
    }

    fn add(&self, seen: &mut WindowSample, gain: &SeriesValue, merger: &Merger) {
        let tags = merger.series(gain.series).tags;
        let tag = |key: &str| merger.tags().get(tags, key);
        let is_failed = is_failed_request(tag("expected_response"), tag("status"));
        match (gain.metric, &gain.value) {
            (builtin::HTTP_REQS, MetricValue::Counter(Some(sum))) => {
                seen.requests += sum.value();
                if tag("error_code") == Some(REFUSED) {
                    seen.refused += sum.value();
                }
            }
            (builtin::HTTP_REQ_FAILED, MetricValue::Rate(rate)) => seen.failed += rate.trues as f64,
            (builtin::CHECKS, MetricValue::Rate(rate)) => {
                seen.checks += rate.total as f64;
                seen.failed_checks += (rate.total - rate.trues) as f64;
            }
            (builtin::HTTP_REQ_DURATION, MetricValue::Trend(durations)) if !is_failed => {
                seen.durations.merge(durations);
            }
            (builtin::START_LAG, MetricValue::Trend(lag)) => seen.lag.merge(lag),
            (builtin::READ_LAG, MetricValue::Trend(lag)) => seen.read_lag.merge(lag),
            (builtin::ITERATION_DURATION, MetricValue::Trend(durations)) => {
                seen.iterations.merge(durations);
                let place = tag("scenario")
                    .and_then(|name| self.scenarios.iter().position(|s| s == name))
                    .unwrap_or(0);
                if let Some((sum, count)) = seen.by_scenario.get_mut(place) {
                    *sum += durations.sum();
                    *count += durations.count() as f64;
                }
            }
            _ => {}
        }
        for (sample, term) in seen.samples.iter_mut().zip(&self.terms) {
            let in_scope = term
                .tags_of_all()
                .all(|(key, value)| tag(key).is_some_and(|found| is_meant(key, found, value)));
            if in_scope {
                let status = tag("status").unwrap_or_default();
                match term.error_status() {
                    Some(_) => add_answers(sample, gain, term.counts_status(status)),
                    None => add_to(sample, term, gain, is_failed),
                }
            } else if is_asked(term, gain.metric)
                && let Some((key, _)) = term.tags_of_all().next()
                && let Some(other) = tag(key)
                && sample.others.len() < NAMES_MAX
            {
                sample.others.insert(other.to_owned());
            }
        }
    }
}

/// Whether a tag's value is the one meant; of a request's name its end will do, and of a
/// group its last part, as people leave out what is the same everywhere.
fn is_meant(key: &str, found: &str, meant: &str) -> bool {
    match key {
        "name" | "url" => found == meant || (meant.starts_with('/') && found.ends_with(meant)),
        "status" => is_meant_status(meant, found),
        "group" => found == meant || found.rsplit("::").next() == Some(meant),
        _ => found == meant,
    }
}

/// Whether a term is about this metric.
fn is_asked(term: &Term, metric: loadline_metrics::MetricId) -> bool {
    metric
        == match term.statistic {
            Statistic::Errors => builtin::HTTP_REQ_FAILED,
            Statistic::Checks => builtin::CHECKS,
            Statistic::Percentile(_) | Statistic::Mean | Statistic::Max => {
                builtin::HTTP_REQ_DURATION
            }
        }
}

/// Answers of a status are a share of all, whether or not they are failures.
fn add_answers(sample: &mut Sample, gain: &SeriesValue, is_of_status: bool) {
    if let (builtin::HTTP_REQS, MetricValue::Counter(Some(sum))) = (gain.metric, &gain.value) {
        let answers = whole(sum.value());
        sample.all += answers;
        sample.bad += if is_of_status { answers } else { 0 };
    }
}

/// Latency is judged by planned starts: what failed, was cut or never sent is a miss.
fn add_to(sample: &mut Sample, term: &Term, gain: &SeriesValue, is_failed: bool) {
    let is_time = !term.statistic.is_share();
    match (term.statistic, gain.metric, &gain.value) {
        (Statistic::Errors, builtin::HTTP_REQ_FAILED, MetricValue::Rate(rate)) => {
            sample.bad += rate.trues;
            sample.all += rate.total;
        }
        (Statistic::Checks, builtin::CHECKS, MetricValue::Rate(rate)) => {
            sample.bad += rate.total - rate.trues;
            sample.all += rate.total;
        }
        (_, builtin::HTTP_REQ_DURATION, MetricValue::Trend(durations)) if is_time => {
            sample.all += durations.count();
            if is_failed {
                sample.bad += durations.count();
            } else {
                sample.durations.merge(durations);
            }
        }
        (_, builtin::HTTP_REQS_CUT, MetricValue::Trend(ages)) if is_time => {
            sample.bad += ages.count();
            sample.all += ages.count();
        }
        (_, builtin::DROPPED_ITERATIONS, MetricValue::Counter(Some(dropped))) if is_time => {
            let never_sent = whole(dropped.value());
            sample.bad += never_sent;
            sample.all += never_sent;
        }
        _ => {}
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count; the cast saturates"
)]
fn whole(count: f64) -> u64 {
    count as u64
}

impl RunObserver for Tap {
    fn window(&self, window: &Window, merger: &Merger) {
        let mut seen = WindowSample {
            window: window.index,
            samples: vec![Sample::default(); self.terms.len()],
            by_scenario: vec![(0.0, 0.0); self.scenarios.len()],
            ..WindowSample::default()
        };
        for gain in &window.series {
            self.add(&mut seen, gain, merger);
        }
        for late in &window.late {
            for gain in &late.series {
                self.add(&mut seen, gain, merger);
            }
        }
        // The receiver is gone only at the end.
        let _ = self.seen.send(seen);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use loadline_metrics::{Registry, Shard, Submetrics, TagSetId};
    use loadline_units::WorkerId;

    use super::*;

    /// What a tap sees of answers, each with a name and a status.
    fn samples(terms: &[&str], answers: &[(&str, &str, f64)]) -> Vec<Sample> {
        let registry = Arc::new(Registry::new());
        let mut shard = Shard::new(WorkerId(0), Arc::clone(&registry));
        let mut merger = Merger::new(1, registry, Submetrics::default());
        for (name, status, count) in answers {
            let tags = [("name", *name), ("status", *status)];
            let tags = shard.tags.extend(TagSetId::EMPTY, &tags);
            shard.record(builtin::HTTP_REQS, tags, *count);
        }
        merger.absorb(shard.take_window(0));
        let window = merger.next_ready().unwrap();
        let (to, seen) = crossbeam_channel::unbounded();
        let terms = terms.iter().map(|text| text.parse().unwrap());
        Tap::new(terms.collect(), Vec::new(), to).window(&window, &merger);
        seen.recv().unwrap().samples
    }

    #[test]
    fn errors_of_a_status_are_counted_among_all_requests_of_their_scope() {
        let terms = [
            "errors{status:503}<1%",
            "errors{status:5xx,endpoint:/a}<1%",
            "errors{endpoint:/b,status:429}<1%",
        ];
        let answers = [
            ("/a", "200", 90.0),
            ("/a", "503", 6.0),
            ("/a", "500", 4.0),
            ("/b", "429", 30.0),
            ("/b", "200", 70.0),
        ];
        let counted: Vec<(u64, u64)> = samples(&terms, &answers)
            .iter()
            .map(|sample| (sample.bad, sample.all))
            .collect();
        assert_eq!(counted, [(6, 200), (10, 100), (30, 100)]);
    }

    #[test]
    fn an_endpoint_is_meant_by_its_path_and_a_group_by_its_name() {
        assert!(is_meant("name", "http://h:80/deers", "/deers"));
        assert!(!is_meant("name", "http://h:80/deers", "deers"));
        assert!(is_meant("group", "::shop::pay", "pay"));
        assert!(is_meant("scenario", "buy", "buy") && !is_meant("scenario", "buy2", "buy"));
    }
}
