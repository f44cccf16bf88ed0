//! What k6 tests may ask for: options, where they come from, and the plan they make.
//!
//! Options come from five sources, lowest first: defaults, a configuration file
//! ([`OptionsLayer::read_config_file`]), what the script exports ([`ScriptOptions::read`]),
//! `K6_*` variables ([`OptionsLayer::read_environment`]) and flags ([`flags::parse`]).
//! [`Layers::consolidate`] lays them over each other and [`ConsolidatedOptions::derive`] makes
//! a [`Test`] with its plan. [`HttpSettings`] and [`SummarySettings`] are the options
//! with their defaults, [`Options::to_test_options`] is what scripts see of them.
//!
//! Messages are k6's own wherever it has one, recorded from it.
//! [`K6Version`] says whose rules hold where they differ.
//!
//! [`log`] has the lines that options, scripts and the run log, in k6's format.
//!
//! Elsewhere: running scripts (`k6`), reading files and the environment, printing (`cli`),
//! checking load shapes (`testplan`), judging thresholds (`metrics`).

mod consolidate;
mod derive;
mod environment;
mod error;
mod features;
pub mod flags;
pub mod go;
pub mod json;
pub mod log;
mod read_options;
mod read_scenarios;
mod scenario;
mod set;
mod settings;
mod show;
mod sources;
mod thresholds;
mod user_functions;
pub mod values;
mod version;

pub use consolidate::{ConsolidatedOptions, Layers};
pub use derive::DerivedTest;
pub use error::{ConfigMistake, Conflict, ExitCode, OptionsError, UnsupportedFeature, Warning};
pub use features::{K6Feature, K6Features};
pub use loadline_testplan::draft::{SignedDuration, StageDraft};
pub use read_options::unknown_options;
pub use read_scenarios::unknown_executors;
pub use scenario::{ExecutorConfig, FieldRef, ScenarioConfig};
pub use set::Options;
pub use settings::{Dns, HttpDebug, HttpSettings, SummarySettings, SummaryTimeUnit};
pub use sources::{ExtraSettings, OptionsLayer, ScriptOptions};
pub use thresholds::{ThresholdMistakes, compile_thresholds};
pub use user_functions::{UserFunctions, user_functions};
pub use version::K6Version;

#[cfg(test)]
mod tests;
