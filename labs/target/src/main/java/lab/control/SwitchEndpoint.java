package lab.control;

import java.util.Map;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.stereotype.Component;

/**
 * {@code /actuator/lab}: reads, sets and resets switches. It lives on the management port, whose threads and queue are
 * not the ones under test, so it answers while the target does not.
 */
@Component
@Endpoint(id = "lab")
public class SwitchEndpoint {

    private final Switchboard switchboard;

    public SwitchEndpoint(Switchboard switchboard) {
        this.switchboard = switchboard;
    }

    @ReadOperation
    public Map<String, String> values() {
        return switchboard.values();
    }

    @WriteOperation
    public Map<String, String> set(String name, String value) {
        try {
            switchboard.set(name, value);
        } catch (IllegalArgumentException refused) {
            throw new InvalidEndpointRequestException(refused.getMessage(), refused.getMessage(), refused);
        }
        return switchboard.values();
    }

    @DeleteOperation
    public Map<String, String> reset() {
        switchboard.resetAll();
        return switchboard.values();
    }
}
