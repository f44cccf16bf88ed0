package lab.probe.truths;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import lab.probe.Probe;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** Half a core by quota: quota / CPU time of a request, while the machine is half idle. */
final class CpuQuota implements Probe {

    private static final Iteration QUOTE = Iteration.get("/quote");

    @Override
    public String truth() {
        return "cpu-quota";
    }

    @Override
    public void check(Trial trial) {
        trial.lab.up(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 4, 8, QUOTE));
        long before = throttled(trial);
        CpuUse.Measured<LoadResult> quota = trial.measure(() -> Load.closed(trial.lab.target(), 8, 8, QUOTE));
        double cost = quota.cpu().msPer(quota.result().ok(), "app-1");
        trial.claims.near("application CPU, the quota", quota.cpu().of("app-1"), 0.5, 0.1);
        trial.claims.near("requests/s, from quota / CPU of a request", quota.result().rate(), 500 / cost, 0.15);
        trial.claims.atLeast("throttled periods a second", (throttled(trial) - before) / quota.cpu().seconds(), 3);
        trial.lab.upFixed(truth());
        trial.warm(() -> Load.closed(trial.lab.target(), 4, 8, QUOTE));
        CpuUse.Measured<LoadResult> free = trial.measure(() -> Load.closed(trial.lab.target(), 8, 8, QUOTE));
        trial.claims.atLeast("times the rate without the quota", free.result().rate() / quota.result().rate(), 1.6);
    }

    /** Periods in which the kernel stopped the target so far, from the cgroup it is in. */
    private static long throttled(Trial trial) {
        try {
            for (String line : Files.readAllLines(group(trial.lab.pid("app-1")).resolve("cpu.stat"))) {
                if (line.startsWith("nr_throttled ")) {
                    return Long.parseLong(line.substring("nr_throttled ".length()));
                }
            }
            throw new IllegalStateException("cpu.stat has no nr_throttled");
        } catch (IOException unreadable) {
            throw new IllegalStateException("the target's cgroup cannot be read", unreadable);
        }
    }

    /** Version 1 names the controller ("4:cpu:/path"), version 2 does not ("0::/path"). */
    private static Path group(long pid) throws IOException {
        Path version2 = Path.of("/sys/fs/cgroup");
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (java.util.List.of(parts[1].split(",")).contains("cpu")) {
                return Path.of("/sys/fs/cgroup/cpu" + parts[2]);
            }
            if (parts[1].isEmpty()) {
                version2 = Path.of("/sys/fs/cgroup" + parts[2]);
            }
        }
        return version2;
    }
}
