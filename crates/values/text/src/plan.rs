//! What a plan says: why numbers cannot be, names of figures, assumptions, doubts.

use crate::message::declare_messages;

declare_messages! {
    /// A formula, or a name, that is the same in every language.
    "plan-reason-plain" => reason_plain(text);
    /// The server's own default.
    "plan-reason-tomcat" => reason_tomcat(value);
    /// Why a time-out is not shorter.
    "plan-reason-lost-syn" => reason_lost_syn();
    /// The number of cores.
    "plan-reason-cores" => reason_cores();
    /// Fewer connections can lock each other out.
    "plan-reason-no-deadlock" => reason_no_deadlock(least);
    /// Fewer connections do not carry the rate.
    "plan-reason-hold-time" => reason_hold_time(least);
    /// Why as many connections stay open.
    "plan-reason-fixed-pool" => reason_fixed_pool();
    /// Why a number cannot be: not positive.
    "plan-why-not-positive" => why_not_positive();
    /// Why a number cannot be: not whole.
    "plan-why-not-whole" => why_not_whole();
    /// A full stop that may part thousands.
    "plan-why-full-stop" => why_full_stop();
    /// Why a number cannot be: negative.
    "plan-why-negative" => why_negative();
    /// Why a number cannot be: below one.
    "plan-why-below-one" => why_below_one();
    /// Why a number cannot be: no unit.
    "plan-why-no-unit" => why_no_unit();
    /// A size without a unit.
    "plan-why-no-size-unit" => why_no_size_unit();
    /// Why a number cannot be: not time.
    "plan-why-not-time" => why_not_time();
    /// Why a number cannot be: backwards.
    "plan-why-backwards" => why_backwards();
    /// Why a number cannot be: too large.
    "plan-why-too-large" => why_too_large();
    /// Why a number cannot be: not rate.
    "plan-why-not-rate" => why_not_rate();
    /// Why a number cannot be: not memory.
    "plan-why-not-memory" => why_not_memory();
    /// Why a number cannot be: not number.
    "plan-why-not-number" => why_not_number();
    /// Why a number cannot be.
    "plan-why-decimal-comma" => why_decimal_comma(point);
    /// Why a number cannot be: unknown input.
    "plan-why-unknown-input" => why_unknown_input(known);
    /// Why a number cannot be: more than.
    "plan-why-more-than" => why_more_than(name, value);
    /// Why a number cannot be: memory small.
    "plan-why-memory-small" => why_memory_small();
    /// Why a number cannot be: shares.
    "plan-why-shares" => why_shares(sum);
    /// Why a number cannot be: same feature.
    "plan-why-same-feature" => why_same_feature();
    /// Why a number cannot be: feature name.
    "plan-why-feature-name" => why_feature_name();
    /// Why a number cannot be: feature path.
    "plan-why-feature-path" => why_feature_path();
    /// Why a number cannot be: feature part.
    "plan-why-feature-part" => why_feature_part();
    /// Why a text is no stages.
    "plan-why-no-stage" => why_no_stage(found);
    /// Why stages cannot stand beside another input.
    "plan-why-stages-beside" => why_stages_beside(name);
    /// Names of figures: the requests of a stage.
    "plan-stage" => stage(number);
    /// Names of figures: the requests of all stages.
    "plan-stages" => stages_total();
    /// Names of figures: rate.
    "plan-mean-rate" => mean_rate();
    /// Names of figures: rate.
    "plan-peak-rate" => peak_rate();
    /// Names of figures: dau.
    "plan-dau" => dau();
    /// Names of figures: online.
    "plan-online" => online();
    /// Names of figures: mean.
    "plan-users-mean" => users_mean(response);
    /// Names of figures: peak.
    "plan-users-peak" => users_peak(response);
    /// Names of figures: iterations.
    "plan-iterations" => iterations();
    /// Names of figures: rate.
    "plan-feature-rate" => feature_rate(name);
    /// Names of figures: sum.
    "plan-feature-sum" => feature_sum();
    /// Names of figures: ceiling.
    "plan-ceiling" => ceiling();
    /// Names of figures: at.
    "plan-ceiling-at" => ceiling_at(response);
    /// What is assumed: goal.
    "plan-assumes-goal-of-page" => assumes_goal_of_page();
    /// The goal of the written tests, for other commands.
    "plan-written-goal" => written_goal(goal);
    /// Names of figures: goal.
    "plan-api-goal" => api_goal();
    /// Names of figures: threads.
    "plan-threads" => threads();
    /// Names of figures: response as wait.
    "plan-threads-response-as-wait" => threads_response_as_wait();
    /// Names of figures: pool.
    "plan-pool" => pool();
    /// Names of figures: each.
    "plan-pool-each" => pool_each(instances);
    /// Names of figures: deadlock.
    "plan-pool-deadlock" => pool_deadlock();
    /// Names of figures: needed.
    "plan-pool-needed" => pool_needed();
    /// Names of figures: allowed.
    "plan-pool-allowed" => pool_allowed();
    /// Names of figures: timeout.
    "plan-connection-timeout" => connection_timeout();
    /// Names of figures: connections.
    "plan-max-connections" => max_connections();
    /// Names of figures: count.
    "plan-accept-count" => accept_count();
    /// Names of figures: timeout.
    "plan-client-timeout" => client_timeout();
    /// Names of figures: heap.
    "plan-heap" => heap();
    /// Names of figures: collector.
    "plan-collector" => collector(name);
    /// What is assumed: whole day.
    "plan-assumes-whole-day" => assumes_whole_day();
    /// What is assumed: rate is peak.
    "plan-assumes-rate-is-peak" => assumes_rate_is_peak();
    /// An assumption.
    "plan-assumes-online-is-peak" => assumes_online_is_peak();
    /// An assumption.
    "plan-assumes-connections-suffice" => assumes_connections_suffice();
    /// What is assumed: no think time.
    "plan-assumes-no-think-time" => assumes_no_think_time();
    /// What is assumed: share of rest.
    "plan-assumes-share-of-rest" => assumes_share_of_rest();
    /// What is assumed: p95 as mean.
    "plan-assumes-p95-as-mean" => assumes_p95_as_mean();
    /// What is assumed: one call.
    "plan-assumes-one-call" => assumes_one_call();
    /// What is assumed: spindle.
    "plan-assumes-spindle" => assumes_spindle();
    /// What is assumed: db cores.
    "plan-assumes-db-cores" => assumes_db_cores(cores);
    /// What is assumed: even spread.
    "plan-assumes-even-spread" => assumes_even_spread();
    /// What is assumed: one connection.
    "plan-assumes-one-connection" => assumes_one_connection();
    /// What is assumed: rollout.
    "plan-assumes-rollout" => assumes_rollout();
    /// What is assumed: reserved.
    "plan-assumes-reserved" => assumes_reserved(count);
    /// What is assumed: fails before caller.
    "plan-assumes-fails-before-caller" => assumes_fails_before_caller();
    /// What is assumed: one connection a user.
    "plan-assumes-one-connection-a-user" => assumes_one_connection_a_user();
    /// What is assumed: queue within patience.
    "plan-assumes-queue-within-patience" => assumes_queue_within_patience();
    /// What is assumed: of users nothing is known.
    "plan-assumes-connections-of-unknown-users" => assumes_connections_of_unknown_users();
    /// What is assumed: rule of thumb, of a response time that nobody asked for.
    "plan-assumes-rule-of-thumb-without-goal" => assumes_rule_of_thumb_without_goal(goal);
    /// What is assumed: rule of thumb.
    "plan-assumes-rule-of-thumb" => assumes_rule_of_thumb();
    /// What is assumed: outside heap.
    "plan-assumes-outside-heap" => assumes_outside_heap(metaspace, code, native, stacks);
    /// What is assumed: collector named.
    "plan-assumes-collector-named" => assumes_collector_named();
    /// Inputs that another one takes the place of.
    "plan-doubts-unused" => doubts_unused(names);
    /// What is doubtful: daily share.
    "plan-doubts-daily-share" => doubts_daily_share(share);
    /// What is doubtful: day is not online.
    "plan-doubts-day-is-not-online" => doubts_day_is_not_online(online);
    /// What is doubtful: upper bound.
    "plan-doubts-upper-bound" => doubts_upper_bound(rate);
    /// What is doubtful: peak factor.
    "plan-doubts-peak-factor" => doubts_peak_factor(factor);
    /// What is doubtful: below one user.
    "plan-doubts-below-one-user" => doubts_below_one_user();
    /// What is doubtful: users who pause for very long.
    "plan-doubts-long-pause" => doubts_long_pause(think, waiting);
    /// What is doubtful: feature sum.
    "plan-doubts-feature-sum" => doubts_feature_sum(whole);
    /// What is doubtful: ceiling.
    "plan-doubts-ceiling" => doubts_ceiling(rate, goal);
    /// What is doubtful: no time left.
    "plan-doubts-no-time-left" => doubts_no_time_left();
    /// What is doubtful: no round trips.
    "plan-doubts-no-round-trips" => doubts_no_round_trips();
    /// What is doubtful: goal above budget.
    "plan-doubts-goal-above-budget" => doubts_goal_above_budget(p95);
    /// What is doubtful: wait is response.
    "plan-doubts-wait-is-response" => doubts_wait_is_response(response, wait);
    /// What is doubtful: measured under load.
    "plan-doubts-measured-under-load" => doubts_measured_under_load();
    /// What is doubtful: no service time.
    "plan-doubts-no-service-time" => doubts_no_service_time();
    /// What is doubtful: spindle on ssd.
    "plan-doubts-spindle-on-ssd" => doubts_spindle_on_ssd(connections);
    /// What is doubtful: pool beyond db.
    "plan-doubts-pool-beyond-db" => doubts_pool_beyond_db(wanted, most);
    /// What is doubtful: memory small.
    "plan-doubts-memory-small" => doubts_memory_small();
    /// What is doubtful: serial.
    "plan-doubts-serial" => doubts_serial();
    /// Around the figures: need cores.
    "plan-settings-need-cores" => settings_need_cores();
    /// Around the figures: load.
    "plan-heading-load" => heading_load();
    /// Around the figures: settings.
    "plan-heading-settings" => heading_settings(instances);
    /// Around the figures: assumes.
    "plan-label-assumes" => label_assumes();
    /// Around the figures: doubts.
    "plan-label-doubts" => label_doubts();
    /// Around the figures: are a start.
    "plan-settings-are-a-start" => settings_are_a_start();
    /// Around the figures: tests.
    "plan-written-tests" => written_tests(count, folder);
    /// Tests were written whose requests should have a body, and have none.
    "plan-tests-without-body" => tests_without_body(features);
    /// The first comment of a written test.
    "plan-test-written-by" => test_written_by(name, about);
    /// What a written test is for: smoke.
    "plan-test-about-smoke" => test_about_smoke();
    /// What a written test is for: load.
    "plan-test-about-load" => test_about_load();
    /// What a written test is for: stress.
    "plan-test-about-stress" => test_about_stress();
    /// What a written test is for: spike.
    "plan-test-about-spike" => test_about_spike();
    /// What a written test is for: soak.
    "plan-test-about-soak" => test_about_soak();
    /// What a written test is for: break-point.
    "plan-test-about-breakpoint" => test_about_breakpoint();
    /// What a written test is for: one API.
    "plan-test-about-api" => test_about_api();
    /// What a written test is for: the user flow of k6, a fixed number of users.
    "plan-test-about-closed-flow" => test_about_closed_flow();
    /// What a written test is for: the user flow of Artillery, arriving users.
    "plan-test-about-open-flow" => test_about_open_flow();
    /// A comment within a written test: starts do not wait for answers.
    "plan-test-open-model" => test_open_model();
    /// A comment within a written test: a unit.
    "plan-test-seconds" => test_seconds();
    /// A comment within a written test: the flow's formula.
    "plan-test-flow-ceiling" => test_flow_ceiling(users, calls, think);
    /// A comment within a written test: what the formula gives.
    "plan-test-flow-best" => test_flow_best(best, goal, p95);
    /// A comment within a written test: what the formula gives without thinking.
    "plan-test-flow-unbounded" => test_flow_unbounded(goal, p95);
    /// The first comment of a written stand-in.
    "plan-mock-written-by" => mock_written_by();
    /// Around the figures: ceiling.
    "plan-flow-ceiling" => flow_ceiling(users, calls, think, best, goal, p95);
    /// A run beside its plan: is planned.
    "plan-run-is-planned" => run_is_planned(offered, planned);
    /// A run beside its plan: differs.
    "plan-run-differs" => run_differs(offered, planned, times);
    /// A run beside its plan: ceiling.
    "plan-run-ceiling" => run_ceiling(goal, best, planned);
    /// A run beside its plan: out of reach.
    "plan-run-out-of-reach" => run_out_of_reach(best, planned);
    /// A run beside its plan: sent planned.
    "plan-run-sent-planned" => run_sent_planned(sent, planned, seconds);
    /// A run beside its plan: sent differs.
    "plan-run-sent-differs" => run_sent_differs(sent, planned, times, seconds);
    /// What logs say: heading.
    "plan-log-heading" => log_heading();
    /// What logs say: read.
    "plan-log-read" => log_read(requests, lines, files, formats);
    /// What logs say: span.
    "plan-log-span" => log_span(first, last, zone, days);
    /// The times of a log have no zone.
    "plan-log-zone-none" => log_zone_none();
    /// ... of lines of which none is a request.
    "plan-log-read-none" => log_read_none(lines, files);
    /// What logs say: row mean.
    "plan-log-row-mean" => log_row_mean();
    /// What logs say: row day.
    "plan-log-row-day" => log_row_day();
    /// What logs say: row minute.
    "plan-log-row-minute" => log_row_minute();
    /// What logs say: row second.
    "plan-log-row-second" => log_row_second();
    /// What logs say: row peak factor.
    "plan-log-row-peak-factor" => log_row_peak_factor();
    /// What logs say: row growth.
    "plan-log-row-growth" => log_row_growth();
    /// What logs say: growth.
    "plan-log-growth" => log_growth(first, last, factor, month);
    /// What logs say: row sessions.
    "plan-log-row-sessions" => log_row_sessions();
    /// What logs say: sessions.
    "plan-log-sessions" => log_sessions(sessions, requests);
    /// What logs say: row think.
    "plan-log-row-think" => log_row_think();
    /// What logs say: think.
    "plan-log-think" => log_think(median, share);
    /// What logs say: row retries.
    "plan-log-row-retries" => log_row_retries();
    /// What logs say: retries.
    "plan-log-retries" => log_retries(share);
    /// What logs say: row statuses.
    "plan-log-row-statuses" => log_row_statuses();
    /// What logs say: column share.
    "plan-log-column-share" => log_column_share();
    /// What logs say: column peak.
    "plan-log-column-peak" => log_column_peak();
    /// What logs say: column errors.
    "plan-log-column-errors" => log_column_errors();
    /// What logs say: more.
    "plan-log-more" => log_more(count, share);
    /// What logs say: trouble.
    "plan-log-trouble" => log_trouble(what, count, places);
    /// What logs say: trouble binary.
    "plan-log-trouble-binary" => log_trouble_binary();
    /// What logs say: trouble too long.
    "plan-log-trouble-too-long" => log_trouble_too_long();
    /// What logs say: trouble unreadable.
    "plan-log-trouble-unreadable" => log_trouble_unreadable();
    /// What logs say: trouble time.
    "plan-log-trouble-time" => log_trouble_time();
    /// What logs say: trouble request.
    "plan-log-trouble-request" => log_trouble_request();
    /// What logs say: trouble backwards.
    "plan-log-trouble-backwards" => log_trouble_backwards();
    /// What logs say: trouble other format.
    "plan-log-trouble-other-format" => log_trouble_other_format();
    /// What logs say: trouble damaged.
    "plan-log-trouble-damaged" => log_trouble_damaged();
    /// What logs say: which field is the time of a request.
    "plan-log-row-times" => log_row_times();
    /// A field taken for the time: its values have a unit.
    "plan-log-time-unit" => log_time_unit(field);
    /// A field taken for the time: its name says so.
    "plan-log-time-name" => log_time_name(field, unit);
    /// A field taken for the time: three decimals.
    "plan-log-time-decimals" => log_time_decimals(field, unit);
    /// A field taken for the time: the longest of several.
    "plan-log-time-longest" => log_time_longest(field, unit);
    /// A field taken for the time: that of servers behind.
    "plan-log-time-servers" => log_time_servers(field);
    /// A field taken for the time: by the format string.
    "plan-log-time-format" => log_time_format(field, unit);
    /// A field taken for the time: by the log's own format.
    "plan-log-time-point" => log_time_point(field);
    /// Of a field of a log: which one, in which unit, and why.
    "plan-log-time-layout" => log_time_layout(field, unit);
    /// A field taken for the time: by --log-fields.
    "plan-log-time-given" => log_time_given(field, unit);
    /// No field is the time.
    "plan-log-time-none" => log_time_none();
    /// A field not taken: the time of day.
    "plan-log-no-time-clock" => log_no_time_clock(example);
    /// A field not taken: its unit cannot be told.
    "plan-log-no-time-unit" => log_no_time_unit(field, example);
    /// The same, of a field without a name.
    "plan-log-no-time-whole" => log_no_time_whole(example);
    /// A field not taken: a version or a ratio.
    "plan-log-no-time-decimals" => log_no_time_decimals(example);
    /// Two fields not taken: they contradict each other.
    "plan-log-no-time-disagree" => log_no_time_disagree(one, other);
    /// A field not taken: it is longer than the log.
    "plan-log-no-time-long" => log_no_time_long(field, median, length);
    /// All requests come from one address.
    "plan-log-one-address" => log_one_address();
    /// Times that are too short for their unit.
    "plan-log-too-short" => log_too_short(field);
    /// Why a log format cannot be used.
    "plan-log-format-unknown" => log_format_unknown(name, known);
    /// Why a log format cannot be used.
    "plan-log-format-variable" => log_format_variable(name);
    /// Why a log format cannot be used.
    "plan-log-format-adjacent" => log_format_adjacent(before, after);
    /// Why a log format cannot be used.
    "plan-log-format-no-time" => log_format_no_time();
    /// Why a log format cannot be used.
    "plan-log-format-no-request" => log_format_no_request();
    /// What logs say: late.
    "plan-log-late" => log_late(count);
    /// What logs say: minute.
    "plan-busiest-minute" => busiest_minute(at);
    /// What logs say: mix of all.
    "plan-assumes-mix-of-all" => assumes_mix_of_all();
    /// What logs say: mock.
    "plan-written-mock" => written_mock(path);
}
