"""What else goes on beside a target and is no fault of it; each ends with `stop`."""

import datetime
import http.client
import os
import random
import socket
import threading
import urllib.request

from . import place, postgres

SPINNERS = 4
SPINNER_SECONDS_MAX = 90
SPIN = f"import time\nuntil = time.time() + {SPINNER_SECONDS_MAX}\nwhile time.time() < until:\n    sum(range(20000))"
CRON_SECONDS = 10
# CPU time of a process, so that a busy machine does not stretch it, and a file of 16 MiB.
CRON_JOB = ("import os, sys, time\nwhile time.process_time() < 0.5:\n    sum(range(20000))\n"
            "with open(sys.argv[1], 'wb') as out:\n    out.write(bytes(2 ** 24))\n    out.flush()\n    os.fsync(out.fileno())")
# Of somebody's dashboards.
PAGE_READERS = 3
PAGE_SECONDS = 0.3
LOUD_LINES = {
    "go": ['level=ERROR msg="failed to upload metrics: Post \\"http://127.0.0.1:4318/v1/metrics\\": dial tcp 127.0.0.1:4318: connect: connection refused"',
           'level=ERROR msg="nightly report failed: mailer: connection pool is empty" job=report'],
    "java": [" WARN 77 --- [OkHttp http://127.0.0.1:4318/...] i.o.e.internal.http.HttpExporter         : Failed to export metrics. Full error message: Connection refused",
             "ERROR 77 --- [scheduling-1] c.s.jobs.NightlyReport                   : could not send report: java.net.SocketTimeoutException: Read timed out"],
    "node": [" error: OTLPExporterError: connect ECONNREFUSED 127.0.0.1:4318", " error: job nightly-report failed: Error: timeout of 5000ms exceeded"],
    "ruby": [" WARN -- opentelemetry: OTLP exporter: net/http error: Errno::ECONNREFUSED (Failed to open TCP connection to 127.0.0.1:4318)",
             " ERROR -- Sidekiq: NightlyReportJob failed: Net::ReadTimeout with #<TCPSocket:(closed)>"],
    "python": [" ERROR [opentelemetry.exporter] Exception while exporting metrics HTTPConnectionPool(host='127.0.0.1', port=4318): Max retries exceeded: Connection refused",
               " ERROR [shop.jobs] nightly report failed: TimeoutError: the mail server did not answer"],
}


class Repeated:
    """A thread that does something again and again until it is stopped."""

    def __init__(self, seconds, action):
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(seconds, action), daemon=True)
        self.thread.start()

    def run(self, seconds, action):
        while not self.ended.wait(seconds):
            try:
                action()
            except (OSError, RuntimeError, http.client.HTTPException):
                continue  # Nobody hears of a bystander's own failures.

    def stop(self):
        self.ended.set()
        self.thread.join(20)


class Sockets:
    """Connections that say nothing, and some that never finish their request."""

    def __init__(self, port, is_half_sent):
        self.all = [socket.create_connection(("127.0.0.1", port)) for _ in range(12)]
        if is_half_sent:
            for one in self.all[:6]:
                one.sendall(b"GET /orders/1 HTTP/1.1\r\nHost: sh")

    def stop(self):
        for one in self.all:
            one.close()


def get(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
    connection.request("GET", path)
    connection.getresponse().read()
    connection.close()


class Crowd:
    """Requests at random moments, each by a thread of its own."""

    def __init__(self, port, rate):
        self.rng, self.port = random.Random(port), port
        self.loop = Repeated(1 / rate, self.send)

    def send(self):
        threading.Thread(target=self.one, args=(f"/orders/{self.rng.randint(1, 5000)}",), daemon=True).start()

    def one(self, path):
        try:
            get(self.port, path)
        except (OSError, http.client.HTTPException):
            return

    def stop(self):
        self.loop.stop()


class Billing:
    """Another program on the same database: its sessions wait for its own locks, and it makes many statements."""

    def __init__(self):
        self.all = [Repeated(0.01, self.locking(number)) for number in range(3)] + [Repeated(0.05, self.many())]

    def locking(self, number):
        client = postgres.Client("billing", name="billing")

        def action():
            client.query("begin")
            client.query("update invoice set sum = sum + 1 where id = 1")
            client.query("select pg_sleep(0.2)")
            client.query("commit")
        return action

    def many(self):
        client = postgres.Client("billing", name="billing")

        def action():
            for number in range(1, 30):
                client.query(f"select sum from invoice where id = {number}")
        return action

    def stop(self):
        for one in self.all:
            one.ended.set()
        for one in self.all:
            one.stop()


class Spinners:
    """Programs that want both cores; or, where they are the fault, one core, with the same right to it as the target."""

    def __init__(self, folder, count=SPINNERS, cpus=None):
        is_fault = cpus is not None
        self.all = [place.Process(["python3", "-c", SPIN], f"{folder}/spinner.log", cpus=cpus, is_favoured=is_fault) for _ in range(count)]

    def stop(self):
        for one in self.all:
            one.stop()


class CronBurst:
    """What cron starts every ten seconds on the machine: two programs that compute for a while and write a file."""

    def __init__(self, folder):
        self.folder, self.running = folder, []
        self.begin()
        self.loop = Repeated(CRON_SECONDS, self.begin)

    def begin(self):
        for number in range(2):
            command = ["python3", "-c", CRON_JOB, os.path.join(self.folder, f"cron-{number}")]
            self.running.append(place.Process(command, f"{self.folder}/cron.log"))

    def stop(self):
        self.loop.stop()
        for one in self.running:
            one.stop()


class Tenant:
    """Another tenant's calls on the same port: other paths, slow ones, and now and then one that there is not."""

    def __init__(self, port, rate):
        self.port, self.sent = port, 0
        self.loop = Repeated(1 / rate, self.send)

    def send(self):
        self.sent += 1
        path = f"/exports/{self.sent}" if self.sent % 10 == 0 else f"/reports/{self.sent}"
        threading.Thread(target=self.one, args=(path,), daemon=True).start()

    def one(self, path):
        try:
            get(self.port, path)
        except (OSError, http.client.HTTPException):
            return

    def stop(self):
        self.loop.stop()


def read_page(url):
    with urllib.request.urlopen(url, timeout=15) as answer:
        answer.read()


def loud(log, stack):
    lines, turn = LOUD_LINES[{"java-loop": "java", "python-threads": "python", "perl": "python", "python-prefork": "python"}.get(stack, stack)], [0]

    def action():
        turn[0] += 1
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        line = lines[turn[0] % 4 == 0]
        with open(log, "a") as out:
            out.write(f"time={now} {line}\n" if stack == "go" else f"{now}{line}\n")
    return Repeated(1.0, action)


def start(case, where):
    """All bystanders of a case."""
    running, all_of = [], case["bystanders"]
    if "busy-neighbours" in all_of:
        running.append(Spinners(where.folder))
    if case["notes"].get("spinners"):
        running.append(Spinners(where.folder, case["notes"]["spinners"], postgres.CORE))
    if "loud-log" in all_of:
        running.append(loud(where.log, case["stack"]))
    if "health-checks" in all_of:
        running.append(Repeated(0.2, lambda: get(where.port, "/healthz")))
    if "other-caller" in all_of:
        running.append(Crowd(where.port, case["other_rate"]))
    if "slow-clients" in all_of:
        # A server with threads may give each half-sent request a thread: that would be a fault.
        running.append(Sockets(where.port, case["stack"] in ("go", "node", "python", "ruby")))
    if "cron-burst" in all_of:
        running.append(CronBurst(where.folder))
    if "page-readers" in all_of:
        running += [Repeated(PAGE_SECONDS, lambda: read_page(where.page)) for _ in range(PAGE_READERS)]
    if "second-tenant" in all_of:
        running.append(Tenant(where.port, case["tenant_rate"]))
    if "shared-database" in all_of:
        running.append(Billing())
    return running
