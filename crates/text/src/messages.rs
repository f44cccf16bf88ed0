//! Every sentence that is not an error, by the part of the product that says it.
//!
//! Arguments are text: numbers are written with [`crate::grouped`] and its like, the
//! same in both languages.

use crate::message::declare_messages;

declare_messages! {
    /// The run is over, and nothing was asked of it.
    "verdict-done" => verdict_done(rate, p95, errors);
    /// The run did what it should: all thresholds hold.
    "verdict-passed" => verdict_passed(rate, p95, errors);
    /// At least one threshold failed.
    "verdict-thresholds" => verdict_thresholds(failed, all, rate, p95, errors);
    /// The generator was the bottleneck; the numbers are not the target's.
    "verdict-generator" => verdict_generator(reasons, rate);
    /// No request was answered.
    "verdict-no-answer" => verdict_no_answer(requests);
    /// Nothing was sent.
    "verdict-nothing" => verdict_nothing();
    /// Someone stopped the run.
    "verdict-interrupted" => verdict_interrupted(rate, p95, errors);
    /// Someone ended the run at once; there is nothing to sum up.
    "verdict-aborted" => verdict_aborted();
    /// Something the run needs failed.
    "verdict-failed" => verdict_failed(message);
    /// A defect of loadline ended the run.
    "verdict-defect" => verdict_defect(message);
    /// How many thresholds hold; after a verdict.
    "verdict-threshold-count" => verdict_threshold_count(held, all);
    /// The exit code; after a verdict.
    "verdict-exit-code" => verdict_exit_code(code);

    /// Row: requests.
    "row-requests" => row_requests();
    /// Row: failed requests.
    "row-failed" => row_failed();
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
    /// There is more than is shown.
    "and-more" => and_more(count);

    /// The generator was good enough.
    "health-ok" => health_ok();
    /// The generator limited the run.
    "health-limited" => health_limited(reasons);
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
    /// Reason: workers were away.
    "limit-stalls" => limit_stalls();
    /// Reason: open files.
    "limit-open-files" => limit_open_files();
    /// Reason: local ports.
    "limit-ports" => limit_ports();
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
    "once-failed" => once_failed(code, text);
    /// Once: a body that is longer than what is shown.
    "once-body-cut" => once_body_cut(shown, size);
    /// Once: a body that is no text.
    "once-body-binary" => once_body_binary(size);
    /// Once: what came of it.
    "once-end" => once_end(exchanges, failed, passed, checks, exceptions);
    /// Once: everything went well.
    "once-ok" => once_ok();
    /// Once: something did not.
    "once-not-ok" => once_not_ok();
    /// Expected: a length of time.
    "expected-duration" => expected_duration();
    /// Expected: a warm-up.
    "expected-warm-up" => expected_warm_up();
    /// What `--spool-max` takes.
    "expected-size" => expected_size();
    /// Expected: a warm-up shorter than the test.
    "expected-shorter" => expected_shorter(test);
    /// What --slo takes.
    "expected-slo" => expected_slo();
    /// One of these.
    "expected-one-of" => expected_one_of(known);
    /// Expected: a rate.
    "expected-rate" => expected_rate();
    /// Expected: a header field.
    "expected-header" => expected_header();
    /// Expected: a whole number.
    "expected-number" => expected_number(least, most);
    /// Expected: a language.
    "expected-lang" => expected_lang();
    /// Expected: a method.
    "expected-method" => expected_method();
    /// Expected: a setting of the target.
    "expected-setting" => expected_setting();
    /// Where a run is kept.
    "kept-as" => kept_as(run);
    /// Windows were merged because the disk was slow.
    "kept-coarse" => kept_coarse(windows);
    /// Nothing of a run is kept.
    "kept-nothing" => kept_nothing(path, reason);
    /// A part of a run is not kept.
    "kept-partly" => kept_partly(run, path, reason);
    /// Loss: no space.
    "loss-full" => loss_full();
    /// Loss: it may not be written.
    "loss-read-only" => loss_read_only();
    /// Loss: another process holds it.
    "loss-locked" => loss_locked();
    /// Loss: a newer program made it.
    "loss-newer" => loss_newer();
    /// Loss: a defect of loadline.
    "loss-defect" => loss_defect(reason);
    /// Loss: anything else.
    "loss-other" => loss_other(reason);
    /// No run is stored.
    "runs-none" => runs_none();
    /// Column: a run's number.
    "runs-column-number" => runs_column_number();
    /// Column: a run's name.
    "runs-column-run" => runs_column_run();
    /// Column: when a run started.
    "runs-column-started" => runs_column_started();
    /// Column: the test.
    "runs-column-test" => runs_column_test();
    /// Column: what a run came to.
    "runs-column-verdict" => runs_column_verdict();
    /// Column: how long a run was.
    "runs-column-length" => runs_column_length();
    /// Column: the most virtual users.
    "runs-column-vus" => runs_column_vus();
    /// Column: requests per second.
    "runs-column-rate" => runs_column_rate();
    /// Column: mean duration.
    "runs-column-mean" => runs_column_mean();
    /// Column: 95th percentile.
    "runs-column-p95" => runs_column_p95();
    /// Column: share of failed requests.
    "runs-column-errors" => runs_column_errors();
    /// Column: tags and a note.
    "runs-column-note" => runs_column_note();
    /// Verdict: it goes on.
    "word-running" => word_running();
    /// Verdict: passed.
    "word-passed" => word_passed();
    /// Verdict: a threshold failed.
    "word-failed" => word_failed();
    /// Verdict: someone stopped it.
    "word-stopped" => word_stopped();
    /// Verdict: its process is gone.
    "word-interrupted" => word_interrupted();
    /// Verdict: the generator was the bottleneck.
    "word-not-valid" => word_not_valid();
    /// Verdict: nothing was answered.
    "word-no-answer" => word_no_answer();
    /// Verdict: nothing was sent.
    "word-nothing-sent" => word_nothing_sent();
    /// Verdict: something the run needs failed.
    "word-error" => word_error();
    /// A stored run's name and number.
    "show-run" => show_run(name, number);
    /// Row: the test.
    "show-test" => show_test();
    /// Row: when it started.
    "show-started" => show_started();
    /// Row: what it came to.
    "show-verdict" => show_verdict();
    /// Row: where it ran.
    "show-machine" => show_machine();
    /// Where it ran.
    "show-machine-is" => show_machine_is(host, kernel, usable, cpus);
    /// Row: the test's hash.
    "show-hash" => show_hash();
    /// Row: its repetitions.
    "show-series" => show_series();
    /// Which repetition it is.
    "show-series-is" => show_series_is(number, of, id);
    /// Row: its part of the test.
    "show-segment" => show_segment();
    /// Row: the plan it was made from.
    "show-plan" => show_plan();
    /// The plan in a few words; requests per second, and virtual users at the peak.
    "show-plan-is" => show_plan_is(peak, mean, users);
    /// Row: the runs it was merged from.
    "show-merged" => show_merged();
    /// Row: settings of the target.
    "show-settings" => show_settings();
    /// Row: tags.
    "show-tags" => show_tags();
    /// Row: a note.
    "show-note" => show_note();
    /// Row: its size on disk.
    "show-size" => show_size();
    /// Its size on disk.
    "show-size-is" => show_size_is(size, series, windows);
    /// Thresholds that cannot be judged again.
    "show-unjudged" => show_unjudged(thresholds);
    /// Runs were removed.
    "runs-removed" => runs_removed(count);
    /// Runs would be removed.
    "runs-would-remove" => runs_would_remove(count);
    /// A run that goes on is not removed.
    "runs-still-running" => runs_still_running(run);
    /// There are so many series that tag values are folded.
    "too-many-series" => too_many_series(count);
    /// Users are made and nothing begins yet.
    "live-waits" => live_waits();
    /// A script was written.
    "new-written" => new_written(file);
    /// There is a file already.
    "new-exists" => new_exists();
    /// An output's queue is full.
    "output-replacing" => output_replacing(output, from);
    /// It has room again.
    "output-resumed" => output_resumed(output, from);
    /// An output's receiver takes nothing.
    "output-failing" => output_failing(output, reason);
    /// It does again.
    "output-recovered" => output_recovered(output);
    /// The run is over and an output is not.
    "output-waiting" => output_waiting(output);
    /// How many samples of an output were replaced.
    "output-replaced" => output_replaced(output, count, from, until);
    /// What an output's receiver refused.
    "output-refused" => output_refused(output, count, reason);
    /// What an output could not deliver.
    "output-unsent" => output_unsent(output, samples, windows);
    /// What is compared.
    "compare-title" => compare_title(before, after);
    /// A side of several runs.
    "compare-side" => compare_side(name, runs);
    /// How sure the intervals are.
    "compare-confidence" => compare_confidence(percent);
    /// All requests together.
    "compare-all" => compare_all();
    /// Measure: requests per second.
    "compare-measure-rate" => compare_measure_rate();
    /// Measure: mean duration.
    "compare-measure-mean" => compare_measure_mean();
    /// Measure: median.
    "compare-measure-p50" => compare_measure_p50();
    /// Measure: 95th percentile.
    "compare-measure-p95" => compare_measure_p95();
    /// Measure: share of failed requests.
    "compare-measure-errors" => compare_measure_errors();
    /// The second side is better.
    "compare-better" => compare_better(by, low, high);
    /// The second side is worse.
    "compare-worse" => compare_worse(by, low, high);
    /// There is no large difference.
    "compare-same" => compare_same(share);
    /// It cannot be told.
    "compare-cannot" => compare_cannot(reason);
    /// It cannot be told; with an interval.
    "compare-cannot-interval" => compare_cannot_interval(low, high, reason);
    /// Too few windows or requests.
    "compare-why-short" => compare_why_short();
    /// Single runs differ by as much.
    "compare-why-single" => compare_why_single(percent);
    /// The values spread too much.
    "compare-why-spread" => compare_why_spread(runs, percent);
    /// Nothing to compare.
    "compare-why-nothing" => compare_why_nothing();
    /// Answers of an endpoint changed.
    "compare-changed" => compare_changed(name);
    /// The share of a status changed.
    "compare-changed-status" => compare_changed_status(status, before, after);
    /// The size of answers changed.
    "compare-changed-size" => compare_changed_size(before, after);
    /// The keys of JSON answers changed.
    "compare-changed-keys" => compare_changed_keys(gone, new);
    /// Endpoints that are gone.
    "compare-only-before" => compare_only_before(names);
    /// Endpoints that are new.
    "compare-only-after" => compare_only_after(names);
    /// The tests differ.
    "compare-other-test" => compare_other_test();
    /// The generators differ.
    "compare-other-machine" => compare_other_machine();
    /// Runs that are not valid.
    "compare-not-valid" => compare_not_valid(runs);
    /// Runs were merged.
    "merged-as" => merged_as(run, parts);
    /// How well clocks are aligned.
    "merged-error" => merged_error(error, spread);
    /// Why not merged: fewer than two.
    "merge-few" => merge_few();
    /// Why not merged: different tests.
    "merge-other-test" => merge_other_test(one, other);
    /// Why not merged: no segment.
    "merge-whole" => merge_whole(run);
    /// Why not merged: a segment cannot be read.
    "merge-malformed" => merge_malformed(run, segment);
    /// Why not merged: a duplicate.
    "merge-twice" => merge_twice(one, other, from, to);
    /// Why not merged: a gap.
    "merge-missing" => merge_missing(from, to);
    /// Why not merged: different cuts.
    "merge-cuts" => merge_cuts(one, other, first, second);
    /// Why not merged: not ended.
    "merge-unfinished" => merge_unfinished(run);
    /// Notice: load begins.
    "notice-start" => notice_start(test, host, load, length, vus);
    /// Notice: load is over.
    "notice-end" => notice_end(test, verdict);
    /// Expected load of an open model.
    "notice-load-rate" => notice_load_rate(starts);
    /// Expected load of a closed model.
    "notice-load-loop" => notice_load_loop();
    /// A notice could not be sent.
    "notice-failed" => notice_failed(reason);
    /// Question before load on a shared target.
    "shared-ask" => shared_ask(host, note, load, length);
    /// A mock's end: what it served.
    "mock-ending" => mock_ending(requests, held, connections);
    /// A mock's end: what it added itself.
    "mock-added" => mock_added(p50, p99, max, cpu, cores);
    /// A mock kept up.
    "mock-kept-up" => mock_kept_up();
    /// A mock did not keep up.
    "mock-was-bottleneck" => mock_was_bottleneck(reasons);
    /// Preflight: title.
    "preflight-title" => preflight_title(rate);
    /// Preflight: generator.
    "preflight-generator" => preflight_generator(offered, answered, p95, cpu);
    /// Preflight: generator weak.
    "preflight-generator-weak" => preflight_generator_weak(offered, answered, p95, cpu);
    /// Preflight: low.
    "preflight-low" => preflight_low(url, offered, answered, p95);
    /// Preflight: planned.
    "preflight-planned" => preflight_planned(url, offered, answered, p95);
    /// Preflight: no answer.
    "preflight-no-answer" => preflight_no_answer(url, offered);
    /// Preflight: gives way.
    "preflight-gives-way" => preflight_gives_way(url, answered, offered, p95);
    /// Preflight: fails.
    "preflight-fails" => preflight_fails(url, share, offered);
    /// Preflight: slows.
    "preflight-slows" => preflight_slows(url, offered, before, after);
    /// Preflight: target untouched.
    "preflight-target-untouched" => preflight_target_untouched();
    /// Preflight: iteration.
    "preflight-iteration" => preflight_iteration(requests, failed, response, think);
    /// Preflight: iteration failed.
    "preflight-iteration-failed" => preflight_iteration_failed();
    /// Preflight: ceiling.
    "preflight-ceiling" => preflight_ceiling(formula, rate, best);
    /// Preflight: ceiling low.
    "preflight-ceiling-low" => preflight_ceiling_low(rate);
    /// Preflight: ready.
    "preflight-ready" => preflight_ready();
    /// Data: a table is loaded.
    "data-table" => data_table(table, rows);
    /// Data: all is loaded.
    "data-loaded" => data_loaded(rows);
    /// Data: rows were written to files.
    "data-written" => data_written(rows, path);
    /// Data: a payload file was written.
    "data-payload" => data_payload(path, rows);
    /// Vendor: a module is stored.
    "vendor-new" => vendor_new(url, path, bytes);
    /// Vendor: a module has another content now.
    "vendor-changed" => vendor_changed(url, path, bytes);
    /// Vendor: a module is as it was.
    "vendor-same" => vendor_same(url, path, bytes);
    /// Vendor: a module is part of loadline.
    "vendor-built-in" => vendor_built_in(url);
    /// Vendor: nothing is imported from the web.
    "vendor-nothing" => vendor_nothing(script);

    /// Found in an Artillery file: syntax.
    "lint-syntax" => lint_syntax(reason);
    /// Found in an Artillery file: wrong type.
    "lint-wrong-type" => lint_wrong_type(key, expected, found);
    /// Found in an Artillery file: missing.
    "lint-missing" => lint_missing(key, place);
    /// Found in an Artillery file: bad value.
    "lint-bad-value" => lint_bad_value(key, value, reason);
    /// Found in an Artillery file: bad condition.
    "lint-bad-condition" => lint_bad_condition(key, value, reason);
    /// Found in an Artillery file: unreadable.
    "lint-unreadable" => lint_unreadable(path, reason);
    /// Found in an Artillery file: no target.
    "lint-no-target" => lint_no_target();
    /// Found in an Artillery file: no scenarios.
    "lint-no-scenarios" => lint_no_scenarios();
    /// Found in an Artillery file: refused.
    "lint-refused" => lint_refused(what, reason);
    /// Found in an Artillery file: misplaced.
    "lint-misplaced" => lint_misplaced(key, under, belongs);
    /// Found in an Artillery file: unknown key.
    "lint-unknown-key" => lint_unknown_key(key, under);
    /// Found in an Artillery file: never set.
    "lint-never-set" => lint_never_set(variable);
    /// Found in an Artillery file: set later.
    "lint-set-later" => lint_set_later(variable, line);
    /// Found in an Artillery file: capture unused.
    "lint-capture-unused" => lint_capture_unused(variable);
    /// Found in an Artillery file: random ids.
    "lint-random-ids" => lint_random_ids(path, field, method);
    /// Found in an Artillery file: think fraction.
    "lint-think-fraction" => lint_think_fraction(value);
    /// Found in an Artillery file: count zero.
    "lint-count-zero" => lint_count_zero();
    /// Found in an Artillery file: ignored.
    "lint-ignored" => lint_ignored(key, reason);
    /// Found in an Artillery file: unknown environment.
    "lint-unknown-environment" => lint_unknown_environment(name);
    /// Found in an Artillery file: unknown function.
    "lint-unknown-function" => lint_unknown_function(name);
    /// Found in an Artillery file: length mismatch.
    "lint-length-mismatch" => lint_length_mismatch(planned, expected);
    /// Found in an Artillery file: too few rows.
    "lint-too-few-rows" => lint_too_few_rows(path, rows, needed);
    /// A mistake in an Artillery file.
    "lint-error" => lint_error(place, text);
    /// What looks like a mistake in an Artillery file.
    "lint-warning" => lint_warning(place, text);
    /// Something to know about an Artillery file.
    "lint-note" => lint_note(place, text);
    /// What an Artillery file's phases add up to.
    "phases-sum" => phases_sum(length, users, requests);
    /// The same, where a flow loops without a number.
    "phases-sum-open" => phases_sum_open(length, users);
    /// Keys of an Artillery file, and how many do what they do there.
    "compat-keys" => compat_keys(used, supported);
    /// Expected: a compatibility mode.
    "expected-compat" => expected_compat();
    /// Expected: a place to write to.
    "expected-folder" => expected_folder();
    /// Lines a test printed too fast.
    "lines-lost" => lines_lost(count);
}
