answers-value = { $path }: was { $was }, is { $is }
answers-form = { $path }: varies, as in { $was }, but is now { $is }
answers-missing = { $path }: is missing, was { $was }
answers-added = { $path }: is new: { $is }
answers-length = { $path }: number of elements was { $was }, is { $is }
answers-order = { $path }: its elements are in another order: { $is } stands where { $was } stood
answers-status = status: was { $was }, is { $is }
answers-media-type = content type: was `{ $was }`, is `{ $is }`
answers-location = location: was `{ $was }`, is `{ $is }`
answers-line = line { $line }: was `{ $was }`, is `{ $is }`
answers-binary = body that is no text: was { $was } B, is { $is } B or has other bytes
answers-of-endpoint = { $endpoint }: { $difference }
answers-of-requests = { $differing } of { $compared } { $compared ->
    [one] request
   *[other] requests
}
answers-seen-once = answered once only before, so it may vary by itself: save the answers of a second run and name both, --same-answers-as A,B
answers-same = answers are as in { $reference }: no difference in { $compared } { $compared ->
    [one] request
   *[other] requests
}
answers-differ = ANSWERS DIFFER from those of { $reference }: { $differing } of { $compared } { $compared ->
    [one] request
   *[other] requests
}
answers-none = NO ANSWERS COMPARED with those of { $reference }: no request is in both runs (before: { $before }, now: { $now })
answers-few = requests before that were sent again: only { $compared } of { $before }; the others are not compared
answers-counts = seen once before: { $seen_once }; not seen this time: { $not_seen }; new: { $new }
answers-cut = compared by the beginning of the answer only: { $cut } { $cut ->
    [one] request
   *[other] requests
}
answers-uncompared = not compared, varies by itself: { $endpoint }: { $parts }
answers-part-order = order of { $path }
answers-part-elements = elements of { $path }
answers-part-presence = whether { $path } is there
answers-part-line = words in line { $line }
answers-part-rest = all from line { $line } on
answers-part-binary = the body, which is no text
answers-part-location = location
answers-part-media-type = content type
answers-kept = kept answers to { $requests } { $requests ->
    [one] request
   *[other] requests
} ({ $seen_once } seen once); hold a later run to them: --same-answers-as { $name }
answers-kept-none = no answers were kept: no request of this run was answered
answers-kept-full = there were more requests, or larger answers, than are kept: another run of the same test keeps the same ones
answers-goal = answers as in { $reference }
answers-goal-found = other answers: { $differing } of { $compared } { $compared ->
    [one] request
   *[other] requests
}
answers-section = Answers
answers-column-difference = First difference
