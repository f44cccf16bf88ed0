#!/usr/bin/env python3
"""What `loadline mock` holds, and what it adds itself.

    python3 bench/mock.py            # five runs each, HTTP/1.1 and HTTP/2
    python3 bench/mock.py http1 --runs 1

HTTP/1.1: two `loadline run --rate` start 9,000 requests a second together against a mock of
2 s latency, which therefore holds 18,000. Each goes to a loopback address of its own: one
address has about 28,000 ports, and connecting becomes slow when half of them are taken.
HTTP/2: `hold` (an example of the crate `mock`) keeps 50,000 requests on 500 connections: 52,000
streams of which each sends a little less often than it could.

The mock measures its own added latency, from when an answer was due to its first byte. Its
counts begin anew when the load has been up for a while (POST /reset).
"""

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_s(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Mock:
    def __init__(self, loadline, latency):
        command = [loadline, "mock", "--latency", latency, "--address", "0.0.0.0:0", "--admin", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = self.address(self.process.stdout.readline())
        self.admin = f"http://127.0.0.1:{self.address(self.process.stdout.readline())}"

    @staticmethod
    def address(line):
        found = re.search(r":(\d+)\s*$", line)
        if not found:
            raise SystemExit(f"the mock did not say where it listens: {line!r}")
        return int(found.group(1))

    def ask(self, method, path):
        request = urllib.request.Request(self.admin + path, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=30)


def measure(mock, generators, warm_up, length):
    """Status of the mock over `length` seconds, and the CPU of the generators, in cores."""
    time.sleep(warm_up)
    mock.ask("POST", "/reset")
    began = time.monotonic()
    before = [cpu_s(g.pid) for g in generators]
    time.sleep(length)
    status = json.loads(mock.ask("GET", "/self"))
    took = time.monotonic() - began
    status["generators"] = sum(cpu_s(g.pid) - b for g, b in zip(generators, before)) / took
    return status


def http1(args):
    mock = Mock(args.loadline, "2s")
    lasts = f"{args.warm_up + args.seconds + 2}s"
    rate = args.rate // 2
    generators = [
        subprocess.Popen(
            [args.loadline, "run", f"http://127.0.0.{n}:{mock.port}/", "--rate", f"{rate}/s", "--vus", str(rate * 2 + rate // 5),
             "--duration", lasts, "--threads", "1", "--quiet", "--no-store"],
            stdout=subprocess.DEVNULL,
        )
        for n in (1, 2)
    ]
    try:
        return measure(mock, generators, args.warm_up, args.seconds)
    finally:
        for generator in generators:
            generator.wait()
        mock.stop()


def http2(args):
    mock = Mock(args.loadline, f"{args.http2_latency}s")
    lasts = str(args.warm_up + args.seconds + 2)
    period = str(round(args.http2_latency * 1030))
    hold = [args.hold, f"127.0.0.1:{mock.port}", "500", "104", lasts, period]
    generator = subprocess.Popen(hold, stdout=subprocess.DEVNULL)
    try:
        return measure(mock, [generator], args.warm_up, args.seconds)
    finally:
        generator.wait()
        mock.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="*", choices=["http1", "http2", []])
    parser.add_argument("--loadline", default=str(ROOT / "target/release/loadline"))
    parser.add_argument("--hold", default=str(ROOT / "target/release/examples/hold"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--warm-up", type=int, default=8)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rate", type=int, default=9000)
    parser.add_argument("--http2-latency", type=float, default=5, help="seconds: 5 is 10,000 requests/s, 2 is 25,000")
    args = parser.parse_args()
    for name in args.experiments or ["http1", "http2"]:
        print(f"## {name}\n")
        print("| held at most | requests/s | added p50 / p99 / max ms | mock, cores | generators, cores | the mock says |")
        print("|---|---|---|---|---|---|")
        seen = []
        for _ in range(args.runs):
            s = {"http1": http1, "http2": http2}[name](args)
            seen.append(s["added_p99_ms"])
            print(
                f"| {s['most_in_flight']:,} | {s['requests'] / s['seconds']:,.0f} "
                f"| {s['added_p50_ms']:.2f} / {s['added_p99_ms']:.2f} / {s['added_max_ms']:.1f} "
                f"| {s['cpu_cores']:.2f} | {s['generators']:.2f} | {', '.join(s['limited_by']) or 'kept up'} |",
                flush=True,
            )
        print(f"\nmedian of the p99: {statistics.median(seen):.2f} ms\n")


if __name__ == "__main__":
    main()
