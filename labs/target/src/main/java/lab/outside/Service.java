package lab.outside;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One service station: {@code limit} servers (0: as many as there are calls), a queue in order of arrival, and the same
 * service time for every call. Its most is therefore limit / latency.
 */
final class Service {

    private final ScheduledExecutorService clock;
    private final SelfMeasurement self = new SelfMeasurement();
    private final AtomicLong references = new AtomicLong();
    private final Queue<HttpExchange> queue = new ArrayDeque<>();
    private volatile OutsideSettings settings = OutsideSettings.DEFAULT;
    private int inService;

    Service(ScheduledExecutorService clock) {
        this.clock = clock;
    }

    /** @throws IllegalArgumentException naming the parameter */
    String configure(URI uri) {
        settings = settings.with(uri.getQuery());
        return settings + "\n";
    }

    String self() {
        int serving;
        int waiting;
        synchronized (queue) {
            serving = inService;
            waiting = queue.size();
        }
        return self.asJson(settings, serving, waiting);
    }

    /** Takes a call and returns at once; the exchange is answered later by the clock. */
    void accept(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        synchronized (queue) {
            self.accepted(inService + queue.size() + 1);
            int limit = settings.limit();
            if (limit > 0 && inService >= limit) {
                queue.add(exchange);
                return;
            }
            inService++;
        }
        serve(exchange);
    }

    private void serve(HttpExchange exchange) {
        long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.latencyMs());
        clock.schedule(() -> finish(exchange, due), settings.latencyMs(), TimeUnit.MILLISECONDS);
    }

    private void finish(HttpExchange exchange, long due) {
        try {
            write(exchange);
            self.answered(System.nanoTime() - due);
        } catch (IOException callerLeft) {
            self.abandoned();
        } finally {
            exchange.close();
            next();
        }
    }

    private void next() {
        HttpExchange waiting;
        synchronized (queue) {
            waiting = queue.poll();
            if (waiting == null) {
                inService--;
                return;
            }
        }
        serve(waiting);
    }

    private void write(HttpExchange exchange) throws IOException {
        long reference = references.incrementAndGet();
        boolean fails = settings.errorEvery() > 0 && reference % settings.errorEvery() == 0;
        byte[] body = (fails ? "{\"error\":\"unavailable\"}" : "{\"reference\":\"R" + reference + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(fails ? 503 : 200, body.length);
        exchange.getResponseBody().write(body);
    }
}
