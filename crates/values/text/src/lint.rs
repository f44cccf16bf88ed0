//! What is said of an Artillery file before it runs.

use crate::message::declare_messages;

declare_messages! {
    /// Found in an Artillery file: syntax.
    "lint-syntax" => lint_syntax(reason);
    /// Found in an Artillery file: wrong type.
    "lint-wrong-type" => lint_wrong_type(key, expected, found);
    /// Found in an Artillery file: missing.
    "lint-missing" => lint_missing(key, place);
    /// Found in an Artillery file: bad value.
    "lint-bad-value" => lint_bad_value(key, value, reason);
    /// Warning: a condition of another type than text counts as true.
    "lint-always-holds" => lint_always_holds(key, value);
    /// Found in an Artillery file: bad condition.
    "lint-bad-condition" => lint_bad_condition(key, value, reason);
    /// Found in an Artillery file: unreadable.
    "lint-unreadable" => lint_unreadable(path, reason);
    /// Found in an Artillery file: no target.
    "lint-no-target" => lint_no_target();
    /// The same, where the file has environments and none is named.
    "lint-no-environment" => lint_no_environment(names);
    /// Found in an Artillery file: no scenarios.
    "lint-no-scenarios" => lint_no_scenarios();
    /// Found in an Artillery file: refused.
    "lint-refused" => lint_refused(what, reason);
    /// Found in an Artillery file: misplaced.
    "lint-misplaced" => lint_misplaced(key, under, belongs);
    /// Found in an Artillery file: a step inside of another.
    "lint-step-inside" => lint_step_inside(key, under);
    /// Found in an Artillery file: unknown key.
    "lint-unknown-key" => lint_unknown_key(key, under);
    /// Found in an Artillery file: unknown key, and the one that was meant.
    "lint-unknown-key-near" => lint_unknown_key_near(key, under, nearest);
    /// A loop over a variable that is never set.
    "lint-over-unset" => lint_over_unset(variable);
    /// The same, and which one was probably meant.
    "lint-over-unset-near" => lint_over_unset_near(variable, nearest);
    /// A loop over one value of a list.
    "lint-over-one-value" => lint_over_one_value(variable);
    /// A condition on a variable that is never set.
    "lint-condition-unset" => lint_condition_unset(variable);
    /// The same, and which one was probably meant.
    "lint-condition-unset-near" => lint_condition_unset_near(variable, nearest);
    /// A payload without rows.
    "lint-no-rows" => lint_no_rows(path);
    /// A payload with nothing but a heading.
    "lint-no-rows-heading" => lint_no_rows_heading(path);
    /// Phases or scenarios that send nothing.
    "lint-nothing-planned" => lint_nothing_planned();
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
    /// Found in an Artillery file: nothing in it.
    "lint-file-empty" => lint_file_empty(expected);
    /// Found in an Artillery file: it is no map.
    "lint-file-type" => lint_file_type(expected, found);
    /// Found in an Artillery file: foreign step.
    "lint-foreign-step" => lint_foreign_step(key);
    /// Found in an Artillery file: several verbs.
    "lint-several-verbs" => lint_several_verbs(keys);
    /// Found in an Artillery file: ignored.
    "lint-ignored" => lint_ignored(key, reason);
    /// Found in an Artillery file: unknown environment.
    "lint-unknown-environment" => lint_unknown_environment(name);
    /// The same, with those there are.
    "lint-other-environments" => lint_other_environments(name, names);
    /// Found in an Artillery file: unknown function.
    "lint-unknown-function" => lint_unknown_function(name);
    /// Found in an Artillery file: unknown function, and the one that was meant.
    "lint-unknown-function-near" => lint_unknown_function_near(name, nearest);
    /// Found in an Artillery file: a function, and no processor.
    "lint-no-processor" => lint_no_processor(name);
    /// Found in an Artillery file: unclosed braces.
    "lint-unclosed" => lint_unclosed(text);
    /// Found in an Artillery file: bad URL.
    "lint-bad-url" => lint_bad_url(value);
    /// Found in an Artillery file: a loop without an end.
    "lint-endless-loop" => lint_endless_loop();
    /// Found in an Artillery file: bad weight.
    "lint-bad-weight" => lint_bad_weight(value);
    /// Found in an Artillery file: unknown metric.
    "lint-unknown-metric" => lint_unknown_metric(name, nearest);
    /// Found in an Artillery file: checks without their plugin.
    "lint-no-plugin" => lint_no_plugin(plugin);
    /// Found in an Artillery file: unknown verb.
    "lint-unknown-verb" => lint_unknown_verb(key);
    /// Found in an Artillery file: unknown verb, and the one that was meant.
    "lint-unknown-verb-near" => lint_unknown_verb_near(key, nearest);
    /// Found in an Artillery file: too few columns.
    "lint-too-few-columns" => lint_too_few_columns(path, columns, fields);
    /// Found in a payload of an Artillery file: digits that are another number.
    "lint-digits-lost" => lint_digits_lost(path, field, text, number);
    /// Found in an Artillery file: length mismatch.
    "lint-length-mismatch" => lint_length_mismatch(planned, expected);
    /// The row to begin with is none of the file's.
    "lint-from-behind-rows" => lint_from_behind_rows(path, from, rows);
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
    /// Of a processor of an Artillery file: it runs in Node.
    "processor-in-node" => processor_in_node(version, name, place);
    /// Of a processor of an Artillery file: it needs Node, and there is none.
    "processor-without-node" => processor_without_node(name, place);
}
