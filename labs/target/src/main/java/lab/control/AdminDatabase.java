package lab.control;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Changes to the schema and refreshes, each on a connection of its own: a pool that is starved on purpose must not keep
 * the lab from being switched back.
 */
@Component
public class AdminDatabase {

    private final String url;
    private final String user;

    public AdminDatabase(@Value("${lab.admin-url}") String url, @Value("${spring.datasource.username}") String user) {
        this.url = url;
        this.user = user;
    }

    public void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url, user, "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException("the lab's own statement failed: " + sql, failed);
        }
    }
}
