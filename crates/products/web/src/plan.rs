//! A load plan from what is typed into the page.

use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::Response;
use loadline_listen::Refusal;
use loadline_report::document::glossary::PageDocument;
use loadline_report::plan::document::document;
use loadline_sizing::{LoadPlan, PlanInputs};
use loadline_text::pages;

use crate::api;

/// The plan; inputs have the names of `loadline plan`'s flags.
pub(crate) async fn report(
    Query(given): Query<Vec<(String, String)>>,
) -> Result<Response, Refusal> {
    let lang = given.iter().find(|(name, _)| name == "lang");
    let catalog = api::catalog(lang.map(|(_, lang)| lang.as_str()));
    let inputs = given
        .iter()
        .filter(|(name, text)| name != "lang" && !text.trim().is_empty());
    let pairs: Vec<(&str, &str)> = inputs.map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let mut read = PlanInputs::default();
    if let Err(mistakes) = read.read(pairs) {
        let said = mistakes.iter().map(|mistake| {
            format!(
                "{} {}: {}",
                mistake.name,
                mistake.value,
                catalog.text(&mistake.why)
            )
        });
        let said = said.collect::<Vec<_>>().join("; ");
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "input", said));
    }
    let load = LoadPlan::from_inputs(&read).map_err(|_| {
        let said = catalog.text(&pages::plan_incomplete());
        Refusal::new(StatusCode::BAD_REQUEST, "incomplete", said)
    })?;
    let name = catalog.text(&pages::nav_plan());
    let document = document(&load, &name, &catalog);
    Ok(api::json(PageDocument::new(&document, &catalog).to_json()))
}
