package lab.probe.lab;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import lab.probe.load.Connection;

/** Values of one scrape, by series as it is written: {@code name{label="value"}}. */
public final class Metrics {

    private final Map<String, Double> series;

    private Metrics(Map<String, Double> series) {
        this.series = series;
    }

    static Metrics scrape(URI uri) {
        try (Connection connection = new Connection(uri, 10_000)) {
            return parse(connection.get(uri.getPath()).text());
        } catch (IOException failed) {
            throw new IllegalStateException("no metrics from " + uri, failed);
        }
    }

    static Metrics parse(String text) {
        Map<String, Double> series = new TreeMap<>();
        for (String line : text.split("\n")) {
            int space = line.lastIndexOf(' ');
            if (space > 0 && !line.startsWith("#")) {
                series.put(line.substring(0, space), number(line.substring(space + 1)));
            }
        }
        return new Metrics(series);
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    /** Sum of a metric's series that carry all these pieces of label text; 0 when there are none. */
    public double sum(String name, String... labels) {
        return series.entrySet().stream()
                .filter(one -> one.getKey().equals(name) || one.getKey().startsWith(name + "{"))
                .filter(one -> java.util.Arrays.stream(labels).allMatch(one.getKey()::contains))
                .mapToDouble(Map.Entry::getValue).sum();
    }

    /** Largest of a metric's series that carry all these pieces of label text; 0 when there are none. */
    public double max(String name, String... labels) {
        return series.entrySet().stream()
                .filter(one -> one.getKey().equals(name) || one.getKey().startsWith(name + "{"))
                .filter(one -> java.util.Arrays.stream(labels).allMatch(one.getKey()::contains))
                .mapToDouble(Map.Entry::getValue).max().orElse(0);
    }

    /** What a counter grew by since an earlier scrape. */
    public double since(Metrics earlier, String name, String... labels) {
        return sum(name, labels) - earlier.sum(name, labels);
    }
}
