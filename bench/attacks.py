#!/usr/bin/env python3
"""What a tool makes of each attack of the test kit, one run each.

usage: bench/attacks.py TOOL [NAME...]
  TOOL     k6 or loadline, as a path
  ATTACKS  in the environment: the server of attacks (target/suite/attack-server)

Prints a table, tab between cells: attack, seconds of the process, peak of its memory less that of a run without
attack (MB), what it said. `crates/checks/testkit/src/attacks/k6.tsv` is what this prints of k6, docs/bench/attacks.md
has both. A run that has not ended after 15 s is killed.
"""
import http.server, os, re, select, signal, subprocess, sys, threading, time

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scripts/attack.js")
SECONDS_MAX = 15


def watch(process, until, peak):
    """Follows the most memory of a process, in MB, and kills it when its time is over."""
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status") as status:
                peak[0] = max([peak[0], *(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:"))])
        except OSError:
            return
        if time.monotonic() > until:
            process.send_signal(signal.SIGKILL)
        time.sleep(0.02)


def run(tool, name, protocol, address):
    """Seconds, peak in MB, what it said."""
    environment = {**os.environ, "NAME": name, "PROTOCOL": protocol, "ADDRESS": address, "K6_NO_USAGE_REPORT": "true", "LANG": "C"}
    words = [tool, "run", "--quiet", "-e", f"NAME={name}", "-e", f"PROTOCOL={protocol}", "-e", f"ADDRESS={address}"]
    if "loadline" in os.path.basename(tool):
        words.append("--no-store")
    begun = time.monotonic()
    process = subprocess.Popen([*words, SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    peak = [0.0]
    watcher = threading.Thread(target=watch, args=(process, begun + SECONDS_MAX, peak))
    watcher.start()
    output = process.stdout.read().decode(errors="replace")
    process.wait()
    seconds = time.monotonic() - begun
    watcher.join()
    told = re.search(r'SAID (.*?)"? source=', output)
    told = told.group(1).replace('\\"', '"') if told else "nothing"
    return seconds, peak[0], told.replace("\t", " ")


class Healthy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass


def rows(server):
    """What the server prints at once when it has begun: name, protocol, address of each attack."""
    text = os.read(server, 1 << 16)
    while select.select([server], [], [], 1)[0]:
        text += os.read(server, 1 << 16)
    return [line.split("\t") for line in text.decode().splitlines()]


def main():
    tool, names = sys.argv[1], sys.argv[2:]
    healthy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Healthy)
    threading.Thread(target=healthy.serve_forever, daemon=True).start()
    calm = [run(tool, "healthy", "Http1", f"127.0.0.1:{healthy.server_port}")[1] for _ in range(3)]
    calm = sorted(calm)[1]
    server = subprocess.Popen([os.environ.get("ATTACKS", "target/suite/attack-server")], stdout=subprocess.PIPE)
    try:
        print("attack", "seconds", "more MB", "said", sep="\t")
        for name, protocol, address in rows(server.stdout.fileno()):
            if protocol == "SocketIo" or (names and name not in names):
                continue
            seconds, peak, told = run(tool, name, protocol, address)
            print(name, f"{seconds:.1f}", f"{peak - calm:.0f}", told, sep="\t", flush=True)
    finally:
        server.kill()


if __name__ == "__main__":
    main()
