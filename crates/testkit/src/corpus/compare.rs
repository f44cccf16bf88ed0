//! Recording against observation: what differs.

use std::collections::BTreeMap;
use std::fmt;

use super::observation::{Metric, Observation};
use super::recording::{Expected, Recording, Value, as_lines, masked};
use super::{Directives, Line, Tolerance, normalise};

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What differs: `exit`, `console`, `checks.::name`, `metrics.NAME.STATISTIC`, ...
    pub what: String,
    /// What k6 showed.
    pub expected: String,
    /// What the binary under test showed.
    pub got: String,
    /// Only told, not counted: texts of log lines and numbers of connections are no part of the promise.
    pub note: bool,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.note { " (note)" } else { "" };
        write!(
            f,
            "{}{kind}: k6 {}, here {}",
            self.what, self.expected, self.got
        )
    }
}

/// Collects findings.
struct Findings(Vec<Finding>);

impl Findings {
    fn check(&mut self, what: &str, expected: &impl fmt::Debug, got: &impl fmt::Debug, same: bool) {
        if !same {
            let (expected, got) = (format!("{expected:?}"), format!("{got:?}"));
            self.0.push(Finding {
                what: what.to_owned(),
                expected,
                got,
                note: false,
            });
        }
    }
}

/// Everything in which `got` differs from what k6 did.
#[must_use]
pub fn compare(expected: &Recording, got: &Observation, directives: &Directives) -> Vec<Finding> {
    let mut findings = Findings(Vec::new());
    let stable = |what: &str| !expected.unstable.iter().any(|name| name == what);
    findings.check(
        "exit",
        &expected.exit,
        &got.exit,
        expected.exit == got.exit || !stable("exit"),
    );
    if let Some(console) = &expected.console {
        lines(
            "console",
            console,
            &got.console,
            expected.ordered,
            false,
            &mut findings,
        );
    }
    if let Some(log) = &expected.log {
        lines("log", log, &got.log, false, true, &mut findings);
    }
    for (name, text) in &expected.texts {
        let got = got
            .texts
            .get(name)
            .map(|text| as_lines(text))
            .unwrap_or_default();
        lines(name, text, &got, true, false, &mut findings);
    }
    findings.check(
        "summary",
        &expected.summary,
        &got.summary,
        expected.summary == got.summary,
    );
    if expected.summary && got.summary {
        checks(expected, got, directives, &mut findings);
        findings.check(
            "groups",
            &expected.groups,
            &got.groups,
            expected.groups == got.groups,
        );
        metrics(expected, got, directives, &mut findings);
    }
    requests(expected, got, directives, &mut findings);
    if let Some(connections) = expected
        .connections
        .filter(|count| *count != got.server.connections)
    {
        let (expected, got) = (connections.to_string(), got.server.connections.to_string());
        findings.0.push(Finding {
            what: "connections".to_owned(),
            expected,
            got,
            note: true,
        });
    }
    findings.0
}

fn lines(
    what: &str,
    expected: &Expected,
    got: &[Line],
    ordered: bool,
    note: bool,
    findings: &mut Findings,
) {
    let mut rest = got.to_vec();
    if !ordered {
        rest.sort();
    }
    let mut missing: Vec<Line> = Vec::new();
    let wanted = if ordered && !expected.masked.is_empty() {
        rest = rest.iter().map(masked).collect();
        &expected.masked
    } else {
        &expected.lines
    };
    if ordered {
        if let Some((index, (expected, got))) = first_difference(wanted, &rest) {
            let what = format!("{what}[{index}]");
            findings.0.push(Finding {
                what,
                expected,
                got,
                note,
            });
        }
        return;
    }
    for line in wanted {
        match rest.iter().position(|other| other == line) {
            Some(index) => drop(rest.remove(index)),
            None => missing.push(line.clone()),
        }
    }
    if !expected.masked.is_empty() {
        rest = rest.iter().map(masked).collect();
        for line in &expected.masked {
            match rest.iter().position(|other| other == line) {
                Some(index) => drop(rest.remove(index)),
                None => missing.push(line.clone()),
            }
        }
    }
    if !missing.is_empty() || !rest.is_empty() {
        let show = |lines: &[Line]| match lines.first() {
            None => "nothing more".to_owned(),
            Some(line) => format!(
                "{} {:?} ({} such lines)",
                line.level,
                line.text,
                lines.len()
            ),
        };
        findings.0.push(Finding {
            what: what.to_owned(),
            expected: show(&missing),
            got: show(&rest),
            note,
        });
    }
}

fn first_difference(expected: &[Line], got: &[Line]) -> Option<(usize, (String, String))> {
    let show = |line: Option<&Line>| match line {
        None => "nothing more".to_owned(),
        Some(line) => format!("{} {:?}", line.level, line.text),
    };
    (0..expected.len().max(got.len()))
        .find(|index| expected.get(*index) != got.get(*index))
        .map(|index| (index, (show(expected.get(index)), show(got.get(index)))))
}

fn near(expected: f64, got: f64, tolerance: Option<Tolerance>) -> bool {
    tolerance.is_some_and(|tolerance| tolerance.accepts(expected, got))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of a three-second test are far below 2^53"
)]
fn checks(
    expected: &Recording,
    got: &Observation,
    directives: &Directives,
    findings: &mut Findings,
) {
    for (path, tally) in &expected.checks {
        let seen = got.checks.get(path);
        let tolerance = directives.tolerance("checks");
        let same = seen.is_some_and(|seen| {
            seen == tally
                || (near(tally.passes as f64, seen.passes as f64, tolerance)
                    && near(tally.fails as f64, seen.fails as f64, tolerance))
        });
        findings.check(&format!("checks.{path}"), tally, &seen, same);
    }
    let known = |path: &String| {
        expected.checks.contains_key(path)
            || expected
                .unstable
                .iter()
                .any(|name| *name == format!("checks.{path}"))
    };
    for (path, tally) in got.checks.iter().filter(|(path, _)| !known(path)) {
        findings.check(&format!("checks.{path}"), &"no such check", tally, false);
    }
}

fn metrics(
    expected: &Recording,
    got: &Observation,
    directives: &Directives,
    findings: &mut Findings,
) {
    let seconds = expected.seconds;
    for (name, value) in &expected.metrics {
        match got.metrics.get(name) {
            Some(metric) => statistics(name, value, metric, directives, findings),
            None => {
                let forgiven = normalise::may_be_absent(name, seconds);
                findings.check(
                    &format!("metrics.{name}"),
                    &value.kind,
                    &"no such metric",
                    forgiven,
                );
            }
        }
    }
    let known = |name: &String| {
        expected.metrics.contains_key(name)
            || expected
                .unstable
                .iter()
                .any(|other| *other == format!("metrics.{name}"))
            || normalise::may_be_absent(name, seconds)
    };
    for (name, metric) in got.metrics.iter().filter(|(name, _)| !known(name)) {
        findings.check(
            &format!("metrics.{name}"),
            &"no such metric",
            &metric.kind,
            false,
        );
    }
}

fn statistics(
    name: &str,
    expected: &Value,
    got: &Metric,
    directives: &Directives,
    findings: &mut Findings,
) {
    let what = format!("metrics.{name}");
    let kind = expected.kind == got.kind;
    findings.check(&format!("{what}.type"), &expected.kind, &got.kind, kind);
    let names: Vec<String> = got.values.keys().cloned().collect();
    findings.check(
        &format!("{what}.statistics"),
        &expected.statistics,
        &names,
        expected.statistics == names,
    );
    for (statistic, number) in &expected.values {
        let what = format!("{what}.{statistic}");
        let Some(seen) = got.values.get(statistic) else {
            continue;
        };
        let tolerance = directives.tolerance(&format!("{name}.{statistic}"));
        let class = normalise::class(name, &expected.kind, statistic);
        let same = normalise::same(class, *number, *seen) || near(*number, *seen, tolerance);
        findings.check(&what, number, seen, same);
    }
    for (expression, failed) in &expected.thresholds {
        let seen = got.thresholds.get(expression);
        let word = |failed: &bool| if *failed { "failed" } else { "passed" };
        let what = format!("{what}.thresholds.{expression}");
        findings.check(&what, &word(failed), &seen.map(word), seen == Some(failed));
    }
    for expression in got
        .thresholds
        .keys()
        .filter(|key| !expected.thresholds.contains_key(*key))
    {
        findings.check(
            &format!("{what}.thresholds.{expression}"),
            &"no such threshold",
            &"one",
            false,
        );
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of a three-second test are far below 2^53"
)]
fn requests(
    expected: &Recording,
    got: &Observation,
    directives: &Directives,
    findings: &mut Findings,
) {
    let empty = BTreeMap::new();
    let got = if got.server.requests.is_empty() {
        &empty
    } else {
        &got.server.requests
    };
    let tolerance = directives
        .tolerance("http_reqs")
        .or_else(|| directives.tolerance("requests"));
    for (what, count) in &expected.requests {
        let seen = got.get(what).copied().unwrap_or_default();
        let same = seen == *count || near(*count as f64, seen as f64, tolerance);
        findings.check(&format!("requests.{what}"), count, &seen, same);
    }
    let known = |what: &String| {
        expected.requests.contains_key(what)
            || expected
                .unstable
                .iter()
                .any(|name| *name == format!("requests.{what}"))
    };
    for (what, count) in got.iter().filter(|(what, _)| !known(what)) {
        findings.check(&format!("requests.{what}"), &0, count, false);
    }
}
