import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadPoolExecutor;

/** The names that Micrometer gives a Spring Boot application. */
final class Page {
    private static final com.sun.management.OperatingSystemMXBean SYSTEM = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final Map<String, double[]> served = new TreeMap<>();
    private final Map<String, double[]> calls = new TreeMap<>();
    private final StringBuilder out = new StringBuilder();

    private static void add(Map<String, double[]> all, String labels, double seconds) {
        double[] sums = all.computeIfAbsent(labels, key -> new double[3]);
        sums[0] += 1;
        sums[1] += seconds;
        sums[2] = Math.max(sums[2], seconds);
    }

    synchronized void answered(String method, String route, int status, double seconds) {
        String outcome = status >= 500 ? "SERVER_ERROR" : status >= 400 ? "CLIENT_ERROR" : "SUCCESS";
        add(served, String.format("error=\"none\",exception=\"none\",method=\"%s\",outcome=\"%s\",status=\"%d\",uri=\"%s\"", method, outcome, status, route), seconds);
    }

    synchronized void called(String peer, int status, double seconds) {
        String outcome = status >= 500 ? "SERVER_ERROR" : status >= 400 ? "CLIENT_ERROR" : "SUCCESS";
        add(calls, String.format("client_name=\"%s\",error=\"none\",method=\"GET\",outcome=\"%s\",status=\"%d\",uri=\"/%s\"", peer, outcome, status, peer), seconds);
    }

    private void row(String name, String kind, String labels, double value) {
        out.append(String.format(Locale.ROOT, "# TYPE %s %s\n%s%s %s\n", name, kind, name, labels.isEmpty() ? "" : "{" + labels + "}", value));
    }

    private void summary(String name, Map<String, double[]> all) {
        out.append("# HELP ").append(name).append("\n# TYPE ").append(name).append(" summary\n");
        all.forEach((labels, sums) -> out.append(String.format(Locale.ROOT, "%s_count{%s} %d\n%s_sum{%s} %s\n", name, labels, (long) sums[0], name, labels, sums[1])));
        out.append("# TYPE ").append(name).append("_max gauge\n");
        all.forEach((labels, sums) -> out.append(String.format(Locale.ROOT, "%s_max{%s} %s\n", name, labels, sums[2])));
    }

    synchronized String text(App app) {
        out.setLength(0);
        summary("http_server_requests_seconds", served);
        summary("http_client_requests_seconds", calls);
        app.pools.forEach((name, pool) -> pool(pool));
        app.executors.forEach(this::executor);
        if (!app.isLoop) {
            tomcat(app);
        }
        memory();
        process();
        return out.toString();
    }

    private void pool(Pool pool) {
        String label = "pool=\"HikariPool-1\"";
        synchronized (pool) {
            pool.account(0);
            row("hikaricp_connections", "gauge", label, pool.busy + pool.idle.size());
            row("hikaricp_connections_active", "gauge", label, pool.busy);
            row("hikaricp_connections_idle", "gauge", label, pool.idle.size());
            row("hikaricp_connections_pending", "gauge", label, pool.waiting);
            row("hikaricp_connections_max", "gauge", label, pool.size);
            row("hikaricp_connections_min", "gauge", label, pool.size);
            row("hikaricp_connections_timeout_total", "counter", label, pool.refused);
            out.append(String.format(Locale.ROOT, "# TYPE hikaricp_connections_usage_seconds summary\nhikaricp_connections_usage_seconds_count{%s} %d\n"
                + "hikaricp_connections_usage_seconds_sum{%s} %s\n# TYPE hikaricp_connections_acquire_seconds summary\nhikaricp_connections_acquire_seconds_count{%s} %d\n"
                + "hikaricp_connections_acquire_seconds_sum{%s} %s\n", label, pool.holdCount, label, pool.holdSeconds, label, pool.waitCount, label, pool.waitSeconds));
        }
    }

    private void executor(String name, ThreadPoolExecutor executor) {
        String label = "name=\"" + name + "\"";
        row("executor_active_threads", "gauge", label, executor.getActiveCount());
        row("executor_queued_tasks", "gauge", label, executor.getQueue().size());
        row("executor_queue_remaining_tasks", "gauge", label, executor.getQueue().remainingCapacity());
        row("executor_pool_size_threads", "gauge", label, executor.getPoolSize());
        row("executor_pool_core_threads", "gauge", label, executor.getCorePoolSize());
        row("executor_pool_max_threads", "gauge", label, executor.getMaximumPoolSize());
        row("executor_completed_tasks_total", "counter", label, executor.getCompletedTaskCount());
    }

    private void tomcat(App app) {
        String label = "name=\"http-nio-" + app.port + "\"";
        row("tomcat_threads_busy_threads", "gauge", label, app.server.getActiveCount());
        row("tomcat_threads_current_threads", "gauge", label, app.server.getPoolSize());
        row("tomcat_threads_config_max_threads", "gauge", label, app.server.getMaximumPoolSize());
    }

    private void memory() {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            String label = String.format("area=\"%s\",id=\"%s\"", pool.getType() == MemoryType.HEAP ? "heap" : "nonheap", pool.getName());
            row("jvm_memory_used_bytes", "gauge", label, pool.getUsage().getUsed());
            row("jvm_memory_committed_bytes", "gauge", label, pool.getUsage().getCommitted());
            row("jvm_memory_max_bytes", "gauge", label, pool.getUsage().getMax());
        }
        out.append("# TYPE jvm_gc_pause_seconds summary\n");
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            boolean isMajor = collector.getName().contains("Old") || collector.getName().contains("MarkSweep");
            String label = String.format("action=\"end of %s GC\",cause=\"Allocation Failure\",gc=\"%s\"", isMajor ? "major" : "minor", collector.getName());
            out.append(String.format(Locale.ROOT, "jvm_gc_pause_seconds_count{%s} %d\njvm_gc_pause_seconds_sum{%s} %s\n", label, collector.getCollectionCount(), label,
                collector.getCollectionTime() / 1e3));
        }
    }

    private void process() {
        row("jvm_threads_live_threads", "gauge", "", ManagementFactory.getThreadMXBean().getThreadCount());
        row("process_cpu_usage", "gauge", "", Math.max(0, SYSTEM.getProcessCpuLoad()));
        row("process_cpu_time_ns_total", "counter", "", SYSTEM.getProcessCpuTime());
        row("system_cpu_usage", "gauge", "", Math.max(0, SYSTEM.getCpuLoad()));
        row("system_cpu_count", "gauge", "", Runtime.getRuntime().availableProcessors());
        row("process_uptime_seconds", "gauge", "", ManagementFactory.getRuntimeMXBean().getUptime() / 1e3);
        row("process_start_time_seconds", "gauge", "", ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
    }
}
