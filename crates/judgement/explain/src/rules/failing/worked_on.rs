//! Requests that fail after they were worked on: a limit turns requests away at once, or after a wait that is always
//! as long. What fails after as long as good answers take, each time anew, was worked on like them.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;

use super::super::RuleContext;

/// Fewer that failed tell nothing.
const FAILED_MIN: u64 = 10;
/// The middle of both differs by less than this factor.
const ALIKE_FACTOR_MAX: f64 = 1.3;
/// Times whose 90th percentile is so many times their 10th vary: no time-out makes such.
const SPREAD_MIN: f64 = 1.5;
/// Good answers that take less than so many times the quickest one wait for nothing.
const WAITING_FACTOR_MAX: f64 = 2.0;
/// Hardly any good answer takes this part of what those took that failed: who waits in a queue until he gives up has
/// others beside him who came to their turn just before.
const NEARLY_AS_LATE_SHARE: f64 = 0.25;
const LATE_PERCENTILE: f64 = 0.99;
const EARLY_PERCENTILE: f64 = 0.05;

/// Requests fail after as long as good ones take, who wait for nothing that is seen.
pub(super) fn fail_after_work(context: &RuleContext<'_>) -> bool {
    let mut all = ComparedWindow::default();
    let windows = context.view.windows().iter();
    windows.for_each(|window| all.add(window));
    let failed = &all.failed_durations;
    let good = all.durations.without(failed);
    if failed.count() < FAILED_MIN || good.count() < FAILED_MIN {
        return false;
    }
    let middles = failed.percentile(0.5).zip(good.percentile(0.5));
    let are_alike = middles.is_some_and(|(failed, good)| {
        failed <= ALIKE_FACTOR_MAX * good && good <= ALIKE_FACTOR_MAX * failed
    });
    are_alike && (is_nobody_waiting(context) || (is_spread(failed) && is_spread(&good)))
}

/// Those that fail are answered sooner than good ones: they waited for nothing, nor until somebody gave up.
pub(super) fn are_failures_sooner(context: &RuleContext<'_>) -> bool {
    let mut all = ComparedWindow::default();
    let windows = context.view.windows().iter();
    windows.for_each(|window| all.add(window));
    let failed = &all.failed_durations;
    let good = all.durations.without(failed);
    let middles = failed.percentile(0.5).zip(good.percentile(0.5));
    middles.is_some_and(|(failed, good)| failed <= good)
}

fn is_spread(times: &Histogram) -> bool {
    let ends = times.percentile(0.1).zip(times.percentile(0.9));
    ends.is_some_and(|(low, high)| high >= SPREAD_MIN * low)
}

/// Good answers of each kind take about as long as its quickest.
pub(super) fn is_nobody_waiting(context: &RuleContext<'_>) -> bool {
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

/// Good answers are all there long before the first of the others is given up: that they vary is no queue.
pub(super) fn are_good_answers_far_sooner(context: &RuleContext<'_>) -> bool {
    let mut all = ComparedWindow::default();
    let windows = context.view.windows().iter();
    windows.for_each(|window| all.add(window));
    let failed = &all.failed_durations;
    let good = all.durations.without(failed);
    let ends = good.percentile(LATE_PERCENTILE);
    let ends = ends.zip(failed.percentile(EARLY_PERCENTILE));
    failed.count() >= FAILED_MIN
        && good.count() >= FAILED_MIN
        && ends.is_some_and(|(good, failed)| good <= NEARLY_AS_LATE_SHARE * failed)
}

pub(super) fn count(times: &Histogram) -> f64 {
    f64::from(u32::try_from(times.count()).unwrap_or(u32::MAX))
}
