//! People and history to load, and load to first settings: arithmetic, nothing else.
//!
//! [`PlanInputs`] reads what is known (each number refused when it cannot be), [`LoadPlan`]
//! makes rates, virtual users and settings of it, each a [`PlanFigure`] with its formula,
//! assumptions and doubts. [`write`] writes the tests that follow; [`PlanFile`] is what is
//! kept beside them and compared with the load a run offers.
//!
//! [`history`] reads access logs for the same numbers.
//!
//! Elsewhere: how a plan looks (`report`), files and flags (`cli`), sending it (`engine`).

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
mod values;
pub mod write;

pub use ceiling::LoopCeiling;
pub use error::SizingError;
pub use feature::{Feature, FeatureLoad};
pub use figure::{FigureNote, FigureUnit, NoteKind, PlanFigure};
pub use inputs::{InputError, PlanInputs};
pub use people::People;
pub use plan::LoadPlan;
pub use plan_file::{Deviation, OfferedLoad, PlanFile, PlanFileError};
pub use settings::{Setting, SettingScope, SettingsBlock};
