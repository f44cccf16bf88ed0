lint-syntax = { $reason }
lint-wrong-type = `{ $key }` is { $found }; expected { $expected }
lint-file-empty = the file is empty; expected { $expected }
lint-file-type = the file is { $found }; expected { $expected }
lint-missing = `{ $key }` is missing in { $place }
lint-bad-value = `{ $key }` cannot be `{ $value }`: { $reason }
lint-always-holds = `{ $key }: { $value }` is not text and counts as true, as in Artillery: write a condition in quotes, or leave the step out
lint-bad-condition = `{ $key }: { $value }` cannot be read and counts as true: { $reason }
lint-unreadable = `{ $path }` cannot be read: { $reason }
lint-no-target = there is no target: set config.target, or give one with -t URL
lint-no-environment = there is no target: no environment is taken unless it is named, as in Artillery. Name one with -e: { $names }
lint-no-scenarios = there is no scenario: write at least one under `scenarios`
lint-refused = `{ $what }` cannot be run: { $reason }
lint-misplaced = `{ $key }` has no effect under `{ $under }`: it belongs in the { $belongs }; move it there
lint-step-inside = `{ $key }` has no effect under `{ $under }`: write it as a step of its own, with a dash of its own
lint-unknown-key = `{ $key }` is not known in { $under } and has no effect; check its spelling
lint-unknown-key-near = `{ $key }` is not known in { $under } and has no effect; did you mean `{ $nearest }`?
lint-over-unset = `over: { $variable }` names a variable that is never set, so the loop sends nothing; capture it, or write the list under `over`
lint-over-unset-near = `over: { $variable }` names a variable that is never set, so the loop sends nothing; did you mean `{ $nearest }`?
lint-over-one-value = `over: { $variable }` goes through no list, so the loop sends nothing: each user has one value of `{ $variable }`, as in Artillery; write the list under `over`, or as a list in a list
lint-condition-unset = `ifTrue` reads `{ $variable }`, which is never set; capture it, or set it under config.variables or config.payload
lint-condition-unset-near = `ifTrue` reads `{ $variable }`, which is never set; did you mean `{ $nearest }`?
lint-no-rows = { $path } has no rows, so its users would send requests with empty values; write at least one row
lint-no-rows-heading = { $path } has no rows but its heading (skipHeader), so its users would send requests with empty values; write at least one row below it
lint-nothing-planned = nothing would be sent: no phase starts a virtual user, or no scenario has a request
lint-never-set = `{ $variable }` is used but never set; capture it, or set it under config.variables or config.payload
lint-set-later = `{ $variable }` is used here, but its first capture is in a later request (line { $line }); capture it here too
lint-capture-unused = `{ $variable }` is captured but never used
lint-random-ids = rows of { $path } are drawn at random and repeat, but `{ $field }` looks like an id that a { $method } writes; add `order: unique`
lint-think-fraction = `think: { $value }` waits { $value } s here; Artillery waits 1 ms; write { $value }s to mean the same everywhere
lint-count-zero = `count: 0` loops for ever; write a number, or leave it out if that is meant
lint-foreign-step = `{ $key }` is not a step of a WebSocket flow: each user fails there; move it to a scenario of `engine: http`
lint-several-verbs = a step does one thing, and this one has `{ $keys }`; write each as a step of its own, with a dash of its own
lint-ignored = `{ $key }` has no effect: { $reason }
lint-unknown-environment = there is no environment `{ $name }` under config.environments
lint-other-environments = there is no environment `{ $name }` under config.environments; there are: { $names }
lint-unknown-function = there is no function `{ $name }`
lint-unknown-function-near = there is no function `{ $name }`; did you mean `{ $nearest }`?
lint-no-processor = `{ $name }` is a function of a processor, and there is no `config.processor`
lint-unclosed = `{"{{"}` is never closed in `{ $text }`: write `{"}}"}` after the name
lint-bad-url = `{ $value }` begins neither with `/` nor with `http://` or `https://`: each request fails with "Invalid URL"
lint-endless-loop = a loop without `count`, `over` or `whileTrue` never ends
lint-bad-weight = `weight: { $value }` is not a number and counts as 0: the scenario never runs
lint-unknown-metric = no run has a metric `{ $name }`, so the check fails; did you mean `{ $nearest }`?
lint-no-plugin = `{ $plugin }` checks nothing without its plugin; add `plugins: { "{" } { $plugin }: { "{" }{ "}" } { "}" }` to `config`
lint-unknown-verb = `{ $key }` is not an HTTP method; it is sent as written
lint-unknown-verb-near = `{ $key }` is not an HTTP method; it is sent as written. Did you mean `{ $nearest }`?
lint-too-few-columns = the first row of { $path } has { $columns } { $columns ->
    [one] column
   *[other] columns
}, and `fields` names { $fields }: the last ones have no value
lint-digits-lost = `{ $field }` of { $path }: { $text } is sent as the number { $number }, as by Artillery; to send it as it stands, write `cast: false` in the payload
lint-length-mismatch = the phases add up to { $planned }, not { $expected }
lint-from-behind-rows = `from: { $from }` is behind the last row of { $path }, which has { $rows } { $rows ->
    [one] row
   *[other] rows
}
lint-too-few-rows = only { $rows } { $rows ->
    [one] row
   *[other] rows
} of { $path } are left to use, and the phases start { $needed } { $needed ->
    [one] virtual user
   *[other] virtual users
}, each of which takes one
lint-error = error: { $place }: { $text }
lint-warning = warning: { $place }: { $text }
lint-note = note: { $place }: { $text }
phases-sum = phases: { $length }, { $users } { $users ->
    [one] virtual user
   *[other] virtual users
}, { $requests } { $requests ->
    [one] request
   *[other] requests
}
phases-sum-open = phases: { $length }, { $users } { $users ->
    [one] virtual user
   *[other] virtual users
}, requests without a fixed number
compat-keys = compat: { $used } { $used ->
    [one] key
   *[other] keys
} used, { $supported } supported
processor-in-node = The processor runs in Node { $version }, because it uses `{ $name }` ({ $place }).
processor-without-node = The processor uses `{ $name }` ({ $place }), which loadline's interpreter does not have, and there is no `node` on the PATH. Install Node to run the processor there; functions that reach this place fail.
