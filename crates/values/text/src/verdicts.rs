//! What a run's verdict says, and what it rests on: what fell short, why the run failed, and what is
//! not accounted for.

use crate::message::declare_messages;

declare_messages! {
    /// The run is over, and nothing was asked of it.
    "verdict-done" => verdict_done(rate, p95, errors);
    /// ... of one request.
    "verdict-done-one" => verdict_done_one(time, errors);
    /// Everything asked of the one request was met.
    "verdict-passed-one" => verdict_passed_one(time, errors);
    /// Nothing went wrong, and no goal could be judged.
    "verdict-not-judged" => verdict_not_judged(unjudged, rate, p95, errors);
    /// The same of a run without requests.
    "verdict-not-judged-iterations" => verdict_not_judged_iterations(unjudged, iterations);
    /// The run did what it should: all thresholds hold.
    "verdict-passed" => verdict_passed(rate, p95, errors);
    /// At least one threshold failed.
    "verdict-thresholds" => verdict_thresholds(failed, all, rate, p95, errors);
    /// The verdict could differ without the generator's own delays.
    "verdict-not-valid" => verdict_not_valid(why);
    /// Not valid: the generator was the bottleneck.
    "invalid-bottleneck" => invalid_bottleneck(reasons);
    /// Not valid: its delays touched nearly all of the run.
    "invalid-late" => invalid_late(touched, seconds, reasons);
    /// Not valid: the verdict is another without the seconds that were touched.
    "invalid-differs" => invalid_differs(touched, seconds, reasons, with_them, without_them);
    /// Not valid: the rate of users in a loop.
    "invalid-rate" => invalid_rate(rate);
    /// Not valid: a run without requests.
    "invalid-nothing-sent" => invalid_nothing_sent();
    /// All thresholds hold, in a sentence.
    "goals-all-hold" => goals_all_hold(all);
    /// Without thresholds: nothing is wrong, in a sentence.
    "nothing-fell-short" => nothing_fell_short();
    /// No request was answered.
    "verdict-no-answer" => verdict_no_answer(requests);
    /// Nothing was sent.
    "verdict-nothing" => verdict_nothing();
    /// ... as none was due.
    "verdict-nothing-due" => verdict_nothing_due(duration);
    /// Verdict: nothing was sent, though iterations ended.
    "verdict-nothing-iterations" => verdict_nothing_iterations(iterations);
    /// Someone stopped the run.
    "verdict-interrupted" => verdict_interrupted(rate, p95, errors);
    /// The program was killed while the run went on; what was kept until then stands beside it.
    "verdict-killed" => verdict_killed(rate, p95, errors);
    /// Someone ended the run at once; there is nothing to sum up.
    "verdict-aborted" => verdict_aborted();
    /// Something the run needs failed.
    "verdict-failed" => verdict_failed(message);
    /// A defect of loadline ended the run.
    "verdict-defect" => verdict_defect(message);
    /// How many thresholds hold; after a verdict.
    "verdict-threshold-count" => verdict_threshold_count(held, all);
    /// How many thresholds hold where some had no samples; after a verdict.
    "verdict-thresholds-unjudged" => verdict_thresholds_unjudged(held, all, unjudged);
    /// Nothing was asked of the run; after a verdict.
    "verdict-no-goals" => verdict_no_goals();
    /// The run was held to the answers of others alone, and they are the same; after a verdict.
    "verdict-same-answers" => verdict_same_answers();
    /// Load or answers fell short.
    "verdict-short" => verdict_short(reasons, rate, p95, errors);
    /// The same of a run without requests.
    "verdict-short-alone" => verdict_short_alone(reasons);
    /// Verdict: the load or the answers fell short, in a run without requests.
    "verdict-short-iterations" => verdict_short_iterations(reasons, iterations);
    /// Reason: starts that never were.
    "short-load" => short_load(started, planned);
    /// Why starts never were: all users busy.
    "drop-no-free-user" => drop_no_free_user(count);
    /// Why starts never were: the test's own limit of users.
    "drop-user-limit" => drop_user_limit(count);
    /// How many users the dropped starts would have needed.
    "drop-users-needed" => drop_users_needed(users, time);
    /// Why starts never were: the generator was late.
    "drop-late" => drop_late(count);
    /// Why starts never were: no user could be made.
    "drop-no-user-made" => drop_no_user_made(count);
    /// Why starts never were: the scenario was over.
    "drop-time-over" => drop_time_over(count);
    /// How many thresholds do not hold.
    "verdict-goals-missed" => verdict_goals_missed(missed, all);
    /// Reason: requests cut off at the end.
    "short-cut" => short_cut(cut, sent);
    /// Reason: failed requests.
    "short-errors" => short_errors(failed, all);
    /// gRPC calls that ended with a status of an error, and WebSockets that did not open.
    "short-calls" => short_calls(failed, all);
    /// Reason: answers that point elsewhere.
    "short-redirects" => short_redirects(redirects, all);
    /// Where answers lead that are redirects.
    "redirected-to" => redirected_to(address);
    /// Reason: failed checks.
    "short-checks" => short_checks(failed, all);
    /// Reason: answers that are other than before; the first difference.
    "short-answers" => short_answers(differing, compared);
    /// Reason: no answers that could be compared.
    "short-answers-none" => short_answers_none();
    /// Reason: iterations that threw.
    "short-exceptions" => short_exceptions(thrown, all);
    /// Virtual users that gave up.
    "short-users" => short_users(failed, all);
    /// A goal on a percentile that few values decided.
    "few-values" => few_values(goal, count);
    /// All good answers are empty.
    "empty-answers" => empty_answers(endpoint, all);
    /// Some good answers are much smaller than the others.
    "small-answers" => small_answers(endpoint, count, all, most, usual);
    /// A third of the answers or more are redirects.
    "mostly-redirects" => mostly_redirects(redirects, all);
    /// The exit code; after a verdict.
    "verdict-exit-code" => verdict_exit_code(code);
    /// The code of success after a bad verdict, which is another tool's.
    "verdict-exit-code-of" => verdict_exit_code_of(code, tool);
    /// Something began and is not accounted for.
    "accounting-gaps" => accounting_gaps(gaps);
    /// Of requests.
    "gap-requests" => gap_requests(begun, accounted);
    /// Of iterations.
    "gap-iterations" => gap_iterations(begun, accounted);
    /// Of planned starts.
    "gap-starts" => gap_starts(begun, accounted);
    /// Of requests among the measurements.
    "gap-measured" => gap_measured(begun, accounted);
    /// Of cut requests among the measurements.
    "gap-measured-cut" => gap_measured_cut(begun, accounted);
    /// Requests that the test's own ramp-down cut.
    "accounting-ramped-down" => accounting_ramped_down(cut, sent);
    /// Requests that were under way when the run ended.
    "accounting-cut" => accounting_cut(cut, sent, oldest);
    /// Iterations that were cut.
    "accounting-interrupted" => accounting_interrupted(cut, started);
    /// Latencies that are only known to be at least so long.
    "accounting-lower-bounds" => accounting_lower_bounds(open, all);
    /// Requests that were sent again.
    "accounting-resent" => accounting_resent(count);
    /// Thresholds on metrics without a sample.
    "thresholds-without-samples" => thresholds_without_samples(names);

    /// The run is over; it sent no request.
    "verdict-iterations" => verdict_iterations(iterations, rate);
    /// Thresholds failed of a run that sent no request.
    "verdict-thresholds-iterations" => verdict_thresholds_iterations(failed, all, iterations);
    /// Someone stopped a run that sent no request.
    "verdict-interrupted-iterations" => verdict_interrupted_iterations(iterations);
    /// Why it failed: set-up took too long.
    "reason-setup-timeout" => reason_setup_timeout();
    /// Why it failed: teardown took too long.
    "reason-teardown-timeout" => reason_teardown_timeout();
    /// Why it failed: the script threw outside iterations.
    "reason-exception" => reason_exception();
    /// Why it failed: the script ended it.
    "reason-aborted" => reason_aborted();
    /// Why it failed: the script marked it failed.
    "reason-marked-failed" => reason_marked_failed();
    /// Why it failed: a defect of loadline; what it showed as was said before.
    "reason-defect" => reason_defect();
    /// Why it failed: something else; the log says more.
    "reason-other" => reason_other();
}
