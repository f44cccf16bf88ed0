//! What is said of a task that holds a worker.

use loadline_session::WorkerHold;
use loadline_text::{Message, messages};

/// Who held which worker for how long, and what that costs.
pub(crate) fn words(hold: &WorkerHold) -> Message {
    let worker = hold.worker.index();
    let seconds = format!("{:.1}", hold.held.as_secs_f64());
    let call = hold.call.as_deref();
    match (call, hold.is_lost) {
        (Some(call), false) => messages::worker_held(worker, &seconds, call),
        (None, false) => messages::worker_held_by_script(worker, &seconds),
        (Some(call), true) => messages::worker_lost(worker, &seconds, call),
        (None, true) => messages::worker_lost_to_script(worker, &seconds),
    }
}
