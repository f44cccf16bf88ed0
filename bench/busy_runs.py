#!/usr/bin/env python3
"""Forty runs with both cores loaded by others: NOT VALID only where leaving the touched seconds out changes the verdict.

A small target keeps a ledger of its own: how many requests it served, and how long each took it. Two busy loops at normal
priority take the cores. Each run of 6 s has a goal; beside its verdict stand the ledger's count and median.

usage: bench/busy_runs.py [LOADLINE] [RUNS]     (target/suite/loadline, 40)
"""
import asyncio, json, multiprocessing, os, pathlib, queue, statistics, subprocess, sys, tempfile, threading, time

RATE = 30
SECONDS = 6
# Pairs of what an answer takes (ms) and the goal on the 95th percentile (ms): met with room, met closely, missed closely, missed.
CASES = [(20, 200), (60, 120), (60, 75), (120, 128), (120, 90), (300, 330), (300, 250), (5, 20)]


def busy():
    while True:
        pass


class Ledger:
    def __init__(self):
        self.took, self.ms = [], 20

    async def answer(self, reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                if not head:
                    break
                began = time.monotonic()
                await asyncio.sleep(self.ms / 1000)
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                await writer.drain()
                self.took.append((time.monotonic() - began) * 1000)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def serve(ledger, ready):
    async def main():
        server = await asyncio.start_server(ledger.answer, "127.0.0.1", 0)
        ready.put(server.sockets[0].getsockname()[1])
        async with server:
            await server.serve_forever()

    asyncio.run(main())


def run(loadline, port, goal, folder):
    export = folder / "run.json"
    export.unlink(missing_ok=True)
    command = [loadline, "run", f"http://127.0.0.1:{port}/", "--rate", f"{RATE}/s", "-d", f"{SECONDS}s", "--slo", f"p(95)<{goal}ms",
               "-q", "--no-store", "--summary-export", str(export)]
    ended = subprocess.run(command, capture_output=True, text=True)
    return ended.stdout.splitlines()[0], json.loads(export.read_text())


def main():
    loadline = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else "target/suite/loadline")
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 40

    ledger, ready = Ledger(), queue.Queue()
    threading.Thread(target=serve, args=(ledger, ready), daemon=True).start()
    port = ready.get()
    loops = [multiprocessing.get_context("fork").Process(target=busy, daemon=True) for _ in range(os.cpu_count())]
    for loop in loops:
        loop.start()
    folder = pathlib.Path(tempfile.mkdtemp())
    void = wrong = 0
    print("| run | answer, goal (ms) | verdict | touched | standing | goals with, without | sent, ledger | median, ledger (ms) |")
    print("|---|---|---|---|---|---|---|---|")
    try:
        for number in range(runs):
            ledger.ms, goal = CASES[number % len(CASES)]
            ledger.took.clear()
            line, out = run(loadline, port, goal, folder)
            found = out.get("validity") or {}
            goals, rest = out["goals"], found.get("goals")
            duration = out["metrics"]["http_req_duration"]
            took = sorted(ledger.took)
            truth = "met" if took[int(len(took) * 0.95)] < goal else "missed"
            word = out["verdict"]
            void += word == "not-valid"
            wrong += (word, truth) in (("passed", "missed"), ("failed", "met"))
            print(f"| {number + 1} | {ledger.ms}, {goal} | {word} (ledger: {truth}) | {found.get('touched', 0)} of {found.get('seconds', SECONDS)} "
                  f"| {found.get('standing', '–')} | {goals['met']} of {goals['all']}, {rest['met'] if rest else '–'} "
                  f"| {int(out['metrics']['http_reqs']['count'])}, {len(took)} | {duration['med']:.1f}, {statistics.median(took):.1f} |", flush=True)
            if word == "not-valid":
                print(f"<!-- {line} -->", flush=True)
    finally:
        for loop in loops:
            loop.kill()
    print(f"\n{void} of {runs} NOT VALID; {wrong} PASSED or FAILED against the ledger's own 95th percentile")


main()
