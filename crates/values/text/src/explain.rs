//! What `explain` says.

use crate::message::declare_messages;

declare_messages! {
    /// A setting that comes before others are tuned: why, and what to do.
    "explain-setting-first" => setting_first(why, what);
    /// The same with how it is typed.
    "explain-setting-first-by" => setting_first_by(why, what, setting);
    /// Of probes: how long the target was cold.
    "explain-probe-measured" => probe_measured(early, late, seconds, requests);
    /// Of probes: that the target was never cold.
    "explain-probe-not-cold" => probe_not_cold();
    /// Whether something warms up is not seen.
    "explain-probe-not-known" => probe_not_known();
    /// Of probes: why a pod asks itself.
    "explain-probe-why" => probe_why();
    /// Of probes: what they need.
    "explain-probe-curl" => probe_curl();
    /// Of probes: that no path is known.
    "explain-probe-no-path" => probe_no_path();
    /// Of probes: that no port is known.
    "explain-probe-no-port" => probe_no_port();
    /// Of probes: what the path is for.
    "explain-probe-ready" => probe_ready();
    /// After a run: that its target was cold.
    "explain-was-cold" => was_cold(early, late, command);
    /// Heading.
    "explain-title" => title(run);
    /// What was looked at.
    "explain-looked-at" => looked_at(from, to, rate, mean, p95);
    /// The same where no request was answered well.
    "explain-looked-at-none" => looked_at_none(from, to);
    /// A verdict with a share, told beside the whole run: of which of its seconds it is.
    "explain-verdict-of-seconds" => verdict_of_seconds(said, from, to);
    /// The answer: a finding.
    "explain-answer-limited" => answer_limited(part, grade);
    /// The answer: slow, not limited.
    "explain-answer-slow" => answer_slow(part, grade);
    /// The answer: some kinds of requests are limited, others are not.
    "explain-answer-unknown-of" => answer_unknown_of(rate, names);
    /// The answer of a run that is not valid, which can still be told.
    "explain-answer-beside-not-valid" => answer_beside_not_valid(answer);
    /// The answer: slow, by what is not seen.
    "explain-answer-slow-unseen" => answer_slow_unseen(grade);
    /// The answer: it stood still once.
    "explain-answer-stood-still" => answer_stood_still(grade);
    /// Label.
    "explain-row-objective" => row_objective();
    /// A goal that is kept.
    "explain-objective-kept" => objective_kept(goal, value);
    /// A goal that is missed.
    "explain-objective-missed" => objective_missed(goal, value);
    /// A goal that is missed, with what was measured before.
    "explain-objective-missed-from" => objective_missed_from(goal, value, unloaded);
    /// A goal of which the seconds that were looked at say otherwise than the run.
    "explain-objective-while-busy" => objective_while_busy(goal, value);
    /// A goal of one endpoint.
    "explain-objective-of" => objective_of(goal, endpoint);
    /// Label.
    "explain-row-levels" => row_levels();
    /// A level of starts.
    "explain-level-starts" => level_starts(load, answered, mean, p95);
    /// A level of users.
    "explain-level-users" => level_users(load, answered, mean, p95);
    /// A level with failed requests.
    "explain-level-failed" => level_failed(level, failed);
    /// A part of the load.
    "explain-level-cut" => level_cut(level, cut);
    /// A part of the load.
    "explain-level-failed-or-cut" => level_failed_or_cut(level, failed);
    /// Nothing was looked at.
    "explain-looked-at-nothing" => looked_at_nothing();
    /// A level that is not carried.
    "explain-level-not-carried" => level_not_carried(level);
    /// Label.
    "explain-row-endpoints" => row_endpoints();
    /// An endpoint.
    "explain-endpoint" => endpoint(name, answered, mean, p95, fastest);
    /// Where a setting is not known.
    "explain-unknown-stack" => unknown_stack();
    /// The answer: nothing.
    "explain-answer-none" => answer_none(rate);
    /// The answer: callers see nothing.
    "explain-answer-no-sign" => answer_no_sign(rate);
    /// The answer: a limit that is not seen.
    "explain-answer-unknown" => answer_unknown(rate);
    /// The answer, where all connections are held.
    "explain-answer-unknown-pool" => answer_unknown_pool(rate);
    /// ... where requests wait for a lock.
    "explain-answer-unknown-lock" => answer_unknown_lock(rate);
    /// ... where connections wait to be accepted.
    "explain-answer-unknown-accept" => answer_unknown_accept(rate);
    /// The answer, where a share of requests fails.
    "explain-answer-failing" => answer_failing(grade);
    /// ... of users in loops.
    "explain-answer-failing-in-loops" => answer_failing_in_loops(grade);
    /// Requests fail after they were worked on.
    "explain-answer-failing-after-work" => answer_failing_after_work(grade);
    /// Requests fail, and nothing tells whether the load is why.
    "explain-answer-failing-unclear" => answer_failing_unclear(grade);
    /// ... with little load as with more.
    "explain-answer-failing-since" => answer_failing_since(grade);
    /// Answer: little load, too.
    "explain-answer-failing-at-any-load" => answer_failing_at_any_load(grade);
    /// ... since the test sends wrong requests.
    "explain-answer-wrong-requests" => answer_wrong_requests(grade);
    /// Answers are wrong.
    "explain-answer-wrong-answers" => answer_wrong_answers(grade);
    /// A part: a limit that was set on purpose.
    "explain-part-on-purpose" => part_on_purpose();
    /// The answer: too little.
    "explain-answer-too-little" => answer_too_little();
    /// The generator was the limit, and nothing else is seen.
    "explain-answer-not-valid" => answer_not_valid();
    /// A part.
    "explain-part-test-bed" => part_test_bed();
    /// A part.
    "explain-part-network" => part_network();
    /// A part.
    "explain-part-cpu" => part_cpu();
    /// A part.
    "explain-part-memory" => part_memory();
    /// A part.
    "explain-part-threads" => part_threads();
    /// A part.
    "explain-part-pool" => part_pool();
    /// A part.
    "explain-part-database" => part_database();
    /// A part.
    "explain-part-outside" => part_outside();
    /// A part.
    "explain-part-cache" => part_cache();
    /// A part.
    "explain-part-storage" => part_storage();
    /// The name of a part.
    "explain-part-files" => part_files();
    /// A part.
    "explain-part-code" => part_code();
    /// A part.
    "explain-part-unknown" => part_unknown();
    /// What limits where a target stopped.
    "explain-part-stopped" => part_stopped();
    /// Heading of a request's time.
    "explain-time-of-traces" => time_of_traces(count);
    /// Heading of a request's time.
    "explain-time-of-metrics" => time_of_metrics();
    /// A part of a request's time.
    "explain-time-part" => time_part(mean, share);
    /// A part of a request's time, with that of the slowest.
    "explain-time-part-slowest" => time_part_slowest(mean, share, slowest);
    /// A part of a request's time.
    "explain-time-before" => time_before();
    /// A part of a request's time.
    "explain-time-pool-wait" => time_pool_wait();
    /// A part of a request's time.
    "explain-time-held" => time_held();
    /// A part of a request's time.
    "explain-time-sql" => time_sql();
    /// A part of a request's time.
    "explain-time-outside" => time_outside();
    /// A part of a request's time.
    "explain-time-message" => time_message();
    /// A part of a request's time.
    "explain-time-cpu" => time_cpu();
    /// A part of a request's time.
    "explain-time-core-wait" => time_core_wait();
    /// A part of a request's time.
    "explain-time-collection" => time_collection();
    /// A part of a request's time.
    "explain-time-unexplained" => time_unexplained();
    /// Heading of a finding.
    "explain-head-now" => head_now(grade);
    /// Heading of a finding.
    "explain-head-next" => head_next(grade);
    /// Heading of a finding.
    "explain-head-slow" => head_slow(grade);
    /// Heading of a finding.
    "explain-head-notice" => head_notice(grade);
    /// Row.
    "explain-row-statements" => row_statements();
    /// A statement, as the database counts it.
    "explain-statement-counted" => statement_counted(share, mean, calls);
    /// A statement, as traces show it.
    "explain-statement-traced" => statement_traced(share, mean, calls);
    /// Row.
    "explain-row-evidence" => row_evidence();
    /// Row.
    "explain-row-logged" => row_logged();
    /// When a line of a log came.
    "explain-logged" => logged(count, first, last);
    /// Row.
    "explain-row-against" => row_against();
    /// Row.
    "explain-row-try" => row_try();
    /// Row.
    "explain-row-where" => row_where();
    /// Row.
    "explain-row-missing" => row_missing();
    /// Row.
    "explain-row-what-if" => row_what_if();
    /// Row.
    "explain-row-ceilings" => row_ceilings();
    /// Row.
    "explain-row-sources" => row_sources();
    /// Predicted effect.
    "explain-predicted" => predicted(rate);
    /// Predicted effect and what limits then.
    "explain-predicted-then" => predicted_then(rate, part);
    /// A prediction.
    "explain-what-if" => what_if(assumed, rate, part);
    /// No prediction.
    "explain-what-if-unknown" => what_if_unknown(assumed);
    /// A ceiling.
    "explain-ceiling-is" => ceiling_is(part, rate);
    /// A finding in one line.
    "explain-limit-is" => limit_is(part, grade, statement);
    /// The answer with the finding that it rests on.
    "explain-cause-is" => cause_is(answer, statement);
    /// What to do about what limits.
    "explain-advice-is" => advice_is(advice);
    /// What limits a run that goes on.
    "explain-so-far" => so_far(text);
    /// What turns a signal on.
    "explain-turned-on-by" => turned_on_by(setting);
    /// A source.
    "explain-source-answered" => source_answered(name, answered);
    /// A source that failed.
    "explain-source-failed" => source_failed(name, answered, failed, first);
    /// No source.
    "explain-source-none" => source_none();
    /// Finding.
    "explain-target-cpu" => target_cpu(share, cores);
    /// What --what-if takes.
    "explain-expected-assumption" => expected_assumption();
}
