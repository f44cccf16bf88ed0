package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** Case D's script: users x 2 / 2.5 s is all it can ask for, whatever the target could answer. */
final class ScriptCeiling implements Probe {

    private static final int USERS = 50;
    private static final Iteration PAIR = connection ->
            connection.get("/contents/1/places").isSuccess() && connection.get("/contents/1").isSuccess();

    @Override
    public String truth() {
        return "script-ceiling";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 8, 5, PAIR));
        CpuUse.Measured<LoadResult> script = trial.measure(
                () -> Load.closed(trial.lab.target(), USERS, 15, Load.thinking(2, 3), PAIR));
        // Over whole cycles: the first iteration of every user starts at once, and cycles take 2.5 s.
        double perUser = (double) script.result().samples().size() / USERS / 15;
        trial.claims.near("requests/s, from 50 users x 2 / 2.5 s", 2 * perUser * USERS, USERS * 2 / 2.5, 0.15);
        trial.claims.atMost("application CPU", script.cpu().of("app-1"), 0.3);
        CpuUse.Measured<LoadResult> target = trial.measure(() -> Load.closed(trial.lab.target(), USERS, 6, PAIR));
        trial.claims.atLeast("times the rate without the sleep", 2 * target.result().rate() / (2 * perUser * USERS), 5);
    }
}
