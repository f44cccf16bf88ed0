//! The words of the pages, from the catalogue of the program.

use axum::Json;
use axum::extract::Query;
use loadline_report::document::glossary::{GlossaryEntry, words_of};
use loadline_text::{Message, glossary, pages};
use serde_json::{Map, Value};

use crate::api::InLang;

/// Says a sentence that needs no arguments.
type Sentence = fn() -> Message;

/// Keys as the pages' source uses them.
pub(crate) const TEXTS: &[(&str, Sentence)] = &[
    ("nav", pages::nav),
    ("nav_runs", pages::nav_runs),
    ("nav_new", pages::nav_new),
    ("nav_compare", pages::nav_compare),
    ("nav_plan", pages::nav_plan),
    ("nav_studies", pages::nav_studies),
    ("no_studies", pages::no_studies),
    ("no_studies_hint", pages::no_studies_hint),
    ("study", pages::study),
    ("trials", pages::trials),
    ("answer", pages::answer),
    ("remove_study_sure", pages::remove_study_sure),
    ("skip", pages::skip),
    ("light", pages::light),
    ("dark", pages::dark),
    ("no_page", pages::no_page),
    ("loading", pages::loading),
    ("failed", pages::failed),
    ("retry", pages::retry),
    ("stale", pages::stale),
    ("no_runs", pages::no_runs),
    ("no_runs_hint", pages::no_runs_hint),
    ("no_match", pages::no_match),
    ("search", pages::search),
    ("tag", pages::tag),
    ("all", pages::all),
    ("verdict", pages::verdict),
    ("test", pages::test),
    ("started", pages::started),
    ("length", pages::length),
    ("rate", pages::rate),
    ("errors", pages::errors),
    ("choose", pages::choose),
    ("choose_two", pages::choose_two),
    ("compare_chosen", pages::compare_chosen),
    ("more_rows", pages::more_rows),
    ("compare", pages::compare),
    ("compare_hint", pages::compare_hint),
    ("before", pages::before),
    ("after", pages::after),
    ("goals", pages::goals),
    ("goal", pages::goal),
    ("result", pages::result),
    ("measured", pages::measured),
    ("time", pages::time),
    ("chart_empty", pages::chart_empty),
    ("endpoint", pages::endpoint),
    ("requests", pages::requests),
    ("recent_title", pages::recent_title),
    ("recent", pages::recent),
    ("total", pages::total),
    ("stop", pages::stop),
    ("hold", pages::hold),
    ("resume", pages::resume),
    ("annotate", pages::annotate),
    ("add", pages::add),
    ("done", pages::done),
    ("add_tag", pages::add_tag),
    ("remove_tag", pages::remove_tag),
    ("note", pages::note),
    ("add_note", pages::add_note),
    ("words", glossary::heading),
    ("nav_rounds", pages::nav_rounds),
    ("rounds_of", pages::rounds_of),
    ("rounds_goal", pages::rounds_goal),
    ("rounds_title", pages::rounds_title),
    ("rounds_show", pages::rounds_show),
    ("rounds_hint", pages::rounds_hint),
    ("rounds_chosen", pages::rounds_chosen),
    ("save", pages::save),
    ("save_html", pages::save_html),
    ("again", pages::again),
    ("remove", pages::remove),
    ("remove_sure", pages::remove_sure),
    ("what", pages::what),
    ("file", pages::file),
    ("url", pages::url),
    ("file_path", pages::file_path),
    ("file_choose", pages::file_choose),
    ("load", pages::load),
    ("load_rate", pages::load_rate),
    ("load_users", pages::load_users),
    ("per_second", pages::per_second),
    ("users", pages::users),
    ("duration", pages::duration),
    ("warm_up", pages::warm_up),
    ("warm_up_short", pages::warm_up_short),
    ("warm_up_long", pages::warm_up_long),
    ("validated", pages::validated),
    ("preview", pages::preview),
    ("preview_show", pages::preview_show),
    ("preview_hint", pages::preview_hint),
    ("goals_input", pages::goals_input),
    ("more", pages::more),
    ("options", pages::options),
    ("command", pages::command),
    ("start", pages::start),
    ("once", pages::once),
    ("test_missing", pages::test_missing),
    ("starting", pages::starting),
    ("start_at", pages::start_at),
    ("scheduled", pages::scheduled),
    ("scheduled_hint", pages::scheduled_hint),
    ("take_back", pages::take_back),
    ("waits_until", pages::waits_until),
    ("ended_with", pages::ended_with),
    ("plan_incomplete", pages::plan_incomplete),
    ("plan_dau", pages::plan_dau),
    ("plan_requests_per_user", pages::plan_requests_per_user),
    ("plan_peak_factor", pages::plan_peak_factor),
    ("plan_think_time", pages::plan_think_time),
    ("plan_response_time", pages::plan_response_time),
    ("plan_try", pages::plan_try),
    ("error_no_run", pages::error_no_run),
    ("error_ambiguous", pages::error_ambiguous),
    ("error_store", pages::error_store),
    ("error_running", pages::error_running),
    ("error_not_steerable", pages::error_not_steerable),
    ("error_not_told", pages::error_not_told),
    ("error_away", pages::error_away),
    ("error_link", pages::error_link),
    ("error_role", pages::error_role),
];

/// Labels of the pages' own lists and forms, by their keys in [`TEXTS`].
const LABELS: [&str; 4] = ["rate", "errors", "users", "load_users"];

/// The words of the field that stand in them.
pub(crate) async fn field_words(Query(lang): Query<InLang>) -> Json<Vec<GlossaryEntry>> {
    let catalog = lang.catalog();
    let named = TEXTS.iter().filter(|(key, _)| LABELS.contains(key));
    let mut labels: Vec<String> = named.map(|(_, message)| catalog.text(&message())).collect();
    labels.extend(["p50", "p95"].map(str::to_owned));
    let labels = labels.iter().map(String::as_str);
    Json(words_of(labels, [], &catalog))
}

/// All of them in one language.
pub(crate) async fn all(Query(lang): Query<InLang>) -> Json<Value> {
    let catalog = lang.catalog();
    let words = TEXTS
        .iter()
        .map(|(key, message)| ((*key).to_owned(), Value::from(catalog.text(&message()))));
    Json(Value::Object(words.collect::<Map<String, Value>>()))
}
