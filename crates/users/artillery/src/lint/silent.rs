//! Finds what makes a run send nothing, or not what was meant: loops over no list, conditions
//! on variables that are never set, payload files without rows, phases without users.

use std::collections::BTreeSet;

use loadline_units::nearest;
use serde_json::Value;

use crate::finding::{Diagnostic, DiagnosticKind};
use crate::model::{FlowStep, LoopSource, Script};
use crate::payload::Payload;
use crate::test::PhaseSum;
use crate::yaml::Mark;

/// Checks the scenarios. `known` are the variables that exist before a flow begins, those of
/// `before` included.
pub(super) fn check(
    script: &Script,
    known: &BTreeSet<String>,
    sum: PhaseSum,
    findings: &mut Vec<Diagnostic>,
) {
    // A processor's functions may set any variable.
    if script.config.processor.is_none() {
        for scenario in &script.scenarios {
            let mut walk = Walk {
                script,
                known: known.clone(),
                mark: scenario.mark,
                findings,
            };
            walk.steps(&scenario.flow);
        }
    }
    // What sends nothing on purpose has no users: a phase of `pause` alone is no test either.
    let is_silent = sum.users < 1.0 || sum.requests == Some(0.0);
    if is_silent && let Some(scenario) = script.scenarios.first() {
        findings.push(Diagnostic {
            mark: scenario.mark,
            kind: DiagnosticKind::NothingPlanned,
        });
    }
}

/// A payload file without rows: its users would send requests with holes in them.
pub(super) fn without_rows(payload: &Payload, findings: &mut Vec<Diagnostic>) {
    if payload.is_empty() {
        findings.push(Diagnostic {
            mark: payload.spec.mark,
            kind: DiagnosticKind::NoRows {
                path: payload.spec.path.clone(),
                skips_header: payload.spec.csv.skip_header,
            },
        });
    }
}

/// Walks through a flow in order and knows what was set before each step.
struct Walk<'s, 'f> {
    script: &'s Script,
    known: BTreeSet<String>,
    mark: Mark,
    findings: &'f mut Vec<Diagnostic>,
}

impl Walk<'_, '_> {
    fn steps(&mut self, steps: &[FlowStep]) {
        for step in steps {
            match step {
                FlowStep::Request(request) => {
                    if let Some(condition) = &request.if_true {
                        let mut symbols = Vec::new();
                        if let Some(expression) = &condition.expression {
                            expression.symbols(&mut symbols);
                        }
                        for symbol in symbols {
                            self.condition(symbol, request.mark);
                        }
                    }
                    self.sets(request.captures.iter());
                }
                FlowStep::Loop(inner) => {
                    if let Some(LoopSource::Variable(path)) = &inner.over {
                        self.over(path.root());
                    }
                    self.known.insert(inner.value_name.clone());
                    self.known.insert(inner.element_name.clone());
                    self.steps(&inner.steps);
                }
                FlowStep::Parallel { steps, .. } => self.steps(steps),
                FlowStep::Message(message) => self.sets(message.captures.iter()),
                FlowStep::Emit(emit) => {
                    let answers = emit.response.as_ref().map(|(_, answer)| answer);
                    for answer in answers.into_iter().chain(&emit.acknowledge) {
                        self.sets(answer.captures.iter());
                    }
                }
                _ => {}
            }
        }
    }

    fn sets<'c>(&mut self, captures: impl Iterator<Item = &'c crate::model::Capture>) {
        let names = captures.filter_map(|capture| capture.into.as_ref());
        self.known.extend(names.map(|path| path.root().to_owned()));
    }

    /// A variable that a condition reads.
    fn condition(&mut self, variable: &str, mark: Mark) {
        if !self.known.contains(variable) {
            let kind = DiagnosticKind::ConditionUnset {
                nearest: self.near(variable),
                variable: variable.to_owned(),
            };
            self.findings.push(Diagnostic { mark, kind });
        }
    }

    /// A variable that a loop goes through.
    fn over(&mut self, variable: &str) {
        let kind = if self.known.contains(variable) {
            if !self.is_single_value(variable) {
                return;
            }
            DiagnosticKind::OverOneValue {
                variable: variable.to_owned(),
            }
        } else {
            DiagnosticKind::OverUnset {
                nearest: self.near(variable),
                variable: variable.to_owned(),
            }
        };
        let mark = self.mark;
        self.findings.push(Diagnostic { mark, kind });
    }

    /// Whether each user has one value under that name and no list: an item of a list under
    /// `config.variables`, or a cell of a payload.
    fn is_single_value(&self, variable: &str) -> bool {
        let config = &self.script.config;
        let mut variables = config.variables.iter();
        if let Some((_, value)) = variables.find(|(name, _)| name == variable) {
            return match value {
                Value::Array(items) => !items.iter().any(Value::is_array),
                other => !other.is_object(),
            };
        }
        let mut payloads = config.payloads.iter();
        payloads.any(|payload| payload.fields.iter().any(|field| field == variable))
    }

    fn near(&self, variable: &str) -> Option<String> {
        nearest(variable, self.known.iter().map(String::as_str)).map(str::to_owned)
    }
}
