package lab.probe.load;

import java.nio.charset.StandardCharsets;

/** An answer: status and body. */
public record Response(int status, byte[] body) {

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** The lab's own idea of success: status 200, and the envelope says so. A status alone can lie. */
    public boolean isSuccess() {
        return status == 200 && text().startsWith("{\"code\":\"success\"");
    }
}
