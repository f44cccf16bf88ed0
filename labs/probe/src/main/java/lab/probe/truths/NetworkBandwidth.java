package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** A line of 20 Mbit/s and answers of 100 kB: bandwidth / size, with both ends idle. */
final class NetworkBandwidth implements Probe {

    private static final Iteration PAYLOAD = connection -> connection.get("/payload").body().length == 100_000;

    @Override
    public String truth() {
        return "network-bandwidth";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 4, 40, PAYLOAD));
        CpuUse.Measured<LoadResult> narrow = trial.measure(() -> Load.count(trial.lab.target(), 8, 200, PAYLOAD));
        trial.claims.near("answers/s, from 20 Mbit/s / 100.2 kB", narrow.result().rate(), 20e6 / 8 / 100_200, 0.15);
        trial.claims.atMost("application CPU", narrow.cpu().of("app-1"), 0.3);
        trial.warm(() -> Load.count(trial.lab.direct("app-1"), 8, 200, PAYLOAD));
        CpuUse.Measured<LoadResult> direct = trial.measure(() -> Load.count(trial.lab.direct("app-1"), 8, 1_000, PAYLOAD));
        trial.claims.atLeast("times the rate beside the line", direct.result().rate() / narrow.result().rate(), 8);
    }
}
