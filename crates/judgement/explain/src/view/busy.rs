//! Which seconds of a run are looked at: those in which much was asked, those before in which little was, and the first ones.

use std::time::Duration;

use loadline_analysis::compare::ComparedWindow;

use super::super::input::{CallerView, ExplainedRun};

/// Seconds over which the rate is smoothed to find the busy part.
pub(super) const SMOOTHING_SECONDS: usize = 5;
/// The busy part begins and ends where this share of the highest rate is reached.
const BUSY_SHARE_MIN: f64 = 0.75;
/// A second for which so much less was planned than for the one before is hardly one of the load.
const HARDLY_LOADED_SHARE: f64 = 0.5;
/// Of what was started in the busiest second, a second asked for this much at most.
const DROPPED_AT_ONCE: f64 = 2.0;
/// Up to this share of it nothing waits for long, ...
const QUIET_SHARE_MAX: f64 = 0.3;
/// ... which so many requests show.
const QUIET_REQUESTS_MIN: u64 = 20;
/// Answers that show how long those take that came first.
const FIRST_REQUESTS_MIN: u64 = 5;
/// Users who came back are busy for so many seconds at least.
const SECONDS_SINCE_REST_MIN: usize = 5;
/// Requests of a second end in the middle of it, on average.
const HALF_SECOND_MS: f64 = 500.0;

/// Where starts are planned, what is answered after the last of them is a queue that empties.
fn is_planned(run: &ExplainedRun) -> bool {
    run.windows.iter().any(|window| window.planned > 0.0)
}

/// What was asked of the target in each second and the few after it.
fn asked(run: &ExplainedRun) -> Vec<f64> {
    let is_planned = is_planned(run);
    // Starts that wait for a free user are counted as dropped when they give up, many at once at the end:
    // that second asked for no more than others did.
    let started = run
        .windows
        .iter()
        .map(|window| window.planned - window.dropped);
    let most = DROPPED_AT_ONCE * started.fold(0.0, f64::max);
    let asked: Vec<f64> = run
        .windows
        .iter()
        .map(|window| {
            if !is_planned {
                window.requests - window.drained
            } else if most > 0.0 {
                window.planned.min(most)
            } else {
                window.planned
            }
        })
        .collect();
    smoothed(&asked)
}

/// Requests in flight in each second and the few after it.
fn in_flight(run: &ExplainedRun) -> Vec<f64> {
    let mut begun = vec![0.0; run.windows.len()];
    for (second, window) in run.windows.iter().enumerate() {
        for (duration, count) in window.durations.buckets() {
            // What ends at the end of its second was in flight for all of it.
            begun[begun_in(second, duration.middle() - HALF_SECOND_MS)] +=
                f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        }
        begun[second] += f64::from(u32::try_from(window.cut.count()).unwrap_or(u32::MAX));
    }
    let mut now = 0.0;
    let in_each = run.windows.iter().zip(begun).map(|(window, begun)| {
        let during = now + begun;
        now = during - f64::from(u32::try_from(window.durations.count()).unwrap_or(u32::MAX));
        during
    });
    smoothed(&in_each.collect::<Vec<f64>>())
}

fn smoothed(seconds: &[f64]) -> Vec<f64> {
    let few = seconds.windows(SMOOTHING_SECONDS);
    few.map(|few| few.iter().sum::<f64>()).collect()
}

/// The windows before the busy part in which little was asked, and nothing more before them: what is answered after a
/// heavier load may have waited in the queue that it left.
pub(super) fn quiet_seconds(run: &ExplainedRun, busy: usize) -> Vec<usize> {
    let smooth = asked(run);
    let highest = smooth.iter().copied().fold(0.0, f64::max);
    let before = smooth.iter().take(busy).enumerate();
    let quiet = before.take_while(|(_, asked)| **asked <= QUIET_SHARE_MAX * highest);
    quiet.map(|(second, _)| second).collect()
}

/// What callers saw in these windows, where that is enough.
pub(super) fn quiet_part(windows: &[ComparedWindow], seconds: &[usize]) -> Option<CallerView> {
    let quiet = seconds.iter().filter_map(|second| windows.get(*second));
    let quiet: Vec<ComparedWindow> = quiet.cloned().collect();
    let quiet = CallerView::from_windows(&quiet);
    (quiet.durations.count() >= QUIET_REQUESTS_MIN).then_some(quiet)
}

/// The first seconds with answers of users in loops: nothing was before them in a queue.
pub(super) fn opening_part(run: &ExplainedRun) -> Option<CallerView> {
    let mut answered = 0;
    let enough = run.windows.iter().position(|window| {
        answered += window.durations.count();
        answered >= FIRST_REQUESTS_MIN
    })?;
    let first = CallerView::from_windows(&run.windows[..=enough]);
    (!run.load.is_open && run.is_begun_at_once()).then_some(first)
}

/// From the first to the last second in which much was asked of the target. Users in loops ask
/// while they wait, too: a target that answers in bursts is not idle between them.
pub(super) fn busy_part(run: &ExplainedRun) -> std::ops::Range<usize> {
    if let Some(told) = &run.busy {
        return told.clone();
    }
    let asked = asked(run);
    let waiting = if is_planned(run) {
        vec![0.0; asked.len()]
    } else {
        in_flight(run)
    };
    let most_asked = asked.iter().copied().fold(0.0, f64::max);
    // Without a request there is none to wait for.
    let most_waiting = waiting.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let busy: Vec<bool> = asked
        .iter()
        .zip(&waiting)
        .map(|(asked, waiting)| {
            *asked >= BUSY_SHARE_MIN * most_asked || *waiting >= BUSY_SHARE_MIN * most_waiting
        })
        .collect();
    let (Some(first), Some(last)) = (
        busy.iter().position(|busy| *busy),
        busy.iter().rposition(|busy| *busy),
    ) else {
        return 0..run.windows.len();
    };
    let end = without_last_starts(&run.windows, last + SMOOTHING_SECONDS);
    let first = after_rest(run, first, last).unwrap_or(first);
    first..end
}

/// Where the busy part ends if the second before is hardly one of the load any more: even starts may have their last one at
/// the very end of it.
fn without_last_starts(windows: &[ComparedWindow], end: usize) -> usize {
    let end = end.min(windows.len());
    let [.., before, last] = &windows[..end] else {
        return end;
    };
    let is_over = last.planned_rate < HARDLY_LOADED_SHARE * before.planned_rate;
    end - usize::from(is_over)
}

/// Where users came back after there was none, as they do between two levels of a search: what is busy is busy since then.
fn after_rest(run: &ExplainedRun, first: usize, last: usize) -> Option<usize> {
    let nobody = |second: usize| {
        let window = run.windows.get(second);
        window.is_some_and(|window| window.users <= 0.0)
    };
    if is_planned(run) || nobody(last) {
        return None;
    }
    let begun = (first..last).rfind(|second| nobody(*second))? + 1;
    (begun + SECONDS_SINCE_REST_MIN <= last + SMOOTHING_SECONDS).then_some(begun)
}

/// The second in which a request began that ended in the middle of this one.
pub(super) fn begun_in(second: usize, took_ms: f64) -> usize {
    let before = (took_ms + HALF_SECOND_MS) / 1000.0;
    let before = Duration::try_from_secs_f64(before).unwrap_or_default();
    let before = usize::try_from(before.as_secs()).unwrap_or(usize::MAX);
    second.saturating_sub(before)
}
