"""Stands before a Redis as an address that outlives it: it can fall silent, and lead to another server."""
import asyncio, threading


class Relay:
    """Listens on a port of its own; `port`, `fall_silent`, `lead_to`."""

    def __init__(self, target):
        self.target, self.silent, self.open = target, False, set()
        started = threading.Event()
        threading.Thread(target=self.run, args=(started,), daemon=True).start()
        started.wait()

    def run(self, started):
        async def main():
            self.loop = asyncio.get_running_loop()
            server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            started.set()
            await server.serve_forever()
        asyncio.run(main())

    def fall_silent(self):
        """What is sent from now on is lost, and no connection ends by it."""
        self.silent = True

    def lead_to(self, target):
        """Ends all connections; new ones lead to another server."""
        self.target = target
        self.loop.call_soon_threadsafe(lambda: [end.transport.abort() for end in list(self.open)])

    async def serve(self, client_in, client_out):
        try:
            redis_in, redis_out = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            client_out.transport.abort()
            return
        ends = {client_out, redis_out}
        self.open |= ends
        ways = [asyncio.create_task(self.pass_on(client_in, redis_out)), asyncio.create_task(self.pass_on(redis_in, client_out))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        for end in ends:
            end.transport.abort()
        self.open -= ends

    async def pass_on(self, reader, writer):
        try:
            while data := await reader.read(1 << 16):
                if not self.silent:
                    writer.write(data)
                    await writer.drain()
        except OSError:
            pass
