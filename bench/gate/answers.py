"""Stands before a gate and loses some of its answers: the request arrives, and the connection ends without a word."""
import asyncio, random, threading


class LosesAnswers:
    """Listens on a port of its own; counts what it lost."""

    def __init__(self, target, share, first=0):
        """Loses a share of the answers, and the first ones for certain."""
        self.target, self.share, self.first, self.lost = target, share, first, 0
        started = threading.Event()
        threading.Thread(target=self.run, args=(started,), daemon=True).start()
        started.wait()

    def run(self, started):
        async def main():
            server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            started.set()
            await server.serve_forever()
        asyncio.run(main())

    async def serve(self, client_in, client_out):
        try:
            gate_in, gate_out = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            client_out.transport.abort()
            return
        ways = [asyncio.create_task(self.pass_on(client_in, gate_out)), asyncio.create_task(self.answer(gate_in, client_out))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        # An answer may be on its way while the client has said all.
        if not ways[1].done():
            await asyncio.wait(ways[1:], timeout=2)
        for way in ways:
            way.cancel()
        client_out.transport.abort() if not ways[1].done() else client_out.close()
        gate_out.transport.abort()

    async def pass_on(self, reader, writer):
        try:
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass

    async def answer(self, reader, writer):
        try:
            while data := await reader.read(1 << 16):
                if self.lost < self.first or random.random() < self.share:
                    self.lost += 1
                    writer.transport.abort()
                    return
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
