//! The target stops for a moment, again and again, for less than a second: a blocked loop, a collection, a timer.
//!
//! Whoever comes during a stop waits for what is left of it: waits are spread evenly from nothing to its whole length, in
//! each second alike, and nobody waits longer. A queue has ever fewer of longer waits; slow work has a time of its own. How many wait
//! tells how many stops there are. The record keeps how long requests of a second took, not when in it they came: work that
//! takes evenly spread times looks the same, so this alone is of grade C.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;
use loadline_record::signals::{Entity, SignalKind};
use loadline_text::{doubt, evidence, findings, millis, significant};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::{CallerView, number, share};
use super::{Draft, RuleContext};

/// Those who waited took so many times as long as the usual request, and so many ms more.
const WAITED_FACTOR_MIN: f64 = 5.0;
const WAITED_MS_MIN: f64 = 20.0;
/// Longer stops are seen by themselves.
const STOP_MS_MAX: f64 = 900.0;
/// So many who waited tell.
const WAITED_MIN: f64 = 60.0;
/// Seconds with a stop, of all.
const STOPPED_SECONDS_SHARE_MIN: f64 = 0.3;
const SECONDS_MIN: usize = 10;
/// Of those who waited this share waited for less than half of a stop: half of them, where waits are spread evenly.
const SHORT_WAITS: std::ops::RangeInclusive<f64> = 0.38..=0.62;
/// The longest waits of most seconds are within this factor of the stop's length, ...
const LONGEST_FACTOR_MIN: f64 = 0.75;
/// ... which hardly any is longer than.
const LONGER_FACTOR_MAX: f64 = 1.2;
const LONGER_SHARE_MAX: f64 = 0.05;
/// The length: nine of ten seconds' longest waits are below it.
const LENGTH_PERCENTILE: f64 = 0.9;
/// A loop that is late by this part of the stop says the same.
const LAG_PART_MIN: f64 = 0.3;

/// Stops, as waits tell of them.
struct Stops {
    length_ms: f64,
    per_second: f64,
    waited_share: f64,
}

impl Stops {
    fn new(windows: &[ComparedWindow]) -> Option<Self> {
        let all = CallerView::from_windows(windows).durations;
        let usual = all.percentile(0.5)?;
        let from = (WAITED_FACTOR_MIN * usual).max(usual + WAITED_MS_MIN);
        let longest = windows.iter().filter_map(|window| window.durations.max());
        let mut longest: Vec<f64> = longest.filter(|longest| *longest > from).collect();
        longest.sort_by(f64::total_cmp);
        let is_often = count(longest.len()) >= STOPPED_SECONDS_SHARE_MIN * count(windows.len());
        if windows.len() < SECONDS_MIN || longest.len() < SECONDS_MIN || !is_often {
            return None;
        }
        let length = at(&longest, LENGTH_PERCENTILE) - usual;
        let is_alike = at(&longest, 0.5) - usual >= LONGEST_FACTOR_MIN * length;
        let longer = longest
            .iter()
            .filter(|one| **one - usual > LONGER_FACTOR_MAX * length);
        let is_bound = count(longer.count()) <= LONGER_SHARE_MAX * count(longest.len());
        let shortest = from - usual;
        let waited = beyond(&all, from);
        let short = waited - beyond(&all, usual + (shortest + length) / 2.0);
        let is_even = SHORT_WAITS.contains(&share(short, waited));
        if !is_alike || !is_bound || !is_even || length > STOP_MS_MAX || waited < WAITED_MIN {
            return None;
        }
        let requests = number(all.count());
        let rate = share(requests, count(windows.len()));
        // So many come during a stop and wait for long enough to be seen.
        let each = rate * (length - shortest) / 1000.0;
        let per_second = share(waited / count(windows.len()), each);
        (length > 1.5 * shortest).then_some(Self {
            length_ms: length,
            per_second,
            waited_share: share(waited, requests),
        })
    }
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    let stops = Stops::new(view.run.windows.get(view.busy_windows())?)?;
    let lag = view.largest(SignalKind::EventLoopLag, &Entity::new());
    let is_lagging = lag.is_some_and(|lag| lag * 1000.0 >= LAG_PART_MIN * stops.length_ms);
    let (grade, doubt) = if is_lagging {
        (EvidenceGrade::B, None)
    } else {
        (EvidenceGrade::C, Some(doubt::stops_or_work()))
    };
    let statement =
        findings::periodic_stops(millis(stops.length_ms), significant(stops.per_second));
    Draft::new(
        RuleId::PeriodicStops,
        BottleneckPart::Code,
        grade,
        statement,
    )
    .role(FindingRole::Notice)
    .shown(
        "slow-share",
        evidence::share(),
        stops.waited_share,
        EvidenceUnit::Share,
    )
    .shown(
        "lag",
        evidence::lag(),
        lag.map(|lag| lag * 1000.0),
        EvidenceUnit::Millis,
    )
    .against(doubt)
    .advised([Advice::to(findings::periodic_stops_try())
        .by("perf_hooks.monitorEventLoopDelay(); loop.slow_callback_duration; -Xlog:safepoint,gc")])
    .done()
}

/// How many took longer, ms.
fn beyond(durations: &Histogram, millis: f64) -> f64 {
    number(durations.count_where(|taken| taken > millis))
}

fn at(sorted: &[f64], share: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place in the list"
    )]
    let place = (share * count(sorted.len())) as usize;
    sorted.get(place).or(sorted.last()).copied().unwrap_or(0.0)
}

fn count(length: usize) -> f64 {
    f64::from(u32::try_from(length).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use loadline_units::random::Random;

    use super::*;

    /// 30 seconds of 100 requests that take 2 ms and what `waits` adds for the moment of the second in which they come.
    fn seconds(seed: u64, waits: impl Fn(f64, &Random) -> f64) -> Vec<ComparedWindow> {
        let random = Random::new(seed);
        let second = |_| {
            let mut window = ComparedWindow::default();
            for _ in 0..100 {
                let moment = 1000.0 * random.unit();
                let work = 2.0 + random.unit();
                window.durations.record(work + waits(moment, &random));
            }
            window
        };
        (0..30).map(second).collect()
    }

    #[test]
    fn a_loop_that_is_blocked_for_a_part_of_each_second_is_seen_with_its_length() {
        for seed in 0..20 {
            let windows = seconds(seed, |moment, _| (80.0 - moment).max(0.0));
            let stops = Stops::new(&windows).expect("a stop of 80 ms each second");
            assert!(
                (70.0..=90.0).contains(&stops.length_ms),
                "{}",
                stops.length_ms
            );
            assert!(
                (0.7..=1.4).contains(&stops.per_second),
                "{}",
                stops.per_second
            );
        }
    }

    #[test]
    fn a_queue_and_a_second_kind_of_work_are_no_stops() {
        for seed in 0..50 {
            let queue = seconds(seed, |_, random| -12.0 * random.unit().max(1e-9).ln());
            assert!(Stops::new(&queue).is_none(), "{seed}");
            let work = seconds(seed, |_, random| {
                if random.unit() < 0.05 {
                    100.0 + 10.0 * random.unit()
                } else {
                    0.0
                }
            });
            assert!(Stops::new(&work).is_none(), "{seed}");
        }
    }
}
