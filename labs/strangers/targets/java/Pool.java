import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;

/** A part whose places are connections; its words are HikariCP's. */
final class Pool extends Part {
    final Map<String, Object> config;
    final String application;
    final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();

    Pool(Map<String, Object> config, String application) {
        super(App.whole(config, "size"), App.whole(config, "timeout_ms") > 0 ? App.whole(config, "timeout_ms") : 600_000);
        this.config = config;
        this.application = application;
    }

    @Override
    Exception timedOut() {
        return new Failure(500, String.format("java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, request timed out after %dms"
            + " (total=%d, active=%d, idle=%d, waiting=%d)", timeoutMs, size, busy, idle.size(), waiting));
    }

    Connection connection() throws IOException {
        Connection kept = idle.poll();
        return kept != null ? kept : new Connection(config, application);
    }

    /** PostgreSQL by its simple query protocol, or the line protocol of the stand-in. */
    static final class Connection {
        private final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;
        private final boolean isPostgres;

        Connection(Map<String, Object> config, String application) throws IOException {
            socket = new Socket("127.0.0.1", App.whole(config, "port"));
            socket.setTcpNoDelay(true);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(socket.getOutputStream());
            isPostgres = "postgres".equals(config.get("kind"));
            if (isPostgres) {
                startUp(config, application);
            }
        }

        private void startUp(Map<String, Object> config, String application) throws IOException {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            DataOutputStream data = new DataOutputStream(body);
            data.writeInt(196608);
            for (String word : new String[] {"user", (String) config.get("user"), "database", (String) config.get("database"), "application_name", application, ""}) {
                data.write(word.getBytes(StandardCharsets.UTF_8));
                data.write(0);
            }
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            new DataOutputStream(whole).writeInt(body.size() + 4);
            body.writeTo(whole);
            out.write(whole.toByteArray());
            untilReady();
        }

        void query(String sql, double ms) throws IOException {
            if (!isPostgres) {
                out.write(String.format(Locale.ROOT, "%f %s\n", ms, sql).getBytes(StandardCharsets.UTF_8));
                while (in.read() != '\n') {
                    continue;
                }
                return;
            }
            byte[] text = sql.getBytes(StandardCharsets.UTF_8);
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            DataOutputStream data = new DataOutputStream(whole);
            data.write('Q');
            data.writeInt(text.length + 5);
            data.write(text);
            data.write(0);
            out.write(whole.toByteArray());
            untilReady();
        }

        /** Severity and message of an error, as the driver words them. */
        private static String saidByServer(byte[] body) {
            String severity = "ERROR";
            String message = "";
            for (String field : new String(body, StandardCharsets.UTF_8).split("\0")) {
                if (field.startsWith("S")) {
                    severity = field.substring(1);
                } else if (field.startsWith("M")) {
                    message = field.substring(1);
                }
            }
            return severity + ": " + message;
        }

        private void untilReady() throws IOException {
            IOException failed = null;
            while (true) {
                int kind = in.readUnsignedByte();
                byte[] body = in.readNBytes(in.readInt() - 4);
                if (kind == 'E') {
                    String said = saidByServer(body);
                    failed = new IOException("org.postgresql.util.PSQLException: " + said);
                    if (said.startsWith("FATAL")) {
                        // The server ends the session; nothing more comes.
                        socket.close();
                        throw failed;
                    }
                } else if (kind == 'Z') {
                    if (failed != null) {
                        throw failed;
                    }
                    return;
                }
            }
        }
    }
}
