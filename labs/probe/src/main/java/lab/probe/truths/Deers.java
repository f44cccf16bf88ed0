package lab.probe.truths;

import java.util.concurrent.atomic.AtomicLong;
import lab.probe.load.Iteration;

/** Case B's requests. A deer id is used once in the life of this probe; labs/up empties the table. */
final class Deers {

    private static final AtomicLong NEXT = new AtomicLong(1);
    private static final int USERS = 3_000;

    private Deers() {
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
