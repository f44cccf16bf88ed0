package lab.probe.load;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Three kinds of load on one target. Each blocks until its last iteration has ended; a thread is a virtual user. */
public final class Load {

    private static final int STACK_BYTES = 128 * 1024;
    private static final double NANOS = 1e9;

    private final URI target;
    private final int timeoutMs;
    private final ConcurrentLinkedQueue<LoadResult.Sample> samples = new ConcurrentLinkedQueue<>();
    private long began;

    private Load(URI target, int timeoutMs) {
        this.target = target;
        this.timeoutMs = timeoutMs;
    }

    /** A fixed number of iterations, by so many users as fast as they can: its rate has no edge effect of a window. */
    public static LoadResult count(URI target, int users, int iterations, Iteration iteration) {
        AtomicInteger left = new AtomicInteger(iterations);
        Load load = new Load(target, 60_000);
        load.eachUser(users, connection -> {
            while (left.getAndDecrement() > 0) {
                load.iterate(connection, System.nanoTime(), iteration);
            }
        });
        return load.result(iterations, 0);
    }

    /** So many users for a time, each thinking between iterations for a time drawn anew from {@code thinkNanos}. */
    public static LoadResult closed(
            URI target, int users, double seconds, LongSupplier thinkNanos, Iteration iteration) {
        Load load = new Load(target, 30_000);
        AtomicInteger planned = new AtomicInteger();
        load.eachUser(users, connection -> {
            long end = load.began + (long) (seconds * NANOS);
            while (System.nanoTime() < end) {
                planned.incrementAndGet();
                load.iterate(connection, System.nanoTime(), iteration);
                sleepUntil(Math.min(System.nanoTime() + thinkNanos.getAsLong(), end));
            }
        });
        return load.result(planned.get(), seconds);
    }

    /** So many users for a time, without thinking. */
    public static LoadResult closed(URI target, int users, double seconds, Iteration iteration) {
        return closed(target, users, seconds, () -> 0, iteration);
    }

    /**
     * So many starts a second, whatever the target does; latency counts from the planned start. At most {@code users}
     * are inside at once, later starts wait for one and are late, never left out.
     */
    public static LoadResult open(URI target, double perSecond, double seconds, int users, Iteration iteration) {
        Load load = new Load(target, 30_000);
        LinkedBlockingQueue<Long> starts = new LinkedBlockingQueue<>();
        int planned = (int) Math.round(perSecond * seconds);
        Thread pacer = new Thread(() -> {
            for (int number = 0; number < planned; number++) {
                long due = load.began + (long) (number / perSecond * NANOS);
                sleepUntil(due);
                starts.add(due);
            }
            for (int user = 0; user < users; user++) {
                starts.add(Long.MIN_VALUE);
            }
        }, "pacer");
        load.eachUser(users, pacer, connection -> {
            try {
                for (long due = starts.take(); due != Long.MIN_VALUE; due = starts.take()) {
                    load.iterate(connection, due, iteration);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        return load.result(planned, seconds);
    }

    /** A think time, even between two lengths in seconds. */
    public static LongSupplier thinking(double least, double most) {
        return () -> (long) (ThreadLocalRandom.current().nextDouble(least, most) * NANOS);
    }

    private interface UserLife {
        void live(Connection connection);
    }

    private void eachUser(int users, UserLife life) {
        eachUser(users, null, life);
    }

    private void eachUser(int users, Thread pacer, UserLife life) {
        List<Thread> threads = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            threads.add(new Thread(null, () -> {
                try (Connection connection = new Connection(target, timeoutMs)) {
                    life.live(connection);
                }
            }, "user", STACK_BYTES));
        }
        if (pacer != null) {
            threads.add(pacer);
        }
        began = System.nanoTime();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException("interrupted in the middle of a load", stopped);
            }
        }
    }

    private void iterate(Connection connection, long intended, Iteration iteration) {
        boolean ok;
        try {
            ok = iteration.run(connection);
        } catch (IOException failed) {
            ok = false;
        }
        samples.add(new LoadResult.Sample((intended - began) / NANOS, (System.nanoTime() - began) / NANOS, ok));
    }

    private LoadResult result(long planned, double seconds) {
        double last = samples.stream().mapToDouble(LoadResult.Sample::end).max().orElse(0);
        return new LoadResult(List.copyOf(samples), planned, Math.max(last, seconds));
    }

    private static void sleepUntil(long deadline) {
        for (long left = deadline - System.nanoTime(); left > 0; left = deadline - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
