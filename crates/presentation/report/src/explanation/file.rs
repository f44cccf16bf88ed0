//! An explanation as a document for programs: what `explain --json` writes.
//!
//! The form is described by `docs/schemas/explanation.schema.json`. Members may be added within
//! a version. Names of rules, parts and numbers never change; texts are in the asked language.

mod loads;

use std::collections::BTreeMap;

use loadline_explain::{BottleneckFinding, Explanation, HeavyStatement, LogLine, TimeBreakdown};
use loadline_record::signals::SourceStatus;
use loadline_text::Catalog;
use serde::Serialize;

pub use loads::{EndpointTimesInFile, LevelInFile, ObjectiveInFile};

/// The version written.
pub const EXPLANATION_VERSION: u32 = 1;

/// Why a run went as it did.
#[derive(Debug, Clone, Serialize)]
pub struct ExplanationFile {
    /// Version of the form.
    pub loadline_explanation: u32,
    /// The run.
    pub run: String,
    /// `limited`, `slow`, `no-bottleneck`, `no-sign`, `unknown-limit`, `too-little`, `not-valid`.
    pub answer: &'static str,
    /// The answer in one line.
    pub text: String,
    /// Requests answered per second.
    pub rate: f64,
    /// Their mean time, ms.
    pub mean_ms: f64,
    /// Their 95th percentile, ms.
    pub p95_ms: f64,
    /// From when to when, seconds since the run's start.
    pub window_s: (f64, f64),
    /// Requests answered well per second, at most, while nothing was lost.
    pub carried: f64,
    /// What the run is judged by.
    pub objectives: Vec<ObjectiveInFile>,
    /// What callers saw at each level of a load that changed.
    pub levels: Vec<LevelInFile>,
    /// Each kind of request, where there are several.
    pub endpoints: Vec<EndpointTimesInFile>,
    /// Where the time of a request goes; `null` when nothing of the target is known.
    pub time: Option<TimeInFile>,
    /// The statements that take most of the database's time, the heaviest first.
    pub statements: Vec<HeavyStatementInFile>,
    /// Findings, the first limits first.
    pub findings: Vec<BottleneckInFile>,
    /// At which rate resources are used up.
    pub ceilings: Vec<CeilingInFile>,
    /// What assumptions give.
    pub predictions: Vec<PredictionInFile>,
    /// What is not known.
    pub missing: Vec<MissingInFile>,
    /// Where signals came from.
    pub sources: Vec<SourceStatus>,
}

/// Where the time of a request goes.
#[derive(Debug, Clone, Serialize)]
pub struct TimeInFile {
    /// Traced requests; 0: from metrics.
    pub traced: f64,
    /// Its parts, the largest first.
    pub parts: Vec<TimeShareInFile>,
}

/// A part of a request's time.
#[derive(Debug, Clone, Serialize)]
pub struct TimeShareInFile {
    /// Which.
    pub part: &'static str,
    /// On average.
    pub mean_ms: f64,
    /// Among the slowest 5 %.
    pub slowest_ms: Option<f64>,
}

/// A finding.
#[derive(Debug, Clone, Serialize)]
pub struct BottleneckInFile {
    /// The rule.
    pub rule: &'static str,
    /// The part.
    pub part: &'static str,
    /// `A`, `B` or `C`.
    pub grade: &'static str,
    /// `limit`, `next`, `slow`, `notice`.
    pub role: &'static str,
    /// What it is about, by label.
    #[serde(rename = "where")]
    pub place: BTreeMap<&'static str, String>,
    /// The statement.
    pub statement: String,
    /// The numbers it rests on.
    pub evidence: Vec<EvidenceInFile>,
    /// The statements it is about.
    pub statements: Vec<HeavyStatementInFile>,
    /// Lines of logs that say the same.
    pub logged: Vec<LogLineInFile>,
    /// What speaks against it.
    pub against: Vec<String>,
    /// What to do.
    pub advice: Vec<AdviceInFile>,
    /// The rate at which it limits.
    pub ceiling: Option<f64>,
}

/// A statement.
#[derive(Debug, Clone, Serialize)]
pub struct HeavyStatementInFile {
    /// Without literals.
    pub text: String,
    /// Of the time of all statements.
    pub share: f64,
    /// How often a request makes it.
    pub calls_of_request: f64,
    /// The mean time of a call.
    pub mean_ms: f64,
    /// `database` or `traces`.
    pub counted_by: &'static str,
}

/// A line of a log.
#[derive(Debug, Clone, Serialize)]
pub struct LogLineInFile {
    /// A sample, masked.
    pub text: String,
    /// How often it came.
    pub count: f64,
    /// Seconds since the run's start at which it came first.
    pub from_s: f64,
    /// ... and last.
    pub to_s: f64,
}

/// A number.
#[derive(Debug, Clone, Serialize)]
pub struct EvidenceInFile {
    /// Its name.
    pub name: &'static str,
    /// What it is, in words.
    pub label: String,
    /// The number.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
}

/// What to do.
#[derive(Debug, Clone, Serialize)]
pub struct AdviceInFile {
    /// In words.
    pub action: String,
    /// As it is typed.
    pub setting: Option<String>,
    /// The rate it is predicted to give.
    pub predicted: Option<f64>,
    /// What limits then.
    pub then: Option<&'static str>,
}

/// A resource's ceiling.
#[derive(Debug, Clone, Serialize)]
pub struct CeilingInFile {
    /// Which.
    pub part: &'static str,
    /// How much of it there is.
    pub capacity: f64,
    /// How much of it a request needs.
    pub demand: f64,
    /// Requests per second.
    pub rate: f64,
}

/// What an assumption gives.
#[derive(Debug, Clone, Serialize)]
pub struct PredictionInFile {
    /// As typed.
    pub assumed: String,
    /// The highest rate; `null` when it cannot be predicted.
    pub rate: Option<f64>,
    /// What limits then.
    pub then: Option<&'static str>,
    /// The same in words, or why nothing can be predicted.
    pub text: String,
}

/// What is not known.
#[derive(Debug, Clone, Serialize)]
pub struct MissingInFile {
    /// The part it is about.
    pub part: &'static str,
    /// What it would tell.
    pub text: String,
    /// What turns it on.
    pub settings: Vec<String>,
}

impl ExplanationFile {
    /// The document.
    #[must_use]
    pub fn new(
        run: &str,
        explanation: &Explanation,
        sources: &[SourceStatus],
        catalog: &Catalog,
    ) -> Self {
        Self {
            loadline_explanation: EXPLANATION_VERSION,
            run: run.to_owned(),
            answer: explanation.answer.name(),
            text: super::answer(explanation, catalog),
            rate: explanation.rate,
            mean_ms: explanation.mean_ms,
            p95_ms: explanation.p95_ms,
            window_s: explanation.window,
            carried: explanation.carried,
            objectives: loads::objectives(&explanation.objectives),
            levels: loads::levels(&explanation.levels),
            endpoints: loads::endpoints(&explanation.endpoints),
            time: explanation.time.as_ref().map(time),
            statements: statements(&explanation.statements),
            findings: explanation
                .findings
                .iter()
                .map(|f| finding(f, catalog))
                .collect(),
            ceilings: ceilings(explanation),
            predictions: predictions(explanation, catalog),
            missing: missing(explanation, catalog),
            sources: sources.to_vec(),
        }
    }

    /// As JSON, on one line.
    ///
    /// # Panics
    /// Never: all keys are strings.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("all keys are strings")
    }
}

fn time(time: &TimeBreakdown) -> TimeInFile {
    let parts = time.parts.iter().map(|part| TimeShareInFile {
        part: part.part.name(),
        mean_ms: part.mean_ms,
        slowest_ms: part.slowest_ms,
    });
    TimeInFile {
        traced: time.traced,
        parts: parts.collect(),
    }
}

fn statements(of: &[HeavyStatement]) -> Vec<HeavyStatementInFile> {
    let all = of.iter().map(|statement| HeavyStatementInFile {
        text: statement.text.clone(),
        share: statement.share,
        calls_of_request: statement.calls_of_request,
        mean_ms: statement.mean_ms,
        counted_by: statement.counted_by.name(),
    });
    all.collect()
}

fn logged(line: &LogLine) -> LogLineInFile {
    LogLineInFile {
        text: line.text.clone(),
        count: line.count,
        from_s: line.from_s,
        to_s: line.to_s,
    }
}

fn finding(of: &BottleneckFinding, catalog: &Catalog) -> BottleneckInFile {
    let labels = of.entity.labels();
    let evidence = of.evidence.iter().map(|evidence| EvidenceInFile {
        name: evidence.name,
        label: catalog.text(&evidence.label),
        value: evidence.value,
        unit: evidence.unit.name(),
    });
    let advice = of.advice.iter().map(|advice| AdviceInFile {
        action: catalog.text(&advice.action),
        setting: advice.setting.clone(),
        predicted: advice.predicted,
        then: advice.then.map(|part| part.name()),
    });
    BottleneckInFile {
        rule: of.rule.name(),
        part: of.part.name(),
        grade: of.grade.letter(),
        role: of.role.name(),
        place: labels
            .map(|(label, value)| (label.name(), value.to_owned()))
            .collect(),
        statement: catalog.text(&of.statement),
        evidence: evidence.collect(),
        statements: statements(&of.statements),
        logged: of.logged.iter().map(logged).collect(),
        against: of.contradictions.iter().map(|m| catalog.text(m)).collect(),
        advice: advice.collect(),
        ceiling: of.ceiling,
    }
}

fn ceilings(explanation: &Explanation) -> Vec<CeilingInFile> {
    let ceilings = explanation.ceilings.iter().map(|ceiling| CeilingInFile {
        part: ceiling.part.name(),
        capacity: ceiling.capacity,
        demand: ceiling.demand,
        rate: ceiling.rate,
    });
    ceilings.collect()
}

fn predictions(explanation: &Explanation, catalog: &Catalog) -> Vec<PredictionInFile> {
    let all = explanation.predictions.iter().map(|one| PredictionInFile {
        assumed: one.assumed.clone(),
        rate: one.rate,
        then: one.then.map(|part| part.name()),
        text: super::prediction(one, catalog),
    });
    all.collect()
}

fn missing(explanation: &Explanation, catalog: &Catalog) -> Vec<MissingInFile> {
    let all = explanation.missing.iter().map(|missing| MissingInFile {
        part: missing.part.name(),
        text: catalog.text(&missing.text),
        settings: missing.settings.clone(),
    });
    all.collect()
}

#[cfg(test)]
mod tests;
