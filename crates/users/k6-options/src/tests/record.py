#!/usr/bin/env python3
"""Records what k6 does with the options in cases.json.

    python3 record.py path/to/k6 > recorded.json

Each case is a script exporting `options` (JSON), plus command-line `args`, `env` and a
`config` file. Recorded are the exit code, the log lines and, where the run gets that
far, `exec.test.options` and the execution requirements. The script stops itself in
setup() or in its first iteration, so no case lasts.
"""

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

K6 = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))

SCRIPT = """import exec from 'k6/execution';
%s
function show() {
  console.log('CONSOLIDATED ' + JSON.stringify(exec.test.options));
  console.log('WRITTEN ' + (typeof options === 'undefined' ? '{}' : JSON.stringify(options)));
  exec.test.abort('shown');
}
export function setup() { show(); }
export default function () { show(); }
export function other() { show(); }
"""


def run(case):
    with tempfile.TemporaryDirectory() as home:
        options = case.get("options")
        line = "" if options is None else "export const options = %s;" % json.dumps(options)
        with open(os.path.join(home, "script.js"), "w") as script:
            script.write(SCRIPT % line)
        env = {"HOME": home, "PATH": "/usr/bin:/bin", **case.get("env", {})}
        common = []
        if "config" in case:
            config = case["config"]
            with open(os.path.join(home, "config.json"), "w") as file:
                file.write(config if isinstance(config, str) else json.dumps(config))
            common = ["--config", "config.json"]
        command = [K6, "run", "--quiet", "--no-usage-report", "--address", "", "--log-format", "json"]
        done = subprocess.run(
            command + common + case.get("args", []) + case.get("script", ["script.js"]),
            cwd=home, env=env, capture_output=True, text=True, timeout=60,
        )
        seen = {"name": case["name"], "exit": done.returncode, "log": []}
        for line in done.stderr.splitlines():
            record(line, seen, home)
        inspected = subprocess.run(
            [K6, "inspect", "--execution-requirements"] + common + ["script.js"],
            cwd=home, env=env, capture_output=True, text=True, timeout=60,
        )
        if inspected.returncode == 0 and not case.get("args"):
            found = json.loads(inspected.stdout)
            seen["requirements"] = {k: found[k] for k in ("totalDuration", "maxVUs")}
        return seen


def compress(seen, default):
    """Keeps of `consolidated` what differs from the default, and of `written` the names
    and the values that differ from `consolidated`."""
    if "consolidated" not in seen:
        return
    full = seen["consolidated"]
    written = seen.pop("written")
    seen["consolidated"] = {k: v for k, v in full.items() if default.get(k) != v}
    seen["written_names"] = sorted(written)
    seen["written"] = {k: v for k, v in written.items() if full.get(k) != v}


def record(line, seen, home):
    line = line.replace(home, "")
    if not line.startswith("{"):
        seen["log"].append({"plain": line.split(" ", 1)[1] if line.startswith("time=") else line})
        return
    entry = json.loads(line)
    message = entry["msg"]
    for key, prefix in (("consolidated", "CONSOLIDATED "), ("written", "WRITTEN ")):
        if message.startswith(prefix):
            seen.setdefault(key, json.loads(message[len(prefix):]))
            return
    if message.startswith(("test aborted: shown", "No script iterations")):
        return
    del entry["time"]
    seen["log"].append(entry)


with open(os.path.join(HERE, "cases.json")) as file:
    cases = json.load(file)
version = subprocess.run([K6, "version"], capture_output=True, text=True).stdout.split(" (")[0]
with ThreadPoolExecutor(2) as pool:
    results = list(pool.map(run, cases))
default = results[0]["consolidated"]
for seen in results:
    compress(seen, default)
lines = [json.dumps(seen, ensure_ascii=False, sort_keys=True) for seen in results]
print('{"recorded_with": %s,' % json.dumps(version))
print('"default": %s,' % json.dumps(default))
print('"cases": [\n%s\n]}' % ",\n".join(lines))
