rounds-title = Rounds of an experiment
rounds-fact-rounds = { $count } { $count ->
    [one] round
   *[other] rounds
}
rounds-word-met = met
rounds-word-missed = MISSED
rounds-word-unknown = not known
rounds-word-no-goal = no goal
rounds-end-no-goal = { $count } { $count ->
    [one] round
   *[other] rounds
}, no goal: --goal 'p95<800ms' says which of them is enough.
rounds-end-met = The goal { $goal } is met in round { $round }, the last one: stop here.
rounds-end-carried = Under the goal { $goal } round { $round }, the last one, carries { $capacity }.
rounds-end-carried-before = Under the goal { $goal } round { $best } carries most, { $most }; round { $round }, the last one, carries { $capacity }.
rounds-end-met-before = The goal { $goal } is met in round { $rounds }, and not in the last one that was kept.
rounds-end-missed-by-kept = No round that was kept meets the goal { $goal }.
rounds-end-missed = No round meets the goal { $goal }.
rounds-end-unknown = No round is known to meet the goal { $goal }: what it asks for was not measured in each of them.
rounds-end-unknown-doubtful = No round is known to meet the goal { $goal }: load or answers of round { $rounds } fell short, so its figures do not tell all (see its verdict).
rounds-way = From round { $from } to round { $to }: { $parts }.
rounds-way-load = load { $from } to { $to } (× { $times })
rounds-way-capacity = capacity { $from } to { $to } (× { $times })
rounds-way-capacity-bound = capacity { $from } to { $to }
rounds-way-p95 = p95 { $from } to { $to }
rounds-way-errors = errors { $from } to { $to }
rounds-from-to = { $low } - { $high }
rounds-capacity-within = { $middle } ({ $low } - { $high })
rounds-capacity-at-least = at least { $middle }
rounds-rejected-round = { $name } (rejected)
rounds-column-round = round
rounds-column-change = change
rounds-column-commit = commit
rounds-column-capacity = capacity
rounds-column-knee = knee
rounds-column-peak = peak
rounds-column-goal = goal
rounds-column-limit = limited by
rounds-column-costs = costs
rounds-label-rejected = tried and rejected
rounds-label-compared = compared
rounds-label-next = next
rounds-against = with round { $with }: { $said }
rounds-heading-round = Round { $name }
rounds-heading-rounds = Rounds
rounds-heading-charts = Load and response time
rounds-heading-told = What was tried
rounds-next-stop = The goal is met: stop, or raise the goal.
rounds-next-enough = Stop if this load is enough.
rounds-next-limit = What limits then: { $limit }
rounds-next-take = Take the settings of round { $round }.
rounds-next-explain = What limits round { $round } is not known: loadline explain { $run }, of a run with --observe.
rounds-next-of-limit = Change what limits now: { $limit }
rounds-next-observe = What limits round { $round } is not known: measure it with loadline run --observe, and name the run here.
rounds-note-not-repeated = Rounds of a single run: { $rounds }. Runs of one setting differ, too: repeat them (run --repeat 5) before small differences are believed.
rounds-note-typed = Typed by hand: round { $names }.
rounds-note-all-typed = All figures were typed by hand.
rounds-figure-load = load
rounds-figure-first = in the first round { $value }
rounds-observed-errors = errors { $share }
rounds-goal-of-round = { $goal } in round { $round }
rounds-chart-load = Load of each round
rounds-chart-p95 = Response time of each round
rounds-axis-rate = requests/s
rounds-axis-ms = ms
rounds-series-p95 = p95
rounds-next-more-load = Nothing limits at this load: loadline capacity finds the highest one that holds.
rounds-mistake-no-rounds = rounds: is missing, or empty
rounds-expected-time = a time with its unit, or from one to another: 750ms, 1.0s..1.7s
rounds-expected-share = a share: 0.5% or 0.005
rounds-expected-capacity = requests per second: 150/s, 140/s..160/s, or >=150/s
rounds-heading-next = Next
rounds-round-with-change = Round { $name }: { $change }
rounds-scaled = Instances { $counts } (round { $before } to { $after }): peak against peak { $peaks } (× { $gain }), efficiency { $efficiency }.
rounds-scaled-shared = What limits is shared by all instances: a database, a balancer, the machine, or the generator. loadline explain says which, of a run with --observe.
rounds-scaled-shared-limit = What limits is shared by all instances: { $limit }.
rounds-doubt-least = missed from the least load of the table on (users: { $users }); less was not tried
