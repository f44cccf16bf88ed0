"""The load of a case as loadline's command line: a URL, a k6 script or an Artillery file."""

import json
import os

STEPS = [0.3, 0.6, 1.0, 1.0]


def command(case, folder, url):
    """Arguments behind `loadline run`; files are written into the folder."""
    load = case["load"]
    if load["form"] == "url":
        return url_run(load, url)
    if load["form"] == "k6":
        return script(case, folder, url)
    return artillery(case, folder, url)


def url_run(load, url):
    words = [f"{url}/orders/7", "--duration", f"{load['seconds']}s", "--timeout", f"{load['timeout']}s", "--fail-on", "none"]
    if load["kind"] == "closed":
        return [*words, "--vus", str(load["users"])]
    words += ["--rate", f"{load['rate']}/s", "--arrivals-seed", "7"]
    return [*words, "--max-vus", str(load["users"])] if load.get("users") else words


def stages(load, target):
    """Durations and targets of the shape; the last part is at full load."""
    seconds = load["seconds"]
    if load["shape"] == "ramp":
        return [(seconds * 0.6, target), (seconds * 0.4, target)]
    if load["shape"] == "steps":
        part = seconds / len(STEPS)
        return [pair for share in STEPS for pair in ((0, target * share), (part, target * share))]
    return [(seconds, target)]


def scenario(load):
    seconds = load["seconds"]
    if load["kind"] == "open":
        # Rates of a script are whole numbers; of a minute they are fine enough.
        rate = round(load["rate"] * 60)
        users = max(20, int(load["rate"] * 10))
        common = {"timeUnit": "1m", "preAllocatedVUs": min(50, users), "maxVUs": users, "gracefulStop": "5s"}
        if load["shape"] == "constant":
            return {"executor": "constant-arrival-rate", "rate": rate, "duration": f"{seconds}s", **common}
        start = round(0.15 * rate) if load["shape"] == "ramp" else round(STEPS[0] * rate)
        return {"executor": "ramping-arrival-rate", "startRate": start, "stages": k6_stages(load, rate), **common}
    if load["shape"] == "constant":
        return {"executor": "constant-vus", "vus": load["users"], "duration": f"{seconds}s", "gracefulStop": "5s"}
    return {"executor": "ramping-vus", "startVUs": 1, "stages": k6_stages(load, load["users"]), "gracefulStop": "5s"}


def k6_stages(load, target):
    return [{"duration": f"{seconds:.2f}s", "target": max(1, round(amount))} for seconds, amount in stages(load, target)]


def script(case, folder, url):
    load = case["load"]
    tags = ', tags: { name: "/orders/{id}" }' if load["trace_names"] else ""
    lines = ["import http from 'k6/http';", "import { check, sleep } from 'k6';", "",
             f"export const options = {{ scenarios: {{ town: {json.dumps(scenario(load))} }} }};", "",
             "export default function () {", "  const id = 1 + Math.floor(Math.random() * 5000);"]
    if case["target"]["second_endpoint"]:
        lines.append(f"  http.get(`{url}/items/${{id}}`, {{ timeout: '{load['timeout']}s'{tags.replace('orders', 'items')} }});")
    lines += [f"  const answer = http.get(`{url}/orders/${{id}}`, {{ timeout: '{load['timeout']}s'{tags} }});",
              "  check(answer, { 'is 200': (one) => one.status === 200 });"]
    if load["pause_ms"]:
        lines.append(f"  sleep({load['pause_ms'] / 1000});")
    path = os.path.join(folder, "load.js")
    with open(path, "w") as file:
        file.write("\n".join([*lines, "}", ""]))
    return [path, "--fail-on", "none"]


def artillery(case, folder, url):
    load = case["load"]
    rate = load["rate"]
    if load["shape"] == "ramp":
        phases = [(load["seconds"] * 0.6, 0.15 * rate, rate), (load["seconds"] * 0.4, rate, None)]
    elif load["shape"] == "steps":
        phases = [(load["seconds"] / len(STEPS), share * rate, None) for share in STEPS]
    else:
        phases = [(load["seconds"], rate, None)]
    lines = ["config:", f"  target: {url}", "  http:", f"    timeout: {load['timeout']}", "  phases:"]
    for seconds, start, end in phases:
        lines += [f"    - duration: {max(1, round(seconds))}", f"      arrivalRate: {start:.2f}", *([f"      rampTo: {end:.2f}"] if end else [])]
    lines += ["scenarios:", "  - flow:"]
    if case["target"]["second_endpoint"]:
        lines += ["      - get:", '          url: "/items/{{ $randomNumber(1, 5000) }}"']
    lines += ["      - get:", '          url: "/orders/{{ $randomNumber(1, 5000) }}"', ""]
    path = os.path.join(folder, "load.yml")
    with open(path, "w") as file:
        file.write("\n".join(lines))
    return [path]
