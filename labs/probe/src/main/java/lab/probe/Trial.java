package lab.probe;

import java.util.Locale;
import java.util.function.Supplier;
import lab.probe.lab.Lab;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/**
 * One probe's run: the lab, its claims, and measuring with the other load on the machine in view. A measurement during
 * which somebody else used more CPUs than the limit is not used: it is repeated while patience lasts, then
 * the probe refuses to judge.
 */
public final class Trial {

    static final double OTHER_CPU_LIMIT = 0.3;
    private static final long QUIET_SPAN_MS = 1_500;
    /** A JVM that compiles for less of the time than this is warm. */
    private static final double COMPILES = 0.1;
    private static final double LONGEST_WARM_UP_SECONDS = 60;

    public final Lab lab;
    public final Claims claims = new Claims();
    private final double otherLimit;
    private final long patientUntil;
    private double worstOther;
    private int refused;

    Trial(Lab lab, double patienceSeconds, double otherLimit) {
        this.lab = lab;
        this.otherLimit = otherLimit;
        this.patientUntil = System.nanoTime() + (long) (patienceSeconds * 1e9);
    }

    /** Measures a load. @throws Stop.TooNoisy when the machine did not become quiet in time */
    public CpuUse.Measured<LoadResult> measure(Supplier<LoadResult> load) {
        while (true) {
            CpuUse.Measured<LoadResult> measured = CpuUse.during(lab.pids(), load);
            double other = measured.cpu().other();
            if (other <= otherLimit) {
                worstOther = Math.max(worstOther, other);
                return measured;
            }
            refused++;
            waitForQuiet(String.format(Locale.ROOT, "other load %.2f CPU (%.2f of it stolen)",
                    other, measured.cpu().stolen()));
        }
    }

    /** A load whose only purpose is to warm up: repeated until the JVMs hardly compile any more, not judged. */
    public void warm(Supplier<LoadResult> load) {
        long began = System.nanoTime();
        double compiling;
        do {
            double before = lab.compilationSeconds();
            long from = System.nanoTime();
            load.get();
            compiling = (lab.compilationSeconds() - before) / secondsSince(from);
        } while (compiling > COMPILES && secondsSince(began) < LONGEST_WARM_UP_SECONDS);
        claims.note("warm-up of %.0f s; compiling took %.0f %% of its last round", secondsSince(began), compiling * 100);
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    public void waitForQuiet(String why) {
        while (System.nanoTime() < patientUntil) {
            CpuUse idle = CpuUse.during(lab.pids(), Trial::rest).cpu();
            if (idle.other() <= otherLimit) {
                return;
            }
        }
        throw new Stop.TooNoisy(why + "; at most " + otherLimit + " is allowed");
    }

    private static Void rest() {
        try {
            Thread.sleep(QUIET_SPAN_MS);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("interrupted", stopped);
        }
        return null;
    }

    String otherLoad() {
        String raised = otherLimit > OTHER_CPU_LIMIT ? "; the limit was raised to " + otherLimit + ", so this proves nothing" : "";
        return String.format(Locale.ROOT, "other load at most %.2f CPU in what was used, %d measurements not used",
                worstOther, refused) + raised;
    }
}
