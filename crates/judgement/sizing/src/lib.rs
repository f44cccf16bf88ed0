//! Computes the load that people make, and first settings for that load.
//!
//! [`PlanInputs`] holds validated inputs. [`LoadPlan`] computes rates, virtual users and settings
//! from them; each is a [`PlanFigure`] with its formula, assumptions and doubts. [`write`] writes
//! test files; [`PlanFile`] is stored beside them and compared with the load of a run.
//!
//! [`history`] reads the same inputs from access logs.
//!
//! Elsewhere: presentation (`report`), files and flags (`cli`), sending the load (`engine`).

mod budget;
mod ceiling;
mod error;
mod feature;
mod figure;
pub mod history;
mod inputs;
mod load;
mod people;
mod plan;
mod plan_file;
mod settings;
mod stages;
mod values;
pub mod write;

pub use ceiling::LoopCeiling;
pub use error::SizingError;
pub use feature::{Feature, FeatureLoad};
pub use figure::{FigureNote, FigureUnit, NoteKind, PlanFigure};
pub use inputs::{BusiestSpan, InputError, PlanInputs};
pub use people::People;
pub use plan::LoadPlan;
pub use plan_file::{Deviation, OfferedLoad, PlanFile, PlanFileError, PlannedFeature, PlannedTest};
pub use settings::{Setting, SettingScope, SettingsBlock};
