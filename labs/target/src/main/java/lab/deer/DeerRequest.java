package lab.deer;

/** Body of {@code POST /deers}. */
public record DeerRequest(long userId, long deerId, String data) {
}
