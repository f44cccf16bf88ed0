//! Where all iterations, requests and starts of a run ended up, counted once none is running.

use std::sync::atomic::{AtomicU64, Ordering};

use loadline_metrics::{MetricValue, Totals, builtin};
use loadline_record::{Accounting, Gap, IterationAccount, RequestAccount, StartAccount};
use loadline_vu::RunState;

/// The counts of the whole run so far.
pub(crate) fn from_run_state(run_state: &RunState) -> Accounting {
    let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
    let requests = run_state.requests();
    let mut all = Accounting {
        requests: RequestAccount {
            sent: requests.sent,
            answered: requests.answered,
            failed: requests.failed,
            cut: requests.cut,
            ramped_down: read(&run_state.ramped_down_requests),
            resent: requests.resent,
            other_ended: requests.other_ended,
            other_cut: requests.other_cut,
            other_failed: requests.other_failed,
        },
        iterations: IterationAccount::default(),
        starts: StartAccount::default(),
    };
    for scenario in run_state.scenarios() {
        let started = read(&scenario.begun);
        all.iterations.started += started;
        all.iterations.complete += read(&scenario.complete);
        all.iterations.interrupted += read(&scenario.interrupted);
        let planned = read(&scenario.planned);
        // Users set their own pace in the other scenarios.
        if planned > 0 {
            all.starts.planned += planned;
            all.starts.started += started;
            all.starts.dropped += read(&scenario.dropped);
        }
    }
    all
}

/// What does not add up, within the counts and with what was measured in the same time.
pub(crate) fn gaps(all: &Accounting, totals: &Totals) -> Vec<Gap> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count"
    )]
    let ended = match totals.metric(builtin::HTTP_REQS) {
        Some(MetricValue::Counter(Some(sum))) => sum.value() as u64,
        _ => 0,
    };
    let cut = match totals.metric(builtin::HTTP_REQS_CUT) {
        Some(MetricValue::Trend(ages)) => ages.count(),
        _ => 0,
    };
    let mut gaps = all.gaps();
    gaps.extend(all.gaps_to_measured(ended, cut));
    gaps
}
