package lab.probe.lab;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import lab.probe.Stop;

/** The lab as a person drives it: through its scripts. What is up is read from the file {@code labs/up} writes. */
public final class Lab {

    private static final int NOT_POSSIBLE_HERE = 77;

    private final Path labs;
    private final Path home;
    private Map<String, String> facts = Map.of();

    public Lab(Path labs, Path home) {
        this.labs = labs;
        this.home = home;
    }

    /** Sets up the fault of a truth, with settings in place of its own. */
    public void up(String truth, String... settings) {
        script("up", truth, settings);
        facts = read();
    }

    /** Sets up a truth with its fault removed. */
    public void upFixed(String truth, String... settings) {
        List<String> arguments = new ArrayList<>(List.of("--fixed"));
        arguments.addAll(List.of(settings));
        script("up", truth, arguments.toArray(String[]::new));
        facts = read();
    }

    /** Ends every process, so that the next {@link #up} starts cold. */
    public void down() {
        run(List.of(labs.resolve("down").toString()));
    }

    /** Changes the running target and waits until nothing of the last trial is left. */
    public void switchTo(String... pairs) {
        script("switch", pairs[0], java.util.Arrays.copyOfRange(pairs, 1, pairs.length));
    }

    /** Where a caller sends its requests. */
    public URI target() {
        return URI.create(fact("LAB_TARGET"));
    }

    /** An instance's own port, beside whatever stands in front of it. */
    public URI direct(String name) {
        URI metrics = URI.create(fact("LAB_METRICS_" + key(name)));
        return URI.create("http://127.0.0.1:" + (metrics.getPort() - 10));
    }

    public URI outsideControl() {
        return URI.create(fact("LAB_OUTSIDE"));
    }

    /** Counters of an instance, now. */
    public Metrics metrics(String name) {
        return Metrics.scrape(URI.create(fact("LAB_METRICS_" + key(name))));
    }

    /** Time that the instances spent compiling since they started, added up. */
    public double compilationSeconds() {
        return facts.entrySet().stream().filter(fact -> fact.getKey().startsWith("LAB_METRICS_"))
                .mapToDouble(fact -> Metrics.scrape(URI.create(fact.getValue())).sum("jvm_compilation_time_ms_total"))
                .sum() / 1_000;
    }

    /** One value from the database, as psql prints it. */
    public String sql(String statement) {
        return run(List.of("psql", "-X", "-A", "-t", "-q", "-d", fact("LAB_POSTGRES") + "?application_name=lab-probe",
                "-c", statement)).trim();
    }

    /** The lab's processes by name, this probe among them. */
    public Map<String, Long> pids() {
        Map<String, Long> pids = new TreeMap<>();
        facts.forEach((name, value) -> {
            if (name.startsWith("LAB_PID_")) {
                pids.put(name.substring("LAB_PID_".length()).toLowerCase(Locale.ROOT).replace('_', '-'),
                        Long.parseLong(value));
            }
        });
        pids.put("probe", ProcessHandle.current().pid());
        return pids;
    }

    public long pid(String name) {
        return Long.parseLong(fact("LAB_PID_" + key(name)));
    }

    /** The folder of the test scripts. */
    public Path cases() {
        return labs.resolve("cases");
    }

    /** Output of a command; a failing one ends the probe. */
    public String run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code == NOT_POSSIBLE_HERE) {
                throw new Stop.NotPossibleHere(output.trim());
            }
            if (code != 0) {
                throw new IllegalStateException("%s ended with %d: %s".formatted(command, code, output.trim()));
            }
            return output;
        } catch (IOException failed) {
            throw new IllegalStateException("cannot run " + command, failed);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("interrupted while running " + command, stopped);
        }
    }

    private void script(String name, String first, String... more) {
        List<String> command = new ArrayList<>(List.of(labs.resolve(name).toString(), first));
        command.addAll(List.of(more));
        run(command);
    }

    private String fact(String name) {
        String value = facts.get(name);
        if (value == null) {
            throw new IllegalStateException(name + " is not among what labs/up said");
        }
        return value;
    }

    private static String key(String name) {
        return name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private Map<String, String> read() {
        try {
            Map<String, String> read = new TreeMap<>();
            for (String line : Files.readAllLines(home.resolve("lab.env"))) {
                int equals = line.indexOf('=');
                read.put(line.substring(0, equals), line.substring(equals + 1));
            }
            return read;
        } catch (IOException missing) {
            throw new IllegalStateException("labs/up left no lab.env", missing);
        }
    }
}
