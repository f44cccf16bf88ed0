report-label-verdict = Verdict
report-section-goals = Goals
report-section-time = Over time
report-section-latency = Latency
report-section-endpoints = By endpoint
report-section-failures = Failures
report-section-checks = Checks
report-section-validity = Can these numbers be believed?
report-section-tested = What was tested
report-section-setup = The target as it was set up
report-section-findings = What limits it
report-section-events = Events
report-section-source = Source of the test
report-section-data = Data
report-note-validity = A number is the target's only when the generator was strong enough, the warm-up is left out and no start was lost.
report-note-endpoints = Over the whole run without the warm-up; failed requests are included.
report-column-result = result
report-column-goal = goal
report-column-observed = measured
report-column-measure = measure
report-note-endpoints-apart = Over the whole run without the warm-up; times are of good answers, those of failed requests stand in columns of their own.
report-column-p50-failed = p50, failed
report-column-p95-failed = p95, failed
report-column-endpoint = endpoint
report-column-requests = requests
report-column-share = share
report-column-rate = per second
report-column-failed = failed
report-column-error-rate = error rate
report-column-failure = what failed
report-column-count = count
report-column-first = first seen
report-column-last = last seen
report-column-check = check
report-column-passed = passed
report-column-scenario = scenario
report-column-executor = executor
report-column-length = length
report-column-starts = planned starts
report-column-users = VUs at most
report-column-time = time
report-column-event = event
report-caption-scenarios = Scenarios
report-caption-windows = windows of { $step } s, n = { $requests } { $requests ->
    [one] request
   *[other] requests
}
report-caption-users = at the end of each window of { $step } s
report-chart-planned-starts = Planned starts of iterations
report-chart-planned-users = Planned virtual users
report-caption-planned = as the test plans it, one line a scenario
report-planned-length = load for { $length }
report-planned-starts = at most { $rate } starts/s
report-planned-users = at most { $users } looping virtual users
report-planned-iterations = { $name }: { $iterations } { $iterations ->
    [one] iteration
   *[other] iterations
} by { $users } { $users ->
    [one] virtual user
   *[other] virtual users
}, at most { $length }
report-series-other-scenarios = { $count } { $count ->
    [one] more scenario
   *[other] more scenarios
} together
report-caption-distribution = all requests that ended, n = { $requests }
report-caption-points = one point a window of { $step } s
report-chart-rate = Requests per second
report-chart-latency = Response time
report-chart-heat = Every request by time and response time
report-caption-heat = cells of { $step } s, the darker the more requests (at most { $most } in one); n = { $requests } { $requests ->
    [one] request
   *[other] requests
}
report-series-as-expected = as expected
report-series-failed-requests = failed (small squares)
report-chart-errors = Failed requests
report-chart-users = Virtual users
report-chart-distribution = Distribution of response times
report-chart-against-rate = Response time against rate
report-chart-empty = Nothing was measured here.
report-chart-none = No second of this run was recorded.
report-axis-time = time since load began, m:ss
report-axis-rate = requests/s
report-axis-latency-log = ms, log scale
report-axis-share = % of requests
report-axis-users = virtual users
report-axis-requests = requests
report-series-planned = planned starts
report-series-achieved = requests
report-series-dropped = dropped starts
report-series-late = starts late by { $ms } ms and more
report-column-group = group
report-series-p50 = p50
report-series-mean = mean
report-series-p95 = p95
report-series-p99 = p99
report-series-intended = p95 from intended start
report-series-failed = failed
report-series-users = users
report-series-requests = requests
report-event-warmed-up = warm-up over
report-event-paused = paused
report-event-resumed = resumed
report-event-scaled = load set to { $percent } % of the plan
report-event-level = load set to { $level }
report-event-stop = stop asked for
report-fact-run = run { $name }
report-figure-rate = Throughput
report-figure-iterations = Iterations
report-figure-p95 = Response time p95
report-figure-errors = Error rate
report-figure-dropped = Dropped starts
report-figure-of-requests = { $count } { $count ->
    [one] request
   *[other] requests
}
report-figure-of-iterations = { $count } { $count ->
    [one] iteration
   *[other] iterations
}
report-figure-of-failed = { $failed } of { $all } { $all ->
    [one] request
   *[other] requests
}
report-verdict-running = running: { $rate } requests/s so far, p95 { $p95 }, { $errors } failed
report-verdict-cut-off = the process was gone before the run ended; everything up to then is here
report-word-met = met
report-word-missed = missed
report-word-unknown = not judged
report-row-warm-up = warm-up
report-row-starts = planned starts
report-row-accounting = accounting
report-row-repetitions = repetitions
report-row-command = command
report-row-version = loadline
report-no-warm-up = none: the first seconds are part of the numbers (--warmup leaves them out)
report-warm-up-goes-on = goes on: nothing counts yet
report-word-warming = warming up
report-generator-so-far = strong enough so far
report-generator-now = The generator is the bottleneck: { $reasons }. These numbers say nothing about the target.
report-no-repetition = a single run: how much runs differ is not known (--repeat 5 shows it)
report-starts-kept = { $started } of { $planned } began
report-section-notes = Notes
report-section-curve = Throughput and response time by load
report-section-points = The three points
report-section-levels = Every level that was held
report-section-changed = Changed answers
report-section-differences = Differences
report-section-method = How it was compared
report-section-metrics = Counts and rates
report-note-same-axes = Both sides lie on the same axes.
report-column-before = before (A)
report-column-after = after (B)
report-column-metric = metric
report-column-value = value
report-column-figure = figure
report-column-formula = formula
report-column-notes = assumes, doubts, source
report-chart-throughput = Throughput by load
report-chart-p95 = Response time p95
report-caption-levels = n = { $count } { $count ->
    [one] level
   *[other] levels
}
report-axis-iterations = iterations/s
report-series-levels = levels held
report-word-found = capacity { $load }
report-word-about = capacity { $about }
report-goal-load = { $load } under { $terms }
report-word-at-least = capacity at least { $load }
report-word-none = none
report-word-changed = answers changed
report-word-worse = worse
report-word-better = better
report-word-same = no difference
report-word-cannot-tell = cannot tell
report-same-as-before = likewise
report-capacity-of-table = interpolated under { $terms }: { $last } is the last level that holds, { $first } the first that does not
report-capacity-below = by all levels together under { $terms }; a higher load held too, which may have been chance
report-capacity-between = carries { $load } ({ $requests } requests/s) under { $terms }; { $beyond } was too much
report-capacity-at-least = carries at least { $load } ({ $requests } requests/s) under { $terms }; no higher load was seen to be too much
report-capacity-generator = carries at least { $load } ({ $requests } requests/s) under { $terms }; the generator reached its limit first
report-capacity-fails = requests fail with hardly any load
report-capacity-no-answer = the target does not answer
report-capacity-any-load = { $terms } is missed with little load as with much: fix that first
report-capacity-unclear = whether { $terms } holds could not be told in the time there was
report-capacity-no-sample = nothing was judged: no request is one that { $terms } asks for
report-capacity-no-requests = nothing was judged: the test sends no HTTP request
report-capacity-none = no load holds { $terms }
report-between-levels = interpolated between { $last } (holds) and { $first } (does not)
report-held-briefly = { $load } held, which may have been chance
report-too-much-at = { $load } is too much
report-of-peak = { $share } of the peak
report-outcome-misses = misses the objective
report-outcome-overloaded = overloaded: requests pile up
report-outcome-waits = asks to come back later
report-outcome-aborted = ended at once
report-outcome-invalid = not valid: generator or test was the limit
report-compare-changed = the answers are not the same: see what changed before the times are compared
report-compare-worse = worse: { $measures }
report-compare-better = better: { $measures }
report-compare-same = no difference that matters: { $measures }
report-compare-same-partly = no difference that matters: { $same }; cannot tell: { $unknown }
report-compare-cannot = these runs do not show whether one is better; repeat them (--repeat 5)
report-plan-nothing = nothing can be computed yet
report-from-k6 = result file of k6
report-from-artillery = result file of Artillery
report-fact-seconds = { $seconds } s
report-imported-pace = { $rate } requests/s, p95 { $p95 }, { $errors } failed
report-imported-missed = { $missed } of { $all } { $all ->
    [one] goal
   *[other] goals
} missed; { $rate } requests/s, p95 { $p95 }, { $errors } failed
report-imported-submetrics = Thresholds on sub-metrics ("metric tag:value") are not in such a file; they are not judged here.
report-imported-cut = The file ends in the middle of a line: the run was killed, or the file is not whole.
report-imported-csv = A CSV file holds neither thresholds nor the kinds of metrics of one's own: nothing is judged here, and values of those metrics are shown as a distribution.
report-imported-left-out = { $count } { $count ->
    [one] sample
   *[other] samples
} of further metrics, endpoints or checks are in no list.
report-imported-note = The file does not tell whether the generator was strong enough.
report-written = report written to { $path }
report-fact-so-far = { $length }, up to { $vus } { $vus ->
    [one] virtual user
   *[other] virtual users
}
report-fact-of-planned = { $passed } of { $planned } s, up to { $vus } { $vus ->
    [one] virtual user
   *[other] virtual users
}
report-section-target = Target
report-note-target = What the target showed of itself (--observe), on the same time axis.
report-caption-target = Highest value of each step; rates between looks
report-table-time = Where the time of a request goes
report-column-part = part
report-column-time-ms = mean ms
report-column-slowest-ms = slowest 5 %, ms
report-panel-cpu = CPU
report-panel-heap = Heap
report-panel-memory = Memory
report-panel-pauses = Garbage collection pauses
report-panel-threads = Request threads
report-panel-pool = Connection pool
report-panel-holds = Connection hold and wait
report-panel-sessions = Database sessions
report-panel-outside = Outside calls
report-axis-cores = cores
report-axis-mebibytes = MiB
report-axis-percent = % of time
report-axis-count = number
report-axis-mean-ms = mean, ms
report-line-used = used
report-line-available = available
report-line-throttled = throttled
report-line-host = whole host
report-line-after-collection = after collection
report-line-most = limit
report-line-pauses = paused
report-line-busy = busy
report-line-waiting = waiting
report-line-held = held
report-line-hold-time = held
report-line-acquire-time = waited for
report-line-active = active
report-line-idle-in-transaction = idle in transaction
report-line-lock = waiting for a lock
report-line-call-time = call
