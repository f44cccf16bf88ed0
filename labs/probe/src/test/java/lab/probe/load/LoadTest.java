package lab.probe.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoadTest {

    private final AtomicInteger received = new AtomicInteger();
    private volatile long stallMs;
    private HttpServer server;
    private URI target;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            int number = received.incrementAndGet();
            try {
                Thread.sleep(stallMs);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            byte[] body = (number % 10 == 0 ? "{\"code\":\"no\"}" : "{\"code\":\"success\"}").getBytes();
            exchange.sendResponseHeaders(200, number % 2 == 0 ? 0 : body.length); // 0: chunked
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.start();
        target = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aCountedLoadSendsExactlySoManyAndReadsBothLengthAndChunks() {
        LoadResult result = Load.count(target, 7, 100, Iteration.get("/"));

        assertEquals(100, received.get());
        assertEquals(90, result.ok());
        assertEquals(10, result.failed(), "an answer that says no is a failure, whatever its status");
    }

    /** A driver that waits for slow answers before it sends the next would send less and call the target calm. */
    @Test
    void anOpenLoadCountsTheWaitOfAStartThatFoundNoFreeUser() {
        stallMs = 100;

        LoadResult result = Load.open(target, 40, 0.5, 2, Iteration.get("/"));

        assertEquals(20, result.samples().size());
        assertTrue(result.percentileMs(100) > 400, "the last start waited behind nine others: " + result.percentileMs(100));
    }

    @Test
    void aRefusedConnectionIsAFailedIteration() {
        server.stop(0);

        assertEquals(5, Load.count(target, 1, 5, Iteration.get("/")).failed());
    }
}
