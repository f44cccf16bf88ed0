"""A back end made of parts that a JSON file switches on: an event loop of asyncio, or threads as gunicorn's gthread has them."""

import asyncio
import concurrent.futures
import json
import logging
import os
import selectors
import signal
import socket
import sys
import threading
import time

from page import Page
from parts import Calls, LoopIo, Part, Pool, Refused, ThreadIo
from spans import Tracer
from steps import Request, compute

REASONS = {200: "OK", 404: "Not Found", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable"}


class App:
    """The running program."""

    def __init__(self, config, number):
        self.config = config
        self.is_threaded = bool(config["threads"])
        self.io = ThreadIo() if self.is_threaded else LoopIo()
        self.page = Page(config["dialect"], self.is_threaded)
        self.tracer = Tracer(config["otlp"], config["name"])
        self.pools = {name: Pool(self.io, one, config["name"]) for name, one in config["pools"].items()}
        self.locks = {name: Part(self.io, 1) for name in config["locks"]}
        self.executors = {name: Part(self.io, one["size"], one["queue"]) for name, one in config["executors"].items()}
        self.rows, self.loop_part, self.calls = Part(self.io, 10**9), Part(self.io, 1), Calls(self.io)
        self.threads = Part(self.io, config["threads"] or 10**9)
        self.kept, self.cached, self.requests, self.failed = [], set(), 0, 0
        self.tokens, self.refilled = 0.0, time.monotonic()
        self.ledger_file = config["ledger"] + (f".{number}" if number else "")
        self.journal = os.open(self.ledger_file + ".journal", os.O_CREAT | os.O_RDWR)
        logging.basicConfig(filename=config["log"], format="%(asctime)s %(levelname)s [shop.api] %(message)s")
        self.log = logging.getLogger("shop")
        threading.Thread(target=self.keep_ledger, daemon=True).start()

    def is_allowed(self):
        rate = self.config["rate_limit"]
        if not rate:
            return True
        now = time.monotonic()
        self.tokens = min(rate, self.tokens + rate * (now - self.refilled))
        self.refilled = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    async def answer(self, method, path, headers):
        """Status, text and more header fields."""
        path = path.split("?")[0]
        if path == "/healthz":
            self.page.answered(method, "/healthz", 200, 0.0001)
            return 200, "ok", ""
        if path == "/metrics" and self.config["page_port"] == self.config["port"]:
            return 200, self.page.text(self), "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
        for endpoint in self.config["endpoints"]:
            if endpoint["method"] == method and path.startswith(endpoint["prefix"]):
                return await self.serve(endpoint, path, headers)
        return 404, "not found", ""

    async def serve(self, endpoint, path, headers):
        began = time.monotonic()
        number = path[len(endpoint["prefix"]):].strip("/")
        self.page.in_progress += 1
        span = self.tracer.begin(headers, f"{endpoint['method']} {endpoint['route']}", {"http.request.method": endpoint["method"], "http.route": endpoint["route"]})
        status, text, more = 200, json.dumps({"id": number, "state": "open"}), ""
        try:
            if self.is_allowed():
                await Request(self, int(number) if number.isdigit() else 0, span).run(endpoint["steps"])
            else:
                status, text, more = 429, "slow down", "Retry-After: 1\r\n"
        except MemoryError:
            self.kept.clear()
            self.log.critical("MemoryError: out of memory, worker exits")
            os._exit(1)
        except Exception as error:
            status, text = getattr(error, "status", 500), str(error)
            self.log.error("Exception in %s %s: %s: %s", endpoint["method"], endpoint["route"], type(error).__name__, error)
        self.tracer.end(span, {"http.response.status_code": status})
        self.page.in_progress -= 1
        self.requests += 1
        self.failed += status >= 400
        self.page.answered(endpoint["method"], endpoint["route"], status, time.monotonic() - began)
        return status, text, more

    def keep_ledger(self):
        with open(self.ledger_file, "w") as out:
            while True:
                time.sleep(1)
                parts = {"row": self.rows.ledger(), "loop": self.loop_part.ledger(), "threads": self.threads.ledger()}
                for kind, group in (("pool", self.pools), ("lock", self.locks), ("executor", self.executors)):
                    parts.update({f"{kind}:{name}": part.ledger() for name, part in group.items()})
                out.write(json.dumps({"t": time.time(), "requests": self.requests, "failed": self.failed, "parts": parts}) + "\n")
                out.flush()


def answer_bytes(status, text, more):
    body = (text + "\n").encode()
    return f"HTTP/1.1 {status} {REASONS[status]}\r\nContent-Length: {len(body)}\r\n{more}\r\n".encode() + body


def head_of(lines):
    method, path, _ = lines[0].split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return method, path, headers


# An event loop.

async def serve_loop(app, listener):
    async def connected(reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                method, path, headers = head_of(head.strip().split("\r\n"))
                await reader.readexactly(int(headers.get("content-length", 0)))
                writer.write(answer_bytes(*await app.answer(method, path, headers)))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
            writer.close()

    if app.config["page_port"] != app.config["port"]:
        threading.Thread(target=serve_page, args=(app,), daemon=True).start()
    stop = app.config["stop"]
    async with await asyncio.start_server(connected, sock=listener, backlog=1024):
        while True:
            await asyncio.sleep(stop["every_ms"] / 1000 if stop else 3600)
            compute(stop["ms"] if stop else 0)


def serve_page(app):
    """On a port of its own the page is answered by a thread of its own, as prometheus_client's start_http_server does."""
    import http.server

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = app.page.text(app).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    http.server.ThreadingHTTPServer.allow_reuse_address = True
    http.server.ThreadingHTTPServer(("127.0.0.1", app.config["page_port"]), Handler).serve_forever()


# Threads: the main thread watches kept connections, a pool of threads answers requests.

def run_blocking(coroutine):
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError("suspended in a thread")


def serve_threads(app, listener):
    listener.listen(1024)
    listener.setblocking(False)
    watched, back = selectors.DefaultSelector(), []
    waker, wake = socket.socketpair()
    watched.register(listener, selectors.EVENT_READ)
    watched.register(waker, selectors.EVENT_READ)
    workers = concurrent.futures.ThreadPoolExecutor(app.config["threads"])
    if app.config["page_port"] != app.config["port"]:
        threading.Thread(target=serve_page, args=(app,), daemon=True).start()

    def one(connection, stream):
        run_blocking(app.threads.take())
        began = time.monotonic()
        try:
            lines = []
            while (line := stream.readline().decode("latin-1").strip()):
                lines.append(line)
            if not lines:
                stream.close()
                connection.close()
                return
            method, path, headers = head_of(lines)
            stream.read(int(headers.get("content-length", 0)))
            connection.sendall(answer_bytes(*run_blocking(app.answer(method, path, headers))))
            back.append((connection, stream))
            wake.send(b".")
        except (OSError, ValueError):
            connection.close()
        finally:
            app.threads.give(began)

    while True:
        for key, _ in watched.select():
            if key.fileobj is listener:
                connection, _ = listener.accept()
                connection.setblocking(True)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                watched.register(connection, selectors.EVENT_READ, connection.makefile("rb"))
            elif key.fileobj is waker:
                waker.recv(4096)
                while back:
                    connection, stream = back.pop()
                    watched.register(connection, selectors.EVENT_READ, stream)
            else:
                watched.unregister(key.fileobj)
                workers.submit(one, key.fileobj, key.data)


def serve_forked(app, listener):
    """One request at a time, on a connection of its own, as workers that fork do."""
    listener.setblocking(True)
    listener.listen(1024)
    while True:
        connection, _ = listener.accept()
        run_blocking(app.threads.take())
        began = time.monotonic()
        try:
            stream = connection.makefile("rb")
            lines = []
            while (line := stream.readline().decode("latin-1").strip()):
                lines.append(line)
            if lines:
                method, path, headers = head_of(lines)
                answer = answer_bytes(*run_blocking(app.answer(method, path, headers)))
                connection.sendall(answer.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
        except (OSError, ValueError):
            pass  # Who called is gone.
        finally:
            connection.close()
            app.threads.give(began)


def main():
    with open(sys.argv[1]) as file:
        config = json.load(file)
    listener = socket.create_server(("127.0.0.1", config["port"]), backlog=1024)
    children = []
    for number in range(1, config["processes"] + 1):
        child = os.fork() if config["processes"] > 1 else 0
        if child:
            children.append(child)
            continue
        app = App(config, number if config["processes"] > 1 else 0)
        if config.get("is_forking"):
            serve_forked(app, listener)
        elif app.is_threaded:
            serve_threads(app, listener)
        else:
            asyncio.run(serve_loop(app, listener))
        return
    signal.signal(signal.SIGTERM, lambda *_: [os.kill(child, signal.SIGTERM) for child in children] and sys.exit(0))
    os.wait()


if __name__ == "__main__":
    main()
