package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** One statement reads 225,000 rows for want of an index. */
final class MissingIndex implements Probe {

    private static final Iteration PLACES = Iteration.get("/contents/1/places");

    @Override
    public String truth() {
        return "missing-index";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 8, 5, PLACES));
        CpuUse.Measured<LoadResult> missing = trial.measure(() -> Load.closed(trial.lab.target(), 8, 6, PLACES));
        trial.lab.upFixed(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 8, 8, PLACES));
        CpuUse.Measured<LoadResult> present = trial.measure(() -> Load.closed(trial.lab.target(), 8, 6, PLACES));
        trial.claims.atLeast("database CPU without the index", missing.cpu().of("postgres"), 0.85);
        trial.claims.atMost("application CPU without the index", missing.cpu().of("app-1"), 0.4);
        trial.claims.atLeast("times the database CPU of a request with the index",
                missing.cpu().msPer(missing.result().ok(), "postgres") / present.cpu().msPer(present.result().ok(), "postgres"), 5);
        trial.claims.atLeast("times the rate with the index", present.result().rate() / missing.result().rate(), 5);
    }
}
