//! What tracing costs a target.

use crate::message::declare_messages;

declare_messages! {
    /// A run of a pair: what its requests say.
    "tracing-run-none" => tracing_run_none();
    /// A run of a pair: what its requests say.
    "tracing-run-all" => tracing_run_all();
    /// Title of the result.
    "tracing-title" => tracing_title(pairs, id);
    /// Column: without traces.
    "tracing-column-none" => column_none();
    /// Column: with traces.
    "tracing-column-all" => column_all();
    /// Column: what traces change.
    "tracing-column-change" => column_change();
    /// A change and its interval.
    "tracing-change" => tracing_change(change, low, high);
    /// Why there is no interval.
    "tracing-one-pair" => one_pair();
    /// What is added, in absolute terms and as a share.
    "tracing-size" => tracing_size(measure, size, share);
    /// Mean latency.
    "tracing-mean" => mean();
    /// The 95th percentile.
    "tracing-p95" => p95();
    /// Result: a cost.
    "tracing-costs" => tracing_costs(what);
    /// Result: no difference.
    "tracing-no-difference" => tracing_no_difference(what);
    /// Result: it cannot be told.
    "tracing-cannot-tell" => tracing_cannot_tell(what);
    /// Result: less with traces.
    "tracing-less" => tracing_less(what);
    /// Also: no difference.
    "tracing-also-same" => also_same(what);
    /// Also: it cannot be told.
    "tracing-also-unknown" => also_unknown(what);
    /// How many pairs would do.
    "tracing-pairs-needed" => pairs_needed(pairs, share);
    /// No number of pairs would do.
    "tracing-pairs-none" => pairs_none(share);
    /// The target's CPU was not seen.
    "tracing-cpu-unseen" => cpu_unseen();
    /// Sources answered, and none told the target's CPU.
    "tracing-cpu-untold" => cpu_untold();
    /// Pairs whose latencies do not count.
    "tracing-left-out" => pairs_left_out(left, pairs);
    /// The target traces what asks for no trace.
    "tracing-anyway" => traced_anyway(traces, requests);
    /// The target traces nothing.
    "tracing-never" => never_traced(requests);
    /// How sure all of it is.
    "tracing-method" => tracing_method();
}
