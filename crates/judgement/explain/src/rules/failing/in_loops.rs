//! Requests of users in loops that fail, and cost them next to nothing.
//!
//! Who is turned away comes again at once: a limit that is reached has users ask again and again, and their time goes
//! into that. Where hardly any of it does, and good answers take no longer than the quickest, users are answered as
//! often as if none of their requests failed.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;

use super::super::super::input::share;
use super::super::RuleContext;

/// Fewer seconds say nothing, ...
const WINDOWS_MIN: usize = 4;
/// ... nor do fewer requests that failed.
const FAILED_MIN: f64 = 20.0;
/// So small a part of the users' time goes into requests that fail.
const LOST_TIME_SHARE_MAX: f64 = 0.05;
/// Good answers that take less than so many times the quickest one wait for nothing.
const WAITING_FACTOR_MAX: f64 = 2.0;
/// Users whose requests take this share of an iteration do not pause: who pauses loses more than a request that fails.
const BUSY_SHARE_MIN: f64 = 0.8;
/// Failed requests of a second vary about as chance makes them; bursts are something else.
const DISPERSION: std::ops::RangeInclusive<f64> = 0.2..=4.0;

pub(super) fn is_no_limit(context: &RuleContext<'_>) -> bool {
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
        && is_as_chance_makes(windows, &all)
}

fn are_users_pausing(context: &RuleContext<'_>, all: &ComparedWindow) -> bool {
    let of_iteration = share(all.requests, all.iterations);
    let busy_ms = of_iteration * all.durations.mean().unwrap_or(0.0);
    busy_ms < BUSY_SHARE_MIN * context.view.run.load.iteration_ms
}

/// Good answers of each kind take about as long as its quickest.
fn is_nobody_waiting(context: &RuleContext<'_>) -> bool {
    let view = context.view;
    let busy = view.busy_windows();
    let of_each = view.run.endpoints.iter();
    let mut kinds: Vec<&[ComparedWindow]> = of_each
        .filter_map(|endpoint| endpoint.windows.get(busy.clone()))
        .collect();
    if kinds.is_empty() {
        kinds.push(view.windows());
    }
    let (mut waited, mut quickest) = (0.0, 0.0);
    for windows in kinds {
        let mut all = ComparedWindow::default();
        windows.iter().for_each(|window| all.add(window));
        let good = all.durations.without(&all.failed_durations);
        if let Some((mean, least)) = good.mean().zip(good.min()) {
            waited += mean * count(&good);
            quickest += least * count(&good);
        }
    }
    waited > 0.0 && waited <= WAITING_FACTOR_MAX * quickest
}

fn is_as_chance_makes(windows: &[ComparedWindow], all: &ComparedWindow) -> bool {
    let fails = share(all.failed, all.requests);
    let asked = || windows.iter().filter(|window| window.requests > 0.0);
    let squares = asked().map(|window| {
        (window.failed - fails * window.requests).powi(2)
            / (window.requests * fails * (1.0 - fails))
    });
    let squares: f64 = squares.sum();
    let freedom = f64::from(u32::try_from(asked().count()).unwrap_or(u32::MAX)) - 1.0;
    fails < 1.0 && freedom > 0.0 && DISPERSION.contains(&(squares / freedom))
}

fn count(times: &Histogram) -> f64 {
    f64::from(u32::try_from(times.count()).unwrap_or(u32::MAX))
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
        assert_ne!(explain(&run, &[]).answer, ExplanationAnswer::Failing);
    }
}
