//! Mistakes in thresholds and plans as problems for the user.

use loadline_metrics::threshold::{ExpressionError, ThresholdError};
use loadline_metrics::{Kind, SubmetricError};
use loadline_testplan::PlanError;
use loadline_text::{Problem, problem};

/// A threshold's mistake.
#[must_use]
pub fn of_threshold(mistake: &ThresholdError) -> Problem {
    match mistake {
        ThresholdError::Expression {
            metric,
            text,
            cause,
        } => match cause {
            ExpressionError::Malformed { .. } => problem::threshold_malformed(metric, text),
            ExpressionError::UnknownStatistic { found } => {
                problem::threshold_statistic(metric, text, found)
            }
            ExpressionError::MalformedPercentile { found } => {
                problem::threshold_percentile_text(metric, text, found)
            }
            ExpressionError::PercentileOutOfRange { found } => {
                problem::threshold_percentile(metric, text, found)
            }
            ExpressionError::MalformedWindow { found } => {
                problem::threshold_window(metric, text, found)
            }
            ExpressionError::MalformedLimit { found } => {
                problem::threshold_limit(metric, text, found)
            }
        },
        ThresholdError::Metric { metric, cause } => match cause {
            SubmetricError::UnknownMetric {
                nearest: Some(meant),
                ..
            } => problem::threshold_metric_misspelt(metric, meant),
            SubmetricError::UnknownMetric { .. } => problem::threshold_metric(metric),
            SubmetricError::Unmatched { .. }
            | SubmetricError::ClosedBeforeOpened { .. }
            | SubmetricError::NotLast { .. }
            | SubmetricError::MalformedTag { .. } => problem::threshold_name(metric),
        },
        ThresholdError::Unsupported {
            metric,
            text,
            method,
            kind,
        } => problem::threshold_kind(metric, text, method, kind, statistics(*kind)),
    }
}

/// A plan's mistake.
#[must_use]
pub fn of_plan(mistake: &PlanError) -> Problem {
    match mistake {
        PlanError::Scenario { name, mistakes } => {
            let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
            problem::scenario_invalid(name, texts.join("; "))
        }
        PlanError::SetupTimeout => positive("setupTimeout"),
        PlanError::TeardownTimeout => positive("teardownTimeout"),
        PlanError::SameName(name) => problem::scenario_invalid(name, mistake),
    }
}

fn positive(option: &str) -> Problem {
    problem::option_invalid(option, "≤ 0", "> 0")
}

fn statistics(kind: Kind) -> &'static str {
    match kind {
        Kind::Counter => "count, rate",
        Kind::Gauge => "value",
        Kind::Rate => "rate",
        Kind::Trend => "avg, min, med, max, p(N)",
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use loadline_metrics::threshold::{Condition, ThresholdSource, Thresholds};
    use loadline_metrics::{Registry, Submetrics};
    use loadline_testplan::Plan;
    use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft, SignedDuration};
    use loadline_text::{Catalog, Lang};

    use super::*;

    #[test]
    fn every_mistake_in_thresholds_and_plans_has_its_words() {
        let wrong = [
            ("http_reqs", "count"),
            ("http_reqs", "sum<1"),
            ("http_req_duration", "p(x)<1"),
            ("http_req_duration", "p(950)<300"),
            ("http_reqs", "count<3s"),
            ("http_reqs", "count<3 every 50ms"),
            ("http_reqs", "p(95)<300"),
            ("orders", "count<1"),
            ("http_reqs{a}", "count<1"),
        ];
        let sources = wrong.map(|(metric, text)| ThresholdSource {
            metric: metric.to_owned(),
            conditions: vec![Condition {
                text: text.to_owned(),
                abort_on_fail: false,
                delay_abort: None,
            }],
        });
        let compiled = Thresholds::compile(&sources, &Registry::new(), &mut Submetrics::default());
        let mut problems: Vec<Problem> = compiled.unwrap_err().iter().map(of_threshold).collect();
        let nothing = ExecutorDraft::ConstantVus {
            vus: Some(0),
            duration: None,
        };
        let plan = Plan::check(PlanDraft {
            scenarios: vec![ScenarioDraft::new("a b", nothing)],
            setup_timeout: Some(SignedDuration(0)),
            ..PlanDraft::default()
        });
        problems.extend(plan.unwrap_err().iter().map(of_plan));

        let mut text = String::new();
        for lang in Lang::ALL {
            let catalog = Catalog::new(lang);
            for problem in &problems {
                let _ = writeln!(text, "{}", catalog.problem(problem));
            }
        }
        insta::assert_snapshot!(text);
    }
}
