#!/usr/bin/env python3
"""make fast: the first answer after a change.

Every test beside the code, and the files of tests/ of every crate but those of whole programs: what the folders of WHOLES have in
tests/ runs programs from end to end, simulates searches by the thousand, reads whole reports or every source file. Beside the code,
a test of a thousand cases has "thousand" in its name and is left out, too. `make test` runs all of them.

Each test binary is one process, and as many run at a time as there are cores. A process per test (nextest) took 166 s of CPU
where these take 91 s: starting one costs more than most tests do. What took longest the last time begins first (target/fast.json).
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

#: Folders of crates whose files of tests/ are left out.
WHOLES = ("products", "use-cases", "presentation", "checks")
#: Tests at a time, in all processes together: most of them wait.
THREADS = 8
#: Seconds after which a process is ended.
PATIENCE_S = 300
ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMES = ROOT / "target/fast.json"
BUILD = ["test", "--workspace", "--features", "loadline-cli/fault-injection", "--profile", "suite", "--no-run",
         "--message-format", "json-render-diagnostics"]


def is_fast(artifact):
    """Whether cargo's message is of a test binary that runs here."""
    if artifact.get("reason") != "compiler-artifact" or not artifact["profile"]["test"] or not artifact["executable"]:
        return False
    folder = pathlib.Path(artifact["manifest_path"]).relative_to(ROOT / "crates").parts[0]
    return "test" not in artifact["target"]["kind"] or folder not in WHOLES


def built():
    """The test binaries, by what they are called."""
    cargo = subprocess.run([os.environ.get("CARGO", "cargo"), *BUILD], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if cargo.returncode != 0:
        sys.exit(cargo.returncode)
    found = {}
    for artifact in filter(is_fast, map(json.loads, cargo.stdout.splitlines())):
        crate = pathlib.Path(artifact["manifest_path"]).parent
        target = artifact["target"]
        found[f"{crate.name}: {target['name']} ({target['kind'][0]})"] = (artifact["executable"], crate)
    return found


def run(name, executable, crate, threads):
    """One process: its name, whether all was well, seconds, tests, what it said."""
    began = time.monotonic()
    env = dict(os.environ, CARGO_MANIFEST_DIR=str(crate), RUST_TEST_THREADS=str(threads))
    try:
        done = subprocess.run([executable, "--skip", "thousand"], cwd=crate, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=PATIENCE_S, check=False)
        said, is_good = done.stdout, done.returncode == 0
    except subprocess.TimeoutExpired as late:
        said, is_good = f"{(late.stdout or b'').decode(errors='replace')}\nended after {PATIENCE_S} s", False
    tests = sum(map(int, re.findall(r"^test result: .*?(\d+) passed", said, re.M)))
    return name, is_good, time.monotonic() - began, tests, said


def main():
    binaries = built()
    known = json.loads(TIMES.read_text()) if TIMES.exists() else {}
    order = sorted(binaries, key=lambda name: -known.get(name, float("inf")))
    cores = len(os.sched_getaffinity(0))
    threads = max(THREADS // cores, 2)
    began, failed, tests, times = time.monotonic(), [], 0, {}
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        for done in concurrent.futures.as_completed(pool.submit(run, name, *binaries[name], threads) for name in order):
            name, is_good, seconds, passed, said = done.result()
            times[name] = round(seconds, 2)
            tests += passed
            if not is_good:
                failed.append(name)
                print(f"{name}\n{said}", flush=True)
    TIMES.write_text(json.dumps(times, indent=1))
    slowest = sorted(times, key=times.get)[:-6:-1]
    print("slowest: " + ", ".join(f"{name} {times[name]:.1f} s" for name in slowest))
    print(f"{tests:,} tests passed in {len(times)} processes, {time.monotonic() - began:.0f} s" + "".join(f"\nFAILED: {name}" for name in failed))
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
