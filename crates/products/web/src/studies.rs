//! Studies of settings: their list, their answers so far, and those that go on.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use loadline_listen::Refusal;
use loadline_report::document::glossary::PageDocument;
use loadline_report::document::{ReportDocument, printable};
use loadline_report::run::RunProgress;
use loadline_report::tuning::StudyReport;
use loadline_report::tuning::document::{StudyFacts, document};
use loadline_report::tuning::file::TuningFile;
use loadline_store::{StoredRunState, StudyRow};
use loadline_text::Catalog;
use serde_json::{Value, json};

use crate::WebSettings;
use crate::api::{self, InLang, Shared};
use crate::saved::{SavedReport, attachment, plain};

/// How often a study that goes on is looked at.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// All studies, newest first.
pub(crate) async fn list(
    State(settings): Shared,
    Query(lang): Query<InLang>,
) -> Result<Json<Value>, Refusal> {
    let rows = api::listed(settings, |store, settings| {
        store.studies(api::now_ms(settings))
    })
    .await?;
    let catalog = lang.catalog();
    let rows: Vec<Value> = rows.iter().map(|found| row(found, &catalog)).collect();
    Ok(Json(json!({ "studies": rows })))
}

fn row(row: &StudyRow, catalog: &Catalog) -> Value {
    let told = report_of(row, "", catalog);
    let verdict = told.as_ref().map(|(_, document)| &document.verdict);
    json!({
        "name": row.name, "study": printable::line(&row.study), "begun_ms": row.begun_ms,
        "changed_ms": row.changed_ms, "running": row.state == StoredRunState::Running,
        "class": verdict.map(|verdict| verdict.class),
        "word": verdict.map(|verdict| &verdict.word),
        "text": verdict.map(|verdict| &verdict.text),
        "goal": told.as_ref().map(|(report, _)| &report.goal),
        "trials": told.as_ref().map(|(report, _)| report.trials.len()),
    })
}

/// What a stored study says; `None` when a newer program wrote it.
fn report_of(
    row: &StudyRow,
    started: &str,
    catalog: &Catalog,
) -> Option<(StudyReport, ReportDocument)> {
    let report = TuningFile::parse(&row.answer).ok()?.report().ok()?;
    let facts = StudyFacts {
        started: started.to_owned(),
        progress: match row.state {
            StoredRunState::Running => RunProgress::Running,
            // One that a person interrupted says so itself.
            StoredRunState::Interrupted if report.now.is_some() => RunProgress::CutOff,
            StoredRunState::Interrupted | StoredRunState::Finished => RunProgress::Ended,
        },
    };
    let document = document(&report, &facts, catalog);
    Some((report, document))
}

fn newer() -> Refusal {
    let message = "a newer program wrote this study";
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "store", message)
}

fn answer(row: &StudyRow, settings: &WebSettings, catalog: &Catalog) -> Result<Value, Refusal> {
    let started = (settings.local_time)(row.begun_ms);
    let (_, document) = report_of(row, &started, catalog).ok_or_else(newer)?;
    Ok(json!({ "row": self::row(row, catalog), "document": PageDocument::new(&document, catalog) }))
}

/// A study as a document, with its row.
pub(crate) async fn report(
    State(settings): Shared,
    Path(name): Path<String>,
    Query(lang): Query<InLang>,
) -> Result<Json<Value>, Refusal> {
    let row = read(settings.clone(), name).await?;
    answer(&row, &settings, &lang.catalog()).map(Json)
}

async fn read(settings: Arc<WebSettings>, name: String) -> Result<StudyRow, Refusal> {
    let found = api::ask(settings, move |store, settings| {
        store.study(&name, api::now_ms(settings))
    });
    found.await
}

/// A study to be saved: `html`, `json`, `md` or `xml` (JUnit).
pub(crate) async fn download(
    State(settings): Shared,
    Path((name, form)): Path<(String, String)>,
    Query(lang): Query<InLang>,
) -> Result<Response, Refusal> {
    let row = read(settings.clone(), name).await?;
    let catalog = lang.catalog();
    let started = (settings.local_time)(row.begun_ms);
    let (report, document) = report_of(&row, &started, &catalog).ok_or_else(newer)?;
    let study = plain(&row.study);
    let saved = SavedReport {
        document: &document,
        name: &study,
        numbers: row.answer,
        seconds: report.trial_seconds * report.trials.len() as f64,
    };
    let saved = saved.in_form(&form, &catalog);
    Ok(attachment(&format!("study-{study}.{form}"), saved))
}

/// Removes a study that does not go on; its trials stay.
pub(crate) async fn remove(
    State(settings): Shared,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    let row = read(settings.clone(), name).await?;
    if row.state == StoredRunState::Running {
        let message = "the study goes on";
        return Err(Refusal::new(StatusCode::CONFLICT, "running", message));
    }
    let done = api::change(settings, move |store, _| store.remove_study(&row.name));
    done.await.map(|()| StatusCode::NO_CONTENT)
}

/// Someone who watches a study.
struct StudyWatcher {
    settings: Arc<WebSettings>,
    name: String,
    catalog: Catalog,
    said: String,
    is_first: bool,
}

/// The events: `study` with the members of the study's report, then `end`.
pub(crate) async fn live(
    State(settings): Shared,
    Path(name): Path<String>,
    Query(lang): Query<InLang>,
) -> Result<Response, Refusal> {
    read(settings.clone(), name.clone()).await?;
    let watcher = StudyWatcher {
        settings,
        name,
        catalog: lang.catalog(),
        said: String::new(),
        is_first: true,
    };
    let events = stream::unfold(Some(watcher), next);
    Ok(api::events(events))
}

type StudyTold = (Result<Bytes, Infallible>, Option<StudyWatcher>);

async fn next(watcher: Option<StudyWatcher>) -> Option<StudyTold> {
    let mut watcher = watcher?;
    if !std::mem::replace(&mut watcher.is_first, false) {
        tokio::time::sleep(LOOK_INTERVAL).await;
    }
    let found = read(watcher.settings.clone(), watcher.name.clone()).await;
    let told = found.and_then(|row| {
        let told = answer(&row, &watcher.settings, &watcher.catalog)?;
        Ok((told.to_string(), row.state != StoredRunState::Running))
    });
    let Ok((told, is_over)) = told else {
        // Removed meanwhile: there is nothing more to say.
        return None;
    };
    let mut text = if told == watcher.said {
        ":\n\n".to_owned()
    } else {
        format!("event: study\ndata: {told}\n\n")
    };
    watcher.said = told;
    if is_over {
        text.push_str("event: end\ndata: {}\n\n");
    }
    Some((Ok(Bytes::from(text)), (!is_over).then_some(watcher)))
}
