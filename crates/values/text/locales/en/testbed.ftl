notice-start = Load test starts: { $test } from { $host }. Expected: { $load }, for { $length }, up to { $vus } { $vus ->
    [one] virtual user
   *[other] virtual users
}
notice-start-each = Load test starts: { $test } from { $host }. Expected: { $load }, for { $length }, a virtual user for each start
notice-end = Load test over: { $test }: { $verdict }
notice-end-limited = Load test over: { $test }: { $verdict }. What limits (explain): { $limit }
notice-load-rate = { $starts } { $starts ->
    [one] start
   *[other] starts
} at a set rate
notice-load-loop = as many requests as the users can make while waiting for each answer
notice-failed = the notice was not delivered: { $reason }
project-ask = { $file } asks for { $orders }. Do this now and from now on, as long as the file stays as it is? [y/N]
project-left-out = { $file } asks for what nobody confirmed, and it is left out: { $orders }; loadline trust confirms it
project-foreign = { $file } is not used: it belongs to user { $owner }, and may have been put there to be found. What you need of it goes into a loadline.yaml of your own in the folder you work in
project-writable = { $file } is not used: others may write it (mode { $mode }); chmod go-w makes it yours alone
project-not-kept = that this was confirmed cannot be kept: { $reason }
project-trusted = confirmed in { $file }: { $orders }
code-trusted = code in { $folder } runs from now on, in tests of other folders too, whoever owns it
project-no-orders = { $file } orders nothing that has to be confirmed
shared-ask = { $host } is shared { $note }. Expected: { $load }, for { $length }. Continue? [y/N]
mock-ending = { $requests } { $requests ->
    [one] request
   *[other] requests
}, { $held } at once at most, on { $connections } { $connections ->
    [one] connection
   *[other] connections
} at most
mock-added = added by this mock itself: p50 { $p50 }, p99 { $p99 }, max { $max }; CPU { $cpu } of { $cores ->
        [1] 1 core
       *[other] { $cores } cores
    }
mock-kept-up = this mock kept up
mock-was-bottleneck = THIS MOCK WAS THE BOTTLENECK ({ $reasons }): its response times are not those of the real server
preflight-weakest = WEAK  { $part } is the weakest part: { $rate } of the planned { $planned }
preflight-weakest-silent = WEAK  { $part } is the weakest part: it does not answer
preflight-weakest-failing = WEAK  { $part } is the weakest part: it fails { $share } of requests
preflight-ready = ok    every part that was tried holds the planned { $planned }; least headroom: { $part }, { $rate }, { $times }× the plan
preflight-ready-all = ok    every part that was tried holds the planned { $planned }, and none reached its limit
preflight-interrupted = STOPPED before every part was tried. The weakest so far: { $part }, { $rate } of the planned { $planned }
preflight-interrupted-early = STOPPED before anything was measured
preflight-at-least = at least { $rate }
preflight-part-generator = generator
preflight-part-outside = outside server { $url }
preflight-part-network = network to the target
preflight-part-users = the test's own users
preflight-part-target = target
preflight-trying = trying { $part }, planned { $planned }
preflight-trying-stand-in = trying a stand-in for { $url }
preflight-column-part = part
preflight-column-planned = planned
preflight-column-carries = carries
preflight-column-headroom = headroom
preflight-column-p95-low = p95 at a low rate
preflight-column-p95 = p95 as planned
preflight-column-result = result
preflight-result-holds = ok
preflight-result-weak = WEAK
preflight-result-not-known = not known
preflight-result-not-tried = not tried
preflight-heading = Preflight of { $test }
preflight-section-parts = Parts
preflight-section-seen = What was seen
preflight-section-stand-ins = Stand-ins
preflight-section-sources = Signals of the target
preflight-sources = sources of the target's signals: { $answering } of { $all } answer
preflight-sources-fail = WEAK: sources of the target's signals: { $answering } of { $all } answer; a run would go on without the others
preflight-no-sources = no source of the target's signals is named: what limits it will not be seen (--observe SOURCE, loadline observe --init)
preflight-cpu = generator: CPU { $cpu } at the planned rate, against a built-in sink on this machine
preflight-unhealthy = generator: not healthy at { $rate }: { $reasons }
preflight-no-answer = { $part }: no answer
preflight-gives-way = { $part }: { $answered } answered of the { $offered } offered, p95 { $p95 }
preflight-fails = { $part }: { $share } of requests fail
preflight-slows = { $part }: slows down at the planned { $planned }: p95 { $before } at a low rate, { $after } now
preflight-failures = { $part }: why requests failed: { $reasons }
preflight-not-tried-generator = { $part }: not tried, the generator does not reach its rate
preflight-not-tried-weak = { $part }: no load was sent, or its test would have measured the limit of the weaker part
preflight-not-tried-interrupted = { $part }: not tried to its end, somebody stopped it
preflight-target-not-known = target: how much it carries was not looked for; preflight -t does, up to the planned rate
preflight-network-connect = network: connecting takes { $connect }, a round trip
preflight-network-bytes = network: the plan needs { $needed } ({ $each } each); { $reached } were reached
preflight-network-not-known = network: the plan needs { $needed } ({ $each } each); what it gives cannot be told from answers so small or so few (preflight -t tries the planned rate)
preflight-network-weak = network: more time went into reading answers than into waiting for them, so that the network (or how the target sends) is the limit, not the target's work
preflight-iteration = one iteration: { $requests } { $requests ->
    [one] request
   *[other] requests
}, { $failed } failed, { $response } each, { $think } think time
preflight-iteration-failed = the iteration through the target failed: fix the test or the target first (loadline run --once shows the details)
preflight-ceiling = the script's own ceiling: { $formula } = { $rate }, { $best } at best
preflight-ceiling-low = the script cannot offer the planned { $rate } whatever the target does: add users or take an arrival rate
preflight-stand-in = a stand-in for { $url }, with the latencies of { $answers } { $answers ->
    [one] answer
   *[other] answers
} at a low rate:
preflight-stand-in-holds = tried here: it carries the planned { $planned }, p95 { $p95 }
preflight-stand-in-weak = tried here: it is too weak as well, { $answered } of the planned { $planned }, p95 { $p95 }
preflight-stand-in-use = let the target call http://{ $address }{ $path } instead of { $url }, then preflight again with --also http://{ $address }{ $path }
preflight-mock-written = written: { $path }; start it with loadline mock { $path }
preflight-mock-not-written = { $path } is not written: no outside server answered
preflight-mock-by = written by loadline preflight from answers at a low rate
data-table = { $table }: { $rows } { $rows ->
    [one] row
   *[other] rows
}
data-loaded = { $rows } { $rows ->
    [one] row
   *[other] rows
} loaded; the database checked every key
data-written = { $rows } { $rows ->
    [one] row
   *[other] rows
} written to { $path }
data-payload = { $path }: { $rows } { $rows ->
    [one] row
   *[other] rows
} of ids
