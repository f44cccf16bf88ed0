kept-as = stored as run { $run } ({ $command })
next-commands = next: { $explain } (what limited it), { $report } (a page of it)
limit-explained = what limits (explain): { $limit }
settings-explained = before threads and pools are tuned (explain): { $setting }
settings-explained-more = { $more } more of these: loadline explain
kept-coarse = the disk was too slow: { $windows } { $windows ->
    [one] window was
   *[other] windows were
} merged into coarser ones
kept-nothing = this run is NOT stored in { $path }: { $reason }
kept-partly = run { $run } is stored in { $path } only in part: { $reason }
loss-full = the disk is full
loss-read-only = it cannot be written: read-only or without permission
loss-locked = another process held it to the end
loss-newer = a newer loadline made it; it was left as it is
loss-defect = a defect of loadline ({ $reason })
loss-other = { $reason }
runs-none = no run is stored yet
runs-column-number = no.
runs-column-run = run
runs-column-started = started
runs-column-test = test
runs-column-verdict = verdict
runs-column-length = length
runs-column-vus = VUs
runs-column-rate = TPS
runs-column-mean = mean
runs-column-p95 = p95
runs-column-errors = errors
runs-column-note = notes
word-running = running
word-passed = passed
word-no-goals = no goals
word-not-judged = not judged
word-failed = FAILED
word-stopped = stopped
word-interrupted = killed
word-disk-full = cut: disk full
word-not-valid = NOT VALID
word-no-answer = no answer
word-nothing-sent = nothing sent
word-error = error
show-run = run { $name } (no. { $number })
show-test = test
show-started = started
show-verdict = verdict
show-machine = machine
show-machine-is = { $host }, { $kernel }, { $usable } of { $cpus } { $cpus ->
    [one] CPU
   *[other] CPUs
}
show-target = target
show-hash = test hash
show-series = repetition
show-series-is = { $number } of { $of } of series { $id }
show-segment = segment
show-plan = plan
show-plan-is = peak { $peak }/s, mean { $mean }/s, { $users } { $users ->
    [one] virtual user
   *[other] virtual users
}
show-merged = merged from
show-settings = settings
show-tags = tags
show-note = note
show-size = stored
show-size-is = { $size }, { $series } series, { $windows } { $windows ->
    [one] window
   *[other] windows
}
show-unjudged = not judged again: { $thresholds }
runs-removed = { $count } { $count ->
    [one] run
   *[other] runs
} removed
runs-would-remove = { $count } { $count ->
    [one] run
   *[other] runs
} would be removed
runs-still-running = run { $run } is still running and was kept
too-many-series = { $count } series: too many tag values; further ones are counted as "(other)". Give requests with an id in their URL a common name tag
compare-title = { $after } against { $before }
compare-side = { $name } ({ $runs } { $runs ->
    [one] run
   *[other] runs
})
compare-method = n = { $before } { $before ->
    [one] request
   *[other] requests
} in { $seconds_before } s against { $after } in { $seconds_after } s; the { $intervals } { $intervals ->
    [one] interval
   *[other] intervals
} of all requests { $intervals ->
    [one] holds
   *[other] hold together
} with { $percent } confidence. Times and TPS: ratio, t over runs with Welch's degrees of freedom, pooled where both sides vary alike (batch means within a single run). Shares: difference in percentage points, Newcombe's score interval
compare-method-endpoints = endpoints: { $looks } { $looks ->
    [one] measure
   *[other] measures
} compared; where nothing differs, one of them is called better or worse in { $percent } of comparisons at most (false discovery rate)
compare-cold = the first run of { $side } was cold (mean { $first }, later { $later }): it is left out
compare-all = all requests
compare-measure-rate = TPS
compare-measure-mean = mean
compare-measure-p50 = p50
compare-measure-p95 = p95
compare-measure-errors = errors
compare-better = better by { $by } [{ $low }, { $high }]
compare-worse = WORSE by { $by } [{ $low }, { $high }]
compare-no-difference = no difference
compare-stages = the planned load varies: times are compared in { $stages } { $stages ->
    [one] stage
   *[other] stages
} of the same planned load, each of which counts alike
compare-of-stages = { $measure }, by stage
compare-of-all-requests = { $measure }, all requests
compare-planned = as planned: what was sent is no result
compare-same = no difference larger than { $share }
compare-cannot = cannot tell: { $reason }
compare-cannot-interval = cannot tell [{ $low }, { $high }]: { $reason }
compare-cannot-looks = cannot tell ({ $looks }): { $reason }
compare-looks = { $more } measured { $times } × { $less }
compare-why-short = { $answers } { $answers ->
    [one] answer
   *[other] answers
} in { $seconds } full { $seconds ->
    [one] second
   *[other] seconds
} are too few to see how they spread; what would tell: runs with { $answers_needed } { $answers_needed ->
    [one] answer
   *[other] answers
} or more in { $seconds_needed } full { $seconds_needed ->
    [one] second
   *[other] seconds
} or more, or { $runs } { $runs ->
    [one] run
   *[other] runs
} a side (--repeat { $runs })
compare-why-brief = { $seconds } full { $seconds ->
    [one] second is
   *[other] seconds are
} too few to see how they spread; what would tell: runs of { $seconds_needed } full { $seconds_needed ->
    [one] second
   *[other] seconds
} or more, or { $runs } { $runs ->
    [one] run
   *[other] runs
} a side (--repeat { $runs })
compare-why-bunched = { $answers } { $answers ->
    [one] answer
   *[other] answers
} in { $seconds } full { $seconds ->
    [one] second
   *[other] seconds
} came too close together to see how they spread; what would tell: longer runs, or { $runs } { $runs ->
    [one] run
   *[other] runs
} a side (--repeat { $runs })
compare-why-single = single runs of one system differ by up to { $percent }; repeat both (--repeat 5)
compare-why-spread = they spread too much; about { $runs } { $runs ->
    [one] run
   *[other] runs
} a side would show differences of { $percent }
compare-why-spread-wide = they spread too much for differences of { $percent } to show; what would tell: longer runs under an even load, without a ramp, or fewer other programs on the machines
compare-why-across = they differ, by less or by more than { $percent }; about { $runs } { $runs ->
    [one] run
   *[other] runs
} a side would tell
compare-why-across-wide = they differ, by about { $percent }: too close to it to tell on which side
compare-why-few = the same on both sides, but of too few to rule out a difference of { $percent }; about { $runs } { $runs ->
    [one] run
   *[other] runs
} a side would
compare-why-few-wide = the same on both sides, but of too few to rule out a difference of { $percent }; what would tell: longer runs, or more load
compare-why-nothing = nothing was measured on a side
compare-changed = ANSWERS CHANGED: { $name }
compare-gained = answers gained { $fields ->
    [one] a field
   *[other] fields
 }, nothing else changed: { $name }
compare-errors-fell = errors fell from { $before } to { $after }
compare-changed-status = status { $status }: { $before } before, { $after } after
compare-changed-size = bytes of a good answer: { $before } before, { $after } after
compare-changed-body = { $what } in { $after } of { $bodies } sampled answers, before in { $before } of { $earlier }
compare-other-words = words that all of { $earlier } sampled texts had before: { $words }; of these in the { $texts } sampled ones after: { $left }
compare-new-words = words in all of { $texts } sampled texts and in none of { $earlier } before: { $words }
body-added = added field `{ $field }` is there
body-new = field `{ $field }` is there
body-missing = field `{ $field }` is missing
body-null = field `{ $field }` is null
body-empty = field `{ $field }` is empty
body-zero = field `{ $field }` is zero
body-blank = field `{ $field }` is one character again and again
body-true = field `{ $field }` is true
body-false = field `{ $field }` is false
body-number = field `{ $field }` is a number
body-text = field `{ $field }` is a text
body-flag = field `{ $field }` is true or false
body-list = field `{ $field }` is a list
body-object = field `{ $field }` is an object
body-filled = field `{ $field }` is not empty
body-other-text = field `{ $field }` has another text
body-is-json = the body is JSON
body-is-text = the body is text that is no JSON
body-is-empty = the body is empty
body-is-binary = the body is neither JSON nor text
compare-only-before = only before: { $names }
compare-only-after = only after: { $names }
compare-new-shortfall = only in { $side }: { $what }
compare-other-test = the two sides ran different tests (the test's hash differs)
compare-other-target = the target was set up differently: { $changes }
compare-setting = { $name } { $before } → { $after }
compare-settings-more = and { $count } more
compare-moved = what moved at the target
compare-limit = what limits (explain)
compare-limit-of = { $text } ({ $count } of { $runs } { $runs ->
    [one] run
   *[other] runs
})
compare-limit-moved = the limit moved: from { $before } to { $after }
compare-limit-same = the same limit before and after: { $part }
compare-limit-same-seen = { $part } is used up before and after; why is not seen on every side
compare-limit-moved-seen = the limit seems to have moved: from { $before } to { $after }, which is used up; why is not seen on every side
compare-limit-gone = { $part } no longer limits
compare-limit-new = { $part } limits, and did not before
compare-limit-unknown = whether the limit moved cannot be told: on one side it is not known
compare-limit-none = nothing limits either side
compare-one-side-observed = only { $side } was observed: what moved at the target, and how it was set up, is told of one side alone and is no difference
compare-other-machine = the two sides ran on different machines or CPUs
compare-not-valid = the generator was the bottleneck in { $runs }: { $count ->
    [one] its
   *[other] their
} figures are not the target's
compare-measure-checks = failed checks
compare-measure-dropped = starts not answered
compare-points = { $points } { $points ->
    [one] point
   *[other] points
}
compare-why-errors = more requests failed, and failed ones are often fast
short-word-goals = goals
short-word-load = load
short-word-cut = cut off
short-word-errors = errors
short-word-calls = calls
short-word-redirects = redirects
short-word-checks = checks
short-word-answers = answers
short-word-exceptions = exceptions
short-word-users = virtual users
compare-why-own-delays = this machine's own delays (answers read late) may be the difference
compare-why-cut = requests were cut, so one side is only a lower bound (≥)
compare-load-changed = the load of { $run } was changed while it ran: { $changes }
compare-load-change = { $what } by { $by } at { $seconds } s
compare-load-more = { $count } more
load-paused = paused
load-resumed = resumed
load-scaled = set to { $percent } of the plan
load-level = set to { $level }
load-by-key = a key
load-by-rest-api = the REST API
load-by-search = a search
compare-load = different load: { $before } against { $after } iterations/s were planned
compare-seconds-left = left out as not full (start, warm-up, end): { $before } s of { $a }, { $after } s of { $b }
compare-endpoints-left = { $count } more { $count ->
    [one] endpoint is
   *[other] endpoints are
} only in the row of all requests
compare-fails-worse = WORSE: { $what }
compare-fails-changed = CHANGED: { $what }
compare-fails-unsure = cannot rule out that it is worse by more than { $limit }: { $what }
compare-answers = answers of { $name }
merged-as = merged { $parts } { $parts ->
    [one] run
   *[other] runs
} into run { $run }
merged-error = seconds are aligned by the start of load, to within { $error }; the generators' clocks put their starts { $spread } apart
merge-few = it takes at least two runs
merge-other-test = { $one } and { $other } ran different tests or options
merge-whole = { $run } ran the whole test; start each generator with --execution-segment
merge-malformed = the segment { $segment } of { $run } cannot be read
merge-twice = { $one } and { $other } both ran the segment { $from }:{ $to }
merge-missing = the segment { $from }:{ $to } is missing
merge-cuts = { $one } and { $other } cut the test differently: { $first } and { $second }
merge-unfinished = { $run } did not end properly
word-capacity = capacity
word-elsewhere = measured elsewhere
records-no-place = this run is NOT stored: neither XDG_DATA_HOME nor HOME is set; --store FILE names a file
