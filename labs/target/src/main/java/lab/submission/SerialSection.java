package lab.submission;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.stereotype.Component;

/**
 * A section that one request at a time may be in, and that grows with the number waiting for it. It sleeps instead of
 * computing, so what it costs does not depend on what else the machine does.
 */
@Component
class SerialSection {

    private final SubmissionSwitches switches;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final AtomicInteger waiting = new AtomicInteger();

    SerialSection(SubmissionSwitches switches) {
        this.switches = switches;
    }

    void pass() {
        if (switches.serialMicros.get() == 0) {
            return;
        }
        waiting.incrementAndGet();
        lock.lock();
        try {
            int others = waiting.decrementAndGet();
            long micros = switches.serialMicros.get() + (long) switches.serialMicrosPerWaiting.get() * others;
            sleepUntil(System.nanoTime() + micros * 1_000);
        } finally {
            lock.unlock();
        }
    }

    private static void sleepUntil(long deadline) {
        for (long left = deadline - System.nanoTime(); left > 0; left = deadline - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
