package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.lab.Metrics;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** 75 ms in each direction: every exchange takes 150 ms more, and the server knows nothing of it. */
final class NetworkDelay implements Probe {

    private static final Iteration NOOP = Iteration.get("/noop");

    @Override
    public String truth() {
        return "network-delay";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 8, 100, NOOP));
        Metrics before = trial.lab.metrics("app-1");
        CpuUse.Measured<LoadResult> far = trial.measure(() -> Load.count(trial.lab.target(), 8, 300, NOOP));
        Metrics after = trial.lab.metrics("app-1");
        double serverMs = 1_000 * after.since(before, "http_server_requests_seconds_sum", "/noop")
                / after.since(before, "http_server_requests_seconds_count", "/noop");
        CpuUse.Measured<LoadResult> near = trial.measure(() -> Load.count(trial.lab.direct("app-1"), 8, 400, NOOP));
        trial.claims.near("mean the caller sees (ms): 2 x 75 + what it is without", far.result().meanMs(), 150 + near.result().meanMs(), 0.1);
        trial.claims.near("requests/s, from 8 users / 150 ms", far.result().rate(), 8 / 0.150, 0.15);
        trial.claims.atMost("mean the server reports (ms)", serverMs, 8);
    }
}
