"""Stands between a gate and its Redis and loses, repeats and holds back what they say to each other.

What gates tell each other goes through Redis: appends there, deliveries back. Of the appends some
are sent twice, some never arrive, of some the answer is lost, so that the gate cannot know whether
it was taken. Of the deliveries some are left out, some come twice, some are cut off.
"""
import asyncio, random, threading


async def value(reader):
    """One value of the protocol, as bytes."""
    line = await reader.readuntil(b"\r\n")
    kind, rest = line[:1], line[1:-2]
    if kind == b"$" and int(rest) >= 0:
        return line + await reader.readexactly(int(rest) + 2)
    if kind in b"*%~>" and int(rest) > 0:
        parts = int(rest) * (2 if kind == b"%" else 1)
        return line + b"".join([await value(reader) for _ in range(parts)])
    return line


class Lossy:
    """Listens on a port of its own; `port`, `counts`."""

    def __init__(self, redis_port, share):
        self.redis_port, self.share, self.counts = redis_port, share, {}
        self.dice = random.Random(7)
        started = threading.Event()
        threading.Thread(target=self.run, args=(started,), daemon=True).start()
        started.wait()

    def run(self, started):
        async def main():
            server = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=1 << 26)
            self.port = server.sockets[0].getsockname()[1]
            started.set()
            await server.serve_forever()
        asyncio.run(main())

    def happens(self, what):
        if self.dice.random() >= self.share:
            return False
        self.counts[what] = self.counts.get(what, 0) + 1
        return True

    async def serve(self, gate_in, gate_out):
        redis_in, redis_out = await asyncio.open_connection("127.0.0.1", self.redis_port, limit=1 << 26)
        wanted = asyncio.Queue()  # what is to become of each answer, in order
        try:
            done, rest = await asyncio.wait(
                [asyncio.create_task(self.ask(gate_in, redis_out, wanted)),
                 asyncio.create_task(self.answer(redis_in, gate_out, wanted))],
                return_when=asyncio.FIRST_COMPLETED)
            for task in rest:
                task.cancel()
            for task in done:
                task.exception()
        finally:
            gate_out.close()
            redis_out.close()

    async def ask(self, gate_in, redis_out, wanted):
        while True:
            command = await value(gate_in)
            is_append = b"EVALSHA" in command[:40] and b":log\r\n" in command[:300] and b":snapshot" not in command[:300]
            is_read = b"XREAD" in command[:40]
            if is_append and self.happens("append lost"):
                return
            await wanted.put("answer lost" if is_append and self.happens("answer lost")
                             else "delivery" if is_read else "pass")
            redis_out.write(command)
            if is_append and self.happens("append twice"):
                await wanted.put("swallow")
                redis_out.write(command)
            await redis_out.drain()

    async def answer(self, redis_in, gate_out, wanted):
        before = None
        while True:
            said = await value(redis_in)
            what = await wanted.get()
            if what == "swallow":
                continue
            if what == "answer lost":
                return
            if what == "delivery" and said[:3] != b"*-1":
                if self.happens("delivery left out"):
                    said = b"*-1\r\n"
                elif before and self.happens("delivery twice"):
                    said, before = before, None
                elif self.happens("delivery cut off"):
                    gate_out.write(said[:len(said) // 2])
                    await gate_out.drain()
                    return
                else:
                    before = said
            gate_out.write(said)
            await gate_out.drain()
