package lab.submission;

import java.util.List;
import lab.control.Amount;
import lab.control.Choice;
import lab.control.Switch;
import lab.control.SwitchSet;
import org.springframework.stereotype.Component;

/** Case C, and the database wait of the truth about a pool that is too small. */
@Component
public class SubmissionSwitches implements SwitchSet {

    /** {@code N_PLUS_ONE} loads the author and the problem of each row by queries of their own. */
    public enum Rows { JOIN, N_PLUS_ONE }

    final Choice<Rows> rows = new Choice<>("submissions", Rows.JOIN);
    /** Milliseconds the list query waits inside the database, holding its connection but no CPU: stands for storage. */
    final Amount databaseWaitMs = new Amount("databaseWaitMs", 0, 0, 5_000);
    /** Milliseconds of {@link CrowdedWork} for a request that is alone; 0 for none. */
    final Amount workMs = new Amount("workMs", 0, 0, 5_000);
    /** The Universal Scalability Law's sigma in thousandths, and its kappa in millionths. */
    final Amount contentionPermille = new Amount("contentionPermille", 0, 0, 1_000);
    final Amount coherencyPpm = new Amount("coherencyPpm", 0, 0, 100_000);

    @Override
    public List<Switch> switches() {
        return List.of(rows, databaseWaitMs, workMs, contentionPermille, coherencyPpm);
    }
}
