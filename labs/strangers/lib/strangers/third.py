"""The third set that is held out: its faults, the stack that only it has, and what stands beside its cases.

Written when the first two sets had been looked at, by somebody who knew neither the rules nor what they said of those.
"""

from . import faults, truths

STACK = truths.THIRD_HELD_OUT_STACK
# What the new stack can have of the faults that are known.
STACK_FAULTS = ["workers", "pool-small", "outside-limit"]
# A healthy case each; the last of the new stack has neighbours that want both cores.
HEALTHY_STACKS = ["go", "node", "python-threads", STACK, STACK, STACK]
# Which stacks have the new steps.
STEPS_IN = {"go", "node", STACK}
BYSTANDERS = ["cron-burst", "page-readers", "second-tenant"]
OLD_BYSTANDERS = ["loud-log", "health-checks", "slow-clients", "other-caller", "warming-cache"]
# What a limited case has of these, if anything, is one.
LIMITED_WITH_BYSTANDER = 0.5
# Files of a program at rest, with the connections that it keeps: measured.
FILES_AT_REST = {"go": 10, "node": 24, STACK: 15}
# Of each request: the connection it came on, and that of its call.
SOCKETS_A_REQUEST = 2
# Room in a healthy case for connections that callers keep open (a k6 script's users have one each), and those that are kept for calls.
KEPT_CONNECTIONS = 160
# Puma's listener turns without a pause where it can accept nothing: beside others it would take their core.
ALONE = {("open-files", STACK)}
# A look at all keys may be a quarter faster under load than when it was measured.
OVERLOAD = {"redis-busy": (1.8, 2.4)}
NAME = "payments.internal"


def redis_busy(draft):
    used = 1000 / draft.carried
    draft.notes["redis_keys_ms"] = used
    step = {"do": "redis", "command": ["KEYS", "cart:$1:*"]}
    faults.limit(draft, "redis-cpu", [*faults.around(draft, step), faults.roomy_pool(draft, 3)], used + 20,
                 f"KEYS takes {used:.0f} ms of CPU on Redis' one core")


def open_files(draft):
    places, hold = draft.limiting(6, 14)
    count = draft.rng.randint(5, 9)
    draft.notes["files"] = FILES_AT_REST[draft.stack] + places * (count + SOCKETS_A_REQUEST)
    # As to a proxy without keep-alive: idle connections would take a share of the files that depends on the load's tool.
    draft.notes["closes"] = True
    step = {"do": "files", "count": count, "steps": [draft.call("archive", hold - 3)]}
    faults.limit(draft, "open-files", [draft.small_work(), step], hold,
                 f"{draft.notes['files']} files at most, {count} for each request that calls for {hold:.0f} ms: about {places} at once")


def slow_lookup(draft):
    places, hold = draft.limiting(1, 4)
    draft.notes["names"] = {"at_once": places, "ms": round(hold, 1)}
    wait = draft.rng.uniform(5, 40)
    step = {**draft.call("payments", wait), "name": NAME}
    steps = [draft.small_work(), step] if draft.rng.random() < 0.5 else [draft.small_work(), faults.roomy_pool(draft), step]
    faults.limit(draft, "names", steps, hold + wait + 10,
                 f"a name server answers {places} at once, {hold:.0f} ms each, and is asked before each call")


def interpreter(draft):
    used = 1000 / draft.carried
    faults.limit(draft, "cpu", [{"do": "interpret", "ms": round(used, 2)}, faults.roomy_pool(draft, 3)], used + 5,
                 f"{used:.0f} ms of CPU under the one lock of the interpreter")


# As faults.FAULTS: drawn when they are asked for only.
FAULTS = {
    "redis-busy": (redis_busy, [STACK, "go", "node"], 0),
    "open-files": (open_files, ["node", STACK, "go"], 0),
    "slow-lookup": (slow_lookup, ["go", "node", STACK], 0),
    "interpreter": (interpreter, [STACK, "python-threads"], 0),
}


def kinds():
    """Fault, stack, and whether neighbours want both cores, of each case."""
    found = [(fault, stack, False) for fault in truths.THIRD_HELD_OUT_FAULTS for stack in FAULTS[fault][1]]
    found += [(fault, STACK, False) for fault in STACK_FAULTS]
    return found + [("healthy", stack, index == len(HEALTHY_STACKS) - 1) for index, stack in enumerate(HEALTHY_STACKS)]


def add_healthy_parts(draft):
    """The new parts, with places to spare."""
    rng = draft.rng
    if draft.stack not in STEPS_IN:
        return
    if rng.random() < 0.6:
        draft.notes["redis_keys"] = 1000
        draft.steps.insert(1, {"do": "redis", "command": ["GET", "session:$1"]})
    if rng.random() < 0.5:
        ms = rng.uniform(1, 10)
        draft.notes["names"] = {"at_once": 2 * draft.places(ms), "ms": round(ms, 1)}
        draft.steps.insert(1, {**draft.call("rates", rng.uniform(3, 15)), "name": NAME})
        draft.base_ms += ms + 15
    if rng.random() < 0.5:
        count = rng.randint(2, 5)
        draft.notes["files"] = FILES_AT_REST[draft.stack] + KEPT_CONNECTIONS + draft.places(draft.base_ms) * (count + SOCKETS_A_REQUEST)
        draft.steps[-1] = {"do": "files", "count": count, "steps": [draft.steps[-1]]}


def draw_bystanders(rng, fault, stack, allows):
    """One new one at least beside what is healthy."""
    allowed = [one for one in BYSTANDERS if allows(fault, stack, one)]
    if fault != "healthy":
        return [rng.choice(allowed)] if rng.random() < LIMITED_WITH_BYSTANDER and allowed else []
    drawn = set(rng.sample(allowed, rng.randint(1, 2)))
    old = [one for one in OLD_BYSTANDERS if allows(fault, stack, one)]
    if rng.random() < 0.5:
        drawn.add(rng.choice(old))
    return [one for one in [*BYSTANDERS, *OLD_BYSTANDERS] if one in drawn]
