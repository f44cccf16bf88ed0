package lab.work;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A lock that waits by spinning and never gives its core away. With more runnable threads than cores a preempted holder
 * makes the others burn whole time slices: the cost of a request grows with the number of threads.
 */
final class SpinLock {

    private final AtomicBoolean held = new AtomicBoolean();

    long hold(java.util.function.LongSupplier section) {
        while (!held.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
        try {
            return section.getAsLong();
        } finally {
            held.set(false);
        }
    }
}
