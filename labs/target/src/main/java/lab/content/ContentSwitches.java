package lab.content;

import java.util.List;
import lab.control.AdminDatabase;
import lab.control.Amount;
import lab.control.Choice;
import lab.control.Switch;
import lab.control.SwitchSet;
import org.springframework.stereotype.Component;

/** Case D, the missing index and the contended row. */
@Component
public class ContentSwitches implements SwitchSet {

    /** Whether {@code favorite_place(member_id, place_id)} has an index; without it 225,000 rows are read. */
    public enum Index { PRESENT, MISSING }

    /** Whether a like locks its row before the slow part of the transaction or after it. */
    public enum Like { ROW_FIRST, ROW_LAST }

    private final Choice<Index> index;
    final Choice<Like> like = new Choice<>("likes", Like.ROW_FIRST);
    /** Milliseconds the rest of the like's transaction takes, waiting in the database. */
    final Amount likeMs = new Amount("likeMs", 20, 0, 5_000);

    ContentSwitches(AdminDatabase database) {
        this.index = new Choice<>("favoriteIndex", Index.PRESENT, wanted -> database.execute(
                wanted == Index.PRESENT
                        ? "create index if not exists favorite_place_member on favorite_place (member_id, place_id)"
                        : "drop index if exists favorite_place_member"));
    }

    @Override
    public List<Switch> switches() {
        return List.of(index, like, likeMs);
    }
}
