package lab.probe.truths;

import java.util.concurrent.atomic.AtomicInteger;
import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** The same load on the same code, just started and a while later: case E's every second round was better. */
final class ColdJvm implements Probe {

    private static final double RATE = 150;
    private static final double PART_SECONDS = 30;
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final String truth;

    ColdJvm(String truth) {
        this.truth = truth;
    }

    @Override
    public String truth() {
        return truth;
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth); // installs, builds and starts what stays warm
        trial.lab.down();
        trial.lab.up(truth);
        double started = trial.lab.compilationSeconds();
        CpuUse.Measured<LoadResult> cold = trial.measure(
                () -> Load.open(trial.lab.target(), RATE, PART_SECONDS, 200, join()));
        double coldCompiling = trial.lab.compilationSeconds() - started;
        CpuUse.Measured<LoadResult> warm = trial.measure(
                () -> Load.open(trial.lab.target(), RATE, PART_SECONDS, 200, join()));
        double coldP95 = cold.result().percentileMs(95);
        double warmCompiling = trial.lab.compilationSeconds() - started - coldCompiling;
        double warmP95 = warm.result().percentileMs(95);
        trial.claims.note("first 30 s: p95 %.1f ms, p99 %.1f ms; second 30 s: p95 %.1f ms, p99 %.1f ms",
                coldP95, cold.result().percentileMs(99), warmP95, warm.result().percentileMs(99));
        trial.claims.note("first 30 s: %.2f CPU, compiling for %.1f s; second 30 s: %.2f CPU, compiling for %.1f s",
                cold.cpu().of("waitroom"), coldCompiling, warm.cpu().of("waitroom"), warmCompiling);
        trial.claims.that("nothing failed", cold.result().failed() + warm.result().failed() == 0);
        trial.claims.atLeast("times the p95 in the first 30 s", coldP95 / warmP95, 2);
        trial.claims.atLeast("seconds of compiling in the first 30 s", coldCompiling, 10);
        trial.claims.atLeast("times the compiling in the first 30 s", coldCompiling / warmCompiling, 2);
    }

    private static Iteration join() {
        return connection -> {
            String user = "u" + NEXT.incrementAndGet();
            return connection.post("/queues/queue-1/members?user=" + user, "").text().contains("success")
                    && connection.get("/queues/queue-1/rank?user=" + user).text().contains("success");
        };
    }
}
