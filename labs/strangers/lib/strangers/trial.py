"""One case, run: target, bystanders, load with observation, explanation, score."""

import hashlib
import json
import os
import shutil
import subprocess
import time

from . import bystanders, collector, ledger, loads, place, score, target

RUN_SECONDS_MAX = 150
EXPLAIN_SECONDS_MAX = 30
COPIES_KEPT = 4


class Loadline:
    """The binary under test."""

    def __init__(self, program):
        self.program = os.path.realpath(program)
        folder = os.path.dirname(self.program)
        head = subprocess.run(["git", "-C", folder, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
        # The checkout may have gone on since the binary was built: its own digest tells binaries apart.
        with open(self.program, "rb") as file:
            self.commit = hashlib.file_digest(file, "sha256").hexdigest()[:12]
        self.head = head.stdout.strip() or "unknown"
        self.keep_copy()

    def keep_copy(self):
        """A build meanwhile must not change what a pass runs; the copies of older binaries go."""
        folder = os.path.join(place.HOME, "binaries")
        os.makedirs(folder, exist_ok=True)
        copy = os.path.join(folder, self.commit)
        if not os.path.exists(copy):
            part = f"{copy}.{os.getpid()}"
            shutil.copy2(self.program, part)
            os.rename(part, copy)
        os.utime(copy)
        self.program = copy
        for old in sorted(os.listdir(folder), key=lambda name: os.path.getmtime(os.path.join(folder, name)))[:-COPIES_KEPT]:
            os.unlink(os.path.join(folder, old))

    def explain(self, store, *more):
        done = subprocess.run([self.program, "explain", "latest", "--store", store, "--lang", "en", *more], capture_output=True, text=True,
                              timeout=EXPLAIN_SECONDS_MAX)
        if done.returncode not in (0, 1) or not done.stdout:
            raise RuntimeError(f"explain: {done.stderr.strip()[-400:]}")
        return done.stdout


def sources(case, where, running, database):
    """What --observe is given."""
    found = []
    for witness in case["witnesses"]:
        if witness == "page":
            found.append(where.page)
        elif witness == "pid":
            found.append(f"pid:{running.main.pid}")
        elif witness == "log":
            found.append(f"log:{where.log}")
            if case["front"]:
                found.append(f"log:{where.front_log}")
        elif witness == "postgres":
            found.append(f"postgres://monitor@127.0.0.1:{place.POSTGRES_PORT}/shop")
        elif witness == "database-pid":
            found.append(f"pid:{database.pid}")
        elif witness == "redis":
            found.append(f"redis://127.0.0.1:{where.redis_port}")
        elif witness == "redis-pid":
            found.append(f"pid:{running.redis.pid}")
        elif witness == "otlp":
            found.append(f"otlp:{where.otlp_port}")
    return found


def folder_of(case, commit):
    return os.path.join(place.HOME, "cases", case["id"], commit)


def run(case, slot, loadline, built, database, is_explained=True):
    """Runs a case and scores it, or only asks its ledger; its folder keeps the record."""
    folder = folder_of(case, loadline.commit)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    measured = ran(case, folder, slot, loadline, built, database)
    return measured, explained(case, loadline, folder) if is_explained else {}


def ran(case, folder, slot, loadline, built, database):
    """Starts target and bystanders and sends the load; what the ledger says of it."""
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump(case, file, indent=1)
    where = target.Place(case, folder, slot)
    taken, beside, running = None, [], None
    try:
        if "otlp" in case["witnesses"]:
            taken = collector.Collector(where.collector_port, where.otlp_port)
        if case["database"] == "postgres":
            database.reset()
            database.let_in(case["notes"].get("sessions", -1))
        running = target.Target(case, where, built, database)
        beside = bystanders.start(case, where)
        return load(case, where, running, loadline, database)
    finally:
        for one in beside:
            one.stop()
        if running:
            running.stop()
        if taken:
            taken.stop()


def load(case, where, running, loadline, database):
    """Sends the load; what the ledger and the kernel say of it."""
    pids = {"target": running.main.pid}
    if case["database"] == "postgres":
        pids["database"] = database.pid
    if running.redis:
        pids["redis"] = running.redis.pid
    store = os.path.join(where.folder, "runs.db")
    words = [loadline.program, "run", *loads.command(case, where.folder, where.url), "--store", store, "--quiet", "--yes"]
    for source in sources(case, where, running, database):
        words += ["--observe", source]
    with open(os.path.join(where.folder, "command.txt"), "w") as file:
        file.write(" ".join(words) + "\n")
    cores = ledger.Cores(pids)
    throttled = running.groups.throttled()
    start = time.time()
    run_process = place.Process(words, os.path.join(where.folder, "run.log"), is_favoured=target.is_favoured(case),
                                env={**os.environ, "LANG": "C.UTF-8"})
    cores.pids["generator"] = run_process.pid
    try:
        run_process.child.wait(RUN_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"the run did not end within {RUN_SECONDS_MAX} s") from None
    finally:
        run_process.stop()
        cores.stop()
    if not os.path.exists(store):
        raise RuntimeError(f"no run was stored: {run_process.last_lines()}")
    # After the last start some seconds may pass in which the last requests end.
    end = min(time.time(), start + case["load"]["seconds"] + 1)
    after = running.groups.throttled()
    measured = {"throttled": (after[0] - throttled[0], after[1] - throttled[1]), "died": running.main.has_ended()}
    verdict = ledger.checked(case, where, cores, start + 1.5, end, measured)
    used, waited = cores.used("target", start + 1, end)
    return {**verdict, "answered": round(ledger.answered(where, start + 1.5, end), 2), "exit": run_process.child.returncode,
            "cores": round(used, 2), "core_wait": round(waited, 2), "generator": [round(each, 2) for each in cores.used("generator", start + 1, end)]}


def explained(case, loadline, folder):
    """Explains the record of a folder and scores it."""
    store = os.path.join(folder, "runs.db")
    text = loadline.explain(store)
    with open(os.path.join(folder, f"explain-{loadline.commit}.txt"), "w") as file:
        file.write(text)
    return score.scored(case, json.loads(loadline.explain(store, "--json")))
