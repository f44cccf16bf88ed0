package lab.submission;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import lab.submission.SubmissionSwitches.Rows;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Reads one page of submissions, newest first, in one read transaction. */
@Service
class SubmissionReader {

    private static final String JOINED = """
            select s.id, m.name as author, p.title as problem, s.language, s.status, s.time_ms, s.memory_kb
            from submission s join member m on m.id = s.member_id join problem p on p.id = s.problem_id
            order by s.id desc limit :size offset :offset
            """;
    private static final String BARE = """
            select id, member_id, problem_id, language, status, time_ms, memory_kb
            from submission order by id desc limit :size offset :offset
            """;

    private final JdbcClient database;
    private final SubmissionSwitches switches;

    SubmissionReader(JdbcClient database, SubmissionSwitches switches) {
        this.database = database;
        this.switches = switches;
    }

    @Transactional(readOnly = true)
    public List<Submission> page(int page, int size) {
        waitInDatabase();
        return switches.rows.is(Rows.JOIN) ? joined(page, size) : oneByOne(page, size);
    }

    private void waitInDatabase() {
        int millis = switches.databaseWaitMs.get();
        if (millis > 0) {
            database.sql("select 1 from pg_sleep(:seconds)").param("seconds", millis / 1_000.0)
                    .query(Integer.class).single();
        }
    }

    private List<Submission> joined(int page, int size) {
        return database.sql(JOINED).param("size", size).param("offset", page * size)
                .query((row, number) -> submission(row, row.getString("author"), row.getString("problem"))).list();
    }

    private List<Submission> oneByOne(int page, int size) {
        return database.sql(BARE).param("size", size).param("offset", page * size)
                .query((row, number) -> submission(row, name(row.getInt("member_id")), title(row.getInt("problem_id"))))
                .list();
    }

    /** By hand: mapping by reflection costs more than the join does, and would hide what the statements cost. */
    private static Submission submission(ResultSet row, String author, String problem) throws SQLException {
        return new Submission(
                row.getLong("id"), author, problem, row.getString("language"), row.getString("status"),
                row.getInt("time_ms"), row.getInt("memory_kb"));
    }

    private String name(int member) {
        return database.sql("select name from member where id = :id").param("id", member).query(String.class).single();
    }

    private String title(int problem) {
        return database.sql("select title from problem where id = :id").param("id", problem).query(String.class).single();
    }
}
