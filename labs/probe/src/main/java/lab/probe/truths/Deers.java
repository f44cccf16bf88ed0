package lab.probe.truths;

import java.util.concurrent.atomic.AtomicLong;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;

/** Case B's requests. A deer id is used once in the life of this probe; labs/up empties the table. */
final class Deers {

    private static final AtomicLong NEXT = new AtomicLong(1);
    private static final int USERS = 3_000;

    private Deers() {
    }

    /** Sets up a truth in a warm JVM: the code is compiled by requests that wait for nothing, which take no time. */
    static void upWarm(Trial trial, String truth) {
        trial.lab.up(truth);
        trial.lab.switchTo("deers=call-outside-tx", "outside.latencyMs=0", "outside.limit=0", "pool=10", "threads=200");
        trial.warm(() -> Load.closed(trial.lab.target(), 8, 4, registerThenRead()));
        trial.lab.up(truth);
    }

    /** The POST alone: what holds the connection. */
    static Iteration register() {
        return connection -> {
            long deer = NEXT.getAndIncrement();
            return connection.post("/deers", body(deer)).isSuccess();
        };
    }

    /** The case's pair: POST, then GET of the same deer. */
    static Iteration registerThenRead() {
        return connection -> {
            long deer = NEXT.getAndIncrement();
            return connection.post("/deers", body(deer)).isSuccess()
                    && connection.get("/deers?userId=" + user(deer) + "&deerId=" + deer).isSuccess();
        };
    }

    private static String body(long deer) {
        return "{\"userId\":%d,\"deerId\":%d,\"data\":\"from the probe\"}".formatted(user(deer), deer);
    }

    private static long user(long deer) {
        return 1 + deer % USERS;
    }
}
