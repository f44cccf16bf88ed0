"""Draws the cases of a seed: what limits, in which stack, who watches, what else goes on, and how load is sent.

Margins: a limited case is offered OVERLOAD times what its part carries, and its other parts carry SPARE_MIN times as much;
a healthy case uses no part by more than HEALTHY_USE_MAX. Nothing here reads what loadline says.
"""

import random

from . import faults, third, truths

CASES = 96
HEALTHY = 40
OVERLOAD = (1.4, 2.4)
SPARE_MIN = 2.0
HEALTHY_USE_MAX = 0.5
INSUFFICIENT_SHARE = 0.25
FIRST_HELD_OUT, SECOND_HELD_OUT, THIRD_HELD_OUT = "held-out", "second-held-out", "third-held-out"
PREFIXES = {None: "c", FIRST_HELD_OUT: "h", SECOND_HELD_OUT: "i", THIRD_HELD_OUT: "j"}
FAULTS = {**faults.FAULTS, **third.FAULTS}
ALONE = {"cpu", "cpu-quota", "neighbour", "loop-cpu", "heavy-statement", "collections", "disk", "redis-busy", "interpreter"}
COMPUTES = ALONE - {"disk"}
LOOPS = {"node", "python", "java-loop"}
TENANT_RATE = 3
BYSTANDERS = ["loud-log", "shared-database", "processes", "health-checks", "slow-clients", "periodic-blocks", "warming-cache", "other-caller"]


def draw(seed, cases=CASES, held_out=None):
    """All cases of a seed, in the order in which they are run."""
    rng = random.Random(f"{seed}:{held_out or 'open'}")
    kinds = held_out_kinds(held_out, cases) if held_out else open_kinds(rng, cases)
    rng.shuffle(kinds)
    prefix = PREFIXES[held_out]
    return [case(f"{seed}-{prefix}{number:02}", seed, *kind, held_out) for number, kind in enumerate(kinds)]


def open_kinds(rng, cases):
    healthy = round(cases * HEALTHY / CASES)
    kinds = []
    for fault, (_, stacks, count) in faults.FAULTS.items():
        first = rng.randrange(len(stacks))
        kinds += [(fault, stacks[(first + index) % len(stacks)], False) for index in range(count)]
    rng.shuffle(kinds)
    kinds = kinds[:cases - healthy]
    stacks = faults.FAULTS["healthy"][1]
    return kinds + [("healthy", stacks[index % len(stacks)], index % 2 == 1) for index in range(healthy)]


def held_out_kinds(which, cases):
    if which == THIRD_HELD_OUT:
        return third.kinds()[:cases]
    held_out_faults, stack, of_stack = {
        FIRST_HELD_OUT: (truths.HELD_OUT_FAULTS, truths.HELD_OUT_STACK, faults.PERL_FAULTS),
        SECOND_HELD_OUT: (truths.SECOND_HELD_OUT_FAULTS, truths.SECOND_HELD_OUT_STACK, faults.PREFORK_FAULTS),
    }[which]
    kinds = []
    for fault in held_out_faults:
        kinds += [(fault, one, False) for one in faults.FAULTS[fault][1]]
    kinds += [(fault, stack, fault == "healthy" and index % 2 == 1) for index, fault in enumerate(of_stack)]
    return kinds[:cases]


def case(name, seed, fault, stack, busy, held_out=None):
    """One case; its own seed makes it alone again."""
    rng = random.Random(name)
    bystanders = third.draw_bystanders(rng, fault, stack, allows) if held_out == THIRD_HELD_OUT else draw_bystanders(rng, fault, stack)
    draft = faults.Draft(rng, stack, carried=scale(rng, 15, 55), spare=SPARE_MIN * scale(rng, 1, 2.5))
    if fault in ("pool-held", "pool-small", "n-plus-one", "slow-tail") and rng.random() < 0.45:
        draft.database = "postgres"
    if fault in ("loop-cpu", "loop-blocked", "cpu", "lock", "row-lock", "disk", "redis-busy", "interpreter"):
        draft.carried = scale(rng, 12, 30)
    FAULTS[fault][0](draft)
    if fault == "healthy" and held_out == THIRD_HELD_OUT:
        third.add_healthy_parts(draft)
    database = draft.database if draft.pools else None
    if "shared-database" in bystanders and database != "postgres":
        bystanders.remove("shared-database")
    if busy:
        bystanders.append("busy-neighbours")
    steps = draft.steps
    if "warming-cache" in bystanders:
        miss = {"do": "sleep", "ms": round(draft.base_ms * 1.0 + 10, 1)}
        steps = [{"do": "cache", "keys": rng.randint(20, 60), "steps": [miss]}, *steps]
    load = draw_load(rng, fault, draft)
    if fault in ("slow-tail",) or "warming-cache" in bystanders:
        load["form"] = "k6" if load["kind"] == "closed" else rng.choice(["k6", "artillery"])
    top = load["rate"] if load["kind"] == "open" else draft.carried
    return {
        "id": name, "seed": seed, "fault": fault, "stack": stack, "carried": round(draft.carried, 2), "law": draft.law_text,
        "limits": draft.limits, "load": load, "base_ms": round(draft.base_ms, 1), "bystanders": bystanders,
        "witnesses": draw_witnesses(rng, fault, stack, bystanders, database, "redis_keys" in draft.notes or "redis_keys_ms" in draft.notes), "database": database,
        "lane": "alone" if fault in ALONE or busy or (fault, stack) in third.ALONE else "abreast", "notes": draft.notes, "front": draft.front,
        # Workers that fork answer their page themselves.
        "page_on": "port" if rng.random() < 0.6 or stack == truths.SECOND_HELD_OUT_STACK else "admin", "dialect": rng.randrange(3), "spans": None,
        "other_rate": round(top * rng.uniform(0.1, 0.2), 1) if "other-caller" in bystanders else 0,
        "tenant_rate": TENANT_RATE if "second-tenant" in bystanders else 0,
        "target": {"threads": draft.threads, "pools": draft.pools, "locks": draft.locks, "executors": draft.executors,
                   "rate_limit": round(draft.rate_limit, 2), "processes": 2 if "processes" in bystanders else 1,
                   "stop": {"every_ms": 1000, "ms": 80} if "periodic-blocks" in bystanders else None, "steps": steps,
                   "second_endpoint": rng.random() < 0.3},
        "servers": list(draft.servers.values()),
    }


def scale(rng, low, high):
    """Between the two, evenly by ratio."""
    return low * (high / low) ** rng.random()


def draw_bystanders(rng, fault, stack):
    if rng.random() < 0.35:
        return []
    allowed = [one for one in BYSTANDERS if allows(fault, stack, one)]
    drawn = {rng.choice(allowed) for _ in range(rng.randint(1, 3))}
    return [one for one in allowed if one in drawn]


def allows(fault, stack, bystander):
    """What would be a second fault is no bystander."""
    if bystander == "periodic-blocks":
        return fault == "healthy" and stack in ("node", "python")
    if bystander == "warming-cache":
        return fault == "healthy"
    if bystander == "shared-database":
        return fault not in ("row-lock", "heavy-statement", "database-sessions")
    if bystander == "processes":
        return fault == "healthy" and stack in ("node", "python")
    if bystander == "other-caller":
        return fault not in ("user-limit", "own-rate", "outside-rate", "memory-death", "nginx-connections", "nginx-rate")
    if bystander == "cron-burst":
        return fault not in ALONE
    if bystander == "second-tenant":
        return fault not in ("workers", "open-files")
    if bystander == "slow-clients":
        return fault not in ("workers", "nginx-connections", "nginx-rate", "memory-death") and stack != truths.SECOND_HELD_OUT_STACK
    return True


def draw_load(rng, fault, draft):
    seconds = rng.randint(16, 23)
    timeout = rng.choice([60, 60, 10, 5])
    if fault == "healthy":
        factor = rng.uniform(0.15, HEALTHY_USE_MAX)
    elif fault == "user-limit":
        factor = rng.uniform(1.4, 2.0)
    elif fault == "memory-death":
        factor = 0.5
    else:
        factor = rng.uniform(*third.OVERLOAD.get(fault, OVERLOAD))
    asked = factor * draft.carried
    shape = rng.choice(["constant", "constant", "ramp", "steps"])
    is_open = fault in ("open-files", "own-rate", "outside-rate", "memory-death", "user-limit", "queue-full", "nginx-connections", "nginx-rate", "database-sessions") or rng.random() < 0.6
    load = {"factor": round(factor, 2), "seconds": seconds, "timeout": timeout, "begins": round(rng.uniform(0.1, 0.9), 2),
            "trace_names": rng.random() < 0.6}
    if is_open:
        form = rng.choice(["url", "k6", "artillery"])
        if fault in ("memory-death", "user-limit"):
            form, shape = "url", "constant"
        return {**load, "kind": "open", "form": form, "rate": round(asked, 2), "shape": "constant" if form == "url" else shape, "pause_ms": 0,
                "users": draft.notes.get("users")}
    form = rng.choice(["url", "k6", "k6"])
    pause = rng.choice([0, 100, 400, 1000]) if form == "k6" else 0
    users = asked * (draft.base_ms + pause) / 1000
    if fault == "healthy":
        # One user that never pauses may ask for more than that.
        while users < 1 and pause < 4000:
            form, pause = "k6", pause + 200
            users = asked * (draft.base_ms + pause) / 1000
        users = int(max(1, users))
    else:
        users = int(users) + 3 + places_of(draft)
    return {**load, "kind": "closed", "form": form, "users": users, "pause_ms": pause,
            "shape": shape if form == "k6" and users >= 4 else "constant"}


def places_of(draft):
    """Users beyond those that the limiting part holds: a queue is to stand before it."""
    part = (draft.limits or "").partition(":")[2]
    return {**draft.pools, **draft.executors}.get(part, {}).get("size", 1)


def draw_witnesses(rng, fault, stack, bystanders, database, has_redis):
    is_any = rng.random() < INSUFFICIENT_SHARE
    for _ in range(200):
        drawn = []
        for one in truths.WITNESSES:
            if one in ("postgres", "database-pid") and database != "postgres":
                continue
            if one in ("redis", "redis-pid") and not has_redis:
                continue
            chance = {"page": 0.75, "pid": 0.65, "log": 0.5, "postgres": 0.6, "database-pid": 0.5, "otlp": 0.4, "redis": 0.6, "redis-pid": 0.5}[one]
            if rng.random() < chance:
                drawn.append(one)
        if not drawn:
            continue
        known = truths.origins(fault, stack, truths.trusted({"witnesses": drawn, "bystanders": bystanders, "stack": stack}))
        if fault == "healthy" or is_any or known == truths.TWO:
            return drawn
    return drawn
