//! `compare`: is one run, or a group of repetitions, better than another?

mod capacity;
mod judged;
mod side;

use loadline_analysis::compare::{self, Comparison, Finding, Settings};
use loadline_report::comparison as report;
use loadline_store::StoredRun;
use loadline_text::{Catalog, Exit, messages, problem, records, significant};

use super::run::problems::Refusal;
use super::runs::{StoreArgs, ended};
use crate::context::Context;
use crate::stored::Stored;
use side::Group;

/// Planned loads that differ by more than this share are told.
const OTHER_LOAD: f64 = 0.03;

/// Tell whether B is better than A, by how much, or that it cannot be told
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline compare latest~1 latest           # two single runs
  loadline compare base pool-20              # all runs with one tag against all with another
  loadline compare latest --baseline main    # the last run against all with the tag main
  loadline compare k3f9,x2a7,b4mm c9wd,e5ps,f2qq
  loadline compare 9d3c0f11 5e1a7b20         # two series of --repeat, by their ids
  loadline compare --capacity one.json two.json --instances 1:2

Repetitions (--repeat 5) show how much runs of one system differ; two single runs can only
show large differences.
")]
pub(crate) struct CompareArgs {
    /// What to compare with: a run, runs parted by commas, a tag, or a series
    a: String,
    /// What to judge, likewise; with --baseline the only one to name
    b: Option<String>,
    /// Compare with all runs that have this tag
    #[arg(long, value_name = "TAG", conflicts_with_all = ["b", "capacity"])]
    baseline: Option<String>,
    /// How sure all intervals together are, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 95.0)]
    confidence: f64,
    /// Differences up to this many percent are none worth telling
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0)]
    within: f64,
    /// End with code 3 when TPS, mean or p95 are worse by more than this many percent, more
    /// requests, checks or starts fail, answers changed, or none of that can be ruled out
    #[arg(long, value_name = "PERCENT", value_parser = percent_of_change)]
    fail_if_worse: Option<f64>,
    /// Compare what two searches of loadline capacity came to: stored searches, their exported
    /// files (.json), or tables measured elsewhere (.csv)
    #[arg(long, conflicts_with_all = ["json", "fail_if_worse"])]
    capacity: bool,
    /// A term to judge tables by, repeatable: 'mean<=100ms'
    #[arg(long, value_name = "TERM", requires = "capacity")]
    slo: Vec<String>,
    /// Instances of A and of B, for the efficiency of scaling out: 1:2
    #[arg(long, value_name = "A:B", requires = "capacity")]
    instances: Option<String>,
    /// As JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

/// A change in percent; `nan` would never be exceeded.
fn percent_of_change(text: &str) -> Result<f64, String> {
    let value: f64 = text
        .trim_end_matches('%')
        .trim()
        .parse()
        .map_err(|_| "no number")?;
    if (0.0..=1000.0).contains(&value) {
        return Ok(value);
    }
    Err("not 0 to 1000".to_owned())
}

impl CompareArgs {
    /// What to compare with, and what to judge.
    fn sides(&self) -> Result<(&str, &str), Refusal> {
        match (&self.baseline, &self.b) {
            (Some(baseline), _) => Ok((baseline, &self.a)),
            (None, Some(b)) => Ok((&self.a, b)),
            (None, None) => Err(Refusal::config(problem::option_without_value("B"))),
        }
    }

    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let result = self.compare(context);
        ended(context, self.store.lang, result)
    }

    fn compare(&self, context: &mut Context) -> Result<Exit, Refusal> {
        let catalog = context.catalog(self.store.lang);
        if self.capacity {
            return capacity::exec(context, self, &catalog);
        }
        let percent = |flag: &str, value: f64, most: u32| {
            let is_usable = value > 0.0 && value < f64::from(most);
            let expected = messages::expected_number(1, most - 1);
            let refusal = || Refusal::flag(flag, &value.to_string(), &expected, &catalog);
            is_usable.then_some(value / 100.0).ok_or_else(refusal)
        };
        let settings = Settings {
            confidence: percent("--confidence", self.confidence, 100)?,
            tolerance: percent("--within", self.within, 101)?,
            ..Settings::default()
        };
        let stored = Stored::open(context, self.store.store.as_deref())?;
        let (before, after) = self.sides()?;
        let a = Group::read(&stored, before)?;
        let b = Group::read(&stored, after)?;
        let comparison = compare::compare(&a.side, &b.side, &settings);
        let facts = report::Facts {
            before: before.to_owned(),
            after: after.to_owned(),
            warnings: warnings((&a, before), (&b, after), &catalog),
        };
        if self.json {
            context.out(&format!("{}\n", json(&comparison, &facts)));
        } else {
            context.out(&report::text(&comparison, &facts, &settings, &catalog));
        }
        let Some(limit) = self.fail_if_worse else {
            return Ok(Exit::Success);
        };
        let reasons = judged::reasons(&comparison, limit / 100.0, &catalog);
        for reason in &reasons {
            context.err(&format!("loadline: {reason}\n"));
        }
        Ok(if reasons.is_empty() {
            Exit::Success
        } else {
            Exit::ThresholdsFailed
        })
    }
}

/// What keeps the two sides from being alike, the load first.
fn warnings(
    (a, before): (&Group, &str),
    (b, after): (&Group, &str),
    catalog: &Catalog,
) -> Vec<String> {
    let mut warnings: Vec<String> = other_load(a, b, catalog).into_iter().collect();
    let all = || a.runs.iter().chain(&b.runs);
    let differ = |of: &dyn Fn(&StoredRun) -> String| {
        let first = a.runs.first().map(of);
        all().any(|run| Some(of(run)) != first)
    };
    if differ(&|run| run.row.hash.clone()) {
        warnings.push(catalog.text(&records::compare_other_test()));
    }
    if differ(&|run| {
        let machine = &run.about.environment;
        format!("{} {}", machine.host, machine.usable_cpus)
    }) {
        warnings.push(catalog.text(&records::compare_other_machine()));
    }
    let invalid: Vec<&str> = all()
        .filter(|run| run.row.verdict == "not-valid")
        .map(|run| run.row.name.as_str())
        .collect();
    if !invalid.is_empty() {
        warnings.push(catalog.text(&records::compare_not_valid(invalid.join(", "))));
    }
    if a.left_out + b.left_out > 0 {
        let left = records::compare_seconds_left(before, a.left_out, after, b.left_out);
        warnings.push(catalog.text(&left));
    }
    warnings
}

/// That the two sides were to start differently many iterations, if they were. Of users in a
/// loop nothing is planned: what they start follows from how fast they are answered.
fn other_load(a: &Group, b: &Group, catalog: &Catalog) -> Option<String> {
    let is_open = |group: &Group| {
        let mut scenarios = group.runs.iter().flat_map(|run| &run.about.scenarios);
        scenarios.any(|scenario| scenario.starts.is_some())
    };
    let planned = |group: &Group| {
        let windows = group.side.whole.iter().flat_map(|run| &run.windows);
        let (sum, count) = windows.fold((0.0, 0.0), |(sum, n), w| (sum + w.planned, n + 1.0));
        (count > 0.0).then(|| sum / count)
    };
    let (before, after) = (planned(a)?, planned(b)?);
    let differs = (after - before).abs() > OTHER_LOAD * before.max(after);
    ((is_open(a) || is_open(b)) && differs).then(|| {
        let load = records::compare_load(significant(before), significant(after));
        catalog.text(&load)
    })
}

fn json(comparison: &Comparison, facts: &report::Facts) -> serde_json::Value {
    let endpoint = |endpoint: &compare::Endpoint| {
        let differences: Vec<serde_json::Value> = endpoint
            .differences
            .iter()
            .map(|difference| {
                serde_json::json!({
                    "measure": format!("{:?}", difference.measure).to_lowercase(),
                    "before": difference.before, "after": difference.after,
                    "low": difference.change.map(|change| change.low),
                    "middle": difference.change.map(|change| change.middle),
                    "high": difference.change.map(|change| change.high),
                    "finding": finding(difference.finding),
                })
            })
            .collect();
        let changed: Vec<String> = endpoint.changed.iter().map(|c| format!("{c:?}")).collect();
        serde_json::json!({
            "name": endpoint.name, "changed_answers": changed, "differences": differences,
        })
    };
    let endpoints: Vec<serde_json::Value> = comparison.endpoints.iter().map(endpoint).collect();
    serde_json::json!({
        "before": facts.before, "after": facts.after,
        "runs": [comparison.runs.0, comparison.runs.1], "warnings": facts.warnings,
        "all": endpoint(&comparison.whole), "endpoints": endpoints,
    })
}

fn finding(finding: Finding) -> &'static str {
    match finding {
        Finding::Better => "better",
        Finding::Worse => "worse",
        Finding::NoLargerThan { .. } => "no-difference",
        Finding::CannotTell { .. } => "cannot-tell",
    }
}
