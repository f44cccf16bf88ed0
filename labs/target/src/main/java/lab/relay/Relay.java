package lab.relay;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Forwards connections, byte for byte, each direction held back by a set time: the network of the lab. A leg is
 * {@code LISTEN,CONNECT,DELAY_MS}, where an address is {@code tcp:PORT} on the loopback or {@code unix:PATH}; a socket
 * file reaches from one network namespace into another, which no loopback port does.
 *
 * <p>Third main class of the jar: {@code Relay LEG...}
 */
public final class Relay {

    private Relay() {
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        List<Thread> acceptors = new ArrayList<>();
        for (String leg : args) {
            String[] parts = leg.split(",");
            if (parts.length != 3) {
                throw new IllegalArgumentException("leg `" + leg + "` is not LISTEN,CONNECT,DELAY_MS");
            }
            ServerSocketChannel listener = listen(Address.parse(parts[0]));
            Address target = Address.parse(parts[1]);
            long delayMs = Long.parseLong(parts[2]);
            Thread acceptor = new Thread(() -> acceptFrom(listener, target, delayMs), "accept " + leg);
            acceptor.start();
            acceptors.add(acceptor);
        }
        for (Thread acceptor : acceptors) {
            acceptor.join();
        }
    }

    private static ServerSocketChannel listen(Address address) throws IOException {
        if (address.family() == StandardProtocolFamily.UNIX) {
            Files.deleteIfExists(Path.of(address.socket().toString()));
        }
        ServerSocketChannel listener = ServerSocketChannel.open(address.family());
        listener.bind(address.socket(), 1_024);
        return listener;
    }

    private static void acceptFrom(ServerSocketChannel listener, Address target, long delayMs) {
        while (true) {
            try {
                SocketChannel caller = listener.accept();
                new Pipe(caller, target, delayMs).start();
            } catch (IOException stopped) {
                System.err.println("relay: accepting ended: " + stopped);
                return;
            }
        }
    }
}
