tracing-run-none = no request asks for a trace (traceparent: not sampled)
tracing-run-all = every request asks for a trace (traceparent: sampled)
tracing-title = What tracing costs: { $pairs } { $pairs ->
    [one] pair
   *[other] pairs
} of runs, one with every request traced and one with none, in changing order (series { $id })
tracing-column-none = none traced
tracing-column-all = all traced
tracing-column-change = with traces
tracing-change = { $change } [{ $low }, { $high }]
tracing-one-pair = cannot tell: one pair of runs shows no spread
tracing-size = { $size } of { $measure } ({ $share })
tracing-mean = mean latency
tracing-p95 = p95
tracing-costs = TRACING COSTS { $what }
tracing-no-difference = NO DIFFERENCE between all requests traced and none: if tracing costs anything, then at most { $what }
tracing-cannot-tell = CANNOT TELL what tracing costs: less than { $what } would not show
tracing-less = LESS with every request traced, which tracing does not explain: { $what }; is the target warm (--warmup), and does anything else run beside it?
tracing-also-same = ; no difference larger than { $what }
tracing-also-unknown = ; less than { $what } would not show
tracing-pairs-needed = About { $pairs } { $pairs ->
    [one] pair
   *[other] pairs
} would show differences of { $share } (--trace-cost { $pairs }), or longer runs.
tracing-pairs-none = The runs spread too much for differences of { $share } to show: take longer runs, an even load, and keep other programs off the machines.
tracing-cpu-unseen = The target's CPU was not observed, so nothing is said of it: add --observe pid:PID, port:PORT or its page of metrics.
tracing-cpu-untold = Nothing is said of the target's CPU: its sources do not tell it (pid:PID and port:PORT do), or the runs are too short (4 s and more).
tracing-left-out = { $left } of { $pairs } { $pairs ->
    [one] pair
   *[other] pairs
} left out of the latencies: in a run of theirs the generator was the bottleneck, or requests were cut
tracing-anyway = the target sent { $traces } { $traces ->
    [one] trace
   *[other] traces
} of { $requests } { $requests ->
    [one] request
   *[other] requests
} that asked for none: its sampler does not follow traceparent, so what is shown is not the whole cost
tracing-never = the target sent no trace of { $requests } { $requests ->
    [one] request
   *[other] requests
} that asked for one: is tracing on, and does its sampler follow traceparent?
tracing-method = Intervals are of ratios within pairs and hold together with 95 %.
