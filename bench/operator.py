#!/usr/bin/env python3
"""Four parts of one test, started as the k6 operator starts them, in four network namespaces.

    sudo bench/operator.py [--binary target/release/loadline]

Each namespace has its own loopback, so all four listen on 0.0.0.0:6565 as they do in pods. Shown:
together they plan exactly the start offsets of the whole test (inspect --schedule), send exactly
its iterations, and load begins within 50 ms of the answer to PATCH /v1/status. Needs root and
ip(8); without them it says so and ends well.
"""
import argparse, json, os, shutil, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
SEQUENCE = "0,1/4,1/2,3/4,1"
CUTS = SEQUENCE.split(",")

SCRIPT = """
import http from 'k6/http';
export const options = { scenarios: {
  steady: { executor: 'constant-arrival-rate', rate: 97, timeUnit: '1s', duration: '6s', preAllocatedVUs: 40 },
  ramp: { executor: 'ramping-arrival-rate', startRate: 3, timeUnit: '1s', startTime: '1s', preAllocatedVUs: 40,
          stages: [{ duration: '3s', target: 71 }, { duration: '2s', target: 5 }] },
  shared: { executor: 'shared-iterations', vus: 10, iterations: 203, startTime: '2s' },
} };
export default function () { http.get('http://127.0.0.1:9000/'); }
"""

# Answers at once and remembers when the first request came.
TARGET = """
import asyncio, sys, time
async def main():
    first = []
    async def serve(reader, writer):
        try:
            while True:
                await reader.readuntil(b'\\r\\n\\r\\n')
                if not first:
                    first.append(time.time())
                    open(sys.argv[1], 'w').write(repr(first[0]))
                writer.write(b'HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n')
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
    server = await asyncio.start_server(serve, '127.0.0.1', 9000)
    open(sys.argv[1] + '.up', 'w')
    await server.serve_forever()
asyncio.run(main())
"""

CALL = """
import json, sys, time, urllib.request
def call(method, body=None):
    request = urllib.request.Request('http://127.0.0.1:6565/v1/status', method=method, data=body and json.dumps(body).encode())
    return json.load(urllib.request.urlopen(request, timeout=5))['data']['attributes']
if sys.argv[1] == 'status':
    print(json.dumps(call('GET')))
else:
    answer = call('PATCH', {'data': {'type': 'status', 'id': 'default', 'attributes': {'paused': False}}})
    print(json.dumps([time.time(), answer]))
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=os.path.join(os.path.dirname(HERE), "target/release/loadline"))
    options = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("ip"):
        print("skipped: needs root and ip(8) to make network namespaces")
        return 0
    if subprocess.run(["ip", "netns", "add", "loadline-probe"], capture_output=True).returncode:
        print("skipped: network namespaces cannot be made here")
        return 0
    subprocess.run(["ip", "netns", "del", "loadline-probe"], check=True)
    failures = []

    def verdict(name, holds, detail):
        print(f"  {'ok  ' if holds else 'FAIL'} {name}: {detail}", flush=True)
        if not holds:
            failures.append(name)

    home = tempfile.mkdtemp(prefix="operator-", dir="/var/tmp")
    k6 = os.path.join(home, "k6")
    os.symlink(os.path.abspath(options.binary), k6)
    script = os.path.join(home, "script.js")
    open(script, "w").write(SCRIPT)

    def schedule(*flags):
        text = subprocess.run([k6, "inspect", "--schedule", *flags, script], check=True, capture_output=True, text=True).stdout
        return {s["name"]: s for s in json.loads(text)["scenarios"]}

    parts = [f"{CUTS[i]}:{CUTS[i + 1]}" for i in range(4)]
    segment = lambda part: [f"--execution-segment={part}", f"--execution-segment-sequence={SEQUENCE}"]
    whole = schedule()
    cut = [schedule(*segment(part)) for part in parts]
    print("planned")
    for name, scenario in whole.items():
        if "startOffsetsNs" in scenario:
            together = sorted(at for part in cut for at in part.get(name, {}).get("startOffsetsNs", []))
            verdict(name, together == scenario["startOffsetsNs"],
                    f"{len(scenario['startOffsetsNs'])} starts, parts {[len(p[name]['startOffsetsNs']) for p in cut]}, equal to the nanosecond")
        else:
            together = sum(part.get(name, {}).get("iterations", 0) for part in cut)
            verdict(name, together == scenario["iterations"], f"{scenario['iterations']} iterations, parts {[p[name]['iterations'] for p in cut]}")
    expected = sum(s.get("starts", s.get("iterations")) for s in whole.values())

    spaces = [f"loadline-{i}" for i in range(4)]
    running, targets = [], []
    try:
        for space in spaces:
            subprocess.run(["ip", "netns", "add", space], check=True)
            subprocess.run(["ip", "-n", space, "link", "set", "lo", "up"], check=True)
        for i, space in enumerate(spaces):
            first = os.path.join(home, f"first{i}")
            inside = ["ip", "netns", "exec", space]
            targets.append(subprocess.Popen([*inside, sys.executable, "-c", TARGET, first]))
            while not os.path.exists(first + ".up"):
                time.sleep(0.05)
            command = [k6, "run", "--quiet", *segment(parts[i]), script, "--address=0.0.0.0:6565", "--paused",
                       "--tag", f"instance_id={i + 1}", "--tag", f"job_name=test-{i + 1}",
                       "--summary-export", os.path.join(home, f"summary{i}.json")]
            out = open(os.path.join(home, f"out{i}"), "w")
            running.append(subprocess.Popen([*inside, *command], stdout=out, stderr=subprocess.STDOUT))
        call = lambda i, what: json.loads(subprocess.run(
            ["ip", "netns", "exec", spaces[i], sys.executable, "-c", CALL, what], check=True, capture_output=True, text=True).stdout)
        print("paused")
        for i in range(4):
            end = time.time() + 20
            while True:
                try:
                    status = call(i, "status")
                except subprocess.CalledProcessError:
                    status = {}
                if status.get("status") == 4 or time.time() > end:
                    break
                time.sleep(0.1)
            verdict(parts[i], status.get("paused") is True and status.get("running") is False, json.dumps(status))
        time.sleep(1)
        early = [i for i in range(4) if os.path.exists(os.path.join(home, f"first{i}"))]
        verdict("nothing sent while paused", not early, f"{early or 'none'}")
        print("un-paused")
        replies = [call(i, "unpause")[0] for i in range(4)]
        exits = [process.wait(timeout=60) for process in running]
        verdict("exit codes", exits == [0] * 4, str(exits))
        for i in range(4):
            first = float(open(os.path.join(home, f"first{i}")).read())
            late = (first - replies[i]) * 1000
            verdict(f"{parts[i]} begins", late <= 50, f"first request {late:.1f} ms after the reply")
        print("sent")
        sent = []
        for i in range(4):
            metrics = json.load(open(os.path.join(home, f"summary{i}.json")))["metrics"]
            dropped = metrics.get("dropped_iterations", {}).get("count", 0)
            sent.append(metrics["iterations"]["count"] + dropped)
        verdict("iterations", sum(sent) == expected, f"{sent} = {sum(sent)}, the whole test plans {expected}")
    finally:
        for process in [*running, *targets]:
            if process.poll() is None:
                process.terminate()
                process.wait()
        for space in spaces:
            subprocess.run(["ip", "netns", "del", space], capture_output=True)
        shutil.rmtree(home, ignore_errors=True)
    print("all hold" if not failures else f"FAILED: {failures}")
    return bool(failures)


sys.exit(main())
