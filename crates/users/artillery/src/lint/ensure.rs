//! Metrics that checks of `ensure` name and no run has.

use std::sync::LazyLock;

use crate::finding::{Diagnostic, DiagnosticKind};
use crate::model::Script;
use crate::yaml::Mark;

/// What summaries are asked for.
const AGGREGATIONS: [&str; 10] = [
    "min", "max", "mean", "median", "p50", "p75", "p90", "p95", "p99", "p999",
];

const SUMMARIES: [&str; 6] = [
    "http.response_time",
    "http.response_time.2xx",
    "http.response_time.3xx",
    "http.response_time.4xx",
    "http.response_time.5xx",
    "vusers.session_length",
];

const OTHERS: [&str; 14] = [
    "http.requests",
    "http.responses",
    "http.request_rate",
    "http.downloaded_bytes",
    "vusers.created",
    "vusers.completed",
    "vusers.failed",
    "vusers.skipped",
    "websocket.messages_sent",
    "websocket.messages_received",
    "websocket.send_rate",
    "websocket.receive_rate",
    "plugins.expect.ok",
    "plugins.expect.failed",
];

static KNOWN: LazyLock<Vec<String>> = LazyLock::new(|| {
    let of_summary = |name| {
        let parts = AGGREGATIONS.iter();
        parts.map(move |part| format!("{name}.{part}"))
    };
    let summaries = SUMMARIES.iter().flat_map(of_summary);
    summaries
        .chain(OTHERS.iter().map(|name| (*name).to_owned()))
        .collect()
});

/// Looks through the checks. A name that is far from all known ones may be the user's own.
pub(crate) fn check(script: &Script, mark: Mark, findings: &mut Vec<Diagnostic>) {
    let checks = script
        .config
        .ensure
        .iter()
        .flat_map(|ensure| &ensure.checks);
    for check in checks {
        let is_part = |c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-'));
        for name in check.expression.split(is_part) {
            if !name.contains('.') || KNOWN.iter().any(|known| known == name) {
                continue;
            }
            let known = KNOWN.iter().map(String::as_str);
            if let Some(nearest) = loadline_units::nearest(name, known) {
                findings.push(Diagnostic {
                    mark,
                    kind: DiagnosticKind::UnknownMetric {
                        name: name.to_owned(),
                        nearest: nearest.to_owned(),
                    },
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Config, Ensure, EnsureCheck};

    fn found(expression: &str) -> Vec<String> {
        let check = EnsureCheck {
            expression: expression.to_owned(),
            shown: String::new(),
            strict: true,
        };
        let ensure = Some(Ensure {
            checks: vec![check],
        });
        let script = Script {
            config: Config {
                ensure,
                ..Config::default()
            },
            scenarios: Vec::new(),
            before: None,
            after: None,
        };
        let mut findings = Vec::new();
        super::check(&script, Mark::default(), &mut findings);
        let nearest = findings.into_iter().map(|finding| match finding.kind {
            DiagnosticKind::UnknownMetric { nearest, .. } => nearest,
            other => panic!("{other}"),
        });
        nearest.collect()
    }

    #[test]
    fn misspelt_metrics_are_told_and_own_ones_are_not() {
        assert_eq!(
            found("http.respnse_time.p95 < 5 and http.requests > 1"),
            ["http.response_time.p95"]
        );
        assert_eq!(found("http.codes.500 < 1 and orders.placed > 2.5"), [""; 0]);
    }
}
