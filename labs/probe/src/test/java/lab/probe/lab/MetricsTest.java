package lab.probe.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MetricsTest {

    private static final String SCRAPE = """
            # HELP jvm_gc_pause_seconds_count Time spent in GC pause
            jvm_gc_pause_seconds_count{action="end of minor GC",gc="Copy"} 12
            jvm_gc_pause_seconds_count{action="end of major GC",gc="MarkSweepCompact"} 3
            jvm_gc_pause_seconds_count_other 99
            hikaricp_connections_pending{pool="main"} 0.0
            http_server_requests_seconds_bucket{uri="/a",le="+Inf"} 4
            unbounded +Inf
            """;

    private final Metrics metrics = Metrics.parse(SCRAPE);

    @Test
    void seriesOfOneNameAreAddedAndOthersAreNot() {
        assertEquals(15, metrics.sum("jvm_gc_pause_seconds_count"));
    }

    @Test
    void labelsWithBlanksSelect() {
        assertEquals(3, metrics.sum("jvm_gc_pause_seconds_count", "end of major GC"));
        assertEquals(12, metrics.max("jvm_gc_pause_seconds_count"));
    }

    @Test
    void whatIsNotThereIsNothing() {
        assertEquals(0, metrics.sum("tomcat_threads_busy_threads"));
    }

    @Test
    void growthIsTheDifferenceOfTwoScrapes() {
        Metrics later = Metrics.parse(SCRAPE.replace("\"Copy\"} 12", "\"Copy\"} 20"));

        assertEquals(8, later.since(metrics, "jvm_gc_pause_seconds_count", "Copy"));
    }
}
