//! Rows of a k6 script: its scenarios, and all of them together; else the functions that it exports.

use loadline_report::matrix::RowKind;
use loadline_testplan::ScenarioLoad;

use super::{MIX, RowSource, RowSources};
use crate::commands::run::{self, SteeredParts};
use crate::context::Context;
use crate::launch::flags_elsewhere::KnownFlags;
use crate::refusal::Refusal;

/// The function that k6 runs unless a scenario names another.
const DEFAULT: &str = "default";

pub(super) fn rows(
    context: &mut Context,
    script: &str,
    flags: &[String],
    known: &KnownFlags,
) -> Result<RowSources, Refusal> {
    let args: Vec<String> = std::iter::once(script.to_owned())
        .chain(flags.iter().cloned())
        .collect();
    // Of a script that plans scenarios these are the same.
    let parts = SteeredParts::Functions;
    let ready = run::steerable_parts(context, &args, known, parts)?;
    let plan = &ready.test.plan;
    let mut sources = RowSources::default();
    for (scenario, load) in plan.scenarios.iter().zip(plan.mix()) {
        let name = if ready.is_each_function {
            &scenario.exec
        } else {
            &scenario.name
        };
        sources.rows.push(RowSource {
            planned: match load {
                ScenarioLoad::Starts(rate) if rate > 0.0 => Some(rate),
                ScenarioLoad::Starts(_) | ScenarioLoad::Users(_) => None,
            },
            scenario: (plan.scenarios.len() > 1).then(|| scenario.name.clone()),
            parts,
            ..RowSource::new(name, args.clone())
        });
    }
    if sources.rows.len() == 1 || sources.guess_flow() {
        return Ok(sources);
    }
    if !ready.is_each_function {
        sources.rows.push(RowSource {
            kind: RowKind::Flow,
            planned: sources.rows.iter().map(|row| row.planned).sum(),
            parts,
            ..RowSource::new(MIX, args)
        });
    } else if let Some(row) = sources.rows.iter_mut().find(|row| row.name == DEFAULT) {
        row.kind = RowKind::Flow;
        sources.is_flow_guessed = true;
    }
    Ok(sources)
}
