package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.lab.Metrics;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** Nine of ten requests go to one of two equal instances: its limit / 0.9 is the limit of both. */
final class UnevenLoad implements Probe {

    private static final Iteration PAGE = Iteration.get("/submissions");
    private static final String COUNT = "http_server_requests_seconds_count";

    @Override
    public String truth() {
        return "uneven-load";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 8, 200, PAGE));
        Metrics before = trial.lab.metrics("app-1");
        Metrics before2 = trial.lab.metrics("app-2");
        CpuUse.Measured<LoadResult> uneven = trial.measure(() -> Load.open(trial.lab.target(), 100, 6, 100, PAGE));
        double first = trial.lab.metrics("app-1").since(before, COUNT, "/submissions");
        double second = trial.lab.metrics("app-2").since(before2, COUNT, "/submissions");
        trial.claims.near("share of the first instance", first / (first + second), 0.9, 0.03);
        CpuUse.Measured<LoadResult> limit = trial.measure(() -> Load.count(trial.lab.target(), 60, 700, PAGE));
        trial.claims.near("requests/s of both, from (10 connections / 100 ms) / 0.9", limit.result().rate(), 100 / 0.9, 0.15);
        trial.lab.upFixed(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 60, 700, PAGE));
        CpuUse.Measured<LoadResult> even = trial.measure(() -> Load.count(trial.lab.target(), 60, 1_400, PAGE));
        trial.claims.near("requests/s with equal weights, from 2 x 100", even.result().rate(), 200, 0.15);
        trial.claims.note("mean at 100/s: %.0f ms", uneven.result().meanMs());
    }
}
