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
    /** Length in microseconds of the section only one request at a time may be in: contention, the USL's sigma. */
    final Amount serialMicros = new Amount("serialMicros", 0, 0, 1_000_000);
    /** What the section grows by, in microseconds, for each other request waiting for it: coherency, the USL's kappa. */
    final Amount serialMicrosPerWaiting = new Amount("serialMicrosPerWaiting", 0, 0, 100_000);

    @Override
    public List<Switch> switches() {
        return List.of(rows, databaseWaitMs, serialMicros, serialMicrosPerWaiting);
    }
}
