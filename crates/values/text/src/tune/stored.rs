//! Why trials do not count, as journals and files keep it.

use std::collections::BTreeMap;

use super::{
    reason_all_failed, reason_answers_checks, reason_answers_differ, reason_answers_size,
    reason_answers_status, reason_file, reason_generator, reason_gone, reason_hook_failed,
    reason_hook_missing, reason_hook_timeout, reason_no_answer, reason_not_ready, reason_nothing,
    reason_nothing_sent, reason_read_back, reason_request, reason_run_ended, reason_start_ended,
};
use crate::Message;

/// Why a trial does not count, or failed, as it was stored by its key and arguments; `None` for any
/// other key.
#[must_use]
pub fn stored_reason(key: &str, args: &BTreeMap<String, String>) -> Option<Message> {
    let arg = |name: &str| args.get(name).cloned().unwrap_or_default();
    Some(match key {
        "tune-reason-start-ended" => reason_start_ended(arg("output")),
        "tune-reason-not-ready" => reason_not_ready(arg("time")),
        "tune-reason-hook-failed" => reason_hook_failed(arg("hook"), arg("output")),
        "tune-reason-hook-timeout" => reason_hook_timeout(arg("hook"), arg("time")),
        "tune-reason-hook-missing" => reason_hook_missing(arg("hook"), arg("reason")),
        "tune-reason-read-back" => reason_read_back(arg("knob"), arg("wanted"), arg("seen")),
        "tune-reason-request" => reason_request(arg("url"), arg("reason")),
        "tune-reason-file" => reason_file(arg("file"), arg("reason")),
        "tune-reason-gone" => reason_gone(),
        "tune-reason-no-answer" => reason_no_answer(arg("kinds")),
        "tune-reason-nothing-sent" => reason_nothing_sent(),
        "tune-reason-all-failed" => reason_all_failed(arg("kinds")),
        "tune-reason-run-ended" => reason_run_ended(arg("reason")),
        "tune-reason-generator" => reason_generator(arg("limits")),
        "tune-reason-nothing" => reason_nothing(),
        "tune-reason-answers-differ" => {
            reason_answers_differ(arg("endpoint"), arg("place"), arg("was"), arg("is"))
        }
        "tune-reason-answers-size" => {
            reason_answers_size(arg("endpoint"), arg("before"), arg("after"))
        }
        "tune-reason-answers-status" => {
            let status = arg("status");
            reason_answers_status(arg("endpoint"), status, arg("before"), arg("after"))
        }
        "tune-reason-answers-checks" => {
            reason_answers_checks(arg("endpoint"), arg("before"), arg("after"))
        }
        _ => return None,
    })
}
