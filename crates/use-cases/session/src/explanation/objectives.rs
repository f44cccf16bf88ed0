//! What a stored run was judged by, as far as it is about its requests: thresholds of scripts, `--slo` of URL runs,
//! `ensure` of Artillery files.

use loadline_explain::{GivenObjective, GoalVerdict, ObjectiveMeasure};
use loadline_metrics::parse_metric_name;
use loadline_metrics::threshold::{Expression, ThresholdStatistic};
use loadline_record::{PLANNED_LATENCY, Summary};
use loadline_report::goals;
use loadline_store::{RunInfo, ThresholdInfo};

/// Times of requests: as they were sent, as they were planned, and to their first byte.
const TIMES: [&str; 4] = [
    "http_req_duration",
    "intended_latency",
    "http_req_waiting",
    PLANNED_LATENCY,
];
/// Tags that name an endpoint.
pub(super) const NAMES: [&str; 2] = ["name", "url"];
/// The time of a request in Artillery's files.
const ARTILLERY_TIME: &str = "http.response_time.";
/// The error rate of Artillery's files, in percent.
const ARTILLERY_ERROR_RATE: &str = "maxErrorRate";

/// All that limits times, failed requests or failed checks from above.
pub(crate) fn objectives(about: &RunInfo) -> Vec<GivenObjective> {
    let thresholds = about.thresholds.iter().filter_map(of_threshold);
    let conditions = about.conditions.iter();
    let of_artillery = conditions.flat_map(|text| text.split(" and ").filter_map(of_artillery));
    thresholds.chain(of_artillery).collect()
}

/// Gives each goal of thresholds the verdict of the run that is over.
pub(super) fn with_verdicts(
    mut objectives: Vec<GivenObjective>,
    about: &RunInfo,
    summary: &Summary,
) -> Vec<GivenObjective> {
    let known = about.thresholds.iter().filter_map(|threshold| {
        let of = of_threshold(threshold)?;
        let metric = summary.metric(&threshold.metric)?;
        let condition = threshold.condition.as_ref()?;
        let mut results = metric.thresholds.iter();
        let result = results.find(|result| result.source == *condition)?;
        let value = goals::came_to(summary, &metric.name, result)?;
        let verdict = GoalVerdict {
            value: if of.measure == ObjectiveMeasure::ChecksFailed {
                1.0 - value
            } else {
                value
            },
            is_missed: !result.ok,
        };
        Some((of, verdict))
    });
    for (of, verdict) in known {
        for one in objectives.iter_mut().filter(|one| **one == of) {
            one.verdict = Some(verdict);
        }
    }
    objectives
}

fn of_threshold(threshold: &ThresholdInfo) -> Option<GivenObjective> {
    let condition = threshold.condition.as_ref()?;
    let expression = Expression::parse(condition).ok()?;
    let (metric, tags) = parse_metric_name(&threshold.metric).ok()?;
    let endpoint = match tags {
        None => None,
        Some(tags) => Some(endpoint(tags)?),
    };
    let (measure, most) = match expression.statistic {
        _ if metric == "checks" => (
            ObjectiveMeasure::ChecksFailed,
            expression
                .operator
                .is_lower_bound()
                .then_some(1.0 - expression.limit)?,
        ),
        statistic => (
            measure(metric, statistic)?,
            expression
                .operator
                .is_upper_bound()
                .then_some(expression.limit)?,
        ),
    };
    Some(GivenObjective {
        text: goals::name(metric, condition),
        measure,
        most,
        endpoint,
        is_of_starts: metric == PLANNED_LATENCY,
        verdict: None,
    })
}

fn measure(metric: &str, statistic: ThresholdStatistic) -> Option<ObjectiveMeasure> {
    match statistic {
        ThresholdStatistic::Rate if metric == "http_req_failed" => Some(ObjectiveMeasure::Failed),
        _ if !TIMES.contains(&metric) => None,
        ThresholdStatistic::Percentile(percent) => {
            Some(ObjectiveMeasure::Percentile(percent / 100.0))
        }
        ThresholdStatistic::Med => Some(ObjectiveMeasure::Percentile(0.5)),
        ThresholdStatistic::Avg => Some(ObjectiveMeasure::Mean),
        ThresholdStatistic::Max => Some(ObjectiveMeasure::Longest),
        ThresholdStatistic::Value
        | ThresholdStatistic::Count
        | ThresholdStatistic::Rate
        | ThresholdStatistic::Min => None,
    }
}

/// The endpoint, where nothing else is asked for.
fn endpoint(tags: &str) -> Option<String> {
    let (tag, value) = tags.split_once(':')?;
    let bare = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
    (NAMES.contains(&bare(tag).as_str()) && !tags.contains(',')).then(|| bare(value))
}

/// A condition such as `http.response_time.p95 < 500`.
fn of_artillery(text: &str) -> Option<GivenObjective> {
    let expression = text.trim();
    let (name, limit) = expression.split_once('<')?;
    let limit: f64 = limit.trim_start_matches('=').trim().parse().ok()?;
    let name = name.trim();
    let time = name.strip_prefix(ARTILLERY_TIME).unwrap_or(name);
    let (measure, most) = match time {
        ARTILLERY_ERROR_RATE => (ObjectiveMeasure::Failed, limit / 100.0),
        "median" | "p50" => (ObjectiveMeasure::Percentile(0.5), limit),
        "p75" => (ObjectiveMeasure::Percentile(0.75), limit),
        "p90" => (ObjectiveMeasure::Percentile(0.9), limit),
        "p95" => (ObjectiveMeasure::Percentile(0.95), limit),
        "p99" => (ObjectiveMeasure::Percentile(0.99), limit),
        "p999" => (ObjectiveMeasure::Percentile(0.999), limit),
        "mean" => (ObjectiveMeasure::Mean, limit),
        "max" => (ObjectiveMeasure::Longest, limit),
        _ => return None,
    };
    Some(GivenObjective {
        text: expression.to_owned(),
        measure,
        most,
        endpoint: None,
        is_of_starts: false,
        verdict: None,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use loadline_metrics::threshold::{Condition, Phase, ThresholdSource, Thresholds};
    use loadline_metrics::{Merger, Registry, Shard, Submetrics, TagSetId, builtin};
    use loadline_record::Run;
    use loadline_units::WorkerId;

    use super::*;

    fn read(metric: &str, condition: &str) -> Option<(ObjectiveMeasure, f64, Option<String>)> {
        let threshold = ThresholdInfo {
            metric: metric.to_owned(),
            condition: Some(condition.to_owned()),
        };
        let about = RunInfo {
            thresholds: vec![threshold],
            ..RunInfo::default()
        };
        let found = objectives(&about).pop()?;
        Some((found.measure, found.most, found.endpoint))
    }

    #[test]
    fn thresholds_of_times_failures_and_checks_are_objectives() {
        let p95 = ObjectiveMeasure::Percentile(0.95);
        assert_eq!(
            read("http_req_duration", "p(95)<500"),
            Some((p95, 500.0, None))
        );
        assert_eq!(
            read("intended_latency", "p(95)<=500"),
            Some((p95, 500.0, None))
        );
        assert_eq!(
            read("http_req_failed", "rate<0.01"),
            Some((ObjectiveMeasure::Failed, 0.01, None))
        );
        assert_eq!(
            read("checks", "rate>0.75"),
            Some((ObjectiveMeasure::ChecksFailed, 0.25, None))
        );
        let of_endpoint = read("http_req_duration{name:/orders}", "avg<100");
        assert_eq!(
            of_endpoint,
            Some((ObjectiveMeasure::Mean, 100.0, Some("/orders".to_owned())))
        );
    }

    #[test]
    fn what_is_not_about_the_times_of_all_requests_or_of_an_endpoint_is_none() {
        assert_eq!(read("my_trend", "p(95)<500"), None);
        assert_eq!(read("http_reqs", "rate>100"), None);
        assert_eq!(read("http_req_duration{scenario:buy}", "p(95)<500"), None);
        assert_eq!(read("http_req_duration", "min>5"), None);
        assert_eq!(
            read("http_req_duration{name:a,status:200}", "p(95)<500"),
            None
        );
    }

    #[test]
    fn a_goal_of_a_run_that_is_over_has_its_verdict() {
        let about = RunInfo {
            thresholds: ["http_req_failed", "checks"]
                .map(|metric| ThresholdInfo {
                    metric: metric.to_owned(),
                    condition: Some(
                        if metric == "checks" {
                            "rate>0.9"
                        } else {
                            "rate<0.15"
                        }
                        .to_owned(),
                    ),
                })
                .to_vec(),
            ..RunInfo::default()
        };
        let sources = about.thresholds.iter().map(|threshold| ThresholdSource {
            metric: threshold.metric.clone(),
            conditions: vec![Condition {
                text: threshold.condition.clone().unwrap(),
                abort_on_fail: false,
                delay_abort: None,
            }],
        });
        let sources: Vec<ThresholdSource> = sources.collect();
        let registry = Arc::new(Registry::new());
        let mut parts = Submetrics::default();
        let mut thresholds = Thresholds::compile(&sources, &registry, &mut parts).unwrap();
        let mut shard = Shard::new(WorkerId(0), Arc::clone(&registry));
        for sample in [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] {
            shard.record(builtin::HTTP_REQ_FAILED, TagSetId::EMPTY, sample);
        }
        for sample in [1.0, 1.0, 1.0, 0.0] {
            shard.record(builtin::CHECKS, TagSetId::EMPTY, sample);
        }
        let mut merger = Merger::new(1, Arc::clone(&registry), parts);
        merger.absorb(shard.take_window(0));
        merger.next_ready().unwrap();
        let second = Duration::from_secs(1);
        thresholds.evaluate(merger.totals(), second, Phase::Final);
        let summary = Summary::new(&merger, &registry, &thresholds, Run::finished(second));
        let judged = with_verdicts(objectives(&about), &about, &summary);
        let verdicts: Vec<_> = judged.iter().map(|one| one.verdict.unwrap()).collect();
        assert_eq!((verdicts[0].value, verdicts[0].is_missed), (0.125, false));
        assert_eq!((verdicts[1].value, verdicts[1].is_missed), (0.25, true));
    }

    #[test]
    fn conditions_of_artillery_files_are_objectives() {
        let about = RunInfo {
            conditions: vec![
                "http.response_time.p95 < 250 and http.response_time.max < 2000".to_owned(),
                "maxErrorRate < 2".to_owned(),
                "p99 < 300".to_owned(),
                "vusers.created > 5".to_owned(),
            ],
            ..RunInfo::default()
        };
        let found: Vec<(ObjectiveMeasure, f64)> = objectives(&about)
            .iter()
            .map(|one| (one.measure, one.most))
            .collect();
        let expected = [
            (ObjectiveMeasure::Percentile(0.95), 250.0),
            (ObjectiveMeasure::Longest, 2000.0),
            (ObjectiveMeasure::Failed, 0.02),
            (ObjectiveMeasure::Percentile(0.99), 300.0),
        ];
        assert_eq!(found, expected);
    }
}
