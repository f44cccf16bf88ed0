//! Requests get faster and faster although as much is asked: something warms up, such as a cache.

use loadline_text::{evidence, findings, millis};

use super::super::finding::{
    Advice, BottleneckFinding, BottleneckPart, EvidenceGrade, EvidenceUnit, FindingRole, RuleId,
};
use super::super::view::RunView;
use super::{Draft, RuleContext, cold};

/// At first requests take so many times as long as in the end, ...
const EARLY_FACTOR_MIN: f64 = 1.5;
/// ... and longer by so many ms.
const EARLY_MS_MIN: f64 = 20.0;
/// Beside delays of the generator that are this part of the difference, at least, it is not the target's.
const OWN_DELAY_SHARE_MIN: f64 = 0.5;
/// As much is answered in the end as at first, but for this part.
const ANSWERED_PART_MIN: f64 = 0.9;
/// Users in loops who all begin at once make a queue that is soon gone: what warms up is still faster from the middle to the end.
const MIDDLE_FACTOR_MIN: f64 = 1.25;
/// ... or answers more of their requests then: the queue of a common start is served as fast as can be.
const ANSWERED_GAIN_MIN: f64 = 1.2;

pub(super) fn check(context: &RuleContext<'_>) -> Option<BottleneckFinding> {
    let view = context.view;
    if cold::compiling(context).is_some() {
        return None;
    }
    let Faster { early, late, .. } = at_first(view).or_else(|| by_thirds(view))?;
    Draft::new(
        RuleId::Warming,
        BottleneckPart::Code,
        EvidenceGrade::C,
        findings::warming(millis(early), millis(late)),
    )
    .role(FindingRole::Notice)
    .shown(
        "mean-early",
        evidence::mean_early(),
        early,
        EvidenceUnit::Millis,
    )
    .shown(
        "mean-late",
        evidence::mean_late(),
        late,
        EvidenceUnit::Millis,
    )
    .advised([Advice::to(findings::cold_try()).by("--warmup auto")])
    .done()
}

/// A target that got faster.
struct Faster {
    /// Mean time of a request at first, ms.
    early: f64,
    /// In the end, ms.
    late: f64,
    /// Seconds in which it was slow.
    seconds: usize,
}

impl Faster {
    /// The same, where it is the target's: a machine that stood still at first makes no target faster.
    fn of_target(self, view: &RunView<'_>) -> Option<Self> {
        let first = view.windows().iter().take(self.seconds);
        let own_ms = first.map(|window| window.own_delay_ms).fold(0.0, f64::max);
        let difference = self.early - self.late;
        (difference >= EARLY_MS_MIN && own_ms < OWN_DELAY_SHARE_MIN * difference).then_some(self)
    }
}

/// Slow from the first second on, for however long, and fast from then on.
fn at_first(view: &RunView<'_>) -> Option<Faster> {
    let start = view.first_requests().slow()?;
    let part_min = if view.run.load.is_open {
        ANSWERED_PART_MIN
    } else {
        ANSWERED_GAIN_MIN
    };
    if start.answered_late < part_min * start.answered_early {
        return None;
    }
    let faster = Faster {
        early: start.early_ms,
        late: start.late_ms,
        seconds: start.seconds,
    };
    faster.of_target(view)
}

/// Faster from third to third.
fn by_thirds(view: &RunView<'_>) -> Option<Faster> {
    let [early, middle, late] = view.mean_of_thirds()?;
    let (answered_early, answered_late) = view.answered_early_and_late()?;
    let is_faster = early >= EARLY_FACTOR_MIN * late
        && early >= middle
        && middle >= late
        && (view.run.load.is_open || middle >= MIDDLE_FACTOR_MIN * late);
    if !is_faster || answered_late < ANSWERED_PART_MIN * answered_early {
        return None;
    }
    let faster = Faster {
        early,
        late,
        seconds: view.windows().len() / 3,
    };
    faster.of_target(view)
}
