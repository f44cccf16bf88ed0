package lab.firstpage;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Names of categories, from the database when first needed by a request, or from memory. */
@Component
class CategoryNames {

    private final JdbcClient database;
    private volatile Map<Integer, String> remembered = Map.of();

    CategoryNames(JdbcClient database) {
        this.database = database;
    }

    /** As an object mapper's session: one query for each category a request meets, none for the second meeting. */
    IntFunction<String> lazily() {
        Map<Integer, String> session = new HashMap<>();
        return id -> session.computeIfAbsent(id, this::load);
    }

    /** From memory; a category that appeared since the last refresh is loaded, which is the fall-back this cache costs. */
    IntFunction<String> inMemory() {
        if (remembered.isEmpty()) {
            refresh();
        }
        Map<Integer, String> names = remembered;
        return id -> {
            String name = names.get(id);
            return name != null ? name : load(id);
        };
    }

    /** Does nothing until a request has read from memory: an unused cache must not show up among the queries. */
    @Scheduled(fixedDelay = 60_000, initialDelay = 60_000)
    void refreshWhenUsed() {
        if (!remembered.isEmpty()) {
            refresh();
        }
    }

    private void refresh() {
        Map<Integer, String> fresh = new HashMap<>();
        database.sql("select id, name from category").query(row -> {
            fresh.put(row.getInt("id"), row.getString("name"));
        });
        remembered = Map.copyOf(fresh);
    }

    private String load(int id) {
        return database.sql("select name from category where id = :id").param("id", id).query(String.class).single();
    }
}
