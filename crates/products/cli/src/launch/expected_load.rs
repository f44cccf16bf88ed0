//! What a test is expected to send, in the words of notices and questions before load.

use loadline_testplan::{Arrivals, Executor, Plan};
use loadline_text::{Message, grouped, testbed};

/// What a plan is expected to send.
pub(super) fn expected_load(plan: &Plan) -> Message {
    let arrivals = plan.scenarios.iter().filter_map(|s| s.executor.arrivals());
    let starts: Vec<u64> = arrivals.map(Arrivals::total).collect();
    if starts.is_empty() {
        return testbed::notice_load_loop();
    }
    testbed::notice_load_rate(grouped(starts.iter().sum::<u64>() as f64, 0))
}

/// Whether each start of the plan has a user of its own, so that their number is that of the
/// starts.
pub(super) fn has_user_per_start(plan: &Plan) -> bool {
    let mut executors = plan.scenarios.iter().map(|scenario| &scenario.executor);
    executors.all(|executor| matches!(executor, Executor::PhasedArrivals(_)))
}
