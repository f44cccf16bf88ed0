package lab.probe.truths;

import java.util.concurrent.atomic.AtomicInteger;
import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.lab.Metrics;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** Nothing is wrong at the planned load: a tool that finds a bottleneck here invents one. */
final class Healthy implements Probe {

    private static final AtomicInteger NEXT = new AtomicInteger();

    /** Reads of cases C and D, spread over rows. */
    private static Iteration mix() {
        return connection -> {
            int number = NEXT.incrementAndGet();
            int content = 1 + number * 7 % 3_000;
            return connection.get("/contents/" + content).isSuccess()
                    && connection.get("/contents/" + content + "/places").isSuccess()
                    && connection.get("/submissions?page=" + number % 50).isSuccess();
        };
    }

    @Override
    public String truth() {
        return "healthy";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.open(trial.lab.target(), 40, 12, 50, mix()));
        Metrics before = trial.lab.metrics("app-1");
        CpuUse.Measured<LoadResult> load = trial.measure(() -> Load.open(trial.lab.target(), 40, 10, 50, mix()));
        Metrics after = trial.lab.metrics("app-1");
        trial.claims.that("no iteration failed", load.result().failed() == 0);
        trial.claims.near("iterations/s, as planned", load.result().rate(), 40, 0.03);
        trial.claims.atMost("p95 (ms)", load.result().percentileMs(95), 100);
        trial.claims.atMost("application CPU", load.cpu().of("app-1"), 0.5);
        trial.claims.atMost("database CPU", load.cpu().of("postgres"), 0.5);
        trial.claims.atMost("share of time in collector pauses",
                after.since(before, "jvm_gc_pause_seconds_sum") / load.cpu().seconds(), 0.03);
        trial.claims.atMost("connection time-outs", after.since(before, "hikaricp_connections_timeout_total"), 0);
    }
}
