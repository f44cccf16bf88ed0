package lab.probe.truths;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import lab.probe.Trial;
import lab.probe.load.LoadResult;

/** Looks at the database's sessions while a load goes on. */
final class Waiting {

    private Waiting() {
    }

    /** Largest number of the application's sessions for which a condition on pg_stat_activity held at once. */
    static int most(Trial trial, String condition, Supplier<LoadResult> load) {
        AtomicBoolean loading = new AtomicBoolean(true);
        Thread user = new Thread(() -> {
            load.get();
            loading.set(false);
        }, "load");
        user.start();
        int most = 0;
        while (loading.get()) {
            most = Math.max(most, Integer.parseInt(trial.lab.sql(
                    "select count(*) from pg_stat_activity where application_name = 'lab-app' and " + condition)));
        }
        return most;
    }
}
