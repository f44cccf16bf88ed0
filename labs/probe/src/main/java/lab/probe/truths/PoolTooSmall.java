package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.lab.Metrics;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** Four connections, each needed for 100 ms of real database work: pool / hold time, nothing held idle. */
final class PoolTooSmall implements Probe {

    private static final Iteration PAGE = Iteration.get("/submissions");

    @Override
    public String truth() {
        return "pool-too-small";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 8, 5, PAGE));
        CpuUse.Measured<LoadResult> small = trial.measure(() -> Load.count(trial.lab.target(), 40, 240, PAGE));
        trial.claims.near("requests/s, from 4 connections / 100 ms", small.result().rate(), 4 / 0.1, 0.15);
        trial.claims.atMost("CPU of application and database", small.cpu().of("app-1") + small.cpu().of("postgres"), 0.7);
        trial.claims.that("the whole pool was seen at work in the database", Waiting.most(trial, "state = 'active'",
                () -> Load.count(trial.lab.target(), 40, 200, PAGE)) == 4);
        trial.lab.upFixed(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 40, 400, PAGE));
        CpuUse.Measured<LoadResult> large = trial.measure(() -> Load.count(trial.lab.target(), 40, 1_600, PAGE));
        trial.claims.atLeast("times the rate with 24 connections", large.result().rate() / small.result().rate(), 3);
    }
}
