//! The list of runs, reports of them, and what a person changes about them.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use loadline_listen::Refusal;
use loadline_report::capacity;
use loadline_report::document::glossary::PageDocument;
use loadline_report::document::{ReportDocument, printable};
use loadline_report::run::{self, ReportedRun, VerdictFacts};
use loadline_session::reported;
use loadline_store::{RunRow, Store, StoreError, StoredRunState};
use loadline_text::Catalog;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::WebSettings;
use crate::api::{self, InLang, Shared};
use crate::saved::{SavedReport, attachment};

/// All runs, newest first.
pub(crate) async fn list(
    State(settings): Shared,
    Query(lang): Query<InLang>,
) -> Result<Json<Value>, Refusal> {
    let rows = api::listed(settings, |store, settings| {
        store.runs(api::now_ms(settings))
    })
    .await?;
    let catalog = lang.catalog();
    let rows: Vec<Value> = rows.iter().map(|found| row(found, &catalog)).collect();
    Ok(Json(json!({ "runs": rows })))
}

/// A row of the list. Names, notes and tags are others' words.
pub(crate) fn row(row: &RunRow, catalog: &Catalog) -> Value {
    // Uncut: a person edits notes, and a test is run again by what it is called.
    let whole = |text: &String| printable::lines(text, usize::MAX);
    let tags: Vec<String> = row.tags.iter().map(whole).collect();
    let settings = row.settings.iter();
    let settings = settings.map(|(name, value)| (whole(name), whole(value)));
    let settings: BTreeMap<String, String> = settings.collect();
    json!({
        "number": row.number, "name": row.name, "started_ms": row.started_ms,
        "running": row.state == StoredRunState::Running,
        "kind": row.kind, "test": whole(&row.test),
        "verdict": row.verdict,
        "word": loadline_report::runs::word(&row.verdict, catalog),
        "note": whole(&row.note), "tags": tags, "settings": settings,
        "seconds": row.seconds, "requests": row.requests, "rate": row.rate,
        "mean_ms": row.mean_ms, "p95_ms": row.p95_ms, "errors": row.errors, "vus": row.vus,
    })
}

/// A run's report as a document, with its row.
pub(crate) async fn report(
    State(settings): Shared,
    Path(reference): Path<String>,
    Query(lang): Query<InLang>,
) -> Result<Json<Value>, Refusal> {
    let answer = api::ask(settings, move |store, settings| {
        let catalog = lang.catalog();
        let found = store.find(&reference, api::now_ms(settings))?;
        let row = row(&found, &catalog);
        let run = reported::read(store, found, api::now_ms(settings))?;
        Ok(answer(&run, row, settings, &catalog))
    });
    answer.await.map(Json)
}

/// What pages show of a run.
pub(crate) fn answer(
    run: &ReportedRun,
    row: Value,
    settings: &WebSettings,
    catalog: &Catalog,
) -> Value {
    json!({
        "row": row,
        "arguments": run.tested.arguments,
        "document": PageDocument::new(&document(run, settings, catalog), catalog),
        "recent": recent(run),
    })
}

/// What the last seconds brought, beside the totals, by endpoint.
fn recent(run: &ReportedRun) -> Vec<Value> {
    let shown = run.endpoints.iter().take(100);
    // Requests that were never sent took no time.
    let took = |ms: Option<f64>| ms.filter(|ms| *ms > 0.0);
    let of = shown.filter_map(|one| {
        let (requests, failed, durations) = one.recent.as_ref()?;
        Some(json!({
            "name": one.name,
            "total": {
                "requests": one.requests, "failed": one.failed,
                "p50_ms": took(one.durations.percentile(0.5)), "p95_ms": took(one.durations.percentile(0.95)),
                "p99_ms": took(one.durations.percentile(0.99)),
            },
            "recent": {
                "requests": requests, "failed": failed,
                "p50_ms": took(durations.percentile(0.5)), "p95_ms": took(durations.percentile(0.95)),
                "p99_ms": took(durations.percentile(0.99)),
            },
        }))
    });
    of.collect()
}

pub(crate) fn document(
    run: &ReportedRun,
    settings: &WebSettings,
    catalog: &Catalog,
) -> ReportDocument {
    let started = (settings.local_time)(run.tested.started_ms);
    match capacity::document::of_run(run, &started, catalog) {
        Some((document, _)) => document,
        None => run::document(run, &VerdictFacts { started }, catalog),
    }
}

/// A report to be saved: `html`, `json`, `md` or `xml` (JUnit).
pub(crate) async fn download(
    State(settings): Shared,
    Path((reference, form)): Path<(String, String)>,
    Query(lang): Query<InLang>,
) -> Result<Response, Refusal> {
    let (name, saved) = api::ask(settings, move |store, settings| {
        let catalog = lang.catalog();
        let found = store.find(&reference, api::now_ms(settings))?;
        let run = reported::read(store, found, api::now_ms(settings))?;
        let name = &run.tested.name;
        let report = SavedReport {
            document: &document(&run, settings, &catalog),
            name,
            numbers: format!("{:#}\n", run::export::json(&run)),
            seconds: run.summary.run.duration.as_secs_f64(),
        };
        Ok((
            format!("report-{name}.{form}"),
            report.in_form(&form, &catalog),
        ))
    })
    .await?;
    Ok(attachment(&name, saved))
}

#[derive(Debug, Deserialize)]
pub(crate) struct NewNote {
    note: String,
}

/// Replaces a run's note.
pub(crate) async fn note(
    State(settings): Shared,
    Path(reference): Path<String>,
    Json(new): Json<NewNote>,
) -> Result<StatusCode, Refusal> {
    let done = api::change(settings, move |store, settings| {
        let run = found(store, &reference, settings)?;
        store.note(&run, &new.note)
    });
    done.await.map(|()| StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub(crate) struct NewTags {
    add: Vec<String>,
    remove: Vec<String>,
}

/// Adds and removes tags.
pub(crate) async fn tags(
    State(settings): Shared,
    Path(reference): Path<String>,
    Json(new): Json<NewTags>,
) -> Result<StatusCode, Refusal> {
    let done = api::change(settings, move |store, settings| {
        let run = found(store, &reference, settings)?;
        let tags = |all: Vec<String>| -> Vec<String> {
            let trimmed = all.iter().map(|tag| tag.trim().to_owned());
            trimmed.filter(|tag| !tag.is_empty()).collect()
        };
        store.tag(&run, &tags(new.add), &tags(new.remove))
    });
    done.await.map(|()| StatusCode::NO_CONTENT)
}

/// Removes a run that is over.
pub(crate) async fn remove(
    State(settings): Shared,
    Path(reference): Path<String>,
) -> Result<StatusCode, Refusal> {
    let removed = api::change(settings, move |store, settings| {
        let run = found(store, &reference, settings)?;
        if run.state == StoredRunState::Running {
            return Ok(false);
        }
        store.remove(&[run])?;
        Ok(true)
    });
    if removed.await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Refusal::new(
            StatusCode::CONFLICT,
            "running",
            "a run that goes on cannot be removed",
        ))
    }
}

fn found(store: &Store, reference: &str, settings: &WebSettings) -> Result<RunRow, StoreError> {
    store.find(reference, api::now_ms(settings))
}
