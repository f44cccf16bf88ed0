//! What studies of settings say.

mod stored;

use crate::message::declare_messages;

pub use stored::stored_reason;

declare_messages! {
    /// A mistake in a study file.
    "tune-mistake-yaml" => mistake_yaml(reason);
    /// A mistake in a study file.
    "tune-mistake-no-map" => mistake_no_map();
    /// A mistake in a study file.
    "tune-mistake-missing" => mistake_missing(key);
    /// A mistake in a study file.
    "tune-mistake-no-text" => mistake_no_text(key);
    /// A mistake in a study file.
    "tune-mistake-choice" => mistake_choice(key, found, known);
    /// A mistake in a study file.
    "tune-mistake-time" => mistake_time(key, found);
    /// A mistake in a study file.
    "tune-mistake-number" => mistake_number(key, found);
    /// A mistake in a study file.
    "tune-mistake-command" => mistake_command(key);
    /// A mistake in a study file.
    "tune-mistake-key-misspelt" => mistake_key_misspelt(found, similar);
    /// A mistake in a study file.
    "tune-mistake-key" => mistake_key(found, known);
    /// A mistake in a study file.
    "tune-mistake-goal" => mistake_goal(found);
    /// A mistake in a study file.
    "tune-mistake-when-met" => mistake_when_met(found);
    /// A mistake.
    "tune-mistake-answers" => mistake_answers(found);
    /// A mistake in a study file: a condition on the throughput.
    "tune-mistake-goal-throughput" => mistake_goal_throughput(text);
    /// A mistake in a study file.
    "tune-mistake-goal-scope" => mistake_goal_scope(text);
    /// A mistake in a study file.
    "tune-mistake-both" => mistake_both(one, other);
    /// A mistake in a study file.
    "tune-mistake-list" => mistake_list(key);
    /// A mistake in a study file.
    "tune-mistake-count" => mistake_count(key, most);
    /// A mistake in a study file.
    "tune-mistake-twice" => mistake_twice(name);
    /// A mistake in a study file.
    "tune-mistake-needs-start" => mistake_needs_start(name);
    /// A mistake in a study file.
    "tune-mistake-needs-restart" => mistake_needs_restart(name);
    /// A mistake in a study file.
    "tune-mistake-needs-read" => mistake_needs_read(name);
    /// A mistake in a study file.
    "tune-mistake-values" => mistake_values();
    /// A mistake in a study file.
    "tune-mistake-values-count" => mistake_values_count(most);
    /// A mistake in a study file.
    "tune-mistake-method" => mistake_method(known);
    /// A mistake in a study file.
    "tune-mistake-url" => mistake_url(found);
    /// A mistake in a study file.
    "tune-mistake-limit" => mistake_limit(found);
    /// A mistake in a study file.
    "tune-mistake-knob" => mistake_knob(found, known);
    /// A mistake in a study file.
    "tune-mistake-start-forbidden" => mistake_start_forbidden(limit, setting);
    /// A mistake in a study file.
    "tune-mistake-empty" => mistake_empty();
    /// A mistake in a study file.
    "tune-mistake-documents" => mistake_documents();
    /// A mistake in a study file.
    "tune-mistake-deep" => mistake_deep(most);
    /// A mistake in a study file.
    "tune-mistake-alias" => mistake_alias();
    /// A mistake in a study file.
    "tune-mistake-key-no-text" => mistake_key_no_text();
    /// A mistake in a study file.
    "tune-mistake-key-twice" => mistake_key_twice(key);
    /// A mistake in a study file.
    "tune-mistake-colon" => mistake_colon();
    /// A mistake in a study file.
    "tune-mistake-test" => mistake_test();
    /// A mistake in a study file.
    "tune-mistake-test-begins" => mistake_test_begins(word);
    /// A mistake in a study file.
    "tune-mistake-above" => mistake_above(key, found, least);
    /// A mistake in a study file.
    "tune-mistake-whole" => mistake_whole(key, found, most);
    /// A mistake in a study file.
    "tune-mistake-name" => mistake_name(found);
    /// A mistake in a study file.
    "tune-mistake-no-value" => mistake_no_value(key);
    /// A mistake in a study file.
    "tune-mistake-http-method" => mistake_http_method(found);
    /// A mistake in a study file.
    "tune-mistake-limit-number" => mistake_limit_number(limit, name, value);
    /// A mistake in a study file.
    "tune-mistake-no-choice" => mistake_no_choice();
    /// The file of a knob that is a property is not there.
    "tune-mistake-property-file" => mistake_property_file(name, file);
    /// The template of a knob is not there.
    "tune-mistake-template-file" => mistake_template_file(name, file);
    /// The folder into which a template is written is not there.
    "tune-mistake-file-folder" => mistake_file_folder(name, folder);
    /// A program that a hook or a knob names is not there.
    "tune-mistake-program" => mistake_program(program);
    /// Why a trial does not count, or failed.
    "tune-reason-start-ended" => reason_start_ended(output);
    /// Why a trial does not count, or failed.
    "tune-reason-not-ready" => reason_not_ready(time);
    /// Why a trial does not count, or failed.
    "tune-reason-hook-failed" => reason_hook_failed(hook, output);
    /// Why a trial does not count, or failed.
    "tune-reason-hook-timeout" => reason_hook_timeout(hook, time);
    /// Why a trial does not count, or failed.
    "tune-reason-hook-missing" => reason_hook_missing(hook, reason);
    /// Why a trial does not count, or failed.
    "tune-reason-read-back" => reason_read_back(knob, wanted, seen);
    /// Why a trial does not count, or failed.
    "tune-reason-request" => reason_request(url, reason);
    /// Why a trial does not count, or failed.
    "tune-reason-file" => reason_file(file, reason);
    /// A file's original text is not what was read.
    "tune-reason-journal" => reason_journal(reason);
    /// Why a file is not put back.
    "tune-reason-original-damaged" => reason_original_damaged(file);
    /// A link leads elsewhere than when the study changed what is behind it.
    "tune-reason-link-moved" => reason_link_moved(file, before);
    /// The journal names a file that the study does not.
    "tune-reason-not-of-study" => reason_not_of_study(file);
    /// How many things could not be put back.
    "tune-reason-not-restored" => reason_not_restored(count);
    /// Something that was not put back, and what a person types to do it.
    "tune-left-by-hand" => left_by_hand(reason, command);
    /// Why a trial does not count, or failed.
    "tune-reason-gone" => reason_gone();
    /// Why a trial failed.
    "tune-reason-none-in-time" => reason_none_in_time();
    /// Why a trial failed.
    "tune-reason-no-answer" => reason_no_answer(kinds);
    /// Why a trial failed.
    "tune-reason-nothing-sent" => reason_nothing_sent();
    /// Why a trial failed.
    "tune-reason-all-failed" => reason_all_failed(kinds);
    /// Why a trial does not count, or failed.
    "tune-reason-run-ended" => reason_run_ended(reason);
    /// Why a trial does not count, or failed.
    "tune-reason-generator" => reason_generator(limits);
    /// Why a trial does not count, or failed.
    "tune-reason-nothing" => reason_nothing();
    /// Why a trial does not count: an answer differs at a place.
    "tune-reason-answers-differ" => reason_answers_differ(endpoint, place, was, is);
    /// Why a trial does not count: answers are larger or smaller.
    "tune-reason-answers-size" => reason_answers_size(endpoint, before, after);
    /// Why a trial does not count: answers have other statuses.
    "tune-reason-answers-status" => reason_answers_status(endpoint, status, before, after);
    /// Why a trial does not count: more checks fail.
    "tune-reason-answers-checks" => reason_answers_checks(endpoint, before, after);
    /// Why a trial does not count: what stands in its answers.
    "tune-reason-answers-body" => reason_answers_body(endpoint, state, after, bodies, before, earlier);
    /// Why a trial does not count: the words of its answers.
    "tune-reason-answers-words" => reason_answers_words(endpoint, words, earlier, left, texts);
    /// Why a trial does not count: its answers have other words.
    "tune-reason-answers-new-words" => reason_answers_new_words(endpoint, words, texts, earlier);
    /// What is said before the first trial.
    "tune-plan-goal" => plan_goal(goal);
    /// What is said before the first trial.
    "tune-plan-test" => plan_test(test);
    /// What is said before the first trial.
    "tune-plan-knob" => plan_knob(name, values, now);
    /// What is said before the first trial.
    "tune-plan-limit" => plan_limit(limit);
    /// What is said before the first trial.
    "tune-plan-size" => plan_size(settings);
    /// How many settings, and how many of them a limit forbids.
    "tune-plan-size-limited" => plan_size_limited(settings, forbidden);
    /// What is said before the first trial.
    "tune-plan-budget" => plan_budget(trials, time, each);
    /// What is said before the first trial.
    "tune-plan-budget-unknown" => plan_budget_unknown(trials, time);
    /// What a study would try.
    "tune-plan-short" => plan_short(high, trials);
    /// What is said before the first trial.
    "tune-plan-lasts" => plan_lasts(low, high);
    /// What is said before the first trial.
    "tune-plan-first" => plan_first(setting);
    /// What is said before the first trial.
    "tune-plan-restarts" => plan_restarts();
    /// What a study says.
    "tune-resumed" => resumed(trials);
    /// Why a trial is run.
    "tune-purpose-noise" => purpose_noise();
    /// Why a trial is run.
    "tune-purpose-race" => purpose_race();
    /// Why a trial is run.
    "tune-purpose-without" => purpose_without();
    /// Why a trial is run.
    "tune-purpose-confirm" => purpose_confirm();
    /// What becomes of a trial.
    "tune-trial-begins" => trial_begins(number, purpose, setting);
    /// What becomes of a trial.
    "tune-trial-invalid" => trial_invalid(reason);
    /// What becomes of a trial.
    "tune-trial-failed" => trial_failed(reason);
    /// What becomes of a trial: the target answered otherwise.
    "tune-trial-other-answers" => trial_other_answers(reason);
    /// Why answers of trials are not compared.
    "tune-answers-not-compared" => answers_not_compared(reason);
    /// Answers of trials are not compared.
    "tune-answers-not-stored" => answers_not_stored();
    /// What a study says.
    "tune-manual-asks" => manual_asks(text);
    /// What a study says.
    "tune-elsewhere-before" => elsewhere_before(limit);
    /// What explain says of the target as it is, before any other setting is tried.
    "tune-limit-start" => limit_start(text);
    /// What is to be done before settings are.
    "tune-limit-first" => limit_first(advice);
    /// A knob of which there is far more than was ever used.
    "tune-knob-spare" => knob_spare(knob, busy, most);
    /// The current setting meets the goal: nothing else is tried.
    "tune-met-as-it-is" => met_as_it_is();
    /// What explain says of a trial, where it differs from the one before.
    "tune-limit-trial" => limit_trial(text);
    /// A setting that is tried first, since explain names what it changes.
    "tune-limit-guess" => limit_guess(setting);
    /// A setting that is tried first, since two causes fit and it decides between them.
    "tune-limit-decides" => limit_decides(setting);
    /// What a study says.
    "tune-elsewhere" => elsewhere(limit);
    /// What a study says.
    "tune-elsewhere-unknown" => elsewhere_unknown(run);
    /// What a study says.
    "tune-elsewhere-not-stored" => elsewhere_not_stored();
    /// Originals came back.
    "tune-restored" => restored(what);
    /// One thing that came back.
    "tune-restored-process" => restored_process(number);
    /// Originals came back, and the journal does not say so.
    "tune-restored-unwritten" => restored_unwritten();
    /// Originals came back.
    "tune-restored-nothing" => restored_nothing();
    /// What a study comes to.
    "tune-answer-better" => answer_better(change, pairs, setting);
    /// What a study comes to, where the gain is told in times.
    "tune-answer-better-times" => answer_better_times(change, pairs, setting);
    /// What a study comes to.
    "tune-answer-goal-met" => answer_goal_met(trials, setting);
    /// What a study comes to.
    "tune-answer-goal-met-now" => answer_goal_met_now(trials);
    /// What a study comes to that had no other setting to try.
    "tune-answer-goal-met-now-alone" => answer_goal_met_now_alone(trials);
    /// What a study comes to.
    "tune-answer-goal-missed" => answer_goal_missed(setting);
    /// What a study comes to.
    "tune-answer-no-difference" => answer_no_difference(percent);
    /// What a study comes to, where not even a difference of a rounded percent is left.
    "tune-answer-no-difference-at-all" => answer_no_difference_at_all();
    /// What a study comes to, where not even a difference of a rounded percent is left.
    "tune-answer-none-works" => answer_none_works();
    /// A setting against that before the study, by trials that spread too much.
    "tune-difference-unclear" => difference_unclear();
    /// What a study comes to.
    "tune-answer-cannot-tell" => answer_cannot_tell(trials, time);
    /// A study cannot tell, and no number of further trials would.
    "tune-answer-cannot-tell-by-more" => answer_cannot_tell_by_more();
    /// What a study comes to.
    "tune-answer-cannot-tell-so-far" => answer_cannot_tell_so_far(change, setting);
    /// What a study comes to.
    "tune-answer-load-too-small" => answer_load_too_small(sent, condition, least);
    /// What a study comes to.
    "tune-answer-start-fails" => answer_start_fails();
    /// Why a study ended early.
    "tune-end-budget" => end_budget();
    /// Why a study ended early.
    "tune-end-interrupted" => end_interrupted();
    /// Why a study ended early.
    "tune-end-invalid" => end_invalid();
    /// What a study says.
    "tune-noise" => noise(noise, detectable);
    /// ... but for a few.
    "tune-noise-but" => noise_but(noise, detectable, far);
    /// What a knob does.
    "tune-effect-title" => effect_title();
    /// What a knob does.
    "tune-effect-note-beside" => effect_note_beside(setting);
    /// What changes are shares of.
    "tune-effect-note-margin" => effect_note_margin();
    /// What a knob does.
    "tune-effect-matters" => effect_matters(from, to, change);
    /// What a knob does.
    "tune-effect-none" => effect_none(percent);
    /// What a knob does.
    "tune-effect-none-at-all" => effect_none_at_all();
    /// What a knob does.
    "tune-effect-unclear" => effect_unclear(interval);
    /// What a knob does, by an interval that says nothing.
    "tune-effect-unclear-wide" => effect_unclear_wide();
    /// What a knob does.
    "tune-effect-not-tried" => effect_not_tried();
    /// What a knob does beside the values before the study.
    "tune-effect-beside-start" => effect_beside_start(effect);
    /// What a knob did beside the values before the study, where that differs.
    "tune-effect-at-start" => effect_at_start(from, to, change);
    /// What two knobs do together.
    "tune-interaction" => interaction(one, other, change);
    /// What two knobs do together.
    "tune-interaction-none" => interaction_none(one, other, percent);
    /// What two knobs do together, by an interval that says nothing.
    "tune-interaction-unclear" => interaction_unclear(one, other);
    /// More load may show more.
    "tune-load-carried" => load_carried();
    /// A setting that costs less and is as good as the one of now.
    "tune-cheaper-as-good" => cheaper_as_good(setting, change, pairs);
    /// Settings that could still be found to meet the goal.
    "tune-cheaper-untried" => cheaper_untried(settings);
    /// What a study says.
    "tune-setting-failed" => setting_failed(setting);
    /// What a study says of a setting under which the target answers otherwise.
    "tune-setting-other-answers" => setting_other_answers(setting);
    /// Where something is to be written.
    "tune-place-environment" => place_environment();
    /// Where something is to be written.
    "tune-place-start" => place_start();
    /// How something is set.
    "tune-place-command" => place_command();
    /// How something is set.
    "tune-place-manual" => place_manual();
    /// What to write where, and why.
    "tune-paste-title" => paste_title();
    /// What limited with the settings before.
    "tune-paste-before" => paste_before(text);
    /// What limits with the settings to paste.
    "tune-paste-then" => paste_then(text);
    /// What to write where, and why.
    "tune-paste-reason-matters" => paste_reason_matters(from, to, change);
    /// What to write where, and why.
    "tune-paste-reason-same" => paste_reason_same(from, to, interval);
    /// How large a change is.
    "tune-size-times" => size_times(times);
    /// How large a change of how far conditions are kept is.
    "tune-size-times-good" => size_times_good(times);
    /// How much trials differ.
    "tune-size-factor" => size_factor(times);
    /// How large a change is, by the nearer end of its interval.
    "tune-size-at-least" => size_at_least(size);
    /// How large a fall is, by the nearer end of its interval.
    "tune-size-at-most" => size_at_most(size);
    /// What to write where, and why, by an interval that says nothing.
    "tune-paste-reason-unclear" => paste_reason_unclear(from, to);
    /// What to write where, and why.
    "tune-paste-reason-needed" => paste_reason_needed();
    /// Column.
    "tune-column-number" => column_number();
    /// Column.
    "tune-column-why" => column_why();
    /// Column.
    "tune-column-block" => column_block();
    /// Column.
    "tune-column-setting" => column_setting();
    /// Column.
    "tune-column-rate" => column_rate();
    /// Column.
    "tune-column-p95" => column_p95();
    /// Column.
    "tune-column-errors" => column_errors();
    /// Column.
    "tune-column-change" => column_change();
    /// Column.
    "tune-column-run" => column_run();
    /// Column.
    "tune-column-result" => column_result();
    /// What limited a trial.
    "tune-column-limit" => column_limit();
    /// Whether a trial counts.
    "tune-result-counts" => result_counts();
    /// Whether a trial counts.
    "tune-result-invalid" => result_invalid();
    /// Whether a trial counts.
    "tune-result-failed" => result_failed();
    /// Whether a trial counts.
    "tune-result-other-answers" => result_other_answers();
    /// What a study says.
    "tune-init-written" => init_written(file);
    /// In a report.
    "tune-fact-goal" => fact_goal(goal);
    /// In a report.
    "tune-running-between" => running_between();
    /// In a report.
    "tune-cut-off" => cut_off();
    /// In a report.
    "tune-limit-so-far" => limit_so_far(limit);
    /// A verdict.
    "tune-word-better" => word_better();
    /// A verdict.
    "tune-word-goal-met" => word_goal_met();
    /// A verdict.
    "tune-word-goal-missed" => word_goal_missed();
    /// A verdict.
    "tune-word-no-difference" => word_no_difference();
    /// A verdict.
    "tune-word-none-works" => word_none_works();
    /// A verdict.
    "tune-word-cannot-tell" => word_cannot_tell();
    /// A verdict.
    "tune-word-load-too-small" => word_load_too_small();
    /// A verdict.
    "tune-word-start-fails" => word_start_fails();
    /// In a report.
    "tune-figure-trials" => figure_trials();
    /// In a report.
    "tune-figure-trials-note" => figure_trials_note(failed, invalid);
    /// In a report.
    "tune-figure-trials-note-other" => figure_trials_note_other(failed, other, invalid);
    /// In a report.
    "tune-figure-noise" => figure_noise();
    /// In a report.
    "tune-figure-noise-note" => figure_noise_note();
    /// ... but for a few.
    "tune-figure-noise-note-but" => figure_noise_note_but(far);
    /// In a report.
    "tune-figure-detectable" => figure_detectable();
    /// In a report.
    "tune-figure-trial-time" => figure_trial_time();
    /// In a report.
    "tune-interaction-label" => interaction_label();
    /// Heading.
    "tune-section-settings" => section_settings();
    /// In a report.
    "tune-note-settings" => note_settings();
    /// Heading.
    "tune-section-trials" => section_trials();
    /// In a report.
    "tune-note-trials" => note_trials();
    /// Column.
    "tune-column-state" => column_state();
    /// Column.
    "tune-column-trials" => column_trials();
    /// What a setting is.
    "tune-state-taken" => state_taken();
    /// What a setting is.
    "tune-state-now" => state_now();
    /// What a setting is.
    "tune-state-failed" => state_failed();
    /// What a setting is.
    "tune-state-other-answers" => state_other_answers();
    /// Title of a chart.
    "tune-chart-rate" => chart_rate();
    /// Title of a chart.
    "tune-chart-p95" => chart_p95();
    /// Axis.
    "tune-axis-trial" => axis_trial();
    /// Axis.
    "tune-axis-rate" => axis_rate();
    /// Axis.
    "tune-axis-p95" => axis_p95();
    /// Series of a chart.
    "tune-series-now" => series_now();
    /// Series of a chart.
    "tune-series-taken" => series_taken();
    /// Series of a chart.
    "tune-series-others" => series_others();
    /// What a study says.
    "tune-page-lost" => page_lost(reason);
    /// Why a study cannot begin.
    "tune-reason-not-free" => reason_not_free(ready);
    /// Comment of a study file.
    "tune-draft-title" => draft_title();
    /// Comment of a study file.
    "tune-draft-test" => draft_test();
    /// Comment of a study file.
    "tune-draft-goal" => draft_goal();
    /// Comment of a study file.
    "tune-draft-start" => draft_start(pid);
    /// Comment of a study file.
    "tune-draft-secret" => draft_secret(name);
    /// A comment: the command has secrets.
    "tune-draft-secret-word" => draft_secret_word(mask);
    /// Comment of a study file.
    "tune-draft-no-start" => draft_no_start();
    /// Comment of a study file.
    "tune-draft-no-knob" => draft_no_knob();
    /// Comment of a study file.
    "tune-draft-limits" => draft_limits();
    /// Heading.
    "tune-section-paste" => section_paste();
    /// Heading.
    "tune-section-effects" => section_effects();
    /// In an answer.
    "tune-limit-there" => limit_there(limit);
}
