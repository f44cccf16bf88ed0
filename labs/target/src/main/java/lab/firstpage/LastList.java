package lab.firstpage;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** What was read last for each category, for requests that need nothing newer. */
final class LastList {

    private final Map<Integer, List<AppCard>> last = new ConcurrentHashMap<>();
    private final AtomicLong asked = new AtomicLong();

    /** Reads anew every {@code every} times it is asked, and when nothing was read yet. */
    List<AppCard> get(int category, int every, Supplier<List<AppCard>> read) {
        List<AppCard> known = last.get(category);
        if (known != null && asked.incrementAndGet() % every != 0) {
            return known;
        }
        List<AppCard> fresh = read.get();
        last.put(category, fresh);
        return fresh;
    }
}
