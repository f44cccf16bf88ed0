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
    /// How long a run went on that has no known generator.
    "run-length-alone" => run_length_alone(duration, vus);

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
    /// A row: requests that the test's own ramp-down cut.
    "row-ramped-down" => row_ramped_down();
    /// Of how many.
    "ramped-down-of" => ramped_down_of(sent);
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
    /// A warm-up and what it measured.
    "run-warm-up-measured" => run_warm_up_measured(duration, rate, p95, errors);
    /// An automatic warm-up that found no trend any more.
    "warm-up-steady" => warm_up_steady();
    /// An automatic warm-up that took its longest time.
    "warm-up-longest" => warm_up_longest();
    /// The run ended before its warm-up.
    "warm-up-never" => warm_up_never(duration);
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
    /// A run of a series whose verdict stands, though this machine's own delays touched seconds of it.
    "series-valid-touched" => series_valid_touched(touched, seconds);
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
    "once-failed" => once_failed(code, cause, after);
    /// Once: a body that is longer than what is shown.
    "once-body-cut" => once_body_cut(shown, size);
    /// Once: a body that is no text.
    "once-body-binary" => once_body_binary(size);
    /// Once: what came of it.
    "once-end" => once_end(exchanges, failed, passed, checks, exceptions);
    /// `--once`: nothing was sent.
    "once-nothing" => once_nothing();
    /// What `--once` says of iterations that were ended.
    "once-cut" => once_cut(count);
    /// Once: everything went well.
    "once-ok" => once_ok();
    /// Once: something did not.
    "once-not-ok" => once_not_ok();
    /// Lines of the log that a file did not take.
    "log-lost" => log_lost(count, reason);
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
    /// What a file for people is.
    "foreign-document" => foreign_document();
    /// What is done with one.
    "foreign-document-way" => foreign_document_way();
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
