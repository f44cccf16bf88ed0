"""Builds the programs and starts a case's target with what stands beside it."""

import glob
import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

from . import faults, groups, place, postgres, redis

TARGETS = os.path.join(place.TOWN, "targets")
JAVA_THREADS, PYTHON_THREADS, RUBY_THREADS, PERL_PROCESSES = 200, 100, 48, 24
PREFORK_PROCESSES = 12
# A process whose memory grows dies after about so many seconds of load.
DEATH_SECONDS = 9
FSYNC_ROUNDS, FSYNCS_A_ROUND = 8, 4
FOLDERS = {"java-loop": "java", "python-threads": "python", "python-prefork": "python"}
PAGE_PATHS = {"java": "/actuator/prometheus", "java-loop": "/actuator/prometheus"}


def is_newer(sources, built):
    return not os.path.exists(built) or max(os.path.getmtime(one) for one in sources) > os.path.getmtime(built)


def build():
    """Builds what is older than its sources."""
    folder = os.path.join(place.HOME, "build")
    os.makedirs(folder, exist_ok=True)
    for name in ("go", "stand-ins"):
        built = os.path.join(folder, name)
        if is_newer(glob.glob(f"{TARGETS}/{name}/*"), built):
            subprocess.run(["go", "build", "-o", built, "."], cwd=f"{TARGETS}/{name}", check=True)
    java = os.path.join(folder, "java")
    sources = glob.glob(f"{TARGETS}/java/*.java")
    if is_newer(sources, f"{java}/App.class"):
        shutil.rmtree(java, ignore_errors=True)
        subprocess.run(["javac", "-d", java, *sources], check=True)
    return folder


def fsync_ms(folder):
    """How long this machine takes for one such sync when nobody else writes: the fastest of some rounds."""
    path, best = os.path.join(folder, "sync-probe"), 1e9
    out = os.open(path, os.O_CREAT | os.O_RDWR)
    for _ in range(FSYNC_ROUNDS):
        began = time.monotonic()
        for _ in range(FSYNCS_A_ROUND):
            os.pwrite(out, bytes(faults.SYNCED_BYTES), 0)
            os.fsync(out)
        best = min(best, 1000 * (time.monotonic() - began) / FSYNCS_A_ROUND)
    os.close(out)
    os.unlink(path)
    return best


class Place:
    """Folder and ports of one case."""

    def __init__(self, case, folder, slot):
        self.case, self.folder = case, folder
        self.port = place.port(slot, 0)
        self.page_port = self.port if case["page_on"] == "port" else place.port(slot, 1)
        self.front_port = place.port(slot, 2)
        self.otlp_port, self.collector_port = place.port(slot, 3), place.port(slot, 4)
        self.database_port = place.port(slot, 5)
        self.redis_port, self.names_port = place.port(slot, 6), place.port(slot, 7)
        names = [one["name"] for one in case["servers"]]
        self.server_ports = {name: place.port(slot, 10 + index) for index, name in enumerate(names)}
        self.log, self.ledger = os.path.join(folder, "target.log"), os.path.join(folder, "ledger")
        self.catalogue = os.path.join(folder, "catalogue.csv")
        self.front_log = os.path.join(folder, "nginx-error.log")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.front_port if self.case['front'] else self.port}"

    @property
    def page(self):
        return f"http://127.0.0.1:{self.page_port}{PAGE_PATHS.get(self.case['stack'], '/metrics')}"


def filled(step, values):
    """A step with ports, and with what the machine's own speed gives."""
    step = dict(step)
    for key in ("url", "sql", "times", "bytes"):
        if isinstance(step.get(key), str):
            step[key] = re.sub(r"\{([a-z:-]+)\}", lambda match: str(values[match.group(1)]), step[key])
            if key in ("times", "bytes"):
                step[key] = int(step[key])
    if "name" in step:
        step["url"] = step["url"].replace("127.0.0.1", step["name"])
    if "steps" in step:
        step["steps"] = [filled(one, values) for one in step["steps"]]
    return step


def config(case, where, database):
    """What the program is told."""
    notes, values = case["notes"], {f"url:{name}": f"http://127.0.0.1:{port}/" for name, port in where.server_ports.items()}
    if "rows_ms" in notes:
        values["rows"] = min(postgres.EVENTS, int(notes["rows_ms"] * database.rows_of_ms))
    if "fsync_ms" in notes:
        values["fsyncs"] = max(1, round(notes["fsync_ms"] / fsync_ms(where.folder)))
    if "memory_mib" in notes:
        base = {"go": 12, "java": 12, "node": 10, "python": 30}[case["stack"]]
        values["leak"] = int((notes["memory_mib"] - base) * 2**20 / (DEATH_SECONDS * case["load"]["rate"]))
    target, stack = case["target"], case["stack"]
    pools = {name: {**pool, "port": place.POSTGRES_PORT if pool["kind"] == "postgres" else where.database_port, "user": "shop", "database": "shop"}
             for name, pool in target["pools"].items()}
    steps = [filled(step, values) for step in target["steps"]]
    endpoints = [{"method": "GET", "prefix": "/orders/", "route": "/orders/{id}", "steps": steps},
                 {"method": "GET", "prefix": "/items/", "route": "/items/{id}", "steps": [{"do": "cpu", "ms": 0.3}]}]
    if "second-tenant" in case["bystanders"]:
        endpoints.append({"method": "GET", "prefix": "/reports/", "route": "/reports/{id}", "steps": [{"do": "sleep", "ms": 180}, {"do": "cpu", "ms": 1}]})
    threads = target["threads"] or {"java": JAVA_THREADS, "python-threads": PYTHON_THREADS, "ruby": RUBY_THREADS, "perl": PERL_PROCESSES}.get(stack, 0)
    processes, is_forking = target["processes"], stack == "python-prefork"
    if is_forking:
        threads, processes = 1, target["threads"] or PREFORK_PROCESSES
    return {"name": "shop", "port": where.port, "page_port": where.page_port, "log": where.log, "ledger": where.ledger,
            "otlp": f"http://127.0.0.1:{where.collector_port}/v1/traces" if "otlp" in case["witnesses"] else "", "dialect": case["dialect"],
            "threads": threads, "loop": stack == "java-loop", "pools": pools, "locks": target["locks"], "executors": target["executors"],
            "rate_limit": target["rate_limit"], "processes": processes, "is_forking": is_forking, "stop": target["stop"], "live_mib": notes.get("live_mib", 0),
            "endpoints": endpoints, "redis_port": where.redis_port if has_redis(case) else 0, "names_port": where.names_port if "names" in notes else 0,
            "catalogue": where.catalogue, "closes": notes.get("closes", False)}


def has_redis(case):
    return "redis_keys" in case["notes"] or "redis_keys_ms" in case["notes"]


def command(case, built, file):
    """How the program is started, with as many files as it may have open."""
    files = case["notes"].get("files")
    return [*(["prlimit", f"--nofile={files}:{files}", "--"] if files else []), *program(case, built, file)]


def program(case, built, file):
    stack, notes = case["stack"], case["notes"]
    memory = notes.get("memory_mib")
    folder = os.path.join(TARGETS, FOLDERS.get(stack, stack))
    if stack == "go":
        return [os.path.join(built, "go"), file]
    if stack == "node":
        return ["node", *([f"--max-old-space-size={memory}"] if memory else []), f"{folder}/main.js", file]
    if stack in ("python", "python-threads", "python-prefork"):
        # What it maps before it does anything; with one arena a thread maps no more than its stack.
        mapped_mib = 20
        limited = ["env", "MALLOC_ARENA_MAX=1", "prlimit", f"--as={(memory + mapped_mib) * 2**20}"] if memory else []
        return [*limited, "python3", f"{folder}/main.py", file]
    if stack == "ruby":
        return ["env", f"TOWN_CONFIG={file}", "puma", "-C", f"{folder}/puma.rb"]
    if stack == "perl":
        return ["perl", f"{folder}/main.pl", file]
    heap = notes.get("heap_mib") or memory or 256
    collector = ["-XX:+UseSerialGC"] if "heap_mib" in notes else []
    return ["java", f"-Xmx{heap}m", f"-Xms{heap if 'heap_mib' in notes else 32}m", *collector, "-XX:+ExitOnOutOfMemoryError", "-cp", os.path.join(built, "java"), "App", file]


def is_favoured(case):
    """What else the machine does is no part of a case, unless neighbours are."""
    return "busy-neighbours" not in case["bystanders"]


NGINX = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx-error.log warn;
events {{ worker_connections {connections}; }}
http {{
  access_log off;
  client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
  {zone}
  server {{ listen 127.0.0.1:{front} backlog=1024; location / {{ {limit} proxy_pass http://127.0.0.1:{port}; proxy_http_version 1.1; }} }}
}}
"""


class Target:
    """A case's target and its stand-ins, running."""

    def __init__(self, case, where, built, database):
        self.case, self.where, self.processes, self.redis = case, where, [], None
        self.groups = groups.Groups(case, f"{case['id']}-{where.port}")
        try:
            self.start(built, database)
        except BaseException:
            self.stop()
            raise

    def start(self, built, database):
        case, where = self.case, self.where
        servers = [{**one, "port": where.server_ports[one["name"]]} for one in case["servers"]]
        stand_ins = {"ledger": where.ledger + ".outside", "servers": servers, "databases": [{"name": "db", "port": where.database_port}]}
        if "names" in case["notes"]:
            stand_ins["names"] = {**case["notes"]["names"], "port": where.names_port}
        beside = self.add([os.path.join(built, "stand-ins"), json.dumps(stand_ins)], "stand-ins.log")
        place.until_open(where.database_port, beside)
        if has_redis(case):
            self.redis = redis.Redis(where.redis_port, where.folder, self.add, case["notes"].get("redis_keys", 0), case["notes"].get("redis_keys_ms", 0))
        file = os.path.join(where.folder, "config.json")
        with open(file, "w") as out:
            json.dump(config(case, where, database), out, indent=1)
        open(where.log, "a").close()
        with open(where.catalogue, "w") as out:
            out.write("id,price\n")
        cpus = postgres.CORE if case["notes"].get("cores") == 1 else None
        # What the runtime itself says as it dies stands in the same log.
        self.main = self.add(self.groups.wrapped(command(case, built, file)), "target.log", cpus)
        place.until_open(where.port, self.main)
        if case["front"]:
            path = os.path.join(where.folder, "nginx.conf")
            with open(path, "w") as out:
                per_minute = case["front"].get("per_minute")
                zone = f"limit_req_zone $binary_remote_addr zone=town:1m rate={per_minute}r/m;" if per_minute else ""
                out.write(NGINX.format(folder=where.folder, connections=case["front"]["worker_connections"], front=where.front_port, port=where.port,
                                       zone=zone, limit="limit_req zone=town burst=5 nodelay;" if per_minute else ""))
            front = self.add(["nginx", "-c", path, "-e", where.front_log], "nginx.log")
            place.until_open(where.front_port, front)
        for number in range(3):
            try:
                with urllib.request.urlopen(f"{where.url}/orders/{4000 + number}", timeout=20) as answer:
                    answer.read()
            except urllib.error.HTTPError:
                continue  # A target that lets only so many in may refuse these.

    def add(self, words, log, cpus=None):
        process = place.Process(words, os.path.join(self.where.folder, log), cpus=cpus, is_favoured=is_favoured(self.case))
        self.processes.append(process)
        return process

    def stop(self):
        for process in reversed(self.processes):
            process.stop()
        self.groups.remove()
