//! What callers saw by goal, by level of the load and by endpoint, in words.

use loadline_explain::{
    EndpointTimes, Explanation, ExplanationAnswer, JudgedObjective, LoadLevel, ObjectiveMeasure,
};
use loadline_text::{Catalog, Message, counted, explain, latency, messages, percent, significant};

/// Endpoints beyond this number are in the JSON form only.
const ENDPOINTS_MAX: usize = 5;
/// From this share of failed requests on they are told.
const FAILED_SHARE_MIN: f64 = 0.001;

/// What the run was judged by, a line each.
pub(crate) fn objectives(explanation: &Explanation, catalog: &Catalog) -> Vec<String> {
    let lines = explanation.objectives.iter().map(|one| {
        let goal = match &one.objective.endpoint {
            Some(endpoint) => catalog.text(&explain::objective_of(&one.objective.text, endpoint)),
            None => one.objective.text.clone(),
        };
        catalog.text(&objective(one, &goal, catalog))
    });
    lines.collect()
}

fn objective(one: &JudgedObjective, goal: &str, catalog: &Catalog) -> Message {
    let value = |value: f64| {
        if value.is_infinite() {
            catalog.text(&messages::goal_not_reached())
        } else if one.objective.measure.is_time() {
            latency(value)
        } else if one.objective.measure == ObjectiveMeasure::ChecksFailed {
            // Its goal is a share that holds.
            percent(1.0 - value)
        } else {
            percent(value)
        }
    };
    // One verdict of a goal, wherever it stands: that of the run.
    let verdict = one.verdict();
    let shown = value(verdict.value);
    let said = match one.unloaded {
        _ if !verdict.is_missed => explain::objective_kept(goal, shown),
        Some(unloaded) => explain::objective_missed_from(goal, shown, value(unloaded)),
        None => explain::objective_missed(goal, shown),
    };
    if one.is_otherwise_while_busy() {
        explain::objective_while_busy(catalog.text(&said), value(one.value))
    } else {
        said
    }
}

/// Each level of a load that changed, a line each.
pub(crate) fn levels(explanation: &Explanation, catalog: &Catalog) -> Vec<String> {
    let levels = explanation.levels.iter();
    levels.map(|one| level(one, catalog)).collect()
}

fn level(level: &LoadLevel, catalog: &Catalog) -> String {
    let answered = significant(level.answered);
    let (mean, p95) = (latency(level.mean_ms), latency(level.p95_ms));
    let mut text = catalog.text(&if level.is_users {
        explain::level_users(counted(level.load), answered, mean, p95)
    } else {
        explain::level_starts(significant(level.load), answered, mean, p95)
    });
    if level.failed >= FAILED_SHARE_MIN {
        text = catalog.text(&explain::level_failed_or_cut(text, percent(level.failed)));
    }
    if !level.is_carried {
        text = catalog.text(&explain::level_not_carried(text));
    }
    text
}

/// The endpoints that callers wait for most, where something limits or may limit.
pub(crate) fn endpoints(explanation: &Explanation, catalog: &Catalog) -> Vec<String> {
    if explanation.answer == ExplanationAnswer::NoBottleneck {
        return Vec::new();
    }
    let endpoints = explanation.endpoints.iter().take(ENDPOINTS_MAX);
    endpoints.map(|one| endpoint(one, catalog)).collect()
}

fn endpoint(one: &EndpointTimes, catalog: &Catalog) -> String {
    let text = catalog.text(&explain::endpoint(
        &one.name,
        significant(one.answered),
        latency(one.mean_ms),
        latency(one.p95_ms),
        one.fastest_ms.map_or_else(|| "–".to_owned(), latency),
    ));
    let text = if one.failed < FAILED_SHARE_MIN {
        text
    } else {
        catalog.text(&explain::level_failed(text, percent(one.failed)))
    };
    if one.cut < FAILED_SHARE_MIN {
        return text;
    }
    catalog.text(&explain::level_cut(text, percent(one.cut)))
}
