//! What became of everything a run began, read off the board once nothing is under way.

use std::sync::atomic::{AtomicU64, Ordering};

use loadline_metrics::{Totals, Value, builtin};
use loadline_record::{Accounting, Gap, IterationAccount, RequestAccount, StartAccount};
use loadline_vu::Board;

/// The counts of the whole run so far.
pub(crate) fn of(board: &Board) -> Accounting {
    let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
    let requests = board.requests();
    let mut all = Accounting {
        requests: RequestAccount {
            sent: requests.sent,
            answered: requests.answered,
            failed: requests.failed,
            cut: requests.cut,
            resent: requests.resent,
        },
        iterations: IterationAccount::default(),
        starts: StartAccount::default(),
    };
    for scenario in board.scenarios() {
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
        Some(Value::Counter(Some(sum))) => sum.value() as u64,
        _ => 0,
    };
    let cut = match totals.metric(builtin::HTTP_REQS_CUT) {
        Some(Value::Trend(ages)) => ages.count(),
        _ => 0,
    };
    let mut gaps = all.gaps();
    gaps.extend(all.gaps_to_measured(ended, cut));
    gaps
}
