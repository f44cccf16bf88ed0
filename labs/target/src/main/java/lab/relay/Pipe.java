package lab.relay;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One forwarded connection. Each direction has a reader that stamps what it read with the time it is due, and a writer
 * that waits for that time; the queue between them is bounded, so a slow receiver slows its sender.
 */
final class Pipe {

    private static final int CHUNK = 16 * 1024;
    private static final int CHUNKS_IN_FLIGHT = 64;
    private static final Chunk END = new Chunk(null, 0);

    private record Chunk(ByteBuffer bytes, long dueNanos) {
    }

    private final SocketChannel caller;
    private final Address target;
    private final long delayNanos;

    Pipe(SocketChannel caller, Address target, long delayMs) {
        this.caller = caller;
        this.target = target;
        this.delayNanos = TimeUnit.MILLISECONDS.toNanos(delayMs);
    }

    void start() throws IOException {
        SocketChannel callee = null;
        try {
            callee = SocketChannel.open(target.family());
            callee.connect(target.socket());
            withoutNagle(caller);
            withoutNagle(callee);
        } catch (IOException unreachable) {
            caller.close();
            if (callee != null) {
                callee.close();
            }
            System.err.println("relay: " + target.socket() + ": " + unreachable.getMessage());
            return;
        }
        direction(caller, callee);
        direction(callee, caller);
    }

    private void direction(SocketChannel from, SocketChannel to) {
        BlockingQueue<Chunk> inFlight = new ArrayBlockingQueue<>(CHUNKS_IN_FLIGHT);
        thread(() -> read(from, inFlight));
        thread(() -> write(inFlight, from, to));
    }

    private void read(SocketChannel from, BlockingQueue<Chunk> inFlight) throws InterruptedException {
        try {
            ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
            while (from.read(buffer) >= 0) {
                buffer.flip();
                ByteBuffer copy = ByteBuffer.allocate(buffer.remaining()).put(buffer).flip();
                buffer.clear();
                inFlight.put(new Chunk(copy, System.nanoTime() + delayNanos));
            }
        } catch (IOException closed) {
            // the other direction closed it, or the peer left: both end this direction
        }
        inFlight.put(END);
    }

    private void write(BlockingQueue<Chunk> inFlight, SocketChannel from, SocketChannel to) throws InterruptedException {
        try {
            for (Chunk chunk = inFlight.take(); chunk != END; chunk = inFlight.take()) {
                TimeUnit.NANOSECONDS.sleep(chunk.dueNanos() - System.nanoTime());
                while (chunk.bytes().hasRemaining()) {
                    to.write(chunk.bytes());
                }
            }
            to.shutdownOutput();
        } catch (IOException closed) {
            close(from);
            close(to);
            inFlight.clear(); // lets a reader that waits for room see its closed socket
        }
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static void thread(Work work) {
        Thread thread = new Thread(null, () -> {
            try {
                work.run();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }, "relay", 64 * 1024);
        thread.setDaemon(true);
        thread.start();
    }

    private static void withoutNagle(SocketChannel channel) throws IOException {
        if (!(channel.getRemoteAddress() instanceof java.net.UnixDomainSocketAddress)
                && channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            // nothing is left to release
        }
    }
}
