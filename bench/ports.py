"""Ports for the servers of benches and checks."""
import random, socket, threading

# Outgoing connections get ports from 32768 on (Linux's ip_local_port_range). A server that is given one of those loses it to
# a connection of another case between this question and its own bind.
PORTS = range(10_000, 32_768)

given, lock = set(), threading.Lock()


def free_port():
    """A port of 127.0.0.1 on which nothing listens, and which was not given before."""
    with lock:
        while True:
            port = random.choice(PORTS)
            if port in given:
                continue
            with socket.socket() as s:
                s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    s.bind(("127.0.0.1", port))
                except OSError:
                    continue
            given.add(port)
            return port
