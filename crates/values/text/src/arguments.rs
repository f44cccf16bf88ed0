//! What an argument of a command must be, and why a text is none.

use crate::message::declare_messages;

declare_messages! {
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
    /// Why a text is no goal: it is about the load.
    "goal-of-load" => goal_of_load(found);
    /// Why a text is no goal: its limit.
    "goal-several" => goal_several(found);
    /// Why a goal cannot be read.
    "goal-time" => goal_time(found, statistic);
    /// Why a text is no goal: nothing can keep it.
    "goal-out-of-reach" => goal_out_of_reach(text, instead);
    /// Why a text is no goal: its tags.
    "goal-scope" => goal_scope(found);
    /// Why a text is no goal of a URL run.
    "goal-of-scripts" => goal_of_scripts(text);
    /// Why a time is none of load.
    "load-too-short" => load_too_short();
    /// Why a text is no share.
    "not-a-share" => not_a_share(found, percent, decimal);
    /// Why a share cannot be: there is no more than all.
    "share-above-all" => share_above_all(found);
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
    /// Why a load cannot be.
    "above-option" => above_option(most);
    /// Expected: a load.
    "expected-at-most" => expected_at_most(most);
    /// Why a share cannot be.
    "outside-shares" => outside_shares(least, most);
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

    /// Expected: a compatibility mode.
    "expected-compat" => expected_compat();
    /// Expected: a place to write to.
    "expected-folder" => expected_folder();
    /// What Artillery's output may be, where an output of samples was typed.
    "expected-result-file" => expected_result_file(typed);
}
