package lab.deer;

import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** The slow outside API. Built from Boot's own builder: a hand-made client would have no metrics and no spans. */
@Component
class OutsideClient {

    private final RestClient client;

    OutsideClient(RestClient.Builder builder, @Value("${lab.outside-url}") String url) {
        this.client = builder.baseUrl(url).build();
    }

    /** Its reference for the deer. @throws org.springframework.web.client.RestClientException after the time-out */
    String register(long deerId) {
        Map<?, ?> answer = client.post().uri("/register").body(Map.of("deerId", deerId)).retrieve().body(Map.class);
        return String.valueOf(answer.get("reference"));
    }
}
