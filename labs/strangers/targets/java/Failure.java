/** A request ends with this status. */
final class Failure extends Exception {
    private static final long serialVersionUID = 1;
    final int status;

    Failure(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }
}
