package io.loadline.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.StreamSupport;

/** What a service asks of the gate. Calls are tried again where the gate could not be reached or says "later". */
public class GateClient {
    private static final int TRIES = 4;
    private static final long FIRST_PAUSE_MS = 100;
    private static final int TOGETHER = 5_000;

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final ObjectMapper json;
    private final WaitingRoomProperties room;

    GateClient(ObjectMapper json, WaitingRoomProperties room) {
        this.json = json;
        this.room = room;
    }

    /** Who was let in. */
    public record Admission(String wid, long seq, Duration session) {}

    /** The gate cannot be reached, or refuses this service: that says nothing about the visitor. */
    public static class Unavailable extends IOException {
        Unavailable(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private record Answer(int status, JsonNode body) {
        String code() {
            return body.path("error").path("code").asText("");
        }
    }

    /**
     * Uses a one-time code up, once: an answer of the gate that was lost is asked for again under the same key, and whoever
     * else brings the code gets nothing. Empty when it was used, is over or was made up: then the waiting room knows what
     * to do, and gives another one where the browser is the right one.
     */
    public Optional<Admission> exchange(String code) throws Unavailable {
        Answer answer = post("/v1/token/exchange", Map.of("queue", room.queue(), "code", code), UUID.randomUUID().toString());
        if (answer.status == 200) {
            JsonNode body = answer.body;
            return Optional.of(new Admission(
                    body.path("wid").asText(), body.path("seq").asLong(), Duration.ofSeconds(body.path("session_s").asLong())));
        }
        boolean isVisitors = answer.status == 409 || answer.status == 410 || answer.code().equals("code_refused");
        if (isVisitors) {
            return Optional.empty();
        }
        throw new Unavailable("the gate refuses the exchange: " + answer.status + " " + answer.code(), null);
    }

    /** Says who is inside; gives back whose session is over at the gate. */
    public List<String> heartbeat(Collection<String> wids) throws Unavailable {
        List<String> all = List.copyOf(wids);
        List<String> over = new ArrayList<>();
        for (int from = 0; from < all.size(); from += TOGETHER) {
            List<String> part = all.subList(from, Math.min(all.size(), from + TOGETHER));
            Answer answer = post(sessions("heartbeat"), Map.of("wids", part), null);
            if (answer.status != 200) {
                throw new Unavailable("heartbeat: " + answer.status + " " + answer.code(), null);
            }
            JsonNode told = answer.body.path("over").path("wids");
            over.addAll(StreamSupport.stream(told.spliterator(), false).map(JsonNode::asText).toList());
        }
        return over;
    }

    /** Ends a session: the place goes to the next at once. */
    public void complete(String wid) throws Unavailable {
        Answer answer = post(sessions("complete"), Map.of("wids", List.of(wid)), null);
        if (answer.status != 200) {
            throw new Unavailable("complete: " + answer.status + " " + answer.code(), null);
        }
    }

    private String sessions(String call) {
        return "/v1/queues/" + room.queue() + "/sessions/" + call;
    }

    private Answer post(String path, Object body, String once) throws Unavailable {
        Throwable why = null;
        String said = "cannot be reached";
        for (int tries = 0; tries < TRIES; tries++) {
            try {
                if (tries > 0) {
                    long pause = FIRST_PAUSE_MS * (long) Math.pow(3, tries - 1);
                    Thread.sleep(pause + ThreadLocalRandom.current().nextLong(pause));
                }
                HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(room.inner() + path))
                        .timeout(Duration.ofSeconds(5))
                        .header("Authorization", "Bearer " + room.key())
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(json.writeValueAsBytes(body)));
                if (once != null) {
                    request.header("Idempotency-Key", once);
                }
                HttpResponse<byte[]> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
                if (answer.statusCode() != 429 && answer.statusCode() < 500) {
                    return new Answer(answer.statusCode(), json.readTree(answer.body()));
                }
                said = "answers " + answer.statusCode();
            } catch (IOException error) {
                why = error;
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw new Unavailable("interrupted", stop);
            }
        }
        throw new Unavailable("the gate at " + room.inner() + " " + said, why);
    }
}
