//! Result files of k6 and Artillery as documents: totals, goals, and what was measured when.

mod artillery;
mod k6;
mod machine;
pub mod points;

use loadline_text::{Catalog, millis, percent, report, significant};
use serde_json::Value;

use crate::artillery::{Report, ResultFileError};
use crate::document::{
    DocumentFigure, DocumentGoal, DocumentVerdict, ReportDocument, StatementClass, printable,
};

/// Why a file cannot be reported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It is not JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is neither tool's file.
    #[error("neither a result of loadline nor one of k6 or Artillery")]
    Unknown,
    /// It looks like Artillery's and is not.
    #[error(transparent)]
    Artillery(#[from] ResultFileError),
}

/// A file's document, and how many seconds it covers.
///
/// # Errors
/// [`ImportError`].
pub fn document(
    text: &str,
    name: &str,
    catalog: &Catalog,
) -> Result<(ReportDocument, f64), ImportError> {
    let value: Value = serde_json::from_str(text)?;
    if value["aggregate"].is_object() {
        return Ok(artillery::document(
            &Report::from_json(text)?,
            name,
            catalog,
        ));
    }
    if value["metrics"].is_object() {
        return Ok(k6::document(&value, name, catalog));
    }
    if let Some(summary) = machine::as_handle_summary(&value) {
        return Ok(k6::document(&summary, name, catalog));
    }
    Err(ImportError::Unknown)
}

/// The numbers that a verdict tells.
struct Pace {
    rate: Option<f64>,
    p95: Option<f64>,
    errors: Option<f64>,
}

fn figures(pace: &Pace, note: String, catalog: &Catalog) -> Vec<DocumentFigure> {
    let figure = |label, value: Option<String>, unit: &str, note: String| DocumentFigure {
        label: catalog.text(&label),
        value: value.unwrap_or_else(|| "–".to_owned()),
        unit: unit.to_owned(),
        note,
    };
    let errors = pace.errors.map(percent);
    let errors = errors.map(|share| share.trim_end_matches(" %").to_owned());
    vec![
        figure(
            report::figure_rate(),
            pace.rate.map(significant),
            "/s",
            note,
        ),
        figure(
            report::figure_p95(),
            pace.p95.map(significant),
            "ms",
            String::new(),
        ),
        figure(report::figure_errors(), errors, "%", String::new()),
    ]
}

fn goal(text: &str, observed: String, met: Option<bool>, catalog: &Catalog) -> DocumentGoal {
    let word = match met {
        Some(true) => report::word_met(),
        Some(false) => report::word_missed(),
        None => report::word_unknown(),
    };
    DocumentGoal {
        goal: printable::line(text),
        observed,
        met,
        word: catalog.text(&word),
    }
}

/// What the goals come to. What only loadline measures, such as the generator, is not known of
/// another tool's run.
fn goals_verdict(goals: &[DocumentGoal], pace: &Pace, catalog: &Catalog) -> DocumentVerdict {
    let dash = || "–".to_owned();
    let rate = pace.rate.map_or_else(dash, significant);
    let p95 = pace.p95.map_or_else(dash, millis);
    let errors = pace.errors.map_or_else(dash, percent);
    let missed = goals.iter().filter(|goal| goal.met == Some(false)).count();
    let (class, word) = match (goals.is_empty(), missed) {
        (true, _) => (
            StatementClass::Neutral,
            crate::runs::word("no-goals", catalog),
        ),
        (false, 0) => (StatementClass::Good, crate::runs::word("passed", catalog)),
        (false, _) => (StatementClass::Bad, crate::runs::word("failed", catalog)),
    };
    let text = match missed {
        0 => report::imported_pace(rate, p95, errors),
        _ => report::imported_missed(missed, goals.len(), rate, p95, errors),
    };
    DocumentVerdict {
        class,
        word,
        text: catalog.text(&text),
        details: vec![catalog.text(&report::imported_note())],
    }
}

#[cfg(test)]
mod tests;
