import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ThreadLocalRandom;

/** Spans as OTLP over HTTP in JSON, sent once a second; all calls do nothing where nothing is traced. */
final class Spans {
    static final int INTERNAL = 1;
    static final int SERVER = 2;
    static final int CLIENT = 3;

    record Span(String trace, String id, String parent, String name, int kind, long start, Map<String, Object> attributes) {}

    private final String url;
    private final String service;
    private final HttpClient client;
    private final List<String> ended = new ArrayList<>();
    private final long origin = System.currentTimeMillis() * 1_000_000 - System.nanoTime();

    Spans(String url, String service, HttpClient client) {
        this.url = url;
        this.service = service;
        this.client = client;
        if (!url.isEmpty()) {
            App.eachSecond("span-exporter", this::deliver);
        }
    }

    private static String hex() {
        return String.format("%016x", ThreadLocalRandom.current().nextLong());
    }

    private long now() {
        return origin + System.nanoTime();
    }

    Span begin(String traceparent, String name) {
        if (url.isEmpty()) {
            return null;
        }
        String[] parts = traceparent == null ? new String[0] : traceparent.split("-");
        boolean isAsked = parts.length == 4;
        return new Span(isAsked ? parts[1] : hex() + hex(), hex(), isAsked ? parts[2] : "", name, SERVER, now(), new LinkedHashMap<>());
    }

    Span child(Span parent, String name, int kind) {
        return parent == null ? null : new Span(parent.trace, hex(), parent.id, name, kind, now(), new LinkedHashMap<>());
    }

    private static String json(Map<String, Object> attributes) {
        StringJoiner all = new StringJoiner(",", "[", "]");
        attributes.forEach((key, value) -> all.add("{\"key\":" + Json.quote(key) + ",\"value\":{" + (value instanceof Integer
            ? "\"intValue\":\"" + value + '"' : "\"stringValue\":" + Json.quote(value.toString())) + "}}"));
        return all.toString();
    }

    void end(Span span, Map<String, Object> attributes) {
        if (span == null) {
            return;
        }
        String text = String.format("{\"traceId\":\"%s\",\"spanId\":\"%s\",\"parentSpanId\":\"%s\",\"name\":%s,\"kind\":%d,\"startTimeUnixNano\":\"%d\","
            + "\"endTimeUnixNano\":\"%d\",\"attributes\":%s}", span.trace, span.id, span.parent, Json.quote(span.name), span.kind, span.start, now(), json(attributes));
        synchronized (ended) {
            ended.add(text);
        }
    }

    private void deliver() {
        List<String> spans;
        synchronized (ended) {
            spans = new ArrayList<>(ended);
            ended.clear();
        }
        if (spans.isEmpty()) {
            return;
        }
        String resource = json(Map.of("service.name", service, "telemetry.sdk.language", "java", "process.pid", (int) ProcessHandle.current().pid()));
        String body = "{\"resourceSpans\":[{\"resource\":{\"attributes\":" + resource + "},\"scopeSpans\":[{\"scope\":{\"name\":\"stranger\"},\"spans\":["
            + String.join(",", spans) + "]}]}]}";
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body)).build();
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    }
}
