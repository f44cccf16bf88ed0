plan-why-not-positive = must be above zero
plan-why-not-whole = must be a whole number
plan-why-full-stop = a full stop may part decimals or thousands here: write 10000 or 10,000
plan-why-negative = cannot be negative
plan-why-below-one = must be 1 or more
plan-why-no-unit = has no unit; write 500ms or 2s
plan-why-no-size-unit = has no unit; write 512MiB or 2GiB
plan-why-not-time = is not a length of time; write 500ms, 2s or 2s..3s
plan-why-backwards = ends before it begins
plan-why-too-large = is larger than anything real
plan-why-not-rate = is not a rate; write 100/s or 30/m
plan-why-not-memory = is not a size; write 2GiB or 512MiB
plan-why-decimal-comma = has a comma that parts no thousands; write { $point }
plan-why-not-number = is not a number; write 10000 or 10,000
plan-why-unknown-input = is not known; the inputs are { $known }
plan-why-more-than = is more than { $name } ({ $value })
plan-why-memory-small = is too little for a JVM; 128 MiB is the least
plan-why-shares = shares must add up to 100 %, these are { $sum }
plan-why-same-feature = two features have the same name
plan-why-feature-name = needs a name of letters, digits, - and _, then a colon
plan-why-feature-path = needs a path that begins with /
plan-why-feature-part = write NAME: METHOD /path, share=10%, p95=300ms, errors=1%, per-user=2, rate=3/s, body=...
plan-why-no-stage = `{ $found }` is no stage: write the rate at the beginning, then a length and the rate at its end each: 300/s,10s:300,10s:150
plan-why-stages-beside = stages say rates and times themselves: leave out { $name }
plan-stage = requests of stage { $number }
plan-stages = requests of all stages
plan-mean-rate = mean rate
plan-peak-rate = peak rate
plan-dau = people on a day
plan-online = people online at once
plan-users-mean = virtual users at the mean, answers in { $response }
plan-users-peak = virtual users at the peak, answers in { $response }
plan-iterations = iterations of the test
plan-feature-rate = { $name } at the peak
plan-feature-sum = all features
plan-ceiling = the script's own ceiling
plan-ceiling-at = the script's ceiling with answers in { $response }
plan-assumes-goal-of-page = the goal of written tests: thresholds on p(95), timeouts and users follow from it
plan-written-goal = the same goal for other commands: rounds --goal { $goal }, capacity --slo { $goal }
plan-api-goal = time left for the API
plan-threads = threads
plan-threads-response-as-wait = for comparison: threads, response as waiting
plan-pool = connections the database works through at once
plan-pool-each = the same for each of { $instances } { $instances ->
    [one] instance
   *[other] instances
}
plan-pool-deadlock = connections without a deadlock
plan-pool-needed = connections held at the peak
plan-pool-allowed = connections the database allows an instance
plan-connection-timeout = wait for a connection
plan-max-connections = connections from clients
plan-accept-count = connections in the accept queue
plan-client-timeout = time-out of clients
plan-heap = heap
plan-collector = collector: { $name }
plan-assumes-whole-day = requests spread over 24 hours; give --active-hours if the service sleeps
plan-assumes-online-is-peak = so many are online at the peak; give --peak-factor if it is a mean
plan-assumes-rate-is-peak = the rate given is that of the peak; give --peak-factor if it is a mean
plan-assumes-no-think-time = no think time was given, so people never pause: the fewest users
plan-assumes-share-of-rest = what the other features leave, in equal parts
plan-assumes-p95-as-mean = the p95 goal stands for the mean response time, which is lower
plan-assumes-one-call = a page makes one API call; calls one after another share the time
plan-assumes-spindle = one spindle assumed
plan-assumes-db-cores = the database has as many cores as the application ({ $cores })
plan-assumes-even-spread = the load balancer spreads requests evenly
plan-assumes-one-connection = a request takes one connection at a time
plan-assumes-rollout = one instance more runs during a rollout
plan-assumes-reserved = { $count } { $count ->
    [one] connection is
   *[other] connections are
} kept for superusers, as in PostgreSQL
plan-assumes-fails-before-caller = half of what callers wait, so that they get an error rather than a time-out
plan-assumes-one-connection-a-user = each user keeps one connection open; twice as many for room
plan-assumes-connections-suffice = each user keeps one connection open, and Tomcat's default has room for twice as many
plan-assumes-queue-within-patience = a longer queue would be answered after its callers gave up
plan-assumes-connections-of-unknown-users = Tomcat's default: how many users there are was not given
plan-assumes-rule-of-thumb-without-goal = no response time was asked for, so { $goal } stand for it; a rule of thumb: four times that, two seconds at least
plan-assumes-rule-of-thumb = a rule of thumb: four times the goal, two seconds at least
plan-assumes-outside-heap = outside the heap, in MiB: classes { $metaspace }, compiled code { $code }, buffers and collector { $native }, stacks { $stacks }
plan-assumes-collector-named = named, because a container with a CPU limit below 2 would silently get Serial
plan-doubts-unused = not used beside it: { $names }
plan-doubts-daily-share = the share of a month's people that come on a day was not given: { $share } taken
plan-doubts-day-is-not-online = { $online } people active on a day are not online at once; measure how many are, or use the access log
plan-doubts-upper-bound = { $rate } is an upper bound for that reason
plan-doubts-peak-factor = no peak factor was given: { $factor } taken; the access log has the real one (plan --log)
plan-doubts-below-one-user = less than one user: plan by rate, since even one looping user may offer more
plan-doubts-long-pause = who pauses for { $think } may have left: is that the pause between two requests? Of these users { $waiting } wait for an answer at any time, the others pause: unless open connections or sessions are what is tested, start iterations at this rate instead (an arrival rate, or --rate)
plan-doubts-feature-sum = the features do not add up to the whole ({ $whole })
plan-doubts-ceiling = the script cannot offer more than { $rate }, the goal is { $goal }: add users or take an arrival rate
plan-doubts-no-time-left = rendering and round trips take all of the page's time: no API can meet this
plan-doubts-no-round-trips = no round trip was given, so the network takes no time here
plan-doubts-goal-above-budget = the goal of { $p95 } is longer than that
plan-doubts-wait-is-response = { $response } is the whole response time; waiting is what is left of it without service: { $wait }
plan-doubts-measured-under-load = wait and service must be measured with one user: under load waiting includes queues, and the formula then asks for ever more threads
plan-doubts-no-service-time = wait and service time are not known: measure with one user and give --service-time and --measured-response
plan-doubts-spindle-on-ssd = an SSD has no spindle: { $connections } without it
plan-doubts-pool-beyond-db = { $wanted } are needed, the database allows { $most }: hold connections for less time, or raise max_connections
plan-doubts-memory-small = little is left for the heap: a quarter of the limit is taken anyway
plan-doubts-serial = HotSpot takes Serial GC here by itself, which stops all threads on one core; two CPUs and 1,792 MiB lift that
plan-settings-need-cores = no settings: give --cores
plan-heading-load = Load
plan-heading-settings = Settings for each of { $instances } { $instances ->
    [one] instance
   *[other] instances
}
plan-label-assumes = assumes
plan-label-doubts = doubts
plan-settings-are-a-start = A start for tuning, not its result: loadline tune finds what holds.
plan-written-tests = { $count } { $count ->
    [one] test
   *[other] tests
} and plan.json written to { $folder }
plan-tests-without-body = sent without a body, because neither the plan nor a log holds one: { $features }; give one with --feature "NAME: METHOD PATH, body=..." or write it into the files
plan-test-written-by = Written by loadline plan: { $name }. { $about }
plan-test-about-smoke = Each request a few times: does it work at all?
plan-test-about-load = the planned peak, held: are the goals met?
plan-test-about-stress = stairs to three times the peak: which goal breaks first, and where?
plan-test-about-spike = five times the peak within seconds: does it survive, and recover?
plan-test-about-soak = four fifths of the peak for hours: leaks, full disks, slow decay?
plan-test-about-breakpoint = a slow ramp to ten times the peak that ends when a goal is crossed
plan-test-about-api = One API alone at its share of the peak.
plan-test-about-closed-flow = Users that make each call in turn and think; a closed model.
plan-test-about-open-flow = Users arrive, make each call in turn and think.
plan-test-open-model = starts come whatever the answers
plan-test-seconds = seconds
plan-test-flow-ceiling = { $users } { $users ->
    [one] user
   *[other] users
} x { $calls } { $calls ->
    [one] request
   *[other] requests
} / ({ $think } s + { $calls } x response time) is all this test can offer:
plan-test-flow-best = { $best } at best, { $goal } when answers take { $p95 } s.
plan-test-flow-unbounded = without a bound at best, { $goal } when answers take { $p95 } s.
plan-mock-written-by = Written by loadline plan --log. Times are [share, ms].
plan-flow-ceiling = user-flow.js: { $users } { $users ->
    [one] user
   *[other] users
} × { $calls } { $calls ->
    [one] request
   *[other] requests
} / ({ $think } + { $calls } × response) offer { $best } at best, { $goal } with answers in { $p95 }
plan-run-is-planned = plan: the test offers { $offered }, planned { $planned }
plan-run-differs = plan: the test offers { $offered }, { $times } times the planned { $planned }
plan-run-ceiling = plan: the script's own ceiling is { $goal } with answers as planned and { $best } at best; planned { $planned }
plan-run-out-of-reach = plan: the script cannot exceed { $best } whatever the target does; the goal is { $planned }. Add users or take an arrival rate
plan-run-sent-planned = plan: { $sent } sent in the busiest { $seconds } s, planned peak { $planned }
plan-run-sent-differs = plan: { $sent } sent in the busiest { $seconds } s, { $times } times the planned peak { $planned }
plan-log-heading = Access logs
plan-log-read = { $requests } { $requests ->
    [one] request
   *[other] requests
} in { $lines } { $lines ->
    [one] line
   *[other] lines
} of { $files ->
    [one] 1 file
   *[other] { $files } files
} ({ $formats })
plan-log-read-none = no request in { $lines } { $lines ->
    [one] line
   *[other] lines
} of { $files ->
    [one] 1 file
   *[other] { $files } files
}
plan-log-zone-none = no zone in the log: taken for UTC
plan-log-span = { $first } to { $last } ({ $zone }), { $days ->
    [one] 1 day
   *[other] { $days } days
} with requests
plan-log-row-mean = mean rate
plan-log-row-day = busiest day
plan-log-row-minute = busiest minute
plan-log-row-second = busiest second
plan-log-row-peak-factor = peak factor
plan-log-row-growth = growth
plan-log-growth = { $first } a day in the first 28 days, { $last } in the last: × { $factor }, × { $month } a month
plan-log-row-sessions = sessions
plan-log-sessions = { $sessions }, { $requests } { $requests ->
    [one] request
   *[other] requests
} each
plan-log-row-think = think time
plan-log-think = median { $median }; { $share } of pauses are shorter than a second
plan-log-row-retries = retries
plan-log-retries = { $share } of requests repeat one that just failed
plan-log-row-statuses = statuses
plan-log-column-share = share
plan-log-column-peak = at the peak
plan-log-column-errors = errors (5xx, no answer)
plan-log-more = { $count } more, { $share } of requests
plan-log-trouble = { $what }: { $count } { $count ->
    [one] line
   *[other] lines
} ({ $places })
plan-log-trouble-binary = left out, binary data
plan-log-trouble-too-long = left out, longer than 64 KiB
plan-log-trouble-unreadable = left out, of no known format
plan-log-trouble-time = left out, no time that can be read
plan-log-trouble-request = left out, no request that can be read
plan-log-trouble-backwards = counted, but time goes backwards by more than a minute
plan-log-trouble-other-format = counted, but of another format than the file began with
plan-log-trouble-damaged = the file breaks off or is not valid gzip; what came before counts
plan-log-row-times = response times
plan-log-time-unit = `{ $field }`: its values have a unit
plan-log-time-name = `{ $field }`, in { $unit }: its name and its values say so
plan-log-time-decimals = the field with `{ $field }`, in { $unit }: it has the decimals that nginx writes
plan-log-time-longest = the field with `{ $field }`, in { $unit }: of several such fields it is the longest, which holds the others
plan-log-time-servers = `{ $field }`: what the servers behind took, several of one request added up; the request's own time is not in the log
plan-log-time-format = `{ $field }`, in { $unit }: the log format says so
plan-log-time-point = `{ $field }`, in s where it has a point (CloudFront), else in ms (IIS)
plan-log-time-layout = `{ $field }`, in { $unit }: the format of the log has it
plan-log-time-given = `{ $field }`, in { $unit }: --log-fields says so
plan-log-time-none = none in the log
plan-log-no-time-clock = `{ $example }` was not taken for a response time: it is the time of day
plan-log-no-time-unit = `{ $field }` ({ $example }) was not taken for a response time: nothing says its unit. Give it: --log-fields duration={ $field }:ms for JSON and CSV, else --log-format with the server's format string
plan-log-no-time-whole = whole numbers such as { $example } were not taken for response times: they may be µs, ms, s or something else. Give the server's format string: --log-format '... %D' (Apache, µs), --log-format 'tomcat:... %D' (Tomcat, ms)
plan-log-no-time-decimals = `{ $example }` was not taken for a response time: versions and ratios look like it. Give the server's format string: --log-format
plan-log-no-time-disagree = `{ $one }` and `{ $other }` may both be the response time, and each is the longer one in some lines: neither was taken. Give the server's format string: --log-format
plan-log-no-time-long = `{ $field }` was not taken for a response time: its median would be { $median }, and the log is { $length } long. Give the unit: --log-format, or --log-fields duration=NAME:us
plan-log-one-address = all requests come from one address, a proxy's or a tool's: sessions, think time and retries are not those of people. Log X-Forwarded-For
plan-log-too-short = half of the requests took less than 0.1 ms by `{ $field }`. If Tomcat wrote the log, its %D is in ms: --log-format 'tomcat:...'
plan-log-format-unknown = `{ $name }` is neither a format string (it has no $variable and no %variable) nor one of { $known }
plan-log-format-variable = `{ $name }` is no variable that is known
plan-log-format-adjacent = nothing stands between `{ $before }` and `{ $after }`, so it cannot be told where one ends
plan-log-format-no-time = it has no time of day: $time_local, $time_iso8601, $msec, %t, %START_TIME%
plan-log-format-no-request = it has neither a request nor a path: $request, $request_uri, %r, %U
plan-log-late = { $count } { $count ->
    [one] request lies
   *[other] requests lie
} more than 500 days back and are in no busiest minute
plan-busiest-minute = busiest minute, { $at }
plan-assumes-mix-of-all = the mix of the busiest minute is that of the whole log
plan-written-mock = latency of { $path } written as a mock file
plan-reason-plain = { $text }
plan-reason-tomcat = Tomcat's default { $value }
plan-reason-lost-syn = longer than one lost SYN (RFC 6298: 1 s)
plan-reason-cores = cores
plan-reason-no-deadlock = ≥ { $least }: no deadlock
plan-reason-hold-time = ≥ { $least }: rate × hold time
plan-reason-fixed-pool = = maximum-pool-size; HikariCP: a pool of fixed size
