"""Faults drawn by a seed: sizes, hold times, one fault or two. Nobody tuned a rule to them.

Only faults whose limit is a waiting time, so that they hold beside other work. Each has its law, the rule that has to come
first, and with two faults the part that has to be named as the next limit.
"""

import random

from . import truth as truths

MOST_RATE = 50      # requests/s: far from any CPU
THREADS = 400       # of the target, where threads are no fault
HELD, SMALL, THREADS_TOO_FEW = "pool-held-across-call", "pool-too-small", "too-few-threads"


class DrawnTruth(truths.Truth):
    """One drawn fault, in the form that a truth has."""

    def __init__(self, name, base, law, values, switches, second=None):
        self.name, self.base, self.law, self.values, self.second = name, base, law, values, second
        self.kind = "time-bound"
        self.lab_settings = [f"SWITCHES={' '.join(switches)}"]

    def judge(self, explanation, other_cpu):
        judged = super().judge(explanation, other_cpu)
        if self.second:
            later = [finding["part"] for finding in explanation["findings"] if finding["role"] == "next"]
            judged["second"] = later
            judged["right"] = judged["right"] and self.second in later
        return judged


def waiting(draw, size, least=0.2, most=3.0):
    """A hold time at which `size` of something carry at most MOST_RATE, s."""
    return round(draw.uniform(max(least, size / MOST_RATE), most), 2)


def millis(seconds):
    return round(1000 * seconds)


def held(draw):
    pool = draw.randint(4, 40)
    hold = waiting(draw, pool)
    return ("pool-held-across-call", pool / hold, {"load": "register", "users": 2 * pool + 5, "seconds": seconds_of(hold),
            "warm": ["deers=call-outside-tx", "outside.latencyMs=0"], "first": [HELD],
            "never": ["database-cpu", "slow-outside", "outside-limit", "database-time"]},
            [f"pool={pool}", "deers=tx-around-call", f"outside.latencyMs={millis(hold)}"], f"pool {pool}, held {hold} s")


def small(draw):
    pool = draw.randint(4, 40)
    hold = waiting(draw, pool)
    return ("pool-too-small", pool / hold, {"load": "submissions", "users": 2 * pool + 5, "seconds": seconds_of(hold), "first": [SMALL],
            "never": [HELD, "database-cpu"]}, [f"pool={pool}", f"databaseWaitMs={millis(hold)}"], f"pool {pool}, statement {hold} s")


def slow(draw):
    users = draw.randint(10, 60)
    latency = waiting(draw, users, 0.5)
    return ("slow-outside", users / latency, {"load": "register", "users": users, "ramp": True, "seconds": 45,
            "warm": ["outside.latencyMs=0"], "first": ["slow-outside"], "never": [HELD, "outside-limit", THREADS_TOO_FEW]},
            ["deers=call-outside-tx", f"outside.latencyMs={millis(latency)}"], f"{users} users, outside call {latency} s")


def limited(draw):
    most = draw.randint(4, 20)
    latency = waiting(draw, most, 0.2, 1.0)
    return ("outside-limit", most / latency, {"load": "register", "users": 6 * most, "ramp": True, "seconds": 45,
            "warm": ["outside.latencyMs=0", "outside.limit=0"], "first": ["outside-limit"], "never": [THREADS_TOO_FEW]},
            ["deers=call-outside-tx", f"outside.latencyMs={millis(latency)}", f"outside.limit={most}"],
            f"outside server {most} at once, {latency} s each")


def few_threads(draw):
    threads = draw.randint(4, 40)
    hold = waiting(draw, threads)
    return ("too-few-threads", threads / hold, {"load": "register", "users": 3 * threads + 10, "seconds": seconds_of(hold),
            "warm": ["outside.latencyMs=0", "threads=200"], "first": [THREADS_TOO_FEW],
            "never": ["outside-limit", "slow-outside", HELD]},
            [f"threads={threads}", f"pool={threads + 20}", "deers=call-outside-tx", f"outside.latencyMs={millis(hold)}"],
            f"{threads} threads, call {hold} s")


def locked(draw):
    lock = round(draw.uniform(0.05, 0.4), 2)
    return ("row-lock", 1 / lock, {"load": "like", "users": draw.randint(4, 9), "first": ["row-lock"],
            "never": [SMALL, HELD, "pool-exhausted"]}, ["likes=row-first", f"likeMs={millis(lock)}"], f"row locked {lock} s")


def pool_then_threads(draw):
    pool = draw.randint(4, 25)
    threads = round(pool * draw.uniform(1.3, 2.0)) + 1
    hold = waiting(draw, pool)
    return ("pool-held-across-call", pool / hold, {"load": "register", "users": 2 * threads + 10, "seconds": seconds_of(hold),
            "warm": ["deers=call-outside-tx", "outside.latencyMs=0", "threads=200"], "first": [HELD],
            "never": ["database-cpu", "slow-outside", "outside-limit", THREADS_TOO_FEW]},
            [f"pool={pool}", f"threads={threads}", "deers=tx-around-call", f"outside.latencyMs={millis(hold)}"],
            f"pool {pool}, held {hold} s; then {threads} threads", "threads")


def threads_then_pool(draw):
    threads = draw.randint(4, 25)
    pool = round(threads * draw.uniform(1.3, 2.0)) + 1
    hold = waiting(draw, threads)
    return ("too-few-threads", threads / hold, {"load": "register", "users": 3 * threads + 10, "seconds": seconds_of(hold),
            "warm": ["deers=call-outside-tx", "outside.latencyMs=0", "threads=200"], "first": [THREADS_TOO_FEW],
            "never": ["outside-limit", "slow-outside"]},
            [f"pool={pool}", f"threads={threads}", "deers=tx-around-call", f"outside.latencyMs={millis(hold)}"],
            f"{threads} threads, call {hold} s; then pool {pool}", "pool")


def seconds_of(hold):
    """Long enough for a few rounds of waiting."""
    return max(30, round(14 * hold))


KINDS = [held, small, slow, limited, few_threads, locked, pool_then_threads, threads_then_pool]


def faults(seed, count=20):
    """Each kind at least once, the rest by chance."""
    draw = random.Random(seed)
    kinds = KINDS + [draw.choice(KINDS) for _ in range(count - len(KINDS))]
    draw.shuffle(kinds)
    for number, kind in enumerate(kinds[:count], 1):
        base, law, values, switches, about, *second = kind(draw)
        yield DrawnTruth(f"drawn-{seed}-{number:02} {about}", base, law, values, switches, *second)
