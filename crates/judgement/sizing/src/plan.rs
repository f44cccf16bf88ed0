//! The whole plan: all figures that follow from the inputs.

use loadline_text::{Message, plan};

use crate::budget;
use crate::ceiling::LoopCeiling;
use crate::error::SizingError;
use crate::feature::FeatureLoad;
use crate::figure::PlanFigure;
use crate::inputs::PlanInputs;
use crate::load;
use crate::people::People;
use crate::settings::{self, SettingsBlock};

/// The plan.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadPlan {
    /// The inputs.
    pub inputs: PlanInputs,
    /// The rates, if people or a rate were given.
    pub people: Option<People>,
    /// Rates, virtual users, iterations, budget; each after those it depends on.
    pub figures: Vec<PlanFigure>,
    /// Each feature's load at the peak.
    pub features: Vec<FeatureLoad>,
    /// The ceiling of the script, if its users are known.
    pub ceiling: Option<LoopCeiling>,
    /// First settings, one block for each number of instances.
    pub blocks: Vec<SettingsBlock>,
    /// Why there are no settings although some were asked for.
    pub settings_missing: Option<Message>,
}

impl LoadPlan {
    /// Computes the plan.
    ///
    /// # Errors
    /// [`SizingError`].
    pub fn from_inputs(inputs: &PlanInputs) -> Result<Self, SizingError> {
        let (mut figures, people) = load::rates(inputs)?;
        let features = load::features(inputs, people.as_ref())?;
        if let Some(people) = &people {
            figures.extend(load::users(inputs, people));
            figures.extend(load::feature_figures(inputs, people, &features));
        }
        let ceiling = LoopCeiling::from_inputs(inputs);
        if let Some(ceiling) = &ceiling {
            figures.extend(ceiling.figures(people.map(|p| p.peak)));
        }
        figures.extend(budget::figures(inputs)?);
        let blocks = settings::blocks(inputs, people.as_ref())?;
        let settings_missing =
            (blocks.is_empty() && settings::is_asked(inputs)).then(plan::settings_need_cores);
        if figures.is_empty() && blocks.is_empty() {
            return Err(SizingError::NothingToGoOn);
        }
        Ok(Self {
            inputs: inputs.clone(),
            people,
            figures,
            features,
            ceiling,
            blocks,
            settings_missing,
        })
    }

    /// Requests per second at the peak; 0 if no rate is known.
    #[must_use]
    pub fn peak_rate(&self) -> f64 {
        self.people.map_or(0.0, |people| people.peak)
    }

    /// Iterations per second at the peak.
    #[must_use]
    pub fn peak_iterations(&self) -> f64 {
        self.peak_rate() / self.inputs.requests_per_iteration.unwrap_or(1.0)
    }

    /// Virtual users at the peak by Little's law, for the response-time goal or else for one
    /// second.
    #[must_use]
    pub fn peak_users(&self) -> f64 {
        let response = self
            .inputs
            .response_goal()
            .or(self.inputs.goal())
            .unwrap_or(1.0);
        load::little(&self.inputs, self.peak_rate(), response)
    }

    /// A figure by its id.
    #[must_use]
    pub fn figure(&self, id: &str) -> Option<&PlanFigure> {
        self.figures
            .iter()
            .chain(self.blocks.iter().flat_map(|block| &block.figures))
            .find(|figure| figure.id == id)
    }
}

#[cfg(test)]
mod tests;
