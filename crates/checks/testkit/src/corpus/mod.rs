//! k6 scripts of our own, what k6 did with them, and where another binary differs.
//!
//! `script` reads a script and its directives, `run` starts a binary on it, `observation` is what was seen,
//! `recording` what k6 did several times, `normalise` what may differ and why, `times` how measured times compare, `pace` how slow the machine was, `compare` the verdict, `differences` the table of
//! known ones, `verdict` what it explains, `plant` deliberate defects that must be noticed, `suite` all of it over many scripts at once.

mod arguments;
mod compare;
mod differences;
mod log;
pub mod normalise;
mod observation;
mod pace;
mod plant;
mod recording;
mod run;
mod script;
mod suite;
mod summary;
mod times;
mod verdict;

pub use compare::{Finding, compare};
pub use differences::{Difference, Differences};
pub use log::Line;
pub use normalise::Class;
pub use observation::{Metric, Observation, Tally};
pub use plant::Plant;
pub use recording::{Expected, Recording, Value};
pub use run::{Setting, Subject, run};
pub use script::{Directives, Script, Signal, Tolerance, discover};
pub use suite::{Corpus, Report, SuiteOptions};
pub use times::Spread;
pub use verdict::{Outcome, Verdict};

/// Everything that can go wrong around the scripts, as opposed to in them.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: std::path::PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A directive in the head of a script cannot be understood.
    #[error("{script}: directive {directive:?}: {reason}")]
    Directive {
        /// `topic/name`.
        script: String,
        /// The line.
        directive: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The binary could not be started or watched.
    #[error("{script}: {binary}: {source}")]
    Start {
        /// `topic/name`.
        script: String,
        /// The binary.
        binary: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A recorded result or the table of differences is malformed.
    #[error("{path}: {reason}")]
    Format {
        /// Which file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl CorpusError {
    pub(crate) fn file(path: &std::path::Path, source: std::io::Error) -> Self {
        Self::File {
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn format(path: &std::path::Path, reason: impl ToString) -> Self {
        Self::Format {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }
}
