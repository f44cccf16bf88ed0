package lab.relay;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;

/** One end of a leg: {@code tcp:PORT} on the loopback, or {@code unix:PATH}. */
record Address(ProtocolFamily family, SocketAddress socket) {

    static Address parse(String text) {
        if (text.startsWith("tcp:")) {
            int port = Integer.parseInt(text.substring("tcp:".length()));
            return new Address(StandardProtocolFamily.INET,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
        if (text.startsWith("unix:")) {
            return new Address(StandardProtocolFamily.UNIX,
                    UnixDomainSocketAddress.of(text.substring("unix:".length())));
        }
        throw new IllegalArgumentException("address `" + text + "` is neither tcp:PORT nor unix:PATH");
    }
}
