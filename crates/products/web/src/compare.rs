//! Two runs, or groups of them, compared.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use loadline_listen::Refusal;
use loadline_report::comparison::document::document;
use loadline_report::comparison::{ComparisonFacts, file::ComparisonFile};
use loadline_report::document::ReportDocument;
use loadline_report::document::glossary::PageDocument;
use loadline_session::reported::ComparisonResult;
use loadline_store::{Store, StoreError};
use loadline_text::{Catalog, problem};
use serde::Deserialize;

use crate::WebSettings;
use crate::api::{self, Shared};
use crate::saved::{SavedReport, attachment};

/// What is compared with what.
#[derive(Debug, Deserialize)]
pub(crate) struct Sides {
    before: String,
    after: String,
    lang: Option<String>,
}

impl Sides {
    /// The comparison, or why these sides are not compared.
    fn compared(
        &self,
        store: &Store,
        settings: &WebSettings,
        catalog: &Catalog,
    ) -> Result<Result<ComparedSides, String>, StoreError> {
        let now = api::now_ms(settings);
        let found = ComparisonResult::read(store, &self.before, &self.after, now, None)?;
        if let Some(shared) = &found.shared {
            let (before, after) = (&self.before, &self.after);
            let why = if shared.are_all {
                problem::same_runs(before, after)
            } else {
                problem::shared_runs(shared.names.join(", "), before, after)
            };
            return Ok(Err(catalog.what(&why)));
        }
        let facts = ComparisonFacts {
            before: self.before.clone(),
            after: self.after.clone(),
            caveats: found.caveats,
            moved: found.moved,
            limits: found.limits,
        };
        let runs = found.runs.as_ref().map(|(a, b)| (a, b));
        let file = ComparisonFile::new(&found.comparison, &facts, &found.settings, None);
        Ok(Ok(ComparedSides {
            document: document(&found.comparison, &facts, &found.settings, runs, catalog),
            json: format!("{}\n", file.to_json()),
        }))
    }
}

/// A comparison in words, and its numbers as JSON.
struct ComparedSides {
    document: ReportDocument,
    json: String,
}

/// Sides that are not compared, with the reason in the reader's words.
fn refused(why: String) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, "shared_runs", why)
}

pub(crate) async fn report(
    State(settings): Shared,
    Query(sides): Query<Sides>,
) -> Result<Response, Refusal> {
    let text = api::ask(settings, move |store, settings| {
        let catalog = api::catalog(sides.lang.as_deref());
        let compared = sides.compared(store, settings, &catalog)?;
        Ok(compared.map(|compared| PageDocument::new(&compared.document, &catalog).to_json()))
    });
    Ok(api::json(text.await?.map_err(refused)?))
}

/// A comparison to be saved: `html`, `json`, `md` or `xml` (JUnit).
pub(crate) async fn download(
    State(settings): Shared,
    Path(form): Path<String>,
    Query(sides): Query<Sides>,
) -> Result<Response, Refusal> {
    let (name, saved) = api::ask(settings, move |store, settings| {
        let catalog = api::catalog(sides.lang.as_deref());
        let compared = sides.compared(store, settings, &catalog)?;
        let name = format!("{}-{}", sides.after, sides.before);
        Ok(compared.map(|compared| {
            let report = SavedReport {
                document: &compared.document,
                name: &name,
                numbers: compared.json,
                seconds: 0.0,
            };
            let saved = report.in_form(&form, &catalog);
            (format!("report-{name}.{form}"), saved)
        }))
    })
    .await?
    .map_err(refused)?;
    Ok(attachment(&name, saved))
}
