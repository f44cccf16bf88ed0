screen-state-making = making { $made } of { $planned } { $planned ->
    [one] VU
   *[other] VUs
}
screen-state-setup = setup
screen-state-warming = warm-up, not counted
screen-state-measuring = measuring
screen-state-paused = PAUSED
screen-state-stopping = stopping
screen-state-teardown = teardown
screen-goal-met = met
screen-goal-missed = missed
screen-goal-unknown = not yet
screen-more-goals = and { $count } { $count ->
    [one] more goal
   *[other] more goals
}
screen-time = { $elapsed } of { $whole }
screen-scenario = { $name } { $percent } · { $users } { $users ->
    [one] VU
   *[other] VUs
}
screen-more-scenarios = and { $count } { $count ->
    [one] more scenario
   *[other] more scenarios
}
screen-iterations = VUs { $active }/{ $users } · iterations { $complete } complete, { $interrupted } interrupted, { $dropped } dropped
screen-load = load { $percent } of the plan
screen-crossed = a threshold is crossed
screen-rate = Requests/s:
screen-rate-now = { $rate } · highest { $most }
screen-offered = iterations/s { $achieved } of { $planned } planned
screen-offered-dropped = iterations/s { $achieved } of { $planned } planned, { $dropped } dropped
screen-achieved = iterations/s { $achieved }
screen-latency = Response time, ms:
screen-latency-now = p95 { $p95 } · highest { $most }
screen-last-second = last 1 s
screen-last-ten = last 10 s
screen-whole-run = whole run
screen-whole-level = this level
screen-whole-trial = this trial
screen-state-setting = setting the target
screen-study-goal = goal: { $goal }
screen-study-trial = trial { $number } ({ $purpose }): { $setting }
screen-study-between = between two trials
screen-study-best = best so far: { $setting } · { $result }
screen-study-so-far = answer so far: { $answer }
screen-study-budget = { $trials } of at most { $most } { $most ->
    [one] trial
   *[other] trials
} · { $elapsed } of { $budget } · at most { $left } left
screen-study-budget-unknown = { $trials } of at most { $most } { $most ->
    [one] trial
   *[other] trials
} · { $elapsed } of { $budget }
screen-level = level { $load } · { $in_flight } in flight
screen-keys-of-search = q stop  Q end now  l 한국어  ? help
screen-column-requests = requests
screen-column-most = max
screen-column-errors = errors
screen-failures = Failed requests
screen-no-failures = none so far
screen-target = Target
screen-target-cpu = CPU { $used } { $used ->
    [one] core
   *[other] cores
}
screen-target-heap = heap { $used } MiB
screen-target-workers = threads { $used }
screen-target-pool = pool { $used }
screen-target-sessions = DB sessions { $used }
screen-waiting = { $what }, { $waiting } waiting
screen-generator = generator CPU { $share }
screen-log = Log
screen-keys = p pause  +/- load  q stop  Q end now  l 한국어  ? help
screen-help = Keys
screen-help-pause = pause, or go on
screen-help-load = 10 % more or less load
screen-help-stop = stop gracefully and report
screen-help-abort = end at once
screen-help-language = Korean or English
screen-help-close = close this
screen-unkept = { $lines } earlier lines were not kept; --log-output=file=FILE keeps them all
