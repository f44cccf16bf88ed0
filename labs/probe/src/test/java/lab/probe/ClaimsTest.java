package lab.probe;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ClaimsTest {

    private final Claims claims = new Claims();

    @Test
    void nothingClaimedIsNothingProved() {
        assertFalse(claims.allHeld());
    }

    @Test
    void nearMeansWithinTheToleranceOfThePrediction() {
        claims.near("rate", 4.3, 5, 0.15);
        assertTrue(claims.allHeld());

        claims.near("rate", 4.2, 5, 0.15);
        assertFalse(claims.allHeld());
    }

    @Test
    void aValueThatIsNotANumberHoldsNothing() {
        claims.atLeast("rate", Double.NaN, 1);
        assertFalse(claims.allHeld());
    }

    @Test
    void oneFailedClaimIsNotForgotten() {
        claims.that("first", false);
        claims.that("second", true);

        assertFalse(claims.allHeld());
    }
}
