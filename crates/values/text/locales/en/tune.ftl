tune-mistake-yaml = not YAML: { $reason }
tune-mistake-no-map = a map of names and values is expected here
tune-mistake-missing = `{ $key }` is missing
tune-mistake-no-text = `{ $key }` must be a text or a number
tune-mistake-choice = `{ $key }: { $found }` is none of: { $known }
tune-mistake-time = `{ $key }: { $found }` is not a time such as 30s or 2m
tune-mistake-number = `{ $key }: { $found }` is not a number
tune-mistake-command = `{ $key }` must be a command: words, or a list of words
tune-mistake-key-misspelt = unknown name `{ $found }`; did you mean `{ $similar }`?
tune-mistake-key = unknown name `{ $found }`; known here: { $known }
tune-mistake-goal = `{ $found }` is not a goal; write `throughput max subject to p(95)<500ms` or `meet tps>=100, p(95)<=500ms`
tune-mistake-goal-throughput = `{ $text }` is not a condition: write tps>= and a number above zero, such as tps>=100
tune-mistake-goal-scope = `{ $text }` asks for a part of the requests, and a study judges all of them: write it without the braces
tune-mistake-both = `{ $one }` and `{ $other }` cannot stand together
tune-mistake-list = `{ $key }` must be a list
tune-mistake-count = `{ $key }` must have 1 to { $most } { $most ->
    [one] entry
   *[other] entries
}
tune-mistake-twice = a second knob `{ $name }`
tune-mistake-needs-start = knob `{ $name }` is set when the target starts: give `target: start`
tune-mistake-needs-restart = knob `{ $name }` needs a restart: give `target: start` or `target: restart`
tune-mistake-needs-read = knob `{ $name }` is set by a person: give `read`, so that it can be checked
tune-mistake-values = give `values`, or `from` and `to` with `step` or `factor`
tune-mistake-values-count = a knob must have 2 to { $most } different values
tune-mistake-method = exactly one of these must be given: { $known }
tune-mistake-url = `{ $found }` is not a URL that begins with http:// or https://
tune-mistake-limit = `{ $found }` is not a limit such as pool * 2 <= 100
tune-mistake-knob = no knob is called `{ $found }`; the knobs are: { $known }
tune-mistake-start-forbidden = the limit `{ $limit }` forbids the setting the target has now: { $setting }
tune-mistake-empty = the file is empty
tune-mistake-documents = a second YAML document begins here: a study file holds one
tune-mistake-deep = nested deeper than { $most } { $most ->
    [one] level
   *[other] levels
}
tune-mistake-alias = aliases (`*name`) are not used in study files: write the value out
tune-mistake-key-no-text = a name must be a text
tune-mistake-key-twice = `{ $key }` is here twice
tune-mistake-colon = not YAML: a colon and a space stand within a value; put quotes around the whole value
tune-mistake-test = `test` must be what stands after `loadline run`: a text, or a list of words
tune-mistake-test-begins = `test` begins with what stands after `loadline run`: leave out `{ $word }`
tune-mistake-above = `{ $key }: { $found }` must be more than { $least }
tune-mistake-whole = `{ $key }: { $found }` is not a whole number from 1 to { $most }
tune-mistake-name = `name: { $found }` cannot be used: a name has no spaces and none of = + * / < > , and braces
tune-mistake-no-value = `{ $key }` does not hold {"`{value}`"}: it would do the same for each value
tune-mistake-http-method = `method: { $found }` is not an HTTP method such as PUT
tune-mistake-when-met = `when_met: { $found }` must be `stop` (where the goal is met as it is nothing else is tried) or `cheaper` (look for a cheaper setting that meets it, too)
tune-mistake-answers = `answers: { $found }` must be `same` (a setting under which the target answers otherwise is not taken) or `any`
tune-mistake-limit-number = the limit `{ $limit }` needs numbers, and `{ $name }` has the value { $value }
tune-mistake-no-choice = the limits forbid every setting except the current one: nothing is left to try
tune-mistake-property-file = the file of knob `{ $name }` is not there: { $file }; make it, empty if need be, so that the target reads it
tune-mistake-template-file = the template of knob `{ $name }` is not there: { $file }
tune-mistake-file-folder = the folder for the file of knob `{ $name }` is not there: { $folder }
tune-mistake-program = there is no program `{ $program }` that can be run
tune-reason-start-ended = the target ended while it started: { $output }
tune-reason-not-ready = the target was not ready after { $time }
tune-reason-hook-failed = `{ $hook }` failed: { $output }
tune-reason-hook-timeout = `{ $hook }` did not end within { $time } and was killed with its process group
tune-reason-hook-missing = `{ $hook }` cannot be started: { $reason }
tune-reason-read-back = { $knob } was set to { $wanted }, but the target says { $seen }
tune-reason-request = { $url }: { $reason }
tune-reason-file = { $file }: { $reason }
tune-reason-journal = the journal: { $reason }
tune-reason-original-damaged = { $file }: its original text in the journal is damaged and was not written; take the file from version control or a backup
tune-reason-link-moved = { $file }: the study changed { $before } through this link, which leads elsewhere now; point the link there again, then --restore
tune-reason-not-of-study = { $file }: the journal names this file, the study does not; nothing was written. If the journal is none of this study's, remove it
tune-reason-not-restored = { $count ->
    [one] one thing of the target is not as it was
   *[other] { $count } things of the target are not as they were
}
tune-left-by-hand = { $reason }; by hand: { $command }
tune-reason-gone = the target was gone after the load
tune-reason-none-in-time = no request was answered before the trial ended
tune-reason-no-answer = the target answered no request: { $kinds }
tune-reason-nothing-sent = the test sent no request
tune-reason-all-failed = all requests failed: { $kinds }
tune-reason-run-ended = the run ended by itself: { $reason }
tune-reason-generator = the generator was the bottleneck ({ $limits })
tune-reason-nothing = what the goal is about was not measured
tune-reason-answers-differ = { $endpoint } answers otherwise at { $place }: with the current settings { $was }, now { $is }
tune-reason-answers-size = bytes of a good answer of { $endpoint }: { $after }, with the current settings { $before }
tune-reason-answers-status = answers of { $endpoint } with status { $status }: { $after }, with the current settings { $before }
tune-reason-answers-checks = failed checks at { $endpoint }: { $after }, with the current settings { $before }
tune-reason-answers-body = { $endpoint }: { $state } in { $after } of { $bodies } sampled answers, with the current settings in { $before } of { $earlier }
tune-reason-answers-words = { $endpoint }: words that all of { $earlier } sampled texts have with the current settings: { $words }; of these in the { $texts } sampled ones here: { $left }
tune-reason-answers-new-words = { $endpoint }: words in all of { $texts } sampled texts and, with the current settings, in none of { $earlier }: { $words }
tune-plan-goal = goal      { $goal }
tune-plan-test = test      { $test }
tune-plan-knob = knob      { $name }: { $values } (now { $now })
tune-plan-limit = limit     { $limit }
tune-plan-size = settings  { $settings }
tune-plan-size-limited = settings  { $settings }, of which { $forbidden } { $forbidden ->
    [one] is
   *[other] are
} forbidden by limits and never tried
tune-plan-budget = budget    { $trials } { $trials ->
    [one] trial
   *[other] trials
} or { $time } at most; one trial takes about { $each }
tune-plan-budget-unknown = budget    { $trials } { $trials ->
    [one] trial
   *[other] trials
} or { $time } at most; the test decides how long a trial takes
tune-plan-short = lasts     { $high } at most; many studies take { $trials } { $trials ->
    [one] trial
   *[other] trials
} or more: this budget may be too small
tune-plan-lasts = lasts     about { $low } if the first race decides, { $high } at most
tune-plan-first = first     { $setting }
tune-plan-restarts = restarts  before each trial
tune-resumed = goes on after { $trials } { $trials ->
    [one] trial
   *[other] trials
} of the journal
tune-purpose-noise = noise
tune-purpose-race = race
tune-purpose-without = without
tune-purpose-confirm = confirm
tune-trial-begins = trial { $number } ({ $purpose }): { $setting }
tune-trial-invalid = invalid, does not count: { $reason }
tune-trial-failed = failed: { $reason }
tune-trial-other-answers = answers changed, does not count: { $reason }
tune-answers-not-compared = answers of trials are not compared with those of the current settings: { $reason }
tune-answers-not-stored = answers of trials are not compared with those of the current settings: nothing is stored
tune-manual-asks = please set: { $text }; waiting until the target says so
tune-elsewhere-before = before the budget is spent: explain names a bottleneck that these knobs may not move: { $limit }
tune-limit-start = as the target is (explain): { $text }
tune-limit-first = before any of these settings, try: { $advice }
tune-knob-spare = { $knob } need not be tuned: at most { $busy } of { $most } were in use
tune-met-as-it-is = the goal is met as it is: fresh trials confirm that, then stop. No other setting is tried (`when_met: cheaper` in the study looks for a cheaper one)
tune-limit-trial = explain: { $text }
tune-limit-guess = tried first, since explain names what it changes: { $setting }
tune-limit-decides = tried first, since two causes fit and this decides between them: { $setting }
tune-elsewhere = the bottleneck is elsewhere (explain: { $limit })
tune-elsewhere-unknown = what limits the target is not known: loadline explain { $run } says what was seen and what is missing
tune-elsewhere-not-stored = what limits the target is not known: no trial was stored
tune-restored = restored: { $what }
tune-restored-process = process { $number }
tune-restored-unwritten = restored: all that the study changed; the journal could not be written, so the next start does it once more
tune-restored-nothing = nothing to restore
tune-answer-better = better by { $change } in { $pairs } { $pairs ->
    [one] fresh pair
   *[other] fresh pairs
}: { $setting }
tune-answer-better-times = better, { $change }, in { $pairs } { $pairs ->
    [one] fresh pair
   *[other] fresh pairs
}: { $setting }
tune-answer-goal-met = goal met in { $trials } { $trials ->
    [one] fresh trial
   *[other] fresh trials
}: { $setting }
tune-answer-goal-met-now = the target meets the goal with its current settings, in { $trials } { $trials ->
    [one] fresh trial
   *[other] fresh trials
}; no cheaper setting that was tried was shown to meet it
tune-answer-goal-met-now-alone = the goal is met as it is, in { $trials } { $trials ->
    [one] fresh trial
   *[other] fresh trials
}: stop; no other setting was tried
tune-answer-goal-missed = no setting that was tried meets the goal; nearest to it: { $setting }
tune-answer-no-difference = nothing that was tried is better by more than { $percent } %: keep what the target has
tune-answer-no-difference-at-all = no difference: keep what the target has
tune-answer-none-works = no other setting that was tried works as the current one does: keep what the target has
tune-difference-unclear = cannot tell
tune-answer-cannot-tell = cannot tell; { $trials } { $trials ->
    [one] more trial
   *[other] more trials
}, about { $time }, would
tune-answer-cannot-tell-by-more = cannot tell, and more trials like these would not; what would tell: longer trials, or fewer other programs on the machines
tune-answer-cannot-tell-so-far = so far { $change } for { $setting }
tune-answer-load-too-small = cannot tell: the target carried all that the test sends, { $sent }/s, and the goal asks for { $condition }; no setting can meet it with this load: send more than { $least }/s
tune-answer-start-fails = the target does not work with the settings it has; nothing was compared
tune-end-budget = the budget was spent
tune-end-interrupted = interrupted; the journal keeps what was measured: run the same command to go on
tune-end-invalid = trial after trial was invalid
tune-noise = trials of one setting differ by { $noise }; a first confirmation shows differences from about { $detectable } on
tune-noise-but = trials of one setting differ by { $noise }, but for { $far ->
    [one] one that was
   *[other] { $far } that were
} far off, as beside other work of the machine; where none is, a first confirmation shows differences from about { $detectable } on
tune-effect-title = what each knob does (intervals hold together, Holm, 95 %)
tune-effect-note-beside = the others as in { $setting }
tune-effect-note-margin = 10 % means: the condition that fails most, or holds by the least, is 10 % better
tune-effect-matters = { $from } -> { $to } gives { $change }
tune-effect-none = no change larger than { $percent } %
tune-effect-none-at-all = no change
tune-effect-unclear = cannot tell { $interval }
tune-effect-unclear-wide = cannot tell: trials spread too much; what would tell: a larger budget, or longer trials
tune-effect-not-tried = not compared alone
tune-effect-beside-start = { $effect }, with the other knobs as they are now
tune-effect-at-start = with the other knobs as they are now { $from } -> { $to } gives { $change }: it depends on the other knobs
tune-interaction = { $one } and { $other } together give { $change } beyond the sum of each alone
tune-interaction-none = { $one } and { $other } act independently, within { $percent } %
tune-interaction-unclear = whether { $one } and { $other } depend on each other cannot be told: trials spread too much
tune-load-carried = this setting carried all the load that was offered: how much more it carries is not known; a larger load in the study's test would show it
tune-cheaper-as-good = cheaper and as good: { $setting } ({ $change } in { $pairs } { $pairs ->
    [one] fresh pair
   *[other] fresh pairs
})
tune-cheaper-untried = cheaper, and not tried: { $settings }
tune-setting-failed = the target fails with { $setting }
tune-setting-other-answers = answers changed with { $setting }: not taken, however fast
tune-place-environment = environment
tune-place-start = start command
tune-place-command = command
tune-place-manual = by hand
tune-paste-title = to paste
tune-paste-before = before (explain): { $text }
tune-paste-then = with this (explain): { $text }
tune-paste-reason-matters = { $from } -> { $to } gives { $change }
tune-paste-reason-same = { $from } -> { $to }: no clear change { $interval }
tune-size-times = { $times } { $times ->
    [one] time
   *[other] times
} as much
tune-size-times-good = { $times } { $times ->
    [one] time
   *[other] times
} as good
tune-size-factor = { $times } { $times ->
    [one] time
   *[other] times
}
tune-size-at-least = at least { $size }
tune-size-at-most = { $size } or less
tune-paste-reason-unclear = { $from } -> { $to }: no clear change, and trials spread too much to say how large one could be
tune-paste-reason-needed = confirmed with the others; not compared alone
tune-column-number = trial
tune-column-why = why
tune-column-block = block
tune-column-setting = setting
tune-column-rate = TPS
tune-column-p95 = p95 ms
tune-column-errors = errors
tune-column-change = against now [95 %]
tune-column-run = run
tune-column-result = result
tune-column-limit = what limited
tune-result-counts = counts
tune-result-invalid = invalid
tune-result-failed = failed
tune-result-other-answers = answers changed
tune-init-written = { $file } written; change what is marked, then: loadline tune { $file }
tune-fact-goal = goal: { $goal }
tune-running-between = between trials: settings are set or put back
tune-cut-off = its process is gone; the same command goes on after the last trial, and restores the target first
tune-limit-so-far = what limits with the current settings (explain): { $limit }
tune-word-better = Better
tune-word-goal-met = Goal met
tune-word-goal-missed = Goal missed
tune-word-no-difference = No difference
tune-word-none-works = No other works
tune-word-cannot-tell = Cannot tell
tune-word-load-too-small = Load too small
tune-word-start-fails = Target does not work
tune-figure-trials = Trials
tune-figure-trials-note = { $failed } failed, { $invalid } invalid
tune-figure-trials-note-other = { $failed } failed, { $other } with changed answers, { $invalid } invalid
tune-figure-noise = Noise
tune-figure-noise-note = standard deviation of trials of one setting
tune-figure-noise-note-but = standard deviation of trials of one setting; { $far } far off
tune-figure-detectable = Smallest difference seen at once
tune-figure-trial-time = One trial takes
tune-interaction-label = together
tune-section-settings = Settings that were tried
tune-note-settings = Ranges are of all trials, at different times. The difference compares trials of the same block; the intervals hold together (95 %).
tune-section-trials = Every trial, in the order it was run
tune-note-trials = Each trial is a stored run. Compare trials of one block only: the machine drifts.
tune-column-state = is
tune-column-trials = trials
tune-state-taken = to take
tune-state-now = now
tune-state-failed = target fails
tune-state-other-answers = answers changed
tune-chart-rate = Throughput of each trial
tune-chart-p95 = p95 of each trial
tune-axis-trial = trial
tune-axis-rate = successful requests per second
tune-axis-p95 = p95, ms
tune-series-now = current setting
tune-series-taken = setting to take
tune-series-others = others
tune-page-lost = the study goes on, but its page is not kept: { $reason }
tune-reason-not-free = { $ready } answers already: the study starts the target itself, so stop the one that runs
tune-draft-title = A study of settings for `loadline tune`. Look at every line marked with <--; docs/guide/tune.md explains every name.
tune-draft-test = The test: what stands after `loadline run`. Offer more load than the goal asks for.
tune-draft-goal = Or `meet tps>=100, p(95)<=500ms`, which stops at the cheapest setting that keeps both.
tune-draft-start = The study starts the target itself: stop process { $pid } before.
tune-draft-secret-word = Where { $mask } stands, the command has a secret, which is not written here: let a shell read it, [sh, -c, 'exec app --password="$APP_PASSWORD"'].
tune-draft-secret = Set { $name } in the terminal that runs the study; secrets are not written here.
tune-draft-no-start = The target runs elsewhere: `restart: ssh app systemctl restart app` lets the study restart it.
tune-draft-no-knob = Nothing that looks like a size was found in the target's command, variables or metrics; this is an example.
tune-draft-limits = What no setting may exceed, such as the database's connections for two instances:
tune-section-paste = To paste
tune-section-effects = What each knob does (intervals hold together, Holm, 95 %)
tune-limit-there = what limits there (explain): { $limit }
