//! A part of the good answers takes many times as long as the others, all along: two kinds of work.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;
use loadline_text::{evidence, findings, millis, percent};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::input::{CallerView, number, share};
use super::{Draft, RuleContext, stalls};

/// Between quick and slow ones there are no requests over this factor of time.
const GAP_FACTOR_MIN: f64 = 2.0;
/// Slow ones take so many times as long as the quick ones, ...
const SLOW_FACTOR_MIN: f64 = 5.0;
/// ... and at least so long, ms.
const SLOW_MS_MIN: f64 = 100.0;
/// Fewer are outliers, more are no tail.
const TAIL_SHARES: std::ops::RangeInclusive<f64> = 0.005..=0.4;
/// In each third of the time there are at least this part as many as on average: a target that stops for
/// a while makes them all at once.
const STEADY_PART_MIN: f64 = 0.4;
/// Requests that tell.
const REQUESTS_MIN: u64 = 200;

/// Two humps of times.
struct Humps {
    /// Slower ones than this, ms, are of the second.
    from_ms: f64,
    slow_share: f64,
    slow_ms: f64,
    quick_ms: f64,
}

impl Humps {
    fn new(durations: &Histogram) -> Option<Self> {
        let buckets = durations.buckets();
        let all = number(durations.count());
        let mut below = 0.0;
        for pair in buckets.windows(2) {
            below += number(pair[0].1);
            let (quick, slow) = (pair[0].0.far(), pair[1].0.near());
            let above = share(all - below, all);
            if TAIL_SHARES.contains(&above) && slow >= GAP_FACTOR_MIN * quick {
                let mean = |is_of: &dyn Fn(f64) -> bool| {
                    let of = buckets.iter().filter(|(bucket, _)| is_of(bucket.middle()));
                    let (sum, count) = of.fold((0.0, 0.0), |(sum, count), (bucket, n)| {
                        (sum + bucket.middle() * number(*n), count + number(*n))
                    });
                    share(sum, count)
                };
                let humps = Self {
                    from_ms: slow,
                    slow_share: above,
                    slow_ms: mean(&|ms| ms >= slow),
                    quick_ms: mean(&|ms| ms < slow),
                };
                let is_far = humps.slow_ms >= SLOW_FACTOR_MIN * humps.quick_ms;
                return (is_far && humps.slow_ms >= SLOW_MS_MIN).then_some(humps);
            }
        }
        None
    }

    /// The share of requests that are slow.
    fn share_of(&self, durations: &Histogram) -> f64 {
        let buckets = durations.buckets();
        let slow = buckets
            .iter()
            .filter(|(bucket, _)| bucket.middle() >= self.from_ms);
        share(
            slow.map(|(_, n)| number(*n)).sum(),
            number(durations.count()),
        )
    }

    /// The share of all time that the slow ones take.
    fn time_share(&self) -> f64 {
        let slow = self.slow_share * self.slow_ms;
        share(slow, slow + (1.0 - self.slow_share) * self.quick_ms)
    }
}

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    // What failed, such as by a time-out of the callers, took its time for that.
    let durations = &view.callers.good;
    if durations.count() < REQUESTS_MIN {
        return None;
    }
    // Of several endpoints each may be as slow as it always is.
    view.run.alike.as_ref()?;
    let humps = Humps::new(durations)?;
    let thirds = view.good_of_thirds()?;
    let is_steady = thirds
        .iter()
        .all(|third| humps.share_of(third) >= STEADY_PART_MIN * humps.slow_share);
    let beside = beside_stalls(context);
    if !is_steady || humps.share_of(&beside) < STEADY_PART_MIN * humps.slow_share {
        return None;
    }
    let is_most = humps.time_share() >= 0.5;
    let statement = findings::slow_tail(
        percent(humps.slow_share),
        millis(humps.slow_ms),
        millis(humps.quick_ms),
    );
    Draft::new(
        RuleId::SlowTail,
        BottleneckPart::Code,
        EvidenceGrade::B,
        statement,
    )
    .role(if is_most {
        FindingRole::Slow
    } else {
        FindingRole::Notice
    })
    .shown(
        "slow-share",
        evidence::share(),
        humps.slow_share,
        EvidenceUnit::Share,
    )
    .shown(
        "mean",
        evidence::mean(),
        view.callers.mean_ms(),
        EvidenceUnit::Millis,
    )
    .advised([Advice::to(findings::slow_tail_try())])
    .done()
}

/// How long good answers took but in seconds in which a target that stood still answers all who came meanwhile: they do the
/// same work as others, and waited.
fn beside_stalls(context: &RuleContext<'_>) -> Histogram {
    let stalled = stalls::stalled_seconds(context);
    let busy = context.view.busy_windows();
    let beside = busy.zip(context.view.windows());
    let beside = beside.filter(|(at, _)| !stalled.iter().any(|seconds| seconds.contains(at)));
    let beside: Vec<ComparedWindow> = beside.map(|(_, window)| window.clone()).collect();
    CallerView::from_windows(&beside).good
}
