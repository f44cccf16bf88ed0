package lab.probe.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class LoadResultTest {

    @Test
    void percentilesAreNearestRank() {
        double[] values = {40, 10, 30, 20};

        assertEquals(20, LoadResult.percentile(values, 50));
        assertEquals(40, LoadResult.percentile(values, 95));
        assertEquals(10, LoadResult.percentile(values, 0));
        assertTrue(Double.isNaN(LoadResult.percentile(new double[0], 50)));
    }

    @Test
    void onlyRightIterationsCountForRateAndLatency() {
        LoadResult result = new LoadResult(List.of(
                new LoadResult.Sample(0, 0.1, true), new LoadResult.Sample(0, 9, false),
                new LoadResult.Sample(1, 1.3, true)), 3, 2);

        assertEquals(1, result.rate());
        assertEquals(1, result.failed());
        assertEquals(200, result.meanMs(), 1e-9);
    }

    @Test
    void aPartHoldsTheIterationsThatWereMeantToStartInIt() {
        LoadResult result = new LoadResult(List.of(
                new LoadResult.Sample(0.5, 5, true), new LoadResult.Sample(1.5, 1.6, true)), 2, 5);

        assertEquals(1, result.between(1, 2).samples().size());
        assertEquals(1, result.between(1, 2).rate());
    }
}
