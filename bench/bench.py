#!/usr/bin/env python3
"""Runs loadline beside its peers against one local nginx and prints tables.

Every figure is taken in interleaved rounds (A B C A B C ...); medians and ranges are
printed. See README.md for how CPU per request is counted.
"""

import argparse
import json
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
SERVER_CPU, TOOL_CPU = 0, 1

NGINX = """
worker_processes 1;
worker_cpu_affinity 1;
worker_rlimit_nofile 20000;
pid {dir}/nginx.pid;
error_log {dir}/error.log crit;
daemon off;
events {{ worker_connections 16000; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  server {{
    listen 127.0.0.1:{port} backlog=16000;
    location /status {{ stub_status; }}
    location / {{ default_type application/json; return 200 '{body}'; }}
  }}
}}
"""


class Server:
    """One nginx, pinned to the first core, counting its requests."""

    def __init__(self, port):
        self.port = port
        self.dir = tempfile.mkdtemp()
        body = json.dumps({"id": 1, "name": "x" * 173})
        conf = Path(self.dir) / "nginx.conf"
        conf.write_text(NGINX.format(dir=self.dir, port=port, body=body))
        self.process = subprocess.Popen(["nginx", "-c", str(conf), "-p", self.dir])
        self.url = f"http://127.0.0.1:{port}/"
        for _ in range(100):
            try:
                self.requests()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("nginx does not answer")

    def requests(self):
        """Requests served so far, this question included."""
        with urllib.request.urlopen(self.url + "status", timeout=5) as answer:
            return int(re.findall(r"\d+", answer.read().decode().splitlines()[2])[2])

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
        shutil.rmtree(self.dir)


def measure(command, server, env=None):
    """Runs a command pinned to the second core.

    Returns {cpu_us, user_us, sys_us: per request; requests; rss_mib; wall_s; out}.
    """
    before = server.requests()
    started = time.monotonic()
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(
            command,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(env or {})},
            preexec_fn=lambda: os.sched_setaffinity(0, {TOOL_CPU}),
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - started
        out.seek(0)
        text = out.read().decode(errors="replace")
    requests = server.requests() - before - 1
    if child.returncode not in (0, 99) or requests <= 0:
        raise SystemExit(f"{command} ended with {child.returncode}:\n{text[-2000:]}")
    return {
        "cpu_us": (usage.ru_utime + usage.ru_stime) / requests * 1e6,
        "user_us": usage.ru_utime / requests * 1e6,
        "sys_us": usage.ru_stime / requests * 1e6,
        "requests": requests,
        "rss_mib": usage.ru_maxrss / 1024,
        "wall_s": wall,
        "out": text,
    }


def interleave(commands, server, rounds, env=None):
    """Measures each command once a round; returns name -> list of measurements."""
    results = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            results[name].append(measure(command, server, env))
    return results


def spread(values, digits=2):
    """Median [lowest-highest]."""
    return f"{statistics.median(values):.{digits}f} [{min(values):.{digits}f}-{max(values):.{digits}f}]"


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def closed(args, server):
    length, users = f"{args.seconds}s", "64"
    script = str(HERE / "scripts" / "get.js")
    commands = {}
    if shutil.which("wrk"):
        commands["wrk"] = ["wrk", "-t1", "-c64", f"-d{length}", server.url]
    commands["loadline URL"] = [
        args.loadline, "run", server.url, "--vus", users, "--duration", length, "--threads", "1", "--quiet",
    ]
    if shutil.which("oha"):
        commands["oha"] = ["oha", "--no-tui", "-c", users, "-z", length, server.url]
    commands["loadline script"] = [
        args.loadline, "run", "--vus", users, "--duration", length, "--threads", "1", "--quiet",
        "-e", f"URL={server.url}", script,
    ]
    if args.k6:
        commands["k6 script"] = [
            args.k6, "run", "--no-usage-report", "--quiet", "--vus", users, "--duration", length,
            "-e", f"URL={server.url}", script,
        ]
    print(f"## Closed loop: 64 users, keep-alive, 200-byte body, {args.rounds} rounds of {length}\n")
    results = interleave(commands, server, args.rounds)
    rows = []
    for name, runs in results.items():
        row = [name, spread([r["cpu_us"] for r in runs])]
        row.append(f"{statistics.median([r['user_us'] for r in runs]):.2f} / {statistics.median([r['sys_us'] for r in runs]):.2f}")
        row.append(f"{statistics.median([r['requests'] / r['wall_s'] for r in runs]):,.0f}")
        row.append(f"{statistics.median([r['rss_mib'] for r in runs]):.1f}")
        for peer in ("wrk", "k6 script"):
            if peer in results:
                ratios = [a["cpu_us"] / b["cpu_us"] for a, b in zip(runs, results[peer])]
                row.append(spread(ratios, 3))
            else:
                row.append("not there")
        rows.append(row)
    table(["generator", "CPU µs/request", "user / system", "requests/s", "peak MiB", "ratio to wrk", "ratio to k6"], rows)


def rate(args, server):
    script = str(HERE / "scripts" / "rate.js")
    env = ["-e", f"URL={server.url}", "-e", "RATE=1000", "-e", f"DURATION={args.seconds}s"]
    commands = {"loadline": [args.loadline, "run", "--quiet", *env, script]}
    if args.k6:
        commands["k6"] = [args.k6, "run", "--no-usage-report", "--quiet", *env, script]
    print(f"## Open model: 1,000/s constant arrival rate, {args.rounds} rounds of {args.seconds} s\n")
    results = interleave(commands, server, args.rounds)
    rows = [[name, spread([r["cpu_us"] for r in runs], 1)] for name, runs in results.items()]
    table(["generator", "CPU µs/request"], rows)
    if "k6" in results:
        ratios = [a["cpu_us"] / b["cpu_us"] for a, b in zip(results["k6"], results["loadline"])]
        print(f"k6 / loadline: {spread(ratios, 1)}\n")


def lag(args, server):
    print("## Start lag: 5,000/s for 30 s\n")
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        run = measure(
            [args.loadline, "run", server.url, "--rate", "5000/s", "--duration", "30s", "--vus", "500",
             "--quiet", "--summary-export", out.name],
            server,
        )
        metrics = json.load(open(out.name))["metrics"]
    start_lag = metrics["start_lag"]
    table(
        ["planned", "sent", "dropped", "start lag p50", "p99", "max"],
        [[150_001, run["requests"], metrics.get("dropped_iterations", {}).get("count", 0),
          *(f"{start_lag[k]:.3f} ms" for k in ("med", "p(99)", "max"))]],
    )


def memory(args, server):
    script = str(HERE / "scripts" / "user.js")
    print("## Memory per user: one GET, one check, sleep(1)\n")
    rows = []
    base = {}
    for users in (1, 100, 1000, 5000, 10000):
        for name, tool in (("loadline", args.loadline), ("k6", args.k6)):
            if not tool or (name == "k6" and users > 5000):
                continue
            extra = ["--no-usage-report"] if name == "k6" else []
            run = measure(
                [tool, "run", "--quiet", *extra, "--vus", str(users), "--duration", "3s", "-e", f"URL={server.url}", script],
                server,
            )
            if users == 1:
                base[name] = run["rss_mib"]
                continue
            each = (run["rss_mib"] - base[name]) * 1024 / users
            rows.append([name, f"{users:,}", f"{run['rss_mib']:.0f}", f"{each:.1f}", f"{run['wall_s'] - 3:.2f}"])
    table(["generator", "users", "peak MiB", "KiB per user", "wall beyond 3 s, s"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loadline", default=str(HERE.parent / "target/release/loadline"))
    parser.add_argument("--k6", default=shutil.which("k6") or str(Path.home() / "go/bin/k6"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--port", type=int, default=18080)
    parser.add_argument("experiments", nargs="*", default=["closed", "rate", "lag", "memory"])
    args = parser.parse_args()
    if not Path(args.k6).exists():
        args.k6 = None
        print("k6 is not installed: its rows are missing\n", file=sys.stderr)
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=HERE).stdout.strip()
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    print(f"Commit {commit}; {cpu}, {os.cpu_count()} cores; kernel {os.uname().release}; {time.strftime('%Y-%m-%d')}.\n")
    server = Server(args.port)
    try:
        for name in args.experiments:
            {"closed": closed, "rate": rate, "lag": lag, "memory": memory}[name](args, server)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
