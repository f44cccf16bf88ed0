//! Requests of users in loops that fail, and cost them next to nothing.
//!
//! Who is turned away comes again at once: a limit that is reached has users ask again and again, and their time goes
//! into that. Where hardly any of it does, and good answers take no longer than the quickest, users are answered as
//! often as if none of their requests failed.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;

use super::super::super::input::share;
use super::super::RuleContext;
use super::laws::FailureLaw;
use super::worked_on::{count, is_nobody_waiting};
use super::{DISPERSION_OF_FEW, is_as_chance_makes};

/// Fewer seconds say nothing, ...
const WINDOWS_MIN: usize = 4;
/// ... nor do fewer requests that failed.
const FAILED_MIN: f64 = 20.0;
/// So small a part of the users' time goes into requests that fail.
const LOST_TIME_SHARE_MAX: f64 = 0.05;
/// Users whose requests take this share of an iteration do not pause: who pauses loses more than a request that fails.
const BUSY_SHARE_MIN: f64 = 0.8;
/// Requests of which this share fails are asked again and again.
const IN_VAIN_SHARE_MIN: f64 = 0.5;

pub(super) fn law(context: &RuleContext<'_>) -> FailureLaw {
    if is_no_limit(context) {
        FailureLaw::Chance
    } else if is_asked_in_vain(context) {
        FailureLaw::Limit
    } else {
        FailureLaw::Unclear
    }
}

fn is_no_limit(context: &RuleContext<'_>) -> bool {
    let windows = context.view.windows();
    let mut all = ComparedWindow::default();
    windows.iter().for_each(|window| all.add(window));
    let taken = |times: &Histogram| times.mean().unwrap_or(0.0) * count(times);
    let lost = share(taken(&all.failed_durations), taken(&all.durations));
    windows.len() >= WINDOWS_MIN
        && all.failed >= FAILED_MIN
        && count(&all.failed_durations) > 0.0
        && lost <= LOST_TIME_SHARE_MAX
        && !are_users_pausing(context, &all)
        && is_nobody_waiting(context)
        && is_as_chance_makes(windows, DISPERSION_OF_FEW)
}

/// Who is turned away asks again at once, and most of what is asked is asked in vain.
fn is_asked_in_vain(context: &RuleContext<'_>) -> bool {
    context.view.callers.failed >= IN_VAIN_SHARE_MIN
}

fn are_users_pausing(context: &RuleContext<'_>, all: &ComparedWindow) -> bool {
    let of_iteration = share(all.requests, all.iterations);
    let busy_ms = of_iteration * all.durations.mean().unwrap_or(0.0);
    busy_ms < BUSY_SHARE_MIN * context.view.run.load.iteration_ms
}

#[cfg(test)]
mod tests {
    use loadline_units::random::Random;

    use super::super::super::super::ExplanationAnswer;
    use crate::{ExplainedLoad, ExplainedRun, RuleId, explain};

    const STATUS: &str = "503";

    /// Five users who ask again at once for what takes 50 ms; so many requests fail a second, in so many ms.
    fn run_of(failed: impl Fn(&Random) -> u32, failed_ms: f64) -> ExplainedRun {
        let random = Random::new(5);
        let window = |_| {
            let failed = failed(&random);
            let mut window = loadline_analysis::compare::ComparedWindow {
                requests: 95.0 + f64::from(failed),
                iterations: 95.0 + f64::from(failed),
                failed: f64::from(failed),
                users: 5.0,
                ..Default::default()
            };
            (0..95).for_each(|_| window.durations.record(50.0 + 4.0 * random.unit()));
            (0..failed).for_each(|_| {
                window.durations.record(failed_ms);
                window.failed_durations.record(failed_ms);
            });
            window
        };
        let windows: Vec<_> = (0..12).map(window).collect();
        let failed: f64 = windows.iter().map(|window| window.failed).sum();
        ExplainedRun {
            load: ExplainedLoad {
                users: 5.0,
                iteration_ms: 48.0,
                ..ExplainedLoad::default()
            },
            statuses: [("200", 95.0 * 12.0), (STATUS, failed)]
                .map(|(status, count)| (status.to_owned(), count))
                .into(),
            windows,
            ..ExplainedRun::default()
        }
    }

    fn by_chance(random: &Random) -> u32 {
        (0..105_u32).map(|_| u32::from(random.unit() < 0.1)).sum()
    }

    /// Seen: "LIMITED BY the target's own code" of five users of whose requests one in ten was answered 503 by chance.
    #[test]
    fn requests_that_fail_by_chance_do_not_limit_users_in_loops() {
        let told = explain(&run_of(by_chance, 1.0), &[]);
        assert_eq!(told.answer, ExplanationAnswer::Failing);
        assert_eq!(told.findings[0].rule, RuleId::FailingInLoops);
    }

    #[test]
    fn users_who_spend_their_time_on_requests_that_are_turned_away_may_be_limited() {
        let turned_away = |random: &Random| {
            950 + (0..10_u32)
                .map(|_| u32::from(random.unit() < 0.5))
                .sum::<u32>()
        };
        let told = explain(&run_of(turned_away, 1.0), &[]);
        assert_ne!(told.answer, ExplanationAnswer::Failing);
        // What fails in bursts fails for a reason that comes and goes.
        let second = std::cell::Cell::new(0);
        let in_bursts = |_: &Random| {
            second.set(second.get() + 1);
            if second.get() % 4 == 0 { 60 } else { 0 }
        };
        let told = explain(&run_of(in_bursts, 1.0), &[]);
        assert_ne!(told.answer, ExplanationAnswer::Failing);
    }

    #[test]
    fn users_who_pause_lose_more_than_a_request() {
        let mut run = run_of(by_chance, 1.0);
        run.load.iteration_ms = 1_000.0;
        assert_eq!(explain(&run, &[]).findings[0].rule, RuleId::FailingUnclear);
    }
}
