package lab.submission;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.springframework.stereotype.Component;

/**
 * Work that takes longer the more requests are inside: with n of them, base x (1 + sigma (n - 1) + kappa n (n - 1)). For
 * N users that think no time this is the Universal Scalability Law, X(N) = N / that time, by construction. It sleeps
 * instead of computing, so it does not depend on what else the machine does.
 *
 * <p>Source: N. Gunther, <i>Guerrilla Capacity Planning</i>, Springer 2007.
 */
@Component
class CrowdedWork {

    private final SubmissionSwitches switches;
    private final AtomicInteger inside = new AtomicInteger();

    CrowdedWork(SubmissionSwitches switches) {
        this.switches = switches;
    }

    void perform() {
        int base = switches.workMs.get();
        if (base == 0) {
            return;
        }
        int others = inside.getAndIncrement();
        try {
            double sigma = switches.contentionPermille.get() / 1e3;
            double kappa = switches.coherencyPpm.get() / 1e6;
            sleep((long) (base * 1e6 * factor(others + 1, sigma, kappa)));
        } finally {
            inside.decrementAndGet();
        }
    }

    /** How many times longer the work of one of {@code n} requests takes than that of a single one. */
    static double factor(int n, double sigma, double kappa) {
        return 1 + sigma * (n - 1) + kappa * n * (n - 1);
    }

    private static void sleep(long nanos) {
        long deadline = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = deadline - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
