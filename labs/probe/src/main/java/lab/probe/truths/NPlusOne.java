package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** A list of 100 rows that asks for two more things of each row: 1 + 2 x 100 statements instead of one. */
final class NPlusOne implements Probe {

    private static final int ROWS = 100;
    private static final Iteration PAGE = Iteration.get("/submissions?size=" + ROWS);

    @Override
    public String truth() {
        return "n-plus-one";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        double[] faulty = statementsAndCpu(trial);
        trial.lab.upFixed(truth());
        double[] fixed = statementsAndCpu(trial);
        trial.claims.near("statements for each request", faulty[0], 1 + 2 * ROWS, 0.05);
        trial.claims.atMost("statements for each request with the join", fixed[0], 3);
        trial.claims.atLeast("times the CPU (application and database) of the join", faulty[1] / fixed[1], 4);
        trial.claims.atLeast("times the rate with the join", fixed[2] / faulty[2], 3);
    }

    /** Statements for each request, CPU milliseconds for each request, requests a second. */
    private static double[] statementsAndCpu(Trial trial) {
        trial.warm(() -> Load.closed(trial.lab.target(), 4, 6, PAGE));
        CpuUse.Measured<LoadResult> measured = trial.measure(() -> {
            // A measurement that is repeated counts from here, too.
            trial.lab.sql("select pg_stat_statements_reset()");
            return Load.closed(trial.lab.target(), 4, 6, PAGE);
        });
        long requests = measured.result().ok();
        double calls = Double.parseDouble(trial.lab.sql(
                "select sum(calls) from pg_stat_statements where query ~ 'from (submission|member|problem)'"));
        double cpu = measured.cpu().msPer(requests, "app-1") + measured.cpu().msPer(requests, "postgres");
        return new double[] {calls / requests, cpu, measured.result().rate()};
    }
}
