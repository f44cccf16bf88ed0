package lab.probe.truths;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import lab.probe.Probe;
import lab.probe.Stop;
import lab.probe.Trial;
import lab.probe.load.Iteration;
import lab.probe.load.Load;
import lab.probe.load.LoadResult;
import lab.probe.machine.CpuUse;

/** A k6 script that computes 20 to 70 ms for each request, on one core: it drops starts while the target is idle. */
final class GeneratorTooSmall implements Probe {

    private static final Iteration NOOP = Iteration.get("/noop");
    private static final Pattern STARTED = Pattern.compile("\\biterations\\.*: (\\d+)");
    private static final Pattern DROPPED = Pattern.compile("dropped_iterations\\.*: (\\d+)");
    private static final double ASKED = 200;
    private static final double SECONDS = 10;

    @Override
    public String truth() {
        return "generator-too-small";
    }

    @Override
    public void check(Trial trial) {
        Path k6 = k6();
        trial.lab.up(truth());
        trial.warm(() -> Load.open(trial.lab.target(), ASKED, 5, 20, NOOP));
        String[] summary = new String[1];
        CpuUse.Measured<LoadResult> weak = trial.measure(() -> {
            summary[0] = trial.lab.run(List.of("taskset", "-c", "1", k6.toString(), "run", "--quiet", "--no-usage-report",
                    "-e", "TARGET=" + trial.lab.target(),
                    trial.lab.cases().resolve("generator-too-small.k6.js").toString()));
            return new LoadResult(List.of(), 0, SECONDS);
        });
        double started = started(summary[0]) / SECONDS;
        trial.claims.note("k6 on one core: %.1f/s of %.0f/s, %.0f starts dropped", started, ASKED, number(DROPPED, summary[0]));
        trial.claims.atMost("starts/s of the script, of 200 asked for", started, ASKED / 2);
        trial.claims.atLeast("starts dropped", number(DROPPED, summary[0]), 100);
        trial.claims.atMost("application CPU", weak.cpu().of("app-1"), 0.3);
        CpuUse.Measured<LoadResult> strong = trial.measure(() -> Load.open(trial.lab.target(), ASKED, 6, 20, NOOP));
        trial.claims.near("requests/s of a generator that computes nothing", strong.result().rate(), ASKED, 0.03);
        trial.claims.atMost("its p95 (ms)", strong.result().percentileMs(95), 20);
    }

    /** Iterations a summary of k6 counts, the dropped ones not among them. */
    static double started(String summary) {
        return number(STARTED, summary);
    }

    private static double number(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? Double.parseDouble(found.group(1)) : 0;
    }

    private static Path k6() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(path.split(":")), Stream.of(System.getProperty("user.home") + "/go/bin"))
                .map(folder -> Path.of(folder, "k6")).filter(Files::isExecutable).findFirst()
                .orElseThrow(() -> new Stop.NotPossibleHere("there is no k6; go install go.k6.io/k6@v1.8.1"));
    }
}
