//! What is said of stored runs: where they are kept, lists, one shown, two compared, several merged.

use crate::message::declare_messages;

declare_messages! {
    /// There is no place where runs are kept.
    "records-no-place" => no_place();
    /// Where a run is kept.
    "kept-as" => kept_as(run, command);
    /// Which commands go on from a run.
    "next-commands" => next_commands(explain, report);
    /// What limited an observed run.
    "limit-explained" => limit_explained(limit);
    /// Settings of an observed run that come before others are tuned.
    "settings-explained" => settings_explained(setting);
    /// That there are more of them.
    "settings-explained-more" => settings_explained_more(more);
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
    /// Verdict: nothing was asked of it.
    "word-no-goals" => word_no_goals();
    /// No goal could be judged.
    "word-not-judged" => word_not_judged();
    /// Verdict: a threshold failed.
    "word-failed" => word_failed();
    /// Verdict: someone stopped it.
    "word-stopped" => word_stopped();
    /// Verdict: its process is gone.
    "word-interrupted" => word_interrupted();
    /// The verdict of a run whose end the full disk did not let write.
    "word-disk-full" => word_disk_full();
    /// Verdict: the generator was the bottleneck.
    "word-not-valid" => word_not_valid();
    /// Verdict: nothing was answered.
    "word-no-answer" => word_no_answer();
    /// Verdict: nothing was sent.
    "word-nothing-sent" => word_nothing_sent();
    /// Verdict: something the run needs failed.
    "word-error" => word_error();
    /// Verdict of a search for capacity.
    "word-capacity" => word_capacity();
    /// A row of a table that is no stored run.
    "word-elsewhere" => word_elsewhere();
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
    /// Row: how the target was set up.
    "show-target" => show_target();
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
    /// What is compared.
    "compare-title" => compare_title(before, after);
    /// A side of several runs.
    "compare-side" => compare_side(name, runs);
    /// How sure the intervals are.
    "compare-method" => compare_method(before, seconds_before, after, seconds_after, intervals, percent);
    /// How sure what is called of endpoints is.
    "compare-method-endpoints" => compare_method_endpoints(looks, percent);
    /// A first run that was cold.
    "compare-cold" => compare_cold(side, first, later);
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
    /// There is none at all.
    "compare-no-difference" => compare_no_difference();
    /// A load that varies is compared by stages.
    "compare-stages" => compare_stages(stages);
    /// A measure, as the mean of stages.
    "compare-of-stages" => compare_of_stages(measure);
    /// A measure of all requests, beside that of stages.
    "compare-of-all-requests" => compare_of_all_requests(measure);
    /// It is what was planned.
    "compare-planned" => compare_planned();
    /// It cannot be told.
    "compare-cannot" => compare_cannot(reason);
    /// It cannot be told; with an interval.
    "compare-cannot-interval" => compare_cannot_interval(low, high, reason);
    /// It cannot be told; how far apart the values are.
    "compare-cannot-looks" => compare_cannot_looks(looks, reason);
    /// How far apart two values are that chance may have made.
    "compare-looks" => compare_looks(more, times, less);
    /// Too few windows or requests.
    "compare-why-short" => compare_why_short(seconds, answers, seconds_needed, answers_needed, runs);
    /// Enough requests, in too few seconds.
    "compare-why-brief" => compare_why_brief(seconds, seconds_needed, runs);
    /// Enough requests, which ended in a few seconds.
    "compare-why-bunched" => compare_why_bunched(answers, seconds, runs);
    /// Single runs differ by as much.
    "compare-why-single" => compare_why_single(percent);
    /// The values spread too much.
    "compare-why-spread" => compare_why_spread(runs, percent);
    /// ... and no number of runs that anybody makes would narrow it.
    "compare-why-spread-wide" => compare_why_spread_wide(percent);
    /// There is a difference, perhaps one within what was asked for.
    "compare-why-across" => compare_why_across(runs, percent);
    /// ... and no number of runs that anybody makes would tell.
    "compare-why-across-wide" => compare_why_across_wide(percent);
    /// Both sides are alike, of too few.
    "compare-why-few" => compare_why_few(runs, percent);
    /// Both sides are alike, and no number of runs would do.
    "compare-why-few-wide" => compare_why_few_wide(percent);
    /// Nothing to compare.
    "compare-why-nothing" => compare_why_nothing();
    /// Answers of an endpoint changed.
    "compare-changed" => compare_changed(name);
    /// Answers of an endpoint have fields that they had not, and nothing else changed that clients have to know.
    "compare-gained" => compare_gained(name, fields);
    /// Fewer requests fail, and nothing else of the answers changed.
    "compare-errors-fell" => compare_errors_fell(before, after);
    /// The share of a status changed.
    "compare-changed-status" => compare_changed_status(status, before, after);
    /// The size of good answers changed.
    "compare-changed-size" => compare_changed_size(before, after);
    /// Something is so of more of the bodies that were looked at.
    "compare-changed-body" => compare_changed_body(what, after, bodies, before, earlier);
    /// Words that all texts had are gone.
    "compare-other-words" => compare_other_words(words, earlier, left, texts);
    /// Words are in all texts that were in none.
    "compare-new-words" => compare_new_words(words, texts, earlier);
    /// What is so of bodies: a field is there, which clients may leave unread.
    "body-added" => body_added(field);
    /// What is so of bodies: a field is there.
    "body-new" => body_new(field);
    /// What is so of bodies: a field is missing.
    "body-missing" => body_missing(field);
    /// What is so of bodies: a field is null.
    "body-null" => body_null(field);
    /// What is so of bodies: a field is empty.
    "body-empty" => body_empty(field);
    /// What is so of bodies: a field is zero.
    "body-zero" => body_zero(field);
    /// What is so of bodies: a field is blank.
    "body-blank" => body_blank(field);
    /// What is so of bodies: a field is true.
    "body-true" => body_true(field);
    /// What is so of bodies: a field is false.
    "body-false" => body_false(field);
    /// What is so of bodies: a field is a number.
    "body-number" => body_number(field);
    /// What is so of bodies: a field is a text.
    "body-text" => body_text(field);
    /// What is so of bodies: a field is true or false.
    "body-flag" => body_flag(field);
    /// What is so of bodies: a field is a list.
    "body-list" => body_list(field);
    /// What is so of bodies: a field is an object.
    "body-object" => body_object(field);
    /// What is so of bodies: a field is not empty.
    "body-filled" => body_filled(field);
    /// What is so of bodies: a field has another text.
    "body-other-text" => body_other_text(field);
    /// What is so of bodies: a body is JSON.
    "body-is-json" => body_is_json();
    /// What is so of bodies: a body is text.
    "body-is-text" => body_is_text();
    /// What is so of bodies: a body has no byte.
    "body-is-empty" => body_is_empty();
    /// What is so of bodies: a body is neither JSON nor text.
    "body-is-binary" => body_is_binary();
    /// Endpoints that are gone.
    "compare-only-before" => compare_only_before(names);
    /// Endpoints that are new.
    "compare-only-after" => compare_only_after(names);
    /// Every run of the second side fell short of something, and none of the first.
    "compare-new-shortfall" => compare_new_shortfall(side, what);
    /// The tests differ.
    "compare-other-test" => compare_other_test();
    /// The target was set up differently.
    "compare-other-target" => compare_other_target(changes);
    /// A setting that differs.
    "compare-setting" => compare_setting(name, before, after);
    /// Settings beyond those listed.
    "compare-settings-more" => compare_settings_more(count);
    /// Head of the table of resources that moved.
    "compare-moved" => compare_moved();
    /// What limits the sides.
    "compare-limit" => compare_limit();
    /// What limits most runs of a side.
    "compare-limit-of" => compare_limit_of(text, count, runs);
    /// Another part limits.
    "compare-limit-moved" => compare_limit_moved(before, after);
    /// The same part is full, and it is not known why.
    "compare-limit-same-seen" => compare_limit_same_seen(part);
    /// Another part is full, and it is not known why.
    "compare-limit-moved-seen" => compare_limit_moved_seen(before, after);
    /// The same part limits.
    "compare-limit-same" => compare_limit_same(part);
    /// What limited does no more.
    "compare-limit-gone" => compare_limit_gone(part);
    /// Something limits that did not.
    "compare-limit-new" => compare_limit_new(part);
    /// Whether the limit moved is not known.
    "compare-limit-unknown" => compare_limit_unknown();
    /// Nothing limits either side.
    "compare-limit-none" => compare_limit_none();
    /// Of one side nothing of the target is known.
    "compare-one-side-observed" => compare_one_side_observed(side);
    /// The generators differ.
    "compare-other-machine" => compare_other_machine();
    /// Runs that are not valid.
    "compare-not-valid" => compare_not_valid(runs, count);
    /// Compared: the share of failed checks.
    "compare-measure-checks" => compare_measure_checks();
    /// Compared: the share of starts that were dropped.
    "compare-measure-dropped" => compare_measure_dropped();
    /// A difference of shares, in percentage points.
    "compare-points" => compare_points(points);
    /// Why nothing is called faster.
    "compare-why-errors" => compare_why_errors();
    /// In a list, what is missed: goals.
    "short-word-goals" => short_word_goals();
    /// In a list, what fell short: the load.
    "short-word-load" => short_word_load();
    /// In a list, what fell short: requests were cut.
    "short-word-cut" => short_word_cut();
    /// In a list, what fell short: requests failed.
    "short-word-errors" => short_word_errors();
    /// In lists: gRPC calls and WebSockets that failed.
    "short-word-calls" => short_word_calls();
    /// What fell short, in a word: answers point elsewhere.
    "short-word-redirects" => short_word_redirects();
    /// In a list, what fell short: checks failed.
    "short-word-checks" => short_word_checks();
    /// ... of answers that are other than before.
    "short-word-answers" => short_word_answers();
    /// In a list, what fell short: iterations threw.
    "short-word-exceptions" => short_word_exceptions();
    /// A shortfall in a word.
    "short-word-users" => short_word_users();
    /// Why nothing is said of a difference that the generator's own delays may be.
    "compare-why-own-delays" => compare_why_own_delays();
    /// Why nothing is said of values that are only lower bounds.
    "compare-why-cut" => compare_why_cut();
    /// The load of a run was changed while it went on.
    "compare-load-changed" => compare_load_changed(run, changes);
    /// One change of a run's load.
    "compare-load-change" => compare_load_change(what, by, seconds);
    /// Changes of a run's load that are not listed.
    "compare-load-more" => compare_load_more(count);
    /// A change of load: paused.
    "load-paused" => load_paused();
    /// A change of load: resumed.
    "load-resumed" => load_resumed();
    /// A change of load: to a share of the plan.
    "load-scaled" => load_scaled(percent);
    /// A change of load: to a level of a search.
    "load-level" => load_level(level);
    /// Who changed the load: a person at the terminal.
    "load-by-key" => load_by_key();
    /// Who changed the load: a program.
    "load-by-rest-api" => load_by_rest_api();
    /// Who changed the load: a search for capacity.
    "load-by-search" => load_by_search();
    /// The sides ran under different load.
    "compare-load" => compare_load(before, after);
    /// Seconds that were not compared.
    "compare-seconds-left" => compare_seconds_left(a, before, b, after);
    /// Endpoints that were not compared one by one.
    "compare-endpoints-left" => compare_endpoints_left(count);
    /// Why `--fail-if-worse` fails.
    "compare-fails-worse" => compare_fails_worse(what);
    /// ... where answers are others.
    "compare-fails-changed" => compare_fails_changed(what);
    /// Why `--fail-if-worse` cannot judge.
    "compare-fails-unsure" => compare_fails_unsure(limit, what);
    /// What of an endpoint changed.
    "compare-answers" => compare_answers(name);
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
}
