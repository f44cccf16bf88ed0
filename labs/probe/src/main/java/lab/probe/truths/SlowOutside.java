package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.lab.Metrics;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** The outside server takes 1 s and the target waits for it, wasting nothing: users / time, and only it can help. */
final class SlowOutside implements Probe {

    @Override
    public String truth() {
        return "slow-outside";
    }

    @Override
    public void check(Trial trial) {
        Deers.upWarm(trial, truth());
        Metrics before = trial.lab.metrics("app-1");
        CpuUse.Measured<LoadResult> slow = trial.measure(() -> Load.count(trial.lab.target(), 50, 300, Deers.register()));
        Metrics after = trial.lab.metrics("app-1");
        double outside = after.since(before, "http_client_requests_seconds_sum");
        double server = after.since(before, "http_server_requests_seconds_sum", "method=\"POST\"");
        trial.claims.near("registrations/s, from 50 users / 1 s", slow.result().rate(), 50, 0.15);
        trial.claims.atLeast("share of the request spent in the outside call", outside / server, 0.9);
        trial.claims.atMost("CPU of application and database", slow.cpu().of("app-1") + slow.cpu().of("postgres"), 0.5);
        trial.claims.that("no registration failed", slow.result().failed() == 0);
        trial.lab.upFixed(truth());
        trial.warm(() -> Load.count(trial.lab.target(), 50, 500, Deers.registerThenRead()));
        CpuUse.Measured<LoadResult> quick = trial.measure(() -> Load.count(trial.lab.target(), 50, 1_500, Deers.register()));
        trial.claims.atLeast("times the rate with an outside server of 0.1 s", quick.result().rate() / slow.result().rate(), 5);
    }
}
