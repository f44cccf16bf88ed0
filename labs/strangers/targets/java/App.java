import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A back end made of parts that a JSON file switches on: the JDK's server with threads, or with one thread that is a loop. */
final class App {
    final Map<String, Object> config;
    final int port;
    final boolean isLoop;
    final Page page = new Page();
    final HttpClient client = HttpClient.newHttpClient();
    final Spans spans;
    final Map<String, Pool> pools = new LinkedHashMap<>();
    final Map<String, Part> locks = new LinkedHashMap<>();
    final Map<String, ThreadPoolExecutor> executors = new LinkedHashMap<>();
    final Map<String, Part> executorParts = new LinkedHashMap<>();
    final Part rows = new Part(1_000_000, 0);
    final Part threads;
    final ThreadPoolExecutor server;
    final FileChannel journal;
    final List<byte[]> kept = Collections.synchronizedList(new ArrayList<>());
    final Set<Integer> cached = ConcurrentHashMap.newKeySet();
    private final PrintWriter log;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private double tokens;
    private long refilled = System.nanoTime();

    App(Map<String, Object> config) throws IOException {
        this.config = config;
        port = whole(config, "port");
        isLoop = Boolean.TRUE.equals(config.get("loop"));
        String name = (String) config.get("name");
        spans = new Spans((String) config.get("otlp"), name, client);
        log = new PrintWriter(new FileWriter((String) config.get("log"), true), true);
        journal = FileChannel.open(Path.of(config.get("ledger") + ".journal"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        map(config.get("pools")).forEach((key, one) -> pools.put(key, new Pool(map(one), name)));
        list(config, "locks").forEach(key -> locks.put((String) key, new Part(1, 0)));
        map(config.get("executors")).forEach((key, one) -> addExecutor(key, map(one)));
        int size = isLoop ? 1 : Math.max(1, whole(config, "threads"));
        threads = new Part(size, 0);
        server = pool(isLoop ? "reactor-http-nio-" : "http-nio-" + port + "-exec-", size, -1, threads);
        for (int mib = 0; mib < whole(config, "live_mib"); mib++) {
            kept.add(new byte[1 << 20]);
        }
    }

    private void addExecutor(String name, Map<String, Object> one) {
        Part part = new Part(whole(one, "size"), 0);
        executorParts.put(name, part);
        executors.put(name, pool(name + "-", whole(one, "size"), whole(one, "queue"), part));
    }

    private static ThreadPoolExecutor pool(String name, int size, int queue, Part part) {
        AtomicInteger number = new AtomicInteger();
        var tasks = queue < 0 ? new LinkedBlockingQueue<Runnable>() : queue == 0 ? new SynchronousQueue<Runnable>() : new LinkedBlockingQueue<Runnable>(queue);
        return new ThreadPoolExecutor(size, size, 60, TimeUnit.SECONDS, tasks, task -> new Thread(task, name + number.incrementAndGet())) {
            @Override
            protected void beforeExecute(Thread thread, Runnable task) {
                part.account(1);
            }

            @Override
            protected void afterExecute(Runnable task, Throwable error) {
                part.account(-1);
            }
        };
    }

    static int whole(Map<String, Object> map, String key) {
        return (int) number(map, key);
    }

    static double number(Map<String, Object> map, String key) {
        return map.get(key) instanceof Double value ? value : 0;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Map<String, Object> map, String key) {
        return map.get(key) == null ? List.of() : (List<Object>) map.get(key);
    }

    void log(String level, String logger, String message) {
        log.printf("%s %5s %d --- [%s] %-40s : %s%n", Instant.now(), level, ProcessHandle.current().pid(), Thread.currentThread().getName(), logger, message);
    }

    static void eachSecond(String name, Runnable task) {
        Thread thread = new Thread(() -> {
            while (true) {
                try {
                    Thread.sleep(1000);
                } catch (InterruptedException stop) {
                    return;
                }
                task.run();
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    private synchronized boolean isAllowed() {
        double rate = number(config, "rate_limit");
        if (rate <= 0) {
            return true;
        }
        long now = System.nanoTime();
        tokens = Math.min(rate, tokens + rate * (now - refilled) / 1e9);
        refilled = now;
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }

    private void handle(HttpExchange exchange) throws IOException {
        long began = System.nanoTime();
        String path = exchange.getRequestURI().getPath();
        exchange.getRequestBody().readAllBytes();
        if (path.equals("/healthz")) {
            page.answered("GET", "/healthz", 200, 0.0001);
            end(exchange, 200, "ok");
            return;
        }
        for (Object one : list(config, "endpoints")) {
            Map<String, Object> endpoint = map(one);
            if (exchange.getRequestMethod().equals(endpoint.get("method")) && path.startsWith((String) endpoint.get("prefix"))) {
                String route = (String) endpoint.get("route");
                int status = serve(exchange, endpoint, path.substring(((String) endpoint.get("prefix")).length()));
                page.answered(exchange.getRequestMethod(), route, status, (System.nanoTime() - began) / 1e9);
                return;
            }
        }
        end(exchange, 404, "not found");
    }

    private int serve(HttpExchange exchange, Map<String, Object> endpoint, String id) throws IOException {
        if (!isAllowed()) {
            exchange.getResponseHeaders().set("Retry-After", "1");
            requests.incrementAndGet();
            failed.incrementAndGet();
            return end(exchange, 429, "Too Many Requests");
        }
        Spans.Span span = spans.begin(exchange.getRequestHeaders().getFirst("traceparent"), exchange.getRequestMethod() + " " + endpoint.get("route"));
        int status = 200;
        String text = "{\"id\":" + (id.isEmpty() ? "0" : id) + ",\"state\":\"open\"}";
        try {
            new Steps(this, id.matches("\\d+") ? Integer.parseInt(id) : 0, span).run(list(endpoint, "steps"));
        } catch (Exception error) {
            status = error instanceof Failure failure ? failure.status : 500;
            text = String.valueOf(error.getMessage());
            log("ERROR", "o.a.c.c.C.[.[.[/].[dispatcherServlet]", "Servlet.service() for servlet [dispatcherServlet] threw exception: " + text);
        }
        spans.end(span, Map.of("http.request.method", exchange.getRequestMethod(), "http.route", endpoint.get("route"), "http.response.status_code", status));
        requests.incrementAndGet();
        if (status >= 400) {
            failed.incrementAndGet();
        }
        return end(exchange, status, text);
    }

    private static int end(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes();
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
        return status;
    }

    private void servePage(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        end(exchange, 200, page.text(this));
    }

    private void start() throws IOException {
        HttpServer listener = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 1024);
        listener.setExecutor(server);
        listener.createContext("/", this::handle);
        int pagePort = whole(config, "page_port");
        HttpServer pages = pagePort == port ? listener : HttpServer.create(new InetSocketAddress("127.0.0.1", pagePort), 16);
        pages.createContext("/actuator/prometheus", this::servePage);
        listener.start();
        if (pages != listener) {
            pages.start();
        }
        PrintWriter ledger = new PrintWriter(new FileWriter((String) config.get("ledger")), true);
        eachSecond("ledger", () -> ledger.println(ledgerLine()));
        log("INFO", "c.s.ShopApplication", "Started ShopApplication");
    }

    private String ledgerLine() {
        Map<String, Part> all = new LinkedHashMap<>(Map.of("row", rows, "threads", threads));
        pools.forEach((name, part) -> all.put("pool:" + name, part));
        locks.forEach((name, part) -> all.put("lock:" + name, part));
        executorParts.forEach((name, part) -> all.put("executor:" + name, part));
        List<String> parts = new ArrayList<>();
        all.forEach((name, part) -> parts.add(Json.quote(name) + ":" + part.ledger()));
        double collecting = ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum() / 1e3;
        return String.format("{\"t\":%f,\"requests\":%d,\"failed\":%d,\"collecting_s\":%f,\"parts\":{%s}}", System.currentTimeMillis() / 1e3, requests.get(),
            failed.get(), collecting, String.join(",", parts));
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
        new App(map(Json.read(Files.readString(Path.of(args[0]))))).start();
    }
}
