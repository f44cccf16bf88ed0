"""One truth, set up, loaded by our own test, explained."""

import contextlib
import json
import os
import subprocess
import time

from . import elsewhere, lab, machine

SCRIPT = os.path.join(lab.LABS, "lib", "explain", "load.k6.js")
WARMED_SECONDS = 15
# A JVM on one core may need longer: it is loaded again until its compiler uses less than this share of a core,
# at most so many times.
CALM = 0.1
WARM_UPS = 4
# ... or so many times, where the truth leaves it no CPU for that.
STARVED_WARM_UPS = 2
# A run in which it used this share of a core or more was one of a cold JVM.
WARMING = 0.2
# A process that has been under load already, after a change.
SETTLED_SECONDS = 3


class Loadline:
    def __init__(self, program, store):
        self.program = os.path.abspath(program)
        self.environment = dict(os.environ, LANG="C", LOADLINE_STORE=store)

    def call(self, *args, pinned=None):
        wrapper = ["taskset", "-c", pinned] if pinned else []
        return subprocess.run([*wrapper, self.program, *args], env=self.environment, capture_output=True, text=True)

    def json(self, *args):
        done = self.call(*args, "--json")
        if done.returncode != 0:
            raise RuntimeError(f"loadline {' '.join(args)}: {done.stderr}")
        return json.loads(done.stdout)


class Trial:
    next_number = 1

    def __init__(self, loadline, truth):
        self.loadline, self.truth = loadline, truth

    def load(self, users, seconds, observed, rate=None, sources=lab.sources, pinned=None):
        """Runs the truth's load, observed by what `sources` names; gives the CPU that others used meanwhile."""
        about = lab.about()
        values = {"TARGET": self.target(about), "LOAD": self.truth.get("load"), "USERS": users, "HOLD": f"{seconds}s",
                  "TIMEOUT": self.truth.get("timeout", "60s"), "FIRST": Trial.next_number}
        if rate:
            values["RATE"] = rate
        if self.truth.get("ramp"):
            values["RAMP"] = "1"
        # Requests that may be sent once only: no two loads of one set-up may take the same numbers.
        Trial.next_number += 100_000
        options = [part for name, value in values.items() for part in ("-e", f"{name}={value}")]
        options += [] if observed else ["--no-store"]
        watch = machine.Watch({int(pid) for name, pid in about.items() if name.startswith("LAB_PID_")})
        with self.reached(sources(about) if observed else []) as reached:
            for source in reached:
                options += ["--observe", source]
            done = self.loadline.call("run", SCRIPT, "--quiet", *options, pinned=pinned or self.truth.get("pinned"))
        if done.returncode not in (0, 99):
            raise RuntimeError(f"loadline run: {done.returncode} {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return watch.others()

    @staticmethod
    def target(about):
        target = about["LAB_TARGET"]
        return target.replace("127.0.0.1", elsewhere.THERE) if lab.wrapper else target

    def reached(self, sources):
        """The sources as they are named where the load is; of a lab elsewhere, through `observe --listen`."""
        near = [source for source in sources if not lab.wrapper or source.startswith("otlp")]
        far = [source for source in sources if source not in near]
        if not far:
            return contextlib.nullcontext(near)
        return elsewhere.agent(self.loadline, far, near)

    def warm(self, state, settings):
        """Has the code compiled: by the load itself, or by what the truth names for it."""
        if self.truth.get("cold"):
            lab.down()
            lab.up(self.truth.base, state, settings)
            return
        lab.switch(self.truth.get("warm", []))
        for _ in range(STARVED_WARM_UPS if self.truth.get("starved") else WARM_UPS):
            before = lab.compiled_ms()
            self.load(self.truth.get("warm_users", 8), WARMED_SECONDS, observed=False)
            if before is None or lab.compiled_ms() - before < CALM * WARMED_SECONDS * 1000:
                break
        if self.truth.get("warm"):
            lab.up(self.truth.base, state, settings)

    def explained(self, state="faulty", settings=(), what_if=None, sources=lab.sources):
        """Sets up, warms up, loads, explains. A run that was disturbed is done once more, as its user would do it."""
        lab.up(self.truth.base, state, settings)
        self.warm(state, settings)
        explanation, measured, disturbed = self.observed(what_if, sources)
        if disturbed:
            explanation, measured, again = self.observed(what_if, sources)
            measured["repeated"] = f"{disturbed}; again: {again or 'not'}"
        return explanation, measured

    def observed(self, what_if, sources):
        """One observed run: what explain says, what was measured of it, and what disturbed it, if something did."""
        compiled, began = lab.compiled_ms(), time.monotonic()
        others = self.load(self.truth.get("users"), self.truth.get("seconds", 30), True, self.truth.get("rate"), sources)
        seconds = time.monotonic() - began
        compiling = None if compiled is None else (lab.compiled_ms() - compiled) / 1000 / seconds
        explanation = self.loadline.json("explain", "latest", *(["--what-if", what_if] if what_if else []))
        return explanation, {"other_cpu": round(others, 2), "seconds": round(seconds, 1)}, self.disturbed(explanation, compiling)

    def disturbed(self, explanation, compiling):
        """Why a run measured something else than the truth: it was not valid, or a JVM compiled, by the JVM's own counter."""
        if explanation["answer"] == "not-valid":
            return "the generator was not quiet"
        if compiling is None or self.truth.get("cold") or self.truth.get("starved") or compiling < WARMING:
            return None
        return f"code was compiled for {compiling:.2f} s each second"

    def measured(self):
        """The rate after a change that was predicted, by users in loops."""
        if self.truth.get("changed_fixed"):
            lab.up(self.truth.base, "fixed")
            self.warm("fixed", ())
        lab.switch(self.truth.get("changed", []))
        users, pinned = (self.truth.get(f"changed_{what}", self.truth.get(what)) for what in ("users", "pinned"))
        self.load(users, WARMED_SECONDS, observed=False, pinned=pinned)
        self.load(users, self.truth.get("seconds", 30), True, pinned=pinned)
        return self.loadline.json("explain", "latest")["rate"]

    def compared(self):
        """Interleaved runs of both sides, each first as often as the other; what compare says of the rate."""
        sides = {"before": self.truth.get("before", []), "after": self.truth.get("after", [])}
        runs = {name: [] for name in sides}
        rounds = self.truth.get("rounds", 4)
        order = [name for turn in range(rounds) for name in (("before", "after") if turn % 2 == 0 else ("after", "before"))]
        for name in order:
            lab.up(self.truth.base)
            lab.switch(sides[name])
            self.load(self.truth.get("warm_users", 8), SETTLED_SECONDS, observed=False)
            self.load(self.truth.get("users"), 15, True)
            runs[name].append(self.loadline.json("explain", "latest")["run"])
        return self.loadline.json("compare", ",".join(runs["before"]), ",".join(runs["after"]))
