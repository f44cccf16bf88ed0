//! What the rules of `explain` say: findings, advice, and what is missing to tell.

use crate::message::declare_messages;

declare_messages! {
    /// A goal is missed without load.
    "explain-objective-missed-unloaded" => objective_missed_unloaded(goal, unloaded);
    /// A goal is missed by the fastest, too.
    "explain-objective-missed-fastest" => objective_missed_fastest(goal);
    /// What to do about it.
    "explain-objective-missed-try" => objective_missed_try();
    /// Missing.
    "explain-missing-without-load" => missing_without_load();
    /// The finding.
    "explain-periodic-stops" => periodic_stops(length, times);
    /// What to do.
    "explain-periodic-stops-try" => periodic_stops_try();
    /// The finding.
    "explain-connections-closed" => connections_closed(rate);
    /// What to do.
    "explain-threads-try-queue" => threads_try_queue();
    /// What decides between two causes.
    "explain-decide-by-pool" => decide_by_pool();
    /// What decides between two causes.
    "explain-decide-by-threads" => decide_by_threads();
    /// What decides between two causes.
    "explain-decide-by-heap" => decide_by_heap();
    /// What decides between two causes.
    "explain-decide-by-cores" => decide_by_cores();
    /// Finding.
    "explain-clock-ahead" => clock_ahead(seconds);
    /// Finding.
    "explain-clock-behind" => clock_behind(seconds);
    /// Advice.
    "explain-clock-try" => clock_try();
    /// Finding.
    "explain-spans-left-out" => spans_left_out(share);
    /// Advice.
    "explain-spans-left-out-try" => spans_left_out_try();
    /// Finding.
    "explain-slow-instance" => slow_instance(count, instance, time, others);
    /// Advice.
    "explain-slow-instance-try" => slow_instance_try();
    /// What is missing.
    "explain-missing-one-process" => missing_one_process(page, count);
    /// Finding.
    "explain-slow-tail" => slow_tail(share, slow, quick);
    /// Advice.
    "explain-slow-tail-try" => slow_tail_try();
    /// Finding.
    "explain-warming" => warming(early, late);
    /// Finding.
    "explain-database-storage" => database_storage(sessions);
    /// Advice.
    "explain-database-storage-try-read-less" => database_storage_try_read_less();
    /// Advice.
    "explain-database-storage-try-faster" => database_storage_try_faster();
    /// Finding.
    "explain-pool-small-traced" => pool_small_traced(wait, hold);
    /// Statement.
    "explain-log-errors" => log_errors(count, first);
    /// Advice.
    "explain-log-errors-try" => log_errors_try();
    /// Finding.
    "explain-generator" => generator();
    /// Finding.
    "explain-generator-noise" => generator_noise();
    /// Finding.
    "explain-generator-stood-still" => generator_stood_still(longest, seconds, all);
    /// Advice.
    "explain-generator-stood-still-try" => generator_stood_still_try();
    /// Advice.
    "explain-generator-try" => generator_try();
    /// Finding.
    "explain-script-ceiling" => script_ceiling(users, pause, rate);
    /// Advice.
    "explain-script-ceiling-try" => script_ceiling_try();
    /// Finding.
    "explain-user-limit" => user_limit(users);
    /// Advice.
    "explain-user-limit-try" => user_limit_try();
    /// Finding.
    "explain-wrong-answers" => wrong_answers(share);
    /// Advice.
    "explain-wrong-answers-try" => wrong_answers_try();
    /// Finding.
    "explain-network-bandwidth" => network_bandwidth(megabytes);
    /// Advice.
    "explain-network-bandwidth-try-smaller" => network_bandwidth_try_smaller();
    /// Advice.
    "explain-network-bandwidth-try-wider" => network_bandwidth_try_wider();
    /// Finding.
    "explain-network-loss" => network_loss(share);
    /// Advice.
    "explain-network-loss-try" => network_loss_try();
    /// Finding.
    "explain-network-delay" => network_delay(way, mean, server);
    /// Advice.
    "explain-network-delay-try" => network_delay_try();
    /// Finding.
    "explain-connections-of-callers" => connections_of_callers(share, each);
    /// Advice.
    "explain-connections-of-callers-try" => connections_of_callers_try();
    /// Finding.
    "explain-cpu-quota" => cpu_quota(share, quota);
    /// Advice.
    "explain-cpu-quota-try" => cpu_quota_try(cores);
    /// Finding.
    "explain-neighbour" => neighbour(delay, used, cores);
    /// Advice.
    "explain-neighbour-try" => neighbour_try();
    /// Finding.
    "explain-heap" => heap(share);
    /// Advice.
    "explain-heap-try-more" => heap_try_more();
    /// Advice.
    "explain-heap-try-less" => heap_try_less();
    /// Finding.
    "explain-long-pauses" => long_pauses(pause, collector);
    /// Finding.
    "explain-long-pauses-by-default" => long_pauses_by_default(pause, collector);
    /// Advice.
    "explain-long-pauses-try-collector" => long_pauses_try_collector();
    /// Advice.
    "explain-target-cpu-try-code" => target_cpu_try_code();
    /// Advice.
    "explain-target-cpu-try-cost" => target_cpu_try_cost(cost);
    /// Advice.
    "explain-target-cpu-try-cores" => target_cpu_try_cores(cores);
    /// What to do where an interpreter computes on one core.
    "explain-target-cpu-try-processes" => target_cpu_try_processes();
    /// Advice.
    "explain-target-cpu-try-fewer-threads" => target_cpu_try_fewer_threads(threads);
    /// Finding.
    "explain-memory-limit" => memory_limit(share);
    /// Advice.
    "explain-memory-limit-try" => memory_limit_try();
    /// Finding.
    "explain-cold" => cold(early, late);
    /// Advice.
    "explain-cold-try" => cold_try();
    /// Finding.
    "explain-event-loop-blocked" => event_loop_blocked(lag);
    /// Finding.
    "explain-event-loop-busy" => event_loop_busy(share);
    /// Finding.
    "explain-event-loop-computes" => event_loop_computes();
    /// Advice.
    "explain-event-loop-sleeps" => event_loop_sleeps(share);
    /// Advice.
    "explain-event-loop-try-move" => event_loop_try_move();
    /// Advice.
    "explain-event-loop-try-processes" => event_loop_try_processes();
    /// Finding.
    "explain-threads" => threads(most, time);
    /// Finding.
    "explain-threads-compute" => threads_compute(most, time);
    /// Advice.
    "explain-threads-try-wait" => threads_try_wait();
    /// Advice.
    "explain-threads-try-more" => threads_try_more(threads);
    /// Finding.
    "explain-accept-queue" => accept_queue(overflows);
    /// Finding.
    "explain-accept-queue-behind" => accept_queue_behind(overflows);
    /// Advice.
    "explain-accept-queue-behind-try" => accept_queue_behind_try();
    /// Finding.
    "explain-target-cpu-shared" => target_cpu_shared(used, waits);
    /// Finding.
    "explain-connections-full" => connections_full(most);
    /// Advice.
    "explain-accept-queue-try" => accept_queue_try();
    /// Advice.
    "explain-accept-queue-waiting-try" => accept_queue_waiting_try();
    /// Finding.
    "explain-pool-held" => pool_held(most, hold, call);
    /// Finding.
    "explain-pool-held-idle" => pool_held_idle(most, hold);
    /// Advice.
    "explain-pool-held-try-move" => pool_held_try_move();
    /// Advice.
    "explain-pool-held-try-more" => pool_held_try_more(size);
    /// Finding.
    "explain-pool-small" => pool_small(most, hold);
    /// Advice.
    "explain-pool-small-try-statement" => pool_small_try_statement();
    /// Advice.
    "explain-pool-small-try-more" => pool_small_try_more(size);
    /// Finding.
    "explain-pool-exhausted" => pool_exhausted(most, hold);
    /// Finding.
    "explain-pool-held-as-alone" => pool_held_as_alone(most, hold);
    /// Advice.
    "explain-pool-exhausted-try-look" => pool_exhausted_try_look();
    /// Finding.
    "explain-row-lock" => row_lock(waiting);
    /// Advice.
    "explain-row-lock-try-order" => row_lock_try_order();
    /// Advice.
    "explain-row-lock-try-count" => row_lock_try_count();
    /// Finding.
    "explain-many-statements" => many_statements(calls, each);
    /// Advice.
    "explain-many-statements-try" => many_statements_try();
    /// Finding.
    "explain-missing-index" => missing_index(share, blocks, rows);
    /// Finding.
    "explain-missing-index-rows" => missing_index_rows(share, examined, rows);
    /// Advice.
    "explain-missing-index-try" => missing_index_try();
    /// Finding.
    "explain-database-cpu" => database_cpu(share, cores, top);
    /// Finding.
    "explain-database-cpu-only" => database_cpu_only(share, cores);
    /// Finding: a managed database whose cores are not known.
    "explain-database-cpu-share" => database_cpu_share(share);
    /// Advice: a managed database of a larger class.
    "explain-database-cpu-try-larger" => database_cpu_try_larger();
    /// Advice.
    "explain-database-cpu-try-statement" => database_cpu_try_statement(share);
    /// Advice.
    "explain-database-cpu-try-cache" => database_cpu_try_cache();
    /// Advice.
    "explain-database-cpu-try-cores" => database_cpu_try_cores(cores);
    /// Finding.
    "explain-database-time" => database_time(share);
    /// Finding.
    "explain-database-crowded" => database_crowded(active);
    /// Finding.
    "explain-database-sessions" => database_sessions(all, most);
    /// Finding.
    "explain-database-sessions-of" => database_sessions_of(name, most);
    /// Advice.
    "explain-database-sessions-try" => database_sessions_try();
    /// Finding.
    "explain-slow-outside" => slow_outside(share, peer, time);
    /// Finding.
    "explain-outside-limit" => outside_limit(peer, early, late);
    /// Advice.
    "explain-outside-try-trial" => outside_try_trial();
    /// Advice.
    "explain-outside-try-less" => outside_try_less();
    /// Finding.
    "explain-redis-cpu" => redis_cpu(share);
    /// Advice.
    "explain-redis-cpu-try" => redis_cpu_try();
    /// Finding.
    "explain-consumer-lag" => consumer_lag(lag, behind);
    /// Advice.
    "explain-consumer-lag-try" => consumer_lag_try();
    /// Finding.
    "explain-uneven-load" => uneven_load(instance, share, count);
    /// Advice.
    "explain-uneven-load-try" => uneven_load_try();
    /// Finding: programs beside one instance take its node's CPU.
    "explain-uneven-nodes" => uneven_nodes(node, used, others, instance, pod, takes);
    /// The same, where the programs are not seen.
    "explain-uneven-nodes-unseen" => uneven_nodes_unseen(node, used, others, instance, share);
    /// Advice.
    "explain-uneven-nodes-try" => uneven_nodes_try(pod);
    /// Advice.
    "explain-uneven-nodes-try-unseen" => uneven_nodes_try_unseen(node);
    /// Finding: pools of all instances against the database's limit.
    "explain-pools-above-sessions" => pools_above_sessions(pools, together, most);
    /// The same of a role or a database with a limit of its own.
    "explain-pools-above-sessions-of" => pools_above_sessions_of(pools, together, of, most);
    /// Advice.
    "explain-pools-above-sessions-try" => pools_above_sessions_try(each);
    /// Finding: a pool that grows under load.
    "explain-pool-grows" => pool_grows(opened, least, most);
    /// Advice.
    "explain-pool-grows-try" => pool_grows_try();
    /// Finding: who waits for a connection waits longer than the goal.
    "explain-pool-patience-long" => pool_patience_long(patience, goal);
    /// Advice.
    "explain-pool-patience-long-try" => pool_patience_long_try();
    /// Finding: who waits for a connection gives up before one is given back.
    "explain-pool-patience-short" => pool_patience_short(patience, hold);
    /// Advice.
    "explain-pool-patience-short-try" => pool_patience_short_try();
    /// Finding: fewer connections than threads.
    "explain-connections-below-threads" => connections_below_threads(connections, threads);
    /// Advice.
    "explain-connections-below-threads-try" => connections_below_threads_try();
    /// Finding: a collector of one thread that nobody chose.
    "explain-serial-collector" => serial_collector(share);
    /// Advice.
    "explain-serial-collector-try" => serial_collector_try();
    /// Advice where there is less than two cores.
    "explain-serial-collector-try-core" => serial_collector_try_core();
    /// Finding: a heap of a quarter of the memory.
    "explain-heap-quarter" => heap_quarter(heap, memory, share);
    /// Advice.
    "explain-heap-quarter-try" => heap_quarter_try();
    /// Finding: a heap that is nearly full after collections.
    "explain-heap-nearly-full" => heap_nearly_full(after, share);
    /// Statement.
    "explain-pool-held-sessions" => pool_held_sessions(count, hold);
    /// A finding.
    "explain-pool-held-traced" => pool_held_traced(wait, call);
    /// Statement.
    "explain-waits-inside" => waits_inside(share, time);
    /// Advice.
    "explain-waits-inside-try" => waits_inside_try();
    /// Something limits that is not seen, and that there are so many of.
    "explain-unknown-at-once" => unknown_at_once(count, rate, time);
    /// What to look for.
    "explain-unknown-at-once-try" => unknown_at_once_try(count);
    /// Something limits that is not seen.
    "explain-unknown-limit" => unknown_limit();
    /// The same, where requests fail.
    "explain-unknown-limit-failed" => unknown_limit_failed();
    /// The same, where starts are dropped.
    "explain-unknown-limit-dropped" => unknown_limit_dropped();
    /// The same, where both are.
    "explain-unknown-limit-both" => unknown_limit_both();
    /// Advice.
    "explain-unknown-limit-try" => unknown_limit_try();
    /// Text.
    "explain-unknown-at-most-try" => unknown_at_most_try(count);
    /// Text.
    "explain-pool-in-statements" => pool_in_statements(pool, hold);
    /// Text.
    "explain-unknown-at-most" => unknown_at_most(count, rate, time);
    /// Finding.
    "explain-unknown-at-once-of" => unknown_at_once_of(names, count, rate, time);
    /// Finding.
    "explain-unknown-at-most-of" => unknown_at_most_of(names, count, rate, time);
    /// Text.
    "explain-outside-logged" => outside_logged(from);
    /// Text.
    "explain-outside-logged-try" => outside_logged_try();
    /// Finding.
    "explain-pool-logged" => pool_logged(from);
    /// Finding: no figures say that all are held.
    "explain-pool-logged-untold" => pool_logged_untold(from);
    /// Finding: what failed requests are answered.
    "explain-pool-answered" => pool_answered(share);
    /// Finding.
    "explain-sessions-logged" => sessions_logged(from);
    /// Finding.
    "explain-door-logged" => door_logged(from);
    /// A process has as many files open as it may.
    "explain-open-files-full" => open_files_full(most);
    /// The log says so.
    "explain-open-files-logged" => open_files_logged(from);
    /// What to look for.
    "explain-open-files-try" => open_files_try();
    /// What to set.
    "explain-open-files-try-more" => open_files_try_more();
    /// Notice: a line that is rare and decides.
    "explain-log-decisive" => log_decisive(first);
    /// Notice: lines that name a limit and do not fit.
    "explain-log-doubted" => log_doubted(count);
    /// Finding: the target answers, what is behind it does not.
    "explain-behind-gateway" => behind_gateway(from, status);
    /// Finding.
    "explain-lock-logged" => lock_logged(from);
    /// Finding.
    "explain-retries" => retries(each, from);
    /// Text.
    "explain-retries-try-reason" => retries_try_reason();
    /// Text.
    "explain-retries-try-bound" => retries_try_bound();
    /// Finding.
    "explain-storage-wait" => storage_wait(threads, used, most);
    /// Text.
    "explain-storage-wait-try-gather" => storage_wait_try_gather();
    /// Text.
    "explain-storage-wait-try-faster" => storage_wait_try_faster();
    /// Finding.
    "explain-refused" => refused(share, status, rate);
    /// Advice.
    "explain-refused-try" => refused_try(status);
    /// Finding.
    "explain-failing" => failing(share, what);
    /// Finding, while what failed requests were answered is not known.
    "explain-failing-unsaid" => failing_unsaid(share);
    /// Advice.
    "explain-failing-try" => failing_try(what);
    /// Finding: users in loops.
    "explain-failing-in-loops" => failing_in_loops(share, what);
    /// The same, while what failed requests were answered is not known.
    "explain-failing-in-loops-unsaid" => failing_in_loops_unsaid(share);
    /// A share of the requests fails after as long as good answers take, most with one answer.
    "explain-failing-after-work" => failing_after_work(share, what);
    /// The same where the answer is not known.
    "explain-failing-after-work-unsaid" => failing_after_work_unsaid(share);
    /// A share of the requests fails, most with one answer, and nothing tells whether the load is why.
    "explain-failing-unclear" => failing_unclear(share, what);
    /// The same where the answer is not known.
    "explain-failing-unclear-unsaid" => failing_unclear_unsaid(share);
    /// What would tell.
    "explain-failing-unclear-try" => failing_unclear_try();
    /// Finding of a search.
    "explain-failing-since" => failing_since(from, what, rate);
    /// Finding.
    "explain-failing-at-any-load" => failing_at_any_load(share, what);
    /// The same, where most got no answer, or what they got is not known.
    "explain-failing-at-any-load-unsaid" => failing_at_any_load_unsaid(share);
    /// Finding: nothing is there under this path.
    "explain-wrong-path" => wrong_path(name, status);
    /// Finding: the path does not take this method.
    "explain-wrong-method" => wrong_method(name, status);
    /// Finding: no login that counts.
    "explain-wrong-login" => wrong_login(name, status);
    /// Finding: what is sent is not what is expected.
    "explain-wrong-form" => wrong_form(name, status);
    /// Advice.
    "explain-wrong-requests-try" => wrong_requests_try();
    /// Finding: a limit that was set on purpose.
    "explain-refused-on-purpose" => refused_on_purpose(share, status, rate);
    /// Finding.
    "explain-stopped" => stopped(from, rate);
    /// Finding.
    "explain-down-for-good" => down_for_good(from, rate);
    /// Finding.
    "explain-never-up" => never_up();
    /// Advice.
    "explain-never-up-try" => never_up_try();
    /// Finding.
    "explain-down" => down(from, to);
    /// Finding.
    "explain-down-again" => down_again(from, to, times);
    /// Advice.
    "explain-stopped-try" => stopped_try();
    /// Finding.
    "explain-stalls" => stalls(length, count, from, between);
    /// Finding.
    "explain-stalled-once" => stalled_once(length, from, between);
    /// Advice.
    "explain-stalled-once-try" => stalled_once_try();
    /// Advice.
    "explain-stalls-try" => stalls_try();
    /// Advice.
    "explain-stalls-try-computes" => stalls_try_computes();
    /// Finding.
    "explain-unknown-waits" => unknown_waits(used, most);
    /// Finding.
    "explain-unknown-waits-for-cores" => unknown_waits_for_cores(used, most, delay);
    /// Finding.
    "explain-unknown-failing" => unknown_failing(share, status);
    /// Finding.
    "explain-unknown-unanswered" => unknown_unanswered(share);
    /// Finding.
    "explain-unknown-none" => unknown_none();
    /// Advice.
    "explain-unknown-failing-try" => unknown_failing_try();
    /// Advice.
    "explain-unknown-limit-try-more" => unknown_limit_try_more();
    /// Finding.
    "explain-pool-held-around" => pool_held_around(count, call, wait);
    /// Finding.
    "explain-slow-outside-unnamed" => slow_outside_unnamed(share, time);
    /// Finding.
    "explain-outside-limit-unnamed" => outside_limit_unnamed(early, late);
    /// Finding.
    "explain-outside-refused" => outside_refused(peer, share, rate);
    /// Finding.
    "explain-outside-refused-unnamed" => outside_refused_unnamed(share, rate);
    /// Finding.
    "explain-outside-refused-logged" => outside_refused_logged();
    /// Advice.
    "explain-outside-refused-try-less" => outside_refused_try_less();
    /// Advice.
    "explain-outside-refused-try-wait" => outside_refused_try_wait();
    /// Advice.
    "explain-outside-refused-try-more" => outside_refused_try_more();
    /// Finding.
    "explain-event-loop-late" => event_loop_late(lag);
    /// Finding.
    "explain-threads-taken" => threads_taken(threads, waiting);
    /// Finding.
    "explain-next-cpu" => next_cpu(rate);
    /// Finding.
    "explain-next-database" => next_database(rate);
    /// Finding.
    "explain-next-pool" => next_pool(rate);
    /// Finding.
    "explain-next-threads" => next_threads(rate);
    /// Missing.
    "explain-missing-cpu" => missing_cpu();
    /// The same where its process was watched in a run that was too short.
    "explain-missing-cpu-short" => missing_cpu_short(source);
    /// Missing.
    "explain-missing-pool" => missing_pool();
    /// Missing.
    "explain-missing-threads" => missing_threads();
    /// Missing.
    "explain-missing-database" => missing_database();
    /// Missing.
    "explain-missing-statements" => missing_statements();
    /// Missing.
    "explain-missing-outside" => missing_outside();
    /// Missing.
    "explain-missing-heap" => missing_heap();
}
