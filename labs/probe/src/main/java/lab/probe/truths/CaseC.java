package lab.probe.truths;

import java.util.LinkedHashMap;
import java.util.Map;
import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;

/** Case C's step table: three different answers to "how much can it carry", and a second instance that doubles the peak. */
final class CaseC implements Probe {

    private static final Iteration PAGE = Iteration.get("/submissions");
    private static final int[] USERS = {3, 5, 7, 10, 15, 20, 30, 50, 100, 200};
    private static final int[] USERS_OF_TWO = {60, 100, 140};
    private static final double GOAL_MS = 100;
    private static final double KNEE = 0.9;

    @Override
    public String truth() {
        return "case-c";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth(), "NGINX_WEIGHTS=1:0");
        trial.warm(() -> Load.closed(trial.lab.target(), 20, 6, PAGE));
        Map<Integer, LoadResult> table = table(trial, USERS);
        int slo = lastWithinGoal(table);
        int peak = usersAtPeak(table);
        double most = table.get(peak).rate();
        int knee = table.entrySet().stream().filter(step -> step.getValue().rate() >= KNEE * most)
                .mapToInt(Map.Entry::getKey).findFirst().orElseThrow();
        for (int users : new int[] {7, 30, 50, 200}) {
            trial.claims.near("requests/s of %d users, from the scalability law".formatted(users),
                    table.get(users).rate(), law(users), 0.12);
        }
        trial.claims.that("SLO (mean <= 100 ms) at %d users, knee at %d, peak at %d: three different loads"
                .formatted(slo, knee, peak), slo < knee && knee < peak);
        trial.claims.that("the peak is not at the end: more users get less", peak < USERS[USERS.length - 1]
                && table.get(USERS[USERS.length - 1]).rate() < 0.95 * most);

        trial.lab.up(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 40, 6, PAGE));
        Map<Integer, LoadResult> two = table(trial, USERS_OF_TWO);
        trial.claims.atLeast("times the peak with two instances", two.get(usersAtPeak(two)).rate() / most, 1.7);
    }

    /** X(N) with the statement's constants. */
    private static double law(int users) {
        return users / (0.070 * (1 + 0.05 * (users - 1) + 0.0004 * users * (users - 1)));
    }

    private static Map<Integer, LoadResult> table(Trial trial, int[] users) {
        Map<Integer, LoadResult> table = new LinkedHashMap<>();
        for (int step : users) {
            LoadResult load = trial.measure(() -> Load.closed(trial.lab.target(), step, 5, PAGE)).result();
            trial.claims.note("%4d users: %6.1f/s, mean %7.1f ms, p95 %7.1f ms",
                    step, load.rate(), load.meanMs(), load.percentileMs(95));
            table.put(step, load);
        }
        return table;
    }

    private static int lastWithinGoal(Map<Integer, LoadResult> table) {
        return table.entrySet().stream().filter(step -> step.getValue().meanMs() <= GOAL_MS)
                .mapToInt(Map.Entry::getKey).max().orElse(0);
    }

    private static int usersAtPeak(Map<Integer, LoadResult> table) {
        return table.entrySet().stream().max(java.util.Comparator.comparingDouble(step -> step.getValue().rate()))
                .orElseThrow().getKey();
    }
}
