//! The response time that a page's time goal leaves for each API call.

use loadline_text::plan;

use crate::error::SizingError;
use crate::figure::{FigureUnit, PlanFigure, number, seconds};
use crate::inputs::PlanInputs;

/// (Page goal - rendering - round trips) / calls made one after another.
pub(crate) fn figures(inputs: &PlanInputs) -> Result<Vec<PlanFigure>, SizingError> {
    let Some(page) = inputs.page_time else {
        return Ok(Vec::new());
    };
    let render = inputs.render_time.ok_or(SizingError::Missing {
        input: "render-time",
        beside: "page-time",
    })?;
    let trip = inputs.round_trip.unwrap_or(0.0);
    let trips = inputs.round_trips.unwrap_or(1.0);
    let calls = inputs.api_calls.unwrap_or(1.0);
    let left = page - render - trip * trips;
    let mut formula = format!(
        "{} - {} - {} × {}",
        seconds(page),
        seconds(render),
        number(trips),
        seconds(trip)
    );
    if calls > 1.0 {
        formula = format!("({formula}) / {}", number(calls));
    }
    let goal = left / calls;
    let mut figure = PlanFigure::new(
        "api-goal",
        plan::api_goal(),
        goal,
        FigureUnit::Seconds,
        formula,
    );
    if left <= 0.0 {
        figure = figure.doubts(plan::doubts_no_time_left());
    }
    if inputs.round_trip.is_none() {
        figure = figure.doubts(plan::doubts_no_round_trips());
    }
    if inputs.api_calls.is_none() {
        figure = figure.assumes(plan::assumes_one_call());
    }
    if let Some(own) = inputs.p95
        && own > goal
    {
        figure = figure.doubts(plan::doubts_goal_above_budget(seconds(own)));
    }
    Ok(vec![figure])
}
