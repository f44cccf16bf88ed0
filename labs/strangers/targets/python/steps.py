"""What a request does, step by step."""

import hashlib
import http.client
import os
import random
import time

from parts import Refused

BLOCK = bytes(4096)


def compute(ms):
    """Uses so much CPU time of its thread, whatever else runs on the machine."""
    until = time.thread_time() + ms / 1000
    while time.thread_time() < until:
        for _ in range(10):
            hashlib.sha256(BLOCK).digest()


class Request:
    """One request on its way through the steps."""

    def __init__(self, app, number, span):
        self.app, self.id, self.span, self.connection = app, number, span, None

    async def run(self, steps):
        for step in steps:
            await getattr(self, "do_" + step["do"].replace("-", "_"))(step)

    async def do_pool(self, step):
        pool = self.app.pools[step["of"]]
        span = self.app.tracer.child(self.span, "connect", {"db.system": "postgresql"})
        try:
            await pool.take()
        finally:
            self.app.tracer.end(span)
        began = time.monotonic()
        try:
            self.connection = connection = await pool.connection()
            await self.run(step["steps"])
            pool.idle.append(connection)
        finally:
            self.connection = None
            pool.give(began)

    def fill(self, sql, ms):
        return sql.replace("$1", str(self.id)).replace("$2", f"{ms / 1000:.5f}")

    async def traced_query(self, name, step, ms):
        span = self.app.tracer.child(self.span, name, {"db.system": "postgresql", "db.statement": step["sql"]})
        try:
            await self.connection.query(self.fill(step["sql"], ms), ms)
        finally:
            self.app.tracer.end(span)

    async def do_sql(self, step):
        is_slow = step.get("slow_every") and self.id % step["slow_every"] == 0
        for _ in range(max(1, step.get("times", 1))):
            await self.traced_query("SELECT shop", step, step["slow_ms"] if is_slow else step["ms"])

    async def do_row(self, step):
        await self.connection.query("begin", 0)
        await self.traced_query("UPDATE shop", step, 0)
        await self.app.rows.use(lambda: self.run(step["steps"]))
        await self.connection.query("commit", 0)

    async def do_lock(self, step):
        await self.app.locks[step["of"]].use(lambda: self.run(step["steps"]))

    async def do_executor(self, step):
        await self.app.executors[step["of"]].use(lambda: self.run(step["steps"]))

    async def do_call(self, step):
        attempt = 0
        while True:
            status, after = await self.call_once(step)
            if status < 400:
                return
            if attempt >= step.get("retries", 0):
                raise Refused(502, f"{step['of']} answered {status}")
            attempt += 1
            self.app.log.warning("Retrying (%d) after %s answered %d", attempt, step["of"], status)
            await self.app.io.sleep(after if after is not None else 0.05 + 0.1 * random.random())

    async def call_once(self, step):
        began = time.monotonic()
        url = f"{step['url']}?ms={step['ms']}"
        span = self.app.tracer.child(self.span, "GET", {"http.request.method": "GET", "url.full": url, "server.address": "127.0.0.1",
                                                        "server.port": int(step["url"].split(":")[2].split("/")[0])})
        status, after = await self.app.calls.get(url)
        self.app.tracer.end(span, {"http.response.status_code": status})
        self.app.page.called(step["of"], status, time.monotonic() - began)
        return status, after

    async def do_blocking_call(self, step):
        """http.client in a coroutine: the loop waits for the answer."""
        began, part = time.monotonic(), self.app.loop_part
        part.account()
        part.busy = 1
        address = step["url"].removeprefix("http://").split("/")[0]
        connection = http.client.HTTPConnection(address, timeout=30)
        connection.request("GET", f"/?ms={step['ms']}")
        status = connection.getresponse().status
        connection.close()
        part.account()
        part.busy = 0
        self.app.page.called(step["of"], status, time.monotonic() - began)

    async def do_cpu(self, step):
        compute(step["ms"])

    async def do_interpret(self, step):
        """As `cpu`, but in the language itself: hashlib lets other threads compute."""
        until = time.thread_time() + step["ms"] / 1000
        while time.thread_time() < until:
            sum(range(200))

    async def do_sleep(self, step):
        await self.app.io.sleep(step["ms"] / 1000)

    async def do_fsync(self, step):
        for _ in range(step["times"]):
            os.pwrite(self.app.journal, bytes(step["bytes"]), 0)
            os.fsync(self.app.journal)

    async def do_leak(self, step):
        self.app.kept.append(bytearray(os.urandom(64)) * (step["bytes"] // 64))

    async def do_cache(self, step):
        key = self.id % step["keys"]
        if key not in self.app.cached:
            self.app.cached.add(key)
            await self.run(step["steps"])
