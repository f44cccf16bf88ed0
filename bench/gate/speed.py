#!/usr/bin/env python3
"""How fast and how small the waiting room is, beside what a bare server does under the same generator.

usage: bench/gate/speed.py --loadline BIN --crowd BIN [--hold SECONDS] [--waiting N] [EXPERIMENT ...]

Experiments: redis (joins, polls, bytes and restart with a million waiting), embedded (joins, restart),
streams (many held), news (from decision to event), updates (polling against streams). All of them
when none is named. Nothing else should run; gate, Redis and generator share the machine. Each
experiment prints the lines of a table: what, goal, seen, ceiling, and whether the goal is met. Where the
host took more than 2 % of the processors away meanwhile (steal), a goal that was missed is not judged.
"""
import argparse, os, re, shutil, signal, socket, subprocess, sys, tempfile, time
import json, urllib.request

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from ports import free_port  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")


def cpu_s(process):
    """Seconds of processor a process has used."""
    fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def rss_bytes(process):
    return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{process.pid}/status").read())[1]) * 1024


class Site:
    """A gate on a store of its own, with one queue that stands still."""

    def __init__(self, args, store, **rules):
        self.args, self.home = args, tempfile.mkdtemp(prefix="gate-speed-")
        self.redis, self.redis_port = None, None
        if store == "redis":
            self.redis_port = free_port()
            self.redis = subprocess.Popen(
                ["redis-server", "--port", str(self.redis_port), "--bind", "127.0.0.1", "--save", "", "--dir", self.home,
                 "--appendonly", "yes", "--appendfsync", "everysec"], stdout=subprocess.DEVNULL)
            time.sleep(0.5)
            self.empty_bytes = self.redis_used()
        self.public, self.admin = free_port(), free_port()
        self.start_gate()
        key = None
        for _ in range(100):
            kept = f"{self.home}/root-key"
            key = open(kept).read().strip() if os.path.exists(kept) else None
            if not key:
                time.sleep(0.05)
        self.key = key
        tenant = self.ask("/v1/tenants", {"name": "speed"})["id"]
        body = {"tenant": tenant, "slug": "speed", "mode": "hold", "cap": 1_000_000, "max_waiting": 4_000_000,
                "claim_within_s": 600, "away_after_s": 600, "redirect_origins": ["http://127.0.0.1:1"], **rules}
        self.queue = self.ask("/v1/queues", body)["id"]

    def start_gate(self):
        command = [self.args.loadline, "gate", "--data", f"{self.home}/state", "--joins-per-address", "0", "--polls-ahead", "0", "--lang", "en", "--root-key-file", f"{self.home}/root-key",
                   "--public", f"127.0.0.1:{self.public}", "--admin", f"127.0.0.1:{self.admin}"]
        if self.redis_port:
            command += ["--redis", f"redis://127.0.0.1:{self.redis_port}"]
        begin = time.time()
        out = open(f"{self.home}/out", "a")
        self.gate = subprocess.Popen(command, stdout=out, stderr=out)
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.admin}/readyz", timeout=5) as answer:
                    if answer.status == 200:
                        return time.time() - begin
            except OSError:
                time.sleep(0.005)

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.admin}{path}", data, {"Authorization": f"Bearer {self.key}"})
        return json.load(urllib.request.urlopen(request, timeout=30))

    def redis_info(self, part):
        with socket.create_connection(("127.0.0.1", self.redis_port)) as s:
            s.sendall(f"INFO {part}\r\n".encode())
            text = b""
            while True:
                text += s.recv(65536)
                head = re.match(rb"\$(\d+)\r\n", text)
                if head and len(text) >= head.end() + int(head[1]):
                    return text.decode()

    def redis_used(self):
        return int(re.search(r"used_memory:(\d+)", self.redis_info("memory"))[1])

    def redis_calls(self):
        return {name: int(calls) for name, calls in re.findall(r"cmdstat_([^:]+):calls=(\d+)", self.redis_info("commandstats"))}

    def crowd(self, mode, *flags):
        """Runs a crowd; what it said, and the seconds of processor of gate, Redis and the crowd itself."""
        return measured(self.args, f"127.0.0.1:{self.public}", [self.gate, self.redis],
                        [mode, "--queue", self.queue, "--key", self.key, *flags])

    def restart(self):
        """Kills the gate, starts it again; seconds until it is ready."""
        self.gate.kill()
        self.gate.wait()
        return self.start_gate()

    def store_bytes(self):
        return sum(os.path.getsize(os.path.join(d, f)) for d, _, files in os.walk(f"{self.home}/state") for f in files)

    def end(self):
        for process in (self.gate, self.redis):
            if process:
                process.kill()
                process.wait()
        shutil.rmtree(self.home)


def measured(args, gate, servers, flags):
    before = [cpu_s(server) if server else 0 for server in servers]
    child = os.times().children_user + os.times().children_system
    run = subprocess.run([args.crowd, flags[0], "--gate", gate, *map(str, flags[1:])], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(map(str, flags))}: {run.stdout}{run.stderr}")
    own = os.times().children_user + os.times().children_system - child
    return run.stdout, [(cpu_s(server) if server else 0) - b for server, b in zip(servers, before)] + [own]


class Bare:
    """The ceiling: a server that decides nothing."""

    def __init__(self, args, *flags):
        self.address = f"127.0.0.1:{free_port()}"
        self.process = subprocess.Popen([args.crowd, "bare", "--gate", self.address, *map(str, flags)], stdout=subprocess.PIPE)
        self.process.stdout.readline()
        self.args = args

    def crowd(self, mode, *flags):
        return measured(self.args, self.address, [self.process], [mode, *flags])

    def end(self):
        self.process.kill()
        self.process.wait()


def figures(said):
    """Rate, latencies in ms and bytes an answer of a crowd's last line."""
    line = said.strip().splitlines()[-1]
    number = lambda pattern: (lambda found: float(found[1]) if found else None)(re.search(pattern, line))
    return {"rate": number(r": (\d+)/s"), "n": number(r"n (\d+)"), "p50": number(r"p50 ([\d.]+)"), "p95": number(r"p95 ([\d.]+)"),
            "p99": number(r"p99 ([\d.]+)"), "bytes": number(r"(\d+) bytes an answer")}


failed = []


def processor_ticks():
    """All ticks of the processors so far, and those of them that the host gave to others."""
    ticks = [int(count) for count in open("/proc/stat").readline().split()[1:9]]
    return sum(ticks), ticks[7]


last_row = processor_ticks()


def row(what, goal, seen, ceiling, met):
    global last_row
    now = processor_ticks()
    stolen = (now[1] - last_row[1]) / max(1, now[0] - last_row[0])
    last_row = now
    verdict = "met" if met else "**missed**" if stolen <= 0.02 else "not judged"
    if not met:
        failed.append(what)
    taken = f" ({stolen:.0%} stolen)" if stolen > 0.02 else ""
    print(f"| {what} | {goal} | {seen} | {ceiling} | {verdict}{taken} |", flush=True)


def costs(cpu, calls, names=("gate", "Redis", "generator")):
    return ", ".join(f"{name} {seconds / calls * 1e6:.0f} us" for name, seconds in zip(names, cpu) if seconds)


def ceiling(args, mode, answer_bytes, seconds, connections):
    bare = Bare(args, "--answer-bytes", int(answer_bytes))
    many = ["--seconds", seconds] if mode == "polls" else ["--visitors", 60_000 * seconds // 2]
    seen = figures(bare.crowd(mode, "--connections", connections, *many)[0])
    bare.end()
    return f"{seen['rate']:,.0f}/s, p99 {seen['p99']:.1f} ms", seen["rate"]


def joined(what, goal_rate, goal_ms, site, args, visitors, connections):
    said, cpu = site.crowd("joins", "--visitors", visitors, "--connections", connections, "--prefix", "fill")
    seen = figures(said)
    bound, top = ceiling(args, "joins", seen["bytes"], 6, connections)
    row(f"{what}, as many as go", f"{goal_rate:,}/s", f"{seen['rate']:,.0f}/s, p99 {seen['p99']:.1f} ms "
        f"({costs(cpu, visitors)})", f"{bound}; {seen['rate'] / top:.0%} of it", seen["rate"] >= goal_rate)
    if goal_ms is None:
        return
    planned = goal_rate * 15
    said, _ = site.crowd("joins", "--visitors", planned, "--rate", goal_rate, "--connections", connections, "--prefix", "planned")
    seen = figures(said)
    row(f"{what}, {goal_rate:,}/s planned", f"p99 {goal_ms} ms", f"{seen['rate']:,.0f}/s, p50 {seen['p50']:.1f} ms, p99 {seen['p99']:.1f} ms", "",
        seen["rate"] >= goal_rate * 0.99 and seen["p99"] <= goal_ms)


def place_is_exact(site, waiting):
    """Whether the last of the line is told how many are before."""
    me = site.ask(f"/v1/queues/{site.queue}/waiters", {"user_id": "last of all"})
    return me["ahead"] == me["total"] - 1 and me["total"] > waiting


def redis(args):
    site = Site(args, "redis")
    joined("joins, Redis (AOF everysec)", 12_000, 25, site, args, args.waiting, 128)
    waiting = site.ask(f"/v1/queues/{site.queue}/stats")["waiting"]
    each = (site.redis_used() - site.empty_bytes) / waiting
    row(f"Redis memory, {waiting:,} waiting", "160 B each", f"{each:.0f} B each", "103 B: an entry of a sorted set", each <= 160)
    # Those who poll join first, which is not what is measured: once without polls.
    counts = [sum(site.redis_calls().values())]
    for seconds in (0, 20):
        said, cpu = site.crowd("polls", "--visitors", 1000, "--connections", 64, "--seconds", seconds)
        counts.append(sum(site.redis_calls().values()))
    seen = figures(said)
    calls = max(0, counts[2] - 2 * counts[1] + counts[0])
    bound, top = ceiling(args, "polls", seen["bytes"], 6, 64)
    row(f"polls with {waiting:,} waiting", "40,000/s", f"{seen['rate']:,.0f}/s, p99 {seen['p99']:.1f} ms ({costs(cpu, seen['n'])}), "
        f"{calls} Redis commands in all for {seen['n']:,.0f} polls", f"{bound}; {seen['rate'] / top:.0%} of it",
        seen["rate"] >= 40_000 and calls < seen["n"] / 1000)
    took = site.restart()
    row(f"restart, Redis, {waiting:,} waiting", "3 s", f"{took:.2f} s until ready, place exact: {place_is_exact(site, waiting)}", "",
        took <= 3 and place_is_exact(site, waiting))
    print(f"gate's memory then: {rss_bytes(site.gate) / waiting:.0f} B a waiter", file=sys.stderr)
    site.end()


def embedded(args):
    site = Site(args, "embedded")
    joined("joins, embedded (each synced to disk)", 20_000, None, site, args, args.waiting, 1024)
    waiting = site.ask(f"/v1/queues/{site.queue}/stats")["waiting"]
    each = site.store_bytes() / waiting
    took = site.restart()
    row(f"restart, embedded, {waiting:,} waiting", "3 s", f"{took:.2f} s until ready, {each:.0f} B a waiter on disk, place exact: "
        f"{place_is_exact(site, waiting)}", "", took <= 3 and place_is_exact(site, waiting))
    site.end()


def held(text):
    """The crowd's last report: open streams, dropped, failed, bytes."""
    line = [line for line in text.splitlines() if "registered" in line][-1]
    return {name: int(count) for name, count in re.findall(r"(\w+) (\d+)(?:,|$)", line)}


def streams(args):
    site = Site(args, "redis")
    site.crowd("joins", "--visitors", 1000, "--prefix", "warm")
    before = rss_bytes(site.gate)
    process = subprocess.Popen(
        [args.crowd, "hold", "--gate", f"127.0.0.1:{site.public}", "--queue", site.queue, "--key", site.key,
         "--visitors", str(args.streams), "--arrive", "1000", "--seconds", str(args.hold)], stdout=subprocess.PIPE, text=True)
    time.sleep(args.streams / 1000 + args.hold - 3)
    each, gate = (rss_bytes(site.gate) - before) / args.streams, cpu_s(site.gate)
    time.sleep(2)
    busy = (cpu_s(site.gate) - gate) / 2
    seen = held(process.communicate()[0])
    ok = seen["open"] == args.streams and not seen["dropped"] and not seen["failed"]
    row(f"{args.streams:,} streams held {args.hold} s", "12 KiB each, 0 dropped", f"{each / 1024:.1f} KiB each, {seen['open']:,} open, "
        f"{seen['dropped']} dropped, {seen['failed']} failed; {busy:.0%} of a core", "", ok and each <= 12 * 1024)
    site.end()


def news(args):
    flags = ["--visitors", 9000, "--arrive", 600, "--admit", 100, "--admit-after", 16, "--seconds", 20]
    site = Site(args, "redis")
    said, cpu = site.crowd("hold", *flags)
    site.end()
    bare = Bare(args, "--admit", 100, "--admit-after", 16)
    seen, least = figures(said), figures(bare.crowd("hold", *[0 if flag == 100 else flag for flag in flags])[0])
    bare.end()
    state = held(said)
    row(f"from decision to event, 100/s, {state['open']:,} to 9,000 streams", "p95 15 ms", f"p50 {seen['p50']:.1f}, p95 {seen['p95']:.1f}, "
        f"p99 {seen['p99']:.1f} ms, n {seen['n']:.0f}", f"p50 {least['p50']:.1f}, p95 {least['p95']:.1f}, p99 {least['p99']:.1f} ms",
        seen["p95"] <= 15 and state["open"] >= 7000 and seen["n"] >= 1000)


def updates(args):
    """5,000 wait in a queue that moves: what it costs to tell them their places."""
    count, seconds = 5000, 60
    for way in ("streams", "polls"):
        site = Site(args, "redis", mode="auto", rate_per_s=10)
        if way == "streams":
            process = subprocess.Popen(
                [args.crowd, "hold", "--gate", f"127.0.0.1:{site.public}", "--queue", site.queue, "--key", site.key,
                 "--visitors", str(count), "--arrive", "1000", "--seconds", str(seconds + 5)], stdout=subprocess.PIPE, text=True)
            time.sleep(count / 1000 + 3)
            begin, memory = cpu_s(site.gate), rss_bytes(site.gate)
            time.sleep(seconds)
            cpu = cpu_s(site.gate) - begin
            seen = held(process.communicate()[0])
            size = seen["bytes"] / count * seconds / (seconds + 10)
            gaps = ""
        else:
            said, _ = site.crowd("joins", "--visitors", count, "--prefix", "p")
            # Advised: a quarter of the wait, 0.5 to 30 s. In the middle of the line that is 30 s.
            me = site.ask(f"/v1/queues/{site.queue}/waiters", {"user_id": f"p{count // 2}"})
            gap = me["poll_after_ms"] / 1000
            gaps = f", each asks every {gap:.0f} s"
            begin = cpu_s(site.gate)
            said, _ = site.crowd("polls", "--visitors", count, "--prefix", "p", "--rate", count / gap, "--seconds", seconds)
            cpu = cpu_s(site.gate) - begin
            seen = figures(said)
            size = seen["bytes"] * seconds / gap
        idle = cpu / count / seconds * 60
        row(f"{way}, {count:,} waiters{gaps}", "", f"{idle * 1e3:.2f} ms CPU and {size:,.0f} B a waiter and minute", "", True)
        site.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loadline", required=True)
    parser.add_argument("--crowd", required=True)
    parser.add_argument("--hold", type=int, default=300, help="seconds that streams are held")
    parser.add_argument("--streams", type=int, default=15_000)
    parser.add_argument("--waiting", type=int, default=1_000_000)
    parser.add_argument("experiments", nargs="*", choices=[[], "redis", "embedded", "streams", "news", "updates"])
    args = parser.parse_args()
    print("| what | goal | seen | ceiling | |\n|---|---|---|---|---|")
    for name in args.experiments or ["redis", "embedded", "streams", "news", "updates"]:
        globals()[name](args)
    sys.exit(f"missed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
