matrix-title = Test matrix
matrix-fact-rows = { $count } { $count ->
    [one] row
   *[other] rows
}
matrix-fact-quick = short tests (--quick)
matrix-first-headroom = { $row } breaks first: { $capacity }, { $times } times the planned { $planned }.
matrix-first-capacity = { $row } breaks first: { $capacity }; no rate is planned for it.
matrix-first-at-least = Nothing is known to break: { $row } carries the least, { $capacity }.
matrix-first-at-least-headroom = Nothing is known to break: { $row } has the least headroom, { $headroom } ({ $capacity }).
matrix-first-went-down = The target stopped answering during the tests of { $row }.
matrix-first-smoke = { $row } does not work: { $reason }.
matrix-first-all-smoke = Nothing works: { $reason }.
matrix-first-nothing = { $row } breaks first: no load holds the objective.
matrix-first-unknown = What breaks first is not known.
matrix-not-complete = Not complete: the same command goes on with the tests that are missing.
matrix-of-capacity = No rate is planned for { $rows }: load and stress are multiples of { $share } of the capacity found.
matrix-note-quick = Short tests (--quick): capacities are rougher, and nothing was held for long; without --quick they are surer.
matrix-column-row = API or flow
matrix-column-planned = planned
matrix-column-p95 = p95 there
matrix-column-errors = errors there
matrix-column-smoke = smoke
matrix-column-load = load
matrix-column-stress = stress
matrix-column-capacity = capacity
matrix-column-knee = knee
matrix-column-soak = soak
matrix-column-headroom = headroom
matrix-column-limit = limited by
matrix-word-ok = OK
matrix-word-failed = FAILED
matrix-word-holds = holds
matrix-word-misses = MISSES
matrix-word-not-known = not known
matrix-word-not-tried = not tried
matrix-word-not-yet = not yet
matrix-word-none-holds = none holds
matrix-word-steady = steady
matrix-word-drifts = DRIFTS
matrix-word-nothing-seen = none seen
matrix-kind-flow = { $name } (flow)
matrix-times = ×{ $times }
matrix-times-at-least = ≥ ×{ $times }
matrix-capacity-unsure = about { $capacity }
matrix-capacity-alone = the search alone: { $capacity }; { $held } surely held in the load or stress test
matrix-smoke-ok = { $requests } { $requests ->
    [one] request
   *[other] requests
}, { $checks } { $checks ->
    [one] check
   *[other] checks
}, all OK
matrix-smoke-failed = { $failed } of { $requests } { $requests ->
    [one] request
   *[other] requests
} failed ({ $kinds })
matrix-smoke-checks = { $failed } of { $checks } { $checks ->
    [one] check
   *[other] checks
} failed
matrix-smoke-broken = the iteration failed
matrix-smoke-cut = the iteration did not end in time
matrix-smoke-redirects = the answer points elsewhere (a redirect that is not followed)
matrix-smoke-nothing = nothing was sent
matrix-level = { $load } (×{ $times }) for { $seconds } s: { $outcome }
matrix-level-figures = p95 { $p95 }, errors { $errors }
matrix-level-misses = misses { $term }: { $value }
matrix-why-load-missed = not tried: the planned rate itself is missed
matrix-why-load-unknown = not tried: it cannot be told whether the planned rate holds
matrix-why-no-capacity = not tried: no rate is planned, and no load holds
matrix-why-smoke = not tried: smoke failed
matrix-why-quick = not tried: --quick has no soak
matrix-why-no-soak = not tried: too little is known of the line
matrix-why-no-plan = not known: no rate is planned (--rate, --plan)
matrix-why-not-yet = not yet: the same command goes on with it
matrix-why-end = the search ended: { $end }
matrix-why-fault = could not be made: { $reason }
matrix-end-generator = the generator was the limit; a lower bound
matrix-end-test = virtual users ran out (--max-vus); a lower bound
matrix-end-highest = the highest load allowed (--max-rate) was reached; a lower bound
matrix-end-time = the time was up (--budget)
matrix-end-any-load = the objective is missed with little load as much as with more
matrix-end-fails = requests fail with hardly any load
matrix-end-no-sample = a term asks for requests that the test does not make
matrix-end-no-answer = nothing was answered
matrix-end-not-recovered = the target did not recover after a level that was too much
matrix-label-limit = limit
matrix-label-headroom = headroom
matrix-heading-matrix = Tests
matrix-heading-details = Each row
matrix-heading-words = Words
matrix-chart-capacity = Capacity beside the plan
matrix-axis-rate = iterations per second
matrix-series-capacity = capacity
matrix-series-planned = planned
matrix-term-smoke-is = one iteration: does it work at all
matrix-term-load-is = the planned rate, held
matrix-term-stress-is = 1.5 and 2 times the planned rate
matrix-term-capacity-is = the highest rate that holds the objective, with the range that it lies in with 95 %
matrix-term-knee-is = the lowest rate with at least 90 % of the peak's throughput: beyond it latency grows and little is gained
matrix-term-soak-is = 85 % of the capacity, held in the end
matrix-term-headroom-is = capacity divided by the planned rate
matrix-before-rows = rows         { $count }: { $rows }
matrix-before-planned = planned      { $rates }
matrix-before-unplanned = planned      none for { $rows } (--rate, --plan): their capacity is looked for first, and load and stress are multiples of { $share } of it
matrix-before-flow = flow         { $name } (--flow names another)
matrix-before-time = time         about { $row } for each row, { $all } in all (--budget); a target that has to recover takes more
matrix-before-cells = of a row     { $row }: smoke, load { $load }, stress 2 × { $stress }, break point { $search }, soak { $soak }
matrix-before-cells-quick = of a row     { $row }: smoke, load { $load }, stress 2 × { $stress }, break point { $search }; no soak
matrix-before-id = kept as      { $id }: the same command goes on after an interruption, --fresh begins anew
matrix-before-not-kept = kept as      nothing is stored (--no-store): an interrupted matrix begins anew, and what limits is not told
matrix-before-resumed = goes on      { $done } of { $all } { $all ->
    [one] test
   *[other] tests
} { $all ->
    [one] is
   *[other] are
} there already
matrix-cell-begins = [{ $number }/{ $all }] { $row }: { $cell }
matrix-cell-smoke = smoke, one iteration
matrix-cell-load = load, { $load } for { $time }
matrix-cell-stress = stress, { $loads } for { $time } each
matrix-cell-capacity = break point, at most { $time }
matrix-cell-capacity-soak = break point, at most { $time }, then soak for { $soak }
matrix-row-stops = { $row } stops here: { $reason }
matrix-plan-unmatched = Of the plan no row is of: { $features }
