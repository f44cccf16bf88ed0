package lab.probe.truths;

import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.lab.Metrics;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** The heap has hardly room for what lives in it: the collector works all the time. Case D's large gain. */
final class HeapTooSmall implements Probe {

    private static final Iteration PLACES = Iteration.get("/contents/1/places");
    private static final double RATE = 300;

    private final String truth;

    HeapTooSmall(String truth) {
        this.truth = truth;
    }

    private record Heap(LoadResult load, double pauseShare, double majors, double afterCollection) {
    }

    @Override
    public String truth() {
        return truth;
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth);
        Heap small = measure(trial);
        trial.lab.upFixed(truth);
        Heap large = measure(trial);
        trial.claims.note("small heap: %.0f/s, p95 %.1f ms, pauses %.1f %%; large: %.0f/s, p95 %.1f ms, pauses %.1f %%",
                small.load.rate(), small.load.percentileMs(95), small.pauseShare * 100,
                large.load.rate(), large.load.percentileMs(95), large.pauseShare * 100);
        trial.claims.atLeast("share of time in collector pauses, small heap", small.pauseShare, 0.10);
        trial.claims.atMost("share of time in collector pauses, large heap", large.pauseShare, 0.03);
        trial.claims.atLeast("major collections, small heap", small.majors, 3);
        trial.claims.atMost("major collections, large heap", large.majors, 0);
        trial.claims.atLeast("old generation in use after a collection, small heap", small.afterCollection, 0.5);
        trial.claims.atLeast("times the p95 at the same 300/s with the small heap",
                small.load.percentileMs(95) / large.load.percentileMs(95), 2);
    }

    private static Heap measure(Trial trial) {
        trial.warm(() -> Load.open(trial.lab.target(), RATE, 10, 50, PLACES));
        Metrics before = trial.lab.metrics("app-1");
        CpuUse.Measured<LoadResult> load = trial.measure(() -> Load.open(trial.lab.target(), RATE, 8, 50, PLACES));
        Metrics after = trial.lab.metrics("app-1");
        return new Heap(
                load.result(),
                after.since(before, "jvm_gc_pause_seconds_sum") / load.cpu().seconds(),
                after.since(before, "jvm_gc_pause_seconds_count", "end of major GC"),
                after.max("jvm_memory_usage_after_gc"));
    }
}
