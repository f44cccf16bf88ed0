//! Rows of a folder that `plan --write` wrote: a test for each feature, and the user's flow.

use loadline_analysis::slo::{Statistic, Term};
use loadline_report::matrix::RowKind;
use loadline_sizing::{PlanFile, PlannedTest};
use loadline_text::{problem, shell_word};

use super::{RowSource, RowSources};
use crate::context::Context;
use crate::refusal::Refusal;

/// What a plan's folder holds.
const PLAN: &str = "plan.json";
const OF_FEATURE: &str = "api-";
const FLOW: &str = "user-flow";

pub(super) fn rows(
    context: &Context,
    folder: &str,
    flags: &[String],
) -> Result<RowSources, Refusal> {
    let folder = folder.trim_end_matches('/');
    let path = format!("{folder}/{PLAN}");
    let text = context
        .read_text(&path)
        .map_err(|_| Refusal::config(problem::matrix_folder(shell_word(folder))))?;
    let plan = PlanFile::parse(&text)
        .map_err(|error| Refusal::config(problem::plan_file(&path, error)))?;
    let mut sources = RowSources {
        terms: terms_of_plan(&plan),
        ..RowSources::default()
    };
    for test in &plan.tests {
        let Some((stem, _)) = test.file.rsplit_once('.') else {
            continue;
        };
        let (name, kind) = match stem.strip_prefix(OF_FEATURE) {
            Some(feature) => (feature, RowKind::Api),
            None if stem == FLOW => (stem, RowKind::Flow),
            None => continue,
        };
        let file = std::iter::once(format!("{folder}/{}", test.file));
        sources.rows.push(RowSource {
            kind,
            planned: iterations(test),
            ..RowSource::new(name, file.chain(flags.iter().cloned()).collect())
        });
    }
    if sources.rows.is_empty() {
        return Err(Refusal::config(problem::matrix_folder(shell_word(folder))));
    }
    Ok(sources)
}

/// Iterations per second that are planned.
fn iterations(test: &PlannedTest) -> Option<f64> {
    let each = test.requests_per_iteration.max(1.0);
    Some(test.peak_rate / each).filter(|rate| *rate > 0.0)
}

/// The objective that a plan was made with.
pub(in super::super) fn terms_of_plan(plan: &PlanFile) -> Vec<Term> {
    let term = |statistic, limit, inclusive| Term {
        statistic,
        scope: Vec::new(),
        inclusive,
        limit,
    };
    let p95 = plan.p95_s.filter(|seconds| *seconds > 0.0);
    let p95 = p95.map(|seconds| term(Statistic::Percentile(95.0), seconds * 1000.0, false));
    let errors = plan
        .error_rate
        .map(|share| term(Statistic::Errors, share, share <= 0.0));
    p95.into_iter().chain(errors).collect()
}
