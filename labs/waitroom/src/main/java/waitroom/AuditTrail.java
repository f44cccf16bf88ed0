package waitroom;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Writes each join to an audit trail that blocks its thread for {@code auditMs}: a library nobody knew to be blocking.
 * On the event loop it stops every connection of that loop; on the elastic scheduler it stops nobody else.
 */
@Component
class AuditTrail {

    private final WaitroomSwitches switches;

    AuditTrail(WaitroomSwitches switches) {
        this.switches = switches;
    }

    Mono<Void> record(String user) {
        Mono<Void> write = Mono.fromRunnable(this::block);
        return switch (switches.audit()) {
            case "off" -> Mono.empty();
            case "on-event-loop" -> write;
            case "off-event-loop" -> write.subscribeOn(Schedulers.boundedElastic());
            default -> throw new IllegalStateException("audit " + switches.audit());
        };
    }

    private void block() {
        try {
            Thread.sleep(switches.auditMs());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
