package lab.firstpage;

/** One app as the first page shows it. */
public record AppCard(
        int id, String name, String developer, String iconUrl, String summary, int price, String category) {
}
