package lab.probe.truths;

import java.util.concurrent.atomic.AtomicInteger;
import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** A blocking call of 50 ms on one of two event loops: loops / time, CPU idle, and everything else waits as well. */
final class EventLoopBlocked implements Probe {

    private static final AtomicInteger NEXT = new AtomicInteger();

    private static Iteration join() {
        return connection -> connection
                .post("/queues/queue-1/members?user=u" + NEXT.incrementAndGet(), "").text().contains("success");
    }

    @Override
    public String truth() {
        return "event-loop-blocked";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 8, 80, join()));
        CpuUse.Measured<LoadResult> blocked = trial.measure(() -> Load.count(trial.lab.target(), 40, 200, join()));
        trial.claims.near("joins/s, from 2 loops / 50 ms", blocked.result().rate(), 2 / 0.05, 0.15);
        trial.claims.atMost("CPU of application, database and Redis",
                blocked.cpu().of("waitroom") + blocked.cpu().of("postgres") + blocked.cpu().of("redis"), 0.5);
        trial.lab.upFixed(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 40, 800, join()));
        CpuUse.Measured<LoadResult> fixed = trial.measure(() -> Load.count(trial.lab.target(), 40, 1_200, join()));
        trial.claims.atLeast("times the rate with the call off the event loop", fixed.result().rate() / blocked.result().rate(), 3);
    }
}
