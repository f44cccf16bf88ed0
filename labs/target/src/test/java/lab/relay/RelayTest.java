package lab.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class RelayTest {

    private static final int DELAY_MS = 60;

    @Test
    void bytesArriveInOrderAndLateByTheDelayInBothDirections() throws Exception {
        byte[] sent = new byte[200_000];
        for (int index = 0; index < sent.length; index++) {
            sent[index] = (byte) (index * 31);
        }
        try (ServerSocket echo = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocketChannel front = ServerSocketChannel.open().bind(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Thread server = new Thread(() -> echoOnce(echo));
            server.start();
            try (SocketChannel caller = SocketChannel.open(front.getLocalAddress())) {
                new Pipe(front.accept(), Address.parse("tcp:" + echo.getLocalPort()), DELAY_MS).start();
                long began = System.nanoTime();
                Thread writer = new Thread(() -> write(caller, sent));
                writer.start();
                byte[] back = caller.socket().getInputStream().readNBytes(sent.length);
                double tookMs = (System.nanoTime() - began) / 1e6;
                assertThat(back).isEqualTo(sent);
                assertThat(tookMs).isGreaterThanOrEqualTo(2 * DELAY_MS);
                writer.join();
            }
            server.join();
        }
    }

    @Test
    void anAddressIsAPortOrASocketFile() {
        assertThat(Address.parse("tcp:9000").socket()).hasToString("localhost/127.0.0.1:9000");
        assertThat(Address.parse("unix:/run/a.sock").socket()).hasToString("/run/a.sock");
        assertThatThrownBy(() -> Address.parse("9000")).hasMessage("address `9000` is neither tcp:PORT nor unix:PATH");
    }

    private static void echoOnce(ServerSocket echo) {
        try (Socket peer = echo.accept(); InputStream in = peer.getInputStream()) {
            in.transferTo(peer.getOutputStream());
        } catch (java.io.IOException callerLeft) {
            // the caller closes first
        }
    }

    private static void write(SocketChannel caller, byte[] bytes) {
        try {
            caller.socket().getOutputStream().write(bytes);
        } catch (java.io.IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
