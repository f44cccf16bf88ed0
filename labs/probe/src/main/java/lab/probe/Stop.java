package lab.probe;

/** Why a probe ended without a verdict. */
public abstract class Stop extends RuntimeException {

    private static final long serialVersionUID = 1;

    private Stop(String message) {
        super(message);
    }

    /** Somebody else used the machine: what was measured says nothing. */
    public static final class TooNoisy extends Stop {

        private static final long serialVersionUID = 1;

        public TooNoisy(String message) {
            super(message);
        }
    }

    /** The machine lacks what the truth needs. */
    public static final class NotPossibleHere extends Stop {

        private static final long serialVersionUID = 1;

        public NotPossibleHere(String message) {
            super(message);
        }
    }
}
