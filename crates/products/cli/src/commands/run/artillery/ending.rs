//! How an Artillery run ends: checks, apdex, the exit code.

use loadline_artillery::ArtilleryFactory;
use loadline_artillery::ensure::{apdex_line, judge};
use loadline_artillery::random;
use loadline_record::Summary;
use loadline_report::artillery::Report;
use loadline_report::{accounting, health as words, url};
use loadline_session::RunResult;
use loadline_text::{Catalog, Dialect, Exit};
use loadline_vu::StopCause;

use super::after_test::AfterTest;
use crate::signals::StopSignal;

/// An expectation failed.
const EXPECTATION_FAILED: u8 = 21;

/// The end of a run.
pub(super) struct End {
    pub(super) code: u8,
    pub(super) text: String,
}

/// Exit codes that something in the run asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct SuggestedExit {
    pub(super) expectation_failed: bool,
    pub(super) by_processor: Option<u8>,
    pub(super) after_failed: bool,
}

impl SuggestedExit {
    /// What users of a run asked for.
    pub(super) fn new(users: &ArtilleryFactory) -> Self {
        Self {
            expectation_failed: users.expectation_failed(),
            by_processor: users.suggested_exit(),
            after_failed: users.after_failed(),
        }
    }
}

/// Judges the run.
pub(super) fn judge_end(
    outcome: &RunResult,
    signal: Option<StopSignal>,
    report: &Report,
    after: &AfterTest,
    suggested: SuggestedExit,
    ensure_disabled: bool,
) -> End {
    let mut text = String::new();
    let stopped = match (&outcome.cause, signal) {
        (Some(StopCause::Signal), Some(StopSignal::Terminate)) => Some(143),
        (Some(StopCause::Signal | StopCause::Remote), _) => {
            Some(Exit::Interrupted.code(Dialect::Artillery))
        }
        (Some(StopCause::Failed(fault)), _) => {
            text.push_str(&format!("Error: {}\n", fault.message));
            Some(Exit::Other.code(Dialect::Artillery))
        }
        _ if suggested.after_failed => Some(1),
        _ => None,
    };
    // What a check or an expectation asks for wins over how the run after.
    let failed = suggested.expectation_failed.then_some(EXPECTATION_FAILED);
    let mut suggested = failed.or(suggested.by_processor);
    if after.apdex
        && let Some(line) = apdex_line(&report.aggregate)
    {
        text.push_str(&format!("\n{line}\n"));
    }
    if let Some(ensure) = after.ensure.as_ref().filter(|_| !ensure_disabled) {
        let judged = judge(ensure, &report.aggregate, &random::from_system());
        if !judged.is_empty() {
            text.push_str("\nChecks:\n");
        }
        for check in &judged {
            text.push_str(&check.line());
            text.push('\n');
            if !check.holds && check.check.strict {
                suggested = Some(1);
            }
        }
    }
    End {
        code: suggested.or(stopped).unwrap_or(0),
        text,
    }
}

/// What is to be said of the generator, if it was not good enough.
pub(super) fn health(summary: &Summary, catalog: &Catalog) -> String {
    let run = &summary.run;
    let mut lines = accounting::lines(summary, catalog);
    lines.extend(url::mixed_line(summary, catalog));
    lines.extend(words::limited_line(run, catalog));
    let lines = lines.iter().map(|line| format!("loadline: {line}\n"));
    lines.collect()
}
