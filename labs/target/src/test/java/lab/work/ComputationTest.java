package lab.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ComputationTest {

    @Test
    void theResultDependsOnEveryRound() {
        assertThat(Computation.rounds(42, 3)).isNotEqualTo(Computation.rounds(42, 4));
        assertThat(Computation.rounds(42, 0)).isEqualTo(42 | 1);
    }
}
