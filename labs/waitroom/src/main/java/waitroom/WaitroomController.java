package waitroom;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Case E: {@code POST /queues/{queue}/members?user=} joins, {@code GET /queues/{queue}/rank?user=} asks for the place. */
@RestController
class WaitroomController {

    private final Queues queues;
    private final AuditTrail audit;

    WaitroomController(Queues queues, AuditTrail audit) {
        this.queues = queues;
        this.audit = audit;
    }

    @PostMapping("/queues/{queue}/members")
    Mono<Map<String, Object>> join(@PathVariable String queue, @RequestParam String user) {
        return audit.record(user).then(queues.join(queue, user)).map(WaitroomController::place)
                .defaultIfEmpty(Map.of("code", "no-such-queue"));
    }

    @GetMapping("/queues/{queue}/rank")
    Mono<Map<String, Object>> rank(@PathVariable String queue, @RequestParam String user) {
        return queues.rank(queue, user).map(WaitroomController::place)
                .defaultIfEmpty(Map.of("code", "not-waiting"));
    }

    private static Map<String, Object> place(long rank) {
        return Map.of("code", "success", "rank", rank);
    }
}
