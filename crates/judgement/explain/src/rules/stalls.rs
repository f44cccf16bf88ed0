//! The target answers nobody for seconds, once or again and again, and is as fast as ever in between.

use std::ops::Range;

use loadline_record::signals::SignalKind;
use loadline_text::{counted, doubt, evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::{number, share};
use super::{Draft, RuleContext};
use loadline_analysis::compare::ComparedWindow;

/// Fewer answers a second than this may be none by chance.
const ANSWERS_PER_SECOND_MIN: f64 = 8.0;
/// A request that waits for the end of a stall waits at least this share of its full seconds.
const WAITED_SHARE_MIN: f64 = 0.7;
/// One stall alone is no habit: it may be the machine's.
const STALLS_MIN: usize = 2;
/// Stalls this short a share of the time are not worth telling.
const STALLED_SHARE_MIN: f64 = 0.03;
/// A stall of less than a full second is told by who waited for so long, ms, ...
const BURST_MS_MIN: f64 = 900.0;
/// ... or, where others were longer, by so long a wait: each one's longest waiter came when it had begun, ...
const BURST_BESIDE_MS_MIN: f64 = 500.0;
/// ... and as many, at least this part of those who usually come in that time.
const BURST_PART_MIN: f64 = 0.5;
/// Requests between stalls take less than this share of one.
const BETWEEN_SHARE_MAX: f64 = 0.2;
/// A second that has this share of a usual one's answers went on to its end.
const WHOLE_SECOND_SHARE_MIN: f64 = 0.8;
/// A stall for so much of which the generator itself was late is not the target's.
const OWN_DELAY_SHARE_MIN: f64 = 0.5;
/// Collections that stop the target for this share of the stalls are their cause.
const COLLECTING_SHARE_MIN: f64 = 0.5;
/// A stall in which so many cores are used is one of computing.
const COMPUTING_CORES_MIN: f64 = 0.7;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let run = context.view.run;
    let loaded = loaded(context);
    let stalls = seen(loaded);
    let stalled_s = stalls.iter().map(|stall| stall.waited_ms).sum::<f64>() / 1000.0;
    let of_time = share(stalled_s, count(loaded.len()));
    let longest = stalls
        .iter()
        .map(|stall| stall.waited_ms)
        .fold(0.0, f64::max);
    let between = context.view.callers.percentile_ms(0.5);
    let pauses = context.measured.pauses().unwrap_or(0.0);
    let first = stalls.first()?;
    if of_time < STALLED_SHARE_MIN
        || between > BETWEEN_SHARE_MAX * longest
        || pauses >= COLLECTING_SHARE_MIN * of_time
    {
        return None;
    }
    let is_once = stalls.len() < STALLS_MIN;
    let is_unsure = !run.generator_limits.is_empty();
    let from = run.from_ms / 1000 + u64::try_from(first.from).ok()?;
    #[expect(clippy::cast_precision_loss, reason = "seconds of a run")]
    let from = counted(from as f64);
    let used = used_meanwhile(context, &stalls);
    let statement = if is_once {
        findings::stalled_once(millis(longest), from, millis(between))
    } else {
        let times = counted(count(stalls.len()));
        findings::stalls(millis(longest), times, from, millis(between))
    };
    let advice = if used.is_some_and(|used| used >= COMPUTING_CORES_MIN) {
        findings::stalls_try_computes()
    } else if is_once {
        findings::stalled_once_try()
    } else {
        findings::stalls_try()
    };
    let is_missed = context.loss.is_objective_alone;
    Draft::new(
        RuleId::Stalls,
        // What stops once may be what is below the target.
        if is_once {
            BottleneckPart::Unknown
        } else {
            BottleneckPart::Code
        },
        if is_unsure {
            EvidenceGrade::C
        } else {
            EvidenceGrade::B
        },
        statement,
    )
    .role(if is_once && !is_missed {
        FindingRole::Notice
    } else {
        FindingRole::Slow
    })
    .shown("stalled", evidence::stalled(), of_time, EvidenceUnit::Share)
    .shown(
        "cpu-meanwhile",
        evidence::cpu_meanwhile(),
        used,
        EvidenceUnit::Cores,
    )
    .shown(
        "mean",
        evidence::mean(),
        context.view.callers.mean_ms(),
        EvidenceUnit::Millis,
    )
    .against(is_unsure.then(doubt::generator_stalls))
    .advised([Advice::to(advice)])
    .done()
}

/// The seconds in which there is load: after it nobody asks, and what is answered then waited for whatever it was.
fn loaded<'a>(context: &RuleContext<'a>) -> &'a [ComparedWindow] {
    let windows = &context.view.run.windows;
    &windows[..context.view.busy_windows().end.min(windows.len())]
}

/// Seconds in which a stall began, went on, or was over: who was answered in them may have waited for its end.
pub(super) fn stalled_seconds(context: &RuleContext<'_>) -> Vec<Range<usize>> {
    let stalls = seen(loaded(context));
    stalls
        .iter()
        .map(|stall| stall.from..stall.to + 1)
        .collect()
}

/// A time in which nobody is answered.
#[derive(Debug)]
struct Stall {
    /// The second in which it begins.
    from: usize,
    /// The second in which it is over.
    to: usize,
    /// The longest wait of a request that was answered when it ended, ms.
    waited_ms: f64,
}

impl Stall {
    /// The generator was late itself, for much of it: a delay is told of the second in which it began, or was over.
    fn is_own(&self, windows: &[ComparedWindow]) -> bool {
        let around = &windows[self.from.saturating_sub(1)..=self.to];
        let own_ms = around.iter().map(|window| window.own_delay_ms);
        own_ms.fold(0.0, f64::max) >= OWN_DELAY_SHARE_MIN * self.waited_ms
    }
}

/// All of them, in order.
fn seen(windows: &[ComparedWindow]) -> Vec<Stall> {
    let mut stalls = stalls(windows);
    stalls.extend(bursts(windows, &stalls, BURST_MS_MIN));
    // Beside long ones a shorter one is no accident.
    if !stalls.is_empty() {
        stalls.extend(bursts(windows, &stalls, BURST_BESIDE_MS_MIN));
    }
    stalls.sort_by_key(|stall| stall.from);
    stalls
}

fn stalls(windows: &[ComparedWindow]) -> Vec<Stall> {
    if usual(windows) < ANSWERS_PER_SECOND_MIN {
        return Vec::new();
    }
    let mut all = Vec::new();
    let mut from = None;
    for (at, window) in windows.iter().enumerate() {
        match (window.requests > 0.0, from) {
            (false, None) if at > 0 => from = Some(at),
            (true, Some(began)) => {
                from = None;
                let waited_ms = window.durations.max().unwrap_or(0.0);
                // Requests were under way: it was not that none was sent.
                let is_stall = waited_ms >= WAITED_SHARE_MIN * 1000.0 * count(at - began);
                let stall = Stall {
                    from: begun(windows, at, waited_ms).min(began),
                    to: at,
                    waited_ms,
                };
                if is_stall && !stall.is_own(windows) && window.failed < window.requests {
                    all.push(stall);
                }
            }
            _ => {}
        }
    }
    all
}

/// The second in which a wait began that was over in the middle of another; one that has all of its answers went by before.
fn begun(windows: &[ComparedWindow], at: usize, waited_ms: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "seconds of a run"
    )]
    let seconds = (waited_ms / 1000.0 + 0.5).floor() as usize;
    let from = at.saturating_sub(seconds);
    let whole = WHOLE_SECOND_SHARE_MIN * usual(windows);
    let is_whole = |second: &usize| windows[*second].requests >= whole;
    from + (from..at).take_while(is_whole).count()
}

/// Stalls that leave no full second without an answer: those who came meanwhile are all answered at its end, in one second,
/// which may be the last one.
fn bursts(windows: &[ComparedWindow], seen: &[Stall], waited_min_ms: f64) -> Vec<Stall> {
    let usual = usual(windows);
    let places = 1..windows.len();
    let is_new = |at: &usize| seen.iter().all(|stall| stall.to != *at);
    let burst = |at: usize| {
        let waited_ms = windows[at]
            .durations
            .max()
            .filter(|ms| *ms >= waited_min_ms)?;
        let quick_ms = BETWEEN_SHARE_MAX * waited_ms;
        let of_stall = usual * waited_ms / 1000.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "seconds of a run"
        )]
        let before = at.saturating_sub((waited_ms / 1000.0).ceil() as usize);
        let is_quick = |window: &ComparedWindow| {
            let middle = window.durations.percentile(0.5);
            middle.is_some_and(|ms| ms <= quick_ms)
        };
        let is_alone = before > 0
            && is_quick(&windows[before - 1])
            && windows.get(at + 1).is_none_or(is_quick);
        let waited = number(windows[at].durations.count_where(|ms| ms > quick_ms));
        let is_burst = usual >= ANSWERS_PER_SECOND_MIN && waited >= BURST_PART_MIN * of_stall;
        let is_failing = windows[at].failed >= windows[at].requests;
        let stall = Stall {
            from: begun(windows, at, waited_ms),
            to: at,
            waited_ms,
        };
        (is_alone && is_burst && !is_failing && !stall.is_own(windows)).then_some(stall)
    };
    places.filter(is_new).filter_map(burst).collect()
}

/// Answers of a usual second.
fn usual(windows: &[ComparedWindow]) -> f64 {
    let mut rates: Vec<f64> = windows.iter().map(|window| window.requests).collect();
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or(0.0)
}

/// Cores that the target uses in its stalls, on average.
fn used_meanwhile(context: &RuleContext<'_>, stalls: &[Stall]) -> Option<f64> {
    let run = context.view.run;
    let at_ms = |at: usize| run.from_ms + 1000 * u64::try_from(at).unwrap_or(0);
    let used = |stall: &Stall| {
        let (from, to) = (at_ms(stall.from), at_ms(stall.to));
        let series = run.signals.of_kind(SignalKind::ProcessCpu);
        let used = series.filter_map(|series| {
            let points = series.points();
            let first = points.iter().find(|point| point.at_ms >= from)?;
            let last = points.iter().rfind(|point| point.at_ms <= to)?;
            let passed = last.at_ms.checked_sub(first.at_ms).filter(|ms| *ms > 0)?;
            let passed = f64::from(u32::try_from(passed).ok()?) / 1000.0;
            Some((last.value - first.value) / passed)
        });
        used.reduce(f64::max)
    };
    let all: Vec<f64> = stalls.iter().filter_map(used).collect();
    (!all.is_empty()).then(|| share(all.iter().sum(), count(all.len())))
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use loadline_metrics::Histogram;

    use super::*;

    fn second(quick: usize, waited: &[f64]) -> ComparedWindow {
        let times = std::iter::repeat_n(20.0, quick).chain(waited.iter().copied());
        let times: Vec<f64> = times.collect();
        ComparedWindow {
            requests: count(times.len()),
            durations: Histogram::from_values(&times),
            ..ComparedWindow::default()
        }
    }

    /// Seen: "from second 4 on" of a stop from 5.0 to 7.5 s, and "second 3" of one from 4.0 to 5.5 s.
    #[test]
    fn a_stop_begins_after_the_seconds_that_have_all_their_answers() {
        let waited: Vec<f64> = (0..50).map(|at| 2_500.0 - 50.0 * f64::from(at)).collect();
        let mut long = vec![second(20, &[]); 12];
        (long[5], long[6], long[7]) = (second(0, &[]), second(0, &[]), second(10, &waited));
        let waited: Vec<f64> = (0..30).map(|at| 1_502.0 - 50.0 * f64::from(at)).collect();
        let mut short = vec![second(20, &[]); 12];
        (short[4], short[5]) = (second(0, &[]), second(10, &waited));
        let from = |windows: &[ComparedWindow]| seen(windows)[0].from;
        assert_eq!((from(&long), from(&short)), (5, 4));
    }
}
