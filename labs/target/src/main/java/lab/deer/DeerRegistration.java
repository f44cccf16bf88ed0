package lab.deer;

import lab.deer.DeerSwitches.Transaction;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/** Registers a deer with the outside server and stores it, the call inside the transaction or before it. */
@Service
class DeerRegistration {

    private final DeerStore store;
    private final OutsideClient outside;
    private final DeerSwitches switches;
    private final TransactionTemplate transaction;

    DeerRegistration(DeerStore store, OutsideClient outside, DeerSwitches switches, TransactionTemplate transaction) {
        this.store = store;
        this.outside = outside;
        this.switches = switches;
        this.transaction = transaction;
    }

    /**
     * False when the user does not exist.
     *
     * @throws org.springframework.dao.DuplicateKeyException when the deer id was used before
     */
    boolean register(DeerRequest deer) {
        return switches.transaction.is(Transaction.TX_AROUND_CALL) ? aroundCall(deer) : outsideTransaction(deer);
    }

    private boolean aroundCall(DeerRequest deer) {
        return Boolean.TRUE.equals(transaction.execute(status -> {
            if (!store.userExists(deer.userId())) {
                return false;
            }
            store.insert(deer, null);
            store.setReference(deer.deerId(), outside.register(deer.deerId()));
            return true;
        }));
    }

    private boolean outsideTransaction(DeerRequest deer) {
        if (!store.userExists(deer.userId())) {
            return false;
        }
        String reference = outside.register(deer.deerId());
        transaction.executeWithoutResult(status -> store.insert(deer, reference));
        return true;
    }
}
