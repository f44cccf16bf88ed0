package lab.probe.truths;

import java.util.Arrays;
import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** A pool of 5 against one of 20 where the database's core is the limit: the honest answer is "no difference". */
final class NoDifference implements Probe {

    private static final Iteration PAGE = Iteration.get("/apps/first-page");
    /** Many short ones: the speed of a core drifts by a third within a minute on a shared machine. */
    private static final int ROUNDS = 9;

    @Override
    public String truth() {
        return "no-difference";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 20, 10, PAGE));
        compare(trial, "pool", "5", "20");
        compare(trial, "threads", "10", "200");
    }

    /** Neighbours are compared, the order turned around from round to round, so that drift favours neither. */
    private static void compare(Trial trial, String setting, String low, String high) {
        double[] lows = new double[ROUNDS];
        double[] highs = new double[ROUNDS];
        double[] ratios = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            boolean lowFirst = round % 2 == 0;
            double first = rate(trial, setting + "=" + (lowFirst ? low : high));
            double second = rate(trial, setting + "=" + (lowFirst ? high : low));
            lows[round] = lowFirst ? first : second;
            highs[round] = lowFirst ? second : first;
            ratios[round] = lows[round] / highs[round];
        }
        trial.claims.note("%s=%s: %s/s; %s=%s: %s/s",
                setting, low, Arrays.toString(rounded(lows)), setting, high, Arrays.toString(rounded(highs)));
        trial.claims.near("median of the rates with %s=%s as a share of those with %s".formatted(setting, low, high),
                median(ratios), 1, 0.10);
    }

    private static double rate(Trial trial, String setting) {
        trial.lab.switchTo(setting);
        trial.warm(() -> Load.closed(trial.lab.target(), 20, 1, PAGE));
        CpuUse.Measured<LoadResult> load = trial.measure(() -> Load.closed(trial.lab.target(), 20, 4, PAGE));
        return load.result().rate();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double[] rounded(double[] values) {
        return Arrays.stream(values).map(value -> Math.round(value * 10) / 10.0).toArray();
    }
}
