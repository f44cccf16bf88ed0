"""What is right to say first of each fault, and which witnesses can know it. Written before any case was explained.

A part is right if a team that works on it gets more good answers: where threads, connections or workers are held during a
call whose server is not saturated, both ends are such parts. A rule is right, or harmless, whatever part it stands for;
harmless is what names the thing that the fault makes visible without blaming a part that is innocent. It counts as neither
right nor wrong, as does an honest "not seen". Where a cause has no part of its own, the sentence must name it: `words`.
"""

FULL, FITS, NOTHING = "full", "fits", ""
INSUFFICIENT, ONE, TWO = "insufficient", "one", "two"

# Rules that say that what limits is not seen.
HONEST_RULES = {"unknown-limit", "served-at-once", "waits-inside"}

# "The target stopped" names no part, but it is a cause: wrong of a target that lives.
CLAIMING_RULES = {"target-stopped", "target-down"}

# fault: the parts that are right, the rules that are, what is harmless
TRUTHS = {
    "healthy": {"parts": [], "rules": [], "harmless": ["script-ceiling"]},
    "pool-held": {"parts": ["pool", "outside"]},
    # The part is right, but the sentence is not: no call is made while a connection is held.
    "pool-small": {"parts": ["pool"], "harmless": ["database-time"], "doubtful": ["pool-held-across-call"]},
    # Fewer statements, or more connections: both give more.
    "n-plus-one": {"parts": ["pool", "database"], "doubtful": ["pool-held-across-call"]},
    # A mutex that is held during an outside call.
    "lock": {"parts": ["code", "outside"]},
    "executor": {"parts": ["threads", "outside"]},
    # The same with a queue that has an end: those beyond it are answered 503 at once.
    "queue-full": {"parts": ["threads", "outside"], "harmless": ["requests-refused", "log-errors", "wrong-answers"]},
    "workers": {"parts": ["threads", "outside"]},
    "outside-limit": {"parts": ["outside"]},
    "own-rate": {"parts": [], "rules": ["requests-refused"], "harmless": ["wrong-answers"]},
    "loop-blocked": {"parts": ["code", "outside"], "rules": ["event-loop"]},
    "loop-cpu": {"parts": ["cpu", "code"], "rules": ["event-loop"]},
    "cpu": {"parts": ["cpu"]},
    "cpu-quota": {"parts": ["cpu"]},
    "neighbour": {"parts": ["cpu"]},
    "heavy-statement": {"parts": ["database"]},
    "row-lock": {"parts": ["database"]},
    # A journal that is synced under a mutex.
    "disk": {"parts": ["storage"], "harmless": ["storage-wait"]},
    "memory-death": {"parts": ["memory"], "rules": ["out-of-memory"], "harmless": ["target-down", "target-stopped", "log-errors"]},
    "collections": {"parts": ["memory"]},
    "user-limit": {"parts": ["test-bed"]},
    # worker_connections of an nginx before the target; each is held while the target makes its outside call.
    # Its own line is no word of another server that cannot be reached.
    "nginx-connections": {"parts": ["threads", "network", "outside"], "wrong": ["outside-unreachable"],
                          "harmless": ["requests-refused", "log-errors", "wrong-answers"]},
    # Held out, with the stack HELD_OUT_STACK.
    "slow-tail": {"parts": ["pool", "database"], "rules": ["missing-index"]},
    "outside-rate": {"parts": ["outside"], "harmless": ["requests-refused", "log-errors", "wrong-answers"]},
    # The second set that is held out. What nginx answers, it answers for a rule of its own.
    "nginx-rate": {"parts": ["network", "threads"], "rules": ["requests-refused"], "wrong": ["outside-unreachable"], "harmless": ["log-errors", "wrong-answers"]},
    "database-sessions": {"parts": ["database"], "rules": ["database-sessions"], "harmless": ["log-errors", "wrong-answers", "requests-refused"]},
    # The third set that is held out. A Redis whose one core is taken by a command that looks at all keys; it counts as a database.
    "redis-busy": {"parts": ["database", "cache"]},
    # The process may have so many files open, and each request keeps some open during a call. More threads or connections would be wrong.
    "open-files": {"parts": [], "words": ["open files", "file descriptor", "files open", "emfile"], "harmless": ["log-errors", "requests-refused", "wrong-answers"]},
    # The name server is what the target waits for outside of itself; the server that is called afterwards has places for all.
    "slow-lookup": {"parts": ["outside", "network"], "harmless": ["log-errors", "wrong-answers", "requests-refused"]},
    # One interpreter lock: all threads together compute on one core. More threads give nothing; less to compute, or more processes, do.
    "interpreter": {"parts": ["cpu", "code"], "doubtful": ["event-loop"]},
}

HELD_OUT_FAULTS = ["slow-tail", "outside-rate"]
HELD_OUT_STACK = "perl"
# Drawn when the first set had been looked at.
SECOND_HELD_OUT_FAULTS = ["nginx-rate", "database-sessions"]
SECOND_HELD_OUT_STACK = "python-prefork"
# Drawn when the second had been looked at: lib/strangers/third.py.
THIRD_HELD_OUT_FAULTS = ["redis-busy", "open-files", "slow-lookup", "interpreter"]
THIRD_HELD_OUT_STACK = "ruby"
FORKING = {HELD_OUT_STACK, SECOND_HELD_OUT_STACK}

WITNESSES = ["page", "pid", "log", "postgres", "database-pid", "otlp", "redis", "redis-pid"]

# fault: what each witness sees: the resource itself full, or what fits to it.
SIGHTS = {
    "pool-held": {"page": FULL, "otlp": FULL, "postgres": FITS, "log": FITS},
    "pool-small": {"page": FULL, "otlp": FULL, "postgres": FITS, "log": FITS},
    "n-plus-one": {"page": FULL, "otlp": FULL, "postgres": FITS, "log": FITS},
    "lock": {"otlp": FITS},
    "executor": {"page": FULL, "otlp": FITS},
    "queue-full": {"page": FULL, "log": FULL, "otlp": FITS, "callers": FITS},
    "workers": {"page": FULL, "otlp": FITS, "pid": FITS},
    "outside-limit": {"page": FULL, "otlp": FULL},
    "own-rate": {"page": FITS, "callers": FULL},
    "loop-blocked": {"page": FULL, "pid": FULL, "otlp": FITS},
    "loop-cpu": {"page": FULL, "pid": FULL, "otlp": FITS},
    "cpu": {"page": FULL, "pid": FULL, "otlp": FITS},
    "cpu-quota": {"pid": FULL, "page": FITS, "otlp": FITS},
    "neighbour": {"pid": FULL, "otlp": FITS},
    "heavy-statement": {"database-pid": FULL, "postgres": FITS, "otlp": FITS},
    "row-lock": {"postgres": FULL, "page": FITS, "otlp": FITS},
    "disk": {"pid": FULL, "otlp": FITS},
    "memory-death": {"log": FULL, "page": FITS, "pid": FITS, "callers": FITS},
    "collections": {"page": FULL, "pid": FULL, "otlp": FITS},
    "user-limit": {"callers": FULL, "page": FITS, "pid": FITS, "otlp": FITS},
    "nginx-connections": {"log": FULL, "callers": FITS},
    "slow-tail": {"page": FULL, "otlp": FULL, "postgres": FULL},
    "outside-rate": {"page": FULL, "log": FULL, "otlp": FITS, "callers": FITS},
    "nginx-rate": {"log": FULL, "callers": FITS},
    "database-sessions": {"log": FULL, "postgres": FITS, "otlp": FITS, "callers": FITS},
    "redis-busy": {"redis": FULL, "redis-pid": FULL, "otlp": FITS},
    "open-files": {"page": FULL, "log": FULL, "callers": FITS},
    # A span of its own; a page has calls that take long, a log those that were given up.
    "slow-lookup": {"otlp": FULL, "page": FITS, "log": FITS},
    "interpreter": {"page": FULL, "pid": FULL, "otlp": FITS},
}

# Where a stack's usual client tells less, or more.
SIGHTS_OF_STACK = {
    # asyncio's clients do not tell how late the loop is; threads before WSGI have no gauge.
    ("python", "loop-blocked", "page"): NOTHING,
    ("python-threads", "workers", "page"): NOTHING,
    # The heap has a limit that is told; a runtime that dies says so.
    ("java", "memory-death", "page"): FULL,
    # The kernel ends it, and nobody is left to write a line; the limit is its group's.
    ("go", "memory-death", "log"): NOTHING,
    ("go", "memory-death", "pid"): FULL,
    # Hikari's own line counts total, active and waiting.
    ("java", "pool-held", "log"): FULL,
    ("java", "pool-small", "log"): FULL,
    # All of its processes are taken, and the kernel's queue of connections fills.
    ("perl", "workers", "pid"): FULL,
    ("python-prefork", "workers", "pid"): FULL,
    # Ruby's pages count neither files nor CPU time; net/http's span holds the look-up, and ActiveRecord has no span of waiting.
    ("ruby", "open-files", "page"): NOTHING,
    ("ruby", "interpreter", "page"): NOTHING,
    ("ruby", "slow-lookup", "otlp"): FITS,
    ("ruby", "pool-small", "otlp"): NOTHING,
}


def sight(fault, stack, witness):
    """What one witness sees of a fault in a stack."""
    usual = SIGHTS.get(fault, {}).get(witness, NOTHING)
    return SIGHTS_OF_STACK.get((stack, fault, witness), usual)


def trusted(case):
    """Witnesses whose figures are those of the target as a whole."""
    without = set()
    # A server that forks answers its page by another process each time.
    if "processes" in case["bystanders"] or case["stack"] in FORKING:
        without.add("page")
    if "shared-database" in case["bystanders"]:
        without.add("postgres")
    return [one for one in case["witnesses"] if one not in without]


def origins(fault, stack, witnesses):
    """How many witnesses know the fault; one of them must see the resource itself."""
    sights = [sight(fault, stack, one) for one in [*witnesses, "callers"]]
    full = sights.count(FULL)
    known = full + sights.count(FITS)
    if not full:
        return INSUFFICIENT
    return ONE if known == 1 else TWO


def truth(fault):
    """The truth of a fault, with all its keys."""
    return {"parts": [], "rules": [], "words": [], "harmless": [], "wrong": [], "doubtful": [], **TRUTHS[fault]}
