package waitroom;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.stereotype.Component;

/** {@code /actuator/lab} of this application: the same way of switching as the servlet application's, for two switches. */
@Component
@Endpoint(id = "lab")
class WaitroomSwitches {

    private static final Set<String> AUDITS = Set.of("off", "on-event-loop", "off-event-loop");
    private static final int DEFAULT_AUDIT_MS = 50;
    private static final int LONGEST_AUDIT_MS = 5_000;

    private volatile String audit = "off";
    private volatile int auditMs = DEFAULT_AUDIT_MS;

    String audit() {
        return audit;
    }

    int auditMs() {
        return auditMs;
    }

    @ReadOperation
    public Map<String, String> values() {
        return new TreeMap<>(Map.of("audit", audit, "auditMs", Integer.toString(auditMs)));
    }

    @WriteOperation
    public Map<String, String> set(String name, String value) {
        switch (name) {
            case "audit" -> {
                if (!AUDITS.contains(value)) {
                    throw refused("switch audit: `%s` is none of %s".formatted(value, AUDITS));
                }
                audit = value;
            }
            case "auditMs" -> auditMs = millis(value);
            default -> throw refused("no switch is called `%s`; there are audit, auditMs".formatted(name));
        }
        return values();
    }

    @DeleteOperation
    public Map<String, String> reset() {
        audit = "off";
        auditMs = DEFAULT_AUDIT_MS;
        return values();
    }

    private static int millis(String value) {
        try {
            int millis = Integer.parseInt(value);
            if (millis >= 0 && millis <= LONGEST_AUDIT_MS) {
                return millis;
            }
        } catch (NumberFormatException notANumber) {
            // said below, together with one out of range
        }
        throw refused("switch auditMs: `%s` is not a whole number from 0 to %d".formatted(value, LONGEST_AUDIT_MS));
    }

    private static InvalidEndpointRequestException refused(String why) {
        return new InvalidEndpointRequestException(why, why);
    }
}
