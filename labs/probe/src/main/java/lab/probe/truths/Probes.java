package lab.probe.truths;

import java.util.List;
import lab.probe.Probe;

/** All probes, in the order a full test runs them: neighbours in the list share processes where they can. */
public final class Probes {

    private static final List<Probe> ALL = List.of(
            new PoolHeldAcrossCall(), new CaseB(), new TooFewThreads(), new SlowOutside(), new OutsideLimit(),
            new PoolTooSmall(), new RowLock(), new ErrorsInside200(), new AcceptQueue(), new NetworkDelay(),
            new NetworkBandwidth(), new ScriptCeiling(), new UnevenLoad(), new CaseC(), new EventLoopBlocked(),
            new Healthy(), new DbCpuQuery(), new FalseImprovement(), new NoDifference(), new CaseA(), new NPlusOne(),
            new MissingIndex(), new AppCpu(), new NoisyNeighbour(), new CpuQuota(), new TooManyThreads(),
            new HeapTooSmall("heap-too-small"), new HeapTooSmall("case-d"), new SerialByErgonomics(),
            new GeneratorTooSmall(), new ColdJvm("cold-jvm"), new ColdJvm("case-e"));

    private Probes() {
    }

    public static List<String> names() {
        return ALL.stream().map(Probe::truth).toList();
    }

    /** @throws IllegalArgumentException when there is no probe of that name */
    public static Probe named(String truth) {
        return ALL.stream().filter(probe -> probe.truth().equals(truth)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no probe checks `" + truth + "`; there are " + names()));
    }
}
