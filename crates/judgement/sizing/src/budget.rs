//! The response time that a page's time goal leaves for each API call.

use loadline_text::plan;

use crate::error::SizingError;
use crate::figure::{FigureUnit, PlanFigure, number, seconds};
use crate::inputs::PlanInputs;

impl PlanInputs {
    /// What a page leaves for each API call, seconds; `None` where that is not asked, or nothing is left.
    fn api_goal(&self) -> Option<f64> {
        let trips = self.round_trip.unwrap_or(0.0) * self.round_trips.unwrap_or(1.0);
        let left = self.page_time? - self.render_time? - trips;
        Some(left / self.api_calls.unwrap_or(1.0)).filter(|goal| *goal > 0.0)
    }

    /// The goal of the 95th percentile, seconds: that of an API, or what its page leaves for it where that is shorter.
    pub(crate) fn goal(&self) -> Option<f64> {
        let own = self.p95.or(self.response_goal());
        match (own, self.api_goal()) {
            (Some(own), Some(of_page)) => Some(own.min(of_page)),
            (own, of_page) => own.or(of_page),
        }
    }
}

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
    if left > 0.0 && inputs.goal() == inputs.api_goal() {
        figure = figure.assumes(plan::assumes_goal_of_page());
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
