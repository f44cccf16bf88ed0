package lab.probe.load;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * One HTTP/1.1 connection, one request at a time, reopened when the server closed it. Only what the lab's servers send
 * is understood: a length or chunks.
 */
public final class Connection implements AutoCloseable {

    private final URI target;
    private final int timeoutMs;
    private Socket socket;
    private InputStream in;

    public Connection(URI target, int timeoutMs) {
        this.target = target;
        this.timeoutMs = timeoutMs;
    }

    public Response get(String path, String... headers) throws IOException {
        return exchange("GET", path, "", headers);
    }

    public Response post(String path, String json) throws IOException {
        return exchange("POST", path, json, "Content-Type: application/json");
    }

    /** Opens the connection now. @throws java.net.SocketTimeoutException when nobody takes it in time */
    public void open() throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(timeoutMs);
        socket.connect(new InetSocketAddress(target.getHost(), target.getPort()), timeoutMs);
        in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
    }

    /** As {@link #get}, but the connection stays open when no answer comes: a caller that still waits. */
    public Response getKeepingOpen(String path) throws IOException {
        socket.getOutputStream().write(head("GET", path, "").getBytes(StandardCharsets.UTF_8));
        return read();
    }

    private Response exchange(String method, String path, String body, String... headers) throws IOException {
        try {
            if (socket == null) {
                open();
            }
            socket.getOutputStream().write(head(method, path, body, headers).getBytes(StandardCharsets.UTF_8));
            return read();
        } catch (IOException broken) {
            close();
            throw broken;
        }
    }

    private String head(String method, String path, String body, String... headers) {
        StringBuilder text = new StringBuilder(256)
                .append(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: ").append(target.getAuthority());
        for (String header : headers) {
            text.append("\r\n").append(header);
        }
        return text.append("\r\nContent-Length: ").append(body.getBytes(StandardCharsets.UTF_8).length)
                .append("\r\n\r\n").append(body).toString();
    }

    private Response read() throws IOException {
        String status = line();
        int length = 0;
        boolean chunked = false;
        boolean last = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(java.util.Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(header.substring(header.indexOf(':') + 1).trim());
            } else if (lower.startsWith("transfer-encoding:") && lower.endsWith("chunked")) {
                chunked = true;
            } else if (lower.equals("connection: close")) {
                last = true;
            }
        }
        byte[] body = chunked ? chunks() : exactly(length);
        if (last) {
            close();
        }
        return new Response(Integer.parseInt(status.substring(9, 12)), body);
    }

    private byte[] chunks() throws IOException {
        var body = new java.io.ByteArrayOutputStream();
        for (int size = Integer.parseInt(line().trim(), 16); size > 0; size = Integer.parseInt(line().trim(), 16)) {
            body.write(exactly(size));
            line();
        }
        line();
        return body.toByteArray();
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the answer ended after %d of %d bytes".formatted(bytes.length, length));
        }
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder text = new StringBuilder(64);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (next != '\r') {
                text.append((char) next);
            }
        }
        return text.toString();
    }

    @Override
    public void close() {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException alreadyGone) {
                // nothing is left to release
            }
            socket = null;
        }
    }
}
