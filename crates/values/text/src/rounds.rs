//! What the story of an experiment says: its rounds, what they came to, what comes next.

use crate::message::declare_messages;

declare_messages! {
    /// Of a story of rounds: title.
    "rounds-title" => title();
    /// Of a story of rounds: fact rounds.
    "rounds-fact-rounds" => fact_rounds(count);
    /// Of a story of rounds: word met.
    "rounds-word-met" => word_met();
    /// Of a story of rounds: word missed.
    "rounds-word-missed" => word_missed();
    /// Of a story of rounds: word unknown.
    "rounds-word-unknown" => word_unknown();
    /// Of a story of rounds: word no goal.
    "rounds-word-no-goal" => word_no_goal();
    /// Of a story of rounds: end no goal.
    "rounds-end-no-goal" => end_no_goal(count);
    /// Of a story of rounds: end met.
    "rounds-end-met" => end_met(goal, round);
    /// The last round is a search under the goal: how much it carries.
    "rounds-end-carried" => end_carried(goal, round, capacity);
    /// The same, and another round carries more.
    "rounds-end-carried-before" => end_carried_before(goal, best, most, round, capacity);
    /// Of a story of rounds: end met before.
    "rounds-end-met-before" => end_met_before(goal, rounds);
    /// Of a story of rounds: end missed.
    "rounds-end-missed-by-kept" => end_missed_by_kept(goal);
    /// Of a story of rounds: that the goal is missed.
    "rounds-end-missed" => end_missed(goal);
    /// Of a story of rounds: end unknown.
    "rounds-end-unknown" => end_unknown(goal);
    /// None is known to, and runs of some did not come out as they were planned.
    "rounds-end-unknown-doubtful" => end_unknown_doubtful(goal, rounds);
    /// Of a story of rounds: way.
    "rounds-way" => way(from, to, parts);
    /// Of a story of rounds: way load.
    "rounds-way-load" => way_load(from, to, times);
    /// From one capacity to another, of which one at least is a lower bound.
    "rounds-way-capacity-bound" => way_capacity_bound(from, to);
    /// Of a story of rounds: way capacity.
    "rounds-way-capacity" => way_capacity(from, to, times);
    /// Of a story of rounds: way p95.
    "rounds-way-p95" => way_p95(from, to);
    /// Of a story of rounds: way errors.
    "rounds-way-errors" => way_errors(from, to);
    /// Of a story of rounds: from to.
    "rounds-from-to" => from_to(low, high);
    /// Of a story of rounds: capacity within.
    "rounds-capacity-within" => capacity_within(middle, low, high);
    /// Of a story of rounds: capacity at least.
    "rounds-capacity-at-least" => capacity_at_least(middle);
    /// Of a story of rounds: rejected round.
    "rounds-rejected-round" => rejected_round(name);
    /// Of a story of rounds: column round.
    "rounds-column-round" => column_round();
    /// Of a story of rounds: column change.
    "rounds-column-change" => column_change();
    /// Of a story of rounds: column commit.
    "rounds-column-commit" => column_commit();
    /// Of a story of rounds: column capacity.
    "rounds-column-capacity" => column_capacity();
    /// Of a story of rounds: column knee.
    "rounds-column-knee" => column_knee();
    /// Of a story of rounds: column peak.
    "rounds-column-peak" => column_peak();
    /// Of a story of rounds: what more instances brought.
    "rounds-scaled" => scaled(before, after, counts, peaks, gain, efficiency);
    /// Of a story of rounds: that instances share what limits.
    "rounds-scaled-shared" => scaled_shared();
    /// Of a story of rounds: what instances share that limits.
    "rounds-scaled-shared-limit" => scaled_shared_limit(limit);
    /// Of a story of rounds: column goal.
    "rounds-column-goal" => column_goal();
    /// Of a story of rounds: column limit.
    "rounds-column-limit" => column_limit();
    /// Of a story of rounds: column costs.
    "rounds-column-costs" => column_costs();
    /// Of a story of rounds: label rejected.
    "rounds-label-rejected" => label_rejected();
    /// Of a story of rounds: label compared.
    "rounds-label-compared" => label_compared();
    /// Of a story of rounds: label next.
    "rounds-label-next" => label_next();
    /// Of a story of rounds: against.
    "rounds-against" => against(with, said);
    /// Of a story of rounds: heading round.
    "rounds-heading-round" => heading_round(name);
    /// Of a story of rounds: heading rounds.
    "rounds-heading-rounds" => heading_rounds();
    /// Of a story of rounds: heading charts.
    "rounds-heading-charts" => heading_charts();
    /// Of a story of rounds: heading told.
    "rounds-heading-told" => heading_told();
    /// Of a story of rounds: next stop.
    "rounds-next-stop" => next_stop();
    /// What comes after a search under the goal, which has no load that is needed.
    "rounds-next-enough" => next_enough();
    /// Of a story of rounds: next limit.
    "rounds-next-limit" => next_limit(limit);
    /// Of a story of rounds: next take.
    "rounds-next-take" => next_take(round);
    /// Of a story of rounds: next explain.
    "rounds-next-explain" => next_explain(round, run);
    /// Of a story of rounds: next of limit.
    "rounds-next-of-limit" => next_of_limit(limit);
    /// Of a story of rounds: next observe.
    "rounds-next-observe" => next_observe(round);
    /// No load of a table keeps the goal.
    "rounds-doubt-least" => doubt_least(users);
    /// Runs of one round with several settings.
    "rounds-doubt-settings" => doubt_settings(settings);
    /// Of a story of rounds: note not repeated.
    "rounds-note-not-repeated" => note_not_repeated(rounds);
    /// Of a story of rounds: note typed.
    "rounds-note-typed" => note_typed(names);
    /// Of a story of rounds: note all typed.
    "rounds-note-all-typed" => note_all_typed();
    /// Of a story of rounds: figure load.
    "rounds-figure-load" => figure_load();
    /// Of a story of rounds: figure first.
    "rounds-figure-first" => figure_first(value);
    /// Of a story of rounds: observed errors.
    "rounds-observed-errors" => observed_errors(share);
    /// Of a story of rounds: goal of round.
    "rounds-goal-of-round" => goal_of_round(goal, round);
    /// Of a story of rounds: chart load.
    "rounds-chart-load" => chart_load();
    /// Of a story of rounds: chart p95.
    "rounds-chart-p95" => chart_p95();
    /// Of a story of rounds: axis rate.
    "rounds-axis-rate" => axis_rate();
    /// Of a story of rounds: axis ms.
    "rounds-axis-ms" => axis_ms();
    /// Of a story of rounds: series p95.
    "rounds-series-p95" => series_p95();
    /// Of a story of rounds: next more load.
    "rounds-next-more-load" => next_more_load();
    /// Of a story of rounds: mistake no rounds.
    "rounds-mistake-no-rounds" => mistake_no_rounds();
    /// Of a story of rounds: expected time.
    "rounds-expected-time" => expected_time();
    /// Of a story of rounds: expected share.
    "rounds-expected-share" => expected_share();
    /// Of a story of rounds: expected capacity.
    "rounds-expected-capacity" => expected_capacity();
    /// Of a story of rounds: heading of what comes next.
    "rounds-heading-next" => heading_next();
    /// Of a story of rounds: a round with what it changed.
    "rounds-round-with-change" => round_with_change(name, change);
}
