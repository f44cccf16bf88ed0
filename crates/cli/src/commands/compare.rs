//! `compare`: is one run, or a group of repetitions, better than another?

mod capacity;
mod side;

use loadline_analysis::compare::{self, Comparison, Finding, Measure, Settings};
use loadline_report::comparison as report;
use loadline_store::StoredRun;
use loadline_text::{Exit, messages, records};

use super::run::problems::Refusal;
use super::runs::{StoreArgs, ended};
use crate::context::Context;
use crate::stored::Stored;
use side::Group;

/// Tell whether B is better than A, by how much, or that it cannot be told
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline compare latest~1 latest           # two single runs
  loadline compare base pool-20              # all runs with one tag against all with another
  loadline compare k3f9,x2a7,b4mm c9wd,e5ps,f2qq
  loadline compare 9d3c0f11 5e1a7b20         # two series of --repeat, by their ids
  loadline compare --capacity one.json two.json --instances 1:2

Repetitions (--repeat 5) show how much runs of one system differ; two single runs can only
show large differences.
")]
pub(crate) struct CompareArgs {
    /// What to compare with: a run, runs parted by commas, a tag, or a series
    a: String,
    /// What to judge, likewise
    b: String,
    /// How sure all intervals together are, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 95.0)]
    confidence: f64,
    /// Differences up to this many percent are none worth telling
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0)]
    within: f64,
    /// End with code 3 when p95, mean or errors are worse by more than this many percent
    #[arg(long, value_name = "PERCENT")]
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

impl CompareArgs {
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
        let (a, b) = (
            Group::read(&stored, &self.a)?,
            Group::read(&stored, &self.b)?,
        );
        let comparison = compare::compare(&a.side, &b.side, &settings);
        let facts = report::Facts {
            before: self.a.clone(),
            after: self.b.clone(),
            warnings: warnings(&a, &b, &catalog),
        };
        if self.json {
            context.out(&format!("{}\n", json(&comparison, &facts)));
        } else {
            context.out(&report::text(&comparison, &facts, &settings, &catalog));
        }
        Ok(match self.fail_if_worse {
            Some(limit) if is_worse(&comparison, limit / 100.0) => Exit::ThresholdsFailed,
            _ => Exit::Success,
        })
    }
}

/// Whether something that users feel is worse by more than this share for certain.
fn is_worse(comparison: &Comparison, limit: f64) -> bool {
    let all = std::iter::once(&comparison.whole).chain(&comparison.endpoints);
    let mut differences = all.flat_map(|endpoint| &endpoint.differences);
    differences.any(|difference| {
        let felt = matches!(
            difference.measure,
            Measure::P95 | Measure::Mean | Measure::Errors
        );
        let beyond = difference.change.is_some_and(|change| change.low > limit);
        felt && difference.finding == Finding::Worse && beyond
    })
}

/// What keeps the two sides from being alike.
fn warnings(a: &Group, b: &Group, catalog: &loadline_text::Catalog) -> Vec<String> {
    let mut warnings = Vec::new();
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
    warnings
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
