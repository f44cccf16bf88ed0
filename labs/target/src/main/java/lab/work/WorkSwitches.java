package lab.work;

import java.util.List;
import lab.control.Amount;
import lab.control.Switch;
import lab.control.SwitchSet;
import org.springframework.stereotype.Component;

/** Work that has no database in it. */
@Component
public class WorkSwitches implements SwitchSet {

    /** Thousands of rounds one quote computes. Counted, not timed: a loop "until now + 5 ms" shares its window. */
    final Amount quoteKilorounds = new Amount("quoteKilorounds", 1_000, 0, 1_000_000);
    /** Thousands of rounds of one draw outside its spin lock, and inside it. */
    final Amount drawKilorounds = new Amount("drawKilorounds", 500, 0, 100_000);
    final Amount drawLockedKilorounds = new Amount("drawLockedKilorounds", 500, 0, 100_000);
    /** Size of one page of {@code /payload}. */
    final Amount payloadKb = new Amount("payloadKb", 100, 0, 10_000);

    @Override
    public List<Switch> switches() {
        return List.of(quoteKilorounds, drawKilorounds, drawLockedKilorounds, payloadKb);
    }
}
