//! `compare --capacity A B`: two searches, or two tables, at their lines and peaks.

use loadline_analysis::compare::TargetSettings;
use loadline_analysis::slo::Term;
use loadline_report::capacity::compare::{self, CapacitySide, ComparedLine};
use loadline_report::capacity::file::CapacityFile;
use loadline_session::explanation;
use loadline_text::{Catalog, Exit, arguments};

use super::CompareArgs;
use crate::commands::capacity::{NamedCapacity, table};
use crate::context::Context;
use crate::refusal::Refusal;

/// Compares the results of the two sides of `args`.
pub(super) fn exec(
    context: &mut Context,
    args: &CompareArgs,
    catalog: &Catalog,
) -> Result<Exit, Refusal> {
    let terms = terms(args, catalog)?;
    let (before, after) = args.sides()?;
    let before = side(context, args, before, &terms, catalog)?;
    let after = side(context, args, after, &terms, catalog)?;
    let factor = factor(args, catalog)?;
    context.out(&compare::text(&before, &after, factor, catalog));
    Ok(Exit::Success)
}

fn terms(args: &CompareArgs, catalog: &Catalog) -> Result<Vec<Term>, Refusal> {
    let terms = args.slo.iter().map(|text| {
        text.parse::<Term>()
            .map_err(|error| Refusal::goal("--slo", text, &error, catalog))
    });
    terms.collect()
}

/// How many times the instances of A there are in B: `1:2`.
fn factor(args: &CompareArgs, catalog: &Catalog) -> Result<Option<f64>, Refusal> {
    let Some(text) = &args.instances else {
        return Ok(None);
    };
    let read = || {
        let (a, b) = text.split_once(':')?;
        let count = |text: &str| text.trim().parse::<u32>().ok().filter(|n| *n > 0);
        Some(f64::from(count(b)?) / f64::from(count(a)?))
    };
    let refusal = || {
        let expected = arguments::expected_one_of("1:2, 2:4, ...");
        Refusal::flag("--instances", text, &expected, catalog)
    };
    read().map(Some).ok_or_else(refusal)
}

/// What a side is: a table, an exported answer, or a stored search.
fn side(
    context: &Context,
    args: &CompareArgs,
    name: &str,
    terms: &[Term],
    catalog: &Catalog,
) -> Result<CapacitySide, Refusal> {
    if name.ends_with(".csv") {
        return of_table(context, name, terms, catalog);
    }
    let named = NamedCapacity::read(context, name, args.store.store.as_deref())?;
    let (limit, target) = match named.kept {
        Some((stored, row)) => {
            let target = stored.target(&row.name)?;
            let limit = explanation::limit(&stored.store, row);
            (Some(limit.map_err(|error| stored.refusal(error))?), target)
        }
        None => (None, TargetSettings::new()),
    };
    let mut file = named.file.explained(limit);
    file.target.extend(target);
    Ok(of_file(name, &file))
}

fn of_file(name: &str, file: &CapacityFile) -> CapacitySide {
    CapacitySide {
        name: name.to_owned(),
        objective: file.objective.clone(),
        unit: Some(file.unit),
        arrivals: file.test.arrivals.clone(),
        test: Some((file.test.name.clone(), file.test.hash.clone())),
        line: ComparedLine::of_file(file),
        knee: file.knee.as_ref().map(|knee| knee.throughput),
        peak: file.peak.as_ref().map(|p| (p.throughput, p.low, p.high)),
        limit: file.limit.clone(),
        target: file.target.clone(),
    }
}

fn of_table(
    context: &Context,
    name: &str,
    terms: &[Term],
    catalog: &Catalog,
) -> Result<CapacitySide, Refusal> {
    let text = context
        .read_text(name)
        .map_err(|error| Refusal::unread(name, &error))?;
    let judgement = table::judge_text(&text, name, terms, 0.0, catalog)?;
    let at = |place: usize| judgement.rows[place].throughput;
    let peak = judgement.peak.map(at);
    Ok(CapacitySide {
        name: name.to_owned(),
        objective: terms.iter().map(ToString::to_string).collect(),
        unit: None,
        arrivals: None,
        test: None,
        line: ComparedLine::of_table(&judgement),
        knee: judgement.knee.map(|knee| at(knee.place)),
        peak: peak.map(|peak| (peak, peak, peak)),
        limit: None,
        target: TargetSettings::new(),
    })
}
