#!/usr/bin/env python3
"""Users on connections that stay: memory and CPU per message, beside k6.

    python3 bench/sockets.py --loadline target/release/loadline --k6 ~/go/bin/k6

2,000 users each open a WebSocket, or a gRPC stream of both directions, and send a message
every second, which the server echoes. Both tools run the same script against the same
server, one after the other. What is told: the largest resident memory, that by users, and
CPU time by messages (sent and received). Needs the server of the test kit:
`cargo build --release -p loadline-testkit --bin testkit-server`.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROTO = os.path.join(HERE, "..", "tests", "k6", "scripts", "grpc", "proto")

OPTIONS = """
export const options = {
  scenarios: { stay: { executor: 'per-vu-iterations', vus: __VUS__, iterations: 1, maxDuration: '5m' } },
};
const MESSAGES = __MESSAGES__;
"""

SCRIPTS = {
    "websocket": ("ws_msgs_received", """
import { WebSocket } from 'k6/websockets';
export default function () {
  const socket = new WebSocket(__ENV.BASE.replace('http', 'ws') + '/ws/echo');
  let [sent, count, timer] = [0, 0, null];
  const send = () => {
    // No more than asked for, however late answers are.
    if (sent < MESSAGES) { sent += 1; socket.send('a message of some forty bytes, no more'); }
  };
  socket.onopen = () => { timer = setInterval(send, 1000); };
  socket.onmessage = () => {
    count += 1;
    if (count === MESSAGES) { clearInterval(timer); socket.close(); }
  };
}
"""),
    "grpc": ("grpc_streams_msgs_received", """
import grpc from 'k6/net/grpc';
const client = new grpc.Client();
client.load(['proto'], 'hello.proto');
export default function () {
  client.connect(__ENV.GRPC_BASE.split('//')[1], { plaintext: true });
  const stream = new grpc.Stream(client, 'hello.HelloService/BidiHello');
  let [sent, count] = [0, 0];
  const timer = setInterval(() => {
    if (sent < MESSAGES) { sent += 1; stream.write({ greeting: 'a message of some forty bytes' }); }
  }, 1000);
  stream.on('data', () => {
    count += 1;
    if (count === MESSAGES) { clearInterval(timer); stream.end(); }
  });
  stream.on('error', (error) => { clearInterval(timer); console.error(error.message); });
}
"""),
}


def serve(server, folder):
    """The test server and where it listens."""
    child = subprocess.Popen([server, "--directory", os.path.join(folder, "tls")],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    bases = json.loads(child.stdout.readline())
    return child, {name.upper(): value for name, value in bases.items() if name.endswith("base")}


def run(tool, kind, args, bases, folder):
    """Largest memory in KiB, CPU seconds and messages of one run."""
    metric, source = SCRIPTS[kind]
    script = os.path.join(folder, f"{kind}.js")
    options = OPTIONS.replace("__VUS__", str(args.vus)).replace("__MESSAGES__", str(args.messages))
    with open(script, "w") as file:
        head, body = source.split("export default", 1)
        file.write(f"{head}{options}export default{body}")
    summary = os.path.join(folder, "summary.json")
    env = dict(os.environ, **bases, LANG="C", K6_NO_USAGE_REPORT="true", LOADLINE_STORE="off")
    child = subprocess.Popen([tool, "run", "--quiet", "--address", "", "--summary-export", summary, script],
                             cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = child.stderr.read().decode()
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{tool} ended with {os.waitstatus_to_exitcode(status)}: {said[-2000:]}")
    with open(summary) as file:
        received = json.load(file)["metrics"][metric]["count"]
    expected = args.vus * args.messages
    if received != expected:
        sys.exit(f"{tool}: {received} messages received, not {expected}: {said[-2000:]}")
    return usage.ru_maxrss, usage.ru_utime + usage.ru_stime, 2 * received


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loadline", default="target/release/loadline")
    parser.add_argument("--k6", default=os.path.expanduser("~/go/bin/k6"))
    parser.add_argument("--server", default="target/release/testkit-server")
    parser.add_argument("--vus", type=int, default=2000)
    parser.add_argument("--messages", type=int, default=20, help="that each user sends, one a second")
    parser.add_argument("--only", choices=sorted(SCRIPTS))
    args = parser.parse_args()
    args.loadline, args.server = os.path.abspath(args.loadline), os.path.abspath(args.server)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    folder = tempfile.mkdtemp(prefix="sockets-")
    shutil.copytree(PROTO, os.path.join(folder, "proto"))
    server, bases = serve(args.server, folder)
    try:
        print(f"{args.vus} users, {args.messages} messages each way")
        print("| | tool | largest memory | by user | CPU | by message |")
        print("|---|---|---|---|---|---|")
        for kind in [args.only] if args.only else SCRIPTS:
            for name, tool in (("loadline", args.loadline), ("k6", args.k6)):
                memory, cpu, messages = run(tool, kind, args, bases, folder)
                print(f"| {kind} | {name} | {memory / 1024:.0f} MiB | {memory / args.vus:.0f} KiB "
                      f"| {cpu:.1f} s | {1e6 * cpu / messages:.0f} us |", flush=True)
    finally:
        server.stdin.close()
        server.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
