#!/usr/bin/env python3
"""Memory of a long run: does it grow with the number of requests?

    python3 bench/flat.py --loadline target/release/loadline

A script sends requests with 1,000 distinct tag values to a local nginx, over HTTP and over
HTTPS. Resident memory is read when nginx has counted 200,000 requests, and then at every
further 200,000 up to 2,000,000; the last may differ from the first by 5 %. Ends with code 1
when it does. Needs nginx and openssl.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

from bench import Server

SCRIPT = """
import http from 'k6/http';
import { check } from 'k6';
import exec from 'k6/execution';
export const options = {
  insecureSkipTLSVerify: true,
  scenarios: { flat: { executor: 'shared-iterations', vus: __VUS__, iterations: __ITERATIONS__, maxDuration: '1h' } },
};
export default function () {
  const res = http.get('__URL__', { tags: { item: `item-${exec.scenario.iterationInTest % 1000}` } });
  check(res, { 'status is 200': (r) => r.status === 200 });
}
"""


def resident(pid):
    """Resident memory in KiB: all of it, and what of it is no file's."""
    with open(f"/proc/{pid}/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    return int(fields["VmRSS"].split()[0]), int(fields["RssAnon"].split()[0])


def series(args, server, url, points):
    """Resident memory in KiB at each of these numbers of requests."""
    folder = tempfile.mkdtemp(prefix="flat-")
    script = os.path.join(folder, "flat.js")
    iterations = points[-1] + 50_000
    with open(script, "w") as file:
        file.write(SCRIPT.replace("__URL__", url).replace("__VUS__", str(args.vus))
                   .replace("__ITERATIONS__", str(iterations)))
    env = dict(os.environ, LANG="C", LOADLINE_STORE=os.path.join(folder, "runs.db"))
    before = server.requests()
    pinned = None if args.tool_core is None else lambda: os.sched_setaffinity(0, {args.tool_core})
    child = subprocess.Popen([args.loadline, "run", "--quiet", script], env=env, preexec_fn=pinned,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    readings, asked = [], 0
    for point in points:
        while True:
            asked += 1
            sent = server.requests() - before - asked
            if sent >= point or child.poll() is not None:
                break
            time.sleep(0.02)
        if child.poll() is not None:
            sys.exit(f"ended at {sent} requests with {child.returncode}: {child.stderr.read()}")
        readings.append((sent, *resident(child.pid)))
    _, said = child.communicate()
    shutil.rmtree(folder)
    print("  " + said.strip().splitlines()[0] if said.strip() else "  (nothing said)")
    if child.returncode != 0:
        sys.exit(f"ended with {child.returncode}: {said}")
    return readings


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loadline", default="target/release/loadline")
    parser.add_argument("--vus", type=int, default=64)
    parser.add_argument("--first", type=int, default=200_000)
    parser.add_argument("--last", type=int, default=2_000_000)
    parser.add_argument("--port", type=int, default=18280)
    parser.add_argument("--server-core", type=int, default=0, help="the core nginx runs on")
    parser.add_argument("--tool-core", type=int, help="the one core loadline runs on (else all)")
    parser.add_argument("--only", choices=["http", "https"])
    args = parser.parse_args()
    args.loadline = os.path.abspath(args.loadline)
    points = list(range(args.first, args.last + 1, args.first))
    broken = False
    server = Server(args.port, args.server_core)
    try:
        for name, url in (("http", server.url), ("https", server.tls_url)):
            if args.only not in (None, name):
                continue
            print(name, flush=True)
            readings = series(args, server, url, points)
            for sent, all_of_it, anonymous in readings:
                print(f"  {sent:>9,} requests: {all_of_it / 1024:7.2f} MiB resident, "
                      f"{anonymous / 1024:7.2f} MiB of it no file's")
            change = readings[-1][1] / readings[0][1] - 1
            holds = abs(change) <= 0.05
            broken = broken or not holds
            print(f"{'ok' if holds else 'BROKEN'}  {name}: {change * 100:+.2f} % "
                  f"from {readings[0][0]:,} to {readings[-1][0]:,} requests (at most 5 %)", flush=True)
    finally:
        server.stop()
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
