package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** Case A's literal second round costs the database more than what it replaces. */
final class FalseImprovement implements Probe {

    private static final Iteration FIRST_PAGE = Iteration.get("/apps/first-page");
    private static final int ROUNDS = 3;

    @Override
    public String truth() {
        return "false-improvement";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 4, 5, FIRST_PAGE));
        double[] before = new double[ROUNDS];
        double[] after = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            trial.lab.switchTo("firstPage=two-query", "categories=lazy");
            before[round] = databaseMs(trial);
            trial.lab.switchTo("firstPage=projection-literal", "categories=memory");
            after[round] = databaseMs(trial);
            trial.claims.note("database CPU of a request: two-query %.1f ms, projection %.1f ms", before[round], after[round]);
            trial.claims.atLeast("times the database CPU, round " + (round + 1), after[round] / before[round], 1.05);
        }
    }

    private static double databaseMs(Trial trial) {
        CpuUse.Measured<LoadResult> load = trial.measure(() -> Load.closed(trial.lab.target(), 4, 6, FIRST_PAGE));
        return load.cpu().msPer(load.result().ok(), "postgres");
    }
}
