//! Recording against observation: what differs.

use std::collections::BTreeMap;
use std::fmt;

use super::log::unsourced;
use super::observation::{Metric, Observation};
use super::recording::{Expected, Recording, Value, as_lines, masked};
use super::{Directives, Line, Tolerance, normalise, times};

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What differs: `exit`, `console`, `checks.::name`, `metrics.NAME.STATISTIC`, ...
    pub what: String,
    /// What k6 showed.
    pub expected: String,
    /// What the binary under test showed.
    pub got: String,
    /// Only told, not counted: numbers of connections are no part of the promise.
    pub note: bool,
    /// A measured time that is off: that may be the machine, so the script is measured again alone.
    pub is_time: bool,
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
                is_time: false,
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
            &mut findings,
        );
    }
    if let Some(log) = &expected.log {
        let got: Vec<Line> = if expected.sources {
            got.log.clone()
        } else {
            got.log.iter().map(unsourced).collect()
        };
        lines("log", log, &got, expected.log_ordered, &mut findings);
    }
    for (name, text) in &expected.texts {
        let got = got
            .texts
            .get(name)
            .map(|text| as_lines(text))
            .unwrap_or_default();
        lines(name, text, &got, true, &mut findings);
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
        for (rule, values) in times::broken_rules(&got.metrics) {
            let same = !stable(&rule);
            findings.check(&rule, &"kept", &values, same);
        }
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
            is_time: false,
        });
    }
    findings.0
}

/// Lines that one side has and the other has not, each pair a difference of its own.
fn lines(what: &str, expected: &Expected, got: &[Line], ordered: bool, findings: &mut Findings) {
    let is_masked = !expected.masked.is_empty();
    let all_masked = |lines: &[Line]| lines.iter().map(masked).collect::<Vec<_>>();
    let (missing, surplus) = match (ordered, is_masked) {
        (true, false) => apart_in_order(&expected.lines, got),
        (true, true) => apart_in_order(&expected.masked, &all_masked(got)),
        (false, false) => apart(&expected.lines, got.to_vec()),
        (false, true) => {
            let (mut missing, rest) = apart(&expected.lines, got.to_vec());
            let (also, rest) = apart(&expected.masked, all_masked(&rest));
            missing.extend(also);
            (missing, rest)
        }
    };
    let show = |line: Option<&Line>| match line {
        None => "nothing more".to_owned(),
        Some(line) => format!("{} {:?}", line.level, line.text),
    };
    for index in 0..missing.len().max(surplus.len()) {
        findings.0.push(Finding {
            what: format!("{what}[{index}]"),
            expected: show(missing.get(index)),
            got: show(surplus.get(index)),
            note: false,
            is_time: false,
        });
    }
}

/// What of `wanted` is not in `got`, and the rest of `got`.
fn apart(wanted: &[Line], mut got: Vec<Line>) -> (Vec<Line>, Vec<Line>) {
    let mut missing = Vec::new();
    for line in wanted {
        match got.iter().position(|other| other == line) {
            Some(index) => drop(got.remove(index)),
            None => missing.push(line.clone()),
        }
    }
    (missing, got)
}

/// The same where order counts: what is outside the longest common sequence.
fn apart_in_order(wanted: &[Line], got: &[Line]) -> (Vec<Line>, Vec<Line>) {
    let begins = wanted.iter().zip(got).take_while(|(a, b)| a == b).count();
    let (wanted, got) = (&wanted[begins..], &got[begins..]);
    let ends = wanted
        .iter()
        .rev()
        .zip(got.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (wanted, got) = (&wanted[..wanted.len() - ends], &got[..got.len() - ends]);
    // common[i][j]: length of the longest common sequence of wanted[i..] and got[j..].
    let mut common = vec![vec![0_usize; got.len() + 1]; wanted.len() + 1];
    for i in (0..wanted.len()).rev() {
        for j in (0..got.len()).rev() {
            common[i][j] = if wanted[i] == got[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut missing, mut surplus) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < wanted.len() || j < got.len() {
        let both = i < wanted.len() && j < got.len();
        if both && wanted[i] == got[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == got.len() || (both && common[i + 1][j] >= common[i][j + 1]) {
            missing.push(wanted[i].clone());
            i += 1;
        } else {
            surplus.push(got[j].clone());
            j += 1;
        }
    }
    (missing, surplus)
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
            Some(metric) => {
                statistics(name, value, metric, got.slowness, directives, findings);
            }
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
    slowness: f64,
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
    for (statistic, spread) in &expected.times {
        let Some(seen) = got.values.get(statistic) else {
            continue;
        };
        let class = normalise::class(name, &expected.kind, statistic);
        let is_sooner = !directives.computes && spread.is_sooner(class, *seen);
        let same = !is_sooner && !spread.is_later(class, *seen, slowness);
        let what = format!("{what}.{statistic}");
        findings.check(&what, &spread.to_string(), seen, same);
        if let Some(finding) = findings.0.last_mut().filter(|_| !same) {
            finding.is_time = true;
        }
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
