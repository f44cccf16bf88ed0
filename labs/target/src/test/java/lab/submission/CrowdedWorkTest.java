package lab.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CrowdedWorkTest {

    private static final double SIGMA = 0.05;
    private static final double KAPPA = 0.0004;

    @Test
    void aloneItTakesItsBase() {
        assertThat(CrowdedWork.factor(1, SIGMA, KAPPA)).isEqualTo(1);
    }

    /** Case C's statement: the most is done by 49 users, and 30 do more than 90 % of it while 20 do not. */
    @Test
    void throughputHasItsPeakWhereTheLawPutsIt() {
        int peak = IntStream.rangeClosed(1, 300).boxed().max(Comparator.comparingDouble(CrowdedWorkTest::rate)).orElseThrow();

        assertThat((double) peak).isCloseTo(Math.sqrt((1 - SIGMA) / KAPPA), within(1.0));
        assertThat(rate(30) / rate(peak)).isGreaterThan(0.9);
        assertThat(rate(20) / rate(peak)).isLessThan(0.9);
    }

    private static double rate(int users) {
        return users / CrowdedWork.factor(users, SIGMA, KAPPA);
    }
}
