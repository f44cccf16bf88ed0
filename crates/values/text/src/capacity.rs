//! What the search for capacity says.

use crate::message::declare_messages;

declare_messages! {
    /// That the target is warmed up before the search.
    "capacity-warming" => warming(users);
    /// What became of it.
    "capacity-warmed" => warmed(took, requests, early, late);
    /// That it still got faster.
    "capacity-warmed-not-steady" => warmed_not_steady(took, requests, early, late);
    /// That no request was answered well.
    "capacity-warmed-nothing" => warmed_nothing(took, requests);
    /// What is kept to.
    "capacity-before-slo" => before_slo(terms);
    /// What is kept to, unless something else is typed.
    "capacity-before-slo-default" => before_slo_default(terms);
    /// In what load is counted: rate.
    "capacity-before-requests" => before_requests(highest, users);
    /// The load, in iterations of scenarios.
    "capacity-before-rate" => before_rate(highest, users);
    /// Kinds of failed requests over all levels.
    "capacity-failures" => failures(kinds);
    /// Checks that failed over all levels although the objective does not speak of them.
    "capacity-failed-checks" => failed_checks(failed, all);
    /// Iterations that threw, and virtual users that gave up.
    "capacity-broken" => broken_iterations(broken, all);
    /// What is wrong at the line although the objective does not speak of it.
    "capacity-wrong-there" => wrong_there(faults);
    /// How starts are spaced: at random.
    "capacity-before-poisson" => before_poisson(seed);
    /// How starts are spaced: evenly.
    "capacity-before-even" => before_even();
    /// In what load is counted: users.
    "capacity-before-users" => before_users(highest);
    /// How to go on with a search that was ended.
    "capacity-go-on" => go_on(run);
    /// Where a former search found the line, or got to.
    "capacity-before-near" => before_near(load, search);
    /// Only one scenario is loaded.
    "capacity-before-scenario" => before_scenario(name);
    /// Who will be hit.
    "capacity-before-hosts" => before_hosts(hosts);
    /// Who will be hit cannot be told.
    "capacity-before-hosts-unknown" => before_hosts_unknown();
    /// What the time buys.
    "capacity-before-time" => before_time(budget, precision, example);
    /// How far a short time reaches.
    "capacity-before-time-short" => before_time_short(budget, about, example, needed);
    /// ... of a test whose iterations are not known yet.
    "capacity-before-time-untold" => before_time_untold(budget);
    /// How far the time reaches, once it is known how long an iteration takes.
    "capacity-reach" => reach(iteration, budget, about, example, needed);
    /// ... and that is far.
    "capacity-reach-enough" => reach_enough(iteration, budget, example);
    /// What follows the search.
    "capacity-before-soak" => before_soak(soak);
    /// A level begins.
    "capacity-holding" => holding(load, purpose);
    /// No load.
    "capacity-draining" => draining();
    /// Why a level is held.
    "capacity-purpose-baseline" => purpose_baseline();
    /// Why a level is held.
    "capacity-purpose-climb" => purpose_climb();
    /// Why a level is held.
    "capacity-purpose-refine" => purpose_refine();
    /// Why a level is held.
    "capacity-purpose-confirm" => purpose_confirm();
    /// Why a level is held.
    "capacity-purpose-knee" => purpose_knee();
    /// Why a level is held.
    "capacity-purpose-soak" => purpose_soak();
    /// Why a level is there: somebody else measured it.
    "capacity-purpose-measured" => purpose_measured();
    /// Column.
    "capacity-column-load" => column_load();
    /// Column.
    "capacity-column-why" => column_why();
    /// Column.
    "capacity-column-rate" => column_rate();
    /// Column.
    "capacity-column-requests" => column_requests();
    /// Column.
    "capacity-column-in-flight" => column_in_flight();
    /// Column.
    "capacity-column-cpu" => column_cpu();
    /// Column.
    "capacity-column-held" => column_held();
    /// Column.
    "capacity-column-outcome" => column_outcome();
    /// Column.
    "capacity-column-law" => column_law();
    /// Column.
    "capacity-column-usl" => column_usl();
    /// What a level came to.
    "capacity-outcome-holds" => outcome_holds();
    /// What a level came to.
    "capacity-outcome-likely" => outcome_likely();
    /// What a level came to that was held long.
    "capacity-outcome-likely-long" => outcome_likely_long();
    /// ... far from any limit.
    "capacity-outcome-likely-few" => outcome_likely_few();
    /// What a level came to.
    "capacity-outcome-misses" => outcome_misses(term, value);
    /// What a level came to.
    "capacity-outcome-misses-unsure" => outcome_misses_unsure(term, value);
    /// What a level came to.
    "capacity-outcome-unclear" => outcome_unclear();
    /// What a level came to.
    "capacity-outcome-overloaded" => outcome_overloaded(sustained);
    /// What a level came to.
    "capacity-outcome-waits" => outcome_waits(share);
    /// What a level came to.
    "capacity-outcome-errors" => outcome_errors(share);
    /// What a level came to.
    "capacity-outcome-refused" => outcome_refused();
    /// What a level came to.
    "capacity-outcome-silent" => outcome_silent();
    /// What a level came to.
    "capacity-outcome-generator" => outcome_generator(reasons);
    /// What a level came to.
    "capacity-outcome-users" => outcome_users();
    /// What a level came to.
    "capacity-outcome-cut" => outcome_cut();
    /// A level that was missed late.
    "capacity-outcome-late" => outcome_late(seconds);
    /// The line was found.
    "capacity-verdict-found" => verdict_found(load, requests, terms, high);
    /// The line was found, and where it most likely lies.
    "capacity-verdict-found-likely" => verdict_found_likely(load, requests, terms, likely, low, high);
    /// A fit over all levels puts the line below the one that held, perhaps by chance.
    "capacity-verdict-below" => verdict_below(likely, requests, terms, low, high, held);
    /// Found; no level that held is sure.
    "capacity-verdict-estimated" => verdict_estimated(likely, requests, terms, low, high, held);
    /// Found; the line may lie below what held.
    "capacity-verdict-found-about" => verdict_found_about(load, requests, terms, likely, low, high);
    /// The time was up; the line may lie below what held.
    "capacity-verdict-time-about" => verdict_time_about(load, requests, terms, likely, low, high);
    /// The time was up; where the line most likely lies.
    "capacity-verdict-time-likely" => verdict_time_likely(load, requests, terms, likely, low, high);
    /// The time was up.
    "capacity-verdict-time" => verdict_time(load, requests, terms, high);
    /// The time was up.
    "capacity-verdict-time-open" => verdict_time_open(load, requests, terms);
    /// So little was tried that it is no answer.
    "capacity-verdict-hardly-tried" => verdict_hardly_tried(load, requests, seconds);
    /// ... as the generator was the limit of what was tried beyond.
    "capacity-verdict-hardly-tried-here" => verdict_hardly_tried_here(load, requests, seconds);
    /// The generator was the limit.
    "capacity-verdict-generator" => verdict_generator(load, requests, terms, reasons);
    /// The test was the limit.
    "capacity-verdict-users" => verdict_users(load, requests, terms);
    /// The generator was the limit of every level.
    "capacity-verdict-generator-none" => verdict_generator_none(reasons, load);
    /// The test was the limit of every level.
    "capacity-verdict-users-none" => verdict_users_none(load);
    /// No more was allowed.
    "capacity-verdict-highest" => verdict_highest(load, requests, terms);
    /// The load that is needed was confirmed, and the search ended there.
    "capacity-verdict-goal" => verdict_goal(load, requests, terms);
    /// Nothing holds.
    "capacity-verdict-none" => verdict_none(term, value, load);
    /// Nothing holds.
    "capacity-verdict-none-plain" => verdict_none_plain(load);
    /// Load does not matter.
    "capacity-verdict-any" => verdict_any(term, value, from, to);
    /// It fails anyway.
    "capacity-verdict-fails" => verdict_fails(share);
    /// Not even the lowest load was carried, by too few requests to be sure.
    "capacity-verdict-unsure" => verdict_unsure(terms, load, value, requests);
    /// It does not answer.
    "capacity-verdict-no-answer" => verdict_no_answer();
    /// Nothing was sent that could be judged.
    "capacity-verdict-no-requests" => verdict_no_requests(iterations);
    /// Nothing was sent, because iterations failed before.
    "capacity-verdict-all-broken" => verdict_all_broken(broken, iterations);
    /// The time was up before anything could be told.
    "capacity-verdict-unclear" => verdict_unclear(terms, load);
    /// Verdict: a term asks for checks where there are none.
    "capacity-verdict-no-checks" => verdict_no_checks(term);
    /// Verdict: a term is asked of no request.
    "capacity-verdict-no-sample" => verdict_no_sample(term, known);
    /// It did not come back.
    "capacity-verdict-not-recovered" => verdict_not_recovered(load, low);
    /// It did not come back.
    "capacity-verdict-not-recovered-none" => verdict_not_recovered_none(load);
    /// It was ended.
    "capacity-verdict-interrupted-soak" => verdict_interrupted_soak(load, requests, terms);
    /// Somebody ended it.
    "capacity-verdict-interrupted" => verdict_interrupted(load);
    /// It was ended.
    "capacity-verdict-interrupted-none" => verdict_interrupted_none();
    /// Name of a point.
    "capacity-row-line" => row_line();
    /// Name of a point.
    "capacity-row-knee" => row_knee();
    /// Name of a point.
    "capacity-row-peak" => row_peak();
    /// Name of a row.
    "capacity-row-baseline" => row_baseline();
    /// Name of a row.
    "capacity-row-soak" => row_soak();
    /// Name of a row.
    "capacity-row-usl" => row_usl();
    /// Name of a row.
    "capacity-row-goal" => row_goal();
    /// Name of a row.
    "capacity-row-note" => row_note();
    /// Name of a row.
    "capacity-row-limit" => row_limit();
    /// What explain says of the level that shows it.
    "capacity-limit-at" => limit_at(load, text);
    /// The target asks to come back later, and explain names nothing else.
    "capacity-limit-waits" => limit_waits();
    /// The search was not stored.
    "capacity-limit-not-stored" => limit_not_stored();
    /// The line.
    "capacity-line" => line(load, requests, held);
    /// Its interval.
    "capacity-line-between" => line_between(low, high);
    /// An estimate from all levels.
    "capacity-line-likely" => line_likely(likely, low, high);
    /// An estimate below the level that held.
    "capacity-line-likely-below" => line_likely_below(likely, low, high, held);
    /// An estimate above a level that did not hold.
    "capacity-line-likely-above" => line_likely_above(likely, low, high, missed);
    /// An estimate.
    "capacity-line-interpolated" => line_interpolated(about);
    /// It was not held long enough to be sure.
    "capacity-line-unsure" => line_unsure(requests);
    /// A level that was held, and which all levels together doubt.
    "capacity-line-doubted" => line_doubted();
    /// The same, where the budget was what was short.
    "capacity-line-unsure-time" => line_unsure_time(requests);
    /// The knee.
    "capacity-knee" => knee(load, low, throughput, share, flight);
    /// The knee, at the lowest level.
    "capacity-knee-first" => knee_first(load, throughput, share, flight);
    /// The peak.
    "capacity-peak" => peak(throughput, load);
    /// A point that was not seen.
    "capacity-usl-contradicted" => usl_contradicted(in_flight, measured);
    /// Of a search: that no line was found.
    "capacity-no-line" => no_line();
    /// Of a search: a point that was not reached.
    "capacity-not-seen" => not_seen();
    /// The target without load.
    "capacity-baseline" => baseline(median, p95, load);
    /// The long hold.
    "capacity-soak-holds" => soak_holds(load, seconds);
    /// The long hold was ended by who watched.
    "capacity-soak-cut" => soak_cut(load, seconds);
    /// The long hold says nothing of the target.
    "capacity-soak-unknown" => soak_unknown(load, seconds, outcome);
    /// The long hold.
    "capacity-soak-misses" => soak_misses(load, outcome);
    /// Margin to the plan.
    "capacity-goal-is" => goal_is(load, result);
    /// Margin to the plan.
    "capacity-goal-met-at-least" => goal_met_at_least(headroom);
    /// A goal.
    "capacity-goal-met" => goal_met(headroom);
    /// The level of the plan held, and all levels together put the line below it.
    "capacity-goal-doubted" => goal_doubted();
    /// Margin to the plan.
    "capacity-goal-missed" => goal_missed(short);
    /// Margin to the plan.
    "capacity-goal-unknown" => goal_unknown();
    /// A fit.
    "capacity-usl-beyond" => usl_beyond(worst, measured);
    /// The universal scalability law.
    "capacity-usl-good" => usl_good(peak, ceiling, worst);
    /// A fit.
    "capacity-usl-flat" => usl_flat(ceiling, worst);
    /// A fit that misses.
    "capacity-usl-misses" => usl_misses(worst, load, peak);
    /// A fit of what grows in proportion.
    "capacity-usl-linear" => usl_linear(worst);
    /// A curve that never falls and is too far off to be used.
    "capacity-usl-misses-flat" => usl_misses_flat(worst, load);
    /// A curve that never falls and is near.
    "capacity-usl-near-flat" => usl_near_flat(worst, load);
    /// A fit that misses at places.
    "capacity-usl-near" => usl_near(worst, load, peak);
    /// No fit.
    "capacity-usl-none" => usl_none(found, needed);
    /// No fit.
    "capacity-usl-failed" => usl_failed();
    /// Second opinions.
    "capacity-second" => second(power, kneedle);
    /// Something seen.
    "capacity-note-late" => note_late(seconds);
    /// Something seen.
    "capacity-note-warm" => note_warm();
    /// Note: more throughput beyond the line.
    "capacity-note-knee-above" => note_knee_above();
    /// Note: slower for good in the middle of the search, by a load that was carried.
    "capacity-note-slower" => note_slower(before, then, after, now);
    /// A target that no longer held what it held, and was not tried again.
    "capacity-note-slower-once" => note_slower_once(before, then, after, now);
    /// Note: the same, by what was completed.
    "capacity-note-completes-less" => note_completes_less(before, then, after, load, now);
    /// Note: the line was held after that.
    "capacity-note-slower-result" => note_slower_result();
    /// Note: the line was held before that.
    "capacity-note-slower-unsure" => note_slower_unsure();
    /// Levels that take long.
    "capacity-note-slow-levels" => note_slow_levels(seconds, iteration);
    /// Something seen.
    "capacity-note-waits" => note_waits(load);
    /// Something seen.
    "capacity-note-pauses" => note_pauses(length, every, count);
    /// Something seen.
    "capacity-note-law" => note_law(load, off);
    /// Something seen.
    "capacity-note-died" => note_died(load);
    /// What was judged.
    "capacity-note-judged" => note_judged(terms);
    /// A table without a line.
    "capacity-table-empty" => table_empty();
    /// A cell that should be a number.
    "capacity-table-comma" => table_comma(line, cell, thousands, decimal);
    /// A table: a cell of errors is a share above 100 %.
    "capacity-table-share-above-all" => table_share_above_all(line, found);
    /// A table: a cell of errors is no share.
    "capacity-table-not-a-share" => table_not_a_share(line, found, percent, decimal);
    /// Too few rows for a curve.
    "capacity-table-few-rows" => table_few_rows(found);
    /// A row whose users or throughput cannot be.
    "capacity-table-not-positive" => table_not_positive(row);
    /// Two rows of the same users.
    "capacity-table-twice" => table_twice(users);
    /// A term that cannot be judged by the table.
    "capacity-table-term-column" => table_term_column(term, seen);
    /// A table somebody measured.
    "capacity-table-title" => table_title(file, rows);
    /// The line of a table.
    "capacity-table-line" => table_line(about, throughput);
    /// The last level that passes.
    "capacity-table-last" => table_last(load, throughput, value);
    /// The first level that fails.
    "capacity-table-first" => table_first(load, throughput, value);
    /// The first level that fails, by next to nothing.
    "capacity-table-first-near" => table_first_near(load, throughput, value, most);
    /// No level passes.
    "capacity-table-none" => table_none(term, value, load);
    /// All levels pass.
    "capacity-table-all" => table_all(load, throughput);
    /// The knee.
    "capacity-table-knee" => table_knee(load, throughput, share);
    /// The peak.
    "capacity-table-peak" => table_peak(load, throughput);
    /// Little's law.
    "capacity-table-law" => table_law(worst);
    /// Little's law, of users who think.
    "capacity-table-law-thinking" => table_law_thinking(worst, think);
    /// Little's law.
    "capacity-table-law-off-above" => table_law_off_above(load, off);
    /// Little's law.
    "capacity-table-law-off" => table_law_off(load, off);
    /// Little's law, of users who are said to think.
    "capacity-table-law-off-thinking" => table_law_off_thinking(load, off, think);
    /// Two capacities.
    "capacity-compare-title" => compare_title(before, after);
    /// The lines.
    "capacity-compare-line" => compare_line(before, after, change);
    /// A line is missing.
    "capacity-compare-line-bound" => compare_line_bound(before, after);
    /// A rate that is only a lower bound.
    "capacity-compare-at-least" => compare_at_least(rate);
    /// The sides were not asked alike.
    "capacity-compare-unlike" => compare_unlike(what, before, after);
    /// What loads are counted in.
    "capacity-compare-of-unit" => compare_of_unit();
    /// The objective.
    "capacity-compare-of-objective" => compare_of_objective();
    /// The test.
    "capacity-compare-of-test" => compare_of_test();
    /// How starts were spaced.
    "capacity-compare-of-arrivals" => compare_of_arrivals();
    /// Loads are iterations started a second.
    "capacity-compare-unit-rate" => compare_unit_rate();
    /// Loads are users.
    "capacity-compare-unit-users" => compare_unit_users();
    /// A side has no line.
    "capacity-compare-line-unasked" => compare_line_unasked();
    /// No line.
    "capacity-compare-line-missing" => compare_line_missing(side);
    /// The objectives differ.
    "capacity-compare-line-other" => compare_line_other();
    /// The peaks.
    "capacity-compare-peak" => compare_peak(before, after, change);
    /// The knees.
    "capacity-compare-knee" => compare_knee(before, after, change);
    /// A point is missing.
    "capacity-compare-missing" => compare_missing(what, side);
    /// Scale-out.
    "capacity-compare-scale" => compare_scale(factor, gain, efficiency);
    /// Intervals.
    "capacity-compare-apart" => compare_apart();
    /// Intervals.
    "capacity-compare-overlap" => compare_overlap();
    /// A file was written.
    "capacity-exported" => exported(path);
    /// About a load.
    "capacity-about" => about(load);
    /// About so many users.
    "capacity-about-users" => about_users(count);
    /// So many users.
    "capacity-users" => users(count);
    /// Axis of a chart.
    "capacity-curve-throughput" => curve_throughput();
    /// Axis of a chart.
    "capacity-curve-load-rate" => curve_load_rate();
    /// Axis of a chart.
    "capacity-curve-load-users" => curve_load_users();
}
