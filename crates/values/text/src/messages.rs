//! What is said while tests run and about what one measured.
//!
//! Arguments are text: numbers are written with [`crate::grouped`] and its like, the
//! same in both languages.

use crate::message::declare_messages;

declare_messages! {
    /// A command of k6's cloud.
    "cloud-refused" => cloud_refused();
    /// k6's command that shows metrics of a run.
    "stats-refused" => stats_refused();
    /// A command that k6 had for its cloud and InfluxDB.
    "command-login-removed" => command_login_removed();
    /// Commands that k6 had to steer runs.
    "command-control-removed" => command_control_removed();
    /// Subcommands of k6's extensions.
    "extensions-listed" => extensions_listed();
    /// A subcommand of an extension of k6.
    "extension-refused" => extension_refused(name);
    /// The shells there are completions for.
    "completion-shells" => completion_shells();
    /// k6's live page of a run is asked for.
    "web-dashboard" => web_dashboard();
    /// A variable is not read any more.
    "variable-removed" => variable_removed(name, instead);
    /// The run is over, and nothing was asked of it.
    "verdict-done" => verdict_done(rate, p95, errors);
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
    /// Verdict: nothing was sent, though iterations ended.
    "verdict-nothing-iterations" => verdict_nothing_iterations(iterations);
    /// Someone stopped the run.
    "verdict-interrupted" => verdict_interrupted(rate, p95, errors);
    /// The program was killed while the run went on; what was kept until then stands beside it.
    "verdict-killed" => verdict_killed(rate, p95, errors);
    /// How long a run went on that has no known generator.
    "run-length-alone" => run_length_alone(duration, vus);
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
    /// Load or answers fell short.
    "verdict-short" => verdict_short(reasons, rate, p95, errors);
    /// The same of a run without requests.
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
    /// Reason: failed checks.
    "short-checks" => short_checks(failed, all);
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

    /// Row: requests.
    "row-requests" => row_requests();
    /// Row: failed requests.
    "row-failed" => row_failed();
    /// Row: requests that were under way when the run ended.
    "row-cut" => row_cut();
    /// Of how many requests, and how old the oldest was.
    "cut-of" => cut_of(sent, oldest);
    /// Row: requests that were written more than once.
    "row-resent" => row_resent();
    /// Why they were.
    "resent-why" => resent_why();
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
    /// A row: requests that the test's own ramp-down cut.
    "row-ramped-down" => row_ramped_down();
    /// Of how many.
    "ramped-down-of" => ramped_down_of(sent);
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
    /// Row: starts that never were.
    "row-dropped" => row_dropped();
    /// How many of the planned starts were dropped.
    "dropped-of" => dropped_of(planned);
    /// Row: latency.
    "row-latency" => row_latency();
    /// Row: latency from the planned start.
    "row-intended" => row_intended();
    /// Row: waiting for the first byte.
    "row-waiting" => row_waiting();
    /// Row: waiting for the first byte, where some requests were cut.
    "row-waiting-answered" => row_waiting_answered();
    /// Row: latency of good answers.
    "row-latency-good" => row_latency_good();
    /// Row: latency of failed requests.
    "row-latency-failed" => row_latency_failed();
    /// Row: latency from the planned start, of good answers.
    "row-intended-good" => row_intended_good();
    /// Row: latency from the planned start, of failed requests.
    "row-intended-failed" => row_intended_failed();
    /// Row: latency from the planned start, of good and failed answers together.
    "row-intended-all" => row_intended_all();
    /// Row: waiting for the first byte of good answers.
    "row-waiting-good" => row_waiting_good();
    /// Under latencies: some are lower bounds.
    "latency-bounds" => latency_bounds(lost, planned);
    /// Times are of good and failed answers together.
    "latency-mixed" => latency_mixed(failed);
    /// A p95 where requests failed.
    "p95-good" => p95_good(p95);
    /// A goal of latency, judged by planned starts, and its value.
    "goal-starts" => goal_starts(goal, value);
    /// The same where users set the pace.
    "goal-requests" => goal_requests(goal, value);
    /// The value of a goal that too few starts were answered well for.
    "goal-not-reached" => goal_not_reached();
    /// The share of the starts that failed.
    "goal-failed" => goal_failed(share);
    /// The share of the starts that were cut or never sent.
    "goal-lost" => goal_lost(share);
    /// The same value of the good answers alone.
    "goal-good" => goal_good(value);
    /// Row: answers by status.
    "row-status" => row_status();
    /// Row: errors by kind.
    "row-errors" => row_errors();
    /// Row: received data.
    "row-received" => row_received();
    /// Row: sent data.
    "row-sent" => row_sent();
    /// Row: iterations.
    "row-iterations" => row_iterations();
    /// Row: checks.
    "row-checks" => row_checks();
    /// Checks that passed, of all.
    "checks-of" => checks_of(passed, all);
    /// Row: thresholds.
    "row-thresholds" => row_thresholds();
    /// Row: the generator's health.
    "row-generator" => row_generator();
    /// Column: mean.
    "column-mean" => column_mean();
    /// Column: greatest value.
    "column-max" => column_max();
    /// Per second.
    "per-second" => per_second(number);
    /// How long the run was, and its users at most.
    "run-length" => run_length(duration, vus, workers);
    /// Row: how starts were spaced.
    "row-arrivals" => row_arrivals();
    /// Starts were evenly spaced.
    "arrivals-even" => arrivals_even();
    /// Starts were random.
    "arrivals-poisson" => arrivals_poisson(seed);
    /// There is more than is shown.
    "and-more" => and_more(count);

    /// The generator was good enough.
    "health-ok" => health_ok();
    /// The generator limited the run.
    "health-limited" => health_limited(reasons);
    /// Seconds that its delays touched were left out, and the verdict is the same.
    "health-left-out" => health_left_out(touched, seconds, reasons);
    /// The same, with the latency in the other seconds.
    "health-left-out-p95" => health_left_out_p95(touched, seconds, reasons, p95);
    /// It came close to a limit, and nothing was late.
    "health-untouched" => health_untouched(reasons);
    /// Its delays are in the numbers, and the verdict could not be another without them.
    "health-certain" => health_certain(touched, seconds, reasons);
    /// Missed goals of which nobody knows whether its delays are in them.
    "health-untold" => health_untold(goals);
    /// CPU use.
    "health-cpu" => health_cpu(mean, busiest);
    /// Time taken by the CPU quota.
    "health-throttled" => health_throttled(time);
    /// Time workers waited for a core.
    "health-core-wait" => health_core_wait(mean, worst);
    /// What it waited each time.
    "health-core-wait-each" => health_core_wait_each(each, request);
    /// Lateness of starts.
    "health-start-lag" => health_start_lag(p50, p99, max);
    /// How much reading answers late added to each percentile, about.
    "health-own-latency" => health_own_latency(p50, p95, p99);
    /// A part of one percentile: so long, and its share.
    "health-own-part" => health_own_part(time, share);
    /// Times a worker was away.
    "health-stalls" => health_stalls(count, longest);
    /// Open files.
    "health-open-files" => health_open_files(used, limit);
    /// Local ports.
    "health-ports" => health_ports(used, limit);
    /// Samples folded for too many tag values.
    "health-folded" => health_folded(count);
    /// Samples that were no numbers.
    "health-not-finite" => health_not_finite(count);
    /// Reason: CPU.
    "limit-cpu" => limit_cpu();
    /// Reason: CPU quota.
    "limit-throttling" => limit_throttling();
    /// Reason: workers lacked a core.
    "limit-free-cores" => limit_free_cores();
    /// Reason: late starts.
    "limit-start-lag" => limit_start_lag();
    /// Reason: answers were read late.
    "limit-read-lag" => limit_read_lag();
    /// Reason: workers were away.
    "limit-stalls" => limit_stalls();
    /// Reason: open files.
    "limit-open-files" => limit_open_files();
    /// Reason: local ports.
    "limit-ports" => limit_ports();
    /// How the generator limited a run.
    "limit-close-goal" => limit_close_goal();
    /// What to do about a generator that limited the run.
    "health-advice" => health_advice();

    /// Init code keeps users from sharing a runtime.
    "apart-init-code" => apart_init_code(place);
    /// The source does.
    "apart-source" => apart_source(place);
    /// Something that happened in the run did.
    "apart-run" => apart_run(place);

    /// Live: users are being made.
    "live-users" => live_users(made, planned);
    /// Live: set-up runs.
    "live-setup" => live_setup();
    /// Live: teardown runs.
    "live-teardown" => live_teardown();
    /// Live: the scenarios run.
    "live-running" => live_running(time, active, users, complete, interrupted, dropped);
    /// The requests of the last seconds as a curve.
    "live-rate-curve" => live_rate_curve(curve, most);
    /// Their p95.
    "live-p95-curve" => live_p95_curve(curve, most);
    /// Live: the last second.
    "live-second" => live_second(rate, p50, p95, errors);
    /// Live: a scenario and how far it is.
    "live-scenario" => live_scenario(name, percent, users);
    /// Live: the run was asked to stop.
    "live-stopping" => live_stopping();
    /// Live: the warm-up is over.
    "live-warmed-up" => live_warmed_up(duration);
    /// A scenario has no idle user left and may make no more.
    "live-out-of-users" => live_out_of_users(scenario, users);
    /// A host function held a worker.
    "worker-held" => worker_held(worker, seconds, call);
    /// A script's own code held a worker.
    "worker-held-by-script" => worker_held_by_script(worker, seconds);
    /// A host function did not give a worker back at the end of the run.
    "worker-lost" => worker_lost(worker, seconds, call);
    /// A script's own code did not give a worker back at the end of the run.
    "worker-lost-to-script" => worker_lost_to_script(worker, seconds);

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
    /// A warm-up and what it measured.
    "run-warm-up-measured" => run_warm_up_measured(duration, rate, p95, errors);
    /// An automatic warm-up that found no trend any more.
    "warm-up-steady" => warm_up_steady();
    /// An automatic warm-up that took its longest time.
    "warm-up-longest" => warm_up_longest();
    /// The run ended before its warm-up.
    "warm-up-never" => warm_up_never(duration);
    /// Connections without a file.
    "health-files-lacked" => health_files_lacked(count);
    /// Connections without a local port.
    "health-ports-lacked" => health_ports_lacked(count);
    /// Live: the warm-up goes on.
    "live-warming" => live_warming();
    /// Live: nothing new starts until resumed.
    "live-paused" => live_paused();
    /// Live: the load was changed by hand.
    "live-scaled" => live_scaled(percent);
    /// Live: what keys do.
    "live-help" => live_help();
    /// Before a run of a rate: what was understood.
    "load-understood" => load_understood(rate, length);
    /// A series begins its next run.
    "series-run" => series_run(number, of);
    /// A series and its id.
    "series-title" => series_title(count, id);
    /// A series that was to be longer.
    "series-short" => series_short(count, of, id);
    /// Column: which run.
    "series-column-run" => series_column_run();
    /// Column: requests per second.
    "series-column-rate" => series_column_rate();
    /// Column: 95th percentile of latency.
    "series-column-p95" => series_column_p95();
    /// Column: share of failed requests.
    "series-column-errors" => series_column_errors();
    /// Column: the verdict.
    "series-column-valid" => series_column_valid();
    /// Row: medians.
    "series-median" => series_median();
    /// Row: smallest and greatest.
    "series-range" => series_range();
    /// Yes.
    "yes" => yes();
    /// No.
    "no" => no();
    /// Once: what is done.
    "once-title" => once_title(test);
    /// Once: how an exchange's time was spent.
    "once-timing" => once_timing(total, sending, waiting, receiving);
    /// Once: the time before an exchange.
    "once-before" => once_before(blocked, connecting, tls);
    /// Once: an exchange failed.
    "once-failed" => once_failed(code, cause);
    /// Once: a body that is longer than what is shown.
    "once-body-cut" => once_body_cut(shown, size);
    /// Once: a body that is no text.
    "once-body-binary" => once_body_binary(size);
    /// Once: what came of it.
    "once-end" => once_end(exchanges, failed, passed, checks, exceptions);
    /// `--once`: nothing was sent.
    "once-nothing" => once_nothing();
    /// Once: everything went well.
    "once-ok" => once_ok();
    /// Once: something did not.
    "once-not-ok" => once_not_ok();
    /// Expected: a length of time.
    "expected-duration" => expected_duration();
    /// Expected: reasons to fail.
    "expected-reasons" => expected_reasons(known);
    /// Expected: a warm-up.
    "expected-running-target" => expected_running_target();
    /// Expected: a warm-up.
    "expected-warm-up" => expected_warm_up();
    /// What `--spool-max` takes.
    "expected-size" => expected_size();
    /// Lines of the log that a file did not take.
    "log-lost" => log_lost(count, reason);
    /// Expected: how long the mock takes to answer.
    "expected-latency" => expected_latency();
    /// Expected: a warm-up shorter than the test.
    "expected-shorter" => expected_shorter(test);
    /// What --slo takes.
    "expected-goal" => expected_goal();
    /// What a search takes for a goal.
    "expected-slo" => expected_slo();
    /// Why a text is no goal: its form.
    "goal-malformed" => goal_malformed(text);
    /// Why a text is no goal: its statistic.
    "goal-statistic" => goal_statistic(found);
    /// Why a text is no goal: its operator.
    "goal-direction" => goal_direction(statistic, operator, instead);
    /// Why a text is no goal: its limit.
    "goal-time" => goal_time(found, statistic);
    /// Why a text is no goal: nothing can keep it.
    "goal-out-of-reach" => goal_out_of_reach(text, instead);
    /// Why a text is no goal: its tags.
    "goal-scope" => goal_scope(found);
    /// Why a text is no goal of a URL run.
    "goal-of-scripts" => goal_of_scripts(text);
    /// Why a text is no share.
    "not-a-share" => not_a_share(found, percent, decimal);
    /// One of these.
    "expected-one-of" => expected_one_of(known);
    /// Expected: a number of virtual users.
    "expected-users" => expected_users();
    /// Expected: a stage of users.
    "expected-stage" => expected_stage();
    /// Expected: a rate.
    "expected-rate" => expected_rate();
    /// Expected: a header field.
    "expected-header" => expected_header();
    /// Expected: a whole number.
    "expected-number" => expected_number(least, most);
    /// A share: with a percent sign, or below 1.
    "expected-share" => expected_share();
    /// A share of a hundred.
    "expected-percent" => expected_percent();
    /// A number without a fraction; the range is in the help.
    "expected-whole" => expected_whole();
    /// An address to listen at or to connect to.
    "expected-address" => expected_address();
    /// Expected: a network.
    "expected-network" => expected_network();
    /// Expected: a network and a limit of its own.
    "expected-network-limit" => expected_network_limit();
    /// Expected: scheme and host of an address that visitors see.
    "expected-origin" => expected_origin();
    /// Expected: a language.
    "expected-lang" => expected_lang();
    /// Expected: a method.
    "expected-method" => expected_method();
    /// Expected: a setting of the target.
    "expected-setting" => expected_setting();
    /// Expected: a source of signals.
    "expected-source" => expected_source();
    /// Users are made and nothing begins yet.
    "live-waits" => live_waits();
    /// A script was written.
    "new-written" => new_written(file);
    /// A file of another tool stands where a test belongs: a browser's recording.
    "foreign-har" => foreign_har();
    /// What to do about it.
    "foreign-har-way" => foreign_har_way();
    /// The same: a test plan of JMeter.
    "foreign-jmeter" => foreign_jmeter();
    /// What to do about it.
    "foreign-jmeter-way" => foreign_jmeter_way();
    /// The same: a program in Python.
    "foreign-python" => foreign_python();
    /// The same: a simulation of Gatling.
    "foreign-gatling" => foreign_gatling();
    /// The same: statements of a database.
    "foreign-sql" => foreign_sql();
    /// The same: rows.
    "foreign-table" => foreign_table();
    /// What to do about a table.
    "foreign-table-way" => foreign_table_way();
    /// What to do about one of the others.
    "foreign-way" => foreign_way();
    /// An output's queue is full.
    "output-replacing" => output_replacing(output, from, cause);
    /// Why an output sends windows: its queue is full.
    "output-full" => output_full();
    /// Why: more samples in a second than are kept of one.
    "output-too-many" => output_too_many();
    /// Why: its samples could not be written to disk.
    "output-disk" => output_disk(reason);
    /// It has room again.
    "output-resumed" => output_resumed(output, from);
    /// An output's receiver takes nothing.
    "output-failing" => output_failing(output, reason);
    /// It does again.
    "output-recovered" => output_recovered(output);
    /// The run is over and an output is not.
    "output-waiting" => output_waiting(output, seconds);
    /// How many samples of an output were replaced.
    "output-replaced" => output_replaced(output, count, from, until);
    /// What an output's receiver refused.
    "output-refused" => output_refused(output, count, reason);
    /// What an output could not deliver.
    "output-unsent" => output_unsent(output, samples, windows);
    /// Frames that waited on disk and are lost.
    "output-unreadable" => output_unreadable(output, windows);
    /// Vendor: a module is stored.
    "vendor-new" => vendor_new(url, path, bytes);
    /// Vendor: a module has another content now.
    "vendor-changed" => vendor_changed(url, path, bytes);
    /// Vendor: a module is as it was.
    "vendor-same" => vendor_same(url, path, bytes);
    /// Vendor: nothing is imported from the web.
    "vendor-nothing" => vendor_nothing(script);

    /// Expected: a compatibility mode.
    "expected-compat" => expected_compat();
    /// Expected: a place to write to.
    "expected-folder" => expected_folder();
    /// What Artillery's output may be, where an output of samples was typed.
    "expected-result-file" => expected_result_file(typed);
    /// Lines a test printed too fast.
    "lines-lost" => lines_lost(count);
    /// What `publish-metrics` of an Artillery file could not send.
    "publish-failed" => publish_failed(reason);
    /// The plugin `slack` of an Artillery file.
    "slack-failed" => slack_failed(reason);
    /// Rows that may be used once only ran out.
    "rows-ran-out" => rows_ran_out(file, rows);
    /// The same of a file that is used from a later row on.
    "rows-ran-out-from" => rows_ran_out_from(file, first, last);
    /// How to go on behind the rows that are used, where it is kept how far they are.
    "rows-to-continue" => rows_to_continue(file, used, rows, next);
    /// The same where nothing is kept.
    "rows-to-begin-at" => rows_to_begin_at(file, used, rows, next);
    /// Rows that former runs used are left out.
    "rows-continued" => rows_continued(file, row, left);
}
