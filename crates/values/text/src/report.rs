//! What reports say around the numbers: headings, columns, axes.

use crate::message::declare_messages;

declare_messages! {
    /// Name of the verdict for screen readers.
    "report-label-verdict" => label_verdict();
    /// Heading.
    "report-section-goals" => section_goals();
    /// Heading.
    "report-section-time" => section_time();
    /// Heading.
    "report-section-latency" => section_latency();
    /// Heading.
    "report-section-endpoints" => section_endpoints();
    /// Heading.
    "report-section-failures" => section_failures();
    /// Heading.
    "report-section-checks" => section_checks();
    /// Heading.
    "report-section-validity" => section_validity();
    /// Heading.
    "report-section-tested" => section_tested();
    /// Section: how the target was set up.
    "report-section-setup" => section_setup();
    /// Heading.
    "report-section-findings" => section_findings();
    /// Heading.
    "report-section-events" => section_events();
    /// Heading.
    "report-section-source" => section_source();
    /// Heading.
    "report-section-data" => section_data();
    /// Note under a heading.
    "report-note-validity" => note_validity();
    /// Note under a heading.
    "report-note-endpoints" => note_endpoints();
    /// The same where requests failed.
    "report-note-endpoints-apart" => note_endpoints_apart();
    /// Column: median of failed requests.
    "report-column-p50-failed" => column_p50_failed();
    /// Column: 95th percentile of failed requests.
    "report-column-p95-failed" => column_p95_failed();
    /// Column.
    "report-column-result" => column_result();
    /// Column.
    "report-column-goal" => column_goal();
    /// Column.
    "report-column-observed" => column_observed();
    /// Column.
    "report-column-measure" => column_measure();
    /// Column.
    "report-column-endpoint" => column_endpoint();
    /// Column.
    "report-column-requests" => column_requests();
    /// Column.
    "report-column-share" => column_share();
    /// Column.
    "report-column-rate" => column_rate();
    /// Column.
    "report-column-failed" => column_failed();
    /// Column.
    "report-column-error-rate" => column_error_rate();
    /// Column.
    "report-column-failure" => column_failure();
    /// Column.
    "report-column-count" => column_count();
    /// Column.
    "report-column-first" => column_first();
    /// Column.
    "report-column-last" => column_last();
    /// Column.
    "report-column-check" => column_check();
    /// Column.
    "report-column-passed" => column_passed();
    /// Column.
    "report-column-scenario" => column_scenario();
    /// Column.
    "report-column-executor" => column_executor();
    /// Column.
    "report-column-length" => column_length();
    /// Column.
    "report-column-starts" => column_starts();
    /// Column.
    "report-column-users" => column_users();
    /// Column.
    "report-column-time" => column_time();
    /// Column.
    "report-column-event" => column_event();
    /// Caption of a table.
    "report-caption-scenarios" => caption_scenarios();
    /// Caption of a chart.
    "report-caption-windows" => caption_windows(step, requests);
    /// Caption of a chart.
    "report-caption-users" => caption_users(step);
    /// Planned rate of starts, over time.
    "report-chart-planned-starts" => chart_planned_starts();
    /// Planned users, over time.
    "report-chart-planned-users" => chart_planned_users();
    /// Under both.
    "report-caption-planned" => caption_planned();
    /// How long load is planned to go on.
    "report-planned-length" => planned_length(length);
    /// The highest planned rate of starts.
    "report-planned-starts" => planned_starts(rate);
    /// The most planned users.
    "report-planned-users" => planned_users(users);
    /// A scenario that a number of iterations ends.
    "report-planned-iterations" => planned_iterations(name, iterations, users, length);
    /// Scenarios beyond those with a line of their own.
    "report-series-other-scenarios" => series_other_scenarios(count);
    /// Caption of a chart.
    "report-caption-distribution" => caption_distribution(requests);
    /// Caption of a chart.
    "report-caption-points" => caption_points(step);
    /// Title of a chart.
    "report-chart-rate" => chart_rate();
    /// Title of a chart.
    "report-chart-latency" => chart_latency();
    /// Title of a chart.
    "report-chart-heat" => chart_heat();
    /// Below a chart of cells.
    "report-caption-heat" => caption_heat(step, most, requests);
    /// Name of a series.
    "report-series-as-expected" => series_as_expected();
    /// Name of a series.
    "report-series-failed-requests" => series_failed_requests();
    /// Title of a chart.
    "report-chart-errors" => chart_errors();
    /// Title of a chart.
    "report-chart-users" => chart_users();
    /// Title of a chart.
    "report-chart-distribution" => chart_distribution();
    /// Title of a chart.
    "report-chart-against-rate" => chart_against_rate();
    /// Instead of a chart.
    "report-chart-empty" => chart_empty();
    /// Instead of charts.
    "report-chart-none" => chart_none();
    /// Axis.
    "report-axis-time" => axis_time();
    /// Axis.
    "report-axis-rate" => axis_rate();
    /// Axis.
    "report-axis-latency-log" => axis_latency_log();
    /// Axis.
    "report-axis-share" => axis_share();
    /// Axis.
    "report-axis-users" => axis_users();
    /// Axis.
    "report-axis-requests" => axis_requests();
    /// Series of a chart.
    "report-series-planned" => series_planned();
    /// Series of a chart.
    "report-series-achieved" => series_achieved();
    /// Series of a chart.
    "report-series-dropped" => series_dropped();
    /// Series of a chart.
    "report-series-late" => series_late(ms);
    /// Column.
    "report-column-group" => column_group();
    /// Series of a chart.
    "report-series-p50" => series_p50();
    /// Series: mean.
    "report-series-mean" => series_mean();
    /// Series of a chart.
    "report-series-p95" => series_p95();
    /// Series of a chart.
    "report-series-p99" => series_p99();
    /// Series of a chart.
    "report-series-intended" => series_intended();
    /// Series of a chart.
    "report-series-failed" => series_failed();
    /// Series of a chart.
    "report-series-users" => series_users();
    /// Series of a chart.
    "report-series-requests" => series_requests();
    /// Event.
    "report-event-warmed-up" => event_warmed_up();
    /// Event.
    "report-event-paused" => event_paused();
    /// Event.
    "report-event-resumed" => event_resumed();
    /// Event.
    "report-event-scaled" => event_scaled(percent);
    /// Event.
    "report-event-level" => event_level(level);
    /// Event.
    "report-event-stop" => event_stop();
    /// Fact under the title of a run that goes on.
    "report-fact-so-far" => fact_so_far(length, vus);
    /// The same, where it is planned how long it lasts.
    "report-fact-of-planned" => fact_of_planned(passed, planned, vus);
    /// Fact under the title.
    "report-fact-run" => fact_run(name);
    /// Figure.
    "report-figure-rate" => figure_rate();
    /// Figure.
    "report-figure-iterations" => figure_iterations();
    /// Figure.
    "report-figure-p95" => figure_p95();
    /// Figure.
    "report-figure-errors" => figure_errors();
    /// Figure.
    "report-figure-dropped" => figure_dropped();
    /// Note of a figure.
    "report-figure-of-requests" => figure_of_requests(count);
    /// Note of a figure.
    "report-figure-of-iterations" => figure_of_iterations(count);
    /// Note of a figure.
    "report-figure-of-failed" => figure_of_failed(failed, all);
    /// Verdict of a run that goes on.
    "report-verdict-running" => verdict_running(rate, p95, errors);
    /// Verdict of a run without end.
    "report-verdict-cut-off" => verdict_cut_off();
    /// Result of a goal.
    "report-word-met" => word_met();
    /// Result of a goal.
    "report-word-missed" => word_missed();
    /// Result of a goal.
    "report-word-unknown" => word_unknown();
    /// Row.
    "report-row-warm-up" => row_warm_up();
    /// Row.
    "report-row-starts" => row_starts();
    /// Row.
    "report-row-accounting" => row_accounting();
    /// Row.
    "report-row-repetitions" => row_repetitions();
    /// Row.
    "report-row-command" => row_command();
    /// Row.
    "report-row-version" => row_version();
    /// No warm-up.
    "report-no-warm-up" => no_warm_up();
    /// A warm-up that goes on.
    "report-warm-up-goes-on" => warm_up_goes_on();
    /// State of a run that goes on.
    "report-word-warming" => word_warming();
    /// What the generator's health is while a run goes on.
    "report-generator-so-far" => generator_so_far();
    /// The generator limits a run that goes on.
    "report-generator-now" => generator_now(reasons);
    /// No repetitions.
    "report-no-repetition" => no_repetition();
    /// Starts that began.
    "report-starts-kept" => starts_kept(started, planned);
    /// Heading.
    "report-section-notes" => section_notes();
    /// Heading.
    "report-section-curve" => section_curve();
    /// Heading.
    "report-section-points" => section_points();
    /// Heading.
    "report-section-levels" => section_levels();
    /// Heading.
    "report-section-changed" => section_changed();
    /// Heading.
    "report-section-differences" => section_differences();
    /// Heading.
    "report-section-method" => section_method();
    /// Heading.
    "report-section-metrics" => section_metrics();
    /// Note under a heading.
    "report-note-same-axes" => note_same_axes();
    /// Column.
    "report-column-before" => column_before();
    /// Column.
    "report-column-after" => column_after();
    /// Column.
    "report-column-metric" => column_metric();
    /// Column.
    "report-column-value" => column_value();
    /// Column.
    "report-column-figure" => column_figure();
    /// Column.
    "report-column-formula" => column_formula();
    /// Column.
    "report-column-notes" => column_notes();
    /// Title of a chart.
    "report-chart-throughput" => chart_throughput();
    /// Title of a chart.
    "report-chart-p95" => chart_p95();
    /// Caption of a chart.
    "report-caption-levels" => caption_levels(count);
    /// Axis.
    "report-axis-iterations" => axis_iterations();
    /// Series of a chart.
    "report-series-levels" => series_levels();
    /// Result of a search.
    "report-word-found" => word_found(load);
    /// Result of a search whose levels together put the line below what held.
    "report-word-about" => word_about(about);
    /// Result of a search.
    "report-word-at-least" => word_at_least(load);
    /// A load that was asked for.
    "report-goal-load" => goal_load(load, terms);
    /// Result of a search.
    "report-word-none" => word_none();
    /// Result of a comparison.
    "report-word-changed" => word_changed();
    /// Result of a comparison.
    "report-word-worse" => word_worse();
    /// Result of a comparison.
    "report-word-better" => word_better();
    /// Result of a comparison.
    "report-word-same" => word_same();
    /// Result of a comparison.
    "report-word-cannot-tell" => word_cannot_tell();
    /// Result of a comparison: the words of the one before.
    "report-same-as-before" => same_as_before();
    /// Verdict of a table.
    "report-capacity-of-table" => capacity_of_table(terms, last, first);
    /// Verdict of a search whose levels together put the line below what held.
    "report-capacity-below" => capacity_below(terms);
    /// Verdict of a search.
    "report-capacity-between" => capacity_between(load, requests, terms, beyond);
    /// Verdict of a search.
    "report-capacity-at-least" => capacity_at_least(load, requests, terms);
    /// Verdict of a search.
    "report-capacity-generator" => capacity_generator(load, requests, terms);
    /// Verdict of a search.
    "report-capacity-fails" => capacity_fails();
    /// Verdict of a search.
    "report-capacity-no-answer" => capacity_no_answer();
    /// Verdict of a search.
    "report-capacity-any-load" => capacity_any_load(terms);
    /// A search that ended before it could tell.
    "report-capacity-unclear" => capacity_unclear(terms);
    /// A search of which no request is what its objective asks for.
    "report-capacity-no-sample" => capacity_no_sample(terms);
    /// A search of a test that sends nothing.
    "report-capacity-no-requests" => capacity_no_requests();
    /// Verdict of a search.
    "report-capacity-none" => capacity_none(terms);
    /// Where a table's line lies.
    "report-between-levels" => between_levels(last, first);
    /// Note of a figure.
    "report-held-briefly" => held_briefly(load);
    /// Note of a figure.
    "report-too-much-at" => too_much_at(load);
    /// Note of a figure.
    "report-of-peak" => of_peak(share);
    /// Outcome of a level.
    "report-outcome-misses" => outcome_misses();
    /// Outcome of a level.
    "report-outcome-overloaded" => outcome_overloaded();
    /// Outcome of a level.
    "report-outcome-waits" => outcome_waits();
    /// Outcome of a level.
    "report-outcome-aborted" => outcome_aborted();
    /// Outcome of a level.
    "report-outcome-invalid" => outcome_invalid();
    /// Verdict of a comparison.
    "report-compare-changed" => compare_changed();
    /// Verdict of a comparison.
    "report-compare-worse" => compare_worse(measures);
    /// Verdict of a comparison.
    "report-compare-better" => compare_better(measures);
    /// Verdict of a comparison.
    "report-compare-same" => compare_same(measures);
    /// Some measures do not differ, and of others it cannot be told.
    "report-compare-same-partly" => compare_same_partly(same, unknown);
    /// Verdict of a comparison.
    "report-compare-cannot" => compare_cannot();
    /// Verdict of a plan.
    "report-plan-nothing" => plan_nothing();
    /// Fact under the title.
    "report-from-k6" => from_k6();
    /// What a file of samples does not tell of thresholds.
    "report-imported-submetrics" => imported_submetrics();
    /// The file of samples ends too early.
    "report-imported-cut" => imported_cut();
    /// What a CSV file of samples does not tell.
    "report-imported-csv" => imported_csv();
    /// Samples that no list has room for.
    "report-imported-left-out" => imported_left_out(count);
    /// Fact under the title.
    "report-from-artillery" => from_artillery();
    /// Fact under the title.
    "report-fact-seconds" => fact_seconds(seconds);
    /// Verdict of another tool's run.
    "report-imported-pace" => imported_pace(rate, p95, errors);
    /// Verdict of another tool's run.
    "report-imported-missed" => imported_missed(missed, all, rate, p95, errors);
    /// Note on another tool's run.
    "report-imported-note" => imported_note();
    /// A report was written.
    "report-written" => written(path);
    /// Of the target.
    "report-section-target" => section_target();
    /// Of the target.
    "report-note-target" => note_target();
    /// Of the target.
    "report-caption-target" => caption_target();
    /// Of the target.
    "report-table-time" => table_time();
    /// Of the target.
    "report-column-part" => column_part();
    /// Of the target.
    "report-column-time-ms" => column_time_ms();
    /// Of the target.
    "report-column-slowest-ms" => column_slowest_ms();
    /// Of the target.
    "report-panel-cpu" => panel_cpu();
    /// Of the target.
    "report-panel-heap" => panel_heap();
    /// Of the target.
    "report-panel-memory" => panel_memory();
    /// Of the target.
    "report-panel-pauses" => panel_pauses();
    /// Of the target.
    "report-panel-threads" => panel_threads();
    /// Of the target.
    "report-panel-pool" => panel_pool();
    /// Of the target.
    "report-panel-holds" => panel_holds();
    /// Of the target.
    "report-panel-sessions" => panel_sessions();
    /// Of the target.
    "report-panel-outside" => panel_outside();
    /// Of the target.
    "report-axis-cores" => axis_cores();
    /// Of the target.
    "report-axis-mebibytes" => axis_mebibytes();
    /// Of the target.
    "report-axis-percent" => axis_percent();
    /// Of the target.
    "report-axis-count" => axis_count();
    /// Of the target.
    "report-axis-mean-ms" => axis_mean_ms();
    /// Of the target.
    "report-line-used" => line_used();
    /// Of the target.
    "report-line-available" => line_available();
    /// Of the target.
    "report-line-throttled" => line_throttled();
    /// Of the target.
    "report-line-host" => line_host();
    /// Of the target.
    "report-line-after-collection" => line_after_collection();
    /// Of the target.
    "report-line-most" => line_most();
    /// Of the target.
    "report-line-pauses" => line_pauses();
    /// Of the target.
    "report-line-busy" => line_busy();
    /// Of the target.
    "report-line-waiting" => line_waiting();
    /// Of the target.
    "report-line-held" => line_held();
    /// Of the target.
    "report-line-hold-time" => line_hold_time();
    /// Of the target.
    "report-line-acquire-time" => line_acquire_time();
    /// Of the target.
    "report-line-active" => line_active();
    /// Of the target.
    "report-line-idle-in-transaction" => line_idle_in_transaction();
    /// Of the target.
    "report-line-lock" => line_lock();
    /// Of the target.
    "report-line-call-time" => line_call_time();
}
