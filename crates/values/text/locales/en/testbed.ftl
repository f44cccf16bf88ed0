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
preflight-title = Preflight for { $rate }: each part alone, then one iteration through the target
preflight-generator = ok    generator: { $offered } offered, { $answered } answered by the built-in sink, p95 { $p95 }, CPU { $cpu }
preflight-generator-weak = WEAK  the generator is too weak: { $offered } planned, only { $answered } reached the built-in sink (p95 { $p95 }, CPU { $cpu }). Use a stronger machine or several; nothing was sent to the target
preflight-low = ok    { $url } at { $offered }: { $answered } answered, p95 { $p95 }
preflight-planned = ok    { $url } at the planned { $offered }: { $answered } answered, p95 { $p95 }
preflight-no-answer = WEAK  { $url } does not answer even { $offered }; nothing was sent to the target
preflight-gives-way = WEAK  { $url } is too weak: it answers about { $answered } of the { $offered } offered, p95 { $p95 }
preflight-fails = WEAK  { $url } fails { $share } of requests at the planned { $offered }
preflight-slows = WEAK  { $url } slows down at the planned { $offered }: p95 { $before } at a low rate, { $after } now
preflight-target-untouched = The target got no load: the test would have measured that part's limit instead of the target's.
preflight-iteration = ok    one iteration through the target: { $requests } { $requests ->
    [one] request
   *[other] requests
}, { $failed } failed, { $response } each, { $think } think time
preflight-iteration-failed = WEAK  the iteration through the target failed: fix the test or the target first (loadline run --once shows the details)
preflight-ceiling = {"      "}the script's own ceiling: { $formula } = { $rate }, { $best } at best
preflight-ceiling-low = WEAK  the script cannot offer the planned { $rate } whatever the target does: add users or take an arrival rate
preflight-sources = ok    sources of the target's signals: { $answering } of { $all } answer
preflight-sources-fail = WEAK  sources of the target's signals: { $answering } of { $all } answer; a run would go on without the others
preflight-no-sources = note  no source of the target's signals is named: what limits it will not be seen (--observe SOURCE, loadline observe --init)
preflight-ready = The test bed is strong enough for the planned load.
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
