"""Resources of which there are so many, with the ledger of their own use; connections to a database; both for an event loop
and for threads. What threads do blocks inside `async def` functions that never suspend, so that the steps are written once.
"""

import asyncio
import collections
import socket
import struct
import threading
import time


class Refused(Exception):
    """A request ends with this status."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class OperationalError(Exception):
    """psycopg's and asyncpg's: what the server said."""


def said_by_server(body):
    """Severity and message of an error, as drivers word them."""
    fields = {field[:1]: field[1:].decode() for field in body.split(b"\0") if field}
    return f"{fields.get(b'S', 'ERROR')}:  {fields.get(b'M', '')}"


class Part:
    """So many places and who waits for them."""

    def __init__(self, io, size, queue=-1, timeout_ms=0):
        self.io, self.size, self.queue, self.timeout = io, size, queue, timeout_ms / 1000
        self.lock = threading.Lock()
        self.waiters = collections.deque()
        self.busy, self.busy_s, self.changed = 0, 0.0, time.monotonic()
        self.wait_count, self.wait_s, self.hold_count, self.hold_s, self.refused = 0, 0.0, 0, 0.0, 0

    def account(self):
        now = time.monotonic()
        self.busy_s += self.busy * (now - self.changed)
        self.changed = now

    async def take(self):
        with self.lock:
            if self.busy < self.size:
                self.account()
                self.busy += 1
                return
            if 0 <= self.queue <= len(self.waiters):
                self.refused += 1
                raise Refused(503, "queue is full")
            waiter = self.io.waiter()
            self.waiters.append(waiter)
        began = time.monotonic()
        if not await self.io.wait(waiter, self.timeout):
            with self.lock:
                if waiter in self.waiters:
                    self.waiters.remove(waiter)
                    self.refused += 1
                    raise Refused(500, f"couldn't get a connection after {self.timeout:.2f} sec")
        with self.lock:
            self.wait_count += 1
            self.wait_s += time.monotonic() - began

    def give(self, began):
        with self.lock:
            self.hold_count += 1
            self.hold_s += time.monotonic() - began
            if self.waiters:
                self.io.wake(self.waiters.popleft())
                return
            self.account()
            self.busy -= 1

    async def use(self, body):
        await self.take()
        began = time.monotonic()
        try:
            return await body()
        finally:
            self.give(began)

    def ledger(self):
        with self.lock:
            self.account()
            return {"size": self.size, "busy": self.busy, "waiting": len(self.waiters), "busy_s": self.busy_s, "wait_count": self.wait_count,
                    "wait_s": self.wait_s, "hold_count": self.hold_count, "hold_s": self.hold_s, "refused": self.refused}


class LoopIo:
    """What waits suspends the coroutine."""

    def waiter(self):
        return asyncio.get_running_loop().create_future()

    def wake(self, waiter):
        if not waiter.done():
            waiter.set_result(True)

    async def wait(self, waiter, timeout):
        try:
            return await asyncio.wait_for(waiter, timeout or None)
        except asyncio.TimeoutError:
            return False

    async def sleep(self, seconds):
        await asyncio.sleep(seconds)

    async def connect(self, port):
        return await asyncio.open_connection("127.0.0.1", port)

    async def send(self, stream, data):
        stream[1].write(data)

    async def line(self, stream):
        return await stream[0].readline()

    async def exactly(self, stream, size):
        return await stream[0].readexactly(size)

    def close(self, stream):
        stream[1].close()


class ThreadIo:
    """What waits blocks the thread."""

    def waiter(self):
        return threading.Event()

    def wake(self, waiter):
        waiter.set()

    async def wait(self, waiter, timeout):
        return waiter.wait(timeout or None)

    async def sleep(self, seconds):
        time.sleep(seconds)

    async def connect(self, port):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection, connection.makefile("rb")

    async def send(self, stream, data):
        stream[0].sendall(data)

    async def line(self, stream):
        return stream[1].readline()

    async def exactly(self, stream, size):
        data = stream[1].read(size)
        if len(data) < size:
            raise ConnectionError("server closed the connection unexpectedly")
        return data

    def close(self, stream):
        stream[1].close()
        stream[0].close()


class Connection:
    """PostgreSQL by its simple query protocol, or the line protocol of the stand-in."""

    def __init__(self, io, config, name):
        self.io, self.config, self.name, self.stream = io, config, name, None

    async def open(self):
        self.stream = await self.io.connect(self.config["port"])
        if self.config["kind"] == "postgres":
            words = ["user", self.config["user"], "database", self.config["database"], "application_name", self.name, ""]
            body = struct.pack(">i", 196608) + b"".join(word.encode() + b"\0" for word in words)
            await self.io.send(self.stream, struct.pack(">i", len(body) + 4) + body)
            await self.until_ready()

    async def query(self, sql, ms):
        if self.config["kind"] != "postgres":
            await self.io.send(self.stream, f"{ms} {sql}\n".encode())
            await self.io.line(self.stream)
            return
        text = sql.encode() + b"\0"
        await self.io.send(self.stream, b"Q" + struct.pack(">i", len(text) + 4) + text)
        await self.until_ready()

    async def until_ready(self):
        failed = None
        while True:
            kind, size = struct.unpack(">ci", await self.io.exactly(self.stream, 5))
            body = await self.io.exactly(self.stream, size - 4)
            if kind == b"E":
                failed = said_by_server(body)
                if failed.startswith("FATAL"):
                    # The server ends the session; nothing more comes.
                    self.io.close(self.stream)
                    raise OperationalError(f'connection failed: connection to server at "127.0.0.1", port {self.config["port"]} failed: {failed}')
            elif kind == b"Z":
                if failed:
                    raise OperationalError(failed)
                return


class Pool(Part):
    """A part whose places are connections."""

    def __init__(self, io, config, name):
        super().__init__(io, config["size"], timeout_ms=config["timeout_ms"])
        self.config, self.name, self.idle = config, name, collections.deque()

    async def connection(self):
        try:
            return self.idle.pop()
        except IndexError:
            connection = Connection(self.io, self.config, self.name)
            await connection.open()
            return connection


class Calls:
    """Kept connections to other servers."""

    def __init__(self, io):
        self.io, self.kept = io, collections.defaultdict(collections.deque)

    async def get(self, url):
        """Status and Retry-After, s, or None."""
        address, _, path = url.removeprefix("http://").partition("/")
        port = int(address.rpartition(":")[2])
        try:
            stream = self.kept[port].pop()
        except IndexError:
            stream = await self.io.connect(port)
        await self.io.send(stream, f"GET /{path} HTTP/1.1\r\nHost: {address}\r\nAccept: */*\r\n\r\n".encode())
        status = int((await self.io.line(stream)).split()[1])
        length, after = 0, None
        while (line := (await self.io.line(stream)).decode().strip().lower()):
            name, _, value = line.partition(":")
            if name == "content-length":
                length = int(value)
            elif name == "retry-after":
                after = int(value)
        await self.io.exactly(stream, length)
        self.kept[port].append(stream)
        return status, after
