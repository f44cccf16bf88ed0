package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** A connection is held across a call of 2 s: pool / hold time, with every CPU idle. */
final class PoolHeldAcrossCall implements Probe {

    @Override
    public String truth() {
        return "pool-held-across-call";
    }

    @Override
    public void check(Trial trial) {
        Deers.upWarm(trial, truth());
        CpuUse.Measured<LoadResult> held = trial.measure(() -> Load.count(trial.lab.target(), 20, 40, Deers.register()));
        trial.claims.near("registrations/s, from 10 connections / 2 s", held.result().rate(), 5, 0.15);
        trial.claims.that("no registration failed", held.result().failed() == 0);
        trial.claims.atMost("CPU of application and database", held.cpu().of("app-1") + held.cpu().of("postgres"), 0.5);
        trial.claims.that("the whole pool was seen idle in transaction", Waiting.most(trial, "state = 'idle in transaction'",
                () -> Load.count(trial.lab.target(), 20, 20, Deers.register())) == 10);

        trial.lab.upFixed(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 320, 640, Deers.registerThenRead()));
        CpuUse.Measured<LoadResult> fixed = trial.measure(() -> Load.count(trial.lab.target(), 320, 1_280, Deers.register()));
        trial.claims.atLeast("times the rate with the call outside the transaction", fixed.result().rate() / held.result().rate(), 20);
    }
}
