//! Why a script's run ended as it did, in k6's words; the exit code is the first
//! reason's.

use loadline_k6::log::{Entry, LogLevel};
use loadline_session::RunResult;
use loadline_text::Exit;
use loadline_units::VuId;
use loadline_vu::{Fault, FaultClass, StopCause};

use crate::signals::StopSignal;

/// How a run ended, and the lines its log ends with.
pub(super) struct End {
    pub(super) exit: Exit,
    pub(super) entries: Vec<Entry>,
}

impl End {
    fn logged(exit: Exit, message: String) -> Self {
        Self {
            exit,
            entries: vec![Entry::new(LogLevel::Error, message)],
        }
    }

    fn thrown(fault: &Fault) -> Self {
        let entry = Entry::new(LogLevel::Error, fault.message.as_str());
        Self {
            exit: Exit::ScriptException,
            entries: vec![entry.with("hint", "script exception")],
        }
    }

    /// A user could not be made: its init code threw, or ended the test.
    fn not_initialised(fault: &Fault, user: VuId, aborted: bool) -> Self {
        let hint = format!("error while initializing VU #{}", user.0);
        let (exit, hint) = if aborted {
            (Exit::AbortedByTest, hint)
        } else {
            (Exit::ScriptException, format!("{hint} (script exception)"))
        };
        let entry = Entry::new(LogLevel::Error, fault.message.as_str());
        Self {
            exit,
            entries: vec![entry.with("hint", hint)],
        }
    }

    fn silent(exit: Exit) -> Self {
        Self {
            exit,
            entries: Vec::new(),
        }
    }
}

/// How the run ended; `fails_on_exception`: an exception in any iteration fails it where
/// nothing else does.
pub(super) fn reason(
    outcome: &RunResult,
    signal: Option<StopSignal>,
    fails_on_exception: bool,
) -> End {
    let mut end = first_reason(outcome, signal);
    if fails_on_exception && outcome.exceptions > 0 && end.exit == Exit::Success {
        let count = outcome.exceptions;
        let iterations = if count == 1 {
            "iteration"
        } else {
            "iterations"
        };
        let message = format!("{count} {iterations} threw an exception (--fail-on-exception)");
        end = End::logged(Exit::ScriptException, message);
    }
    // k6 says it of runs that went to their end.
    let is_whole = outcome.cause.is_none();
    if outcome.summary.run.complete_iterations == 0 && outcome.began && is_whole {
        let warning = Entry::new(
            LogLevel::Warning,
            "No script iterations fully finished, consider making the test duration longer",
        );
        end.entries.insert(0, warning);
    }
    end
}

fn first_reason(outcome: &RunResult, signal: Option<StopSignal>) -> End {
    if let Some(fault) = &outcome.setup {
        return of_stage(fault, "setup()", Exit::SetupTimeout);
    }
    if let Some(cause) = &outcome.cause {
        return of_cause(cause, signal);
    }
    if let Some(fault) = &outcome.teardown {
        return of_stage(fault, "teardown()", Exit::TeardownTimeout);
    }
    if let Some(fault) = &outcome.summarize
        && fault.class == FaultClass::Panic
    {
        return End::logged(Exit::Panic, fault.message.clone());
    }
    if outcome.marked_failed {
        let message = "test run was marked as failed".to_owned();
        return End::logged(Exit::MarkedFailed, message);
    }
    let crossed = outcome.summary.crossed();
    if crossed.is_empty() {
        return End::silent(Exit::Success);
    }
    let metrics = crossed.join(", ");
    End::logged(
        Exit::ThresholdsFailed,
        format!("thresholds on metrics '{metrics}' have been crossed"),
    )
}

fn of_stage(fault: &Fault, stage: &str, timed_out: Exit) -> End {
    match fault.class {
        FaultClass::StageTimeout => {
            let mut end = End::logged(timed_out, format!("{stage} {}", fault.message));
            let option = stage.trim_end_matches("()");
            let hint = format!("You can increase the time limit via the {option}Timeout option");
            end.entries = end
                .entries
                .into_iter()
                .map(|e| e.with("hint", hint.clone()))
                .collect();
            end
        }
        FaultClass::Data => End::logged(Exit::Other, fault.message.clone()),
        FaultClass::Panic => End::logged(Exit::Panic, fault.message.clone()),
        _ => End::thrown(fault),
    }
}

fn of_cause(cause: &StopCause, signal: Option<StopSignal>) -> End {
    match cause {
        StopCause::Signal => {
            let signal = match signal {
                Some(StopSignal::Terminate) => "terminated",
                _ => "interrupt",
            };
            let message = format!("test run was aborted because k6 received a '{signal}' signal");
            End::logged(Exit::Interrupted, message)
        }
        StopCause::Aborted { .. } => End::silent(Exit::AbortedByTest),
        StopCause::ThresholdsCrossed { metrics } => End::logged(
            Exit::ThresholdsFailed,
            format!(
                "thresholds on metrics '{}' were crossed; at least one has abortOnFail enabled, stopping test prematurely",
                metrics.join(", ")
            ),
        ),
        StopCause::Failed(fault) => match fault.class {
            FaultClass::Script => End::thrown(fault),
            FaultClass::Initialising { user, aborted } => {
                End::not_initialised(fault, user, aborted)
            }
            FaultClass::Panic => End::logged(Exit::Panic, fault.message.clone()),
            _ => End::logged(Exit::Other, fault.message.clone()),
        },
        StopCause::Remote => End::silent(Exit::StoppedByApi),
    }
}
