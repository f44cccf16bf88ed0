"""Faults as programs: what a request does, which part limits it, and at which rate.

Each function gets a `Draft` whose `carried` (requests/s) the limiting part is to carry, and fills its steps and parts. Times
are waits or CPU time of a thread, so that the law does not depend on the machine.
"""

import math

# Large enough that a sync is the disk's time and not that of waking a thread.
SYNCED_BYTES = 512 * 1024


class Draft:
    """A target under design."""

    def __init__(self, rng, stack, carried, spare):
        self.rng, self.stack, self.carried, self.spare = rng, stack, carried, spare
        self.pools, self.locks, self.executors, self.servers = {}, [], {}, {}
        self.steps, self.threads, self.rate_limit, self.front = [], None, 0, None
        self.limits, self.base_ms, self.law_text = None, 0.0, ""
        self.database = "line"      # or postgres
        self.notes = {}             # what the runner has to do: affinity, quota, heap

    def places(self, hold_ms):
        """So many that the part carries `spare` times the rate."""
        return max(2, math.ceil(self.carried * self.spare * hold_ms / 1000))

    def limiting(self, least, most):
        """A number of places, and how long each is held, ms, so that they carry `carried`."""
        places = self.rng.randint(least, most)
        return places, 1000 * places / self.carried

    def statement(self, ms, times=1, **more):
        text = "select order_of($1, $2)" if self.database == "postgres" else "select * from orders where id = $1"
        return {"do": "sql", "sql": text, "ms": round(ms, 3), "times": times, **more}

    def call(self, name, ms, retries=0, **limits):
        self.servers[name] = {"name": name, "at_once": 0, "rate": 0, "status": 429, **limits}
        return {"do": "call", "of": name, "url": f"{{url:{name}}}", "ms": round(ms, 3), "retries": retries}

    def pool(self, size, steps, timeout_ms=0):
        self.pools["db"] = {"size": size, "timeout_ms": timeout_ms, "kind": self.database}
        return {"do": "pool", "of": "db", "steps": steps}

    def executor(self, size, steps, queue=-1):
        self.executors["jobs"] = {"size": size, "queue": queue}
        return {"do": "executor", "of": "jobs", "steps": steps}

    def small_work(self):
        """What most requests do besides: a little CPU."""
        return {"do": "cpu", "ms": round(self.rng.uniform(0.2, 1.0), 2)}


def limit(draft, part, steps, base_ms, text):
    draft.limits, draft.base_ms, draft.law_text = part, base_ms, text
    draft.steps = steps


def roomy_pool(draft, ms=None):
    """A pool that has places to spare."""
    ms = ms or draft.rng.uniform(2, 12)
    return draft.pool(max(5, draft.places(ms)), [draft.statement(ms)])


def outer_call(draft, name="rates"):
    """A call to a server that serves all, which nothing is held for."""
    return draft.call(name, draft.rng.uniform(5, 40))


def around(draft, step):
    """What most programs have before the step that matters."""
    steps = [draft.small_work()]
    if draft.rng.random() < 0.4:
        steps.append(outer_call(draft))
    return [*steps, step]


def pool_timeout(draft):
    return draft.rng.choice([0, 0, 30000, 5000, 3000])


def pool_held(draft):
    size, hold = draft.limiting(2, 10)
    inner = [draft.statement(2), draft.call("payments", hold - 5), draft.statement(2)]
    limit(draft, "pool:db", [draft.small_work(), draft.pool(size, inner, pool_timeout(draft))], hold,
          f"pool of {size}, each held {hold:.0f} ms, most of it during a call")


def pool_small(draft):
    size, hold = draft.limiting(2, 8)
    limit(draft, "pool:db", around(draft, draft.pool(size, [draft.statement(hold)], pool_timeout(draft))), hold + 20,
          f"pool of {size}, a statement of {hold:.0f} ms")


def n_plus_one(draft):
    size, hold = draft.limiting(2, 5)
    each = draft.rng.uniform(2, 4)
    times = max(5, round(hold / each))
    limit(draft, "pool:db", around(draft, draft.pool(size, [draft.statement(hold / times, times)], pool_timeout(draft))), hold + 20,
          f"pool of {size}, {times} statements of {hold / times:.1f} ms")


def lock(draft):
    hold = 1000 / draft.carried
    draft.locks = ["ledger"]
    inner = [draft.call("audit", hold - 1.5)]
    limit(draft, "lock:ledger", around(draft, {"do": "lock", "of": "ledger", "steps": inner}), hold,
          f"a mutex held {hold:.0f} ms during a call")


def executor(draft):
    size, hold = draft.limiting(2, 12)
    limit(draft, "executor:jobs", [draft.small_work(), draft.executor(size, [draft.call("render", hold - 1.5)])], hold,
          f"{size} workers, each task a call of {hold:.0f} ms")


def queue_full(draft):
    size, hold = draft.limiting(2, 8)
    queue = draft.rng.randint(size, 4 * size)
    limit(draft, "executor:jobs", [draft.small_work(), draft.executor(size, [draft.call("render", hold - 1.5)], queue)], hold,
          f"{size} workers, a queue of {queue}, each task a call of {hold:.0f} ms")


def workers(draft):
    size, hold = draft.limiting(4, 16)
    draft.threads = size
    limit(draft, "threads", [draft.small_work(), draft.call("partners", hold - 2)], hold,
          f"{size} threads, a call of {hold:.0f} ms")


def outside_limit(draft):
    size, hold = draft.limiting(2, 8)
    step = draft.call("payments", hold, at_once=size)
    steps = [draft.small_work(), step] if draft.rng.random() < 0.5 else [draft.small_work(), roomy_pool(draft), step]
    limit(draft, "outside:payments", steps, hold + 10, f"another server serves {size} at once, {hold:.0f} ms each")


def own_rate(draft):
    draft.rate_limit = draft.carried
    limit(draft, "rate", around(draft, roomy_pool(draft)), 30, f"the target answers 429 beyond {draft.carried:.0f}/s")


def loop_blocked(draft):
    hold = 1000 / draft.carried
    step = draft.call("rules", hold - 1.5)
    step["do"] = "blocking-call"
    limit(draft, "loop", [step], hold, f"the loop waits {hold:.0f} ms in a blocking call")


def loop_cpu(draft):
    cpu = 1000 / draft.carried
    limit(draft, "cpu", [{"do": "cpu", "ms": round(cpu, 2)}, roomy_pool(draft, 3)], cpu + 5, f"{cpu:.0f} ms of CPU on one loop")


def cpu(draft):
    used = 1000 / draft.carried
    draft.notes["cores"] = 1
    limit(draft, "cpu", [{"do": "cpu", "ms": round(used, 2)}, roomy_pool(draft, 3)], used + 5, f"{used:.0f} ms of CPU on one core")


def cpu_quota(draft):
    quota = round(draft.rng.uniform(0.3, 0.5), 2)
    used = 1000 * quota / draft.carried
    draft.notes["quota"] = quota
    limit(draft, "quota", [{"do": "cpu", "ms": round(used, 2)}, roomy_pool(draft, 3)], used + 5,
          f"{used:.0f} ms of CPU by a quota of {quota} cores")


def neighbour(draft):
    # Each program gets an equal share of the one core.
    spinners = 2
    used = 1000 / (spinners + 1) / draft.carried
    draft.notes["cores"], draft.notes["spinners"] = 1, spinners
    limit(draft, "core-wait", [{"do": "cpu", "ms": round(used, 2)}, roomy_pool(draft, 3)], used * (spinners + 1),
          f"{used:.0f} ms of CPU on a core that {spinners} other programs want")


def heavy_statement(draft):
    draft.database = "postgres"
    used = 1000 / draft.carried
    step = {"do": "sql", "sql": "select count(*) from event where md5(payload) like 'a%' and id <= {rows}", "ms": round(used, 2), "times": 1}
    draft.notes["rows_ms"] = used
    limit(draft, "database-cpu", [draft.small_work(), draft.pool(draft.rng.randint(10, 30), [step])], used + 3,
          f"a statement of {used:.0f} ms of CPU on the database's one core")


def row_lock(draft):
    draft.database = "postgres"
    hold = 1000 / draft.carried
    row = {"do": "row", "sql": "update stock set sold = sold + 1 where item_id = 1",
           "steps": [{"do": "sql", "sql": "select order_of($1, $2)", "ms": round(hold - 2.5, 2), "times": 1}]}
    limit(draft, "row", [draft.small_work(), draft.pool(draft.rng.randint(10, 40), [row])], hold,
          f"one row changed by all, kept {hold:.0f} ms")


def disk(draft):
    hold = 1000 / draft.carried
    draft.locks = ["journal"]
    draft.notes["fsync_ms"] = hold
    step = {"do": "fsync", "bytes": SYNCED_BYTES, "times": "{fsyncs}"}
    limit(draft, "lock:journal", [draft.small_work(), {"do": "lock", "of": "journal", "steps": [step]}], hold,
          f"a journal synced for {hold:.0f} ms by each request, one at a time")


def memory_death(draft):
    draft.notes["memory_mib"] = 160
    step = {"do": "leak", "bytes": "{leak}"}
    limit(draft, "memory", [draft.small_work(), step, roomy_pool(draft)], 15, "each request leaves memory behind, and the process dies of it")


def collections(draft):
    draft.notes["heap_mib"] = 64
    draft.notes["live_mib"] = 50
    step = {"do": "garbage", "bytes": int(draft.rng.uniform(10.0, 16.0) * 1024 * 1024)}
    limit(draft, "collections", [draft.small_work(), step, roomy_pool(draft, 3)], 10, "a heap of 64 MiB of which 50 MiB live; each request leaves some MiB of garbage")


def user_limit(draft):
    slow = draft.rng.uniform(150, 400)
    draft.notes["users"] = max(2, round(draft.carried * slow / 1000))
    steps = [draft.small_work(), draft.call("archive", slow), roomy_pool(draft)]
    limit(draft, "users", steps, slow + 15, f"{draft.notes['users']} users at most, {slow:.0f} ms each")


def nginx_connections(draft):
    slots, hold = draft.limiting(8, 24)
    # A request takes two connections of the worker; nginx itself keeps a few.
    draft.front = {"kind": "nginx", "worker_connections": 2 * slots + 3}
    limit(draft, "nginx", [draft.small_work(), draft.call("partners", hold - 2)], hold,
          f"nginx has connections for about {slots} requests of {hold:.0f} ms")


def slow_tail(draft):
    size, hold = draft.limiting(3, 6)
    slow = (hold - 0.95 * 5) / 0.05
    step = draft.statement(5, slow_every=20, slow_ms=round(slow, 1))
    limit(draft, "pool:db", [draft.small_work(), draft.pool(size, [step], pool_timeout(draft))], hold,
          f"pool of {size}; one id of 20 takes {slow:.0f} ms")


def outside_rate(draft):
    status = draft.rng.choice([429, 503])
    step = draft.call("payments", draft.rng.uniform(10, 40), retries=draft.rng.randint(0, 2), rate=round(draft.carried, 2), status=status)
    limit(draft, "outside-rate", [draft.small_work(), roomy_pool(draft), step], 40,
          f"another server answers {status} beyond {draft.carried:.0f} calls/s, {step['retries']} retries")


def nginx_rate(draft):
    draft.front = {"kind": "nginx", "worker_connections": 1024, "per_minute": round(60 * draft.carried)}
    limit(draft, "nginx-rate", around(draft, roomy_pool(draft)), 30, f"nginx lets {draft.carried:.0f}/s in and answers 503 beyond")


def database_sessions(draft):
    draft.database = "postgres"
    sessions, hold = draft.limiting(3, 8)
    draft.notes["sessions"] = sessions
    limit(draft, "sessions", [draft.small_work(), draft.pool(4 * sessions, [draft.statement(hold)])], hold,
          f"the database lets {sessions} sessions of the role in, a statement of {hold:.0f} ms, and the pool may have {4 * sessions}")


def healthy(draft):
    """All parts there are, all with places to spare; the fullest of them carries `carried`."""
    rng = draft.rng
    if rng.random() < 0.35:
        draft.database = "postgres"
    ms = rng.uniform(4, 60)
    pool = draft.pool(max(2, draft.places(ms)), [draft.statement(ms)], 30000)
    base, steps = ms + 5, [draft.small_work()]
    if rng.random() < 0.6:
        wait = rng.uniform(5, 120)
        steps.append(draft.call("payments", wait))
        base += wait
    if rng.random() < 0.3:
        draft.locks = ["ledger"]
        # One place: it may be held for what `carried` leaves of a second, with room.
        held = 1000 / (draft.carried * draft.spare * 1.3)
        steps.append({"do": "lock", "of": "ledger", "steps": [draft.call("audit", min(15, held))]})
        base += min(15, held)
    if rng.random() < 0.4:
        steps.append(draft.executor(draft.places(base), [pool]))
    else:
        steps.append(pool)
    limit(draft, None, steps, base, f"nothing below {draft.carried:.0f}/s")


# fault: how it is made, the stacks that can have it, and how many cases of a full draw it has
FAULTS = {
    "pool-held": (pool_held, ["go", "java", "node", "python", "python-threads"], 4),
    "pool-small": (pool_small, ["java", "go", "python", "node"], 4),
    "n-plus-one": (n_plus_one, ["node", "python-threads", "java", "go"], 3),
    "lock": (lock, ["go", "java", "node"], 3),
    "executor": (executor, ["java", "python", "go", "node"], 4),
    "queue-full": (queue_full, ["java", "go", "node"], 3),
    "workers": (workers, ["java", "python-threads", "java"], 3),
    "outside-limit": (outside_limit, ["node", "go", "java", "python"], 4),
    "own-rate": (own_rate, ["go", "node"], 2),
    "loop-blocked": (loop_blocked, ["node", "python", "java-loop"], 3),
    "loop-cpu": (loop_cpu, ["node", "python", "node"], 3),
    "cpu": (cpu, ["go", "java", "go"], 3),
    "cpu-quota": (cpu_quota, ["go", "java"], 2),
    "neighbour": (neighbour, ["go", "java"], 1),
    "heavy-statement": (heavy_statement, ["python", "go", "java"], 2),
    "row-lock": (row_lock, ["java", "go", "node", "python-threads"], 3),
    "disk": (disk, ["go", "python-threads"], 2),
    "memory-death": (memory_death, ["node", "java", "python", "go"], 3),
    "collections": (collections, ["java"], 1),
    "user-limit": (user_limit, ["go", "node"], 1),
    "nginx-connections": (nginx_connections, ["node", "go"], 2),
    "slow-tail": (slow_tail, ["java", "go", "node", "python"], 0),
    "outside-rate": (outside_rate, ["node", "python", "go", "java"], 0),
    "nginx-rate": (nginx_rate, ["go", "node", "java"], 0),
    "database-sessions": (database_sessions, ["java", "go", "node", "python"], 0),
    "healthy": (healthy, ["go", "node", "python", "java", "python-threads"], 0),
}
# What the held-out stacks can have.
PREFORK_FAULTS = ["workers", "workers", "outside-limit", "cpu", "healthy", "healthy", "healthy", "healthy"]
PERL_FAULTS = ["workers", "outside-limit", "row-lock", "lock", "cpu", "healthy", "healthy", "healthy"]
