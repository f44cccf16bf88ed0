package lab.firstpage;

import java.util.List;

/** The first page: the same apps in the four orders of case A, {@link Order#values()}. */
public record FirstPage(List<AppCard> rating, List<AppCard> downloads, List<AppCard> newest, List<AppCard> updated) {
}
