#!/usr/bin/env python3
"""From a load test to a waiting room that holds to it, on the built-in target.

usage: examples/gate/arrow.py LOADLINE [--seconds 60] [--dir DIR]

1. `loadline demo` serves; `loadline capacity` finds what it carries and writes a file.
2. `loadline gate` starts, and `loadline gate import` sets a queue's rate and cap from the file.
3. A crowd of 200 comes at once: all must come in, and wait about as long as they are told.
4. Visitors come at five times the line, first through the gate, then without it.

Behind the gate the service's p95 keeps the objective in at least 99 % of windows of five seconds, and people
are let in at the imported rate, within 2 %. Without it the objective is missed. Takes about five
minutes; nothing else should run. Loopback only. `--capacity FILE` leaves the search out,
`--only capacity` stops after it, and `--only crowd` after the crowd.

[한국어] 내장 대상에서 부하 테스트부터 그 결과를 지키는 대기실까지.

usage: examples/gate/arrow.py LOADLINE [--seconds 60] [--dir DIR]

1. `loadline demo`가 대상이 되고, `loadline capacity`가 견디는 부하를 찾아 파일로 씁니다.
2. `loadline gate`를 시작하고, `loadline gate import`가 그 파일로 대기열의 속도와 상한을 정합니다.
3. 200명이 한꺼번에 옵니다. 모두 입장해야 하고, 안내받은 만큼만 기다려야 합니다.
4. 한계선의 다섯 배로 방문자가 옵니다. 먼저 게이트를 거쳐서, 다음에는 게이트 없이.

게이트 뒤에서 서비스의 p95는 5초 구간의 99 % 이상에서 목표를 지키고, 입장 속도는 가져온 값과 2 % 이내로
같습니다. 게이트가 없으면 목표에 미달합니다. 5분쯤 걸리고 그동안 다른 프로그램을 실행하지 마세요. 이 장비 안에서만
통신합니다. `--capacity FILE`을 주면 탐색을 건너뛰고, `--only capacity`는 탐색까지만, `--only crowd`는 3번까지만
합니다.
"""
import argparse, json, os, re, subprocess, sys, tempfile, threading, time, urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
SLO_MS = 80
CROWD = 200
# One connection and queries of 25 ms: 40 requests a second, and waits that grow as that comes near.
SETTINGS = {"pool": {"max": 1}, "contents": {"query_ms": 25}}


def start(command, out, wait_for):
    """Starts a server; gives it and what it printed once a line of its output matches."""
    process = subprocess.Popen(command, stdout=open(out, "w"), stderr=subprocess.STDOUT)
    for _ in range(400):
        said = open(out).read()
        if re.search(wait_for, said):
            return process, said
        time.sleep(0.05)
    process.kill()
    sys.exit(f"{command}: {open(out).read()}")


def ask(url, key, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Authorization": f"Bearer {key}"})
    return json.load(urllib.request.urlopen(request, timeout=10))


class Admitted(threading.Thread):
    """Looks each second how many were let in while people waited; `rate()` since the first burst."""

    def __init__(self, url, key):
        super().__init__(daemon=True)
        self.url, self.key, self.seen = url, key, []

    def run(self):
        while True:
            stats = ask(self.url, self.key)
            if stats["waiting"] > 10:
                self.seen.append((time.time(), stats["totals"]["admitted"], stats["ready"] + stats["inside"]))
            time.sleep(1)

    def rate(self):
        # The first seconds hold the burst of a second that a queue may begin with.
        (since, before, _), (until, after, _) = self.seen[5], self.seen[-1]
        return (after - before) / (until - since), until - since, max(inside for _, _, inside in self.seen)


def visitors(args, name, flags):
    """Plays the visitors; what they said, and the share of windows that kept the objective."""
    command = [args.loadline, "run", "-q", "--no-store", f"{HERE}/visitors.js", *(f"-e{flag}" for flag in flags)]
    command += ["-e", f"SECONDS={args.seconds}", "-e", f"SLO_MS={SLO_MS}"]
    run = subprocess.run(command, capture_output=True, text=True)
    open(f"{args.dir}/{name}.txt", "w").write(run.stdout + run.stderr)
    kept = re.search(r"windows with p95 .*?: (\d+) of (\d+)", run.stdout)
    if not kept:
        sys.exit(f"{name}: {run.stdout}{run.stderr}")
    for line in run.stdout.strip().splitlines()[-2:]:
        print(f"   {line}")
    return run.returncode, int(kept[1]) / int(kept[2])


def crowd(args, flags):
    """Plays the crowd; whether all came in, and the median of how much longer each waited than told."""
    command = [args.loadline, "run", "-q", "--no-store", f"{HERE}/crowd.js", *(f"-e{flag}" for flag in flags)]
    run = subprocess.run(command + ["-e", f"CROWD={CROWD}"], capture_output=True, text=True)
    open(f"{args.dir}/crowd.txt", "w").write(run.stdout + run.stderr)
    came = re.search(r"came in: (\d+) of (\d+)", run.stdout)
    waits = re.search(r"told when joining: median ([\d.]+) s.*waited: median ([\d.]+) s", run.stdout)
    if not came or not waits:
        sys.exit(f"crowd: {run.stdout}{run.stderr}")
    for line in run.stdout.strip().splitlines():
        print(f"   {line}")
    return came[1] == came[2], float(waits[1]), float(waits[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loadline")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--dir", default=None)
    parser.add_argument("--capacity")
    parser.add_argument("--only", choices=["capacity", "crowd"])
    args = parser.parse_args()
    args.loadline = os.path.abspath(args.loadline)
    args.dir = args.dir or tempfile.mkdtemp(prefix="arrow-")
    os.makedirs(args.dir, exist_ok=True)
    servers, wrong = [], []
    try:
        demo, said = start([args.loadline, "demo", "--address", "127.0.0.1:0"], f"{args.dir}/demo.txt", r"http://\S+")
        servers.append(demo)
        base = re.search(r"http://\S+", said)[0]
        settings = urllib.request.Request(f"{base}/settings", json.dumps(SETTINGS).encode(), method="PUT")
        urllib.request.urlopen(settings, timeout=10).close()
        file = args.capacity or f"{args.dir}/capacity.json"
        if not args.capacity:
            print(f"1. what {base} carries", flush=True)
            subprocess.run([args.loadline, "capacity", f"{HERE}/session.js", "-e", f"BASE={base}", "--slo", f"p(95)<{SLO_MS}ms",
                            "--slo", "errors<1%", "--no-soak", "--export", file, "--budget", "205s", "--confirm", "20s"],
                           stdout=open(f"{args.dir}/capacity.txt", "w"), stderr=subprocess.STDOUT, check=True)
        found = json.load(open(file))
        line = found["line"]["throughput"]
        print(f"   line {line:.1f} sessions/s, {found['line']['requests_per_second']:.1f} requests/s; "
              f"knee {found['knee']['throughput']:.1f} sessions/s with {found['knee']['in_flight']:.0f} in flight", flush=True)
        if args.only == "capacity":
            return
        print("2. a gate, and the import", flush=True)
        gate, said = start([args.loadline, "gate", "--data", f"{args.dir}/gate", "--public", "127.0.0.1:0", "--admin",
                            "127.0.0.1:0", "--joins-per-address", "0", "--lang", "en"], f"{args.dir}/gate.txt", r"Root key: in \S+,")
        servers.append(gate)
        public, admin = re.findall(r"http://\S+", said)[:2]
        key = open(f"{args.dir}/gate/first-key").read().strip()
        tenant = ask(f"{admin}/v1/tenants", key, {"name": "arrow"})["id"]
        queue = ask(f"{admin}/v1/queues", key, {"tenant": tenant, "slug": "arrow", "redirect_origins": [base]})["id"]
        imported = subprocess.run([args.loadline, "gate", "import", file, "--queue", queue, "--key", key, "--lang", "en",
                                   "--admin", admin.removeprefix("http://")], capture_output=True, text=True, check=True)
        print(f"   {imported.stdout.strip()}")
        rules = ask(f"{admin}/v1/queues/{queue}", key)
        to_gate = [f"BASE={base}", f"GATE={public}", f"KEY={key}", f"QUEUE={queue}"]
        print(f"3. a crowd of {CROWD} at once; by the rate alone it takes {CROWD / rules['rate_per_s']:.0f} s", flush=True)
        all_in, told, waited = crowd(args, to_gate)
        wrong += [] if all_in else ["not all of the crowd came in"]
        wrong += [] if abs(told - waited) <= 0.25 * waited else [f"the crowd was told {told} s and waited {waited} s"]
        if args.only == "crowd":
            sys.exit(f"FAILED: {'; '.join(wrong)}" if wrong else 0)
        arrive = round(5 * line)
        print(f"4. {arrive} visitors a second for {args.seconds} s, five times the line, through the gate", flush=True)
        admitted = Admitted(f"{admin}/v1/queues/{queue}/stats", key)
        admitted.start()
        code, kept = visitors(args, "with", [*to_gate, f"RATE={arrive}"])
        rate, seconds, inside = admitted.rate()
        off = rate / rules["rate_per_s"] - 1
        print(f"   let in {rate:.2f}/s over {seconds:.0f} s, imported {rules['rate_per_s']:.2f}/s: {off:+.1%}; "
              f"at most {inside} ready or inside, cap {rules['cap']}")
        wrong += [] if code == 0 else [f"exit code {code}, see {args.dir}/with.txt"]
        wrong += [] if kept >= 0.99 else ["the objective was missed behind the gate"]
        wrong += [] if abs(off) <= 0.02 else ["people were not let in at the imported rate"]
        wrong += [] if inside <= rules["cap"] else ["more were inside than may be"]
        print("   the same without the gate", flush=True)
        _, kept = visitors(args, "without", [f"BASE={base}", f"RATE={arrive}", "DIRECT=1"])
        wrong += [] if kept < 0.5 else ["the service carries it without a gate"]
    finally:
        for server in servers:
            server.terminate()
            server.wait()
    print(f"FAILED: {'; '.join(wrong)}" if wrong else "the arrow holds")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
