package io.loadline.gate;

import jakarta.servlet.http.HttpSession;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who is inside, as this instance knows; inject it to end a visit. */
public class WaitingRoom {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingRoom.class);
    private static final String WID = "waiting-room.wid";
    private static final String SEQ = "waiting-room.seq";
    private static final long SEEN_MS = 120_000;

    private final GateClient gate;
    private final Map<String, Long> seen = new ConcurrentHashMap<>();
    private final Map<String, Long> seqs = new ConcurrentHashMap<>();
    /** The admission of a visitor that is over at the gate. */
    private final Map<String, Long> over = new ConcurrentHashMap<>();

    WaitingRoom(GateClient gate) {
        this.gate = gate;
    }

    /** Who a session belongs to, as the queue knows them; empty when the visitor is not inside. */
    public Optional<String> visitor(HttpSession session) {
        if (session == null || !(session.getAttribute(WID) instanceof String wid)) {
            return Optional.empty();
        }
        Long seq = (Long) session.getAttribute(SEQ);
        return seq.equals(over.get(wid)) ? Optional.empty() : Optional.of(wid);
    }

    /** Ends a visit, on logout or when the purchase is done: the place goes to the next at once. */
    public void leave(HttpSession session) throws GateClient.Unavailable {
        Optional<String> wid = visitor(session);
        if (wid.isPresent()) {
            end(wid.get());
            gate.complete(wid.get());
        }
    }

    void letIn(HttpSession session, GateClient.Admission admission) {
        session.setAttribute(WID, admission.wid());
        session.setAttribute(SEQ, admission.seq());
        see(session, admission.wid());
    }

    void see(HttpSession session, String wid) {
        seen.put(wid, System.currentTimeMillis());
        seqs.put(wid, (Long) session.getAttribute(SEQ));
    }

    void heartbeat() {
        long since = System.currentTimeMillis() - SEEN_MS;
        seen.values().removeIf(at -> at < since);
        seqs.keySet().retainAll(seen.keySet());
        try {
            gate.heartbeat(seen.keySet()).forEach(this::end);
        } catch (GateClient.Unavailable away) {
            // The next one says it all again.
            LOG.warn("waiting room: {}", away.getMessage());
        } catch (RuntimeException bug) {
            // A timer that threw would never come again.
            LOG.error("waiting room: heartbeat", bug);
        }
    }

    private void end(String wid) {
        seen.remove(wid);
        Long seq = seqs.remove(wid);
        if (seq != null) {
            over.put(wid, seq);
        }
    }
}
