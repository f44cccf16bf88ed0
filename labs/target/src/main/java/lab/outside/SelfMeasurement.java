package lab.outside;

import java.lang.management.ManagementFactory;

/** What the outside server knows of itself: without it nobody could tell a slow server from one at its own limit. */
final class SelfMeasurement {

    private static final double NANOS_PER_MS = 1e6;

    private long accepted;
    private long answered;
    private long abandoned;
    private int mostInside;
    private double lagMsSum;
    private double lagMsMax;

    synchronized void accepted(int inside) {
        accepted++;
        mostInside = Math.max(mostInside, inside);
    }

    /** {@code lagNanos}: how much later than planned the answer was written; the server's own slowness. */
    synchronized void answered(long lagNanos) {
        answered++;
        lagMsSum += lagNanos / NANOS_PER_MS;
        lagMsMax = Math.max(lagMsMax, lagNanos / NANOS_PER_MS);
    }

    synchronized void abandoned() {
        abandoned++;
    }

    synchronized String asJson(OutsideSettings settings, int inService, int waiting) {
        return """
                {"latencyMs":%d,"limit":%d,"errorEvery":%d,"inService":%d,"waiting":%d,"mostInside":%d,\
                "accepted":%d,"answered":%d,"abandoned":%d,"lagMsMean":%.3f,"lagMsMax":%.3f,"cpuSeconds":%.3f}
                """.formatted(
                settings.latencyMs(), settings.limit(), settings.errorEvery(), inService, waiting, mostInside,
                accepted, answered, abandoned, answered == 0 ? 0 : lagMsSum / answered, lagMsMax, cpuSeconds());
    }

    private static double cpuSeconds() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / 1e9;
    }
}
