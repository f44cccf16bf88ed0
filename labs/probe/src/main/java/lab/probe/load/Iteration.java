package lab.probe.load;

import java.io.IOException;

/** What a virtual user does once. True when every answer was right; an exception counts as false. */
@FunctionalInterface
public interface Iteration {

    boolean run(Connection connection) throws IOException;

    static Iteration get(String path) {
        return connection -> connection.get(path).isSuccess();
    }
}
