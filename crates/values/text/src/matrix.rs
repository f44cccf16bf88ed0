//! What a matrix of tests says: its rows, what each test came to, what breaks first.

use crate::message::declare_messages;

declare_messages! {
    /// Title of a matrix.
    "matrix-title" => title();
    /// How many rows it has.
    "matrix-fact-rows" => fact_rows(count);
    /// Its tests are short.
    "matrix-fact-quick" => fact_quick();
    /// What breaks first, beside its plan.
    "matrix-first-headroom" => first_headroom(row, capacity, times, planned);
    /// What breaks first, without a plan.
    "matrix-first-capacity" => first_capacity(row, capacity);
    /// Nothing broke: the row that was loaded least.
    "matrix-first-at-least" => first_at_least(row, capacity);
    /// Of a bound, with how many times the planned rate it is.
    "matrix-first-at-least-headroom" => first_at_least_headroom(row, capacity, headroom);
    /// The target went down.
    "matrix-first-went-down" => first_went_down(row);
    /// A row does not work at all.
    "matrix-first-smoke" => first_smoke(row, reason);
    /// No row works.
    "matrix-first-all-smoke" => first_all_smoke(reason);
    /// A row carries no load.
    "matrix-first-nothing" => first_nothing(row);
    /// Nothing is known yet.
    "matrix-first-unknown" => first_unknown();
    /// Tests are left.
    "matrix-not-complete" => not_complete();
    /// A rate is a share of what was found.
    "matrix-of-capacity" => of_capacity(share, rows);
    /// Short tests say less.
    "matrix-note-quick" => note_quick();
    /// Column of the rows' names.
    "matrix-column-row" => column_row();
    /// Column of the planned rates.
    "matrix-column-planned" => column_planned();
    /// Column of response times at the planned rate.
    "matrix-column-p95" => column_p95();
    /// Column of errors at the planned rate.
    "matrix-column-errors" => column_errors();
    /// Column of the one iteration.
    "matrix-column-smoke" => column_smoke();
    /// Column of the planned rate.
    "matrix-column-load" => column_load();
    /// Column of more than the planned rate.
    "matrix-column-stress" => column_stress();
    /// Column of the capacity.
    "matrix-column-capacity" => column_capacity();
    /// Column of the knee.
    "matrix-column-knee" => column_knee();
    /// Column of the soak test.
    "matrix-column-soak" => column_soak();
    /// Column of the capacity beside the plan.
    "matrix-column-headroom" => column_headroom();
    /// Column of what limits.
    "matrix-column-limit" => column_limit();
    /// A test that is as it should be.
    "matrix-word-ok" => word_ok();
    /// A test that is not.
    "matrix-word-failed" => word_failed();
    /// A load that was carried.
    "matrix-word-holds" => word_holds();
    /// A load that was too much.
    "matrix-word-misses" => word_misses();
    /// What is not known.
    "matrix-word-not-known" => word_not_known();
    /// What was not tested.
    "matrix-word-not-tried" => word_not_tried();
    /// What is still to be tested.
    "matrix-word-not-yet" => word_not_yet();
    /// No load is carried.
    "matrix-word-none-holds" => word_none_holds();
    /// A load that was carried to the end.
    "matrix-word-steady" => word_steady();
    /// A load that was not.
    "matrix-word-drifts" => word_drifts();
    /// No limit is seen.
    "matrix-word-nothing-seen" => word_nothing_seen();
    /// A row that is a flow.
    "matrix-kind-flow" => kind_flow(name);
    /// A multiple.
    "matrix-times" => times(times);
    /// At least so many times the planned rate.
    "matrix-times-at-least" => times_at_least(times);
    /// A capacity that was held too briefly.
    "matrix-capacity-unsure" => capacity_unsure(capacity);
    /// What the search alone found, where other tests held more.
    "matrix-capacity-alone" => capacity_alone(capacity, held);
    /// What the one iteration did.
    "matrix-smoke-ok" => smoke_ok(requests, checks);
    /// Requests of the one iteration failed.
    "matrix-smoke-failed" => smoke_failed(failed, requests, kinds);
    /// Checks of the one iteration failed.
    "matrix-smoke-checks" => smoke_checks(failed, checks);
    /// The one iteration threw.
    "matrix-smoke-broken" => smoke_broken();
    /// The one iteration did not end.
    "matrix-smoke-cut" => smoke_cut();
    /// The answer points elsewhere.
    "matrix-smoke-redirects" => smoke_redirects();
    /// The one iteration sent nothing.
    "matrix-smoke-nothing" => smoke_nothing();
    /// A load that was held.
    "matrix-level" => level(load, times, seconds, outcome);
    /// What was seen at it.
    "matrix-level-figures" => level_figures(p95, errors);
    /// A term that it misses.
    "matrix-level-misses" => level_misses(term, value);
    /// Why there is no stress test.
    "matrix-why-load-missed" => why_load_missed();
    /// Why there is no stress test.
    "matrix-why-load-unknown" => why_load_unknown();
    /// Why nothing is held.
    "matrix-why-no-capacity" => why_no_capacity();
    /// Why nothing else was tested.
    "matrix-why-smoke" => why_smoke();
    /// Why nothing was held for long.
    "matrix-why-quick" => why_quick();
    /// Why nothing was held for long.
    "matrix-why-no-soak" => why_no_soak();
    /// Why there is no headroom.
    "matrix-why-no-plan" => why_no_plan();
    /// A test that is left.
    "matrix-why-not-yet" => why_not_yet();
    /// How the search ended.
    "matrix-why-end" => why_end(end);
    /// A test could not be made.
    "matrix-why-fault" => why_fault(reason);
    /// A search that the generator stopped.
    "matrix-end-generator" => end_generator();
    /// A search that the test stopped.
    "matrix-end-test" => end_test();
    /// A search that came to the highest load.
    "matrix-end-highest" => end_highest();
    /// A search without time.
    "matrix-end-time" => end_time();
    /// A term that is missed at any load.
    "matrix-end-any-load" => end_any_load();
    /// Requests fail without load.
    "matrix-end-fails" => end_fails();
    /// A term asks for what is not there.
    "matrix-end-no-sample" => end_no_sample();
    /// Nothing was answered.
    "matrix-end-no-answer" => end_no_answer();
    /// The target did not come back.
    "matrix-end-not-recovered" => end_not_recovered();
    /// Label of what limits.
    "matrix-label-limit" => label_limit();
    /// Label of the capacity beside the plan.
    "matrix-label-headroom" => label_headroom();
    /// Heading of the table.
    "matrix-heading-matrix" => heading_matrix();
    /// Heading of what each row came to.
    "matrix-heading-details" => heading_details();
    /// Heading of what words mean.
    "matrix-heading-words" => heading_words();
    /// Title of the picture of capacities.
    "matrix-chart-capacity" => chart_capacity();
    /// Axis of rates.
    "matrix-axis-rate" => axis_rate();
    /// Bars of capacities.
    "matrix-series-capacity" => series_capacity();
    /// Bars of planned rates.
    "matrix-series-planned" => series_planned();
    /// What smoke is.
    "matrix-term-smoke-is" => term_smoke_is();
    /// What load is.
    "matrix-term-load-is" => term_load_is();
    /// What stress is.
    "matrix-term-stress-is" => term_stress_is();
    /// What capacity is.
    "matrix-term-capacity-is" => term_capacity_is();
    /// What the knee is.
    "matrix-term-knee-is" => term_knee_is();
    /// What soak is.
    "matrix-term-soak-is" => term_soak_is();
    /// What headroom is.
    "matrix-term-headroom-is" => term_headroom_is();
    /// The rows, before the first request.
    "matrix-before-rows" => before_rows(count, rows);
    /// Planned rates, before the first request.
    "matrix-before-planned" => before_planned(rates);
    /// No planned rate, before the first request.
    "matrix-before-unplanned" => before_unplanned(rows, share);
    /// Which row is the flow.
    "matrix-before-flow" => before_flow(name);
    /// How long it takes.
    "matrix-before-time" => before_time(row, all);
    /// The tests of a row.
    "matrix-before-cells" => before_cells(row, load, stress, search, soak);
    /// The tests of a row in short.
    "matrix-before-cells-quick" => before_cells_quick(row, load, stress, search);
    /// Under which tag runs are kept.
    "matrix-before-id" => before_id(id);
    /// Nothing is kept.
    "matrix-before-not-kept" => before_not_kept();
    /// Tests that are there already.
    "matrix-before-resumed" => before_resumed(done, all);
    /// A test begins.
    "matrix-cell-begins" => cell_begins(number, all, row, cell);
    /// The one iteration.
    "matrix-cell-smoke" => cell_smoke();
    /// The planned rate.
    "matrix-cell-load" => cell_load(load, time);
    /// More than it.
    "matrix-cell-stress" => cell_stress(loads, time);
    /// The search.
    "matrix-cell-capacity" => cell_capacity(time);
    /// The search with its soak.
    "matrix-cell-capacity-soak" => cell_capacity_soak(time, soak);
    /// A row stops.
    "matrix-row-stops" => row_stops(row, reason);
    /// Features of the plan that no row is of.
    "matrix-plan-unmatched" => plan_unmatched(features);
}
