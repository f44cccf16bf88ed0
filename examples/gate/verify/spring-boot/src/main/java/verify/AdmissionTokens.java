package verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Checks the waiting room's tokens offline, with its published keys. Each is good once; several
 * instances of a service would keep the used ones in one place.
 */
@Component
class AdmissionTokens {
    /** Why a token lets nobody in. */
    static class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String why) {
            super(why);
        }
    }

    private static final Duration LEEWAY = Duration.ofSeconds(30);
    /** What stands before the 32 bytes of an Ed25519 key in its X.509 form (RFC 8410). */
    private static final byte[] ED25519 = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

    private final String gate;
    private final String queue;
    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final Map<String, Instant> used = new ConcurrentHashMap<>();
    private volatile Map<String, PublicKey> keys = Map.of();

    AdmissionTokens(@Value("${waiting-room.gate}") String gate, @Value("${waiting-room.queue}") String queue) {
        this.gate = gate;
        this.queue = queue;
    }

    /** Where visitors wait. */
    String waitingRoom() {
        return gate + "/w/" + queue;
    }

    /** Who may come in with this token, now and for the first time. */
    String admit(String token) throws Refused {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            throw new Refused("not a token");
        }
        try {
            JsonNode head = part(parts[0]);
            // The key decides what may be signed with it, not the token.
            PublicKey key = "EdDSA".equals(head.path("alg").asText()) ? key(head.path("kid").asText()) : null;
            if (key == null || !isSigned(key, parts)) {
                throw new Refused("forged");
            }
            JsonNode claims = part(parts[1]);
            if (!queue.equals(claims.path("aud").asText()) || !gate.equals(claims.path("iss").asText())) {
                throw new Refused("for another service");
            }
            Instant now = Instant.now();
            Instant end = Instant.ofEpochSecond(claims.path("exp").asLong()).plus(LEEWAY);
            Instant begin = Instant.ofEpochSecond(claims.path("nbf").asLong()).minus(LEEWAY);
            if (now.isBefore(begin) || !now.isBefore(end)) {
                throw new Refused("expired");
            }
            used.values().removeIf(over -> over.isBefore(now));
            if (used.putIfAbsent(claims.path("jti").asText(), end) != null) {
                throw new Refused("used before");
            }
            return claims.path("sub").asText();
        } catch (IOException | GeneralSecurityException | IllegalArgumentException unreadable) {
            throw new Refused("not a token");
        }
    }

    private JsonNode part(String text) throws IOException {
        return json.readTree(Base64.getUrlDecoder().decode(text));
    }

    private boolean isSigned(PublicKey key, String[] parts) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initVerify(key);
        signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
        return signature.verify(Base64.getUrlDecoder().decode(parts[2]));
    }

    private PublicKey key(String kid) throws IOException, GeneralSecurityException {
        if (!keys.containsKey(kid)) {
            keys = published();
        }
        return keys.get(kid);
    }

    private Map<String, PublicKey> published() throws IOException, GeneralSecurityException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(gate + "/.well-known/jwks.json")).timeout(Duration.ofSeconds(2)).build();
        Map<String, PublicKey> found = new ConcurrentHashMap<>();
        try {
            String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            for (JsonNode jwk : json.readTree(body).path("keys")) {
                if (!"Ed25519".equals(jwk.path("crv").asText())) {
                    continue;
                }
                byte[] own = Base64.getUrlDecoder().decode(jwk.path("x").asText());
                byte[] encoded = new byte[ED25519.length + own.length];
                System.arraycopy(ED25519, 0, encoded, 0, ED25519.length);
                System.arraycopy(own, 0, encoded, ED25519.length, own.length);
                found.put(jwk.path("kid").asText(), KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return found;
    }
}
