package lab.probe.truths;

import java.util.List;
import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.lab.Metrics;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** One visible CPU, and the JVM picks the serial collector by itself: long stops with a large live set. */
final class SerialByErgonomics implements Probe {

    private static final Iteration PLACES = Iteration.get("/contents/1/places");

    @Override
    public String truth() {
        return "serial-by-ergonomics";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        String flag = trial.lab.run(List.of("jcmd", Long.toString(trial.lab.pid("app-1")), "VM.flags", "-all")).lines()
                .filter(line -> line.contains(" UseSerialGC ")).findFirst().orElse("no UseSerialGC");
        trial.claims.that("the JVM chose by itself: " + flag.trim().replaceAll("\\s+", " "),
                flag.contains("= true") && flag.contains("{ergonomic}"));
        double serial = longestPause(trial, "MarkSweepCompact");
        trial.lab.upFixed(truth());
        double g1 = longestPause(trial, "G1");
        trial.claims.note("longest pause: serial %.0f ms, G1 %.0f ms", serial * 1_000, g1 * 1_000);
        trial.claims.atLeast("times the longest pause of G1 on the same core", serial / g1, 2);
    }

    /** Longest collector pause in seconds during the load, the maximum the JVM reports for a collector. */
    private static double longestPause(Trial trial, String collector) {
        trial.warm(() -> Load.open(trial.lab.target(), 100, 5, 50, PLACES));
        Metrics before = trial.lab.metrics("app-1");
        trial.measure(() -> Load.open(trial.lab.target(), 100, 12, 50, PLACES));
        Metrics after = trial.lab.metrics("app-1");
        trial.claims.atLeast("collections by " + collector,
                after.since(before, "jvm_gc_pause_seconds_count", "gc=\"" + collector), 1);
        return after.max("jvm_gc_pause_seconds_max");
    }
}
