//! Two runs, or groups of them, compared.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use loadline_listen::Refusal;
use loadline_report::comparison::document::document;
use loadline_report::comparison::{ComparisonFacts, file::ComparisonFile};
use loadline_report::document::ReportDocument;
use loadline_session::reported::ComparisonResult;
use loadline_store::{Store, StoreError};
use loadline_text::Catalog;
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
    /// The comparison in words, and its numbers as JSON.
    fn compared(
        &self,
        store: &Store,
        settings: &WebSettings,
        catalog: &Catalog,
    ) -> Result<(ReportDocument, String), StoreError> {
        let now = api::now_ms(settings);
        let found = ComparisonResult::read(store, &self.before, &self.after, now)?;
        let facts = ComparisonFacts {
            before: self.before.clone(),
            after: self.after.clone(),
            caveats: found.caveats,
            moved: found.moved,
            limits: found.limits,
        };
        let runs = found.runs.as_ref().map(|(a, b)| (a, b));
        let file = ComparisonFile::new(&found.comparison, &facts, &found.settings, None);
        let said = document(&found.comparison, &facts, &found.settings, runs, catalog);
        Ok((said, format!("{}\n", file.to_json())))
    }
}

pub(crate) async fn report(
    State(settings): Shared,
    Query(sides): Query<Sides>,
) -> Result<Response, Refusal> {
    let text = api::ask(settings, move |store, settings| {
        let catalog = api::catalog(sides.lang.as_deref());
        let (said, _) = sides.compared(store, settings, &catalog)?;
        Ok(said.to_json())
    });
    Ok(api::json(text.await?))
}

/// A comparison to be saved: `html`, `json`, `md` or `xml` (JUnit).
pub(crate) async fn download(
    State(settings): Shared,
    Path(form): Path<String>,
    Query(sides): Query<Sides>,
) -> Result<Response, Refusal> {
    let (name, saved) = api::ask(settings, move |store, settings| {
        let catalog = api::catalog(sides.lang.as_deref());
        let (document, numbers) = sides.compared(store, settings, &catalog)?;
        let name = format!("{}-{}", sides.after, sides.before);
        let report = SavedReport {
            document: &document,
            name: &name,
            numbers,
            seconds: 0.0,
        };
        let saved = report.in_form(&form, &catalog);
        Ok((format!("report-{name}.{form}"), saved))
    })
    .await?;
    Ok(attachment(&name, saved))
}
