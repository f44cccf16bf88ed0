"""A Redis of a case's own, on one core, filled with as many keys as the case asks for; and a small client."""

import socket
import time

from . import place, postgres

PREFIX = "session"
# As many keys as no cache of a processor holds, so that the time of one is that of many.
CALIBRATION_KEYS = 200_000
LOOKS = 5
FULL_LOOK = ["KEYS", "cart:0:*"]


class Client:
    """Commands whose answers are one line, or a list of nothing."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.stream = self.socket.makefile("rb")

    def do(self, *words):
        self.socket.sendall(f"*{len(words)}\r\n".encode() + b"".join(f"${len(word)}\r\n{word}\r\n".encode() for word in words))
        line = self.stream.readline().decode().strip()
        if not line or line.startswith("-"):
            raise RuntimeError(f"Redis answered {line!r}")

    def close(self):
        self.stream.close()
        self.socket.close()


class Redis:
    """The server; `keys_ms`: so many keys that a look at all of them takes that long."""

    def __init__(self, port, folder, add, keys=0, keys_ms=0):
        self.process = add(["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder,
                            "--enable-debug-command", "local"], "redis.log", postgres.CORE)
        place.until_open(port, self.process)
        client = Client(port)
        if keys_ms:
            keys = int(CALIBRATION_KEYS * keys_ms / look_ms(client, CALIBRATION_KEYS))
            # Once more with as many: the table of keys grows in steps.
            keys = int(keys * keys_ms / look_ms(client, keys))
        fill(client, keys)
        client.close()

    @property
    def pid(self):
        return self.process.pid


def fill(client, keys):
    client.do("FLUSHALL")
    client.do("DEBUG", "POPULATE", str(keys), PREFIX)


def look_ms(client, keys):
    """How long one look at so many keys takes: the fastest of some."""
    fill(client, keys)
    best = 1e9
    for _ in range(LOOKS):
        began = time.monotonic()
        client.do(*FULL_LOOK)
        best = min(best, 1000 * (time.monotonic() - began))
    return best
