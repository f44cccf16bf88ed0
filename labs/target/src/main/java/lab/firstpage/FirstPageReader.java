package lab.firstpage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import lab.answer.AnswerFaults;
import lab.firstpage.FirstPageSwitches.Categories;
import lab.firstpage.FirstPageSwitches.Query;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reads the first page by the variant that is switched on. All of one request happens in one read transaction. */
@Service
public class FirstPageReader {

    private final JdbcClient database;
    private final FirstPageSwitches switches;
    private final CategoryNames categoryNames;
    private final AnswerFaults faults;
    private final LastList lastRating = new LastList();

    FirstPageReader(JdbcClient database, FirstPageSwitches switches, CategoryNames categoryNames, AnswerFaults faults) {
        this.database = database;
        this.switches = switches;
        this.categoryNames = categoryNames;
        this.faults = faults;
    }

    /** {@code category} is an id, or 0 for all. */
    @Transactional(readOnly = true)
    public FirstPage read(int category) {
        Query variant = switches.query.get();
        Categories source = switches.categories.get();
        RowMapper<AppCard> cards = cardMapper(source);
        Map<Order, List<AppCard>> lists = new HashMap<>();
        for (Order order : Order.values()) {
            lists.put(order, order == Order.RATING
                    ? lastRating.get(category, switches.ratingEvery.get(), () -> list(order, category, variant, source, cards))
                    : list(order, category, variant, source, cards));
        }
        return new FirstPage(
                lists.get(Order.RATING),
                faults.losesPartOfTheFirstPage() ? List.of() : lists.get(Order.DOWNLOADS),
                lists.get(Order.NEWEST),
                lists.get(Order.UPDATED));
    }

    private List<AppCard> list(
            Order order, int category, Query variant, Categories source, RowMapper<AppCard> cards) {
        boolean join = source == Categories.JOIN;
        return variant == Query.TWO_QUERY
                ? idsThenRows(order, category, join, cards)
                : database.sql(FirstPageSql.list(variant, order, join)).param("category", category).query(cards).list();
    }

    private List<AppCard> idsThenRows(Order order, int category, boolean join, RowMapper<AppCard> cards) {
        List<Integer> ids = database.sql(FirstPageSql.ids(order))
                .param("category", category).query(Integer.class).list();
        if (ids.isEmpty()) {
            return List.of();
        }
        Map<Integer, AppCard> byId = new LinkedHashMap<>();
        database.sql(FirstPageSql.rows(join)).param("ids", ids).query(cards).list()
                .forEach(card -> byId.put(card.id(), card));
        List<AppCard> inOrder = new ArrayList<>(ids.size());
        ids.forEach(id -> inOrder.add(byId.get(id)));
        return inOrder;
    }

    private RowMapper<AppCard> cardMapper(Categories source) {
        IntFunction<String> name = switch (source) {
            case LAZY -> categoryNames.lazily();
            case MEMORY -> categoryNames.inMemory();
            case JOIN -> null;
        };
        return (row, number) -> {
            String category = name == null ? row.getString("category") : name.apply(row.getInt("category_id"));
            return new AppCard(
                    row.getInt("id"), row.getString("name"), row.getString("developer"), row.getString("icon_url"),
                    row.getString("summary"), row.getInt("price"), category);
        };
    }
}
