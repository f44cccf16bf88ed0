package lab.work;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import lab.control.Amount;
import lab.control.Switch;
import lab.control.SwitchSet;
import org.springframework.stereotype.Component;

/**
 * Memory a request needs: garbage that dies with it, and a cache of which each request replaces a part, so that what it
 * drops has lived long enough to be in the old generation.
 */
@Component
public class RequestMemory implements SwitchSet {

    private static final int BLOCK_BYTES = 1_000;

    private final Amount garbageKb = new Amount("garbageKb", 0, 0, 100_000);
    private final Amount replacedKb = new Amount("replacedKb", 0, 0, 100_000);
    private final Amount retainedMb = new Amount("retainedMb", 0, 0, 4_000, this::resize);
    private final ArrayDeque<byte[]> cache = new ArrayDeque<>();
    private final AtomicInteger blocks = new AtomicInteger();
    private final AtomicLong consumed = new AtomicLong();

    @Override
    public List<Switch> switches() {
        return List.of(garbageKb, replacedKb, retainedMb);
    }

    /** Uses what one request uses. */
    public void use() {
        long sum = 0;
        for (int kb = garbageKb.get(); kb > 0; kb--) {
            byte[] garbage = new byte[1_024];
            garbage[kb % 1_024] = 1;
            sum += garbage[kb % 1_024];
        }
        consumed.addAndGet(sum);
        replace(replacedKb.get());
    }

    private synchronized void replace(int kb) {
        for (int block = 0; block < kb && !cache.isEmpty(); block++) {
            cache.addLast(new byte[BLOCK_BYTES]);
            cache.removeFirst();
        }
    }

    private synchronized void resize(int megabytes) {
        blocks.set(megabytes * 1_000);
        while (cache.size() > blocks.get()) {
            cache.removeFirst();
        }
        while (cache.size() < blocks.get()) {
            cache.addLast(new byte[BLOCK_BYTES]);
        }
    }
}
