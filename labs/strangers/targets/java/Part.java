import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A resource of which there are so many, with the ledger of its own use. */
class Part {
    final int size;
    final long timeoutMs;
    final Semaphore places;
    int busy;
    int waiting;
    double busySeconds;
    long changed = System.nanoTime();
    long waitCount;
    double waitSeconds;
    long holdCount;
    double holdSeconds;
    long refused;

    Part(int size, long timeoutMs) {
        this.size = size;
        this.timeoutMs = timeoutMs;
        places = new Semaphore(size, true);
    }

    synchronized void account(int change) {
        long now = System.nanoTime();
        busySeconds += busy * (now - changed) / 1e9;
        changed = now;
        busy += change;
    }

    /** The time at which it was taken. */
    long take() throws Exception {
        long began = System.nanoTime();
        synchronized (this) {
            waiting++;
        }
        boolean isTaken = timeoutMs > 0 ? places.tryAcquire(timeoutMs, TimeUnit.MILLISECONDS) : acquired();
        synchronized (this) {
            waiting--;
            if (!isTaken) {
                refused++;
                throw timedOut();
            }
            account(1);
            waitCount++;
            waitSeconds += (System.nanoTime() - began) / 1e9;
        }
        return System.nanoTime();
    }

    private boolean acquired() throws InterruptedException {
        places.acquire();
        return true;
    }

    Exception timedOut() {
        return new Failure(503, "java.util.concurrent.TimeoutException");
    }

    void give(long taken) {
        synchronized (this) {
            account(-1);
            holdCount++;
            holdSeconds += (System.nanoTime() - taken) / 1e9;
        }
        places.release();
    }

    synchronized String ledger() {
        account(0);
        return String.format("{\"size\":%d,\"busy\":%d,\"waiting\":%d,\"busy_s\":%f,\"hold_count\":%d,\"hold_s\":%f,\"wait_count\":%d,\"wait_s\":%f,\"refused\":%d}",
            size, busy, waiting, busySeconds, holdCount, holdSeconds, waitCount, waitSeconds, refused);
    }
}
