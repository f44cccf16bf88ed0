//! What k6 did with a script, twice. What differs between the two runs is not kept, so it is never compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::observation::{Metric, Observation, Tally};
use super::{CorpusError, Directives, Line, normalise};
use crate::server::Stats;

/// Lines to expect. Where two runs of k6 agreed only after masking numbers, so does the comparison.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Expected {
    /// Lines, in order when the list is `ordered`.
    pub lines: Vec<Line>,
    /// Lines with numbers masked, compared masked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub masked: Vec<Line>,
}

/// Statistics of a metric; those that differed between the runs are left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// `counter`, `gauge`, `rate` or `trend`.
    pub kind: String,
    /// Names of all statistics.
    pub statistics: Vec<String>,
    /// Values to compare.
    pub values: BTreeMap<String, f64>,
    /// Threshold expression to whether it failed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub thresholds: BTreeMap<String, bool>,
}

/// The recorded result of one script.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// Version line of k6.
    pub k6: String,
    /// How it was started.
    pub command: String,
    /// Hash of the test server's source.
    pub server: String,
    /// Hash of the script.
    pub script: String,
    /// Stand-ins that replaced remote modules, which k6 cannot fetch here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stand_ins: Vec<String>,
    /// Exit code.
    pub exit: i32,
    /// Seconds the test ran.
    pub seconds: Option<f64>,
    /// Virtual users at most, by k6's banner.
    pub max_vus: Option<u64>,
    /// Whether lines are compared in order.
    pub ordered: bool,
    /// Console lines; None when the two runs had nothing to compare.
    pub console: Option<Expected>,
    /// Other log lines.
    pub log: Option<Expected>,
    /// Whether a summary was exported.
    pub summary: bool,
    /// Check path to its tally.
    pub checks: BTreeMap<String, Tally>,
    /// Paths of the groups.
    pub groups: BTreeSet<String>,
    /// Metrics of the exported summary.
    pub metrics: BTreeMap<String, Value>,
    /// What `@compare` asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, Expected>,
    /// `METHOD path status` to the number of requests the server saw.
    pub requests: BTreeMap<String, u64>,
    /// Connections the server accepted; None when the runs differed.
    pub connections: Option<u64>,
    /// What differed between the two runs, and is not compared.
    pub unstable: Vec<String>,
}

impl Recording {
    /// Keeps what two runs agree on.
    #[must_use]
    pub fn of(first: &Observation, second: &Observation, directives: &Directives) -> Self {
        let mut unstable = Vec::new();
        let ordered = directives.ordered || first.max_vus.is_none_or(|vus| vus <= 1);
        let mut lines = |name: &str, a: &[Line], b: &[Line], ordered| {
            let agreed = agree(a, b, ordered);
            if agreed
                .as_ref()
                .is_none_or(|expected| !expected.masked.is_empty())
            {
                unstable.push(name.to_owned());
            }
            agreed
        };
        let console = lines("console", &first.console, &second.console, ordered);
        let log = lines("log", &first.log, &second.log, false);
        let mut texts = BTreeMap::new();
        for (name, text) in &first.texts {
            let other = second.texts.get(name).cloned().unwrap_or_default();
            if let Some(expected) = lines(name, &as_lines(text), &as_lines(&other), true) {
                texts.insert(name.clone(), expected);
            }
        }
        let checks = common("checks", &first.checks, &second.checks, &mut unstable);
        let mut requests = common(
            "requests",
            &first.server.requests,
            &second.server.requests,
            &mut unstable,
        );
        tolerate(&mut requests, first, second, directives, &mut unstable);
        let metrics = metrics(first, second, directives, &mut unstable);
        if first.exit != second.exit {
            unstable.push("exit".to_owned());
        }
        let connections = (first.server.connections == second.server.connections)
            .then_some(first.server.connections);
        Self {
            exit: first.exit,
            seconds: first
                .seconds()
                .map(|seconds| (seconds * 10.0).round() / 10.0),
            max_vus: first.max_vus,
            ordered,
            console,
            log,
            summary: first.summary,
            checks,
            groups: first.groups.intersection(&second.groups).cloned().collect(),
            metrics,
            texts,
            requests,
            connections,
            unstable,
            ..Self::default()
        }
    }

    /// A run that does exactly what was recorded: what a perfect binary would show.
    #[must_use]
    pub fn replay(&self) -> Observation {
        let lines = |expected: &Option<Expected>| match expected {
            Some(expected) => [expected.lines.clone(), expected.masked.clone()].concat(),
            None => Vec::new(),
        };
        let metric = |value: &Value| {
            let statistic = |name: &String| {
                (
                    name.clone(),
                    value.values.get(name).copied().unwrap_or_default(),
                )
            };
            Metric {
                kind: value.kind.clone(),
                values: value.statistics.iter().map(statistic).collect(),
                thresholds: value.thresholds.clone(),
            }
        };
        let text = |expected: &Expected| {
            let lines = expected.lines.iter().chain(&expected.masked);
            lines.map(|line| line.text.clone()).collect::<Vec<_>>()
        };
        Observation {
            exit: self.exit,
            console: lines(&self.console),
            log: lines(&self.log),
            checks: self.checks.clone(),
            groups: self.groups.clone(),
            metrics: self
                .metrics
                .iter()
                .map(|(name, value)| (name.clone(), metric(value)))
                .collect(),
            summary: self.summary,
            texts: self
                .texts
                .iter()
                .map(|(name, expected)| (name.clone(), text(expected)))
                .collect(),
            server: Stats {
                connections: self.connections.unwrap_or_default(),
                requests: self.requests.clone(),
            },
            max_vus: self.max_vus,
        }
    }

    /// Reads a recorded result.
    ///
    /// # Errors
    /// When the file is missing or malformed.
    pub fn read(path: &Path) -> Result<Self, CorpusError> {
        let text = std::fs::read_to_string(path).map_err(|error| CorpusError::file(path, error))?;
        serde_json::from_str(&text).map_err(|error| CorpusError::format(path, error))
    }

    /// Writes it, one field per line, so that changes can be read.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CorpusError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| CorpusError::file(folder, error))?;
        }
        let text =
            serde_json::to_string_pretty(self).map_err(|error| CorpusError::format(path, error))?;
        std::fs::write(path, text + "\n").map_err(|error| CorpusError::file(path, error))
    }
}

pub(super) fn as_lines(text: &[String]) -> Vec<Line> {
    text.iter()
        .map(|line| Line {
            level: String::new(),
            text: line.clone(),
        })
        .collect()
}

pub(super) fn masked(line: &Line) -> Line {
    Line {
        level: line.level.clone(),
        text: normalise::masked(&line.text),
    }
}

/// Lines two runs agree on: as they are, else those that agree once numbers are masked, else nothing.
fn agree(first: &[Line], second: &[Line], ordered: bool) -> Option<Expected> {
    let (mut a, mut b) = (first.to_vec(), second.to_vec());
    if !ordered {
        a.sort();
        b.sort();
    }
    if a == b {
        return Some(Expected {
            lines: a,
            masked: Vec::new(),
        });
    }
    if ordered {
        let same = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| masked(a) == masked(b));
        return same.then(|| Expected {
            lines: Vec::new(),
            masked: a.iter().map(masked).collect(),
        });
    }
    let mut lines = Vec::new();
    a.retain(|line| match b.iter().position(|other| other == line) {
        Some(index) => {
            lines.push(b.remove(index));
            false
        }
        None => true,
    });
    let mask = |rest: &[Line]| {
        let mut rest: Vec<Line> = rest.iter().map(masked).collect();
        rest.sort();
        rest
    };
    (mask(&a) == mask(&b)).then(|| Expected {
        lines,
        masked: mask(&a),
    })
}

fn common<V: Clone + PartialEq>(
    name: &str,
    first: &BTreeMap<String, V>,
    second: &BTreeMap<String, V>,
    unstable: &mut Vec<String>,
) -> BTreeMap<String, V> {
    let mut kept = BTreeMap::new();
    for key in first
        .keys()
        .chain(second.keys().filter(|key| !first.contains_key(*key)))
    {
        match (first.get(key), second.get(key)) {
            (Some(a), Some(b)) if a == b => {
                kept.insert(key.clone(), a.clone());
            }
            _ => unstable.push(format!("{name}.{key}")),
        }
    }
    kept
}

/// Takes back request counts that moved within what the script allows.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of a three-second test are far below 2^53"
)]
fn tolerate(
    requests: &mut BTreeMap<String, u64>,
    first: &Observation,
    second: &Observation,
    directives: &Directives,
    unstable: &mut Vec<String>,
) {
    let Some(tolerance) = directives.tolerance("http_reqs") else {
        return;
    };
    for (what, a) in &first.server.requests {
        let b = second
            .server
            .requests
            .get(what)
            .copied()
            .unwrap_or_default();
        if *a != b && tolerance.accepts(*a as f64, b as f64) {
            requests.insert(what.clone(), *a.max(&b));
            unstable.retain(|name| *name != format!("requests.{what}"));
        }
    }
}

fn metrics(
    first: &Observation,
    second: &Observation,
    directives: &Directives,
    unstable: &mut Vec<String>,
) -> BTreeMap<String, Value> {
    let mut kept = BTreeMap::new();
    for name in first.metrics.keys().chain(second.metrics.keys()) {
        let (Some(a), Some(b)) = (first.metrics.get(name), second.metrics.get(name)) else {
            unstable.push(format!("metrics.{name}"));
            continue;
        };
        if kept.contains_key(name) {
            continue;
        }
        let mut value = Value {
            kind: a.kind.clone(),
            statistics: a.values.keys().cloned().collect(),
            thresholds: common(
                &format!("metrics.{name}.thresholds"),
                &a.thresholds,
                &b.thresholds,
                unstable,
            ),
            ..Value::default()
        };
        for (statistic, number) in &a.values {
            let class = normalise::class(name, &a.kind, statistic);
            let other = b.values.get(statistic).copied().unwrap_or(f64::NAN);
            if class == normalise::Class::Skip {
                continue;
            }
            if normalise::same(class, *number, other) {
                value
                    .values
                    .insert(statistic.clone(), normalise::recorded(class, *number));
            } else if directives
                .tolerance(&format!("{name}.{statistic}"))
                .is_some_and(|tolerance| tolerance.accepts(*number, other))
            {
                // The middle is as near to either run as can be.
                value
                    .values
                    .insert(statistic.clone(), f64::midpoint(*number, other));
            } else {
                unstable.push(format!("metrics.{name}.{statistic}"));
            }
        }
        kept.insert(name.clone(), value);
    }
    unstable.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<Line> {
        as_lines(&texts.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn order_does_not_matter_between_several_users() {
        let agreed = agree(&lines(&["b", "a"]), &lines(&["a", "b"]), false).unwrap();
        assert_eq!(agreed.lines, lines(&["a", "b"]));
        assert_eq!(agree(&lines(&["b", "a"]), &lines(&["a", "b"]), true), None);
    }

    #[test]
    fn moving_numbers_are_masked_and_nothing_else() {
        let agreed = agree(&lines(&["x", "took 12"]), &lines(&["x", "took 9"]), false).unwrap();
        assert_eq!(
            (agreed.lines, agreed.masked),
            (lines(&["x"]), lines(&["took #"]))
        );
        assert_eq!(
            agree(&lines(&["took 12"]), &lines(&["lasted 12"]), false),
            None
        );
    }

    #[test]
    fn a_count_that_moves_between_runs_is_not_kept() {
        let with = |count: f64| {
            let mut seen = Observation::default();
            let values = BTreeMap::from([("count".to_owned(), count), ("rate".to_owned(), count)]);
            seen.metrics.insert(
                "hits".into(),
                super::super::Metric {
                    kind: "counter".into(),
                    values,
                    ..Default::default()
                },
            );
            seen
        };
        let recording = Recording::of(&with(3.0), &with(4.0), &Directives::default());
        assert!(recording.metrics["hits"].values.is_empty());
        assert_eq!(recording.unstable, ["metrics.hits.count"]);
    }
}
