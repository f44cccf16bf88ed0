package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** A spinning lock and more runnable threads than cores: the same request costs more CPU the more threads there are. */
final class TooManyThreads implements Probe {

    private static final Iteration DRAW = Iteration.get("/draw");
    /** Beside a hundred spinning threads the compiler gets no core, and what is measured would be interpreted code. */
    private static final int WARMING = 2;

    @Override
    public String truth() {
        return "too-many-threads";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), WARMING, 8, DRAW));
        CpuUse.Measured<LoadResult> many = trial.measure(() -> Load.closed(trial.lab.target(), 100, 8, DRAW));
        trial.lab.upFixed(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), WARMING, 8, DRAW));
        CpuUse.Measured<LoadResult> few = trial.measure(() -> Load.closed(trial.lab.target(), 100, 8, DRAW));
        double costMany = many.cpu().msPer(many.result().ok(), "app-1");
        double costFew = few.cpu().msPer(few.result().ok(), "app-1");
        trial.claims.note("200 threads: %.1f/s, %.2f ms CPU each; 2 threads: %.1f/s, %.2f ms CPU each",
                many.result().rate(), costMany, few.result().rate(), costFew);
        trial.claims.atLeast("application CPU in both", Math.min(many.cpu().of("app-1"), few.cpu().of("app-1")), 0.8);
        trial.claims.atLeast("times the CPU of a request with few threads", costMany / costFew, 1.5);
        trial.claims.atLeast("times the rate with few threads", few.result().rate() / many.result().rate(), 1.5);
    }
}
