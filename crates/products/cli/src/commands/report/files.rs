//! Result files: of `capacity --export`, `plan --write` and `tune --json`, of k6 and of Artillery; and
//! the journal of a study.

mod samples;

use std::path::Path;

use loadline_report::capacity::{self, file::CapacityFile};
use loadline_report::run::RunProgress;
use loadline_report::tuning::document::StudyFacts;
use loadline_report::tuning::file::TuningFile;
use loadline_report::{imported, plan, tuning};
use loadline_sizing::{LoadPlan, PlanFile, PlanInputs};
use loadline_text::{Catalog, problem};

use super::super::tune;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stored::local_time;
use crate::stored::written_report::Reported;

/// The report of the file at `path`.
pub(super) fn read(context: &Context, path: &str, catalog: &Catalog) -> Result<Reported, Refusal> {
    if let Some(reported) = samples::read(context, path, catalog)? {
        return Ok(reported);
    }
    let text = context
        .read_text(path)
        .map_err(|error| Refusal::unread(path, &error))?;
    let unknown = || Refusal::config(problem::report_file(path));
    if let Some(study) = tune::reported::named(context, path) {
        return of_study(&study, catalog);
    }
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|_| unknown())?;
    let stem = Path::new(path).file_stem().unwrap_or_default();
    let name = stem.to_string_lossy().into_owned();
    let (document, seconds) = if value["loadline_capacity"].is_u64() {
        let file = CapacityFile::parse(&text)
            .map_err(|error| Refusal::config(problem::capacity_file(path, error)))?;
        let started = match file.test.started_ms {
            0 => String::new(),
            ms => local_time(ms, "%Y-%m-%d %H:%M:%S %:z"),
        };
        let seconds = file.steps.iter().map(|step| step.held_s).sum();
        (
            capacity::document::of_file(&file, &started, catalog),
            seconds,
        )
    } else if value["loadline_plan"].is_u64() {
        (of_plan(&text, path, catalog).ok_or_else(unknown)?, 0.0)
    } else if value["loadline_tuning"].is_u64() {
        let study = TuningFile::parse(&text).and_then(|file| file.report());
        let study = study.map_err(|_| unknown())?;
        let facts = StudyFacts {
            started: String::new(),
            progress: RunProgress::Ended,
        };
        (tuning::document::document(&study, &facts, catalog), 0.0)
    } else {
        imported::document(&text, path, catalog).map_err(|_| unknown())?
    };
    Ok(Reported {
        name,
        document,
        json: text,
        seconds,
    })
}

/// The report of a study from its journal.
fn of_study(path: &Path, catalog: &Catalog) -> Result<Reported, Refusal> {
    let study = tune::reported::read(path)?;
    let facts = StudyFacts {
        started: local_time(study.begun_ms, "%Y-%m-%d %H:%M:%S %:z"),
        progress: study.progress,
    };
    Ok(Reported {
        name: path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        document: tuning::document::document(&study.report, &facts, catalog),
        json: TuningFile::new(&study.report).to_json(),
        seconds: study.report.trial_seconds * study.report.trials.len() as f64,
    })
}

/// The plan that a file's inputs make.
fn of_plan(
    text: &str,
    name: &str,
    catalog: &Catalog,
) -> Option<loadline_report::document::ReportDocument> {
    let file: PlanFile = serde_json::from_str(text).ok()?;
    let mut inputs = PlanInputs::default();
    let pairs = file.inputs.iter();
    inputs
        .read(pairs.map(|(name, text)| (name.as_str(), text.as_str())))
        .ok()?;
    let load = LoadPlan::from_inputs(&inputs).ok()?;
    Some(plan::document::document(&load, name, catalog))
}
