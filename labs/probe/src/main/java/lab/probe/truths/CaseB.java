package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** Case B step by step: pool / hold time predicts each limit, and moving the call out of the transaction removes it. */
final class CaseB implements Probe {

    @Override
    public String truth() {
        return "case-b";
    }

    @Override
    public void check(Trial trial) {
        Deers.upWarm(trial, truth());
        double first = limit(trial, 10, 2.0);
        limit(trial, 30, 2.0);
        limit(trial, 30, 0.5);
        trial.lab.switchTo("deers=call-outside-tx", "pool=30", "outside.latencyMs=2000");
        trial.warm(() -> Load.count(trial.lab.target(), 320, 640, Deers.registerThenRead()));
        CpuUse.Measured<LoadResult> outside = trial.measure(
                () -> Load.count(trial.lab.target(), 320, 1_280, Deers.registerThenRead()));
        trial.claims.that("nothing failed with the call outside", outside.result().failed() == 0);
        trial.claims.atLeast("times the first with the call outside, pool 30 and 2 s", outside.result().rate() / first, 20);
    }

    /** Twice as many users as connections, four rounds through the pool. */
    private static double limit(Trial trial, int pool, double holdSeconds) {
        trial.lab.switchTo("deers=tx-around-call", "pool=" + pool, "outside.latencyMs=" + Math.round(holdSeconds * 1_000));
        CpuUse.Measured<LoadResult> load = trial.measure(
                () -> Load.count(trial.lab.target(), 2 * pool, 4 * pool, Deers.register()));
        trial.claims.near("registrations/s with pool %d and %.1f s, from pool / hold time".formatted(pool, holdSeconds),
                load.result().rate(), pool / holdSeconds, 0.15);
        return load.result().rate();
    }
}
