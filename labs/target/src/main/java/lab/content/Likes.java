package lab.content;

import lab.content.ContentSwitches.Like;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Counts likes in the content's own row, which makes that row the lock everybody waits for. */
@Service
class Likes {

    private final JdbcClient database;
    private final ContentSwitches switches;

    Likes(JdbcClient database, ContentSwitches switches) {
        this.database = database;
        this.switches = switches;
    }

    @Transactional
    public void like(int content) {
        if (switches.like.is(Like.ROW_FIRST)) {
            increment(content);
            restOfTheTransaction();
        } else {
            restOfTheTransaction();
            increment(content);
        }
    }

    private void increment(int content) {
        database.sql("update content set likes = likes + 1 where id = :id").param("id", content).update();
    }

    private void restOfTheTransaction() {
        database.sql("select 1 from pg_sleep(:seconds)").param("seconds", switches.likeMs.get() / 1_000.0)
                .query(Integer.class).single();
    }
}
