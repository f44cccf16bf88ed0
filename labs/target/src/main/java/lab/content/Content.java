package lab.content;

/** One piece of travel content as its detail page shows it. */
public record Content(int id, String title, String body, int likes, int favorites, boolean favorite) {
}
