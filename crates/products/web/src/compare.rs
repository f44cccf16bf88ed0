//! Two runs, or groups of them, compared.

use axum::extract::{Query, State};
use axum::response::Response;
use loadline_listen::Refusal;
use loadline_report::comparison::ComparisonFacts;
use loadline_report::comparison::document::document;
use loadline_session::reported::ComparisonResult;
use serde::Deserialize;

use crate::api::{self, Shared};

/// What is compared with what.
#[derive(Debug, Deserialize)]
pub(crate) struct Sides {
    before: String,
    after: String,
    lang: Option<String>,
}

pub(crate) async fn report(
    State(settings): Shared,
    Query(sides): Query<Sides>,
) -> Result<Response, Refusal> {
    let text = api::ask(settings, move |store, settings| {
        let catalog = api::catalog(sides.lang.as_deref());
        let now = api::now_ms(settings);
        let found = ComparisonResult::read(store, &sides.before, &sides.after, now)?;
        let facts = ComparisonFacts {
            before: sides.before,
            after: sides.after,
            caveats: found.caveats,
            moved: found.moved,
        };
        let runs = found.runs.as_ref().map(|(a, b)| (a, b));
        let said = document(&found.comparison, &facts, &found.settings, runs, &catalog);
        Ok(said.to_json())
    });
    Ok(api::json(text.await?))
}
