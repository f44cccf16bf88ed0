package lab.probe.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuUseTest {

    @Test
    void whatTheLabDidNotUseIsOther() {
        CpuTimes before = new CpuTimes(100, 50, 1, Map.of("app-1", 10.0, "postgres", 5.0));
        CpuTimes after = new CpuTimes(110, 65, 2, Map.of("app-1", 18.0, "postgres", 9.0));

        CpuUse use = CpuUse.between(before, after);

        assertEquals(0.8, use.of("app-1"), 1e-9);
        assertEquals(0.3, use.other(), 1e-9, "15 s busy, 12 of them the lab's, in 10 s");
        assertEquals(0.1, use.stolen(), 1e-9);
        assertEquals(40, use.msPer(100, "postgres"), 1e-9);
    }

    @Test
    void aBusyProcessIsSeenInProc() {
        Map<String, Long> self = Map.of("probe", ProcessHandle.current().pid());

        CpuUse use = CpuUse.during(self, () -> {
            long end = System.nanoTime() + 400_000_000;
            long spins = 0;
            while (System.nanoTime() < end) {
                spins++;
            }
            return spins;
        }).cpu();

        assertTrue(use.of("probe") > 0.05, "CPU of this process: " + use.of("probe"));
    }
}
