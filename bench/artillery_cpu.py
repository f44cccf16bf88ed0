#!/usr/bin/env python3
"""CPU time per request of an Artillery file, under Artillery and under loadline, side by side.

    python3 bench/artillery_cpu.py --loadline target/release/loadline --artillery .../artillery/bin/run

The file is the pair of case B: `POST /deers`, then `GET /deers`, two phases, two CSV files, `expect`. With
`--processor` a hook runs before and after each request. Both programs run at the same time against one server
(Node, of this script), at the same rate. CPU is user and system time of the process with all it waited for.
Each is run in two lengths; told is the slope between them, so that start-up is not counted. `--rounds` runs are
made of each length, in turn; told are the median and all values.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

SERVER = """
const http = require('http');
const server = http.createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end('{"code":"success","data":100}');
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
"""

PROCESSOR = """
module.exports = {
  before(request, context, events, next) {
    request.headers['x-trace'] = `${context.vars.userId}-${context.vars.deerId}`;
    return next();
  },
  after(request, response, context, events, next) {
    if (response.statusCode !== 200) { events.emit('counter', 'unexpected', 1); }
    return next();
  },
};
"""


def test_file(port, seconds, rate, processor):
    hooks = "\n          beforeRequest: before\n          afterResponse: after" if processor else ""
    return f"""
config:
  target: "http://127.0.0.1:{port}"
  {'processor: "./processor.js"' if processor else ''}
  phases:
    - {{ duration: {seconds // 2}, arrivalRate: {rate} }}
    - {{ duration: {seconds - seconds // 2}, arrivalRate: {rate} }}
  plugins:
    expect: {{ outputFormat: silent }}
  payload:
    - {{ path: "users.csv", fields: [userId] }}
    - {{ path: "numbers.csv", order: sequence, fields: [deerId] }}
scenarios:
  - name: pair
    flow:
      - post:
          url: "/deers"
          json: {{ userId: "{{{{ userId }}}}", deerId: "{{{{ deerId }}}}", data: 100 }}{hooks}
          capture: {{ json: "$.code", as: code }}
          expect:
            - statusCode: 200
            - equals: ["{{{{ code }}}}", "success"]
      - get:
          url: "/deers?deerId={{{{ deerId }}}}&userId={{{{ userId }}}}"{hooks}
          capture: {{ json: "$.code", as: code }}
          expect:
            - statusCode: 200
            - equals: ["{{{{ code }}}}", "success"]
"""


def started(command, folder, environment):
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, cwd=folder, env=environment, **quiet)


def cpu_of(process):
    """User and system seconds, once it is over."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{process.args[0]} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


def both(arguments, port, seconds):
    with tempfile.TemporaryDirectory() as folder:
        write = lambda name, text: open(os.path.join(folder, name), "w").write(text)
        write("test.yml", test_file(port, seconds, arguments.rate, arguments.processor))
        write("processor.js", PROCESSOR)
        write("users.csv", "".join(f"{n}\n" for n in range(1, 101)))
        write("numbers.csv", "".join(f"{n}\n" for n in range(1, 99002)))
        environment = dict(os.environ, HOME=folder, ARTILLERY_DISABLE_TELEMETRY="true")
        real = started([arguments.artillery, "run", "test.yml"], folder, environment)
        ours = started([os.path.abspath(arguments.loadline), "run", "test.yml"], folder, environment)
        cpu = {"loadline": cpu_of(ours), "artillery": cpu_of(real)}
        time.sleep(1)
        return cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--loadline", required=True)
    parser.add_argument("--artillery", required=True)
    parser.add_argument("--rate", type=int, default=100, help="users a second; each sends two requests")
    parser.add_argument("--short", type=int, default=8)
    parser.add_argument("--long", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--processor", action="store_true")
    arguments = parser.parse_args()
    server = subprocess.Popen(["node", "-e", SERVER], stdout=subprocess.PIPE, text=True)
    slopes = {"artillery": [], "loadline": []}
    try:
        port = int(server.stdout.readline())
        more = (arguments.long - arguments.short) * arguments.rate * 2
        for _ in range(arguments.rounds):
            short, long = both(arguments, port, arguments.short), both(arguments, port, arguments.long)
            for name, values in slopes.items():
                values.append((long[name] - short[name]) / more * 1e6)
    finally:
        server.kill()
    for name, values in slopes.items():
        shown = " ".join(f"{value:.1f}" for value in values)
        print(f"{name:10} {statistics.median(values):8.1f} us of CPU a request   ({shown})")
    ratio = statistics.median(slopes["artillery"]) / statistics.median(slopes["loadline"])
    print(f"ratio      {ratio:8.1f}")


main()
