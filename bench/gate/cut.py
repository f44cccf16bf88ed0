"""Stands between one gate and its Redis and can hold back everything for a while: a gate cut off."""
import asyncio, threading


class Cut:
    """Listens on a port of its own; `port`, `for_seconds`."""

    def __init__(self, redis_port):
        self.redis_port = redis_port
        started = threading.Event()
        threading.Thread(target=self.run, args=(started,), daemon=True).start()
        started.wait()

    def run(self, started):
        async def main():
            self.loop, self.open = asyncio.get_running_loop(), asyncio.Event()
            self.open.set()
            server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            started.set()
            await server.serve_forever()
        asyncio.run(main())

    def for_seconds(self, seconds):
        """Holds everything back from now on, for so long; returns at once."""
        self.loop.call_soon_threadsafe(self.open.clear)
        self.loop.call_soon_threadsafe(self.loop.call_later, seconds, self.open.set)

    async def serve(self, gate_in, gate_out):
        redis_in, redis_out = await asyncio.open_connection("127.0.0.1", self.redis_port)
        ways = [asyncio.create_task(self.pass_on(gate_in, redis_out)), asyncio.create_task(self.pass_on(redis_in, gate_out))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        for end in (gate_out, redis_out):
            end.close()

    async def pass_on(self, reader, writer):
        while data := await reader.read(1 << 16):
            await self.open.wait()
            writer.write(data)
            await writer.drain()
