import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;

/** What one request does, step by step. */
final class Steps {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private final App app;
    private final int id;
    private final Spans.Span span;
    private Pool.Connection connection;

    Steps(App app, int id, Spans.Span span) {
        this.app = app;
        this.id = id;
        this.span = span;
    }

    void run(List<Object> steps) throws Exception {
        for (Object step : steps) {
            one(App.map(step));
        }
    }

    private void one(Map<String, Object> step) throws Exception {
        switch ((String) step.get("do")) {
            case "pool" -> pool(step);
            case "sql" -> sql(step);
            case "row" -> row(step);
            case "lock" -> held(app.locks.get(step.get("of")), step);
            case "executor" -> executor(step);
            case "call", "blocking-call" -> call(step);
            case "cpu" -> compute(App.number(step, "ms"));
            case "sleep" -> Thread.sleep((long) App.number(step, "ms"));
            case "fsync" -> fsync(step);
            case "leak" -> app.kept.add(new byte[App.whole(step, "bytes")]);
            case "garbage" -> garbage(App.whole(step, "bytes"));
            case "cache" -> {
                if (app.cached.add(id % App.whole(step, "keys"))) {
                    run(App.list(step, "steps"));
                }
            }
            default -> throw new IllegalArgumentException("unknown step " + step.get("do"));
        }
    }

    private void held(Part part, Map<String, Object> step) throws Exception {
        long taken = part.take();
        try {
            run(App.list(step, "steps"));
        } finally {
            part.give(taken);
        }
    }

    private void pool(Map<String, Object> step) throws Exception {
        Pool pool = app.pools.get(step.get("of"));
        Spans.Span wait = app.spans.child(span, "HikariDataSource.getConnection", Spans.INTERNAL);
        long taken;
        try {
            taken = pool.take();
        } finally {
            app.spans.end(wait, Map.of("code.namespace", "com.zaxxer.hikari.HikariDataSource", "code.function", "getConnection"));
        }
        try {
            connection = pool.connection();
            run(App.list(step, "steps"));
            pool.idle.add(connection);
        } finally {
            connection = null;
            pool.give(taken);
        }
    }

    private void query(String name, Map<String, Object> step, double ms) throws IOException {
        String sql = (String) step.get("sql");
        Spans.Span query = app.spans.child(span, name, Spans.CLIENT);
        connection.query(sql.replace("$1", String.valueOf(id)).replace("$2", String.format(Locale.ROOT, "%.5f", ms / 1000)), ms);
        app.spans.end(query, Map.of("db.system", "postgresql", "db.statement", sql.replace("$1", "?").replace("$2", "?"), "db.name", "shop"));
    }

    private void sql(Map<String, Object> step) throws IOException {
        int slowEvery = App.whole(step, "slow_every");
        double ms = slowEvery > 0 && id % slowEvery == 0 ? App.number(step, "slow_ms") : App.number(step, "ms");
        for (int time = 0; time < Math.max(1, App.whole(step, "times")); time++) {
            query("SELECT shop", step, ms);
        }
    }

    private void row(Map<String, Object> step) throws Exception {
        connection.query("begin", 0);
        query("UPDATE shop.stock", step, 0);
        held(app.rows, step);
        connection.query("commit", 0);
    }

    private void executor(Map<String, Object> step) throws Exception {
        try {
            app.executors.get(step.get("of")).submit(() -> {
                run(App.list(step, "steps"));
                return null;
            }).get();
        } catch (RejectedExecutionException full) {
            throw new Failure(503, full.toString());
        } catch (ExecutionException inside) {
            throw inside.getCause() instanceof Exception cause ? cause : inside;
        }
    }

    private void call(Map<String, Object> step) throws Exception {
        for (int attempt = 0;; attempt++) {
            HttpResponse<Void> answer = callOnce(step);
            if (answer.statusCode() < 400) {
                return;
            }
            String what = step.get("of") + " answered " + answer.statusCode();
            if (attempt >= App.whole(step, "retries")) {
                throw new Failure(502, "org.springframework.web.client.HttpClientErrorException: " + what);
            }
            app.log("WARN", "c.s.RetryingClient", "retry " + (attempt + 1) + ": " + what);
            Thread.sleep(answer.headers().firstValueAsLong("Retry-After").isPresent()
                ? 1000 * answer.headers().firstValueAsLong("Retry-After").getAsLong() : ThreadLocalRandom.current().nextLong(50, 150));
        }
    }

    private HttpResponse<Void> callOnce(Map<String, Object> step) throws Exception {
        long began = System.nanoTime();
        URI uri = URI.create(step.get("url") + "?ms=" + App.number(step, "ms"));
        Spans.Span call = app.spans.child(span, "GET", Spans.CLIENT);
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60)).build();
        HttpResponse<Void> answer = app.client.send(request, HttpResponse.BodyHandlers.discarding());
        app.spans.end(call, Map.of("http.request.method", "GET", "url.full", uri.toString(), "server.address", uri.getHost(), "server.port", uri.getPort(),
            "http.response.status_code", answer.statusCode()));
        app.page.called((String) step.get("of"), answer.statusCode(), (System.nanoTime() - began) / 1e9);
        return answer;
    }

    /** Uses so much CPU time of its thread, whatever else runs on the machine. */
    static void compute(double ms) throws Exception {
        byte[] block = new byte[4096];
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        long until = THREADS.getCurrentThreadCpuTime() + (long) (ms * 1e6);
        while (THREADS.getCurrentThreadCpuTime() < until) {
            digest.digest(block);
        }
    }

    private static void garbage(int bytes) {
        for (int made = 0; made < bytes; made += 65_536) {
            byte[] block = new byte[65_536];
            block[made % 65_536] = 1;
        }
    }

    private void fsync(Map<String, Object> step) throws IOException {
        for (int time = 0; time < App.whole(step, "times"); time++) {
            app.journal.write(ByteBuffer.allocate(App.whole(step, "bytes")), 0);
            app.journal.force(false);
        }
    }
}
