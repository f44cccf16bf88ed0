package lab.content;

/** One place of a content; {@code category} may be missing. */
public record Place(int id, String name, String address, String category, boolean favorite) {
}
