package lab.probe.truths;

import java.net.URI;
import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** The outside server serves ten calls of 0.5 s at once: 20/s, and its answers slow down with the load on it. */
final class OutsideLimit implements Probe {

    @Override
    public String truth() {
        return "outside-limit";
    }

    @Override
    public void check(Trial trial) {
        Deers.upWarm(trial, truth());
        URI outside = URI.create("http://127.0.0.1:" + (trial.lab.outsideControl().getPort() - 1));
        Iteration call = connection -> connection.post("/register", "{}").status() == 200;
        CpuUse.Measured<LoadResult> calm = trial.measure(() -> Load.open(outside, 5, 3, 10, call));
        CpuUse.Measured<LoadResult> direct = trial.measure(() -> Load.count(outside, 60, 120, call));
        CpuUse.Measured<LoadResult> through = trial.measure(() -> Load.count(trial.lab.target(), 60, 120, Deers.register()));
        trial.claims.near("mean of direct calls at 5/s (ms)", calm.result().meanMs(), 500, 0.1);
        trial.claims.near("direct calls/s, from 10 places / 0.5 s", direct.result().rate(), 20, 0.15);
        trial.claims.near("registrations/s, the same", through.result().rate(), 20, 0.15);
        trial.claims.atLeast("times the mean of a direct call under load", direct.result().meanMs() / calm.result().meanMs(), 3);
        trial.claims.atMost("CPU of application, database and outside server",
                through.cpu().of("app-1") + through.cpu().of("postgres") + through.cpu().of("outside"), 0.5);
        trial.lab.upFixed(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 60, 120, Deers.registerThenRead()));
        CpuUse.Measured<LoadResult> fixed = trial.measure(() -> Load.count(trial.lab.target(), 60, 480, Deers.register()));
        trial.claims.atLeast("times the rate without the limit", fixed.result().rate() / through.result().rate(), 4);
    }
}
