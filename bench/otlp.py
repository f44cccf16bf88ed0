#!/usr/bin/env python3
"""The OTLP receiver beside a load: what spans cost, and whether starts come later.

    bench/otlp.py [--binary target/release/loadline] [--spans 20000] [--seconds 20] [--pairs 5]

Each pair is the same URL run twice, once with --observe otlp:PORT and SPANS spans a second sent to it, once without, in an
order that changes. Batches of 200 spans (50 requests of 4) are encoded once; of each sending only the trace ids differ. The
sender is a process of its own. Printed: spans taken a second, CPU and memory of loadline, start lag of both.
"""

import argparse, json, os, socket, statistics, struct, subprocess, sys, tempfile, time

from ports import free_port

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
TICKS = os.sysconf("SC_CLK_TCK")
REQUESTS = 50


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def attribute(key, value):
    return field(1, key.encode()) + field(2, field(1, value.encode()))


def span(trace, own, parent, kind, name, begin, end, attributes):
    fixed = lambda number, value: varint(number << 3 | 1) + struct.pack("<Q", value)
    body = field(1, trace) + field(2, own) + (field(4, parent) if parent else b"") + field(5, name.encode())
    body += varint(6 << 3) + varint(kind) + fixed(7, begin) + fixed(8, end)
    return field(2, body + b"".join(field(9, attribute(*pair)) for pair in attributes))


def batch():
    """One export of 50 requests with 4 spans each, and where the 16 bytes of their trace ids stand."""
    now, spans, marks = time.time_ns(), b"", []
    for request in range(REQUESTS):
        trace = b"TRACE" + struct.pack(">II", request, 0) + b"IDS"
        ms = lambda at: now + at * 1_000_000
        route = [("http.request.method", "GET"), ("http.route", f"/orders/{request % 5}")]
        sql = [("db.system", "postgresql"), ("db.statement", f"select * from orders where id = {request}")]
        call = [("http.request.method", "POST"), ("url.full", "http://pay.internal/charge"), ("server.address", "pay.internal")]
        ids = [struct.pack(">II", request + 1, number) for number in range(4)]
        spans += span(trace, ids[1], ids[0], 3, "SELECT orders", ms(10), ms(30), sql)
        spans += span(trace, ids[2], ids[0], 3, "SELECT orders", ms(35), ms(45), sql)
        spans += span(trace, ids[3], ids[0], 3, "POST", ms(50), ms(90), call)
        spans += span(trace, ids[0], b"", 2, "GET /orders", ms(0), ms(100), route)
    message = bytearray(field(1, field(1, field(1, attribute("service.name", "shop"))) + field(2, spans)))
    at = message.find(b"TRACE")
    while at >= 0:
        marks.append(at)
        at = message.find(b"TRACE", at + 1)
    return message, marks


def send(port, rate, seconds):
    """Sends batches at a rate; prints how many were taken."""
    message, marks = batch()
    head = (f"POST /v1/traces HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-protobuf\r\nContent-Length: {len(message)}\r\n\r\n").encode()
    each = 4 * REQUESTS / rate
    began, number, taken = time.monotonic(), 0, 0
    stream = connect(port)
    while time.monotonic() - began < seconds:
        number += 1
        for mark in marks:
            message[mark:mark + 5] = struct.pack(">BI", 1, number)
        stream.sendall(head + message)
        answer = stream.recv(4096)
        if not answer.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"refused: {answer[:60]}")
        taken += 4 * REQUESTS
        time.sleep(max(0.0, began + number * each - time.monotonic()))
    print(json.dumps({"spans": taken / (time.monotonic() - began)}))


def connect(port):
    until = time.monotonic() + 20
    while True:
        try:
            stream = socket.create_connection(("127.0.0.1", port))
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return stream
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def used(pid):
    """CPU seconds, and of the thread that receives; the largest memory, bytes."""
    total, receiver = 0.0, 0.0
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            text = open(f"/proc/{pid}/task/{thread}/stat").read()
        except FileNotFoundError:
            continue
        fields = text.rsplit(")", 1)[1].split()
        seconds = (int(fields[11]) + int(fields[12])) / TICKS
        total += seconds
        if "(otlp)" in text:
            receiver = seconds
    status = open(f"/proc/{pid}/status").read()
    memory = int(status.split("VmHWM:")[1].split()[0]) * 1024
    return total, receiver, memory


def run(options, target, home, with_spans):
    export = os.path.join(home, "summary.json")
    command = [options.binary, "run", f"{target}/fast", "--rate", "200/s", "--duration", f"{options.seconds}s", "--quiet",
               "--no-store", "--summary-export", export, "--fail-on", "none"]
    port = free_port()
    if with_spans:
        command += ["--observe", f"otlp:{port}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sender = None
    if with_spans:
        sender = subprocess.Popen([sys.executable, __file__, "--send", str(port), "--spans", str(options.spans),
                                   "--seconds", str(options.seconds - 2)], stdout=subprocess.PIPE, text=True)
    seen = (0.0, 0.0, 0)
    while process.poll() is None:
        try:
            # Threads that have ended are counted no more.
            seen = tuple(max(pair) for pair in zip(seen, used(process.pid)))
        except (FileNotFoundError, ProcessLookupError, IndexError):
            pass
        time.sleep(0.2)
    result = {"cpu": seen[0] / options.seconds, "receiver": seen[1] / (options.seconds - 2), "memory": seen[2] / 2**20}
    if sender:
        result["spans"] = json.loads(sender.communicate()[0])["spans"]
    lag = json.load(open(export))
    result["lag"] = start_lag(lag)
    return result


def start_lag(summary):
    """p50 and p99 in ms, wherever the summary has them."""
    found = []

    def look(value):
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "start_lag" and isinstance(inner, dict):
                    found.append(inner)
                look(inner)
        elif isinstance(value, list):
            for inner in value:
                look(inner)

    look(summary)
    values = found[0].get("values", found[0]) if found else {}
    pick = lambda *names: next((values[name] for name in names if values.get(name) is not None), float("nan"))
    return pick("p50", "p(50)", "med"), pick("p99", "p(99)")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--binary", default=os.path.join(ROOT, "target", "release", "loadline"))
    parser.add_argument("--spans", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--send", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.send:
        return send(options.send, options.spans, options.seconds)
    with tempfile.TemporaryDirectory() as home:
        demo = subprocess.Popen([options.binary, "demo", "--address", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        target = demo.stdout.readline().strip()
        differences = []
        try:
            for pair in range(options.pairs):
                order = [True, False] if pair % 2 == 0 else [False, True]
                results = {with_spans: run(options, target, home, with_spans) for with_spans in order}
                on, off = results[True], results[False]
                differences.append(on["lag"][1] - off["lag"][1])
                print(f"pair {pair + 1}: {on['spans']:,.0f} spans/s, receiver {on['receiver']:.2f} cores, "
                      f"loadline {on['cpu']:.2f} against {off['cpu']:.2f} cores, memory {on['memory']:.0f} against {off['memory']:.0f} MiB, "
                      f"start lag p50 {on['lag'][0]:.3f} / {off['lag'][0]:.3f} ms, p99 {on['lag'][1]:.3f} / {off['lag'][1]:.3f} ms", flush=True)
        finally:
            demo.terminate()
            demo.wait()
        print(f"start lag p99, with less without: median {statistics.median(differences):+.3f} ms of {len(differences)} pairs")


if __name__ == "__main__":
    sys.exit(main())
