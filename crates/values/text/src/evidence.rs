//! Names of the numbers that are the evidence of a finding.

use crate::message::declare_messages;

declare_messages! {
    /// Number.
    "explain-number-ahead-first" => ahead_first();
    /// Number.
    "explain-number-ahead-last" => ahead_last();
    /// Number.
    "explain-number-spans-left-out" => spans_left_out();
    /// Number.
    "explain-number-spans-received" => spans_received();
    /// Number.
    "explain-number-time-of-instance" => time_of_instance();
    /// Number.
    "explain-number-time-of-others" => time_of_others();
    /// Number.
    "explain-number-log-errors" => log_errors();
    /// Number.
    "explain-number-traced" => traced();
    /// Number.
    "explain-number-log-lines" => log_lines();
    /// Number.
    "explain-number-cut" => cut();
    /// Number.
    "explain-number-storage-waiters" => storage_waiters();
    /// Number.
    "explain-number-retries" => retries();
    /// Number.
    "explain-number-refused" => refused();
    /// Number.
    "explain-number-refused-connections" => refused_connections();
    /// Number.
    "explain-number-stalled" => stalled();
    /// Number.
    "explain-number-cpu-meanwhile" => cpu_meanwhile();
    /// Number.
    "explain-number-own-time" => own_time();
    /// Number.
    "explain-number-at-once" => at_once();
    /// Number.
    "explain-number-statements-of-request" => statements_of_request();
    /// Number.
    "explain-number-database-cpu-of-request" => database_cpu_of_request();
    /// Number.
    "explain-number-loop-blocked" => loop_blocked();
    /// A number.
    "explain-number-rate" => rate();
    /// A number.
    "explain-number-mean" => mean();
    /// A number.
    "explain-number-failed" => failed();
    /// A number.
    "explain-number-dropped" => dropped();
    /// A number.
    "explain-number-checks" => checks();
    /// A number.
    "explain-number-pause" => pause();
    /// A number.
    "explain-number-bytes" => bytes();
    /// A number.
    "explain-number-line" => line();
    /// A number.
    "explain-number-server-time" => server_time();
    /// A number.
    "explain-number-connecting" => connecting();
    /// Name of a number.
    "explain-number-opened" => opened();
    /// A number.
    "explain-number-resent" => resent();
    /// A number.
    "explain-number-throttled" => throttled();
    /// A number.
    "explain-number-cpu-used" => cpu_used();
    /// A number.
    "explain-number-cpu-available" => cpu_available();
    /// A number.
    "explain-number-cpu-of-request" => cpu_of_request();
    /// A number.
    "explain-number-run-delay" => run_delay();
    /// A number.
    "explain-number-pauses" => pauses();
    /// A number.
    "explain-number-heap-after" => heap_after();
    /// A number.
    "explain-number-pause-each" => pause_each();
    /// A number.
    "explain-number-forced" => forced();
    /// A number.
    "explain-number-memory" => memory();
    /// A number.
    "explain-number-compiling" => compiling();
    /// A number.
    "explain-number-mean-early" => mean_early();
    /// A number.
    "explain-number-mean-late" => mean_late();
    /// A number.
    "explain-number-lag" => lag();
    /// A number.
    "explain-number-loop-use" => loop_use();
    /// A number.
    "explain-number-threads-busy" => threads_busy();
    /// A number.
    "explain-number-threads-most" => threads_most();
    /// A number.
    "explain-number-connections" => connections();
    /// A number.
    "explain-number-accept-queue" => accept_queue();
    /// A number.
    "explain-number-overflows" => overflows();
    /// A number.
    "explain-number-active" => active();
    /// A number.
    "explain-number-most" => most();
    /// A number.
    "explain-number-pending" => pending();
    /// A number.
    "explain-number-hold" => hold();
    /// A number.
    "explain-number-acquire" => acquire();
    /// A number.
    "explain-number-outside" => outside();
    /// A number.
    "explain-number-outside-calls" => outside_calls();
    /// A number.
    "explain-number-idle-in-transaction" => idle_in_transaction();
    /// A number.
    "explain-number-sessions-active" => sessions_active();
    /// A number.
    "explain-number-sessions" => sessions();
    /// A number.
    "explain-number-sessions-most" => sessions_most();
    /// A number.
    "explain-number-lock-waiters" => lock_waiters();
    /// A number.
    "explain-number-database-cpu" => database_cpu();
    /// A number.
    "explain-number-database-cores" => database_cores();
    /// A number.
    "explain-number-database-time" => database_time();
    /// A number.
    "explain-number-statement-share" => statement_share();
    /// A number.
    "explain-number-statement-time" => statement_time();
    /// A number.
    "explain-number-calls" => calls();
    /// A number.
    "explain-number-examined" => examined();
    /// A number.
    "explain-number-blocks" => blocks();
    /// A number.
    "explain-number-rows" => rows();
    /// A number.
    "explain-number-redis-cpu" => redis_cpu();
    /// A number.
    "explain-number-commands" => commands();
    /// A number.
    "explain-number-consumer-lag" => consumer_lag();
    /// A number.
    "explain-number-behind" => behind();
    /// A number.
    "explain-number-share" => share();
    /// A number.
    "explain-number-instances" => instances();
    /// A number.
    "explain-number-ceiling" => ceiling();
}
