//! The planned rate of each row: what was typed, else what a plan says, else what the test says.

use loadline_analysis::slo::Term;
use loadline_report::matrix::RowKind;
use loadline_sizing::{PlanFile, PlannedFeature};
use loadline_text::{Catalog, problem};

use super::args::MatrixArgs;
use super::rows::{RequestLine, RowSource, RowSources, terms_of_plan};
use crate::context::Context;
use crate::refusal::Refusal;

/// What a plan says of rows.
#[derive(Debug, Default)]
pub(super) struct PlanOfRows {
    /// Features that no row is of.
    pub(super) unmatched: Vec<String>,
    /// The plan's objective.
    pub(super) terms: Vec<Term>,
}

/// Sets the planned rates of rows.
///
/// # Errors
/// A rate is none, or of a row that there is not; the plan cannot be read, or is of none of the rows.
pub(super) fn set(
    context: &Context,
    sources: &mut RowSources,
    own: &MatrixArgs,
    catalog: &Catalog,
) -> Result<PlanOfRows, Refusal> {
    let typed = own.rates(catalog)?;
    for rate in &typed {
        if let Some(name) = &rate.name
            && !sources.rows.iter().any(|row| row.name == *name)
        {
            return Err(sources.unknown_row("--rate", name, catalog));
        }
    }
    let of_plan = match &own.plan {
        Some(path) => set_from_plan(context, sources, path)?,
        None => PlanOfRows::default(),
    };
    for row in &mut sources.rows {
        let is_own = |name: &Option<String>| name.as_deref() == Some(row.name.as_str());
        let own = typed.iter().rev().find(|rate| is_own(&rate.name));
        let all = typed.iter().rev().find(|rate| rate.name.is_none());
        if let Some(rate) = own.or(all) {
            row.planned = Some(rate.rate);
        }
    }
    Ok(of_plan)
}

fn set_from_plan(
    context: &Context,
    sources: &mut RowSources,
    path: &str,
) -> Result<PlanOfRows, Refusal> {
    let text = context
        .read_text(path)
        .map_err(|error| Refusal::unread(path, &error))?;
    let plan =
        PlanFile::parse(&text).map_err(|error| Refusal::config(problem::plan_file(path, error)))?;
    let mut unmatched: Vec<String> = Vec::new();
    let mut is_any = false;
    for feature in &plan.features {
        let mut rows = sources.rows.iter_mut().filter(|row| is_of(row, feature));
        match rows.next() {
            Some(row) => {
                row.planned = Some(feature.peak_rate).filter(|rate| *rate > 0.0);
                is_any = true;
            }
            None => unmatched.push(feature.name.clone()),
        }
    }
    if !is_any {
        let rows: Vec<&str> = sources.rows.iter().map(|row| row.name.as_str()).collect();
        let (features, rows) = (unmatched.join(", "), rows.join(", "));
        return Err(Refusal::config(problem::matrix_plan(path, features, rows)));
    }
    let each = plan.requests_per_iteration.max(1.0);
    for row in &mut sources.rows {
        if row.kind == RowKind::Flow {
            row.planned = Some(plan.peak_rate / each).filter(|rate| *rate > 0.0);
        }
    }
    Ok(PlanOfRows {
        unmatched,
        terms: terms_of_plan(&plan),
    })
}

/// Whether a row is a feature: by its name, or by what it asks for.
fn is_of(row: &RowSource, feature: &PlannedFeature) -> bool {
    let asks = |request: &RequestLine| {
        request.method == feature.method && is_path_of(&request.path, &feature.path)
    };
    row.name == feature.name || row.request.as_ref().is_some_and(asks)
}

/// Whether a path is one of a template: `/users/7` of `/users/{id}`.
fn is_path_of(path: &str, template: &str) -> bool {
    let template = template.split('?').next().unwrap_or_default();
    let (mut parts, mut wanted) = (path.split('/'), template.split('/'));
    loop {
        match (parts.next(), wanted.next()) {
            (None, None) => return true,
            (Some(part), Some(wanted)) if part == wanted || wanted.starts_with('{') => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_of_its_template() {
        assert!(is_path_of("/users/7", "/users/{id}"));
        assert!(is_path_of("/deers", "/deers?userId={id}"));
        assert!(!is_path_of("/users/7/orders", "/users/{id}"));
        assert!(!is_path_of("/users", "/users/{id}"));
    }
}
