"""A PostgreSQL of the town's own, on one core, with pg_stat_statements; and a small client."""

import os
import pwd
import shutil
import signal
import socket
import struct
import subprocess
import time

from . import groups, place

BIN = os.environ.get("LAB_PG_BIN", "/usr/lib/postgresql/15/bin")
CORE = "1"
GROUP = "postgres"
EVENTS = 300_000
CONFIG = """
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = ''
max_connections = 200
shared_buffers = 128MB
shared_preload_libraries = 'pg_stat_statements'
track_io_timing = on
jit = off
max_parallel_workers_per_gather = 0
autovacuum = off
synchronous_commit = off
fsync = off
"""
SCHEMA = [
    "create extension if not exists pg_stat_statements",
    "create table stock (item_id int primary key, sold int not null)",
    "insert into stock select n, 0 from generate_series(1, 100) n",
    f"create table event as select n as id, md5(n::text) as payload from generate_series(1, {EVENTS}) n",
    "create unique index on event (id)",
    "create function order_of(id int, seconds float8) returns int language plpgsql as $$ begin perform pg_sleep(seconds); return id; end $$",
    "create table invoice (id int primary key, sum int not null)",
    "insert into invoice select n, 0 from generate_series(1, 100) n",
    "create role shop login", "create role billing login", "create role monitor login in role pg_monitor",
    "grant all on all tables in schema public to shop, billing", "analyze",
]
HEAVY = "select count(*) from event where md5(payload) like 'a%' and id <= {rows}"


class Client:
    """One connection by the simple query protocol."""

    def __init__(self, user="town", database="shop", name="town"):
        self.socket = socket.create_connection(("127.0.0.1", place.POSTGRES_PORT), timeout=60)
        self.stream = self.socket.makefile("rb")
        words = ["user", user, "database", database, "application_name", name, ""]
        body = struct.pack(">i", 196608) + b"".join(word.encode() + b"\0" for word in words)
        self.socket.sendall(struct.pack(">i", len(body) + 4) + body)
        self.until_ready()

    def query(self, sql):
        text = sql.encode() + b"\0"
        self.socket.sendall(b"Q" + struct.pack(">i", len(text) + 4) + text)
        self.until_ready()

    def until_ready(self):
        failed = None
        while True:
            head = self.stream.read(5)
            if len(head) < 5:
                raise ConnectionError("PostgreSQL closed the connection")
            kind, size = struct.unpack(">ci", head)
            body = self.stream.read(size - 4)
            if kind == b"E":
                failed = body.replace(b"\0", b" ").decode(errors="replace")
            if kind == b"Z" or (failed and b"FATAL" in body):
                break
        if failed:
            raise RuntimeError(failed)

    def close(self):
        self.stream.close()
        self.socket.close()


class Postgres:
    """The town's server; made and filled the first time."""

    def __init__(self):
        self.folder = os.path.join(place.HOME, "postgres")
        self.drop = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups", "--"] if os.getuid() == 0 else []
        is_fresh = not os.path.exists(os.path.join(self.folder, "filled"))
        if is_fresh:
            self.create()
        command = [*self.drop, "setpriv", "--pdeathsig", "INT", "--", f"{BIN}/postgres", "-D", self.folder, "-p", str(place.POSTGRES_PORT)]
        # Each of its processes makes a session of its own.
        command = groups.favoured(GROUP, command)
        self.process = place.Process(command, os.path.join(place.HOME, "postgres.log"), cpus=CORE, signal_at_death="INT")
        place.until_open(place.POSTGRES_PORT, self.process)
        if is_fresh:
            self.fill()
        self.rows_of_ms = self.calibrate()

    @property
    def pid(self):
        return self.process.pid

    def create(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder, mode=0o700)
        if self.drop:
            entry = pwd.getpwnam("postgres")
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
        subprocess.run([*self.drop, f"{BIN}/initdb", "-D", self.folder, "-U", "town", "-A", "trust", "--locale=C", "-E", "UTF8", "--no-sync"],
                       check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(self.folder, "postgresql.conf"), "a") as file:
            file.write(CONFIG.format(port=place.POSTGRES_PORT))

    def fill(self):
        client = connected(database="postgres")
        client.query("create database shop")
        client.close()
        client = Client()
        for statement in SCHEMA:
            client.query(statement)
        client.close()
        open(os.path.join(self.folder, "filled"), "w").close()

    def calibrate(self):
        """How many rows the heavy statement reads in a millisecond of CPU; the fastest of some looks."""
        client, best = connected(), 1e9
        for _ in range(7):
            began = time.monotonic()
            client.query(HEAVY.format(rows=40_000))
            best = min(best, time.monotonic() - began)
        client.close()
        return 40_000 / (1000 * best)

    def reset(self):
        client = Client()
        client.query("select pg_stat_statements_reset()")
        client.close()

    def let_in(self, sessions):
        """So many sessions of the target's role at once; -1: as many as there is room for."""
        client = Client()
        client.query(f"alter role shop connection limit {sessions}")
        client.close()

    def stop(self):
        self.process.stop(signal.SIGINT)
        groups.unmade(GROUP)


def connected(**more):
    """The server may still be starting."""
    for _ in range(50):
        try:
            return Client(**more)
        except (RuntimeError, OSError):
            time.sleep(0.2)
    return Client(**more)
