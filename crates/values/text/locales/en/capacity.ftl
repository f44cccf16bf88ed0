capacity-before-slo = objective    { $terms }
capacity-before-slo-default = objective    { $terms } only, as no --slo was given: throughput is sought, and answers may be slow; --slo 'p(95)<500ms' asks for a latency, too
capacity-before-requests = load         requests/s; at most { $highest }/s and { $users } { $users ->
    [one] virtual user
   *[other] virtual users
}
capacity-before-rate = load         iterations/s of all scenarios, in the test's own mix; at most { $highest }/s and { $users } { $users ->
    [one] virtual user
   *[other] virtual users
}
capacity-failures = failed requests, all levels together: { $kinds }
capacity-failed-checks = failed checks, all levels together: { $failed } of { $all }; the objective does not include them: add --slo 'checks>99%'
capacity-broken = { $broken } of { $all } { $all ->
    [one] iteration
   *[other] iterations
} failed
capacity-wrong-there = but at that load { $faults }, which the objective does not judge
capacity-before-poisson = arrivals     random, as people come (Poisson, seed { $seed }); --arrivals even spaces them evenly
capacity-before-even = arrivals     evenly spaced: easier on a target near its limit than real users
capacity-before-users = load         virtual users of all scenarios, in the test's own mix; at most { $highest }
capacity-before-near = near         { $load }, which { $search } came to: first tried just below and above it
capacity-before-scenario = scenario     { $name } only
capacity-before-hosts = hosts        { $hosts }
capacity-before-hosts-unknown = hosts        none is named in the test or its variables; they are only known at run time
capacity-before-time = time         { $budget }, and what the last level needs beyond; were the capacity { $example }, that is long enough to find it to within about { $precision } (--budget)
capacity-before-time-short = time         { $budget }, and what the last level needs beyond: too short to try more than { $about }; --budget { $needed } tries { $example } too
capacity-before-time-untold = time         { $budget }, and what the last level needs beyond; how high a load that reaches depends on how long an iteration takes: told after the first level (--budget)
capacity-reach = an iteration takes { $iteration }, and a level some of them: { $budget } reach { $about }; --budget { $needed } tries { $example } too
capacity-reach-enough = an iteration takes { $iteration }: { $budget } reach { $example } and more
capacity-before-soak = { "" }             then { $soak } at 85 % of the line
capacity-holding = holding { $load } ({ $purpose })
capacity-draining = no load: the target drains
capacity-purpose-baseline = baseline
capacity-purpose-climb = climb
capacity-purpose-refine = refine
capacity-purpose-confirm = confirm
capacity-purpose-knee = knee
capacity-purpose-soak = soak
capacity-purpose-measured = measured
capacity-column-load = load
capacity-column-why = why
capacity-column-rate = TPS
capacity-column-requests = requests/s
capacity-column-in-flight = in flight
capacity-column-cpu = target CPU
capacity-column-held = held
capacity-column-outcome = outcome
capacity-column-law = off Little's law
capacity-column-usl = off USL
capacity-outcome-holds = holds
capacity-outcome-likely = holds (short look)
capacity-outcome-likely-long = holds, too near the limit to be sure
capacity-outcome-likely-few = holds, with too few requests to be sure
capacity-outcome-misses = misses { $term }: { $value }
capacity-outcome-misses-unsure = probably misses { $term }: { $value }
capacity-outcome-unclear = cannot tell
capacity-outcome-overloaded = overloaded: requests pile up, only { $sustained } completed
capacity-outcome-waits = asks to come back later: { $share } of the answers
capacity-outcome-errors = ended at once: { $share } errors
capacity-outcome-refused = ended at once: connections refused
capacity-outcome-silent = ended at once: no answers
capacity-outcome-generator = not valid: the generator was the limit ({ $reasons })
capacity-outcome-users = not valid: the test was the limit (virtual users)
capacity-outcome-cut = cut short, not judged
capacity-outcome-late = { "" }, after { $seconds } s
capacity-verdict-found = CAPACITY { $load } ({ $requests } requests/s) under { $terms }; { $high } was too much
capacity-verdict-found-likely = CAPACITY { $load } ({ $requests } requests/s) under { $terms }; the line most likely lies at { $likely } (95 %: { $low } to { $high })
capacity-verdict-found-about = CAPACITY ABOUT { $load } ({ $requests } requests/s) under { $terms }; the line most likely lies at { $likely } (95 %: { $low } to { $high })
capacity-verdict-estimated = CAPACITY ABOUT { $likely } (about { $requests } requests/s; 95 %: { $low } to { $high }) under { $terms }, by all levels together; { $held } held, though not for certain
capacity-verdict-below = CAPACITY ABOUT { $likely } (about { $requests } requests/s; 95 %: { $low } to { $high }) under { $terms }, by all levels together; { $held } held too, which may have been chance
capacity-verdict-time-likely = CAPACITY AT LEAST { $load } ({ $requests } requests/s) under { $terms }; time ran out with the line most likely at { $likely } (95 %: { $low } to { $high })
capacity-verdict-time-about = CAPACITY ABOUT { $load } ({ $requests } requests/s) under { $terms }; time ran out with the line most likely at { $likely } (95 %: { $low } to { $high })
capacity-verdict-time = CAPACITY AT LEAST { $load } ({ $requests } requests/s) under { $terms }; time ran out, { $high } was too much
capacity-verdict-hardly-tried-here = CANNOT TELL: { $load } held, with { $requests } { $requests ->
    [one] request
   *[other] requests
} in { $seconds } s alone, and beyond it this machine was the limit: keep other programs off it, or use another one
capacity-verdict-hardly-tried = CANNOT TELL: { $load } held, with { $requests } { $requests ->
    [one] request
   *[other] requests
} in { $seconds } s alone; give it more with --budget
capacity-verdict-time-open = CAPACITY AT LEAST { $load } ({ $requests } requests/s) under { $terms }; no time was left to try and hold a higher load
capacity-verdict-generator = CAPACITY AT LEAST { $load } ({ $requests } requests/s) under { $terms }; the generator reached its limit first ({ $reasons }), so no higher load says anything of the target
capacity-verdict-users = CAPACITY AT LEAST { $load } ({ $requests } requests/s) under { $terms }; the test itself cannot offer more
capacity-verdict-generator-none = NO LEVEL COULD BE TRIED: the generator reached its limit ({ $reasons }) already at { $load }; this says nothing about the target
capacity-verdict-users-none = NO LEVEL COULD BE TRIED: the test itself cannot offer { $load }; this says nothing about the target
capacity-verdict-highest = CAPACITY AT LEAST { $load } ({ $requests } requests/s) under { $terms }; this was the highest load allowed
capacity-verdict-goal = CAPACITY AT LEAST { $load } ({ $requests } requests/s) under { $terms }; the goal holds, so no higher load was tried (--stop-at-goal)
capacity-verdict-none = NO LOAD HOLDS { $term }: { $value } at { $load } already
capacity-verdict-none-plain = NO LOAD HOLDS: { $load } was too much already
capacity-verdict-any = NOT A MATTER OF LOAD: { $term } is missed with little load as with much ({ $value } over all from { $from } to { $to }); fix that first, then search for the capacity
capacity-verdict-fails = NOT A MATTER OF LOAD: { $share } of the requests fail with hardly any load; fix that first, then search for the capacity
capacity-verdict-unclear = CANNOT TELL whether { $terms } holds: at { $load } it was not clear before the time was up; give it more with --budget
capacity-verdict-unsure = CANNOT TELL whether { $terms } holds: at { $load } it is probably missed ({ $value }), by { $requests } { $requests ->
    [one] request
   *[other] requests
} alone; give it more with --budget
capacity-verdict-no-answer = FAILED: the target does not answer
capacity-verdict-no-requests = NOTHING TO JUDGE: { $iterations } { $iterations ->
    [one] iteration
   *[other] iterations
} sent no HTTP request
capacity-verdict-all-broken = FAILED: { $broken } of { $iterations } { $iterations ->
    [one] iteration
   *[other] iterations
} failed, and none sent an HTTP request
capacity-verdict-no-checks = NOTHING TO JUDGE: the test makes no checks for { $term }
capacity-verdict-no-sample = NOTHING TO JUDGE: no request matches { $term }; the test has: { $known }
capacity-verdict-not-recovered = TARGET DID NOT RECOVER after { $load }; before that it held { $low }
capacity-verdict-not-recovered-none = TARGET DID NOT RECOVER after { $load }
capacity-verdict-interrupted-soak = STOPPED in the soak, after the search was over: at least { $load } ({ $requests } requests/s) under { $terms }
capacity-verdict-interrupted = STOPPED: at least { $load } so far
capacity-go-on = the same command with --near { $run } goes on from there
capacity-verdict-interrupted-none = STOPPED before any level was held
capacity-row-line = capacity
capacity-row-knee = knee
capacity-row-peak = peak
capacity-row-baseline = without load
capacity-row-soak = soak
capacity-row-usl = USL
capacity-row-goal = goal
capacity-row-note = note
capacity-row-limit = what limits
capacity-limit-at = at { $load }: { $text }
capacity-limit-waits = a limit that was set on purpose: the target asks to come back later (429, or 503 with Retry-After)
capacity-limit-not-stored = not looked for: nothing was stored (--no-store), and loadline explain reads what is stored
capacity-line = { $load } ({ $requests } requests/s), held { $held } s
capacity-line-between = between { $low } (holds) and { $high } (does not)
capacity-line-likely = most likely at { $likely }, with 95 % between { $low } and { $high }, by a fit over all levels
capacity-line-likely-below = most likely at { $likely }, with 95 % between { $low } and { $high }, by a fit over all levels: that { $held } held may have been chance
capacity-line-likely-above = most likely at { $likely }, with 95 % between { $low } and { $high }, by a fit over all levels: that { $missed } did not hold may have been chance
capacity-line-interpolated = { $about } by interpolation between the two
capacity-line-doubted = held for the full time, yet by all levels together it is not certain that the line lies above it: what is safe is the lower end of that range
capacity-line-unsure = based on only { $requests } { $requests ->
    [one] request
   *[other] requests
}; use a longer --confirm to be sure
capacity-line-unsure-time = based on only { $requests } { $requests ->
    [one] request
   *[other] requests
}, as the time was up; use a longer --budget to be sure
capacity-knee = { $load } (above { $low }): { $throughput }, { $share } of the peak, { $flight } in flight
capacity-peak = { $throughput }, seen at a load of { $load }
capacity-knee-first = { $load }: { $throughput }, { $share } of the peak, { $flight } in flight
capacity-usl-contradicted = fits the levels that were carried and is not used: with { $in_flight } in flight it gives far more than the { $measured } that were measured
capacity-no-line = none was found
capacity-not-seen = not reached
capacity-baseline = median { $median }, p95 { $p95 } at { $load }
capacity-soak-holds = { $load } held for { $seconds } s
capacity-soak-cut = { $load }: cut short after { $seconds } s, so it is not known whether it holds for longer
capacity-soak-unknown = { $load } was held for { $seconds } s and could not be judged: { $outcome }
capacity-soak-misses = { $load } did not hold: { $outcome }
capacity-goal-is = { $load }: { $result }
capacity-goal-met-at-least = met with at least { $headroom } headroom
capacity-goal-met = met with { $headroom } headroom
capacity-goal-doubted = not certain: it held, which may have been chance: all levels together put the line below it
capacity-goal-missed = missed by { $short }
capacity-goal-unknown = unknown: higher than any load that was tried
capacity-usl-beyond = fits to within { $worst } and is not used: its highest rate lies far beyond the { $measured } that were measured at most
capacity-usl-good = fits to within { $worst }: peak at { $peak } in flight, at most { $ceiling }
capacity-usl-flat = fits to within { $worst }: never falls, at most { $ceiling }
capacity-usl-misses = misses by { $worst } at { $load } and is not used (it would put the peak at { $peak })
capacity-usl-linear = fits to within { $worst }: grows in proportion, and no highest rate was seen
capacity-usl-misses-flat = misses by { $worst } at { $load } and is not used (by it throughput would never fall)
capacity-usl-near-flat = never falls; off by up to { $worst } at { $load }
capacity-usl-near = peak at { $peak }; off by up to { $worst } at { $load }
capacity-usl-none = not fitted: { $found } { $found ->
    [one] level
   *[other] levels
} of different concurrency, { $needed } are needed
capacity-usl-failed = no curve fits
capacity-second = power (throughput / response time) is greatest at { $power }, Kneedle { $kneedle }
capacity-note-late = the target got slower after { $seconds } s of load: levels held for a shorter time prove nothing and were left out
capacity-note-warm = the target got faster during the search (warm-up); levels it missed before that were tried again; --warmup auto warms it first
capacity-note-slow-levels = each level on the way up took about { $seconds } s, as an iteration takes { $iteration }: each doubling of the load needs as much more --budget
capacity-note-waits = from { $load } on the target asks to come back later (429, or 503 with Retry-After), so the load was not raised further
capacity-note-pauses = the target paused { $count ->
    [one] once
   *[other] { $count } times
}, about every { $every } s, for about { $length } each
capacity-note-law = at { $load } the iterations in flight differ by { $off } from throughput × duration (Little's law): do not trust that level
capacity-note-died = at { $load } the target stopped answering: set a limit in the target below that load
capacity-note-knee-above = the knee lies above the capacity: throughput still grows beyond the line, but the objective is missed before it stops growing
capacity-note-slower = the target slowed down during the search and stayed slow: it held { $before } at { $then } s, but no longer held { $after } at { $now } s
capacity-note-slower-once = the target held { $before } at { $then } s, but no longer held { $after } at { $now } s; no load as high was tried after that, so whether it stayed slow is not known
capacity-note-completes-less = the target slowed down during the search and stayed slow: it completed { $before } at { $then } s, but only { $after } of the { $load } it was asked for at { $now } s
capacity-note-slower-result = the result is for the slower target
capacity-note-slower-unsure = the capacity was held before that; how much the slower target carries was not seen
capacity-note-judged = judged: { $terms }
capacity-table-empty = it is empty; its first line names the columns: vus, tps, and mean, p50, p95, p99, max, errors as far as they are known
capacity-table-comma = line { $line }: `{ $cell }` may be { $thousands } or { $decimal }, and no other number of the table tells: write { $thousands } or { $decimal }
capacity-table-share-above-all = line { $line }: errors of `{ $found }` are more than 100 %
capacity-table-not-a-share = line { $line }: errors of `{ $found }` are not a share: write { $percent } or { $decimal }, or call the column errors %
capacity-table-few-rows = { $found } { $found ->
    [one] row
   *[other] rows
}; at least 2 are needed
capacity-table-not-positive = row { $row }: users and throughput must be above zero
capacity-table-twice = { $users } { $users ->
    [one] user is
   *[other] users are
} in two rows
capacity-table-term-column = `{ $term }` needs a column that the table does not have; its columns are: { $seen }
capacity-table-title = { $file }: { $rows } { $rows ->
    [one] level
   *[other] levels
} measured elsewhere
capacity-table-line = { $about } ({ $throughput }), interpolated between the last level that passes and the first that fails
capacity-table-last = last level that passes: { $load } ({ $throughput }, { $value })
capacity-table-first = first that fails: { $load } ({ $throughput }, { $value })
capacity-table-first-near = first that fails: { $load } ({ $throughput }, { $value }), by less than { $most }
capacity-table-none = no level passes { $term }: { $value } at { $load }, the lowest
capacity-table-all = all levels pass; at least { $load } ({ $throughput })
capacity-table-knee = { $load } ({ $throughput }, { $share } of the peak)
capacity-table-peak = { $load } ({ $throughput })
capacity-table-law = users = throughput × response time holds within { $worst } on each level
capacity-table-law-thinking = users = throughput × (response time + think time { $think }) holds within { $worst } on each level
capacity-table-law-off-thinking = users ≠ throughput × (response time + think time { $think }) at { $load }: off by { $off }; is --think right?
capacity-table-law-off-above = throughput × response time is more than the users at { $load }: off by { $off }; do users send several requests at once, or is the mean that of something else?
capacity-table-law-off = users ≠ throughput × response time at { $load }: off by { $off } (think time? --think)
capacity-compare-title = capacity of { $after } against { $before }
capacity-compare-line = capacity under the objective: { $before } -> { $after } ({ $change })
capacity-compare-line-bound = capacity under the objective: { $before } -> { $after }
capacity-compare-at-least = at least { $rate }
capacity-compare-unlike = different { $what }: { $before } against { $after }
capacity-compare-of-unit = unit of load
capacity-compare-of-objective = objective
capacity-compare-of-test = test
capacity-compare-of-arrivals = arrivals
capacity-compare-unit-rate = iterations/s
capacity-compare-unit-users = virtual users
capacity-compare-line-unasked = capacity under an objective: none was given (--slo judges tables by one)
capacity-compare-line-missing = capacity under the objective: { $side } has none
capacity-compare-line-other = capacity under the objective: cannot be compared, the objectives or units differ
capacity-compare-peak = peak: { $before } -> { $after } ({ $change })
capacity-compare-knee = knee: { $before } -> { $after } ({ $change })
capacity-compare-missing = { $what }: { $side } did not reach it
capacity-compare-scale = { $factor } times the instances give { $gain } times the peak: efficiency { $efficiency }
capacity-compare-apart = where the lines may lie does not overlap
capacity-compare-overlap = where the lines may lie overlaps: cannot tell
capacity-exported = written to { $path }
capacity-about = about { $load }
capacity-about-users = about { $count } { $count ->
    [one] VU
   *[other] VUs
}
capacity-users = { $count } { $count ->
    [one] VU
   *[other] VUs
}
capacity-curve-throughput = TPS
capacity-curve-load-rate = load, iterations/s
capacity-curve-load-users = load, virtual users
capacity-warming = warming up, users in a loop: { $users }; nothing of it counts
capacity-warmed = warm after { $took } (requests: { $requests }): median { $early } at first, { $late } in the end
capacity-warmed-not-steady = NOT STEADY after { $took } (requests: { $requests }): median { $early } at first, { $late } in the end, and still with a trend
capacity-warmed-nothing = nothing was answered well in { $took } of warm-up (requests: { $requests })
