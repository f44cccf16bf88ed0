//! What speaks against a finding of `explain`, or lowers its grade.

#![expect(
    missing_docs,
    reason = "a message's key and its text say what it is: nothing is left to add"
)]

use crate::message::declare_messages;

declare_messages! {
    "explain-doubt-used-without-load" => used_without_load(share);
    "explain-doubt-stops-or-work" => stops_or_work();
    "explain-doubt-slow-page" => slow_page(time);
    "explain-doubt-queue-behind" => queue_behind();
    "explain-doubt-exceeds" => exceeds();
    "explain-doubt-small-account" => small_account(share);
    "explain-doubt-open-account" => open_account(share);
    "explain-doubt-page-counts-more" => page_counts_more(page, callers);
    "explain-doubt-page-counts-fewer" => page_counts_fewer(page, callers);
    "explain-doubt-calls-of-others" => calls_of_others();
    "explain-doubt-status-of-others" => status_of_others(status);
    "explain-doubt-turned-away-by-chance" => turned_away_by_chance();
    "explain-doubt-even-starts" => even_starts();
    "explain-doubt-sessions-of-others" => sessions_of_others();
    "explain-doubt-two-used-up" => two_used_up();
    "explain-doubt-elsewhere" => elsewhere(share);
    "explain-doubt-inside-unseen" => inside_unseen();
    "explain-doubt-pool-or-threads-unseen" => pool_or_threads_unseen();
    "explain-doubt-pool-unseen" => pool_unseen();
    "explain-doubt-calls-unseen" => calls_unseen();
    "explain-doubt-statements-wait" => statements_wait();
    "explain-doubt-refusals-unseen" => refusals_unseen();
    "explain-doubt-outside-or-database" => outside_or_database();
    "explain-doubt-generator-stalls" => generator_stalls();
    "explain-doubt-whole-machine" => whole_machine();
    "explain-doubt-little" => little(active, law);
    "explain-doubt-sessions-unseen" => sessions_unseen();
    "explain-doubt-hold-unseen" => hold_unseen();
    "explain-doubt-cpu-unseen" => cpu_unseen();
    "explain-doubt-pauses-unseen" => pauses_unseen();
    "explain-doubt-compiling" => compiling();
    "explain-doubt-requests-share-connections" => requests_share_connections();
    "explain-doubt-many-threads" => many_threads(busy, cores);
    "explain-doubt-queue-unseen" => queue_unseen();
    "explain-doubt-statements-unseen" => statements_unseen();
    "explain-doubt-minutes-of-cloud" => minutes_of_cloud(minutes);
    "explain-doubt-database-cpu-unseen" => database_cpu_unseen();
    "explain-doubt-outside" => outside();
    "explain-doubt-extrapolated" => extrapolated();
    "explain-doubt-sessions-limit" => sessions_limit(more, most);
}
