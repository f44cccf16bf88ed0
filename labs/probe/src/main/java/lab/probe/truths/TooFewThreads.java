package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.lab.Metrics;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** Ten threads that wait 0.5 s each: threads / wait, CPU idle, and the queue is where server metrics cannot see it. */
final class TooFewThreads implements Probe {

    @Override
    public String truth() {
        return "too-few-threads";
    }

    @Override
    public void check(Trial trial) {
        Deers.upWarm(trial, truth());
        Metrics before = trial.lab.metrics("app-1");
        CpuUse.Measured<LoadResult> few = trial.measure(() -> Load.count(trial.lab.target(), 60, 120, Deers.register()));
        Metrics after = trial.lab.metrics("app-1");
        double serverMs = 1_000 * after.since(before, "http_server_requests_seconds_sum", "method=\"POST\"")
                / after.since(before, "http_server_requests_seconds_count", "method=\"POST\"");
        trial.claims.near("registrations/s, from 10 threads / 0.5 s", few.result().rate(), 20, 0.15);
        trial.claims.near("mean time the server reports (ms): only the service", serverMs, 500, 0.15);
        trial.claims.atLeast("mean time the caller sees (ms): the queue as well", few.result().meanMs(), 1_200);
        trial.claims.atMost("CPU of application and database", few.cpu().of("app-1") + few.cpu().of("postgres"), 0.5);
        trial.claims.atMost("requests waiting for a connection", after.sum("hikaricp_connections_pending"), 0);
        trial.lab.upFixed(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 60, 120, Deers.registerThenRead()));
        CpuUse.Measured<LoadResult> enough = trial.measure(() -> Load.count(trial.lab.target(), 60, 480, Deers.register()));
        trial.claims.atLeast("times the rate with 200 threads", enough.result().rate() / few.result().rate(), 4);
    }
}
