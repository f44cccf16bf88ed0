package lab.firstpage;

import static org.assertj.core.api.Assertions.assertThat;

import lab.firstpage.FirstPageSwitches.Query;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FirstPageSqlTest {

    /** The case's literal round groups by every shown column; without that it would not be the regression it is. */
    @ParameterizedTest
    @EnumSource(value = Order.class, names = {"RATING", "DOWNLOADS"})
    void theLiteralProjectionGroupsByWhatItShows(Order order) {
        assertThat(FirstPageSql.list(Query.PROJECTION_LITERAL, order, false)).contains("group by a.id, a.category_id, a.name");
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void onlyTheHeavyOrdersAggregate(Order order) {
        assertThat(FirstPageSql.ids(order).contains("group by")).isEqualTo(order.isHeavy());
        assertThat(FirstPageSql.list(Query.PRE_AGGREGATE, order, false).contains("group by")).isEqualTo(order.isHeavy());
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void theViewIsReadWithoutAnyAggregate(Order order) {
        assertThat(FirstPageSql.list(Query.MATVIEW, order, true)).doesNotContain("group by");
    }
}
