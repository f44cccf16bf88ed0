//! Functions of a processor that a file names.

use crate::finding::{Diagnostic, DiagnosticKind};
use crate::model::{FlowStep, ScenarioSpec, Script};
use crate::template::TemplateValue;
use crate::yaml::Mark;

/// A finding for each function that a file names and that is not among `names`.
pub(crate) fn unknown(script: &Script, names: &[&str]) -> Vec<Diagnostic> {
    let unknown = used(script);
    let unknown = unknown
        .into_iter()
        .filter(|(name, _)| !names.contains(name));
    let findings = unknown.map(|(name, mark)| Diagnostic {
        mark,
        kind: DiagnosticKind::UnknownFunction {
            name: name.to_owned(),
            nearest: loadline_units::nearest(name, names.iter().copied()).map(str::to_owned),
        },
    });
    findings.collect()
}

/// Finds functions in a file that has no processor.
pub(crate) fn without_processor(script: &Script, findings: &mut Vec<Diagnostic>) {
    if script.config.processor.is_some() {
        return;
    }
    findings.extend(used(script).into_iter().map(|(name, mark)| Diagnostic {
        mark,
        kind: DiagnosticKind::NoProcessor {
            name: name.to_owned(),
        },
    }));
}

/// The names, each with its first place.
fn used(script: &Script) -> Vec<(&str, Mark)> {
    let scenarios = script.scenarios.iter();
    let all = scenarios.chain(&script.before).chain(&script.after);
    let mut used = Vec::new();
    for scenario in all {
        of_scenario(scenario, &mut used);
    }
    let mut first: Vec<(&str, Mark)> = Vec::new();
    for (name, mark) in used {
        if !first.iter().any(|(other, _)| *other == name) {
            first.push((name, mark));
        }
    }
    first
}

fn of_scenario<'s>(scenario: &'s ScenarioSpec, used: &mut Vec<(&'s str, Mark)>) {
    let around = scenario.before_scenario.iter();
    let around = around.chain(&scenario.after_scenario);
    let around = around.chain(&scenario.on_error).map(String::as_str);
    let hooks = scenario
        .before_request
        .iter()
        .chain(&scenario.after_response);
    used.extend(
        around
            .chain(hooks.filter_map(fixed))
            .map(|name| (name, scenario.mark)),
    );
    of_steps(&scenario.flow, scenario.mark, used);
}

fn of_steps<'s>(steps: &'s [FlowStep], mark: Mark, used: &mut Vec<(&'s str, Mark)>) {
    for step in steps {
        match step {
            FlowStep::Function(name) => used.push((name, mark)),
            FlowStep::Request(request) => {
                let hooks = request.before_request.iter().chain(&request.after_response);
                used.extend(hooks.filter_map(fixed).map(|name| (name, request.mark)));
            }
            FlowStep::Loop(inner) => {
                used.extend(inner.while_true.as_deref().map(|name| (name, mark)));
                of_steps(&inner.steps, mark, used);
            }
            FlowStep::Parallel { steps, .. } => of_steps(steps, mark, used),
            FlowStep::Connect(connect) => {
                used.extend(connect.function.as_deref().map(|name| (name, mark)));
            }
            FlowStep::Think(_)
            | FlowStep::Log(_)
            | FlowStep::Message(_)
            | FlowStep::Emit(_)
            | FlowStep::Foreign => {}
        }
    }
}

fn fixed(name: &TemplateValue) -> Option<&str> {
    name.fixed()?.as_str()
}
