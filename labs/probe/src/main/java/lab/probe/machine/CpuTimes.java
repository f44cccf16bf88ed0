package lab.probe.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * CPU time of the machine and of process trees, in seconds since boot, from /proc. A tree counts its children that have
 * already ended (PostgreSQL's back ends come and go).
 *
 * @param busy all CPUs together, without idle and waiting for storage
 * @param stolen the part of it that the hypervisor gave to somebody else
 * @param byName each lab process with its descendants
 */
record CpuTimes(double at, double busy, double stolen, Map<String, Double> byName) {

    private static final double TICKS_PER_SECOND = 100;

    static CpuTimes now(Map<String, Long> pids) {
        try {
            double[] machine = machine();
            Map<Long, long[]> processes = processes();
            Map<String, Double> byName = new HashMap<>();
            pids.forEach((name, pid) -> byName.put(name, treeSeconds(pid, processes)));
            return new CpuTimes(System.nanoTime() / 1e9, machine[0], machine[1], byName);
        } catch (IOException unreadable) {
            throw new IllegalStateException("/proc cannot be read", unreadable);
        }
    }

    /** Fields of the first line: user nice system idle iowait irq softirq steal. */
    private static double[] machine() throws IOException {
        String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).trim().split("\\s+");
        double busy = 0;
        for (int field : new int[] {1, 2, 3, 6, 7, 8}) {
            busy += Double.parseDouble(fields[field]);
        }
        return new double[] {busy / TICKS_PER_SECOND, Double.parseDouble(fields[8]) / TICKS_PER_SECOND};
    }

    /** pid to {parent, own ticks, ticks of ended children}. */
    private static Map<Long, long[]> processes() throws IOException {
        Map<Long, long[]> found = new HashMap<>();
        List<Path> entries = new ArrayList<>();
        try (var listing = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            listing.forEach(entries::add);
        }
        for (Path entry : entries) {
            try {
                String stat = Files.readString(entry.resolve("stat"));
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                found.put(Long.parseLong(entry.getFileName().toString()), new long[] {
                    Long.parseLong(fields[1]),
                    Long.parseLong(fields[11]) + Long.parseLong(fields[12]),
                    Long.parseLong(fields[13]) + Long.parseLong(fields[14])});
            } catch (IOException ended) {
                // it ended while we looked; its parent has its time
            }
        }
        return found;
    }

    private static double treeSeconds(long root, Map<Long, long[]> processes) {
        long ticks = 0;
        Deque<Long> open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty()) {
            long pid = open.pop();
            long[] process = processes.get(pid);
            if (process != null) {
                ticks += process[1] + process[2];
                processes.forEach((child, fields) -> {
                    if (fields[0] == pid) {
                        open.push(child);
                    }
                });
            }
        }
        return ticks / TICKS_PER_SECOND;
    }

    /** Sum of the named trees. */
    double of(String... names) {
        return Arrays.stream(names).mapToDouble(name -> byName.getOrDefault(name, 0.0)).sum();
    }
}
