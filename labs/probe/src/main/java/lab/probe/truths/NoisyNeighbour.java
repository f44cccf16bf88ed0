package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** Somebody else computes on the target's core: a request costs the same CPU, and half as many are served. */
final class NoisyNeighbour implements Probe {

    private static final Iteration QUOTE = Iteration.get("/quote");

    @Override
    public String truth() {
        return "noisy-neighbour";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 4, 10, QUOTE));
        CpuUse.Measured<LoadResult> disturbed = trial.measure(() -> Load.closed(trial.lab.target(), 8, 8, QUOTE));
        trial.lab.upFixed(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 4, 5, QUOTE));
        CpuUse.Measured<LoadResult> alone = trial.measure(() -> Load.closed(trial.lab.target(), 8, 8, QUOTE));
        double costDisturbed = disturbed.cpu().msPer(disturbed.result().ok(), "app-1");
        double costAlone = alone.cpu().msPer(alone.result().ok(), "app-1");
        trial.claims.near("CPU of a request beside the neighbour (ms), from the one alone", costDisturbed, costAlone, 0.25);
        trial.claims.near("application CPU beside the neighbour: its share of the core", disturbed.cpu().of("app-1"), 0.5, 0.25);
        trial.claims.atLeast("neighbour's CPU", disturbed.cpu().of("neighbour"), 0.35);
        trial.claims.atLeast("times the rate alone", alone.result().rate() / disturbed.result().rate(), 1.5);
    }
}
