#!/usr/bin/env python3
"""Proofs of the record that take too long for the test suite.

    python3 bench/record.py kills  --loadline target/release/loadline
    python3 bench/record.py pairs --count 100 --single
    python3 bench/record.py all

Each prints what it did and what came out, and ends with code 1 when a promise was broken.
Everything goes to 127.0.0.1, to the built-in demo target.
"""

import argparse
import concurrent.futures
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time


class Bench:
    def __init__(self, loadline, wrapper):
        self.loadline = os.path.abspath(loadline)
        self.wrapper = wrapper
        self.folder = tempfile.mkdtemp(prefix="record-")
        self.demo = None
        self.broken = []

    def __enter__(self):
        self.demo = subprocess.Popen(
            [self.loadline, "demo", "--address", "127.0.0.1:0"],
            stdout=subprocess.PIPE, text=True)
        self.base = self.demo.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.demo.terminate()
        self.demo.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, *args, store="runs.db"):
        store = os.path.join(self.folder, store)
        env = dict(os.environ, LANG="C", LOADLINE_STORE=store)
        return [*self.wrapper, self.loadline, *map(str, args)], env

    def run(self, *args, store="runs.db"):
        command, env = self.command(*args, store=store)
        return subprocess.run(command, env=env, capture_output=True, text=True)

    def start(self, *args, store="runs.db"):
        """Without the wrapper: who is started is who is killed."""
        _, env = self.command(store=store)
        return subprocess.Popen([self.loadline, *map(str, args)], env=env,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def runs(self, store="runs.db"):
        listed = self.run("runs", "--json", store=store)
        if "no run is stored yet" in listed.stderr:
            return []  # killed before the tables were made; the next run makes them
        if listed.returncode != 0:
            return None
        return [json.loads(line) for line in listed.stdout.splitlines()]

    def promise(self, holds, what):
        print(("ok      " if holds else "BROKEN  ") + what, flush=True)
        if not holds:
            self.broken.append(what)


def name_of(result):
    found = re.search(r"stored as run (\w+)", result.stderr)
    return found.group(1) if found else None


def kills(bench, count):
    """kill -9 at random moments: the store opens, complete windows are there."""
    url = bench.base + "/fast"

    def one(number):
        store = f"kill-{number % 8}.db"
        moment = random.Random(number).uniform(0.05, 6.0)
        began = time.time()
        child = bench.start("run", url, "--rate", "100/s", "--duration", "30s", "-q", store=store)
        time.sleep(moment)
        child.send_signal(signal.SIGKILL)
        child.wait()
        killed = time.time()
        lived = killed - began
        runs = bench.runs(store)
        if runs is None:
            return False, f"{number}: DOES NOT OPEN"
        mine = [run for run in runs if run["started_ms"] >= (began - 0.001) * 1000]
        if not mine:
            # The row is written before the first window is over: there was none yet. How
            # long a start takes is the machine's affair.
            return True, f"{number}: killed after {lived:.2f} s, before the first row"
        run = mine[0]
        exported = bench.run("runs", "export", run["name"], "--metric", "http_reqs", store=store)
        points = [json.loads(line) for line in exported.stdout.splitlines()[1:]]
        windows = [point["window"] for point in points]
        # A window is complete when its second is over and every worker handed it in.
        complete = max(0, int(killed - run["started_ms"] / 1000 - 0.5))
        full = windows == list(range(len(windows))) and len(windows) >= complete
        summed = sum(point["value"] for point in points)
        agrees = summed == run["requests"]
        shown = bench.run("show", run["name"], store=store).returncode == 0
        holds = run["verdict"] == "interrupted" and full and agrees and shown
        return holds, (f"{number}: killed after {lived:.2f} s, {len(windows)} windows, "
                       f"{summed:.0f} requests, {run['verdict']}")

    # One after another within a store: a run of the same moment is not mistaken for it.
    def group(first):
        return [one(number) for number in range(first, count, 8)]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = [result for group in pool.map(group, range(8)) for result in group]
    for holds, text in results:
        if not holds:
            print("  " + text)
    with_windows = sum(" 0 windows" not in text and "windows" in text for _, text in results)
    early = sum("before the first row" in text or "no store" in text for _, text in results)
    bench.promise(all(holds for holds, _ in results),
                  f"kill -9 at {count} random moments ({with_windows} with complete windows, "
                  f"{early} before the run's first row): "
                  "every store opens, all complete windows are there, the run is interrupted")
    intact = True
    for number in range(min(8, count)):
        path = os.path.join(bench.folder, f"kill-{number}.db")
        if os.path.exists(path):
            check = sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone()[0]
            intact = intact and check == "ok"
    bench.promise(intact, "SQLite's own check of these stores: ok")


def finding_counts(comparison):
    differences = comparison["all"]["differences"]
    return [difference["finding"] for difference in differences]


def compared(bench, store, a, b):
    result = bench.run("compare", a, b, "--json", store=store)
    return json.loads(result.stdout)


def sides(bench, paths, repeats, seconds, store):
    """Runs of both sides in turn, a b b a ...: what changes on the machine meets both."""
    for place in range(repeats):
        for tag in ("ab", "ba")[place % 2]:
            result = bench.run("run", bench.base + paths[tag], "--rate", "40/s", "--duration",
                               f"{seconds}s", "--threads", "1", store=store)
            bench.run("runs", "tag", name_of(result), tag, store=store)


def pairs(bench, count, single, workers):
    """A/A pairs: nothing differs, so nothing should be called different."""
    repeats, seconds = (1, 22) if single else (4, 5)
    path = "/downstream?ms=20"

    def one(number):
        store = f"pair-{single}-{number}.db"
        sides(bench, {"a": path, "b": path}, repeats, seconds, store)
        return finding_counts(compared(bench, store, "a", "b"))

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        results = list(pool.map(one, range(count)))
    called = sum(any(f in ("better", "worse") for f in findings) for findings in results)
    told = {}
    for findings in results:
        for finding in findings:
            told[finding] = told.get(finding, 0) + 1
    kind = "single runs of 22 s" if single else "4 runs of 5 s a side"
    bench.promise(called * 100 <= 5 * count,
                  f"of {count} A/A pairs ({kind}) {called} are called different; "
                  f"findings over all measures: {told}")


def slower(bench, workers):
    """An endpoint made 10 % slower."""
    def one(number):
        store = f"slower-{number}.db"
        paths = {"a": "/downstream?ms=100", "b": "/downstream?ms=110"}
        sides(bench, paths, 4, 6, store)
        comparison = compared(bench, store, "a", "b")
        mean = next(d for d in comparison["all"]["differences"] if d["measure"] == "mean")
        return mean

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        results = list(pool.map(one, range(workers)))
    for mean in results:
        # The target waits 10 ms longer; what it adds itself is in both.
        truth = 10.0 / mean["before"]
        print(f"  {mean['finding']}: {mean['middle'] * 100:.2f} % "
              f"[{mean['low'] * 100:.2f}, {mean['high'] * 100:.2f}], truth {truth * 100:.2f} %")
        bench.promise(mean["finding"] == "worse" and mean["low"] <= truth <= mean["high"],
                      "an endpoint made 10 % slower is found, its interval holds the truth")


def disks(bench):
    """A disk that is full, or read-only, loses the record and nothing else. Needs root."""
    folder = os.path.join(bench.folder, "small")
    os.mkdir(folder)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", folder],
                             capture_output=True)
    if mounted.returncode != 0:
        print("skipped disks: a file system cannot be mounted here")
        return
    try:
        script = os.path.join(bench.folder, "many.js")
        with open(script, "w") as file:
            file.write(SERIES.format(rate=200, seconds=6, base=bench.base, names=150))
        full = bench.run("run", script, store="small/runs.db")
        bench.promise(full.returncode == 0 and "the disk is full" in full.stderr
                      and "requests/s" in full.stderr,
                      "disk full: load and verdict go on, the loss is stated")
        listed = bench.run("runs", store="small/runs.db")
        bench.promise(listed.returncode == 0, "a full store is still read")
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        fixed = bench.run("run", bench.base + "/fast", "-i", "5", store="small/runs.db")
        bench.promise(fixed.returncode == 0 and "cannot be written" in fixed.stderr,
                      "store read-only: load and verdict go on, the loss is stated")
        listed = bench.run("runs", store="small/runs.db")
        bench.promise(listed.returncode == 0, "a read-only store is still read")
    finally:
        subprocess.run(["umount", folder], check=True)


def two_single(bench):
    """Two short single runs of a noisy endpoint."""
    store = "single.db"
    sides(bench, {"a": "/downstream?ms=20", "b": "/downstream?ms=21"}, 1, 8, store)
    findings = finding_counts(compared(bench, store, "a", "b"))
    bench.promise("cannot-tell" in findings and "better" not in findings,
                  f"two single runs of 8 s: {findings}")


def many(bench):
    """1,000 stored runs are listed quickly."""
    bench.run("run", bench.base + "/fast", "--rate", "100/s", "--duration", "2s", "-q",
              store="many.db")
    path = os.path.join(bench.folder, "many.db")
    copy_runs(path, 1000)
    times = []
    for _ in range(5):
        began = time.perf_counter()
        listed = bench.run("runs", store="many.db")
        times.append(time.perf_counter() - began)
    lines = len(listed.stdout.splitlines()) - 1
    best, worst = min(times) * 1e3, max(times) * 1e3
    bench.promise(lines == 1000 and worst < 200,
                  f"{lines} stored runs listed in {best:.0f}..{worst:.0f} ms (at most 200)")


def copy_runs(path, count):
    """Copies the only run of a store until there are so many."""
    db = sqlite3.connect(path)
    tables = {"run": None, "fact": None, "series": None, "chunk": None, "event": None}
    for table in tables:
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        tables[table] = [c for c in columns if not (table in ("run", "event") and c == "id")]
    for number in range(2, count + 1):
        columns = ", ".join(tables["run"])
        chosen = ", ".join(f"'c{number:07}'" if c == "name" else c for c in tables["run"])
        db.execute(f"INSERT INTO run ({columns}) SELECT {chosen} FROM run WHERE id = 1")
        new = db.execute("SELECT max(id) FROM run").fetchone()[0]
        for table in ("fact", "series", "chunk", "event"):
            columns = ", ".join(tables[table])
            chosen = ", ".join(str(new) if c == "run" else c for c in tables[table])
            db.execute(f"INSERT INTO {table} ({columns}) SELECT {chosen} FROM {table} WHERE run = 1")
    db.commit()
    db.close()


SERIES = """
import http from 'k6/http';
export const options = {{ scenarios: {{ a: {{ executor: 'constant-arrival-rate', rate: {rate},
  timeUnit: '1s', duration: '{seconds}s', preAllocatedVUs: 60, maxVUs: 400 }} }} }};
let n = 0;
export default function () {{
  n += 1;
  http.get('{base}/fast', {{ tags: {{ name: `endpoint-${{(__VU * 7919 + n) % {names}}}` }} }});
}}
"""


def sizes(bench, minutes):
    """Bytes of a run-minute, and how long a long run takes to open."""
    for names, rate, limit in ((11, 1000, 1_000_000), (1111, 2000, None)):
        store = f"size-{names}.db"
        script = os.path.join(bench.folder, f"series-{names}.js")
        seconds = minutes * 60 if names == 11 else 60
        with open(script, "w") as file:
            file.write(SERIES.format(rate=rate, seconds=seconds, base=bench.base, names=names))
        bench.run("run", script, "-q", store=store)
        run = bench.runs(store)[0]
        db = sqlite3.connect(os.path.join(bench.folder, store))
        blobs, windows = db.execute(
            "SELECT sum(length(blob)), count(DISTINCT first) FROM chunk").fetchone()
        series = db.execute("SELECT series_count FROM run").fetchone()[0]
        per_level = db.execute("SELECT level, count(*), sum(length(blob)) FROM chunk "
                               "GROUP BY level").fetchall()
        db.close()
        minute = blobs / (seconds / 60)
        times = []
        for _ in range(5):
            began = time.perf_counter()
            shown = bench.run("show", run["name"], store=store)
            times.append((time.perf_counter() - began) * 1e3)
        text = (f"{series} series at {run['rate']:.0f} requests/s for {seconds} s: "
                f"{minute / 1e6:.3f} MB per run-minute {per_level}; "
                f"opens in {min(times):.0f}..{max(times):.0f} ms")
        holds = shown.returncode == 0 and (limit is None or minute <= limit)
        if names == 11:
            holds = holds and max(times) < 500
        bench.promise(holds, text)


URLS = """
import http from 'k6/http';
import exec from 'k6/execution';
export const options = { scenarios: { a: { executor: 'shared-iterations', vus: 20,
  iterations: 100000, maxDuration: '300s' } },
  thresholds: { 'http_reqs{name:checkout}': ['count==1000'] } };
export default function () {
  const i = exec.scenario.iterationInTest;
  if (i % 100 === 99) http.get(`BASE/contents/${(i % 3000) + 1}`, { tags: { name: 'checkout' } });
  else http.get(`BASE/fast?id=${i}`);
}
"""


def urls(bench):
    """100,000 distinct URLs stay under 300 MB and warn."""
    script = os.path.join(bench.folder, "urls.js")
    with open(script, "w") as file:
        file.write(URLS.replace("BASE", bench.base))
    command, env = bench.command("run", script, "-q", store="urls.db")
    timed = ["/usr/bin/time", "-f", "rss %M", *command[len(bench.wrapper):]]
    result = subprocess.run([*bench.wrapper, *timed], env=env, capture_output=True, text=True)
    rss = int(re.search(r"rss (\d+)", result.stderr).group(1)) / 1024
    warns = "too many tag values" in result.stderr
    run = bench.runs("urls.db")[0]
    bench.promise(result.returncode == 0 and rss < 300 and warns and run["requests"] == 100000,
                  f"100,000 distinct URLs: {rss:.0f} MB at most, warns: {warns}, "
                  f"{run['requests']:.0f} requests counted, the threshold's series exact")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = ["kills", "pairs", "slower", "single", "disks", "many", "sizes", "urls"]
    parser.add_argument("proof", choices=[*what, "all"])
    parser.add_argument("--loadline", default="target/release/loadline")
    parser.add_argument("--count", type=int)
    parser.add_argument("--single", action="store_true")
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--workers", type=int, default=10)
    parser.add_argument("--wrapper", default="", help="a command put before each run")
    args = parser.parse_args()
    with Bench(args.loadline, args.wrapper.split()) as bench:
        proofs = {
            "kills": lambda: kills(bench, args.count or 200),
            "pairs": lambda: pairs(bench, args.count or 100, args.single, args.workers),
            "slower": lambda: slower(bench, min(args.workers, 5)),
            "single": lambda: two_single(bench),
            "disks": lambda: disks(bench),
            "many": lambda: many(bench),
            "sizes": lambda: sizes(bench, args.minutes),
            "urls": lambda: urls(bench),
        }
        for name in what if args.proof == "all" else [args.proof]:
            proofs[name]()
        broken = bench.broken
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
