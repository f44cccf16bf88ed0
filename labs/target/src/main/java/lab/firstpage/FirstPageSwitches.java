package lab.firstpage;

import java.util.List;
import lab.control.Amount;
import lab.control.Choice;
import lab.control.Switch;
import lab.control.SwitchSet;
import org.springframework.stereotype.Component;

/** The rounds of case A. */
@Component
public class FirstPageSwitches implements SwitchSet {

    /**
     * {@code TWO_QUERY} sorts ids by the aggregate, then loads the rows. {@code PROJECTION_LITERAL} is the case's own
     * second round: one query, every shown column in the group. {@code PRE_AGGREGATE} groups before it joins.
     * {@code MATVIEW} reads a view refreshed once a minute.
     */
    public enum Query { TWO_QUERY, PROJECTION_LITERAL, PRE_AGGREGATE, MATVIEW }

    /** Where a category's name comes from: a query per category when first met, the same query, or memory. */
    public enum Categories { LAZY, JOIN, MEMORY }

    final Choice<Query> query = new Choice<>("firstPage", Query.TWO_QUERY);
    final Choice<Categories> categories = new Choice<>("categories", Categories.LAZY);

    /** Every so many requests read the order by rating anew; the others show what was read last. */
    final Amount ratingEvery = new Amount("ratingEvery", 1, 1, 1_000);

    @Override
    public List<Switch> switches() {
        return List.of(query, categories, ratingEvery);
    }
}
