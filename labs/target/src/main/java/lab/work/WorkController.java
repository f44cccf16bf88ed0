package lab.work;

import java.util.concurrent.ThreadLocalRandom;
import lab.answer.Answer;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints that need the application's CPU, its locks or the network, and nothing else. */
@RestController
class WorkController {

    private final WorkSwitches switches;
    private final SpinLock lock = new SpinLock();
    private volatile byte[] page = new byte[0];

    WorkController(WorkSwitches switches) {
        this.switches = switches;
    }

    /** Answers at once: what the server itself costs. */
    @GetMapping("/noop")
    Answer<String> noop() {
        return Answer.success("ok");
    }

    /** Computes: the application's CPU is all it needs. */
    @GetMapping("/quote")
    Answer<Long> quote() {
        return Answer.success(Computation.rounds(seed(), switches.quoteKilorounds.get()));
    }

    /** Computes, a part of it under a lock that spins: costs more the more threads there are. */
    @GetMapping("/draw")
    Answer<Long> draw() {
        long own = Computation.rounds(seed(), switches.drawKilorounds.get());
        return Answer.success(lock.hold(() -> Computation.rounds(own, switches.drawLockedKilorounds.get())));
    }

    /** Bytes: the network is all it needs. */
    @GetMapping(path = "/payload", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    byte[] payload() {
        int bytes = switches.payloadKb.get() * 1_000;
        if (page.length != bytes) {
            page = new byte[bytes];
        }
        return page;
    }

    private static long seed() {
        return ThreadLocalRandom.current().nextLong();
    }
}
