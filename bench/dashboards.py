#!/usr/bin/env python3
"""Does every query of the Grafana dashboards find something after a run?

    bench/dashboards.py [--binary target/release/loadline]

Needs influxd and prometheus (apt-get install influxdb prometheus). A run with failed requests,
failed checks and dropped starts is sent to both; then each query of deploy/grafana is asked
with the variables filled in as Grafana would.
"""
import argparse, json, os, shutil, subprocess, sys, tempfile, time, urllib.parse, urllib.request

from receivers import Influx, Prometheus, free_port, wait_for

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECONDS = 20
SCRIPT = """
import http from 'k6/http';
import { check, sleep } from 'k6';
export const options = { scenarios: { shop: { executor: 'constant-arrival-rate',
  rate: 40, duration: '__SECONDS__s', preAllocatedVUs: 3, maxVUs: 3 } } };
export default function () {
  const res = http.get(__ENV.TARGET + '/', { tags: { name: 'page' } });
  check(res, { ok: (r) => r.status === 200, never: () => false });
  http.get('http://127.0.0.1:1/', { tags: { name: 'nobody' } });
  sleep(0.1);
}
"""
# Only with a window in place of samples, which this run has none of.
ONLY_WITH_A_FULL_SPOOL = {"Points that stand for a window"}


def queries(name):
    path = os.path.join(ROOT, "deploy/grafana/dashboards", f"{name}.json")
    for panel in json.load(open(path))["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target.get("expr") or target["query"]


def filled(query, since):
    for variable, value in (("$__rate_interval", f"{SECONDS}s"), ("$__interval", "5s"), ("$scenario", ".*"),
                            ("$timeFilter", f"time >= {int(since * 1e9)}")):
        query = query.replace(variable, value)
    return query


def run(binary, target, script, home, name, receiver):
    arguments, environment = receiver.use(name)
    done = subprocess.run([binary, "run", "--quiet", script, *arguments, "-e", f"TARGET={target}", "--no-store"],
                          env={**os.environ, **environment}, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{name}: exit {done.returncode}\n{done.stderr}")


def ask_prometheus(receiver, query, at):
    url = f"http://127.0.0.1:{receiver.port}/api/v1/query?" + urllib.parse.urlencode({"query": query, "time": at})
    result = json.load(urllib.request.urlopen(url, timeout=30))["data"]["result"]
    return [sample["value"][1] for sample in result if sample["value"][1] != "NaN"]


def ask_influx(receiver, query):
    url = f"http://127.0.0.1:{receiver.port}/query?" + urllib.parse.urlencode({"db": receiver.db, "q": query})
    answer = json.load(urllib.request.urlopen(url, timeout=30))["results"][0]
    if "error" in answer:
        raise SystemExit(f"{query}: {answer['error']}")
    rows = [row for series in answer.get("series", []) for row in series["values"]]
    filled_up = (None, 0) if "fill(0)" in query else (None,)
    return [row[1] for row in rows if row[1] not in filled_up]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, "target/release/loadline"))
    options = parser.parse_args()
    home = tempfile.mkdtemp(prefix="dashboards-", dir="/var/tmp")
    script = os.path.join(home, "load.js")
    open(script, "w").write(SCRIPT.replace("__SECONDS__", str(SECONDS)))
    port = free_port()
    mock = subprocess.Popen([options.binary, "mock", "--address", f"127.0.0.1:{port}"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    target = f"http://127.0.0.1:{port}"
    stats, native, influx = Prometheus(home, False), Prometheus(home, True), Influx(home)
    empty = []
    try:
        wait_for(target)
        for receiver in (stats, native, influx):
            receiver.server.start()
        since = time.time()
        ended = {}
        for name, receiver in (("stats", stats), ("native", native), ("influx", influx)):
            run(options.binary, target, script, home, name, receiver)
            ended[name] = time.time() - 1
        for panel, query in queries("prometheus"):
            query = filled(query, since)
            found = [ask_prometheus(receiver, query, ended[name])
                     for name, receiver in (("stats", stats), ("native", native))]
            report(panel, query, found[0] or found[1], empty)
        for panel, query in queries("influxdb"):
            report(panel, filled(query, since), ask_influx(influx, filled(query, since)), empty)
    finally:
        mock.terminate()
        for receiver in (stats, native, influx):
            receiver.server.stop()
        shutil.rmtree(home, ignore_errors=True)
    print("every query finds something" if not empty else f"{len(empty)} queries find nothing")
    sys.exit(bool(empty))


def report(panel, query, found, empty):
    if not found and panel not in ONLY_WITH_A_FULL_SPOOL:
        empty.append(query)
    print(f"  {'ok  ' if found else 'none'} {panel}: {found[0] if found else query}")


main()
