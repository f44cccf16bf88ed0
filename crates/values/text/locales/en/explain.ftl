explain-title = Why { $run } went as it did
explain-looked-at = { $from } to { $to } s of the run: { $rate } requests/s answered, mean { $mean }, p95 { $p95 }
explain-looked-at-nothing = no full second of the run was under load
explain-looked-at-none = { $from } to { $to } s of the run: no request was answered well
explain-verdict-of-seconds = { $said } (in { $from } to { $to } s of the run)
explain-answer-limited = LIMITED BY { $part } (grade { $grade })
explain-answer-slow = SLOW BECAUSE OF { $part } (grade { $grade }); the rate is not limited by it
explain-answer-none = NO BOTTLENECK up to { $rate } requests/s
explain-answer-stood-still = STOOD STILL ONCE (grade { $grade }): for a while the target answered nobody; the rate is not limited by it
explain-answer-slow-unseen = SLOW BY ITSELF (grade { $grade }): no request waits for another; what takes the time is not seen
explain-row-objective = goal
explain-objective-kept = { $goal }: kept, { $value }
explain-objective-missed = { $goal }: missed, { $value }
explain-objective-missed-from = { $goal }: missed, { $value } ({ $unloaded } while little was asked)
explain-objective-while-busy = { $goal }; in these seconds alone { $value }
explain-objective-of = { $goal } of { $endpoint }
explain-row-levels = by load
explain-level-starts = { $load }/s: { $answered } requests/s answered, mean { $mean }, p95 { $p95 }
explain-level-users = { $load } { $load ->
    [one] user
   *[other] users
}: { $answered } requests/s answered, mean { $mean }, p95 { $p95 }
explain-level-failed = { $level }, { $failed } failed
explain-level-cut = { $level }, { $cut } cut
explain-level-failed-or-cut = { $level }, { $failed } failed or cut
explain-level-not-carried = { $level }: not carried
explain-row-endpoints = by endpoint
explain-endpoint = { $name }: { $answered } requests/s answered, mean { $mean }, p95 { $p95 }, fastest { $fastest }
explain-objective-missed-unloaded = { $goal } is missed while little is asked, too: { $unloaded }. It is the time of a request itself, not waiting
explain-objective-missed-fastest = { $goal } is missed by the fastest tenth of the requests, too: it is the time of a request itself, or all wait from the first second on
explain-objective-missed-try = see where the time of one request goes (statements, calls, computing), and make that shorter: more threads, connections or cores do not
explain-doubt-used-without-load = { $share } of it is used without this load, too: by another program
explain-missing-without-load = whose statements and sessions these are: the load never changed, and the database was not watched without it (a ramp, or a run without --no-observe-after, tells)
explain-doubt-queue-behind = the queue is full all along: something behind it takes too few out, and a longer queue only makes callers wait
explain-answer-no-sign = NO SIGN OF A LIMIT up to { $rate } requests/s; too little is known of the target to say that there is none
explain-answer-unknown = LIMITED at { $rate } requests/s, by something that is not seen
explain-answer-unknown-of = LIMITED at { $rate } requests/s of { $names }, by something that is not seen
explain-answer-unknown-pool = LIMITED at { $rate } requests/s, by a connection pool that is full
explain-answer-unknown-lock = LIMITED at { $rate } requests/s, by a lock whose holder is not seen
explain-answer-unknown-accept = LIMITED at { $rate } requests/s, where connections wait to be accepted
explain-answer-too-little = TOO LITTLE was measured to tell: at least 5 full seconds in a row, with 20 requests in all, are needed (those in which a run begins and ends are not full, and seconds in which the target was down do not count)
explain-answer-beside-not-valid = NOT VALID: the load generator's own delays are in these numbers; what can still be told: { $answer }
explain-answer-not-valid = NOT VALID: the generator was the bottleneck, so this run cannot tell what limits the target
explain-part-test-bed = the test bed
explain-part-network = the network
explain-part-cpu = the target's CPU
explain-part-memory = the target's memory
explain-part-threads = the target's threads and connections
explain-part-pool = the connection pool
explain-part-database = the database
explain-part-outside = an outside server
explain-part-files = the target's limit of open files
explain-part-storage = the target's disk
explain-part-cache = cache or messages
explain-part-code = the target's own code
explain-part-unknown = unknown
explain-part-stopped = a target that does not answer
explain-time-of-traces = Time of a request, from { $count } { $count ->
    [one] trace
   *[other] traces
}: on average, share, slowest 5 %
explain-time-of-metrics = Time of a request, from metrics: on average, share
explain-time-part = { $mean }, { $share }
explain-time-part-slowest = { $mean }, { $share }, { $slowest }
explain-time-before = before the target (network, queues)
explain-time-pool-wait = waiting for a connection
explain-time-held = holding a connection, for what is not seen
explain-time-sql = statements
explain-time-outside = outside calls
explain-time-message = caches and messages
explain-time-cpu = computing
explain-time-core-wait = waiting for a core
explain-time-collection = garbage collections
explain-time-unexplained = not explained
explain-head-now = now, grade { $grade }
explain-head-next = next, grade { $grade }
explain-head-slow = slow, grade { $grade }
explain-head-notice = note, grade { $grade }
explain-row-statements = statements
explain-statement-counted = { $share } of the time of all statements: { $mean } each, { $calls } { $calls ->
    [one] time
   *[other] times
} a request (counted by the database)
explain-statement-traced = { $share } of the time of all traced statements: { $mean } each, { $calls } { $calls ->
    [one] time
   *[other] times
} a request
explain-row-evidence = evidence
explain-row-logged = logged
explain-logged = { $count } { $count ->
    [one] time
   *[other] times
}, from second { $first } to second { $last } of the run
explain-log-errors = The log reports errors: { $count } { $count ->
    [one] line
   *[other] lines
}, from second { $first } of the run on
explain-log-errors-try = look at the first of them; what began with it may be the cause
explain-number-log-errors = lines that report an error
explain-row-against = against it
explain-row-try = try
explain-row-where = where
explain-row-missing = not known
explain-row-what-if = what if
explain-row-ceilings = used up at
explain-row-sources = sources
explain-predicted = predicted: { $rate } requests/s
explain-predicted-then = predicted: { $rate } requests/s, then limited by { $part }
explain-what-if = { $assumed }: at most { $rate } requests/s, limited by { $part }
explain-what-if-unknown = { $assumed }: cannot be predicted; what it changes was not measured
explain-ceiling-is = { $part }: { $rate } requests/s
explain-limit-is = { $part } (grade { $grade }): { $statement }
explain-cause-is = { $answer }: { $statement }
explain-advice-is = try: { $advice }
explain-turned-on-by = turn on with { $setting }
explain-source-answered = { $name }: { $answered } answers
explain-source-failed = { $name }: { $answered } answers, { $failed } { $failed ->
    [one] failure
   *[other] failures
}, the first: { $first }
explain-source-none = none: run with --observe to see the target
explain-generator = The load generator was the limit, so these numbers are not the target's
explain-generator-stood-still = The load generator, or the machine that it is on, stood still for up to { $longest }, in { $seconds } of { $all } { $all ->
    [one] second
   *[other] seconds
}: what was asked then took longer for that
explain-generator-stood-still-try = run on a machine that nothing else uses; a target on the same machine stood still, too
explain-generator-noise = The load generator was not quiet: latencies may contain its own waits
explain-generator-try = use a stronger machine or several generators, or a script that computes less; loadline show tells what ran short
explain-script-ceiling = The test itself is the limit: { $users } { $users ->
    [one] user
   *[other] users
} that pause { $pause } each time cannot send more than { $rate } requests/s, whatever the target does
explain-script-ceiling-try = use more users, or an arrival rate instead of users
explain-user-limit = The test allows only { $users } { $users ->
    [one] user
   *[other] users
} at once: starts were dropped while the target had room
explain-user-limit-try = allow more users (maxVUs, preAllocatedVUs)
explain-wrong-answers = { $share } of the checks failed although the requests did not: the answers are wrong
explain-wrong-answers-try = look at the answers first; a wrong answer is often a fast one
explain-network-bandwidth = The line between callers and target is full at { $megabytes } MB/s; the target itself is quick
explain-network-bandwidth-try-smaller = make answers smaller: compress them, send fewer fields (half the bytes)
explain-network-bandwidth-try-wider = use a wider line
explain-network-loss = The line loses data: { $share } of the TCP segments were sent again
explain-network-loss-try = look at the line and at the load balancers on the way
explain-network-delay = The way to the target takes { $way } of the { $mean } that callers see; the target itself needs { $server }
explain-network-delay-try = make fewer exchanges, keep connections open, or move closer
explain-connections-of-callers = { $share } of the requests open a connection of their own, which takes { $each }: connections are not kept
explain-connections-of-callers-try = let the target and the proxies before it keep connections: no "Connection: close", a longer idle time, no limit of requests per connection; a script that turns reuse off does the same
explain-cpu-quota = The CPU quota of { $quota ->
        [1] 1 core
       *[other] { $quota } cores
    } stops the target in { $share } of its periods
explain-cpu-quota-try = raise the CPU limit to { $cores ->
        [1] 1 core
       *[other] { $cores } cores
    }
explain-neighbour = Something else uses the target's cores: its threads waited { $delay } s each second for a core and got { $used } of { $cores }
explain-neighbour-try = move the other program, or give the target cores of its own; compare no run that had it
explain-heap = The heap is too small: garbage collections stop the target for { $share } of the time
explain-heap-try-more = give the heap about twice what is left in it after a collection; more than that does not help
explain-heap-try-less = keep less in memory, and allocate less for each request
explain-long-pauses = Single garbage collections stop the target for { $pause } on average (collector: { $collector })
explain-long-pauses-by-default = Single garbage collections stop the target for { $pause } on average: the runtime chose a collector of one thread ({ $collector }), as it does with one visible CPU or less than about 1.8 GB
explain-long-pauses-try-collector = choose the collector yourself; shorter pauses cost some CPU
explain-target-cpu = The target's own work uses up its CPU: { $share } of { $cores ->
        [1] 1 core
       *[other] { $cores } cores
    }
explain-target-cpu-shared = The target has no CPU time left: it runs one thread at a time, which computes for { $used } of the time and waits for a core that other programs use for { $waits }
explain-target-cpu-try-code = find what computes (a profiler), and compute less or keep results
explain-target-cpu-try-cost = halve the CPU time of a request (now { $cost }): find what computes with a profiler
explain-target-cpu-try-cores = use { $cores ->
        [1] 1 core
       *[other] { $cores } cores
    }, in one instance or several
explain-target-cpu-try-processes = run more processes: the interpreter of one runs one thread at a time, on one core however many there are
explain-target-cpu-try-fewer-threads = compare runs with { $threads } { $threads ->
    [one] thread
   *[other] threads
} before you buy cores
explain-memory-limit = The target uses { $share } of the memory it may use: it may be killed
explain-memory-limit-try = raise the limit, or make heap and caches smaller
explain-cold = The target was still warming up: the run-time compiler was at work, and requests took { $early } at first, { $late } at the end
explain-cold-try = warm up before measuring; compare only runs that were equally warm
explain-event-loop-blocked = The event loop is blocked: what is due runs { $lag } late, while the CPU is not used up
explain-event-loop-busy = The event loop has no time left: it is busy { $share } of the time
explain-event-loop-computes = The event loop computes on its one core all the time; other cores cannot help it
explain-event-loop-sleeps = The event loop is blocked: { $share } of the time its threads sleep in a call instead of waiting for events
explain-event-loop-try-move = move the blocking call off the loop, to a scheduler or pool for blocking work
explain-event-loop-try-processes = compute less in it, or run one process for each core
explain-threads = All threads ({ $most }) are busy, each { $time } with a request that mostly waits; further requests queue in front of them
explain-threads-compute = All threads ({ $most }) compute, { $time } for each request, while cores are free; further requests queue in front of them
explain-threads-try-wait = let requests wait for less time, or wait without a thread
explain-threads-try-more = use { $threads } { $threads ->
    [one] thread
   *[other] threads
}
explain-accept-queue = Callers are let in late: { $overflows } attempts/s to connect find the accept queue full and are made again
explain-connections-full = All { $most } { $most ->
    [one] connection that the target allows is
   *[other] connections that the target allows are
} taken; others are connected and never read, or refused
explain-accept-queue-behind = Connections wait to be accepted, and requests that are let in wait, too: whoever accepts them is busy ({ $overflows } attempts/s to connect find the queue full and are made again)
explain-accept-queue-behind-try = see what keeps the process that accepts busy: its CPU (--observe pid:PID), or a call that blocks it; a longer queue only makes callers wait longer
explain-accept-queue-try = allow more connections; the target answers those who are in
explain-accept-queue-waiting-try = let the target serve more at once (workers, threads): somebody waits to be accepted all along, as it takes the next one only when it is free; a longer queue only makes callers wait longer
explain-pool-held = The { $most } { $most ->
    [one] connection of the pool is
   *[other] connections of the pool are
} held { $hold } each, most of it during an outside call of { $call } that needs none
explain-pool-held-idle = The { $most } { $most ->
    [one] connection of the pool is
   *[other] connections of the pool are
} held { $hold } each while the database does nothing for them (idle in transaction)
explain-pool-held-try-move = make the outside call before the transaction or after it, not inside
explain-pool-held-try-more = if that cannot be changed: a pool of { $size }, which puts the limit off and does not remove it
explain-pool-small = The pool of { $most } { $most ->
    [one] connection
   *[other] connections
} is too small: each works { $hold } for a request, and the database has room
explain-pool-small-try-statement = make the work on the connection shorter (half the time)
explain-pool-small-try-more = use a pool of { $size }
explain-pool-exhausted = All { $most } { $most ->
    [one] connection of the pool is
   *[other] connections of the pool are
} held, { $hold } each; why they are held is not seen
explain-pool-held-as-alone = All { $most } { $most ->
    [one] connection of the pool is
   *[other] connections of the pool are
} held, { $hold } each. A request takes as long when nothing waits: who holds a connection waits for nobody
explain-pool-exhausted-try-look = observe the database too: idle in transaction means a call inside the transaction, active means slow statements
explain-row-lock = Requests wait for each other: { $waiting } { $waiting ->
    [one] database session on average waits
   *[other] database sessions on average wait
} for a lock
explain-row-lock-try-order = take the lock last in the transaction, so that it is held only for the commit
explain-row-lock-try-count = or write to rows of their own and add them up later
explain-many-statements = A request makes { $calls } { $calls ->
    [one] small statement
   *[other] small statements
} of { $each } each: one for each row of another (N+1)
explain-many-statements-try = fetch the rows with one join, or with one statement for all ids
explain-missing-index = One statement takes { $share } of the database's time and reads { $blocks } { $blocks ->
    [one] block
   *[other] blocks
} to return { $rows } { $rows ->
    [one] row
   *[other] rows
}: an index is probably missing
explain-missing-index-rows = One statement takes { $share } of the database's time and looks at { $examined } { $examined ->
    [one] row
   *[other] rows
} to return { $rows }: an index is probably missing
explain-missing-index-try = look at its plan, and create an index on the columns of its condition
explain-database-cpu = The database's CPU is used up: { $share } of { $cores ->
        [1] 1 core
       *[other] { $cores } cores
    }; its heaviest statement takes { $top } of the time
explain-database-cpu-only = The database's CPU is used up: { $share } of { $cores ->
        [1] 1 core
       *[other] { $cores } cores
    }
explain-database-cpu-share = The managed database's CPU is used up: { $share } of what its instance has
explain-database-cpu-try-larger = last, give the database an instance of twice the CPUs
explain-database-cpu-try-statement = make this statement twice as fast; it takes { $share } of the time
explain-database-cpu-try-cache = keep results that may be a little old: a materialized view or a cache
explain-database-cpu-try-cores = last, give the database { $cores ->
        [1] 1 core
       *[other] { $cores } cores
    }
explain-database-time = Requests spend { $share } of their time in the database; whether it computes or waits is not seen
explain-database-crowded = On average { $active } { $active ->
    [one] database session works
   *[other] database sessions work
} at once while requests queue; whether they compute or wait is not seen
explain-database-sessions = The database has no room for more sessions: { $all } of { $most }
explain-database-sessions-of = The database lets { $name } have { $most } { $most ->
    [one] session
   *[other] sessions
}, and all of them are taken
explain-database-sessions-try = make the pools of all instances smaller together, or use a pooler; more sessions cost memory
explain-slow-outside = Requests wait { $share } of their time for an outside server ({ $peer }), { $time } each call
explain-outside-limit = The outside server ({ $peer }) got slower, as one at its own limit does: a call took { $early } at first, { $late } later
explain-outside-try-trial = put load on that server alone: only that tells a slow server from one at its limit
explain-outside-try-less = call it less, later, or in parallel
explain-redis-cpu = Redis uses up the one core that executes its commands: { $share }
explain-redis-cpu-try = find slow commands, send fewer, or spread keys over several nodes
explain-consumer-lag = Consumers fall behind by { $behind } messages/s; { $lag } wait already
explain-consumer-lag-try = add consumers up to the number of partitions, or make each message cheaper
explain-uneven-load = One of { $count } { $count ->
    [one] instance
   *[other] instances
} ({ $instance }) gets { $share } of the requests
explain-uneven-load-try = spread requests evenly (weights, sticky sessions, long connections)
explain-uneven-nodes = Requests are even over the instances, and CPU is not: the node { $node } uses { $used } of its cores, the others { $others }; beside { $instance } on it the pod { $pod } takes { $takes } of a core
explain-uneven-nodes-unseen = Requests are even over the instances, and CPU is not: the node { $node } uses { $used } of its cores, the others { $others }; { $instance } on it gets { $share } of the requests, so something else works there
explain-uneven-nodes-try = move { $pod } to a node without instances of the target (nodeSelector, podAntiAffinity), or give it a CPU limit; till then runs measure that node
explain-uneven-nodes-try-unseen = see what else runs on { $node } (--observe of a Prometheus with cAdvisor names the pod), and move it
explain-pools-above-sessions = The pools together may open { $together } { $together ->
    [one] connection
   *[other] connections
} ({ $pools }), and the database takes { $most }
explain-pools-above-sessions-of = The pools together may open { $together } { $together ->
    [one] connection
   *[other] connections
} ({ $pools }), and the database takes { $most } of { $of }
explain-pools-above-sessions-try = a size of at most { $each } for each pool, or a higher limit of the database; beyond it connections are refused just when all pools fill
explain-pool-grows = The pool grew during the run (connections opened: { $opened }): it keeps { $least } of at most { $most }, and opens others while a request waits for them
explain-pool-grows-try = let the pool have a fixed size: minimumIdle as large as maximumPoolSize, which is its default
explain-pool-patience-long = A request waits up to { $patience } for a connection, and the goal is { $goal }: the rest is a wait that nobody waits for, and it holds a thread
explain-pool-patience-long-try = let requests give up on a connection a little before their callers give up on them: they fail fast, and the queue stays short
explain-pool-patience-short = A request waits at most { $patience } for a connection, and one is held for { $hold }: who comes behind a full pool is refused before anything is given back
explain-pool-patience-short-try = let requests wait for a connection longer than one is held
explain-connections-below-threads = The server takes fewer connections at once ({ $connections }) than it may have threads ({ $threads }): the rest of them never has work
explain-connections-below-threads-try = more connections than threads; idle connections cost little
explain-serial-collector = Collections take { $share } of the time, by the Serial collector of one thread that stops the target: the JVM chooses it by itself with fewer than 2 CPUs or less than 1,792 MB of memory
explain-serial-collector-try = choose the collector before threads are tuned
explain-serial-collector-try-core = with less than two cores a larger heap first, so that it collects less often; then compare with G1
explain-heap-quarter = The heap may take { $heap } of { $memory } of memory, the quarter that the JVM takes by itself, and collections take { $share } of the time
explain-heap-quarter-try = give the heap more of the memory that is there before threads and pools are tuned; what is left must do for stacks and everything outside of the heap
explain-heap-nearly-full = { $after } of the heap is in use after a collection, and collections take { $share } of the time: the heap comes before threads and pools
explain-pool-held-traced = Requests wait { $wait } for a connection, and keep it during an outside call of { $call } that needs none
explain-pool-held-sessions = About { $count } { $count ->
    [one] session of the database stands
   *[other] sessions of the database stand
} idle in a transaction: a request keeps its connection { $hold }, mostly for something other than the database, while others wait
explain-doubt-pool-or-threads-unseen = neither the pool nor the threads were observed: as few threads would look the same
explain-doubt-pool-unseen = the pool was not observed: how many connections it has is not known
explain-number-traced = traced requests
explain-number-log-lines = lines of the log that say so
explain-number-log-accounts = failed or slow requests with such a line
explain-number-storage-waiters = threads that wait for the disk
explain-number-retries = lines of a request that say so
explain-number-cut = cut unanswered at the end
explain-number-refused = requests turned away
explain-number-refused-connections = refused connections
explain-number-stalled = time in which nobody is answered
explain-number-cpu-meanwhile = CPU used meanwhile
explain-number-own-time = time that no span covers
explain-number-at-once = requests between their statements at once
explain-waits-inside = Requests wait inside the target: { $share } of their { $time } there is neither CPU, connections, statements nor a call that is seen
explain-waits-inside-try = look at what its threads wait for (thread dumps during the run): a lock, a sleep, or a call that is not measured
explain-doubt-calls-unseen = calls to other servers were not seen: they would look the same
explain-number-statements-of-request = statements and connections of a request
explain-number-database-cpu-of-request = database CPU of a request
explain-number-loop-blocked = event loops blocked
explain-unknown-limit = Callers see that requests take longer
explain-unknown-limit-failed = Callers see that requests fail
explain-unknown-limit-dropped = Callers see that starts are dropped
explain-unknown-limit-both = Callers see that requests fail and starts are dropped
explain-unknown-at-once = The target serves about { $count } at once ({ $rate }/s, { $time } each when nothing waits); all other requests wait
explain-unknown-at-once-try = look for what the target has about { $count } of: worker threads, connections of a pool, processes, processors, or one lock
explain-unknown-limit-try = repeat the run with --observe for the target and its database
explain-unknown-at-most-try = look for what the target has { $count } or fewer of: worker threads, connections of a pool, processes, processors, or one lock
explain-pool-in-statements = All { $pool } { $pool ->
    [one] connection of the pool is
   *[other] connections of the pool are
} held, { $hold } each, almost all of it in statements
explain-doubt-refusals-unseen = that the database refused these requests is not seen: their failures fit
explain-doubt-statements-wait = whether the statements compute, or wait for a core, a disk or a lock, is not seen
explain-unknown-at-once-of = Of { $names } the target serves about { $count } at once ({ $rate }/s, { $time } each when nothing waits); the rest of these wait, and other requests do not
explain-unknown-at-most-of = Of { $names } the target serves no more than about { $count } at once ({ $rate }/s, and none took less than { $time }); the rest of these wait, and other requests do not
explain-unknown-at-most = The target serves no more than about { $count } at once ({ $rate }/s, and no request took less than { $time }); all others wait
explain-outside-logged = The log says that the target cannot reach another server, from second { $from } on
explain-outside-logged-try = see whether that server runs and takes connections, and let a call give up sooner (connect timeout)
explain-doubt-outside-or-database = a database that cannot be reached would say the same
explain-pool-logged-untold = The log says that requests wait for a connection of a pool in vain, from second { $from } on
explain-pool-answered = { $share } of the requests fail, and most are answered that they waited for a connection of a pool in vain
explain-sessions-logged = The log says that the database takes no more sessions, from second { $from } on
explain-open-files-full = The target has all of the { $most } open files that it may have: connections count as files, and what needs one more fails
explain-open-files-logged = The log says that the target has too many open files, from second { $from } on: connections count as files, and what needs one more fails
explain-open-files-try = look at what it keeps open: connections to callers, pools and other servers that are not closed or not used again
explain-open-files-try-more = allow more open files
explain-door-logged = The log says that the server takes no more connections, from second { $from } on
explain-log-decisive = The log has a line that is rare and grave, at second { $first } of the run
explain-log-doubted = The log names a limit in { $count } { $count ->
    [one] line
   *[other] lines
} that are no evidence of one: their number does not move with the failed or slow requests, their own figures say otherwise, or a reporter of metrics writes them
explain-behind-gateway = From second { $from } on no request succeeds: the target answers { $status }, so it runs, and the server behind it does not answer
explain-lock-logged = The log says that requests wait for a lock in vain, from second { $from } on
explain-retries = The log says that something is tried again { $each } { $each ->
    [one] time
   *[other] times
} a request, from second { $from } on: what is called refuses or fails
explain-retries-try-reason = see what is tried again and how it is refused; a limit there is the limit here
explain-retries-try-bound = bound the attempts, and wait longer before each: calls that are made again are load, too
explain-storage-wait = Requests wait for the target's disk: { $threads } { $threads ->
    [one] thread
   *[other] threads
} on average, while it uses { $used } of { $most ->
        [1] 1 core
       *[other] { $most } cores
    }
explain-storage-wait-try-gather = wait for the disk less often: one flush for many requests (group commit), or none on the request's way
explain-storage-wait-try-faster = then a faster disk; iostat -x 1 shows how busy it is
explain-pool-logged = The log says that requests wait for a connection in vain, from second { $from } on: all of the pool are held
explain-refused = { $share } of the requests are answered with status { $status }: the target turns them away, { $rate }/s get through
explain-refused-on-purpose = { $share } of the requests are answered with status { $status }: a limit that was set on purpose turns them away, { $rate }/s get through
explain-answer-failing = FAILING, NOT LIMITED (grade { $grade }): the same share of the requests fails however many there are
explain-answer-failing-in-loops = FAILING, NOT LIMITED (grade { $grade }): a share of the requests fails, and users get as much as if none did
explain-answer-failing-after-work = FAILING, NOT LIMITED (grade { $grade }): requests fail after as long as good answers take
explain-answer-failing-unclear = FAILING (grade { $grade }): whether the load makes requests fail is not seen
explain-answer-failing-since = FAILING (grade { $grade }): from some second on every request fails, at a load that was carried before
explain-answer-failing-at-any-load = NOT A MATTER OF LOAD (grade { $grade }): requests fail with hardly any load, too
explain-answer-wrong-requests = FAILING, NOT LIMITED (grade { $grade }): the test sends requests that the target turns away from the first one on
explain-answer-wrong-answers = FAILING, NOT LIMITED (grade { $grade }): checks fail although requests do not, and nothing says that the load is why
explain-part-on-purpose = a limit that was set on purpose
explain-failing-in-loops = { $share } of the requests of these seconds fail, most with { $what }. They cost the users next to no time, and the others take no longer: as much is answered as if none failed
explain-failing-in-loops-unsaid = { $share } of the requests of these seconds fail. They cost the users next to no time, and the others take no longer: as much is answered as if none failed
explain-failing-after-work = { $share } of the requests of these seconds fail, most with { $what }, after as long as good answers take: they are worked on like the others. A limit turns requests away at once, or after a wait that is always as long
explain-failing-after-work-unsaid = { $share } of the requests of these seconds fail after as long as good answers take: they are worked on like the others. A limit turns requests away at once, or after a wait that is always as long
explain-failing-since = From second { $from } on every request fails, most with { $what }; until then { $rate }/s were answered, and none waited for others
explain-failing-unclear = { $share } of the requests of these seconds fail, most with { $what }. Nothing is seen to be full, and these seconds do not tell a limit from a fault
explain-failing-unclear-unsaid = { $share } of the requests of these seconds fail. Nothing is seen to be full, and these seconds do not tell a limit from a fault
explain-failing-unclear-try = send half the load: of a limit hardly any request fails then, of a fault the same share
explain-failing-at-any-load = { $share } of the requests fail, most with { $what }, with little load as with more
explain-failing-at-any-load-unsaid = { $share } of the requests fail, with little load as with more
explain-wrong-path = Each { $name } is answered { $status }, from the first one on: nothing is there under this path
explain-wrong-method = Each { $name } is answered { $status }, from the first one on: this path does not take this method
explain-wrong-login = Each { $name } is answered { $status }, from the first one on: the test sends no login, or one that does not count
explain-wrong-form = Each { $name } is answered { $status }, from the first one on: what the test sends is not what the target expects
explain-wrong-requests-try = correct the test (address, path, method, login, body) and look at one request first: --once shows what is sent and answered
explain-number-wrong-requests = requests of this kind that were turned away
explain-failing = { $share } of the requests of these seconds fail, most with { $what }, and as large a share of few as of many: a limit would let as many through and turn the rest away
explain-failing-unsaid = { $share } of the requests of these seconds fail, and as large a share of few as of many: a limit would let as many through and turn the rest away
explain-failing-try = find out why the target answers { $what }: one bad instance among several, another server that fails, a time-out; more room does not help by itself (--observe log:FILE)
explain-refused-try = raise the limit that answers { $status } (of the target, its gateway or its proxy), or send no more than it lets through
explain-stopped = From second { $from } on no request succeeds; until then { $rate }/s did
explain-down-for-good = From second { $from } on the target refuses all connections: nothing listens there any more; until then { $rate } requests/s were answered
explain-never-up = The target refused all connections: nothing listens at its address
explain-never-up-try = check the address, and that the target runs
explain-down = The target refused all connections from second { $from } to second { $to }: it was stopped, or started anew. That time is left out
explain-down-again = The target refused all connections { $times } { $times ->
    [one] time
   *[other] times
}, the longest from second { $from } to second { $to }: it was stopped, or started anew. These times are left out
explain-stopped-try = see why it stopped: its last log lines, its exit code, the memory it may use
explain-stalls = The target answers nobody for up to { $length } at a time, { $count } { $count ->
    [one] time
   *[other] times
}, first at second { $from }; otherwise half of the requests take less than { $between }
explain-stalled-once = The target answered nobody for { $length }, once, from second { $from } on; otherwise half of the requests take less than { $between }
explain-stalled-once-try = see what happened at that second: a long collection of garbage, a machine that stood still, a lock that every request needs (its log, its metrics); run again to see whether it comes back
explain-stalls-try = look for what runs at those seconds: a job started by the clock, or a lock that every request needs (a thread dump in such a second shows it)
explain-stalls-try-computes = look for what computes at those seconds, such as a job started by the clock, and move it to another process or cut it into small pieces
explain-doubt-generator-stalls = the load generator was not quiet either: it may be what stopped
explain-unknown-waits = The target mostly waits: it uses { $used } of { $most ->
        [1] 1 core
       *[other] { $most } cores
    }
explain-unknown-waits-for-cores = The target gets { $used } of { $most ->
        [1] 1 core
       *[other] { $most } cores
    } and its threads wait { $delay } s each second for cores that other programs use
explain-unknown-failing = { $share } of the requests fail, most with status { $status }
explain-unknown-unanswered = { $share } of the requests fail, most without an answer
explain-unknown-none = No request succeeded
explain-unknown-failing-try = read what the target answers and logs for these requests (loadline show, --observe log:FILE)
explain-unknown-limit-try-more = also observe what is listed at "not known"; a thread dump under load shows what requests wait for
explain-pool-held-around = About { $count } { $count ->
    [one] request at once gets
   *[other] requests at once get
} as far as their statements, and make an outside call of { $call } between them, as if holding a connection; the others wait { $wait } before
explain-slow-outside-unnamed = Requests wait { $share } of their time for an outside server, { $time } each call
explain-outside-refused = The outside server ({ $peer }) answers { $share } of the calls with 429 or 503, a limit of its own: it serves { $rate } calls/s
explain-outside-refused-unnamed = An outside server answers { $share } of the calls with 429 or 503, a limit of its own: it serves { $rate } calls/s
explain-outside-refused-logged = The log says that an outside server answers calls with 429 or 503, a limit of its own
explain-outside-refused-try-less = call it less: keep answers for a while, ask for several things in one call
explain-outside-refused-try-wait = spread the calls below its limit and wait as long as Retry-After says, with a bound on attempts: retries at once only use the limit up
explain-outside-refused-try-more = ask who runs it for a higher limit, and what the limit counts
explain-threads-taken = All { $threads } { $threads ->
    [one] thread and the processes of the target are
   *[other] threads and processes of the target are
} taken, and { $waiting } { $waiting ->
    [one] connection waits
   *[other] connections wait
} in the kernel to be accepted
explain-event-loop-late = The event loop runs what is due { $lag } late; whether it computes or is blocked is not seen, for its CPU is not
explain-outside-limit-unnamed = An outside server got slower, as one at its own limit does: a call took { $early } at first, { $late } later
explain-next-cpu = After that the target's CPU limits, at about { $rate } requests/s
explain-next-database = After that the database's CPU limits, at about { $rate } requests/s
explain-next-pool = After that the connection pool limits, at about { $rate } requests/s
explain-next-threads = After that the threads limit, at about { $rate } requests/s
explain-doubt-whole-machine = counted of all programs of the target's machine: others may have caused it
explain-doubt-little = rate × hold time gives { $law } { $law ->
    [one] connection
   *[other] connections
} in use, { $active } were seen
explain-doubt-sessions-unseen = the database was not observed: inferred from the times of pool and calls
explain-doubt-hold-unseen = slow statements, a lock or a call inside the transaction would look the same
explain-doubt-cpu-unseen = the target's CPU was not seen: it may be what keeps the threads busy
explain-doubt-pauses-unseen = garbage collections were not seen: a part of the CPU time may be theirs
explain-doubt-compiling = compiling is part of the CPU counted here: once warm, a request needs less of it
explain-doubt-requests-share-connections = over HTTP/2 a connection carries several requests at once, and then fewer connections than threads do no harm
explain-doubt-many-threads = { $busy } { $busy ->
    [one] thread competes
   *[other] threads compete
} for { $cores ->
        [1] 1 core
       *[other] { $cores } cores
    }: if they spin on a lock, fewer threads need less CPU for a request; only a trial tells
explain-doubt-queue-unseen = threads were not seen: requests may wait for one before the target counts their time
explain-doubt-statements-unseen = statements were not seen: which one is heavy cannot be told
explain-doubt-minutes-of-cloud = the cloud tells the database's CPU as means of a minute: { $minutes } whole { $minutes ->
    [one] minute
   *[other] minutes
} of the load
explain-doubt-database-cpu-unseen = the database's CPU was not seen: this is time, and may be waiting
explain-doubt-outside = a slow server and one at its limit look the same from here
explain-doubt-extrapolated = extrapolated: taken that a request needs as much of it as now
explain-doubt-sessions-limit = twice the pool over all instances is { $more } { $more ->
    [one] connection
   *[other] connections
}; the database allows { $most }
explain-expected-assumption = pool=N, threads=N, cores=N, database-cores=N, outside=TIME, statement=PERCENT or heap=SIZE, separated by commas (pool=30,outside=500ms,statement=50%,heap=512m)
explain-missing-cpu-short = CPU of the target: tells whether it computes or waits ({ $source } was watched, but for too few full seconds)
explain-missing-cpu = CPU of the target: tells whether it computes or waits (--observe port:PORT or pid:PID)
explain-missing-pool = connection pool: tells whether requests wait for a connection, and how long one is held
explain-missing-threads = busy threads and their maximum: tells whether requests queue before they are served
explain-missing-database = database sessions: tells work, locks and connections held for nothing apart (--observe postgres://…)
explain-missing-statements = statements: tells which SQL takes the time (pg_stat_statements)
explain-missing-outside = calls to other servers: tells the target's own time from theirs
explain-missing-heap = garbage collections: tells work from collecting
explain-number-rate = answered
explain-number-rate-before = answered before that
explain-number-mean = mean time
explain-number-measured = measured
explain-number-unloaded = while little was asked
explain-number-failed = failed requests
explain-number-dropped = dropped starts
explain-number-checks = failed checks
explain-number-pause = pauses of an iteration
explain-number-bytes = bytes of answers
explain-number-line = speed of the line
explain-number-server-time = time inside the target
explain-number-connecting = connecting
explain-number-opened = requests that open a connection
explain-number-resent = segments sent again
explain-number-throttled = periods in which the quota stopped it
explain-number-cpu-used = CPU used
explain-number-cpu-available = CPU it may use
explain-number-cpu-of-request = CPU time of a request
explain-number-run-delay = waiting for a core, each second
explain-number-pauses = time stopped by collections
explain-number-heap-after = heap in use after a collection
explain-number-pause-each = mean pause
explain-number-forced = forced context switches
explain-number-memory = memory of the limit
explain-number-compiling = compiling, each second
explain-number-mean-early = mean time at first
explain-number-mean-late = mean time at the end
explain-number-connections-closed = connections accepted and closed at once
explain-number-workers-queue-max = most requests that may wait for a thread
explain-number-workers-refused = requests that found that queue full
explain-periodic-stops = The target stops for about { $length }, { $times } { $times ->
    [one] time
   *[other] times
} a second: requests that come meanwhile wait for what is left of it
explain-doubt-stops-or-work = the record keeps how long requests of a second took, not when in it they came: work that takes evenly spread times looks the same
explain-periodic-stops-try = look at what stops it: the delay of the event loop, the log of the garbage collector, a timer that comes as often
explain-connections-closed = The server accepts { $rate } connections/s and closes them at once: its limit of connections is reached
explain-threads-try-queue = callers are turned away while the queue for a thread is full: a longer queue only makes them wait, so shorten the work first
explain-doubt-slow-page = the page of metrics took up to { $time } to answer: it waits in the queue that it measures
explain-decide-by-pool = to tell the two apart, run once with twice the pool: it gives more if the pool limits, and nothing if the other does
explain-decide-by-threads = to tell the two apart, run once with twice the threads: it gives more if they limit, and nothing if the other does
explain-decide-by-heap = to tell the two apart, run once with twice the heap: it gives more if memory limits, and nothing if the other does
explain-decide-by-cores = to tell the two apart, run once with twice the cores: it gives more if the CPU limits, and nothing if the other does
explain-unknown-stack = unknown stack: what sets it is not seen
explain-number-lag = event loop late by
explain-number-loop-use = event loop busy
explain-number-threads-busy = busy threads
explain-number-threads-most = most threads
explain-number-open-files-max = files it may have open
explain-number-connections = open connections
explain-number-accept-queue = waiting to be accepted
explain-number-overflows = attempts that found it full
explain-number-active = connections held
explain-number-most = most connections
explain-number-pending = requests waiting for a connection
explain-number-hold = hold time
explain-number-acquire = wait for a connection
explain-number-outside = outside call
explain-number-outside-calls = outside calls
explain-number-calls-refused = calls answered 429 or 503
explain-number-idle-in-transaction = sessions idle in transaction
explain-number-sessions-active = sessions at work
explain-number-sessions = sessions
explain-number-sessions-most = most sessions
explain-number-lock-waiters = sessions waiting for a lock
explain-number-database-cpu = database CPU used
explain-number-database-cpu-share = database CPU used, of its instance
explain-number-database-cores = database CPU it may use
explain-number-database-time = time in the database
explain-number-statement-share = share of the heaviest statement
explain-number-statement-time = time of a statement
explain-number-calls = statements of a request
explain-number-blocks = blocks read by a call
explain-number-examined = rows looked at by a call
explain-number-rows = rows returned by a call
explain-number-redis-cpu = Redis CPU used
explain-number-commands = commands
explain-number-consumer-lag = messages waiting
explain-number-behind = falling behind
explain-number-share = share of the requests
explain-number-instances = instances
explain-number-pools-together = connections of all pools together
explain-number-opened-in-pool = connections opened during the run
explain-number-pool-least = connections kept open
explain-number-connections-most = connections taken at once
explain-number-heap-most = heap, of the memory
explain-number-node-cpu = CPU used of the node
explain-number-node-cpu-others = CPU used of the other nodes
explain-number-pod-cpu = CPU of that pod
explain-number-pool-patience = longest wait for a connection
explain-number-ceiling = used up at
explain-so-far = so far: { $text }
explain-clock-ahead = The clock of the target's host is { $seconds } s ahead of the generator's. Nothing here changes: what comes from there counts when it arrives. Its own logs and traces show later times
explain-clock-behind = The clock of the target's host is { $seconds } s behind the generator's. Nothing here changes: what comes from there counts when it arrives. Its own logs and traces show earlier times
explain-clock-try = set both clocks by NTP before you lay the target's logs beside this run
explain-number-ahead-first = ahead at first
explain-number-ahead-last = ahead at the end
explain-spans-left-out = { $share } of the spans found no room or could not be read: what is told of traces is told of the rest
explain-spans-left-out-try = trace a smaller share of the requests
explain-number-spans-left-out = spans left out
explain-number-spans-received = spans taken
explain-slow-instance = One of { $count } { $count ->
    [one] instance
   *[other] instances
} ({ $instance }) takes { $time } for a request, the others at most { $others }
explain-slow-instance-try = compare its machine, settings and version with those of the others; take it out of the load balancer until it is as quick
explain-number-time-of-instance = its time for a request
explain-number-time-of-others = the next slowest
explain-doubt-exceeds = more of it was measured than this target's requests can make: something else uses it, too
explain-doubt-small-account = it accounts for only { $share } of the time that callers wait
explain-doubt-open-account = { $share } of the time that callers wait is not explained by it
explain-doubt-page-counts-more = the target counts { $page } requests/s, the callers { $callers }: it serves others, too
explain-doubt-page-counts-fewer = the target counts { $page } requests/s, the callers got { $callers }: what it tells is of a part of them, or of another process
explain-missing-one-process = metrics of { $page }: at least { $count } { $count ->
    [one] process answers
   *[other] processes answer
} there in turn, so its numbers are of none of them (observe each process at an address of its own)
explain-doubt-calls-of-others = the load never changed, so other programs of this database may make these calls
explain-slow-tail = { $share } of the requests take about { $slow }, the others { $quick }, all along: they do another kind of work
explain-slow-tail-try = see what the slow ones have in common: the same keys, misses of a cache, a branch of the code (loadline show; traces of the slowest)
explain-warming = Requests took { $early } at first and { $late } at the end, while as much was asked: something warms up, such as a cache or a pool
explain-doubt-turned-away-by-chance = who turns a share away on purpose, by chance, looks the same
explain-doubt-even-starts = starts came evenly: a fault that hits each so many requests, at any load, looks the same; half the load tells
explain-doubt-status-of-others = a server in front of the target whose backend is away answers { $status }, too
explain-doubt-sessions-of-others = whose sessions these are is not seen: another program of this database may wait there
explain-database-storage = { $sessions } { $sessions ->
    [one] database session on average waits
   *[other] database sessions on average wait
} for its storage
explain-database-storage-try-read-less = read less: an index, fewer columns, a cache; give the database more memory for what is read most
explain-database-storage-try-faster = or faster storage
explain-doubt-two-used-up = another resource looks used up, too, and neither waits for the other: change one and measure again
explain-pool-small-traced = Requests wait { $wait } for a connection and hold it { $hold }, most of it in statements, while the database has room: the pool is too small
explain-doubt-elsewhere = requests spend { $share } of their time in the target in statements and calls, not on a core
explain-doubt-inside-unseen = the time of a request in the target was not seen: threads that serve none may be those that wait
explain-probe-measured = Requests took { $early } at first and { $late } in the end: as fast as later after { $seconds } s (requests until then: { $requests }).
explain-probe-not-cold = Requests were as fast at first as in the end: nothing has to warm up before the pod is ready.
explain-probe-not-known = This run does not tell whether something warms up before the pod is ready: let a minute of steady load run against a target that was just started.
explain-probe-why = Nothing warms up before requests come, and none come before the pod is ready: so it sends them to itself first.
explain-probe-curl = The image needs curl, and 127.0.0.1 must be served without TLS; else do the same with what the image has.
explain-probe-no-path = No request of the run is a GET without an id: put the paths here that are to be warm.
explain-probe-no-port = The port of the pod is not known: put it here.
explain-probe-ready = what the target answers when it is ready
explain-was-cold = the target was cold: requests took { $early } at first and { $late } in the end. --warmup auto leaves that out; { $command } --readiness-probe writes probes that let a pod get warm first
explain-setting-first = { $why }: { $what }
explain-setting-first-by = { $why }: { $what } ({ $setting })
