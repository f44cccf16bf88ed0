package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.lab.Metrics;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** The application computes: 1 core / CPU time of a request, with the database and the collector at rest. */
final class AppCpu implements Probe {

    private static final Iteration QUOTE = Iteration.get("/quote");

    @Override
    public String truth() {
        return "app-cpu";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 4, 8, QUOTE));
        CpuUse.Measured<LoadResult> alone = trial.measure(() -> Load.closed(trial.lab.target(), 1, 5, QUOTE));
        Metrics before = trial.lab.metrics("app-1");
        CpuUse.Measured<LoadResult> loaded = trial.measure(() -> Load.closed(trial.lab.target(), 8, 8, QUOTE));
        double pauses = trial.lab.metrics("app-1").since(before, "jvm_gc_pause_seconds_sum") / loaded.cpu().seconds();
        double predicted = 1_000 / alone.cpu().msPer(alone.result().ok(), "app-1");
        trial.claims.near("requests/s, from 1 core / application CPU of a request alone", loaded.result().rate(), predicted, 0.2);
        trial.claims.atLeast("application CPU", loaded.cpu().of("app-1"), 0.85);
        trial.claims.atMost("database CPU", loaded.cpu().of("postgres"), 0.05);
        trial.claims.atMost("share of time in collector pauses", pauses, 0.03);
        trial.lab.upFixed(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 8, 5, QUOTE));
        CpuUse.Measured<LoadResult> fixed = trial.measure(() -> Load.closed(trial.lab.target(), 8, 8, QUOTE));
        trial.claims.atLeast("times the rate with a tenth of the rounds", fixed.result().rate() / loaded.result().rate(), 4);
    }
}
