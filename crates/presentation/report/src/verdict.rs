//! The verdict line of a run.

mod invalid;

use loadline_record::{Run, Shortfall, Summary, Verdict};
use loadline_text::{
    Catalog, Dialect, Exit, Message, grouped, percent, report, significant, verdicts,
};

use crate::numbers::{Numbers, seconds};
use crate::{facts, goals};

/// The verdict on a URL run, with the exit code.
#[must_use]
pub fn of_requests(summary: &Summary, exit_code: u8, catalog: &Catalog) -> String {
    with_code(
        requests(summary, catalog),
        summary,
        exit_code,
        Dialect::Loadline,
        catalog,
    )
}

/// The verdict on the run of an Artillery file, with Artillery's exit code.
#[must_use]
pub fn of_artillery(summary: &Summary, exit_code: u8, catalog: &Catalog) -> String {
    with_code(
        requests(summary, catalog),
        summary,
        exit_code,
        Dialect::Artillery,
        catalog,
    )
}

/// The verdict on a script's run that ended as `exit`. A script need not send requests,
/// and can fail in ways of its own.
#[must_use]
pub fn of_script(summary: &Summary, exit: Exit, exit_code: u8, catalog: &Catalog) -> String {
    let numbers = Numbers(summary);
    let verdict = match failure(exit) {
        Some(reason) => verdicts::verdict_failed(catalog.text(&reason)),
        None if summary.statuses.is_empty() => iterations(summary, exit, catalog),
        None if exit == Exit::ThresholdsFailed && is_trustworthy(summary) => {
            // Also when thresholds stopped the run.
            let (met, all) = summary.goals();
            let (rate, p95, errors) = pace(numbers, catalog);
            verdicts::verdict_thresholds(all - met, all, rate, p95, errors)
        }
        None => requests(summary, catalog),
    };
    with_code(verdict, summary, exit_code, Dialect::K6, catalog)
}

/// The verdict on a run of any kind, without an exit code.
#[must_use]
pub fn sentence(summary: &Summary, catalog: &Catalog) -> String {
    let verdict = match summary.verdict() {
        Verdict::Failed(_) | Verdict::Defect(_) | Verdict::NothingSent => {
            requests(summary, catalog)
        }
        _ if summary.statuses.is_empty() => iterations(summary, Exit::Success, catalog),
        _ => requests(summary, catalog),
    };
    verdict_parts(&verdict, summary, catalog).join("; ")
}

/// What is said of a run whose program was killed.
#[must_use]
pub fn of_killed(summary: &Summary, catalog: &Catalog) -> String {
    let (rate, p95, errors) = pace(Numbers(summary), catalog);
    catalog.text(&verdicts::verdict_killed(rate, p95, errors))
}

/// What is known of a run that goes on.
#[must_use]
pub fn of_running(summary: &Summary, catalog: &Catalog) -> String {
    let (rate, p95, errors) = pace(Numbers(summary), catalog);
    catalog.text(&report::verdict_running(rate, p95, errors))
}

/// The verdict on a run whose thread died, so that nothing was recorded.
#[must_use]
pub fn of_lost(exit_code: u8, catalog: &Catalog) -> String {
    let reason = catalog.text(&verdicts::reason_defect());
    let verdict = catalog.text(&verdicts::verdict_failed(reason));
    let code = catalog.text(&verdicts::verdict_exit_code(exit_code));
    format!("{verdict}; {code}")
}

/// The verdict on an aborted run.
#[must_use]
pub fn of_aborted(exit_code: u8, catalog: &Catalog) -> String {
    let verdict = catalog.text(&verdicts::verdict_aborted());
    let code = catalog.text(&verdicts::verdict_exit_code(exit_code));
    format!("{verdict}; {code}")
}

fn with_code(
    verdict: Message,
    summary: &Summary,
    exit_code: u8,
    dialect: Dialect,
    catalog: &Catalog,
) -> String {
    let mut parts = verdict_parts(&verdict, summary, catalog);
    let tool = match dialect {
        Dialect::Loadline => None,
        Dialect::K6 => Some("k6"),
        Dialect::Artillery => Some("Artillery"),
    };
    // Else a failed run with the code of success looks like a mistake, or passes for success.
    let tool = tool.filter(|_| exit_code == 0 && !is_good(&summary.verdict()));
    let code = match tool {
        Some(tool) => verdicts::verdict_exit_code_of(exit_code, tool),
        None => verdicts::verdict_exit_code(exit_code),
    };
    parts.push(catalog.text(&code));
    parts.join("; ")
}

/// Whether a program may end with success after it.
const fn is_good(verdict: &Verdict) -> bool {
    matches!(
        verdict,
        Verdict::Passed | Verdict::NoGoals | Verdict::Interrupted
    )
}

/// The verdict, and what became of goals where it does not tell.
fn verdict_parts(verdict: &Message, summary: &Summary, catalog: &Catalog) -> Vec<String> {
    let (met, all) = summary.goals();
    let unjudged = summary.unjudged_thresholds();
    let mut parts = vec![catalog.text(verdict)];
    let count = match summary.verdict() {
        Verdict::NoGoals if summary.run.answers.is_some() => Some(verdicts::verdict_same_answers()),
        Verdict::NoGoals => Some(verdicts::verdict_no_goals()),
        Verdict::Passed if unjudged > 0 => {
            let held = met.saturating_sub(unjudged);
            Some(verdicts::verdict_thresholds_unjudged(held, all, unjudged))
        }
        Verdict::Passed => Some(verdicts::verdict_threshold_count(met, all)),
        _ => None,
    };
    parts.extend(count.map(|count| catalog.text(&count)));
    parts
}

fn requests(summary: &Summary, catalog: &Catalog) -> Message {
    let numbers = Numbers(summary);
    let (rate, p95, errors) = pace(numbers, catalog);
    // One request has neither a rate nor a percentile.
    let is_one = numbers.count_of("http_reqs") < 2.0;
    match summary.verdict() {
        Verdict::NoGoals if is_one => verdicts::verdict_done_one(p95, errors),
        Verdict::Passed if is_one => verdicts::verdict_passed_one(p95, errors),
        Verdict::NoGoals => verdicts::verdict_done(rate, p95, errors),
        Verdict::NotJudged => {
            let unjudged = summary.unjudged_thresholds();
            verdicts::verdict_not_judged(unjudged, rate, p95, errors)
        }
        Verdict::Passed => verdicts::verdict_passed(rate, p95, errors),
        Verdict::ThresholdsFailed => {
            let (met, all) = summary.goals();
            let missed = goals::missed(summary, catalog);
            if missed.is_empty() {
                return verdicts::verdict_thresholds(all - met, all, rate, p95, errors);
            }
            let mut reasons = missed;
            if all - met > reasons.len() {
                reasons.push(catalog.text(&verdicts::verdict_goals_missed(all - met, all)));
            }
            verdicts::verdict_short(reasons.join("; "), rate, p95, errors)
        }
        Verdict::FellShort(short) => {
            verdicts::verdict_short(reasons(&short, summary, catalog), rate, p95, errors)
        }
        Verdict::GeneratorLimited(limits) => {
            verdicts::verdict_not_valid(invalid::reasons_text(&limits, summary, catalog))
        }
        Verdict::NoAnswer => {
            let sent = summary.run.accounting.map_or(0, |all| all.requests.sent);
            let all = numbers.count_of("http_reqs").max(sent as f64);
            verdicts::verdict_no_answer(grouped(all, 0))
        }
        Verdict::NothingSent => nothing_sent(numbers),
        Verdict::Interrupted => verdicts::verdict_interrupted(rate, p95, errors),
        Verdict::Failed(message) => verdicts::verdict_failed(message),
        Verdict::Defect(message) => verdicts::verdict_defect(message),
    }
}

/// The verdict on a run that sent nothing although its iterations may have ended.
fn nothing_sent(numbers: Numbers<'_>) -> Message {
    let done = numbers.count_of("iterations");
    if done > 0.0 {
        verdicts::verdict_nothing_iterations(grouped(done, 0))
    } else if is_none_due(&numbers.0.run) {
        verdicts::verdict_nothing_due(seconds(numbers.0.run.duration))
    } else {
        verdicts::verdict_nothing()
    }
}

/// Starts come at a rate so low that none was planned.
fn is_none_due(run: &Run) -> bool {
    run.arrivals.is_some() && run.generator.planned_starts == 0 && run.complete_iterations == 0
}

/// What fell short in a run without requests, and how many iterations there were where it does not say so itself.
fn short_iterations(short: &[Shortfall], summary: &Summary, catalog: &Catalog) -> Message {
    let reasons = reasons(short, summary, catalog);
    let nothing = summary
        .sent_nothing()
        .then(|| catalog.text(&verdicts::invalid_nothing_sent()));
    let counts = |one: &Shortfall| matches!(one, Shortfall::Exceptions { .. });
    if short.iter().any(counts) {
        let both = [Some(reasons), nothing].into_iter().flatten();
        return verdicts::verdict_short_alone(both.collect::<Vec<_>>().join("; "));
    }
    let reasons = [nothing, Some(reasons)].into_iter().flatten();
    let reasons = reasons.collect::<Vec<_>>().join("; ");
    let done = grouped(Numbers(summary).count_of("iterations"), 0);
    verdicts::verdict_short_iterations(reasons, done)
}

/// The verdict on a run without requests.
fn iterations(summary: &Summary, exit: Exit, catalog: &Catalog) -> Message {
    let numbers = Numbers(summary);
    let done = grouped(numbers.count_of("iterations"), 0);
    let is_stopped = summary.verdict() == Verdict::Interrupted;
    if is_stopped || matches!(exit, Exit::Interrupted | Exit::StoppedByApi) {
        return verdicts::verdict_interrupted_iterations(done);
    }
    if summary.verdict() == Verdict::NothingSent {
        return nothing_sent(numbers);
    }
    let limits = summary.run.generator_limits();
    if !limits.is_empty() {
        let certain = summary.certain_shortfalls();
        if !certain.is_empty() {
            return short_iterations(&certain, summary, catalog);
        }
        return verdicts::verdict_not_valid(invalid::reasons_text(&limits, summary, catalog));
    }
    let (met, all) = summary.goals();
    if met < all {
        return verdicts::verdict_thresholds_iterations(all - met, all, done);
    }
    let short = summary.shortfalls();
    if !short.is_empty() {
        return short_iterations(&short, summary, catalog);
    }
    if summary.verdict() == Verdict::NotJudged {
        return verdicts::verdict_not_judged_iterations(summary.unjudged_thresholds(), done);
    }
    verdicts::verdict_iterations(done, significant(numbers.rate_of("iterations")))
}

fn reasons(short: &[Shortfall], summary: &Summary, catalog: &Catalog) -> String {
    let all = short.iter();
    let all = all.map(|short| facts::shortfall(*short, summary, catalog));
    all.collect::<Vec<_>>().join("; ")
}

/// Details of load, checks and answers that are not in the verdict line.
#[must_use]
pub fn unsaid(summary: &Summary, catalog: &Catalog) -> Vec<String> {
    let verdict = summary.verdict();
    let mut lines = Vec::new();
    let said = match verdict {
        Verdict::FellShort(short) => short,
        Verdict::GeneratorLimited(_) => summary.shortfalls(),
        _ => Vec::new(),
    };
    lines.extend(facts::lines(summary, &said, catalog));
    lines.extend(facts::doubts(summary, catalog));
    lines
}

fn is_trustworthy(summary: &Summary) -> bool {
    summary.run.generator_limits().is_empty()
}

fn pace(numbers: Numbers<'_>, catalog: &Catalog) -> (String, String, String) {
    let p95 = numbers.p95(catalog);
    let rate = significant(numbers.rate_of("http_reqs"));
    (rate, p95, percent(numbers.errors()))
}

/// Why a run failed, if there is nothing else to report.
fn failure(exit: Exit) -> Option<Message> {
    match exit {
        Exit::SetupTimeout => Some(verdicts::reason_setup_timeout()),
        Exit::TeardownTimeout => Some(verdicts::reason_teardown_timeout()),
        Exit::ScriptException => Some(verdicts::reason_exception()),
        Exit::AbortedByTest => Some(verdicts::reason_aborted()),
        Exit::MarkedFailed => Some(verdicts::reason_marked_failed()),
        Exit::Panic => Some(verdicts::reason_defect()),
        Exit::Timeout | Exit::InvalidConfig | Exit::ApiUnavailable | Exit::Other => {
            Some(verdicts::reason_other())
        }
        Exit::Success
        | Exit::ThresholdsFailed
        | Exit::StoppedByApi
        | Exit::Interrupted
        | Exit::GeneratorLimited
        | Exit::FellShort
        | Exit::NotValid
        | Exit::NoAnswer
        | Exit::NotRecovered
        | Exit::CannotJudge => None,
    }
}
