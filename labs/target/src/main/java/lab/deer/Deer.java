package lab.deer;

/** A stored deer with the reference the outside server gave. */
public record Deer(long deerId, long userId, String data, String reference) {
}
