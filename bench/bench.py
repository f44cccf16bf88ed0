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
import select
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
SERVER_CPU, TOOL_CPU = 0, 1
# 4: loadline holds that it was the bottleneck itself, as a pinned closed loop is; 99: a threshold.
ENDED_WELL = (0, 4, 99)

NGINX = """
worker_processes 1;
worker_cpu_affinity {core_mask};
worker_rlimit_nofile 20000;
pid {dir}/nginx.pid;
error_log {dir}/error.log crit;
daemon off;
events {{ worker_connections 16000; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  ssl_certificate {dir}/certificate.pem;
  ssl_certificate_key {dir}/key.pem;
  ssl_protocols TLSv1.3;
  ssl_session_tickets off;
  default_type application/json;
  server {{
    listen 127.0.0.1:{port} backlog=16000;
    listen 127.0.0.1:{tls_port} ssl backlog=16000;
    listen 127.0.0.1:{http2_port} ssl http2 backlog=16000;
    location /status {{ stub_status; }}
    location /items {{ return 200 '{items}'; }}
    location / {{ return 200 '{body}'; }}
  }}
}}
"""

ITEMS = {"items": [{"id": i, "name": f"item {i + 1}", "price": i * 3.5, "stock": i} for i in range(20)]}


class Server:
    """One nginx, pinned to a core, counting its requests."""

    def __init__(self, port, core=SERVER_CPU):
        self.port = port
        self.dir = tempfile.mkdtemp()
        body = json.dumps({"id": 1, "name": "x" * 173})
        conf = Path(self.dir) / "nginx.conf"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-keyout", f"{self.dir}/key.pem", "-out", f"{self.dir}/certificate.pem"],
            check=True, capture_output=True,
        )
        conf.write_text(NGINX.format(
            dir=self.dir, port=port, tls_port=port + 1, http2_port=port + 2, body=body, items=json.dumps(ITEMS),
            core_mask=f"{1 << core:b}",
        ))
        self.tls_url = f"https://127.0.0.1:{port + 1}/"
        self.http2_url = f"https://127.0.0.1:{port + 2}/"
        self.process = subprocess.Popen(["nginx", "-c", str(conf), "-p", self.dir])
        self.url = f"http://127.0.0.1:{port}/"
        for _ in range(100):
            if self.process.poll() is not None:
                raise SystemExit(f"nginx ended: {(Path(self.dir) / 'error.log').read_text()}")
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
    if child.returncode not in ENDED_WELL or requests <= 0:
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


class Stalling:
    """A small server that answers at once but for one pause, in which it accepts nothing."""

    ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    def __init__(self, after, length):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        self.after, self.length = after, length
        self.answered = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        epoll = select.epoll()
        self.listener.setblocking(False)
        epoll.register(self.listener, select.EPOLLIN)
        users, began, stalled = {}, None, False
        while True:
            for number, _ in epoll.poll(1):
                if number == self.listener.fileno():
                    user, _ = self.listener.accept()
                    user.setblocking(False)
                    users[user.fileno()] = user
                    epoll.register(user, select.EPOLLIN)
                    began = began or time.monotonic()
                    continue
                user = users[number]
                try:
                    data = user.recv(65536)
                except OSError:
                    data = b""
                if not data:
                    epoll.unregister(user)
                    users.pop(number).close()
                    continue
                self.answered += 1
                user.send(self.ANSWER)
            if began and not stalled and time.monotonic() - began > self.after:
                stalled = True
                time.sleep(self.length)


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
    missing = []
    if not shutil.which("wrk"):
        missing.append("wrk")
    else:
        commands["wrk"] = ["wrk", "-t1", "-c64", f"-d{length}", server.url]
    commands["loadline URL"] = [
        args.loadline, "run", server.url, "--vus", users, "--duration", length, "--threads", "1", "--quiet",
    ]
    if not shutil.which("oha"):
        missing.append("oha")
    else:
        commands["oha"] = ["oha", "--no-tui", "-c", users, "-z", length, server.url]
    commands["loadline script"] = [
        args.loadline, "run", "--vus", users, "--duration", length, "--threads", "1", "--quiet",
        "-e", f"URL={server.url}", script,
    ]
    if not args.k6:
        missing.append("k6 script")
    else:
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
                row.append("")
        rows.append(row)
    rows += [[name, "not installed"] + [""] * 5 for name in missing]
    table(["generator", "CPU µs/request", "user / system", "requests/s", "peak MiB", "ratio to wrk", "ratio to k6"], rows)


def beside_k6(args, server, title, script, url, peers=None, options=()):
    """CPU per request of a script under loadline and k6, and of other commands."""
    length = f"{args.seconds}s"
    given = ["--quiet", "--vus", "64", "--duration", length, *options, "-e", f"URL={url}", str(HERE / "scripts" / script)]
    commands = {**(peers or {}), "loadline script": [args.loadline, "run", "--threads", "1", *given]}
    if args.k6:
        commands["k6 script"] = [args.k6, "run", "--no-usage-report", *given]
    print(f"## {title}, {args.rounds} rounds of {length}\n")
    results = interleave(commands, server, args.rounds)
    first = next(iter(results))
    rows = []
    for name, runs in results.items():
        row = [name, spread([r["cpu_us"] for r in runs]), f"{statistics.median([r['rss_mib'] for r in runs]):.1f}"]
        for peer in dict.fromkeys([first, "k6 script"]):
            if peer in results:
                row.append(spread([a["cpu_us"] / b["cpu_us"] for a, b in zip(runs, results[peer])], 3))
        rows.append(row)
    ratios = [f"ratio to {peer}" for peer in dict.fromkeys([first, "k6 script"]) if peer in results]
    table(["generator", "CPU µs/request", "peak MiB", *ratios], rows)
    if not args.k6:
        print("k6: not installed\n")


def parsing(args, server):
    title = "JSON: 20 items parsed once and asked twice by selector, 64 users"
    beside_k6(args, server, title, "json.js", server.url + "items")


def tls(args, server):
    length = f"{args.seconds}s"
    peers = {}
    if shutil.which("wrk"):
        peers["wrk"] = ["wrk", "-t1", "-c64", f"-d{length}", server.tls_url]
    peers["loadline URL"] = [
        args.loadline, "run", server.tls_url, "--vus", "64", "--duration", length, "--threads", "1", "--quiet", "--insecure",
    ]
    skip = ["--insecure-skip-tls-verify"]
    beside_k6(args, server, "TLS 1.3, keep-alive, 64 users", "get.js", server.tls_url, peers, skip)


def http2(args, server):
    beside_k6(args, server, "HTTP/2, 64 users", "get.js", server.http2_url, None, ["--insecure-skip-tls-verify"])


def handshakes(args, server):
    title = "Full TLS 1.3 handshakes: a connection for each request, 64 users"
    beside_k6(args, server, title, "connect.js", server.tls_url, None, ["--insecure-skip-tls-verify"])


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
    if "k6" not in results:
        print("k6: not installed\n")
    else:
        ratios = [a["cpu_us"] / b["cpu_us"] for a, b in zip(results["k6"], results["loadline"])]
        print(f"k6 / loadline: {spread(ratios, 1)}\n")


def artillery(args, server):
    """The same file under Artillery: users that arrive, each on a connection of its own."""
    script = str(HERE / "scripts" / "artillery.yml")
    env = {"BASE": server.url.rstrip("/"), "ARTILLERY_DISABLE_TELEMETRY": "true"}
    commands = {"loadline": [args.loadline, "run", "--quiet", script]}
    if args.artillery:
        commands["Artillery"] = ["node", args.artillery, "run", "--quiet", script]
    print(f"## Artillery file: 50 users/s for 10 s, 20 requests with a capture each, {args.rounds} rounds\n")
    results = interleave(commands, server, args.rounds, env)
    rows = [
        [name, spread([r["cpu_us"] for r in runs], 1), f"{statistics.median([r['rss_mib'] for r in runs]):.0f}",
         runs[0]["requests"]]
        for name, runs in results.items()
    ]
    table(["generator", "CPU µs/request", "peak MiB", "requests"], rows)
    if "Artillery" not in results:
        print("Artillery: not installed (--artillery PATH of its bin/run)\n")
    else:
        ratios = [a["cpu_us"] / b["cpu_us"] for a, b in zip(results["Artillery"], results["loadline"])]
        print(f"Artillery / loadline: {spread(ratios, 1)}\n")


def exported(args, url, options):
    """Metrics of a URL run, and how it went."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [args.loadline, "run", url, "--quiet", "--summary-export", out.name, *options]
        child = subprocess.run(
            command, capture_output=True, text=True, preexec_fn=lambda: os.sched_setaffinity(0, {TOOL_CPU})
        )
        if child.returncode not in ENDED_WELL:
            raise SystemExit(f"{command} ended with {child.returncode}:\n{child.stdout}{child.stderr}")
        return json.load(open(out.name))["metrics"]


def count(metrics, name):
    return int(metrics.get(name, {}).get("count", 0))


def lag(args, server):
    planned = 5000 * args.lag_seconds + 1  # as in k6, one start at either end
    print(f"## Start lag: 5,000/s for {args.lag_seconds} s\n")
    options = ["--rate", "5000/s", "--duration", f"{args.lag_seconds}s", "--vus", "500", "--threads", "1", "--arrivals", "even"]
    rows = []
    for _ in range(args.rounds):
        metrics = exported(args, server.url, options)
        late = metrics["start_lag"]
        sent, dropped = count(metrics, "http_reqs"), count(metrics, "dropped_iterations")
        rows.append([f"{planned:,}", f"{sent:,}", f"{dropped:,}", *(f"{late[k]:.3f} ms" for k in ("med", "p(99)", "max"))])
    table(["planned", "sent", "dropped", "start lag p50", "p99", "max"], rows)


def stall(args, _server):
    print("## A server that stalls 2 s: 1,000/s for 6 s, 500 users at most\n")
    server = Stalling(after=2, length=2)
    options = ["--rate", "1000/s", "--duration", "6s", "--vus", "100", "--max-vus", "500", "--threads", "1", "--arrivals", "even"]
    metrics = exported(args, server.url, options)
    sent, dropped = count(metrics, "http_reqs"), count(metrics, "dropped_iterations")
    rows = [["6,001", f"{sent:,}", f"{dropped:,}", f"{sent + dropped:,}",
             *(f"{metrics[name]['max']:.0f} ms" for name in ("http_req_duration", "intended_latency"))]]
    table(["planned", "sent", "dropped", "sum", "longest http_req_duration", "longest intended_latency"], rows)


def memory(args, server):
    script = str(HERE / "scripts" / "user.js")
    print("## Memory per user: one GET, one check, sleep(1); for URLs, back to back\n")
    env = ["-e", f"URL={server.url}", script]
    tools = {
        "loadline URL": ([args.loadline, "run", server.url, "--quiet", "--threads", "1"], 10_000),
        "loadline script": ([args.loadline, "run", "--quiet", *env], 10_000),
    }
    if args.k6:
        tools["k6 script"] = ([args.k6, "run", "--no-usage-report", "--quiet", *env], 5_000)
    rows = []
    base = {}
    for users in (1, *args.users):
        for name, (command, most) in tools.items():
            if users > most:
                continue
            run = measure([*command, "--vus", str(users), "--duration", "3s"], server)
            if users == 1:
                base[name] = run["rss_mib"]
                continue
            each = (run["rss_mib"] - base[name]) * 1024 / users
            rows.append([name, f"{users:,}", f"{run['rss_mib']:.0f}", f"{each:.1f}", f"{run['wall_s'] - 3:.2f}"])
    table(["generator", "users", "peak MiB", "KiB per user", "wall beyond 3 s, s"], rows)
    if not args.k6:
        print("k6: not installed\n")


EXPERIMENTS = {
    "closed": closed, "rate": rate, "lag": lag, "stall": stall, "memory": memory,
    "json": parsing, "tls": tls, "http2": http2, "handshakes": handshakes,
    "artillery": artillery,
}


class Tee:
    """Standard output, and a file with the same text."""

    def __init__(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.outputs = [sys.stdout, open(path, "w")]

    def write(self, text):
        for output in self.outputs:
            output.write(text)

    def flush(self):
        for output in self.outputs:
            output.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loadline", default=str(HERE.parent / "target/release/loadline"))
    parser.add_argument("--k6", default=shutil.which("k6") or str(Path.home() / "go/bin/k6"))
    parser.add_argument("--artillery", default=shutil.which("artillery"), help="bin/run of Artillery 2.0.34")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--port", type=int, default=18080)
    parser.add_argument("--lag-seconds", type=int, default=30)
    parser.add_argument("--users", type=int, nargs="*", default=[100, 1000, 5000, 10000], help="for memory")
    parser.add_argument("--quick", action="store_true", help="one short round of each; figures mean little")
    parser.add_argument("--out", type=Path, help="also write the tables to this file")
    parser.add_argument("experiments", nargs="*", choices=[*EXPERIMENTS, []], help="all unless named")
    args = parser.parse_args()
    if args.quick:
        args.rounds, args.seconds, args.lag_seconds, args.users = 1, 1, 2, [100, 1000]
    if not shutil.which("nginx"):
        raise SystemExit("nginx is not installed, and everything is measured against it")
    if not Path(args.loadline).exists():
        raise SystemExit("there is no loadline to measure: cargo build --release")
    if not Path(args.k6).exists():
        args.k6 = None
    if args.out:
        sys.stdout = Tee(args.out)
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=HERE).stdout.strip()
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    load = os.getloadavg()[0]
    print(f"`python3 bench/bench.py {' '.join(args.experiments)}`, commit {commit}; {cpu}, {os.cpu_count()} cores;")
    print(f"kernel {os.uname().release}; load average before: {load:.1f}; {time.strftime('%Y-%m-%d')}.\n")
    server = Server(args.port)
    try:
        for name in args.experiments or EXPERIMENTS:
            EXPERIMENTS[name](args, server)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
