"""What the fault lists stand on: a Redis, gates, visitors, and what the checker says of them."""
import email.utils, json, os, re, resource, shutil, signal, socket, subprocess, sys, tempfile, time, urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))
from answers import LosesAnswers  # noqa: E402
from cut import Cut  # noqa: E402
from lossy import Lossy  # noqa: E402
from ports import free_port  # noqa: E402
from relay import Relay  # noqa: E402


def times_count():
    """Whether times are judged: under real-time priority (`chrt -f 10`) other programs do not lengthen them."""
    return os.sched_getscheduler(0) == os.SCHED_FIFO


def after_gates():
    """What only makes load runs after gates and the client that measures, if those run under real-time priority, and before
    all others. Not at a lower real-time priority: the kernel stops all of those for 50 ms of a second in which they take all there is."""
    if times_count():
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        os.setpriority(os.PRIO_PROCESS, 0, -20)


def p99_ms(seconds):
    return sorted(seconds)[len(seconds) * 99 // 100] * 1000


def event_p99_ms(lines):
    """What the visitors saw from the store's decision to the event."""
    return float(re.search(r"to the event read: .* p99 (\S+) ms", " ".join(lines))[1])


def full_disk(home):
    """The environment of a program whose disk is full while `home/full` is there."""
    return dict(os.environ, DISK_FULL=f"{home}/full", LD_PRELOAD=f"{home}/disk.so")


class Redis:
    def __init__(self, home, disk=False):
        self.port, self.home, self.disk = free_port(), home, disk
        self.start()

    def start(self):
        args = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.home,
                "--appendonly", "yes" if self.disk else "no"]
        self.process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env=full_disk(self.home) if self.disk else None)
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError(f"redis-server does not listen on {self.port}; its exit code: {self.process.poll()}")

    def restart(self):
        """Killed, and back with the last copy, or empty where none was made."""
        self.end()
        self.start()

    def end(self):
        self.process.kill()
        self.process.wait()

    def ask(self, *words):
        with socket.create_connection(("127.0.0.1", self.port), 5) as s:
            s.sendall(" ".join(words).encode() + b"\r\n")
            return s.recv(1 << 16).decode()


class Replicated:
    """A primary with a replica behind one address; the replica can be promoted with what it has got."""

    def __init__(self, home):
        self.primary, self.replica = Redis(home), Redis(home)
        self.replication = Relay(self.primary.port)
        self.address = Relay(self.primary.port)
        self.port = self.address.port
        self.replica.ask("REPLICAOF", "127.0.0.1", str(self.replication.port))
        while "master_link_status:up" not in self.replica.ask("INFO", "replication"):
            time.sleep(0.05)

    def promote(self, behind_s):
        """The primary is gone; the replica lacks what it took in the last seconds."""
        self.replication.fall_silent()
        time.sleep(behind_s)
        self.primary.end()
        self.replica.ask("REPLICAOF", "NO", "ONE")
        self.address.lead_to(self.replica.port)

    def end(self):
        self.replica.end()


class Gate:
    def __init__(self, args, home, redis_port, number, ahead_s=0, disk=False, files=None):
        self.files, self.home, self.public, self.admin = files, home, free_port(), free_port()
        self.command = [args.loadline, "gate", "--data", f"{home}/state{number}", "--secret-file", f"{home}/secret",
                        "--public", f"127.0.0.1:{self.public}", "--admin", f"127.0.0.1:{self.admin}",
                        "--joins-per-address", "0", "--drain-delay", "0s", "--lang", "en"]
        if redis_port:
            self.command += ["--redis", f"redis://127.0.0.1:{redis_port}"]
        self.env = full_disk(home) if disk else dict(os.environ)
        if ahead_s:
            self.env |= {"CLOCK_AHEAD_S": str(ahead_s), "LD_PRELOAD": f"{home}/clock.so"}
        self.out = open(f"{home}/gate{number}.out", "a+")
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=self.out, stderr=self.out, env=self.env,
                                        preexec_fn=self.limit_files if self.files else None)

    def limit_files(self):
        resource.setrlimit(resource.RLIMIT_NOFILE, (self.files, self.files))

    def wait_ready(self):
        for _ in range(1500):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.admin}/readyz", timeout=1) as answer:
                    if answer.status == 200:
                        return answer.headers
            except OSError:
                time.sleep(0.01)
        self.out.flush()
        said = open(self.out.name).read().strip().splitlines()[-3:]
        ended = self.process.poll()
        state = "still runs" if ended is None else f"ended with exit code {ended}"
        raise RuntimeError(f"a gate does not get ready; it {state} and said: {said}")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def mb(self, what):
        """Memory: VmRSS, or VmHWM for the most there was."""
        with open(f"/proc/{self.process.pid}/status") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith(what)) // 1024

    def cpu_s(self):
        """Processor time it used."""
        with open(f"/proc/{self.process.pid}/stat") as said:
            fields = said.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def slow_commands(self):
        """How many commands it did, and how many of them took over 20 ms."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.admin}/metrics", timeout=10) as answer:
            said = answer.read().decode()
        upto = dict(re.findall(r'loadline_gate_command_seconds_bucket\{le="(\S+)"\} (\d+)', said))
        return int(upto["+Inf"]), int(upto["+Inf"]) - int(upto["0.02"])

    def key(self):
        """The first key, if this gate made it."""
        self.out.flush()
        said = open(self.out.name).read()
        kept, shown = re.search(r"Root key: in (\S+),", said), re.search(r"wrk_\S+", said)
        # A build before shows it.
        return open(kept[1]).read().strip() if kept else shown and shown[0]

    def ask(self, key, path, body):
        request = urllib.request.Request(f"http://127.0.0.1:{self.admin}{path}", json.dumps(body).encode(),
                                         {"Authorization": f"Bearer {key}"})
        return json.load(urllib.request.urlopen(request, timeout=10))


class Case:
    """Gates on a store, a queue, visitors, and what the checker says of them."""

    def __init__(self, args, store, gates=1, rate=100, cap=70, visitors=1000, arrive=100, ghosts=0, ahead_s=0, lossy=0,
                 claim_within=300, away_after=15, cut=False, replicated=False, disk=False, files=None, lost_answers=0, measured=False):
        self.args, self.home = args, tempfile.mkdtemp(prefix="gate-")
        for preloaded in ["clock"] * bool(ahead_s) + ["disk"] * disk:
            subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", f"{self.home}/{preloaded}.so", f"{HERE}/{preloaded}.c", "-ldl"],
                           check=True)
        self.redis = None
        if store == "redis":
            self.redis = Replicated(self.home) if replicated else Redis(self.home, disk)
        self.port = self.redis.port if self.redis else None
        self.lossy = Lossy(self.port, lossy) if lossy else None
        self.cut = Cut(self.port) if cut else None
        self.gates, dates = [], []
        for number in range(gates):
            way = self.lossy or (self.cut if number else None)
            gate = Gate(args, self.home, way.port if way else self.port, number, ahead_s * number, disk and not self.redis, files)
            dates.append(email.utils.parsedate_to_datetime(gate.wait_ready()["date"]).timestamp() - time.time())
            self.gates.append(gate)
        self.apart_s = max(dates) - min(dates)
        self.key = self.first_key()
        self.tenant = self.gates[0].ask(self.key, "/v1/tenants", {"name": "faults"})["id"]
        self.cap = cap
        rules = {"tenant": self.tenant, "slug": "faults", "rate_per_s": rate, "cap": self.cap, "away_after_s": away_after,
                 "redirect_origins": ["http://127.0.0.1:1"], "claim_within_s": claim_within, "idle_s": 3600}
        self.queue = self.gates[0].ask(self.key, "/v1/queues", rules)["id"]
        self.losing = [LosesAnswers(gate.public, lost_answers) for gate in self.gates] if lost_answers else []
        self.log = f"{self.home}/crowd.log"
        self.crowd = subprocess.Popen(
            self.crowd_command("streams") +
            ["--visitors", str(visitors), "--arrive", str(arrive), "--seconds", "240", "--patient", "yes",
             "--claim", "yes", "--session", "500", "--ghosts", str(ghosts), "--log", self.log],
            stdout=open(f"{self.home}/crowd.out", "w"), preexec_fn=None if measured else after_gates)

    def first_key(self):
        """The key of the gate that made it, which says so only after it is ready."""
        for _ in range(500):
            for gate in self.gates:
                if key := gate.key():
                    return key
            time.sleep(0.01)
        raise RuntimeError("no gate said where the first key is")

    def crowd_command(self, mode):
        ports = [way.port for way in self.losing] or [gate.public for gate in self.gates]
        gates = ",".join(f"127.0.0.1:{port}" for port in ports)
        return [self.args.crowd, mode, "--gate", gates, "--queue", self.queue, "--key", self.key]

    def running(self):
        return self.crowd.poll() is None

    def judge(self):
        self.crowd.wait(timeout=500)
        for gate in self.gates:
            gate.process.send_signal(signal.SIGTERM)
            gate.process.wait(timeout=30)
        place = ["--redis", f"redis://127.0.0.1:{self.port}"] if self.redis else ["--journal", f"{self.home}/state0"]
        check = subprocess.run([self.args.check, "--cap", str(self.cap), "--queue", self.queue, *place, self.log],
                               capture_output=True, text=True)
        if self.redis:
            self.redis.end()
        said = open(f"{self.home}/crowd.out").read()
        last = said.strip().splitlines()[-2:]
        # Whoever failed is a visitor who got no answer that counts: a fault too.
        end = said.rsplit("s: registered", 1)[-1]
        ok = check.returncode == 0 and ", failed 0," in end and ", told gone 0," in end
        if ok:
            shutil.rmtree(self.home)
        else:
            last.append(f"see {self.home}")
        return ok, check.stdout.strip().splitlines() + last


def call(port, head, body="", patience=10):
    """Status and seconds of one request on a connection of its own."""
    begin = time.time()
    try:
        with socket.create_connection(("127.0.0.1", port), patience) as s:
            s.settimeout(patience)
            s.sendall(f"{head}\r\nHost: gate\r\nConnection: close\r\n\r\n{body}".encode())
            said = b""
            while part := s.recv(1 << 16):
                said += part
        head = said.split(b"\r\n\r\n")[0].lower()
        status = int(head.split()[1]) if head else 0
        return status, time.time() - begin, b"retry-after" in head
    except OSError:
        return 0, time.time() - begin, False
