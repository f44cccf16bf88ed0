package lab.probe.truths;

import java.util.concurrent.atomic.AtomicInteger;
import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** Every fifth answer is an error with status 200: by status there are none. */
final class ErrorsInside200 implements Probe {

    @Override
    public String truth() {
        return "errors-inside-200";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        AtomicInteger notOk = new AtomicInteger();
        CpuUse.Measured<LoadResult> load = trial.measure(() -> Load.count(trial.lab.target(), 4, 500, connection -> {
            var answer = connection.get("/contents/1");
            if (answer.status() != 200) {
                notOk.incrementAndGet();
            }
            return answer.isSuccess();
        }));
        trial.claims.that("no answer had a status other than 200", notOk.get() == 0);
        trial.claims.that("every fifth of 500 answers was an error: " + load.result().failed(), load.result().failed() == 100);
        trial.lab.upFixed(truth());
        CpuUse.Measured<LoadResult> fixed = trial.measure(
                () -> Load.count(trial.lab.target(), 4, 500, lab.probe.load.Iteration.get("/contents/1")));
        trial.claims.that("none is with the fix", fixed.result().failed() == 0);
    }
}
