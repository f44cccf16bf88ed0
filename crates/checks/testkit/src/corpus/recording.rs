//! What k6 did with a script, several times. What differs between the runs is not kept, so it is never compared;
//! of a time the runs' spread is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::observation::{Metric, Observation, Tally};
use super::times::Spread;
use super::{CorpusError, Directives, Line, normalise, times};
use crate::server::Stats;

/// Lines to expect. Where the runs of k6 agreed only after masking numbers, so does the comparison.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Expected {
    /// Lines, in order when the list is `ordered`.
    pub lines: Vec<Line>,
    /// Lines with numbers masked, compared masked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub masked: Vec<Line>,
}

/// Statistics of a metric; counts that differed between the runs are left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// `counter`, `gauge`, `rate` or `trend`.
    pub kind: String,
    /// Names of all statistics.
    pub statistics: Vec<String>,
    /// Values to compare.
    pub values: BTreeMap<String, f64>,
    /// Statistics of a measured time: the lowest and the highest of the runs, in milliseconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub times: BTreeMap<String, Spread>,
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
    /// Whether the runs wrote them in one order.
    #[serde(default)]
    pub log_ordered: bool,
    /// Whether those lines tell where they come from (`source`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sources: bool,
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
    /// Keeps what all runs agree on, and the spread of their times.
    #[must_use]
    pub fn from_runs(runs: &[Observation], directives: &Directives) -> Self {
        let Some(first) = runs.first() else {
            return Self::default();
        };
        let mut unstable = Vec::new();
        let ordered = directives.ordered || first.max_vus.is_none_or(|vus| vus <= 1);
        let mut lines = |name: &str, of: &dyn Fn(&Observation) -> Vec<Line>, ordered| {
            let all: Vec<Vec<Line>> = runs.iter().map(of).collect();
            let agreed = agree(&all, ordered);
            if agreed
                .as_ref()
                .is_none_or(|expected| !expected.masked.is_empty())
            {
                unstable.push(name.to_owned());
            }
            agreed
        };
        let console = lines("console", &|run| run.console.clone(), ordered);
        let log_ordered = ordered && runs.iter().all(|run| run.log == first.log);
        let log = lines("log", &|run| run.log.clone(), log_ordered);
        let mut texts = BTreeMap::new();
        for name in first.texts.keys() {
            let of = |run: &Observation| {
                run.texts
                    .get(name)
                    .map(|text| as_lines(text))
                    .unwrap_or_default()
            };
            if let Some(expected) = lines(name, &of, true) {
                texts.insert(name.clone(), expected);
            }
        }
        let checks = common("checks", runs, |run| &run.checks, &mut unstable);
        let mut requests = common("requests", runs, |run| &run.server.requests, &mut unstable);
        tolerate(&mut requests, runs, directives, &mut unstable);
        let metrics = metrics(runs, directives, &mut unstable);
        if runs.iter().any(|run| run.exit != first.exit) {
            unstable.push("exit".to_owned());
        }
        let broken: BTreeSet<String> = runs
            .iter()
            .flat_map(|run| times::broken_rules(&run.metrics))
            .map(|(what, _)| what)
            .collect();
        unstable.extend(broken);
        let connections = runs
            .iter()
            .all(|run| run.server.connections == first.server.connections)
            .then_some(first.server.connections);
        let groups = runs.iter().fold(first.groups.clone(), |groups, run| {
            groups.intersection(&run.groups).cloned().collect()
        });
        Self {
            exit: first.exit,
            seconds: first
                .seconds()
                .map(|seconds| (seconds * 10.0).round() / 10.0),
            max_vus: first.max_vus,
            sources: true,
            ordered,
            console,
            log,
            log_ordered,
            summary: first.summary,
            checks,
            groups,
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
                let time = || value.times.get(name).map(Spread::middle);
                let number = value.values.get(name).copied().or_else(time);
                (name.clone(), number.unwrap_or_default())
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
            metrics: times::with_whole_parts(
                self.metrics
                    .iter()
                    .map(|(name, value)| (name.clone(), metric(value)))
                    .collect(),
            ),
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
            slowness: 1.0,
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

/// Lines the runs agree on: as they are, else those that agree once numbers are masked, else nothing.
fn agree(runs: &[Vec<Line>], ordered: bool) -> Option<Expected> {
    let mut runs = runs.to_vec();
    if !ordered {
        runs.iter_mut().for_each(|run| run.sort());
    }
    let first = runs.first().cloned().unwrap_or_default();
    if runs.iter().all(|run| *run == first) {
        return Some(Expected {
            lines: first,
            masked: Vec::new(),
        });
    }
    if ordered {
        let mask = |run: &Vec<Line>| run.iter().map(masked).collect::<Vec<_>>();
        let wanted = mask(&first);
        return runs
            .iter()
            .all(|run| mask(run) == wanted)
            .then_some(Expected {
                lines: Vec::new(),
                masked: wanted,
            });
    }
    let mut lines = Vec::new();
    for line in first {
        let places: Option<Vec<usize>> = runs
            .iter()
            .map(|run| run.iter().position(|other| *other == line))
            .collect();
        if let Some(places) = places {
            for (run, place) in runs.iter_mut().zip(places) {
                run.remove(place);
            }
            lines.push(line);
        }
    }
    let mask = |rest: &Vec<Line>| {
        let mut rest: Vec<Line> = rest.iter().map(masked).collect();
        rest.sort();
        rest
    };
    let wanted = runs.first().map(mask).unwrap_or_default();
    runs.iter()
        .all(|run| mask(run) == wanted)
        .then_some(Expected {
            lines,
            masked: wanted,
        })
}

/// What all runs have, and have alike.
fn common<V: Clone + PartialEq>(
    name: &str,
    runs: &[Observation],
    of: impl Fn(&Observation) -> &BTreeMap<String, V>,
    unstable: &mut Vec<String>,
) -> BTreeMap<String, V> {
    let mut kept = BTreeMap::new();
    let keys: BTreeSet<&String> = runs.iter().flat_map(|run| of(run).keys()).collect();
    for key in keys {
        let values: Vec<Option<&V>> = runs.iter().map(|run| of(run).get(key)).collect();
        match values.first() {
            Some(Some(value)) if values.iter().all(|other| *other == Some(*value)) => {
                kept.insert(key.clone(), (*value).clone());
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
    runs: &[Observation],
    directives: &Directives,
    unstable: &mut Vec<String>,
) {
    let Some(tolerance) = directives.tolerance("http_reqs") else {
        return;
    };
    let names: BTreeSet<&String> = runs
        .iter()
        .flat_map(|run| run.server.requests.keys())
        .collect();
    for what in names {
        let counts = runs
            .iter()
            .map(|run| run.server.requests.get(what).copied().unwrap_or_default());
        let (low, high) = counts.fold((u64::MAX, 0), |(low, high), count| {
            (low.min(count), high.max(count))
        });
        if low != high && tolerance.accepts(low as f64, high as f64) {
            requests.insert(what.clone(), high);
            unstable.retain(|name| *name != format!("requests.{what}"));
        }
    }
}

fn metrics(
    runs: &[Observation],
    directives: &Directives,
    unstable: &mut Vec<String>,
) -> BTreeMap<String, Value> {
    let names: BTreeSet<&String> = runs.iter().flat_map(|run| run.metrics.keys()).collect();
    let mut kept = BTreeMap::new();
    for name in names {
        let all: Vec<&Metric> = runs
            .iter()
            .filter_map(|run| run.metrics.get(name))
            .collect();
        let Some(first) = all.first().filter(|_| all.len() == runs.len()) else {
            unstable.push(format!("metrics.{name}"));
            continue;
        };
        let mut value = Value {
            kind: first.kind.clone(),
            statistics: first.values.keys().cloned().collect(),
            ..Value::default()
        };
        for (expression, failed) in &first.thresholds {
            if all
                .iter()
                .all(|other| other.thresholds.get(expression) == Some(failed))
            {
                value.thresholds.insert(expression.clone(), *failed);
            } else {
                unstable.push(format!("metrics.{name}.thresholds.{expression}"));
            }
        }
        for statistic in first.values.keys() {
            let numbers: Vec<f64> = all
                .iter()
                .map(|run| run.values.get(statistic).copied().unwrap_or(f64::NAN))
                .collect();
            if !keep(name, statistic, &numbers, directives, &mut value) {
                unstable.push(format!("metrics.{name}.{statistic}"));
            }
        }
        kept.insert(name.clone(), value);
    }
    kept
}

/// Keeps what the runs had of one statistic; false when they had too different things.
fn keep(
    metric: &str,
    statistic: &str,
    numbers: &[f64],
    directives: &Directives,
    value: &mut Value,
) -> bool {
    let Some(spread) = Spread::from_values(numbers) else {
        return false;
    };
    let class = normalise::class(metric, &value.kind, statistic);
    let (low, high) = (spread.low, spread.high);
    match class {
        normalise::Class::Skip => true,
        normalise::Class::Time | normalise::Class::Peak => {
            value.times.insert(statistic.to_owned(), spread.rounded());
            true
        }
        _ if normalise::same(class, low, high) => {
            let number = normalise::recorded(class, numbers[0]);
            value.values.insert(statistic.to_owned(), number);
            true
        }
        _ => {
            let name = format!("{metric}.{statistic}");
            let allowed = directives
                .tolerance(&name)
                .is_some_and(|tolerance| tolerance.accepts(low, high));
            if allowed {
                // The middle is as near to either run as can be.
                let middle = f64::midpoint(low, high);
                value.values.insert(statistic.to_owned(), middle);
            } else if value.kind == "trend" {
                // What a script measures itself and moves from run to run is a time, as a rule.
                value.times.insert(statistic.to_owned(), spread.rounded());
            }
            allowed || value.kind == "trend"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<Line> {
        as_lines(&texts.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn order_does_not_matter_between_several_users() {
        let both = [lines(&["b", "a"]), lines(&["a", "b"])];
        let agreed = agree(&both, false).unwrap();
        assert_eq!(agreed.lines, lines(&["a", "b"]));
        assert_eq!(agree(&both, true), None);
    }

    #[test]
    fn moving_numbers_are_masked_and_nothing_else() {
        let runs = [lines(&["x", "took 12"]), lines(&["x", "took 9"])];
        let agreed = agree(&runs, false).unwrap();
        assert_eq!(
            (agreed.lines, agreed.masked),
            (lines(&["x"]), lines(&["took #"]))
        );
        assert_eq!(
            agree(&[lines(&["took 12"]), lines(&["lasted 12"])], false),
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
        let recording =
            Recording::from_runs(&[with(3.0), with(3.0), with(4.0)], &Directives::default());
        assert!(recording.metrics["hits"].values.is_empty());
        assert_eq!(recording.unstable, ["metrics.hits.count"]);
    }
}
