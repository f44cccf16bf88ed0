//! What came of a case, and how two of them differ.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::wire::WireLevel;
use super::{Case, CaseError};
use crate::corpus::{Class, Spread};

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Recording {
    /// Who did it.
    pub program: String,
    /// Hash over the case's files.
    pub case: String,
    /// The exit code.
    pub exit: i32,
    /// Counters by name.
    pub counters: BTreeMap<String, f64>,
    /// How many values each distribution has.
    pub values: BTreeMap<String, f64>,
    /// Statistics of each distribution, lowest and highest over the runs.
    #[serde(default)]
    pub distributions: BTreeMap<String, BTreeMap<String, Spread>>,
    /// Verdicts of checks, as printed.
    pub checks: Vec<String>,
    /// Lines with `say:` that were printed, where they were printed.
    #[serde(rename = "said", default, skip_serializing_if = "Vec::is_empty")]
    pub printed_lines: Vec<String>,
    /// What each connection carried to the server.
    #[serde(default)]
    pub wire: Option<Vec<String>>,
    /// How much of that is compared.
    #[serde(default)]
    pub wire_level: WireLevel,
}

/// What a program left behind.
#[derive(Debug, Clone, Default)]
pub struct ProgramOutput {
    /// The exit code.
    pub exit: i32,
    /// The result file.
    pub result: String,
    /// What was printed.
    pub stdout: String,
    /// What was printed as errors.
    pub stderr: String,
    /// What each connection carried to the server.
    pub connections: Vec<String>,
}

/// Something that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What.
    pub what: String,
    /// In the recording.
    pub expected: String,
    /// Here.
    pub got: String,
    /// A measured time that is off: that may be the machine, so the case is measured again alone.
    pub is_time: bool,
}

/// Statistics of a distribution in the order of their ranks, as Artillery names them.
const RANKED: [&str; 9] = [
    "min", "p50", "median", "p75", "p90", "p95", "p99", "p999", "max",
];

/// How far values may be off that are the same in every run of Artillery: its sketches err by 1 %.
const SKETCH_ERROR_MAX: f64 = 0.02;

/// What Node itself takes on a busy machine, ms: users that are faster by no more do nothing less.
const NODES_OWN: f64 = 600.0;

/// Bytes depend on headers that servers and clients choose.
const NOT_COMPARED: [&str; 1] = ["http.downloaded_bytes"];

impl Recording {
    /// Reads what a program left behind.
    #[must_use]
    pub fn new(case: &Case, output: &ProgramOutput) -> Self {
        let result: serde_json::Value = serde_json::from_str(&output.result).unwrap_or_default();
        let aggregate = &result["aggregate"];
        let numbers = |value: &serde_json::Value,
                       pick: &dyn Fn(&serde_json::Value) -> Option<f64>| {
            let map = value.as_object().into_iter().flatten();
            map.filter_map(|(name, value)| Some((name.clone(), pick(value)?)))
                .collect()
        };
        let mut printed_lines = printed_lines("out", &output.stdout);
        printed_lines.extend(self::printed_lines("err", &output.stderr));
        printed_lines.sort();
        let mut checks: Vec<String> = output
            .stdout
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with("ok: ") || line.starts_with("fail: "))
            .map(str::to_owned)
            .collect();
        checks.sort();
        let mut counters: BTreeMap<String, f64> =
            numbers(&aggregate["counters"], &serde_json::Value::as_f64);
        counters.retain(|name, _| !NOT_COMPARED.contains(&name.as_str()));
        Self {
            program: String::new(),
            case: case.hash.clone(),
            exit: output.exit,
            counters,
            values: numbers(&aggregate["summaries"], &|value| value["count"].as_f64()),
            distributions: distributions(&aggregate["summaries"]),
            checks,
            printed_lines,
            wire: Some(output.connections.clone()),
            wire_level: WireLevel::default(),
        }
    }

    /// Several runs as one: the first, with the spread of all distributions.
    #[must_use]
    pub fn over(runs: &[Self]) -> Self {
        let mut whole = runs.first().cloned().unwrap_or_default();
        let sent: Vec<&[String]> = runs.iter().filter_map(|run| run.wire.as_deref()).collect();
        match WireLevel::agreed(&sent) {
            Some(level) => {
                whole.wire_level = level;
                whole.wire = whole.wire.map(|wire| level.view(&wire));
            }
            None => whole.wire = None,
        }
        for (name, statistics) in &mut whole.distributions {
            for (statistic, spread) in statistics.iter_mut() {
                let all: Vec<f64> = runs
                    .iter()
                    .filter_map(|run| run.distributions.get(name)?.get(statistic))
                    .flat_map(|spread| [spread.low, spread.high])
                    .collect();
                *spread = Spread::from_values(&all).unwrap_or_default();
            }
        }
        whole
    }

    /// Reads a recording.
    ///
    /// # Errors
    /// When it is not there or malformed.
    pub fn read(path: &Path) -> Result<Self, CaseError> {
        let text = std::fs::read_to_string(path).map_err(|error| CaseError::file(path, error))?;
        serde_json::from_str(&text).map_err(|error| CaseError::Format {
            path: path.to_owned(),
            reason: error.to_string(),
        })
    }

    /// Writes it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CaseError> {
        let text = serde_json::to_string_pretty(self).map_err(|error| CaseError::Format {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        std::fs::write(path, text + "\n").map_err(|error| CaseError::file(path, error))
    }
}

/// Printed lines that are compared.
fn printed_lines(place: &str, text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| {
        let at = line.find("say:")?;
        Some(format!("{place} {}", &line[at..]))
    });
    lines.collect()
}

fn distributions(summaries: &serde_json::Value) -> BTreeMap<String, BTreeMap<String, Spread>> {
    let one = |summary: &serde_json::Value| {
        RANKED
            .into_iter()
            .chain(["mean"])
            .filter_map(|statistic| {
                let value = summary[statistic].as_f64()?;
                Some((statistic.to_owned(), Spread::from_values(&[value])?))
            })
            .collect()
    };
    let all = summaries.as_object().into_iter().flatten();
    all.map(|(name, summary)| (name.clone(), one(summary)))
        .collect()
}

/// Values of the distributions: those that were the same in all runs are so here, others lie near the runs' spread; and
/// ranks are in order.
fn compare_distributions(expected: &Recording, got: &Recording) -> Vec<Difference> {
    let mut differences = Vec::new();
    for (name, statistics) in &expected.distributions {
        // Whether there is one at all is told by the number of its values.
        let Some(seen) = got.distributions.get(name) else {
            continue;
        };
        // Measured times are whole milliseconds there, so few of them may be the same in all runs.
        let is_time = name.starts_with("http.") || name.contains(".response_time.");
        let is_fixed = !is_time && statistics.values().all(|spread| spread.low >= spread.high);
        for (statistic, spread) in statistics {
            let value = seen.get(statistic).map(|seen| seen.low);
            let class = match statistic.as_str() {
                "min" | "p50" | "median" | "p75" => Class::Time,
                _ => Class::Peak,
            };
            let is_near = value.is_some_and(|value| {
                if is_fixed {
                    (value - spread.low).abs() <= SKETCH_ERROR_MAX * spread.low.abs().max(1e-9)
                } else {
                    spread.accepts(class, value)
                        || (value < spread.low && spread.low - value < NODES_OWN)
                }
            });
            if !is_near {
                differences.push(Difference {
                    what: format!("{statistic} of {name}"),
                    expected: spread.to_string(),
                    got: value.map_or("none".to_owned(), |value| value.to_string()),
                    is_time: value.is_some() && !is_fixed,
                });
            }
        }
        let ranks: Vec<f64> = RANKED
            .iter()
            .filter_map(|statistic| Some(seen.get(*statistic)?.low))
            .collect();
        // One sketch's error is allowed between neighbours.
        let rises = ranks
            .windows(2)
            .all(|pair| pair[0] <= pair[1] + SKETCH_ERROR_MAX * pair[1].abs());
        if !rises {
            differences.push(Difference {
                what: format!("order of {name}"),
                expected: "rising".to_owned(),
                got: format!("{ranks:?}"),
                is_time: false,
            });
        }
    }
    differences
}

/// What differs between a recording and what was seen.
#[must_use]
pub fn compare(case: &Case, expected: &Recording, got: &Recording) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut differ = |what: &str, expected: String, got: String| {
        if expected != got {
            differences.push(Difference {
                what: what.to_owned(),
                expected,
                got,
                is_time: false,
            });
        }
    };
    differ("exit", expected.exit.to_string(), got.exit.to_string());
    if !case.only_exit {
        differ("checks", expected.checks.join("\n"), got.checks.join("\n"));
        differ(
            "said",
            expected.printed_lines.join("\n"),
            got.printed_lines.join("\n"),
        );
        let expected_level = expected.wire_level;
        if let (Some(expected), Some(got)) = (&expected.wire, &got.wire) {
            let level = expected_level;
            let (expected, got) = (level.view(expected), level.view(got));
            for (what, mine, other) in [("there", &expected, &got), ("here", &got, &expected)] {
                let mut left = other.clone();
                for text in mine {
                    match left.iter().position(|other| other == text) {
                        Some(at) => drop(left.swap_remove(at)),
                        None => differ("sent", format!("only {what}"), text.clone()),
                    }
                }
            }
        }
        for (kind, expected, got) in [
            ("counter", &expected.counters, &got.counters),
            ("values", &expected.values, &got.values),
        ] {
            let names: std::collections::BTreeSet<&String> =
                expected.keys().chain(got.keys()).collect();
            for name in names {
                let is_loose = case
                    .loose
                    .iter()
                    .any(|loose| name.starts_with(loose.as_str()));
                let shown = |from: &BTreeMap<String, f64>| {
                    from.get(name).map_or("none".to_owned(), f64::to_string)
                };
                if is_loose {
                    let close = |a: f64, b: f64| (a - b).abs() <= 0.02 * a.max(b);
                    let both = expected.get(name).zip(got.get(name));
                    if both.is_some_and(|(a, b)| close(*a, *b)) {
                        continue;
                    }
                }
                differ(&format!("{kind} {name}"), shown(expected), shown(got));
            }
        }
    }
    if !case.only_exit {
        differences.extend(compare_distributions(expected, got));
    }
    differences
}
