package lab.deer;

import java.util.List;
import lab.control.Choice;
import lab.control.Switch;
import lab.control.SwitchSet;
import org.springframework.stereotype.Component;

/** Case B: where the outside call stands. */
@Component
public class DeerSwitches implements SwitchSet {

    /** {@code TX_AROUND_CALL} holds a connection for as long as the outside server takes. */
    public enum Transaction { TX_AROUND_CALL, CALL_OUTSIDE_TX }

    final Choice<Transaction> transaction = new Choice<>("deers", Transaction.TX_AROUND_CALL);

    @Override
    public List<Switch> switches() {
        return List.of(transaction);
    }
}
