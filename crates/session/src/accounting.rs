//! What became of everything a run began, read off the board once nothing is under way.

use std::sync::atomic::{AtomicU64, Ordering};

use loadline_record::{Accounting, IterationAccount, RequestAccount, StartAccount};
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
