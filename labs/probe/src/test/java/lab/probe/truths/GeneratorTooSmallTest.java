package lab.probe.truths;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class GeneratorTooSmallTest {

    @Test
    void dropped_iterations_are_not_taken_for_started_ones() {
        String summary = """
                dropped_iterations...: 1781 178.1/s
                iterations...........: 219  21.9/s
                """;
        assertEquals(219, GeneratorTooSmall.started(summary));
    }
}
