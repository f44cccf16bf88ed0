package lab.probe.truths;

import java.util.concurrent.atomic.AtomicInteger;
import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** Everybody updates one row and holds it for the rest of the transaction: 1 / hold time, however many come. */
final class RowLock implements Probe {

    private static final double HOLD_SECONDS = 0.1;
    private static final Iteration ONE_ROW = connection -> connection.post("/contents/1/likes", "").isSuccess();

    @Override
    public String truth() {
        return "row-lock";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 8, 30, ONE_ROW));
        CpuUse.Measured<LoadResult> one = trial.measure(() -> Load.count(trial.lab.target(), 8, 80, ONE_ROW));
        trial.claims.near("requests/s on one row, from 1 / hold time", one.result().rate(), 1 / HOLD_SECONDS, 0.15);
        trial.claims.atMost("CPU of application and database", one.cpu().of("app-1") + one.cpu().of("postgres"), 0.5);
        trial.claims.atLeast("longest row of database sessions waiting for a lock", Waiting.most(trial, "wait_event_type = 'Lock'",
                () -> Load.count(trial.lab.target(), 8, 60, ONE_ROW)), 5);

        AtomicInteger next = new AtomicInteger();
        CpuUse.Measured<LoadResult> many = trial.measure(() -> Load.count(trial.lab.target(), 8, 400,
                connection -> connection.post("/contents/" + (1 + next.getAndIncrement() % 400) + "/likes", "").isSuccess()));
        trial.claims.near("requests/s on 400 rows, from users / hold time", many.result().rate(), 8 / HOLD_SECONDS, 0.2);

        trial.lab.upFixed(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 8, 200, ONE_ROW));
        CpuUse.Measured<LoadResult> fixed = trial.measure(() -> Load.count(trial.lab.target(), 8, 400, ONE_ROW));
        trial.claims.atLeast("times the rate with the row locked last", fixed.result().rate() / one.result().rate(), 4);
    }
}
