//! Finds likely mistakes in a whole file: variables that are never set, ids drawn at random, rows
//! that run out. Also computes the totals of the phases.

pub(crate) mod ensure;
pub(crate) mod functions;
mod silent;
pub(crate) mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::Value;

use crate::finding::{Diagnostic, DiagnosticKind};
use crate::model::{
    Capture, Expectation, Extract, FlowStep, FormField, HttpRequest, LoopCount, LoopSource,
    PhaseArrivals, PhaseConfig, RequestBody, RowOrder, ScenarioSpec, Script,
};
use crate::payload::Payload;
use crate::template::TemplateValue;
use crate::test::PhaseSum;
use crate::yaml::Mark;

/// The totals of the phases and flows.
#[must_use]
pub(crate) fn sum(script: &Script) -> PhaseSum {
    let phases = &script.config.phases;
    let users: f64 = phases.iter().map(users_of).sum();
    let each: Vec<Option<f64>> = script
        .scenarios
        .iter()
        .map(|scenario| requests_of(&scenario.flow))
        .collect();
    let weights: Vec<f64> = script
        .scenarios
        .iter()
        .map(|scenario| crate::text::to_number(scenario.weight.fixed()).max(0.0))
        .map(|weight| if weight.is_nan() { 1.0 } else { weight })
        .collect();
    let all: f64 = weights.iter().sum();
    let mean: Option<f64> = each
        .iter()
        .zip(&weights)
        .map(|(requests, weight)| requests.map(|requests| requests * weight))
        .sum();
    PhaseSum {
        length: phases.iter().map(|phase| phase.length).sum::<Duration>(),
        users,
        requests: mean.filter(|_| all > 0.0).map(|mean| mean / all * users),
    }
}

/// How many users a phase starts.
pub(crate) fn users_of(phase: &PhaseConfig) -> f64 {
    let seconds = phase.length.as_secs_f64();
    match phase.arrivals {
        PhaseArrivals::Pause => 0.0,
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        PhaseArrivals::Count(count) => count as f64,
        PhaseArrivals::Rate { rate, .. } => (rate * seconds + 1e-9).floor(),
        PhaseArrivals::Ramp { from, to } => ((from + to) / 2.0 * seconds + 1e-9).floor(),
    }
}

/// How many requests one run of the steps sends; `None` if a loop has no fixed count.
fn requests_of(steps: &[FlowStep]) -> Option<f64> {
    steps
        .iter()
        .map(|step| match step {
            FlowStep::Request(request) => Some(
                request
                    .probability
                    .map_or(1.0, |percent| percent.clamp(0.0, 100.0) / 100.0),
            ),
            FlowStep::Message(_) | FlowStep::Emit(_) => Some(1.0),
            FlowStep::Parallel { steps, .. } => requests_of(steps),
            FlowStep::Loop(inner) => {
                #[expect(clippy::cast_precision_loss, reason = "a list in memory")]
                let turns = match (&inner.over, &inner.count) {
                    (Some(LoopSource::Items(items)), _) => Some(items.len() as f64),
                    (Some(LoopSource::Variable(_)), _) => None,
                    (None, Some(LoopCount::Fixed(from, to))) if *to >= 0.0 => {
                        Some((to - from).max(0.0))
                    }
                    _ => None,
                };
                Some(turns? * requests_of(&inner.steps)?)
            }
            _ => Some(0.0),
        })
        .sum()
}

/// Variables that exist without being set in the file.
const BUILT_IN: [&str; 5] = [
    "target",
    "$uuid",
    "$loopCount",
    "$loopElement",
    "$environment",
];

/// Checks the whole file.
pub(crate) fn check(
    script: &Script,
    payloads: &[Payload],
    base: &serde_json::Map<String, Value>,
    sum: PhaseSum,
    findings: &mut Vec<Diagnostic>,
) {
    let mut known: BTreeSet<String> = BUILT_IN.iter().map(|name| (*name).to_owned()).collect();
    known.extend(base.keys().cloned());
    known.extend(script.config.variables.iter().map(|(name, _)| name.clone()));
    for payload in &script.config.payloads {
        known.extend(payload.fields.iter().cloned());
        known.extend(payload.load_all.clone());
    }
    let has_code = script.config.processor.is_some();
    let mut before = known.clone();
    if let Some(scenario) = &script.before {
        let mut flow = Flow::new(&mut before, has_code);
        flow.steps(&scenario.flow);
        flow.report(scenario, findings);
    }
    // Every user has what `before` captures.
    known.extend(before.iter().cloned());
    silent::check(script, &known, sum, findings);
    for scenario in script.scenarios.iter().chain(&script.after) {
        let mut own = known.clone();
        let mut flow = Flow::new(&mut own, has_code);
        flow.steps(&scenario.flow);
        flow.report(scenario, findings);
    }
    for scenario in &script.scenarios {
        bad_weight(scenario, findings);
        random_ids(scenario, payloads, findings);
    }
    for payload in payloads {
        silent::without_rows(payload, findings);
        too_few_columns(payload, findings);
    }
    let unique = |payload: &&Payload| payload.spec.order == RowOrder::Unique && !payload.is_empty();
    for payload in payloads.iter().filter(unique) {
        too_few_rows(payload, sum.users, findings);
    }
}

/// Rows of which each is used once only, for so many users.
fn too_few_rows(payload: &Payload, users: f64, findings: &mut Vec<Diagnostic>) {
    let spec = &payload.spec;
    let (path, rows) = (spec.path.clone(), payload.left());
    #[expect(clippy::cast_precision_loss, reason = "rows in memory")]
    let is_enough = rows as f64 >= users;
    let kind = if spec.from > 1 && spec.from > payload.len() as u64 {
        DiagnosticKind::FromBehindRows {
            path,
            from: spec.from,
            rows: payload.len() as u64,
        }
    } else if is_enough {
        return;
    } else {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of users"
        )]
        let needed = users as u64;
        DiagnosticKind::TooFewRows { path, rows, needed }
    };
    findings.push(Diagnostic {
        mark: spec.mark,
        kind,
    });
}

/// A weight that is no number counts as 0: the scenario never runs.
fn bad_weight(scenario: &ScenarioSpec, findings: &mut Vec<Diagnostic>) {
    let Some(weight) = scenario.weight.fixed() else {
        return;
    };
    let value = crate::text::to_text(Some(weight));
    if !value.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
        findings.push(Diagnostic {
            mark: scenario.mark,
            kind: DiagnosticKind::BadWeight { value },
        });
    }
}

/// Names of fields for which the first row has no value.
fn too_few_columns(payload: &Payload, findings: &mut Vec<Diagnostic>) {
    let columns = payload.rows().first().map_or(usize::MAX, Vec::len);
    let fields = payload.spec.fields.len();
    if columns < fields {
        findings.push(Diagnostic {
            mark: payload.spec.mark,
            kind: DiagnosticKind::TooFewColumns {
                path: payload.spec.path.clone(),
                columns,
                fields,
            },
        });
    }
}

/// Walks through a flow in order and compares where variables are set and used.
struct Flow<'k> {
    known: &'k mut BTreeSet<String>,
    /// The processor's functions may set any variable.
    has_code: bool,
    /// Variables used before they are set, each with its first use.
    early: BTreeMap<String, Mark>,
    /// Captured variables, with their places.
    captured: BTreeMap<String, Mark>,
    used: BTreeSet<String>,
}

impl<'k> Flow<'k> {
    fn new(known: &'k mut BTreeSet<String>, has_code: bool) -> Self {
        Self {
            known,
            has_code,
            early: BTreeMap::new(),
            captured: BTreeMap::new(),
            used: BTreeSet::new(),
        }
    }

    fn uses(&mut self, template: &TemplateValue, mark: Mark) {
        let mut roots = Vec::new();
        template.roots(&mut roots);
        for root in roots {
            self.used.insert(root.to_owned());
            if !self.known.contains(root) {
                self.early.entry(root.to_owned()).or_insert(mark);
            }
        }
    }

    fn sets(&mut self, name: &str, mark: Mark) {
        self.known.insert(name.to_owned());
        self.captured.entry(name.to_owned()).or_insert(mark);
    }

    fn steps(&mut self, steps: &[FlowStep]) {
        let nowhere = Mark::default();
        for step in steps {
            match step {
                FlowStep::Request(request) => self.request(request),
                FlowStep::Think(think) => self.uses(&think.time, nowhere),
                FlowStep::Log(text) => self.uses(text, nowhere),
                FlowStep::Loop(inner) => {
                    self.known.insert(inner.value_name.clone());
                    self.known.insert(inner.element_name.clone());
                    if let Some(LoopSource::Variable(path)) = &inner.over {
                        self.used.insert(path.root().to_owned());
                    }
                    self.steps(&inner.steps);
                }
                FlowStep::Parallel { steps, .. } => self.steps(steps),
                FlowStep::Message(message) => {
                    if let Some(payload) = &message.payload {
                        self.uses(payload, nowhere);
                    }
                    self.captures(&message.captures, nowhere);
                }
                FlowStep::Emit(emit) => {
                    let answers = emit.response.as_ref().map(|(_, answer)| answer);
                    for template in emit.namespace.iter().chain(&emit.outgoing) {
                        self.uses(template, nowhere);
                    }
                    for answer in answers.into_iter().chain(&emit.acknowledge) {
                        let data = answer.data.iter();
                        data.for_each(|data| self.uses(data, nowhere));
                        self.captures(&answer.captures, nowhere);
                    }
                }
                FlowStep::Function(_) | FlowStep::Connect(_) | FlowStep::Foreign => {}
            }
        }
    }

    fn captures(&mut self, captures: &[Capture], mark: Mark) {
        for capture in captures {
            match &capture.from {
                Extract::Header(template) | Extract::Selector(template, ..) => {
                    self.uses(template, mark)
                }
                _ => {}
            }
            if let Some(path) = &capture.into {
                self.sets(path.root(), mark);
            }
        }
    }

    fn request(&mut self, request: &HttpRequest) {
        let mark = request.mark;
        for template in request
            .url
            .iter()
            .chain(&request.query)
            .chain(&request.name)
        {
            self.uses(template, mark);
        }
        for (_, template) in request.headers.iter().chain(&request.cookies) {
            self.uses(template, mark);
        }
        match &request.body {
            RequestBody::None => {}
            RequestBody::Json(template) | RequestBody::Text(template) => self.uses(template, mark),
            RequestBody::Form(pairs) => pairs
                .iter()
                .for_each(|(_, template)| self.uses(template, mark)),
            RequestBody::Multipart(fields) => {
                for (_, field) in fields {
                    match field {
                        FormField::Value(template, _) | FormField::File(template, _) => {
                            self.uses(template, mark)
                        }
                    }
                }
            }
        }
        self.captures(&request.captures, mark);
        for expectation in &request.expect {
            match expectation {
                Expectation::Equals(templates) => templates
                    .iter()
                    .for_each(|template| self.uses(template, mark)),
                Expectation::StatusCode(template)
                | Expectation::NotStatusCode(template)
                | Expectation::ContentType(template)
                | Expectation::HasProperty(template)
                | Expectation::NotHasProperty(template)
                | Expectation::HasHeader(template)
                | Expectation::HeaderEquals(template)
                | Expectation::MatchesRegexp(template) => self.uses(template, mark),
                Expectation::CdnHit(_) => {}
            }
        }
        if let Some(expression) = request
            .if_true
            .as_ref()
            .and_then(|condition| condition.expression.as_ref())
        {
            let mut symbols = Vec::new();
            expression.symbols(&mut symbols);
            self.used.extend(symbols.into_iter().map(str::to_owned));
        }
    }

    fn report(&self, scenario: &ScenarioSpec, findings: &mut Vec<Diagnostic>) {
        if !self.has_code {
            for (variable, mark) in &self.early {
                let mark = if mark.line == 0 { scenario.mark } else { *mark };
                let variable = variable.clone();
                let kind = match self.captured.get(&variable) {
                    Some(later) if later.line > 0 => DiagnosticKind::SetLater {
                        variable,
                        line: later.line,
                    },
                    _ => DiagnosticKind::NeverSet { variable },
                };
                findings.push(Diagnostic { mark, kind });
            }
            for (variable, mark) in &self.captured {
                if !self.used.contains(variable) {
                    let mark = if mark.line == 0 { scenario.mark } else { *mark };
                    findings.push(Diagnostic {
                        mark,
                        kind: DiagnosticKind::CaptureUnused {
                            variable: variable.clone(),
                        },
                    });
                }
            }
        }
    }
}

/// Finds rows drawn at random whose values look like ids and are sent by POST or PUT.
fn random_ids(scenario: &ScenarioSpec, payloads: &[Payload], findings: &mut Vec<Diagnostic>) {
    let mut writes = Vec::new();
    written(&scenario.flow, &mut writes);
    for payload in payloads
        .iter()
        .filter(|payload| payload.spec.order == RowOrder::Random && payload.spec.load_all.is_none())
    {
        for (index, field) in payload.spec.fields.iter().enumerate() {
            let Some((method, _)) = writes.iter().find(|(_, name)| name == field) else {
                continue;
            };
            if looks_like_ids(payload, index) {
                let finding = Diagnostic {
                    mark: payload.spec.mark,
                    kind: DiagnosticKind::RandomIds {
                        path: payload.spec.path.clone(),
                        field: field.clone(),
                        method: method.clone(),
                    },
                };
                if !findings.contains(&finding) {
                    findings.push(finding);
                }
            }
        }
    }
}

fn written(steps: &[FlowStep], into: &mut Vec<(String, String)>) {
    for step in steps {
        match step {
            FlowStep::Request(request) if matches!(request.method.as_str(), "POST" | "PUT") => {
                let mut roots = Vec::new();
                match &request.body {
                    RequestBody::Json(template) | RequestBody::Text(template) => {
                        template.roots(&mut roots)
                    }
                    RequestBody::Form(pairs) => pairs
                        .iter()
                        .for_each(|(_, template)| template.roots(&mut roots)),
                    RequestBody::None | RequestBody::Multipart(_) => {}
                }
                if let Some(url) = &request.url {
                    url.roots(&mut roots);
                }
                into.extend(
                    roots
                        .into_iter()
                        .map(|root| (request.method.clone(), root.to_owned())),
                );
            }
            FlowStep::Loop(inner) => written(&inner.steps, into),
            FlowStep::Parallel { steps, .. } => written(steps, into),
            _ => {}
        }
    }
}

/// Whether a column has many values, all different, that are whole numbers or single words.
fn looks_like_ids(payload: &Payload, column: usize) -> bool {
    /// Fewer rows than this are users or products to choose from.
    const ID_ROWS_MIN: usize = 1000;
    let values: Vec<String> = payload
        .rows()
        .iter()
        .filter_map(|row| row.get(column))
        .map(|value| crate::text::to_text(Some(value)))
        .collect();
    if values.len() < ID_ROWS_MIN {
        return false;
    }
    let different: BTreeSet<&String> = values.iter().collect();
    different.len() == values.len()
        && values
            .iter()
            .all(|value| !value.is_empty() && !value.contains(' '))
}
