//! A test that can be run: a script with its rows, its variables and its files.

use std::path::PathBuf;
use std::time::Duration;

use loadline_js::CodeTrust;

use crate::functions::Functions;
use crate::model::Script;
use crate::payload::Payload;

/// A test that can be run.
#[derive(Debug)]
pub struct LoadedTest {
    /// The script.
    pub script: Script,
    /// The rows of its payloads.
    pub payloads: Vec<Payload>,
    /// Variables that each user has from the start: target, environment, paths.
    pub base: serde_json::Map<String, serde_json::Value>,
    /// The script's folder.
    pub folder: PathBuf,
    /// The processor's file.
    pub processor: Option<PathBuf>,
    /// Whose files hold code.
    pub trust: CodeTrust,
    /// The totals of all phases.
    pub sum: PhaseSum,
    /// Functions that templates may call.
    pub functions: Functions,
    /// Whether Artillery's quirks are kept (`--compat artillery-strict`).
    pub strict_compat: bool,
}

/// The totals of all phases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhaseSum {
    /// How long users arrive.
    pub length: Duration,
    /// How many users arrive.
    pub users: f64,
    /// How many requests they send if each runs its flow once; `None` when a loop has no
    /// fixed count.
    pub requests: Option<f64>,
}
