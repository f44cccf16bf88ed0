//! The rate that a script of looping users cannot exceed, whatever the target does: each user
//! waits for answers and thinks.

use loadline_text::plan;

use crate::figure::{FigureUnit, PlanFigure, number, seconds};
use crate::inputs::PlanInputs;

/// The highest rate of a closed-model script.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoopCeiling {
    /// The number of its users.
    pub vus: f64,
    /// Requests per iteration.
    pub requests: f64,
    /// Think time per iteration, in seconds.
    pub think: f64,
    /// The response-time goal in seconds.
    pub response: Option<f64>,
}

impl LoopCeiling {
    pub(crate) fn from_inputs(inputs: &PlanInputs) -> Option<Self> {
        Some(Self {
            vus: inputs.vus?,
            requests: inputs.requests_per_iteration.unwrap_or(1.0),
            think: inputs.think_time.unwrap_or(0.0),
            response: inputs.response_goal().or(inputs.p95),
        })
    }

    /// Requests per second if every answer takes `response` seconds; infinite if an iteration
    /// takes no time.
    #[must_use]
    pub fn rate(&self, response: f64) -> f64 {
        self.vus * self.requests / (self.think + self.requests * response)
    }

    /// `200 × 2 / (2.5 s + 2 × 0 s)`.
    #[must_use]
    pub fn formula(&self, response: f64) -> String {
        let (vus, requests) = (number(self.vus), number(self.requests));
        let (think, response) = (seconds(self.think), seconds(response));
        format!("{vus} × {requests} / ({think} + {requests} × {response})")
    }

    pub(crate) fn figures(&self, goal: Option<f64>) -> Vec<PlanFigure> {
        let below = |rate: f64| goal.is_some_and(|goal| goal > rate);
        let figure = |id: &str, label, response: f64| {
            let rate = self.rate(response);
            let figure = PlanFigure::new(
                id,
                label,
                rate,
                FigureUnit::PerSecond,
                self.formula(response),
            );
            match goal {
                Some(goal) if below(rate) => figure.doubts(plan::doubts_ceiling(
                    FigureUnit::PerSecond.show(rate),
                    FigureUnit::PerSecond.show(goal),
                )),
                _ => figure,
            }
        };
        let mut figures = Vec::new();
        if self.think > 0.0 {
            figures.push(figure("ceiling", plan::ceiling(), 0.0));
        }
        if let Some(response) = self.response {
            let label = plan::ceiling_at(seconds(response));
            figures.push(figure("ceiling-at-goal", label, response));
        }
        figures
    }
}
