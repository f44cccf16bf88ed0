//! Names of the numbers that are the evidence of a finding.

#![expect(
    missing_docs,
    reason = "a message's key and its text say what it is: nothing is left to add"
)]

use crate::message::declare_messages;

declare_messages! {
    "explain-number-ahead-first" => ahead_first();
    "explain-number-ahead-last" => ahead_last();
    "explain-number-spans-left-out" => spans_left_out();
    "explain-number-spans-received" => spans_received();
    "explain-number-time-of-instance" => time_of_instance();
    "explain-number-time-of-others" => time_of_others();
    "explain-number-log-errors" => log_errors();
    "explain-number-traced" => traced();
    "explain-number-log-lines" => log_lines();
    /// Number.
    "explain-number-log-accounts" => log_accounts();
    "explain-number-cut" => cut();
    "explain-number-storage-waiters" => storage_waiters();
    "explain-number-retries" => retries();
    "explain-number-refused" => refused();
    "explain-number-wrong-requests" => wrong_requests();
    "explain-number-refused-connections" => refused_connections();
    "explain-number-stalled" => stalled();
    "explain-number-cpu-meanwhile" => cpu_meanwhile();
    "explain-number-own-time" => own_time();
    "explain-number-at-once" => at_once();
    "explain-number-statements-of-request" => statements_of_request();
    "explain-number-database-cpu-of-request" => database_cpu_of_request();
    "explain-number-loop-blocked" => loop_blocked();
    "explain-number-rate" => rate();
    /// Evidence.
    "explain-number-rate-before" => rate_before();
    "explain-number-mean" => mean();
    "explain-number-measured" => measured();
    "explain-number-unloaded" => unloaded();
    "explain-number-failed" => failed();
    "explain-number-dropped" => dropped();
    "explain-number-checks" => checks();
    "explain-number-pause" => pause();
    "explain-number-bytes" => bytes();
    "explain-number-line" => line();
    "explain-number-server-time" => server_time();
    "explain-number-connecting" => connecting();
    /// Name of a number.
    "explain-number-opened" => opened();
    "explain-number-resent" => resent();
    "explain-number-throttled" => throttled();
    "explain-number-cpu-used" => cpu_used();
    "explain-number-cpu-available" => cpu_available();
    "explain-number-cpu-of-request" => cpu_of_request();
    "explain-number-run-delay" => run_delay();
    "explain-number-pauses" => pauses();
    "explain-number-heap-after" => heap_after();
    "explain-number-pause-each" => pause_each();
    "explain-number-forced" => forced();
    "explain-number-memory" => memory();
    "explain-number-compiling" => compiling();
    "explain-number-mean-early" => mean_early();
    "explain-number-mean-late" => mean_late();
    "explain-number-lag" => lag();
    "explain-number-connections-closed" => connections_closed();
    "explain-number-workers-queue-max" => workers_queue_max();
    "explain-number-workers-refused" => workers_refused();
    "explain-number-loop-use" => loop_use();
    "explain-number-threads-busy" => threads_busy();
    "explain-number-threads-most" => threads_most();
    "explain-number-connections" => connections();
    /// Evidence.
    "explain-number-open-files-max" => open_files_max();
    "explain-number-accept-queue" => accept_queue();
    "explain-number-overflows" => overflows();
    "explain-number-active" => active();
    "explain-number-most" => most();
    "explain-number-pending" => pending();
    "explain-number-hold" => hold();
    "explain-number-acquire" => acquire();
    "explain-number-outside" => outside();
    "explain-number-outside-calls" => outside_calls();
    "explain-number-calls-refused" => calls_refused();
    "explain-number-idle-in-transaction" => idle_in_transaction();
    "explain-number-sessions-active" => sessions_active();
    "explain-number-sessions" => sessions();
    "explain-number-sessions-most" => sessions_most();
    "explain-number-lock-waiters" => lock_waiters();
    "explain-number-database-cpu" => database_cpu();
    "explain-number-database-cpu-share" => database_cpu_share();
    "explain-number-database-cores" => database_cores();
    "explain-number-database-time" => database_time();
    "explain-number-statement-share" => statement_share();
    "explain-number-statement-time" => statement_time();
    "explain-number-calls" => calls();
    "explain-number-examined" => examined();
    "explain-number-blocks" => blocks();
    "explain-number-rows" => rows();
    "explain-number-redis-cpu" => redis_cpu();
    "explain-number-commands" => commands();
    "explain-number-consumer-lag" => consumer_lag();
    "explain-number-behind" => behind();
    "explain-number-share" => share();
    "explain-number-instances" => instances();
    "explain-number-pools-together" => pools_together();
    "explain-number-opened-in-pool" => opened_in_pool();
    "explain-number-pool-least" => pool_least();
    "explain-number-connections-most" => connections_most();
    "explain-number-heap-most" => heap_most();
    "explain-number-node-cpu" => node_cpu();
    "explain-number-node-cpu-others" => node_cpu_others();
    "explain-number-pod-cpu" => pod_cpu();
    "explain-number-pool-patience" => pool_patience();
    "explain-number-ceiling" => ceiling();
}
