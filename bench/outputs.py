#!/usr/bin/env python3
"""Each output against a real receiver: nothing is lost, whatever the receiver does.

    bench/outputs.py [--binary target/release/loadline] [--only NAME] [--short]

Needs influxd and prometheus (apt-get install influxdb prometheus), python3 with
opentelemetry-proto and grpcio (pip install opentelemetry-proto grpcio). Everything listens on
127.0.0.1 with data directories of its own and is gone at the end.

Five questions, each to every output it concerns:
  files    are the JSON and CSV files those of k6 for the same script?
  sums     does the sum of counts the receiver has equal http_reqs?
  outage   receiver stopped for 20 s at 2,000 requests/s: is anything lost? The receiver catches
           up on the same processors, so what this costs the run is asked by itself:
  price    the same load in turn with no output and with one whose receiver is away for all of
           it: do the workers pay, do starts come later?
  spool    the same with --spool-max 1MiB: does the sum still hold, is the loss of single
           points what was stated?
"""
import argparse, collections, csv, json, os, re, shutil, statistics, subprocess
import sys, tempfile, threading, time

from receivers import File, Influx, Otlp, Prometheus, free_port, wait_for

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

SCRIPT = """
import http from 'k6/http';
import { check } from 'k6';
export const options = { scenarios: { load: { executor: 'constant-arrival-rate',
  rate: Number(__ENV.RATE), timeUnit: '1s', duration: __ENV.TIME, preAllocatedVUs: 50, maxVUs: 400 } } };
export default function () {
  const res = http.get(__ENV.TARGET + '/');
  check(res, { ok: (r) => r.status === 200 });
}
"""

failures = []


def say(text):
    print(text, flush=True)


def verdict(name, holds, detail):
    say(f"  {'ok  ' if holds else 'FAIL'} {name}: {detail}")
    if not holds:
        failures.append(f"{name}: {detail}")


class Bench:
    def __init__(self, options, home):
        self.options, self.home = options, home
        self.script = os.path.join(home, "load.js")
        open(self.script, "w").write(SCRIPT)
        self.target = free_port()
        log = open(os.path.join(home, "target.log"), "w")
        self.server = subprocess.Popen(
            [options.binary, "mock", "--address", f"127.0.0.1:{self.target}"], stdout=log, stderr=log)
        wait_for(f"http://127.0.0.1:{self.target}/")
        self.number = 0

    def run(self, receiver, rate, seconds, flags=(), outage=None):
        self.number += 1
        run = f"run{self.number}"
        arguments, environment = receiver.use(run) if receiver else ([], {})
        summary = os.path.join(self.home, f"{run}.summary.json")
        store = os.path.join(self.home, f"{run}.db")
        command = [self.options.binary, "run", "--quiet", self.script, *arguments, *flags, "--store", store,
                   "-e", f"TARGET=http://127.0.0.1:{self.target}", "-e", f"RATE={rate}", "-e", f"TIME={seconds}s",
                   "--summary-export", summary, "--lang", "en"]
        began = time.time()
        with open(os.path.join(self.home, f"{run}.out"), "w+") as out:
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT,
                                       env={**os.environ, **environment})
            timer = threading.Thread(target=self.interrupt, args=(receiver, outage)) if outage else None
            if timer:
                timer.start()
            cpu, all_cpu, rss = {}, 0, 0
            while process.poll() is None:
                try:
                    for task in os.listdir(f"/proc/{process.pid}/task"):
                        stat = open(f"/proc/{process.pid}/task/{task}/stat").read()
                        name = stat[stat.index("(") + 1:stat.rindex(")")]
                        fields = stat[stat.rindex(")") + 2:].split()
                        cpu[name, task] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                    status = open(f"/proc/{process.pid}/status").read()
                    rss = max(rss, int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) // 1024)
                except (OSError, AttributeError):
                    pass
                time.sleep(0.2)
            if timer:
                timer.join()
            out.seek(0)
            text = out.read()
        data = json.load(open(summary))
        look = lambda *what: subprocess.run([self.options.binary, *what, "--store", store],
                                            capture_output=True, text=True).stdout
        lags = [json.loads(line) for line in look("runs", "export", "latest", "--metric", "start_lag").splitlines()]
        lags = [line for line in lags if line["type"] == "point" and line["count"] > 100]
        shown = look("show", "latest", "--events")
        return {
            "requests": data["metrics"]["http_reqs"]["count"],
            "iterations": data["metrics"]["iterations"]["count"],
            "dropped": data["metrics"].get("dropped_iterations", {"count": 0})["count"],
            "workers": sum(v for (name, _), v in cpu.items() if name.startswith("worker")),
            "others": {k: sum(v for (n, _), v in cpu.items() if n == k) for k in {n for n, _ in cpu} if not k.startswith("worker")},
            "rss": rss, "text": text, "seconds": time.time() - began, "exit": process.returncode,
            "lag": [statistics.median(line[at] for line in lags) if lags else None for at in ("p50", "p99")],
            "shown": shown,
        }

    def interrupt(self, receiver, outage):
        after, length = outage
        time.sleep(after)
        receiver.server.stop()
        time.sleep(length)
        receiver.server.start()

    def sums(self, receiver):
        say(f"sums, {receiver.name}")
        result = self.run(receiver, 500, 5)
        requests = receiver.requests()
        verdict("sum of counts", requests == result["requests"], f"http_reqs {result['requests']}, receiver {requests:.0f}")
        durations = receiver.durations()
        verdict("count of durations", durations == result["requests"], f"receiver {durations:.0f}")

    def outage(self, receiver):
        seconds, length = (20, 8) if self.options.short else (40, 20)
        say(f"outage of {length} s at 2,000 requests/s, {receiver.name}")
        result = self.run(receiver, 2000, seconds, outage=(6, length))
        requests, durations = receiver.requests(), receiver.durations()
        verdict("sum of counts", requests == result["requests"], f"http_reqs {result['requests']}, receiver {requests:.0f}")
        verdict("count of durations", durations == result["requests"], f"receiver {durations:.0f}")
        planned = 2000 * seconds + 1  # the last at the very end
        verdict("planned starts", result["requests"] + result["dropped"] == planned,
                f"{planned} = {result['requests']} requests + {result['dropped']} dropped")
        said = "not delivered" in result["text"] or "were replaced" in result["text"]
        verdict("nothing replaced or undelivered", not said, "as the run says")
        if hasattr(receiver, "seconds"):
            own = receiver.seconds()
            verdict("a sample for every second", own >= seconds, f"{own:.0f} samples of a series of {seconds} s")
        say(f"       memory {result['rss']} MiB")
        others = sorted(result["others"].items(), key=lambda item: -item[1])[:5]
        say("       other threads, s of CPU: " + ", ".join(f"{name} {cpu:.2f}" for name, cpu in others))

    def price(self, receiver):
        seconds, pairs = (6, 2) if self.options.short else (15, self.options.pairs)
        say(f"price of {receiver.name}, receiver away: {pairs} pairs of {seconds} s at 2,000 requests/s")
        without, with_it = [], []
        for _ in range(pairs):
            without.append(self.run(None, 2000, seconds))
            with_it.append(self.run(receiver, 2000, seconds, outage=(0, seconds)))
        for what, of in (("workers, us/request", lambda r: r["workers"] / r["requests"] * 1e6),
                         ("start lag p50, us", lambda r: r["lag"][0] * 1e3),
                         ("start lag p99, us", lambda r: r["lag"][1] * 1e3)):
            bare, paid = sorted(map(of, without)), sorted(map(of, with_it))
            middle = [statistics.median(bare), statistics.median(paid)]
            shown = [f"{statistics.median(all):.1f} [{all[0]:.1f}-{all[-1]:.1f}]" for all in (bare, paid)]
            verdict(f"{what} within noise", middle[1] <= bare[-1], f"without {shown[0]}, with {shown[1]}")

    def spool(self, receiver):
        seconds, length = (20, 8) if self.options.short else (40, 20)
        say(f"outage of {length} s with --spool-max 1MiB, {receiver.name}")
        file = File(self.home, "json")
        beside, _ = file.use("beside")
        result = self.run(receiver, 2000, seconds, flags=["--spool-max", "1MiB", *beside], outage=(6, length))
        requests, durations = receiver.requests(), receiver.durations()
        verdict("sum of counts", requests == result["requests"], f"http_reqs {result['requests']}, receiver {requests:.0f}")
        verdict("count of durations", durations == result["requests"], f"receiver {durations:.0f}")
        stated = re.findall(r": ([\d,]+) single samples from (\S+) to (\S+) were replaced", result["text"])
        verdict("the loss is stated", len(stated) == 1, str(stated))
        printed = [line for line in result["text"].splitlines() if "take the place" in line]
        verdict("the moment is printed", bool(printed), printed[0] if printed else "")
        if stated:
            count = int(stated[0][0].replace(",", ""))
            single = receiver.single_points()
            # The file has every sample but those of start_lag, which k6 does not have.
            total = sum(1 for _ in file.lines()) + int(result["iterations"])
            verdict("single points and stated loss add up", single + count == total,
                    f"{single} single + {count} replaced = {single + count}; samples in all {total}")


def compare_with_k6(bench, k6):
    """The files of k6 and ours for one script: same columns, same kinds of lines, as many of each."""
    script = os.path.join(bench.home, "kinds.js")
    open(script, "w").write("""
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const [t, c, g, r] = [new Trend('my_trend', true), new Counter('my_count'), new Gauge('my_gauge'), new Rate('my_rate')];
export const options = {
  scenarios: { a: { executor: 'shared-iterations', vus: 2, iterations: 20, tags: { team: 'x y,z' } } },
  thresholds: { http_reqs: ['count>0'], 'http_req_duration{status:200}': ['p(95)<5000'] } };
export default function () {
  group('gr<1>', () => {
    const res = http.get(__ENV.TARGET + '/?a=1&b=2', { tags: { my: 'ta"g' } });
    check(res, { 'ok "1"': (x) => x.status === 200 });
  });
  t.add(1.5, { k: 'v' }); c.add(2); g.add(1e21); r.add(true);
  http.get('http://127.0.0.1:1/');
}
""")

    def files(program):
        made = [os.path.join(bench.home, f"{os.path.basename(program)}.{kind}") for kind in ("json", "csv")]
        subprocess.run([program, "run", "--quiet", script, "-o", f"json={made[0]}", "-o", f"csv={made[1]}",
                        "-e", f"TARGET=http://127.0.0.1:{bench.target}"],
                       check=True, capture_output=True, env={**os.environ, "LOADLINE_STORE": "off"})
        lines = collections.Counter()
        for line in open(made[0]):
            line = json.loads(line)
            data = line["data"]
            if line["type"] == "Metric":
                data["submetrics"] = sorted(data["submetrics"] or [], key=str)
                lines["Metric", json.dumps(data, sort_keys=True)] += 1
            elif line["metric"] not in ("vus", "vus_max"):  # as many as seconds have begun
                lines["Point", line["metric"], *sorted(data), json.dumps(data["tags"], sort_keys=True)] += 1
        head, *rows = csv.reader(open(made[1]))
        extra = head.index("extra_tags")
        rows = collections.Counter((row[0], *row[3:extra], *sorted(row[extra].split("&"))) for row in rows
                                   if row[0] not in ("vus", "vus_max"))
        return lines, head, rows

    say("files beside k6's")
    (our_lines, our_head, our_rows), (lines, head, rows) = files(bench.options.binary), files(k6)
    gone = lambda one, other: list((one - other) + (other - one))[:4]
    same = {line for line in lines if line[0] == "Point"} | {line for line in our_lines if line[0] == "Point"}
    verdict("json", all(lines[line] == our_lines[line] for line in same),
            f"{sum(lines.values())} and {sum(our_lines.values())} lines of {len(lines)} kinds; different: {gone(lines, our_lines)}")
    verdict("csv", head == our_head and rows == our_rows,
            f"{sum(rows.values())} and {sum(our_rows.values())} rows of {len(rows)} kinds; different: {gone(rows, our_rows)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, "target/release/loadline"))
    parser.add_argument("--only", help="part of the names of the outputs to try")
    parser.add_argument("--question", choices=["files", "sums", "outage", "price", "spool"])
    parser.add_argument("--k6", default=shutil.which("k6") or os.path.expanduser("~/go/bin/k6"))
    parser.add_argument("--pairs", type=int, default=5, help="pairs of runs behind a price (5)")
    parser.add_argument("--short", action="store_true", help="outages of 8 s")
    parser.add_argument("--keep", action="store_true", help="keep the folder")
    options = parser.parse_args()
    for tool in ("influxd", "prometheus"):
        if not shutil.which(tool):
            raise SystemExit(f"{tool} is not installed: apt-get install influxdb prometheus")
    home = tempfile.mkdtemp(prefix="outputs-", dir="/var/tmp")
    bench = Bench(options, home)
    receivers = [File(home, "json"), File(home, "csv"), File(home, "json.gz"), File(home, "csv.gz"),
                 Influx(home), Prometheus(home, False), Prometheus(home, True), Otlp(home, "grpc"), Otlp(home, "http")]
    receivers = [r for r in receivers if not options.only or options.only in r.name]
    wanted = lambda question: options.question in (None, question)
    try:
        for receiver in receivers:
            if hasattr(receiver, "server"):
                receiver.server.start()
        if wanted("files") and not options.only:
            if os.path.exists(options.k6):
                compare_with_k6(bench, options.k6)
            else:
                say("files beside k6's: skipped, there is no k6")
        if wanted("sums"):
            for receiver in receivers:
                bench.sums(receiver)
        for ask in (question for question in ("outage", "price") if wanted(question)):
            for receiver in receivers:
                if hasattr(receiver, "server"):
                    getattr(bench, ask)(receiver)
        if wanted("spool"):
            for receiver in receivers:
                if isinstance(receiver, Influx):
                    bench.spool(receiver)
    finally:
        bench.server.terminate()
        for receiver in receivers:
            if hasattr(receiver, "server"):
                receiver.server.stop()
        if options.keep:
            say(home)
        else:
            shutil.rmtree(home, ignore_errors=True)
    say("all hold" if not failures else "\n".join(["FAILED:", *failures]))
    sys.exit(bool(failures))


main()
