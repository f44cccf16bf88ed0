labels =
    .error = error:
    .cause = cause:
    .expected = expected:
    .help = help:
    .original = original:
    .see-original = see below
    .quoted-original = "{ $text }"
    .exit-code = (exit code { $code })

verdict-done-one = DONE: 1 request, { $time }, { $errors } errors
verdict-passed-one = PASSED: 1 request, { $time }, { $errors } errors
verdict-done = DONE: { $rate } requests/s, p95 { $p95 }, { $errors } errors
verdict-passed = PASSED: { $rate } requests/s, p95 { $p95 }, { $errors } errors
verdict-not-judged = NOT JUDGED: { $unjudged } of { $unjudged } { $unjudged ->
    [one] threshold
   *[other] thresholds
} had no samples to be judged by: { $rate } requests/s, p95 { $p95 }, { $errors } errors
verdict-not-judged-iterations = NOT JUDGED: { $unjudged } of { $unjudged } { $unjudged ->
    [one] threshold
   *[other] thresholds
} had no samples to be judged by; { $iterations } { $iterations ->
    [one] iteration
   *[other] iterations
}
verdict-thresholds = FAILED: { $failed } of { $all } { $all ->
    [one] threshold
   *[other] thresholds
} { $failed ->
    [one] does
   *[other] do
} not hold: { $rate } requests/s, p95 { $p95 }, { $errors } errors
verdict-not-valid = NOT VALID: { $why }
invalid-bottleneck = the generator was the bottleneck ({ $reasons })
invalid-late = this machine's own delays ({ $reasons }) touched { $touched } of { $seconds } { $seconds ->
    [one] second
   *[other] seconds
}, so hardly any are left to judge
invalid-differs = { $with_them }; without the { $touched } of { $seconds } { $seconds ->
    [one] second
   *[other] seconds
} that this machine's own delays ({ $reasons }) touched, { $without_them }
invalid-rate = { $rate } requests/s is not the target's limit
invalid-nothing-sent = no request was sent
goals-all-hold = { $all ->
    [one] the threshold holds
   *[other] all { $all } thresholds hold
}
nothing-fell-short = nothing fell short
verdict-no-answer = { $requests ->
    [one] FAILED: the only request got no complete answer
   *[other] FAILED: none of { $requests } requests got a complete answer
}
verdict-nothing = FAILED: no request was sent
verdict-nothing-due = FAILED: no request was sent: at this rate none was due in { $duration }; let the test last longer, or raise the rate
verdict-nothing-iterations = FAILED: no request was sent in { $iterations } { $iterations ->
    [one] iteration
   *[other] iterations
}
verdict-killed = KILLED: loadline was ended from outside while the run went on, and nothing was judged; until then { $rate } requests/s, p95 { $p95 }, { $errors } errors
run-length-alone = { $duration }, up to { $vus } virtual { $vus ->
    [one] user
   *[other] users
}
verdict-interrupted = STOPPED: { $rate } requests/s, p95 { $p95 }, { $errors } errors until then
verdict-aborted = ABORTED: stopped at once, without a summary
verdict-failed = FAILED: { $message }
verdict-defect = FAILED: a defect of loadline ended the run ({ $message }); please report it
verdict-threshold-count = { $held } of { $all } { $all ->
    [one] threshold
   *[other] thresholds
} { $held ->
    [one] holds
   *[other] hold
}
verdict-thresholds-unjudged = { $held } of { $all } { $all ->
    [one] threshold
   *[other] thresholds
} { $held ->
    [one] holds
   *[other] hold
}, { $unjudged } had no samples to be judged by
verdict-no-goals = no goals set
verdict-same-answers = same answers as before, no other goals set
verdict-short = FAILED: { $reasons }: { $rate } requests/s, p95 { $p95 }, { $errors } errors
verdict-short-alone = FAILED: { $reasons }
verdict-short-iterations = FAILED: { $reasons }: { $iterations } { $iterations ->
    [one] iteration
   *[other] iterations
}
short-load = load not reached: { $started } of { $planned } planned { $planned ->
    [one] start
   *[other] starts
}
drop-no-free-user = no free virtual user for { $count }
drop-user-limit = the test's user limit prevented { $count }
drop-users-needed = at { $time } an iteration this load needs about { $users } { $users ->
    [one] user
   *[other] users
}
drop-late = the generator was too late for { $count }
drop-no-user-made = no user could be made for { $count }
drop-time-over = the load had ended for { $count }
verdict-goals-missed = { $missed } of { $all } { $all ->
    [one] threshold
   *[other] thresholds
} { $missed ->
    [one] does
   *[other] do
} not hold
short-cut = { $cut } of { $sent } { $sent ->
    [one] request
   *[other] requests
} cut off unanswered at the end
short-errors = { $failed } of { $all } { $all ->
    [one] request
   *[other] requests
} failed
short-calls = { $failed } of { $all } gRPC calls and WebSockets failed
short-redirects = { $redirects } of { $all } { $all ->
    [one] answer
   *[other] answers
} { $redirects ->
    [one] is a redirect
   *[other] are redirects
}, which a URL run does not follow (give the address they lead to)
short-answers = answers differ from before for { $differing } of { $compared } { $compared ->
    [one] request
   *[other] requests
}
short-answers-none = no answers could be compared with those before
short-checks = { $failed } of { $all } { $all ->
    [one] check
   *[other] checks
} failed
short-exceptions = { $thrown } of { $all } { $all ->
    [one] iteration
   *[other] iterations
} threw an exception
short-users = { $failed } of { $all } virtual { $all ->
    [one] user
   *[other] users
} failed
few-values = `{ $goal }` was judged by a sample of { $count }: too few for such a percentile, which lies between the two largest values
empty-answers = { $endpoint }: the bodies of all answers with 200 ({ $all }) are empty: look whether users are to get nothing
small-answers = { $endpoint }: { $count } of { $all } answers with 200 have at most { $most }, the others about { $usual }: look whether they are error pages
redirected-to = the first of them leads to { $address }
mostly-redirects = { $redirects } of { $all } { $all ->
    [one] answer
   *[other] answers
} { $redirects ->
    [one] is a redirect
   *[other] are redirects
}: make sure that where they lead is what is to be measured, and no login or error page
verdict-exit-code = exit code { $code }
verdict-exit-code-of = exit code { $code }, as { $tool } ends such a run (--fail-on changes that)

row-requests = requests
row-failed = failed
row-cut = cut at the end
cut-of = of { $sent } sent; the oldest had waited { $oldest }
row-resent = sent again
resent-why = times: the connection broke
accounting-gaps = loadline lost count: { $gaps }. This is a defect of loadline; please report it
gap-requests = { $begun } { $begun ->
    [one] request
   *[other] requests
} sent, { $accounted } accounted for
gap-iterations = { $begun } { $begun ->
    [one] iteration
   *[other] iterations
} started, { $accounted } accounted for
gap-starts = { $begun } { $begun ->
    [one] start
   *[other] starts
} planned, { $accounted } accounted for
gap-measured = { $begun } { $begun ->
    [one] request
   *[other] requests
} ended, { $accounted } measured
gap-measured-cut = { $begun } { $begun ->
    [one] request
   *[other] requests
} cut, { $accounted } measured
accounting-ramped-down = { $cut } of { $sent } { $sent ->
    [one] request
   *[other] requests
} { $cut ->
    [one] was
   *[other] were
} under way when the test's own ramp-down (gracefulRampDown) took { $cut ->
    [one] its user
   *[other] their users
} away; http_req_duration does not contain { $cut ->
    [one] it
   *[other] them
}
row-ramped-down = cut by the ramp-down
ramped-down-of = of { $sent } sent
accounting-cut = { $cut } of { $sent } { $sent ->
    [one] request
   *[other] requests
} { $cut ->
    [one] was
   *[other] were
} under way when the run ended, the oldest for { $oldest }; http_req_duration does not contain { $cut ->
    [one] it
   *[other] them
}
accounting-interrupted = { $cut } of { $started } { $started ->
    [one] iteration
   *[other] iterations
} { $cut ->
    [one] was
   *[other] were
} cut
accounting-lower-bounds = intended_latency: { $open } of { $all } { $all ->
    [one] value
   *[other] values
} { $open ->
    [one] is a lower bound
   *[other] are lower bounds
} (dropped starts, interrupted iterations), so its mean and percentiles are at least what is shown
accounting-resent = requests were sent again { $count ->
    [one] once
   *[other] { $count } times
} because their connection broke; the target may count them twice
thresholds-without-samples = no samples, so nothing was judged: { $names }
row-dropped = dropped starts
dropped-of = of { $planned } planned
row-latency = latency
row-intended = from planned start
row-waiting = first byte
row-waiting-answered = first byte (of answers)
row-latency-good = latency, good
row-latency-failed = latency, failed
row-intended-good = from planned start, good
row-intended-failed = from planned start, failed
row-intended-all = from planned start, all
row-waiting-good = first byte, good
latency-bounds = ≥: { $lost } of { $planned } planned { $planned ->
    [one] start
   *[other] starts
} { $lost ->
    [one] was cut or never sent, and counts
   *[other] were cut or never sent, and count
} as the time waited until then; good answers alone may have taken longer
latency-mixed = { $failed } { $failed ->
    [one] request
   *[other] requests
} failed, and how long { $failed ->
    [one] it
   *[other] they
} took was not kept apart: times are of good and failed answers together
p95-good = { $p95 } (good answers)
goal-starts = { $goal } of planned starts: { $value }
goal-requests = { $goal } of all requests: { $value }
goal-not-reached = not reached
goal-failed = { $share } failed
goal-lost = { $share } cut or never sent
goal-good = good answers alone: { $value }
row-status = status
row-errors = errors
row-received = received
row-sent = sent
row-iterations = iterations
row-checks = checks
checks-of = { $passed } of { $all } passed
row-thresholds = thresholds
row-generator = generator
column-mean = mean
column-max = max
per-second = { $number }/s
run-length = { $duration }, up to { $vus } virtual { $vus ->
    [one] user
   *[other] users
}, { $workers } { $workers ->
    [one] worker
   *[other] workers
}
row-arrivals = arrivals
arrivals-even = evenly spaced
arrivals-poisson = random (Poisson), --arrivals-seed { $seed } makes the same ones
and-more = and { $count } more

health-ok = good enough for this run
health-line = load generator: { $line }
health-limited = LIMITED THE RUN: { $reasons }
health-left-out = { $touched ->
    [one] { $touched } of { $seconds } { $seconds ->
    [one] second
   *[other] seconds
} was
   *[other] { $touched } of { $seconds } { $seconds ->
    [one] second
   *[other] seconds
} were
} touched by this machine's own delays ({ $reasons }): left out, and the verdict is the same with them
health-left-out-p95 = { $touched ->
    [one] { $touched } of { $seconds } { $seconds ->
    [one] second
   *[other] seconds
} was
   *[other] { $touched } of { $seconds } { $seconds ->
    [one] second
   *[other] seconds
} were
} touched by this machine's own delays ({ $reasons }): left out, and the verdict is the same with them; p95 without them { $p95 }
health-untouched = close to its limits ({ $reasons }), and no second was touched by it
health-certain = { $touched ->
    [one] { $touched } of { $seconds } { $seconds ->
    [one] second
   *[other] seconds
} was
   *[other] { $touched } of { $seconds } { $seconds ->
    [one] second
   *[other] seconds
} were
} touched by this machine's own delays ({ $reasons }), which are in the numbers; the verdict could not be another without them
health-untold = judged with all seconds: { $goals }. This machine's own delays may be why it was missed, and nothing says whether its values are times (of a Trend: `new Trend(name, true)`)
health-cpu = CPU { $mean }, busiest worker { $busiest }
health-throttled = held back by the CPU quota for { $time }
health-core-wait = workers waited for a core { $mean } of the time, the worst { $worst }: other programs, or more workers than cores
health-core-wait-each = it waited { $each } each time before it could read an answer; a request took { $request } on average, such waits included
health-start-lag = start lag p50 { $p50 }, p99 { $p99 }, max { $max }
health-own-latency = of the latency about this much came from reading answers late: p50 { $p50 }, p95 { $p95 }, p99 { $p99 }
health-own-part = { $time } ({ $share })
health-stalls = { $count ->
    [one] { $count } stall, { $longest }
   *[other] { $count } stalls, longest { $longest }
}
health-open-files = open files { $used } of { $limit }
health-ports = local ports { $used } of { $limit }
health-folded = { $count } { $count ->
    [one] sample
   *[other] samples
} folded into "(other)": too many tag values
health-not-finite = { $count } { $count ->
    [one] sample
   *[other] samples
} refused: infinite or not a number
limit-cpu = CPU
limit-throttling = CPU quota
limit-free-cores = too few free cores
limit-start-lag = late starts
limit-read-lag = answers read late
limit-stalls = stalls
limit-open-files = open files
limit-ports = local ports
limit-close-goal = a goal missed by no more than the delays
live-users = making virtual users: { $made } of { $planned }
live-setup = setup
live-teardown = teardown
live-running = running ({ $time }), { $active }/{ $users } { $users ->
    [one] VU
   *[other] VUs
}, { $complete } complete and { $interrupted } interrupted iterations, { $dropped } dropped
live-second = { $rate }/s, p50 { $p50 }, p95 { $p95 }, errors { $errors }
live-scenario = { $name } { $percent } ({ $users } { $users ->
    [one] VU
   *[other] VUs
})
live-stopping = stopping: no new iterations begin (once more to end at once)
live-warmed-up = warm-up over after { $duration }; measuring from here
live-out-of-users = scenario { $scenario }: all { $users } { $users ->
    [one] VU is
   *[other] VUs are
} busy and no more may be made; starts wait for one, and their wait counts
worker-held = { $call } held worker { $worker } for { $seconds } s: none of its other users, time-outs and starts had their turn
worker-held-by-script = the script held worker { $worker } for { $seconds } s: none of its other users, time-outs and starts had their turn
worker-lost = { $call } has held worker { $worker } for { $seconds } s and did not end with the run: what this worker measured last is lost
worker-lost-to-script = the script has held worker { $worker } for { $seconds } s and did not end with the run: what this worker measured last is lost
apart-init-code = each user had a JavaScript runtime of its own, which takes more memory: init code changes built-in objects ({ $place })
apart-source = each user had a JavaScript runtime of its own, which takes more memory: a function changes built-in objects ({ $place })
apart-run = users stopped sharing a JavaScript runtime during the run: one changed a built-in object ({ $place }); the others restarted, and their module variables were reset. --isolate keeps users apart from the start
health-advice = use a stronger or a second machine, or lower the load, before judging the target

verdict-iterations = DONE: { $iterations } { $iterations ->
    [one] iteration
   *[other] iterations
}, { $rate }/s; no HTTP request was sent
verdict-thresholds-iterations = FAILED: { $failed } of { $all } { $all ->
    [one] threshold
   *[other] thresholds
} { $failed ->
    [one] does
   *[other] do
} not hold; { $iterations } { $iterations ->
    [one] iteration
   *[other] iterations
}
verdict-interrupted-iterations = STOPPED: { $iterations } { $iterations ->
    [one] iteration
   *[other] iterations
} until then
reason-setup-timeout = setup took too long
reason-teardown-timeout = teardown took too long
reason-exception = the script threw an exception
reason-aborted = the script ended the test
reason-marked-failed = the script marked the test as failed
reason-defect = a defect of loadline ended the run; please report it
reason-other = see the log
run-warm-up-measured = after a warm-up of { $duration } ({ $rate }/s, p95 { $p95 }, errors { $errors }), which is not counted
warm-up-steady = throughput and p95 had no trend any more
warm-up-longest = NOT STEADY: throughput or p95 still had a trend
warm-up-never = the warm-up was not over when the run ended after { $duration }: everything is counted
health-files-lacked = { $count } { $count ->
    [one] connection
   *[other] connections
} not made: no file could be opened
health-ports-lacked = { $count } { $count ->
    [one] connection
   *[other] connections
} not made: no local port was left
live-warming = warm-up: not counted yet
live-paused = paused: p continues
live-scaled = load at { $percent } of the plan
live-help = keys: p or h pause or continue, + and - load up or down by 10 %, q stop, Q end at once, l Korean or English, ? this line
load-understood = load: { $rate } for { $length }
series-run = run { $number } of { $of }
series-title = { $count } { $count ->
    [one] run
   *[other] runs
} of the same test (series { $id })
series-short = { $count } of { $of } { $of ->
    [one] run
   *[other] runs
} of the same test (series { $id })
series-column-run = run
series-column-rate = requests/s
series-column-p95 = p95
series-column-errors = errors
series-column-valid = valid
series-valid-touched = yes, { $touched } of { $seconds } s delayed by this machine
series-median = median
series-range = min..max
yes = yes
no = no
once-title = { $test }: one iteration of each scenario, not judged
once-timing = { $total } = sending { $sending } + waiting { $waiting } + receiving { $receiving }
once-before = before it { $blocked } (connecting { $connecting }, TLS { $tls })
once-failed = failed after { $after }: { $cause } [{ $code }]
once-body-cut = ... ({ $shown } of { $size } shown)
once-body-binary = ({ $size }, not text)
once-end = { $exchanges } { $exchanges ->
    [one] request
   *[other] requests
}, { $failed } failed; { $passed } of { $checks } { $checks ->
    [one] check
   *[other] checks
} passed; { $exceptions } { $exceptions ->
    [one] exception
   *[other] exceptions
}
once-cut = { $count } { $count ->
    [one] iteration
   *[other] iterations
} did not end in time
once-nothing = no request was sent
once-ok = OK
once-not-ok = NOT OK
expected-duration = a time with its unit, such as 30s or 1m30s
expected-reasons = some of { $known } with commas between them, or none
expected-running-target = a process number, a port such as :8080, or an http:// URL
expected-warm-up = a time with its unit, such as 30s, or auto
expected-latency = a time or a distribution: 2s, uniform 1s..3s, normal 2s sd 0.5s, lognormal 2s p95 5s; changes as in 2s, after 60s 0.5s
expected-size = a size of at least 64KiB with its unit, such as 500MB or 2GiB
expected-shorter = less than the { $test } of the test
expected-goal = a term such as p(95)<500ms, mean<100ms, max<2s, errors<1%
expected-slo = a term such as p(95)<500ms, mean<100ms, max<2s, errors<1%, checks>99%, p(95){"{"}endpoint:/orders{"}"}<300ms
goal-malformed = `{ $text }` is not a statistic, an operator and a limit
goal-statistic = there is no statistic `{ $found }`: write p(95) or another percentile between 0 and 100, mean, med, max, errors or checks
goal-of-load = there is no statistic `{ $found }`: a load that is not reached fails the run without --slo (--fail-on load)
goal-direction = `{ $operator }` after `{ $statistic }` asks for the wrong direction: write `{ $instead }`
goal-several = `{ $found }` is more than one limit: write one goal at a time, such as --slo 'p(95)<500ms' --slo 'errors<1%'
goal-time = `{ $found }` is not a limit of `{ $statistic }`: write a time above zero, such as 500ms or 1.5s
goal-out-of-reach = nothing keeps `{ $text }`: write `{ $instead }`
goal-scope = `{ $found }` is not a list of tags: write endpoint:/orders or scenario:buy
load-too-short = must be at least 1s
goal-of-scripts = `{ $text }` asks for checks or for a part of the answers (an endpoint, a status), which a URL run does not judge apart; `loadline capacity` and scripts do
share-above-all = `{ $found }` is more than 100 %
not-a-share = `{ $found }` is not a share: write { $percent } or { $decimal }
expected-one-of = one of { $known }
expected-users = a number of virtual users such as 100
expected-stage = a time and how many users there are at its end, such as 30s:10
expected-rate = a rate such as 2000/s or 30/m
expected-header = NAME: VALUE; a name has letters from A to Z, digits and !#$%&'*+-.^_`|~ only
above-option = lies above { $most }
expected-at-most = a load of at most that of { $most }
outside-shares = must lie between { $least } and { $most }
expected-number = a whole number from { $least } to { $most }
expected-share = a share such as 1% or 0.01
expected-percent = a percentage such as 5 or 0.5%
expected-whole = a whole number within the allowed range
expected-address = HOST:PORT, such as 127.0.0.1:8080
expected-network = one address, or a network such as 10.0.0.0/8 or 2001:db8::/32
expected-network-limit = a network and joins per minute, such as 10.0.0.0/8=600
expected-origin = http:// or https:// and a host without a path, such as https://wait.example
expected-lang = en or ko
expected-method = a method such as GET or POST
expected-setting = NAME=VALUE, such as threads.max=20
expected-source = http://HOST:PORT/PATH, prometheus://HOST:9090, port:NUMBER, pid:NUMBER, postgres://USER@HOST/DB, mysql://USER@HOST, redis://HOST, otlp:PORT or otlp://ADDRESS:PORT?insecure&token=TOKEN, log:FILE, command:COMMAND, loki://HOST:3100?query=LOGQL, tempo://HOST:3200?query=TRACEQL or remote://TOKEN@HOST:PORT
live-waits = paused before it begins; PATCH /v1/status with "paused": false starts it
new-written = { $file } is written. Run it: loadline run { $file }
foreign-har = a .har file is what a browser recorded: it has no load and no goals
foreign-har-way = make a script of it, with har-to-k6 for example, and run that; `loadline new` writes one to begin with
foreign-jmeter = a .jmx file is a test plan of JMeter
foreign-jmeter-way = make a script of it, with jmeter-to-k6 for example, and run that; `loadline new` writes one to begin with
foreign-python = a .py file is a program in Python, such as a test of Locust or a script of nGrinder
foreign-gatling = a .scala, .java or .kt file is a program, such as a simulation of Gatling
foreign-sql = a .sql file holds statements for a database
foreign-table = a .csv or .tsv file holds rows
foreign-document = its ending is that of a text or a picture for people
foreign-document-way = a test is a URL, a k6 script (.js, .mjs, .ts) or an Artillery file (.yml, .json); give a script its own ending, `loadline new` writes one to begin with
foreign-table-way = name the script or the Artillery file that reads it
foreign-way = a test is a URL, a k6 script or an Artillery file; `loadline new` writes a script to begin with
output-replacing = output { $output }: { $cause }; from { $from } on windows take the place of single samples, counts stay exact
output-full = what waits for it is full (--spool-max)
output-too-many = more samples in a second than are kept of one
output-disk = samples that wait for it could not be written to disk ({ $reason })
output-resumed = output { $output }: single samples again from { $from } on
output-failing = output { $output }: { $reason }; it is tried again, nothing is lost
output-recovered = output { $output }: delivered again
output-waiting = output { $output }: waiting up to { $seconds } s for it to take the rest
output-replaced = output { $output }: { $count } { $count ->
    [one] single sample
   *[other] single samples
} from { $from } to { $until } were replaced by windows; counts, rates and distributions are exact
output-refused = output { $output }: its receiver refused { $count } { $count ->
    [one] point
   *[other] points
}: { $reason }
log-lost = { $count } { $count ->
    [one] line
   *[other] lines
} of the log could not be written: { $reason }
output-unreadable = output { $output }: { $windows } { $windows ->
    [one] window
   *[other] windows
} waited on disk and could not be read back; the output lacks them, the summary and the store do not
output-unsent = output { $output }: not delivered: { $samples } { $samples ->
    [one] single sample
   *[other] single samples
} and { $windows } { $windows ->
    [one] window
   *[other] windows
} or points
vendor-new = stored    { $url } -> { $path }, { $bytes } { $bytes ->
    [one] byte
   *[other] bytes
}
vendor-changed = CHANGED   { $url } -> { $path }, { $bytes } { $bytes ->
    [one] byte
   *[other] bytes
}: look at what changed before you commit it
vendor-same = as it was { $url } -> { $path }, { $bytes } { $bytes ->
    [one] byte
   *[other] bytes
}
vendor-nothing = { $script } imports nothing from the web

expected-compat = artillery or artillery-strict
expected-result-file = a file for Artillery's result; samples go out with --out { $typed }
expected-folder = a file in a folder that exists, or a folder
publish-failed = publish-metrics: not everything was sent. { $reason }
slack-failed = slack: the end of the run could not be posted. { $reason }
lines-lost = { $count } { $count ->
    [one] line was
   *[other] lines were
} not printed: the terminal was too slow
web-dashboard = k6's web dashboard is not served; the run goes on without it (--ui serves a page of it)
variable-removed = { $name } has no effect since k6 v2; use { $instead }, or --k6-version 1.8
cloud-refused = k6 cloud needs an account at Grafana, and nothing is sent there from here; `k6 run` runs the test on this machine, the k6 operator on several
stats-refused = k6 stats is not here; `curl http://HOST:PORT/v1/metrics` shows the metrics of a run started with --address HOST:PORT
command-login-removed = k6 login is gone since v2; outputs read their credentials from variables such as K6_INFLUXDB_USERNAME
command-control-removed = this command is gone since k6 v2; the REST API of --address pauses and stops a run (PATCH /v1/status)
extensions-listed = No subcommands: extensions of k6 are compiled into k6 and cannot be loaded here. Scripts may import k6/x/sse, which is built in.
extension-refused = k6 x { $name }: extensions of k6 are compiled into k6 and cannot be loaded here
completion-shells = name a shell: completion bash, completion zsh, completion fish or completion powershell
live-rate-curve = requests/s  { $curve }  up to { $most }
live-p95-curve = p95         { $curve }  up to { $most }
rows-ran-out-from = the rows of { $file } ran out: all from { $first } to { $last } were used once, and later users had none. Add rows, or say onExhausted: wrap
rows-ran-out = the rows of { $file } ran out: all { $rows } were used once, and later users had none. Add rows, or say onExhausted: wrap
rows-to-continue = { $file }: { $used } of { $rows } { $rows ->
    [one] row is
   *[other] rows are
} used; the next run goes on at row { $next } with --continue, and begins again without it
rows-to-begin-at = { $file }: { $used } of { $rows } { $rows ->
    [one] row is
   *[other] rows are
} used; to go on at row { $next }, write from: { $next } in the payload (with a store, --continue does it)
rows-continued = { $file } goes on at row { $row }: { $left } { $left ->
    [one] row is
   *[other] rows are
} left
