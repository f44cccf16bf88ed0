"""What explain is asked of a truth and may answer: labs/truths/NAME/explain.toml.

    load        requests of load.k6.js
    users       how many at once;  rate: starts a second instead, by at most so many users
    ramp        users come one after the other
    seconds     how long (30);  timeout: of a request
    warm        switches while the code is compiled;  warm_users: users then (8);  cold: not at all
    starved     the fault leaves a JVM too little CPU to compile all of it: it is not waited for
    first       rules that the first finding may be of;  answer: the answer where there is none
    also        rules that may limit beside it
    never       rules that must not be said to limit
    compared    better, worse or same: what compare says of the truth, against before;  before, after: switches
    rounds      of both sides (4)
    what_if     a change for --what-if;  changed: the switches that make it, or changed_fixed: the truth's fix does;
                changed_users: users then;  changed_pinned: CPUs of the load generator then
    apart       what differs where sources are looked at alone; settings: of truth.env
    pinned      CPUs of the load generator: not those of what limits
"""

import os
import tomllib

from . import lab

A_NEIGHBOUR = 0.3  # CPU
KEYS = {"load", "users", "rate", "ramp", "seconds", "timeout", "warm", "warm_users", "cold", "starved", "first", "answer", "also", "never",
        "compared", "before", "after", "rounds", "what_if", "changed", "changed_fixed", "changed_users", "changed_pinned", "pinned", "apart"}


class Truth:
    law = None
    lab_settings = ()

    def __init__(self, name):
        self.name = self.base = name
        with open(os.path.join(lab.LABS, "truths", name, "explain.toml"), "rb") as file:
            self.values = tomllib.load(file)
        unknown = set(self.values) - KEYS
        if unknown:
            raise ValueError(f"{name}/explain.toml: unknown {', '.join(sorted(unknown))}")
        self.kind = "time-bound" if "KIND=time-bound" in self.settings() else "cpu-bound"

    def settings(self):
        with open(os.path.join(lab.LABS, "truths", self.name, "truth.env")) as file:
            return file.read().split()

    def processes(self):
        """What its processes are started with, for an order in which they are seldom started anew."""
        with open(os.path.join(lab.LABS, "truths", self.name, "truth.env")) as file:
            lines = [line.strip() for line in file if line.strip() and not line.startswith("SWITCHES")]
        return self.kind, sorted(lines), self.name

    def get(self, key, otherwise=None):
        return self.values.get(key, otherwise)

    def judge(self, explanation, other_cpu):
        """What was found: right, wrong or nothing; and whether a finding of grade A is wrong. That others slow a target
        down beside its own limit is true while others compute."""
        limits = [finding for finding in explanation["findings"] if finding["role"] in ("limit", "slow")
                  and not (finding["rule"] == "noisy-neighbour" and finding["role"] == "slow" and other_cpu > A_NEIGHBOUR)]
        notices = [finding for finding in explanation["findings"] if finding["role"] == "notice"]
        first = (limits + notices or [None])[0]
        may = set(self.get("first", [])) | set(self.get("also", []))
        never = set(self.get("never", []))
        wrong_a = [finding["rule"] for finding in limits
                   if finding["grade"] == "A" and (finding["rule"] in never or finding["rule"] not in may)]
        # A truth of no limit: its notice is the finding.
        is_right = (first is not None and first["rule"] in self.get("first", [])
                    if self.get("first") else explanation["answer"] == self.get("answer"))
        is_right = is_right and not any(finding["rule"] in never for finding in limits[:1])
        return {"first": first["rule"] if first else explanation["answer"], "grade": first["grade"] if first else "",
                "right": is_right, "wrong_a": wrong_a,
                "findings": [f"{finding['rule']} {finding['grade']} {finding['role']}" for finding in explanation["findings"]]}


def names():
    folder = os.path.join(lab.LABS, "truths")
    return sorted(name for name in os.listdir(folder) if os.path.exists(os.path.join(folder, name, "explain.toml")))
