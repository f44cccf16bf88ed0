package io.loadline.gate;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code waiting-room.*}.
 *
 * @param gate where visitors reach the gate: {@code https://wait.example}
 * @param inner where this service calls it, if elsewhere
 * @param queue the queue's id; its {@code proof} must be {@code code}
 * @param key a key with the scope {@code register}
 * @param open paths that everybody may see, such as {@code /health}; with {@code /} at the end, all below
 * @param heartbeat between two heartbeats; must be well below the queue's {@code idle_s}
 * @param passWhenAway whether visitors without a session pass while the gate cannot be reached; else they get 503
 */
@ConfigurationProperties("waiting-room")
public record WaitingRoomProperties(
        String gate,
        String inner,
        String queue,
        String key,
        @DefaultValue List<String> open,
        @DefaultValue("60s") Duration heartbeat,
        @DefaultValue("false") boolean passWhenAway) {

    public WaitingRoomProperties {
        require(gate, "gate", "https?://[^/]+/?");
        require(queue, "queue", "q_[0-9a-f]{16}");
        require(key, "key", "wrk_[0-9a-f]{16}_.+");
        gate = gate.replaceAll("/$", "");
        inner = inner == null ? gate : inner.replaceAll("/$", "");
    }

    private static void require(String value, String name, String form) {
        if (value == null || !value.matches(form)) {
            throw new IllegalArgumentException("waiting-room." + name + (value == null ? " is missing" : " must look like " + form));
        }
    }

    boolean isOpen(String path) {
        return open.stream().anyMatch(one -> one.endsWith("/") ? path.startsWith(one) : path.equals(one));
    }
}
