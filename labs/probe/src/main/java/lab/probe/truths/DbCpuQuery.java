package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** One statement family takes the database's core: the limit is 1 / its CPU time per request. */
final class DbCpuQuery implements Probe {

    private static final Iteration FIRST_PAGE = Iteration.get("/apps/first-page");
    private static final String HEAVY_SHARE = """
            select sum(total_exec_time) filter (where query like '%avg(r.rating)%' or query like '%count(d.id)%')
                   / sum(total_exec_time)
            from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = 'lab'
            """;

    @Override
    public String truth() {
        return "db-cpu-query";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 4, 5, FIRST_PAGE));
        CpuUse.Measured<LoadResult> alone = trial.measure(() -> Load.closed(trial.lab.target(), 1, 5, FIRST_PAGE));
        trial.lab.sql("select pg_stat_statements_reset()");
        CpuUse.Measured<LoadResult> loaded = trial.measure(() -> Load.closed(trial.lab.target(), 8, 8, FIRST_PAGE));
        double predicted = 1_000 / alone.cpu().msPer(alone.result().ok(), "postgres");
        trial.claims.near("requests/s, from 1 core / database CPU of a request alone", loaded.result().rate(), predicted, 0.25);
        trial.claims.atLeast("database CPU", loaded.cpu().of("postgres"), 0.85);
        trial.claims.atMost("application CPU", loaded.cpu().of("app-1"), 0.30);
        trial.claims.atLeast("share of the two heavy statements in database time", Double.parseDouble(trial.lab.sql(HEAVY_SHARE)), 0.8);

        trial.lab.upFixed(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 8, 5, FIRST_PAGE));
        CpuUse.Measured<LoadResult> fixed = trial.measure(() -> Load.closed(trial.lab.target(), 8, 8, FIRST_PAGE));
        trial.claims.atLeast("times the rate with the fix", fixed.result().rate() / loaded.result().rate(), 4);
    }
}
