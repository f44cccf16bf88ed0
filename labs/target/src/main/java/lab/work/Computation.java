package lab.work;

/** Pure computation of a known number of rounds. */
final class Computation {

    private Computation() {
    }

    /** A value that depends on every round, so that none can be left out. */
    static long rounds(long seed, int kilorounds) {
        long value = seed | 1;
        for (int kilo = 0; kilo < kilorounds; kilo++) {
            for (int round = 0; round < 1_000; round++) {
                value ^= value << 13;
                value ^= value >>> 7;
                value ^= value << 17;
            }
        }
        return value;
    }
}
