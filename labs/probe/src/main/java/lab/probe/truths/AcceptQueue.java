package lab.probe.truths;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Connection;

/**
 * 20 connections and an accept queue of 10: callers 21 to 31 are connected by the kernel and never answered, later ones
 * are not even connected.
 */
final class AcceptQueue implements Probe {

    private static final int CALLERS = 50;
    private static final int PATIENCE_MS = 700;
    private static final int CONNECTIONS = 20;
    /** Linux lets one more in than the backlog says. */
    private static final int QUEUED = 10 + 1;

    private record Seen(int answered, int silent, int refused) {
    }

    @Override
    public String truth() {
        return "accept-queue";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.waitForQuiet("before opening connections");
        Seen seen = call(trial.lab.target());
        trial.claims.note("%d answered, %d connected but silent, %d not connected", seen.answered, seen.silent, seen.refused);
        trial.claims.that("20 callers were answered", seen.answered == CONNECTIONS);
        trial.claims.that("11 were connected and got no answer", Math.abs(seen.silent - QUEUED) <= 1);
        trial.claims.that("the others were not connected", seen.refused == CALLERS - seen.answered - seen.silent && seen.refused > 0);
        trial.lab.upFixed(truth());
        trial.claims.that("all 50 are answered with the default limits", call(trial.lab.target()).answered == CALLERS);
    }

    /** Opens connection after connection, each kept open, each asking once. */
    private static Seen call(URI target) {
        List<Connection> open = new ArrayList<>();
        int answered = 0;
        int silent = 0;
        int refused = 0;
        for (int caller = 0; caller < CALLERS; caller++) {
            Connection connection = new Connection(target, PATIENCE_MS);
            try {
                connection.open();
            } catch (IOException notConnected) {
                refused++;
                continue;
            }
            Answer answer = ask(connection);
            answered += answer == Answer.GIVEN ? 1 : 0;
            silent += answer == Answer.NONE ? 1 : 0;
            open.add(connection);
        }
        open.forEach(Connection::close);
        return new Seen(answered, silent, refused);
    }

    private enum Answer { GIVEN, NONE }

    private static Answer ask(Connection connection) {
        try {
            return connection.getKeepingOpen("/noop").isSuccess() ? Answer.GIVEN : Answer.NONE;
        } catch (IOException noAnswer) {
            return Answer.NONE;
        }
    }
}
