package lab.control;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.apache.coyote.AbstractProtocol;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.embedded.tomcat.TomcatWebServer;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/**
 * Size of the connection pool and of Tomcat's thread pool, changed without a restart so that two sizes can be compared in
 * the same warm JVM. What cannot be changed so (heap, collector, connection time-out, accept count) is a setting of
 * {@code labs/up}: HikariCP copies its connection time-out when the pool is built and ignores later changes.
 */
@Component
public class ServerLimits implements SwitchSet {

    private final HikariDataSource pool;
    private final ServletWebServerApplicationContext context;
    private final List<Switch> switches;

    public ServerLimits(
            DataSource pool,
            @Lazy ServletWebServerApplicationContext context,
            @Value("${spring.datasource.hikari.maximum-pool-size}") int poolSize,
            @Value("${server.tomcat.threads.max}") int threads) {
        this.pool = (HikariDataSource) pool;
        this.context = context;
        this.switches = List.of(
                new Amount("pool", poolSize, 1, 100, this::resizePool),
                new Amount("threads", threads, 1, 1000, this::resizeThreads));
    }

    @Override
    public List<Switch> switches() {
        return switches;
    }

    /**
     * Until idle time-outs pass, a smaller pool would keep its connections, and a larger one grows only while requests
     * wait. So every connection is closed (a busy one when it comes back), and the new number opened at once.
     */
    private void resizePool(int size) {
        if (pool.getMinimumIdle() > size) {
            pool.setMinimumIdle(size);
        }
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(size);
        pool.getHikariPoolMXBean().softEvictConnections();
        if (pool.getHikariPoolMXBean().getActiveConnections() == 0) {
            open(size);
        }
    }

    /** Borrows so many at the same time, then gives them all back. */
    private void open(int connections) {
        List<Connection> borrowed = new ArrayList<>();
        try {
            for (int number = 0; number < connections; number++) {
                borrowed.add(pool.getConnection());
            }
        } catch (SQLException refused) {
            throw new IllegalStateException("the pool cannot open " + connections + " connections", refused);
        } finally {
            borrowed.forEach(ServerLimits::giveBack);
        }
    }

    private static void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException failed) {
            throw new IllegalStateException("a connection was not taken back", failed);
        }
    }

    /** The spare threads may never exceed the maximum, not even between two calls: the executor throws. */
    private void resizeThreads(int max) {
        AbstractProtocol<?> protocol = (AbstractProtocol<?>) ((TomcatWebServer) context.getWebServer())
                .getTomcat().getConnector().getProtocolHandler();
        int spare = Math.min(10, max);
        if (max < protocol.getMinSpareThreads()) {
            protocol.setMinSpareThreads(spare);
            protocol.setMaxThreads(max);
        } else {
            protocol.setMaxThreads(max);
            protocol.setMinSpareThreads(spare);
        }
    }
}
