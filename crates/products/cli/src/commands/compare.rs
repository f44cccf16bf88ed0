//! `compare`: is one run, or a group of repetitions, better than another?

mod capacity;

use loadline_analysis::compare::{self, Regression};
use loadline_report::comparison as report;
use loadline_report::comparison::file::ComparisonFile;
use loadline_session::comparison::{ComparedRuns, SharedRuns, caveats, limits, moved_resources};
use loadline_text::{Exit, problem};

use super::store_args::{StoreArgs, ended};
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::Stored;
use crate::typed_shares::{CareArgs, percent_of_change};

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
    #[command(flatten)]
    care: CareArgs,
    /// End with code 3 when TPS, mean or p95 are worse by more than this many percent, more
    /// requests, checks or starts fail, or answers changed; with 7 when that cannot be ruled out
    #[arg(long, value_name = "PERCENT", value_parser = percent_of_change)]
    fail_if_worse: Option<f64>,
    /// Compare what two searches of loadline capacity came to: stored searches, their exported
    /// files (.json), or tables measured elsewhere (.csv)
    #[arg(long, conflicts_with_all = ["json", "fail_if_worse", "confidence", "within"])]
    capacity: bool,
    /// A term to judge tables by, repeatable: 'mean<=100ms'
    #[arg(long, value_name = "TERM", requires = "capacity")]
    slo: Vec<String>,
    /// Instances of A and of B, for the efficiency of scaling out: 1:2
    #[arg(long, value_name = "A:B", requires = "capacity")]
    instances: Option<String>,
    /// As JSON (docs/schemas/comparison.schema.json)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArgs,
}

impl CompareArgs {
    /// What to compare with, and what to judge.
    fn sides(&self) -> Result<(&str, &str), Refusal> {
        match (&self.baseline, &self.b) {
            (Some(baseline), _) => Ok((baseline, &self.a)),
            (None, Some(b)) => Ok((&self.a, b)),
            (None, None) => Err(Refusal::config(problem::argument_missing("<B>"))),
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
        let settings = self.care.settings(&catalog)?;
        let stored = Stored::open(context, self.store.store.as_deref())?;
        let (before, after) = self.sides()?;
        let read = |reference: &str| {
            let runs = ComparedRuns::read(&stored.store, reference, stored.now_ms);
            runs.map_err(|error| stored.refusal(error))
        };
        let (a, b) = (read(before)?, read(after)?);
        if let Some(shared) = SharedRuns::new(&a, &b) {
            return Err(Refusal::shared_runs(&shared, before, after));
        }
        let comparison = compare::compare(&a.side, &b.side, &settings);
        let facts = report::ComparisonFacts {
            before: before.to_owned(),
            after: after.to_owned(),
            caveats: caveats(&a, &b),
            moved: moved_resources(&a, &b),
            limits: limits(&a, &b),
        };
        let limit = self.fail_if_worse.map(|percent| percent / 100.0);
        let found = limit.map(|limit| (Regression::new(&comparison, limit), limit));
        let text = if self.json {
            let found = found.as_ref().map(|(found, limit)| (found, *limit));
            let file = ComparisonFile::new(&comparison, &facts, &settings, found);
            format!("{}\n", file.to_json())
        } else {
            report::text(&comparison, &facts, &settings, &catalog)
        };
        context.out(&text);
        let Some((found, limit)) = found else {
            return Ok(Exit::Success);
        };
        for reason in report::reasons(&found, limit, &catalog) {
            context.err(&format!("loadline: {reason}\n"));
        }
        Ok(match (found.worse.is_empty(), found.unsure.is_empty()) {
            (false, _) => Exit::ThresholdsFailed,
            (true, false) => Exit::CannotJudge,
            (true, true) => Exit::Success,
        })
    }
}
