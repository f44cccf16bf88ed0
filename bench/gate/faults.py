#!/usr/bin/env python3
"""The waiting room's fault list on both stores: kills, outages, ghosts; judged by `check`.

usage: bench/gate/faults.py --loadline BIN --crowd BIN --check BIN [--short] [--only NAME]

Every case plays visitors with `crowd --patient yes` while something goes wrong, then stops
the gates and lets `check` compare the visitors' logs with the store. Loopback only.
"""
import argparse, json, os, random, signal, socket, subprocess, sys, tempfile, time, urllib.request


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Redis:
    def __init__(self, home):
        self.port, self.home = free_port(), home
        self.start()

    def start(self, keep=False):
        args = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.home]
        args += ["--appendonly", "yes" if keep else "no"]
        self.process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)

    def restart_empty(self):
        self.process.kill()
        self.process.wait()
        self.start()

    def end(self):
        self.process.kill()
        self.process.wait()

    def url(self):
        return f"redis://127.0.0.1:{self.port}"


class Gate:
    def __init__(self, args, home, redis, number):
        self.home, self.public, self.admin = home, free_port(), free_port()
        self.command = [args.loadline, "gate", "--data", f"{home}/state{number}", "--secret-file", f"{home}/secret",
                        "--public", f"127.0.0.1:{self.public}", "--admin", f"127.0.0.1:{self.admin}",
                        "--joins-per-address", "0", "--lang", "en"]
        if redis:
            self.command += ["--redis", redis.url()]
        self.out = open(f"{home}/gate{number}.out", "a+")
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=self.out, stderr=self.out)

    def wait_ready(self):
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.admin}/readyz", timeout=1) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.01)
        raise SystemExit("a gate does not get ready")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def key(self):
        self.out.flush()
        for word in open(self.out.name).read().split():
            if word.startswith("wrk_"):
                return word

    def ask(self, key, path, body):
        request = urllib.request.Request(f"http://127.0.0.1:{self.admin}{path}", json.dumps(body).encode(),
                                         {"Authorization": f"Bearer {key}"})
        return json.load(urllib.request.urlopen(request, timeout=10))


class Case:
    """Gates on a store, a queue, visitors, and what the checker says of them."""

    def __init__(self, args, store, gates=1, rate=200, cap=None, visitors=1000, arrive=100, ghosts=0):
        self.args, self.home = args, tempfile.mkdtemp(prefix="gate-")
        self.redis = Redis(self.home) if store == "redis" else None
        self.gates = []
        for number in range(gates):
            gate = Gate(args, self.home, self.redis, number)
            gate.wait_ready()
            self.gates.append(gate)
        key = next(gate.key() for gate in self.gates if gate.key())
        tenant = self.gates[0].ask(key, "/v1/tenants", {"name": "faults"})["id"]
        self.cap = cap or visitors
        rules = {"tenant": tenant, "slug": "faults", "rate_per_s": rate, "cap": self.cap, "away_after_s": 15,
                 "redirect_origins": ["http://127.0.0.1:1"], "claim_within_s": 300, "idle_s": 3600}
        self.queue = self.gates[0].ask(key, "/v1/queues", rules)["id"]
        self.log = f"{self.home}/crowd.log"
        self.crowd = subprocess.Popen(
            [args.crowd, "streams", "--gate", ",".join(f"127.0.0.1:{g.public}" for g in self.gates),
             "--queue", self.queue, "--key", key, "--visitors", str(visitors), "--arrive", str(arrive),
             "--seconds", "240", "--patient", "yes", "--claim", "yes", "--ghosts", str(ghosts), "--log", self.log],
            stdout=open(f"{self.home}/crowd.out", "w"))

    def running(self):
        return self.crowd.poll() is None

    def judge(self):
        self.crowd.wait(timeout=400)
        for gate in self.gates:
            gate.process.send_signal(signal.SIGTERM)
            gate.process.wait(timeout=20)
        place = ["--redis", self.redis.url()] if self.redis else ["--journal", f"{self.home}/state0"]
        check = subprocess.run([self.args.check, "--cap", str(self.cap), "--queue", self.queue, *place, self.log],
                               capture_output=True, text=True)
        if self.redis:
            self.redis.end()
        last = open(f"{self.home}/crowd.out").read().strip().splitlines()[-2:]
        return check.returncode == 0, check.stdout.strip().splitlines() + last


def kills(args, store):
    """kill -9 of a gate around admissions; its clients reconnect on their own."""
    times = 40 if args.short else 1000
    seconds = times * 0.28 + 5
    case = Case(args, store, gates=1, rate=100, visitors=int(seconds * 50), arrive=50)
    done = 0
    gate = case.gates[0]
    while done < times:
        time.sleep(random.uniform(0.02, 0.3))
        gate.kill()
        gate.start()
        gate.wait_ready()
        done += 1
    ok, lines = case.judge()
    return ok, [f"{done} kills"] + lines


def two_gates_killed(args, store):
    """Two gates, one of them killed at a time."""
    case = Case(args, store, gates=2, rate=100, visitors=600 if args.short else 2000, arrive=50)
    done = 0
    while case.running() and done < (10 if args.short else 40):
        gate = random.choice(case.gates)
        gate.kill()
        time.sleep(0.3)
        gate.start()
        gate.wait_ready()
        time.sleep(0.5)
        done += 1
    ok, lines = case.judge()
    return ok, [f"{done} kills"] + lines


def redis_stopped(args, store):
    """Redis stands still for 30 s, and goes on."""
    case = Case(args, store, gates=2, rate=60, visitors=1500, arrive=100)
    time.sleep(5)
    case.redis.process.send_signal(signal.SIGSTOP)
    time.sleep(5 if args.short else 30)
    case.redis.process.send_signal(signal.SIGCONT)
    return case.judge()


def redis_emptied(args, store):
    """Redis is killed and comes back with nothing, three times."""
    case = Case(args, store, gates=2, rate=60, visitors=1500, arrive=100)
    for _ in range(1 if args.short else 3):
        time.sleep(4)
        case.redis.restart_empty()
    return case.judge()


def ghosts(args, store):
    """40 of 100 register and never come back; the others get every turn."""
    case = Case(args, store, gates=1, rate=100, visitors=1000 if args.short else 3000, arrive=200, ghosts=40)
    return case.judge()


CASES = [(kills, "embedded"), (kills, "redis"), (two_gates_killed, "redis"), (redis_stopped, "redis"),
         (redis_emptied, "redis"), (ghosts, "embedded"), (ghosts, "redis")]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("loadline", "crowd", "check"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only")
    args = parser.parse_args()
    failed = 0
    for case, store in CASES:
        if args.only and args.only not in (case.__name__, store):
            continue
        begin = time.time()
        ok, lines = case(args, store)
        failed += not ok
        print(f"{'pass' if ok else 'FAIL'}  {case.__name__} on {store}, {time.time() - begin:.0f} s", flush=True)
        for line in lines:
            print(f"      {line}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
