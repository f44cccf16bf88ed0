//! What the screen of a run at a terminal says.

use crate::message::declare_messages;

declare_messages! {
    /// The run makes its users.
    "screen-state-making" => state_making(made, planned);
    /// The run's set-up.
    "screen-state-setup" => state_setup();
    /// The warm-up goes on.
    "screen-state-warming" => state_warming();
    /// Load goes on and counts.
    "screen-state-measuring" => state_measuring();
    /// Nothing new begins.
    "screen-state-paused" => state_paused();
    /// What is under way comes to its end.
    "screen-state-stopping" => state_stopping();
    /// The run's teardown.
    "screen-state-teardown" => state_teardown();
    /// A goal holds so far.
    "screen-goal-met" => goal_met();
    /// A goal does not hold so far.
    "screen-goal-missed" => goal_missed();
    /// Nothing was measured yet of what a goal is about.
    "screen-goal-unknown" => goal_unknown();
    /// Goals that have no row.
    "screen-more-goals" => more_goals(count);
    /// How much of the run has passed.
    "screen-time" => time(elapsed, whole);
    /// One scenario beside its bar.
    "screen-scenario" => scenario(name, percent, users);
    /// Scenarios that have no row.
    "screen-more-scenarios" => more_scenarios(count);
    /// Users and iterations.
    "screen-iterations" => iterations(active, users, complete, interrupted, dropped);
    /// The load was changed by hand.
    "screen-load" => load(percent);
    /// A threshold does not hold so far.
    "screen-crossed" => crossed();
    /// Head of the rates.
    "screen-rate" => rate();
    /// The rate of the last second, beside the curve.
    "screen-rate-now" => rate_now(rate, most);
    /// Offered and achieved load.
    "screen-offered" => offered(achieved, planned);
    /// The same, and starts were dropped.
    "screen-offered-dropped" => offered_dropped(achieved, planned, dropped);
    /// Achieved load where none is planned.
    "screen-achieved" => achieved(achieved);
    /// Head of the latencies.
    "screen-latency" => latency();
    /// The last second's latency, beside the curve.
    "screen-latency-now" => latency_now(p95, most);
    /// A row's window.
    "screen-last-second" => last_second();
    /// A row's window.
    "screen-last-ten" => last_ten();
    /// A row's window.
    "screen-whole-run" => whole_run();
    /// Row of latencies of a search.
    "screen-whole-level" => whole_level();
    /// Row of latencies of a study's trial.
    "screen-whole-trial" => whole_trial();
    /// A study's target gets another setting.
    "screen-state-setting" => state_setting();
    /// What a study is to reach.
    "screen-study-goal" => study_goal(goal);
    /// The trial under way.
    "screen-study-trial" => study_trial(number, purpose, setting);
    /// No trial is under way.
    "screen-study-between" => study_between();
    /// The setting that leads so far.
    "screen-study-best" => study_best(setting, result);
    /// What the answer would be now.
    "screen-study-so-far" => study_so_far(answer);
    /// How much of the budget is spent.
    "screen-study-budget" => study_budget(trials, most, elapsed, budget, left);
    /// The same while nobody knows how long a trial takes.
    "screen-study-budget-unknown" => study_budget_unknown(trials, most, elapsed, budget);
    /// The load that a search tries.
    "screen-level" => level(load, in_flight);
    /// The keys of a search in one row.
    "screen-keys-of-search" => keys_of_search();
    /// Head of a column.
    "screen-column-requests" => column_requests();
    /// Head of a column.
    "screen-column-most" => column_most();
    /// Head of a column.
    "screen-column-errors" => column_errors();
    /// Head of the failures.
    "screen-failures" => failures();
    /// No request failed.
    "screen-no-failures" => no_failures();
    /// Head of what the target shows.
    "screen-target" => target();
    /// CPU of the target.
    "screen-target-cpu" => target_cpu(used);
    /// Heap of the target.
    "screen-target-heap" => target_heap(used);
    /// Threads that serve requests.
    "screen-target-workers" => target_workers(used);
    /// Connections in use.
    "screen-target-pool" => target_pool(used);
    /// Sessions of the database that execute.
    "screen-target-sessions" => target_sessions(used);
    /// A resource that requests wait for.
    "screen-waiting" => waiting(what, waiting);
    /// The generator's CPU.
    "screen-generator" => generator(share);
    /// Head of the last lines said.
    "screen-log" => log();
    /// The keys in one line.
    "screen-keys" => keys();
    /// Head of the help.
    "screen-help" => help();
    /// A key.
    "screen-help-pause" => help_pause();
    /// A key.
    "screen-help-load" => help_load();
    /// A key.
    "screen-help-stop" => help_stop();
    /// A key.
    "screen-help-abort" => help_abort();
    /// A key.
    "screen-help-language" => help_language();
    /// A key.
    "screen-help-close" => help_close();
    /// More was said during the run than is kept.
    "screen-unkept" => unkept(lines);
}
