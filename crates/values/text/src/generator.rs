//! How the generator fared, and what limited it.

use crate::message::declare_messages;

declare_messages! {
    /// The generator was good enough.
    "health-ok" => health_ok();
    /// The generator limited the run.
    "health-limited" => health_limited(reasons);
    /// A line about the generator where no row says that it is.
    "health-line" => health_line(line);
    /// Seconds that its delays touched were left out, and the verdict is the same.
    "health-left-out" => health_left_out(touched, seconds, reasons);
    /// The same, with the latency in the other seconds.
    "health-left-out-p95" => health_left_out_p95(touched, seconds, reasons, p95);
    /// It came close to a limit, and nothing was late.
    "health-untouched" => health_untouched(reasons);
    /// Its delays are in the numbers, and the verdict could not be another without them.
    "health-certain" => health_certain(touched, seconds, reasons);
    /// Missed goals of which nobody knows whether its delays are in them.
    "health-untold" => health_untold(goals);
    /// CPU use.
    "health-cpu" => health_cpu(mean, busiest);
    /// Time taken by the CPU quota.
    "health-throttled" => health_throttled(time);
    /// Time workers waited for a core.
    "health-core-wait" => health_core_wait(mean, worst);
    /// What it waited each time.
    "health-core-wait-each" => health_core_wait_each(each, request);
    /// Lateness of starts.
    "health-start-lag" => health_start_lag(p50, p99, max);
    /// How much reading answers late added to each percentile, about.
    "health-own-latency" => health_own_latency(p50, p95, p99);
    /// A part of one percentile: so long, and its share.
    "health-own-part" => health_own_part(time, share);
    /// Times a worker was away.
    "health-stalls" => health_stalls(count, longest);
    /// Open files.
    "health-open-files" => health_open_files(used, limit);
    /// Local ports.
    "health-ports" => health_ports(used, limit);
    /// Samples folded for too many tag values.
    "health-folded" => health_folded(count);
    /// Samples that were no numbers.
    "health-not-finite" => health_not_finite(count);
    /// Reason: CPU.
    "limit-cpu" => limit_cpu();
    /// Reason: CPU quota.
    "limit-throttling" => limit_throttling();
    /// Reason: workers lacked a core.
    "limit-free-cores" => limit_free_cores();
    /// Reason: late starts.
    "limit-start-lag" => limit_start_lag();
    /// Reason: answers were read late.
    "limit-read-lag" => limit_read_lag();
    /// Reason: workers were away.
    "limit-stalls" => limit_stalls();
    /// Reason: open files.
    "limit-open-files" => limit_open_files();
    /// Reason: local ports.
    "limit-ports" => limit_ports();
    /// How the generator limited a run.
    "limit-close-goal" => limit_close_goal();
    /// What to do about a generator that limited the run.
    "health-advice" => health_advice();
    /// Connections without a file.
    "health-files-lacked" => health_files_lacked(count);
    /// Connections without a local port.
    "health-ports-lacked" => health_ports_lacked(count);
}
