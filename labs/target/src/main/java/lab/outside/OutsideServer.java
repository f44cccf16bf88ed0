package lab.outside;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The outside API the target calls: answers {@code POST /register} after a set time. Asynchronous, so a thousand calls in
 * flight need no thousand threads, and it is never the bottleneck unless told to be ({@code limit}).
 *
 * <p>Ports: the API on {@code lab.outside.port}; on the next one {@code POST /control?latencyMs=&limit=&errorEvery=} and
 * {@code GET /self}, what the server measured of itself.
 */
public final class OutsideServer {

    private static final int ANSWERING_THREADS = 4;
    private static final int BACKLOG = 1_024;

    private OutsideServer() {
    }

    public static void main(String[] args) throws IOException {
        // Without it an answer of two small writes waits 40 ms for the other side's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
        int port = Integer.getInteger("lab.outside.port", 27070);

        ScheduledExecutorService clock = Executors.newScheduledThreadPool(ANSWERING_THREADS);
        Service service = new Service(clock);

        HttpServer api = listen(port);
        api.setExecutor(Executors.newFixedThreadPool(ANSWERING_THREADS));
        api.createContext("/register", service::accept);
        api.start();

        HttpServer control = listen(port + 1);
        control.createContext("/control", exchange -> answer(exchange, () -> service.configure(exchange.getRequestURI())));
        control.createContext("/self", exchange -> answer(exchange, service::self));
        control.start();
    }

    private static HttpServer listen(int port) throws IOException {
        return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
    }

    private interface Text {
        String get();
    }

    private static void answer(HttpExchange exchange, Text text) throws IOException {
        int status = 200;
        String body;
        try {
            body = text.get();
        } catch (IllegalArgumentException refused) {
            status = 400;
            body = refused.getMessage() + "\n";
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
