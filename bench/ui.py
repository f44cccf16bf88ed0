#!/usr/bin/env python3
"""What the live page costs: the generator's CPU and p99 with it and without, and the browser's CPU.

    python3 bench/ui.py [--loadline target/release/loadline] [--rate 10000] [--seconds 30] [--rounds 3]

The same URL run against a local nginx, in rounds whose order turns: without --ui, with --ui and no browser, 1 and 20 clients
that read the page's events, and one Chromium that shows the page (left out where there is none). nginx has the first core, the
generator and its page the second; clients and the browser have all cores but that, so with two cores they share the first. What is
printed for each: the generator's CPU per request counted by nginx, the CPU it uses more than without a page in percent of a core,
p99 of the response times and of start lag, events and bytes a client got, and the CPU of the browser's processes. --priority N runs
generator and nginx with `chrt -f N` on a machine that is not quiet. Ends with 1 when the page costs the generator 2 % of a core or
more, or the browser 20 % of one or more (--bounds off: never).
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from bench import Server

TICKS = os.sysconf("SC_CLK_TCK")
#: What is compared: the name, whether there is a page, clients of its events, browsers.
MODES = [("no page", False, 0, 0), ("page, 0 clients", True, 0, 0), ("page, 1 client", True, 1, 0),
         ("page, 20 clients", True, 20, 0), ("page, Chromium", True, 0, 1)]
#: Percent of a core.
MOST_OF_GENERATOR, MOST_OF_BROWSER = 2.0, 20.0


class Client(threading.Thread):
    """Reads the events of a page as a browser does."""

    def __init__(self, address, token):
        super().__init__(daemon=True)
        self.address, self.token, self.events, self.bytes = address, token, 0, 0

    def run(self):
        asked = urllib.request.Request(f"http://{self.address}/api/runs/latest/live?lang=en",
                                       headers={"Authorization": f"Bearer {self.token}"})
        try:
            with urllib.request.urlopen(asked, timeout=30) as stream:
                for line in stream:
                    self.bytes += len(line)
                    self.events += line.startswith(b"event: run")
        except OSError:
            pass  # the run is over


def children(pid):
    """A process and all below it."""
    found = [pid]
    for task in os.listdir("/proc"):
        if task.isdigit():
            try:
                parent = int(open(f"/proc/{task}/stat").read().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            if parent == pid:
                found += children(int(task))
    return found


def cpu(pids):
    """CPU seconds that processes have used."""
    total = 0.0
    for pid in pids:
        try:
            fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += (int(fields[11]) + int(fields[12])) / TICKS
    return total


def browse(args, link, home):
    """A browser that shows the page."""
    command = [args.chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1180,900",
               f"--user-data-dir={home}/browser", "--remote-debugging-port=0", link]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(args, server, home, mode):
    """One run; its figures."""
    _, has_page, clients, browsers = mode
    export, store = os.path.join(home, "totals.json"), os.path.join(home, f"runs-{time.monotonic_ns()}.db")
    command = [args.loadline, "run", server.url, "--rate", f"{args.rate}/s", "--arrivals", "even", "--duration", f"{args.seconds}s",
               "--quiet", "--fail-on", "none", "--summary-export", export, "--store", store]
    command += ["--ui=127.0.0.1:0"] if has_page else []
    command = (["chrt", "-f", str(args.priority)] if args.priority else []) + command
    before = server.requests()
    env = dict(os.environ, LANG="C")
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: os.sched_setaffinity(0, {args.tool_core}))
    readers, browser, shown = [], None, 0.0
    if has_page:
        link = None
        while link is None:
            line = process.stderr.readline()
            if not line:
                sys.exit("the run served no page")
            link = re.search(r"http://([0-9.:]+)/\S*", line)
        access = [args.loadline, "access", "--role", "read", "--token", "--store", store]
        token = subprocess.run(access, capture_output=True, text=True, check=True).stdout.strip()
        readers = [Client(link.group(1), token) for _ in range(clients)]
        time.sleep(2)
        for reader in readers:
            reader.start()
        if browsers:
            browser = browse(args, link.group(0), home)
            # Starting is not what is measured.
            time.sleep(6)
            tree, began, used = children(browser.pid), time.monotonic(), 0.0
            used = cpu(tree)
            time.sleep(max(args.seconds - 11, 3))
            shown = (cpu(children(browser.pid)) - used) / (time.monotonic() - began)
    # The rest of what it says must not fill the pipe.
    threading.Thread(target=process.stderr.read, daemon=True).start()
    # The page stays until its run is over and its last client has gone.
    if browser:
        wait_for(export, args.seconds + 30)
        for pid in reversed(children(browser.pid)):
            try:
                os.kill(pid, 15)
            except ProcessLookupError:
                pass
        browser.wait()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    requests = server.requests() - before - 1
    totals = json.load(open(export))
    return {
        "cpu": usage.ru_utime + usage.ru_stime, "requests": requests,
        "p99": totals["metrics"]["http_req_duration"]["p(99)"], "lag": start_lag(totals),
        "events": statistics.median([reader.events for reader in readers] or [0]),
        "kib": statistics.median([reader.bytes / 1024 for reader in readers] or [0]),
        "browser": 100 * shown,
    }


def wait_for(path, patience):
    until = time.monotonic() + patience
    while not os.path.exists(path) and time.monotonic() < until:
        time.sleep(0.2)


def start_lag(value):
    """p99 of start lag in ms, wherever the totals have it."""
    if isinstance(value, dict):
        own = value.get("start_lag")
        if isinstance(own, dict):
            values = own.get("values", own)
            return next((values[name] for name in ("p99_ms", "p(99)", "p99") if name in values), float("nan"))
        value = list(value.values())
    found = [start_lag(inner) for inner in value if isinstance(inner, (dict, list))] if isinstance(value, list) else []
    return next((lag for lag in found if lag == lag), float("nan"))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--loadline", default="target/release/loadline")
    parser.add_argument("--rate", type=int, default=10_000)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--port", type=int, default=18_700)
    parser.add_argument("--tool-core", type=int, default=1)
    parser.add_argument("--priority", type=int, default=0)
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser") or "")
    parser.add_argument("--bounds", choices=["on", "off"], default="on")
    args = parser.parse_args()
    modes = [mode for mode in MODES if args.chromium or not mode[3]]
    # Whoever watches stays off the generator's core.
    os.sched_setaffinity(0, os.sched_getaffinity(0) - {args.tool_core} or os.sched_getaffinity(0))
    server = Server(args.port)
    if args.priority:
        for pid in children(server.process.pid):
            subprocess.run(["chrt", "-f", "-p", str(args.priority), str(pid)], check=True)
    results = {mode[0]: [] for mode in modes}
    try:
        for number in range(args.rounds):
            turned = modes[number % len(modes):] + modes[:number % len(modes)]
            for mode in turned:
                with tempfile.TemporaryDirectory() as home:
                    results[mode[0]].append(run(args, server, home, mode))
    finally:
        server.stop()
    return table(args, results)


def table(args, results):
    middle = lambda name, of: statistics.median(of(one) for one in results[name])
    per_request = lambda one: 1e6 * one["cpu"] / one["requests"]
    base = middle("no page", lambda one: one["cpu"])
    print(f"{args.rate:,} requests/s for {args.seconds} s, medians of {args.rounds} rounds, load average {os.getloadavg()[0]:.1f}\n")
    print("| | CPU, us/request | page costs, % of a core | p99, ms | start lag p99, ms | events, KiB a client | browser, % of a core |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    costs, browsers = [], []
    for name, runs in results.items():
        cost = 100 * (middle(name, lambda one: one["cpu"]) - base) / args.seconds
        events = f"{middle(name, lambda one: one['events']):.0f}, {middle(name, lambda one: one['kib']):,.0f}"
        browser = middle(name, lambda one: one["browser"])
        costs.append(cost)
        browsers.append(browser)
        print(f"| {name} | {middle(name, per_request):.1f} | {cost:+.1f} | {middle(name, lambda one: one['p99']):.2f} "
              f"| {middle(name, lambda one: one['lag']):.2f} | {events if 'client' in name else ''} | {f'{browser:.1f}' if 'Chromium' in name else ''} |")
    spread = max(one["cpu"] for one in results["no page"]) - min(one["cpu"] for one in results["no page"])
    print(f"\nruns without a page differ by {100 * spread / args.seconds:.1f} % of a core")
    one_client = [cost for cost, name in zip(costs, results) if name in ("page, 0 clients", "page, 1 client", "page, Chromium")]
    is_too_much = max(one_client) >= MOST_OF_GENERATOR or max(browsers) >= MOST_OF_BROWSER
    if is_too_much:
        print(f"MORE than {MOST_OF_GENERATOR:.0f} % of the generator's core or {MOST_OF_BROWSER:.0f} % of the browser's")
    return 1 if is_too_much and args.bounds == "on" else 0


if __name__ == "__main__":
    sys.exit(main())
