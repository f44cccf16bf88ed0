package lab.probe.load;

import java.util.Arrays;
import java.util.List;

/**
 * What a load did.
 *
 * @param samples every finished iteration, in no order
 * @param planned iterations that should have been started
 * @param seconds from the first start to the end of the last iteration, or to the planned end when that is later
 */
public record LoadResult(List<Sample> samples, long planned, double seconds) {

    /** Times in seconds since the load began; {@code intended} is when the plan wanted the start. */
    public record Sample(double intended, double end, boolean ok) {

        public double latencyMs() {
            return (end - intended) * 1_000;
        }
    }

    public long ok() {
        return samples.stream().filter(Sample::ok).count();
    }

    public long failed() {
        return samples.size() - ok();
    }

    /** Right iterations a second. */
    public double rate() {
        return ok() / seconds;
    }

    public double meanMs() {
        return samples.stream().filter(Sample::ok).mapToDouble(Sample::latencyMs).average().orElse(Double.NaN);
    }

    /** Latency from the intended start, of right iterations. {@code percent} from 0 to 100. */
    public double percentileMs(double percent) {
        return percentile(samples.stream().filter(Sample::ok).mapToDouble(Sample::latencyMs).toArray(), percent);
    }

    /** The part whose intended starts lie in a span of seconds. */
    public LoadResult between(double from, double to) {
        List<Sample> part = samples.stream().filter(one -> one.intended() >= from && one.intended() < to).toList();
        return new LoadResult(part, part.size(), to - from);
    }

    /** Nearest rank; NaN of nothing. */
    static double percentile(double[] values, double percent) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(percent / 100 * sorted.length);
        return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1];
    }
}
