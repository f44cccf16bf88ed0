package lab.firstpage;

import lab.firstpage.FirstPageSwitches.Query;

/**
 * The statements of the first page, one for each order and variant. {@code :category} is an id, or 0 for all. With
 * {@code join} the category's name is part of the row; without it the name is looked up elsewhere.
 */
final class FirstPageSql {

    static final int SHOWN = 20;

    private static final String WANTED = " a.status = 'RELEASED' and (:category = 0 or a.category_id = :category) ";
    private static final String CARD = " a.id, a.category_id, a.name, a.developer, a.icon_url, a.summary, a.price ";

    private FirstPageSql() {
    }

    /** The ids in order; the heavy half of {@code TWO_QUERY}. */
    static String ids(Order order) {
        return switch (order) {
            case RATING -> "select a.id from app a join review r on r.app_id = a.id where" + WANTED
                    + "group by a.id order by avg(r.rating) desc, a.id limit " + SHOWN;
            case DOWNLOADS -> "select a.id from app a join download d on d.app_id = a.id where" + WANTED
                    + "group by a.id order by count(d.id) desc, a.id limit " + SHOWN;
            case NEWEST -> "select a.id from app a where" + WANTED + "order by a.created_at desc, a.id limit " + SHOWN;
            case UPDATED -> "select a.id from app a where" + WANTED + "order by a.updated_at desc, a.id limit " + SHOWN;
        };
    }

    /** The rows of known ids, all columns as an object mapper loads them; the light half of {@code TWO_QUERY}. */
    static String rows(boolean join) {
        return "select" + CARD + ", a.status, a.created_at, a.updated_at, a.detail" + categoryColumn(join)
                + "from app a" + categoryJoin(join) + "where a.id in (:ids)";
    }

    /** One query for the whole list. */
    static String list(Query variant, Order order, boolean join) {
        if (!order.isHeavy()) {
            return "select" + CARD + categoryColumn(join) + "from app a" + categoryJoin(join)
                    + "where" + WANTED + "order by a." + (order == Order.NEWEST ? "created_at" : "updated_at")
                    + " desc, a.id limit " + SHOWN;
        }
        return switch (variant) {
            case PROJECTION_LITERAL -> literal(order, join);
            case PRE_AGGREGATE -> preAggregate(order, join);
            case MATVIEW -> fromView(order, join);
            case TWO_QUERY -> throw new IllegalArgumentException("two-query has no single statement");
        };
    }

    private static String literal(Order order, boolean join) {
        String table = order == Order.RATING ? "review" : "download";
        return "select" + CARD + ", " + score(order) + "::float8 as score" + categoryColumn(join)
                + "from app a join " + table + " x on x.app_id = a.id" + categoryJoin(join) + "where" + WANTED
                + "group by" + CARD + (join ? ", c.name" : "")
                + " order by score desc, a.id limit " + SHOWN;
    }

    private static String preAggregate(Order order, boolean join) {
        String table = order == Order.RATING ? "review" : "download";
        return "with x as (select app_id, " + score(order) + "::float8 as score from " + table + " x group by app_id) "
                + "select" + CARD + ", x.score" + categoryColumn(join)
                + "from x join app a on a.id = x.app_id" + categoryJoin(join) + "where" + WANTED
                + "order by x.score desc, a.id limit " + SHOWN;
    }

    private static String fromView(Order order, boolean join) {
        String score = order == Order.RATING ? "v.rating" : "v.downloads";
        return "select" + CARD + ", " + score + "::float8 as score" + categoryColumn(join)
                + "from app_ranking v join app a on a.id = v.app_id" + categoryJoin(join) + "where" + WANTED
                + "and " + score + " is not null order by " + score + " desc, a.id limit " + SHOWN;
    }

    private static String score(Order order) {
        return order == Order.RATING ? "avg(x.rating)" : "count(x.id)";
    }

    private static String categoryColumn(boolean join) {
        return join ? ", c.name as category " : " ";
    }

    private static String categoryJoin(boolean join) {
        return join ? " join category c on c.id = a.category_id " : " ";
    }
}
