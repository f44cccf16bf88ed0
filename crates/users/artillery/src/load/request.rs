//! What is loaded, and what came of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use loadline_js::CodeTrust;

use crate::finding::{Diagnostic, DiagnosticKind, Severity};
use crate::phrase::Phrase;
use crate::test::LoadedTest;

/// What to load, and the flags that apply to it.
#[derive(Debug, Clone, Default)]
pub struct LoadRequest {
    /// The script, and further files that are merged into it.
    pub files: Vec<String>,
    /// The file of `--config`, which is also in `files`. Processors are looked up beside it.
    pub config_file: Option<String>,
    /// The folder that relative paths start from.
    pub working_dir: PathBuf,
    /// `-e`
    pub environment: Option<String>,
    /// `-t`
    pub target: Option<String>,
    /// `-k`
    pub insecure: bool,
    /// `-p`
    pub payload: Option<String>,
    /// `--overrides`, JSON.
    pub overrides: Option<String>,
    /// `-v`, JSON.
    pub variables: Option<String>,
    /// `--solo`
    pub solo: bool,
    /// `--compat artillery-strict`
    pub strict_compat: bool,
    /// `--expect-duration`
    pub expect_length: Option<Duration>,
    /// The process's environment.
    pub env: BTreeMap<String, String>,
    /// The run's id.
    pub test_id: String,
    /// Most bytes that a test written as a program may take; `None` for no limit.
    pub memory_limit: Option<usize>,
    /// The text of the first file, if it is not read from disk.
    pub inline: Option<String>,
    /// Whose files hold code, beside the files that were typed.
    pub trust: CodeTrust,
}

impl LoadRequest {
    /// Whose files hold code of this test.
    pub(crate) fn trust_of_test(&self) -> CodeTrust {
        let files = self.files.iter().map(|file| self.working_dir.join(file));
        files.fold(self.trust.clone(), |trust, file| {
            trust.for_typed_file(&file)
        })
    }
}

/// The result of loading: a test, and diagnostics in the order of the files.
#[derive(Debug)]
pub struct LoadResult {
    /// The test; `None` if there is an error.
    pub test: Option<LoadedTest>,
    /// The diagnostics.
    pub findings: Vec<Diagnostic>,
    /// The files as named; a [`Mark`] holds an index.
    pub files: Vec<String>,
    /// How many keys are used, and how many of them are supported.
    pub keys: (usize, usize),
    /// What tests written as programs printed.
    pub printed: String,
}

impl LoadResult {
    /// Whether nothing but an engine that is not there keeps the test from running: there, a worker finds out.
    #[must_use]
    pub fn lacks_engine(&self) -> bool {
        let mut errors = self
            .findings
            .iter()
            .filter(|finding| finding.kind.severity() == Severity::Error)
            .peekable();
        errors.peek().is_some()
            && errors.all(|finding| {
                matches!(&finding.kind, DiagnosticKind::Refused { reason, .. } if *reason == Phrase::Engines)
            })
    }

    /// Whether the test cannot be run.
    #[must_use]
    pub fn is_broken(&self, strict: bool) -> bool {
        let least = if strict {
            Severity::Warning
        } else {
            Severity::Error
        };
        self.test.is_none()
            || self
                .findings
                .iter()
                .any(|finding| finding.kind.severity() >= least)
    }
}
