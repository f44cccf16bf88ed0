package lab.probe.machine;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * CPUs used over a span (1.0 is one CPU all the time).
 *
 * @param seconds length of the span
 * @param byName each lab process
 * @param other what was used by anybody who is not the lab, the hypervisor's share included
 * @param stolen the hypervisor's share of it
 */
public record CpuUse(double seconds, Map<String, Double> byName, double other, double stolen) {

    /** Result of some work and the CPUs used while it went on. */
    public record Measured<T>(T result, CpuUse cpu) {
    }

    /** {@code pids}: the lab's processes by name; the probe's own belongs to them. */
    public static <T> Measured<T> during(Map<String, Long> pids, Supplier<T> work) {
        CpuTimes before = CpuTimes.now(pids);
        T result = work.get();
        return new Measured<>(result, between(before, CpuTimes.now(pids)));
    }

    static CpuUse between(CpuTimes before, CpuTimes after) {
        double seconds = after.at() - before.at();
        Map<String, Double> byName = new TreeMap<>();
        double lab = 0;
        for (String name : after.byName().keySet()) {
            double used = (after.of(name) - before.of(name)) / seconds;
            byName.put(name, used);
            lab += used;
        }
        double busy = (after.busy() - before.busy()) / seconds;
        return new CpuUse(seconds, byName, Math.max(busy - lab, 0), (after.stolen() - before.stolen()) / seconds);
    }

    public double of(String name) {
        return byName.getOrDefault(name, 0.0);
    }

    /** Milliseconds of one process's CPU for each of so many requests. */
    public double msPer(long requests, String name) {
        return of(name) * seconds * 1_000 / requests;
    }
}
